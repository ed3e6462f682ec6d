"""Every number of an official text: figures and number words in four languages, with their spans.

`um`, `una`, `une`, `a` are articles of speech first: they count only beside a word that says so
(`uma única carta`, `apenas uma`). An ordinal names a place and is none, nor is a heading's number.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from casino.law.text.legal_text import Item, Paragraph, Span, Text

_WORDS: Final = """
1/2 metade meia meio mitad media moitié demi demie half
1/3 terço tercio tiers
2 dois duas dobro dos doble deux double two twice
3 três triplo tres triple trois three thrice
4 quatro cuatro quatre four
5 cinco cinq five
6 seis six
7 sete siete sept seven
8 oito ocho huit eight
9 nove nueve neuf nine
10 dez diez dix ten
11 onze once eleven
12 doze doce douze twelve
13 treze trece treize thirteen
14 catorze quatorze catorce fourteen
15 quinze quince fifteen
16 dezasseis dezesseis dieciséis seize sixteen
17 dezassete dezessete diecisiete dix-sept seventeen
18 dezoito dieciocho dix-huit eighteen
19 dezanove dezenove diecinueve dix-neuf nineteen
20 vinte veinte vingt twenty
21 veintiuno vingt-et-un
30 trinta treinta trente thirty
40 quarenta cuarenta quarante forty
50 cinquenta cincuenta cinquante fifty
60 sessenta sesenta soixante sixty
70 setenta seventy
80 oitenta ochenta eighty
90 noventa ninety
100 cem cien cent hundred
200 duzentos duzentas doscientos doscientas
300 trezentos trezentas trescientos trescientas
500 quinhentos quinhentas quinientos quinientas
1000 mil mille thousand
"""
_VALUES: Final = {
    word: Fraction(value) for value, *words in map(str.split, _WORDS.strip().splitlines())
    for word in words
}  # fmt: skip
# Words of one language that are something else in another: `six jeux`, `dos naipes`, `once`.
_ELSEWHERE: Final = {
    "pt": {"dos", "once", "media", "tiers", "double", "sept", "six"},
    "es": {"meio", "six"},
    "fr": {"dos", "once", "media", "mil", "cinco"},
    "en": {"dos", "once", "media", "mil", "cent", "dix", "seize", "double"},
    "und": {"dos", "once", "media"},
}
_ONE: Final = (
    r"(?:só|apenas|somente|solo|sólo|solamente|seulement|only)(?:\s+[^\W\d_]+){0,2}?\s+(?:um|uma|un|una|une|one)\b"
    r"|(?:um|uma|un|una|une|one|a)\s+(?:únic[ao]|só|sol[ao]|seule?|single)\b"
)
_form = re.compile(
    rf"(?P<one>{_ONE})|(?P<digits>(?<![\d/])\d{{1,2}}/[1-9]\d?(?![\d/])"
    r"|\d{1,3}(?:[. ]\d{3})+(?:,\d+)?(?!\d)"
    r"|(?<!\d[.,])\d+[.,]\d+(?!\d|[.,]\d)|\d+)"
    r"|(?P<word>dix-(?:sept|huit|neuf)|[^\W\d_]+(?:-et-un)?)",
    re.IGNORECASE,
)
_thousand = re.compile(r"\s+(?:mil|mille|thousand)\b", re.IGNORECASE)
# What goes on behind a word for tens: `vinte e um`, `treinta y dos`, `twenty-one`.
_unit_more = re.compile(r"(?:\s+[ey]\s+|-)(?P<unit>[^\W\d_]+)", re.IGNORECASE)
_UNITS: Final = {"um": 1, "uma": 1, "uno": 1, "una": 1, "un": 1, "one": 1, "dos": 2}
_TENS: Final = frozenset(Fraction(ten) for ten in range(20, 100, 10))
_half_more = re.compile(r"\b(?:(?:uma\s+)?vez\s+e\s+meia|una\s+vez\s+y\s+media)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NumberFound:
    """A number in the words of a node: the `n`th of that node, from 1."""

    eid: str
    n: int
    value: Fraction
    span: Span
    written: str


def numbers_in(text: Text) -> Iterator[NumberFound]:
    """Every number in the words of a text, in their order."""
    for leaf in text.leaves():
        yield from _in_leaf(text, leaf)


def _in_leaf(text: Text, leaf: Paragraph | Item) -> Iterator[NumberFound]:
    n = 0
    for piece in leaf.pieces:
        for value, span in _in_piece(text, piece):
            n += 1
            yield NumberFound(leaf.eid, n, value, span, text.words_at(span))


def _in_piece(text: Text, piece: Span) -> Iterator[tuple[Fraction, Span]]:
    at = piece.start
    while found := _next(text, at, piece.end):
        yield found
        at = found[1].end


def _next(text: Text, start: int, end: int) -> tuple[Fraction, Span] | None:
    more = _half_more.search(text.source, start, end)
    for found in _form.finditer(text.source, start, end):
        if more and more.start() <= found.start():
            return Fraction(3, 2), Span(*more.span())
        value = _value(found, text.language)
        if value is None:
            continue
        thousand = _thousand.match(text.source, found.end(), end) if found["digits"] else None
        if thousand:
            return value * 1000, Span(found.start(), thousand.end())
        unit = _unit_more.match(text.source, found.end(), end) if value in _TENS else None
        if unit and found["word"]:
            word = unit["unit"].lower()
            one = _UNITS.get(word) or _VALUES.get(word, Fraction(0))
            if 0 < one < 10:
                return value + one, Span(found.start(), unit.end())
        return value, Span(*found.span())
    return None


def _value(match: re.Match[str], language: str) -> Fraction | None:
    if match["one"]:
        return Fraction(1)
    digits = match["digits"]
    if digits:
        plain = re.sub(r"[. ](?=\d{3}(?!\d))", "", digits)  # `1/2` is one number
        return Fraction(plain.replace(",", "."))
    word = match["word"].lower()
    return None if word in _ELSEWHERE[language] else _VALUES.get(word)
