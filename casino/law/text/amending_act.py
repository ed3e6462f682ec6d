"""An act that amends a regulation, read as what it does: replace, insert, repeal, renumber, put
other words in the place of some, and from which day.

Nothing is guessed. A sentence that speaks of amending and is none of the forms of its language is
listed with its line, and no new version is made of an act that has one. The forms are in
`act_drafting`: Portuguese, Spanish, French, English.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final, Literal, NamedTuple

from casino.law.text.act_drafting import QUOTED, TABLES, Drafting, Form, drafting_of
from casino.law.text.text_headings import letter_of, number_of, section_of
from casino.law.text.text_source import UNDETERMINED, language_of, source_of

Kind = Literal["replace", "insert", "repeal", "renumber", "words"]
_KINDS: Final[Mapping[Form, Kind]] = {
    "replace": "replace", "repeal": "repeal", "renumber": "renumber", "words": "words",
    "insert": "insert", "into": "insert", "after": "insert",
}  # fmt: skip
# What does more than amend, in a title of any of the languages.
_ends_more: Final = re.compile(
    r"suspen|caduc|cess|ceas|sin efecto|sem efeito|sans effet|void|an+ul|pror+og|aplaz|postpon"
    r"|laps",
    re.IGNORECASE,
)
_LONGEST_CAPTION: Final = 80
_LONGEST_SENTENCE: Final = 2000  # without its quotations


class Target(NamedTuple):
    """What of the regulation an act is about: an article or a section, a paragraph or a lettered
    item of it.

    `article` is the number of an article, or of a section that has one; `heading` that of a section
    known by its heading. `counted`: the paragraph is the nth, and not the one numbered so.
    """

    article: str
    paragraph: str = ""
    item: str = ""
    heading: str = ""
    counted: bool = False

    def __str__(self) -> str:
        part = self.article or (f"«{self.heading}»" if self.heading else "")
        return " ".join(filter(None, (part, self.paragraph, self.item and f"{self.item})")))

    @property
    def whole(self) -> bool:
        """Whether it is a whole article or section."""
        return not self.paragraph and not self.item


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing an act does. `wording` are the new words as they stand in the act, with their
    layout; `old` the words that go, of `words`; `number` the new number, of `renumber`; `after`
    what an insertion stands behind, where the act says it.
    """

    kind: Kind
    targets: tuple[Target, ...]
    line: int
    wording: str = ""
    old: str = ""
    number: str = ""
    after: Target | None = None


class Sentence(NamedTuple):
    """A sentence of an act outside quotation marks, and the line of the file it begins in."""

    line: int
    words: str


@dataclass(frozen=True, slots=True)
class Act:
    """`in_force` is the day the act says, None of none; `delays` the days of single targets.

    `unresolved` are sentences that speak of amending and were not understood, `others` the rest.
    `repealed` is what its language writes in the place of what is repealed.
    """

    operations: tuple[Operation, ...]
    in_force: date | None
    delays: tuple[tuple[Target, date], ...]
    unresolved: tuple[Sentence, ...]
    others: tuple[Sentence, ...]
    language: str = "pt"

    @property
    def repealed(self) -> str:
        """What a repealed article says from then on."""
        return TABLES[self.language].repealed


class _Said(NamedTuple):
    """What a sentence does; nothing at all, of a title or of what announces amendments."""

    operation: Operation | None = None
    in_force: date | None = None
    delays: tuple[tuple[Target, date], ...] = ()


