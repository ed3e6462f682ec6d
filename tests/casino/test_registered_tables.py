"""What a person tells of a table is recorded of one the house registered, by its own spelling."""

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from casino.access.registered_tables import no_such_table
from casino.events.incidents import IncidentClosed
from casino.events.tables import TableRegistered
from casino.floor.tables.table_name import NameOfAPage
from casino.models import BookStream
from tests.casino.admin_forms import filled
from tests.factories.floor import SHOE_TABLE, house, opening
from tests.factories.people import somebody, write
from tests.factories.records import MANAGER

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
CLOSED = IncidentClosed(
    table=SHOE_TABLE, incident="IN-1", outcome="resolvido", reason="resolvido", text=None
)


def at(table: str) -> Any:
    return replace(CLOSED, table=table)


@pytest.mark.parametrize(
    ("table", "says"),
    [
        (SHOE_TABLE, ""),
        ("bj-01", "No table bj-01 is registered; there is BJ-01."),
        ("BJ-99", "No table BJ-99 is registered. Register it first, or look at its number."),
    ],
)
def test_a_table_is_named_as_it_was_registered(table: str, says: str) -> None:
    house()
    assert no_such_table(at(table)) == says


def test_nothing_is_said_of_a_registration_nor_of_what_names_no_table() -> None:
    house()
    assert no_such_table(TableRegistered(table="BJ-99", boxes=7)) == ""
    assert no_such_table(replace(CLOSED, table=None)) == ""


def test_where_no_table_is_registered_yet_any_is_taken() -> None:
    assert no_such_table(opening()) == ""


@pytest.mark.parametrize("office", ["fiscal_chefe", "fiscal_de_banca", "chefia_da_sala"])
def test_the_admin_refuses_it_in_words_and_no_stream_comes_into_being(office: str) -> None:
    house()
    client: Client = somebody(office)
    url = reverse("admin:casino_incidentclosure_add")
    answer = client.post(url, filled(at("bj-01")))
    assert answer.status_code == 200
    assert "there is BJ-01" in answer.content.decode()
    assert not BookStream.objects.filter(name="table/bj-01").exists()


@pytest.mark.parametrize("name", ["manual", "todo", "board"])
def test_a_table_with_the_name_of_a_page_is_refused_in_words(name: str) -> None:
    with pytest.raises(NameOfAPage) as refusal:
        write(TableRegistered(table=name, boxes=7), by=MANAGER)
    said = str(refusal.value.reason)
    assert said.startswith(f"Found the name {name} for a table: /sala/{name}/ is another page")
    assert not BookStream.objects.filter(name=f"table/{name}").exists()


def test_a_name_that_only_begins_like_a_page_is_a_tables() -> None:
    write(TableRegistered(table="manual-1", boxes=7), by=MANAGER)
    assert BookStream.objects.filter(name="table/manual-1").exists()
