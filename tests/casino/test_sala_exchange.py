"""A deck that is not perfect any more leaves the game whole and another comes in, by taps alone.

Law: PT art. 5, with 3, 7, 12 (a table with a shoe) and 51, 53 to 55 (with a shuffler).
"""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from casino import clock
from casino.events.deck_life import DeckReceived, DecksDestroyed, DeckWithdrawn
from casino.events.round.round_played import Times
from casino.events.shufflers import ShufflerOpened
from casino.extensions import partida_judges
from casino.floor.table_state import table_state
from casino.law.rulebook.rulebook_file import load_law
from casino.models import Incident
from casino.queries import dossier_of
from casino.recording import Actor
from tests.casino import sala_forms
from tests.casino.sala_forms import checks_warned, errors_on, form_on, over_it, send
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
    played,
    prepared,
    shuffled,
)
from tests.factories.people import CAST, somebody, write
from tests.factories.recorded import events_of, the_event
from tests.factories.tables import CHEFE, chefe_on_duty
from tests.factories.usual_events import MACHINE
from tests.flat_html import flat
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
GONE, COMES = DECKS[2], "D-0301"
LEFT = tuple(deck for deck in DECKS if deck != GONE)
MANAGER = Actor(CAST["chefia_da_sala"], "chefia_da_sala", "admin")


@recorded_once
def pit() -> Client:
    house()
    chefe_on_duty()
    return somebody("fiscal_de_banca")


def at(screen: str, table: str = SHOE_TABLE, *more: Any) -> str:
    """The address of a screen."""
    return sala_forms.address(screen, table, *more)


def found(table: str = SHOE_TABLE, number: int = 1) -> list[tuple[str, str]]:
    """What the law finds in that game as it stands: check and severity."""
    dossier = dossier_of(game(table, number)["partida"], as_of=clock.now())
    judges = partida_judges()
    listed = [one for judge in judges for one in judge(dossier, load_law("pt")).findings]
    return [(one.check, one.severity) for one in listed]


def dealt(shoe: int, number: int, table: str = SHOE_TABLE) -> None:
    """A round dealt just now."""
    now = clock.now()
    played(shoe, number, table=table, minutes=0, times=Times(stakes_closed=now, first_card=now))


def torn(client: Client, table: str = SHOE_TABLE) -> str:
    """The three taps of a damaged card; its number."""
    url = at("incident", table) + "?category=damaged_card"
    assert send(client, url, reason="rasgada").status_code == 303
    return str(Incident.objects.latest("pk").incident)


def exchanged(client: Client, number: str, table: str = SHOE_TABLE, **values: str) -> Any:
    """The whole deck leaves; which comes in is recorded with it, or not."""
    url = at("incident_exchange", table, number)
    return send(client, url, **({"what": "deck", "deck": GONE} | values))


def shown(client: Client, answer: Any) -> None:
    """The deck that came in is exhibited, where the exchange led to."""
    url = answer["Location"]
    page = client.get(url.replace("deck=", "all=1&deck="))
    assert page.status_code == 200
    assert "Record: 1 deck conform, 52 cards, no joker, in order, in rows, faces up" in flat(page)
    assert client.post(url.partition("?")[0], form_on(page)).status_code == 303


def ready(client: Client) -> None:
    """Shuffle and cut, warning card and burnt card, by their two taps."""
    due = table_state(SHOE_TABLE, clock.now()).next_shoe
    cut = form_on(client.get(at("cut") + "?seats=2+5"))
    assert cut["shoe"] == str(due)
    answer = client.post(at("cut"), cut)
    assert answer.status_code == 303, checks_warned(answer)
    answer = send(client, at("shoe"))
    assert answer.status_code == 303, checks_warned(answer)


# A table with a shoe


@recorded_once
def dealing(pit: Client) -> Client:
    opened()
    prepared()
    played(1, 1, minutes=20)
    return pit


def test_that_a_deck_may_leave_before_another_is_named_is_said_on_the_form(dealing: Client) -> None:
    """PT art. 5."""
    number = torn(dealing)
    form = flat(dealing.get(at("incident_exchange", SHOE_TABLE, number)))
    assert "Without it the exchange is recorded all the same" in form
    assert exchanged(dealing, number).status_code == 303
    assert table_state(SHOE_TABLE, clock.now()).wanting == 1
    assert "Which deck comes in?" in flat(dealing.get(at("exhibit")))


