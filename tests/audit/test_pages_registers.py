"""Every register on one page: counted over some days, led to, taken out by those who may."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from casino.models import Round
from tests.factories.evenings import DAY, an_evening
from tests.factories.findings import client_of, people, said

pytestmark = [pytest.mark.django_db, pytest.mark.share]

PAGE = "/audit/registers/"
OF_DAY = {"from": DAY, "to": DAY}


@pytest.fixture
def evening(db: None) -> None:
    people()
    an_evening("BJ-01", rounds=3)
    an_evening("BJ-02", rounds=2)


def listed(client: Client, **asked: str) -> dict[str, Any]:
    page = client.get(PAGE, {**OF_DAY, **asked})
    return {
        one.name: one
        for _name, *parts in page.context["sections"]
        for part in parts
        for one in part
    }


def urls(registers: dict[str, Any]) -> Iterator[str]:
    for one in registers.values():
        yield one.url
        yield from (url for _form, url in one.files)


@pytest.mark.usefixtures("evening")
def test_each_holds_as_many_as_its_list_shows_and_its_file_has() -> None:
    inspector = client_of("inspetor")
    registers = listed(inspector)
    assert registers["jogadas"].tally.number == Round.objects.filter(gaming_day=DAY).count() == 5
    for one in registers.values():
        assert inspector.get(one.url).context["cl"].queryset.count() == one.tally.number, one
    (form, url), *_ = registers["jogadas"].files
    rows = b"".join(inspector.get(url).streaming_content).decode().splitlines()
    assert (form, len(rows) - 1) == ("Dados (CSV)", 5)


@pytest.mark.usefixtures("evening")
def test_of_one_table_what_is_of_no_table_is_left_out() -> None:
    inspector = client_of("inspetor")
    every, of_table = listed(inspector), listed(inspector, table="BJ-02")
    assert of_table["jogadas"].tally.number == 2
    assert of_table.keys() < every.keys()
    assert all("table=BJ-02" in url for url in urls(of_table))
    assert {"verificações do livro", "cópias entregues"} <= every.keys() - of_table.keys()
    assert (
        listed(inspector, **{"from": "2020-01-01", "to": "2020-01-02"})["jogadas"].tally.number == 0
    )


@pytest.mark.usefixtures("evening")
def test_who_takes_no_files_is_offered_none_and_a_note_is_nobody_elses() -> None:
    manager, inspector = client_of("chefia_da_sala"), client_of("inspetor")
    assert all(not one.files for one in listed(manager).values())
    assert "/csv/" not in manager.get(PAGE, OF_DAY).content.decode()
    assert set(listed(inspector)) - set(listed(manager)) == {
        "mensagens enviadas",
        "notas dos inspetores",
        "relatórios emitidos",
        "webhooks",
    }
    assert client_of("fiscal_de_banca").get(PAGE).status_code == 403
    assert "Registers" in said(client_of("auditor", "en"), PAGE)
