"""The whole story of a pool, read out of the book's entries alone, in the order it happened.

No shelf is asked: what stands there is compared with this. The order is that of recording, by
moment, stream and number; whoever changes a pool as a whole was recorded alone (`models.locks`), so
no contribution lies on the wrong side of it.

Law: PT art. 40, 41, 44, 50.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Final

from casino.facts.fact import EntryRef
from casino.facts.rounds import RoundPlayed
from casino.queries import EVERYTHING, fact_kinds, streamed
from casino.reading.payload import fact_in_book
from casino.regulation.law import load_law
from jackpot.facts import (
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
from jackpot.progressive.prizes import PrizeList
from jackpot.progressive.running import Pool, WonNow
from jackpot.progressive.terms import Terms
from jackpot.queries.pools import RULEBOOK, winner_name
from jackpot.queries.versions import Version, in_order, version_at
from jackpot.rules.readings import payout_readings

_CORRECTED: Final = "corrected/1"
_OPENED: Final = "partida-opened/1"
# Of rounds, those in which somebody laid a jackpot chip: a look at their bytes spares reading them.
_STORY: Final = """
SELECT s.name, e.n, e.kind, e.gaming_day, e.table_code, e.partida_id, e.occurred_at, e.recorded_at,
    e.entry
FROM book_entry e JOIN book_stream s ON s.id = e.stream_id
WHERE (s.name = %s AND e.n <= %s)
    OR (s.name LIKE 'table/%%' AND (
        e.kind = ANY(%s)
        OR e.kind = 'round-played/1' AND position(%s::bytea IN e.entry) > 0
    ))
