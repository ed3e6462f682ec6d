"""Acts of the floor that can be taken back for some seconds (settings.SALA_HOLD_SECONDS).

What a tablet sent lies in an operational table, committed before the tablet is answered; it is in
the book once it is written there, and not before. Whoever comes first writes it: the next act at
that table, an act elsewhere that has to know of it (the same register, deck, machine or person),
whoever looks at it when its time is over, a job that is due then. Its records have
their keys from the form, and the row goes in the transaction that writes them: nothing is lost and
nothing is there twice, whoever dies in between. Taking it back removes the row; who of the two has
it first, has it alone.

Until then a page adds what is held to what the book tells (`HeldTold`): the next step is shown at
once. What cannot be written is kept, with the reason, until somebody has read it.
"""

import contextlib
import logging
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection, transaction
from psycopg.types.json import Jsonb

from casino import clock
from casino.events import Malformed
from casino.events.event import Event
from casino.events.phrases import Phrase
from casino.extensions import event_kinds
from casino.law.dossier import Dossier, RecordedEvent, Signed
from casino.models import BookEntry, HeldRecord
from casino.queries import day_of
from casino.reading.payload import event_of, payload_of
from casino.recording import Actor, Busy, Refused, Submission, record_many
from casino.recording.writing import add_job, check_beforehand, waited_in_vain
from casino.tlog.canonical import instant_text

log = logging.getLogger(__name__)

TOPIC: Final = "held-record"
OPENING: Final = "partida-opened/1"
WITHDRAWAL: Final = "deck-withdrawn/1"
HAND_OVER: Final = "table-handed-over/1"
# Of these each has a number of a register of the house: whoever is given the next one writes first
# what is held of it (`casino.web.forms.running_numbers`).
NUMBERED: Final = frozenset({"incident-reported/1", "complaint-received/1", "notice-sent/1"})
# What is of a person and of no game; each is held by itself.
DUTIES: Final = frozenset({"duty-begun/1", "duty-ended/1"})
NO_TABLE: Final = ""  # where it lies then
# What is held: what is recorded of one game, and duties. What leads on to a witness's page, a
# closing, money are written at once.
KINDS: Final = frozenset(
    {"cards-shuffled/1", "cut-made/1", "carta-aviso-placed/1", "card-burned/1", "cards-spread/1"}
    | {"last-round-announced/1", "play-interrupted/1", "play-resumed/1", "deck-inspected/1"}
    | {"incident-step/1", "incident-closed/1", "shuffler-opened/1", "chips-counted/1"}
    | {"dealer-took-table/1", "dealer-left-table/1", HAND_OVER, OPENING}
    | {"card-replaced/1", WITHDRAWAL, "shuffler-unloaded/1"}
    | NUMBERED
)
# By which of its fields a record is of something that another table may be asked about as well.
_SHARED: Final = {
    "deck": "deck", "from_deck": "deck", "shuffler": "shuffler", "pagador": "person",
    "fiscal_de_banca": "person", "staff": "person", "incident": "incident",
    "complaint": "complaint",
}  # fmt: skip
_LAST: Final = 2**51  # behind every number of a stream, before what a preview adds
UNEXPECTED: Final = Phrase(
    "The server could not write it. Do it again; tell whoever looks after it."
)


@dataclass(frozen=True, slots=True)
class HeldEvent:
    """One record that is held, as an entry will tell it; `key` is its own."""

    key: UUID
    recorded: RecordedEvent[Event]


def may_be_held(events: Sequence[Any]) -> bool:
    """Whether these events, sent together, can wait: all of one game, none with a private value.

    Or one that somebody comes or goes.
    """
    games = {(event.table_code, event.partida_id) for event in events}
    alone = len(events) == 1 and events[0].kind in DUTIES
    return (
        settings.SALA_HOLD_SECONDS > 0
        and len(games) == 1
        and (alone or (None not in games.pop() and all(event.kind in KINDS for event in events)))
        and not any(getattr(event, name) is not None for event in events for name in event.private)
    )


