"""PT art. 51 and 60: a jam calls a fiscal-chefe, and cards wait only where something hinders."""

from typing import Any

import pytest

from casino.events.floor_life import RoundsDeferred
from casino.events.incidents import IncidentStep
from casino.events.shufflers import ShufflerRegistered
from tests.factories.games import CHEFE, Game, evening
from tests.factories.rounds_put_back import rounds
from tests.factories.shuffler_troubles import damage, jam, with_incident
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import said, the_finding

CALLED, CAUSE = "fiscal_chefe_is_called", "deferral_has_its_cause"


@upholds_case(CALLED, "lawful")
@pytest.mark.parametrize("category", ["jam", "warning_light"])
def test_article_51_a_jam_whose_call_is_on_record_is_lawful(category: str) -> None:
    assert said(CALLED, jam(category=category)) == LAWFUL
    game = with_incident(category, closed=False)
    game.record(IncidentStep, "21:01", incident="I-1", step="called")
    game.close()
    assert said(CALLED, game) == LAWFUL


@upholds_case(CALLED, "unlawful")
@pytest.mark.parametrize("category", ["jam", "warning_light"])
@pytest.mark.parametrize("recorded", [{}, {"opened_by": None, "opened_at": None}])
def test_article_51_a_jam_to_which_nobody_was_called_is_found(
    category: str, recorded: dict[str, Any]
) -> None:
    found = the_finding(CALLED, jam(category=category, called_at=None, **recorded))
    assert (found.article, found.where) == ("51", {"incident": "I-1"})
    assert (found.observed, found.expected) == ({"calls": 0}, {"at_least": 1})


@upholds_case(CALLED, "boundary")
def test_article_51_the_call_may_still_be_told_and_who_reported_it_may_have_been_there() -> None:
    assert said(CALLED, jam(called_at=None, closed=False)) == UNDECIDED
    himself = with_incident("jam", closed=False)
    report = himself.entries.pop()
    himself.add(report.event, "21:00", CHEFE)
    himself.close()
    assert said(CALLED, himself) == UNDECIDED
    # The text has nobody called to a damaged card: it is replaced by a fiscal-chefe at once.
    assert said(CALLED, damage(called_at=None)) == NOT_ASKED
    assert said(CALLED, with_incident("jam", dealing="shoe")) == NOT_ASKED


def waiting(reason: Any, continuous: bool = True) -> Game:
    """The cards of the first of two rounds had to wait."""
    game = rounds("20:23", "20:23", waiting="1")
    game.change(RoundsDeferred, reason=reason)
    game.outside(ShufflerRegistered, continuous=continuous)
    return game


@upholds_case(CAUSE, "lawful")
@pytest.mark.parametrize("reason", ["shuffler_full", "jam", "dispute"])
def test_article_60_cards_that_could_not_go_back_wait(reason: str) -> None:
    assert said(CAUSE, waiting(reason)) == LAWFUL


@upholds_case(CAUSE, "unlawful")
@pytest.mark.parametrize("continuous", [True, None])
def test_article_60_cards_that_wait_for_nothing_are_found(continuous: bool | None) -> None:
    game = waiting("other")
    if continuous is None:
        game.outside(ShufflerRegistered)
    found = the_finding(CAUSE, game)
    assert (found.article, found.observed) == ("60", {"reason": "other"})
    assert found.expected == {"one_of": ["shuffler_full", "jam", "dispute"]}


@upholds_case(CAUSE, "boundary")
def test_article_60_asks_no_shoe_and_a_machine_filled_once_by_its_letter_alone() -> None:
    assert said(CAUSE, waiting("other", continuous=False)) == BREACH
    strict = {"shuffler-of-58-to-60": "continuous"}
    assert said(CAUSE, waiting("other", continuous=False), "pt", strict) == NOT_ASKED
    game = evening(closed=False)
    played = next(recorded for recorded in game.entries if recorded.event.kind == "round-played/1")
    game.record(RoundsDeferred, "20:12", rounds=(played.event.round,), reason="other")
    assert said(CAUSE, game) == NOT_ASKED
    assert said(CAUSE, waiting("other")) == BREACH
