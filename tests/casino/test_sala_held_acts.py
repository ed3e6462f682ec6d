"""Anular of what takes a number of a register, a deck of the house, a table or a duty.

Whoever is asked for the next number, names the same deck or rests on the duty writes first what is
held: a number is given once, and one that was taken back is free again. Nobody waits here.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from casino import clock, holding
from casino.events.deck_life import DeckReceived
from casino.events.incidents import IncidentReported
from casino.events.shufflers import ShufflerLoaded
from casino.events.staff import DutyBegun
from casino.floor.game_view import last_game_view
from casino.floor.opening.deck_store import decks_in_use, in_store
from casino.floor.table_state import table_state
from casino.house_day import gaming_day_now
from casino.models import Complaint, HeldRecord, Incident
from casino.recording import Actor
from tests.casino.sala_forms import checks_warned, errors_on, fill, form_on, over_it, send
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
from tests.factories.people import CAST, appoint, somebody, write
from tests.factories.recorded import entries, events_of, the_event
from tests.factories.usual_events import MACHINE
from tests.flat_html import flat
from tests.jobs_inline import do_jobs
from tests.stages import recorded_once

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("english", "five_seconds"),
    pytest.mark.share,
]
OTHER = "BJ-03"
TABLE, FLOOR, DUTY = f"/sala/{SHOE_TABLE}/", "/sala/", "/sala/duty/"
OPEN, EXHIBIT = f"{TABLE}open/", f"{TABLE}exhibit/"
INCIDENT = f"{TABLE}incident/?category=damaged_card"
YEAR = gaming_day_now().year
TORN = {"reason": "rasgada", "deck": DECKS[2]}
MANAGER = Actor(CAST["chefia_da_sala"], "chefia_da_sala", "admin")


@pytest.fixture
def five_seconds(settings: Any, db: None) -> None:
    """As in the product."""
    settings.SALA_HOLD_SECONDS = 5


@recorded_once
def clients() -> dict[str, Client]:
    """One of each office; two tables were open the day before."""
    house()
    register(OTHER)
    appoint("S-0190", "fiscal_de_banca")
    yesterday()
    found = {one: somebody(one) for one in ("fiscal_de_banca", "fiscal_chefe", "chefia_da_sala")}
    return found | {"other": somebody("fiscal_de_banca", "S-0190")}


@dataclass(frozen=True)
class Sent:
    """An act: its screen, what is tapped there, what it records, who sends it."""

    url: str
    kind: str
    tapped: dict[str, str]
    office: str = "fiscal_de_banca"
    before: Callable[[], None] = opened
    back: str = f"{TABLE}take-back/"


def torn_card(table: str = SHOE_TABLE, number: str = "IN-7") -> None:
    """A card was torn a while ago."""
    opened(table, decks=DECKS if table == SHOE_TABLE else ("D-0401",))
    reported = IncidentReported(
        **game(table),
        incident=number,
        category="damaged_card",
        reason="rasgada",
        people=(),
        deck=DECKS[2],
        noticed_at=ago(3),
    )
    write(reported, by=PIT, at=ago(3))


def loaded() -> None:
    """The other table is open, its cards are in the machine."""
    opened(MACHINE_TABLE)
    decks = {"decks": DECKS, "packets": 3}
    write(ShufflerLoaded(**game(MACHINE_TABLE), shuffler=MACHINE, **decks), by=PIT, at=ago(20))


def nothing() -> None:
    """As the day before left it."""


ACTS = {
    "an opening": Sent(OPEN, "partida-opened/1", {}, before=nothing),
    "an incident": Sent(INCIDENT, "incident-reported/1", TORN),
    "a complaint": Sent(f"{TABLE}complaint/", "complaint-received/1", {"subject": "other"}),
    "a notice": Sent(
        f"{TABLE}incident/IN-7/notice/",
        "notice-sent/1",
        {"means": "telephone", "reference": "14:02, I-0001"},
        "fiscal_chefe",
        torn_card,
    ),
    "a card exchanged": Sent(
        f"{TABLE}incident/IN-7/exchange/",
        "card-replaced/1",
        {"what": "card", "deck": DECKS[2], "card": "7S"},
        before=torn_card,
    ),
    "a deck exchanged": Sent(
        f"{TABLE}incident/IN-7/exchange/",
        "deck-withdrawn/1",
        {"what": "deck", "deck": DECKS[2]},
        before=torn_card,
    ),
    "an unloading": Sent(
        f"/sala/{MACHINE_TABLE}/unload/?reason=jam",
        "shuffler-unloaded/1",
        {"reason": "jam", "empty": "yes"},
        before=loaded,
        back=f"/sala/{MACHINE_TABLE}/take-back/",
    ),
    "a hand-over": Sent(f"{TABLE}hand-over/", "table-handed-over/1", {"tapped": "S-0190"}),
    "going on duty": Sent(
        DUTY,
        "duty-begun/1",
        {"do": "begin", "one": SHOE_TABLE},
        before=nothing,
        back="/sala/take-back/",
    ),
    "going off duty": Sent(
        DUTY, "duty-ended/1", {"do": "end"}, before=nothing, back="/sala/take-back/"
    ),
}
EACH = pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)


def act_sent(client: Client, act: Sent) -> Any:
    """Sent, over its warnings where it has any."""
    answer = send(client, act.url, **act.tapped)
    if answer.status_code == 200 and checks_warned(answer):
        answer = over_it(client, act.url, answer)
    assert answer.status_code == 303, errors_on(answer)
    return answer


def held() -> list[HeldRecord]:
    """What is held, the oldest first."""
    return list(HeldRecord.objects.order_by("made_at"))


def five_seconds_later() -> None:
    """The time of all that is held is over."""
    HeldRecord.objects.update(due_at=clock.now())


def recorded(kind: str) -> int:
    """How many of a kind the book has that tell of these tests' own acts."""
    return len(events_of(kind))


