"""A house's first day from one workbook: judged whole, confirmed by another, written once."""

import io
import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils.translation import override
from openpyxl import load_workbook

from casino import clock
from casino.importing import first_day, staging, write_confirmed
from casino.importing.imported_lines import Placed
from casino.importing.judging import faults_of
from casino.models import BookEntry, PrivateValue, StagedImport, StagedPiece
from tests.casino.import_steps import page, staged, step
from tests.factories.first_day_files import EVENTS, LAWFUL, empty_book, filled, saved
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
    "zeros may be lost": ("Shufflers", 0, 3, 417, 4, "Shufflers!D", "no zero is lost"),
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


def test_whoever_brought_it_confirms_nothing_of_it(brings: Client) -> None:
    brought(brings, filled())
    assert "another does" in step(brings, "confirm", read="1").content.decode()
    assert (staged().state, imported()) == ("waiting", [])


def test_what_the_one_may_not_write_asks_for_an_office_of_the_other(brings: Client) -> None:
    brought(brings, filled())
    assert staged().judged["needs"] == ["chefia_da_sala"]
    other = somebody("administrador", "S-0010")
    assert "chefia_da_sala" in step(other, "confirm", read="1").content.decode()
    assert staged().state == "waiting"


def test_brought_by_the_chefia_an_inspectors_office_is_the_administradors(
    brings: Client, confirms: Client
) -> None:
    brought(confirms, filled())
    assert staged().judged["needs"] == ["administrador"]
    step(brings, "confirm", read="1")
    do_jobs(topic=WRITE)
    granted = {
        one["payload"]["office"]: (one["who"]["staff"], one["payload"]["granted_by"])
        for one in imported()
        if one["kind"] == "office-granted/1"
    }
    assert granted["inspetor"] == ("S-0009", "S-0009")
    assert granted["fiscal_chefe"] == ("S-0003", "S-0003")


def test_nobody_confirms_an_office_of_his_own(brings: Client, confirms: Client) -> None:
    brought(brings, filled(Offices=[["S-0003", "fiscal-chefe"]]))
    assert "nobody confirms his own" in step(confirms, "confirm", read="1").content.decode()
    assert staged().state == "waiting"


@pytest.mark.parametrize(
    ("minimum", "maximum", "found"),
    [("10", "299", []), ("10", "300", []), ("10", "300,01", ["opened_within_thirty_minimums"])],
)
def test_limits_beyond_thirty_times_are_named_and_no_obstacle(
    brings: Client, confirms: Client, minimum: str, maximum: str, found: list[str]
) -> None:
    rows = {
        "Tables": [["BJ-01", 7]],
        "Limits": [["BJ-01", minimum, maximum]],
        "Limits approved": [["BJ-01", minimum, maximum, None, "Despacho 1"]],
    }
    brought(brings, filled(rows))
    assert staged().state == "waiting"
    findings = staged().judged.get("findings", {}).values()
    assert [one["check"] for one in findings] == found
    step(confirms, "confirm", read="1")
    do_jobs(topic=WRITE)
    assert staged().state == "done"
    assert len(imported()) == 3


def test_a_start_below_ten_thousand_stakes_and_limits_nobody_approved_are_named(
    brings: Client,
) -> None:
    pool = [list(LAWFUL["Jackpots"][0])]
    pool[0][5], pool[0][6] = "24999,99", "24999,99"
    brought(brings, filled(Jackpots=pool, Limits=[["BJ-01", "10", "200"]]))
    assert staged().state == "waiting"
    found = staged().judged["findings"].values()
    assert {one["article"] for one in found} == {"44", "15"}
    # Once in the terms, once in what the meter begins with.
    assert sum(one["count"] for one in found if one["article"] == "44") == 2


def test_what_stands_is_left_and_what_stands_otherwise_is_a_fault(
    brings: Client, confirms: Client
) -> None:
    brought(brings, filled())
    step(confirms, "confirm", read="1")
    do_jobs(topic=WRITE)
    more = [*LAWFUL["Decks"], ["D-0203", "Exemplo", "azul"]]
    brought(brings, filled(Decks=more))
    rows = sum(len(listed) for listed in LAWFUL.values()) - len(LAWFUL["Prizes"])
    assert (staged().state, staged().repeated, staged().records) == ("waiting", rows, rows + 1)
    brought(brings, filled(Tables=[["BJ-01", 6]], Decks=more))
    assert [(line, path) for line, path, _ in faults()] == [(4, "Tables!B")]
    brought(brings, filled(Decks=[]))
    assert "Everything the file holds stands" in page(brings)


def test_a_first_day_cut_short_is_gone_on_with_and_written_once(
    brings: Client, confirms: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first_day, "KEPT_TOGETHER", 4)
    brought(brings, filled())
    step(confirms, "confirm", read="1")
    whole = write_confirmed.write_piece

    def killed_in_the_first(row: StagedImport, piece: StagedPiece, placed: list[Placed]) -> None:
        if piece.number == 0:
            write_confirmed.record_rows(row, piece)  # recorded, and not marked
            raise KeyboardInterrupt
        whole(row, piece, placed)

    monkeypatch.setattr(write_confirmed, "write_piece", killed_in_the_first)
    with pytest.raises(KeyboardInterrupt):
        write_confirmed.write(staged().pk, float("inf"))
    assert (len(imported()), staged().written) == (4, 0)
    monkeypatch.setattr(write_confirmed, "write_piece", whole)
    # However late: an office begins when it was confirmed.
    later = clock.now() + timedelta(hours=3)
    monkeypatch.setattr(clock, "now", lambda: later)
    assert write_confirmed.write(staged().pk, float("inf"))
    assert (len(imported()), staged().state, staged().refused) == (EVENTS, "done", 0)