def read_act(content: bytes, otherwise: str = "") -> Act:
    """What an act does, in its order. Raises: Malformed, of a file that is no text.

    `otherwise` is the language of one too short to be recognised; without it, or in a language that
    has no forms, no sentence is understood.
    """
    source = source_of(content)
    found = language_of(source)
    found = otherwise if found == UNDETERMINED else found
    language = found if found in TABLES else "pt"
    drafting = drafting_of(language)
    plain, quoted = _without_quotes(source, drafting)
    begins = _first_article(plain, drafting)
    reading = _Reading()
    for place, one in enumerate(_sentences(plain, drafting)):
        said = _read(one, quoted, drafting, first=place == 0) if found in TABLES else None
        shown = _shown(one, quoted)
        if said is None:
            # In its own articles an act speaks of the regulation's by their numbers alone.
            named = one.line >= begins and _names_one(one, drafting)
            speaks = found not in TABLES or named or drafting.amends.search(one.words)
            (reading.unresolved if speaks else reading.others).append(shown)
        elif said == _Said():
            reading.others.append(shown)
        elif reading.contradicted_by(said):
            reading.unresolved.append(shown)
        else:
            reading.operations += [said.operation] if said.operation else []
            reading.delays |= dict(said.delays)
            reading.in_force = said.in_force or reading.in_force
    return Act(
        tuple(reading.operations),
        reading.in_force,
        tuple(reading.delays.items()),
        tuple(reading.unresolved),
        tuple(reading.others),
        language,
    )


@dataclass(slots=True)
class _Reading:
    """An act while it is being read."""

    operations: list[Operation] = field(default_factory=list)
    delays: dict[Target, date] = field(default_factory=dict)
    unresolved: list[Sentence] = field(default_factory=list)
    others: list[Sentence] = field(default_factory=list)
    in_force: date | None = None

    def contradicted_by(self, later: _Said) -> bool:
        """Whether a sentence gives another day than one before it."""
        other = later.in_force and self.in_force not in (None, later.in_force)
        return bool(other) or any(
            self.delays.get(target, day) != day for target, day in later.delays
        )


def _first_article(plain: str, drafting: Drafting) -> int:
    """The line in which the first of an act's own articles begins; 0 of an act without any."""
    line = 1
    for raw in plain.split("\n"):
        if drafting.heading.match(_plainly(raw, drafting)):
            return line
        line += 1 + raw.count("\x03")
    return 0


def _names_one(sentence: Sentence, drafting: Drafting) -> bool:
    words = _plainly(sentence.words, drafting)
    return any(unit.search(words) for family in drafting.families for unit in family)


# Quotations and sentences

_CLOSED_BY: Final = {"«": "»", "“": "”", '"': '"', "‘": "’", "'": "'"}
_SINGLE: Final = "‘'"  # they are apostrophes too


def _without_quotes(source: str, drafting: Drafting) -> tuple[str, list[str]]:
    """An act with a mark in the place of each quotation, and what is quoted."""
    plain, quoted, at = list[str](), list[str](), 0
    for found in re.finditer(f"[{''.join(_CLOSED_BY)}]", source):
        start, opening = found.start(), found[0]
        if start < at or (opening in _SINGLE and not _may_open(source, start, drafting)):
            continue
        end = _end_of_quotation(source, start, drafting)
        if end < 0 and opening in _SINGLE:
            continue
        if end < 0:
            break  # never closed: nothing after it can be told apart
        lines = source.count("\n", start, end)
        plain += [source[at:start], f"\x01{len(quoted)}\x02" + "\x03" * lines]
        quoted.append(_words_quoted(source[start + 1 : end], opening, drafting))
        at = end + 1
    return "".join([*plain, source[at:]]), quoted


def _may_open(source: str, at: int, drafting: Drafting) -> bool:
    """Whether a single sign may open a quotation here: behind a letter it is an apostrophe."""
    return drafting.table.single_quotes and not (at > 0 and source[at - 1].isalnum())


def _end_of_quotation(source: str, start: int, drafting: Drafting) -> int:
    """Where a quotation that begins at `start` is closed; -1 where it is not.

    One in single signs ends in its paragraph.
    """
    opening, closing = source[start], _CLOSED_BY[source[start]]
    single, repeats = opening in _SINGLE, drafting.table.repeats_opening
    depth, fresh = 1, False  # fresh: nothing stands before it in its line
    for at in range(start + 1, len(source)):
        sign = source[at]
        again = repeats and fresh and sign == opening
        if single and sign == "\n" and source[at + 1 : at + 2] in {"\n", ""}:
            return -1
        if sign == closing and not again and not (single and source[at + 1 : at + 2].isalnum()):
            depth -= 1
            if not depth:
                return at
        elif sign == opening and not again:
            depth += 1
        fresh = sign == "\n" or (fresh and sign.isspace())
    return -1


