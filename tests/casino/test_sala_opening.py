"""S2 and S3: a table is opened, filled in from the last time; its cards are shown, deck by deck."""

import html
import json
import re
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import override

from casino.events.partidas import DeckInUse, PartidaClosed
from casino.events.staff import DutyBegun
from casino.events.tables import LimitsSet
from casino.floor.opening import deck_words
from casino.floor.table_state import table_state
from casino.recording import Actor
from tests.casino.sala_forms import checks_warned, errors_on, form_on, over_it
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
    register,
    yesterday,
)
from tests.factories.people import CAST, somebody, write
from tests.factories.recorded import entries, events_of, the_event
from tests.factories.usual_events import MACHINE
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
OPEN = f"/sala/{SHOE_TABLE}/open/"
SEVERAL = "/sala/open/"
EXHIBIT = f"/sala/{SHOE_TABLE}/exhibit/"
ANOTHER = Actor("S-0190", "fiscal_de_banca", "sala")
MANAGER = Actor(CAST["chefia_da_sala"], "chefia_da_sala", "admin")


@recorded_once
def pit() -> Client:
    house()
    return somebody("fiscal_de_banca")


@recorded_once
def a_day_before(pit: Client) -> None:
    """The table was open the day before."""
    yesterday()


# One table


@pytest.mark.usefixtures("a_day_before")
def test_the_form_is_filled_in_from_the_last_time(pit: Client) -> None:
    form = form_on(pit.get(OPEN))
    asked = (form["minimum"], form["maximum"], form["dealing"])
    assert asked == ("10", "300", "shoe")
    assert form["decks"].split() == [f"{deck}:red" for deck in DECKS]
    assert (form["fiscal_chefe"], form["pagador"]) == ("S-0021", "P-104")


@pytest.mark.usefixtures("a_day_before")
def test_one_tap_opens_it_and_leads_to_the_exhibition(pit: Client) -> None:
    before = entries()
    answer = pit.post(OPEN, form_on(pit.get(OPEN)))
    assert answer.status_code == 303
    assert answer["Location"].startswith(f"{EXHIBIT}?recorded=")
    assert entries() == before + 1
    event = events_of("partida-opened/1")[-1]
    assert event == replace(opening(), partida=game()["partida"])


@pytest.mark.usefixtures("a_day_before")
def test_the_limits_in_force_and_who_is_there_come_before_the_last_time(pit: Client) -> None:
    limits = LimitsSet(
        table=SHOE_TABLE,
        minimum_cents=2500,
        maximum_cents=50_000,
        valid_from=ago(120),
        approved_by="S-0003",
    )
    write(limits, by=MANAGER, at=ago(120))
    colleague = somebody("fiscal_de_banca", "S-0190")
    form = form_on(colleague.get(OPEN))
    assert (form["minimum"], form["maximum"]) == ("25", "500")
    assert form["fiscal_de_banca"] == "S-0190"


def test_a_table_that_was_never_open_begins_with_its_limits_and_its_machine(pit: Client) -> None:
    form = form_on(pit.get(f"/sala/{MACHINE_TABLE}/open/"))
    assert (form["dealing"], form["shuffler"], form["decks"]) == ("shuffler", MACHINE, "")
    assert form["minimum"] == "10"


@pytest.mark.usefixtures("a_day_before")
def test_the_second_game_of_a_day_has_the_next_number(pit: Client) -> None:
    pit.post(OPEN, form_on(pit.get(OPEN)))
    close(game()["partida"])
    pit.post(OPEN, form_on(pit.get(OPEN)))
    assert events_of("partida-opened/1")[-1].partida == game(number=2)["partida"]


def close(partida: str) -> None:
    """That game is over."""
    closed = PartidaClosed(table=SHOE_TABLE, partida=partida, rounds=0, reason="other")
    write(closed, by=PIT, at=ago(0))


@pytest.mark.usefixtures("a_day_before")
@pytest.mark.parametrize(
    ("changed", "warned"),
    [
        ({}, []),
        ({"maximum": "300,00"}, []),
        ({"maximum": "299,99"}, ["opened_with_the_limits_set"]),
        # More than thirty minimums besides: 37.
        ({"maximum": "300,01"}, ["opened_with_the_limits_set", "opened_within_thirty_minimums"]),
        ({"minimum": "5"}, ["opened_with_the_limits_set", "opened_within_thirty_minimums"]),
    ],
)
def test_article_14_other_limits_than_those_set_are_warned_of_and_recorded(
    pit: Client, changed: dict[str, str], warned: list[str]
) -> None:
    answer = pit.post(OPEN, form_on(pit.get(OPEN)) | changed)
    assert (checks_warned(answer) if answer.status_code == 200 else []) == warned
    if warned:
        assert "n.º 14" in answer.content.decode()
        assert over_it(pit, OPEN, answer).status_code == 303
        value = events_of("partida-opened/1")[-1].despite
        assert [one.check for one in value] == warned


