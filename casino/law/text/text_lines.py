"""The lines of a source, and which of them are page furniture: page numbers, running headers."""

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from casino.law.text.legal_text import Span
from casino.law.text.text_headings import ENDS_A_SENTENCE, in_capitals, number_of, section_of

_page_mark = re.compile(
    r"[-–—]\s*\d{1,4}\s*[-–—]|(?:Página|Pág\.?|Pag\.?|Page|Folha|Fl\.)\s*\d{1,4}"
    r"(?:\s*(?:de|of|sur|/)\s*\d{1,4})?",
    re.IGNORECASE,
)
_digits = re.compile(r"\d+")
_LEAST_REPEATED = 3  # as often a line has to come to be a running header
_LONGEST_RUNNING = 120
_HARD_WRAPPED = 140  # a text with a longer line has one paragraph in each line


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is not blank, without the blanks around it.

    `blank` and `page`: an empty line, the end of a page stands before it. `broken`: furniture does.
    """

    span: Span
    text: str
    blank: bool
    page: bool
    broken: bool = False

    @property
    def ends(self) -> bool:
        """Whether a sentence ends with it."""
        return self.text.endswith(ENDS_A_SENTENCE)


def lines_of(source: str) -> list[Line]:
    """The lines of a source that are not blank."""
    found: list[Line] = []
    place, blank, page = 0, True, False
    for raw in source.split("\n"):
        text = raw.strip()
        page |= "\f" in raw[: len(raw) - len(raw.lstrip())]
        if text:
            start = place + raw.index(text)
            found.append(Line(Span(start, start + len(text)), text, blank, page))
            blank, page = False, "\f" in raw[raw.index(text) + len(text) :]
        else:
            blank = True
        place += len(raw) + 1
    return found


def is_wrapped(lines: Sequence[Line]) -> bool:
    """Whether lines end where the page does, so that a paragraph has several."""
    return max((len(line.text) for line in lines), default=0) <= _HARD_WRAPPED


def without_furniture(lines: Sequence[Line]) -> tuple[list[Line], list[Span]]:
    """The lines that are text, and the spans of those that are furniture."""
    furniture = _furniture(lines)
    kept: list[Line] = []
    broken = False
    for place, line in enumerate(lines):
        if place in furniture:
            broken = True
            continue
        broken |= line.page
        kept.append(Line(line.span, line.text, line.blank, line.page, broken))
        broken = False
    return kept, [lines[place].span for place in sorted(furniture)]


def _furniture(lines: Sequence[Line]) -> set[int]:
    """The places of lines that belong to the page: its number, and what is beside numbers or ends
    of pages three times or more.
    """
    ends = {0, len(lines)} | {place for place, line in enumerate(lines) if line.page}
    found = {place for place, line in enumerate(lines) if _page_mark.fullmatch(line.text)}
    if len(ends) > 2:  # a bare number is one of a page only at the end of one
        for place, line in enumerate(lines):
            if line.text.isdecimal() and len(line.text) <= 4 and {place, place + 1} & ends:
                found.add(place)
    repeated = defaultdict(list)
    for place, line in enumerate(lines):
        heads = number_of(line.text) or section_of(line.text)
        if len(line.text) <= _LONGEST_RUNNING and not heads:
            repeated[_digits.sub("0", line.text)].append(place)
    often = [places for places in repeated.values() if len(places) >= _LEAST_REPEATED]
    for _ in range(2):  # a header may have two lines
        for places in often:
            by_a_page = [place for place in places if _by_a_page(place, found, ends)]
            if len(by_a_page) >= len(places) - 1:
                found.update(places)
    for places in often:
        texts = {lines[place].text for place in places}
        if len(texts) == 1 and in_capitals(texts.pop()):  # no title comes three times
            found.update(places)
    return found


def _by_a_page(place: int, furniture: Collection[int], ends: Collection[int]) -> bool:
    return any(end in ends for end in (place, place + 1)) or any(
        other in furniture for other in (place - 1, place + 1)
    )
