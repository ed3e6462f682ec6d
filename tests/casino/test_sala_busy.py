"""Somebody else is writing and does not end: a tablet is told so in words, and nothing is lost."""

from collections.abc import Callable, Iterator

import psycopg
import pytest
from django.db import connection

from casino.models import BookEntry
from tests.casino.sala_forms import errors_on, form_on
from tests.factories.open_house import SHOE, Screens, a_house, everybody

pytestmark = pytest.mark.usefixtures("english")
REGISTER = "SELECT pg_advisory_xact_lock(hashtextextended('register/IN', 0))"
Connect = Callable[..., psycopg.Connection]


@pytest.fixture
def screens(fresh_db: str) -> Iterator[Screens]:
    house = a_house()
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '50ms'")
    yield house
    with connection.cursor() as cursor:
        cursor.execute("RESET lock_timeout")


def test_a_table_others_write_at_keeps_the_form(screens: Screens, connect_as: Connect) -> None:
    client = everybody()
    url = screens["cut"]
    sent, before = form_on(client.get(url)), BookEntry.objects.count()
    other = connect_as("app")
    other.execute("SELECT ledger_lock(%s)", [f"table/{SHOE}"])
    answer = client.post(url, sent)
    while answer.status_code == 200 and "over" in form_on(answer):
        answer = client.post(url, form_on(answer) | {"despite-all": "it-happened-so"})
    assert "send it again" in errors_on(answer)[""]
    assert BookEntry.objects.count() == before
    other.rollback()
    again = form_on(answer)
    assert again["key"] == sent["key"]


def test_a_register_others_hold_is_told_in_words(screens: Screens, connect_as: Connect) -> None:
    client = everybody()
    url = screens["incident"]
    sent = form_on(client.get(url)) | {"reason": "carta_presa"}
    before = BookEntry.objects.count()
    other = connect_as("app")
    other.execute(REGISTER)
    answer = client.post(url, sent)
    assert answer.status_code == 503
    assert "send it again" in answer.content.decode()
    assert BookEntry.objects.count() == before
    other.rollback()
    answer = client.post(url, sent)
    while answer.status_code == 200:
        answer = client.post(url, form_on(answer) | {"despite-all": "it-happened-so"})
    assert answer.status_code == 303
    assert BookEntry.objects.count() == before + 1
