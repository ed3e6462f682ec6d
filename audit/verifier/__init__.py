"""The stand-alone verifier of Livro da Sala: what an inspector runs, without the house's database.

It asks for Python and `cryptography` (and takes `orjson` where it finds it), imports nothing of the
house, and has a tree of its own, written by another hand. docs/bundle.md tells what it reads.
"""
