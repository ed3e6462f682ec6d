"""One change of an official text, or of its rulebook, at random, and whether a comparison names it.

A change of a text is one figure or one negation replaced, put in, or taken out, in a node whose
article is known; one of a rulebook is one parameter with another value, or without one.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import Final

from casino.law.rulebook.law_text import Value, spelled
from casino.law.rulebook.rulebook import Law
from casino.law.rulebook.vocabulary import CHOICES
from casino.law.text.duty_bindings import article_of
from casino.law.text.legal_text import Span, Text, leaves_of
from casino.law.text.number_bindings import Binding
from casino.law.text.text_comparison import Comparison, PartCompared
from casino.law.text.text_duties import turns_in
from casino.law.text.text_numbers import numbers_in

FIGURES: Final = ("3", "8", "15", "99", "cinco", "treze", "1/2", "200")
NEGATIONS: Final = ("não", "nunca", "sem", "salvo", "só", "nem")
IN_THE_STEAD: Final = ("sempre", "também", "quando", "todos")
_word: Final = re.compile(r"(?<=\s)[^\W\d_]{3,}")
# A figure of the text and what it is said to be.
Bindings = dict[str, tuple[Binding, ...]]


@dataclass(frozen=True, slots=True)
class Change:
    """What was done where: `parameter` is the figure's, "" of none."""

    what: str
    eid: str
    parameter: str
    source: str

    @property
    def article(self) -> str:
        return article_of(self.eid)


def of_text(text: Text, bindings: Bindings, random: Random) -> Change:
    """A text with one figure or one negation changed."""
    ways: tuple[Callable[[Text, Bindings, Random], Change], ...] = (
        _figure_changed,
        _figure_put_in,
        _negation_changed,
        _negation_put_in,
    )
    return random.choice(ways)(text, bindings, random)


def _figure_changed(text: Text, bindings: Bindings, random: Random) -> Change:
    number = random.choice([one for one in numbers_in(text) if article_of(one.eid)])
    bound = bindings[number.eid][number.n - 1]
    others = [one for one in FIGURES if one != str(bound.value)]
    word = random.choice([*others, ""])
    source = _with(text.source, number.span, word)
    return Change(f"«{number.written}» -> «{word}»", number.eid, bound.parameter, source)


def _negation_changed(text: Text, bindings: Bindings, random: Random) -> Change:
    turn = random.choice([one for one in turns_in(text) if article_of(one.eid)])
    others = [one for one in NEGATIONS if one != turn.word]
    word = random.choice([*others, *IN_THE_STEAD, ""])
    return Change(f"«{turn.word}» -> «{word}»", turn.eid, "", _with(text.source, turn.span, word))


def _figure_put_in(text: Text, bindings: Bindings, random: Random) -> Change:
    return _put_in(text, random, random.choice(FIGURES))


def _negation_put_in(text: Text, bindings: Bindings, random: Random) -> Change:
    return _put_in(text, random, random.choice(NEGATIONS))


def _put_in(text: Text, random: Random, word: str) -> Change:
    """A word before some word of an article."""
    places = [
        (leaf.eid, found.start())
        for article in text.articles
        for leaf in leaves_of(article)
        for piece in leaf.pieces
        for found in _word.finditer(text.source, piece.start + 1, piece.end)
    ]
    eid, at = random.choice(places)
    return Change(f"«{word}» put in", eid, "", _with(text.source, Span(at, at), f"{word} "))


def _with(source: str, span: Span, word: str) -> str:
    return source[: span.start] + word + source[span.end :]


def named(change: Change, comparison: Comparison, law: Law) -> bool:
    """Whether a comparison names the article and, of a figure, the parameter; else its checks."""
    for part in comparison.differing:
        if part.article != change.article:
            continue
        if change.parameter:
            return change.parameter in _parameters(part)
        article = law.articles[part.article]
        return bool(article.upheld_by) or article.duty == "dispensation"
    return False


def _parameters(part: PartCompared) -> set[str]:
    of_numbers = {one.bound.parameter for one in part.numbers if one.bound}
    return of_numbers | {one.parameter for one in part.parameters}


def of_rulebook(law: Law, random: Random) -> tuple[str, str, Law]:
    """A parameter's name, what was done to it, and the rulebook with it changed."""
    name = random.choice(sorted(law.parameters))
    parameter = law.parameters[name]
    if not random.randrange(8):
        rest = {other: one for other, one in law.parameters.items() if other != name}
        return name, "taken out", replace(law, parameters=rest)
    last = parameter.values[-1]
    value = _another(name, last.value, random)
    values = (*parameter.values[:-1], replace(last, value=value))
    changed = {**law.parameters, name: replace(parameter, values=values)}
    said = f"{spelled(last.value)} -> {spelled(value)}"
    return name, said, replace(law, parameters=changed)


def _another(name: str, value: Value, random: Random) -> Value:
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return random.choice([one for one in CHOICES[name].split() if one != value])
    if isinstance(value, tuple):
        return random.choice([value[1:], value[:-1], (*value, value[-1] + 1), (value[0] + 1,)])
    if isinstance(value, Fraction):
        top, bottom = value.numerator, value.denominator
        others = {Fraction(top + 1, bottom), Fraction(top, bottom + 1), 1 / (value or Fraction(2))}
        return random.choice(sorted(others - {value}))
    return random.choice([one for one in (value + 1, value + 10, 2 * value, 0) if one != value])


def named_parameter(name: str, comparison: Comparison, law: Law) -> bool:
    """Whether a comparison names a parameter, in the article it is one of or where it stands."""
    for part in comparison.differing:
        for one in part.parameters:
            if one.parameter == name and (part.article or one.article):
                return True
    return False
