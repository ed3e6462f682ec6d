"""Checks of a shoe: its preparation, the cut, its end. Law: PT art. 6 to 11."""
