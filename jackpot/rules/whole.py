"""A pool's whole story before the law, event by event: what no single partida shows.

Whoever reads the story hands every event in, in its order; what the pool makes of it is judged as
it goes by, and nothing of it is kept. A seal, a display or a payment that is wrong leaves those
after it wrong by the same amount: only the first is told. What a partida's own judge sees of a win
is left to him (`rules.winning`).

Law: PT art. 41, 43, 44, 50.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, NamedTuple

from casino.regulation.finding import Breach, Check
from casino.regulation.jackpot_law import CLAIM, DISPLAY, DUE, METER, RESTART
from jackpot.progressive.amounts import MICROCENTS, displayed_cents
from jackpot.progressive.meter import (
    Contributed,
    MeterEvent,
    Misfit,
    Paid,
    Read,
    Sealed,
    Started,
    effect_microcents,
)
from jackpot.progressive.paid import claim_is_within_the_money
from jackpot.progressive.running import MISREAD, NOT_IN_THE_TABLE, WITHOUT_TERMS, Pool, WonNow
from jackpot.rules.displays import Reading, Readings
from jackpot.rules.readings import NO_GRACE, Graces

# Of chips without terms, and of wins, their partidas tell.
_ELSEWHERE: Final = frozenset({WITHOUT_TERMS})


class Said(NamedTuple):
    """A breach of a check. Its evidence are entries by the names the meter knows them by; the last
    of them is the first entry that explains it.
    """

    check: Check
    breach: Breach


@dataclass(slots=True)
class Unseen:
    """A win no partida can judge: what it came to, for whom, and which entries paid them."""

    cents: int = 0
    winners: list[str] = field(default_factory=list)
    given: dict[str, str] = field(default_factory=dict)


class WholePool:
    """A pool while it goes by.

    `said` is what was found so far, `asked` the checks that something was asked of and kept,
    `misfits` how many events did not fit. The rest is what of the story bears on what follows:
    whoever stops in the middle has to keep it (`audit.pools.carrying`).
    """

    def __init__(self, jackpot: str) -> None:
        self.jackpot = jackpot
        self.pool = Pool()
        self.said: list[Said] = []
        self.asked: set[str] = set()
        self.misfits = 0
        self.seal_off = 0  # microcents by which the last seal was wrong
        self.display_off = 0  # cents by which the last display was
        self.without_start = False
        self.full: set[str] = set()  # wins that took the remainder since the last start
        self.emptied: tuple[str, str] | None = None  # such a win and its last payment
        self.start_by: datetime | None = None  # until when it may wait for a new start
        self.readings = Readings()
        self.unseen: dict[str, Unseen] = {}  # wins no partida can judge

    def take(
        self,
        event: MeterEvent,
        *,
        again: bool = False,
        at: datetime | None = None,
        allowed: Graces = NO_GRACE,
    ) -> None:
        """Let an event happen. `again`: a payment said to be a second one, for its partida's judge.

        `at` is when it was recorded; where nobody says, there is no grace. The pool's own list of
        misfits is emptied: a story may have any number of them.
        """
        self._settle(at)
        if isinstance(event, Contributed):
            self._chips(event, at)
        if isinstance(event, WonNow):
            self._won(event)
        self.pool.take(event)
        wrong = self.pool.misfits
        begun = self.pool.meter.begun
        if isinstance(event, Read) and begun:
            self._read(event, not wrong, at, allowed)
            wrong.clear()
        self.misfits += len(wrong)
        for misfit in wrong:
            self._judge(misfit, event, again)
        fitted = not wrong
        wrong.clear()
        # Every entry of the book is read once: nobody has to remember the names of all.
        self.pool.meter.entries.clear()
        if fitted or isinstance(event, WonNow):  # which happened, whatever was told of the meter
            self._happened(event, at, allowed)

    def ended(self) -> None:
        """All there is was handed in: what every winner was given is compared with his due."""
        self._settle(None)
        for hit, win in self.unseen.items():
            owed = self.pool.meter.due.get(hit, 0) // MICROCENTS
            if owed and set(win.winners) <= win.given.keys():
                breach = Breach(
                    {},
                    {"paid_cents": win.cents - owed},
                    {"paid_cents": win.cents},
                    owed_cents=owed,
                    owed_to="player",
                )
                self._find(DUE, breach, hit, *win.given.values())

    def _find(self, check: Check, breach: Breach, *entries: str) -> None:
        where: dict[str, int | str] = {"jackpot": self.jackpot}
        told = Breach(
            where | breach.where,
            breach.observed,
            breach.expected,
            breach.readings,
            breach.owed_cents,
            breach.owed_to,
            evidence=tuple(dict.fromkeys(entries)),
        )
        self.said.append(Said(check, told))

    def _keep(self, check: Check) -> None:
        self.asked.add(check.name)

    def _chips(self, event: Contributed, at: datetime | None) -> None:
        """Chips taken after a full payout and before a new start. Law: PT art. 44.

        A round under way is no unlawful act: for a time of the house's own nothing is said.
        """
        in_time = at is not None and self.start_by is not None and at <= self.start_by
        if self.emptied is not None and self.pool.meter.to_start and not in_time:
            breach = Breach({}, {"starts": 0}, {"at_least": 1})
            self._find(RESTART, breach, *self.emptied, event.entry)
            self.emptied = None  # one for each time it was emptied

    def _won(self, event: WonNow) -> None:
        """Which wins their partida cannot judge: the meter was not told, or told wrongly."""
        prizes = event.prizes
        known = set() if prizes is None else {line.code for line in prizes.lines}
        listed = {winner.code for winner in event.winners} <= known
        told = event.told_microcents
        if prizes is not None and not (listed and told == self.pool.meter.running):
            self.unseen[event.entry] = Unseen()

    def _judge(self, misfit: Misfit, event: MeterEvent, again: bool) -> None:
        """What a misfit is before the law."""
        if misfit.what in _ELSEWHERE or (misfit.what == "paid_twice" and again):
            return
        if misfit.what == "before_the_start":
            if not self.without_start:
                self.without_start = True
                self._find(RESTART, Breach({}, {"starts": 0}, {"at_least": 1}), misfit.entry)
        elif isinstance(event, Sealed):
            self._seal(event)
        elif misfit.what == MISREAD and isinstance(event, WonNow):
            self._misread(event, misfit.expected or 0)
        elif misfit.what == NOT_IN_THE_TABLE and isinstance(event, WonNow):
            self._unlisted(event)
        elif isinstance(event, Started):
            self._find(
                RESTART,
                Breach(
                    {},
                    {"start_cents": event.start_cents, "meter_cents": self._shown()},
                    {"start_cents": 0},
                ),
                misfit.entry,
            )
        elif isinstance(event, Paid):
            self._payment(event, misfit)
        else:
            observed = {"change_microcents": -(misfit.told or 0)}
            at_least = {"at_least_microcents": -(misfit.expected or 0)}
            self._find(METER, Breach({}, observed, at_least), misfit.entry)

    def _shown(self, off: int = 0) -> int:
        """What a display has to show; `off` where what it stands on is wrong by so much."""
        return displayed_cents(self.pool.meter.running + off)

    def _seal(self, event: Sealed) -> None:
        """A seal that says another value than the records before it make. Law: PT art. 41."""
        running = self.pool.meter.running
        off = event.microcents - running
        if off != self.seal_off:
            self._find(METER, _meters(event.microcents, running), event.entry)
        self.seal_off = off

    def _read(self, event: Read, right: bool, at: datetime | None, allowed: Graces) -> None:
        """Somebody read the display; what was under way decides, if anything. Law: PT art. 41."""
        running = self.pool.meter.running
        bases = sorted({running, running + self.seal_off}, key=lambda base: base != running)
        one = Reading(event.entry, event.display_cents, bases, self._there(), right=right)
        self.readings.add(one, at, allowed)
        # Nobody said when it was: nothing is waited for.
        self._settle(at)

    def _settle(self, at: datetime | None) -> None:
        for one in self.readings.settled(at):
            self._display(one)

    def _display(self, one: Reading) -> None:
        """A display that shows another value than the book. Law: PT art. 41, 50 (claims)."""
        if one.right:
            self.display_off = 0
            self._keep(DISPLAY)
            return
        self.misfits += 1
        off = one.shown - one.expected
        if off == self.display_off or one.as_sealed:
            return
        self.display_off = off
        if not self._claim(one.shown, one.entry, there=one.there):
            breach = Breach({}, {"display_cents": one.shown}, {"display_cents": one.expected})
            self._find(DISPLAY, breach, one.entry)

    def _misread(self, event: WonNow, running: int) -> None:
        """A win that says the meter ran at another value. Law: PT art. 41, 50 (claims)."""
        told = event.told_microcents or 0
        # Who reads a display reads whole cents of it.
        if told in (running + self.seal_off, displayed_cents(running) * MICROCENTS):
            return
        if not self._claim(displayed_cents(told), event.entry):
            self._find(METER, _meters(told, running), event.entry)

    def _there(self) -> int:
        """All that was ever put in, less what was paid. Units: cents."""
        return displayed_cents(self.pool.meter.pool)

    def _claim(self, cents: int, *entries: str, there: int | None = None) -> bool:
        """Whether it is more than was ever put in, less what was paid. Law: PT art. 50."""
        result = claim_is_within_the_money(cents, self._there() if there is None else there, 0)
        if isinstance(result, Breach):
            self._find(CLAIM, result, *entries)
            return True
        return False

    def _unlisted(self, event: WonNow) -> None:
        """A win by a combination that is not in the approved table. Law: PT art. 43."""
        assert event.prizes is not None
        codes = [line.code for line in event.prizes.lines]
        for winner in event.winners:
            if winner.code not in codes:
                where: dict[str, int | str] = {"owner": winner.owner, "box": winner.box}
                breach = Breach(where, {"combination": winner.code}, {"one_of": codes})
                self._find(DUE, breach, event.entry)

    def _payment(self, event: Paid, misfit: Misfit) -> None:
        """More than was won, or won by nobody, or a second time. Law: PT art. 43, 50."""
        owner, _, box = event.winner.rpartition("/")
        where: dict[str, int | str] = {"owner": owner, "box": int(box)}
        most = (misfit.expected or 0) if event.hit in self.pool.meter.hits else 0
        twice = misfit.what == "paid_twice"
        if self._claim(event.cents, event.hit, event.entry):
            return
        if not twice and event.hit in self.pool.meter.due and event.hit not in self.unseen:
            return  # the partida's judge reckons with the same figures
        breach = Breach(
            where,
            {"paid_cents": event.cents},
            {"at_most_cents": most},
            owed_cents=event.cents - most,
            owed_to="house",
        )
        self._find(DUE, breach, event.hit, event.entry)

    def _happened(self, event: MeterEvent, at: datetime | None, allowed: Graces) -> None:
        """What follows from an event."""
        if isinstance(event, Sealed):
            self.seal_off = 0
            self._keep(METER)
        elif isinstance(event, Contributed):
            self.readings.chips(effect_microcents(event), at, allowed)
        elif isinstance(event, Started):
            self.full.clear()
            self.emptied = None
            self._keep(RESTART)
        elif isinstance(event, WonNow):
            self._came_to(event.entry)
        elif isinstance(event, Paid):
            self._keep(CLAIM)
            self._keep(DUE)
            if event.hit in self.unseen:
                self.unseen[event.hit].given[event.winner] = event.entry
            if event.hit in self.full and not self.pool.meter.due.get(event.hit):
                self.emptied = event.hit, event.entry
                self.start_by = None if at is None else at + allowed.restart

    def _came_to(self, hit: str) -> None:
        came_to = self.pool.payouts.pop(hit, None)
        if came_to is None:
            return
        if came_to.full:
            self.full.add(hit)
        if hit in self.unseen:
            win = self.unseen[hit]
            win.cents = came_to.paid_cents
            win.winners = [f"{one.winner.owner}/{one.winner.box}" for one in came_to.steps]


def _meters(told: int, expected: int) -> Breach:
    """Two values of a meter, in whole cents and what is left."""

    def figures(microcents: int) -> dict[str, Any]:
        cents, rest = divmod(microcents, MICROCENTS)
        return {"meter_cents": cents, "meter_rest_microcents": rest}

    return Breach({}, figures(told), figures(expected))
