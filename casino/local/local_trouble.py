"""What can go wrong around the programs that are started, told to whoever typed the command."""


class Trouble(Exception):
    """Something outside the program is in the way; the text says what, and what to do about it."""
