"""PT art. 2 and 4: what only whoever registers or opens a table can tell, and its absence."""

from typing import Any

import pytest

from casino.events import Malformed
from casino.events.partidas import PartidaOpened, SpecialCard
from casino.events.shoes import CartaAvisoPlaced
from casino.events.tables import TableRegistered
from tests.factories.games import Game, evening, shuffler_evening
from tests.factories.opened_tables import table
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import said, the_finding

MARKED, SHAPE = "boxes_marked_on_the_cloth", "table_layout_is_told"
TWO, RECORDED = "two_special_cards_are_used", "special_cards_are_told"


@upholds_case(MARKED, "lawful")
@upholds_case(SHAPE, "lawful")
@upholds_case(TWO, "lawful")
@upholds_case(RECORDED, "lawful")
@pytest.mark.parametrize("check", [MARKED, SHAPE, TWO, RECORDED])
def test_articles_2_and_4_of_a_table_told_whole(check: str) -> None:
    assert said(check, evening()) == LAWFUL


@upholds_case(MARKED, "unlawful")
@pytest.mark.parametrize("boxes", [6, 7])
def test_article_2_boxes_the_cloth_does_not_mark_are_found(boxes: int) -> None:
    found = the_finding(MARKED, table(boxes=boxes, boxes_marked=False))
    assert (found.article, found.severity) == ("2", "breach")
    assert found.observed == {"boxes_marked": "no"}


@upholds_case(MARKED, "boundary")
def test_article_2_a_table_registered_before_it_was_asked_is_not_decidable() -> None:
    game = table(boxes_marked=None)
    assert (said(MARKED, game), said(SHAPE, game)) == (UNDECIDED, LAWFUL)
    game.outside(TableRegistered)
    assert {said(check, game) for check in (MARKED, SHAPE)} == {UNDECIDED}


@upholds_case(SHAPE, "unlawful")
@pytest.mark.parametrize(
    ("unrecorded", "observed"),
    [
        ({"layout": None}, ["layout"]),
        ({"numbering": None}, ["numbering"]),
        ({"layout": None, "numbering": None}, ["layout", "numbering"]),
    ],
)
def test_article_2_a_shape_nobody_told_is_found(
    unrecorded: dict[str, None], observed: list[str]
) -> None:
    found = the_finding(SHAPE, table(**unrecorded))
    assert (found.article, found.severity) == ("2", "warning")
    assert found.observed == {"untold": observed}


@upholds_case(SHAPE, "boundary")
def test_article_2_another_shape_is_told_and_is_a_breach_of_its_own() -> None:
    assert said(SHAPE, table(layout="other", numbering="other")) == LAWFUL


def opened(**values: Any) -> Game:
    """A lawful evening at a shoe, opened otherwise."""
    game = evening()
    game.change(PartidaOpened, **values)
    return game


@upholds_case(TWO, "unlawful")
@pytest.mark.parametrize(
    ("recorded", "count"),
    [
        ({"special_cards": 0, "cut_card": None, "carta_aviso": None}, 0),
        ({"special_cards": 1, "carta_aviso": None}, 1),
        ({"special_cards": 3}, 3),
    ],
)
def test_article_4_another_number_of_special_cards_is_found(
    recorded: dict[str, Any], count: int
) -> None:
    game = opened(**recorded)
    found = the_finding(TWO, game)
    assert (found.article, found.severity) == ("4", "breach")
    assert (found.observed, found.expected) == ({"special_cards": count}, {"special_cards": 2})
    assert said(RECORDED, game) == LAWFUL


@upholds_case(TWO, "boundary")
def test_article_4_two_of_unknown_colours_are_two_and_untold_ones_are_open() -> None:
    assert said(TWO, opened(special_cards=2, cut_card=None)) == LAWFUL
    assert said(TWO, opened(cut_card=None)) == UNDECIDED
    assert {said(check, shuffler_evening()) for check in (TWO, RECORDED)} == {NOT_ASKED}


@upholds_case(RECORDED, "unlawful")
@pytest.mark.parametrize("name", ["cut_card", "carta_aviso"])
def test_article_4_special_cards_nobody_told_are_found(name: str) -> None:
    found = the_finding(RECORDED, opened(**{name: None}))
    assert (found.article, found.severity) == ("4", "warning")
    assert (found.observed, found.expected) == ({"untold": [name]}, {"untold": []})


@upholds_case(RECORDED, "boundary")
def test_article_4_until_cards_are_dealt_they_may_be_told_and_a_shoes_own_card_tells_it() -> None:
    game = Game(cut_card=None, carta_aviso=None)
    assert said(RECORDED, game) == UNDECIDED
    game.prepare(1)
    game.round(1, 1, "20:10")
    assert said(RECORDED, game) == BREACH
    own = opened(carta_aviso=None)
    own.change(CartaAvisoPlaced, colours=SpecialCard(front="black", back="black"))
    assert said(RECORDED, own) == LAWFUL


def test_fewer_special_cards_than_are_described_cannot_be() -> None:
    event = evening().entries[0].event
    values = {name: getattr(event, name) for name in ("table", "partida", "rulebook", "limits")}
    with pytest.raises(Malformed) as refused:
        PartidaOpened(
            **values, decks=event.decks, dealing="shoe", cut_card=event.cut_card, special_cards=0
        )
    assert refused.value.path == "$.special_cards"
