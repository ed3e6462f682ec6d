"""Rulebooks as data: their files read strictly, their figures, readings and articles."""
