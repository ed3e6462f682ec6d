"""What the book tells, read for those who judge: entries as events, partidas as dossiers, offices.

An entry that waits for its second person, that an approved correction replaced or that was
withdrawn with a second person's word, is left out everywhere here; lists that show both read the
projections. `up_to` names the last entry of each stream that is to be read (none of a stream not
named): the same reading can then be made again, whatever was recorded since. Without it everything
is read.
"""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db import connections, transaction
from django.db.models import Exists, OuterRef, QuerySet

from casino import clock
from casino.events.decks import DeckInspected
from casino.events.event import HOUSE, Event
from casino.events.inspection import (
    FirmwareDecided,
    LeaveAsked,
    LeaveDecided,
    LimitsApproved,
)
from casino.events.partidas import PartidaOpened
from casino.events.round.round_form import gaming_day_of
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import CardsShuffled
from casino.events.staff import (
    DutyBegun,
    DutyEnded,
    OfficeEnded,
    OfficeGranted,
    StaffRegistered,
)
from casino.events.tables import LimitsSet
from casino.extensions import event_kinds, extensions
from casino.law.dossier import Dossier, RecordedEvent, Signed
from casino.law.game_law import Game
from casino.law.rounds.card_population import ABOUT_CARDS
from casino.models import (
    BookStream,
    Correction,
    NotCounting,
    Supersession,
)
from casino.reading.payload import event_in_book
from casino.reading.round_surroundings import AROUND, what_lies_around

UpTo = Mapping[str, int]
# Entries by what follows ENTRIES in a statement, its values, and which connection to ask.
Read = Callable[[str, Sequence[object], str], list[RecordedEvent[Event]]]
EVERYTHING: Final = 2**62
FETCHED: Final = 500  # entries a server cursor hands over at once

# Who there is, who held which office when, and what the inspection service gave leave for or
# approved stands in the house's stream, whenever it was told; who was on duty and which deck was
# shown, only near the day.
_ALWAYS: Final = (
    *(StaffRegistered.kind, OfficeGranted.kind, OfficeEnded.kind),
    *(LeaveAsked.kind, LeaveDecided.kind, LimitsApproved.kind),
    FirmwareDecided.kind,
)
_NEAR: Final = (DutyBegun.kind, DutyEnded.kind, DeckInspected.kind)
NEAR: Final = timedelta(days=1)
# How far back the same decks are looked for.
_DECKS_LAST: Final = timedelta(days=62)

ENTRIES: Final = """
SELECT e.id, s.name, e.n, e.kind, e.leaf_hash, e.gaming_day, e.occurred_at, e.recorded_at, e.entry
FROM book_entry e JOIN book_stream s ON s.id = e.stream_id
"""
_OF_PARTIDA: Final = """
WHERE s.name = %s AND e.partida_id = %s AND e.n BETWEEN %s AND %s
    AND e.kind = coalesce(%s::text, e.kind)
ORDER BY e.n
"""
_OF_CARDS: Final = """
WHERE s.name = %s AND e.partida_id = %s AND e.n <= %s AND e.kind = ANY(%s)
ORDER BY e.n
"""
_HAD_DECKS: Final = """
SELECT partida_id FROM casino_partida
 WHERE decks ?| %(decks)s::text[] AND gaming_day BETWEEN %(since)s AND %(day)s
UNION SELECT partida_id FROM casino_shuffle
 WHERE decks ?| %(decks)s::text[] AND gaming_day BETWEEN %(since)s AND %(day)s
"""
_OF_GAME: Final = """
SELECT stream, n FROM casino_partida WHERE partida_id = %s
UNION (SELECT stream, n FROM casino_limits
 WHERE table_code = %s AND valid_from < %s ORDER BY valid_from DESC LIMIT 20)
"""
_OF_HOUSE: Final = """
WHERE s.name = %s AND e.n <= %s
    AND (e.kind = ANY(%s) OR (e.kind = ANY(%s) AND e.gaming_day BETWEEN %s AND %s))
ORDER BY e.n
"""
# An office that was ended and granted again is held again.
_HELD: Final = """
g.valid_from <= %(at)s AND (g.valid_until IS NULL OR %(at)s < g.valid_until) AND {granted}
AND NOT EXISTS (SELECT FROM casino_office_end AS e WHERE e.person = g.person AND e.held = g.held
    AND g.valid_from < e.ended_at AND e.ended_at <= %(at)s AND {ended})
"""
_REPLACED: Final = """
SELECT n FROM casino_not_counting WHERE stream = %s AND partida_id = %s
    AND since_n <= %s AND (until_n IS NULL OR until_n > %s)
"""
_REPLACED_IN: Final = """
SELECT stream, n FROM casino_not_counting WHERE partida_id = ANY(%s::text[]) AND until_n IS NULL
"""
_NOT_COUNTING: Final = """
SELECT stream, n, since_n, until_n FROM casino_not_counting
WHERE stream = ANY(%s::text[]) AND n = ANY(%s::bigint[])
"""
_WITNESSED: Final = """
SELECT stream, n, witnessed_stream, witnessed_n FROM casino_attestation
WHERE witness = ANY(%s::text[]) AND gaming_day BETWEEN %s AND %s AND partida_id <> %s
"""
_NAMED: Final = """
WHERE (s.name, e.n) IN (SELECT * FROM unnest(%s::text[], %s::bigint[])) ORDER BY s.name, e.n
"""


