"""Checks of a table and its game: layout, decks, people, complaints. Law: PT art. 1 to 7, 61."""
