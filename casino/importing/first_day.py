"""A house's first day judged whole: its rows name one another, and what the book holds already.

From the workbook's cells to the events they become, in an order that can be recorded; a row is at
fault, stands in the book as it is, or is to be recorded. Nothing is written here.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final, NamedTuple, cast
from uuid import UUID, uuid5

from django.db import transaction

from casino import clock
from casino.events import Malformed
from casino.events.event import Event
from casino.events.event_policy import ADMIN, DIRECTION, OVERSEERS
from casino.events.phrases import Phrase, phrase_as_json, phrase_of_json
from casino.events.staff import OfficeGranted
from casino.extensions import event_kinds, extensions
from casino.importing.judged_faults import SHOWN, count_cause, count_finding, put
from casino.importing.parse_file import NOTHING, fault_as_json
from casino.importing.sheet_columns import (
    COMMENT,
    OCCURRED,
    CellFault,
    Column,
    OpenMoment,
    Others,
    Payload,
    Sheet,
    open_moment,
    plainly,
    value_of,
)
from casino.kept_entries import entries
from casino.models import StagedImport
from casino.models.projection import Projection
from casino.previewing import Previews, found_of
from casino.queries import counts, offices_held
from casino.reading.payload import event_of, moment_of, payload_of
from casino.reading.refusal import Refused
from casino.recording import Actor, Source, Submission
from casino.recording import Refused as NotRecorded
from casino.recording.authority import check_against_book
from casino.recording.office_rules import HIGH
from casino.recording.projecting import projections
from casino.recording.refusals import NumberOfNobody, UnknownNumber
from casino.recording.writing import check_beforehand
from casino.tlog.canonical import instant_text

Cell = tuple[str, bool, object]  # its text, whether it is a number, what is wrong with it
NEW, STANDS, FAULTY_ROW = "new", "stands", "faulty"
HIDDEN: Final = "•••"  # in the stead of what nobody is shown
KEPT_TOGETHER: Final = 500
MOST_ASKED: Final = 20  # times the book is asked about all of a file, one refusal each
SECOND: Final = "_"  # whoever confirms, while nobody knows who that is
NOTHING_NEW: Final = Phrase("Everything the file holds stands in the book already.")
_NO_NAME: Final = Phrase(
    "found {found}; asked: {asked}",
    found=Phrase("a text that is too long, or of several lines"),
    asked=Phrase("one line of at most 200 characters"),
)
_PART: Final = re.compile(r"\$\.\w+\[([0-9]+)\](?:\.(\w+))?")


@cache
def sheets() -> tuple[Sheet, ...]:
    """The sheets there are, in the order in which their rows are recorded."""
    return tuple(sheet for package in extensions() for sheet in package.first_day_sheets())


@dataclass(slots=True, eq=False)
class Row:
    """A row of a sheet: its cells as they were written, what they say by field, what becomes of it.

    `columns` are its sheet's by their place in the row.
    """

    sheet: Sheet
    title: str
    number: int
    columns: Sequence[Column]
    cells: Sequence[Cell]
    values: Payload = field(default_factory=dict)
    parts: list["Row"] = field(default_factory=list)
    state: str = NEW

    def place(self, name: str) -> str:
        """Where a field of it stands: ``Mesas!C``."""
        at = next((n for n, one in enumerate(self.columns) if name and one.field == name), 0)
        return f"{self.title}!{letter(at)}"

    @property
    def shown(self) -> list[str]:
        """Its cells as a page shows them."""
        hidden = self.sheet.private
        hidden |= {""} if hidden else set()  # a name may stand below a heading that is misspelt
        return [
            HIDDEN if column.field in hidden and text else text[:80]
            for column, (text, _number, _fault) in zip(self.columns, self.cells, strict=False)
        ]


class Planned(NamedTuple):
    """An event of a row, and who records it: whoever brought the file, or who confirms it."""

    row: Row
    event: Event
    at: str | None
    open_moments: Mapping[str, OpenMoment]
    offices: frozenset[str]  # of whoever confirms it; none where it is recorded by who brought it


def letter(place: int) -> str:
    """What a spreadsheet calls a column, counted from 0."""
    return chr(65 + place) if place < 26 else chr(64 + place // 26) + chr(65 + place % 26)


def key_of(digest: str, sheet: str, number: int, kind: str) -> UUID:
    """The key an event of a row is recorded under: the same file gives the same."""
    return uuid5(UUID(digest[:32]), f"{digest}/{sheet}/{number}/{kind}")


def standing(kind: str) -> list[Event]:
    """The events of a kind that count in the book."""
    projection = cast("type[Projection]", projections()[kind][0])
    rows = projection._default_manager.filter(counts())
    ids = list(rows.order_by("stream", "n").values_list("entry_id", flat=True))
    found = entries(ids)
    events = [found[one].event for one in ids if found[one].event.kind == kind]
    if kind != OfficeGranted.kind:
        return events
    held = offices_held(clock.now())
    granted = [one for one in events if isinstance(one, OfficeGranted)]
    return [one for one in granted if (one.staff, one.office) in held]


def judge_rows(staged: StagedImport) -> None:
    """Judge all of a file at once, and put its events away in the order of their recording."""
    judged = _FirstDay(staged)
    judged.read()
    planned = judged.build()
    planned = judged.hold_against_book(planned)
    judged.preview(planned)
    judged.keep(planned)


class _FirstDay:
    """The rows of a file while they are judged."""

    def __init__(self, staged: StagedImport) -> None:
        self.staged = staged
        self.by = Actor(staged.by_staff, staged.by_office, "import")
        self.found = json.loads(json.dumps(staged.judged))
        self.now = clock.now()
        self.faults: list[bytes] = []
        self.rows: dict[str, list[Row]] = {}
        self.headings: dict[str, list[str]] = {}
        self.titles: dict[str, str] = {}
        self._book: dict[str, list[Event]] = {}
        self._by_key: dict[str, dict[tuple[object, ...], Event]] = {}

    def in_book(self, kind: str) -> list[Event]:
        """What stands there of a kind, read once."""
        if kind not in self._book:
            self._book[kind] = standing(kind)
        return self._book[kind]

    def fault(self, line: int, path: str, found: str, asked: str) -> None:
        """What was found somewhere, and what is asked."""
        reason = Phrase("found {found}; asked: {asked}", found=found, asked=asked)
        self.refuse(Refused(line, path, reason))

    def refuse(self, refused: Refused, read_row: Row | None = None) -> None:
        """A row that cannot be recorded."""
        text = fault_as_json(refused)
        self.faults.append(f"{refused.line} {text}".encode())
        count_cause(self.found["causes"], refused.line, json.loads(text))
        if read_row is not None:
            read_row.state = FAULTY_ROW

    # From cells to values ------------------------------------------------------------------------

    def read(self) -> None:
        """Every row's values; whatever a cell alone does wrong."""
        by_title: dict[str, list[tuple[int, list[Cell]]]] = {}
        for piece in self.staged.pieces.filter(what="records").order_by("number"):
            for line in bytes(piece.content).split(b"\n"):
                at, _, text = line.partition(b" ")
                raw = json.loads(text)
                cells: list[Cell] = [tuple(cell) for cell in raw["cells"]]
                by_title.setdefault(raw["sheet"], []).append((int(at), cells))
        for title, lines in by_title.items():
            sheet = next((one for one in sheets() if plainly(title) in _titles(one)), None)
            if sheet is None or sheet.name in self.rows:
                found = Phrase("the sheet “{title}”", title=title[:40])
                self.fault(1, title[:40], found, _asked_sheets(sheet))
                continue
            self.rows[sheet.name], self.titles[sheet.name] = [], title
            columns = self._columns(sheet, title, *lines[0])
            for number, cells in lines[1:]:
                if not _is_comment(cells):
                    row = Row(sheet, title, number, columns, cells)
                    self.rows[sheet.name].append(row)
                    self._values(row)

    def _columns(
        self, sheet: Sheet, title: str, number: int, cells: Sequence[Cell]
    ) -> list[Column]:
        """The columns by their headings, those nobody knows as columns without a field."""
        by_name = {plainly(text): one for one in sheet.columns for text in (one.pt, one.en)}
        columns: list[Column] = []
        headings: list[str] = []
        for place, (written, _number, _fault) in enumerate(cells):
            text = written
            column = by_name.get(plainly(text))
            if column is None and text.strip():
                text = HIDDEN if sheet.private else text  # perhaps no heading, but a name
                found = Phrase("the heading “{text}”", text=text[:40])
                asked = Phrase("one of these: {words}", words=_headings(sheet))
                self.fault(number, f"{title}!{letter(place)}", found, asked)
            elif column in columns:
                found = Phrase("the heading “{text}” a second time", text=text[:40])
                self.fault(number, f"{title}!{letter(place)}", found, Phrase("each heading once"))
                column = None
            columns.append(column or Column("", text, text, "text", ""))
            headings.append(text)
        for column in sheet.columns:
            if column.required and column not in columns:
                asked = Phrase("the heading “{text}”", text=column.pt)
                self.fault(number, title, Phrase("no such heading"), asked)
        self.headings[sheet.name] = headings
        return columns

    def _values(self, read_row: Row) -> None:
        nothing = ("", False, "")
        for place, column in enumerate(read_row.columns):
            text, number, fault = read_row.cells[place] if place < len(read_row.cells) else nothing
            at = f"{read_row.title}!{letter(place)}"
            try:
                if fault:
                    raise CellFault(phrase_of_json(fault), Phrase("the value itself"))
                value = value_of(column, text, number) if column.field else None
                if value is None and column.required:
                    raise CellFault(Phrase("nothing"), Phrase("a value: this column is required"))
            except CellFault as error:
                self.fault(read_row.number, at, error.found, error.asked)
                read_row.state = FAULTY_ROW
                continue
            if value is not None:
                read_row.values[column.field] = value
        for place in range(len(read_row.columns), len(read_row.cells)):
            if read_row.cells[place][0] or read_row.cells[place][2]:
                found, asked = Phrase("a cell without a heading"), Phrase("each column named")
                self.fault(read_row.number, f"{read_row.title}!{letter(place)}", found, asked)
                read_row.state = FAULTY_ROW

    # From values to events -----------------------------------------------------------------------

    def build(self) -> list[Planned]:
        """The events that are to be recorded, as far as rows are whole and name what there is."""
        self._check_names()
        self._gather_parts()
        planned: list[Planned] = []
        seen: dict[tuple[object, ...], Row] = {}
        for sheet in sheets():
            for row in () if sheet.part_of else self.rows.get(sheet.name, ()):
                if row.state != FAULTY_ROW and all(one.state == NEW for one in row.parts):
                    planned += self._of_row(row, seen)
        return planned

    def _check_names(self) -> None:
        """What a row names stands in the book or in the file, spelt so."""
        known: dict[str, dict[str, str]] = {}
        wanted = {
            column.of for rows in self.rows.values() for row in rows[:1] for column in row.columns
        }
        for sheet in (one for one in sheets() if one.name in wanted):
            of, column = sheet.name, sheet.columns[0]
            names = {str(row.values.get(column.field, "")) for row in self.rows.get(of, ())}
            if not any(one.part_of == of for one in sheets()):
                names |= {
                    str(getattr(one, column.field))
                    for kind in sheet.same_by
                    for one in self.in_book(kind)
                }
            known[of] = {name.casefold(): name for name in sorted(names - {""})}
        for rows in self.rows.values():
            for row in rows:
                for column in row.columns:
                    named = row.values.get(column.field) if column.of else None
                    for name in named if isinstance(named, list) else [named] if named else []:
                        self._check_name(row, column, str(name), known[column.of])

    def _check_name(self, read_row: Row, column: Column, name: str, known: dict[str, str]) -> None:
        spelt = known.get(name.casefold())
        if spelt == name:
            return
        sheet = next(one for one in sheets() if one.name == column.of)
        asked: str = Phrase(
            "one that the sheet “{sheet}” or the book has",
            sheet=self.titles.get(sheet.name, sheet.pt),
        )
        if spelt is not None:
            asked = Phrase("the spelling {spelt}", spelt=spelt)
        self.fault(read_row.number, read_row.place(column.field), f"“{name[:40]}”", asked)
        read_row.state = FAULTY_ROW

    def _gather_parts(self) -> None:
        for sheet in sheets():
            whole = {
                row.values.get(row.sheet.columns[0].field): row
                for row in self.rows.get(sheet.part_of, ())
            }
            for part in self.rows.get(sheet.name, ()) if sheet.part_of else ():
                row = whole.get(part.values.get(sheet.columns[0].field))
                if row is not None:
                    row.parts.append(part)

    def _of_row(self, read_row: Row, seen: dict[tuple[object, ...], Row]) -> Iterator[Planned]:
        values = dict(read_row.values)
        said_at = values.pop(OCCURRED, None)
        at = None if said_at is None else str(said_at)
        made: list[Planned] = []
        for kind, payload in read_row.sheet.build(values, [part.values for part in read_row.parts]):
            blank = {
                name: how
                for name, how in read_row.sheet.open_moments.items()
                if name in event_kinds()[kind].__dataclass_fields__ and name not in payload
            }
            filled: Payload = dict.fromkeys(read_row.sheet.signed, self.by.staff)
            filled |= {
                name: instant_text(open_moment(how, self.now)) for name, how in blank.items()
            }
            try:
                event = event_of(event_kinds()[kind], payload | filled)
            except Malformed as error:
                self._malformed(read_row, error)
                return
            key = kind, *_key(event, read_row.sheet.same_by[kind])
            if key in seen:
                found = Phrase("the same as in row {row}", row=seen[key].number)
                self.fault(read_row.number, read_row.place(""), found, Phrase("each once"))
                read_row.state = FAULTY_ROW
                return
            seen[key] = read_row
            if not self._stands(read_row, event, payload):
                made.append(Planned(read_row, event, at, blank, frozenset()))
        if read_row.state != FAULTY_ROW:
            read_row.state = NEW if made else STANDS
            for part in read_row.parts:
                part.state = read_row.state
            yield from made

    def _malformed(self, read_row: Row, error: Malformed) -> None:
        """A fault of the row, or of the part of it that is named."""
        name = error.path.removeprefix("$.")
        part = _PART.fullmatch(error.path)
        if part is not None and int(part[1]) < len(read_row.parts):
            read_row.state = FAULTY_ROW
            read_row, name = read_row.parts[int(part[1])], part[2] or ""
        reason = _NO_NAME if name in read_row.sheet.private else error.reason
        self.refuse(Refused(read_row.number, read_row.place(name), reason), read_row)

    def _stands(self, read_row: Row, event: Event, payload: Payload) -> bool:
        """Whether the book holds it as it is; what it holds otherwise is a fault."""
        same_by = read_row.sheet.same_by[event.kind]
        if event.kind not in self._by_key:
            known = {_key(one, same_by): one for one in self.in_book(event.kind)}
            self._by_key[event.kind] = known
        before = self._by_key[event.kind].get(_key(event, same_by))
        if before is None:
            return False
        there = payload_of(before)
        said = payload_of(event)
        for name in payload.keys() - event.private - {"reason"}:
            if said.get(name) != there.get(name):
                found = Phrase("another value than the book has")
                asked = Phrase(
                    "what stands there, or this row left out: what is recorded is changed on its"
                    " own page"
                )
                self.fault(read_row.number, read_row.place(name), found, asked)
                read_row.state = FAULTY_ROW
                return False
        return True

    # Against the book ----------------------------------------------------------------------------

    def hold_against_book(self, planned: list[Planned]) -> list[Planned]:
        """Who records each; without those the book would refuse."""
        needs = DIRECTION
        able: list[Planned] = []
        for one in planned:
            offices = self._second_offices(one.event)
            if offices and not needs & offices:
                found = Phrase("what no one person can confirm together with the rest")
                asked = Phrase("this row left out, and recorded on its own page")
                self.fault(one.row.number, one.row.place(""), found, asked)
                one.row.state = FAULTY_ROW
                continue
            if offices:
                needs &= offices
            able.append(one._replace(offices=offices or frozenset()))
        self.found["needs"] = sorted(needs if needs != DIRECTION else ())
        able = [one for one in able if self._can_be_recorded(one, needs)]
        for _ in range(MOST_ASKED):  # a file so faulty is faulty anyhow
            try:
                check_against_book(check_beforehand([self.submission(one, needs) for one in able]))
                break
            except NotRecorded as error:
                one = able.pop(error.place)
                # A number of the file whose own row is at fault: that row says so.
                if not isinstance(error, NumberOfNobody | UnknownNumber):
                    self._refused(one, error)
        return able

    def _second_offices(self, event: Event) -> frozenset[str] | None:
        """The offices one of which whoever confirms has to hold; None where it needs no more than
        who brought it.
        """
        allowed = event.policy.writers & DIRECTION
        own = False
        if isinstance(event, OfficeGranted):
            allowed = frozenset({ADMIN}) if event.office in OVERSEERS else allowed
            own = event.staff.casefold() == self.by.staff.casefold()
        return None if self.by.office in allowed and not own else allowed

    def submission(self, planned: Planned, needs: Iterable[str]) -> Submission:
        """As it would be recorded now."""
        by = self.by
        if planned.offices:
            by = replace(by, staff=SECOND, office=min(planned.offices & set(needs)))
        at = self.now if planned.at is None else moment_of(planned.at, "$.occurred_at")
        key = key_of(
            self.staged.file_sha256, planned.row.sheet.name, planned.row.number, planned.event.kind
        )
        return Submission(planned.event, key, by, at, Source("file", self.staged.file_sha256))

    def _can_be_recorded(self, planned: Planned, needs: Iterable[str]) -> bool:
        try:
            check_beforehand([self.submission(planned, needs)])
        except Malformed as error:
            self._malformed(planned.row, error)
            return False
        except NotRecorded as error:
            self._refused(planned, error)
            return False
        return True

    def _refused(self, planned: Planned, error: NotRecorded) -> None:
        self.refuse(Refused(planned.row.number, planned.row.place(""), error.reason), planned.row)

    # What is said of it --------------------------------------------------------------------------

    def preview(self, planned: Sequence[Planned]) -> None:
        """What the law's checks would find."""
        others = Others([one.event for one in planned], self.in_book)
        findings = self.found.setdefault("findings", {})
        for one in planned:
            at = self.now if one.at is None else moment_of(one.at, "$.occurred_at")
            for finding in found_of([_asks(one.row.sheet, others)], one.event, at):
                count_finding(findings, finding, one.row.number, one.row.title)

    def keep(self, planned: Sequence[Planned]) -> None:
        """Put away what is to be recorded, what is shown, what is wrong."""
        staged = self.staged
        faulty = {id(one) for rows in self.rows.values() for one in rows if one.state == FAULTY_ROW}
        planned = [one for one in planned if id(one.row) not in faulty]
        grants = [
            (one.event, one.open_moments) for one in planned if isinstance(one.event, OfficeGranted)
        ]
        rows = [row for sheet in sheets() for row in self.rows.get(sheet.name, ())]
        stands = [row for row in rows if row.state == STANDS and not row.sheet.part_of]
        self.found |= {
            "next": 0,
            "pieces": 0,
            "sheets": [self._summary(sheet) for sheet in sheets()],
            "granted": sorted({event.staff for event, _blank in grants}),
            "not_before": min(
                (
                    event.valid_from.isoformat()
                    for event, blank in grants
                    if event.office in HIGH and not blank
                ),
                default="",
            ),
        }
        with transaction.atomic():
            staged.pieces.filter(what="records").delete()
            _put_away(staged, "records", [_record_line(one) for one in planned])
            _put_away(staged, "rows", [_shown_line(row) for row in rows])
            if self.faults:
                put(staged, "faults", 10**6, self.faults)
            staged.judged = self.found
            staged.faulty += len(self.faults)
            staged.records, staged.repeated = len(planned) + len(stands), len(stands)
            if not planned and not staged.faulty:
                staged.unusable = phrase_as_json(NOTHING_NEW if stands else NOTHING)
            staged.save(update_fields=["judged", "faulty", "records", "repeated", "unusable"])

    def _summary(self, sheet: Sheet) -> dict[str, object]:
        rows = self.rows.get(sheet.name)
        return {
            "name": sheet.name,
            "there": rows is not None,
            "headings": self.headings.get(sheet.name, []),
            "first": [[row.number, row.state, row.shown] for row in (rows or ())[:SHOWN]],
            **{
                state: sum(row.state == state for row in rows or ())
                for state in (NEW, STANDS, FAULTY_ROW)
            },
        }


