"""The book's pages: its state, verifications, proofs."""
