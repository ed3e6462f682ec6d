"""PT art. 8: who sat there at the cut, told alike by seats, cut, warning card and rounds."""

from typing import Any

import pytest

from casino.events.floor_life import SeatLeft, SeatTaken
from casino.events.round.round_played import RoundPlayed
from tests.factories.games import Game, cut_by, evening, shuffler_evening
from tests.factories.rounds import box, main
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import cited, said, the_finding

ALIKE, RIGHTFUL = "seats_at_the_cut_told_alike", "cut_by_rightful_seat"
WHOLE = "no_shoe_is_left_out"


def sat(taken: str = "1 2 5", at: str = "19:50", players: int = 3, **cut: Any) -> Game:
    """Seats taken one by one, then the first shoe, cut at 20:02, its warning card at 20:04."""
    game = Game()
    for seat in taken.split():
        game.record(SeatTaken, at, seat=int(seat))
    game.prepare(1, cut=cut, warning={"cards_from_end": 50, "players": players})
    game.round(1, 1, "20:10")
    return game


@upholds_case(ALIKE, "lawful")
def test_article_8_the_seats_of_the_cut_are_those_that_were_taken() -> None:
    assert said(ALIKE, sat()) == LAWFUL
    assert said(ALIKE, sat(taken="")) == LAWFUL  # as many as at the warning card
    assert cited(sat()) == []
    assert said(ALIKE, shuffler_evening()) == NOT_ASKED


@upholds_case(ALIKE, "unlawful")
@pytest.mark.parametrize(
    "cut",
    [
        {"seats_occupied": (5,), "seat": 5},
        {"seats_occupied": (2, 5), "seat": 2},
        {"seats_occupied": (), **cut_by("fiscal_de_banca")},
    ],
)
def test_article_8_seats_left_out_at_the_cut_are_a_warning(cut: dict[str, Any]) -> None:
    game = sat(**cut)
    found = the_finding(ALIKE, game)
    assert (found.article, found.severity, found.where) == ("house.shoe", "warning", {"shoe": 1})
    assert found.observed == {"seats": list(cut["seats_occupied"])}
    assert found.expected == {"seats": [1, 2, 5]}


@upholds_case(ALIKE, "unlawful")
def test_article_8_a_seat_that_was_left_before_the_cut_is_a_warning() -> None:
    game = sat()
    left = game.record(SeatLeft, "19:55", seat=1)
    found = the_finding(ALIKE, game)
    assert (found.observed, found.expected) == ({"seats": [1, 2, 5]}, {"seats": [2, 5]})
    assert left.entry_id in found.evidence


@upholds_case(ALIKE, "unlawful")
@pytest.mark.parametrize(("seats", "players"), [((1, 2, 5), 1), ((1, 2, 5), 0), ((1,), 0)])
def test_article_9_one_player_at_the_warning_card_and_several_at_the_cut_is_a_warning(
    seats: tuple[int, ...], players: int
) -> None:
    found = the_finding(ALIKE, sat("", players=players, seats_occupied=seats))
    assert (found.observed, found.expected) == ({"players": players}, {"players": len(seats)})


@upholds_case(ALIKE, "boundary")
@pytest.mark.parametrize(
    ("at", "answer"), [("20:01:59", BREACH), ("20:02", LAWFUL), ("20:02:01", LAWFUL)]
)
def test_article_8_a_seat_taken_when_the_cards_were_cut_may_or_may_not_be_told(
    at: str, answer: str
) -> None:
    game = sat("1 2")
    game.record(SeatTaken, at, seat=7)
    assert said(ALIKE, game) == answer


@upholds_case(ALIKE, "boundary")
@pytest.mark.parametrize("players", [2, 3, 7])
def test_article_8_how_many_several_are_changes_nothing(players: int) -> None:
    assert said(ALIKE, sat("", players=players)) == LAWFUL


def test_article_8_a_seat_nobody_told_of_is_no_contradiction() -> None:
    assert said(ALIKE, sat("1")) == LAWFUL


@upholds_case(ALIKE, "boundary")
def test_article_9_who_came_between_cut_and_warning_card_leaves_it_open() -> None:
    game = sat("", players=3, seats_occupied=(1,))
    assert said(ALIKE, game) == UNDECIDED  # and nobody has to tell that he came
    game.record(SeatTaken, "20:03", seat=4)
    assert said(ALIKE, game) == UNDECIDED
    left = sat("", players=1)
    assert said(ALIKE, left) == BREACH
    left.record(SeatLeft, "20:03", seat=2)
    assert said(ALIKE, left) == UNDECIDED