def _words_quoted(words: str, opening: str, drafting: Drafting) -> str:
    """What is quoted, without the signs that open each of its paragraphs anew."""
    if drafting.table.repeats_opening:
        words = re.sub(rf"(\n[^\S\n]*){opening}[^\S\n]*", r"\1", words)
    return words.strip("\n").strip(" \u00a0\u202f")


_before_quotation: Final = re.compile(r"[:–—][^\S\n]*\n\s*(?=\x01)")
# What stands before a sentence of a list: `1 -`, `a)`, `(1)`, `2°`, `II. –`, `Dos.`
_listed: Final = re.compile(
    r"(?:\(?(?:\d{1,2}|[a-z])\)|(?:\d{1,2}|[a-z]\)) ?[-–—.°º]|[IVX]{1,4}\."
    r"|(?:Uno|Dos|Tres|Cuatro|Cinco)\.) ?[-–—.]? +(?=\S)"
)
_ends: Final = re.compile(r"[.:;\x02]$")
_between: Final = re.compile(r"(?<=[.;])\s+(?=[A-ZÀ-Ú])|(?<=\x02)[.;]?\s+(?=[A-ZÀ-Ú])|\x04")


def _plainly(words: str, drafting: Drafting) -> str:
    """Words in one line, in the plain spelling the forms are written in."""
    line = " ".join(re.sub("[\x03\x04]", "", words).split())
    for form, instead in drafting.plain:
        line = form.sub(instead, line)
    return line


def _sentences(plain: str, drafting: Drafting) -> Iterator[Sentence]:
    """The sentences outside quotations; the act's own articles' headings are none.

    A heading's caption that speaks of amending is one where no sentence stands below it.
    """
    # A quotation belongs to the sentence that ends before it.
    plain = _before_quotation.sub(lambda found: ": " + "\x03" * found[0].count("\n"), plain)
    line, kept, waiting = 1, list[Sentence](), list[Sentence]()
    headed = False
    for raw in plain.split("\n"):
        words = _plainly(raw, drafting)
        heading = drafting.heading.match(words)
        if not words or heading:
            yield from _split(kept)
            kept.clear()
        if heading:
            yield from waiting
            waiting.clear()
            headed, words = True, heading["rest"] or ""
        if words:
            one = Sentence(line, _end_of(raw, words, drafting) if heading else raw.strip())
            if headed and not kept and _is_caption(words, drafting, inline=bool(heading)):
                waiting += [one] if drafting.amends.search(words) else []
            else:
                waiting.clear()
                kept.append(_without_number(one, kept, drafting))
            headed = False
        line += 1 + raw.count("\x03")
    yield from _split(kept)
    yield from waiting


def _without_number(sentence: Sentence, above: Sequence[Sentence], drafting: Drafting) -> Sentence:
    """A line without the number it has in a list, where a sentence may begin there."""
    begins = not above or _ends.search(_plainly(above[-1].words, drafting))
    found = _listed.match(sentence.words) if begins else None
    if found is None:
        return sentence
    words = sentence.words[found.end() :]
    return sentence._replace(words=f"\x04{words}" if above else words)


def _end_of(raw: str, words: str, drafting: Drafting) -> str:
    """The end of a line that says `words` in the plain spelling."""
    starts = [0, *(found.end() for found in re.finditer(r"\s+", raw))]
    ends = (raw[start:] for start in starts)
    return next((one for one in ends if _plainly(one, drafting) == words), words)


def _is_caption(words: str, drafting: Drafting, *, inline: bool) -> bool:
    """Whether words are the caption of an act's article, on its line or the next."""
    if drafting.captions.match(words) and not drafting.verbs.search(words):
        return not words.endswith((":", ";"))
    plain = not _ends.search(words) and len(words) < _LONGEST_CAPTION
    return plain and not inline and not drafting.amends.search(words)