def test_the_same_workbook_is_taken_once(brings: Client, confirms: Client) -> None:
    content = filled()
    brought(brings, content)
    step(confirms, "confirm", read="1")
    do_jobs(topic=WRITE)
    StagedImport.objects.all().delete()
    assert brought(confirms, content).status_code == 400
    assert len(imported()) == EVENTS


@pytest.mark.parametrize("language", ["pt-pt", "en"])
def test_the_template_alone_holds_nothing_to_be_recorded(brings: Client, language: str) -> None:
    with override(language):
        content = filled({})
    brought(brings, content)
    assert staged().state == "faulty"
    assert (staged().faulty, "holds no line" in page(brings)) == (0, True)


def test_the_examples_of_the_template_are_a_day_that_can_be_recorded(brings: Client) -> None:
    book = load_workbook(io.BytesIO(filled({})))
    for sheet in book.worksheets:
        for cell in sheet[3]:
            cell.value = str(cell.value or "").removeprefix("# ") or None
    book["Tables"].append(["BJ-02", 7])
    brought(brings, saved(book))
    assert (staged().state, faults()) == ("waiting", [])


def sheets_that_are_wrong() -> dict[str, tuple[bytes, str, str]]:
    """A workbook, where its fault is, what is said of it."""
    doubled, named, merged, missing = (load_workbook(io.BytesIO(filled())) for _ in range(4))
    doubled["Decks"]["C1"] = "Deck"
    named["Tables"].title = "Mesas de jogo"
    merged["Offices"].merge_cells("B5:B6")
    missing["Limits"]["A1"] = None
    twice = load_workbook(io.BytesIO(filled()))
    twice.create_sheet("Mesas").append(["Mesa", "Lugares de aposta"])
    return {
        "a heading twice": (saved(doubled), "Decks!C", "a second time"),
        "a sheet nobody knows": (saved(named), "Mesas de jogo", "Pessoas, Cargos"),
        "merged cells": (saved(merged), "Offices!B5:B6", "merged cells"),
        "a heading that is missing": (saved(missing), "Limits", "no such heading"),
        "one sheet in both languages": (saved(twice), "Mesas", "each sheet once"),
    }


@pytest.mark.parametrize("name", ["a heading twice", "merged cells", "a sheet nobody knows"])
def test_a_sheet_that_is_wrong_is_named(brings: Client, name: str) -> None:
    content, path, text = sheets_that_are_wrong()[name]
    brought(brings, content)
    assert staged().state == "faulty"
    assert any(where == path and text in why for _line, where, why in faults()), faults()


@pytest.mark.check
@pytest.mark.parametrize("name", ["a heading that is missing", "one sheet in both languages"])
def test_another_sheet_that_is_wrong_is_named(brings: Client, name: str) -> None:
    test_a_sheet_that_is_wrong_is_named(brings, name)


def test_more_rows_than_a_house_begins_with_are_not_read(brings: Client) -> None:
    book = empty_book()
    sheet = book.create_sheet("Decks")
    for number in range(20_000):
        sheet.append([f"D-{number}"])
    brought(brings, saved(book))
    assert (staged().state, staged().records) == ("faulty", 0)
    assert "more than 5000 rows" in page(brings)


def test_one_text_named_ever_again_is_not_read_to_its_end(brings: Client) -> None:
    book = empty_book()
    sheet = book.create_sheet("Decks")
    for _ in range(1_500):
        sheet.append(["x" * 1_500, "x" * 1_500])
    brought(brings, saved(book))
    assert (staged().state, staged().records) == ("faulty", 0)
    assert "more than 4 MB of text" in page(brings)


def test_another_file_is_no_workbook(brings: Client) -> None:
    brought(brings, b"staff,name\nS-0001,Ana\n")
    assert "no workbook" in page(brings)


def test_every_row_stands_on_a_page_without_names(brings: Client) -> None:
    brought(brings, filled())
    address = reverse("import-rows", args=[staged().pk])
    shown = brings.get(address, {"sheet": "people"}).content.decode()
    assert "S-0187" in shown
    assert "Ana Exemplo" not in shown
    assert brings.get(address, {"sheet": "nothing"}).status_code == 404


def test_the_overview_of_a_house_without_tables_leads_to_it(
    brings: Client, confirms: Client
) -> None:
    link = reverse("first-day")
    line = "No table is recorded yet"
    assert line in brings.get(reverse("admin:index")).content.decode()
    assert (
        line not in somebody("fiscal_chefe", "S-0022").get(reverse("admin:index")).content.decode()
    )
    brought(brings, filled({"Tables": [["BJ-01", 7]]}))
    step(confirms, "confirm", read="1")
    do_jobs(topic=WRITE)
    shown = brings.get(reverse("admin:index")).content.decode()
    assert line not in shown
    assert link in shown  # in the rail
