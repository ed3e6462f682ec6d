"""Shuffle, cut, warning card, burnt card."""
