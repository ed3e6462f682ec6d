"""All tables at one look, one table, what was recorded there and what waits."""