def hold(form: UUID, staff: str, submissions: Sequence[Submission]) -> None:
    """Keep what a form sent, and decide on the job that writes it; in the caller's transaction.

    Raises: Malformed, Refused, as the writer does, for what needs no look at the book.
    """
    check_beforehand(submissions)
    event, now = submissions[0].event, clock.now()
    due_at = now + timedelta(seconds=settings.SALA_HOLD_SECONDS)
    row = HeldRecord.objects.create(
        key=form,
        table_code=event.table_code or NO_TABLE,
        partida_id=event.partida_id or "",
        staff=staff,
        made_at=now,
        due_at=due_at,
        submissions=[_as_object(one) for one in submissions],
    )
    add_job(TOPIC, _job_of(row), {"form": str(form)}, due_at=due_at)


def is_held(form: UUID) -> bool:
    """Whether a form's records are here still: to be written, or given up."""
    return HeldRecord.objects.filter(key=form).exists()


def _rows(condition: str, *values: object) -> list[HeldRecord]:
    """The rows a condition names, the oldest first. Written out: a page asks several times."""
    asked = f"SELECT * FROM casino_held_record WHERE {condition} ORDER BY made_at, key"  # noqa: S608 - constants
    return list(HeldRecord.objects.raw(asked, values))


def at_tables(tables: Collection[str]) -> list[HeldRecord]:
    """What is held at these tables, and what could not be written; the oldest first."""
    return _rows("table_code = ANY(%s)", list(tables)) if tables else []


def sent_by(staff: str) -> list[HeldRecord]:
    """What is held of this person, at any table, and what could not be written; the oldest first.

    After what has been held long enough was written.
    """
    rows, now = _rows("staff = %s", staff), clock.now()
    if not any(row.failed_at is None and row.due_at <= now for row in rows):
        return rows
    write_due()
    return _rows("staff = %s", staff)


def waiting_events(
    *, kind: str | None = None, tables: Collection[str] | None = None
) -> list[tuple[HeldRecord, Any]]:
    """What is still to be written, each record with its form's row: of forms that sent one of this
    kind, and at these tables, where either is named.
    """
    condition = "failed_at IS NULL"
    values: list[object] = []
    if kind is not None:
        condition += " AND submissions @> %s"
        values.append(Jsonb([{"kind": kind}]))
    if tables is not None:
        condition += " AND table_code = ANY(%s)"
        values.append(list(tables))
    return [(row, event) for row in _rows(condition, *values) for event in events_of(row)]


def openings(tables: Collection[str] | None = None) -> dict[str, str]:
    """The games that are about to be opened, by their tables; of these alone where they are named.

    To be asked *before* the book is asked which are open: then nothing falls between.
    """
    listed = waiting_events(kind=OPENING, tables=tables)
    return {row.table_code: row.partida_id for row, event in listed if event.kind == OPENING}


def decks_leaving() -> set[str]:
    """The decks whose withdrawal is still to be written: in no game any more, and in no store."""
    listed = waiting_events(kind=WITHDRAWAL)
    return {event.deck for _, event in listed if event.kind == WITHDRAWAL}


def game_of_held(table: str, field: str, code: str) -> str:
    """The game whose held record gave this number (an incident's, a complaint's); '' for none."""
    for row, event in waiting_events(tables=[table]):
        if event.kind in NUMBERED and getattr(event, field, None) == code:
            return row.partida_id
    return ""


def looked_at(tables: Collection[str]) -> list[HeldRecord]:
    """As `at_tables`, after what has been held long enough was written."""
    rows, now = at_tables(tables), clock.now()
    if not any(row.failed_at is None and row.due_at <= now for row in rows):
        return rows
    write_due(tables)
    return at_tables(tables)


def is_waiting(tables: Collection[str]) -> bool:
    """Whether anything at these tables is still to be written."""
    return HeldRecord.objects.filter(table_code__in=tables, failed_at=None).exists()


def settle(tables: Collection[str], besides: UUID | None = None) -> list[HeldRecord]:
    """Write all that is held at these tables, the oldest first; but not what this form sent.

    What could not be written, just now. Raises: Busy.
    """
    return _settled(HeldRecord.objects.filter(table_code__in=tables), besides)


def settle_register(kind: str, besides: UUID | None = None) -> None:
    """Write all that is held anywhere of this kind, so that its numbers stand in the register.

    But not what this form sent. Raises: Busy.
    """
    _settled(_of_kind(kind), besides)