def heads(using: str = "default") -> dict[str, int]:
    """The number of the last entry of every stream that has one, all seen at one moment.

    Entries up to there are committed, every one: a stream is numbered under a lock.
    """
    streams = BookStream.objects.using(using).filter(head_n__gt=0)
    return dict(streams.values_list("name", "head_n"))


def decode_entry(row: tuple[Any, ...]) -> RecordedEvent[Event]:
    """An entry of the book as a check sees it. Its private values are withheld."""
    entry_id, stream, n, kind, leaf, day, occurred_at, recorded_at, entry = row
    body = json.loads(bytes(entry))
    who = body["who"]
    return RecordedEvent(
        entry_id=str(entry_id),
        stream=stream,
        n=n,
        leaf=bytes(leaf).hex(),
        occurred_at=occurred_at,
        recorded_at=recorded_at,
        gaming_day=day,
        by=Signed(who["staff"], who["office"], who["door"]),
        event=event_in_book(event_kinds()[kind], body["payload"]),
    )


def read_entries(where: str, values: Sequence[Any], using: str) -> list[RecordedEvent[Any]]:
    """The entries a condition names, in its order."""
    with connections[using].cursor() as cursor:
        cursor.execute(ENTRIES + where, values)
        return [decode_entry(row) for row in cursor.fetchall()]


@contextmanager
def streamed(statement: str, values: Iterable[object], using: str) -> Iterator[Any]:
    """A server-side cursor, which holds its place only inside a transaction."""
    with transaction.atomic(using=using):
        connections[using].ensure_connection()
        raw = connections[using].connection
        assert raw is not None
        with raw.cursor("told") as cursor:
            cursor.itersize = FETCHED
            cursor.execute(statement, list(values))
            yield cursor


def replaced(
    stream: str, partida: str, up_to: int = EVERYTHING, using: str = "default"
) -> frozenset[int]:
    """The numbers of a stream's entries that do not count: corrected, or not yet approved.

    `partida` '' stands for the entries of no partida.
    """
    with connections[using].cursor() as cursor:
        cursor.execute(_REPLACED, [stream, partida, up_to, up_to])
        return frozenset(n for (n,) in cursor.fetchall())


def replaced_in(partidas: Collection[str], using: str = "default") -> set[tuple[str, int]]:
    """The same of several partidas: stream and number."""
    if not partidas:
        return set()
    with connections[using].cursor() as cursor:
        cursor.execute(_REPLACED_IN, [list(partidas)])
        return set(cursor.fetchall())


def that_count(queryset: QuerySet[Any]) -> QuerySet[Any]:
    """Those rows of a read model whose entries count, within one query."""
    return queryset.filter(counts())


def counting(table: str) -> str:
    """The same in a statement, of the rows of a read model it calls by this name."""
    return f"""NOT EXISTS (SELECT FROM casino_not_counting AS gone
    WHERE gone.stream = {table}.stream AND gone.n = {table}.n AND gone.until_n IS NULL)"""


def counts() -> Any:
    """The same as a condition on the rows."""
    gone = NotCounting.objects.filter(stream=OuterRef("stream"), n=OuterRef("n"), until_n=None)
    return ~Exists(gone)


