"""Opening a table, its decks and their exhibition."""