# Each of them


@EACH
def test_it_is_held_and_the_page_that_follows_says_so(
    clients: dict[str, Client], act: Sent
) -> None:
    act.before()
    client, before = clients[act.office], entries()
    answer = act_sent(client, act)
    assert entries() == before
    [row] = held()
    assert [event.kind for event in holding.events_of(row)] == [act.kind]
    page = client.get(answer["Location"])
    assert page.status_code == 200
    text = flat(page)
    assert "Being recorded…" in text
    assert f'action="{act.back}"' in text
    assert "Recorded at" not in text
    assert (entries(), len(held())) == (before, 1)


@EACH
def test_taken_back_the_book_has_nothing_of_it(clients: dict[str, Client], act: Sent) -> None:
    act.before()
    client, before = clients[act.office], entries()
    act_sent(client, act)
    [row] = held()
    answer = client.post(act.back, {"key": str(row.key)})
    assert "undone=1" in answer["Location"]
    page = flat(client.get(answer["Location"]))
    assert "Taken back: nothing was recorded." in page
    do_jobs(clock.now() + timedelta(minutes=1), topic=holding.TOPIC)
    assert (held(), entries()) == ([], before)


@EACH
def test_the_five_seconds_write_it_once(clients: dict[str, Client], act: Sent) -> None:
    act.before()
    client, before = clients[act.office], recorded(act.kind)
    onward = act_sent(client, act)["Location"]
    five_seconds_later()
    for _ in range(2):
        assert "Being recorded" not in flat(client.get(onward))
    do_jobs(clock.now() + timedelta(minutes=1), topic=holding.TOPIC)
    assert (held(), recorded(act.kind)) == ([], before + 1)


