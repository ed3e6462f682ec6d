"""The law as data: one rulebook file, read strictly.

A rulebook has articles (what each asks, in our own words, and which checks uphold it), parameters
(every figure, with the date from which it holds) and readings (choices where the text leaves one).
docs/law.md says how a file is written, `rulebook.py` what comes out. Figures set in the book are
added to the file's where a house has said how its book is asked for them (`read_sets_by`). This
module must not know any rule of the game.
"""

import hashlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final, cast

from casino.events.phrases import Phrase
from casino.law.rulebook import controls, law_text
from casino.law.rulebook.figure_sets import with_sets
from casino.law.rulebook.law_text import LawError, Table, line_of, listed, parse, spelled
from casino.law.rulebook.rulebook import (
    Article,
    Choice,
    DatedValue,
    Duty,
    Instrument,
    Law,
    Parameter,
    Reading,
    RecordedSet,
    WaitsFor,
)
from casino.law.rulebook.strictness import refuse_what_nobody_knows

DUTIES: Final = frozenset({"definition", "rule", "procedure", "discretion", "dispensation"})
KINDS: Final = frozenset({"pay", "play", "bank", "deck", "shoe", "csm", "table", "jp", "complaint"})
_MAY_HAVE: Final = {"instrument", "parameter", "reading"}
ROOMS_TO_COME: Final = frozenset({"floor", "jackpot"})
DATA: Final = Path(__file__).parent.parent / "data"
_BROUGHT: Final[dict[str, Path]] = {}  # the house's own rulebooks, and the folder each lies in
SetsReader = Callable[[], tuple[RecordedSet, ...]]
_SETS: Final[list[SetsReader]] = []  # how this house's book is asked; none where there is no book
_IN_USE: Final[dict[tuple[str, ...], Law]] = {}  # by the digest of the file and the leaves of sets
_LAWS_KEPT: Final = 64


def keep_also(folder: Path) -> None:
    """Keep the rulebooks of a folder of the house's own beside those the program brings.

    It is laid out as `DATA` is: ``<id>.toml``, and where there are any ``numbers`` and
    ``examples``. Raises: LawError, for a folder that cannot be read, a file that is no rulebook, or
    one that bears the id of a book the program has: none of the program's is replaced.
    """
    try:
        files = sorted(each for each in folder.iterdir() if each.suffix == ".toml")
    except OSError as error:
        asked = Phrase("a folder that can be read")
        raise LawError(str(folder), "(folder)", str(error.strerror), asked) from error
    brought: dict[str, Path] = {}
    for file in files:
        if (DATA / file.name).exists():
            asked = Phrase("an id no rulebook of the program has")
            raise LawError(file.name, "(file)", repr(file.stem), asked)
        _refuse_another_id(file.name, _read(file))
        brought[file.stem] = folder
    _BROUGHT.update(brought)
    for known in (rulebook_ids, no_acts, _kept):
        known.cache_clear()


def keep_no_others() -> None:
    """Keep those the program brings alone."""
    _BROUGHT.clear()
    for known in (rulebook_ids, no_acts, _kept):
        known.cache_clear()


def folder_of(rulebook: str) -> Path:
    """Where a rulebook's files lie."""
    return _BROUGHT.get(rulebook, DATA)


@cache
def rulebook_ids() -> tuple[str, ...]:
    """The rulebooks this house keeps: the Portuguese ones first, then by the alphabet."""
    books = {*(path.stem for path in DATA.glob("*.toml")), *_BROUGHT}
    return tuple(sorted(books, key=lambda book: (not book.startswith("pt"), book)))


@cache
def no_acts() -> frozenset[str]:
    """The rulebooks of this house that are no legal act, as their own file says of their text."""
    found = set()
    for book in rulebook_ids():
        with suppress(LawError):  # whoever asks for that book is told
            known = law_of_file(book).instrument
            if known is not None and not known.number:
                found.add(book)
    return frozenset(found)


def counted_as(severity: str, rulebook: str) -> str:
    """The gravity a finding counts under: a breach is the law's alone, so that what the house or a
    book that is no legal act asks is a deviation however grave.
    """
    return "deviation" if severity == "breach" and is_no_law(rulebook) else severity


def is_no_law(rulebook: str) -> bool:
    """Whether what is found by it is no breach of a law."""
    return rulebook == controls.RULEBOOK or rulebook in no_acts()


def read_sets_by(reader: SetsReader | None) -> None:
    """From now on a rulebook is read with the sets of the book this reader hands out; None: without
    any. They are those that count, in the book's order (`figure_sets.paired`).
    """
    _SETS[:] = [] if reader is None else [reader]


def load_law(book: str | Path) -> Law:
    """A rulebook by its id, with what two persons set in the house's book; or the one in a file.

    Raises: LawError, where there is no such rulebook, or its file is not as docs/law.md asks.
    """
    law = law_of_file(book)
    if isinstance(book, Path) or not _SETS:
        return law
    return law_in_use(law, _SETS[0]())


