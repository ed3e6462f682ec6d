"""Closing a table: what is missing, decks in order, chips counted."""
