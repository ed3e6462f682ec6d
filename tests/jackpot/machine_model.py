"""A pool reckoned a second time, by somebody who has seen neither the meter nor the projections.

He is recorded each act with its receipt, keeps exact fractions of a cent, and knows the law alone:
what feeds the meter, what is held for a win, in which order it is divided, when the house may put a
starting value in again. What does not fit changes nothing.

Law: PT art. 40, 41, 43, 44, 49, 50.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from typing import NamedTuple

from casino.recording import Receipt

MILLION = 1_000_000
TopAndShares = dict[str, tuple[str, int]]  # by combination: "share" of a million, or "fixed" cents
Prize = tuple[str, int, int]  # owner, box, cents


class Agreed(NamedTuple):
    """Terms that two people told of. `tables` None: all of them.

    `agreed_at` is when the second says that he did, `confirmed_at` when the book took it.
    """

    since: datetime
    n: int
    confirmed_at: datetime
    agreed_at: datetime
    stake_cents: int
    rate_millionths: int
    automatic: bool
    tables: tuple[str, ...] | None
    lines: TopAndShares


class Laid(NamedTuple):
    """Chips told by one entry: how many each, and what they were worth (None: as the terms say)."""

    table: str
    at: datetime
    by_round: bool
    chips: int
    cents: int | None


@dataclass
class PoolModel:
    """One pool. Amounts are cents, as fractions; wins go by their number in the pool's stream."""

    jackpot: str
    agreed: list[Agreed] = field(default_factory=list)
    opened: dict[str, tuple[str, ...]] = field(default_factory=dict)  # pools by table, first told
    worth: dict[tuple[str, int], Fraction] = field(default_factory=dict)
    started: Fraction = Fraction(0)
    contributed: Fraction = Fraction(0)
    adjusted: Fraction = Fraction(0)
    paid: Fraction = Fraction(0)
    begun_at: datetime | None = None
    emptied_by: int | None = None
    due: dict[int, int] = field(default_factory=dict)  # still held, by win
    prizes: dict[int, list[Prize]] = field(default_factory=dict)
    given: dict[tuple[int, str, int], int] = field(default_factory=dict)  # cents, by prize
    undone: set[int] = field(default_factory=set)
    lowered: int = 0  # acts after which a display may show less

    @property
    def begun(self) -> bool:
        """Whether there was a starting value."""
        return self.begun_at is not None

    @property
    def held(self) -> int:
        """Won and not paid."""
        return sum(self.due.values())

    @property
    def running(self) -> Fraction:
        """What the next round plays for."""
        return self.started + self.contributed + self.adjusted - self.paid - self.held

    @property
    def may_start(self) -> bool:
        """Whether the house may put a starting value in."""
        return not self.begun or self.emptied_by is not None

    def terms(self, at: datetime, recorded_at: datetime) -> Agreed | None:
        """Those in force then, of those that were agreed on before it was recorded."""
        known = [
            one
            for one in self.agreed
            if one.since <= at and one.agreed_at <= at and one.confirmed_at < recorded_at
        ]
        return max(known, key=lambda one: (one.since, one.n), default=None)

    def start(self, cents: int, recorded_at: datetime) -> None:
        """The house puts a starting value in."""
        if self.may_start:
            self.started += cents
            self.begun_at, self.emptied_by = self.begun_at or recorded_at, None

    def lay(self, laid: Laid, receipt: Receipt, first: datetime | None = None) -> None:
        """Chips are recorded of. Those of a correction wait for a second person, and count as what
        was known when the `first` of them were told: not at all, if there was no starting value
        yet.
        """
        recorded_at = first or receipt.recorded_at
        terms = self.terms(laid.at, recorded_at)
        feeds = terms is not None and terms.automatic == laid.by_round
        if laid.by_round and self.opened.get(laid.table) != (self.jackpot,):
            feeds = False
        worth = Fraction(0)
        if terms is not None and feeds and (terms.tables is None or laid.table in terms.tables):
            cents = laid.chips * terms.stake_cents if laid.cents is None else laid.cents
            worth = Fraction(cents * terms.rate_millionths, MILLION)
        if self.begun_at is None or recorded_at < self.begun_at:
            worth = Fraction(0)
        self.worth[receipt.stream, receipt.n] = worth
        if first is None:
            self.contributed += worth

    def approve(self, pending: Receipt, original: Receipt) -> None:
        """A second person agreed to a correction: from now on the other one counts."""
        new, old = (self.worth.get((one.stream, one.n), 0) for one in (pending, original))
        self.adjust(Fraction(new - old))

    def adjust(self, cents: Fraction) -> None:
        """The meter is corrected, never below nothing."""
        self.lowered += 1
        if self.begun and self.running + cents >= 0:
            self.adjusted += cents

    def win(self, receipt: Receipt, at: datetime, winners: Sequence[tuple[str, int, str]]) -> None:
        """Owner, box and combination of each: their prizes are held from here on."""
        hit, terms = receipt.n, self.terms(at, receipt.recorded_at)
        self.lowered += 1
        self.due[hit], self.prizes[hit] = 0, []
        if terms is None:
            return
        known = [one for one in winners if one[2] in terms.lines]
        self.prizes[hit] = prizes(self.running, known, terms.lines)
        if not self.begun:
            return  # there was nothing to win
        top = [one for one in known if terms.lines[one[2]] == ("share", MILLION)]
        before = self.running
        self.due[hit] = sum(cents for _, _, cents in self.prizes[hit])
        if top:
            # What cannot be handed over in whole cents stays, and nothing else.
            assert self.running == before - before.numerator // before.denominator
            assert 0 <= self.running < 1
            if self.emptied_by is None:
                self.emptied_by = hit

    def withdraw(self, hit: int) -> None:
        """The win was none: what is still held for it is played for again."""
        if not self.begun:
            return
        self.undone.add(hit)
        recorded_of = {each for each, _, _ in self.given}
        if self.emptied_by == hit and self.due[hit] and hit not in recorded_of:
            self.emptied_by = None  # all of it is back
        self.due[hit] = 0

    def missing(self, hit: int, owner: str, box: int) -> int:
        """What somebody who was handed something for a win was handed too little. Units: cents."""
        known = self.given.get((hit, owner, box))
        if known is None or hit in self.undone:
            return 0
        prize = [cents for one, at, cents in self.prizes[hit] if (one, at) == (owner, box)]
        return max(0, sum(prize) - known)

    def pay(self, hit: int, owner: str, box: int, cents: int, *, again: bool = False) -> None:
        """Somebody was handed so much for a win: the meter gives no prize twice."""
        self.lowered += 1
        if not self.begun:
            return
        chip = hit, owner, box
        known, missing = chip in self.given, self.missing(hit, owner, box)
        if not (known and again):
            self.given[chip] = self.given.get(chip, 0) + cents
        if known and (again or not 0 < cents <= missing):
            return
        if cents <= self.due[hit]:
            self.due[hit] -= cents
            self.paid += cents


def prizes(
    running: Fraction, winners: Sequence[tuple[str, int, str]], lines: TopAndShares
) -> list[Prize]:
    """Smaller prizes first and in full, what is left to the top combination in equal parts.

    An odd cent goes to the lowest seat; who comes when nothing is left gets nothing.
    """
    left = whole_cents(running)
    paid: list[Prize] = []

    def worth(code: str) -> int:
        how, amount = lines[code]
        return amount if how == "fixed" else whole_cents(running * Fraction(amount, MILLION))

    smaller = [one for one in winners if lines[one[2]] != ("share", MILLION)]
    for owner, box, code in sorted(smaller, key=lambda one: (worth(one[2]), one[1], one[0])):
        cents = min(worth(code), left)
        left -= cents
        paid.append((owner, box, cents))
    top = sorted((box, owner) for owner, box, code in winners if lines[code] == ("share", MILLION))
    for place, (box, owner) in enumerate(top):
        cents = left // (len(top) - place)
        if left % (len(top) - place):
            cents += 1
        left -= cents
        paid.append((owner, box, cents))
    return paid


def whole_cents(cents: Fraction) -> int:
    """What a hand can give of it."""
    return cents.numerator // cents.denominator