@pytest.mark.usefixtures("a_day_before")
@pytest.mark.parametrize("count", [3, 5, 7, 8])
def test_article_3_four_or_six_decks_and_no_other_number(pit: Client, count: int) -> None:
    decks = " ".join(f"D-{n}" for n in range(count))
    answer = pit.post(OPEN, form_on(pit.get(OPEN)) | {"decks": decks})
    assert checks_warned(answer)
    assert "n.º 3" in answer.content.decode()


@pytest.mark.usefixtures("a_day_before")
@pytest.mark.parametrize("count", [4, 6])
def test_article_3_four_decks_are_lawful_and_so_are_six(pit: Client, count: int) -> None:
    decks = ", ".join(f"D-{n}:blue" for n in range(count))
    assert pit.post(OPEN, form_on(pit.get(OPEN)) | {"decks": decks}).status_code == 303


@pytest.mark.usefixtures("a_day_before")
@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"minimum": ""}, "minimum"),
        ({"minimum": "ten"}, "minimum"),
        ({"minimum": "-1"}, "minimum"),
        ({"maximum": "1.9999"}, "maximum"),
        ({"maximum": "9" * 20}, "maximum"),
        ({"decks": ""}, "decks"),
        ({"decks": "D-1 D-1"}, "decks"),
        ({"decks": "<b>"}, "decks"),
        ({"decks": " ".join(f"D-{n}" for n in range(21))}, "decks"),
        ({"dealing": "by magic"}, "dealing"),
        ({"dealing": "shuffler", "shuffler": "no code!"}, "shuffler"),
        ({"pagador": "no code!"}, "pagador"),
        ({"jackpots": "JP-1 no/code"}, "jackpots"),
    ],
)
def test_what_makes_no_opening_is_refused_beside_its_field_and_nothing_stored(
    pit: Client, changed: dict[str, str], field: str
) -> None:
    form, before = form_on(pit.get(OPEN)), entries()
    answer = pit.post(OPEN, form | changed)
    assert answer.status_code == 200
    assert field in errors_on(answer)
    page = answer.content.decode()
    assert f'href="#id_{field}"' in page
    assert f'id="id_{field}"' in page
    assert entries() == before
    assert form_on(answer)["pagador"] == (form | changed)["pagador"]


@pytest.mark.usefixtures("a_day_before")
def test_what_is_refused_is_said_with_the_name_of_its_field(pit: Client) -> None:
    answer = pit.post(OPEN, form_on(pit.get(OPEN)) | {"decks": "", "pagador": "no code!"})
    assert errors_on(answer)["decks"] == "Decks: This field is required."
    answer = pit.post(OPEN, form_on(pit.get(OPEN)) | {"pagador": "no code!"})
    assert errors_on(answer)["pagador"].startswith("Dealer: ")


@pytest.mark.parametrize("language", ["en", "pt-pt"])
@pytest.mark.parametrize("colour", ["red", "blue", "paisley"])
def test_a_colour_is_told_in_the_pages_language_and_stored_as_the_book_spells_it(
    language: str, colour: str
) -> None:
    decks = (DeckInUse(deck="D-1", back_colour=colour), DeckInUse(deck="D-2"))
    with override(language):
        typed = deck_words.decks_text(decks)
        assert deck_words.decks_of(typed) == decks
        assert deck_words.decks_of(typed.upper())[0].back_colour in (colour, colour.upper())


def test_an_open_table_is_not_opened_again(pit: Client) -> None:
    opened()
    answer = pit.get(OPEN)
    assert (answer.status_code, answer["Location"]) == (302, f"/sala/{SHOE_TABLE}/")


@pytest.mark.usefixtures("a_day_before")
def test_whoever_opens_it_second_is_told_by_whom_it_was_opened(pit: Client) -> None:
    form = form_on(pit.get(OPEN))
    opened(shown=False)
    before = entries()
    answer = pit.post(OPEN, form)
    assert answer.status_code == 409
    page = answer.content.decode()
    assert f"by {PIT.staff}" in page
    assert "Nothing was recorded." in page
    assert entries() == before


@pytest.mark.usefixtures("a_day_before")
def test_a_double_tap_opens_one_game(pit: Client) -> None:
    form = form_on(pit.get(OPEN))
    pit.post(OPEN, form)
    again = pit.post(OPEN, form)
    assert again["Location"].endswith("again=1")
    assert len(events_of("partida-opened/1")) == 2


