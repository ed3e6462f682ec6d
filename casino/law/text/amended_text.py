"""A regulation as an amending act leaves it: the same source, with what the act says in its place.

Spans of the text as it was read are replaced and nothing else: what the act does not name stays
sign for sign. What cannot be done exactly as it is said is named, and no text is made.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Final, NamedTuple

from casino.events import Malformed
from casino.events.phrases import Phrase
from casino.law.text.amending_act import Act, Operation, Target
from casino.law.text.legal_text import Article, Item, Paragraph, Span, Text
from casino.law.text.read_text import read_text
from casino.law.text.text_headings import order_of

REPEALED: Final = "(Revogado.)"
# What stands for words that stay, alone behind its number or in its line.
_ellipsis: Final = re.compile(r"[(\[]?(?:\.\.\.|…)[)\]]?(?=[.;,]?[ \t]*(?:\n|$))")
_written: Final = re.compile(r"(\d+)((?:\.?\s?[ºª])?)((?:\s?-\s?[A-Z]{1,2})?)")


class Undone(NamedTuple):
    """An operation that cannot be carried out as it is said, and why."""

    line: int
    target: str
    reason: Phrase


class Version(NamedTuple):
    """The regulation from a day on, as an act leaves it."""

    day: date
    source: str


@dataclass(frozen=True, slots=True)
class Amended:
    """The versions an act makes, by rising day; none where anything of it is undone."""

    versions: tuple[Version, ...]
    undone: tuple[Undone, ...]


class _Refused(Exception):
    def __init__(self, reason: Phrase) -> None:
        super().__init__(reason)
        self.reason = reason


class _Edit(NamedTuple):
    span: Span
    words: str


def amend(base: Text, act: Act, in_force: date) -> Amended:
    """The versions of `base` that an act makes: one for each day on which something of it begins.

    `in_force` is the day of what the act does not delay.
    """
    begins = [(one, _day_of(one, act, in_force)) for one in act.operations]
    undone = [
        Undone(one.line, str(one.targets[0]), Phrase("its targets begin on different days"))
        for one, day in begins
        if day is None
    ]
    named = {target for one in act.operations for target in one.targets}
    undone += [
        Undone(0, str(target), Phrase("it is delayed, and the act does nothing to it"))
        for target, _day in act.delays
        if target not in named
    ]
    versions = []
    for day in sorted({day for _one, day in begins if day is not None}):
        done = [one for one, since in begins if since is not None and since <= day]
        source, refused = _carried_out(base, done)
        undone += [one for one in refused if one not in undone]
        versions.append(Version(day, source))
    return Amended(() if undone else tuple(versions), tuple(undone))


def _day_of(operation: Operation, act: Act, in_force: date) -> date | None:
    delays = dict(act.delays)
    days = {delays.get(target, in_force) for target in operation.targets}
    return days.pop() if len(days) == 1 else None


def _carried_out(base: Text, operations: Sequence[Operation]) -> tuple[str, list[Undone]]:
    edits, undone = list[_Edit](), list[Undone]()
    for one in operations:
        try:
            edits += _EDITS[one.kind](base, one)
        except _Refused as refused:
            target = ", ".join(map(str, one.targets))
            undone.append(Undone(one.line, target, refused.reason))
    ordered = sorted(edits, key=lambda edit: edit.span)
    source, at, parts = base.source, 0, list[str]()
    for edit in ordered:
        if edit.span.start < at:
            line = source.count("\n", 0, edit.span.start) + 1
            undone.append(Undone(0, f"{line}", Phrase("two operations are about the same words")))
            continue
        parts += [source[at : edit.span.start], edit.words]
        at = edit.span.end
    new = "".join([*parts, source[at:]])
    if not undone:
        undone += _misread(base, operations, new)
    return new, undone


def _misread(base: Text, operations: Sequence[Operation], source: str) -> Iterator[Undone]:
    """What is not read in the new text as the act makes it: an article that is there twice."""
    wanted = [one.number for one in base.articles]
    for one in operations:
        if one.kind == "renumber":
            wanted[wanted.index(one.targets[0].article)] = one.number
        elif one.kind == "insert" and not one.targets[0].paragraph and not one.targets[0].item:
            wanted += [target.article for target in one.targets]
    for number, times in Counter(wanted).items():
        if times > 1:
            yield Undone(0, number, Phrase("then this number is there {n} times", n=times))
    there = Counter(one.number for one in read_text(source.encode()).articles)
    for number in sorted(there.keys() ^ set(wanted), key=order_of):
        yield Undone(0, number, Phrase("then this article is not read as the act makes it"))


# What each operation does


def _replace(base: Text, operation: Operation) -> Iterator[_Edit]:
    wording = operation.wording
    if all(target.paragraph or target.item for target in operation.targets):
        yield from _replace_leaves(base, operation)
        return
    articles = [_article(base, target.article) for target in operation.targets]
    label = _heading(base, articles[0])
    printed = base.source[label.start : label.end]
    if len(articles) == 1 and wording.startswith(printed) and not _ellipsis.search(wording):
        yield _Edit(articles[0].span, wording.strip())
        return
    blocks = _blocks(wording, [article.number for article in articles])
    for article, block in zip(articles, blocks, strict=True):
        yield _Edit(article.span, _filled(base, article, block))


def _replace_leaves(base: Text, operation: Operation) -> Iterator[_Edit]:
    if len(operation.targets) > 1:
        raise _Refused(Phrase("several paragraphs in one wording: an act has to give each its own"))
    leaf = _leaf(base, operation.targets[0])
    label = _label_of(base, leaf)
    whole = label and operation.wording.lstrip().startswith(label.strip().rstrip("-–.) "))
    start = leaf.span.start if whole or not label else leaf.pieces[0].start
    yield _Edit(Span(start, leaf.span.end), operation.wording.strip())


def _insert(base: Text, operation: Operation) -> Iterator[_Edit]:
    first = operation.targets[0]
    if not first.paragraph and not first.item:
        blocks = _blocks(operation.wording, [target.article for target in operation.targets])
        for target, block in zip(operation.targets, blocks, strict=True):
            if any(one.number == target.article for one in base.articles):
                raise _Refused(
                    Phrase("the article {number} is there already", number=target.article)
                )
            before = _before(base.articles, target.article)
            yield _Edit(Span(before.span.end, before.span.end), f"\n\n{block.strip()}")
        return
    article = _article(base, first.article)
    leaves: Sequence[Paragraph | Item] = article.paragraphs
    if first.item:
        above = _leaf(base, first._replace(item="")) if first.paragraph else article.paragraphs[-1]
        leaves = above.items
    wanted = [target.item or target.paragraph for target in operation.targets]
    there = {one.letter if isinstance(one, Item) else one.number for one in leaves}
    if there & set(wanted):
        raise _Refused(Phrase("{number} is there already", number=min(there & set(wanted))))
    last = [one for one in leaves if _name(one) < _key(wanted[0])]
    if not last:
        raise _Refused(Phrase("nothing stands before it: where it goes is not said"))
    between = _between(base, leaves)
    yield _Edit(Span(last[-1].span.end, last[-1].span.end), between + operation.wording.strip())


def _repeal(base: Text, operation: Operation) -> Iterator[_Edit]:
    for target in operation.targets:
        if target.paragraph or target.item:
            leaf = _leaf(base, target)
            yield _Edit(Span(leaf.pieces[0].start, leaf.span.end), REPEALED)
            continue
        article = _article(base, target.article)
        label = _heading(base, article)
        first = article.paragraphs[0].span.start if article.paragraphs else article.span.end
        inline = "\n" not in base.source[label.end : first]
        printed = base.source[label.start : label.end].rstrip(" —–-")
        yield _Edit(article.span, f"{printed}{' - ' if inline else chr(10) * 2}{REPEALED}")


def _renumber(base: Text, operation: Operation) -> Iterator[_Edit]:
    (target,) = operation.targets
    label = _heading(base, _article(base, target.article))
    number, _, letter = operation.number.partition("-")

    def renumbered(match: re.Match[str]) -> str:
        return f"{number}{match[2]}{f'-{letter}' if letter else ''}"

    yield _Edit(label, _written.sub(renumbered, base.source[label.start : label.end], count=1))


def _words(base: Text, operation: Operation) -> Iterator[_Edit]:
    (target,) = operation.targets
    part = (
        _leaf(base, target) if target.paragraph or target.item else _article(base, target.article)
    )
    form = r"\s+".join(map(re.escape, operation.old.split()))
    found = list(re.finditer(rf"(?<!\w){form}(?!\w)", base.source[part.span.start : part.span.end]))
    if len(found) != 1:
        raise _Refused(
            Phrase("«{words}» stands there {n} times", words=operation.old, n=len(found))
        )
    start, end = (part.span.start + at for at in found[0].span())
    yield _Edit(Span(start, end), operation.wording)


_EDITS: Final[dict[str, Callable[[Text, Operation], Iterable[_Edit]]]] = {
    "replace": _replace,
    "insert": _insert,
    "repeal": _repeal,
    "renumber": _renumber,
    "words": _words,
}


# Where things stand


def _article(base: Text, number: str) -> Article:
    found = [one for one in base.articles if one.number == number]
    if len(found) != 1:
        raise _Refused(Phrase("the article {number} is not in the text", number=number))
    return found[0]


def _leaf(base: Text, target: Target) -> Paragraph | Item:
    article = _article(base, target.article)
    paragraphs = [one for one in article.paragraphs if target.paragraph in ("", one.number)]
    if target.item:
        items = [item for one in paragraphs for item in one.items if item.letter == target.item]
        if len(items) == 1:
            return items[0]
    elif len(paragraphs) == 1:
        return paragraphs[0]
    raise _Refused(Phrase("{target} is not in the text, or not once", target=str(target)))


def _heading(base: Text, article: Article) -> Span:
    """Where an article's number is printed."""
    found = [one for one in base.labels if one.start == article.span.start]
    if not found:
        raise _Refused(
            Phrase("the article {number} has no heading of its own", number=article.number)
        )
    return found[0]


