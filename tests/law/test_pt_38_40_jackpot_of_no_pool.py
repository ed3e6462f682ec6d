"""PT art. 38 to 40: chips of no pool, of two, of another than was named; wins without terms."""

from typing import Any

import pytest

from casino.events.round.round_played import RoundPlayed
from casino.events.tables import TableRegistered
from casino.law.dossier import RecordedEvent
from jackpot.events import JackpotStarted
from tests.factories.games import Game, moment
from tests.factories.pool_acts import (
    POOL,
    START,
    TOP,
    approved,
    collected,
    laid,
    paid,
    pool_game,
    won,
)
from tests.factories.rounds import box, main, wager
from tests.law.asking import LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import findings, said, the_finding

PLACE = "jackpot_place_is_marked"
IN_FORCE = "jackpot_terms_are_in_force"
BOTH = ("JP-1", "JP-2")


def with_a_chip(game: Game, number: int = 1, at: str = "20:10") -> RecordedEvent[RoundPlayed]:
    """A round that tells a jackpot chip."""
    chip = wager("jackpot", 250, 0, "J1", chip=1)
    return game.round(1, number, at, boxes=(box(1, "TS 8D", main(1000, 2000, "J1"), chip),))


def table(*, place: bool | None = True, **opened: Any) -> Game:
    """A table whose partida names these pools, or says nothing of them."""
    game = Game(**opened)
    game.outside(TableRegistered, jackpot_place=place, jackpot_marking="automatic")
    return game


# Of no pool, and of two.


@upholds_case(IN_FORCE, "unlawful")
@pytest.mark.parametrize(
    ("opened", "pools"), [({}, 0), ({"jackpots": ()}, 0), ({"jackpots": BOTH}, 2)]
)
def test_article_40_chips_of_rounds_that_name_no_pool_are_found_once(
    opened: dict[str, Any], pools: int
) -> None:
    game = table(**opened)
    with_a_chip(game)
    with_a_chip(game, 2, "20:20")
    found = the_finding(IN_FORCE, game)
    assert (found.article, found.severity, found.where) == ("40", "breach", {})
    assert (found.observed, found.expected) == ({"pools": pools, "times": 2}, {"pools": 1})
    assert len(found.evidence) == 3  # the opening and both rounds


@upholds_case(PLACE, "unlawful")
def test_article_39_chips_of_no_pool_at_a_table_without_a_place_for_them_are_found() -> None:
    game = table(place=False)
    with_a_chip(game)
    assert the_finding(PLACE, game).article == "39"


@upholds_case(PLACE, "boundary")
def test_article_39_a_table_has_its_place_whatever_is_played_for() -> None:
    game = table()
    with_a_chip(game)
    assert said(PLACE, game) == LAWFUL
    undescribed = table(place=None)
    with_a_chip(undescribed)
    assert said(PLACE, undescribed) == UNDECIDED


@upholds_case(IN_FORCE, "boundary")
def test_article_40_where_increments_may_tell_of_the_chips_it_is_not_decided() -> None:
    game = table(jackpots=BOTH)
    approved(game)
    recorded = with_a_chip(game)
    collected(game, at="20:11")  # of which round, nobody says
    assert said(IN_FORCE, game) == UNDECIDED
    named = table(jackpots=BOTH)
    approved(named)
    recorded = with_a_chip(named)
    collected(named, round=recorded.event.round)
    assert said(IN_FORCE, named) == LAWFUL


@upholds_case(IN_FORCE, "boundary")
def test_article_40_rounds_without_a_chip_are_of_no_pool_and_that_is_right() -> None:
    game = table()
    game.round(1, 1)
    assert [said(check, game) for check in (PLACE, IN_FORCE)] == [NOT_ASKED] * 2


# Of another pool than the partida was opened with.


def of_pool_one(*named: str) -> Game:
    """An increment of JP-1 where the partida was opened with these."""
    game = Game(jackpots=named)
    game.outside(TableRegistered, jackpot_place=True, jackpot_marking="manual")
    approved(game)
    game.beside(JackpotStarted(jackpot=POOL, start_cents=START, reason="first"), "12:10")
    collected(game)
    return game


@upholds_case(IN_FORCE, "unlawful")
@pytest.mark.parametrize("named", [(), ("JP-9",), ("JP-8", "JP-9")])
def test_article_40_an_increment_of_a_pool_the_partida_was_not_opened_with_is_found(
    named: tuple[str, ...],
) -> None:
    found = the_finding(IN_FORCE, of_pool_one(*named))
    assert (found.article, found.where) == ("40", {"jackpot": POOL})
    assert found.expected == {"one_of": list(named)}
    assert len(found.evidence) == 2  # the opening and the increment


@upholds_case(IN_FORCE, "lawful")
@pytest.mark.parametrize("named", [(POOL,), BOTH])
def test_article_40_an_increment_of_a_pool_the_partida_names_is_lawful(
    named: tuple[str, ...],
) -> None:
    assert said(IN_FORCE, of_pool_one(*named)) == LAWFUL


# Wins without terms.


@upholds_case(IN_FORCE, "unlawful")
@pytest.mark.parametrize("terms", [{"terms": False}, {"valid_from": moment("23:00")}])
def test_article_40_a_win_without_terms_is_found_though_nobody_told_the_chip(
    terms: dict[str, Any],
) -> None:
    game = pool_game(**terms)
    hit = won(game, f"1 J1 {TOP}", shoe=1, number=1)
    paid(game, hit, f"1 J1 {TOP}", START)
    found = the_finding(IN_FORCE, game)
    assert (found.article, found.where) == ("40", {"jackpot": POOL})
    assert (found.observed, len(found.evidence)) == ({"terms": 0, "times": 1}, 1)


@upholds_case(IN_FORCE, "boundary")
def test_article_40_a_win_a_moment_after_the_terms_were_confirmed_has_them() -> None:
    game = pool_game(confirmed="20:11")
    won(game, f"1 J1 {TOP}", shoe=1, number=1)
    assert said(IN_FORCE, game) == LAWFUL
    counted = pool_game(terms=False)
    won(counted, f"1 J1 {TOP}", of=laid(counted))
    assert the_finding(IN_FORCE, counted).observed == {"terms": 0, "times": 3}
    assert len(findings(IN_FORCE, counted)) == 1
