"""A pool's life at random: the steps it may take, in any order, and what must hold after each."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any, Final

import pytest
from django.db import connection, transaction
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from jackpot.events import JackpotRead, TermsLine
from jackpot.pool_questions import PaidAlready, WonAlready
from jackpot.progressive.meter import ADJUSTMENT_REASONS
from jackpot.seal_meter import seal
from tests.factories.pools import (
    ACE_JACK,
    OPENED,
    POOL,
    SEVENS,
    TOP,
    increment,
    opened,
    staked,
    terms_of,
)
from tests.factories.records import EVENING, recorded
from tests.jackpot.machine_house import (
    LATE,
    OTHER,
    TABLES,
    House,
    Winners,
    other_chips,
    otherwise_named,
    pick,
    take,
)
from tests.jackpot.together import at_once

PART: Final = TermsLine(code=SEVENS, share_millionths=333_333)
SMALL: Final = TermsLine(code=ACE_JACK, fixed_cents=5_000)
ALL: Final = TermsLine(code=TOP, share_millionths=1_000_000)
moments = st.sampled_from([EVENING, LATE])
played = st.sampled_from(TABLES)
linked = st.sampled_from(TABLES[:2])
laid_chips = st.dictionaries(st.integers(1, 7), st.integers(1, 3), min_size=1, max_size=4)
codes = st.sampled_from([TOP, SEVENS, ACE_JACK, "four_aces"])  # the last is in no table of ours

# Owner, box, combination: one may have won on two boxes, two on one.
winners = st.lists(
    st.tuples(st.sampled_from(["J1", "J2", "J3"]), st.integers(1, 3), codes),
    min_size=1,
    max_size=4,
    unique_by=lambda one: one[:2],
).map(tuple)

which = st.integers(0, 10**6)  # of those there are, whatever their number


class BrokenOff(Exception):
    """The program dies in the middle of a transaction."""


class PoolMachine(RuleBasedStateMachine):
    """Two pools, three tables, and a database of their own."""

    def __init__(self, databases: Any, template: str) -> None:
        super().__init__()
        self.house = House(databases, template)

    def teardown(self) -> None:
        self.house.close()

    @initialize(marking=st.sampled_from(["manual", "automatic"]), begun=st.booleans())
    def the_house_opens(self, marking: str, begun: bool) -> None:
        self.house.open(marking)
        self.house.start(OTHER)
        if begun:
            self.house.start()

    # Chips.

    @rule(
        table=played,
        laid=laid_chips,
        chip_cents=st.sampled_from([None, 250]),
        at=moments,
        sealed=st.booleans(),
    )
    def chips_are_collected(
        self, table: str, laid: dict[int, int], chip_cents: int | None, at: Any, sealed: bool
    ) -> None:
        self.house.lay(collected(table, laid, chip_cents=chip_cents), at)
        if sealed:
            self.house.seal()

    @rule(table=played, laid=laid_chips, at=moments)
    def a_round_is_played(self, table: str, laid: dict[int, int], at: Any) -> None:
        self.house.place += 1
        self.house.lay(staked(*chips(laid), table=table, place=self.house.place), at)

    @precondition(lambda self: self.house.chips)
    @rule(
        which=which,
        n=st.integers(1, 6),
        at=moments,
        jackpot=st.sampled_from([POOL, POOL, OTHER]),
        at_once=st.booleans(),
    )
    def chips_are_corrected(self, which: int, n: int, at: Any, jackpot: str, at_once: bool) -> None:
        one = take(self.house.chips, which)
        self.house.correct(one, other_chips(one.event, n, jackpot), at)
        if at_once:
            self.house.decide(self.house.waiting.pop(), "approved")

    @precondition(lambda self: self.house.waiting)
    @rule(which=which, decision=st.sampled_from(["approved", "approved", "refused"]))
    def a_correction_is_decided(self, which: int, decision: str) -> None:
        self.house.decide(take(self.house.waiting, which), decision)

    # The house's own words.

    @rule(
        rate=st.sampled_from([0, 1, 10_001, 333_333, 1_000_000]),
        stake=st.sampled_from([1, 250, 333]),
        lines=st.sampled_from([(ALL, PART), (ALL, SMALL), (PART, SMALL), (SMALL,)]),
        since=st.sampled_from([OPENED, EVENING, EVENING + timedelta(minutes=30)]),
        marking=st.sampled_from(["manual", "automatic"]),
        tables=st.sampled_from([None, TABLES[:1], TABLES[1:]]),
        agreed=st.booleans(),
    )
    def terms_are_proposed(
        self, rate: int, stake: int, since: Any, agreed: bool, **others: Any
    ) -> None:
        self.house.place += 1
        event = terms_of(
            terms=f"T-{self.house.place}",
            rate_millionths=rate,
            stake_cents=stake,
            valid_from=since,
            **others,
        )
        self.house.propose(event)
        if agreed:
            self.house.confirm(self.house.proposed.pop())

    @precondition(lambda self: self.house.proposed)
    @rule(which=which, at=moments)
    def terms_are_confirmed(self, which: int, at: Any) -> None:
        self.house.confirm(take(self.house.proposed, which), at)

    @rule()
    def a_starting_value_is_put_in(self) -> None:
        self.house.start()

    @rule(by=st.integers(-(10**13), 10**13), reason=st.sampled_from(ADJUSTMENT_REASONS))
    def the_meter_is_adjusted(self, by: int, reason: str) -> None:
        self.house.adjust(by or 1, reason)

    # Wins and payments.

    @rule(table=linked, winners=winners, at=moments)
    def a_round_is_won(self, table: str, winners: Winners, at: Any) -> None:
        self.house.won(self.house.record(self.house.winning(winners, table), at))

    @precondition(lambda self: self.house.hits)
    @rule(which=which)
    def a_win_is_recorded_again(self, which: int) -> None:
        event = pick(self.house.hits, which).event
        same = {one.receipt.n for one in self.house.hits if one.event == event}
        if same <= self.house.withdrawn:
            self.house.won(self.house.record(event))
            return
        with pytest.raises(WonAlready):
            recorded(otherwise_named(event, which))

    @precondition(lambda self: self.house.hits)
    @rule(which=which)
    def a_win_is_withdrawn(self, which: int) -> None:
        self.house.withdraw(pick(self.house.hits, which))

    @precondition(lambda self: self.house.unpaid)
    @rule(which=which, wrong=st.sampled_from([0, 0, 0, -1, -2_600, 1, 10_000]))
    def a_winner_is_paid(self, which: int, wrong: int) -> None:
        hit, owner, box, cents = pick(self.house.unpaid, which)
        self.house.pay(hit, owner, box, max(0, cents + wrong))

    @precondition(lambda self: self.house.unpaid)
    @rule()
    def all_winners_are_paid_in_order(self) -> None:
        for hit, owner, box, cents in self.house.unpaid:
            self.house.pay(hit, owner, box, cents)

    @precondition(lambda self: self.house.hits)
    @rule(which=which, cents=st.integers(0, 10**7))
    def a_stranger_is_paid(self, which: int, cents: int) -> None:
        hit = pick(self.house.hits, which)
        if (hit.receipt.n, "J9", 9) not in self.house.handed:
            self.house.pay(hit, "J9", 9, cents)

    @precondition(lambda self: self.house.payments)
    @rule(which=which, really=st.booleans())
    def somebody_is_paid_again(self, which: int, really: bool) -> None:
        event = pick(self.house.payments, which).event
        hit = next(one for one in self.house.hits if one.receipt.n == event.hit.n)
        if really:
            self.house.pay(hit, event.owner, event.box, event.paid_cents, again=True)
            return
        if 0 < event.paid_cents <= self.house.model.missing(hit.receipt.n, event.owner, event.box):
            self.house.pay(hit, event.owner, event.box, event.paid_cents)  # half of it, and half
            return
        with pytest.raises(PaidAlready):
            self.house.pay(hit, event.owner, event.box, event.paid_cents)

    @precondition(lambda self: self.house.payments)
    @rule(which=which, wrong=st.sampled_from([0, 0, 1, -1]))
    def what_was_missing_is_paid(self, which: int, wrong: int) -> None:
        event = pick(self.house.payments, which).event
        hit = next(one for one in self.house.hits if one.receipt.n == event.hit.n)
        missing = self.house.model.missing(hit.receipt.n, event.owner, event.box)
        cents = max(0, missing + wrong)
        if 0 < cents <= missing:
            self.house.pay(hit, event.owner, event.box, cents)
            return
        with pytest.raises(PaidAlready):
            self.house.pay(hit, event.owner, event.box, cents)

    @rule(winners=winners, laid=laid_chips)
    def two_hits_and_chips_come_at_once(self, winners: Winners, laid: dict[int, int]) -> None:
        first, second = (self.house.winning(winners, table) for table in TABLES[:2])
        put = collected(TABLES[0], laid, chip_cents=250)
        events = [first, put, second]
        answers = at_once(*(lambda event=event: self.house.record(event) for event in events))
        assert not [one for one in answers if isinstance(one, Exception)]
        answers.sort(key=lambda one: (one.receipt.recorded_at, one.receipt.stream))
        for one in answers:
            if one.event is put:
                self.house.laid(one)
            else:
                self.house.won(one)

    # The day, and what happens to machines.

    @rule()
    def the_meter_is_sealed(self) -> None:
        self.house.seal()

    @rule(which=which, table=played, pools=st.sampled_from([(), (POOL,), (OTHER,), (POOL, OTHER)]))
    def nothing_comes_of_it(self, which: int, table: str, pools: tuple[str, ...]) -> None:
        """The program starts again, an entry is sent again, a partida opened again; who reads the
        display, rightly or wrongly, changes nothing."""
        self.house.restart()
        one = pick(self.house.sent, which)
        again = recorded(one.event, key=one.key, by=one.by, occurred_at=one.at)
        assert (again.repeated, again.entry_id) == (True, one.receipt.entry_id)
        opened(table, pools)  # what it was opened with first holds
        shown = int(self.house.model.running) + which % 2
        self.house.record(JackpotRead(jackpot=POOL, display_cents=shown))

    @rule(winners=winners, laid=laid_chips, dies=st.booleans(), first=st.booleans())
    def it_dies_in_the_middle(
        self, winners: Winners, laid: dict[int, int], dies: bool, first: bool
    ) -> None:
        """Nothing of a transaction stands that did not come to its end."""
        events: Sequence[Any] = [
            collected(TABLES[0], laid, chip_cents=250),
            self.house.winning(winners, TABLES[1]),
        ]
        with suppress(BrokenOff), transaction.atomic():
            for event in events if first else events[::-1]:
                recorded(event)
            seal(POOL)
            if dies:
                connection.connection.close()
            raise BrokenOff
        connection.close()

    @rule(winners=winners, laid=laid_chips)
    def a_part_of_it_is_taken_back(self, winners: Winners, laid: dict[int, int]) -> None:
        """What was undone within a transaction is undone; the rest of it counts."""
        with transaction.atomic():
            one = self.house.record(collected(TABLES[0], laid, chip_cents=250))
            with suppress(BrokenOff), transaction.atomic():
                recorded(self.house.winning(winners, TABLES[0]))
                recorded(collected(TABLES[1], laid, chip_cents=250))
                raise BrokenOff
        self.house.laid(one)

    @invariant()
    def nothing_is_lost_and_nothing_made(self) -> None:
        self.house.check()


def chips(laid: dict[int, int]) -> list[tuple[int, str, int]]:
    """Box, owner, how many."""
    return [(where, f"J{where}", n) for where, n in laid.items()]


def collected(table: str, laid: dict[int, int], **known: Any) -> Any:
    """Chips collected by hand, for the pool of that table."""
    jackpot = OTHER if table == TABLES[2] else POOL
    return increment(*chips(laid), table=table, jackpot=jackpot, **known)