def _label_of(base: Text, leaf: Paragraph | Item) -> str:
    return base.source[leaf.span.start : leaf.pieces[0].start] if leaf.pieces else ""


def _key(name: str) -> tuple[tuple[int, str], ...]:
    return order_of(name)


def _name(leaf: Paragraph | Item) -> tuple[tuple[int, str], ...]:
    return _key(leaf.letter if isinstance(leaf, Item) else leaf.number)


def _before(articles: Sequence[Article], number: str) -> Article:
    smaller = [one for one in articles if order_of(one.number) < order_of(number)]
    if not smaller:
        raise _Refused(Phrase("nothing stands before it: where it goes is not said"))
    return max(smaller, key=lambda one: order_of(one.number))


def _between(base: Text, leaves: Sequence[Paragraph | Item]) -> str:
    """What stands between two of them in this text: blank lines."""
    for one, other in pairwise(leaves):
        between = base.source[one.span.end : other.span.start]
        if not between.strip():
            return between
    return "\n\n"


# The new wording


def _blocks(wording: str, numbers: Sequence[str]) -> list[str]:
    """A wording cut into one block for each article it is of, headed as it stands there."""
    try:
        read = read_text(wording.encode())
    except Malformed as error:
        raise _Refused(Phrase("its new wording has no article in it")) from error
    found = [one.number for one in read.articles]
    if found != list(numbers) or read.unplaced:
        there = ", ".join(found) or "–"
        raise _Refused(Phrase("its new wording is of the articles {there}", there=there))
    starts = [one.span.start for one in read.articles]
    ends = [*starts[1:], len(read.source)]
    return [read.source[start:end].strip() for start, end in zip(starts, ends, strict=True)]


