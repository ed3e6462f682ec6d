"""One gaming day, put together: tables, what went wrong, who was there, the pools.

`table_night` and `four_columns` are pure; `night_queries`, `case_queries`, `duty_spans` and
`pool_night` ask the book. Nothing here is kept: a night is added up whenever it is looked at.
"""
