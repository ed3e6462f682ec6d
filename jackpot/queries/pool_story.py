"""The whole story of a pool, read out of the book's entries alone, in the order it happened.

No projection is asked: what stands there is compared with this. The order is that of recording, by
moment, stream and number; whoever changes a pool as a whole was recorded alone (`models.locks`), so
no contribution lies on the wrong side of it.

Law: PT art. 40, 41, 44, 50.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import date, datetime
from heapq import merge
from typing import Any, Final

from django.db import connections, transaction

from casino.events.event import EntryRef
from casino.events.round.round_played import RoundPlayed
from casino.extensions import event_kinds
from casino.law.rulebook.rulebook_file import load_law
from casino.queries import heads
from casino.reading.payload import event_in_book
from jackpot.events import (
    JackpotAdjusted,
    JackpotIncremented,
    JackpotPaid,
    JackpotRead,
    JackpotSealed,
    JackpotStarted,
    JackpotWon,
    TermsApproved,
    TermsConfirmed,
    pool_stream,
)
from jackpot.progressive.amounts import contribution_microcents
from jackpot.progressive.meter import (
    Adjusted,
    Contributed,
    MeterEvent,
    Paid,
    Read,
    Sealed,
    Started,
    Withdrawn,
)
from jackpot.progressive.payout import Winner
from jackpot.progressive.running_meter import Pool, WonNow
from jackpot.queries.pool_queries import RULEBOOK, winner_name
from jackpot.queries.versions import Version, in_order, version_at
from jackpot.rules.law_readings import payout_readings
from jackpot.rules.pool_evening import as_terms

_CORRECTED: Final = "corrected/1"
_OPENED: Final = "partida-opened/1"
_COLUMNS: Final = """
SELECT s.name, e.n, e.kind, e.gaming_day, e.table_code, e.partida_id, e.occurred_at, e.recorded_at,
    e.entry, e.id
FROM book_entry e JOIN book_stream s ON s.id = e.stream_id
"""
_OWN: Final = "WHERE s.name = %s AND e.n > %s AND e.n <= %s ORDER BY e.n"
# Of rounds, those in which somebody laid a jackpot chip: a look at their bytes spares reading them.
_AT_A_TABLE: Final = """
WHERE s.name = %s AND e.n > %s AND e.n <= %s AND (
    e.kind = ANY(%s) OR e.kind = 'round-played/1' AND position(%s::bytea IN e.entry) > 0
)
ORDER BY e.n
"""
_AT: Final = "WHERE s.name = %s AND e.n = %s"
_KINDS: Final = (JackpotIncremented.kind, _OPENED, _CORRECTED)
_CHIP: Final = b'"kind":"jackpot"'
FETCHED: Final = 200  # entries of each stream at once


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the story."""

    stream: str
    n: int
    kind: str
    gaming_day: date
    table: str
    partida: str
    occurred_at: datetime
    recorded_at: datetime
    body: Mapping[str, Any]
    id: str

    @property
    def name(self) -> str:
        """What the meter knows it by."""
        return name_of(self.stream, self.n)

    @property
    def event(self) -> Any:
        """What it tells. Its private values are withheld."""
        return event_in_book(event_kinds()[self.kind], self.body["payload"])


def name_of(stream: str, n: int, leaf: str = "") -> str:
    """What the meter knows an entry by; of a pool's own stream its number."""
    return str(n) if stream.startswith("jackpot/") else f"{stream}#{n}"


def _entry(row: tuple[Any, ...]) -> Entry:
    stream, n, kind, day, table, partida, occurred_at, recorded_at, entry, entry_id = row
    body = json.loads(bytes(entry))
    return Entry(
        stream, n, kind, day, table, partida, occurred_at, recorded_at, body, str(entry_id)
    )


@dataclass(slots=True)
class _Reading:
    """What of the story so far bears on the rest of it."""

    jackpot: str
    terms: dict[int, tuple[TermsApproved, datetime]] = field(default_factory=dict)
    versions: tuple[Version, ...] = ()
    # By partida, when its opening was recorded first, and whether it named this pool alone.
    opened: dict[str, tuple[datetime, bool]] = field(default_factory=dict)
    begun_at: datetime | None = None  # when the first starting value was recorded


