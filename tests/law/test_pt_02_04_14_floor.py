"""PT art. 2, 3, 4, 14 and 37 as the house tells of a table: boxes, decks, special cards, limits."""

from dataclasses import replace
from typing import Any

import pytest

from casino.events.partidas import DeckInUse, PartidaOpened, SpecialCard
from casino.events.shoes import CartaAvisoPlaced
from casino.events.tables import LimitsSet, StakeLimits, TableRegistered
from tests.factories.games import DECKS, Game, evening, moment, shuffler_evening
from tests.factories.opened_tables import cards, opened_with, played_on, table, with_decks
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import findings, said, the_finding

BOXES, CIRCLE, NUMBERED = (
    "table_has_lawful_boxes",
    "table_is_semicircular",
    "boxes_numbered_from_dealers_left",
)
PLAYED = "boxes_played_are_on_the_table"
HOW_MANY, JOKERS, AFTER = "number_of_decks_allowed", "no_joker_in_a_deck", "deck_whole_after_play"
ALIKE, UNLIKE = "special_cards_alike_on_both_faces", "special_cards_unlike_the_decks"
SET, WIDE = "opened_with_the_limits_set", "opened_within_thirty_minimums"
ALL = (BOXES, CIRCLE, NUMBERED, PLAYED, HOW_MANY, JOKERS, ALIKE, UNLIKE, SET)


@upholds_case(BOXES, "lawful")
@upholds_case(CIRCLE, "lawful")
@upholds_case(NUMBERED, "lawful")
@upholds_case(PLAYED, "lawful")
@upholds_case(HOW_MANY, "lawful")
@upholds_case(JOKERS, "lawful")
@upholds_case(ALIKE, "lawful")
@upholds_case(UNLIKE, "lawful")
@upholds_case(SET, "lawful")
@pytest.mark.parametrize("check", ALL)
def test_articles_2_to_4_and_14_of_a_table_as_it_should_be(check: str) -> None:
    assert said(check, evening()) == LAWFUL


# Article 2: the table


@upholds_case(BOXES, "unlawful")
@pytest.mark.parametrize("boxes", [1, 5, 8, 20])
def test_article_2_a_table_of_five_or_of_eight_boxes_is_found(boxes: int) -> None:
    found = the_finding(BOXES, table(boxes=boxes))
    assert (found.article, found.severity) == ("2", "breach")
    assert (found.observed, found.expected) == ({"boxes": boxes}, {"boxes": [6, 7]})


@upholds_case(BOXES, "boundary")
@pytest.mark.parametrize("boxes", [6, 7])
def test_article_2_six_and_seven_are_lawful(boxes: int) -> None:
    assert said(BOXES, table(boxes=boxes)) == LAWFUL


@upholds_case(BOXES, "unlawful")
def test_article_2_a_table_laid_out_anew_while_it_is_open_is_asked_again() -> None:
    game = evening()
    game.beside(TableRegistered(table="BJ-01", boxes=8), "21:00")
    assert the_finding(BOXES, game).observed == {"boxes": 8}


@upholds_case(BOXES, "boundary")
@pytest.mark.parametrize("at", ["03:00", "04:00"])
def test_article_2_what_it_became_after_the_closing_does_not_count(at: str) -> None:
    game = evening()
    game.beside(TableRegistered(table="BJ-01", boxes=8), at)
    assert said(BOXES, game) == LAWFUL


def test_article_2_of_several_layouts_the_last_before_the_opening_counts() -> None:
    game = evening()
    game.beside(TableRegistered(table="BJ-01", boxes=9), "12:30")
    game.beside(TableRegistered(table="BJ-01", boxes=6), "19:00")
    assert said(BOXES, game) == LAWFUL


@upholds_case(CIRCLE, "unlawful")
@pytest.mark.parametrize("boxes", [6, 7])
def test_article_2_a_table_of_another_form_is_found(boxes: int) -> None:
    found = the_finding(CIRCLE, table(boxes=boxes, layout="other"))
    assert (found.article, found.observed) == ("2", {"layout": "other"})


@upholds_case(NUMBERED, "unlawful")
@pytest.mark.parametrize("boxes", [6, 7])
def test_article_2_boxes_numbered_otherwise_are_found(boxes: int) -> None:
    found = the_finding(NUMBERED, table(boxes=boxes, numbering="other"))
    assert (found.article, found.observed) == ("2", {"numbering": "other"})


@upholds_case(CIRCLE, "boundary")
@upholds_case(NUMBERED, "boundary")
def test_article_2_what_nobody_told_of_the_table_is_not_decidable() -> None:
    game = table(layout=None, numbering=None)
    assert (said(CIRCLE, game), said(NUMBERED, game), said(BOXES, game)) == (
        UNDECIDED,
        UNDECIDED,
        LAWFUL,
    )
    game.outside(TableRegistered)
    assert {said(check, game) for check in (BOXES, CIRCLE, NUMBERED, PLAYED)} == {UNDECIDED}
    assert said(BOXES, Game(opened=False)) == NOT_ASKED


