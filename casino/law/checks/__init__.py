"""The checks, by subject. None rests on the checks of another subject."""