def _filled(base: Text, article: Article, block: str) -> str:
    """A block with the words it leaves as they are (``[...]``) taken from the article."""
    marked = _ellipsis.sub(lambda found: "Q" + "q" * (len(found[0]) - 1), block)
    if marked == block:
        return block
    heading, _, rest = marked.partition("\n")
    first, _, below = rest.partition("\n")
    labels = [one for one in base.labels if article.span.start < one.start < article.span.end]
    if article.caption and _stays(first):
        marked = f"{heading}\n{base.source[labels[0].start : labels[0].end]}\n{below}"
    read = read_text(marked.encode())
    edits = _kept_leaves(base, article.paragraphs, read.articles[0].paragraphs)
    for edit in sorted(edits, key=lambda edit: edit.span, reverse=True):
        marked = marked[: edit.span.start] + edit.words + marked[edit.span.end :]
    if re.search(r"\bQq*\b", marked):
        raise _Refused(Phrase("«…» stands for words the article has not"))
    return marked


def _stays(words: str) -> bool:
    return re.fullmatch(r"Qq*", words.strip(".;, ")) is not None


def _kept_leaves(
    base: Text, old: Sequence[Paragraph | Item], new: Sequence[Paragraph | Item]
) -> Iterator[_Edit]:
    by_name = {_name(one): one for one in old}
    for one in new:
        was = by_name.get(_name(one))
        if was is not None and was.pieces and _stays(one.words):
            whole = not one.items  # else its own words alone
            end = was.span.end if whole else was.pieces[-1].end
            words = base.source[was.pieces[0].start : end]
            yield _Edit(Span(one.pieces[0].start, one.pieces[-1].end), words)
        if one.items:
            yield from _kept_leaves(base, was.items if was else (), one.items)
