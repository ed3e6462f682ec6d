"""What a machine sends, in which order, and what goes wrong on the way: decided by a seed alone."""

import json
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import islice
from random import Random
from typing import Final, NamedTuple

from casino.events.round.round_played import RoundPlayed
from casino.reading.round_writer import round_as_object
from casino.simulation.fault_labels import Label
from casino.simulation.faults.every_fault import Mischief
from casino.simulation.simulated_evening import Table

KEPT: Final = 20  # messages a machine on the line could send once more
LOST_AGAIN: Final = 3  # a message is lost so often at most
# How far a clock that lies may be off: a battery that was empty, a year typed wrongly.
LIES: Final = (timedelta(days=-20 * 365), timedelta(hours=-1), timedelta(days=365))


@dataclass(frozen=True, slots=True)
class Trouble:
    """Shares from 0 to 1 of a machine's messages, and how far its clock is off at most, in seconds.

    `lost`: sent, but the answer is not read, or the line breaks in the middle of the body.
    `doubled`: sent once more after it was acknowledged. `reused`: its number is then used for
    another body, which must be refused. `gaps`: the number before it is never used. `lying`: its
    clock tells another day. `offline`: nothing is sent before the last round was played, and then
    all of it, shuffled.
    """

    lost: float = 0.0
    doubled: float = 0.0
    reused: float = 0.0
    gaps: float = 0.0
    lying: float = 0.0
    skew: float = 0.0
    offline: bool = False


CALM: Final = Trouble()


@dataclass(frozen=True, slots=True)
class Message:
    """One message under its number: the UUIDs of its rounds, the address below /api/v1/, the bytes.

    `ahead` is how far the sender's clock is before ours. Of `lost` each is one sending whose answer
    is never read: False where all of it left, True where the line broke in its middle.
    """

    number: int
    rounds: tuple[str, ...]
    path: str
    body: bytes
    ahead: timedelta = timedelta(0)
    lost: tuple[bool, ...] = ()
    reused: bool = False


class Sending(NamedTuple):
    """A message's turn; `again` where it was acknowledged before."""

    message: Message
    again: bool


def rounds_of(
    place: int, table: str, seed: int, rounds: int, error_rate: float, day: date
) -> Iterator[tuple[RoundPlayed, Label | None]]:
    """The rounds of a machine's table, in the order played, with the label of a planted error.

    `place` is the machine's, from 0: another place is another evening. The game is the first of the
    day at `table`.
    """
    mischief = Mischief(Random(f"livro-da-sala/{seed}/{place}"))
    at = Table(place, seed, rounds, day, mischief)
    at.name, at.partida = table, f"{table}/{day.isoformat()}/1"
    for _ in range(rounds):
        yield at.next_round(error_rate)


def messages(
    played: Iterable[RoundPlayed], batch: int, first: int, trouble: Trouble, rng: Random
) -> Iterator[Message]:
    """The messages in their order, `batch` rounds in each, the first numbered `first`."""
    number, left = first - 1, iter(played)
    off = timedelta(seconds=rng.uniform(-trouble.skew, trouble.skew))
    while part := [round_as_object(one) for one in islice(left, batch)]:
        number += 2 if rng.random() < trouble.gaps else 1
        body: object = {"rounds": part} if batch > 1 else part[0]
        lost: list[bool] = []
        while len(lost) < LOST_AGAIN and rng.random() < trouble.lost:
            lost.append(rng.random() < 0.5)
        yield Message(
            number,
            tuple(str(one["round"]) for one in part),
            "rounds/batch" if batch > 1 else "rounds",
            json.dumps(body, separators=(",", ":")).encode(),
            rng.choice(LIES) if rng.random() < trouble.lying else off,
            tuple(lost),
            rng.random() < trouble.reused,
        )


def in_order(planned: Iterable[Message], trouble: Trouble, rng: Random) -> Iterator[Sending]:
    """Each message, some of them a second time; shuffled after hours offline."""
    if trouble.offline:
        kept = list(planned)
        turns = kept + [one for one in kept if rng.random() < trouble.doubled]
        rng.shuffle(turns)
        seen: set[int] = set()
        for one in turns:
            yield Sending(one, one.number in seen)
            seen.add(one.number)
        return
    lately: deque[Message] = deque(maxlen=KEPT)
    for one in planned:
        yield Sending(one, False)
        lately.append(one)
        if rng.random() < trouble.doubled:
            yield Sending(replace(rng.choice(lately), lost=()), True)
