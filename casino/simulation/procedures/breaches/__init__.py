"""Breaches of procedure that can be planted in an evening, and where they lie."""
