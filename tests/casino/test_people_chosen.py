"""Where a form asks for a member of staff: chosen from a list or typed, one query a page."""

import re
from typing import Any

import pytest
from django.test import Client

from casino.events.incidents import IncidentReported
from casino.events.staff import DutyBegun, DutyEnded, OfficeEnded, OfficeGranted, StaffRegistered
from casino.models import Account, PrivateValue
from casino.recording import Actor
from casino.web.forms.people_choices import listed, number_of, picked_in
from tests.casino.page_weight import asked
from tests.casino.sala_forms import form_on, send
from tests.factories.floor import MACHINE_TABLE, PIT, ago, game, house, opened
from tests.factories.people import CAST, appoint, somebody, write
from tests.factories.recorded import events_of
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
MANAGER = Actor(CAST["chefia_da_sala"], "chefia_da_sala", "admin")
LOAD = f"/sala/{MACHINE_TABLE}/load/"
ADMIN = Actor(CAST["administrador"], "administrador", "local")


@recorded_once
def pit() -> Client:
    house()
    for number, office, name in (
        ("P-104", "pagador", "Carla Simões"),
        ("P-118", "pagador", "Filipe Azenha"),
        ("P-130", "pagador", None),
        ("SHOE-9", "dispositivo", "Leitor"),
    ):
        write(StaffRegistered(staff=number, name=name), by=ADMIN, at=ago(300))
        granted = OfficeGranted(staff=number, office=office, valid_from=ago(300), granted_by="S-1")
        write(granted, by=ADMIN, at=ago(300))
    on_duty("P-118", "BJ-06")
    opened(MACHINE_TABLE)
    appoint(CAST["fiscal_chefe"], "fiscal_chefe")
    appoint(CAST["inspetor"], "inspetor")
    return somebody("fiscal_de_banca")


def on_duty(number: str, *tables: str, office: Any = "pagador", minutes: int = 60) -> None:
    event = DutyBegun(staff=number, office=office, tables=tables)
    write(event, by=MANAGER, at=ago(minutes))


def list_of(page: Any, name: str) -> list[tuple[str, str, str]]:
    """The list beside a field: group, number, words."""
    [found] = re.findall(
        rf'<select name="{name}-pick".*?</select>', page.content.decode(), re.DOTALL
    )
    groups = re.findall(r'<optgroup label="([^"]*)">(.*?)</optgroup>', found, re.DOTALL)
    options = r'<option value="([^"]*)">([^<]*)</option>'
    return [(label, *one) for label, of in groups for one in re.findall(options, of)]


def test_those_on_duty_in_the_office_come_first_then_its_holders_then_all(pit: Client) -> None:
    found = list_of(pit.get(LOAD), "operator")
    assert found[:3] == [
        ("Dealer, on duty", "P-118", "P-118 · Filipe Azenha · on duty at BJ-06"),
        ("Dealer", "P-104", "P-104 · Carla Simões"),
        ("Dealer", "P-130", "P-130"),
    ]
    assert {label for label, _, _ in found[3:]} == {"Others"}
    numbers = [number for _, number, _ in found]
    assert CAST["fiscal_chefe"] in numbers
    assert "SHOE-9" not in numbers
    assert CAST["inspetor"] not in numbers


def test_whoever_takes_a_step_of_an_incident_is_chosen_from_the_fiscais_chefes_first(
    pit: Client,
) -> None:
    reported = IncidentReported(
        **game(MACHINE_TABLE),
        incident="IN-7",
        category="jam",
        reason="carta_presa",
        people=(),
    )
    write(reported, by=PIT, at=ago(1))
    first = list_of(pit.get(f"/sala/{MACHINE_TABLE}/incident/IN-7/"), "by")[0]
    assert first[0].startswith("Fiscal-chefe")
    assert first[1] == CAST["fiscal_chefe"]


def test_who_left_the_office_or_went_off_duty_is_listed_so(pit: Client) -> None:
    ended = OfficeEnded(staff="P-104", office="pagador", ended_at=ago(10), ended_by="S-1")
    write(ended, by=ADMIN, at=ago(10))
    write(DutyEnded(staff="P-118", office="pagador"), by=MANAGER, at=ago(5))
    found = list_of(pit.get(LOAD), "operator")
    assert ("Dealer", "P-118", "P-118 · Filipe Azenha") in found
    assert "P-104" not in [number for _, number, _ in found]


