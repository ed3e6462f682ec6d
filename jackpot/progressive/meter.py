"""The meter: what the progressive prize is worth, and every event that changes it.

Start values and contributions raise it, payments lower it, an adjustment does either and says why.
Nothing else does. Between winning and being paid a prize is held: it still belongs to the meter,
but the next round plays for the rest, which is what the display shows.

An event that does not fit what came before changes nothing and is named: a second telling of an
entry or a payment, a payment nobody won, more than is there. So at every moment, to the microcent:
started + contributed + adjusted - paid = pool, and 0 <= held <= pool.

Law: PT art. 40, 41, 44, 50.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from jackpot.progressive.amounts import MICROCENTS, contribution_microcents, displayed_cents

# What may lower or raise a meter besides contributions and prizes: a closed list.
ADJUSTMENT_REASONS: Final = (
    "device_fault",
    "counting_error",
    "limit_reached",
    "pools_joined",
    "taken_out_of_service",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterEvent:
    """One entry of the book that bears on a meter.

    `entry` names it. `after_microcents` is what the meter was said to run at afterwards, None
    where nobody said.
    """

    entry: str
    after_microcents: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Started(MeterEvent):
    """The house put the start value in: at the beginning, and after a full payout. Art. 44."""

    start_cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Contributed(MeterEvent):
    """So many chips of one stake under one percentage. Art. 40, 41."""

    stake_cents: int
    rate_millionths: int
    chips: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Won(MeterEvent):
    """A round's prizes were won and are due: held from here on until they are paid. Art. 49, 50.

    `hit` names the round; `full` is whether a top combination took the remainder. `owed` is what
    each winner is due, in cents, as far as somebody reckoned it.
    """

    hit: str
    due_cents: int
    full: bool = False
    owed: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawn(MeterEvent):
    """A hit was none: what was held for it and not yet paid is played for again."""

    hit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Paid(MeterEvent):
    """One winner of a round was paid. Art. 50.

    `winner` names him within the round. A hit nobody recorded as `Won` is paid straight from the
    meter; `full` then says what it says there. `again` is whether it is said to be a second time:
    what is handed over later of a prize that was paid too low is none.
    """

    hit: str
    winner: str
    cents: int
    full: bool = False
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjusted(MeterEvent):
    """The meter was corrected, up or down, for a reason of the closed list."""

    microcents: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealed(MeterEvent):
    """What the meter was at a cut: nothing changes, later values are reckoned from here."""

    microcents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Read(MeterEvent):
    """Somebody read the display."""

    display_cents: int


class Misfit(NamedTuple):
    """An event that does not fit: what is wrong, what it recorded, what the events before make of
    it.

    Units: cents or microcents, as the event has them; `recorded` and `expected` are None where no
    figure is at fault.
    """

    entry: str
    what: str
    recorded: int | None = None
    expected: int | None = None


def effect_microcents(event: MeterEvent) -> int:
    """By how much an event changes the pool; signed, 0 for what only tells. Units: microcents."""
    if isinstance(event, Contributed):
        return contribution_microcents(event.stake_cents, event.rate_millionths, event.chips)
    if isinstance(event, Started):
        return event.start_cents * MICROCENTS
    if isinstance(event, Paid):
        return -event.cents * MICROCENTS
    if isinstance(event, Adjusted):
        return event.microcents
    return 0


def _goes_the_wrong_way(event: MeterEvent) -> bool:
    """Whether a start or a contribution would lower the meter, or a prize raise it."""
    if isinstance(event, Won):
        return event.due_cents < 0
    if isinstance(event, Paid):
        return event.cents < 0
    return isinstance(event, Started | Contributed) and effect_microcents(event) < 0


class Meter:
    """A meter as the events so far make it. Units: microcents throughout."""

    __slots__ = (
        "adjusted",
        "begun",
        "contributed",
        "due",
        "emptied_by",
        "entries",
        "given",
        "held",
        "hits",
        "last_seal",
        "owed",
        "paid",
        "since_seal",
        "started",
        "to_start",
    )

    def __init__(self) -> None:
        self.started = self.contributed = self.adjusted = self.paid = 0
        self.held = 0  # what is won and not yet paid
        self.due: dict[str, int] = {}  # the same by hit; 0 once all of it is paid
        self.hits: set[str] = set()
        self.owed: dict[str, dict[str, int]] = {}  # cents, by hit and winner, where reckoned
        # By hit and winner the cents of every payment told, but those said to be a second time.
        self.given: dict[str, dict[str, int]] = {}
        self.entries: set[str] = set()
        self.last_seal = self.since_seal = 0
        self.begun, self.to_start = False, True
        self.emptied_by = ""  # the hit whose top combination took the remainder

    @classmethod
    def resumed(
        cls,
        *,
        started: int,
        contributed: int,
        adjusted: int,
        paid: int,
        due: Mapping[str, int],
        paid_out: Iterable[Paid] = (),
        owed: Mapping[str, Mapping[str, int]] | None = None,
        emptied_by: str = "",
    ) -> "Meter":
        """A meter as a seal left it. `due` names every hit there was, with what is still held.

        Units: microcents. `paid_out` are the payments told of those, in their order; `owed` is what
        their winners were due, in cents by hit and winner.
        """
        meter = cls()
        meter.started, meter.contributed = started, contributed
        meter.adjusted, meter.paid = adjusted, paid
        meter.due, meter.hits = dict(due), set(due)
        for payment in paid_out:
            meter._give(payment)
        meter.owed = {hit: dict(values) for hit, values in (owed or {}).items()}
        meter.held = sum(due.values())
        meter.begun, meter.to_start, meter.emptied_by = True, bool(emptied_by), emptied_by
        meter.last_seal = meter.running
        return meter

    @property
    def pool(self) -> int:
        """All the money of the prize, won and unpaid included."""
        return self.started + self.contributed + self.adjusted - self.paid

    @property
    def running(self) -> int:
        """What the next round plays for."""
        return self.pool - self.held

    @property
    def displayed_cents(self) -> int:
        """What the display has to show: the last seal and what came since, in whole cents."""
        return displayed_cents(self.last_seal + self.since_seal)

    def take(self, event: MeterEvent) -> Misfit | None:
        """Let an event happen; what does not fit changes nothing and is returned.

        One that fits and tells another value afterwards has happened all the same.
        """
        before = self.running
        misfit = self._unfit(event)
        if isinstance(event, Paid):  # whether it fitted or not, he was told to have it
            self._give(event)
        if misfit is not None:
            if isinstance(event, Won):
                self.due.setdefault(event.hit, 0)  # for such a win nothing is held
            return misfit
        self.entries.add(event.entry)
        self._happen(event)
        self.since_seal += self.running - before
        if isinstance(event, Sealed):
            self.last_seal, self.since_seal = self.running, 0
        if event.after_microcents not in (None, self.running):
            return Misfit(event.entry, "after_differs", event.after_microcents, self.running)
        return None

    def _unfit(self, event: MeterEvent) -> Misfit | None:
        """Why an event cannot be taken, or what it tells wrongly."""
        name = event.entry
        if name in self.entries:
            return Misfit(name, "told_twice")
        if not self.begun and not isinstance(event, Started):
            return Misfit(name, "before_the_start")
        if _goes_the_wrong_way(event):
            return Misfit(name, "below_zero", effect_microcents(event), 0)
        if isinstance(event, Started) and not self.to_start:
            return Misfit(name, "started_while_running", event.start_cents * MICROCENTS, 0)
        if isinstance(event, Sealed) and event.microcents != self.running:
            return Misfit(name, "seal_differs", event.microcents, self.running)
        if isinstance(event, Read) and event.display_cents != self.displayed_cents:
            return Misfit(name, "reading_differs", event.display_cents, self.displayed_cents)
        if isinstance(event, Adjusted):
            return self._unfit_adjustment(event)
        if isinstance(event, Withdrawn):
            return None if event.hit in self.due else Misfit(name, "nothing_to_withdraw")
        if isinstance(event, Won):
            return self._unfit_win(event)
        return self._unfit_payment(event) if isinstance(event, Paid) else None

    def _unfit_adjustment(self, event: Adjusted) -> Misfit | None:
        if event.reason not in ADJUSTMENT_REASONS:
            return Misfit(event.entry, "unknown_reason")
        if event.microcents < -self.running:
            return Misfit(event.entry, "beyond_the_meter", -event.microcents, self.running)
        return None

    def _unfit_win(self, event: Won) -> Misfit | None:
        if event.hit in self.hits:
            return Misfit(event.entry, "hit_told_twice")
        if event.due_cents * MICROCENTS > self.running:
            return Misfit(event.entry, "beyond_the_meter", event.due_cents, self.displayed_cents)
        return None

    def _give(self, event: Paid) -> None:
        given = self.given.setdefault(event.hit, {})
        more = 0 if event.again and event.winner in given else event.cents
        given[event.winner] = given.get(event.winner, 0) + more

    def _unfit_payment(self, event: Paid) -> Misfit | None:
        given = self.given.get(event.hit, {})
        if event.winner in given:
            # What is still missing of his own prize is paid the first time.
            rest = self.owed.get(event.hit, {}).get(event.winner, 0) - given[event.winner]
            if event.again or not 0 < event.cents <= rest:
                return Misfit(event.entry, "paid_twice", event.cents, max(0, rest))
        if event.hit in self.due:
            most = self.due[event.hit]
            if event.cents * MICROCENTS > most:
                return Misfit(event.entry, "more_than_was_won", event.cents, most // MICROCENTS)
        elif event.cents * MICROCENTS > self.running:
            return Misfit(event.entry, "beyond_the_meter", event.cents, self.displayed_cents)
        return None

    def _withdraw(self, hit: str) -> None:
        back, self.due[hit] = self.due[hit], 0
        self.held -= back
        self.owed.pop(hit, None)
        if hit == self.emptied_by and back and hit not in self.given:
            self.to_start, self.emptied_by = False, ""  # all of it is there again

    def _happen(self, event: MeterEvent) -> None:
        change = effect_microcents(event)
        if isinstance(event, Started):
            self.started += change
            self.begun, self.to_start = True, False
            self.emptied_by = ""
        elif isinstance(event, Contributed):
            self.contributed += change
        elif isinstance(event, Adjusted):
            self.adjusted += change
        elif isinstance(event, Won):
            self.hits.add(event.hit)
            self.due[event.hit] = event.due_cents * MICROCENTS
            self.owed[event.hit] = dict(event.owed)
            self.held += event.due_cents * MICROCENTS
            if event.full and not self.to_start:  # one after it found nothing to take
                self.to_start, self.emptied_by = True, event.hit
        elif isinstance(event, Withdrawn):
            self._withdraw(event.hit)
        elif isinstance(event, Paid):
            self.paid -= change
            self.hits.add(event.hit)
            if event.hit in self.due:
                self.due[event.hit] += change
                self.held += change
            else:
                self.to_start = self.to_start or event.full
