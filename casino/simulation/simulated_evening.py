"""A whole evening: several tables, every round in turn, errors planted and labelled.

The same seed makes the same evening everywhere: each table has its own `random.Random`, nothing
depends on the order of sets or on the machine.
"""

from collections.abc import Iterator
from datetime import date
from random import Random
from typing import Final

from casino.events.round.round_played import Device, Limits, RoundPlayed
from casino.simulation import rarities
from casino.simulation.card_source import OutOfCards, Shoe, Shuffler
from casino.simulation.deal_round import play_round
from casino.simulation.draft import Draft
from casino.simulation.fault_labels import Label
from casino.simulation.faults.every_fault import AFTER_THE_LAST, ARTICLE_OF_AFTER_THE_LAST, Mischief
from casino.simulation.guests import MOST_BOXES, Floor
from casino.simulation.planting import Kind, Mark
from casino.simulation.round_record import Clock, Heading, as_round, left_out

LIMITS: Final = (
    Limits(1000, 30000),
    Limits(2500, 50000),
    Limits(500, 15000),
    Limits(1500, 40000),
)
MODES: Final = (("shoe", 6), ("shuffler", 6), ("shoe", 4), ("shuffler", 4))
SEATS: Final = (7, 7, 6)
CARDS_A_BOX: Final = 5  # reckoned for each box of a round that should not be
DEALER_STAYS: Final = 40  # rounds

_ONE_MORE: Final = Kind(AFTER_THE_LAST, ARTICLE_OF_AFTER_THE_LAST, lambda draft, rng: Mark())


class Table:
    """One table through the evening."""

    def __init__(self, index: int, seed: int, rounds: int, day: date, mischief: Mischief) -> None:
        self.rng = Random(f"livro-da-sala/{seed}/{index}")
        self.mischief = mischief
        self.name = f"BJ-{index + 1:02d}"
        self.partida = f"{self.name}/{day.isoformat()}/1"
        mode, self.decks = MODES[index % len(MODES)]
        self.floor = Floor(self.rng, LIMITS[index % len(LIMITS)], SEATS[index % len(SEATS)])
        for _ in range(self.rng.randint(1, 8)):
            self.floor.arrive()
        self.clock = Clock(day, rounds)
        self.sequence = self.rng.randint(10_000, 60_000)
        self.played = 0
        self.shoe: int | None = None
        self.number = 0
        self.warned = False
        self.source: Shoe | Shuffler
        if mode == "shoe":
            self.shoe = 0
            self._next_shoe()
        else:
            self.source = Shuffler(self.decks, self.rng)

    def _next_shoe(self) -> None:
        self.shoe = (self.shoe or 0) + 1
        self.number = 0
        self.warned = False
        self.source = Shoe(self.decks, self.rng, alone=len(self.floor.seated) == 1)

    def next_round(self, error_rate: float) -> tuple[RoundPlayed, Label | None]:
        """Play one round; with that probability plant an error in it."""
        self.floor.move()
        wicked = self.rng.random() < error_rate
        most = MOST_BOXES
        after_the_last = False
        if self.warned:
            most = (self.source.room() - 10) // CARDS_A_BOX
            after_the_last = wicked and most > 0 and self.rng.random() < 0.3
            if not after_the_last:
                self._next_shoe()
                most = MOST_BOXES
        while True:
            try:
                draft = self._deal(most)
                break
            except OutOfCards:
                after_the_last = False
                self._next_shoe()
                most = MOST_BOXES
        planted: tuple[Kind, Mark] | None = None
        if after_the_last:
            planted = (_ONE_MORE, Mark())
        elif wicked:
            planted = self.mischief.plant(draft, self.rng)
        elif self.rng.random() < rarities.OFTEN and self.source.room() > 1:
            rarities.befall(draft, self.rng)
        return self._recorded(draft, planted)

    def _deal(self, most: int) -> Draft:
        if isinstance(self.source, Shuffler):
            self.source.reinsert()
        floor = self.floor
        draft = Draft(floor.boxes(most), floor.limits, self.source, sorted(floor.seated))
        play_round(draft, floor.styles, self.rng)
        return draft

    def _recorded(
        self, draft: Draft, planted: tuple[Kind, Mark] | None
    ) -> tuple[RoundPlayed, Label | None]:
        """Number the round, write its record and its label."""
        self.number += 1
        self.sequence += 1
        warning = None
        source = self.source
        if isinstance(source, Shoe) and not self.warned:
            warning = source.warning_in(len(draft.dealt))
            self.warned = warning is not None
        shuffler = self.shoe is None
        heading = Heading(
            self.name,
            self.partida,
            self.shoe,
            self.number,
            Device(f"{'CSM' if shuffler else 'SHOE'}-{self.name[3:]}", self.sequence),
            f"P-{101 + (self.played // DEALER_STAYS) % 7}",
        )
        times = self.clock.times(self.played, self.rng, shuffler=shuffler, late=draft.late_stakes)
        self.played += 1
        out = frozenset[str]() if planted else left_out(self.rng)
        record = as_round(draft, heading, times, warning, out, self.rng)
        return record, _label(record, planted)


def _label(record: RoundPlayed, planted: tuple[Kind, Mark] | None) -> Label | None:
    if planted is None:
        return None
    kind, mark = planted
    return Label(
        record.round,
        kind.article,
        kind.name,
        mark.box,
        mark.hand,
        mark.owner,
        mark.wager,
        mark.cents,
    )


def evening(
    seed: int, tables: int, rounds: int, error_rate: float, day: date
) -> Iterator[tuple[RoundPlayed, Label | None]]:
    """All rounds of an evening, table by table in turn, each with the label of its error if any.

    `rounds` are played at each of `tables` tables; `error_rate` is the share of rounds (0 to 1) in
    which one error is planted. Rounds come one at a time: memory does not grow with their number.
    Raises: ValueError, when a number is out of its range.
    """
    if tables < 0 or rounds < 0 or not 0.0 <= error_rate <= 1.0:
        raise ValueError("tables and rounds count from 0, the error rate lies between 0 and 1")
    mischief = Mischief(Random(f"livro-da-sala/{seed}"))
    floor = [Table(index, seed, rounds, day, mischief) for index in range(tables)]
    for _ in range(rounds):
        for table in floor:
            yield table.next_round(error_rate)
