"""Acts of the floor that can be taken back for some seconds (settings.SALA_HOLD_SECONDS).

What a tablet sent lies in an operational table, committed before the tablet is answered; it is in
the book once it is written there, and not before. Whoever comes first writes it: the next act at
that table, whoever looks at it when its time is over, a job that is due then. Its records have
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

from casino import clock
from casino.facts import Malformed
from casino.facts.phrases import Phrase
from casino.models import BookEntry, HeldRecord
from casino.queries import day_of, fact_kinds
from casino.reading.payload import fact_of, payload_of
from casino.recording import Actor, Busy, Refused, Submission, record_many
from casino.recording.writing import add_job, check_beforehand, waited_in_vain
from casino.regulation.dossier import Dossier, Signed, Told
from casino.tlog.canonical import instant_text

log = logging.getLogger(__name__)

TOPIC: Final = "held-record"
# What is held: what is told of one table's own game, and what nobody outside it reads at once. A
# number of a register, a deck taken from the house, a witness's page, money are written at once.
KINDS: Final = frozenset(
    {"cards-shuffled/1", "cut-made/1", "carta-aviso-placed/1", "card-burned/1", "cards-spread/1"}
    | {"last-round-announced/1", "play-interrupted/1", "play-resumed/1", "deck-inspected/1"}
    | {"incident-step/1", "incident-closed/1", "shuffler-opened/1", "chips-counted/1"}
    | {"dealer-took-table/1", "dealer-left-table/1"}
)
_LAST: Final = 2**51  # behind every number of a stream, before what a preview adds
UNEXPECTED: Final = Phrase(
    "The server could not write it. Do it again; tell whoever looks after it."
)


@dataclass(frozen=True, slots=True)
class HeldTold:
    """One record that is held, as an entry will tell it; `key` is its own."""

    key: UUID
    told: Told[Any]


def may_be_held(facts: Sequence[Any]) -> bool:
    """Whether these facts, sent together, can wait: all of one game, none with a private value."""
    games = {(fact.table_code, fact.partida_id) for fact in facts}
    return (
        settings.SALA_HOLD_SECONDS > 0
        and len(games) == 1
        and None not in games.pop()
        and all(fact.kind in KINDS for fact in facts)
        and not any(getattr(fact, name) is not None for fact in facts for name in fact.private)
    )


def hold(form: UUID, staff: str, submissions: Sequence[Submission]) -> None:
    """Keep what a form sent, and decide on the job that writes it; in the caller's transaction.

    Raises: Malformed, Refused, as the writer does, for what needs no look at the book.
    """
    check_beforehand(submissions)
    fact, now = submissions[0].fact, clock.now()
    due_at = now + timedelta(seconds=settings.SALA_HOLD_SECONDS)
    row = HeldRecord.objects.create(
        key=form,
        table_code=fact.table_code,
        partida_id=fact.partida_id,
        staff=staff,
        made_at=now,
        due_at=due_at,
        submissions=[_as_object(one) for one in submissions],
    )
    add_job(TOPIC, _job_of(row), {"form": str(form)}, due_at=due_at)


def is_held(form: UUID) -> bool:
    """Whether a form's records are here still: to be written, or given up."""
    return HeldRecord.objects.filter(key=form).exists()


def at_tables(tables: Collection[str]) -> list[HeldRecord]:
    """What is held at these tables, and what could not be written; the oldest first."""
    rows = HeldRecord.objects.filter(table_code__in=tables) if tables else HeldRecord.objects.none()
    return list(rows.order_by("made_at", "key"))


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
    waiting = HeldRecord.objects.filter(table_code__in=tables, failed_at=None)
    forms = list(waiting.order_by("made_at", "key").values_list("key", flat=True))
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


def _written(row: HeldRecord) -> Phrase | None:
    """Write it; why it cannot be. Raises: Busy, and what the server's own trouble raises."""
    try:
        with transaction.atomic():
            record_many([_submission(told) for told in row.submissions])
    except (Busy, OperationalError, InterfaceError):
        raise
    except (Malformed, Refused) as refused:
        return refused.reason
    except Exception:  # whatever it is: it must not stop everything else at that table
        log.exception("held at %s and not to be written: %s", row.table_code, row.key)
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


def seconds_left(row: HeldRecord) -> int:
    """How long it can still be taken back. Units: whole seconds, the last one begun counts."""
    return max(0, math.ceil((row.due_at - clock.now()).total_seconds()))


def held_in(partidas: Collection[str]) -> dict[str, list[HeldTold]]:
    """What is held of these games, to be asked *before* the book is: then nothing falls between."""
    found: dict[str, list[HeldTold]] = {}
    rows = HeldRecord.objects.filter(partida_id__in=partidas, failed_at=None)
    for row in rows.order_by("made_at", "key") if partidas else ():
        of = found.setdefault(row.partida_id, [])
        of += [_told(row, told, len(of) + place) for place, told in enumerate(row.submissions)]
    return found


def with_held(
    dossier: Dossier, held: Collection[HeldTold], written: Mapping[UUID, str] | None = None
) -> Dossier:
    """The dossier as it will be once that is written; what was written meanwhile is there once.

    `written` are the entries of what was, for whoever asked of several games at once.
    """
    there = {told.entry_id for told in dossier.entries}
    waiting = [one for one in held if one.told.entry_id not in there]
    if waiting and written is None:
        written = written_of(waiting)
    added = [one.told for one in waiting if (written or {}).get(one.key) not in there]
    return replace(dossier, entries=(*dossier.entries, *added)) if added else dossier


def written_of(held: Iterable[HeldTold]) -> dict[UUID, str]:
    """The entry of each of these that is in the book by now; to be asked *after* the book was."""
    keys = [one.key for one in held]
    rows = BookEntry.objects.filter(key__in=keys).values_list("key", "pk") if keys else ()
    return {key: str(entry) for key, entry in rows}


def facts_of(row: HeldRecord) -> list[Any]:
    """What a form sent, in its order; without what an earlier version held and nobody can read."""
    facts = []
    for told in row.submissions:
        with contextlib.suppress(Malformed, KeyError):
            facts.append(_submission(told).fact)
    return facts


def _job_done(job: str) -> None:
    """Nobody need send it any more."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT outbox_done(%s)", [job])


def _job_of(row: HeldRecord) -> str:
    """A form that was taken back and sent once more is another job."""
    return f"{TOPIC}/{row.key}/{instant_text(row.due_at)}"


def _as_object(one: Submission) -> dict[str, Any]:
    return {
        "key": str(one.key),
        "kind": one.fact.kind,
        "payload": payload_of(one.fact),
        "occurred_at": instant_text(one.occurred_at),
        "by": [one.by.staff, one.by.office, one.by.door],
    }


def _submission(told: Mapping[str, Any]) -> Submission:
    fact = fact_of(fact_kinds()[told["kind"]], told["payload"])
    at = datetime.fromisoformat(told["occurred_at"])
    return Submission(fact, UUID(told["key"]), Actor(*told["by"]), at)


def _told(row: HeldRecord, told: Mapping[str, Any], place: int) -> HeldTold:
    one = _submission(told)
    entry = Told(
        entry_id=str(one.key),
        stream=one.fact.stream,
        n=_LAST + place,
        leaf=one.key.hex * 2,
        occurred_at=one.occurred_at,
        recorded_at=row.made_at,
        gaming_day=day_of(row.partida_id),
        by=Signed(one.by.staff, one.by.office, one.by.door),
        fact=one.fact,
    )
    return HeldTold(one.key, entry)
