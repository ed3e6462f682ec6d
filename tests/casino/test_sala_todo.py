"""What waits for somebody: one list for each office, and its count on every page."""

import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from casino import clock
from casino.events.complaints import ComplaintDecided, ComplaintReceived
from casino.events.decks import DeckInspected
from casino.events.floor_life import ChipsCounted
from casino.events.incidents import IncidentReported
from casino.events.partidas import PartidaClosed
from casino.events.shoes import PlayInterrupted, PlayResumed
from casino.events.shufflers import ShufflerUnloaded
from casino.events.staff import DutyBegun
from casino.floor.tables.todo_lists import everything
from casino.recording import Actor, Source, Supersedes, record
from tests.casino.sala_forms import address, send
from tests.factories.floor import game, house, opened, yesterday
from tests.factories.people import somebody, write
from tests.factories.recorded import last_entry
from tests.factories.second_persons import confirmation
from tests.factories.tables import (
    CHEFE,
    DECKS,
    MANAGER,
    MINUTE,
    PIT,
    TABLE,
    a_load,
    a_table,
    chefe_on_duty,
)
from tests.factories.withdrawals import withdraw

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
LIST = "/sala/todo/"


def listed(client: Client) -> list[tuple[str, str]]:
    """What the list says to somebody: its kind, and of what."""
    return [(one.what, str(one.of)) for one in client.get(LIST).context["todos"]]


def at(partida: str) -> dict[str, str]:
    return {"table": partida.partition("/")[0], "partida": partida}


def pit_on_duty() -> None:
    begun = DutyBegun(staff=PIT.staff, office="fiscal_de_banca", tables=(TABLE,))
    write(begun, by=MANAGER, at=clock.now() - 180 * MINUTE)


def test_an_empty_house_has_nothing_to_do_and_says_so() -> None:
    page = somebody("chefia_da_sala").get(LIST)
    assert page.context["todos"] == []
    assert "Nothing waits for you." in page.content.decode()


def test_a_load_waits_for_its_witness_until_its_minutes_are_over() -> None:
    """PT art. 54: the fiscal de banca hands the tablet over, the fiscal-chefe confirms."""
    pit_on_duty()
    chefe_on_duty()
    load = a_load(a_table(), ago=3 * MINUTE)
    pit, chefe = somebody("fiscal_de_banca"), somebody("fiscal_chefe")
    for client in (pit, chefe):
        assert listed(client) == [("load_witness", "")]
    (one,) = pit.get(LIST).context["todos"]
    assert one.url == reverse("sala:witness", args=[load.entry_id])
    assert one.article.endswith("54")
    assert one.until is not None
    assert listed(somebody("chefia_da_sala")) == []  # who confirms it is not of that office


def test_two_games_of_one_table_leave_each_their_own() -> None:
    """The night before left decks and chips undone, and so does tonight's closing."""
    house()
    yesterday()
    opened()
    write(PartidaClosed(**game()), by=PIT, at=clock.now() - MINUTE)
    left = [(one.what, one.partida) for one in everything(clock.now()) if one.over]
    nights = game(days_ago=1)["partida"], game()["partida"]
    assert sorted(left) == sorted((what, of) for what in ("ordering", "chips") for of in nights)


def test_what_a_closing_leaves_open_is_named_and_done_afterwards() -> None:
    pit_on_duty()
    chefe_on_duty()
    partida = a_table("shoe")
    pit = somebody("fiscal_de_banca")
    assert listed(pit) == []
    write(PartidaClosed(**at(partida)), by=PIT, at=clock.now() - MINUTE)
    assert [what for what, _ in listed(pit)] == ["ordering", "chips"]
    floor = pit.get(reverse("sala:floor")).content.decode()
    assert "2 to do" in floor
    urls = {one.what: one.url for one in pit.get(LIST).context["todos"]}
    assert "game=" in urls["chips"]
    assert send(pit, urls["ordering"]).status_code == 303
    assert [what for what, _ in listed(pit)] == ["chips"]
    assert send(pit, urls["chips"], **{"chips-500": "40"}).status_code == 303
    assert listed(pit) == []
    assert "to do" not in pit.get(reverse("sala:floor")).content.decode().split("<main")[1]