def decisions_waiting() -> QuerySet[Supersession]:
    """The corrections and withdrawals no second person has decided on, the oldest first."""
    decided = Correction.objects.filter(pending_stream=OuterRef("stream"), pending_n=OuterRef("n"))
    return Supersession.objects.filter(~Exists(decided)).order_by("recorded_at", "n")


@contextmanager
def partida_entries(
    partida: str,
    *,
    up_to: UpTo | None = None,
    numbers: tuple[int, int] = (1, EVERYTHING),
    kind: str | None = None,
    using: str = "default",
) -> Iterator[Iterator[RecordedEvent[Any]]]:
    """The entries of a partida in the order of their stream, not all at once.

    `numbers` are the first and the last number of the stream to be read, `kind` the only kind.
    """
    stream = stream_of(partida)
    last = EVERYTHING if up_to is None else up_to.get(stream, 0)
    left_out = replaced(stream, partida, last, using)
    first, until = numbers[0], min(last, numbers[1])
    values = [stream, partida, first, until, kind]
    with streamed(ENTRIES + _OF_PARTIDA, values, using) as cursor:
        yield (decode_entry(row) for row in cursor if row[2] not in left_out)


@contextmanager
def rounds_of(
    partida: str,
    *,
    up_to: UpTo | None = None,
    numbers: tuple[int, int] = (1, EVERYTHING),
    using: str = "default",
) -> Iterator[Iterator[RecordedEvent[RoundPlayed]]]:
    """The rounds of a partida in the order in which they were recorded, not all at once."""
    with partida_entries(
        partida, up_to=up_to, numbers=numbers, kind=RoundPlayed.kind, using=using
    ) as entries:
        yield entries


def game_of(partida: str, *, up_to: UpTo | None = None, using: str = "default") -> Game:
    """What tells by which law and limits a partida's rounds are judged."""
    until = day_of(partida) + 2 * NEAR
    with connections[using].cursor() as cursor:
        cursor.execute(_OF_GAME, [partida, table_of(partida), until])
        named = {(stream, n) for stream, n in cursor.fetchall()}
    if up_to is not None:
        named = {(stream, n) for stream, n in named if n <= up_to.get(stream, 0)}
    events = _counting(named, up_to, using, read_entries) if named else ()
    openings = [one for one in events if isinstance(one.event, PartidaOpened)]
    return Game(
        next(iter(openings), None), [one for one in events if isinstance(one.event, LimitsSet)]
    )


def stream_of(partida: str) -> str:
    """The stream of a partida's table."""
    return f"table/{table_of(partida)}"


def table_of(partida: str) -> str:
    """The table of a partida, by its name."""
    return partida.partition("/")[0]


def house_entries(
    day: date, *, up_to: UpTo | None = None, using: str = "default", read: Read = read_entries
) -> tuple[RecordedEvent[Event], ...]:
    """What the house itself tells that bears on a gaming day: offices, duty, decks shown."""
    last = EVERYTHING if up_to is None else up_to.get(HOUSE, 0)
    left_out = replaced(HOUSE, "", last, using)
    values: list[object] = [HOUSE, last, list(_ALWAYS), list(_NEAR), day - NEAR, day + NEAR]
    there = read(_OF_HOUSE, values, using)
    gone = [recorded for recorded in there if recorded.n in left_out]
    return _since_the_first(
        [recorded for recorded in there if recorded.n not in left_out], gone, using
    )


def entries_elsewhere(
    partida: str,
    witnesses: Collection[str],
    *,
    up_to: UpTo | None = None,
    using: str = "default",
    read: Read = read_entries,
) -> tuple[RecordedEvent[Event], ...]:
    """What these persons witnessed in other partidas about that day, with the acts."""
    if not witnesses:
        return ()
    day = day_of(partida)
    with connections[using].cursor() as cursor:
        cursor.execute(_WITNESSED, [list(witnesses), day - NEAR, day + NEAR, partida])
        rows = cursor.fetchall()
    named = {entry for row in rows for entry in (row[:2], row[2:])}
    if up_to is not None:
        named = {(stream, n) for stream, n in named if n <= up_to.get(stream, 0)}
    return _named(named, using, read)


def _named(
    named: Iterable[tuple[str, int]], using: str, read: Read
) -> tuple[RecordedEvent[Event], ...]:
    ordered = sorted(named)
    if not ordered:
        return ()
    return tuple(read(_NAMED, [[name for name, _ in ordered], [n for _, n in ordered]], using))


