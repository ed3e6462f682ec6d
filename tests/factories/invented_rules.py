"""Invented rules with every word of them accounted for, and the rulebook they are the text of.

The rulebook is pt with those of its articles alone that the rules have: tests of what is bound to a
text rest on it where the regulation itself is not there.
"""

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Final

from casino.law.rulebook.rulebook import Law
from casino.law.rulebook.rulebook_file import load_law
from casino.law.text.legal_text import Text
from casino.law.text.read_text import read_text

_FOLDER: Final = Path(__file__).parent / "regulations"
RULES: Final = (_FOLDER / "ours.txt").read_text("utf-8")
BOUND: Final = _FOLDER / "ours.toml"
DAY: Final = date(2026, 11, 27)


def law_of(text: Text) -> Law:
    """The rulebook pt, of the articles of a text alone."""
    law, there = load_law("pt"), {article.number for article in text.articles}
    articles = {number: one for number, one in law.articles.items() if number in there}
    parameters = {name: one for name, one in law.parameters.items() if one.article in there}
    return replace(law, articles=articles, parameters=parameters)


LAW: Final = law_of(read_text(RULES))
