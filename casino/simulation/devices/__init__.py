"""Machines that play at tables and send their rounds to a house by its API, with every trouble a
line and a clock can have.

`planned_messages` says what is sent and in which order, decided by a seed alone; `house_line` is
one machine's connection, with its token; `playing` lets machines send at the same time and counts;
`in_the_book` holds what was acknowledged against the house's own lists.
"""
