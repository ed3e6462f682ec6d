"""S5: the warning card and the burnt card; later the last round. And a whole evening of shoes."""

from typing import Any

import pytest
from django import forms
from django.test import Client

from casino import clock
from casino.events.shoes import CardBurned, CartaAvisoPlaced
from casino.extensions import partida_judges
from casino.floor.screens import form_errors
from casino.floor.table_state import table_state
from casino.law.rulebook.rulebook_file import load_law
from casino.queries import dossier_of
from tests.casino.sala_forms import checks_warned, errors_on, form_on, over_it
from tests.factories.floor import (
    PIT,
    SHOE_TABLE,
    ago,
    game,
    house,
    opened,
    played,
    prepared,
    shuffled,
    was_cut,
    yesterday,
)
from tests.factories.people import somebody, write
from tests.factories.recorded import entries, events_of, the_event
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
AT = f"/sala/{SHOE_TABLE}/"
SHOE = f"{AT}shoe/"
LAST = f"{AT}last-round/"


@recorded_once
def pit() -> Client:
    house()
    opened()
    return somebody("fiscal_de_banca")


@pytest.fixture
def cut(pit: Client) -> Client:
    """A shoe shuffled and cut, three players at the table."""
    shuffled()
    was_cut(1, (1, 2, 5), 1)
    return pit


def button(page: Any) -> str:
    """What the button says it records."""
    text = page.content.decode().partition('class="primary"')[2].partition(">")[2]
    return str(text.partition("<")[0]).strip()


def taken(client: Client, url: str, **tapped: str) -> Any:
    return client.post(url.partition("?")[0], form_on(client.get(url)) | tapped)


# The warning card and the burnt card: articles 9 and 10


def test_the_button_says_both_acts_and_records_both(cut: Client) -> None:
    page = cut.get(SHOE)
    assert button(page) == "Warning card 50 from the end and burnt card: begin the shoe"
    assert "n.º 9, n.º 10" in page.content.decode()
    before = entries()
    answer = cut.post(SHOE, form_on(page))
    assert answer.status_code == 303
    assert entries() == before + 2
    card, burnt = the_event("carta-aviso-placed/1"), the_event("card-burned/1")
    assert (card.shoe, card.cards_from_end, card.players, card.cards_in_shoe) == (1, 50, 3, None)
    assert (burnt.shoe, burnt.cards, burnt.to_discard_corner) == (1, 1, True)
    assert table_state(SHOE_TABLE, clock.now()).stage == "ready"


def test_what_one_of_them_was_told_before_is_not_told_again(cut: Client) -> None:
    card = CartaAvisoPlaced(**game(), shoe=1, cards_from_end=50, players=3)
    write(card, by=PIT, at=ago(20))
    page = cut.get(SHOE)
    assert button(page) == "Record the burnt card: begin the shoe"
    before = entries()
    cut.post(SHOE, form_on(page))
    assert entries() == before + 1


def test_the_burnt_card_was_told_before_the_warning_card(cut: Client) -> None:
    write(CardBurned(**game(), shoe=1, cards=1), by=PIT, at=ago(20))
    page = cut.get(SHOE)
    assert button(page) == "Record the warning card 50 from the end"
    cut.post(SHOE, form_on(page))
    assert len(events_of("card-burned/1")) == 1
    assert the_event("carta-aviso-placed/1").cards_from_end == 50


def test_article_9_for_one_player_alone_it_lies_in_the_middle(pit: Client) -> None:
    shuffled()
    was_cut(1, (5,), 5)
    page = pit.get(SHOE)
    assert button(page).startswith("Warning card 156 from the end")
    assert "One player at the table." in page.content.decode()
    assert pit.post(SHOE, form_on(page)).status_code == 303
    assert the_event("carta-aviso-placed/1").players == 1


@pytest.mark.parametrize(
    ("from_end", "warned"),
    [
        (50, []),
        (55, []),  # five cards off are near enough
        (45, []),
        (56, ["warning_card_near_its_place"]),
        (65, ["warning_card_near_its_place"]),
        (66, ["warning_card_at_its_place"]),
        (156, ["warning_card_at_its_place"]),
        (0, ["warning_card_at_its_place"]),
    ],
)
def test_article_9_another_place_is_warned_of_and_recorded(
    cut: Client, from_end: int, warned: list[str]
) -> None:
    answer = taken(cut, f"{SHOE}?from_end={from_end}&players=3")
    assert (checks_warned(answer) if answer.status_code == 200 else []) == warned
    if warned:
        assert "n.º 9" in answer.content.decode()
        assert events_of("carta-aviso-placed/1") == []
        assert over_it(cut, SHOE, answer, "equipment").status_code == 303
        assert [one.check for one in the_event("carta-aviso-placed/1").despite] == warned
    assert the_event("carta-aviso-placed/1").cards_from_end == from_end


