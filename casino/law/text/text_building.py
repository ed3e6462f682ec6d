"""Parts of a text while it is being read, and how they become the finished ones with their eIds."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from casino.law.text.legal_text import Article, Item, Paragraph, Section, Span, words_of
from casino.law.text.text_headings import ROMANS, slug

_WIDEST_GAP: Final = 3  # letters that may be missing in a list


@dataclass(slots=True, eq=False)
class Leaf:
    """A paragraph or an item. `number` is what is printed before it, "" of nothing."""

    number: str
    start: int
    pieces: list[Span] = field(default_factory=list)
    items: list["Leaf"] = field(default_factory=list)
    counted: tuple[str, int] = ("", 0)  # of an item: the kind of its list, and its place there

    def add(self, span: Span, broken: bool) -> None:
        """Go on with the words of a line, behind page furniture where it is `broken`."""
        if self.pieces and not broken:
            span = Span(self.pieces.pop().start, span.end)
        self.pieces.append(span)

    @property
    def span(self) -> Span:
        """From its number to the end of its last item."""
        ends = [*(piece.end for piece in self.pieces[-1:]), *(one.span.end for one in self.items)]
        return Span(self.start, max(ends, default=self.start))

    def finished_item(self, source: str, parent: str) -> Item:
        """The item, below the node `parent`."""
        eid = f"{parent}__item_{self.number}"
        items = tuple(one.finished_item(source, eid) for one in self.items)
        words = words_of(source, self.pieces)
        return Item(self.number, eid, self.span, words, tuple(self.pieces), items)


@dataclass(slots=True, eq=False)
class Part:
    """A section or an article. `end` is that of its heading."""

    number: str
    heading: str
    start: int
    end: int
    eid: str = ""
    rank: int = 0
    within: "Part | None" = None
    paragraphs: list[Leaf] = field(default_factory=list)
    lists: list[list[Leaf]] = field(default_factory=list)  # the open ones, the outermost first
    printed: int = 0  # the last number printed before a paragraph

    def paragraph(self, number: str, start: int) -> Leaf:
        """A new paragraph."""
        self.lists.clear()
        self.printed = int(number or self.printed)
        self.paragraphs.append(Leaf(number, start))
        return self.paragraphs[-1]

    def item(self, letter: str, start: int) -> Leaf | None:
        """A new item, in the list that goes on with this letter or in a new one; None where it
        continues none and begins none.
        """
        means = _meanings(letter)
        for gap in range(1, _WIDEST_GAP + 1):
            for depth in range(len(self.lists), 0, -1):
                kind, last = self.lists[depth - 1][-1].counted
                if (kind, last + gap) in means:
                    del self.lists[depth:]
                    return self._listed(letter, start, (kind, last + gap))
            kinds = {one[-1].counted[0] for one in self.lists}
            first = [(kind, value) for kind, value in means if value == 1 and kind not in kinds]
            if gap == 1 and first:
                if not self.paragraphs:
                    self.paragraph("", start)
                above = self.lists[-1][-1] if self.lists else self.paragraphs[-1]
                if above.items:
                    return None  # a second list of the same kind is words
                self.lists.append(above.items)
                return self._listed(letter, start, first[0])
        return None

    def _listed(self, letter: str, start: int, counted: tuple[str, int]) -> Leaf:
        self.lists[-1].append(Leaf(letter, start, counted=counted))
        return self.lists[-1][-1]

    @property
    def span(self) -> Span:
        """From its heading to the end of its last paragraph."""
        return Span(self.start, max([self.end, *(leaf.span.end for leaf in self.paragraphs)]))

    def _finished(self, source: str) -> tuple[Paragraph, ...]:
        finished = []
        number, times, printed = "", 0, False
        for place, leaf in enumerate(self.paragraphs, 1):
            printed |= bool(leaf.number)
            if leaf.number or not printed:
                number, times = leaf.number or str(place), 1
            else:
                times += 1  # goes on below a printed number
            eid = f"{self.eid}__para_{number}" + (f"__subpara_{times}" if times > 1 else "")
            # Where there is but one paragraph, its items are the article's own.
            parent = eid if len(self.paragraphs) > 1 else self.eid
            items = tuple(one.finished_item(source, parent) for one in leaf.items)
            words = words_of(source, leaf.pieces)
            finished.append(
                Paragraph(
                    number=number,
                    printed=bool(leaf.number),
                    eid=eid,
                    span=leaf.span,
                    words=words,
                    pieces=tuple(leaf.pieces),
                    items=items,
                )
            )
        return tuple(finished)

    def finished_section(self, source: str) -> Section:
        """The section."""
        return Section(self.number, self.heading, self.eid, self.span, self._finished(source))

    def finished_article(self, source: str) -> Article:
        """The article."""
        section = self.within.eid if self.within else ""
        return Article(
            self.number, self.heading, self.eid, self.span, section, self._finished(source)
        )


def _meanings(letter: str) -> set[tuple[str, int]]:
    """What a letter may be: the ninth letter, or one in Roman figures."""
    means = set()
    if letter.isdecimal():
        means.add(("digit", int(letter)))
    elif len(letter) == 1:
        means.add(("capital" if letter.isupper() else "letter", ord(letter.lower()) - 96))
    if letter in ROMANS:
        means.add(("roman", ROMANS.index(letter) + 1))
    return means


def name_articles(articles: Sequence[Part]) -> None:
    """Give each article its eId, after its section's where another section has the same number."""
    numbers = Counter(one.number for one in articles)
    for one in articles:
        within = f"{one.within.eid}__" if numbers[one.number] > 1 and one.within else ""
        one.eid = f"{within}art_{one.number.replace(':', '-')}"


def name_section(part: Part, prefix: str, used: Counter[str]) -> None:
    """Give a section its eId: below its parent's, after its number or its heading."""
    own = part.number or slug(part.heading) or "unnamed"
    above = f"{part.within.eid}__" if part.within else ""
    eid = f"{above}{prefix}_{own}"
    used[eid] += 1
    part.eid = f"{eid}_{used[eid]}" if used[eid] > 1 else eid
    used[part.eid] += used[eid] > 1
