"""What the API shows of the audit: the book's proofs, runs."""
