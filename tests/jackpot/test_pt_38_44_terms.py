"""PT art. 38, 40, 42, 44: the approved terms, what they say and from when on."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from casino.events import Malformed
from casino.law.finding import LAWFUL, UNDECIDED, Breach, Verdict
from casino.law.rulebook.rulebook_file import load_law
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
from tests.factories.prize_tables import ACES, ALL, DAY, line, prizes

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
A_MOMENT = timedelta(microseconds=1)
TIMES = load_law("pt").on(DAY)["jackpot.start_times"]


def terms(**known: Any) -> Terms:
    """Lawful terms: 2.50 a chip, 2.5 %, 25 000.00 to start with."""
    values = {
        "since": NOON,
        "stake_cents": 250,
        "rate_millionths": 25_000,
        "start_cents": 2_500_000,
        "prizes": ACES,
        "marking": "manual",
        "recorded_at": NOON - timedelta(days=1),
        "option_reference": "DJ 12/2026",
        "communicated_on": date(2026, 11, 1),
        "approval_reference": "SRIJ 345/2026",
        "approved_on": date(2026, 11, 10),
        "conditions": "Anexo I",
        "proposal": "P 4/2026",
        "proposed_on": date(2026, 10, 15),
    }
    return Terms(**{**values, **known})


def the_breach(result: Verdict) -> Breach:
    """The one breach a check found."""
    assert isinstance(result, Breach)
    return result


# Article 38: the choice is communicated (seed 002 n.º 38).


def test_article_38_an_option_that_was_communicated_is_lawful() -> None:
    assert option_is_communicated(terms(), DAY) == LAWFUL


def test_article_38_an_option_nobody_communicated_is_found() -> None:
    found = the_breach(option_is_communicated(terms(option_reference=None), DAY))
    assert (found.observed, found.expected) == ({"reference": ""}, {"by_day": "2026-11-20"})


def test_article_38_communicated_on_the_day_itself_is_in_time() -> None:
    assert option_is_communicated(terms(communicated_on=DAY), DAY) == LAWFUL
    late = the_breach(option_is_communicated(terms(communicated_on=date(2026, 11, 21)), DAY))
    assert late.observed == {"reference": "DJ 12/2026", "day": "2026-11-21"}
    assert option_is_communicated(terms(communicated_on=None), DAY) == UNDECIDED


# Article 40: stake, percentage and terms are set by the inspectorate (seed 002 n.º 40).


def test_article_40_approved_terms_are_lawful() -> None:
    assert terms_are_approved(terms(), DAY) == LAWFUL


def test_article_40_terms_nobody_approved_are_found() -> None:
    found = the_breach(terms_are_approved(terms(approval_reference=None), DAY))
    assert found.observed == {"reference": ""}


def test_article_40_approved_on_the_day_itself_is_in_time() -> None:
    assert terms_are_approved(terms(approved_on=DAY), DAY) == LAWFUL
    the_breach(terms_are_approved(terms(approved_on=date(2026, 11, 21)), DAY))


def test_article_40_terms_are_set_on_a_proposal_no_later_than_the_decision() -> None:
    assert terms_were_proposed(terms()) == LAWFUL
    assert terms_were_proposed(terms(proposed_on=date(2026, 11, 10))) == LAWFUL
    found = the_breach(terms_were_proposed(terms(proposed_on=date(2026, 11, 11))))
    assert (found.observed["day"], found.expected) == ("2026-11-11", {"by_day": "2026-11-10"})
    for unrecorded in ("conditions", "proposal", "proposed_on", "approved_on"):
        assert terms_were_proposed(terms(**{unrecorded: None})) == UNDECIDED


def test_article_40_terms_never_reach_back() -> None:
    assert terms_do_not_reach_back(terms()) == LAWFUL
    assert terms_do_not_reach_back(terms(recorded_at=NOON)) == LAWFUL
    found = the_breach(terms_do_not_reach_back(terms(recorded_at=NOON + A_MOMENT)))
    assert found.expected == {"not_before": (NOON + A_MOMENT).isoformat()}
    assert terms_do_not_reach_back(terms(recorded_at=None)) == UNDECIDED


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("rate_millionths", -1),
        ("rate_millionths", 1_000_001),
        ("stake_cents", 0),
        ("start_cents", -1),
        ("rate_millionths", True),
    ],
)
def test_article_40_terms_that_cannot_be_are_refused(field: str, value: int) -> None:
    with pytest.raises(Malformed, match=field):
        terms(**{field: value})


def test_article_40_a_percentage_of_nothing_or_of_all_is_no_malformed_one() -> None:
    assert terms(rate_millionths=0).rate_millionths == 0
    assert terms(rate_millionths=1_000_000).rate_millionths == 1_000_000


# Article 42: two, three or four cards (seed 002 n.º 42).


def test_article_42_two_three_or_four_cards_count() -> None:
    lawful = load_law("pt").on(DAY)["jackpot.cards_counted"]
    for number in (2, 3, 4):
        assert counted_cards_are_lawful(terms(prizes=prizes(number, ("pair", ALL))), lawful) == (
            LAWFUL
        )
    for number in (1, 5):
        table = prizes(number, ("one_ace", ALL))
        found = the_breach(counted_cards_are_lawful(terms(prizes=table), lawful))
        assert (found.observed, found.expected) == ({"cards": number}, {"one_of": [2, 3, 4]})


# Article 44: 10 000 times the side stake (seed 002 n.º 44).


def test_article_44_a_start_of_ten_thousand_stakes_is_lawful() -> None:
    assert start_is_high_enough(2_500_000, 250, TIMES) == LAWFUL
    assert start_is_high_enough(9_999_999, 250, TIMES) == LAWFUL


def test_article_44_a_start_a_cent_lower_is_found() -> None:
    found = the_breach(start_is_high_enough(2_499_999, 250, TIMES))
    assert found.observed == {"start_cents": 2_499_999}
    assert found.expected == {"at_least_cents": 2_500_000}


def test_article_44_the_incident_of_twenty_euros_and_a_stake_of_two_is_found() -> None:
    # The display of millions of 2009: 20.00 to start with and stakes of 2.00 (field study, J20).
    found = the_breach(start_is_high_enough(2_000, 200, TIMES))
    assert found.expected == {"at_least_cents": 2_000_000}


# Article 50 a) needs a combination that takes what is left.


def test_article_50_a_table_without_a_top_combination_is_found() -> None:
    assert table_has_a_top_combination(ACES) == LAWFUL
    nearly = replace(line("pair", ALL), share_millionths=999_999)
    found = the_breach(table_has_a_top_combination(replace(ACES, lines=(nearly,))))
    assert (found.observed, found.expected) == ({"percentage": "99.9999"}, {"percentage": "100"})
    fixed = prizes(2, ("pair", 500))
    assert the_breach(table_has_a_top_combination(fixed)).observed == {"percentage": "0"}
