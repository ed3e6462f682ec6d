"""What changed from one text of a regulation to another, article by article and word by word."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final, Literal, NamedTuple

from casino.law.text.legal_text import Article, Item, Paragraph, Section, Text

State = Literal["changed", "added", "gone", "renumbered"]
_token: Final = re.compile(r"\w+|[^\w\s]")


class Words(NamedTuple):
    """Words that stay, go out or come in."""

    state: Literal["same", "out", "in"]
    words: str


@dataclass(frozen=True, slots=True)
class Change:
    """An article or section that is not as it was.

    `number` is the article's, `eid` the part's in the later text, or in the earlier where it is
    gone. `was` is the number it had, where the same words stand under another now.
    """

    state: State
    number: str
    eid: str
    heading: str
    words: tuple[Words, ...]
    was: str = ""


def changes(earlier: Text, later: Text) -> tuple[Change, ...]:
    """Every article and section that differs, in the order of the later text, then what is gone.

    Articles are the same by their number, sections by their eId. One whose words all stand under
    another number is renumbered, where neither text has them twice.
    """
    old, new = _parts(earlier), _parts(later)
    moved = _moved(old, new)
    found = [_changed(key, old.get(key), part, moved) for key, part in new.items()]
    gone = [
        Change("gone", *_named(part), (Words("out", _said(part)),))
        for key, part in old.items()
        if key not in new and key not in moved.values()
    ]
    return (*(one for one in found if one is not None), *gone)


_Part = Article | Section


def _parts(text: Text) -> dict[str, _Part]:
    """Articles and sections that say something, by what they are known by, in their order."""
    parts: list[_Part] = [*text.sections, *text.articles]
    return {
        part.eid: part
        for part in sorted(parts, key=lambda part: part.span)
        if isinstance(part, Article) or part.paragraphs
    }


def _moved(old: dict[str, _Part], new: dict[str, _Part]) -> dict[str, str]:
    """Of each article that came under a number: the eId its very words had before."""
    gone = {key: _said(part) for key, part in old.items() if key not in new}
    come = {key: _said(part) for key, part in new.items() if key not in old}
    found = {}
    for key, words in come.items():
        same = [was for was, said in gone.items() if said == words]
        if len(same) == 1 and list(come.values()).count(words) == 1:
            found[key] = same[0]
    return found


def _changed(key: str, was: _Part | None, unit: _Part, moved: dict[str, str]) -> Change | None:
    if was is None:
        if key in moved:
            return Change("renumbered", *_named(unit), (), moved[key].removeprefix("art_"))
        return Change("added", *_named(unit), (Words("in", _said(unit)),))
    old, new = _said(was), _said(unit)
    return None if old == new else Change("changed", *_named(unit), tuple(diff(old, new)))


def _named(unit: _Part) -> tuple[str, str, str]:
    if isinstance(unit, Article):
        return unit.number, unit.eid, unit.caption
    return "", unit.eid, unit.heading


def _said(unit: _Part) -> str:
    """A part's words with its heading and the numbers and letters printed before them."""
    heading = unit.caption if isinstance(unit, Article) else unit.heading
    return "\n".join(filter(None, (heading, *_lines(unit.paragraphs))))


def _lines(leaves: Sequence[Paragraph | Item]) -> Iterator[str]:
    for one in leaves:
        label = f"{one.letter})" if isinstance(one, Item) else one.number if one.printed else ""
        yield f"{label} {one.words}".strip()
        yield from _lines(one.items)


def diff(old_words: str, new_words: str) -> Iterator[Words]:
    """Two texts as words that stay, go out and come in, in the order in which one reads them."""
    old, new = list(_token.finditer(old_words)), list(_token.finditer(new_words))
    matcher = SequenceMatcher(None, [m[0] for m in old], [m[0] for m in new], autojunk=False)
    for tag, i, j, k, n in matcher.get_opcodes():
        if tag == "equal":
            yield Words("same", new_words[new[k].start() : new[n - 1].end()])
            continue
        if i < j:
            yield Words("out", old_words[old[i].start() : old[j - 1].end()])
        if k < n:
            yield Words("in", new_words[new[k].start() : new[n - 1].end()])