def settle_for(events: Sequence[Any], staff: str) -> None:
    """Write what has to be in the book before these events are judged, wherever it is held.

    What is held at their tables; a number of the same register; what names the same deck, machine,
    dealer, fiscal de banca, incident or complaint; the duty of whoever sends them, of those they
    name, and of those who came to their tables. Raises: Busy.
    """
    rows = list(HeldRecord.objects.filter(failed_at=None).order_by("made_at", "key"))
    if not rows:
        return
    tables = {event.table_code for event in events if event.table_code}
    numbered = {event.kind for event in events} & NUMBERED
    named = set().union(*(_shared(payload_of(event)) for event in events)) | {("person", staff)}
    for row in rows:
        value = row.submissions
        if (
            row.table_code in tables
            or any(one["kind"] in numbered for one in value)
            or any(_shared(one["payload"]) & named for one in value)
            or (row.table_code == NO_TABLE and _is_duty_at(value, tables))
        ):
            write(row.key)


def _shared(payload: Mapping[str, Any]) -> set[tuple[str, str]]:
    """What a record names that is not its own table's alone."""
    found = {(what, str(payload[name])) for name, what in _SHARED.items() if payload.get(name)}
    decks = payload.get("decks") or ()
    return found | {("deck", one["deck"] if isinstance(one, Mapping) else one) for one in decks}


def _is_duty_at(listed: Sequence[Mapping[str, Any]], tables: Collection[str]) -> bool:
    """Whether somebody comes to one of these tables, or comes or goes without naming any."""
    named: set[str] = set().union(*(one["payload"].get("tables") or () for one in listed))
    return bool(tables) and (not named or bool(named & set(tables)))


def _of_kind(kind: str) -> Any:
    return HeldRecord.objects.filter(submissions__contains=[{"kind": kind}])


def _settled(rows: Any, besides: UUID | None) -> list[HeldRecord]:
    waiting = rows.filter(failed_at=None).order_by("made_at", "key")
    forms = list(waiting.values_list("key", flat=True))
    return [row for form in forms if form != besides and (row := write(form)) is not None]


def write_due(tables: Collection[str] | None = None) -> None:
    """Write what has been held long enough, at these tables or at all. Whoever looks calls this.

    What somebody else has in hand is left to him, and so is what others keep from being written.
    """
    due = HeldRecord.objects.filter(due_at__lte=clock.now(), failed_at=None)
    due = due if tables is None else due.filter(table_code__in=tables)
    for form in list(due.order_by("made_at", "key").values_list("key", flat=True)):
        try:
            write(form, wait=False)
        except Busy:
            log.info("others write at its table: %s is held a little longer", form)


def write(form: UUID, *, wait: bool = True) -> HeldRecord | None:
    """Write what a form sent into the book. The row, where that was given up just now.

    Without `wait`, what another has in hand is left to him. Raises: Busy.
    """
    with transaction.atomic():
        with waited_in_vain():
            rows = HeldRecord.objects.select_for_update(skip_locked=not wait)
            row = rows.filter(key=form, failed_at=None).first()
        if row is None:
            return None
        trouble, job = _written(row), _job_of(row)  # a row that was removed has no key any more
        if trouble is not None:
            row.trouble = {"template": trouble.template, "values": dict(trouble.values)}
            row.failed_at = clock.now()
            row.save(update_fields=["trouble", "failed_at"])
        else:
            row.delete()
        _job_done(job)
    return row if trouble is not None else None


def _written(held_record: HeldRecord) -> Phrase | None:
    """Write it; why it cannot be. Raises: Busy, and what the server's own trouble raises."""
    try:
        with transaction.atomic():
            record_many([_submission(value) for value in held_record.submissions])
    except (Busy, OperationalError, InterfaceError):
        raise
    except (Malformed, Refused) as refused:
        return refused.reason
    except Exception:  # whatever it is: it must not stop everything else at that table
        log.exception(
            "held at %s and not to be written: %s", held_record.table_code, held_record.key
        )
        return UNEXPECTED
    return None


def take_back(form: UUID, table: str, staff: str) -> bool:
    """Remove what this person's form sent, or what anybody's could not be written.

    False where nothing of it is here: it was written before, or never came. Raises: Busy.
    """
    with transaction.atomic():
        with waited_in_vain():
            rows = HeldRecord.objects.select_for_update().filter(key=form, table_code=table)
            row = rows.first()  # waits for whoever is writing it: then it is gone
        if row is None or (row.failed_at is None and row.staff != staff):
            return False
        _job_done(_job_of(row))
        row.delete()
    log.info("taken back at %s by %s: %s", table, staff, form)
    return True


