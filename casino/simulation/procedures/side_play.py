"""Play for a progressive prize at one table: chips, markers, winning cards, payments, witnesses.

Law: PT art. 39, 41 to 50.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from random import Random
from typing import Final

from casino.cards import Card
from casino.events.round.round_played import RoundPlayed, Wager
from casino.simulation.draft import Betting, Draft
from casino.simulation.procedures import simulated_cast
from casino.simulation.procedures.procedure_acts import SECOND, Act, ByName, Partida, Who, Word
from casino.simulation.procedures.simulated_pools import WHOLE, Pool, Prize
from casino.simulation.procedures.simulated_tables import SeatedTable
from casino.tlog.canonical import instant_text

HOLDER_LAYS: Final = 0.6
OTHER_LAYS: Final = 0.2
ROUNDS_NAME_CHIPS: Final = (
    0.7  # where the display is raised by hand, a device may know of chips too
)
SEEN: Final = 40 * SECOND  # from the first card until somebody says that he has won
STANDING: Final = 99
TRIES: Final = 40
# Whose first cards are arranged: the highest prize or the smallest, of one player or of two.
ARRANGED: Final = (("low",), ("low", "low"), ("top",), ("low", "top"), ("top", "top"))
MEANS: Final = ("cash", "chips", "transfer")


@dataclass(frozen=True, slots=True)
class Chip:
    """Where a chip lies, whose it is, where he sits."""

    box: int
    owner: str
    seat: int | None

    @property
    def payload(self) -> dict[str, object]:
        """As events tell it."""
        seat = {} if self.seat is None else {"seat": self.seat}
        return {"box": self.box, "owner": self.owner} | seat


@dataclass(slots=True, eq=False)
class SidePlay:
    """The prize at one table. `waiting` are the arrangements still to be made, by their rounds.

    What cannot be arranged in `TRIES` rounds is given up. `second` looks on when a prize is paid,
    `manager` puts the next start value in.
    """

    partida: Partida
    table: SeatedTable
    pool: Pool
    rng: Random
    rounds_name_chips: bool = True
    second: Who = simulated_cast.MANAGER
    manager: Who = simulated_cast.MANAGER
    waiting: dict[int, tuple[str, ...]] = field(default_factory=dict)
    arranged: tuple[str, ...] = ()
    tries: int = 0
    after: list[Act] = field(default_factory=list)  # told when the device has recorded the round

    def __post_init__(self) -> None:
        self.partida.pool = self.pool.code

    def planned(self) -> "SidePlay":
        """By chance, or as somebody wishes: what is arranged, whether rounds tell of chips."""
        wishes = self.partida.wishes
        if self.pool.by_hand:
            by_chance = self.rng.random() < ROUNDS_NAME_CHIPS
            self.rounds_name_chips = by_chance or bool(self.partida.meant_for)
        at = self.rng.randint(3, 9)
        named = [wishes["winners"]] if "winners" in wishes else []
        for names in named or self.rng.sample(ARRANGED, self.rng.choice((1, 1, 2))):
            self.waiting[at] = names
            at += self.rng.randint(3, 6)
        return self

    # Before the deal

    def arrange(self) -> None:
        """Stack the cards of the next round, if it is time for it."""
        due = [at for at in self.waiting if at <= self.table.played]
        if due:
            self.arranged = self.waiting[due[0]]
            hands = {"top": self.pool.table.highest, "low": self.pool.table.smallest}
            self.table.hoped = [
                hands[name][place].split() for place, name in enumerate(self.arranged)
            ]

    def _made(self, won: list[tuple[Chip, Prize]]) -> None:
        """Whether what was arranged came about; if not the next round is stacked again."""
        tops = sum(prize.share == WHOLE for _, prize in won)
        found = tops >= self.arranged.count("top") and len(won) >= len(self.arranged)
        self.tries += bool(self.arranged)
        if self.arranged and (found or self.tries > TRIES):
            del self.waiting[min(self.waiting)]
            self.tries = 0
        self.arranged, self.table.hoped = (), []

    # The round

    def played(self, record: RoundPlayed) -> RoundPlayed:
        """The round as it is recorded, its chips and winnings told beside it.

        Its cards lie there until every prize is paid.
        """
        draft = self.table.draft
        assert draft is not None
        chips = list(self._laid(draft))
        if self.rounds_name_chips:
            record = self._with_chips(record, chips)
        if chips and self.pool.by_hand:
            self._collected(record, chips)
        won = [
            (chip, prize)
            for chip in chips
            for prize in [self.pool.table.won_by(_first_cards(draft, chip.box))]
            if prize is not None
        ]
        self._made(won)
        return self._paid(record, won) if won else record

    def _laid(self, draft: Draft) -> Iterator[Chip]:
        """One chip of each owner at most, each where he has a stake in the game."""
        laid: set[str] = set()
        arranged = [box.number for box in draft.boxes if box.holder is not None]
        arranged = arranged[: len(self.arranged)]
        for box in draft.boxes:
            seats = {w.owner: w.seat for w in box.wagers if w.kind in ("main", "even_money")}
            for owner, seat in seats.items():
                luck = HOLDER_LAYS if owner == box.holder else OTHER_LAYS
                surely = box.number in arranged and owner == box.holder
                if (surely or self.rng.random() < luck) and owner not in laid:
                    laid.add(owner)
                    yield Chip(box.number, owner, seat)

    def _with_chips(self, record: RoundPlayed, chips: list[Chip]) -> RoundPlayed:
        boxes = []
        for box in record.boxes:
            seated = any(wager.seat is not None for wager in box.wagers)
            here = tuple(
                Wager(
                    chip.owner,
                    "jackpot",
                    self.pool.chip_cents,
                    0,
                    seat=chip.seat if seated else None,
                    chip=1,
                )
                for chip in chips
                if chip.box == box.number
            )
            boxes.append(replace(box, wagers=box.wagers + here))
        return replace(record, boxes=tuple(boxes))

    def _collected(self, record: RoundPlayed, chips: list[Chip]) -> None:
        """The dealer takes the chips, leaves markers, and raises the display."""
        values = {
            **self.partida.where,
            "jackpot": self.pool.code,
            "chips": [chip.payload | {"n": 1, "marked": True} for chip in chips],
            "round": record.round,
            "shoe": record.shoe,
            "number": record.number,
            "chip_cents": self.pool.chip_cents,
            "closing_called": True,
            "collected_before_deal": True,
        }
        at = self.table.resting.moment("stakes_closed")
        self.partida.record(at, ByName("jackpot-incremented/1", values))

    # Winnings

    def _paid(self, record: RoundPlayed, won: list[tuple[Chip, Prize]]) -> RoundPlayed:
        """The win, its payments one after the other, and when the cards were collected then."""
        resting = self.table.resting
        at = resting.moment("first_card") + SEEN
        hit = self._record(at, "jackpot-won/1", self._won(record, won, at))
        full = False
        for step, (chip, prize) in enumerate(sorted(won, key=self._in_turn), start=1):
            at += self.rng.randint(40, 110) * SECOND
            full |= prize.share == WHOLE
            said = {
                "hit": hit,
                **chip.payload,
                "code": prize.code,
                "step": step,
                "means": self.rng.choice(MEANS),
                "document": f"Recibo {step}",
                "paid_at": instant_text(at),
                "approved_by": self.second.staff,
            }
            said.pop("seat", None)
            self._seen(self._record(at, "jackpot-paid/1", said))
        if full:
            begun = {
                "start_cents": self.pool.start_cents,
                "reason": "after_full_payout",
                "hit": hit,
            }
            again = ByName("jackpot-started/1", {"jackpot": self.pool.code, **begun})
            # With the last payment: no other table is to take a chip for an empty meter.
            self.after.append(self.partida.record(at, again, self.manager))
        return self._rested(record, at + 30 * SECOND)

    def _won(
        self, record: RoundPlayed, won: list[tuple[Chip, Prize]], at: datetime
    ) -> dict[str, object]:
        return {
            "winners": [chip.payload | {"code": prize.code} for chip, prize in won],
            "round": record.round,
            "shoe": record.shoe,
            "number": record.number,
            "opened_at": instant_text(at),
        }

    def _in_turn(self, laid: tuple[Chip, Prize]) -> tuple[int, int, int]:
        """The smallest prize first; of the same, the lowest seat."""
        chip, prize = laid
        lowest = -self.pool.table.prizes.index(prize)
        return lowest, chip.seat or STANDING, chip.box

    def _record(self, at: datetime, kind: str, said: dict[str, object]) -> Act:
        values = {**self.partida.where, "jackpot": self.pool.code, **said}
        act = self.partida.record(at, ByName(kind, values))
        self.after.append(act)
        return act

    def _seen(self, paid: Act) -> None:
        """Another person looked on, and says so."""
        second, left = self.second, paid.at + 10 * SECOND
        word = Word(paid, second.staff, second.office, "50", paid.at - 20 * SECOND, left)
        self.after.append(self.partida.record(left, word, second))

    def _rested(self, record: RoundPlayed, until: datetime) -> RoundPlayed:
        """The cards are collected no earlier; the next round waits for it."""
        resting = self.table.resting
        late = max(until - resting.moment("collected"), timedelta(0))
        times, found = resting.last, record.times
        resting.last = replace(
            times, collected=_plus(times.collected, late), inserted=_plus(times.inserted, late)
        )
        resting.pause(late)
        if found is None:
            return record
        moved = replace(
            found, collected=_plus(found.collected, late), inserted=_plus(found.inserted, late)
        )
        return replace(record, times=moved)

    def play_out(self, at: datetime) -> None:
        """The round is in the book; where nothing else tells of its chips, the rest follows it."""
        if not self.pool.by_hand:
            for one in self.after:
                one.recorded_at = max(one.at, at + SECOND)
        self.after.clear()


def _plus(moment: datetime | None, late: timedelta) -> datetime | None:
    return None if moment is None else moment + late


def _first_cards(draft: Draft, number: int) -> list[Card]:
    """The cards a box got, in the order in which they came."""
    box: Betting = next(one for one in draft.boxes if one.number == number)
    if len(box.hands) == 1:
        return list(box.hands[0].cards)
    return [card for card, place, _ in draft.dealt if place == number]
