"""Breaches and lawful acts a lawyer told of the floor and of jackpots, by the names he gave them.

A row is a story and everything cited of it: under the right article, once; no house rule as one.
"""

from collections.abc import Callable
from typing import Any, Final

import pytest

from casino.facts.decks import DeckInspected
from casino.facts.partidas import PartidaClosed
from casino.facts.shoes import LastRoundAnnounced
from casino.facts.shufflers import ShufflerRegistered
from casino.facts.witnessing import Witnessed
from jackpot.rules.whole import WholePool
from tests.factories.complaints import complaint
from tests.factories.game_readings import (
    late_at_a_batch_machine,
    no_line_wins_the_whole,
    replaced_late,
)
from tests.factories.games import Game, evening, shuffler_evening
from tests.factories.meter_stories import START, read, start
from tests.factories.pool_acts import laid
from tests.factories.pool_games import prepared
from tests.factories.shuffler import unwitnessed
from tests.factories.shuffler_opened import lid_opened
from tests.law.floor_asking import cited, judged, undecided

Story = Callable[[], Game]


def shown(**otherwise: Any) -> Story:
    """A shoe evening for which one deck was shown so."""

    def story() -> Game:
        game = evening()
        game.drop(DeckInspected, deck="D-4")
        game.show("D-4", "19:30", **otherwise)
        return game

    return story


def announced() -> Game:
    game = shuffler_evening(closed=False)
    game.outside(ShufflerRegistered, continuous=True)
    game.tell(LastRoundAnnounced, "20:35", shoe=1)
    return game


def closed_twice() -> Game:
    game = evening()
    first = next(told.fact for told in game.entries if isinstance(told.fact, PartidaClosed))
    game.tell(PartidaClosed, "03:30", rounds=first.rounds, attested=first.attested)
    return game


def unconfirmed() -> Game:
    game = prepared(confirmed=None)
    laid(game)
    return game


STORIES: Final[dict[str, tuple[Story, list[str]]]] = {
    "03-deck-of-51-exhibited": (shown(cards=51), ["3 exhibited_deck_has_its_cards"]),
    "03-deck-of-53-exhibited": (shown(cards=53), ["3 exhibited_deck_has_its_cards"]),
    "03-foreign-card-exhibited": (shown(backs="foreign"), ["3 exhibited_deck_has_its_cards"]),
    "07-exhibited-out-of-order": (shown(order_complete=False), ["7 exhibited_deck_whole"]),
    "07-exhibited-whole-and-in-order": (shown(), []),
    "07-closed-twice": (closed_twice, ["house.table closed_once"]),
    "40-no-second-person": (unconfirmed, ["house.jackpot jackpot_terms_are_confirmed"]),
    "50-top-takes-80-percent": (
        no_line_wins_the_whole,
        ["house.jackpot jackpot_has_a_top_combination"],
    ),
    "51-card-replaced-late": (replaced_late, ["51 damaged_card_replaced_at_once"]),
    "54-not-loaded-within-the-hour": (
        lambda: Game("shuffler"),
        ["house.shuffler shuffler_loaded_soon_after_opening"],
    ),
    "54-no-word-of-a-fiscal-chefe": (unwitnessed, ["54 loading_witnessed"]),
    "56-announced-at-a-continuous-shuffler": (announced, []),
    "57-lid-opened-for-maintenance": (
        lambda: lid_opened("maintenance"),
        ["house.shuffler shuffler_opened_only_for_cause"],
    ),
    "59-batch-not-before-the-next-round": (
        late_at_a_batch_machine,
        ["59 cards_put_back_before_the_next_round"],
    ),
    "61-disputed-cards-put-back": (
        lambda: complaint("20:11", reviewed=None, decided="22:00"),
        ["house.complaints disputed_cards_wait_for_review"],
    ),
    "61-complaint-in-time-looked-at-and-decided": (lambda: complaint("20:11"), []),
}


@pytest.mark.parametrize("name", STORIES)
def test_what_is_cited_of_a_reviewed_story(name: str) -> None:
    story, expected = STORIES[name]
    assert cited(story()) == expected


@pytest.mark.parametrize("name", STORIES)
def test_a_breach_is_the_laws_and_a_house_rule_is_none(name: str) -> None:
    for found in judged(STORIES[name][0]()).findings:
        of_house = found.article.startswith("house.")
        assert (found.rulebook == "house") == of_house
        assert found.severity in (("deviation", "warning") if of_house else ("breach", "warning"))


@pytest.mark.parametrize("shown", [START + 7, START - 7])
def test_41_a_display_that_shows_more_or_less_is_found_once(shown: int) -> None:
    pool = WholePool("JP-1")
    for place, make in enumerate((start(), read(shown)), 1):
        pool.take(make(f"e{place}"))
    pool.ended()
    assert [one.check.name for one in pool.said] == ["jackpot_display_shows_the_meter"]


def test_54_a_fiscal_chefe_who_said_nothing_is_not_shown_and_no_breach() -> None:
    (found,) = judged(unwitnessed()).findings
    assert (found.severity, found.readings) == ("warning", ("presence-shown",))


def test_54_under_its_other_choice_that_nobody_said_so_is_a_breach() -> None:
    """`presence-shown` = breach, at the loading (54) and at the unloading (55)."""
    strict = {"presence-shown": "breach"}
    (found,) = judged(unwitnessed(), "pt", strict).findings
    assert (found.article, found.severity) == ("54", "breach")
    assert found.readings == ("presence-shown",)
    emptied = shuffler_evening()
    emptied.drop(Witnessed, act="shuffler-unloaded/1")
    for readings, severity in ((None, "warning"), (strict, "breach")):
        (found,) = judged(emptied, "pt", readings).findings
        assert (found.article, found.severity) == ("55", severity)
    assert cited(shuffler_evening(), "pt", strict) == []


def test_40_no_conditions_and_no_proposal() -> None:
    """What the inspectorate is to set on a proposal: told by nobody, it is not lawful but open."""
    proposed = "jackpot_terms_were_proposed"
    for left_out in ({"conditions": None}, {"proposal": None, "proposed_on": None}):
        game = prepared(**left_out)
        laid(game)
        assert (cited(game), proposed in undecided(game)) == ([], True), left_out
    whole = prepared()
    laid(whole)
    assert (cited(whole), proposed in undecided(whole)) == ([], False)
