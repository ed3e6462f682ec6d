"""The lines of a timeline: what an entry tells in brief, how it stands, where nothing was
recorded.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.timezone import localtime
from django.utils.translation import gettext

from casino import clock
from casino.admin.timeline.timeline_reading import Page, Row
from casino.events.partidas import PartidaOpened
from casino.events.round.round_played import RoundPlayed
from casino.events.shape import Withheld
from casino.web.display.cells import shown_column, shown_fields, shown_value
from casino.web.display.money_and_time import moment
from casino.web.entries.entry_notes import Note
from casino.web.entries.entry_page import url_of
from casino.web.entries.entry_standing import Standings, marked, struck
from casino.web.words import field_words
from casino.web.words.kind_words import kind_word
from casino.web.words.paper_words import paper_words
from casino.web.words.withdrawn_words import spelled, withdrawn_words

GAP: Final = timedelta(minutes=20)  # so long without a record while a game is on is said
LATE: Final = timedelta(minutes=10)  # recorded so much later than it happened is said
SHOWN: Final = 8  # so many fields say what an entry tells; its own page says all
_AROUND: Final = frozenset({"table", "partida", "despite", "paper"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """An entry as the page shows it; or, where `gap` says how long nothing was recorded, a gap.

    `game` is the partida it is of and the address of its timeline, None on that page itself.
    `corrects` and `corrected_by` are numbers in the entry's own stream, with the reason;
    `withdrawn` says what became of a record that is, or is asked to be, withdrawn; `paper` from
    which sheet it was recorded.
    """

    gap: str = ""
    row: Row | None = None
    what: str = ""
    url: str = ""
    game: tuple[str, str] | None = None
    summary: tuple[tuple[str, str | SafeString], ...] = ()
    staff: str = ""
    office: str = ""
    standing: SafeString | str = ""
    struck: bool = False
    corrects: tuple[int, str] | None = None
    corrected_by: tuple[int, str] | None = None
    withdrawn: str = ""
    recorded: str = ""
    late: str = ""
    paper: str = ""
    despite: bool = False
    notes: tuple[Note, ...] = ()


def partida_of(row: Row) -> str:
    """The partida an entry is of; '' for none, or where its bytes no longer say."""
    event = None if row.recorded is None else row.recorded.event
    if isinstance(event, RoundPlayed):
        return event.partida
    return getattr(event, "partida_id", None) or ""


def lines_of(
    page: Page,
    notes: Collection[Note],
    closed: Mapping[str, datetime] | None,
    ways: Mapping[str, str],
    since: datetime | None = None,
) -> Iterator[Line]:
    """A page's lines. `closed` are the closings of its games, None where gaps say nothing.

    `ways` are the addresses of its games' timelines, of those he may open. `since` is the moment of
    the entry before the page's first.
    """
    standings = Standings((row.stream, row.n) for row in page.rows)
    before, partida = since, partida_of(page.rows[0]) if page.rows else ""
    for row in page.rows:
        if closed is not None and before is not None and partida and partida_of(row) == partida:
            yield from _gap(before, row.place.at, closed.get(partida))
        before, partida = row.place.at, partida_of(row)
        yield _line(row, standings, notes, ways)
    on = closed is not None and partida and partida not in closed and not page.later
    if on and before is not None:
        yield from _gap(before, clock.now(), None)


def _gap(until: datetime, after: datetime, closed: datetime | None) -> Iterator[Line]:
    if after - until >= GAP and (closed is None or after <= closed):
        yield Line(gap=gettext("%(time)s without a record") % {"time": spelled(after - until)})


def _line(row: Row, standings: Standings, notes: Collection[Note], ways: Mapping[str, str]) -> Line:
    standing = standings.of(row.stream, row.n)
    own = standings.asking(row.stream, row.n)
    asked = [
        link for link in standings.corrections(row.stream, row.n) if link.decision != "refused"
    ]
    approved = [link for link in asked if not link.withdraws]
    late = row.recorded_at - row.place.at
    entry_id = str(row.place.id)
    by = row.recorded.by if row.recorded is not None else None
    return Line(
        row=row,
        what=str(capfirst(str(kind_word(row.kind)))),
        url=url_of(row.kind, row.place.id),
        game=(partida, ways[partida]) if (partida := partida_of(row)) in ways else None,
        summary=_summary(row),
        staff=by.staff if by is not None else "",
        office=field_words.word(by.office) if by is not None else "",
        standing="" if standing == "holds" else marked(standing),
        struck=struck(standing),
        corrects=(
            (own.original_n, field_words.word(own.reason))
            if own is not None and not own.withdraws
            else None
        ),
        corrected_by=(
            (approved[-1].n, field_words.word(approved[-1].reason)) if approved else None
        ),
        withdrawn=next(
            (withdrawn_words(link, row.recorded_at) for link in asked if link.withdraws), ""
        ),
        recorded=_recorded(row),
        late=spelled(late) if late >= LATE else "",
        paper=paper_words(row.recorded.event) if row.recorded is not None else "",
        despite=bool(getattr(row.recorded.event, "despite", ()))
        if row.recorded is not None
        else False,
        notes=tuple(note for note in notes if entry_id in note.evidence),
    )


def _recorded(row: Row) -> str:
    """When it was recorded: the hour alone where it was on the day it happened."""
    happened, recorded = localtime(row.place.at), localtime(row.recorded_at)
    if happened.date() == recorded.date():
        return date_format(recorded, "H:i:s")
    return moment(recorded)


def _summary(row: Row) -> tuple[tuple[str, str | SafeString], ...]:
    """What an entry tells, in a few fields; nothing where its bytes no longer say."""
    if row.recorded is None:
        return ((gettext("This entry cannot be read."), ""),)
    event = row.recorded.event
    if isinstance(event, RoundPlayed):
        return _round_summary(event)
    found: list[tuple[str, str | SafeString]] = []
    for field, value in shown_fields(event):
        if field.name in _AROUND or isinstance(value, Withheld) or value is None:
            continue
        if not field.required and value == field.default:
            continue
        label = str(field_words.label(field.name, event.kind))
        found.append((label, shown_value(value, field.shape, field.name)))
    if isinstance(event, PartidaOpened) and event.dealing == "shuffler" and event.cut_card is None:
        label = str(field_words.label("cut_card", event.kind))
        found[SHOWN - 1 :] = [(label, gettext("there are none"))]  # said, not left out
    return tuple(found[:SHOWN])


def _round_summary(event: RoundPlayed) -> tuple[tuple[str, str | SafeString], ...]:
    wagers = [wager for box in event.boxes for wager in box.wagers]
    summed = {
        "shoe": event.shoe,
        "number": event.number,
        "dealer": event.dealer,
        "staked_cents": sum(wager.stake_cents for wager in wagers),
        "returned_cents": sum(wager.returned_cents for wager in wagers),
    }
    labels = {
        "dealer": gettext("dealer"),
        "staked_cents": gettext("staked"),
        "returned_cents": gettext("returned"),
    }
    return tuple(
        (labels.get(name) or str(field_words.label(name, event.kind)), shown_column(name, value))
        for name, value in summed.items()
        if value is not None
    )
