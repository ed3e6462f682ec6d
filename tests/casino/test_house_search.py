"""One box for the whole house: parts of words, in any case, and nothing its reader may not read."""

from dataclasses import replace
from typing import Final

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from casino.admin.search import found_groups
from casino.events.staff import StaffRegistered
from casino.models import Account, BookEntry, PrivateLook
from tests.casino.admin_projections import by_anybody
from tests.factories.events.every import FULL
from tests.factories.people import appoint, somebody, write
from tests.factories.records import EVENING
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.share]
NAME: Final = "Inês Abrantes"
QUESTIONS: Final = 25


@recorded_once
def recorded() -> None:
    """A game with an incident and a complaint, a deck, a machine, people; written by S-0600."""
    for kind in (
        *("table-registered/1", "shuffler-registered/1", "deck-received/1", "partida-opened/1"),
        *("incident-reported/1", "complaint-received/1"),
    ):
        write(FULL[kind], by=by_anybody(kind), at=EVENING)
    jam = replace(FULL["incident-reported/1"], incident="IN-0320", category="jam")
    write(jam, by=by_anybody(jam.kind), at=EVENING)
    write(StaffRegistered(staff="S-0777", name=NAME))
    appoint("S-0777", "fiscal_chefe")


def found(client: Client, text: str) -> dict[str, list[str]]:
    """What is found, by group, in English; everything, where one thing alone is called so."""
    answer = client.get("/admin/search/", {"q": text, "all": 1})
    assert answer.status_code == 200, text
    groups = answer.context["groups"]
    return {str(group.title): [hit.name for hit in group.hits] for group in groups}


@pytest.mark.usefixtures("recorded")
@pytest.mark.parametrize(
    ("asked", "group", "name"),
    [
        ("in-0320", "Incidents", "IN-0320"),
        ("0320", "Incidents", "IN-0320"),
        ("jam", "Incidents", "IN-0320"),
        ("abrantes ines", "Staff numbers", "S-0777"),
        ("INÊS", "Staff numbers", "S-0777"),
        ("s-07", "Staff numbers", "S-0777"),
        ("S0777", "Staff numbers", "S-0777"),
        ("in0320", "Incidents", "IN-0320"),
        ("IN0321", "Incidents", ""),
        ("regulat", "Pages", "Regulation"),
    ],
)
def test_parts_of_words_are_found_in_any_case(asked: str, group: str, name: str) -> None:
    names = found(somebody("inspetor"), asked).get(group, [])
    assert name in names if name else names == []


@pytest.mark.usefixtures("recorded")
def test_every_kind_of_thing_is_found_by_a_part_of_its_name() -> None:
    client = somebody("inspetor")
    for kind, field in (
        ("table-registered/1", "table"),
        ("partida-opened/1", "partida"),
        ("shuffler-registered/1", "shuffler"),
        ("deck-received/1", "deck"),
        ("complaint-received/1", "complaint"),
    ):
        name: str = getattr(FULL[kind], field)
        groups = found(client, name[1:].lower())
        assert any(name in names for names in groups.values()), (kind, name, groups)


@pytest.mark.usefixtures("recorded")
def test_a_person_who_is_asked_for_stands_first_and_what_he_recorded_says_so() -> None:
    client = somebody("inspetor")
    assert next(iter(found(client, "abrantes ines"))) == "Staff numbers"
    write(StaffRegistered(staff="S-0600", name="Rui Prazeres"))
    answer = client.get("/admin/search/", {"q": "s-0600", "all": 1})
    beside = [hit.beside for one in answer.context["groups"] for hit in one.hits]
    assert any("recorded by S-0600" in "".join(each) for each in beside)
    jam = client.get("/admin/search/", {"q": "0320", "all": 1})
    assert "recorded by" not in jam.content.decode()


@pytest.mark.usefixtures("recorded")
def test_a_number_leads_straight_to_its_page_and_back_to_everything() -> None:
    client = somebody("inspetor")
    assert client.get("/admin/search/", {"q": "IN0320"}).status_code == 302
    answer = client.get("/admin/search/", {"q": " in-0320 "})
    incident = BookEntry.objects.filter(kind="incident-reported/1").order_by("-n").first()
    assert incident is not None
    assert answer["Location"] == f"/admin/casino/incident/{incident.pk}/"
    assert "/admin/search/?q=in-0320&amp;all=1" in client.get(answer["Location"]).text
    stream = incident.stream.name.partition("/")[2]
    for spelled in (stream.lower(), stream.replace("-", "")):
        to_entry = client.get("/admin/search/", {"q": f"{spelled} {incident.n}"})
        assert to_entry["Location"] == answer["Location"]
    by_id = client.get("/admin/search/", {"q": str(incident.pk)})
    assert by_id["Location"] == answer["Location"]


