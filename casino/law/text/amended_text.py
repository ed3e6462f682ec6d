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
from casino.law.text.legal_text import Article, Item, Paragraph, Section, Span, Text
from casino.law.text.read_text import PREAMBLE, read_text
from casino.law.text.text_headings import letter_of, number_of, order_of
from casino.law.text.text_source import UNDETERMINED

# What stands for words that stay, alone behind its number or in its line.
_ellipsis: Final = re.compile(r"[(\[]?(?:\.\.\.|…)[)\]]?(?=[.;,]?[ \t]*(?:\n|$))")
_written: Final = re.compile(
    r"(\d+)((?:\.?\s?[ºª°])?)(?:\s?-\s?[A-Z]{1,2}|[A-Z]\b|\s?(?:bis|ter|quater|quinquies)\b)?"
)
_number: Final = re.compile(r"(?P<figure>\d+)(?P<suffix>-?[A-Za-z]+)?")
Part = Article | Section
Leaf = Paragraph | Item


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
    if base.language not in (UNDETERMINED, act.language):
        other = Phrase(
            "the act is in another language ({found}) than the text ({expected})",
            found=act.language,
            expected=base.language,
        )
        return Amended((), (Undone(0, act.language, other),))
    begins = [(one, day_of(one, act, in_force)) for one in act.operations]
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
        source, refused = _carried_out(base, done, act.repealed)
        undone += [one for one in refused if one not in undone]
        versions.append(Version(day, source))
    return Amended(() if undone else tuple(versions), tuple(undone))


def day_of(operation: Operation, act: Act, in_force: date) -> date | None:
    """From when an operation holds; None where its targets begin on different days."""
    delays = dict(act.delays)
    days = {delays.get(target, in_force) for target in operation.targets}
    return days.pop() if len(days) == 1 else None


def _carried_out(
    base: Text, operations: Sequence[Operation], repealed: str
) -> tuple[str, list[Undone]]:
    edits, undone = list[_Edit](), list[Undone]()
    for one in operations:
        try:
            if one.kind == "repeal":
                edits += _repeal(base, one, repealed)
            else:
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
    """What is not read in the new text as the act makes it: an article that is there twice, a
    paragraph that is not there.
    """
    wanted = Counter(map(_known_as, base.parts()))
    for one in operations:
        if one.kind == "renumber":
            was = _known_as(_part(base, one.targets[0]))
            wanted[was] -= 1
            wanted[one.number if "_" not in was else f"sec_{one.number}"] += 1
        elif one.kind == "insert" and one.targets[0].whole:
            wanted.update(_known_as(part) for part, _block in _blocks(one.wording, one.targets))
    for key, times in wanted.items():
        if times > max(1, sum(_known_as(part) == key for part in base.parts())):
            yield Undone(0, key, Phrase("then this number is there {n} times", n=times))
    new = read_text(source.encode())
    there = Counter(map(_known_as, new.parts()))
    for key in sorted({*there, *wanted}, key=order_of):
        if there[key] != wanted[key] and key != PREAMBLE:
            yield Undone(0, key, Phrase("then this article is not read as the act makes it"))
    moved = {one.targets[0].article for one in operations if one.kind == "renumber"}
    for one in operations:
        for target in one.targets if one.kind in {"replace", "insert"} else ():
            if target.article not in moved and not _is_there(new, target):
                not_read = Phrase("then it is not read as the act makes it")
                yield Undone(one.line, str(target), not_read)


def _is_there(text: Text, target: Target) -> bool:
    try:
        _place(text, target)
    except _Refused:
        return False
    return True


def _known_as(part: Part) -> str:
    """What a part is known by: an article by its number, a section by its number or heading."""
    return part.number if isinstance(part, Article) else part.eid.rpartition("__")[2]


# What each operation does


