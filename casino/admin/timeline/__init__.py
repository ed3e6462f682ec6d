"""Timelines: everything recorded of a table, a game, a deck, a machine or a person."""