def test_article_5_a_whole_deck_exchanged_by_taps_is_lawful(dealing: Client) -> None:
    number = torn(dealing)
    answer = exchanged(dealing, number, comes_in=COMES)
    assert answer["Location"].startswith(f"{at('exhibit')}?deck={COMES}&")
    state = table_state(SHOE_TABLE, clock.now())
    assert (state.stage, state.gone, state.wanting) == ("over", (GONE,), 1)
    page = flat(dealing.get(at("table")))
    assert "This shoe is over" in page
    assert f"among the cards: {GONE}" in page
    shown(dealing, answer)
    state = table_state(SHOE_TABLE, clock.now())
    assert (state.decks, state.wanting) == ((*LEFT, COMES), 0)
    ready(dealing)
    shuffle = events_of("cards-shuffled/1")[-1]
    assert (shuffle.shoe, tuple(one.deck for one in shuffle.decks)) == (2, (*LEFT, COMES))
    assert (shuffle.cards, shuffle.despite) == (None, ())
    page = flat(dealing.get(at("table")))
    assert "This shoe is over" not in page
    dealt(2, 1)
    assert (
        send(
            dealing, at("incident_close", SHOE_TABLE, number), reason="carta_substituida"
        ).status_code
        == 303
    )
    assert send(dealing, at("order")).status_code == 303
    assert [one.deck for one in events_of("deck-inspected/1") if one.moment == "close"] == [
        *LEFT,
        COMES,
    ]
    assert send(dealing, at("close") + "?confirm=1", attest="all").status_code == 303
    assert found() == []


def test_article_5_a_round_from_the_shoe_it_left_is_found(dealing: Client) -> None:
    exchanged(dealing, torn(dealing), comes_in=COMES)
    dealt(1, 2)
    assert ("withdrawn_deck_not_used", "breach") in found()


def test_article_8_without_a_deck_in_its_place_the_shuffle_is_warned_of(dealing: Client) -> None:
    answer = exchanged(dealing, torn(dealing))
    assert "/exhibit/" not in answer["Location"]
    page = dealing.get(at("cut") + "?seats=2+5")
    assert "none has come in its place" in flat(page)
    assert checks_warned(dealing.post(at("cut"), form_on(page))) == ["shoe_is_shuffled"]


def test_the_deck_that_comes_in_may_be_named_at_the_exhibition(dealing: Client) -> None:
    for deck in (COMES, GONE, "D-0302"):
        received = DeckReceived(deck=deck, maker="Exemplo", back_colour="red", second="S-0190")
        write(received, by=MANAGER, at=ago(600))
    exchanged(dealing, torn(dealing))
    assert table_state(SHOE_TABLE, clock.now()).next_steps[0].name == "exhibit"
    page = dealing.get(at("exhibit"))
    assert page.context["store"] == [COMES, "D-0302"]
    assert f'href="?deck={COMES}"' in flat(page)
    one = dealing.get(f"{at('exhibit')}?deck={COMES}")
    assert [row["deck"] for row in one.context["decks"]] == [COMES]


def test_a_deck_of_the_game_does_not_come_in_for_another(dealing: Client) -> None:
    exchanged(dealing, torn(dealing))
    for deck in (DECKS[0], "no code!", "x" * 41):
        page = dealing.get(at("exhibit"), {"deck": deck})
        assert [row["deck"] for row in page.context["decks"]] == list(LEFT)


def test_an_incidents_page_names_its_deck_and_card(dealing: Client) -> None:
    url = at("incident") + "?category=damaged_card"
    values = {"reason": "rasgada", "deck": GONE, "card": "7S"}
    assert send(dealing, url, **values).status_code == 303
    number = str(Incident.objects.latest("pk").incident)
    page = flat(dealing.get(at("incident_steps", SHOE_TABLE, number)))
    assert f'deck <span class="cited">{GONE}</span> · 7 of spades' in page


