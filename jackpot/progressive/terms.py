"""The approved terms of a progressive prize through time, and what the law asks of them.

Terms hold from their day on until later ones do; they never reach back. Whatever is wrong with them
is a breach to be shown, no reason to refuse them: they were in force, and people played by them.

Law: PT art. 38, 40, 42, 44.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from casino.events.values import MAX_CENTS, Whole
from casino.law.finding import LAWFUL, UNDECIDED, Verdict
from casino.law.questions import breach, one_of
from jackpot.progressive.amounts import WHOLE, percentage
from jackpot.progressive.prizes import PrizeList

Marking = Literal["automatic", "manual"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """One version of the terms, in force from `since`.

    Units: `stake_cents` what one chip is worth, `start_cents` the starting value, `rate_millionths`
    of each stake go to the meter. `option_reference` is the concession holder's communication of
    the choice and `communicated_on` its day; `approval_reference` and `approved_on` the decision
    of the inspectorate, `proposal` and `proposed_on` what it was asked for, `conditions` where
    they stand; None where nobody told. `recorded_at` is when the book took them.

    Raises: Malformed, for a stake below 1, a percentage below 0 or over 100, a start below 0.
    Law: PT art. 38, 40-44.
    """

    since: datetime
    stake_cents: int
    rate_millionths: int
    start_cents: int
    prizes: PrizeList
    marking: Marking
    recorded_at: datetime | None = None
    option_reference: str | None = None
    communicated_on: date | None = None
    approval_reference: str | None = None
    approved_on: date | None = None
    conditions: str | None = None
    proposal: str | None = None
    proposed_on: date | None = None

    def __post_init__(self) -> None:
        Whole(1, MAX_CENTS).check(self.stake_cents, "$.stake_cents")
        Whole(0, WHOLE).check(self.rate_millionths, "$.rate_millionths")
        Whole(0, MAX_CENTS).check(self.start_cents, "$.start_cents")


def option_is_communicated(terms: Terms, day: date) -> Verdict:
    """The choice of a progressive prize had been communicated when it was played, on `day`.

    Law: PT art. 38.
    """
    return _documented(terms.option_reference, terms.communicated_on, day)


def terms_are_approved(terms: Terms, day: date) -> Verdict:
    """The inspectorate had set the terms by the gaming day on which they were used.

    Law: PT art. 40, 43.
    """
    return _documented(terms.approval_reference, terms.approved_on, day)


def terms_were_proposed(terms: Terms) -> Verdict:
    """The inspectorate set them and their conditions on a proposal, which came no later.

    Open where nobody tells the proposal, or where the conditions stand.

    Law: PT art. 40.
    """
    if None in (terms.conditions, terms.proposal, terms.proposed_on, terms.approved_on):
        return UNDECIDED
    assert terms.proposed_on is not None
    assert terms.approved_on is not None
    if terms.proposed_on <= terms.approved_on:
        return LAWFUL
    observed = {"proposal": terms.proposal, "day": terms.proposed_on}
    return breach(observed, {"by_day": terms.approved_on})


def _documented(reference: str | None, on: date | None, day: date) -> Verdict:
    if reference is None:
        return breach({"reference": ""}, {"by_day": day})
    if on is None:
        return UNDECIDED
    if on > day:
        return breach({"reference": reference, "day": on}, {"by_day": day})
    return LAWFUL


def terms_do_not_reach_back(terms: Terms) -> Verdict:
    """Terms hold only for what is played after they were recorded. Law: PT art. 40."""
    if terms.recorded_at is None:
        return UNDECIDED
    if terms.since < terms.recorded_at:
        return breach({"since": terms.since}, {"not_before": terms.recorded_at})
    return LAWFUL


def counted_cards_are_lawful(terms: Terms, lawful: Collection[int]) -> Verdict:
    """As many cards count as the law lets count (its `jackpot.cards_counted`). Law: PT art. 42."""
    return one_of("cards", terms.prizes.cards_counted, sorted(lawful))


def start_is_high_enough(start_cents: int, stake_cents: int, times: int) -> Verdict:
    """The meter starts, and starts again, with so many times its side stake at least.

    `times` is the law's `jackpot.start_times`. Law: PT art. 44.
    """
    least = stake_cents * times
    if start_cents < least:
        return breach({"start_cents": start_cents}, {"at_least_cents": least})
    return LAWFUL


def table_has_a_top_combination(prizes: PrizeList) -> Verdict:
    """One combination wins the whole meter, so that there is one to take what is left.

    Law: PT art. 50 a).
    """
    if not prizes.top:
        shares = max([line.share_millionths or 0 for line in prizes.lines])
        return breach({"percentage": percentage(shares)}, {"percentage": percentage(WHOLE)})
    return LAWFUL
