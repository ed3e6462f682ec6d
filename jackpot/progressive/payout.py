"""Who is paid what in a round with winners, in which order, and how each amount was reckoned.

Smaller prizes come first and are paid in full; what is left goes to the top combination, and
several who have it share equally. Whatever cannot be handed over in whole cents stays on the meter.
Every amount is a step with all its figures, so that a page can print the reckoning and a reader can
repeat it.

Law: PT art. 43, 50 (readings jackpot-remainder, odd-cent, jackpot-share-of).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from casino.law.finding import Breach
from casino.law.questions import breach
from jackpot.progressive.amounts import MICROCENTS
from jackpot.progressive.prizes import PrizeLine, PrizeList

Reckoned = Literal["share", "fixed", "remainder"]


@dataclass(frozen=True, slots=True)
class PayoutReadings:
    """What the text of n.º 50 leaves open, as the law in force reads it.

    `odd_cent`: what an equal division leaves goes cent by cent to the lowest seats (``"player"``)
    or stays on the meter (``"house"``). `remainder`: only a top combination takes it, or, where
    several won and none is top, the highest prize of the round. `share_of`: a share is one of the
    meter as it stood when the round was won, or of what the smaller prizes left.
    """

    odd_cent: Literal["player", "house"] = "player"
    remainder: Literal["top_combination", "highest_winner"] = "top_combination"
    share_of: Literal["value_when_won", "what_is_left"] = "value_when_won"


ADOPTED: Final = PayoutReadings()


@dataclass(frozen=True, slots=True)
class Winner:
    """A player whose counted cards won: on which box, by which line. `seat` None: he stands."""

    owner: str
    box: int
    code: str
    seat: int | None = None

    @property
    def name(self) -> str:
        """What a meter knows him by within his round."""
        return f"{self.owner}/{self.box}"


@dataclass(frozen=True, slots=True)
class Step:
    """One payment and how it came about.

    `by` says how: `share_millionths` of `of_microcents`, a fixed amount, or the remainder
    `of_microcents` divided among `among` winners, with `odd_cents` more for this one out of what
    the division left.
    `due_cents` is what that makes, `paid_cents` what the meter could bear; `before_microcents` and
    `after_microcents` are the meter around it.
    """

    order: int
    winner: Winner
    by: Reckoned
    of_microcents: int
    before_microcents: int
    due_cents: int
    paid_cents: int
    share_millionths: int | None = None
    among: int = 1
    odd_cents: int = 0

    @property
    def after_microcents(self) -> int:
        """The meter after it."""
        return self.before_microcents - self.paid_cents * MICROCENTS


@dataclass(frozen=True, slots=True)
class Payout:
    """All payments of one round, in their order, out of `before_microcents`.

    `full` is whether the remainder was taken, so that the meter has to be started again;
    `repeated` are winners named a second time, who get nothing for it; `readings` those the
    amounts hang on; `breaches` what the terms should not have let happen. Law: PT art. 50.
    """

    before_microcents: int
    steps: tuple[Step, ...]
    full: bool
    repeated: tuple[Winner, ...] = ()
    readings: tuple[str, ...] = ()
    breaches: tuple[Breach, ...] = ()

    @property
    def paid_cents(self) -> int:
        """All that is paid. Units: cents."""
        return sum(step.paid_cents for step in self.steps)

    @property
    def owed_cents(self) -> dict[str, int]:
        """The same by winner, as a meter names them. Units: cents."""
        return {step.winner.name: step.paid_cents for step in self.steps}

    @property
    def after_microcents(self) -> int:
        """What stays on the meter: before is after and paid, to the microcent."""
        return self.before_microcents - self.paid_cents * MICROCENTS


def payout(
    microcents: int,
    prizes: PrizeList,
    winners: Sequence[Winner],
    readings: PayoutReadings = ADOPTED,
) -> Payout:
    """What a round's winners are paid out of so much on the meter.

    A chip is one owner's on one box: named twice, it wins once.
    Raises: Malformed, for a code the list does not have. Law: PT art. 43, 47, 50.
    """
    named: dict[tuple[str, int], Winner] = {}
    repeated = []
    for place, winner in enumerate(winners):
        prizes.line(winner.code, f"$.winners[{place}].code")
        if named.setdefault((winner.owner, winner.box), winner) is not winner:
            repeated.append(winner)
    paying = _Paying(microcents, prizes, readings)
    smaller, takers = _parted(list(named.values()), paying)
    for winner in smaller:
        paying.prize(winner)
    paying.remainder(takers)
    if len(named) > 1 and not paying.top_won(named.values()) and paying.left >= MICROCENTS:
        paying.hang_on("jackpot-remainder")
    return Payout(
        microcents,
        tuple(paying.steps),
        bool(takers),
        tuple(repeated),
        tuple(paying.readings),
        tuple(paying.breaches),
    )


def _lowest_first(winner: Winner) -> tuple[bool, int, int, str]:
    """Seats in their order, then whoever stands, by the box his chip lay on."""
    return winner.seat is None, winner.seat or 0, winner.box, winner.owner


def _parted(winners: list[Winner], paying: "_Paying") -> tuple[list[Winner], list[Winner]]:
    """Who gets a prize of his own, the smallest first, and who gets what is left.

    Law: PT art. 50 a) (reading jackpot-remainder).
    """
    due = {winner: paying.line(winner).due_cents(paying.left) for winner in winners}
    takers = [winner for winner in winners if paying.line(winner).top]
    if not takers and len(winners) > 1 and paying.by.remainder == "highest_winner":
        most = max(due.values())
        takers = [winner for winner in winners if due[winner] == most]
    smaller = [winner for winner in winners if winner not in takers]
    smaller.sort(key=lambda winner: (due[winner], _lowest_first(winner)))
    return smaller, sorted(takers, key=_lowest_first)


class _Paying:
    """A meter while a round's prizes are taken from it."""

    def __init__(self, microcents: int, prizes: PrizeList, readings: PayoutReadings) -> None:
        self.whole = self.left = microcents
        self.prizes = prizes
        self.by = readings
        self.steps: list[Step] = []
        self.readings: list[str] = []
        self.breaches: list[Breach] = []

    def line(self, winner: Winner) -> PrizeLine:
        """The line this winner won."""
        return self.prizes.line(winner.code)

    def top_won(self, winners: Iterable[Winner]) -> bool:
        """Whether one of them has a top combination."""
        return any(self.line(winner).top for winner in winners)

    def hang_on(self, reading: str) -> None:
        """Note a reading the amounts hang on, once."""
        if reading not in self.readings:
            self.readings.append(reading)

    def pay(self, winner: Winner, reckoned: Reckoned, due_cents: int, **figures: Any) -> None:
        """Take a payment from the meter, or what is there of it."""
        paid = min(due_cents, self.left // MICROCENTS)
        if paid < due_cents:
            self.hang_on("jackpot-remainder")
            self.breaches.append(
                breach(
                    {"meter_cents": paid},
                    {"prize_cents": due_cents},
                    where={"owner": winner.owner, "box": winner.box},
                    readings=("jackpot-remainder",),
                )
            )
        self.steps.append(
            Step(
                order=len(self.steps) + 1,
                winner=winner,
                by=reckoned,
                before_microcents=self.left,
                due_cents=due_cents,
                paid_cents=paid,
                **figures,
            )
        )
        self.left -= paid * MICROCENTS

    def prize(self, winner: Winner) -> None:
        """A prize of its own. Law: PT art. 43, 50 a)."""
        line = self.line(winner)
        of = self.whole if self.by.share_of == "value_when_won" else self.left
        due = line.due_cents(of)
        if line.due_cents(self.whole) != line.due_cents(self.left):
            self.hang_on("jackpot-share-of")
        by: Reckoned = "share" if line.fixed_cents is None else "fixed"
        self.pay(winner, by, due, of_microcents=of, share_millionths=line.share_millionths)

    def remainder(self, takers: Sequence[Winner]) -> None:
        """What is left, in equal shares. Law: PT art. 50 a), b) (reading odd-cent)."""
        of, among = self.left, len(takers)
        if not takers:
            return
        each, odd = divmod(of // MICROCENTS, among)
        if odd:
            self.hang_on("odd-cent")
        for place, winner in enumerate(takers):
            one = 1 if place < odd and self.by.odd_cent == "player" else 0
            if not self.line(winner).top:
                self.hang_on("jackpot-remainder")
            figures = {"of_microcents": of, "among": among, "odd_cents": one}
            self.pay(winner, "remainder", each + one, **figures)