@upholds_case(PLAYED, "unlawful")
@pytest.mark.parametrize("boxes", [(7,), (1, 7)])
def test_article_2_a_seventh_box_at_a_table_of_six_is_found(boxes: tuple[int, ...]) -> None:
    found = the_finding(PLAYED, played_on(*boxes))
    assert (found.article, found.where, found.expected) == ("2", {"box": 7}, {"at_most": 6})


@upholds_case(PLAYED, "boundary")
def test_article_2_a_sixth_box_is_there_and_an_eighth_is_no_tables() -> None:
    assert said(PLAYED, played_on(6)) == LAWFUL
    assert said(PLAYED, played_on(7, marked=7)) == LAWFUL
    assert said(PLAYED, played_on(8)) == LAWFUL  # box_exists asks that of the round itself


# Article 3: the decks


@upholds_case(HOW_MANY, "unlawful")
@pytest.mark.parametrize("count", [1, 3, 5, 7, 8])
def test_article_3_five_decks_or_eight_are_found(count: int) -> None:
    found = the_finding(HOW_MANY, with_decks(count))
    assert (found.article, found.severity) == ("3", "breach")
    assert (found.observed, found.expected) == ({"decks": count}, {"decks": [4, 6]})


@upholds_case(HOW_MANY, "boundary")
@pytest.mark.parametrize("count", [4, 6])
def test_article_3_four_and_six_are_lawful(count: int) -> None:
    assert said(HOW_MANY, with_decks(count)) == LAWFUL


@pytest.mark.parametrize(
    ("book", "lawful", "section"),
    [
        ("es", {6}, "tipo-de-baraja"),
        ("fr", {6}, "the-setting/packs"),
        ("pt-summary", {6}, "regras/baralhos"),
        ("br", {1, 2, 3, 4, 5, 6}, "baralhos"),
    ],
)
def test_in_the_other_books_as_many_as_each_says(book: str, lawful: set[int], section: str) -> None:
    for count in range(1, 9):
        assert said(HOW_MANY, with_decks(count), book) == (LAWFUL if count in lawful else BREACH)
    assert the_finding(HOW_MANY, with_decks(8), book).article == section


def shown(**otherwise: Any) -> Game:
    game = evening()
    game.entries = [one for one in game.entries if getattr(one.event, "deck", "") != "D-2"]
    game.show("D-2", "19:30", **otherwise)
    return game


@upholds_case(JOKERS, "unlawful")
@pytest.mark.parametrize("jokers", [1, 2])
def test_article_3_a_joker_among_the_cards_is_found(jokers: int) -> None:
    found = the_finding(JOKERS, shown(jokers=jokers))
    assert (found.article, found.where) == ("3", {"deck": "D-2"})
    assert (found.observed, found.expected) == ({"jokers": jokers}, {"jokers": 0})


@upholds_case(JOKERS, "boundary")
def test_article_3_jokers_nobody_counted_are_not_decidable() -> None:
    assert said(JOKERS, shown(jokers=None)) == UNDECIDED
    assert said(JOKERS, shown(jokers=0)) == LAWFUL


def ordered(dealing: str = "shoe", **otherwise: Any) -> Game:
    game = evening(closed=False) if dealing == "shoe" else shuffler_evening(closed=False)
    game.order("D-3", "02:50", **otherwise)
    game.close()
    return game


@upholds_case(AFTER, "lawful")
def test_article_3_a_deck_ordered_after_play_and_whole_is_lawful() -> None:
    assert said(AFTER, ordered()) == LAWFUL


@upholds_case(AFTER, "unlawful")
@pytest.mark.parametrize("cards", [51, 53])
def test_article_3_a_deck_short_of_a_card_after_play_is_found(cards: int) -> None:
    found = the_finding(AFTER, ordered(cards=cards))
    assert (found.article, found.where) == ("3", {"deck": "D-3"})
    assert (found.observed, found.expected) == ({"cards": cards}, {"cards": 52})


@upholds_case(AFTER, "boundary")
def test_article_3_nobody_orders_a_shoes_decks_and_article_55_asks_a_shufflers() -> None:
    assert said(AFTER, evening()) == NOT_ASKED
    assert said(AFTER, ordered("shuffler", cards=51)) == NOT_ASKED
    assert said(AFTER, ordered(faces="damaged", result="damaged")) == LAWFUL  # article 5's


# Article 4: the special cards


@upholds_case(ALIKE, "unlawful")
@pytest.mark.parametrize(
    ("cut", "warning", "observed"),
    [
        ("red blue", "green green", {"special": "cut_card", "front": "red", "back": "blue"}),
        ("red red", "black green", {"special": "carta_aviso", "front": "black", "back": "green"}),
    ],
)
def test_article_4_a_special_card_of_two_colours_is_found(
    cut: str, warning: str, observed: dict[str, str]
) -> None:
    found = the_finding(ALIKE, cards(cut, warning))
    assert (found.article, found.severity, found.observed) == ("4", "breach", observed)