def test_a_table_nobody_knows_is_not_found(pit: Client) -> None:
    assert pit.get("/sala/BJ-99/open/").status_code == 404


# The rulebook, the two special cards, the float


@pytest.mark.usefixtures("a_day_before")
def test_the_rulebook_is_shown_chosen_and_named_where_it_is_not_the_usual_one(pit: Client) -> None:
    page = pit.get(OPEN)
    assert form_on(page)["rulebook"] == "pt"
    assert "Blackjack after a Brazilian handbook" in page.content.decode()
    answer = pit.post(OPEN, form_on(page) | {"rulebook": "br"})
    if answer.status_code == 200:
        answer = over_it(pit, OPEN, answer)
    assert events_of("partida-opened/1")[-1].rulebook == "br"
    for url in (f"/sala/{SHOE_TABLE}/", "/sala/"):
        assert "Blackjack after a Brazilian handbook" in pit.get(url).content.decode()
    close(game()["partida"])
    page = pit.get(OPEN)  # the table's last, and said to be unusual
    assert form_on(page)["rulebook"] == "br"
    assert "not the house's usual one" in page.content.decode()
    assert "cut_card_front" not in form_on(page)  # it knows no special cards


@pytest.mark.usefixtures("a_day_before")
@pytest.mark.parametrize("recorded", ["", "xx", "pt-wrong"])
def test_a_rulebook_there_is_not_opens_nothing(pit: Client, recorded: str) -> None:
    before = entries()
    answer = pit.post(OPEN, form_on(pit.get(OPEN)) | {"rulebook": recorded})
    assert "rulebook" in errors_on(answer)
    assert entries() == before


@pytest.mark.usefixtures("a_day_before")
def test_article_4_the_special_cards_are_asked_with_the_colours_of_both_sides(pit: Client) -> None:
    form = form_on(pit.get(OPEN))
    sides = {name: form[name] for name in form if name.endswith(("_front", "_back"))}
    assert sides == {
        "cut_card_front": "yellow",
        "cut_card_back": "yellow",
        "carta_aviso_front": "black",
        "carta_aviso_back": "black",
    }
    answer = pit.post(OPEN, form | {"carta_aviso_back": ""})
    assert errors_on(answer)["carta_aviso_back"] == "Say the colours of both its sides."
    values = {"cut_card_front": "green", "cut_card_back": "green", "chips-500": "40"}
    assert pit.post(OPEN, form | values).status_code == 303
    event = events_of("partida-opened/1")[-1]
    assert (event.cut_card.front, event.cut_card.back) == ("green", "green")
    assert [(one.value_cents, one.count) for one in event.counts] == [(500, 40)]


@pytest.mark.usefixtures("a_day_before")
def test_article_4_that_there_is_no_such_card_is_said_and_recorded(pit: Client) -> None:
    form = form_on(pit.get(OPEN))
    answer = pit.post(OPEN, form | {"carta_aviso_back": "none"})
    assert errors_on(answer)["carta_aviso_front"] == "Either the card is there, or it is not."
    values = form | {"carta_aviso_front": "none", "carta_aviso_back": ""}
    answer = pit.post(OPEN, values)
    if answer.status_code == 200:
        answer = over_it(pit, OPEN, answer)
    event = events_of("partida-opened/1")[-1]
    assert (event.carta_aviso, event.special_cards) == (None, 1)
    close(game()["partida"])
    again = form_on(pit.get(OPEN))
    assert (again["carta_aviso_front"], again["carta_aviso_back"]) == ("none", "none")


def of_decks(page: str) -> dict[str, int]:
    """By rulebook, of how many decks those tapped are counted."""
    (value,) = re.findall(r'data-of="([^"]+)"', page)
    return json.loads(html.unescape(value))


def test_the_decks_are_counted_by_the_rulebook_that_is_chosen(pit: Client) -> None:
    four = opening(days_ago=1)
    write(replace(four, decks=four.decks[:4]), by=ANOTHER, at=ago(1440))
    close(game(days_ago=1)["partida"])
    page = pit.get(OPEN).content.decode()
    assert of_decks(page) == {"pt": 4, "pt-summary": 6, "es": 6, "fr": 6, "br": 4}


def test_decks_of_the_table_are_counted_the_machine_is_asked_where_there_is_one(
    pit: Client,
) -> None:
    yesterday()
    page = pit.get(OPEN).content.decode()
    assert of_decks(page) == {"pt": 6, "pt-summary": 6, "es": 6, "fr": 6, "br": 6}
    assert "7 seats" in page
    assert 'name="shuffler"' not in page
    assert 'name="shuffler"' in pit.get(f"/sala/{MACHINE_TABLE}/open/").content.decode()
    assert 'class="dot red"' in page