def _split(together: Sequence[Sentence]) -> Iterator[Sentence]:
    """The sentences of lines that stand together, each with the line it begins in."""
    joined, begins = "", list[tuple[int, int]]()
    for one in together:
        begins.append((len(joined), one.line))
        joined += f"{one.words} "
    at = 0
    for found in [*_between.finditer(joined), None]:
        words = joined[at : found.start() if found else len(joined)]
        if words.strip(" .;\x03\x04"):
            start = at + len(words) - len(words.lstrip())
            yield Sentence(_line_at(begins, joined, start), words.strip(" .;\x04"))
        at = found.end() if found else at


def _line_at(begins: Sequence[tuple[int, int]], joined: str, start: int) -> int:
    place, line = max(one for one in begins if one[0] <= start)
    return line + joined.count("\x03", place, start)


def _shown(sentence: Sentence, quoted: Sequence[str]) -> Sentence:
    """A sentence as it stands in the act, in one line."""

    def words(match: re.Match[str]) -> str:
        return f"«{' '.join(quoted[int(match[0][1:-1])].split())}»"

    line = " ".join(re.sub("[\x03\x04]", "", sentence.words).split())
    return sentence._replace(words=re.sub(QUOTED, words, line))


# What a sentence does


def _read(
    sentence: Sentence, quoted: Sequence[str], drafting: Drafting, *, first: bool
) -> _Said | None:
    """What a sentence does; None where it is of no form."""
    words = _plainly(sentence.words, drafting).strip(" .;:")
    if len(words) > _LONGEST_SENTENCE:
        return None
    turned = drafting.turned.match(words)
    if turned:
        of = f"{turned['part']} {drafting.table.joined_by}{turned['whole']}"
        words = f"{of}{turned['rest']}"
    for form, written in drafting.forms:
        found = written.match(words)
        if not found:
            continue
        groups = _groups(found)
        acts = [groups[name] for name in groups if name.startswith("act")]
        if any(drafting.limits.search(one) for one in acts):
            continue
        if form == "title" and not (first and _is_title(groups["named"], words, drafting)):
            continue
        if form in {"title", "frame"}:
            return _Said()
        if form == "force":
            return _dated(_day(groups, drafting))
        said = _done(form, groups, sentence.line, quoted, drafting)
        if said is not None:
            return said
    return None


def _is_title(named: str, words: str, drafting: Drafting) -> bool:
    """Whether the first words of an act are its title: no sentence, and nothing ended by it."""
    return not drafting.verbs.search(named) and not _ends_more.search(words)


def _groups(match: re.Match[str]) -> dict[str, str]:
    """The groups that found something; `day_` is `day` once more."""
    return {name.rstrip("_"): found for name, found in match.groupdict().items() if found}


def _dated(day: date | None) -> _Said | None:
    return None if day is None else _Said(in_force=day)


def _done(
    does: Form, groups: Mapping[str, str], line: int, quoted: Sequence[str], drafting: Drafting
) -> _Said | None:
    named = targets_in(groups["targets"], drafting, quoted)
    day = _day(groups, drafting) if "day" in groups else None
    if not named or ("day" in groups and day is None):
        return None
    if does == "delay":
        return _Said(delays=tuple((one, day) for one in named if day is not None))
    wording = _quoted(groups.get("wording"), quoted)
    after = None
    if does == "into":
        named = _new(groups, named, drafting)
    elif does == "after":
        after = _inner(named, groups)
        named = _new(groups, (after,), drafting) if after else ()
        named = named or (_from_wording(wording, after) if after and not _names_new(groups) else ())
    if not named:
        return None
    operation = Operation(
        _KINDS[does], named, line,
        wording=wording,
        old=_quoted(groups.get("old"), quoted),
        number=groups.get("number", "").replace(" ", ""),
        after=after,
    )  # fmt: skip
    return _Said(operation, delays=tuple((one, day) for one in named if day is not None))


