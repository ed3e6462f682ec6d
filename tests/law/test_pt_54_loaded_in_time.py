"""PT art. 54: the shuffler of a table that has opened is loaded before long."""

from typing import Any

import pytest

from casino.facts.floor_life import PartidaReopened
from tests.floor_builders import Game, moment
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import said, the_finding

LOADED, SOON = "shuffler_is_loaded", "shuffler_loaded_soon_after_opening"


def waiting(**known: Any) -> Game:
    """A table with a shuffler, opened at seven, at which nothing has happened since."""
    return Game("shuffler", **known)


@upholds_case(SOON, "boundary")
@pytest.mark.parametrize(("as_of", "answer"), [("20:00:00", UNDECIDED), ("20:00:01", BREACH)])
def test_article_54_an_hour_after_the_opening_the_shuffler_is_loaded(
    as_of: str, answer: str
) -> None:
    assert said(SOON, waiting(), as_of=as_of) == answer
    late = waiting()
    late.load("20:30")
    assert said(SOON, late, as_of="20:31") == LAWFUL


@upholds_case(SOON, "unlawful")
@pytest.mark.parametrize("as_of", ["20:05", "02:00"])
def test_article_54_an_open_table_whose_shuffler_stays_empty_is_found(as_of: str) -> None:
    found = the_finding(SOON, waiting(), as_of=as_of)
    assert (found.article, found.severity) == ("54", "warning")
    assert found.observed == {"loads": 0}
    assert found.expected == {"not_after": moment("20:00").isoformat()}
    assert len(found.evidence) == 1


def test_article_54_a_table_opened_again_has_its_hour_again() -> None:
    game = waiting()
    game.close("19:30", packed=False, rounds=0)
    assert said(SOON, game, as_of="21:00") == NOT_ASKED
    game.tell(PartidaReopened, "20:40", reason="mistake")
    assert said(SOON, game, as_of="21:40") == UNDECIDED
    assert said(SOON, game, as_of="21:41") == BREACH


def test_article_54_once_cards_are_dealt_the_missing_load_is_found_instead() -> None:
    game = waiting()
    game.round()
    assert said(SOON, game) == NOT_ASKED
    assert said(LOADED, game) == BREACH