def test_after_the_closing_the_last_game_is_meant_where_none_is_named() -> None:
    pit_on_duty()
    partida = a_table("shoe")
    write(PartidaClosed(**at(partida)), by=PIT, at=clock.now() - MINUTE)
    pit = somebody("fiscal_de_banca")
    counted = {"chips-500": "40", "cash_cents": "120"}
    assert send(pit, address("chips"), **counted).status_code == 303
    page = pit.get(address("chips")).content.decode()  # and once it is done nothing is asked
    assert "Record the count" not in page
    other = pit.get(address("chips") + "?game=BJ-99/2026-01-01/1")
    assert "No game is open" in other.content.decode()


def test_a_complaint_waits_for_those_who_decide_and_for_nobody_else() -> None:
    pit_on_duty()
    partida = a_table("shoe")
    write(ComplaintReceived(**at(partida), complaint="RC-7", subject="payment"), by=PIT)
    assert listed(somebody("fiscal_de_banca")) == []
    manager = somebody("chefia_da_sala")
    assert listed(manager) == [("complaint", "RC-7")]
    decided = ComplaintDecided(complaint="RC-7", outcome="upheld", reason="other")
    write(decided, by=MANAGER, at=clock.now())
    assert listed(manager) == []


def test_a_correction_waits_for_a_second_person_and_not_for_who_asked() -> None:
    partida = a_table("shoe")
    chefe_on_duty()
    asking = Actor(CHEFE, "fiscal_chefe", "sala")
    stopped: dict[str, Any] = {"reason": "other"}
    first = write(PlayInterrupted(**at(partida), **stopped), by=PIT)
    again = PlayInterrupted(**at(partida), reason="dealer_change")
    corrects(first, again, asking)
    with translation.override("pt-pt"):  # whoever asks first, the next one reads his own language
        everything(clock.now())
    manager = somebody("chefia_da_sala")
    assert ("correction", "play interrupted") in listed(manager)
    text = manager.get(LIST).content.decode()  # no page of the floor decides on a correction
    assert re.search(r'href="/admin/casino/supersession/[^"]+/">Decide in the admin', text)
    assert ("correction", "play interrupted") not in listed(somebody("fiscal_chefe"))


def corrects(first: Any, event: Any, by: Actor) -> None:
    entry = last_entry("play-interrupted/1")
    record(
        event,
        key=uuid4(),
        by=by,
        occurred_at=entry.occurred_at,
        source=Source(),
        supersedes=Supersedes(entry.n, bytes(entry.leaf_hash).hex(), "typing-error"),
    )


def test_an_interrupted_table_and_an_open_incident_are_named() -> None:
    pit_on_duty()
    partida = a_table("shoe")
    write(PlayInterrupted(**at(partida), reason="other"), by=PIT)
    values: dict[str, Any] = {"category": "other", "reason": "x", "people": ()}
    write(IncidentReported(**at(partida), incident="IN-7", **values), by=PIT)
    assert sorted(listed(somebody("fiscal_de_banca"))) == [
        ("incident", "IN-7"),
        ("interrupted", ""),
    ]


def test_a_stop_that_did_not_end_after_all_waits_again() -> None:
    """What is withdrawn counts nowhere: neither that play went on, nor that the cards came out."""
    partida = a_table("shoe")
    stopped = PlayInterrupted(**at(partida), reason="no_players")
    write(stopped, by=PIT, at=clock.now() - 9 * MINUTE)
    resumed = write(PlayResumed(**at(partida)), by=PIT, at=clock.now() - 5 * MINUTE)
    head = somebody("fiscal_chefe")
    assert ("interrupted", "") not in listed(head)
    withdraw(resumed)
    assert ("interrupted", "") in listed(head)


def test_a_machine_that_was_not_emptied_after_all_waits_again() -> None:
    partida = a_table("shuffler")
    chefe_on_duty()
    chefe = Actor(CHEFE, "fiscal_chefe", "sala")
    load = a_load(partida, ago=9 * MINUTE)
    unload = write(
        ShufflerUnloaded(**at(partida), shuffler="CSM-04", decks=DECKS, reason="closing"),
        by=PIT,
        at=clock.now() - 5 * MINUTE,
    )
    for act, kind in ((load, "shuffler-loaded/1"), (unload, "shuffler-unloaded/1")):
        write(confirmation(act, act=kind, **at(partida)), by=chefe, at=clock.now())
    looked: dict[str, Any] = {"cards": 52, "order_complete": True, "faces": "regular"}
    looked |= {"backs": "regular", "result": "conform", "moment": "close"}
    for deck in DECKS:
        write(DeckInspected(**at(partida), deck=deck, **looked), by=PIT)
    write(ChipsCounted(**at(partida), moment="closing", counts=()), by=PIT)
    write(PartidaClosed(**at(partida)), by=PIT, at=clock.now() - 3 * MINUTE)
    pit = somebody("fiscal_de_banca")
    assert "unloading" not in [what for what, _ in listed(pit)]
    withdraw(unload)
    assert "unloading" in [what for what, _ in listed(pit)]