def _replace(base: Text, operation: Operation) -> Iterator[_Edit]:
    wording, targets = operation.wording, operation.targets
    if not any(target.whole for target in targets):
        yield from _replace_leaf(base, operation)
        return
    parts = [_whole(base, target) for target in targets]
    label = _heading(base, parts[0])
    printed = base.source[label.start : label.end]
    as_it_is = wording.startswith(printed) and not _ellipsis.search(wording)
    if len(parts) == 1 and as_it_is and isinstance(parts[0], Article):
        yield _Edit(parts[0].span, wording.strip())
        return
    if len(parts) == 1 and (words := _under_another_label(wording, targets[0])):
        head = _head(base, parts[0])
        if head and not _ellipsis.search(wording):
            yield _Edit(parts[0].span, head + words)
            return
    for part, target, (read, block) in zip(parts, targets, _blocks(wording, targets), strict=True):
        left_out = {_label(one) for one in part.paragraphs} - {
            _label(one) for one in read.paragraphs
        }
        if left_out and not target.whole:
            raise _Refused(Phrase("its new wording leaves out {there}", there=min(left_out)))
        yield _Edit(part.span, _filled(base, part, block))


def _under_another_label(wording: str, target: Target) -> str:
    """The words of an article quoted under its number as a text may not print it: ``37 - …``, where
    it has ``- 37 -``; "" of a wording that begins with another number, or with the word article.
    """
    words = wording.strip()
    own = number_of(words.partition("\n")[0])
    if own is None or own.series in {"article", "code"} or own.number != target.article:
        return ""
    return words[own.skip :]


def _head(base: Text, part: Part) -> str:
    """What a text prints before an article's first words; "" where that is more than its number."""
    first = part.paragraphs[0] if part.paragraphs else None
    if not isinstance(part, Article) or part.caption or first is None or not first.pieces:
        return ""
    return base.source[_heading(base, part).start : first.pieces[0].start]


def _replace_leaf(base: Text, operation: Operation) -> Iterator[_Edit]:
    if len(operation.targets) > 1:
        raise _Refused(Phrase("several paragraphs in one wording: an act has to give each its own"))
    leaf = _leaf(base, operation.targets[0])
    label, own = _label_of(base, leaf), _own_label(operation.wording)
    if label and own and own != _label(leaf):
        raise _Refused(Phrase("its new wording is of the articles {there}", there=own))
    start = leaf.span.start if own or not label else leaf.pieces[0].start
    yield _Edit(Span(start, leaf.span.end), operation.wording.strip())


def _insert(base: Text, operation: Operation) -> Iterator[_Edit]:
    first, after = operation.targets[0], operation.after
    if first.whole:
        for target, (part, block) in zip(
            operation.targets, _blocks(operation.wording, operation.targets), strict=True
        ):
            if any(_known_as(one) == _known_as(part) for one in base.parts()):
                there = target.article or target.heading
                raise _Refused(Phrase("the article {number} is there already", number=there))
            end = _end_of(base, _part(base, after) if after else _before(base, target))
            yield _Edit(Span(end, end), f"\n\n{block.strip()}")
        return
    leaves = _leaves_beside(base, first, after)
    wanted = [target.item or target.paragraph for target in operation.targets]
    twice = {_label(one) for one in leaves}.intersection(wanted)
    if twice:
        raise _Refused(Phrase("{number} is there already", number=min(twice)))
    if _own_label(operation.wording) != wanted[0]:
        own = _own_label(operation.wording) or "–"
        raise _Refused(Phrase("its new wording is of the articles {there}", there=own))
    last = [one for one in leaves if order_of(_label(one)) < order_of(wanted[0])]
    above = _leaf(base, after) if after else last[-1] if last else None
    if above is None:
        raise _Refused(Phrase("nothing stands before it: where it goes is not said"))
    between = _between(base, leaves)
    yield _Edit(Span(above.span.end, above.span.end), between + operation.wording.strip())


def _leaves_beside(base: Text, target: Target, after: Target | None) -> Sequence[Leaf]:
    """The paragraphs or items among which a new one is put."""
    part = _part(base, target)
    if target.item and target.paragraph:
        return _leaf(base, target._replace(item="")).items
    if target.item:
        return part.paragraphs[-1].items if part.paragraphs else ()
    beside = _leaf(base, after) if after else None
    below = [one.items for one in part.paragraphs if beside in one.items]
    return below[0] if below else part.paragraphs