@upholds_case(ALIKE, "boundary")
def test_article_4_two_cards_of_one_colour_each_may_differ_and_untold_faces_are_open() -> None:
    assert said(ALIKE, cards("red red", "green green")) == LAWFUL
    game = cards("red red", "green green")
    game.change(PartidaOpened, carta_aviso=None)
    assert said(ALIKE, game) == UNDECIDED


@upholds_case(ALIKE, "unlawful")
def test_article_4_a_warning_card_of_this_shoe_alone_is_asked_too() -> None:
    game = cards("red red", "green green")
    other = SpecialCard(front="black", back="white")
    game.change(CartaAvisoPlaced, colours=other)
    assert the_finding(ALIKE, game).evidence == (game.entries[-2].entry_id,)


def backs(*colours: str | None) -> Game:
    game = cards("red red", "green green")
    decks = tuple(
        DeckInUse(deck=deck, back_colour=colour)
        for deck, colour in zip(DECKS, colours * 6, strict=False)
    )
    game.change(PartidaOpened, decks=decks)
    return game


@upholds_case(UNLIKE, "unlawful")
@pytest.mark.parametrize(("colour", "which"), [("red", "cut_card"), ("green", "carta_aviso")])
def test_article_4_a_special_card_of_a_decks_colour_is_found(colour: str, which: str) -> None:
    found = the_finding(UNLIKE, backs("blue", colour))
    assert (found.article, found.observed) == ("4", {"special": which, "colours": [colour]})


@upholds_case(UNLIKE, "boundary")
def test_article_4_decks_of_two_colours_are_lawful_and_an_untold_back_leaves_it_open() -> None:
    assert said(UNLIKE, backs("blue", "yellow")) == LAWFUL
    assert said(UNLIKE, backs("blue", None)) == UNDECIDED
    assert said(UNLIKE, backs("red", None)) == BREACH


def test_article_4_asks_nothing_where_a_shuffler_deals() -> None:
    assert {said(check, shuffler_evening()) for check in (ALIKE, UNLIKE)} == {NOT_ASKED}


# Article 14: the limits


@upholds_case(SET, "unlawful")
@pytest.mark.parametrize(
    ("minimum", "maximum", "observed", "expected"),
    [
        (500, 30000, {"minimum_cents": 500}, {"minimum_cents": 1000}),
        (1000, 20000, {"maximum_cents": 20000}, {"maximum_cents": 30000}),
    ],
)
def test_article_14_a_table_opened_with_other_limits_than_were_set_is_found(
    minimum: int, maximum: int, observed: dict[str, int], expected: dict[str, int]
) -> None:
    found = the_finding(SET, opened_with(minimum, maximum))
    assert (found.article, found.observed, found.expected) == ("14", observed, expected)


@upholds_case(SET, "boundary")
@pytest.mark.parametrize(("since", "answer"), [("19:00", BREACH), ("19:00:01", LAWFUL)])
def test_article_14_limits_hold_from_their_moment_on(since: str, answer: str) -> None:
    game = evening()
    new = {"minimum_cents": 2000, "maximum_cents": 60000, "valid_from": moment(since)}
    game.beside(LimitsSet(table="BJ-01", **new), "18:00")
    assert said(SET, game) == answer


def test_article_14_limits_nobody_set_are_not_decidable() -> None:
    game = evening()
    game.outside(LimitsSet)
    assert said(SET, game) == UNDECIDED
    assert findings(SET, game) == []


# Article 37: how far the limits it was opened with lie apart


def opened_up_to(maximum_cents: int) -> Game:
    game = evening()
    limits = StakeLimits(minimum_cents=1000, maximum_cents=maximum_cents)
    game.entries[0] = replace(game.entries[0], event=replace(game.entries[0].event, limits=limits))
    return game


@upholds_case(WIDE, "lawful")
def test_article_37_a_table_may_open_with_thirty_minimums() -> None:
    assert said(WIDE, evening()) == LAWFUL
    assert said(WIDE, shuffler_evening()) == LAWFUL


@upholds_case(WIDE, "unlawful")
@pytest.mark.parametrize("maximum", [31000, 50000])
def test_article_37_a_table_opened_with_more_is_found(maximum: int) -> None:
    found = the_finding(WIDE, opened_up_to(maximum))
    assert (found.article, found.severity, found.where) == ("37", "breach", {})
    assert found.observed == {"maximum_cents": maximum}
    assert found.expected == {"at_most_cents": 30000}


@upholds_case(WIDE, "boundary")
@pytest.mark.parametrize(("maximum", "answer"), [(30000, LAWFUL), (30001, BREACH)])
def test_article_37_a_cent_more_than_thirty_minimums_is_too_much(maximum: int, answer: str) -> None:
    assert said(WIDE, opened_up_to(maximum)) == answer


def test_article_37_of_an_opening_nobody_told_nothing_is_asked() -> None:
    assert said(WIDE, Game(opened=False)) == NOT_ASKED
