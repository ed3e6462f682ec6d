"""A draw of tables and rounds that nobody can steer, and its replay from a copy of the book.

    procedure.py     the commitment, the seed, the population, and who is drawn: docs/sampling.md
    draw_replay.py   what a bundle says of each draw, held against the procedure
    draw_words.py    every sentence, in Portuguese and in English
    __main__.py      the command

Python 3.11 alone; of the house's programs only `audit.verify.tree`, which reads a bundle's files.
The pages draw by the same `procedure`.
"""