def _repeal(base: Text, operation: Operation, repealed: str) -> Iterator[_Edit]:
    for target in operation.targets:
        if not target.whole:
            leaf = _leaf(base, target)
            if not leaf.pieces:
                raise _Refused(Phrase("{target} has no words of its own", target=str(target)))
            yield _Edit(Span(leaf.pieces[0].start, leaf.span.end), repealed)
            continue
        part = _whole(base, target)
        label = _heading(base, part)
        first = part.paragraphs[0].span.start if part.paragraphs else part.span.end
        inline = "\n" not in base.source[label.end : first]
        printed = base.source[label.start : label.end].rstrip(" —–-")
        yield _Edit(part.span, f"{printed}{' - ' if inline else chr(10) * 2}{repealed}")


def _renumber(base: Text, operation: Operation) -> Iterator[_Edit]:
    target = operation.targets[0]
    label = _heading(base, _part(base, target))
    printed = base.source[label.start : label.end]
    number = _number.fullmatch(operation.number)
    single = len(operation.targets) == 1 and target.whole and not target.heading
    if number is None or not single:
        raise _Refused(Phrase("this number cannot be put in the place of another"))
    suffix = number["suffix"] or ""
    blank = " " if len(suffix) > 2 and suffix.isalpha() else ""

    def renumbered(match: re.Match[str]) -> str:
        return f"{number['figure']}{match[2]}{blank}{suffix}"

    yield _Edit(label, _written.sub(renumbered, printed, count=1))


def _words(base: Text, operation: Operation) -> Iterator[_Edit]:
    form = r"\s+".join(map(re.escape, operation.old.split()))
    for target in operation.targets:
        start, end = _place(base, target).span
        found = list(re.finditer(rf"(?<!\w){form}(?!\w)", base.source[start:end]))
        if len(found) != 1:
            raise _Refused(
                Phrase("«{words}» stands there {n} times", words=operation.old, n=len(found))
            )
        yield _Edit(Span(start + found[0].start(), start + found[0].end()), operation.wording)


_EDITS: Final[dict[str, Callable[[Text, Operation], Iterable[_Edit]]]] = {
    "replace": _replace,
    "insert": _insert,
    "renumber": _renumber,
    "words": _words,
}


# Where things stand


def _place(base: Text, target: Target) -> Part | Leaf:
    return _part(base, target) if target.whole else _leaf(base, target)


def _part(base: Text, target: Target) -> Part:
    found: list[Part] = [one for one in base.articles if one.number == target.article]
    if target.heading:
        found = [one for one in base.sections if _same(one.heading, target.heading)]
    elif not found and base.language == "en":  # an English section may have its number
        key = f"sec_{target.article}"
        found = [one for one in base.sections if _known_as(one) == key]
    if len(found) != 1:
        number = target.article or f"«{target.heading}»"
        raise _Refused(Phrase("the article {number} is not in the text", number=number))
    return found[0]


def _same(heading: str, other: str) -> bool:
    return heading.casefold().split() == other.casefold().split()


def _whole(base: Text, target: Target) -> Part:
    """An article, or a section without parts of its own."""
    part = _part(base, target)
    if isinstance(part, Section) and _end_of(base, part) != part.span.end:
        number = target.article or f"«{target.heading}»"
        raise _Refused(Phrase("{number} has parts of its own: an act names them", number=number))
    return part


def _end_of(base: Text, part: Part) -> int:
    """Where a part ends, with the parts that stand in it."""
    below = f"{part.eid}__"
    within = [
        one.span.end
        for one in base.parts()
        if one.eid.startswith(below)
        or (isinstance(one, Article) and f"{one.section}__".startswith(below))
    ]
    return max([part.span.end, *within]) if isinstance(part, Section) else part.span.end


def _leaf(base: Text, target: Target) -> Leaf:
    part = _part(base, target)
    found: list[Leaf] = list(part.paragraphs)
    if target.paragraph:
        found = _labelled(part, target)
    if target.item:
        found = [item for one in found for item in one.items if item.letter == target.item]
    if len(found) == 1:
        return found[0]
    raise _Refused(Phrase("{target} is not in the text, or not once", target=str(target)))