def alone(*owners: str, number: int = 1) -> Game:
    """One player at cut and warning card, which lies in the middle; these staked the round."""
    game = Game()
    warning = {"cards_from_end": 156, "players": 1}
    game.prepare(1, cut={"seats_occupied": (5,), "seat": 5}, warning=warning)
    boxes = tuple(
        box(n, "TS 8D", main(1000, 2000, owner), holder=owner) for n, owner in enumerate(owners, 1)
    )
    game.round(1, number, "20:10", boxes=boxes)
    return game


@upholds_case(ALIKE, "unlawful")
@pytest.mark.parametrize("owners", [("J1", "J2", "J3"), ("J1", "J2", "J3", "J4", "J1")])
def test_article_9_one_player_told_and_the_first_round_staked_by_three_is_a_warning(
    owners: tuple[str, ...],
) -> None:
    found = the_finding(ALIKE, alone(*owners))
    assert (found.severity, found.readings) == ("warning", ("one-player",))
    assert (found.observed, found.expected) == ({"players": 1}, {"players": len({*owners})})


@upholds_case(ALIKE, "boundary")
def test_article_9_one_may_play_three_boxes_and_one_more_may_have_come() -> None:
    assert said(ALIKE, alone("J1", "J1", "J1")) == LAWFUL
    assert said(ALIKE, alone("J1", "J2")) == LAWFUL
    assert said(ALIKE, alone("J1", "J2", "J3", number=2)) == LAWFUL
    staked = (main(1000, 2000, "J1"), main(1000, 2000, "J2"), main(1000, 2000, "J3"))
    behind = alone("J1")
    behind.change(RoundPlayed, boxes=(box(1, "TS 8D", *staked, holder="J1"),))
    assert said(ALIKE, behind) == LAWFUL  # two stake on his box and sit nowhere
    game = alone("J1", "J2", "J3")
    game.record(SeatTaken, "20:06", seat=2)
    assert said(ALIKE, game) == UNDECIDED


@upholds_case(RIGHTFUL, "boundary")
def test_article_8_with_nobody_there_the_house_cuts_and_who_staked_came_later() -> None:
    empty = {"seats_occupied": (), **cut_by("fiscal_de_banca")}
    staked = sat("", players=0, **empty)
    assert said(RIGHTFUL, staked) == UNDECIDED  # nobody tells that anybody came
    staked.record(SeatTaken, "20:06", seat=1)
    assert said(RIGHTFUL, staked) == LAWFUL
    unplayed = Game()
    unplayed.prepare(1, cut=empty)
    assert said(RIGHTFUL, unplayed) == LAWFUL


def test_article_8_after_a_pack_that_nobody_cut_nobody_knows_whose_turn_it_is() -> None:
    game = Game()
    game.prepare(1, cut=cut_by("nobody"))
    game.prepare(2, "21:00", cut={"seat": 2})
    assert said(RIGHTFUL, game) == UNDECIDED


# Shoe after shoe


@upholds_case(WHOLE, "lawful")
@pytest.mark.parametrize("shoes", [1, 2, 3])
def test_article_8_the_shoes_of_a_game_follow_each_other(shoes: int) -> None:
    assert said(WHOLE, evening(shoes=shoes)) == LAWFUL
    assert said(WHOLE, shuffler_evening()) == NOT_ASKED


def numbered(*shoes: int, opened: bool = True) -> Game:
    """Shoes with these numbers, an hour apart."""
    game = Game(opened=opened)
    for hour, shoe in enumerate(shoes, 20):
        game.prepare(shoe, f"{hour}:00")
        game.round(shoe, 1, f"{hour}:10")
    return game


@upholds_case(WHOLE, "unlawful")
@pytest.mark.parametrize(
    ("shoes", "after", "missing"), [((1, 3), 3, 2), ((2,), 2, 1), ((1, 2, 4), 4, 3), ((5,), 5, 1)]
)
def test_article_8_a_shoe_that_is_left_out_is_a_warning(
    shoes: tuple[int, ...], after: int, missing: int
) -> None:
    found = the_finding(WHOLE, numbered(*shoes))
    assert (found.article, found.severity, found.where) == ("house.shoe", "warning", {})
    assert (found.observed, found.expected) == ({"shoe": after}, {"shoe": missing})


@upholds_case(WHOLE, "boundary")
def test_article_8_without_its_opening_a_record_may_begin_anywhere() -> None:
    assert said(WHOLE, numbered(3, 4, opened=False)) == NOT_ASKED
    nothing_dealt = Game()
    assert said(WHOLE, nothing_dealt) == NOT_ASKED
    assert said(WHOLE, numbered(2, 1)) == LAWFUL  # told in another order
