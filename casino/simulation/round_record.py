"""From the draft to the round record."""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import cache
from random import Random
from typing import Final, Literal

from casino.cards import Card
from casino.events.round.round_played import (
    Bank,
    Box,
    Dealt,
    Device,
    Hand,
    Place,
    RoundPlayed,
    Times,
    Wager,
)
from casino.simulation.draft import Betting, Draft, Wagered

# What a record may leave out; each name is one thing that somebody forgot or no device recorded.
OPTIONAL: Final = (
    "dealt", "times", "paid", "seats", "dealer", "device", "rulebook", "limits", "open",
    "at_once", "initial", "wager_seats", "decided_by",
)  # fmt: skip

OPENING: Final = timedelta(hours=18)
EVENING: Final = timedelta(hours=14)
PACE: Final = timedelta(seconds=75)


@dataclass(frozen=True, slots=True)
class Heading:
    """What stands above a round: who, where, which."""

    table: str
    partida: str
    shoe: int | None
    number: int
    device: Device
    dealer: str


class Clock:
    """The rounds of one table spread over the evening. Times are aware UTC."""

    def __init__(self, day: date, rounds: int) -> None:
        self.opening = datetime(day.year, day.month, day.day, tzinfo=UTC) + OPENING
        self.pace = min(PACE, EVENING / max(rounds, 1))

    def times(self, index: int, rng: Random, *, shuffler: bool, late: bool) -> Times:
        """The moments of the round; `late` puts the closing of the stakes after the first card."""
        start = self.opening + self.pace * (index + 0.05 * rng.random())
        pace = self.pace
        stakes, first = start, start + pace * 0.04
        return Times(
            stakes_closed=start + pace * 0.06 if late else stakes,
            first_card=first,
            paid=start + pace * 0.7,
            collected=start + pace * 0.75,
            inserted=start + pace * 0.8 if shuffler else None,
        )


class RestingClock(Clock):
    """Rounds one after the other, but for the pauses made."""

    def __init__(self, opening: datetime) -> None:
        self.opening = opening
        self.pace = PACE
        self.last = Times()

    def times(self, index: int, rng: Random, *, shuffler: bool, late: bool) -> Times:
        """The moments of the next round, which are kept."""
        self.last = super().times(index, rng, shuffler=shuffler, late=late)
        return self.last

    def pause(self, length: timedelta) -> None:
        """Let nothing be played for a while."""
        self.opening += length

    def moment(self, name: str) -> datetime:
        """One of the moments of the last round."""
        found: datetime | None = getattr(self.last, name)
        assert found is not None
        return found


@cache
def _place(box: int, hand: int) -> Place | Literal["bank", "discard"]:
    if box > 0:
        return Place(box, hand)
    return "bank" if box == 0 else "discard"


@cache
def _dealt(card: Card, box: int, hand: int) -> Dealt:
    return Dealt(card, _place(box, hand))


def round_id(moment: datetime, rng: Random) -> str:
    """A version 7 UUID of that moment, its chance part from `rng`."""
    epoch = int(moment.timestamp() * 1000)
    chance = rng.getrandbits(74)
    number = epoch << 80 | 7 << 76 | (chance >> 62) << 64 | 2 << 62 | chance & (1 << 62) - 1
    text = f"{number:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def left_out(rng: Random) -> frozenset[str]:
    """What this record does not say: mostly nothing."""
    if rng.random() > 0.12:
        return frozenset()
    return frozenset(rng.sample(OPTIONAL, rng.randint(1, 3)))


def as_round(
    draft: Draft,
    heading: Heading,
    times: Times,
    warning: int | None,
    out: frozenset[str],
    rng: Random,
) -> RoundPlayed:
    """The record of the round. Raises: Malformed, should the draft contradict itself."""
    moment = times.first_card
    assert moment is not None
    if "paid" in out:
        times = Times(times.stakes_closed, times.first_card, None, None, times.inserted)
    return RoundPlayed(
        round=round_id(moment, rng),
        table=heading.table,
        partida=heading.partida,
        boxes=tuple([_box(box, out, draft.opening) for box in draft.boxes]),
        bank=Bank(
            tuple(draft.bank), tuple(draft.voided), None if "open" in out else draft.bank_open
        ),
        misdealt=tuple(draft.misdealt),
        shoe=heading.shoe,
        number=heading.number,
        device=None if "device" in out else heading.device,
        dealer=None if "dealer" in out else heading.dealer,
        rulebook=None if "rulebook" in out else "pt",
        limits=None if "limits" in out else draft.limits,
        times=None if "times" in out else times,
        seats_occupied=None if "seats" in out else tuple(draft.seats),
        dealt=None if "dealt" in out else tuple([_dealt(*entry) for entry in draft.dealt]),
        warning_card_at=warning,
    )


def _box(box: Betting, out: frozenset[str], opening: int) -> Box:
    return Box(
        number=box.number,
        vacant=box.holder is None,
        hands=tuple(
            [Hand(h.number, tuple(h.cards), tuple(h.actions), h.parent) for h in box.hands]
        ),
        wagers=tuple([_wager(wager, out, opening) for wager in box.wagers]),
        holder=box.holder,
        decided_by=None if "decided_by" in out else box.decided_by,
    )


def _wager(wager: Wagered, out: frozenset[str], opening: int) -> Wager:
    found = Wager(
        wager.owner,
        wager.kind,
        wager.stake,
        wager.returned,
        wager.hand,
        None if "wager_seats" in out else wager.seat,
        None if "initial" in out else wager.initial,
        None if "at_once" in out else wager.at_once,
    )
    if wager.kind != "insurance" or "at_once" in out:
        return found
    return replace(
        found,
        taken_at=opening - wager.too_soon,
        invited=not wager.unasked,
        on_its_place=not wager.beside,
    )
