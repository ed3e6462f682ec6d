"""Errors of a round that can be planted in an evening."""
