"""A finding's pages, sums owed, comparisons, rounds in doubt."""
