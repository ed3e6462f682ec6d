"""S4: the shuffle and the cut. Whose turn it is, who declined, who cut; every act on the button."""

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from casino.events.shoes import PlayInterrupted
from casino.floor.table_state import table_state
from tests.casino.sala_forms import checks_warned, form_on, over_it
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
    prepared,
    shown_deck,
    shuffled,
)
from tests.factories.people import somebody, write
from tests.factories.recorded import entries, events_of, the_event
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
CUT = f"/sala/{SHOE_TABLE}/cut/"


@recorded_once
def pit() -> Client:
    house()
    opened()
    return somebody("fiscal_de_banca")


def button(page: Any) -> str:
    """What the button says it records."""
    text = page.content.decode()
    return str(text.partition('class="primary" type="submit">')[2].partition("<")[0])


def taken(client: Client, plan: str) -> Any:
    """The plan an address tells of, recorded."""
    return client.post(CUT, form_on(client.get(f"{CUT}{plan}")))


def offers() -> list[tuple[int, bool]]:
    return [(one.seat, one.accepted) for one in the_event("cut-made/1").offers]


# Every act is on the button, or a tap of its own


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        ("?seats=2+5", "Record shuffle by hand and cut – seat 2"),
        ("?seats=2+5&refused=2", "Record shuffle by hand and cut – seat 5"),
        ("?seats=2+5&refused=2+5", "Record shuffle by hand and cut – the fiscal"),
        ("?seats=", "Record shuffle by hand and cut – the fiscal"),
        ("?seats=2+5&cut=fiscal_de_banca", "Record shuffle by hand and cut – the fiscal"),
    ],
)
def test_the_button_says_the_shuffle_and_the_cut_and_both_are_recorded(
    pit: Client, plan: str, said: str
) -> None:
    page = pit.get(f"{CUT}{plan}")
    assert button(page) == said
    before = entries()
    answer = taken(pit, plan)
    if answer.status_code == 200:
        answer = over_it(pit, CUT, answer)
    assert answer.status_code == 303
    assert entries() == before + 2
    shoe, cut = the_event("cards-shuffled/1"), the_event("cut-made/1")
    assert said.endswith(f"seat {cut.seat}" if cut.seat else "the fiscal")
    assert shoe.shoe == cut.shoe == 1


def test_the_shuffle_alone_was_told_so_only_the_cut_is_left(pit: Client) -> None:
    shuffled()
    assert button(pit.get(f"{CUT}?seats=1+2")) == "Record the cut – seat 1"
    before = entries()
    assert taken(pit, "?seats=1+2").status_code == 303
    assert entries() == before + 1
    assert the_event("cut-made/1").special_card is True


def test_nothing_is_recorded_by_tapping_on_seats(pit: Client) -> None:
    before = entries()
    page = pit.get(f"{CUT}?seats=1")
    for _ in range(3):
        page = pit.get(page.context["cut"]["all_seats"][4]["toggle"])
    assert entries() == before
    assert [one["number"] for one in page.context["cut"]["all_seats"] if one["occupied"]] == [1, 5]


def test_how_it_was_shuffled_is_told_and_can_be_told_otherwise(pit: Client) -> None:
    form = form_on(pit.get(f"{CUT}?seats=1"))
    assert (form["passes"], form["shuffled_by"], form["face_down"]) == ("7", "P-104", "1")
    del form["face_down"], form["special_card"]
    answer = pit.post(CUT, form | {"passes": "4", "shuffled_by": "P-105"})
    answer = over_it(pit, CUT, answer) if answer.status_code == 200 else answer
    assert answer.status_code == 303
    shuffle = the_event("cards-shuffled/1")
    assert [(one.deck, one.passes) for one in shuffle.decks] == [(deck, 4) for deck in DECKS]
    assert (shuffle.shuffled_by, shuffle.face_down, shuffle.cards) == ("P-105", False, None)
    assert the_event("cut-made/1").special_card is False