def seconds_left(held_record: HeldRecord) -> int:
    """How long it can still be taken back. Units: whole seconds, the last one begun counts."""
    return max(0, math.ceil((held_record.due_at - clock.now()).total_seconds()))


def held_in(partidas: Collection[str]) -> dict[str, list[HeldEvent]]:
    """What is held of these games, to be asked *before* the book is: then nothing falls between."""
    found: dict[str, list[HeldEvent]] = {}
    asked = "partida_id = ANY(%s) AND failed_at IS NULL"
    for row in _rows(asked, list(partidas)) if partidas else ():
        of = found.setdefault(row.partida_id, [])
        of += [
            _held_event(row, value, len(of) + place) for place, value in enumerate(row.submissions)
        ]
    return found


def with_held(
    dossier: Dossier, held: Collection[HeldEvent], written: Mapping[UUID, str] | None = None
) -> Dossier:
    """The dossier as it will be once that is written; what was written meanwhile is there once.

    `written` are the entries of what was, for whoever asked of several games at once.
    """
    there = {recorded.entry_id for recorded in dossier.entries}
    waiting = [one for one in held if one.recorded.entry_id not in there]
    if waiting and written is None:
        written = written_of(waiting)
    added = [one.recorded for one in waiting if (written or {}).get(one.key) not in there]
    return replace(dossier, entries=(*dossier.entries, *added)) if added else dossier


def written_of(held: Iterable[HeldEvent]) -> dict[UUID, str]:
    """The entry of each of these that is in the book by now; to be asked *after* the book was."""
    keys = [one.key for one in held]
    rows = BookEntry.objects.filter(key__in=keys).values_list("key", "pk") if keys else ()
    return {key: str(entry) for key, entry in rows}


def events_of(held_record: HeldRecord) -> list[Any]:
    """What a form sent, in its order; without what an earlier version held and nobody can read."""
    events = []
    for value in held_record.submissions:
        with contextlib.suppress(Malformed, KeyError):
            events.append(_submission(value).event)
    return events


def events_held(form: UUID) -> list[Any]:
    """What this form sent and is held, in its order; nothing where it is not here any more."""
    row = HeldRecord.objects.filter(key=form).first()
    return [] if row is None else events_of(row)


def comes_to(table: str, staff: str) -> bool:
    """Whether what is held at a table hands it over to this person."""
    listed = waiting_events(tables=[table])
    return any(event.kind == HAND_OVER and event.fiscal_de_banca == staff for _, event in listed)


def held_duty(staff: str, office: str) -> Any:
    """The last held word that this person comes or goes in an office; None for none."""
    listed = [event for _, event in waiting_events(tables=[NO_TABLE])]
    return next(
        (one for one in reversed(listed) if (one.staff, one.office) == (staff, office)), None
    )


def _job_done(job: str) -> None:
    """Nobody need send it any more."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT outbox_done(%s)", [job])


def _job_of(held_record: HeldRecord) -> str:
    """A form that was taken back and sent once more is another job."""
    return f"{TOPIC}/{held_record.key}/{instant_text(held_record.due_at)}"


def _as_object(submission: Submission) -> dict[str, Any]:
    return {
        "key": str(submission.key),
        "kind": submission.event.kind,
        "payload": payload_of(submission.event),
        "occurred_at": instant_text(submission.occurred_at),
        "by": [submission.by.staff, submission.by.office, submission.by.door],
    }


def _submission(values: Mapping[str, Any]) -> Submission:
    event = event_of(event_kinds()[values["kind"]], values["payload"])
    at = datetime.fromisoformat(values["occurred_at"])
    return Submission(event, UUID(values["key"]), Actor(*values["by"]), at)


def _held_event(held_record: HeldRecord, values: Mapping[str, Any], place: int) -> HeldEvent:
    one = _submission(values)
    entry = RecordedEvent(
        entry_id=str(one.key),
        stream=one.event.stream,
        n=_LAST + place,
        leaf=one.key.hex * 2,
        occurred_at=one.occurred_at,
        recorded_at=held_record.made_at,
        gaming_day=day_of(held_record.partida_id),
        by=Signed(one.by.staff, one.by.office, one.by.door),
        event=one.event,
    )
    return HeldEvent(one.key, entry)
