"""Verifies a copy of the book, as plainly as it can be done, so that it can be read and believed.

Needs Python 3.11 and the package `cryptography`; knows nothing of the house and of its other
programs. What it reads is described in docs/log-format.md and docs/bundle.md. In this order:

    notes.py     who signed: keys, lists of keys, checkpoints, and which keys the book itself names
    tree.py      the files of a bundle, and the tree of hashes over its entries
    entries.py   what an entry is; each stream, the times, and what entries say of one another
    __main__.py  what is asked, what is held against it from outside, and how it ends
    words.py     every sentence, in Portuguese and in English

One process, everything in memory (some two gigabytes for a million entries), nothing kept between
two runs. What it does not judge it says at its end. Another program, `audit.verifier`, judges more
and is quicker; the tests hold that both say the same of whatever both judge.
"""
