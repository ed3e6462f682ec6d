"""PT art. 47: one chip a player and round on the progressive prize."""

from typing import Any

import pytest

from jackpot.events import JackpotIncremented
from tests.factories.collected_chips import OTHER, ROUND, collected, increment, staked
from tests.factories.games import Game, evening
from tests.law.asking import LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import findings, judged, said, the_finding

CHIP = "one_chip_per_player"


@upholds_case(CHIP, "lawful")
def test_article_47_one_chip_a_player_is_lawful() -> None:
    assert said(CHIP, collected("1 J1 1, 2 J2 1")) == LAWFUL
    assert said(CHIP, staked((1, "J1", 1), (2, "J2", 1))) == LAWFUL
    assert said(CHIP, evening()) == NOT_ASKED


@upholds_case(CHIP, "unlawful")
@pytest.mark.parametrize(
    ("chips", "count", "readings"),
    [
        (("1 J1 2, 2 J2 1",), 2, ()),
        (("1 J1 3",), 3, ()),
        (("1 J1 1, 4 J1 1",), 2, ("one-chip",)),  # on two boxes
        (("1 J1 1", "1 J1 1"), 2, ()),  # in two entries of one round
        (("1 J1 1", "4 J1 1"), 2, ("one-chip",)),
    ],
)
def test_article_47_more_chips_of_one_player_are_found(
    chips: tuple[str, ...], count: int, readings: tuple[str, ...]
) -> None:
    game = collected(*chips)
    found = the_finding(CHIP, game)
    assert (found.article, found.severity, found.where) == ("47", "breach", {"owner": "J1"})
    assert (found.observed, found.expected) == ({"chips": count}, {"at_most": 1})
    assert found.readings == readings
    assert found.evidence == tuple(recorded.entry_id for recorded in game.entries[-len(chips) :])


@upholds_case(CHIP, "unlawful")
@pytest.mark.parametrize(
    "chips", [((1, "J1", 2),), ((1, "J1", 1), (2, "J1", 1)), ((2, "J2", 1), (1, "J1", 2))]
)
def test_article_47_a_rounds_own_record_shows_them_too(chips: Any) -> None:
    game = staked(*chips)
    found = the_finding(CHIP, game)
    assert (found.observed, found.evidence) == ({"chips": 2}, (game.entries[-1].entry_id,))


@upholds_case(CHIP, "boundary")
def test_article_47_a_chip_told_twice_is_one_chip() -> None:
    game = staked((1, "J1", 1))
    increment(game, "1 J1 1", round=game.entries[-1].event.round)
    assert said(CHIP, game) == LAWFUL
    increment(game, "1 J1 1", shoe=1, number=1)  # the same round, by its place
    found = the_finding(CHIP, game)
    assert (found.observed, len(found.evidence)) == ({"chips": 2}, 3)


@upholds_case(CHIP, "boundary")
def test_article_47_a_chip_in_each_of_two_rounds_or_of_two_pools_is_lawful() -> None:
    game = collected("1 J1 1")
    increment(game, "1 J1 1", round=OTHER)
    assert said(CHIP, game) == LAWFUL
    pools = collected("1 J1 1")
    increment(pools, "1 J1 1", round=ROUND, jackpot="JP-2")
    assert said(CHIP, pools) == LAWFUL
    increment(pools, "1 J1 1", round=ROUND, jackpot="JP-2")
    assert len(findings(CHIP, pools)) == 1


def test_article_47_an_increment_without_its_round_may_belong_to_any() -> None:
    alone = Game()
    increment(alone, "1 J1 1")
    assert said(CHIP, alone) == LAWFUL
    increment(alone, "1 J1 1")
    assert said(CHIP, alone) == UNDECIDED
    increment(alone, "1 J1 2")
    assert the_finding(CHIP, alone).observed == {"chips": 2}  # too many whatever the round


def test_article_47_a_rounds_own_record_is_whole_whatever_else_is_told() -> None:
    game = staked((1, "J1", 1))
    increment(game, "1 J1 1")
    outcomes = [outcome for name, outcome in judged(game).outcomes if name == CHIP]
    assert outcomes == [LAWFUL, UNDECIDED]


def test_article_47_a_round_named_in_two_ways_may_be_one() -> None:
    game = collected("1 J1 1")
    increment(game, "1 J1 1", shoe=1, number=7)
    assert said(CHIP, game) == UNDECIDED
    game.drop(JackpotIncremented, round=ROUND)
    increment(game, "1 J1 1", shoe=1, number=7, round=ROUND)
    assert the_finding(CHIP, game).observed == {"chips": 2}


@pytest.mark.parametrize("book", ["es", "br", "fr", "pt-summary"])
def test_article_47_is_asked_in_portugal_only(book: str) -> None:
    assert said(CHIP, collected("1 J1 2"), book) == NOT_ASKED
