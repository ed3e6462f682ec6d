"""PT art. 50: one round's win stands in the book once, by whichever name somebody recorded it."""

import pytest

from tests.factories.games import Game
from tests.factories.pool_acts import laid, paid, pool_game, won
from tests.law.asking import LAWFUL, NOT_ASKED
from tests.law.floor_asking import findings, said, the_finding

ONCE = "jackpot_prize_is_paid_once"
PAIR = "TS TS"


def game() -> Game:
    """A round that won, recorded before its record by its place."""
    game = pool_game()
    played = laid(game, cards=PAIR)
    won(game, "1 J1 pair_same_suit", shoe=1, number=1, of=None)
    won(game, "1 J1 pair_same_suit", of=played)
    return game


def test_article_50_a_round_told_by_its_place_and_by_its_name_is_found() -> None:
    found = the_finding(ONCE, game())
    assert (found.article, found.where["owner"], found.where["box"]) == ("50", "J1", 1)
    assert (found.observed, found.expected) == (
        {"wins": 2, "paid_cents": 0},
        {"wins": 1, "paid_cents": 0},
    )
    assert found.owed_cents == 0


def test_article_50_what_was_paid_for_the_second_is_owed_to_the_house() -> None:
    game = pool_game()
    played = laid(game, cards=PAIR)
    first = won(game, "1 J1 pair_same_suit", shoe=1, number=1, of=None)
    second = won(game, "1 J1 pair_same_suit", of=played)
    paid(game, first, "1 J1 pair_same_suit", 5_000)
    paid(game, second, "1 J1 pair_same_suit", 5_000)
    found = the_finding(ONCE, game)
    assert (found.observed["paid_cents"], found.owed_cents, found.owed_to) == (
        5_000,
        5_000,
        "house",
    )


@pytest.mark.parametrize(
    "others", ["2 J2 pair_same_suit", "2 J1 pair_same_suit", "1 J2 pair_same_suit"]
)
def test_article_50_another_chip_of_the_round_is_another_win(others: str) -> None:
    game = pool_game()
    played = laid(game, "1 J1 1, 2 J2 1", cards=PAIR)
    won(game, "1 J1 pair_same_suit", of=played)
    won(game, others, of=played)
    assert findings(ONCE, game) == []


def test_article_50_a_round_nobody_knows_is_not_compared() -> None:
    game = pool_game()
    played = laid(game, cards=PAIR)
    won(game, "1 J1 pair_same_suit", of=played)
    won(game, "1 J1 pair_same_suit", of=None)
    assert said(ONCE, game) in (LAWFUL, NOT_ASKED)
