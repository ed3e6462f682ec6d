"""How grave a thing is: a problem, evidence that is missing, or only worth a word."""

from typing import Final

PROBLEM: Final = "problem"
INCOMPLETE: Final = "incomplete"
NOTE: Final = "note"
