"""Draws of tables and rounds to be looked at: their list, a new one, one of them."""
