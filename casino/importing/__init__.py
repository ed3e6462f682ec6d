"""Rounds from files into the book: every line a record of its own, or a refusal with its place.

A round's own UUID is the key it is recorded under, so a file read twice changes nothing.
"""