# Several


def test_nobody_and_no_rulebook_is_taken_from_the_last_time_unseen(pit: Client) -> None:
    write(
        replace(opening(days_ago=1), fiscal_de_banca="S-0190", rulebook="br"),
        by=ANOTHER,
        at=ago(1440),
    )
    close(game(days_ago=1)["partida"])
    page = pit.get(SEVERAL)
    form = form_on(page)
    assert form[f"{SHOE_TABLE}-rulebook"] == "br"
    assert "Not the house's usual rulebook." in page.content.decode()
    assert form[f"{SHOE_TABLE}-fiscal_de_banca"] == PIT.staff  # who is logged in
    assert (form[f"{SHOE_TABLE}-fiscal_chefe"], form[f"{SHOE_TABLE}-pagador"]) == (
        "S-0021",
        "P-104",
    )
    values = {f"{SHOE_TABLE}-rulebook": "pt", f"{SHOE_TABLE}-pagador": "P-112"}
    answer = pit.post(SEVERAL, form | values | {"tables": [SHOE_TABLE]})
    assert answer.status_code == 303
    event = events_of("partida-opened/1")[-1]
    assert (event.rulebook, event.fiscal_de_banca, event.pagador) == ("pt", PIT.staff, "P-112")


def test_the_ticked_tables_are_opened_each_as_the_last_time(pit: Client) -> None:
    register("BJ-03")
    for table in (SHOE_TABLE, MACHINE_TABLE):
        yesterday(table)
    page = pit.get(SEVERAL)
    assert [one["table"] for one in page.context["openings"]] == [SHOE_TABLE, MACHINE_TABLE]
    assert page.context["first_times"] == ["BJ-03"]
    assert "tables" not in form_on(page)  # nothing is ticked for anybody
    answer = pit.post(SEVERAL, form_on(page) | {"tables": [SHOE_TABLE, MACHINE_TABLE]})
    assert answer.status_code == 303
    found = events_of("partida-opened/1")[-2:]
    assert {event.table: event.dealing for event in found} == {
        SHOE_TABLE: "shoe",
        MACHINE_TABLE: "shuffler",
    }
    assert {event.fiscal_de_banca for event in found} == {PIT.staff}
    shown = pit.get(answer["Location"]).content.decode()
    assert "2 × Partida opened" in shown


@pytest.mark.usefixtures("a_day_before")
@pytest.mark.parametrize("ticked", [[], ["BJ-99"], ["BJ-02"]])
def test_none_or_one_that_cannot_be_opened_so_is_refused(pit: Client, ticked: list[str]) -> None:
    before = entries()
    answer = pit.post(SEVERAL, form_on(pit.get(SEVERAL)) | {"tables": ticked})
    assert answer.status_code == 200
    assert "tables" in errors_on(answer)
    assert entries() == before


def test_of_several_all_are_opened_or_none(pit: Client) -> None:
    for table in (SHOE_TABLE, MACHINE_TABLE):
        yesterday(table)
    form = form_on(pit.get(SEVERAL))
    opened(MACHINE_TABLE, shown=False)
    before = entries()
    answer = pit.post(SEVERAL, form | {"tables": [SHOE_TABLE, MACHINE_TABLE]})
    assert answer.status_code == 200
    assert entries() == before


@pytest.mark.usefixtures("a_day_before")
def test_somebody_with_tables_of_his_own_opens_any_that_is_closed(pit: Client) -> None:
    yesterday(MACHINE_TABLE)
    begun = DutyBegun(staff=PIT.staff, office="fiscal_de_banca", tables=(SHOE_TABLE,))
    write(begun, by=MANAGER)
    shown = [one["table"] for one in pit.get(SEVERAL).context["openings"]]
    assert SHOE_TABLE in shown


# The exhibition


@recorded_once
def unshown(pit: Client) -> Client:
    opened(shown=False)
    return pit


def test_no_deck_is_conform_until_somebody_says_so(unshown: Client) -> None:
    form = form_on(unshown.get(EXHIBIT))
    assert not [name for name in form if name.startswith("result-")]
    before = entries()
    answer = unshown.post(EXHIBIT, form)
    assert "Say of at least one deck how it was found." in answer.content.decode()
    assert entries() == before


