"""S2: the decks the house knows are taps, and a number nobody knows is asked about."""

from dataclasses import replace

import pytest
from django.test import Client

from casino.events.deck_life import DeckReceived, DeckWithdrawn
from casino.events.partidas import DeckInUse, PartidaClosed
from casino.recording import Actor
from tests.casino.sala_forms import errors_on, form_on
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
    yesterday,
)
from tests.factories.people import CAST, somebody, write
from tests.factories.recorded import entries, events_of
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
OPEN = f"/sala/{SHOE_TABLE}/open/"
MANAGER = Actor(CAST["chefia_da_sala"], "chefia_da_sala", "admin")


@recorded_once
def pit() -> Client:
    house()
    return somebody("fiscal_de_banca")


def received(*decks: str) -> None:
    """These decks came into the store."""
    for deck in decks:
        received = DeckReceived(deck=deck, maker="Exemplo", back_colour="blue", second="S-0190")
        write(received, by=MANAGER, at=ago(600))


def test_a_deck_of_the_store_is_a_tap_and_one_that_plays_is_not_offered(pit: Client) -> None:
    received("D-0301", "D-0302", "D-0303")
    write(DeckWithdrawn(deck="D-0303", reason="worn"), by=MANAGER, at=ago(500))
    other = replace(opening(MACHINE_TABLE), decks=(DeckInUse(deck="D-0302"),))
    write(other, by=PIT, at=ago(50))
    yesterday()
    page = pit.get(OPEN)
    assert [one["deck"] for one in page.context["tiles"]] == list(DECKS)
    assert [one["deck"] for one in page.context["others"]] == ["D-0301"]
    assert 'data-typed="D-0301:blue"' in page.content.decode()


OTHERS = ("D-0401", "D-0402")


def test_article_3_a_deck_that_came_into_a_game_is_offered_nowhere_else(pit: Client) -> None:
    """Neither from the store nor as what the last game left: it lies on another table."""
    received("D-0301", "D-0302")
    yesterday()
    opened(MACHINE_TABLE, decks=OTHERS)
    for gone in OTHERS:
        write(DeckWithdrawn(**game(MACHINE_TABLE), deck=gone, reason="worn"), by=PIT, at=ago(20))
    for came in ("D-0301", DECKS[1]):
        write(shown_deck(came, MACHINE_TABLE), by=PIT, at=ago(19))
    page = pit.get(OPEN)
    assert [one["deck"] for one in page.context["tiles"]] == [DECKS[0], *DECKS[2:]]
    assert [one["deck"] for one in page.context["others"]] == ["D-0302"]
    assert DECKS[1] not in form_on(page)["decks"]
    assert f"deck {DECKS[1]} lies at {MACHINE_TABLE}" in page.content.decode()
    several = pit.get("/sala/open/")
    assert several.context["openings"] == []
    assert f"{DECKS[1]} lies at {MACHINE_TABLE}" in several.content.decode()


def test_article_3_of_two_tables_that_had_a_deck_the_later_one_left_it(pit: Client) -> None:
    yesterday(MACHINE_TABLE, DECKS)
    write(opening(days_ago=1), by=PIT, at=ago(1380))
    closed = PartidaClosed(**game(days_ago=1), rounds=0, reason="end_of_day")
    write(closed, by=PIT, at=ago(1200))
    offered = [one["table"] for one in pit.get("/sala/open/").context["openings"]]
    assert offered == [SHOE_TABLE]


def test_a_number_nobody_received_is_asked_about_before_a_table_is_opened(pit: Client) -> None:
    yesterday()
    received(*DECKS)
    form = form_on(pit.get(OPEN))
    assert "unreceived" not in pit.get(OPEN).content.decode()
    wrong = form | {"decks": form["decks"].replace("D-0206", "D-0260")}
    before = entries()
    answer = pit.post(OPEN, wrong)
    assert errors_on(answer) == {
        "decks": "Nobody received D-0260 into the store: look at the number again."
    }
    assert entries() == before
    assert 'name="unreceived"' in answer.content.decode()
    assert pit.post(OPEN, form_on(answer) | {"unreceived": "1"}).status_code == 303


def test_a_table_is_opened_with_decks_typed_in_small_letters(pit: Client) -> None:
    yesterday()
    received(*DECKS)
    form = form_on(pit.get(OPEN))
    typed = form["decks"].replace("D-0206", "d-0206")
    assert pit.post(OPEN, form | {"decks": typed}).status_code == 303
    assert [one.deck for one in events_of("partida-opened/1")[-1].decks] == list(DECKS)


def test_a_house_without_a_register_of_decks_is_asked_nothing(pit: Client) -> None:
    yesterday()
    assert pit.post(OPEN, form_on(pit.get(OPEN))).status_code == 303
