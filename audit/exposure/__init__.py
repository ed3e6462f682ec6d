"""From a defect of a deck to every round that may have been played with it.

The question an inspection service asks first: since when, which tables, which boxes, how much
money. `defects` and `rounds` are pure; `reading` asks the book; `rows` writes the file.
"""