def entries_around(
    partida: str,
    entries: Collection[RecordedEvent[Event]],
    *,
    up_to: UpTo | None = None,
    using: str = "default",
    read: Read = read_entries,
) -> tuple[RecordedEvent[Event], ...]:
    """What is recorded outside a partida of its table and machine, its decks, incidents,
    complaints.
    """
    asked = what_lies_around(partida, table_of(partida), day_of(partida), entries)
    with connections[using].cursor() as cursor:
        cursor.execute(AROUND, asked)
        named = {(stream, n) for stream, n in cursor.fetchall()}
    for package in extensions():
        named |= package.around_partida(partida, entries, using)
    if up_to is not None:
        named = {(stream, n) for stream, n in named if n <= up_to.get(stream, 0)}
    if not named:
        return ()
    return _counting(named, up_to, using, read)


def _counting(
    named: set[tuple[str, int]], up_to: UpTo | None, using: str, read: Read
) -> tuple[RecordedEvent[Any], ...]:
    """Those of some entries that count."""
    gone = not_counting(named, up_to, using)
    events = _named(named - gone, using, read)
    if not any(isinstance(one.event, LimitsSet) for one in events):
        return events
    return _since_the_first(events, _named(gone, using, read), using)


def _since_the_first(
    events: Iterable[RecordedEvent[Event]], gone: Collection[RecordedEvent[Event]], using: str
) -> tuple[RecordedEvent[Event], ...]:
    """Entries of the house, corrections with the moment their original was recorded at.

    What two persons put right of limits is so from the start. A person's office or duty is where
    the correction leaves alone whose it is and from when to when: else it was not known before.
    """
    if not gone:
        return tuple(events)
    before = {(one.stream, one.n): one for one in gone}
    asked = Supersession.objects.using(using).filter(
        stream__in={one.stream for one in gone}, original_n__in={one.n for one in gone}
    )
    corrects = {
        (stream, n): (stream, of)
        for stream, n, of in asked.values_list("stream", "n", "original_n")
    }

    def first(recorded: RecordedEvent[Event]) -> RecordedEvent[Event]:
        found, at = recorded.recorded_at, (recorded.stream, recorded.n)
        while at in corrects and (original := before.get(corrects[at])) is not None:
            if _whose(original) != _whose(recorded) and not isinstance(recorded.event, LimitsSet):
                break
            found, at = original.recorded_at, (original.stream, original.n)
        return recorded if found == recorded.recorded_at else replace(recorded, recorded_at=found)

    return tuple(map(first, events))


def _whose(recorded: RecordedEvent[Event]) -> tuple[object, ...]:
    """Whose an office or a duty is, and from when to when."""
    event = recorded.event
    names = ("staff", "office", "valid_from", "valid_until", "tables")
    return event.kind, recorded.occurred_at, *(getattr(event, name, None) for name in names)


def not_counting(
    named: Collection[tuple[str, int]], up_to: UpTo | None, using: str
) -> set[tuple[str, int]]:
    """Those of some entries that were corrected, or are corrections nobody approved yet."""
    streams, numbers = {stream for stream, _ in named}, {n for _, n in named}
    last = {stream: EVERYTHING if up_to is None else up_to.get(stream, 0) for stream in streams}
    with connections[using].cursor() as cursor:
        cursor.execute(_NOT_COUNTING, [list(streams), list(numbers)])
        rows = cursor.fetchall()
    return {
        (stream, n)
        for stream, n, since, until in rows
        if since <= last[stream] and (until is None or until > last[stream])
    }


def dossier_of(
    partida: str,
    *,
    as_of: datetime | None = None,
    up_to: UpTo | None = None,
    house: tuple[RecordedEvent[Event], ...] | None = None,
    and_recorded: Collection[RecordedEvent[Any]] = (),
    using: str = "default",
    read: Read = read_entries,
) -> Dossier:
    """Everything the book tells of a partida, for judging it as it stands at `as_of` (now).

    `house` are the house's entries of its day, for whoever makes several dossiers of one day;
    `read` is how entries are read, for whoever keeps them. `and_recorded` are not in the book yet
    and not in the dossier either: what they name is read with it, as what the book names.
    """
    stream = stream_of(partida)
    last = EVERYTHING if up_to is None else up_to.get(stream, 0)
    left_out = replaced(stream, partida, last, using)
    there = read(_OF_PARTIDA, [stream, partida, 1, last, None], using)
    entries = tuple(recorded for recorded in there if recorded.n not in left_out)
    named = (*entries, *and_recorded)
    witnesses = {recorded.event.staff for recorded in named if recorded.event.kind == "witnessed/1"}
    day = day_of(partida)
    return Dossier(
        partida=partida,
        table=table_of(partida),
        gaming_day=day,
        as_of=as_of or clock.now(),
        entries=entries,
        house=house_entries(day, up_to=up_to, using=using, read=read) if house is None else house,
        around=entries_around(partida, named, up_to=up_to, using=using, read=read),
        elsewhere=entries_elsewhere(partida, witnesses, up_to=up_to, using=using, read=read),
        replaced=tuple(recorded for recorded in there if recorded.n in left_out),
    )