def _asks(sheet: Sheet, others: Others) -> Previews:
    return lambda event, at, law: sheet.asks(event, at, law, others)


def _titles(sheet: Sheet) -> set[str]:
    return {plainly(sheet.pt), plainly(sheet.en)}


def _asked_sheets(twice: Sheet | None) -> Phrase:
    if twice is not None:
        return Phrase("each sheet once")
    return Phrase("one of these: {words}", words=", ".join(one.pt for one in sheets()))


def _headings(sheet: Sheet) -> str:
    return ", ".join(one.pt for one in sheet.columns)


def _is_comment(cells: Sequence[Cell]) -> bool:
    return bool(cells) and str(cells[0][0]).lstrip().startswith(COMMENT)


def _key(event: Event, same_by: Sequence[str]) -> tuple[object, ...]:
    values = (getattr(event, name) for name in same_by)
    return tuple(one.casefold() if isinstance(one, str) else one for one in values)


def _put_away(staged: StagedImport, what: str, packed: Sequence[bytes]) -> None:
    for number, begins in enumerate(range(0, len(packed), KEPT_TOGETHER)):
        put(staged, what, number, packed[begins : begins + KEPT_TOGETHER])


def _record_line(planned: Planned) -> bytes:
    """All that is needed to record it, whatever the program comes to say of sheets."""
    row = planned.row
    record = {
        "sheet": row.sheet.name,
        "place": row.place(""),
        "kind": planned.event.kind,
        "payload": payload_of(planned.event),
        "open": dict(planned.open_moments),
        "signed": row.sheet.signed,
        "at": planned.at,
        "second": bool(planned.offices),
    }
    return f"{row.number} {json.dumps(record)}".encode()


def _shown_line(read_row: Row) -> bytes:
    shown = {"sheet": read_row.sheet.name, "state": read_row.state, "cells": read_row.shown}
    return f"{read_row.number} {json.dumps(shown)}".encode()
