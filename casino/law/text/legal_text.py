"""An official text as it was read: sections, articles, paragraphs and lettered items, each with its
span in the source.

Spans are places in `Text.source`, the normalised text of the file, so that the words of a node can
be shown from the stored file at any time. eIds are made as in Akoma Ntoso: `art_8__para_2`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple


class Span(NamedTuple):
    """From `start` to before `end`, in characters of the normalised source."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Item:
    """A lettered or numbered item, with the items below it.

    `pieces` are the spans of its own words: several where a page ends between them. `span` holds
    its letter and its items too.
    """

    letter: str
    eid: str
    span: Span
    words: str
    pieces: tuple[Span, ...]
    items: tuple["Item", ...] = ()


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of an article or of a section, under its own number or its place.

    `printed`: the number stands in the text.
    """

    number: str
    printed: bool
    eid: str
    span: Span
    words: str
    pieces: tuple[Span, ...]
    items: tuple[Item, ...] = ()


@dataclass(frozen=True, slots=True)
class Article:
    """A numbered article. `section` is the eId of the section it stands in; "" of none."""

    number: str
    caption: str
    eid: str
    span: Span
    section: str
    paragraphs: tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands under it before its first article, or at all in a handbook.

    What stands before the first heading is a section without one, `preamble`.
    """

    number: str
    heading: str
    eid: str
    span: Span
    paragraphs: tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True)
class Text:
    """The whole text. `language` is `pt`, `es`, `fr`, `en`, or `und` where none is recognised.

    `labels` are the spans of headings, captions, numbers and letters; `furniture` of what a page
    bears besides (its number, a running header); `unplaced` of what belongs to no article that
    could be recognised. `sha256` is that of the file's bytes.
    """

    source: str = field(repr=False)
    sha256: str
    language: str
    sections: tuple[Section, ...]
    articles: tuple[Article, ...]
    labels: tuple[Span, ...]
    furniture: tuple[Span, ...]
    unplaced: tuple[Span, ...]

    def parts(self) -> Sequence[Section | Article]:
        """Every section and article, in the order of the text."""
        parts: list[Section | Article] = [*self.sections, *self.articles]
        return sorted(parts, key=lambda part: part.span)

    def leaves(self) -> Iterator[Paragraph | Item]:
        """Every paragraph and item, in the order of the text."""
        for part in self.parts():
            yield from leaves_of(part)

    def words_at(self, span: Span) -> str:
        """The words of a span."""
        return words_of(self.source, (span,))

    def missing(self) -> tuple[str, ...]:
        """Plain numbers between the lowest and the highest article that no article bears."""
        plain = {int(one.number) for one in self.articles if one.number.isdecimal()}
        whole = range(min(plain), max(plain)) if plain else range(0)
        return tuple(str(number) for number in whole if number not in plain)


def leaves_of(above: Section | Article) -> Iterator[Paragraph | Item]:
    """Every paragraph and item of a section or an article."""
    for paragraph in above.paragraphs:
        yield paragraph
        yield from _below(paragraph.items)


def _below(items: Sequence[Item]) -> Iterator[Item]:
    for item in items:
        yield item
        yield from _below(item.items)


_broken = re.compile(r"(?<!\w)(\w+)[-\u2010]\s*\n\s*(-?)([^\W\d_]+)")
_compound = re.compile(r"(?=\b(\w+-\w+))\w+")
# What Portuguese hangs on a verb keeps its hyphen, wherever the line ends.
_HUNG_ON: Final = frozenset(
    ("lhe", "lhes", "se", "me", "te", "nos", "vos", "lo", "la", "los", "las")
)


def words_of(source: str, pieces: Sequence[Span]) -> str:
    """The words of these spans in one line, with words joined again that were broken at an end of
    line.
    """
    text = "\n".join(source[start:end] for start, end in pieces).replace("\u00ad\n", "")
    text = text.replace("\u00ad", "")
    if _broken.search(text):
        compounds = _compounds(source)

        def joined(match: re.Match[str]) -> str:
            left, twice, right = match.groups()  # Portuguese may write a hyphen of its own twice
            whole = f"{left}-{right}"
            own = twice or not right[0].islower() or right in _HUNG_ON
            return whole if own or whole.lower() in compounds else left + right

        text = _broken.sub(joined, text)
    return " ".join(text.split())


@lru_cache(maxsize=2)
def _compounds(source: str) -> frozenset[str]:
    """The words this text writes with a hyphen where no line ends."""
    return frozenset(found.lower() for found in _compound.findall(source))