def in_the_store(*decks: str) -> None:
    """Somebody received these decks."""
    for deck in decks:
        received = DeckReceived(deck=deck, maker="Exemplo", back_colour="red", second="S-0190")
        write(received, by=MANAGER, at=ago(600))


def test_a_deck_that_comes_in_is_the_stores_whatever_case_it_is_typed_in(dealing: Client) -> None:
    in_the_store(COMES, GONE)
    answer = exchanged(dealing, torn(dealing), comes_in=f" {COMES.lower()} ")
    assert answer["Location"].startswith(f"{at('exhibit')}?deck={COMES}&")
    shown(dealing, answer)
    assert table_state(SHOE_TABLE, clock.now()).decks == (*LEFT, COMES)


@pytest.mark.parametrize("typed", ["D-9999", "d-9999"])
def test_a_deck_nobody_received_comes_in_only_where_it_is_said_to_be_the_one(
    dealing: Client, typed: str
) -> None:
    in_the_store(COMES, GONE)
    number = torn(dealing)
    answer = exchanged(dealing, number, comes_in=typed)
    said = "Nobody received D-9999 into the store: look at the number again."
    assert errors_on(answer)["comes_in"] == said
    assert events_of("deck-withdrawn/1") == []
    answer = dealing.post(
        at("incident_exchange", SHOE_TABLE, number), form_on(answer) | {"sure": "1"}
    )
    assert answer["Location"].startswith(f"{at('exhibit')}?deck=D-9999&sure=1&")
    shown(dealing, answer)
    assert table_state(SHOE_TABLE, clock.now()).decks == (*LEFT, "D-9999")


@pytest.mark.parametrize("typed", ["D-0401", "d-0401"])
def test_article_3_a_deck_in_another_open_game_is_warned_of_at_both_screens(
    dealing: Client, typed: str
) -> None:
    opened(MACHINE_TABLE, decks=("D-0401",))
    number = torn(dealing)
    answer = exchanged(dealing, number, comes_in=typed)
    said = f"Deck D-0401 is in the open game of {MACHINE_TABLE}: look at the number again."
    assert errors_on(answer)["comes_in"] == said
    exchanged(dealing, number)
    page = dealing.get(at("exhibit"), {"deck": typed})
    text = flat(page)
    assert said in text
    assert [row["deck"] for row in page.context["decks"]] == list(LEFT)
    assert 'href="?deck=D-0401&amp;sure=1"' in text
    page = dealing.get(at("exhibit") + "?deck=D-0401&sure=1&all=1")
    assert [row["deck"] for row in page.context["decks"]] == ["D-0401"]
    answer = dealing.post(at("exhibit"), form_on(page))
    assert checks_warned(answer) == ["cards_serve_one_game"]
    assert over_it(dealing, at("exhibit"), answer).status_code == 303


def test_a_deck_nobody_received_is_asked_about_at_the_exhibition(dealing: Client) -> None:
    in_the_store(COMES, GONE)
    exchanged(dealing, torn(dealing))
    page = dealing.get(at("exhibit"), {"deck": "d-9999"})
    assert "Nobody received D-9999 into the store" in flat(page)
    assert [row["deck"] for row in page.context["decks"]] == list(LEFT)
    page = dealing.get(at("exhibit"), {"deck": COMES.lower()})
    assert [row["deck"] for row in page.context["decks"]] == [COMES]


def test_a_card_from_a_deck_nobody_received_is_asked_about(dealing: Client) -> None:
    in_the_store(COMES, GONE)
    number = torn(dealing)
    answer = exchanged(dealing, number, what="card", card="7S", from_deck="d-9999")
    assert "from_deck" in errors_on(answer)
    answer = exchanged(dealing, number, what="card", card="7S", from_deck=COMES.lower())
    if answer.status_code == 200:
        answer = over_it(dealing, at("incident_exchange", SHOE_TABLE, number), answer)
    assert the_event("card-replaced/1").from_deck == COMES


def test_the_deck_that_leaves_is_not_the_one_that_comes(dealing: Client) -> None:
    number = torn(dealing)
    assert "comes_in" in errors_on(exchanged(dealing, number, comes_in=GONE))
    assert "comes_in" in errors_on(exchanged(dealing, number, from_store=GONE))
    assert events_of("deck-withdrawn/1") == []