def law_in_use(law: Law, sets: tuple[RecordedSet, ...]) -> Law:
    """A file's law with the sets of it; the same object whenever it is asked for."""
    mine = tuple(one for one in sets if one.event.rulebook == law.id)
    if not mine:
        return law
    key = (law.digest, *(one.leaf for one in mine))
    if key not in _IN_USE:
        if len(_IN_USE) >= _LAWS_KEPT:
            _IN_USE.clear()
        _IN_USE[key] = with_sets(law, mine)
    return _IN_USE[key]


def law_of_file(book: str | Path) -> Law:
    """A rulebook by its id, or the one in a file, as the file states it and nothing else.

    Raises: LawError, as `load_law`.
    """
    if isinstance(book, Path):
        return _read(book)
    if book not in rulebook_ids():
        raise LawError(
            "rulebooks",
            repr(book),
            Phrase("no such rulebook"),
            Phrase("one of {there}", there=listed(rulebook_ids())),
        )
    return _kept(book)


@cache
def _kept(book: str) -> Law:
    law = _read(folder_of(book) / f"{book}.toml")
    _refuse_another_id(f"{book}.toml", law)
    return law


def _refuse_another_id(file: str, law: Law) -> None:
    book = file.removesuffix(".toml")
    if law.id != book:
        asked = Phrase("the file's name, {name}", name=repr(book))
        raise LawError(file, "rulebook.id", repr(law.id), asked)


def _read(path: Path) -> Law:
    file = path.name
    try:
        content = path.read_bytes()
    except OSError as error:
        raise LawError(
            file, "(file)", str(error.strerror), Phrase("a file that can be read")
        ) from error
    try:
        law = _book(file, content)
        refuse_what_nobody_knows(file, law)
    except LawError as error:
        error.line = line_of(content, error.key, error.found)
        raise
    return law


def _book(file: str, content: bytes) -> Law:
    top = Table(file, "", parse(file, content), {"rulebook", "article"}, _MAY_HAVE)
    head = Table(
        file, "rulebook", top.raw["rulebook"], {"id", "title_pt", "title_en", "source", "cites"}
    )
    articles = _articles(top)
    parameters = _parameters(top, articles)
    return Law(
        id=head.code("id", law_text.READING),
        title_pt=head.text("title_pt"),
        title_en=head.text("title_en"),
        source=head.text("source"),
        cites=head.text("cites"),
        digest=hashlib.sha256(content).hexdigest(),
        articles=articles,
        parameters=parameters,
        readings=_readings(top, articles, parameters),
        instrument=_instrument(top) if top.has("instrument") else None,
    )


def _instrument(top: Table) -> Instrument:
    of_act = {"number", "date", "line_pt", "line_en"}
    confirmed = {"confirmed_by", "confirmed_on"}
    names = {"name_pt", "name_en"}
    table = Table(top.file, "instrument", top.raw["instrument"], names, of_act | confirmed)
    for together in (of_act, confirmed):
        missing = sorted(together - table.raw.keys())
        if missing and len(missing) < len(together):
            raise table.error(missing[0], Phrase("nothing"), Phrase("this key, it is required"))
    if table.has("confirmed_by") and not table.has("number"):
        raise table.error("number", Phrase("nothing"), Phrase("this key, it is required"))
    return Instrument(
        name_pt=table.text("name_pt"),
        name_en=table.text("name_en"),
        number=table.text("number") if table.has("number") else "",
        day=table.day("date") if table.has("date") else None,
        line_pt=table.text("line_pt") if table.has("line_pt") else "",
        line_en=table.text("line_en") if table.has("line_en") else "",
        confirmed_by=table.text("confirmed_by") if table.has("confirmed_by") else "",
        confirmed_on=table.day("confirmed_on") if table.has("confirmed_on") else None,
    )


def _articles(top: Table) -> dict[str, Article]:
    required = {"number", "heading_pt", "heading_en", "summary_pt", "summary_en"}
    required |= {"duty", "kind", "upheld_by"}
    raw = top.raw["article"]
    if not isinstance(raw, list):
        raise top.error("article", Phrase("one table"), Phrase("[[article]], a list of tables"))
    articles: dict[str, Article] = {}
    cited: dict[str, str] = {}
    for place, row in enumerate(raw):
        table = Table(top.file, f"article[{place}]", row, required, {"waits_for"})
        number = table.code("number", law_text.ARTICLE)
        if number in articles:
            raise table.error("number", repr(number), Phrase("a number no other article has"))
        table.key = f"article {number}"
        article = _article(table, number)
        for check in article.upheld_by:
            if check in cited:
                raise table.error(
                    "upheld_by",
                    Phrase(
                        "{check}, which article {article} has too",
                        check=repr(check),
                        article=cited[check],
                    ),
                    Phrase("each check under one article"),
                )
            cited[check] = number
        articles[number] = article
    return articles