def earlier_games(
    dossier: Dossier, *, up_to: UpTo | None = None, using: str = "default"
) -> tuple[Dossier, ...]:
    """The games of these weeks in which any deck of a game's shoes was, by their names, those that
    began later too; of each only what is recorded of its decks and its rounds. None for a game that
    is dealt from a shuffler.
    """
    if any(one.event.dealing != "shoe" for one in dossier.of(PartidaOpened)):
        return ()
    decks = {each.deck for one in dossier.of(CardsShuffled) for each in one.event.decks}
    decks |= {each.deck for one in dossier.of(PartidaOpened) for each in one.event.decks}
    if not decks or not dossier.of(RoundPlayed):
        return ()
    day = dossier.gaming_day
    with connections[using].cursor() as cursor:
        cursor.execute(_HAD_DECKS, {"decks": sorted(decks), "since": day - _DECKS_LAST, "day": day})
        names = sorted(name for (name,) in cursor.fetchall() if name != dossier.partida)
    return tuple(_of_cards(name, dossier.as_of, up_to, using) for name in names)


def _of_cards(partida: str, as_of: datetime, up_to: UpTo | None, using: str) -> Dossier:
    stream = stream_of(partida)
    last = EVERYTHING if up_to is None else up_to.get(stream, 0)
    left_out = replaced(stream, partida, last, using)
    kinds = [one.kind for one in ABOUT_CARDS]
    there = read_entries(_OF_CARDS, [stream, partida, last, kinds], using)
    entries = tuple(one for one in there if one.n not in left_out)
    return Dossier(
        partida=partida,
        table=table_of(partida),
        gaming_day=day_of(partida),
        as_of=as_of,
        entries=entries,
    )


def day_of(partida: str) -> date:
    """The gaming day a partida's name tells. Raises: Malformed."""
    return gaming_day_of(table_of(partida), partida)


def offices_at(staff: str, instant: datetime, using: str = "default") -> frozenset[str]:
    """The offices a person (or a device) held at a moment, as far as the book knows by now."""
    asked = "SELECT g.held FROM casino_office_grant AS g WHERE g.person = %(person)s AND "
    with connections[using].cursor() as cursor:
        cursor.execute(asked + held_at(), {"person": staff, "at": instant})
        return frozenset(held for (held,) in cursor.fetchall())


def offices_held(instant: datetime, using: str = "default") -> set[tuple[str, str]]:
    """Every person with an office he held at a moment, as far as the book knows by now."""
    asked = "SELECT g.person, g.held FROM casino_office_grant AS g WHERE "
    with connections[using].cursor() as cursor:
        cursor.execute(asked + held_at(), {"at": instant})
        return set(cursor.fetchall())


def held_at() -> str:
    """In a statement, of the grants `g` those that hold at the moment ``%(at)s``."""
    return _HELD.format(granted=counting("g"), ended=counting("e"))


def office_at(staff: str, instant: datetime, using: str = "default") -> str | None:
    """The office a person held at a moment; None for none. The highest where there are several."""
    held = offices_at(staff, instant, using)
    return next((office for office in _BY_RANK if office in held), None)


_BY_RANK: Final = (
    "chefia_da_sala", "fiscal_chefe", "fiscal_de_banca", "pagador", "inspetor", "auditor",
    "administrador", "dispositivo", "sistema",
)  # fmt: skip


def load_entry(entry_id: UUID | str, using: str = "default") -> RecordedEvent[Any] | None:
    """One entry by its id, whether it counts or not."""
    found = read_entries(" WHERE e.id = %s", [entry_id], using)
    return found[0] if found else None