@pytest.mark.parametrize(("burnt", "warned"), [(1, False), (0, True), (2, True)])
def test_article_10_one_card_is_burnt_no_more_and_no_fewer(
    cut: Client, burnt: int, warned: bool
) -> None:
    answer = taken(cut, SHOE, burnt=str(burnt))
    assert (answer.status_code == 200) == warned
    if warned:
        assert checks_warned(answer)
        assert "n.º 10" in answer.content.decode()
        assert over_it(cut, SHOE, answer).status_code == 303
    assert the_event("card-burned/1").cards == burnt


def test_article_8_a_shoe_begun_without_its_cut_is_warned_of_and_recorded(pit: Client) -> None:
    shuffled()
    answer = taken(pit, f"{SHOE}?from_end=50&players=3")
    if answer.status_code == 200:
        assert over_it(pit, SHOE, answer).status_code == 303
    assert the_event("card-burned/1").shoe == 1
    assert found_by_the_law() >= {"8"}


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"from_end": "x"}, "from_end"),
        ({"from_end": "-1"}, "from_end"),
        ({"from_end": "2000"}, "from_end"),
        ({"burnt": "21"}, "burnt"),
        ({"players": "x"}, "players"),
        ({"shoe": ""}, "shoe"),
        ({"shoe": "0"}, "shoe"),
    ],
)
def test_what_is_malformed_is_refused_and_nothing_stored(
    cut: Client, sent: dict[str, str], field: str
) -> None:
    before = entries()
    answer = taken(cut, SHOE, **sent)
    assert answer.status_code == 200
    assert field in errors_on(answer)
    assert entries() == before


def test_what_was_typed_is_still_there(cut: Client) -> None:
    refused = taken(cut, SHOE, burnt="99")
    assert form_on(refused)["burnt"] == "99"


# The last round: article 11


@pytest.mark.parametrize("came_out", ["during_round", "before_round"])
def test_article_11_it_came_out_is_one_tap(pit: Client, came_out: str) -> None:
    prepared()
    before = entries()
    answer = taken(pit, LAST, came_out=came_out)
    assert answer.status_code == 303
    assert entries() == before + 1
    event = the_event("last-round-announced/1")
    assert (event.shoe, event.came_out, event.audible) == (1, came_out, True)
    assert table_state(SHOE_TABLE, clock.now()).stage == "last_round"


def test_article_11_the_round_is_named_where_it_is_on_record(pit: Client) -> None:
    prepared()
    played(1, 1, minutes=2, warning_card_at=2)
    taken(pit, LAST, came_out="during_round")
    event = the_event("last-round-announced/1")
    assert (event.number, event.round is not None) == (1, True)


def test_a_shoe_that_is_ready_leads_from_its_screen_to_the_last_round(pit: Client) -> None:
    prepared()
    assert button(pit.get(SHOE)).startswith("Warning card came out: last round announced aloud")


@pytest.mark.parametrize("sent", [{"came_out": "never"}, {"came_out": ""}, {"shoe": "x"}])
def test_a_last_round_of_no_shoe_or_no_kind_is_refused(pit: Client, sent: dict[str, str]) -> None:
    prepared()
    before = entries()
    values = {"came_out": "during_round", **sent}
    assert taken(pit, LAST, **values).status_code == 200
    assert entries() == before


# A whole evening


def found_by_the_law() -> set[str]:
    """The articles under which the evening's record opens findings."""
    dossier = dossier_of(game()["partida"], as_of=clock.now())
    law = load_law("pt")
    judges = partida_judges()
    return {one.article for judge in judges for one in judge(dossier, law).findings}


def a_whole_evening(client: Client, second_cut: str = "") -> None:
    """Opened, shown, two shoes, each cut, marked, burnt, announced: every tap as it comes."""
    client.post(f"{AT}open/", form_on(client.get(f"{AT}open/")))
    client.post(f"{AT}exhibit/", form_on(client.get(f"{AT}exhibit/?all=1")))
    for plan in ("?seats=1+2+5", second_cut):
        answer = client.post(f"{AT}cut/", form_on(client.get(f"{AT}cut/{plan}")))
        if answer.status_code == 200:
            answer = over_it(client, f"{AT}cut/", answer)
        assert answer.status_code == 303
        assert taken(client, SHOE).status_code == 303
        assert taken(client, LAST, came_out="during_round").status_code == 303


def test_a_lawful_evening_by_the_screens_opens_no_finding() -> None:
    house()
    yesterday()
    a_whole_evening(somebody("fiscal_de_banca"))
    assert found_by_the_law() == set()
    assert [event.seat for event in events_of("cut-made/1")] == [1, 2]


def test_an_evening_with_a_wrong_cut_opens_one_under_article_8_alone() -> None:
    house()
    yesterday()
    a_whole_evening(somebody("fiscal_de_banca"), "?seats=1+2+5&cut=5")
    assert found_by_the_law() == {"8"}
    assert [len(event.despite) for event in events_of("cut-made/1")] == [0, 1]


def test_a_refusal_begins_with_a_capital_where_no_label_stands_before_it() -> None:
    form = forms.Form({})
    assert form.is_valid()
    form.add_error(None, "say how many cards were burnt: this rulebook names no number")
    said = "Say how many cards were burnt: this rulebook names no number"
    assert form_errors(form) == [("", said)]
