"""The transparency log's arithmetic: bytes in, hashes and proofs out. It knows no casino."""