class Story:
    """The entries of a pool's story in true order, from wherever somebody stopped reading.

    Each stream is read by its numbers and all of them are merged, so nothing is sorted or kept:
    what has to be remembered are the terms and which partidas fed the pool. Nothing is locked, and
    `until` makes it one cut through the book, however long reading takes. `carried` is what
    `state()` gave, for whoever goes on.
    """

    def __init__(
        self,
        jackpot: str,
        until: Mapping[str, int],
        using: str = "default",
        carried: Mapping[str, Any] | None = None,
    ) -> None:
        self.jackpot, self.until, self.using = jackpot, until, using
        self.reach: dict[str, int] = {} if carried is None else dict(carried["reach"])
        self._reading = _Reading(jackpot)
        if carried is not None:
            self._reading.opened = {
                partida: (datetime.fromisoformat(at), alone)
                for partida, (at, alone) in carried["opened"].items()
            }
            self._read_terms_again()

    def state(self) -> dict[str, object]:
        """What has to be known to go on later, as JSON."""
        opened = self._reading.opened.items()
        values = {partida: [at.isoformat(), alone] for partida, (at, alone) in opened}
        return {"reach": self.reach, "opened": values}

    @property
    def versions(self) -> tuple[Version, ...]:
        """The terms that were confirmed so far."""
        return self._reading.versions

    def entries(self) -> Iterator[tuple[Entry, tuple[MeterEvent, ...]]]:
        """What is left, each entry with what it is to the meter; inside a transaction of its own.

        `reach` grows with each that was handed out.
        """
        own = pool_stream(self.jackpot)
        with transaction.atomic(using=self.using), ExitStack() as open_cursors:
            streams = [
                self._stream(number, name, last, open_cursors)
                for number, (name, last) in enumerate(sorted(self.until.items()))
                if (name == own or name.startswith("table/")) and last > self.reach.get(name, 0)
            ]
            for row in merge(*streams, key=_true_order):
                one = _entry(row)
                events = tuple(_events(one, self._reading, self.using))
                self.reach[one.stream] = one.n
                yield one, events

    def _stream(
        self, number: int, name: str, last: int, open_cursors: ExitStack
    ) -> Iterator[tuple[object, ...]]:
        values: list[object] = [name, self.reach.get(name, 0), last]
        where = _OWN
        if name.startswith("table/"):
            where, values = _AT_A_TABLE, [*values, list(_KINDS), _CHIP]
        connection = connections[self.using]
        connection.ensure_connection()
        assert connection.connection is not None
        cursor = open_cursors.enter_context(connection.connection.cursor(f"story {number}"))
        cursor.itersize = FETCHED
        cursor.execute(_COLUMNS + where, values)
        rows: Iterator[tuple[object, ...]] = iter(cursor)
        return rows

    def _read_terms_again(self) -> None:
        own = pool_stream(self.jackpot)
        for one in _read(_OWN, [own, 0, self.reach.get(own, 0)], self.using):
            if one.kind in (TermsApproved.kind, TermsConfirmed.kind, JackpotStarted.kind):
                list(_events(one, self._reading, self.using))


def _true_order(row: tuple[object, ...]) -> tuple[object, ...]:
    """Moment of recording, stream, number."""
    return row[7], row[0], row[1]


def _read(where: str, values: Sequence[Any], using: str) -> list[Entry]:
    with connections[using].cursor() as cursor:
        cursor.execute(_COLUMNS + where, values)
        return [_entry(row) for row in cursor.fetchall()]


def story(
    jackpot: str, *, until: Mapping[str, int] | None = None, using: str = "default"
) -> Iterator[MeterEvent]:
    """Every event of a pool, in true order, not all at once. Law: PT art. 40, 41, 44, 50.

    `until` are the last entries of the streams that are read (all there are).
    """
    for _, events in Story(jackpot, heads(using) if until is None else until, using).entries():
        yield from events


def replayed(
    jackpot: str, *, until: Mapping[str, int] | None = None, using: str = "default"
) -> Pool:
    """The pool made again from its entries alone."""
    return Pool().take_all(story(jackpot, until=until, using=using))


def _events(entry: Entry, reading: _Reading, using: str) -> Iterator[MeterEvent]:
    if entry.kind in (RoundPlayed.kind, JackpotIncremented.kind):
        yield from _chips(entry, reading)
    elif entry.kind == _CORRECTED:
        yield from _correction(entry, reading, using)
    elif entry.kind == _OPENED:
        if entry.body["supersedes"] is None:
            pools = entry.body["payload"].get("jackpots") or []
            reading.opened.setdefault(
                entry.partida, (entry.recorded_at, pools == [reading.jackpot])
            )
    elif entry.kind == TermsApproved.kind:
        reading.terms[entry.n] = (entry.event, entry.recorded_at)
    elif entry.kind == TermsConfirmed.kind:
        _confirm(entry, reading)
    elif entry.kind in _OF_POOL:
        yield _OF_POOL[entry.kind](entry, reading)


def _confirm(entry: Entry, reading: _Reading) -> None:
    named: EntryRef = entry.event.confirms
    listed = reading.terms.get(named.n)
    if listed is not None:
        version = _version(named.n, *listed, entry)
        reading.versions = in_order([*reading.versions, version])


def _version(n: int, event: TermsApproved, recorded_at: datetime, word: Entry) -> Version:
    terms, said = as_terms(event, recorded_at), (word.recorded_at, word.occurred_at)
    return Version(event.terms, n, terms, *said, event.tables, event.limit_cents)


