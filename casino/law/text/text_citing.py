"""The words of the law a verdict rests on: finding, check, parameter, article, place in the text.

Which nodes a check rests on says `text_bearing`; where none of an article, all of them. This much
of it is packed for whoever has none of the house's programs, and reads no data of the house.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from casino.law.text.legal_text import Article, Item, Span, Text
from casino.law.text.text_numbers import numbers_in

# By eId, of each number its value (``3/2``) and the parameter it is; "" of none.
Parameters = Mapping[str, Sequence[Sequence[str]]]


class Figure(NamedTuple):
    """A number of the text that is a parameter of the rulebook: as written, and where."""

    written: str
    span: Span
    parameter: str


class Passage(NamedTuple):
    """A paragraph or item of an article. `label` is the number or letter printed before it; `bears`
    says that the check asked about rests on it.
    """

    eid: str
    label: str
    words: str
    pieces: tuple[Span, ...]
    figures: tuple[Figure, ...]
    bears: bool


def article_of(text: Text, number: str) -> Article | None:
    """The article of this number; None of none, or where the text has it twice."""
    found = [one for one in text.articles if one.number == number]
    return found[0] if len(found) == 1 else None


def passages_of(
    text: Text, article: Article, parameters: Parameters, bears: Collection[str]
) -> tuple[Passage, ...]:
    """Every node of an article that has words, in the order of the text.

    `bears` are the eIds a check rests on; where none is of this article, all of it does.
    """
    below = f"{article.eid}__"
    figures = _figures_of(text, below, parameters)
    leaves = [one for one in text.leaves() if one.eid.startswith(below) and one.words]
    named = {one.eid for one in leaves} & set(bears) or {one.eid for one in leaves}
    return tuple(
        Passage(
            one.eid,
            f"{one.letter})" if isinstance(one, Item) else one.number if one.printed else "",
            one.words,
            one.pieces,
            tuple(figures.get(one.eid, ())),
            one.eid in named,
        )
        for one in leaves
    )


def _figures_of(text: Text, below: str, parameters: Parameters) -> dict[str, list[Figure]]:
    found: dict[str, list[Figure]] = {}
    for eid, figure in _bound(text, below, parameters):
        found.setdefault(eid, []).append(figure)
    return found


def _bound(text: Text, below: str, parameters: Parameters) -> Iterator[tuple[str, Figure]]:
    for number in numbers_in(text):
        listed = parameters.get(number.eid, ()) if number.eid.startswith(below) else ()
        value, parameter = listed[number.n - 1] if number.n <= len(listed) else ("", "")
        if parameter and value == str(number.value):
            yield number.eid, Figure(number.written, number.span, parameter)
