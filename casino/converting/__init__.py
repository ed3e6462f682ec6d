"""Other people's tables made into round records: a CSV file read as a mapping file says.

Nothing here knows a rule of the game or of any one source: the mapping says which column is what
(docs/converting.md), the records go on to be judged like any other. What cannot be read is
refused by row and column, never guessed.
"""
