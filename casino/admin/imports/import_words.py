"""What is said of a file that was brought: how it stands, what is wrong, what it would open."""

import json
from collections.abc import Mapping
from typing import Final, NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from casino.events.phrases import phrase_of_json, said
from casino.importing.first_day import FAULTY_ROW, NEW, STANDS, sheets
from casino.importing.judged_faults import CauseFound, Fault, FindingsFound
from casino.models import StagedImport
from casino.models.held import DISCARDED, DONE, FAULTY, FIRST_DAY, JUDGING, WAITING, WRITING
from casino.web.display.status_marks import Tone, mark
from casino.web.forms.finding_words import words
from casino.web.forms.warnings import cited

_GRAVITY: Final = ("breach", "deviation", "warning", "note")
_READING: Final = 40  # per cent of the way that reading a file is
OTHER: Final = "other"


def state_of(staged: StagedImport) -> SafeString:
    """How a file stands, with its mark."""
    if staged.state == DONE and staged.refused:
        return mark("breach", _("not all of it could be recorded"))
    tones: dict[str, tuple[Tone, str]] = {
        JUDGING: ("idle", _("being judged")),
        FAULTY: ("breach", _("cannot be imported")),
        WAITING: ("warning", _("waits for a second person")),
        WRITING: ("idle", _("being recorded")),
        DONE: ("kept", _("recorded")),
        DISCARDED: ("idle", _("thrown away")),
    }
    return mark(*tones[staged.state])


def progress_of(staged: StagedImport) -> dict[str, object]:
    """State ("open" while it is under way), per cent, and how far it has come in words."""
    state = "open" if staged.state in (JUDGING, WRITING) else "ended"
    values = {"n": staged.written, "all": staged.records}
    if staged.state == WRITING:
        share = 100 * (staged.written + staged.refused) // max(staged.records, 1)
        text = _("%(n)d of %(all)d rounds recorded") % values
        if staged.content == FIRST_DAY:
            text = _("%(n)d of %(all)d records recorded") % values
    elif "next" in staged.judged:
        pieces = max(int(staged.judged["pieces"]), 1)
        share = _READING + (100 - _READING) * int(staged.judged["next"]) // pieces
        text = _("%(all)d rounds are being judged") % values
        if staged.content == FIRST_DAY:
            text = _("%(all)d rows are being judged") % values
    else:
        share = _READING * staged.read_bytes // max(staged.file_bytes, 1)
        text = _("the file is being read")
    return {"state": state, "per_cent": min(share, 99), "said": text}


class Cause(NamedTuple):
    """Why lines cannot be taken in: how many, the first of them, and the reason of the first."""

    times: int
    lines: str
    place: str
    reason: str


def fault_words(fault: Fault) -> str:
    """Why a line cannot be taken in, in the reader's language."""
    return said(phrase_of_json(fault["reason"]), _)


def causes_of(causes: Mapping[str, CauseFound]) -> list[Cause]:
    """The causes of faults, the most frequent first."""
    found = [
        Cause(
            one["count"],
            ", ".join(map(str, one["lines"])) + (" …" if one["count"] > len(one["lines"]) else ""),
            "" if name == OTHER else one["path"],
            _("further causes; the file of faults holds all")
            if name == OTHER
            else fault_words(one),
        )
        for name, one in causes.items()
    ]
    return sorted(found, key=lambda cause: (-cause.times, cause.reason))


class Opened(NamedTuple):
    """What one check would find: article, how often, the first lines with their games."""

    severity: str
    article: str
    statement: str
    times: int
    examples: list[tuple[int, str]]


def findings_of(findings: Mapping[str, FindingsFound]) -> list[Opened]:
    """What would be found, the gravest first."""
    say = words()
    found = [
        Opened(
            one["severity"],
            cited(one["rulebook"], one["article"]),
            say.statement(one["check"]),
            one["count"],
            [(line, partida) for line, partida in one["examples"]],
        )
        for one in findings.values()
    ]
    return sorted(found, key=lambda one: (_GRAVITY.index(one.severity), one.article))


class SheetShown(NamedTuple):
    """A sheet of a first day: how many rows become what, the first of them, what is left to do."""

    name: str
    title: str
    there: bool
    headings: list[str]
    new: int
    stands: int
    faulty: int
    first: list["RowShown"]
    by_hand: str


class RowShown(NamedTuple):
    """A row as it was written, and what becomes of it."""

    number: int
    state: SafeString
    cells: list[str]


def sheets_of(staged: StagedImport) -> list[SheetShown]:
    """The sheets a first day may have, those of the file with their rows."""
    known = {one.name: one for one in sheets()}
    portuguese = (get_language() or "").startswith("pt")
    whole = staged.state == DONE and not staged.refused
    return [
        SheetShown(
            one["name"],
            known[one["name"]].pt if portuguese else known[one["name"]].en,
            one["there"],
            one["headings"],
            one[NEW],
            one[STANDS],
            one[FAULTY_ROW],
            [
                _row(number, state, cells, one["headings"], whole)
                for number, state, cells in one["first"]
            ],
            _(known[one["name"]].by_hand) if known[one["name"]].by_hand and one[NEW] else "",
        )
        for one in staged.judged.get("sheets", ())
        if one["name"] in known
    ]


def rows_of(staged: StagedImport, sheet: str) -> list[RowShown]:
    """Every row of one sheet."""
    found: list[RowShown] = []
    headings: list[str] = next(
        (one["headings"] for one in staged.judged.get("sheets", ()) if one["name"] == sheet), []
    )
    for piece in staged.pieces.filter(what="rows").order_by("number"):
        for line in bytes(piece.content).split(b"\n"):
            number, _sep, text = line.partition(b" ")
            row = json.loads(text)
            if row["sheet"] == sheet:
                found.append(_row(int(number), row["state"], row["cells"], headings))
    return found


def _row(
    number: int, state: str, cells: list[str], headings: list[str], whole: bool = False
) -> RowShown:
    marks: dict[str, tuple[Tone, str]] = {
        NEW: ("kept", _("recorded") if whole else _("to be recorded")),
        STANDS: ("idle", _("stands already")),
        FAULTY_ROW: ("breach", _("faulty")),
    }
    return RowShown(number, mark(*marks[state]), [*cells, *[""] * (len(headings) - len(cells))])
