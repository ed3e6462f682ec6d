"""A pool's whole story before the law, event by event: what no single partida shows.

Whoever reads the story hands every event in, in its order; what the pool makes of it is judged as
it goes by, and nothing of it is kept. A seal, a display or a payment that is wrong leaves those
after it wrong by the same amount: only the first is recorded. What a partida's own judge sees of a
win is left to him (`rules.winning`).

Law: PT art. 41, 43, 44, 50.
"""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from casino.law.finding import LAWFUL, Breach, Rule, Where
from casino.law.questions import breach, evidence_of
from casino.law.rulebook.jackpot_law import CLAIM, DISPLAY, DUE, LIMIT, METER, RESTART
from jackpot.progressive.amounts import MICROCENTS, displayed_cents
from jackpot.progressive.meter import (
    Contributed,
    MeterEvent,
    Misfit,
    Paid,
    Read,
    Sealed,
    Started,
    Withdrawn,
    effect_microcents,
)
from jackpot.progressive.paid import claim_is_within_the_money
from jackpot.progressive.running_meter import MISREAD, NOT_IN_THE_TABLE, WITHOUT_TERMS, Pool, WonNow
from jackpot.rules.bounds import Asked, Bounds, InForce
from jackpot.rules.display_checks import Lasting, Reading, Readings
from jackpot.rules.law_readings import NO_GRACE, Graces
from jackpot.rules.overtaken import Queue
from jackpot.rules.restarting import Restarting
from jackpot.rules.unseen import Unseen

# Of chips without terms, and of wins, their partidas tell.
_ELSEWHERE: Final = frozenset({WITHOUT_TERMS})


