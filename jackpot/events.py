"""What may be recorded of the progressive. Law: PT art. 38, 40 to 45, 47 to 50.

The chips of a round are recorded at the table; whatever bears on a pool as a whole stands in the
pool's own stream, so that its story can be read from one end to the other.
"""

import sys
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, ClassVar, Final, Literal

from casino.events import Malformed
from casino.events.event import EntryRef, FloorEvent, HouseEvent, PartidaEvent
from casino.events.event_policy import (
    AT_THE_TABLE,
    BY_ITSELF,
    DEVICE,
    FLOOR,
    HEAD,
    HEADS,
    MANAGER,
    PIT,
    SUPERVISION,
    Policy,
)
from casino.events.kinds import kinds_in
from casino.events.phrases import marked
from casino.events.round.field_form import shown
from casino.events.round.round_words import MAX_CHIPS, MAX_CHIPS_CENTS
from casino.events.shape import Part, Withheld, refuse_twice
from casino.events.values import (
    MAX_WHOLE,
    Cents,
    Code,
    CodesOnce,
    EntryNumber,
    Listed,
    Number,
    Place,
    PrivateLine,
    PrivateText,
    Reference,
    Stake,
    StreamName,
    Uuid,
    Whole,
)
from jackpot.progressive.amounts import MICROCENTS, WHOLE
from jackpot.progressive.catalogue import combination
from jackpot.progressive.prizes import MatchRule, PrizeLine, check_lines
from jackpot.progressive.terms import Marking

