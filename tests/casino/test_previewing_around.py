"""A warning comes before the record, also of what is recorded elsewhere: of a deck, a machine."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino import clock
from casino.events.deck_life import DecksDestroyed, DeckWithdrawn
from casino.events.incidents import IncidentReported
from casino.events.shoes import CardBurned
from casino.events.shufflers import ShufflerLoaded
from casino.previewing import Draft, preview
from casino.queries import dossier_of
from casino.recording import Actor
from tests.factories.floor import (
    DECKS,
    MACHINE_TABLE,
    PIT,
    SHOE_TABLE,
    ago,
    game,
    house,
    opened,
    opening,
    shown_deck,
)
from tests.factories.people import CAST, write
from tests.factories.usual_events import MACHINE

pytestmark = pytest.mark.django_db
MANAGER = Actor(CAST["chefia_da_sala"], "chefia_da_sala", "admin")
OTHERS = tuple(f"D-04{number:02}" for number in range(1, 7))
NOT_AGAIN = "withdrawn_deck_not_used"


@pytest.fixture(autouse=True)
def registered() -> None:
    house()


def warned(event: Any) -> set[str]:
    """What is warned of before this is recorded."""
    [said] = preview([Draft(event, clock.now(), PIT)])
    return {one.check for one in said}


@pytest.mark.parametrize(
    "gone",
    [
        DeckWithdrawn(deck=DECKS[2], reason="worn"),
        DeckWithdrawn(**game(SHOE_TABLE, days_ago=1), deck=DECKS[2], reason="damaged"),
        DecksDestroyed(decks=(DECKS[2],), method="cut", second="S-0021"),
    ],
    ids=["by the store", "in another game", "destroyed"],
)
def test_article_5_a_new_partida_with_a_deck_that_went_elsewhere(gone: Any) -> None:
    write(gone, by=MANAGER, at=ago(60))
    assert NOT_AGAIN in warned(opening())


def test_article_5_a_new_partida_with_its_decks_whole_is_lawful() -> None:
    write(DeckWithdrawn(deck="D-9999", reason="worn"), by=MANAGER, at=ago(60))
    assert warned(opening()) == set()


def test_article_5_an_exhibition_and_a_load_of_a_deck_that_came_from_nowhere() -> None:
    opened(MACHINE_TABLE)
    write(DeckWithdrawn(deck="D-0777", reason="worn"), by=MANAGER, at=ago(60))
    assert NOT_AGAIN in warned(shown_deck("D-0777", MACHINE_TABLE))
    load = ShufflerLoaded(
        **game(MACHINE_TABLE),
        shuffler=MACHINE,
        decks=(*DECKS[:5], "D-0777"),
        packets=3,
        operator="P-104",
        fiscal_chefe="S-0021",
        reason="opening",
    )
    assert NOT_AGAIN in warned(load)


def test_the_deck_is_only_asked_about_where_the_hand_names_it() -> None:
    opened(MACHINE_TABLE)
    write(DeckWithdrawn(deck="D-0777", reason="worn"), by=MANAGER, at=ago(60))
    assert warned(shown_deck(DECKS[0], MACHINE_TABLE)) == set()


def test_article_51_a_jam_of_its_machine_told_elsewhere_is_there_at_the_opening() -> None:
    jam = IncidentReported(
        **game("BJ-09"),
        incident="IN-7",
        category="jam",
        reason="carta_presa",
        people=(),
        shuffler=MACHINE,
        noticed_at=ago(90),
    )
    write(jam, by=MANAGER, at=ago(90))
    event = opening(MACHINE_TABLE)
    with CaptureQueriesContext(connection) as asked:
        around = dossier_of(event.partida).around_of(IncidentReported)
    without = len(asked)
    assert around == []
    dossier = dossier_of(event.partida, and_recorded=[_in_hand(event)])
    assert [one.event.incident for one in dossier.around_of(IncidentReported)] == ["IN-7"]
    assert dossier.entries == ()
    with CaptureQueriesContext(connection) as asked:
        dossier_of(event.partida, and_recorded=[_in_hand(event)])
    assert len(asked) <= without + 2  # what it names is read: which count, and the entries


def _in_hand(event: Any) -> Any:
    from casino.previewing import _as_recorded

    return _as_recorded(Draft(event, clock.now(), PIT), 0, event.partida)


def test_what_no_partida_shows_is_warned_of_beside_what_one_does() -> None:
    opened(MACHINE_TABLE)
    elsewhere = DeckWithdrawn(deck=DECKS[0], reason="worn", table="BJ-09")
    burnt = CardBurned(**game(SHOE_TABLE), shoe=1, cards=2)
    now = clock.now()
    opened(SHOE_TABLE)
    alone = [preview([Draft(event, now, PIT)])[0] for event in (elsewhere, burnt)]
    together = preview([Draft(event, now, PIT) for event in (elsewhere, burnt)])
    assert [[one.check for one in said] for said in together] == [
        [one.check for one in said] for said in alone
    ]
    assert all(alone)


def test_article_3_a_deck_that_came_into_another_game_is_warned_of_at_an_opening() -> None:
    opened(MACHINE_TABLE, decks=OTHERS)
    other = game(MACHINE_TABLE)
    write(DeckWithdrawn(**other, deck="D-0401", reason="worn"), by=PIT, at=ago(40))
    assert "cards_serve_one_game" not in warned(opening())
    write(shown_deck(DECKS[2], MACHINE_TABLE), by=PIT, at=ago(39))
    assert "cards_serve_one_game" in warned(opening())
    (listed,) = preview([Draft(opening(), clock.now(), PIT)])
    (found,) = [one for one in listed if one.check == "cards_serve_one_game"]
    assert found.observed == {"also_at": MACHINE_TABLE, "decks": [DECKS[2]]}
    assert found.expected == {"decks": "of_this_game"}


def test_article_3_a_deck_that_is_in_play_elsewhere_is_warned_of_when_it_is_shown() -> None:
    opened()
    write(DeckWithdrawn(**game(), deck=DECKS[0], reason="worn"), by=PIT, at=ago(5))
    opened(MACHINE_TABLE, decks=OTHERS)
    assert "cards_serve_one_game" in warned(shown_deck("D-0403"))
    assert "cards_serve_one_game" not in warned(shown_deck("D-0499"))