@EACH
def test_the_same_form_sent_twice_records_once_held_or_written(
    clients: dict[str, Client], act: Sent
) -> None:
    act.before()
    client, before = clients[act.office], recorded(act.kind)
    form = fill(client, act.url, **act.tapped)
    answer = client.post(act.url, form)
    if answer.status_code == 200:
        form = form_on(answer) | {"despite-all": "it-happened-so"}
        answer = client.post(act.url, form)
    again = client.post(act.url, form)
    assert (again.status_code, again["Location"]) == (303, answer["Location"])
    assert (len(held()), recorded(act.kind)) == (1, before)
    five_seconds_later()
    client.get(FLOOR)
    late = client.post(act.url, form)
    assert late.status_code in (303, 403)  # a table that was handed over is not his any more
    assert (held(), recorded(act.kind)) == ([], before + 1)


@EACH
def test_another_person_cannot_take_it_back(clients: dict[str, Client], act: Sent) -> None:
    act.before()
    act_sent(clients[act.office], act)
    [row] = held()
    another = clients["chefia_da_sala"]
    another.post(act.back, {"key": str(row.key)})
    assert [one.key for one in held()] == [row.key]
    assert f'action="{act.back}"' not in flat(another.get(FLOOR))


# An opening


def test_decks_are_exhibited_while_the_opening_is_held_and_the_book_has_it_first(
    clients: dict[str, Client],
) -> None:
    pit = clients["fiscal_de_banca"]
    page = pit.get(act_sent(pit, ACTS["an opening"])["Location"])
    assert [row["deck"] for row in page.context["decks"]] == list(DECKS)
    state = table_state(SHOE_TABLE, clock.now())
    assert (state.partida, state.unshown) == (game()["partida"], DECKS)
    before = recorded("partida-opened/1")
    shown = pit.post(EXHIBIT, fill(pit, f"{EXHIBIT}?all=1"))
    assert shown.status_code == 303
    assert recorded("partida-opened/1") == before + 1
    [row] = held()
    assert {event.kind for event in holding.events_of(row)} == {"deck-inspected/1"}
    game_view = last_game_view(SHOE_TABLE, clock.now())
    assert game_view is not None
    assert game_view.dossier.entries[0].event.kind == "partida-opened/1"
    assert len(game_view.evening.exhibitions) == len(DECKS)


def test_his_table_is_open_to_him_on_the_floor_while_it_is_held(
    clients: dict[str, Client],
) -> None:
    pit = clients["fiscal_de_banca"]
    act_sent(pit, ACTS["an opening"])
    page = pit.get(FLOOR)
    assert f"{SHOE_TABLE} · " in flat(page)  # of which table it is
    [tile] = [one for one in page.context["quiet"] if one.state.table == SHOE_TABLE]
    assert tile.url == TABLE
    assert pit.get(TABLE).status_code == 200


def test_taken_back_the_decks_are_not_exhibited_and_the_table_is_to_be_opened(
    clients: dict[str, Client],
) -> None:
    pit = clients["fiscal_de_banca"]
    act_sent(pit, ACTS["an opening"])
    shown = fill(pit, f"{EXHIBIT}?all=1")
    pit.post(ACTS["an opening"].back, {"key": str(held()[0].key)})
    before = entries()
    assert pit.post(EXHIBIT, shown).status_code == 409
    assert entries() == before
    assert "Open the table" in flat(pit.get(TABLE))


@pytest.mark.parametrize("asked_before", [True, False], ids=["a form filled in", "a page"])
def test_another_opening_of_the_same_table_writes_the_first_and_is_none(
    clients: dict[str, Client], asked_before: bool
) -> None:
    pit, head = clients["fiscal_de_banca"], clients["chefia_da_sala"]
    form = fill(head, OPEN) if asked_before else {}
    before = recorded("partida-opened/1")
    act_sent(pit, ACTS["an opening"])
    if not asked_before:
        assert head.get(OPEN)["Location"] == TABLE
        assert len(held()) == 1
        return
    answer = head.post(OPEN, form)
    assert answer.status_code == 409
    assert "is open already" in flat(answer)
    assert (held(), recorded("partida-opened/1")) == ([], before + 1)