def test_article_5_a_deck_withdrawn_before_the_first_round_is_shuffled_out(pit: Client) -> None:
    """The same shoe is made ready once more, with the other deck."""
    opened()
    prepared()
    answer = exchanged(pit, torn(pit), comes_in=COMES)
    shown(pit, answer)
    assert table_state(SHOE_TABLE, clock.now()).stage == "over"
    ready(pit)
    dealt(2, 1)
    assert [check for check, severity in found() if severity == "breach"] == []


def test_article_5_a_deck_withdrawn_after_the_shuffle_is_shuffled_out(pit: Client) -> None:
    opened()
    shuffled()
    shown(pit, exchanged(pit, torn(pit), comes_in=COMES))
    state = table_state(SHOE_TABLE, clock.now())
    assert (state.stage, state.next_shoe) == ("begun", 1)
    ready(pit)
    dealt(1, 1)
    assert found() == []


def test_a_deck_that_went_before_the_page_was_sent_shifts_no_other(pit: Client) -> None:
    """Each result is of the deck it was shown beside."""
    opened(shown=False)
    sent = form_on(pit.get(at("exhibit"))) | {"result-5": "conform"}
    write(DeckWithdrawn(**game(), deck=DECKS[0], reason="worn"), by=PIT, at=ago(0))
    assert pit.post(at("exhibit"), sent).status_code == 303
    assert the_event("deck-inspected/1").deck == DECKS[5]


# The next opening


def closes(client: Client) -> None:
    """The table closes, whatever is still missing."""
    url = at("close") + "?confirm=1"
    answer = send(client, url, attest="all")
    if answer.status_code == 200:
        answer = over_it(client, url, answer)
    assert answer.status_code == 303


def after_the_game(client: Client) -> None:
    """A deck left, and the table closed."""
    exchanged(client, torn(client))
    closes(client)


def test_article_5_the_next_opening_leaves_the_withdrawn_deck_out_and_says_so(
    dealing: Client,
) -> None:
    after_the_game(dealing)
    page = dealing.get(at("open"))
    assert [one.partition(":")[0] for one in form_on(page)["decks"].split()] == list(LEFT)
    assert f"it was withdrawn: {GONE}" in flat(page)
    assert checks_warned(dealing.post(at("open"), form_on(page))) == ["number_of_decks_allowed"]


def test_article_5_a_withdrawn_deck_is_warned_of_before_the_opening(dealing: Client) -> None:
    after_the_game(dealing)
    sent = form_on(dealing.get(at("open"))) | {"decks": " ".join(DECKS)}
    answer = dealing.post(at("open"), sent)
    assert checks_warned(answer) == ["withdrawn_deck_not_used"]
    assert over_it(dealing, at("open"), answer).status_code == 303
    exhibit = at("exhibit")
    rows = [row["deck"] for row in dealing.get(exhibit).context["decks"]]
    assert rows == list(LEFT)  # what was withdrawn is not shown as if it were in play
    again = form_on(dealing.get(f"{exhibit}?deck={GONE}&all=1"))
    assert checks_warned(dealing.post(exhibit, again)) == ["withdrawn_deck_not_used"]
    assert found(number=2) == [("withdrawn_deck_not_used", "breach")]


def test_the_deck_that_came_in_is_there_the_next_time(dealing: Client) -> None:
    shown(dealing, exchanged(dealing, torn(dealing), comes_in=COMES))
    closes(dealing)
    page = dealing.get(at("open"))
    codes = [one.partition(":")[0] for one in form_on(page)["decks"].split()]
    assert codes == [*LEFT, COMES]
    assert "it was withdrawn" not in flat(page)
    assert dealing.post(at("open"), form_on(page)).status_code == 303
    assert found(number=2) == []


def test_of_several_a_table_that_lacks_a_deck_is_opened_by_itself(dealing: Client) -> None:
    after_the_game(dealing)
    url = reverse("sala:open_several")
    page = dealing.get(url)
    assert [one["table"] for one in page.context["openings"]] == []
    assert [(at, left.gone) for at, left in page.context["wanting"]] == [(SHOE_TABLE, (GONE,))]
    answer = dealing.post(url, form_on(page) | {"tables": [SHOE_TABLE]})
    assert "tables" in errors_on(answer)