@pytest.mark.parametrize(
    ("sent", "recorded"),
    [
        ({"operator": "p-118 "}, "P-118"),
        ({"operator": "P-104", "operator-was": "P-104", "operator-pick": "P-118"}, "P-118"),
        ({"operator": "P-118", "operator-was": "P-104", "operator-pick": "P-118"}, "P-118"),
    ],
)
def test_a_number_is_typed_or_chosen_and_told_as_the_house_writes_it(
    pit: Client, sent: dict[str, str], recorded: str
) -> None:
    answer = send(pit, LOAD, packets="3", **sent)
    assert answer.status_code in (200, 303)
    assert number_of(picked_in(sent, "operator")) == recorded


def test_another_number_typed_beside_a_chosen_one_is_refused(pit: Client) -> None:
    two = {"operator": "P-130", "operator-was": "P-104", "operator-pick": "P-118"}
    answer = send(pit, LOAD, packets="3", **two)
    assert "P-130 P-118" in answer.context["errors"][0][1]
    assert events_of("shuffler-loaded/1") == []


def test_a_number_is_written_as_it_is_registered() -> None:
    house()
    write(StaffRegistered(staff="x-7"), by=ADMIN, at=ago(9))
    assert [number_of(one) for one in (" X-7", "x-7", " s-0187 ", "ç", "")] == [
        "x-7",
        "x-7",
        "S-0187",
        "ç",
        "",
    ]


def test_a_number_in_small_letters_lets_its_owner_in(client: Client) -> None:
    house()
    somebody("fiscal_de_banca")
    account = Account.objects.get(staff=CAST["fiscal_de_banca"])
    account.set_password("correct horse battery")
    account.save()
    sent = {"enter-number": f" {account.staff.lower()} ", "enter-secret": "correct horse battery"}
    assert client.post("/sala/enter/", sent).status_code == 302
    wrong = {**sent, "enter-secret": "no"}
    assert client.post("/sala/enter/", wrong).status_code == 403


def test_the_list_costs_one_query_a_page(pit: Client, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(1):
        assert len(listed(ago(0), names=True)) > 3
    few = asked(pit, LOAD)
    for n in range(20):
        number = f"P-5{n:02d}"
        granted = OfficeGranted(
            staff=number, office="pagador", valid_from=ago(30), granted_by="S-1"
        )
        write(granted, by=ADMIN, at=ago(30))
    assert asked(pit, LOAD) <= few


def test_an_erased_name_is_shown_to_nobody(pit: Client) -> None:
    assert form_on(pit.get(LOAD))["operator"] == "P-104"
    PrivateValue.objects.filter(field="name").update(value=None, salt=None)
    words = [said for _, number, said in list_of(pit.get(LOAD), "operator") if number == "P-118"]
    assert words == ["P-118 · on duty at BJ-06"]


def test_duty_is_asked_in_offices_of_people_and_none_ticked_is_the_whole_room() -> None:
    manager = somebody("chefia_da_sala")
    on_duty("S-0021", office="fiscal_chefe")
    write(DutyEnded(staff="S-0021", office="fiscal_chefe"), by=MANAGER, at=ago(1))
    doors = manager.get("/admin/casino/duty/add/").content.decode()
    [door, *_] = re.findall(r'href="([^"]*duty-begun[^"]*)"', doors)
    page = manager.get(f"/admin/casino/duty/add/{door}".replace("//admin", "/admin"))
    page = page.content.decode()
    [offices] = re.findall(r'<select name="office".*?</select>', page, re.DOTALL)
    assert 'value="fiscal_chefe"' in offices
    assert 'value="dispositivo"' not in offices
    listed_there = manager.get("/admin/casino/duty/").content.decode()
    assert listed_there.count("the whole room") == 1  # where he came, not where he went


def test_the_register_shows_names_to_its_readers_and_is_searched_by_them() -> None:
    house()
    for number, name in (("P-104", "Carla Simões"), ("P-118", "Filipe Azenha"), ("P-130", None)):
        write(StaffRegistered(staff=number, name=name), by=ADMIN, at=ago(300))
    manager, url = somebody("chefia_da_sala"), "/admin/casino/staff/"
    assert "Carla Simões" in manager.get(url).content.decode()
    for term in ("simões", "p-104 "):
        page = manager.get(url, {"q": term}).content.decode()
        assert ("Carla Simões" in page, "Filipe Azenha" in page) == (True, False), term
    PrivateValue.objects.filter(value="Carla Simões").update(value=None, salt=None)
    assert "erased" in manager.get(url, {"q": "P-104"}).content.decode()
    assert somebody("fiscal_de_banca").get(url).status_code == 403