def test_several_tables_are_not_opened_over_one_that_is_held(clients: dict[str, Client]) -> None:
    pit, head = clients["fiscal_de_banca"], clients["chefia_da_sala"]
    form = fill(head, "/sala/open/", tables=[SHOE_TABLE])
    before = recorded("partida-opened/1")
    act_sent(pit, ACTS["an opening"])
    answer = head.post("/sala/open/", form)
    assert "is open already" in " ".join(errors_on(answer).values())
    assert (held(), recorded("partida-opened/1")) == ([], before + 1)


def test_the_decks_of_a_held_opening_are_offered_nowhere_and_another_game_of_them_is_warned_of(
    clients: dict[str, Client],
) -> None:
    pit, head = clients["fiscal_de_banca"], clients["chefia_da_sala"]
    url = f"/sala/{MACHINE_TABLE}/open/"
    for deck in DECKS:
        received = DeckReceived(deck=deck, maker="a", back_colour="red")
        write(received, by=MANAGER, at=clock.now() - timedelta(days=3))
    assert set(DECKS) <= set(in_store())
    same = {"minimum": "10", "maximum": "300", "dealing": "shuffler", "shuffler": MACHINE}
    form = fill(head, url, decks=" ".join(DECKS), fiscal_de_banca="S-0190", **same)
    act_sent(pit, ACTS["an opening"])
    assert decks_in_use() == dict.fromkeys(DECKS, SHOE_TABLE)
    assert not set(DECKS) & set(in_store())
    assert len(held()) == 1  # whoever is offered decks writes nothing
    answer = head.post(url, form)
    assert held() == []
    assert "cards_serve_one_game" in checks_warned(answer)


# Numbers of a register


def numbered(name: str) -> tuple[Sent, str]:
    """An act that takes a number, and the field it stands in."""
    return ACTS[name], {"an incident": "incident", "a complaint": "complaint"}[name]


NUMBERED = pytest.mark.parametrize("name", ["an incident", "a complaint"])


@NUMBERED
def test_a_second_tablet_writes_the_first_and_is_given_the_next_number(
    clients: dict[str, Client], name: str
) -> None:
    act, field = numbered(name)
    opened()
    opened(OTHER, decks=("D-0401",))
    act_sent(clients["fiscal_de_banca"], act)
    elsewhere = send(clients["fiscal_chefe"], act.url.replace(SHOE_TABLE, OTHER), **act.tapped)
    assert elsewhere.status_code == 303, errors_on(elsewhere)
    first = the_event(act.kind)
    [row] = held()
    [second] = holding.events_of(row)
    assert [first.table, second.table] == [SHOE_TABLE, OTHER]
    number = getattr(first, field)
    assert number.endswith("-0001")
    assert getattr(second, field) == number.replace("-0001", "-0002")


@pytest.mark.parametrize("typed", ["", f"CM-{YEAR}-0001"], ids=["shown", "typed"])
def test_a_notice_whose_form_was_shown_before_has_the_number_after_what_is_held(
    clients: dict[str, Client], typed: str
) -> None:
    act = ACTS["a notice"]
    torn_card()
    torn_card(OTHER, "IN-8")
    url = act.url.replace(SHOE_TABLE, OTHER).replace("IN-7", "IN-8")
    manager = clients["chefia_da_sala"]
    form = fill(manager, url, **act.tapped) | ({"notice": typed, "given": ""} if typed else {})
    act_sent(clients["fiscal_chefe"], act)
    answer = manager.post(url, form)
    assert the_event("notice-sent/1").notice == f"CM-{YEAR}-0001"
    if typed:
        assert "another notice has it" in errors_on(answer)["notice"]
        assert held() == []
        return
    assert answer.status_code == 303, errors_on(answer)
    assert [event.notice for row in held() for event in holding.events_of(row)] == [
        f"CM-{YEAR}-0002"
    ]


