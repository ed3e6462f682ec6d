"""A meter's life at random: whatever happens, to the microcent, nothing is lost and nothing made.

The model beside it is as simple as it can be: what the house and the players put in, what was
handed out, as exact fractions of a cent. It knows no entry, no hit and no seal.
"""

from fractions import Fraction
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from jackpot.progressive.amounts import MICROCENTS
from jackpot.progressive.meter import (
    ADJUSTMENT_REASONS,
    Adjusted,
    Contributed,
    Meter,
    MeterEvent,
    Paid,
    Read,
    Sealed,
    Started,
    Won,
)
from jackpot.progressive.payout import Payout, PayoutReadings, Winner, payout
from jackpot.progressive.replay import replay
from tests.factories.prize_tables import ACES

START = 2_500_000
CODES = [line.code for line in ACES.lines]
SEATS = st.dictionaries(st.integers(1, 7), st.sampled_from(CODES), min_size=1, max_size=4)


class MeterMachine(RuleBasedStateMachine):
    """One meter, its entries, and the money around it."""

    pending = Bundle("pending")
    done = Bundle("done")

    def __init__(self) -> None:
        super().__init__()
        self.meter = Meter()
        self.book: list[MeterEvent] = []
        self.put_in = Fraction(0)  # cents, by house and players
        self.handed_out = Fraction(0)  # cents, to players and by adjustments
        self.promised = Fraction(0)  # cents won and not handed out
        self.full = False
        self.strangers = 0
        self.start_again()

    def name(self) -> str:
        """The next entry's name."""
        return f"e{len(self.book)}"

    def stranger(self) -> str:
        """A winner nobody has heard of."""
        self.strangers += 1
        return f"J99/{self.strangers}"

    def record(self, event: MeterEvent) -> None:
        """An event that fits."""
        self.book.append(event)
        assert self.meter.take(event) is None, event

    def start_again(self) -> None:
        """The house puts the start value in."""
        self.record(Started(entry=self.name(), start_cents=START))
        self.put_in += START
        self.full = False

    @rule(stake=st.integers(1, 10_000), rate=st.integers(0, 1_000_000), chips=st.integers(1, 7))
    def chips_are_laid(self, stake: int, rate: int, chips: int) -> None:
        self.record(
            Contributed(entry=self.name(), stake_cents=stake, rate_millionths=rate, chips=chips)
        )
        self.put_in += Fraction(stake * chips) * Fraction(rate, 10_000) / 100

    @rule(data=st.data())
    def an_entry_is_sent_again(self, data: st.DataObject) -> None:
        misfit = self.meter.take(data.draw(st.sampled_from(self.book)))
        assert misfit is not None
        assert misfit.what == "told_twice"

    @rule(
        target=pending,
        seats=SEATS,
        odd_cent=st.sampled_from(["player", "house"]),
        remainder=st.sampled_from(["top_combination", "highest_winner"]),
        share_of=st.sampled_from(["value_when_won", "what_is_left"]),
    )
    def a_round_is_won(self, seats: dict[int, str], **readings: Any) -> tuple[str, Payout]:
        listed = [Winner(f"J{seat}", seat, code, seat) for seat, code in seats.items()]
        # One of them is named twice, as by the device and by the dealer: he wins once.
        due = payout(self.meter.running, ACES, [*listed, listed[0]], PayoutReadings(**readings))
        assert len(due.steps) == len(listed)
        hit = self.name()
        self.record(Won(entry=hit, hit=hit, due_cents=due.paid_cents, full=due.full))
        assert self.meter.running == due.after_microcents
        self.promised += due.paid_cents
        if due.full:
            assert due.after_microcents < len(listed) * MICROCENTS
            self.start_again()  # the next round plays for a meter begun anew
        return hit, due

    @rule(target=done, won=consumes(pending), data=st.data())
    def the_winners_are_paid(self, won: tuple[str, Payout], data: st.DataObject) -> Paid:
        hit, due = won
        last = None
        for step in data.draw(st.permutations(due.steps)):
            owner = f"{step.winner.owner}/{step.winner.box}"
            last = Paid(entry=self.name(), hit=hit, winner=owner, cents=step.paid_cents)
            self.record(last)
            self.handed_out += step.paid_cents
            self.promised -= step.paid_cents
        assert last is not None
        return last

    @rule(paid=done)
    def somebody_is_paid_again(self, paid: Paid) -> None:
        again = Paid(entry="again", hit=paid.hit, winner=paid.winner, cents=max(1, paid.cents))
        misfit = self.meter.take(again)
        assert misfit is not None
        assert misfit.what == "paid_twice"

    @rule(paid=done)
    def a_stranger_is_paid_for_a_hit(self, paid: Paid) -> None:
        nothing = Paid(entry="no", hit=paid.hit, winner=self.stranger(), cents=1)
        misfit = self.meter.take(nothing)
        assert misfit is not None
        assert misfit.what == "more_than_was_won"
        misfit = self.meter.take(nothing)
        assert misfit is not None
        assert misfit.what == "paid_twice"

    @rule(by=st.integers(-(10**12), 10**12), reason=st.sampled_from(ADJUSTMENT_REASONS))
    def the_meter_is_adjusted(self, by: int, reason: str) -> None:
        by = max(by, -self.meter.running)
        self.record(Adjusted(entry=self.name(), microcents=by, reason=reason))
        self.handed_out -= Fraction(by, MICROCENTS)

    @rule(beyond=st.integers(1, 10**9))
    def somebody_takes_more_than_there_is(self, beyond: int) -> None:
        too_much = self.meter.running // MICROCENTS + beyond
        for event in (
            Adjusted(entry="no", microcents=-self.meter.running - beyond, reason="counting_error"),
            Won(entry="no", hit="no", due_cents=too_much),
            Paid(entry="no", hit="nobody's", winner=self.stranger(), cents=too_much),
        ):
            misfit = self.meter.take(event)
            assert misfit is not None
            assert misfit.what == "beyond_the_meter"
        # For a win there could not be nothing is held, so nothing is paid for it.
        misfit = self.meter.take(Paid(entry="no", hit="no", winner=self.stranger(), cents=1))
        assert misfit is not None
        assert misfit.what == "more_than_was_won"

    @rule()
    def the_display_is_read_and_the_day_is_cut(self) -> None:
        exact = self.put_in - self.handed_out - self.promised
        self.record(Read(entry=self.name(), display_cents=exact.numerator // exact.denominator))
        self.record(Sealed(entry=self.name(), microcents=int(exact * MICROCENTS)))

    @rule()
    def the_house_goes_dark(self) -> None:
        before = self.meter
        again = replay(self.book)
        assert again.misfits == ()
        self.meter = again.meter
        assert self.meter.running == before.running
        assert self.meter.displayed_cents == before.displayed_cents

    @invariant()
    def nothing_is_lost_and_nothing_made(self) -> None:
        assert Fraction(self.meter.pool, MICROCENTS) == self.put_in - self.handed_out
        assert Fraction(self.meter.held, MICROCENTS) == self.promised
        assert 0 <= self.meter.held <= self.meter.pool

    @invariant()
    def the_display_shows_what_the_next_round_plays_for(self) -> None:
        running = self.put_in - self.handed_out - self.promised
        assert self.meter.displayed_cents == running.numerator // running.denominator
        assert self.meter.last_seal + self.meter.since_seal == self.meter.running


TestMeterMachine = MeterMachine.TestCase
TestMeterMachine.settings = settings(stateful_step_count=30, report_multiple_bugs=False)