@pytest.mark.usefixtures("recorded")
def test_each_office_finds_what_it_may_read_and_nothing_else() -> None:
    fiscal = somebody("fiscal_de_banca")  # of no game, and on duty nowhere
    assert "Incidents" not in found(fiscal, "0320")
    assert found(fiscal, "abrantes")["People"] == [f"S-0777 · {NAME}"]
    assert found(somebody("administrador"), "0320").keys() <= {"Pages"}
    entry = BookEntry.objects.get(kind="complaint-received/1")
    place = f"{entry.stream.name} {entry.n}"
    assert "Entries" not in found(fiscal, place)
    assert found(somebody("fiscal_chefe"), place)["Entries"]
    nobody = Client(headers={"accept-language": "en"})
    nobody.force_login(Account.objects.create_user("S-0900", language="en"))
    for text in ("0320", "abrantes", "S-0777", place, entry.partida_id, "BJ"):
        assert found(nobody, text).keys() <= {"Pages"}, text


@pytest.mark.usefixtures("recorded")
def test_private_values_are_not_searched_and_names_that_are_shown_are_noted() -> None:
    client = somebody("inspetor")
    assert found(client, FULL["complaint-received/1"].text) == {}
    before = PrivateLook.objects.count()
    assert found(client, "no such name") == {}
    assert PrivateLook.objects.count() == before
    found(client, "abrantes")
    look = PrivateLook.objects.latest("at")
    assert (look.field, look.page) == ("name", "/admin/search/")


@pytest.mark.usefixtures("recorded")
@pytest.mark.parametrize(
    "text",
    [
        "%%",
        "__",
        "\0\0",
        "zq\0qz",
        "' OR 1=1 --",
        "\\\\",
        "x" * 10_000,
        "9" * 60,
        "é" * 90,
        "a b " * 25,
    ],
)
def test_no_text_is_a_fault_or_finds_everything(text: str) -> None:
    assert found(somebody("inspetor"), text).keys() <= {"Pages"}


@pytest.mark.usefixtures("recorded")
def test_one_character_finds_nothing_and_says_so() -> None:
    answer = somebody("inspetor").get("/admin/search/", {"q": "B"})
    assert "Write at least 2 characters." in answer.text
    assert answer.context["groups"] == []
    assert found(somebody("auditor"), "BJ") != {}


@pytest.mark.usefixtures("recorded")
def test_more_than_fits_leads_to_the_list_that_holds_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(found_groups, "MOST", 1)
    client = somebody("inspetor")
    answer = client.get("/admin/search/", {"q": "IN-", "all": 1})
    groups = {str(group.title): group for group in answer.context["groups"]}
    assert groups["Incidents"].all_url == "/admin/casino/incident/?q=IN-"
    assert len(client.get(groups["Incidents"].all_url).context["cl"].result_list) > 1


@pytest.mark.usefixtures("recorded")
def test_a_search_asks_a_bounded_number_of_questions() -> None:
    client = somebody("inspetor")
    found(client, "BJ-01")
    with CaptureQueriesContext(connection) as asked:
        found(client, "BJ-01")
    assert len(asked) <= QUESTIONS, [one["sql"] for one in asked]


@pytest.mark.usefixtures("recorded")
def test_a_question_that_takes_too_long_is_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*_: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL statement_timeout = 1")
            cursor.execute("SELECT pg_sleep(9)")

    monkeypatch.setattr(found_groups, "in_lists", slow)
    answer = somebody("inspetor").get("/admin/search/", {"q": "BJ"})
    assert "This took too long." in answer.text


@pytest.mark.usefixtures("recorded")
@pytest.mark.parametrize(
    ("address", "asked"),
    [
        ("/admin/casino/incident/", "0320"),
        ("/admin/casino/incident/", "JAM in-03"),
        ("/admin/casino/partida/", "bj-"),
        ("/admin/casino/partida/", "s-01"),
        ("/admin/casino/staff/", "abrantes"),
        ("/admin/casino/staff/", "s0777"),
        ("/admin/casino/deckreceipt/", "d-"),
    ],
)
def test_a_list_is_searched_by_parts(address: str, asked: str) -> None:
    client = somebody("inspetor")
    assert client.get(address, {"q": asked}).context["cl"].result_list
    assert not client.get(address, {"q": f"{asked} zzz"}).context["cl"].result_list
