"""What the progressive prizes of an evening come to, in the order in which it was recorded.

Every chip adds its part, every win takes what it is worth and the highest prize takes the rest; the
amounts are written where somebody tells them. A breach may tell something else in their place.
Written once more by another hand than the law's: whole microcents, a cent is a million.

Law: PT art. 40, 41, 43, 44, 50.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from casino.events.round.round_played import RoundPlayed
from casino.simulation.procedures.procedure_acts import Act, ByName, NumberOf, Partida, Word
from casino.simulation.procedures.simulated_pools import WHOLE, Pool

NOWHERE: Final = 99  # whoever stands comes after all seats
Chip = tuple[str, int]  # its owner, the box it lies on


@dataclass(slots=True)
class Reckoning:
    """One prize while its evening is recorded. Units: microcents, where no cents are said.

    `met` is whether somebody won while there was nothing left and nothing new put in.
    """

    pool: Pool
    games: dict[str, Partida]
    started: int = 0
    added: int = 0
    adjusted: int = 0
    paid_cents: int = 0
    held_cents: dict[int, int] = field(default_factory=dict)  # by the win's act
    due: dict[int, dict[Chip, int]] = field(default_factory=dict)
    wins: dict[int, Act] = field(default_factory=dict)
    emptied: Act | None = None
    met: bool = False
    last: dict[str, Act] = field(default_factory=dict)  # of each stream that was recorded

    @property
    def running(self) -> int:
        """What the next round plays for."""
        out = self.paid_cents + sum(self.held_cents.values())
        return self.started + self.added + self.adjusted - out * WHOLE

    def take(self, act: Act) -> None:
        """Reckon with one act."""
        event = act.event
        if isinstance(event, ByName) and event.final["jackpot"] == self.pool.code:
            _TAKEN[event.kind](self, act, event)
        elif isinstance(event, RoundPlayed) and not self.pool.by_hand:
            game = self.games.get(event.partida)
            if game is not None and game.pool == self.pool.code and self._in_force(act):
                self.added += self._laid(event) * self.pool.terms.event.final["rate_millionths"]
        self.last[_stream_of(act)] = act

    def _in_force(self, act: Act) -> bool:
        terms, confirmed = self.pool.terms, self.pool.confirmed
        return confirmed in self.pool.acts and max(terms.at, confirmed.known_at) < act.known_at

    def _laid(self, record: RoundPlayed) -> int:
        return sum(
            wager.stake_cents
            for box in record.boxes
            for wager in box.wagers
            if wager.kind == "jackpot"
        )

    def incremented(self, act: Act, event: ByName) -> None:
        """Chips collected by hand, and what the display showed then."""
        values = event.final
        chips = sum(chip["n"] for chip in values["chips"])
        if self.pool.by_hand and self._in_force(act):
            self.added += (
                chips * values["chip_cents"] * self.pool.terms.event.final["rate_millionths"]
            )
        event.payload["display_cents"] = self.running // WHOLE

    def begun(self, act: Act, event: ByName) -> None:
        """The house puts a start value in; one that is not due is none."""
        if self.emptied is not None or not self.started:
            self.started += int(event.final["start_cents"]) * WHOLE
        self.emptied = None

    def won(self, act: Act, event: ByName) -> None:
        """A round has winners: what each is due is held from here on."""
        self.met |= self.emptied is not None
        event.payload["running_microcents"] = self.running
        due, rest = shared_out(self.running, self.pool, event.final["winners"])
        self.wins[id(act)] = act
        self.due[id(act)] = due
        # By terms that are not in force nothing is won, whatever is handed out.
        self.held_cents[id(act)] = sum(due.values()) if self._in_force(act) else 0
        if rest and self._in_force(act):
            self.emptied = act

    def handed_out(self, act: Act, event: ByName) -> None:
        """A winner gets his money; a second time is nothing to the meter."""
        hit = id(event.final["hit"])
        event.payload["paid_cents"] = self.due[hit].get(
            (event.final["owner"], event.final["box"]), 0
        )
        paid = event.final["paid_cents"]
        if not event.final.get("again") and paid <= self.held_cents[hit]:
            self.held_cents[hit] -= paid
            self.paid_cents += paid

    def corrected(self, act: Act, event: ByName) -> None:
        """The meter is put right."""
        self.adjusted += event.final["microcents"]

    def read(self, act: Act, event: ByName) -> None:
        """Somebody reads the display."""
        event.payload["display_cents"] = self.running // WHOLE

    def sealed(self, act: Act, event: ByName) -> None:
        """The sum so far, with everything it is made of."""
        tables = {f"table/{table}" for table in self.pool.terms.event.final["tables"]}
        own = f"jackpot/{self.pool.code}"
        event.payload |= {
            "microcents": self.running,
            "started_cents": self.started // WHOLE,
            "contributed_microcents": self.added,
            "adjusted_microcents": self.adjusted,
            "paid_cents": self.paid_cents,
            "held": [
                {"hit": NumberOf(self.wins[hit]), "cents": cents}
                for hit, cents in self.held_cents.items()
                if cents
            ],
            "up_to": [
                {"stream": stream, "n": NumberOf(last)}
                for stream, last in sorted(self.last.items())
                if stream == own or stream in tables
            ],
            "emptied_by": None if self.emptied is None else NumberOf(self.emptied),
        }

    def nothing(self, act: Act, event: ByName) -> None:
        """Terms change no amount."""


_TAKEN: Final = {
    "jackpot-incremented/1": Reckoning.incremented,
    "jackpot-started/1": Reckoning.begun,
    "jackpot-won/1": Reckoning.won,
    "jackpot-paid/1": Reckoning.handed_out,
    "jackpot-adjusted/1": Reckoning.corrected,
    "jackpot-read/1": Reckoning.read,
    "jackpot-sealed/1": Reckoning.sealed,
    "terms-approved/1": Reckoning.nothing,
    "terms-confirmed/1": Reckoning.nothing,
}


def _stream_of(act: Act) -> str:
    event = act.event
    if isinstance(event, Word):
        return _stream_of(event.act)
    if not isinstance(event, ByName):
        return str(event.stream)
    at_table = event.kind == "jackpot-incremented/1"
    return f"table/{event.final['table']}" if at_table else f"jackpot/{event.final['jackpot']}"


def shared_out(
    running: int, pool: Pool, winners: Iterable[dict[str, Any]]
) -> tuple[dict[Chip, int], bool]:
    """Each winner's cents, and whether the rest was taken.

    The smaller prizes in full as long as there is something; the rest goes to the highest in equal
    parts, a cent that is left over to the lowest seat first. Law: PT art. 43, 50.
    """
    found = [(winner, pool.table.prize(winner["code"])) for winner in winners]
    top = [winner for winner, prize in found if prize is not None and prize.share == WHOLE]
    left, due = running // WHOLE, {}
    smaller = [
        (prize.cents(running), _seat(winner), _chip(winner))
        for winner, prize in found
        if prize is not None and winner not in top
    ]
    for cents, _, chip in sorted(smaller):
        due[chip] = min(cents, left)
        left -= due[chip]
    for place, winner in enumerate(sorted(top, key=_seat)):
        due[_chip(winner)] = left // len(top) + (place < left % len(top))
    return due, bool(top)


def _seat(winner: dict[str, Any]) -> tuple[int, int, str]:
    return winner.get("seat", NOWHERE), winner["box"], winner["owner"]


def _chip(winner: dict[str, Any]) -> Chip:
    return winner["owner"], winner["box"]


def reckon(pools: Iterable[Pool], acts: Iterable[Act], games: Iterable[Partida]) -> bool:
    """Write the amounts of an evening into its acts, which are given as they were recorded.

    Whether every prize was won from a meter that had been started.
    """
    by_name = {game.name: game for game in games}
    reckonings = [Reckoning(pool, by_name) for pool in pools]
    for act in acts:
        for one in reckonings:
            one.take(act)
    return not any(one.met for one in reckonings)
