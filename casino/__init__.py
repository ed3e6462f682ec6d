"""The floor: what is recorded at the tables, the book that keeps it, and the law it is held to."""

__version__ = "0.14.0"