def test_who_works_tonight_without_being_on_duty_is_told_himself() -> None:
    a_table("shoe")
    pit = somebody("fiscal_de_banca")
    assert listed(pit) == [("duty", PIT.staff)]
    assert listed(somebody("chefia_da_sala")) == []
    pit_on_duty()
    assert listed(pit) == []


def test_a_fiscal_is_shown_what_is_his_and_no_other_tables() -> None:
    pit_on_duty()
    partida = a_table("shoe", table="BJ-07")
    write(PartidaClosed(**at(partida)), by=PIT, at=clock.now() - MINUTE)
    stranger = somebody("fiscal_de_banca", "S-0300")
    assert listed(stranger) == []
    assert [what for what, _ in listed(somebody("fiscal_de_banca"))] == ["ordering", "chips"]


def test_a_game_of_another_week_is_left_to_its_findings() -> None:
    partida = a_table("shoe")
    write(PartidaClosed(**at(partida)), by=PIT, at=clock.now() - MINUTE)
    week = clock.now() + timedelta(days=7)
    assert {one.what for one in everything(week)} & {"ordering", "chips"} == set()


def test_with_patience_a_page_asks_nothing_and_who_sent_something_since_sees_it(
    settings: Any, django_assert_max_num_queries: Any
) -> None:
    partida = a_table("shoe")
    manager = somebody("chefia_da_sala")
    with django_assert_max_num_queries(16):
        everything(clock.now())
    with django_assert_max_num_queries(6):  # of one table, as the page after a record asks
        everything(clock.now(), tables=[partida.partition("/")[0]])
    settings.TODO_PATIENCE = 60
    write(ComplaintReceived(**at(partida), complaint="RC-7", subject="payment"), by=PIT)
    assert "<strong>0</strong>" in manager.get("/admin/").content.decode()
    other = somebody("chefia_da_sala", "S-9")
    other.post(reverse("sala:duty"))  # whatever it was: what his tablet shows now was read since
    assert "<strong>1</strong>" in other.get(reverse("sala:floor")).content.decode()


def test_who_sent_something_to_a_table_sees_that_table_as_it_stands(settings: Any) -> None:
    here, there = a_table("shoe"), "BJ-77"
    chefe = somebody("fiscal_chefe", "S-8")
    everything(clock.now())
    settings.TODO_PATIENCE = 60
    write(ComplaintReceived(**at(here), complaint="RC-7", subject="payment"), by=PIT)
    assert "<strong>0</strong>" in chefe.get(reverse("sala:floor")).content.decode()
    chefe.post(reverse("sala:complaint", args=[there]))
    assert "<strong>0</strong>" in chefe.get(reverse("sala:floor")).content.decode()
    chefe.post(reverse("sala:complaint", args=[here.partition("/")[0]]))
    assert "<strong>1</strong>" in chefe.get(reverse("sala:floor")).content.decode()


@pytest.mark.parametrize("office", ["inspetor", "auditor", "administrador"])
def test_who_does_not_work_on_the_floor_has_no_such_list(office: str) -> None:
    client = somebody(office)
    assert client.get(LIST).status_code == 403
    assert 'class="todo' not in client.get("/admin/").content.decode()


def test_the_count_stands_on_pages_of_the_floor_and_of_the_admin(settings: Any) -> None:
    settings.TODO_PATIENCE = 0
    partida = a_table("shoe")
    write(ComplaintReceived(**at(partida), complaint="RC-7", subject="payment"), by=PIT)
    manager = somebody("chefia_da_sala")
    for page in (reverse("sala:floor"), address("table"), "/admin/"):
        text = manager.get(page).content.decode()
        assert 'class="todo some"' in text
        assert "<strong>1</strong>" in text
