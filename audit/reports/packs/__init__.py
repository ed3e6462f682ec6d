"""Evidence packs: what is in one, how it is made; and copies of the book compared."""
