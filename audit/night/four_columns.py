"""What a regulator weighs of anything that went wrong: found, stopped, reported, made good.

Pure. The moments are those on record; a column nobody recorded is None and stays so. Law: PT art.
51, 55 (what is communicated).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

StoppedBy = Literal["before", "interruption", "closing"]


class Stop(NamedTuple):
    """An interruption of play, or its end (`stops` false), with its coded reason."""

    at: datetime
    stops: bool
    reason: str = ""


class Stopped(NamedTuple):
    """When play stopped: it stood already (`before`), was interrupted, or went on to the closing.

    `reason` is what the interruption gives as its own: it may have been another one.
    """

    at: datetime
    by: StoppedBy
    reason: str = ""


class Touched(NamedTuple):
    """Rounds in doubt with the cents staked on them; `after` of these were dealt after it was
    noticed.

    `exact` is false where they were too many to judge one by one: then all are an upper bound and
    `after` is None. `possible` are those merely possible, among `rounds`.
    """

    rounds: int
    staked: int
    possible: int = 0
    after: int | None = 0
    exact: bool = True


class Refund(NamedTuple):
    """Cents handed back to a player of a game: of a voided round, or by a complaint's decision."""

    player: str
    partida: str
    cents: int
    by: Literal["voided", "complaint"]
    complaint: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """Something that went wrong. `number` is its incident's, '' where none was reported.

    `kind` and `entry_id` name the entry it is known from, `what` its coded category; `in_doubt`
    says whether a deck is, and so whole rounds are; `too_long` that they lie in more games than
    were followed, so that nothing is said of them.
    """

    entry_id: str
    kind: str
    what: str
    number: str
    table: str
    partida: str
    decks: tuple[str, ...]
    detected: datetime
    recorded: datetime
    stopped: Stopped | None = None
    reported: datetime | None = None
    touched: Touched | None = None
    refunds: tuple[Refund, ...] = ()
    in_doubt: bool = False
    too_long: bool = False


def stopped(detected: datetime, stops: Iterable[Stop], closed: datetime | None) -> Stopped | None:
    """When play at a table stopped after something was found there; None where it did not.

    `closed` is when the game was closed, None while it is open.
    """
    standing: Stop | None = None
    ordered = sorted(stops, key=lambda one: one.at)
    for one in ordered:
        if one.at < detected:
            standing = one if one.stops else None
    if standing is not None:
        return Stopped(standing.at, "before", standing.reason)
    first = next((one for one in ordered if one.stops and one.at >= detected), None)
    if first is not None and (closed is None or first.at <= closed):
        return Stopped(first.at, "interruption", first.reason)
    return None if closed is None or closed < detected else Stopped(closed, "closing")


def minutes(since: datetime, until: datetime) -> int:
    """Whole minutes between two moments; 0 where the second came first."""
    return max(int((until - since).total_seconds()) // 60, 0)


def first_report(detected: datetime, reports: Iterable[datetime | None]) -> datetime | None:
    """The first report on record; one from before it was found is of something else."""
    since = [at for at in reports if at is not None and at >= detected]
    return min(since, default=None)


def refunds_of(several: Iterable[Refund]) -> tuple[Refund, ...]:
    """Each player once for each way his money came back, in the order they were found."""
    found: dict[tuple[str, str, str, str], Refund] = {}
    for one in several:
        key = (one.player, one.partida, one.by, one.complaint)
        before = found.get(key)
        found[key] = one if before is None else one._replace(cents=one.cents + before.cents)
    return tuple(found.values())