def _article(table: Table, number: str) -> Article:
    kind = table.text("kind")
    if not set(kind.split("/")) <= KINDS:
        raise table.error(
            "kind", repr(kind), Phrase("one of {there}, or two joined by '/'", there=listed(KINDS))
        )
    return Article(
        number=number,
        heading_pt=table.text("heading_pt"),
        heading_en=table.text("heading_en"),
        summary_pt=table.text("summary_pt"),
        summary_en=table.text("summary_en"),
        duty=cast(Duty, table.one_of("duty", DUTIES)),
        kind=kind,
        upheld_by=table.codes("upheld_by", law_text.CHECK),
        waits_for=_waits_for(table),
    )


def _waits_for(table: Table) -> WaitsFor | None:
    if not table.has("waits_for"):
        return None
    return cast(WaitsFor, table.one_of("waits_for", ROOMS_TO_COME))


def _parameters(top: Table, articles: dict[str, Article]) -> dict[str, Parameter]:
    parameters: dict[str, Parameter] = {}
    for name, row in _named(top, "parameter").items():
        table = Table(top.file, f'parameter."{name}"', row, {"article", "unit", "values"})
        if not law_text.PARAMETER.fullmatch(name):
            raise table.error(
                "(name)", repr(name), Phrase("two words joined by a dot, like hit.until")
            )
        article = table.one_of("article", articles)
        unit = table.one_of("unit", law_text.UNITS)
        values: list[DatedValue] = []
        for dated in table.rows("values", {"from", "is", "source", "confirmed_on"}):
            since = dated.day("from")
            if values and since <= values[-1].since:
                raise dated.error(
                    "from",
                    since.isoformat(),
                    Phrase("a day after {day}", day=values[-1].since.isoformat()),
                )
            value = dated.value("is", unit)
            values.append(DatedValue(since, value, dated.text("source"), dated.day("confirmed_on")))
        parameters[name] = Parameter(name, article, unit, tuple(values))
    return parameters


def _readings(
    top: Table, articles: dict[str, Article], parameters: dict[str, Parameter]
) -> dict[str, Reading]:
    required = {"articles", "parameter", "choice", "choices", "reason_pt", "reason_en"}
    readings: dict[str, Reading] = {}
    switches: dict[str, str] = {}
    for name, row in _named(top, "reading").items():
        table = Table(top.file, f"reading.{name}", row, required, {"waits_for"})
        if not law_text.READING.fullmatch(name):
            raise table.error("(name)", repr(name), Phrase("words joined by '-', like bank-bust"))
        parameter = parameters[table.one_of("parameter", parameters)]
        if parameter.name in switches:
            raise table.error(
                "parameter",
                Phrase(
                    "{parameter}, which reading {reading} switches too",
                    parameter=repr(parameter.name),
                    reading=switches[parameter.name],
                ),
                Phrase("a parameter of its own for each reading"),
            )
        switches[parameter.name] = name
        readings[name] = _reading(table, name, parameter, articles)
    return readings


def _reading(
    table: Table, name: str, parameter: Parameter, articles: dict[str, Article]
) -> Reading:
    cited = table.codes("articles", law_text.ARTICLE)
    for number in cited:
        if number not in articles:
            raise table.error(
                "articles",
                repr(number),
                Phrase("articles of this book: {there}", there=listed(articles)),
            )
    if not cited:
        raise table.error("articles", Phrase("none"), Phrase("at least one article"))
    choices = tuple(
        Choice(row.value("is", parameter.unit), row.text("means_pt"), row.text("means_en"))
        for row in table.rows("choices", {"is", "means_pt", "means_en"})
    )
    there = [choice.value for choice in choices]
    if len(set(there)) < 2 or len(set(there)) < len(there):
        raise table.error(
            "choices", listed([spelled(v) for v in there]), Phrase("two or more, all different")
        )
    choice = table.value("choice", parameter.unit)
    for value, where in [(choice, "choice"), *((d.value, "parameter") for d in parameter.values)]:
        if value not in there:
            raise table.error(
                where,
                spelled(value),
                Phrase("one of {there}", there=listed([spelled(v) for v in there])),
            )
    if choice != parameter.values[-1].value:
        raise table.error(
            "choice",
            spelled(choice),
            Phrase("the last value of {parameter}, which it explains", parameter=parameter.name),
        )
    return Reading(
        id=name,
        articles=cited,
        parameter=parameter.name,
        choice=choice,
        choices=choices,
        reason_pt=table.text("reason_pt"),
        reason_en=table.text("reason_en"),
        waits_for=_waits_for(table),
    )


def _named(top: Table, name: str) -> dict[str, object]:
    raw = top.raw.get(name, {})
    if not isinstance(raw, dict):
        raise top.error(name, repr(raw), Phrase("tables like [{name}.name]", name=name))
    return raw
