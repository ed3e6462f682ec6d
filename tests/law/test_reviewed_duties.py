"""Duties an outside reading found nobody judged, each under the number it was given there.

A row: the breach's number in that reading, the game in which it was made, what is found, and
whether the record alone shows a breach or only that nobody told (a warning).
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import pytest

from casino.facts.deck_life import CardReplaced
from casino.facts.floor_life import RoundsDeferred
from casino.facts.inspection import LimitsApproved
from casino.facts.partidas import PartidaOpened
from casino.facts.shoes import CardBurned, LastRoundAnnounced
from tests.factories.games import Game, evening
from tests.factories.opened_tables import table
from tests.factories.rounds_put_back import rounds
from tests.factories.shuffler_troubles import jam
from tests.law.floor_asking import cited, judged


def layout_never_told() -> Game:
    return table(layout=None, numbering=None, boxes_marked=None)


def boxes_not_marked() -> Game:
    return table(boxes_marked=False)


def no_special_cards_told() -> Game:
    game = evening()
    game.change(PartidaOpened, cut_card=None, carta_aviso=None)
    return game


def no_special_cards() -> Game:
    game = evening()
    game.change(PartidaOpened, cut_card=None, carta_aviso=None, special_cards=0)
    return game


def authorisation_made_up() -> Game:
    game = evening(shoes=1, closed=False)
    told = {"deck": "D-2", "card": "8S", "reason": "damaged"}
    game.tell(CardReplaced, "20:36", authorisation="x", **told)
    game.close()
    return game


def shoe_ended_for_no_reason() -> Game:
    game = evening()
    game.drop(LastRoundAnnounced)
    return game


def burnt_not_to_the_corner() -> Game:
    game = evening(shoes=1)
    game.change(CardBurned, to_discard_corner=False)
    return game


def card_came_before_a_round_not_played() -> Game:
    game = evening(shoes=1, closed=False)
    game.announce(1, None, "20:32", came_out="before_round")
    game.prepare(2, "21:00")
    game.round(2, 1, "21:10")
    game.close()
    return game


def maximum_nobody_approved() -> Game:
    game = evening()
    game.house = [
        replace(one, fact=replace(one.fact, maximum_cents=20000))
        if isinstance(one.fact, LimitsApproved)
        else one
        for one in game.house
    ]
    return game


def never_called() -> Game:
    return jam(called_at=None)


def deferred_for_no_reason() -> Game:
    game = put_back("20:23", waiting="1")
    game.change(RoundsDeferred, reason="other")
    return game


def put_back(at: str = "20:13", **told: str) -> Game:
    """Two rounds at a shuffler; the cards of the first went back then."""
    game = rounds(at, "20:23", **told)
    game.tell(CardBurned, "19:58", shoe=1, cards=1, to_discard_corner=True)
    return game


REVIEWED: Final[dict[str, tuple[Callable[[], Game], str, str]]] = {
    "02-layout-never-told": (layout_never_told, "2 table_layout_is_told", "warning"),
    "02-not-marked": (boxes_not_marked, "2 boxes_marked_on_the_cloth", "breach"),
    "04-no-special-cards-told": (no_special_cards_told, "4 special_cards_are_told", "warning"),
    "04-no-special-cards": (no_special_cards, "4 two_special_cards_are_used", "breach"),
    "05-authorisation-made-up": (authorisation_made_up, "5 leave_is_on_record", "breach"),
    "08-shoe-ended-for-no-reason": (shoe_ended_for_no_reason, "11 shoe_ends_for_a_cause", "breach"),
    "10-burnt-not-to-the-discard-corner": (
        burnt_not_to_the_corner, "10 burnt_cards_to_discard_corner", "breach",
    ),
    "11-card-came-before-a-round-not-played": (
        card_came_before_a_round_not_played, "11 round_after_the_warning_card_is_played", "breach",
    ),
    "15-maximum-nobody-approved": (maximum_nobody_approved, "15 limits_are_approved", "breach"),
    "51-never-called": (never_called, "51 fiscal_chefe_is_called", "breach"),
    "60-impossible-for-no-reason": (deferred_for_no_reason, "60 deferral_has_its_cause", "breach"),
}  # fmt: skip


@pytest.mark.parametrize("number", REVIEWED)
def test_a_breach_nobody_judged_is_found_under_its_article(number: str) -> None:
    made, expected, severity = REVIEWED[number]
    game = made()
    assert cited(game).count(expected) == 1, cited(game)
    [found] = [one for one in judged(game).findings if f"{one.article} {one.check}" == expected]
    assert found.severity == severity
    assert found.evidence


@pytest.mark.parametrize("number", REVIEWED)
def test_and_nothing_else_is_found(number: str) -> None:
    made, expected, _ = REVIEWED[number]
    assert cited(made()) == [expected]


def test_the_lawful_games_they_were_made_of_have_no_finding() -> None:
    lawful: list[Any] = [evening(), evening(shoes=1), table(), jam(), put_back()]
    assert [cited(game) for game in lawful] == [[]] * len(lawful)
