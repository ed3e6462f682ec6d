"""Verifying the book where it lies: every entry, the tree, the seal, the projections, private
values.

The twin of `audit.verifier`, which needs no database: what an inspector does with a bundle the
house does with its own tables, every night and whenever somebody asks. `walking` takes one step
after the other and can be interrupted between any two; the other modules are what it looks at.
`run_verification` is how anybody wants one and does it in parts, `report_verification` writes down
what it came to. docs/operations.md tells it from outside.
"""
