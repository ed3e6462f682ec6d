"""Reads an official text: a file's bytes as sections, articles, paragraphs and items.

Layouts differ, so nothing rests on one: a text has the articles of the highest kind of number it
uses (`Artigo 12.º`, `13:69F-2.2`, `§ 3`, `1 -`), and lower kinds number paragraphs and items. A
handbook without articles has sections alone. What cannot be placed is kept as such, none dropped.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from hashlib import sha256
from typing import Final

from casino.events import Malformed
from casino.law.text.legal_text import Span, Text
from casino.law.text.text_building import Leaf, Part, name_articles, name_section
from casino.law.text.text_headings import (
    Number,
    Rank,
    SectionHead,
    in_capitals,
    is_bullet,
    letter_of,
    number_of,
    order_of,
    section_of,
    titled,
)
from casino.law.text.text_lines import Line, is_wrapped, lines_of, without_furniture
from casino.law.text.text_source import bytes_of, language_of, source_of

PREAMBLE: Final = "preamble"
_HIGHEST_FIRST: Final = ("article", "code", "pilcrow", "dashed")
_LOOKED_AHEAD: Final = 10  # numbers looked for further on before a gap is believed
_LONGEST_CAPTION: Final = 100
_BEFORE_AN_ITEM: Final = (",", " e", " ou", " y", " o", " u", " et", " and", " or")
_SHORT_LINE: Final = Fraction(3, 4)  # of the longest: where a paragraph ends in the midst of a page


def read_text(file: bytes | str) -> Text:
    """The official text in a file.

    Raises: Malformed, where it is no plain text in UTF-8, too large, or has neither an article nor
    a heading.
    """
    content = bytes_of(file) if isinstance(file, str) else file
    source = source_of(content)
    lines, furniture = without_furniture(lines_of(source))
    reading = _Reading(lines)
    if not reading.articles and all(one.eid == PREAMBLE for one in reading.sections):
        raise Malformed(
            "$.text",
            "no article and no heading is recognised (lines read: {lines}). Asked is the text of a"
            " regulation, with articles such as «Article 1», «1 -» or «§ 1» at the beginning of"
            " a line.",
            lines=len(lines),
        )
    return Text(
        source=source,
        sha256=sha256(content).hexdigest(),
        language=language_of(source),
        sections=tuple(one.finished_section(source) for one in reading.sections),
        articles=tuple(one.finished_article(source) for one in reading.articles),
        labels=tuple(reading.labels),
        furniture=tuple(furniture),
        unplaced=tuple(reading.unplaced),
    )


class _Reading:
    """One text, line by line."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.sections: list[Part] = []
        self.articles: list[Part] = []
        self.labels: list[Span] = []
        self.unplaced: list[Span] = []
        self._lines = lines
        self._wrapped = is_wrapped(lines)
        self._width = max((len(line.text) for line in lines), default=0)
        self._numbers = [number_of(line.text) for line in lines]
        self._series = self._series_of_articles()
        self._later = Counter(
            number.number for number in self._numbers if number and number.series == self._series
        )
        self._open: list[Part] = []  # the sections that are open, the highest first
        self._part: Part | None = None  # what the next words belong to; None: they are unplaced
        self._leaf: Leaf | None = None  # the paragraph or item the next words may continue
        self._fresh = False  # a section began since the last article
        self._used = Counter[str]()

        self._preamble()
        place = 0
        while place < len(lines):
            place = self._read(place)
        name_articles(self.articles)
        self.sections = [one for one in self.sections if one.paragraphs or one.eid != PREAMBLE]

    def _series_of_articles(self) -> str | None:
        """The kind of number that articles have in this text."""
        for series in _HIGHEST_FIRST:
            found = [one.number for one in self._numbers if one and one.series == series]
            if found and (series != "dashed" or "1" in found or len(found) > 2):
                return series
        return None

    def _preamble(self) -> None:
        start = self._lines[0].span.start if self._lines else 0
        self._part = Part("", "", start, start, PREAMBLE)
        self.sections.append(self._part)

    def _read(self, place: int) -> int:
        """Read the line at `place`, with the lines of its heading. The next line's place."""
        line, number = self._lines[place], self._numbers[place]
        if number and number.series == self._series and self._stands_apart(place, number):
            if self._comes_next(number.number):
                return self._article(place, number)
            self._later[number.number] -= 1
            self._part = self._leaf = None
            self.unplaced.append(line.span)
            return place + 1
        head = self._section_head(place)
        if head:
            return self._section(place, *head)
        if self._part is None:
            self.unplaced.append(line.span)
            return place + 1
        self._words(place, self._part)
        return place + 1

    # Articles

    def _stands_apart(self, place: int, number: Number) -> bool:
        """Whether a number begins an article here, and not a line in the midst of a sentence."""
        line = self._lines[place]
        last = self._last()
        goes_on = number.series == "dashed" and last and _main(number.number) == last[0][0] + 1
        return bool(goes_on) or line.blank or line.broken or self._after_an_end(place)

    def _after_an_end(self, place: int) -> bool:
        """Whether a sentence or a heading ended before this line."""
        return place == 0 or self._lines[place - 1].ends or self._leaf is None

    def _last(self) -> tuple[tuple[int, str], ...]:
        return order_of(self.articles[-1].number) if self.articles else ()

    def _comes_next(self, number: str) -> bool:
        """Whether an article with this number may follow the last one."""
        last, order = self._last(), order_of(number)
        if not last or (self._fresh and order[0][0] == 1):
            return True
        if order <= last:
            return False
        between = range(last[0][0] + 1, min(order[0][0], last[0][0] + _LOOKED_AHEAD))
        return self._series == "code" or not any(self._later[str(one)] > 0 for one in between)

    def _article(self, place: int, number: Number) -> int:
        line = self._lines[place]
        self._later[number.number] -= 1
        begins = line.span.start + number.skip
        label = Span(line.span.start, line.span.start + len(line.text[: number.skip].rstrip()))
        self.labels.append(label)
        within = self._open[-1] if self._open else None
        part = Part(number.number, "", label.start, label.end, within=within)
        self.articles.append(part)
        self._part, self._leaf, self._fresh = part, None, False
        caption = number.series != "dashed" and self._captioned(place, number.rest)
        if number.rest and not caption:
            self._marked(place, part, begins)
        elif caption or (number.series != "dashed" and self._captioned(place + 1, None)):
            if not number.rest:
                place += 1
                begins = self._lines[place].span.start
            part.heading = self._lines[place].text[begins - self._lines[place].span.start :]
            part.end = self._lines[place].span.end
            self.labels.append(Span(begins, part.end))
        return place + 1

    def _captioned(self, place: int, rest: str | None) -> bool:
        """Whether the line at `place` (its `rest` behind the number) is a caption, with text below
        it.
        """
        if place + 1 >= len(self._lines):
            return False
        line, below = self._lines[place], self._lines[place + 1]
        text = line.text if rest is None else rest
        if not text or len(text) > _LONGEST_CAPTION or not (text[0].isupper() or text[0] in "(«"):
            return False
        if rest is None and (self._numbers[place] or letter_of(text) or section_of(text)):
            return False
        if self._begins_anew(place + 1):
            return False  # its only words
        bracketed = text[0] == "(" and text[-1] == ")"
        short_end = text.endswith(".") and len(text.split()) <= 6
        apart = below.blank or bool(self._numbers[place + 1]) or not below.text[:1].islower()
        return apart and (bracketed or short_end or not line.ends)

    def _begins_anew(self, place: int) -> bool:
        """Whether the line at this place is the heading of an article or of a section."""
        number = self._numbers[place]
        return bool(
            (number and number.series == self._series)
            or section_of(self._lines[place].text)
            or (self._lines[place].blank and in_capitals(self._lines[place].text))
        )

    # Sections

    def _section_head(self, place: int) -> tuple[SectionHead, int] | None:
        """The section that begins at this line, and how much of it stands before its caption."""
        line = self._lines[place]
        apart = line.blank or line.broken or not self._wrapped or self._after_an_end(place)
        if not apart:
            return None
        named = section_of(line.text)
        if named:
            return named, len(line.text) - len(named.caption)
        below = self._lines[place + 1] if place + 1 < len(self._lines) else None
        if in_capitals(line.text) and (
            not self._wrapped or line.blank or below is None or below.blank
        ):
            return SectionHead(Rank.CAPITALS, "sec", "", line.text), 0
        if below is None:
            return None
        if self._series is None:
            number = self._numbers[place]
            if number and number.series == "dotted" and self._heads(place, number):
                return SectionHead(Rank.NUMBERED, "sec", "", number.rest), number.skip
            if titled(line.text) and line.blank and below.blank:
                return SectionHead(Rank.TITLED, "sec", "", line.text), 0
        elif titled(line.text) and line.blank and below.blank and self._begins_anew(place + 1):
            if self._after_an_end(place):
                return SectionHead(Rank.TITLED, "sec", "", line.text), 0
        return None

    def _heads(self, place: int, number: Number) -> bool:
        """Whether a numbered line of a handbook is a heading: short, no sentence, text below it."""
        beside = (self._numbers[place - 1] if place else None, self._numbers[place + 1])
        listed = any(other is not None and other.series == "dotted" for other in beside)
        short = len(number.rest.split()) <= 8 and not self._lines[place].ends
        return (
            short and not listed and number.rest[:1].isupper() and not self._begins_anew(place + 1)
        )

    def _section(self, place: int, head: SectionHead, skip: int) -> int:
        line = self._lines[place]
        caption, end = head.caption, line.span.end
        self.labels.append(line.span)
        if not caption and self._is_caption(place + 1):
            place += 1
            caption, end = self._lines[place].text, self._lines[place].span.end
            self.labels.append(self._lines[place].span)
        while self._open and self._open[-1].rank >= head.rank:
            self._open.pop()
        part = Part(head.number, caption, line.span.start, end, rank=head.rank)
        part.within = self._open[-1] if self._open else None
        name_section(part, head.prefix, self._used)
        self._open.append(part)
        self.sections.append(part)
        self._part, self._leaf, self._fresh = part, None, True
        return place + 1

    def _is_caption(self, place: int) -> bool:
        """Whether the line at this place is the caption of the section heading above it."""
        if place >= len(self._lines):
            return False
        line = self._lines[place]
        plain = not (self._numbers[place] or letter_of(line.text) or section_of(line.text))
        return (
            plain
            and len(line.text) <= _LONGEST_CAPTION
            and not line.ends
            and not line.text[0].islower()
        )

    # Paragraphs and items

    def _words(self, place: int, part: Part) -> None:
        """The words of a line: a new paragraph, a new item, or more of the one before."""
        line = self._lines[place]
        if self._leaf and not self._apart(place):
            self._leaf.add(line.span, line.broken)
        elif not self._marked(place, part, line.span.start):
            if self._leaf and self._goes_on(place):
                self._leaf.add(line.span, line.broken)
            else:
                self._leaf = part.paragraph("", line.span.start)
                self._leaf.add(line.span, broken=True)

    def _apart(self, place: int) -> bool:
        """Whether a number or a letter at this line's beginning may begin a paragraph or item."""
        line = self._lines[place]
        return not self._wrapped or line.blank or line.broken or self._may_begin(place)

    def _may_begin(self, place: int) -> bool:
        text = self._lines[place].text
        before = self._lines[place - 1].text
        marked = self._numbers[place] or letter_of(text)
        return (bool(marked) and before.endswith(_BEFORE_AN_ITEM)) or self._after_an_end(place)

    def _marked(self, place: int, part: Part, begins: int) -> bool:
        """Begin the paragraph or item that a number or letter announces at `begins`.

        Behind an article's own number words without any begin its first paragraph. False where
        nothing was announced.
        """
        line = self._lines[place]
        text = line.text[begins - line.span.start :]
        number, letter = number_of(text), letter_of(text)
        leaf, skip = None, 0
        if number and number.series != self._series:
            leaf, skip = self._numbered(part, number, begins), number.skip
        elif letter:
            leaf, skip = part.item(letter[0], begins), letter[1]
        if leaf:
            self.labels.append(Span(begins, begins + len(text[:skip].rstrip())))
        elif begins > line.span.start:
            leaf = part.paragraph("", begins)
            skip = 0
        else:
            return False
        if begins + skip < line.span.end:
            leaf.add(Span(begins + skip, line.span.end), broken=True)
        self._leaf = leaf
        return True

    def _numbered(self, part: Part, number: Number, start: int) -> Leaf | None:
        """A paragraph or an item under this number, or None where it is neither's turn."""
        if not number.number.isdecimal() or len(number.number) > 3:
            return None
        of_article = part in self.articles[-1:] and self._series != "dashed"
        value = int(number.number)
        if of_article and value == part.printed + 1 and (part.printed or not part.paragraphs):
            return part.paragraph(number.number, start)
        return part.item(number.number, start)

    def _goes_on(self, place: int) -> bool:
        """Whether a line without number or letter continues the words before it."""
        line, before = self._lines[place], self._lines[place - 1]
        if is_bullet(line.text):
            return False
        if line.blank or line.broken or not self._wrapped:
            return not before.ends and (line.broken or line.text[0].islower())
        short = len(before.text) < self._width * _SHORT_LINE
        return not (before.ends and short and not line.text[0].islower())


def _main(number: str) -> int:
    return order_of(number)[0][0]