class Said(NamedTuple):
    """A breach of a check. Its evidence are entries by the names the meter knows them by; the last
    of them is the first entry that explains it.
    """

    check: Rule
    breach: Breach


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
        self.display_off = Lasting()  # by how much the last display was
        self.without_start = False
        self.restarting = Restarting()
        self.bounds = Bounds()
        self.queue = Queue()  # wins told while others held money
        self.readings = Readings()
        self.unseen: dict[str, Unseen] = {}  # wins no partida can judge

    def take(
        self,
        event: MeterEvent,
        *,
        at: datetime | None = None,
        allowed: Graces = NO_GRACE,
        by: InForce | None = None,
        looked: datetime | None = None,
    ) -> None:
        """Let an event happen.

        `at` is when it was recorded; where nobody says, there is no grace. `looked` is when it
        happened, or was read. `by` are the terms in force then, None where there were none. The
        pool's own list of misfits is emptied: a story may have any number of them.
        """
        self._settle(at)
        if isinstance(event, Contributed):
            self._chips(event, at)
            if at is not None and looked is not None:
                self.readings.lag = max(at - looked, timedelta())
        if isinstance(event, WonNow):
            self._won(event)
        before = self.pool.meter.running
        self.pool.take(event)
        if self.pool.meter.running != before and not isinstance(event, Contributed):
            self.readings.moved(at)
        wrong = self.pool.misfits
        begun = self.pool.meter.begun
        if isinstance(event, Read) and begun:
            self._read(event, not wrong, at, allowed, looked)
            wrong.clear()
        self.misfits += len(wrong)
        for misfit in wrong:
            self._judge(misfit, event)
        fitted = not wrong
        wrong.clear()
        # Every entry of the book is read once: nobody has to remember the names of all.
        self.pool.meter.entries.clear()
        # which happened, whatever was recorded of the meter
        if fitted or isinstance(event, WonNow):
            self._happened(event, at, allowed)
        self._of_wins(event, self.pool.meter.running - before, at, allowed)
        self._bounds(event, by, fitted)

    def showed(
        self, entry: str, cents: int, *, looked: datetime, at: datetime, allowed: Graces
    ) -> None:
        """What the increment just handed in says the display showed afterwards. Law: PT art. 41.

        `looked` is when that was, `at` when it was recorded.
        """
        if self.pool.meter.begun:
            one = self._reading(entry, cents)
            one.right = cents == one.expected
            self.readings.add(one, at, allowed, looked)
            self._settle(at)

    def unsaid(self, entry: str) -> None:
        """An increment was corrected: what it said of the display is held against nobody.

        Where another reading bore it out it stands.
        """
        self.readings.drop(entry)
        if entry not in self.display_off.again:
            self.said = [
                one for one in self.said if one.check != DISPLAY or one.breach.evidence != (entry,)
            ]

    def ended(self, at: datetime | None = None) -> None:
        """All there is was handed in: what every winner was given is compared with his due.

        `at` is up to when it was told: readings that chips told later may explain wait for the next
        who goes through the story. None: nothing more is to come.
        """
        self._settle(at)
        for hit, win in self.unseen.items():
            breach = win.paid_short(self.pool.meter.due.get(hit, 0) // MICROCENTS)
            if breach is not None:
                self._find(DUE, breach, hit, *win.given.values())
        self._say(self.bounds.ended())
        for one in self.queue.found():
            self._find(DUE, one.breach, *one.entries)

    def _find(self, rule: Rule, breached: Breach, *entries: str) -> None:
        where: Where = {"jackpot": self.jackpot, **breached.where}
        self.said.append(Said(rule, replace(breached, where=where, evidence=evidence_of(*entries))))

    def _keep(self, check: Rule) -> None:
        self.asked.add(check.name)

    def _chips(self, event: Contributed, at: datetime | None) -> None:
        """Chips taken after a full payout and before a new start. Law: PT art. 44."""
        emptied = self.restarting.late(self.pool.meter, at)
        if emptied is not None:
            found = breach({"starts": 0}, {"at_least": 1}, readings="started-again")
            self._find(RESTART, found, *emptied, event.entry)

    def _won(self, event: WonNow) -> None:
        """Which wins their partida cannot judge: the meter was not recorded, or told wrongly.

        Or there were no terms: then nothing is due for them, whoever is paid. Law: PT art. 40, 43.
        """
        prizes = event.prizes
        known = set() if prizes is None else {line.code for line in prizes.lines}
        listed = {winner.code for winner in event.winners} <= known
        count = event.recorded_microcents
        if prizes is None or not (listed and count == self.pool.meter.running):
            self.unseen[event.entry] = Unseen()

    def _judge(self, misfit: Misfit, event: MeterEvent) -> None:
        """What a misfit is before the law."""
        again = isinstance(event, Paid) and event.again
        if misfit.what in _ELSEWHERE or (misfit.what == "paid_twice" and again):
            return  # of what is said to be a second time, its partida's judge tells
        if misfit.what == "before_the_start":
            if not self.without_start:
                self.without_start = True
                self._find(RESTART, breach({"starts": 0}, {"at_least": 1}), misfit.entry)
        elif isinstance(event, Sealed):
            self._seal(event)
        elif misfit.what == MISREAD and isinstance(event, WonNow):
            self._misread(event, misfit.expected or 0)
        elif misfit.what == NOT_IN_THE_TABLE and isinstance(event, WonNow):
            self._unlisted(event)
        elif isinstance(event, Started):
            self._find(
                RESTART,
                breach(
                    {"start_cents": event.start_cents, "meter_cents": self._shown()},
                    {"start_cents": 0},
                ),
                misfit.entry,
            )
        elif isinstance(event, Paid):
            self._payment(event, misfit)
        else:
            observed = {"change_microcents": -(misfit.recorded or 0)}
            at_least = {"at_least_microcents": -(misfit.expected or 0)}
            self._find(METER, breach(observed, at_least), misfit.entry)

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

    def _read(
        self,
        event: Read,
        right: bool,
        at: datetime | None,
        allowed: Graces,
        looked: datetime | None,
    ) -> None:
        """Somebody read the display; what was under way decides, if anything. Law: PT art. 41."""
        one = self._reading(event.entry, event.display_cents)
        if at is not None and looked is not None and self.readings.is_late(at, allowed, looked):
            if not self.readings.add_late(one, at, allowed, looked) and one.shown > one.there:
                most = {"at_most_cents": one.there}
                self._find(DISPLAY, breach({"display_cents": one.shown}, most), one.entry)
        else:
            one.right = right
            self.readings.add(one, at, allowed)
        # Nobody said when it was: nothing is waited for.
        self._settle(at)

    def _reading(self, entry: str, cents: int) -> Reading:
        """A reading at this place of the story."""
        running = self.pool.meter.running
        bases = sorted({running, running + self.seal_off}, key=lambda base: base != running)
        return Reading(entry, cents, bases, self._there())

    def _settle(self, at: datetime | None) -> None:
        for one in self.readings.settled(at):
            self._display(one)

    def _display(self, reading: Reading) -> None:
        """A display that shows another value than the book, more or less. Law: PT art. 41."""
        if reading.right:
            self.display_off.off = None
            self._keep(DISPLAY)
            return
        self.misfits += 1
        if reading.as_sealed or self.display_off.is_still(reading):
            return
        found = breach({"display_cents": reading.shown}, {"display_cents": reading.expected})
        self._find(DISPLAY, found, reading.entry)

    def _misread(self, event: WonNow, running: int) -> None:
        """A win that says the meter ran at another value. Law: PT art. 41."""
        count = event.recorded_microcents or 0
        # Who reads a display reads whole cents of it.
        if count in (running + self.seal_off, displayed_cents(running) * MICROCENTS):
            return
        self._find(METER, _meters(count, running), event.entry)

    def _there(self) -> int:
        """All that was ever put in, less what was paid. Units: cents."""
        return displayed_cents(self.pool.meter.pool)

    def _claim(self, cents: int, *entries: str) -> None:
        """Whether it is more than was ever put in, less what was paid: the house asks it."""
        result = claim_is_within_the_money(cents, self._there(), 0)
        if isinstance(result, Breach):
            self._find(CLAIM, result, *entries)

    def _unlisted(self, event: WonNow) -> None:
        """A win by a combination that is not in the approved table. Law: PT art. 43."""
        assert event.prizes is not None
        codes = [line.code for line in event.prizes.lines]
        for winner in event.winners:
            if winner.code not in codes:
                where: dict[str, int | str] = {"owner": winner.owner, "box": winner.box}
                found = breach({"combination": winner.code}, {"one_of": codes}, where=where)
                self._find(DUE, found, event.entry)

    def _payment(self, event: Paid, misfit: Misfit) -> None:
        """More than was won, or won by nobody, or a second time. Law: PT art. 43, 50."""
        owner, _, box = event.winner.rpartition("/")
        where: dict[str, int | str] = {"owner": owner, "box": int(box)}
        most = (misfit.expected or 0) if event.hit in self.pool.meter.hits else 0
        self._claim(event.cents, event.hit, event.entry)
        if event.hit in self.pool.meter.due and event.hit not in self.unseen:
            return  # the partida's judge reckons with the same figures, or the win was withdrawn
        found = breach(
            {"paid_cents": event.cents},
            {"at_most_cents": most},
            where=where,
            owed_cents=event.cents - most,
            owed_to="house",
        )
        self._find(DUE, found, event.hit, event.entry)

    def _happened(self, event: MeterEvent, at: datetime | None, allowed: Graces) -> None:
        """What follows from an event."""
        if isinstance(event, Sealed):
            self.seal_off = 0
            self._keep(METER)
        elif isinstance(event, Contributed):
            self.readings.chips(effect_microcents(event), at, allowed)
        elif isinstance(event, Started):
            self.restarting.started()
            self.queue.started()
            self._keep(RESTART)
        elif isinstance(event, WonNow):
            self._came_to(event.entry)
        elif isinstance(event, Paid):
            self._keep(CLAIM)
            self._keep(DUE)
            if event.hit in self.unseen:
                self.unseen[event.hit].given[event.winner] = event.entry
        elif isinstance(event, Withdrawn):
            self.unseen.pop(event.hit, None)

    def _of_wins(
        self, event: MeterEvent, change: int, at: datetime | None, allowed: Graces
    ) -> None:
        """What became of wins by an event that changed what is played for by so much."""
        if isinstance(event, Paid):
            self.restarting.paid(event, at, allowed)
        elif isinstance(event, Withdrawn):
            self.restarting.withdrawn(event, self.pool.meter, at, allowed)
            self.queue.withdrawn(event, change)

    def _bounds(self, event: MeterEvent, by: InForce | None, fitted: bool) -> None:
        """How high it starts and runs, by its terms. Law: PT art. 40, 44."""
        right = self.bounds.lowered(event, self.pool.meter, by)
        if right:  # the house did what it had to
            self.said = [
                one
                for one in self.said
                if one.check is not LIMIT or one.breach.evidence[-1] != right
            ]
        self._say(self.bounds.asked(event, self.pool.meter, by, fitted=fitted))

    def _say(self, asked: Asked) -> None:
        for check, result, entries in asked:
            if isinstance(result, Breach):
                self._find(check, result, *entries)
            elif result == LAWFUL:
                self._keep(check)

    def _came_to(self, hit: str) -> None:
        came_to = self.pool.payouts.pop(hit, None)
        if came_to is None:
            return
        self.restarting.won(hit, came_to)
        self.queue.won(hit, came_to, self.pool.meter)
        if hit in self.unseen:
            win = self.unseen[hit]
            win.cents = came_to.paid_cents
            win.winners = [one.winner.name for one in came_to.steps]


def _meters(count: int, expected: int) -> Breach:
    """Two values of a meter, in whole cents and what is left."""

    def figures(microcents: int) -> dict[str, object]:
        cents, rest = divmod(microcents, MICROCENTS)
        return {"meter_cents": cents, "meter_rest_microcents": rest}

    return breach(figures(count), figures(expected))