def test_article_7_all_conform_is_said_on_the_button_and_recorded_deck_by_deck(
    unshown: Client,
) -> None:
    page = unshown.get(f"{EXHIBIT}?all=1")
    words = "Record: 6 decks conform, 52 cards each, no joker, in order, in rows, faces up"
    assert words in page.content.decode()
    answer = unshown.post(EXHIBIT, form_on(page))
    assert answer.status_code == 303
    assert answer["Location"].startswith(f"/sala/{SHOE_TABLE}/?recorded=")
    found = events_of("deck-inspected/1")
    assert [event.deck for event in found] == list(DECKS)
    assert {(one.moment, one.result, one.cards, one.spread_in_rows) for one in found} == {
        ("exhibition", "conform", 52, True)
    }
    assert {(one.pagador, one.fiscal_de_banca) for one in found} == {("P-104", PIT.staff)}
    assert table_state(SHOE_TABLE, ago(0)).unshown == ()
    assert "6 × Deck inspected" in unshown.get(answer["Location"]).content.decode()


def test_of_the_rows_nothing_is_recorded_that_nobody_said(unshown: Client) -> None:
    form = form_on(unshown.get(EXHIBIT))
    assert "in_rows" not in form
    assert unshown.post(EXHIBIT, {**form, "result-0": "conform"}).status_code == 303
    form = form_on(unshown.get(EXHIBIT))
    assert unshown.post(EXHIBIT, {**form, "result-1": "conform", "in_rows": "1"}).status_code == 303
    form = form_on(unshown.get(EXHIBIT))
    answer = unshown.post(EXHIBIT, {**form, "result-2": "conform", "in_rows": "0"})
    assert checks_warned(answer) == ["exhibited_deck_in_rows"]
    assert [event.spread_in_rows for event in events_of("deck-inspected/1")] == [None, True]


def test_a_damaged_card_leads_on_to_its_incident_filled_in(unshown: Client) -> None:
    form = form_on(unshown.get(f"{EXHIBIT}?all=1")) | {"result-2": "damaged", "damaged": "backs"}
    answer = unshown.post(EXHIBIT, form)
    if answer.status_code == 200:
        answer = over_it(unshown, EXHIBIT, answer)
    assert answer["Location"].startswith(
        f"/sala/{SHOE_TABLE}/incident/?category=damaged_card&deck=D-0203&recorded="
    )
    deck = events_of("deck-inspected/1")[2]
    assert (deck.result, deck.faces, deck.backs) == ("damaged", "regular", "damaged")


@pytest.mark.parametrize(
    ("result", "counted", "cards"),
    [("missing", "", 51), ("extra", "", 53), ("missing", "49", 49), ("extra", "55", 55)],
)
def test_article_3_a_deck_that_is_not_whole(
    unshown: Client, result: str, counted: str, cards: int
) -> None:
    form = form_on(unshown.get(f"{EXHIBIT}?all=1")) | {"result-0": result, "cards": counted}
    answer = unshown.post(EXHIBIT, form)
    if answer.status_code == 200:
        answer = over_it(unshown, EXHIBIT, answer)
    assert "category=deck_defect" in answer["Location"]
    deck = events_of("deck-inspected/1")[0]
    assert (deck.result, deck.cards, deck.order_complete) == (result, cards, False)


def test_a_deck_at_a_time(unshown: Client) -> None:
    form = form_on(unshown.get(EXHIBIT))
    unshown.post(EXHIBIT, form | {"result-4": "conform"})
    assert the_event("deck-inspected/1").deck == DECKS[4]
    assert len(table_state(SHOE_TABLE, ago(0)).unshown) == 5


@pytest.mark.parametrize(
    "changed",
    [{"result-0": "perfect"}, {"cards": "-1"}, {"cards": "x"}, {"seal": "wax"}, {"note": "\x00"}],
)
def test_what_makes_no_exhibition_is_refused_and_nothing_stored(
    unshown: Client, changed: dict[str, str]
) -> None:
    form, before = form_on(unshown.get(f"{EXHIBIT}?all=1")), entries()
    answer = unshown.post(EXHIBIT, form | changed)
    assert answer.status_code == 200
    assert errors_on(answer)
    assert entries() == before


def test_article_53_at_a_shuffler_the_exhibition_names_that_article(pit: Client) -> None:
    opened(MACHINE_TABLE, shown=False)
    page = pit.get(f"/sala/{MACHINE_TABLE}/exhibit/").content.decode()
    assert "n.º 53" in page


def test_where_no_game_is_open_there_is_nothing_to_exhibit(pit: Client) -> None:
    answer: Any = pit.get(EXHIBIT)
    assert answer.status_code == 200
    assert "act-form" not in answer.content.decode()
    assert pit.post(EXHIBIT, {"result-0": "conform"}).status_code == 409