# As much as a JSON number holds exactly: 90 million euros.
MAX_POOL_CENTS: Final = MAX_WHOLE // MICROCENTS
Millionths = Annotated[int, Whole(0, WHOLE)]  # of a whole: percentages of four decimals at most
MAX_CHIP_CENTS: Final = MAX_CHIPS_CENTS // MAX_CHIPS  # so that no entry tells of more in all
PoolCents = Annotated[int, Whole(0, MAX_POOL_CENTS)]
Microcents = Annotated[int, Whole(0, MAX_WHOLE)]
Change = Annotated[int, Whole(-MAX_WHOLE, MAX_WHOLE)]  # microcents, up or down
StartReason = Literal["first", "after_full_payout", "other"]
PaymentMeans = Literal["cash", "cheque", "transfer", "chips", "other"]
# The closed list of `jackpot.progressive.meter`.
AdjustmentReason = Literal[
    "device_fault",
    "counting_error",
    "limit_reached",
    "pools_joined",
    "taken_out_of_service",
    "win_withdrawn",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotChip(Part):
    """The chips one owner laid for the jackpot on one box: `n` of them.

    `marked` is whether a marker took their place when they were collected, `seat` where he sits.
    """

    box: Place
    owner: Code
    n: Annotated[int, Whole(1, MAX_CHIPS)]
    seat: Place | None = None
    marked: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotIncremented(PartidaEvent):
    """The dealer collected a round's jackpot chips and raised the display by hand.

    `round` is the round's UUID, `shoe` and `number` its place, as far as known. `chip_cents` is
    what one chip was worth, `display_cents` what the display showed afterwards. `closing_called` is
    whether the dealer had called the stakes closed.
    """

    kind: ClassVar[str] = "jackpot-incremented/1"
    label: ClassVar[str] = marked("jackpot incremented")
    policy: ClassVar[Policy] = Policy(writers=frozenset({PIT, DEVICE}))

    jackpot: Code
    chips: Annotated[tuple[JackpotChip, ...], Listed(200)]
    round: Uuid | None = None
    shoe: Number | None = None
    number: Number | None = None
    chip_cents: Annotated[int, Whole(0, MAX_CHIP_CENTS)] | None = None
    display_cents: Cents | None = None
    closing_called: bool | None = None
    collected_before_deal: bool | None = None

    def contradictions(self) -> None:
        """No more chips in all than one round can have. Raises: Malformed."""
        Whole(0, MAX_CHIPS).check(sum(chip.n for chip in self.chips), "$.chips")


def pool_stream(jackpot: str) -> str:
    """The stream of a pool."""
    return f"jackpot/{jackpot}"


def check_own(ref: EntryRef | None, jackpot: str, path: str) -> None:
    """An entry named here stands in the pool's own stream. Raises: Malformed."""
    if ref is not None and ref.stream != pool_stream(jackpot):
        raise Malformed(
            f"{path}.stream",
            "found {found}; asked is {asked}",
            found=shown(ref.stream),
            asked=pool_stream(jackpot),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolEvent(HouseEvent):
    """An event of one pool as a whole."""

    jackpot: Code

    @property
    def stream(self) -> str:
        """The pool's stream."""
        return pool_stream(self.jackpot)


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolPartidaEvent(PartidaEvent):
    """An event of one pool that happened in a partida."""

    jackpot: Code

    @property
    def stream(self) -> str:
        """The pool's stream."""
        return pool_stream(self.jackpot)


@dataclass(frozen=True, slots=True, kw_only=True)
class TermsLine(Part):
    """One combination of the approved table and its prize: a share of the meter, or an amount.

    `code` is a combination of `jackpot.progressive.catalogue`; exactly one of the two is recorded.
    """

    code: Code
    share_millionths: Millionths | None = None
    fixed_cents: Stake | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TermsApproved(PoolEvent):
    """Terms of the progressive prize as the inspectorate set them, from `valid_from` on.

    `terms` is what the house calls this version. `stake_cents` is what one chip is worth,
    `rate_millionths` the part of it that goes to the meter, `cards_counted` how many first cards
    count, `match` which line is won where several are made. `tables` are those it is played at,
    left out for all that name the pool. `proposal` is the concession holder's own, by which the
    inspectorate set them. They are in force once another person has confirmed them
    (`TermsConfirmed`), and not before. Law: PT art. 38, 40 to 44.
    """

    kind: ClassVar[str] = "terms-approved/1"
    label: ClassVar[str] = marked("jackpot terms approved")
    policy: ClassVar[Policy] = Policy(
        writers=frozenset({MANAGER}), readers=SUPERVISION | {PIT}, correctable=False
    )

    terms: Code
    valid_from: datetime
    stake_cents: Annotated[int, Whole(1, MAX_CHIP_CENTS)]
    rate_millionths: Millionths
    start_cents: PoolCents
    cards_counted: Annotated[int, Whole(1, 10)]
    lines: Annotated[tuple[TermsLine, ...], Listed(100)]
    match: MatchRule
    marking: Marking
    tables: CodesOnce | None = None
    limit_cents: PoolCents | None = None
    reserve_millionths: Millionths | None = None
    option_reference: Reference | None = None
    communicated_on: date | None = None
    approval_reference: Reference | None = None
    approved_on: date | None = None
    conditions: Reference | None = None
    proposal: Reference | None = None
    proposed_on: date | None = None

    @property
    def prize_lines(self) -> tuple[PrizeLine, ...]:
        """The approved table, as the arithmetic takes it."""
        return tuple(
            PrizeLine(line.code, line.share_millionths, line.fixed_cents) for line in self.lines
        )

    def contradictions(self) -> None:
        """Combinations there are, each once, of no more cards than count. Raises: Malformed."""
        check_lines(self.prize_lines, self.cards_counted, "$.lines")


@dataclass(frozen=True, slots=True, kw_only=True)
class TermsConfirmed(PoolEvent):
    """A second person compared terms with the inspectorate's decision: they are in force.

    Law: PT art. 40.
    """

    kind: ClassVar[str] = "terms-confirmed/1"
    label: ClassVar[str] = marked("jackpot terms confirmed")
    policy: ClassVar[Policy] = Policy(
        writers=frozenset({HEAD}), readers=SUPERVISION | {PIT}, correctable=False
    )

    confirms: EntryRef

    def contradictions(self) -> None:
        """Terms of this pool. Raises: Malformed."""
        check_own(self.confirms, self.jackpot, "$.confirms")


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotStarted(PoolEvent):
    """The house put the starting value in; `hit` is the win that had emptied the meter.

    Law: PT art. 44.
    """

    kind: ClassVar[str] = "jackpot-started/1"
    label: ClassVar[str] = marked("jackpot started")
    policy: ClassVar[Policy] = Policy(
        writers=frozenset({MANAGER}), readers=SUPERVISION | {PIT}, correctable=False
    )

    start_cents: PoolCents
    reason: StartReason
    hit: EntryRef | None = None

    def contradictions(self) -> None:
        """A win of this pool. Raises: Malformed."""
        check_own(self.hit, self.jackpot, "$.hit")


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotWinner(Part):
    """Whose counted cards won, on which box, by which combination."""

    owner: Code
    box: Place
    code: Code
    seat: Place | None = None

    def contradictions(self, at: str) -> None:
        """A combination there is. Raises: Malformed."""
        combination(self.code, f"{at}.code")


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotWon(PoolPartidaEvent):
    """Cards of a round won on the progressive prize: the amounts are held from here on.

    `running_microcents` is what the meter ran at when it was seen, `opened_at` since when the cards
    lie open, `order` the place the house gave it among several at once. Wins are settled in the
    order of the book whatever it says; another one is a finding. Law: PT art. 43, 49, 50.
    """

    kind: ClassVar[str] = "jackpot-won/1"
    label: ClassVar[str] = marked("jackpot won")
    policy: ClassVar[Policy] = Policy(writers=AT_THE_TABLE, correctable=False)

    winners: Annotated[tuple[JackpotWinner, ...], Listed(99)]
    round: Uuid | None = None
    shoe: Number | None = None
    number: Number | None = None
    running_microcents: Microcents | None = None
    opened_at: datetime | None = None
    order: Number | None = None

    def contradictions(self) -> None:
        """Somebody won, and each chip once. Raises: Malformed."""
        Whole(1, 99).check(len(self.winners), "$.winners")
        chips = [(winner.owner, winner.box) for winner in self.winners]
        for place, chip in enumerate(chips):
            if chip in chips[:place]:
                refuse_twice(f"$.winners[{place}].owner", chip[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotPaid(PoolPartidaEvent):
    """One winner was paid. `hit` is the entry of the win; owner, box and code say whose prize.

    `step` is its place among the round's payments. `again`: the money was handed out although this
    prize had been paid before; the meter does not give it twice. Law: PT art. 43, 49, 50.
    """

    kind: ClassVar[str] = "jackpot-paid/1"
    label: ClassVar[str] = marked("jackpot paid")
    policy: ClassVar[Policy] = Policy(
        writers=frozenset({PIT}), correctable=False, witnessed_under="50"
    )
    private: ClassVar[frozenset[str]] = frozenset({"name", "identification"})

    hit: EntryRef
    owner: Code
    box: Place
    code: Code
    paid_cents: Cents
    step: Number | None = None
    means: PaymentMeans | None = None
    document: Reference | None = None
    paid_at: datetime | None = None
    approved_by: Code | None = None
    again: bool | None = None
    name: PrivateLine | Withheld | None = None
    identification: PrivateLine | Withheld | None = None

    def contradictions(self) -> None:
        """A win of this pool, by a combination there is. Raises: Malformed."""
        check_own(self.hit, self.jackpot, "$.hit")
        combination(self.code, "$.code")


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotAdjusted(PoolEvent):
    """The meter was corrected, up or down, for a reason of the closed list.

    `hit` is the win that is withdrawn: cards that won nothing after all. Law: PT art. 41.
    """

    kind: ClassVar[str] = "jackpot-adjusted/1"
    label: ClassVar[str] = marked("jackpot adjusted")
    policy: ClassVar[Policy] = Policy(
        writers=HEADS, readers=SUPERVISION, correctable=False, witnessed_under="41"
    )
    private: ClassVar[frozenset[str]] = frozenset({"note"})

    microcents: Change
    reason: AdjustmentReason
    reference: Reference | None = None
    hit: EntryRef | None = None
    note: PrivateText | Withheld | None = None

    def contradictions(self) -> None:
        """A win is withdrawn, or an amount is corrected, never both. Raises: Malformed."""
        check_own(self.hit, self.jackpot, "$.hit")
        withdrawn = self.reason == "win_withdrawn"
        if withdrawn != (self.hit is not None):
            raise Malformed("$.hit", "asked is the win that is withdrawn, and no other")
        if withdrawn != (self.microcents == 0):
            raise Malformed("$.microcents", "asked is the change; a win withdrawn changes nothing")


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedUpTo(Part):
    """Up to which entry a stream was counted."""

    stream: StreamName
    n: EntryNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldBack(Part):
    """What is held for a win that is not yet paid: its entry in the pool's stream, and how much."""

    hit: EntryNumber
    cents: PoolCents


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotSealed(PoolEvent):
    """What the meter was, counting each stream up to the entry named; later values follow on.

    `microcents` is what the next round plays for: started, contributed and adjusted, less what was
    paid and what is `held`. `emptied_by` is the win that took the remainder, as long as no new
    starting value was put in. Law: PT art. 41.
    """

    kind: ClassVar[str] = "jackpot-sealed/1"
    label: ClassVar[str] = marked("jackpot sealed")
    policy: ClassVar[Policy] = Policy(
        writers=BY_ITSELF, readers=SUPERVISION | {PIT}, correctable=False
    )

    microcents: Microcents
    started_cents: PoolCents
    contributed_microcents: Microcents
    adjusted_microcents: Change
    paid_cents: PoolCents
    held: tuple[HeldBack, ...]
    up_to: tuple[SealedUpTo, ...]
    emptied_by: EntryNumber | None = None

    def contradictions(self) -> None:
        """Each stream and each win once; the sum is the sum. Raises: Malformed."""
        for place, one in enumerate(self.up_to):
            if one.stream in [before.stream for before in self.up_to[:place]]:
                refuse_twice(f"$.up_to[{place}].stream", one.stream)
        for place, kept in enumerate(self.held):
            if kept.hit in [before.hit for before in self.held[:place]]:
                refuse_twice(f"$.held[{place}].hit", kept.hit)
        out = self.paid_cents + sum(one.cents for one in self.held)
        added = self.contributed_microcents + self.adjusted_microcents
        there = (self.started_cents - out) * MICROCENTS + added
        if self.microcents != there:
            found = shown(self.microcents)
            raise Malformed(
                "$.microcents", "found {found}; asked is {asked}", found=found, asked=there
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotRead(FloorEvent):
    """Somebody read the display, at a table or of the room. Law: PT art. 41."""

    kind: ClassVar[str] = "jackpot-read/1"
    label: ClassVar[str] = marked("jackpot display read")
    policy: ClassVar[Policy] = Policy(writers=FLOOR | {DEVICE}, correctable=False)

    jackpot: Code
    display_cents: Cents

    @property
    def stream(self) -> str:
        """The pool's stream."""
        return pool_stream(self.jackpot)


OF_POOLS: Final = (
    TermsApproved, TermsConfirmed, JackpotStarted, JackpotWon, JackpotPaid, JackpotAdjusted,
    JackpotSealed, JackpotRead,
)  # fmt: skip
KINDS: Final = kinds_in(sys.modules[__name__])
