"""Draws as the book holds them: out of what, under which root, and what is asked before one."""
