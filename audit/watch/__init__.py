"""The watch: what did not come about is said, and what is due is decided on.

`watching` looks around every few minutes; `auditing` looks at runs and jobs, `book` at the book:
that entries get their places and are sealed, that the clock never runs back, that the schema is as
the book records it, that a night's verification took place. Nothing here reads more than the newest
part of the book: a whole verification does that, every night.
"""