ORDER BY e.recorded_at, s.name, e.n
"""
_KINDS: Final = (JackpotIncremented.kind, _OPENED, _CORRECTED)
_CHIP: Final = b'"kind":"jackpot"'


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

    @property
    def name(self) -> str:
        """What the meter knows it by."""
        return str(self.n) if self.stream.startswith("jackpot/") else f"{self.stream}#{self.n}"

    @property
    def fact(self) -> Any:
        """What it tells. Its private values are withheld."""
        return fact_in_book(fact_kinds()[self.kind], self.body["payload"])


def _entry(row: tuple[Any, ...]) -> Entry:
    stream, n, kind, day, table, partida, occurred_at, recorded_at, entry = row
    body = json.loads(bytes(entry))
    return Entry(stream, n, kind, day, table, partida, occurred_at, recorded_at, body)


@dataclass(slots=True)
class _Reading:
    """What of the story so far bears on the rest of it."""

    jackpot: str
    terms: dict[int, tuple[TermsApproved, datetime]] = field(default_factory=dict)
    versions: tuple[Version, ...] = ()
    # By partida, when its opening was told first and the pools it named.
    opened: dict[str, tuple[str, ...]] = field(default_factory=dict)
    # What each entry of chips adds to the meter where it counts: a correction may name it later.
    worth: dict[tuple[str, int], int] = field(default_factory=dict)


def story(
    jackpot: str, *, until: Mapping[str, int] | None = None, using: str = "default"
) -> Iterator[MeterEvent]:
    """Every event of a pool, in true order, not all at once. Law: PT art. 40, 41, 44, 50.

    `until` are the last entries of the streams that are read (all there are).
    """
    reading = _Reading(jackpot)
    own = pool_stream(jackpot)
    last = EVERYTHING if until is None else until.get(own, 0)
    with streamed(_STORY, [own, last, list(_KINDS), _CHIP], using) as cursor:
        for row in cursor:
            one = _entry(row)
            if until is None or one.n <= until.get(one.stream, 0):
                yield from _events(one, reading)


def replayed(
    jackpot: str, *, until: Mapping[str, int] | None = None, using: str = "default"
) -> Pool:
    """The pool made again from its entries alone."""
    return Pool().take_all(story(jackpot, until=until, using=using))


def _events(one: Entry, reading: _Reading) -> Iterator[MeterEvent]:
    if one.kind in (RoundPlayed.kind, JackpotIncremented.kind):
        yield from _chips(one, reading)
    elif one.kind == _CORRECTED:
        yield from _correction(one, reading)
    elif one.kind == _OPENED:
        if one.body["supersedes"] is None:
            pools = tuple(one.body["payload"].get("jackpots") or ())
            reading.opened.setdefault(one.partida, pools)
    elif one.kind == TermsApproved.kind:
        reading.terms[one.n] = (one.fact, one.recorded_at)
    elif one.kind == TermsConfirmed.kind:
        _confirm(one, reading)
    elif one.kind in _OF_POOL:
        yield _OF_POOL[one.kind](one, reading)


def _confirm(one: Entry, reading: _Reading) -> None:
    named: EntryRef = one.fact.confirms
    told = reading.terms.get(named.n)
    if told is not None:
        version = _version(named.n, *told, one.recorded_at)
        reading.versions = in_order([*reading.versions, version])


def _version(n: int, fact: TermsApproved, recorded_at: datetime, confirmed_at: datetime) -> Version:
    terms = Terms(
        since=fact.valid_from,
        stake_cents=fact.stake_cents,
        rate_millionths=fact.rate_millionths,
        start_cents=fact.start_cents,
        prizes=PrizeList(fact.cards_counted, fact.prize_lines, fact.match),
        marking=fact.marking,
        recorded_at=recorded_at,
        option_reference=fact.option_reference,
        communicated_on=fact.communicated_on,
        approval_reference=fact.approval_reference,
        approved_on=fact.approved_on,
    )
    return Version(fact.terms, n, terms, confirmed_at, fact.tables, fact.limit_cents)


def _chips(one: Entry, reading: _Reading) -> Iterator[MeterEvent]:
    """One event for all the chips of an entry that feed the meter."""
    payload = one.body["payload"]
    by_round = one.kind == RoundPlayed.kind
    if by_round and reading.opened.get(one.partida) != (reading.jackpot,):
        return
    if not by_round and payload["jackpot"] != reading.jackpot:
        return
    version = version_at(reading.versions, one.occurred_at, one.recorded_at)
    if version is None or not version.feeds(one.table, "round" if by_round else "increment"):
        return
    stake = _staked_in_round(payload) if by_round else _collected(payload, version)
    rate = version.terms.rate_millionths
    reading.worth[one.stream, one.n] = contribution_microcents(stake, rate)
    if one.body["supersedes"] is None:  # a correction counts once it is approved
        yield Contributed(entry=one.name, stake_cents=stake, rate_millionths=rate)


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


def _correction(one: Entry, reading: _Reading) -> Iterator[MeterEvent]:
    payload = one.body["payload"]
    if payload["decision"] != "approved":
        return
    pending, original = (
        (payload[which]["stream"], payload[which]["n"]) for which in ("pending", "original")
    )
    change = reading.worth.get(pending, 0) - reading.worth.get(original, 0)
    if change:
        yield Adjusted(entry=one.name, microcents=change, reason="counting_error")


def _start(one: Entry, reading: _Reading) -> MeterEvent:
    fact: JackpotStarted = one.fact
    return Started(entry=one.name, start_cents=fact.start_cents)


def _win(one: Entry, reading: _Reading) -> MeterEvent:
    fact: JackpotWon = one.fact
    version = version_at(reading.versions, one.occurred_at, one.recorded_at)
    return WonNow(
        entry=one.name,
        winners=tuple(Winner(each.owner, each.box, each.code, each.seat) for each in fact.winners),
        prizes=None if version is None else version.terms.prizes,
        readings=payout_readings(load_law(RULEBOOK).on(one.gaming_day)),
        told_microcents=fact.running_microcents,
    )


def _payment(one: Entry, reading: _Reading) -> MeterEvent:
    fact: JackpotPaid = one.fact
    winner = winner_name(fact.owner, fact.box)
    return Paid(entry=one.name, hit=str(fact.hit.n), winner=winner, cents=fact.paid_cents)


def _adjustment(one: Entry, reading: _Reading) -> MeterEvent:
    fact: JackpotAdjusted = one.fact
    if fact.hit is not None:
        return Withdrawn(entry=one.name, hit=str(fact.hit.n))
    return Adjusted(entry=one.name, microcents=fact.microcents, reason=fact.reason)


def _seal(one: Entry, reading: _Reading) -> MeterEvent:
    fact: JackpotSealed = one.fact
    return Sealed(entry=one.name, microcents=fact.microcents)


def _display(one: Entry, reading: _Reading) -> MeterEvent:
    fact: JackpotRead = one.fact
    return Read(entry=one.name, display_cents=fact.display_cents)


_OF_POOL: Final = {
    JackpotStarted.kind: _start,
    JackpotWon.kind: _win,
    JackpotPaid.kind: _payment,
    JackpotAdjusted.kind: _adjustment,
    JackpotSealed.kind: _seal,
    JackpotRead.kind: _display,
}
