"""A house's first day from one workbook: judged whole, confirmed by a second person, written once."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from casino import clock
from casino.importing import first_day, staging, write_confirmed
from casino.importing.judging import faults_of
from casino.models import BookEntry, PrivateValue, StagedImport, StagedPiece
from tests.factories.first_day_files import EVENTS, LAWFUL, filled
from tests.factories.people import somebody
from tests.gate import drawn
from tests.jobs_inline import do_jobs

pytestmark = [pytest.mark.django_db, pytest.mark.share]
JUDGE, WRITE = staging.JUDGE, staging.WRITE


@pytest.fixture
def brings() -> Client:
    return somebody("administrador")


@pytest.fixture
def confirms() -> Client:
    return somebody("chefia_da_sala")


@pytest.fixture(autouse=True)
def english() -> Any:
    with override("en"):
        yield


def brought(client: Client, content: bytes, name: str = "house.xlsx"):
    answer = client.post(reverse("first-day"), {"file": SimpleUploadedFile(name, content)})
    do_jobs(topic=JUDGE)
    return answer


def staged() -> StagedImport:
    return StagedImport.objects.latest("brought_at")


def page(client: Client) -> str:
    return client.get(reverse("import", args=[staged().pk])).content.decode()


def step(client: Client, name: str, **more: str):
    return client.post(reverse("import", args=[staged().pk]), {"step": name, **more}, follow=True)


def faults() -> list[tuple[int, str, str]]:
    return [
        (line, fault["path"], str(first_day.phrase_of_json(fault["reason"])))
        for line, fault in faults_of(staged())
    ]


def imported() -> list[dict[str, Any]]:
    """What was recorded from the file, in the book's order."""
    entries = BookEntry.objects.order_by("stream__name", "n")
    bodies = [json.loads(bytes(one.entry)) for one in entries]
    return [body for body in bodies if body["who"]["door"] == "import"]


def test_a_first_day_is_recorded_once_by_two_persons(brings: Client, confirms: Client) -> None:
    assert brought(brings, filled()).status_code == 302
    assert (staged().state, faults()) == ("waiting", [])
    assert (staged().records, staged().repeated) == (EVENTS, 0)
    assert not imported()
    shown = page(confirms)
    assert "Ana Exemplo" not in shown
    assert "To be done by hand" in shown
    step(confirms, "confirm", read="1")
    do_jobs(topic=WRITE)
    assert (staged().state, staged().written, staged().refused) == ("done", EVENTS, 0)
    assert not StagedPiece.objects.exists()
    recorded = imported()
    assert len(recorded) == EVENTS
    # What an administrador may not write stands in the name of the chefia da sala, who confirmed.
    by = {one["kind"]: one["who"]["staff"] for one in recorded}
    assert by["staff-registered/1"] == by["table-registered/1"] == "S-0009"
    assert by["limits-set/1"] == by["deck-received/1"] == by["terms-approved/1"] == "S-0003"
    start = next(one["payload"] for one in recorded if one["kind"] == "jackpot-started/1")
    assert (start["start_cents"], start["reason"]) == (3_120_450, "other")
    named = next(one for one in recorded if one["payload"].get("staff") == "S-0187")
    assert "Ana Exemplo" not in json.dumps(named)
    assert "Ana Exemplo" in PrivateValue.objects.values_list("value", flat=True)


def changed(sheet: str, row: int, place: int, value: object) -> bytes:
    """The lawful day with another value in one cell (row and column counted from 0)."""
    rows = [list(one) for one in LAWFUL[sheet]]
    rows[row] += [None] * (place + 1 - len(rows[row]))
    rows[row][place] = value
    return filled(**{sheet: rows})


FAULTS = {
    "a number where zeros may be lost": ("Tables", 0, 0, 7, 4, "Tables!A", "no zero is lost"),
    "an ambiguous amount": ("Limits", 0, 1, "1.000", 4, "Limits!B", "two decimals at most"),
    "a third of a cent": ("Limits", 0, 2, 10.333, 4, "Limits!C", "two decimals at most"),
    "a day as a number": ("Decks", 0, 7, 46032, 4, "Decks!H", "formatted as a date"),
    "a day of another house": ("Decks", 0, 7, "10/01/2026", 4, "Decks!H", "2026-12-31"),
    "a percentage as a number": ("Jackpots", 0, 4, 0.7, 4, "Jackpots!E", "as 2,5 %"),
    "a formula": ("Limits", 1, 1, "=5/2", 5, "Limits!B", "a formula"),
    "a name that turns around": ("People", 0, 1, "A\u202enA", 4, "People!B", "U+202E"),
    "an office nobody knows": ("Offices", 0, 1, "gerente", 4, "Offices!B", "fiscal de banca"),
    "an office of nobody": ("Offices", 1, 0, "S-9999", 5, "Offices!A", "the book has"),
    "a number spelt otherwise": ("Offices", 1, 0, "s-0021", 5, "Offices!A", "S-0021"),
    "a high office since long ago": ("Offices", 1, 2, "2026-01-05", 5, "Offices!A", "fiscal_chefe"),
    "a table nobody has": ("Limits", 1, 0, "BJ-09", 5, "Limits!A", "the book has"),
    "the maximum below": ("Limits", 1, 2, "1", 5, "Limits!C", "no less than the minimum"),
    "nothing where something is asked": ("Decks", 1, 2, None, 5, "Decks!C", "required"),
    "a deck twice": ("Decks", 1, 0, "D-0201", 5, "Decks!A", "row 4"),
    "a combination there is none of": ("Prizes", 0, 1, "five_aces", 4, "Prizes!B", "five_aces"),
    "prizes of no jackpot": ("Prizes", 1, 0, "JP-2", 5, "Prizes!A", "Jackpots"),
    "a cell below no heading": ("People", 0, 3, "x", 4, "People!D", "without a heading"),
}


@pytest.mark.parametrize("name", drawn(FAULTS, 6))
def test_a_faulty_cell_is_named_by_sheet_row_and_column(brings: Client, name: str) -> None:
    sheet, row, place, value, line, path, text = FAULTS[name]
    brought(brings, changed(sheet, row, place, value))
    assert staged().state == "faulty"
    assert [(at, where) for at, where, _why in faults()] == [(line, path)], faults()
    assert text in faults()[0][2]
    shown = page(brings)
    assert path in shown
    assert "Have it recorded" not in shown