def test_a_destroyed_deck_is_left_out_too(dealing: Client) -> None:
    closes(dealing)
    write(DecksDestroyed(decks=(GONE,), method="shredded", second="S-0021"), by=MANAGER)
    page = dealing.get(at("open"))
    assert GONE not in form_on(page)["decks"]
    assert f"it was withdrawn: {GONE}" in flat(page)


# A table with a shuffler


@recorded_once
def loaded(pit: Client) -> Client:
    opened(MACHINE_TABLE)
    shuffled(table=MACHINE_TABLE)
    answer = send(pit, at("load", MACHINE_TABLE), packets="3")
    assert answer.status_code == 303
    assert send(pit, at("shoe", MACHINE_TABLE)).status_code == 303  # a card is burnt
    assert events_of("carta-aviso-placed/1") == []
    return pit


def lid(number: str) -> None:
    """The fiscal-chefe opens the machine because of it."""
    value: Any = {"shuffler": MACHINE, "reason": "damaged_card", "opened_by": CHEFE}
    value |= {"opened_by_office": "fiscal_chefe", "opened_at": clock.now(), "incident": number}
    write(ShufflerOpened(**game(MACHINE_TABLE), **value), by=PIT, at=clock.now())


def test_articles_5_and_51_a_whole_deck_exchanged_at_a_shuffler_is_lawful(loaded: Client) -> None:
    number = torn(loaded, MACHINE_TABLE)
    lid(number)
    out = at("unload", MACHINE_TABLE) + "?reason=damaged_card"
    assert send(loaded, out, empty="yes", cards="312").status_code == 303
    answer = exchanged(loaded, number, MACHINE_TABLE, comes_in=COMES)
    shown(loaded, answer)
    steps = [step.name for step in table_state(MACHINE_TABLE, clock.now()).next_steps]
    assert steps[0] == "shuffle"
    cut = at("cut", MACHINE_TABLE)
    assert send(loaded, cut).status_code == 303
    assert table_state(MACHINE_TABLE, clock.now()).next_steps[0].name == "load"
    answer = send(loaded, at("load", MACHINE_TABLE), packets="3")
    assert answer.status_code == 200
    assert checks_warned(answer) == ["shuffler_reloaded_after_opening"]  # a note
    assert over_it(loaded, at("load", MACHINE_TABLE), answer).status_code == 303
    assert set(events_of("shuffler-loaded/1")[-1].decks) == {*LEFT, COMES}
    assert send(loaded, at("shoe", MACHINE_TABLE)).status_code == 303
    assert table_state(MACHINE_TABLE, clock.now()).next_steps[0].name == "witness"
    dealt(2, 1, MACHINE_TABLE)
    assert found(MACHINE_TABLE) == [("shuffler_reloaded_after_opening", "note")]


def test_article_5_a_machine_with_a_withdrawn_deck_inside_is_told(loaded: Client) -> None:
    exchanged(loaded, torn(loaded, MACHINE_TABLE), MACHINE_TABLE, comes_in=COMES)
    page = flat(loaded.get(at("table", MACHINE_TABLE)))
    assert "No round before the shuffler has been emptied" in page
    dealt(1, 1, MACHINE_TABLE)
    assert ("withdrawn_deck_not_used", "breach") in found(MACHINE_TABLE)


def test_a_load_with_a_deck_wanting_is_warned_of(pit: Client) -> None:
    """The store withdrew it while the table was getting ready."""
    write(opening(MACHINE_TABLE), by=PIT, at=ago(50))
    shuffled(table=MACHINE_TABLE)
    write(DeckWithdrawn(deck=GONE, reason="worn"), by=MANAGER, at=ago(0))
    url = at("load", MACHINE_TABLE)
    assert "none has come in its place" in flat(pit.get(url))
    assert "loaded_decks_are_the_games" in checks_warned(send(pit, url, packets="3"))


def test_what_is_missing_at_the_closing_breaks_no_decks_number(dealing: Client) -> None:
    page = flat(dealing.get(at("close")))
    assert ", ".join(f'<span class="cited">{deck}</span>' for deck in DECKS) in page