@NUMBERED
def test_taken_back_the_number_is_free_again(clients: dict[str, Client], name: str) -> None:
    act, field = numbered(name)
    opened()
    pit = clients["fiscal_de_banca"]
    numbers = []
    for _ in range(2):
        act_sent(pit, act)
        [row] = held()
        numbers += [getattr(event, field) for event in holding.events_of(row)]
        pit.post(act.back, {"key": str(row.key)})
    assert numbers[0] == numbers[1]


@pytest.mark.parametrize(
    ("name", "projection"), [("an incident", "incident"), ("a complaint", "complaint")]
)
def test_the_admins_form_proposes_the_number_after_what_is_held(
    clients: dict[str, Client], name: str, projection: str
) -> None:
    act, field = numbered(name)
    opened()
    act_sent(clients["fiscal_de_banca"], act)
    page = clients["fiscal_chefe"].get(reverse(f"admin:casino_{projection}_add"))
    assert held() == []
    assert page.context["form"][field].value().endswith("-0002")


def test_an_incident_goes_on_step_by_step_while_it_is_held(clients: dict[str, Client]) -> None:
    pit = clients["fiscal_de_banca"]
    opened()
    steps = act_sent(pit, ACTS["an incident"])["Location"].partition("?")[0]
    assert send(pit, steps, step="called").status_code == 303
    assert recorded("incident-reported/1") == 1
    assert Incident.objects.get().incident == the_event("incident-reported/1").incident
    [row] = held()
    assert [event.kind for event in holding.events_of(row)] == ["incident-step/1"]


def test_a_step_that_is_taken_back_leads_to_its_incident_again(clients: dict[str, Client]) -> None:
    pit = clients["fiscal_de_banca"]
    torn_card()
    page = f"{TABLE}incident/IN-7/"
    send(pit, page, step="called")
    [row] = held()
    answer = pit.post(f"{TABLE}take-back/", {"key": str(row.key)})
    assert answer["Location"] == f"{page}?undone=1"
    assert "Taken back: nothing was recorded." in flat(pit.get(answer["Location"]))
    send(pit, page, step="called")
    [row] = held()
    five_seconds_later()
    answer = pit.post(f"{TABLE}take-back/", {"key": str(row.key)})  # now it is too late
    assert answer["Location"] == f"{page}?recorded={row.key}&again=1&late=1"
    assert "It can no longer be taken back" in flat(pit.get(answer["Location"]))


def test_an_incident_that_is_taken_back_has_no_page_to_lead_to(clients: dict[str, Client]) -> None:
    pit = clients["fiscal_de_banca"]
    opened()
    act_sent(pit, ACTS["an incident"])
    [row] = held()
    assert pit.post(f"{TABLE}take-back/", {"key": str(row.key)})["Location"] == f"{TABLE}?undone=1"


def test_whoever_opens_a_complaints_page_has_it_written(clients: dict[str, Client]) -> None:
    pit = clients["fiscal_de_banca"]
    opened()
    table = pit.get(act_sent(pit, ACTS["a complaint"])["Location"])
    [number] = table.context["state"].complaints
    assert len(held()) == 1
    assert pit.get(f"{TABLE}complaint/RC-0/").status_code == 404  # nobody's number writes nothing
    assert len(held()) == 1
    assert pit.get(f"{TABLE}complaint/{number}/").status_code == 200
    assert (held(), Complaint.objects.get().complaint) == ([], number)


@pytest.mark.parametrize("name", ["an incident", "a complaint"])
def test_typed_words_are_a_private_value_and_lie_in_one_table_only(
    clients: dict[str, Client], name: str
) -> None:
    """Whoever typed them did not slip; what is held lies in the backup that everybody may have."""
    act, _ = numbered(name)
    opened()
    answer = send(clients["fiscal_de_banca"], act.url, **act.tapped, text="Says he was not paid.")
    assert answer.status_code == 303
    assert (held(), recorded(act.kind)) == ([], 1)


# A deck that leaves


