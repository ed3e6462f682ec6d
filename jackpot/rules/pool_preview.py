"""What the law would say of an event of a pool as a whole, were it recorded now.

Pure: what the event would be held against comes in. The same questions are asked again of what is
recorded, by a partida's judge (`conditions`) and over the pool's whole story (`whole`).

Law: PT art. 38, 40 to 44, 50.
"""

from collections.abc import Iterable, Iterator
from datetime import date

from casino.law.finding import LAWFUL, Rule, Verdict
from casino.law.questions import breach
from casino.law.rulebook.jackpot_law import (
    APPROVED,
    COUNTED,
    DISPLAY,
    IN_FORCE,
    METER,
    NOT_BACK,
    OPTION,
    PROPOSED,
    RESTART,
    START,
    TOP,
)
from casino.law.rulebook.rulebook import LawInForce
from jackpot.progressive.amounts import displayed_cents
from jackpot.progressive.meter import Meter
from jackpot.progressive.terms import (
    Terms,
    counted_cards_are_lawful,
    option_is_communicated,
    start_is_high_enough,
    table_has_a_top_combination,
    terms_are_approved,
    terms_do_not_reach_back,
    terms_were_proposed,
)
from jackpot.rules.display_checks import Reading

Asked = Iterator[tuple[Rule, Verdict]]


def of_terms(terms: Terms, day: date, rules: LawInForce) -> Asked:
    """What is asked of terms by themselves; `day` is the first on which they hold."""
    yield OPTION, option_is_communicated(terms, day)
    yield APPROVED, terms_are_approved(terms, day)
    yield PROPOSED, terms_were_proposed(terms)
    yield NOT_BACK, terms_do_not_reach_back(terms)
    if rules.states("jackpot.cards_counted"):
        yield COUNTED, counted_cards_are_lawful(terms, rules["jackpot.cards_counted"])
    if rules.states("jackpot.start_times"):
        times = rules["jackpot.start_times"]
        yield START, start_is_high_enough(terms.start_cents, terms.stake_cents, times)
    yield TOP, table_has_a_top_combination(terms.prizes)


def of_start(start_cents: int, meter: Meter, stake_cents: int | None, rules: LawInForce) -> Asked:
    """What is asked of a starting value. `stake_cents`: of its terms, None where there are none."""
    if meter.begun and not meter.to_start:
        observed = {"start_cents": start_cents, "meter_cents": meter.displayed_cents}
        yield RESTART, breach(observed, {"start_cents": 0})
    if stake_cents is None:
        yield IN_FORCE, breach({"terms": 0}, {"at_least": 1})
    elif rules.states("jackpot.start_times"):
        times = rules["jackpot.start_times"]
        yield START, start_is_high_enough(start_cents, stake_cents, times)


def of_reading(shown_cents: int, meter: Meter, lately: Iterable[int]) -> Asked:
    """What is asked of what somebody reads off a display; `lately` are the chips told just before.

    They may not be shown yet. Chips that are shown and not recorded yet explain nothing so far: who
    reads a display tells of those first.
    """
    if not meter.begun:
        return
    one = Reading("", shown_cents, [meter.running], displayed_cents(meter.pool))
    one.compare()
    for microcents in lately:
        one.with_chips(-microcents)
    if one.right:
        yield DISPLAY, LAWFUL
    else:
        expected = {"display_cents": one.expected}
        yield DISPLAY, breach({"display_cents": shown_cents}, expected)


def of_change(microcents: int, meter: Meter) -> Asked:
    """What is asked of a correction of the meter, up or down; 0 for what only tells of it."""
    if not meter.begun:
        yield RESTART, breach({"starts": 0}, {"at_least": 1})
    elif microcents < -meter.running:
        observed = {"change_microcents": microcents}
        yield METER, breach(observed, {"at_least_microcents": -meter.running})
    else:
        yield METER, LAWFUL