def _quoted(mark: str | None, quoted: Sequence[str]) -> str:
    return quoted[int(mark[1:-1])] if mark else ""


def targets_in(
    words: str, drafting: Drafting | None = None, quoted: Sequence[str] = ()
) -> tuple[Target, ...]:
    """Every target of a list in an act's words; none, unless all of the words are understood.

    Without `drafting` the words are Portuguese.
    """
    drafting = drafting or drafting_of("pt")
    for family in drafting.families:
        found, at = list[Target](), 0
        while match := next(filter(None, (unit.match(words, at) for unit in family)), None):
            found += _named(_groups(match), drafting, quoted)
            at = match.end()
            if at == len(words):
                return tuple(found)
            joined = drafting.join.match(words, at)
            if not joined:
                break
            at = joined.end()
    return ()


def _named(
    groups: Mapping[str, str], drafting: Drafting, quoted: Sequence[str]
) -> Iterator[Target]:
    heading = " ".join(_quoted(groups.get("heading"), quoted).split())
    articles = [one[0] for one in drafting.number.finditer(groups.get("articles", ""))] or [""]
    nth = groups.get("nth", "").lower()
    paragraphs = _letters(drafting.paragraph, groups.get("paragraphs", groups.get("sub", "")))
    if nth:
        paragraphs = [str(drafting.ordinals[nth])]
    items = _letters(drafting.letter, groups.get("items", "")) or [groups.get("subitem", "")]
    for article in articles:
        for paragraph in paragraphs or [groups.get("sub", "")]:
            for item in items:
                yield Target(article, paragraph, item, heading, counted=bool(nth))


def _letters(pattern: re.Pattern[str], words: str) -> list[str]:
    return [one["l"] for one in pattern.finditer(words)]


def _names_new(groups: Mapping[str, str]) -> bool:
    return any(name.startswith("new_") for name in groups)


def _inner(named: tuple[Target, ...], groups: Mapping[str, str]) -> Target | None:
    """What an insertion stands behind: the one target, or a part of it that is named besides."""
    if len(named) != 1:
        return None
    (one,), inner = named, groups.get("inner", "")
    if not inner:
        return one
    return one._replace(item=inner) if one.paragraph else one._replace(paragraph=inner)


def _new(
    groups: Mapping[str, str], named: tuple[Target, ...], drafting: Drafting
) -> tuple[Target, ...]:
    """What comes: the articles, paragraphs or items that a sentence names as new, in the part of
    the one target it names besides.
    """
    if len(named) != 1:
        return ()
    (one,) = named
    if "new_articles" in groups:
        numbers = drafting.number.finditer(groups["new_articles"])
        return tuple(Target(number[0]) for number in numbers) if one.whole else ()
    if "new_paragraphs" in groups and not one.item:
        there = _letters(drafting.paragraph, groups["new_paragraphs"])
        return tuple(Target(one.article, number, "", one.heading) for number in there)
    letters = _letters(drafting.letter, groups.get("new_items", ""))
    return tuple(one._replace(item=letter) for letter in letters)


def _from_wording(wording: str, after: Target) -> tuple[Target, ...]:
    """What a wording is that stands behind `after`: by the number or letter it begins with."""
    first = wording.strip().partition("\n")[0].strip()
    number, letter = number_of(first), letter_of(first)
    label = letter[0] if letter else number.number if number else ""
    if after.item:
        return (after._replace(item=label),) if label else ()
    if after.paragraph:
        return (after._replace(paragraph=label, counted=False),) if label else ()
    if number and number.series in {"article", "code", "pilcrow", "dashed"}:
        return (Target(number.number),)
    section = section_of(first)
    if section and section.number:
        return (Target(section.number),)
    heading = number.rest if number else first  # `3. Seguro`, in a handbook
    return (Target("", heading=" ".join(heading.split())),) if heading else ()


def _day(groups: Mapping[str, str], drafting: Drafting) -> date | None:
    month = drafting.months.index(groups["month"].lower()) + 1
    try:
        return date(int(groups["year"]), month, int(groups["day"]))
    except ValueError:
        return None