def test_article_8_that_a_machine_shuffled_can_be_told_and_the_button_says_by_hand(
    pit: Client,
) -> None:
    form = form_on(pit.get(f"{CUT}?seats=1"))
    assert "by_machine" not in form
    answer = pit.post(CUT, form | {"by_machine": "1"})
    if answer.status_code == 200:
        answer = over_it(pit, CUT, answer)
    assert answer.status_code == 303
    assert the_event("cards-shuffled/1").method == "machine"


# Article 8: lawful


def test_article_8_at_the_start_the_lowest_seat_cuts(pit: Client) -> None:
    page = pit.get(f"{CUT}?seats=2+5+7")
    assert "It is the turn of seat 2." in page.content.decode()
    assert "n.º 8" in page.content.decode()
    assert taken(pit, "?seats=2+5+7").status_code == 303
    cut = the_event("cut-made/1")
    assert (cut.after, cut.due_seat, cut.seat, cut.seats_occupied) == ("start", 2, 2, (2, 5, 7))
    assert offers() == [(2, True)]


def test_article_8_who_declines_is_kept_and_the_next_is_asked(pit: Client) -> None:
    page = pit.get(f"{CUT}?seats=2+5+7")
    page = pit.get(page.context["cut"]["refuse"])
    assert "It passes on to seat 5." in page.content.decode()
    page = pit.get(page.context["cut"]["refuse"])
    assert taken(pit, "?" + page.wsgi_request.META["QUERY_STRING"]).status_code == 303
    assert offers() == [(2, False), (5, False), (7, True)]


def test_article_8_nobody_wanted_to_is_one_tap_and_the_fiscal_cuts(pit: Client) -> None:
    page = pit.get(f"{CUT}?seats=2+5")
    page = pit.get(page.context["cut"]["none_wanted"])
    assert "Nobody wanted to: the fiscal cuts." in page.content.decode()
    assert pit.post(CUT, form_on(page)).status_code == 303
    cut = the_event("cut-made/1")
    assert (cut.cut_by, cut.seat) == ("fiscal_de_banca", None)
    assert offers() == [(2, False), (5, False)]


def test_article_8_nobody_there_the_fiscal_cuts(pit: Client) -> None:
    assert taken(pit, "?seats=").status_code == 303
    assert the_event("cut-made/1").cut_by == "fiscal_de_banca"


def test_article_8_at_the_next_shoe_the_seat_after_the_last_cutter(pit: Client) -> None:
    prepared(cut=1)
    pit.post(
        f"/sala/{SHOE_TABLE}/last-round/",
        form_on(pit.get(f"/sala/{SHOE_TABLE}/last-round/")) | {"came_out": "during_round"},
    )
    page = pit.get(CUT)  # who sits there is known
    assert "It is the turn of seat 2." in page.content.decode()
    assert pit.post(CUT, form_on(page)).status_code == 303
    cut = events_of("cut-made/1")[-1]
    assert (cut.shoe, cut.after, cut.seat) == (2, "next_shoe", 2)


def test_article_12_after_a_stop_without_players_the_order_begins_anew(pit: Client) -> None:
    prepared(cut=1)
    write(PlayInterrupted(**game(), reason="no_players"), by=PIT, at=ago(5))
    assert "It is the turn of seat 1." in pit.get(f"{CUT}?seats=1+2+5&shoe=2").content.decode()


# Article 8: unlawful, boundary


@pytest.mark.parametrize(
    "plan", ["?seats=1+2+5&cut=5", "?seats=1+2+5&refused=1&cut=5", "?seats=1+2&cut=fiscal_de_banca"]
)
def test_article_8_out_of_turn_is_warned_of_and_recorded(pit: Client, plan: str) -> None:
    answer = taken(pit, plan)
    assert checks_warned(answer) == ["cut_by_rightful_seat"]
    assert "n.º 8" in answer.content.decode()
    assert not events_of("cut-made/1")
    assert over_it(pit, CUT, answer).status_code == 303
    assert len(the_event("cut-made/1").despite) == 1


def test_article_8_one_seat_alone_is_always_due(pit: Client) -> None:
    prepared(cut=5, seats=(5,))
    assert "It is the turn of seat 5." in pit.get(f"{CUT}?seats=5&shoe=2").content.decode()


# A shuffler