def _labelled(part: Part, target: Target) -> list[Leaf]:
    """The paragraphs under a number, or items that bear it where paragraphs have none; without any
    number, the nth.
    """
    marked = any(one.printed or one.items for one in part.paragraphs)
    if target.counted and marked:  # whether items count too is not said
        return []
    printed: list[Leaf] = [one for one in part.paragraphs if one.printed]
    if not printed:
        printed = [item for one in part.paragraphs for item in one.items]
    found = [one for one in printed if _label(one) == target.paragraph]
    if found or marked:
        return found
    return [one for one in part.paragraphs if one.number == target.paragraph]


def _heading(base: Text, part: Part) -> Span:
    """Where an article's number is printed, or a section's heading."""
    found = [one for one in base.labels if one.start == part.span.start]
    if not found:
        number = part.number or part.eid
        raise _Refused(Phrase("the article {number} has no heading of its own", number=number))
    return found[0]


def _label_of(base: Text, leaf: Leaf) -> str:
    return base.source[leaf.span.start : leaf.pieces[0].start] if leaf.pieces else ""


def _label(leaf: Leaf) -> str:
    return leaf.letter if isinstance(leaf, Item) else leaf.number


def _own_label(wording: str) -> str:
    """The number or letter a new paragraph or item begins with; "" of none."""
    first = wording.strip().partition("\n")[0]
    letter, number = letter_of(first), number_of(first)
    return letter[0] if letter else number.number if number else ""


def _name(leaf: Leaf) -> tuple[tuple[int, str], ...]:
    return order_of(_label(leaf))


def _before(base: Text, target: Target) -> Article:
    key = order_of(target.article)
    smaller = [one for one in base.articles if key and order_of(one.number) < key]
    if not smaller:
        raise _Refused(Phrase("nothing stands before it: where it goes is not said"))
    return max(smaller, key=lambda one: order_of(one.number))


def _between(base: Text, leaves: Sequence[Leaf]) -> str:
    """What stands between two of them in this text: blank lines."""
    for one, other in pairwise(leaves):
        between = base.source[one.span.end : other.span.start]
        if not between.strip():
            return between
    return "\n\n"


# The new wording


def _blocks(wording: str, targets: Sequence[Target]) -> list[tuple[Part, str]]:
    """A wording cut into one block for each article or section it is of, headed as it stands
    there.
    """
    try:
        read = read_text(wording.encode())
    except Malformed as error:
        raise _Refused(Phrase("its new wording has no article in it")) from error
    parts = read.parts()
    named = len(parts) == len(targets) and all(map(_is_of, parts, targets))
    if not named or read.unplaced:
        there = ", ".join(one.number or one.eid for one in parts) or "–"
        raise _Refused(Phrase("its new wording is of the articles {there}", there=there))
    starts = [one.span.start for one in parts]
    ends = [*starts[1:], len(read.source)]
    blocks = [read.source[start:end].strip() for start, end in zip(starts, ends, strict=True)]
    return list(zip(parts, blocks, strict=True))


def _is_of(part: Part, target: Target) -> bool:
    if isinstance(part, Section) and target.heading:
        return _same(part.heading, target.heading)
    return part.number == target.article != ""


def _filled(base: Text, part: Part, block: str) -> str:
    """A block with the words it leaves as they are (``[...]``) taken from the article."""
    marked = _ellipsis.sub(lambda found: "Q" + "q" * (len(found[0]) - 1), block)
    if marked == block:
        return block
    heading, _, rest = marked.partition("\n")
    first, _, below = rest.partition("\n")
    labels = [one for one in base.labels if part.span.start < one.start < part.span.end]
    if isinstance(part, Article) and part.caption and _stays(first):
        marked = f"{heading}\n{base.source[labels[0].start : labels[0].end]}\n{below}"
    read = read_text(marked.encode())
    edits = _kept_leaves(base, part.paragraphs, read.parts()[-1].paragraphs)
    for edit in sorted(edits, key=lambda edit: edit.span, reverse=True):
        marked = marked[: edit.span.start] + edit.words + marked[edit.span.end :]
    if re.search(r"\bQq*\b", marked):
        raise _Refused(Phrase("«…» stands for words the article has not"))
    return marked


def _stays(words: str) -> bool:
    return re.fullmatch(r"Qq*", words.strip(".;, ")) is not None


def _kept_leaves(base: Text, old: Sequence[Leaf], new: Sequence[Leaf]) -> Iterator[_Edit]:
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
