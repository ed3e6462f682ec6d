"""The demo: one evening told into an empty book, by the door everybody else uses.

What is lawful in it comes from the simulated tables; what is not was put there on purpose and is
listed in `casino.demo.demo_story`. Nothing here writes to a projection or to the book by itself.
"""