def test_articles_52_and_53_at_a_shuffler_the_cards_are_mixed_and_nobody_cuts(
    pit: Client,
) -> None:
    opened(MACHINE_TABLE)
    url = f"/sala/{MACHINE_TABLE}/cut/"
    page = pit.get(url)
    assert button(page) == "Record the shuffle by hand"
    assert "n.º 53" in page.content.decode()
    assert 'class="seats"' not in page.content.decode()
    answer = pit.post(url, form_on(page))
    assert answer["Location"].startswith(f"/sala/{MACHINE_TABLE}/?recorded=")
    assert the_event("cards-shuffled/1").method == "by_hand"
    assert events_of("cut-made/1") == []
    assert table_state(MACHINE_TABLE, ago(0)).next_steps[0].name == "load"


# Bad input


@pytest.mark.parametrize(
    "sent",
    [
        {"seats": "x y"},
        {"seats": "8 9 99"},
        {"refused": "<b>"},
        {"cut": "9999"},
        {"cut": "x"},
        {"shoe": "2"},
        {"shoe": "10000"},
        {"seats": "1 2", "refused": "7"},
    ],
)
def test_whatever_is_sent_is_warned_of_recorded_or_refused(
    pit: Client, sent: dict[str, str]
) -> None:
    before = entries()
    answer = pit.post(CUT, form_on(pit.get(f"{CUT}?seats=1+2")) | sent)
    assert answer.status_code in (200, 303)
    assert entries() == before + (2 if answer.status_code == 303 else 0)


def test_where_no_game_is_open_nothing_is_cut() -> None:
    house()
    client = somebody("fiscal_de_banca")
    assert client.get(CUT).status_code == 200
    assert client.post(CUT, {"key": "x", "shoe": "1"}).status_code == 409
    assert events_of("cut-made/1") == []


# What other rulebooks ask of a shoe, and the regulation does not


def other_house(rulebook: str, shoe: int = 1) -> Client:
    """A table of another rulebook; its first shoe is made ready where the second is asked."""
    house()
    write(replace(opening(), rulebook=rulebook), by=PIT, at=ago(50))
    for deck in DECKS:
        write(shown_deck(deck), by=PIT, at=ago(45))
    if shoe > 1:
        prepared()
    return somebody("fiscal_de_banca")


def recorded(client: Client, shoe: int = 1, **more: str) -> None:
    page = client.get(f"{CUT}?seats=2+5&shoe={shoe}")
    answer = client.post(CUT, form_on(page) | more)
    if answer.status_code == 200:
        answer = over_it(client, CUT, answer)
    assert answer.status_code == 303


def test_in_france_the_dealer_cuts_after_the_player_each_with_his_card() -> None:
    client = other_house("fr")
    assert 'name="dealer_cut"' in client.get(f"{CUT}?seats=2+5").content.decode()
    recorded(client, dealer_cut="1")
    first, second = events_of("cut-made/1")
    assert (first.cut_by, first.seat, first.card_colour) == ("seat", 2, "red")
    assert (second.cut_by, second.seat, second.card_colour) == ("pagador", None, "blue")
    assert second.seats_occupied == first.seats_occupied


def test_a_cut_nobody_said_the_dealer_made_is_not_recorded() -> None:
    client = other_house("fr")
    recorded(client)
    assert [cut.cut_by for cut in events_of("cut-made/1")] == ["seat"]


@pytest.mark.parametrize(("said", "kept"), [("yes", True), ("no", False), ("", None)])
def test_in_spain_the_second_shoe_asks_for_the_used_cards(said: str, kept: bool | None) -> None:
    client = other_house("es", shoe=2)
    assert 'name="used_turned"' in client.get(f"{CUT}?seats=2+5&shoe=2").content.decode()
    recorded(client, 2, used_turned=said)
    assert events_of("cards-shuffled/1")[-1].used_cards_turned is kept


def test_the_regulation_asks_neither(pit: Client) -> None:
    prepared()
    page = pit.get(f"{CUT}?seats=2+5&shoe=2").content.decode()
    assert "used_turned" not in page
    assert "dealer_cut" not in page
    recorded(pit, 2, used_turned="", dealer_cut="1")
    assert [cut.card_colour for cut in events_of("cut-made/1")] == [None, None]
