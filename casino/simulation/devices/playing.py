"""Machines that send at the same time, each in its thread, until all is acknowledged."""

import threading
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from itertools import count
from random import Random
from typing import Final, NamedTuple

from casino.simulation.devices.house_line import AGAIN, Line, Refused
from casino.simulation.devices.planned_messages import (
    CALM,
    Message,
    Sending,
    Trouble,
    in_order,
    messages,
    rounds_of,
)

WAITS: Final = (0.02, 0.1, 0.5, 1.0)  # seconds before the same is sent again; the last from then on
LAST: Final = 120.0  # seconds what was begun has once time is up or `stop` is set
REUSED: Final = "message-number-reused"


@dataclass(slots=True)
class Tally:
    """What became of a machine's messages.

    `entries` is the entry each acknowledged round was given, by its UUID; `answers` how often each
    status came (0: none); `took` the seconds from when a message was due until it was acknowledged.
    `messages` were acknowledged, `open` never; `sent`, `lost`, `again` and `reused` count sendings.
    `wrong` says, a line each, what a house must not do.
    """

    entries: dict[str, str] = field(default_factory=dict)
    answers: Counter[int] = field(default_factory=Counter)
    took: list[float] = field(default_factory=list)
    messages: int = 0
    sent: int = 0
    lost: int = 0
    again: int = 0
    reused: int = 0
    open: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, tally: "Tally") -> None:
        """Those of another machine too."""
        self.entries |= tally.entries
        self.answers += tally.answers
        self.took += tally.took
        self.wrong += tally.wrong
        for name in ("messages", "sent", "lost", "again", "reused", "open"):
            setattr(self, name, getattr(self, name) + getattr(tally, name))


@dataclass(frozen=True, slots=True)
class Plan:
    """What each machine plays and how it sends it: rounds in all, in each message, a second (0: as
    quickly as they are taken).
    """

    seed: int
    day: date
    rounds: int
    batch: int = 1
    error_rate: float = 0.0
    rate: float = 0.0
    trouble: Trouble = CALM


class Machine(NamedTuple):
    """A line, the table its rounds are played at, the number of its first message."""

    line: Line
    table: str
    first: int = 1


class Player:
    """One machine: its line, what it has to send, what became of it.

    `pace` are the seconds from one message to the next, 0 for none, the first due `begins` seconds
    after the start.
    """

    def __init__(
        self, line: Line, turns: Iterable[Sending], pace: float = 0.0, begins: float = 0.0
    ) -> None:
        self.line, self.turns, self.pace, self.begins = line, turns, pace, begins
        self.tally = Tally()
        self.before: Message | None = None

    def play(self, started: float, until: float, stop: threading.Event) -> None:
        """Send until there is no more, `stop` is set, or the clock (monotonic) shows `until`."""
        try:
            for turn, sending in enumerate(self.turns):
                due = started + self.begins + turn * self.pace if self.pace else time.monotonic()
                if stop.wait(max(0.0, min(due, until) - time.monotonic())) or due >= until:
                    return
                self._send(sending, due, until + LAST, stop)
        except Refused as error:
            self.tally.wrong.append(str(error))
        finally:
            self.line.close()

    def _send(self, sending: Sending, due: float, end: float, stop: threading.Event) -> None:
        message, tally = sending.message, self.tally
        headers = {
            "Message-Number": str(message.number),
            "Message-Sent-At": (datetime.now(UTC) + message.ahead).isoformat(),
        }
        tally.again += sending.again
        for half in () if sending.again else message.lost:
            tally.lost += 1
            self.line.lose(message.path, message.body, headers, half=half)
        stopped = 0.0  # seconds waited since nothing new is begun
        for tries in count():
            tally.sent += 1
            status, said = self.line.post(message.path, message.body, headers)
            tally.answers[status] += 1
            if status in (200, 201):
                break
            if status not in AGAIN:
                raise Refused(f"{self.line.number}, message {message.number}: {status} {said}")
            wait = WAITS[min(tries, len(WAITS) - 1)]
            stopped += wait if stop.is_set() else 0
            if time.monotonic() > end or stopped > LAST:
                tally.open += 1
                return
            time.sleep(wait)
        tally.took.append(time.monotonic() - due)
        tally.messages += not sending.again
        receipts = said.get("receipts", [said])
        for key, receipt in zip(message.rounds, receipts, strict=True):
            kept = tally.entries.setdefault(key, receipt["entry"])
            if kept != receipt["entry"]:
                tally.wrong.append(f"{key} was acknowledged as {kept} and as {receipt['entry']}")
        if message.reused and not sending.again:
            self._reuse(message, headers)
        self.before = message

    def _reuse(self, message: Message, headers: dict[str, str]) -> None:
        """The body before it, known by another number, under this one: it must be refused."""
        if self.before is None or self.before.body == message.body:
            return
        status, said = self.line.post(self.before.path, self.before.body, headers)
        self.tally.answers[status] += 1
        self.tally.reused += 1
        if status not in AGAIN and (status != 422 or not said.get("type", "").endswith(REUSED)):
            who = f"{self.line.number}, message {message.number} with another body"
            self.tally.wrong.append(f"{who}: {status} {said}")


def players_of(machines: Sequence[Machine], plan: Plan) -> list[Player]:
    """The machines with all they have to send; `plan.rate` is that of all together."""
    pace = plan.batch * len(machines) / plan.rate if plan.rate else 0.0
    players: list[Player] = []
    for place, (line, table, first) in enumerate(machines):
        rng = Random(f"livro-da-sala/{plan.seed}/{place}/line")
        played = rounds_of(place, table, plan.seed, plan.rounds, plan.error_rate, plan.day)
        sent = messages((one for one, _ in played), plan.batch, first, plan.trouble, rng)
        turns = in_order(sent, plan.trouble, rng)
        players.append(Player(line, turns, pace, pace * place / len(machines)))
    return players


def play(players: Sequence[Player], seconds: float, stop: threading.Event | None = None) -> float:
    """Let them all play, no new message after so many seconds or once `stop` is set; the seconds it
    took. Each one's tally is its own, and may be read meanwhile.
    """
    stop = stop or threading.Event()
    started = time.monotonic()
    threads = [
        threading.Thread(
            target=one.play, args=(started, started + seconds, stop), name=one.line.number
        )
        for one in players
    ]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    except BaseException:
        stop.set()
        raise
    return time.monotonic() - started


def tally_of(players: Iterable[Player]) -> Tally:
    """All of them together."""
    whole = Tally()
    for one in players:
        whole.add(one.tally)
    return whole
