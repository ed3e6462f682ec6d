"""PT art. 54, 55: the table's own shuffler is loaded, before long, and the same one emptied."""

from typing import Any

import pytest

from casino.events.floor_life import PartidaReopened
from casino.events.partidas import PartidaOpened
from tests.factories.games import Game, moment, shuffler_evening
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
    assert (found.article, found.severity) == ("house.shuffler", "warning")
    assert found.observed == {"loads": 0}
    assert found.expected == {"not_after": moment("20:00").isoformat()}
    assert len(found.evidence) == 1


def test_article_54_a_table_opened_again_has_its_hour_again() -> None:
    game = waiting()
    game.close("19:30", packed=False, rounds=0)
    assert said(SOON, game, as_of="21:00") == NOT_ASKED
    game.record(PartidaReopened, "20:40", reason="mistake")
    assert said(SOON, game, as_of="21:40") == UNDECIDED
    assert said(SOON, game, as_of="21:41") == BREACH


def test_article_54_once_cards_are_dealt_the_missing_load_is_found_instead() -> None:
    game = waiting()
    game.round()
    assert said(SOON, game) == NOT_ASKED
    assert said(LOADED, game) == BREACH


EMPTIED = "shuffler_unloaded_at_closing"


@upholds_case(LOADED, "unlawful")
@pytest.mark.parametrize("played", [True, False])
def test_article_54_loading_another_machine_does_not_load_the_tables(played: bool) -> None:
    game = waiting()
    game.witness(game.load(shuffler="CSM-99"))
    if played:
        game.put_back(1, 1, "20:10")
    found = the_finding(LOADED, game)
    assert (found.article, found.where) == ("54", {})
    assert (found.observed, found.expected) == ({"shuffler": "CSM-99"}, {"shuffler": "CSM-04"})


@upholds_case(LOADED, "boundary")
def test_article_54_a_machine_that_took_its_place_may_be_loaded_besides() -> None:
    game = waiting()
    game.load()
    game.load("21:00", shuffler="CSM-99")
    assert said(LOADED, game) == LAWFUL
    unrecorded = waiting()
    unrecorded.change(PartidaOpened, shuffler=None)
    unrecorded.load(shuffler="CSM-99")
    assert said(LOADED, unrecorded) == LAWFUL


@upholds_case(EMPTIED, "unlawful")
@pytest.mark.parametrize("emptied", ["CSM-99", "CSM-4"])
def test_article_55_emptying_another_machine_leaves_the_cards_in_this(emptied: str) -> None:
    game = shuffler_evening(closed=False)
    game.unload(shuffler=emptied)
    game.close(packed=False)
    found = the_finding(EMPTIED, game)
    assert (found.observed, found.expected) == ({"shuffler": emptied}, {"shuffler": "CSM-04"})
    game.unload("02:50")
    assert said(EMPTIED, game) == LAWFUL
