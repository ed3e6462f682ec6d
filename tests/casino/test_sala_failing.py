"""What answers on the floor when a page cannot: what is in the book of it, and three ways on."""

from html import unescape
from typing import Any
from uuid import uuid4

import pytest
from django.db import OperationalError
from django.test import Client

from casino import queries
from casino.floor import error_pages
from casino.floor.shoe import cut_page
from tests.casino.sala_forms import form_on
from tests.factories.floor import SHOE_TABLE, house, opened
from tests.factories.people import somebody
from tests.factories.recorded import entries
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
CUT = f"/sala/{SHOE_TABLE}/cut/"


@recorded_once
def pit() -> Client:
    house()
    opened()
    return somebody("fiscal_de_banca")


@pytest.fixture
def broken(pit: Client, monkeypatch: pytest.MonkeyPatch) -> Client:
    """The screen of the cut fails, whoever asks."""
    pit.raise_request_exception = False

    def fails(*_: Any, **__: Any) -> Any:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(cut_page, "plan_of", fails)
    return pit


def text(answer: Any, status: int) -> str:
    assert answer.status_code == status
    return str(answer.content.decode())


def test_a_page_that_fails_is_dark_and_leads_on(broken: Client) -> None:
    page = text(broken.get(CUT), 500)
    assert "casino/sala.css" in page
    assert "Something went wrong" in page
    for way in (f'href="{CUT}"', f'href="/sala/{SHOE_TABLE}/"', 'href="/sala/"'):
        assert way in page
    assert 'id="stored"' not in page  # nothing was sent


def test_what_was_sent_and_is_not_in_the_book_is_sent_again_with_one_tap(
    pit: Client, broken: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = entries()
    sent = {"key": str(uuid4()), "shoe": "1", "seats": "1 2", "refused": "", "cut": "1"}
    answer = broken.post(CUT, sent)
    page = text(answer, 500)
    assert "What you sent was not recorded." in page
    assert form_on_error(answer)["key"] == sent["key"]
    assert entries() == before
    monkeypatch.undo()
    again = pit.post(CUT, form_on_error(answer))
    assert again.status_code in (200, 303)


def form_on_error(answer: Any) -> dict[str, Any]:
    """The fields that are sent again."""
    answer.status_code = 200
    return form_on(answer)


def test_what_is_in_the_book_is_said_with_its_time_and_is_not_sent_again(
    pit: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"/sala/{SHOE_TABLE}/interrupt/"
    sent = form_on(pit.get(url)) | {"do": "interrupt", "reason": "no_players"}
    assert pit.post(url, sent).status_code == 303
    pit.raise_request_exception = False
    monkeypatch.setattr("casino.floor.incidents.interrupt_play.game_for", lambda *_: 1 / 0)
    page = text(pit.post(url, sent), 500)
    assert "What you sent was recorded at" in page
    assert 'name="key"' not in page


@pytest.mark.parametrize(
    ("url", "status"),
    [("/sala/BJ-99/", 404), (f"/sala/{SHOE_TABLE}/nowhere/", 404), ("/sala/entry/x/", 404)],
)
def test_an_address_of_nothing_is_answered_on_the_floor(pit: Client, url: str, status: int) -> None:
    page = text(pit.get(url), status)
    assert "casino/sala.css" in page
    assert 'href="/sala/"' in page
    assert (f'href="/sala/{SHOE_TABLE}/"' in page) is (SHOE_TABLE in url)
    assert "casino/sala.css" not in text(pit.get("/nowhere/"), 404)


def test_without_a_database_it_says_that_nobody_knows(
    broken: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: Any) -> Any:
        raise OperationalError("the server closed the connection")

    monkeypatch.setattr(error_pages, "entries_of", gone)
    monkeypatch.setattr(error_pages, "tables_known", gone)
    page = text(broken.post(CUT, {"key": str(uuid4())}), 500)
    assert "Whether it was recorded is not known" in page
    assert 'href="/sala/"' in page


def test_it_never_fails_itself(broken: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(error_pages, "_page", lambda *_: 1 / 0)
    page = text(broken.get(CUT), 500)
    assert "Algo correu mal" in page
    assert "style=" not in page
    assert "<script" not in page


def test_what_cannot_be_read_is_said_and_not_recorded(pit: Client) -> None:
    body = b"&".join(b"f%d=1" % number for number in range(1_500))
    form = "application/x-www-form-urlencoded"
    page = text(pit.post(CUT, body, content_type=form), 400)
    assert "This cannot be read" in page
    assert "casino/sala.css" in page


def test_while_the_database_is_away_a_page_says_so_and_when_to_come_again(
    pit: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: Any, **__: Any) -> Any:
        raise OperationalError("the server closed the connection unexpectedly")

    pit.raise_request_exception = False
    monkeypatch.setattr(cut_page, "plan_of", away)
    answer = pit.get(CUT)
    assert error_pages.AWAY in unescape(text(answer, 503))
    assert "The book does not answer</h1>" in text(answer, 503)
    assert answer["Retry-After"] == "5"
    monkeypatch.setattr(queries, "offices_at", away)  # every page asks it
    monkeypatch.setattr(error_pages, "_page", away)  # nor can the page of errors be made
    assert "Algo correu mal" in text(pit.get(CUT), 503)
    elsewhere = pit.get("/admin/")
    assert error_pages.AWAY in unescape(text(elsewhere, 503))
    assert elsewhere["Retry-After"] == "5"


def test_another_fault_is_still_ours(pit: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any, **__: Any) -> Any:
        raise RuntimeError("a fault of ours")

    pit.raise_request_exception = False
    monkeypatch.setattr(queries, "offices_at", fails)
    answer = pit.get("/admin/")
    assert "Retry-After" not in answer
    assert error_pages.AWAY not in unescape(text(answer, 500))
