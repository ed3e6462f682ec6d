"""The last records of an open game, below its table: what each holds, and what was found of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from django.http import HttpRequest
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext

from casino import kept_entries
from casino.access import access_policy
from casino.access.offices_held import offices_of
from casino.events.event import Event
from casino.events.event_policy import FLOOR
from casino.events.round.round_played import RoundPlayed
from casino.floor.record_words import corrected_here, record_word
from casino.floor.table_links import kinds_elsewhere, page_of
from casino.floor.table_state import TableState
from casino.law.dossier import RecordedEvent
from casino.models import BookEntry
from casino.queries import day_of
from casino.web.entries.entry_notes import Note
from casino.web.entries.entry_page import is_by_hand
from casino.web.entries.entry_standing import Standing, Standings, struck
from casino.web.words.kind_words import kind_word
from casino.web.words.paper_words import paper_words
from casino.web.words.withdrawn_words import withdrawn_words

SHOWN: Final = 10  # lines below a table
GRAVEST: Final = ("breach", "deviation", "warning", "note", "idle", "kept")  # of what was found
LATE: Final = timedelta(minutes=1)
_READ: Final = 40  # entries they are made of, at most
_ROUNDS: Final = 20  # of them rounds


@dataclass(frozen=True, slots=True)
class Line:
    """Something recorded lately: what it holds, by whom, how it stands, what was found of it.

    `at` is when it happened, `recorded` when it was recorded. `despite`: it was recorded over a
    warning. `paper` says from which sheet. `url` is the page that shows it, with its words in
    `words` where that is another room's. `withdrawn` says what became of one that was withdrawn, or
    is asked to be. `like` are the records this line stands for, where it stands for several of one
    kind by one person, and `more` says how many.
    """

    at: datetime
    recorded: datetime
    what: str
    who: str
    entry: str
    url: str
    words: str = ""
    kind: str = ""
    corrigible: bool = False
    standing: Standing = "holds"
    despite: bool = False
    paper: str = ""
    notes: tuple[Note, ...] = ()
    withdrawn: str = ""
    more: str = ""
    like: tuple["Line", ...] = ()

    @property
    def late(self) -> bool:
        """Whether it was recorded so long afterwards that both times are said."""
        return self.recorded - self.at >= LATE

    @property
    def struck(self) -> bool:
        """Whether it no longer counts, or never did."""
        return struck(self.standing)

    @property
    def note(self) -> Note | None:
        """The gravest of what was found of it."""
        return min(self.notes, key=lambda one: GRAVEST.index(one.tone), default=None)


def lately(request: HttpRequest, state: TableState, notes: Sequence[Note]) -> list[Line]:
    """What was recorded last of the open partida, like and like together.

    Of its rounds those a person recorded, not what devices and files bring by the hundred.

    `notes` are what was found of it. What a room above the floor keeps elsewhere is each a line of
    its own, with the way to it.
    """
    if state.partida is None:
        return []
    lines: list[Line] = []
    for line in _lines(request, state, notes):
        if lines and _alike(lines[-1], line):
            lines[-1] = _with(lines[-1], line)
        elif len(lines) == SHOWN:
            break
        else:
            lines.append(line)
    return lines


def _lines(request: HttpRequest, state: TableState, notes: Sequence[Note]) -> Iterator[Line]:
    """A line an entry, the last first, of those he may read."""
    assert state.partida is not None
    own = f"table/{state.table}"
    entries = [
        entry
        for entry in _entries(own, state.partida)
        if access_policy.may_read_entry(request, entry.event.kind, state.partida, entry.by.staff)
    ]
    standings = Standings((entry.stream, entry.n) for entry in entries)
    led = bool(offices_of(request) & FLOOR)
    for entry in entries:
        event = entry.event
        elsewhere = _page_of(entry) if led and entry.stream != own else None
        url, words = elsewhere or (reverse("sala:entry", args=[entry.entry_id]), "")
        standing = standings.of(entry.stream, entry.n)
        asked = standings.corrections(entry.stream, entry.n)
        gone = [link for link in asked if link.withdraws and link.decision != "refused"]
        yield Line(
            at=entry.occurred_at,
            recorded=entry.recorded_at,
            what=_said(record_word(event), standing),
            who=entry.by.staff,
            entry=entry.entry_id,
            url=url,
            words=words,
            kind=event.kind,
            corrigible=corrected_here(type(event))
            and access_policy.actor(request, event.kind) is not None
            and not struck(standing),
            standing=standing,
            withdrawn=withdrawn_words(gone[-1], entry.recorded_at) if gone else "",
            despite=bool(getattr(event, "despite", ())),
            paper=paper_words(event),
            notes=tuple(note for note in notes if entry.entry_id in note.evidence),
        )


# Two ranges of the index, before the rounds and after them: a partida has hundreds of those.
_LAST: Final = """
WHERE e.id IN (
    (SELECT e.id FROM book_entry e JOIN book_stream s ON s.id = e.stream_id
    WHERE e.partida_id = %s AND (e.kind < %s OR e.kind > %s) AND (s.name = %s OR e.kind = ANY(%s))
    ORDER BY e.recorded_at DESC, e.n DESC LIMIT %s)
    UNION ALL
    (SELECT entry_id FROM casino_round
    WHERE partida_id = %s AND gaming_day = %s AND office = ANY(%s)
    ORDER BY recorded_at DESC, n DESC LIMIT %s))
ORDER BY e.recorded_at DESC, e.n DESC
"""


def _entries(own: str, partida: str) -> list[RecordedEvent[Event]]:
    rounds, elsewhere = RoundPlayed.kind, list(kinds_elsewhere())
    values = [partida, rounds, rounds, own, elsewhere, _READ]
    values += [partida, day_of(partida), sorted(FLOOR), _ROUNDS]
    read = kept_entries.read_kept(_LAST, values, "default")
    brought = [entry for entry in read if entry.event.kind == rounds]
    by_file = {one.entry_id for one in brought if not is_by_hand(rounds, one.by.door)}
    return [entry for entry in read if entry.entry_id not in by_file]


def _page_of(recorded: RecordedEvent[Event]) -> tuple[str, str] | None:
    entry = BookEntry.objects.filter(pk=recorded.entry_id).first()
    return None if entry is None else page_of(entry)


def _said(what: str, standing: Standing) -> str:
    """A correction is called one: it stands beside what it would correct."""
    if standing in ("waiting", "refused"):
        return gettext("Correction asked for: %(what)s") % {"what": what}
    if standing == "approved":
        return gettext("Correction: %(what)s") % {"what": what}
    return what


def _alike(line_before: Line, line: Line) -> bool:
    """Whether it goes with the line before it: the same kind by the same person, both in force."""
    listed = [(one.kind, one.who, one.standing, one.words) for one in (line_before, line)]
    return listed[0] == listed[1] and line.standing == "holds" and not line.words


def _with(line_before: Line, line: Line) -> Line:
    """The line before, standing for one record more."""
    like = (*(line_before.like or (line_before,)), line)
    return replace(
        line_before,
        what=str(capfirst(kind_word(line.kind))),
        more=f"× {len(like)}",
        like=like,
        despite=line_before.despite or line.despite,
        notes=(*line_before.notes, *(note for note in line.notes if note not in line_before.notes)),
    )
