"""The transaction: entries, private values, rows on the projections, jobs that follow."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter
from typing import Any, Final
from uuid import UUID

import psycopg
from django.db import DatabaseError, IntegrityError, OperationalError, connection, transaction
from psycopg.types.json import Jsonb

from casino import clock
from casino.events.event import OF_CASES, RECONCILER, Event
from casino.events.keeping import Erased
from casino.extensions import jobs
from casino.logs.log_lines import CARRIED, REQUEST
from casino.models import BookEntry, PrivateValue
from casino.models.projection import EntryView
from casino.recording import attaching, authority
from casino.recording.attached_files import File
from casino.recording.preparing import Prepared, prepare, same_record
from casino.recording.projecting import fill_projections, locks_of, make_room
from casino.recording.refusals import USED_ALREADY, Busy, KeyReused, TooLarge, WitnessRefused
from casino.recording.submission import Actor, Receipt, Source, Submission, Supersedes

LARGEST: Final = 61_440  # bytes of an entry
ENVELOPE: Final = 1_024  # bytes kept free for what stands around the payload
KEY_ONCE: Final = "book_entry_key_once"
NONCE_ONCE: Final = "attestation_nonce_once"
ERASED: Final = Erased.kind
TRIES: Final = 3
AGAIN: Final = frozenset({"40001", "40P01"})  # serialization failure, deadlock
NO_PART: Final = "23514"  # check violation: also a row that no partition takes
LOCKED: Final = "55P03"  # waited for a lock as long as this connection may
_TOUCHED: Final = "partida-touched"
_NO_NEWS: Final = OF_CASES | {RECONCILER}


def record(
    event: Event,
    *,
    key: UUID,
    by: Actor,
    occurred_at: datetime,
    source: Source,
    supersedes: Supersedes | None = None,
    attachments: tuple[str, ...] = (),
    files: tuple[File, ...] = (),
) -> Receipt:
    """Write one event into the book. The same key and the same event again: the stored receipt.

    `files` are kept with it, `attachments` name some by digest alone. Called inside a transaction
    of the caller's, the receipt holds once that has committed.

    Raises: Malformed, for a form that cannot be; Refused (refusals.py), for what may not be
    written. Nothing is stored then. Unlawful acts are never refused.
    """
    submission = Submission(event, key, by, occurred_at, source, supersedes, attachments, files)
    return record_many([submission])[0]


def record_many(submissions: Sequence[Submission]) -> list[Receipt]:
    """Write several events in one transaction: all of them or none. Receipts in the order given.

    Raises: as `record`; a refusal's `place` says which submission it was.
    """
    prepared = check_beforehand(submissions)
    for attempt in range(TRIES):
        try:
            with transaction.atomic():
                return _write(prepared)
        except IntegrityError as error:
            if _no_room(error) and attempt < TRIES - 1:
                # Outside the transaction: it waits for all who write, so it must hold nothing.
                make_room(prepared)
                continue
            # Somebody else wrote the same key between our look and our write: look again.
            if _diagnosis(error, "constraint_name") == NONCE_ONCE:
                raise WitnessRefused(place=0, why=USED_ALREADY) from error
            if _diagnosis(error, "constraint_name") != KEY_ONCE or attempt == TRIES - 1:
                raise
        except OperationalError as error:
            state = _diagnosis(error, "sqlstate")
            if state not in AGAIN | {LOCKED}:
                raise
            if state == LOCKED or attempt == TRIES - 1:
                raise Busy from error
    raise AssertionError("unreachable")


def check_beforehand(submissions: Sequence[Submission]) -> list[Prepared]:
    """What can be said of submissions without the book: each made ready.

    Raises: Malformed; NotAllowed, TooLarge.
    """
    prepared = [prepare(submission, place) for place, submission in enumerate(submissions)]
    for one in prepared:
        authority.check_office(one)
        size = len(one.payload_text.encode()) + ENVELOPE
        if size > LARGEST:
            raise TooLarge(place=one.place, size=size, limit=LARGEST)
    return prepared


@contextmanager
def waited_in_vain() -> Iterator[None]:
    """A lock that somebody else held for as long as one may wait, or who waits for us: Busy."""
    try:
        yield
    except OperationalError as error:
        if _diagnosis(error, "sqlstate") not in AGAIN | {LOCKED}:
            raise
        raise Busy from error


def _diagnosis(error: DatabaseError, what: str) -> str | None:
    return getattr(getattr(error.__cause__, "diag", None), what, None)


def _no_room(error: IntegrityError) -> bool:
    """Whether a projection that is kept in parts has none for this day yet: no constraint is
    named.
    """
    return (
        _diagnosis(error, "sqlstate") == NO_PART
        and _diagnosis(error, "constraint_name") is None
        and _diagnosis(error, "table_name") is not None
    )


def _write(prepared: Sequence[Prepared]) -> list[Receipt]:
    receipts = _repeated(prepared)
    fresh: dict[UUID, Prepared] = {}
    again: list[Prepared] = []
    for one in prepared:
        if one.submission.key in receipts:
            continue
        if one.submission.key in fresh:
            again.append(one)
        else:
            fresh[one.submission.key] = one
    asking = any(authority.asks_the_book(one) for one in fresh.values())
    _lock([one.submission for one in fresh.values()], always=asking)
    if asking:
        # Whom we waited for may have written the very same: then his receipt answers, no refusal.
        since = _repeated(list(fresh.values()))
        receipts |= since
        fresh = {key: one for key, one in fresh.items() if key not in since}
        authority.check_against_book(list(fresh.values()))
    views = _append(list(fresh.values()))
    for one in fresh.values():
        view = views[one.entry_id]
        receipts[one.submission.key] = _receipt(view, repeated=False)
    if again:  # the same key twice in one batch: the second must tell the same
        _repeated(again)
    return [receipts[one.submission.key] for one in prepared]


def _repeated(prepared: Sequence[Prepared]) -> dict[UUID, Receipt]:
    """The receipts of those that are in the book already. Raises: KeyReused."""
    keys = {one.submission.key for one in prepared}
    if not _fetch(_KNOWN, list(keys)):  # as nearly always
        return {}
    stored = {
        entry.key: entry
        for entry in BookEntry.objects.filter(key__in=keys).select_related("stream")
    }
    salts: dict[UUID, dict[str, tuple[bytes, bool]]] = defaultdict(dict)
    values = PrivateValue.objects.filter(entry_id__in=[entry.id for entry in stored.values()])
    for value in values:
        salts[value.entry_id][value.field] = (bytes(value.salt or b""), value.salt is None)
    for one in prepared:
        entry = stored.get(one.submission.key)
        if entry is not None and not same_record(one, bytes(entry.entry), salts[entry.id]):
            raise KeyReused(
                place=one.place,
                key=str(entry.key),
                kind=entry.kind,
                stream=entry.stream.name,
                n=entry.n,
            )
    return {key: receipt_of(entry) for key, entry in stored.items()}


def recorded_already(prepared: Sequence[Prepared]) -> set[UUID]:
    """The keys of those that are in the book as they are. Raises: KeyReused, where one differs."""
    return set(_repeated(prepared))


def lock_streams(submissions: Collection[Submission]) -> None:
    """Nobody else writes into the streams of these until the transaction ends. Raises: Busy."""
    with waited_in_vain():
        _lock(submissions, always=True)


def _lock(submissions: Collection[Submission], *, always: bool) -> None:
    """What the projections ask for, then the streams' heads, each in the order of its name.

    A single stream is locked by the database's own function that appends, unless `always`.
    """
    asked = (locks_of(one.event) | attaching.locks(one) for one in submissions)
    for lock in sorted(set().union(*asked)):
        how = "pg_advisory_xact_lock_shared" if lock.shared else "pg_advisory_xact_lock"
        _call(f"SELECT {how}(hashtextextended(%s, 0))", lock.name)
    streams = sorted({one.event.stream for one in submissions})
    for stream in streams if always or len(streams) > 1 else ():
        _call("SELECT ledger_lock(%s)", stream)


def _append(prepared: Sequence[Prepared]) -> dict[UUID, EntryView]:
    """New entries into their streams, with everything that belongs to them."""
    by_stream = sorted(prepared, key=attrgetter("stream"))
    views: dict[UUID, EntryView] = {}
    for stream, of_stream in groupby(by_stream, key=attrgetter("stream")):
        for by, run in groupby(of_stream, key=attrgetter("submission.by")):
            views.update(_append_run(stream, by, list(run)))
    PrivateValue.objects.bulk_create(
        PrivateValue(entry_id=one.entry_id, field=value.field, salt=value.salt, value=value.value)
        for one in prepared
        for value in one.private
    )
    attaching.keep(prepared)
    for one in prepared:
        if one.kind == ERASED:
            _erase(one.submission.event)
    fill_projections([(one.submission, views[one.entry_id]) for one in prepared])
    attaching.erase([one.submission.event for one in prepared])
    _decide_jobs(views.values())
    return views


def _erase(event: Erased) -> None:
    """What the book says is gone, goes in the same transaction: here a private value."""
    PrivateValue.objects.filter(
        entry__stream__name=event.entry.stream, entry__n=event.entry.n, field=event.field
    ).update(salt=None, value=None)


def _append_run(stream: str, by: Actor, run: Sequence[Prepared]) -> dict[UUID, EntryView]:
    """The entries of one stream that one actor wrote, in the order given."""
    targets = [one.submission.supersedes for one in run]
    rows = _fetch(
        _APPEND,
        stream,
        by.door,
        by.office,
        by.staff,
        [one.entry_id for one in run],
        [one.submission.key for one in run],
        [one.kind for one in run],
        [one.payload_text for one in run],
        [one.submission.occurred_at for one in run],
        [one.gaming_day for one in run],
        [one.table_code for one in run],
        [one.partida_id for one in run],
        [target.n if target else 0 for target in targets],
    )
    return {
        entry_id: EntryView(
            entry_id,
            stream,
            n,
            bytes(leaf).hex(),
            one.kind,
            one.gaming_day,
            one.table_code,
            one.partida_id,
            one.submission.occurred_at,
            at,
            by.staff,
            by.office,
            by.door,
            target.leaf if target else "",
        )
        for one, target, (entry_id, n, leaf, at) in zip(run, targets, rows, strict=True)
    }


# %b: arrays of long texts travel as they are, instead of being quoted twice on the way.
_APPEND: Final = (
    "SELECT entry_id, entry_n, entry_leaf, entry_at FROM ledger_append(%s, %s, %s, %s,"
    " %b::uuid[], %b::uuid[], %b::text[], %b::text[], %b::timestamptz[], %b::date[], %b::text[],"
    " %b::text[], %b::bigint[])"
)


_KNOWN: Final = "SELECT FROM book_entry WHERE key = ANY(%b) LIMIT 1"


def _fetch(statement: str, *values: object) -> list[tuple[Any, ...]]:
    """What a statement answers. By the driver's own cursor: Django's puts values into its text."""
    connection.ensure_connection()
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
        return cursor.execute(statement, values).fetchall()


def _decide_jobs(views: Iterable[EntryView]) -> None:
    """The jobs that follow from these entries, decided on in their own transaction."""
    touched: set[str] = set()
    for view in views:
        topic = f"{RECONCILER}/{view.kind}" if view.stream == RECONCILER else view.kind
        if topic in jobs():
            add_job(
                topic, f"{topic}/{view.entry_id}", _receipt_fields(view), entry_id=view.entry_id
            )
        # What the auditor writes of a partida is no news of it, nor what is done about a finding.
        if view.partida_id and view.stream not in _NO_NEWS and _TOUCHED in jobs():
            touched.add(view.partida_id)
    now = clock.now()
    minute = now.replace(second=0, microsecond=0)
    for partida in sorted(touched):
        _call(
            "SELECT outbox_touch(%s, %s, %s, %s)",
            _TOUCHED,
            f"{_TOUCHED}/{partida}/{minute:%Y%m%dT%H%M}",
            Jsonb({"partida": partida}),
            minute + timedelta(seconds=65),
        )


def _receipt_fields(view: EntryView) -> dict[str, str]:
    return {
        "entry": str(view.entry_id),
        "partida": view.partida_id,
        "gaming_day": view.gaming_day.isoformat(),
    }


def add_job(
    topic: str,
    key: str,
    args: Mapping[str, object],
    *,
    entry_id: UUID | None = None,
    due_at: datetime | None = None,
) -> bool:
    """Decide on a job inside the running transaction; false where that key was decided before.

    It carries the name of the request it was decided in, if any.
    """
    of = {CARRIED: REQUEST.get()} if REQUEST.get() else {}
    rows = _call(
        "SELECT outbox_add(%s, %s, %s, %s, %s)",
        topic,
        key,
        Jsonb({**args, **of}),
        entry_id,
        due_at or clock.now(),
    )
    return bool(rows and rows[0][0] is not None)


def receipt_of(entry: BookEntry) -> Receipt:
    """The receipt of an entry that was there before."""
    leaf = bytes(entry.leaf_hash).hex()
    return Receipt(entry.pk, entry.stream.name, entry.n, leaf, entry.recorded_at, True)


def _receipt(view: EntryView, *, repeated: bool) -> Receipt:
    return Receipt(view.entry_id, view.stream, view.n, view.leaf, view.recorded_at, repeated)


def _call(statement: str, *values: Any) -> list[tuple[object, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        rows: list[tuple[object, ...]] = cursor.fetchall()
    return rows
