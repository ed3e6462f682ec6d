"""How this language writes days and times."""
