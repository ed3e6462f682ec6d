"""What the auditor adds to the demo, once the evening is in the book."""