def test_a_deck_that_leaves_lies_in_no_store_and_in_no_game(clients: dict[str, Client]) -> None:
    torn_card()
    received = DeckReceived(deck=DECKS[2], maker="a", back_colour="red")
    write(received, by=MANAGER, at=clock.now() - timedelta(days=3))
    act_sent(clients["fiscal_de_banca"], ACTS["a deck exchanged"])
    assert DECKS[2] not in decks_in_use()
    assert in_store() == []


# Tables and duties


def test_whoever_a_table_is_handed_over_to_has_it_written(clients: dict[str, Client]) -> None:
    opened()
    other = clients["other"]
    assert other.get(TABLE).status_code == 403
    act_sent(clients["fiscal_de_banca"], ACTS["a hand-over"])
    assert other.get(TABLE).status_code == 200
    assert (held(), recorded("table-handed-over/1")) == ([], 1)
    assert clients["fiscal_de_banca"].get(TABLE).status_code == 403


def test_on_duty_he_records_at_once_and_his_duty_stands_before_it(
    clients: dict[str, Client],
) -> None:
    opened()
    other = clients["other"]
    act_sent(other, ACTS["going on duty"])
    assert other.get(TABLE).status_code == 200
    assert other.get(DUTY).context["since"]["tables"] == (SHOE_TABLE,)
    assert len(held()) == 1
    assert send(other, f"{TABLE}complaint/", subject="other").status_code == 303
    assert recorded("duty-begun/1") == 1
    assert [row.table_code for row in held()] == [SHOE_TABLE]


def test_a_duty_that_ends_is_over_for_him_at_once(clients: dict[str, Client]) -> None:
    opened()
    begun = DutyBegun(staff="S-0190", office="fiscal_de_banca", tables=(SHOE_TABLE,))
    write(begun, by=Actor("S-0190", "fiscal_de_banca", "sala"), at=ago(30))
    other = clients["other"]
    assert other.get(TABLE).status_code == 200
    act_sent(other, ACTS["going off duty"])
    assert other.get(TABLE).status_code == 403


@pytest.mark.parametrize(
    ("table", "left"), [(SHOE_TABLE, 0), (OTHER, 1)], ids=["his table", "another's"]
)
def test_what_is_done_at_his_table_writes_it_and_elsewhere_does_not(
    clients: dict[str, Client], table: str, left: int
) -> None:
    opened()
    opened(OTHER, decks=("D-0401",))
    act_sent(clients["other"], ACTS["going on duty"])
    send(clients["fiscal_chefe"], f"/sala/{table}/complaint/", subject="other")
    assert sum(row.table_code == holding.NO_TABLE for row in held()) == left
    assert recorded("duty-begun/1") == 1 - left


# What is written at once


def test_a_load_leads_on_to_its_witness_and_is_written_at_once(clients: dict[str, Client]) -> None:
    opened(MACHINE_TABLE)
    url = f"/sala/{MACHINE_TABLE}/load/"
    answer = send(clients["fiscal_de_banca"], url, packets="3")
    if answer.status_code == 200:
        answer = over_it(clients["fiscal_de_banca"], url, answer)
    assert "/witness/" in answer["Location"]
    assert (held(), recorded("shuffler-loaded/1")) == ([], 1)


def test_several_tables_opened_with_one_tap_are_written_at_once(
    clients: dict[str, Client],
) -> None:
    before = recorded("partida-opened/1")
    answer = send(clients["chefia_da_sala"], "/sala/open/", tables=[SHOE_TABLE])
    assert answer.status_code == 303
    assert (held(), recorded("partida-opened/1")) == ([], before + 1)


def test_an_act_elsewhere_writes_what_names_the_same_deck_and_nothing_else(
    clients: dict[str, Client],
) -> None:
    act_sent(clients["fiscal_de_banca"], ACTS["an opening"])
    others = {"pagador": "P-118", "fiscal_de_banca": "S-0190"}
    for decks, left in (("D-0999",), 1), (("D-0999", DECKS[0]), 0):
        holding.settle_for([replace(opening(OTHER, decks=decks), **others)], "S-0777")
        assert len(held()) == left
