"""PT art. 38 to 40, 42, 44, 50: what a progressive prize is played by."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from casino.events.tables import TableRegistered
from casino.law.rulebook.controls import ARTICLE_OF
from jackpot.events import TermsConfirmed, TermsLine
from tests.factories.games import Game, entry, evening, moment
from tests.factories.pool_acts import (
    LINES,
    POOL,
    START,
    approved,
    collected,
    laid,
    played,
    pool_game,
    ref,
    terms_of,
    won,
)
from tests.law.asking import LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import cited, findings, said, the_finding

OPTION = "jackpot_option_is_communicated"
PLACE = "jackpot_place_is_marked"
IN_FORCE = "jackpot_terms_are_in_force"
CONFIRMED = "jackpot_terms_are_confirmed"
HOW_MARKED = "jackpot_marking_as_registered"
APPROVED = "jackpot_terms_are_approved"
PROPOSED = "jackpot_terms_were_proposed"
NOT_BACK = "jackpot_terms_do_not_reach_back"
COUNTED = "jackpot_counted_cards_are_lawful"
START_HIGH = "jackpot_start_is_high_enough"
TOP = "jackpot_has_a_top_combination"
ALL = (
    *(OPTION, PLACE, IN_FORCE, CONFIRMED, HOW_MARKED, APPROVED, NOT_BACK, COUNTED, START_HIGH),
    *(TOP, PROPOSED),
)


def game(**terms: Any) -> Game:
    """A round with one chip under these terms."""
    game = pool_game(**terms)
    laid(game)
    return game


@upholds_case(CONFIRMED, "unlawful")
@upholds_case(IN_FORCE, "boundary")
@pytest.mark.parametrize("confirmed", [None, "20:30"])
def test_terms_one_person_told_are_a_deviation_of_the_house_and_no_breach_of_40(
    confirmed: str | None,
) -> None:
    """The regulation asks for no second person."""
    given = game(confirmed=confirmed)
    found = the_finding(CONFIRMED, given)
    assert (found.rulebook, found.article) == ("house", "house.jackpot")
    assert (found.severity, found.where) == ("deviation", {"jackpot": "JP-1"})
    assert (found.observed, found.expected) == ({"persons": 1, "times": 2}, {"at_least": 2})
    assert len(found.evidence) == 3  # the terms, the round and its increment
    assert said(IN_FORCE, given) == LAWFUL


@upholds_case(CONFIRMED, "boundary")
def test_terms_confirmed_before_the_chips_are_confirmed_in_time() -> None:
    assert said(CONFIRMED, game(confirmed="20:09")) == LAWFUL


@upholds_case(OPTION, "lawful")
@upholds_case(PLACE, "lawful")
@upholds_case(IN_FORCE, "lawful")
@upholds_case(CONFIRMED, "lawful")
@upholds_case(HOW_MARKED, "lawful")
@upholds_case(APPROVED, "lawful")
@upholds_case(PROPOSED, "lawful")
@upholds_case(NOT_BACK, "lawful")
@upholds_case(COUNTED, "lawful")
@upholds_case(START_HIGH, "lawful")
@upholds_case(TOP, "lawful")
@pytest.mark.parametrize("check", ALL)
def test_articles_38_to_44_lawful_terms_are_lawful(check: str) -> None:
    assert said(check, game()) == LAWFUL
    assert said(check, evening()) == NOT_ASKED  # nobody plays for a prize
    # What the house asks it asks under every rulebook.
    assert said(check, game(), "es") == (LAWFUL if check in ARTICLE_OF else NOT_ASKED)


def test_articles_38_to_50_a_lawful_round_opens_nothing() -> None:
    assert [one for one in cited(game()) if "jackpot" in one or "chip" in one] == []


@upholds_case(OPTION, "unlawful")
@pytest.mark.parametrize(
    "otherwise", [{"option_reference": None}, {"communicated_on": date(2026, 11, 21)}]
)
def test_article_38_a_prize_nobody_made_known_is_found(otherwise: dict[str, Any]) -> None:
    found = the_finding(OPTION, game(**otherwise))
    assert (found.article, found.severity) == ("38", "breach")
    assert found.where == {"jackpot": "JP-1", "terms": "T-1"}
    assert len(found.evidence) == 2  # the terms, and what was first played by them


@upholds_case(OPTION, "boundary")
def test_article_38_made_known_on_the_day_itself_is_lawful() -> None:
    assert said(OPTION, game(communicated_on=date(2026, 11, 20))) == LAWFUL
    assert said(OPTION, game(communicated_on=None)) == UNDECIDED


@upholds_case(PLACE, "unlawful")
@pytest.mark.parametrize("boxes", [6, 7])
def test_article_39_a_table_without_a_place_for_the_chip_is_found(boxes: int) -> None:
    given = game()
    given.outside(TableRegistered, jackpot_place=False, boxes=boxes)
    found = the_finding(PLACE, given)
    assert (found.article, found.observed) == ("39", {"places": 0})


@upholds_case(PLACE, "boundary")
def test_article_39_a_table_nobody_described_is_not_decided() -> None:
    found = game()
    found.outside(TableRegistered, jackpot_place=None)
    assert said(PLACE, found) == UNDECIDED
    found.outside(TableRegistered)
    assert said(PLACE, found) == UNDECIDED


def test_article_39_nobody_who_lays_no_chip_plays_for_the_prize() -> None:
    game = pool_game()
    game.round(1, 1)
    assert [said(check, game) for check in ALL] == [NOT_ASKED] * len(ALL)


@upholds_case(IN_FORCE, "unlawful")
@pytest.mark.parametrize(
    "terms",
    [
        {"terms": False},
        {"valid_from": moment("20:11")},
    ],
)
def test_article_40_chips_without_approved_terms_are_found(terms: dict[str, Any]) -> None:
    found = the_finding(IN_FORCE, game(**terms))
    assert (found.article, found.where) == ("40", {"jackpot": "JP-1"})
    assert found.observed == {"terms": 0, "times": 2}  # the round and its increment
    assert len(found.evidence) == 2


@upholds_case(IN_FORCE, "boundary")
def test_article_40_terms_of_that_very_moment_are_in_force() -> None:
    assert said(IN_FORCE, game(valid_from=moment("20:10"))) == LAWFUL
    assert said(IN_FORCE, game(confirmed="20:09")) == LAWFUL


@upholds_case(IN_FORCE, "unlawful")
def test_article_40_chips_at_a_table_the_terms_do_not_name_are_found() -> None:
    found = the_finding(IN_FORCE, game(tables=("BJ-98", "BJ-99")))
    assert (found.article, found.where) == ("40", {"jackpot": "JP-1", "terms": "T-1"})
    assert (found.observed["table"], found.expected) == (
        game().table,
        {"one_of": ["BJ-98", "BJ-99"]},
    )
    assert len(found.evidence) == 2  # the terms, and what was first played by them


@upholds_case(IN_FORCE, "boundary")
def test_article_40_terms_hold_at_each_table_they_name_and_at_all_where_they_name_none() -> None:
    assert said(IN_FORCE, game(tables=("BJ-98", game().table))) == LAWFUL
    assert said(IN_FORCE, game(tables=None)) == LAWFUL


@upholds_case(HOW_MARKED, "unlawful")
@pytest.mark.parametrize(
    ("registered", "marking"),
    [("manual", "automatic"), ("automatic", "manual"), ("none", "manual")],
)
def test_article_41_a_table_registered_with_another_marking_is_found(
    registered: str, marking: str
) -> None:
    given = game(marking=marking)
    given.outside(TableRegistered, jackpot_marking=registered)
    found = the_finding(HOW_MARKED, given)
    assert (found.article, found.severity) == ("41", "warning")
    seen = "no_marking" if registered == "none" else registered
    assert (found.observed, found.expected) == ({"marking": seen}, {"marking": marking})


@upholds_case(HOW_MARKED, "boundary")
def test_article_41_a_marking_nobody_registered_is_not_decided() -> None:
    found = game()
    found.outside(TableRegistered, jackpot_marking=None)
    assert said(HOW_MARKED, found) == UNDECIDED
    found.outside(TableRegistered)
    assert said(HOW_MARKED, found) == UNDECIDED


def test_article_40_each_chip_has_the_terms_of_its_moment() -> None:
    found = game()
    approved(found, "20:20", confirmed="20:25", valid_from=moment("20:30"), approval_reference=None)
    laid(found, at="20:29")
    assert said(APPROVED, found) == LAWFUL
    laid(found, at="20:30")
    assert len(findings(APPROVED, found)) == 1


@upholds_case(APPROVED, "unlawful")
@pytest.mark.parametrize(
    "otherwise", [{"approval_reference": None}, {"approved_on": date(2026, 11, 21)}]
)
def test_article_40_terms_the_inspectorate_did_not_set_are_found(otherwise: Any) -> None:
    found = the_finding(APPROVED, game(**otherwise))
    assert (found.article, found.expected) == ("40", {"by_day": "2026-11-20"})


@upholds_case(APPROVED, "boundary")
def test_article_40_terms_set_on_the_day_itself_are_lawful() -> None:
    assert said(APPROVED, game(approved_on=date(2026, 11, 20))) == LAWFUL
    assert said(APPROVED, game(approved_on=None)) == UNDECIDED


@upholds_case(PROPOSED, "unlawful")
@pytest.mark.parametrize("day", [date(2026, 11, 3), date(2026, 12, 1)])
def test_article_40_terms_proposed_after_they_were_set_are_found(day: date) -> None:
    found = the_finding(PROPOSED, game(proposed_on=day))
    assert (found.article, found.expected) == ("40", {"by_day": "2026-11-02"})


@upholds_case(PROPOSED, "boundary")
def test_article_40_a_proposal_of_the_same_day_is_in_time_and_an_untold_one_open() -> None:
    assert said(PROPOSED, game(proposed_on=date(2026, 11, 2))) == LAWFUL
    for unrecorded in ("proposal", "proposed_on", "conditions"):
        assert said(PROPOSED, game(**{unrecorded: None})) == UNDECIDED


@upholds_case(NOT_BACK, "unlawful")
@pytest.mark.parametrize("since", ["12:00", "12:59:59"])
def test_article_40_terms_that_reach_back_are_found(since: str) -> None:
    found = the_finding(NOT_BACK, game(at="13:00", confirmed="13:05", valid_from=moment(since)))
    assert (found.article, found.observed) == (
        "house.jackpot",
        {"since": moment(since).isoformat()},
    )


@upholds_case(NOT_BACK, "boundary")
def test_article_40_terms_from_the_moment_they_were_told_do_not_reach_back() -> None:
    assert said(NOT_BACK, game(valid_from=moment("12:00:01"))) == LAWFUL
    assert said(NOT_BACK, game(valid_from=moment("12:00"))) == LAWFUL


def backdated(*, played: str, opened: str = "14:00") -> Game:
    """Terms put down at eight for half past twelve, the second word too, and chips laid then.

    The chips were recorded at half past eight, the opening at the moment named.
    """
    game = pool_game(terms=False)
    first = game.entries[0]
    game.entries[0] = replace(first, recorded_at=moment(opened))
    terms = entry(terms_of(), "jackpot/JP-1", 950, "12:00", "S-300", "20:00")
    word = TermsConfirmed(jackpot=POOL, confirms=ref(terms))
    game.around += [terms, entry(word, "jackpot/JP-1", 951, "12:05", "S-301", "20:01")]
    collected(game, at=played, recorded="20:30")
    return game


@upholds_case(NOT_BACK, "unlawful")
@pytest.mark.parametrize("played", ["19:50", "19:59:59"])
def test_article_40_terms_put_down_after_the_chips_were_laid_are_found(played: str) -> None:
    found = the_finding(NOT_BACK, backdated(played=played))
    assert (found.article, found.where) == ("house.jackpot", {"jackpot": "JP-1", "terms": "T-1"})
    assert found.observed == {"since": moment("12:30").isoformat()}
    assert found.expected == {"not_before": moment("20:00").isoformat()}
    assert len(found.evidence) == 2  # the terms, and what was played before they were recorded


@upholds_case(NOT_BACK, "boundary")
def test_article_40_terms_nobody_played_by_before_they_were_recorded_are_lawful() -> None:
    assert said(NOT_BACK, backdated(played="20:00")) == LAWFUL
    assert said(NOT_BACK, backdated(played="20:10")) == LAWFUL


@upholds_case(NOT_BACK, "boundary")
def test_article_40_an_evening_written_down_the_day_after_is_no_breach() -> None:
    assert said(NOT_BACK, backdated(played="19:50", opened="20:02")) == LAWFUL
    assert said(NOT_BACK, backdated(played="19:50", opened="20:00")) == "finding"


@upholds_case(COUNTED, "unlawful")
@pytest.mark.parametrize("cards", [1, 5, 10])
def test_article_42_another_number_of_cards_is_found(cards: int) -> None:
    lines = (TermsLine(code="one_ace", share_millionths=1_000_000),)
    found = the_finding(COUNTED, game(cards_counted=cards, lines=lines))
    assert (found.article, found.observed, found.expected) == (
        "42",
        {"cards": cards},
        {"one_of": [2, 3, 4]},
    )


@upholds_case(COUNTED, "boundary")
@pytest.mark.parametrize("cards", [2, 3, 4])
def test_article_42_two_three_or_four_cards_are_lawful(cards: int) -> None:
    lines = (TermsLine(code="pair", share_millionths=1_000_000),)
    assert said(COUNTED, game(cards_counted=cards, lines=lines)) == LAWFUL


@upholds_case(START_HIGH, "unlawful")
@pytest.mark.parametrize("cents", [0, START - 1])
def test_article_44_a_start_below_ten_thousand_stakes_is_found(cents: int) -> None:
    found = the_finding(START_HIGH, game(started=cents))
    assert (found.article, found.observed) == ("44", {"start_cents": cents})
    assert found.expected == {"at_least_cents": 10_000 * 250}


@upholds_case(START_HIGH, "boundary")
def test_article_44_ten_thousand_stakes_are_enough_and_no_start_is_not_decided() -> None:
    assert said(START_HIGH, game(started=START)) == LAWFUL
    assert said(START_HIGH, game(started=None)) == UNDECIDED
    assert len(findings(START_HIGH, game(stake_cents=251))) == 1


@upholds_case(TOP, "unlawful")
@pytest.mark.parametrize("lines", [LINES[1:], LINES[2:]])
def test_article_50_terms_without_a_top_combination_are_found(lines: Any) -> None:
    found = the_finding(TOP, game(lines=lines))
    assert (found.article, found.expected) == ("house.jackpot", {"percentage": "100"})


@upholds_case(TOP, "boundary")
def test_article_50_one_top_combination_is_enough() -> None:
    assert said(TOP, game(lines=LINES[:1])) == LAWFUL


def test_a_win_alone_is_played_by_terms_too() -> None:
    game = pool_game(approval_reference=None)
    won(game, "1 J1 pair_same_suit", of=played(game))
    assert len(findings(APPROVED, game)) == 1
