"""PT art. 11 (with 12): why a shoe ended, and the round still to be played from it."""

from typing import Any

import pytest

from casino.events.floor_life import PartidaReopened
from casino.events.incidents import IncidentReported
from casino.events.partidas import PartidaClosed
from casino.events.shoes import CardsSpread, LastRoundAnnounced, PlayInterrupted
from tests.factories.ends_of_shoes import last_round
from tests.factories.games import Game, evening, shuffler_evening
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import cited, said, the_finding

CAUSE, PLAYED = "shoe_ends_for_a_cause", "round_after_the_warning_card_is_played"


def ended(cause: Any = None, at: str = "20:40", **values: Any) -> Game:
    """Three rounds of a shoe of whose end nobody recorded, perhaps something else, then a
    second.
    """
    game = evening(closed=False)
    game.drop(LastRoundAnnounced)
    if cause is not None:
        game.record(cause, at, **values)
    game.close()
    return game


@upholds_case(CAUSE, "lawful")
@pytest.mark.parametrize("game", [evening(), last_round(), last_round(None), evening(shoes=1)])
def test_article_11_a_shoe_that_ended_with_its_warning_card_is_lawful(game: Game) -> None:
    assert said(CAUSE, game) in (LAWFUL, NOT_ASKED)


@upholds_case(CAUSE, "lawful")
@pytest.mark.parametrize(
    ("cause", "recorded"),
    [
        (PlayInterrupted, {"reason": "no_players", "shoe": 1}),
        (PlayInterrupted, {"reason": "incident"}),
        (CardsSpread, {"reason": "no_stakes", "shoe": 1, "face_up": True}),
        (
            IncidentReported,
            {"incident": "I-1", "category": "deck_defect", "reason": "bent", "people": ()},
        ),
        (PartidaClosed, {"reason": "no_players"}),
        (PartidaReopened, {"reason": "ordered"}),
    ],
)
def test_article_11_a_stop_on_record_may_end_a_shoe(cause: Any, recorded: dict[str, Any]) -> None:
    assert said(CAUSE, ended(cause, **recorded)) == LAWFUL


@upholds_case(CAUSE, "unlawful")
@pytest.mark.parametrize(
    "recorded",
    [
        {},
        {"cause": PlayInterrupted, "reason": "dealer_change"},
        {"cause": PlayInterrupted, "reason": "no_players", "at": "20:05"},
        {"cause": PlayInterrupted, "reason": "no_players", "at": "21:05"},
    ],
)
def test_article_11_a_shoe_left_for_nothing_is_found(recorded: dict[str, Any]) -> None:
    game = ended(**recorded)
    found = the_finding(CAUSE, game)
    assert (found.article, found.where) == ("11", {"shoe": 1})
    assert found.observed == {"ended_by": "nothing_told"}
    assert len(found.evidence) == 2


@upholds_case(CAUSE, "boundary")
def test_article_11_a_shoe_nothing_was_dealt_from_yet_and_loose_rounds_leave_it_open() -> None:
    waiting = evening(shoes=1, closed=False)
    waiting.prepare(2, "21:00")
    assert said(CAUSE, waiting) == UNDECIDED
    waiting.close()
    assert said(CAUSE, waiting) == NOT_ASKED  # the game ended before the second shoe
    loose = ended()
    loose.round(None, None, "20:50")
    assert said(CAUSE, loose) == UNDECIDED
    unrecorded = Game(opened=False)
    for shoe in (1, 2):
        unrecorded.round(shoe, 1, f"2{shoe}:00")
    assert said(CAUSE, unrecorded) == UNDECIDED
    assert said(CAUSE, shuffler_evening()) == NOT_ASKED


def before_a_round(at: str = "20:32", *, more: bool = True, **values: Any) -> Game:
    """The card came out after the third round of a shoe; then a second shoe."""
    game = evening(shoes=1, closed=False)
    usual = {"shoe": 1, "came_out": "before_round", "audible": True, **values}
    game.record(LastRoundAnnounced, at, **usual)
    game.prepare(2, "21:00")
    if more:
        game.round(2, 1, "21:10")
        game.close()
    return game


@upholds_case(PLAYED, "lawful")
def test_article_11_the_round_after_an_early_card_was_played() -> None:
    assert said(PLAYED, before_a_round("20:28")) == LAWFUL
    assert said(PLAYED, before_a_round(number=3)) == LAWFUL
    game = before_a_round()
    game.round(1, 4, "20:33", warning_card_at=0)
    assert said(PLAYED, game) == LAWFUL
    assert said(PLAYED, evening()) == NOT_ASKED  # it came out during one


@upholds_case(PLAYED, "unlawful")
@pytest.mark.parametrize("recorded", [{}, {"number": 4}])
def test_article_11_a_round_that_was_skipped_is_found(recorded: dict[str, Any]) -> None:
    game = before_a_round(**recorded)
    found = the_finding(PLAYED, game)
    assert (found.article, found.where) == ("11", {"shoe": 1})
    assert (found.observed, found.expected) == ({"rounds": 0}, {"rounds": 1})
    assert cited(game) == [f"11 {PLAYED}"]


@upholds_case(PLAYED, "boundary")
def test_article_11_until_the_next_shoe_is_dealt_it_may_be_played_and_a_stop_excuses_it() -> None:
    assert said(PLAYED, before_a_round(more=False)) == UNDECIDED
    assert said(PLAYED, before_a_round("20:29:59")) == LAWFUL  # a second before the third
    assert said(PLAYED, before_a_round("20:30")) == BREACH
    game = before_a_round()
    game.record(PlayInterrupted, "20:40", reason="no_players", shoe=1)
    assert said(PLAYED, game) == NOT_ASKED
    loose = before_a_round()
    loose.round(None, None, "20:50")
    assert said(PLAYED, loose) == UNDECIDED
    assert said(PLAYED, shuffler_evening()) == NOT_ASKED
