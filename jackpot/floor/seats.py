"""Who may have laid a chip, and in which round: offered to be tapped, never taken for granted.

Pure: read off the partida's record.

Law: PT art. 45 (a main stake), 47 (one chip a player).
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from casino.events.floor_life import SeatLeft, SeatTaken
from casino.events.round.round_played import RoundPlayed, Wager
from casino.law.dossier import Dossier, RecordedEvent, in_time
from jackpot.events import JackpotIncremented

LIVE: Final = timedelta(minutes=20)  # since the last round was told: they are told as they go,
AT_ONCE: Final = timedelta(minutes=5)  # where it was told no later than this after it was played
_MAIN: Final = ("main", "even_money")


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat that can be tapped: whose it is there, and on which box his chip lies.

    `taken` is whether somebody sits there as far as the record tells; `laid` how many chips lay
    there when chips were collected last, in whatever round.
    """

    number: int
    owner: str
    box: int
    taken: bool
    laid: int = 0

    @property
    def chip(self) -> bool:
        """Whether a chip lay there the last time."""
        return self.laid > 0


@dataclass(frozen=True, slots=True)
class Which:
    """A round that can be meant; `round` its UUID where it is on record."""

    shoe: int
    number: int
    round: str | None = None

    @property
    def value(self) -> str:
        """How a form names it."""
        return f"{self.shoe}/{self.number}"


def increments_of(dossier: Dossier, jackpot: str) -> list[RecordedEvent[JackpotIncremented]]:
    """The increments of a pool in this partida, in the order in which they happened."""
    found = [one for one in dossier.of(JackpotIncremented) if one.event.jackpot == jackpot]
    return sorted(found, key=in_time)


def seats_of(
    dossier: Dossier, jackpot: str, boxes: int, occupied: Collection[int]
) -> tuple[Seat, ...]:
    """Every seat of the table, with what the record tells of who sits there."""
    owners, places = _owners(dossier, jackpot)
    last = increments_of(dossier, jackpot)
    chips = {chip.seat: chip.n for chip in last[-1].event.chips} if last else {}
    return tuple(
        Seat(
            number=n,
            owner=owners.get(n, f"J{n}"),
            box=places.get(n, n),
            taken=n in occupied,
            laid=chips.get(n, 0),
        )
        for n in range(1, boxes + 1)
    )


def _owners(dossier: Dossier, jackpot: str) -> tuple[dict[int, str], dict[int, int]]:
    """By seat, what its player is called in this partida, and the box he plays on."""
    owners: dict[int, str] = {}
    places: dict[int, int] = {}
    events: list[RecordedEvent[Any]] = [
        one
        for one in dossier.entries
        if isinstance(one.event, SeatTaken | SeatLeft | RoundPlayed | JackpotIncremented)
    ]
    for one in sorted(events, key=in_time):
        event = one.event
        if isinstance(event, SeatTaken | SeatLeft):
            places.pop(event.seat, None)
            owners.pop(event.seat, None)
            if isinstance(event, SeatTaken) and event.player is not None:
                owners[event.seat] = event.player
        elif isinstance(event, RoundPlayed):
            for seat, owner, box in _staked(event):
                owners[seat], places[seat] = owner, box
        elif event.jackpot == jackpot:
            for chip in event.chips:
                if chip.seat is not None:
                    owners[chip.seat], places[chip.seat] = chip.owner, chip.box
    return owners, places


def _staked(played: RoundPlayed) -> Iterable[tuple[int, str, int]]:
    """Seat, owner and box of each who had a main stake; on his own box before another."""
    laid: list[tuple[bool, int, Wager]] = [
        (wager.seat == box.number, -box.number, wager)
        for box in played.boxes
        for wager in box.wagers
        if wager.kind in _MAIN and wager.seat is not None
    ]
    for _own, box, wager in sorted(laid, key=lambda one: one[:2]):
        assert wager.seat is not None
        yield wager.seat, wager.owner, -box


def rounds_recorded(dossier: Dossier, jackpot: str) -> list[Which]:
    """The rounds that may be meant, the latest first: collected for last, recorded last."""
    found: list[Which] = []
    played = max(dossier.of(RoundPlayed), key=in_time, default=None)
    places = {
        (one.event.shoe, one.event.number): one.event.round for one in dossier.of(RoundPlayed)
    }
    last = increments_of(dossier, jackpot)
    listed: list[Any] = [*([last[-1].event] if last else []), *([played.event] if played else [])]
    for event in listed:
        if event.shoe is None or event.number is None:
            continue
        one = Which(event.shoe, event.number, event.round or places.get((event.shoe, event.number)))
        if one.value not in [before.value for before in found]:
            found.append(one)
    return sorted(found, key=lambda which: (which.shoe, which.number), reverse=True)


def next_round(
    dossier: Dossier, jackpot: str, now: datetime, *, shoe: int, dealt: bool
) -> Which | None:
    """The round about to be dealt; None where rounds are not recorded while they are played.

    `shoe` is the shoe at the table, `dealt` whether it is one somebody makes ready.
    """
    played = max(dossier.of(RoundPlayed), key=in_time, default=None)
    last = increments_of(dossier, jackpot)
    live = (
        played is not None
        and played.recorded_at - played.occurred_at <= AT_ONCE
        and now - played.recorded_at <= LIVE
    )
    named = last[-1].event if last and last[-1].event.number is not None else None
    if not live and named is None:
        return None
    latest = next(iter(rounds_recorded(dossier, jackpot)), None)
    if latest is None:
        return None
    if dealt and shoe > latest.shoe:
        return Which(shoe, 1)
    return Which(latest.shoe, latest.number + 1)
