"""The official text of a rulebook, read from a file of the house: articles, items, spans."""
