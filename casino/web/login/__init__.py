"""Logging in: passwords, and what has to be done before anything else opens."""