def _chips(entry: Entry, reading: _Reading) -> Iterator[MeterEvent]:
    """One event for all the chips of an entry that feed the meter."""
    staked = _fed(entry, reading, entry.recorded_at)
    if staked is not None and entry.body["supersedes"] is None:  # a correction counts once approved
        stake, rate = staked
        yield Contributed(entry=entry.name, stake_cents=stake, rate_millionths=rate)


def _fed(entry: Entry, reading: _Reading, as_of: datetime) -> tuple[int, int] | None:
    """Stake and percentage of an entry's chips where they feed the meter; None where they do not.

    The same whenever it is asked: what was recorded or confirmed after `as_of` does not count.
    """
    payload = entry.body["payload"]
    by_round = entry.kind == RoundPlayed.kind
    if by_round:
        recorded_at, alone = reading.opened.get(entry.partida, (None, False))
        if recorded_at is None or not alone or recorded_at >= as_of:
            return None
    elif entry.kind != JackpotIncremented.kind or payload["jackpot"] != reading.jackpot:
        return None
    version = version_at(reading.versions, entry.occurred_at, as_of)
    if version is None or not version.feeds(entry.table, "round" if by_round else "increment"):
        return None
    stake = _staked_in_round(payload) if by_round else _collected(payload, version)
    return stake, version.terms.rate_millionths


def _staked_in_round(payload: Mapping[str, Any]) -> int:
    return sum(
        int(wager["stake_cents"])
        for box in payload["boxes"]
        for wager in box["wagers"]
        if wager["kind"] == "jackpot"
    )


def _collected(payload: Mapping[str, Any], version: Version) -> int:
    each = payload.get("chip_cents", version.terms.stake_cents)
    return sum(int(chip["n"]) for chip in payload["chips"]) * int(each)


def _correction(entry: Entry, reading: _Reading, using: str) -> Iterator[MeterEvent]:
    payload = entry.body["payload"]
    if payload["decision"] != "approved":
        return
    pending, original = (_named(payload[which], using) for which in ("pending", "original"))
    first = original
    while first is not None and first.body["supersedes"] is not None:
        first = _named(first.body["supersedes"], using)
    if first is None or reading.begun_at is None or first.recorded_at < reading.begun_at:
        return  # what was recorded before the start never counted
    change = _worth(pending, reading, first.recorded_at)
    change -= _worth(original, reading, first.recorded_at)
    if change:
        yield Adjusted(entry=entry.name, microcents=change, reason="counting_error")


def _named(ref: Mapping[str, Any], using: str) -> Entry | None:
    found = _read(_AT, [ref["stream"], ref["n"]], using)
    return found[0] if found else None


def _worth(entry: Entry | None, reading: _Reading, as_of: datetime) -> int:
    """What an entry that was read before adds to the meter where it counts. Units: microcents."""
    staked = None if entry is None else _fed(entry, reading, as_of)
    return 0 if staked is None else contribution_microcents(*staked)


def _start(entry: Entry, reading: _Reading) -> MeterEvent:
    event: JackpotStarted = entry.event
    reading.begun_at = reading.begun_at or entry.recorded_at
    return Started(entry=entry.name, start_cents=event.start_cents)


def _win(entry: Entry, reading: _Reading) -> MeterEvent:
    event: JackpotWon = entry.event
    version = version_at(reading.versions, entry.occurred_at, entry.recorded_at)
    return WonNow(
        entry=entry.name,
        winners=tuple(Winner(each.owner, each.box, each.code, each.seat) for each in event.winners),
        prizes=None if version is None else version.terms.prizes,
        readings=payout_readings(load_law(RULEBOOK).on(entry.gaming_day)),
        recorded_microcents=event.running_microcents,
    )


def _payment(entry: Entry, reading: _Reading) -> MeterEvent:
    event: JackpotPaid = entry.event
    winner = winner_name(event.owner, event.box)
    return Paid(
        entry=entry.name,
        hit=str(event.hit.n),
        winner=winner,
        cents=event.paid_cents,
        again=event.again is True,
    )


def _adjustment(entry: Entry, reading: _Reading) -> MeterEvent:
    event: JackpotAdjusted = entry.event
    if event.hit is not None:
        return Withdrawn(entry=entry.name, hit=str(event.hit.n))
    return Adjusted(entry=entry.name, microcents=event.microcents, reason=event.reason)


def _seal(entry: Entry, reading: _Reading) -> MeterEvent:
    event: JackpotSealed = entry.event
    return Sealed(entry=entry.name, microcents=event.microcents)


def _display(entry: Entry, reading: _Reading) -> MeterEvent:
    event: JackpotRead = entry.event
    return Read(entry=entry.name, display_cents=event.display_cents)


_OF_POOL: Final = {
    JackpotStarted.kind: _start,
    JackpotWon.kind: _win,
    JackpotPaid.kind: _payment,
    JackpotAdjusted.kind: _adjustment,
    JackpotSealed.kind: _seal,
    JackpotRead.kind: _display,
}
