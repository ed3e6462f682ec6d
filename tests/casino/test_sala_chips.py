"""Chips are counted by two: whoever names nobody beside himself is asked first."""

import pytest
from django.test import Client

from tests.casino.sala_forms import address, errors_on, send
from tests.factories.people import somebody
from tests.factories.recorded import entries, the_event
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
