"""Lines of the log, and what each is of."""
