"""Chips are counted by two: whoever names nobody beside himself is asked first."""

import pytest
from django.test import Client

from tests.casino.sala_forms import address, errors_on, form_on, send
from tests.factories.people import somebody
from tests.factories.recorded import entries, last_entry, the_event
from tests.factories.tables import PIT, a_table, chefe_on_duty
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]


@recorded_once
def pit() -> Client:
    chefe_on_duty()
    return somebody("fiscal_de_banca")


@pytest.mark.parametrize(
    ("dealer", "second", "asked"),
    [
        ("", PIT.staff, True),
        ("", PIT.staff.lower(), True),
        ("P-104", "", True),
        ("", "", True),
        ("", "S-0021", False),  # beside him who records it
        ("P-104", PIT.staff, False),
    ],
)
def test_who_names_nobody_beside_himself_is_asked_and_may_say_that_he_counted_alone(
    pit: Client, dealer: str, second: str, asked: bool
) -> None:
    a_table("shoe")
    before = entries()
    values = {"chips-500": "40", "pagador": dealer, "second": second}
    answer = send(pit, address("chips"), **values)
    assert (answer.status_code == 303) == (not asked)
    if asked:
        assert ("pagador" in errors_on(answer), entries()) == (True, before)
        assert 'name="alone"' in answer.content.decode()
        assert 'name="alone"' not in pit.get(address("chips")).content.decode()
        assert send(pit, address("chips"), **values, alone="1").status_code == 303
    assert entries() == before + 1
    assert (the_event("chips-counted/1").second or "") == second.upper()


def test_the_box_that_is_taken_with_the_count_is_counted_on_the_same_slip(pit: Client) -> None:
    a_table("shoe")
    values = {"chips-500": "40", "cash_cents": "1 240,50", "moment": "interim"}
    values |= {"pagador": "P-104", "second": PIT.staff}
    assert send(pit, address("chips"), **values).status_code == 303
    drop, chips = the_event("drop-counted/1"), last_entry("chips-counted/1")
    assert (drop.cash_cents, drop.taken_at) == (124_050, chips.occurred_at)
    assert (drop.counted_by, drop.second) == ("P-104", PIT.staff)
    assert the_event("chips-counted/1").moment == "interim"


@pytest.mark.parametrize("moment", ["opening", "fill", "credit"])
def test_no_box_is_taken_off_while_chips_are_brought(pit: Client, moment: str) -> None:
    a_table("shoe")
    before = entries()
    values = {"chips-500": "40", "cash_cents": "10", "moment": moment, "pagador": "P-104"}
    answer = send(pit, address("chips"), **values, second=PIT.staff)
    assert "cash_cents" in errors_on(answer)
    assert entries() == before


@pytest.mark.parametrize("cash", ["-1", "lots", "1.234,567", "99999999999999"])
def test_cash_that_is_no_amount_is_refused(pit: Client, cash: str) -> None:
    a_table("shoe")
    before = entries()
    answer = send(pit, address("chips"), **{"chips-500": "40", "cash_cents": cash})
    assert "cash_cents" in errors_on(answer)
    assert entries() == before


def test_the_tile_of_an_open_table_leads_to_a_count_during_the_game(pit: Client) -> None:
    a_table("shoe")
    way = f"{address('chips')}?moment=interim"
    assert f'href="{way}"' in pit.get(address("table")).content.decode()
    assert form_on(pit.get(way))["moment"] == "interim"
    assert form_on(pit.get(address("chips")))["moment"] == "closing"
    assert form_on(pit.get(f"{address('chips')}?moment=never"))["moment"] == "closing"
