"""Lists taken out of the house as files: the same rows in every form, of the right types, and an
entry of whoever took them.
"""

import csv
import io
import json
import tempfile
from collections.abc import Sequence
from datetime import date, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.contrib import admin
from django.test import Client, RequestFactory
from django.urls import reverse
from openpyxl import load_workbook

from audit.models import Export
from casino import sealed
from casino.admin.record_admin import RecordAdmin
from casino.models import Account, BookEntry, Round
from casino.tlog.canonical import canonical
from casino.web.display.csv_answer import BOM, Cell
from casino.web.list_files import list_answer as answers
from casino.web.list_files.list_answer import FORMS, MOST_MADE, ways_out
from casino.web.list_files.list_source import ListSource, columns_of
from casino.web.list_files.sheet_file import SheetFile
from casino.web.words.field_words import word
from tests.casino.admin_projections import by_anybody
from tests.factories.evenings import an_evening
from tests.factories.examples import example
from tests.factories.people import somebody, write
from tests.factories.records import EVENING, burnt, corrects, recorded
from tests.gate import drawn

pytestmark = [pytest.mark.django_db, pytest.mark.share]
ROUNDS = "/admin/casino/round/"
BURNS = "/admin/casino/burn/"
RUNNING = "\N{RIGHT-TO-LEFT OVERRIDE}gnp.exe"  # what a name may hold that is shown backwards
LONG = "Maria " * 50
# Lists, each with a kind that stands on it.
LISTED = {
    "casino/round": "round-played/1",
    "casino/incident": "incident-reported/1",
    "casino/incidentclosure": "incident-closed/1",
    "casino/complaint": "complaint-received/1",
    "casino/complaintdecision": "complaint-decided/1",
    "casino/deckinspection": "deck-inspected/1",
    "casino/deckwithdrawal": "deck-withdrawn/1",
    "casino/replacement": "card-replaced/1",
    "casino/partida": "partida-opened/1",
    "casino/closing": "partida-closed/1",
    "casino/shufflerload": "shuffler-loaded/1",
    "casino/officegrant": "office-granted/1",
    "casino/notice": "notice-sent/1",
    "jackpot/jackpotincrement": "jackpot-incremented/1",
    "jackpot/jackpotwin": "jackpot-won/1",
    "audit/casestep": "finding-decided/1",
}


@pytest.fixture
def inspector() -> Client:
    return somebody("inspetor")


def taken(client: Client, address: str, form: str = "csv", query: str = "") -> bytes:
    """A file, all of it."""
    answer = client.get(f"{address}csv/?{query}&as={form}")
    assert answer.status_code == 200, answer.content
    assert answer["Content-Type"] == FORMS[form].content_type
    assert answer["Content-Disposition"].endswith(f'.{form}"')
    return read(answer)


def read(answer: Any) -> bytes:
    """All that is sent; that closes it."""
    return b"".join(answer.streaming_content)


def in_csv(text: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text.decode().removeprefix(BOM))))


def sheets(text: bytes) -> Any:
    return load_workbook(io.BytesIO(text))


def by_label(sheet: Any, row: int) -> dict[str, Any]:
    """The cells of a row by what heads their columns."""
    return {head.value: cell for head, cell in zip(sheet[1], sheet[row], strict=True)}


# -- Whose they are --------------------------------------------------------------------------------


def test_each_list_is_an_entry_of_whoever_took_it(inspector: Client) -> None:
    recorded(burnt())
    for number, form in enumerate(FORMS, start=1):
        taken(inspector, BURNS, form)
        made = Export.objects.latest("recorded_at")
        assert Export.objects.count() == number
        assert (made.extent, made.of_list, made.entries) == ("list", "burn", 1)
        assert (made.staff, made.office) == ("I-0001", "inspetor")
    inspector.head(f"{BURNS}csv/?as=xlsx")
    assert Export.objects.count() == len(FORMS), "that it is there was asked, nothing was taken"
    assert word("burn", "of_list") == str(
        admin.site._registry[_model("burn")].opts.verbose_name_plural
    )


def _model(name: str) -> Any:
    return next(one for one in admin.site._registry if one._meta.model_name == name)


def test_whoever_may_not_is_offered_none_and_given_none() -> None:
    recorded(burnt())
    for office in ("fiscal_chefe", "chefia_da_sala"):
        client = somebody(office)
        assert "csv/" not in client.get(BURNS).content.decode()
        assert client.get(f"{BURNS}csv/?as=xlsx").status_code == 403
    assert not Export.objects.exists()


def test_the_page_offers_each_form_of_its_own_filter_with_its_count(inspector: Client) -> None:
    recorded(burnt())
    page = inspector.get(f"{BURNS}?table=BJ-06&after=x").content.decode()
    assert f"{BURNS}csv/?table=BJ-06&amp;as=xlsx" in page
    assert " ".join(page.split()).count("Data (CSV): 1 ") == 1
    assert len(ways_out(f"{BURNS}csv/?")) == len(FORMS)
    for _, url in ways_out(f"{BURNS}csv/?"):
        assert read(inspector.get(url)), url


# -- What they hold --------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
def test_every_list_can_be_taken_out_empty(form: str, inspector: Client) -> None:
    reverse("admin:index")
    lists = [one for one in admin.site._registry.values() if isinstance(one, RecordAdmin)]
    assert len(lists) > 50
    for one in drawn(lists, 12, kind=lambda _: form):
        url = reverse(f"admin:{one.opts.app_label}_{one.opts.model_name}_csv")
        answer = inspector.get(f"{url}?from=1999-01-01&to=1999-01-01&as={form}")
        assert answer.status_code == (200 if one.has_view_permission(answer.wsgi_request) else 403)
        text = read(answer) if answer.status_code == 200 else b""
        if form == "json" and text:
            made = json.loads(text)
            assert (made["rows"], made["rows_read"]) == ([], 0)


@pytest.mark.parametrize("name", drawn(LISTED, 12))
def test_all_forms_of_a_list_hold_the_same_rows(name: str, inspector: Client) -> None:
    kind = LISTED[name]
    write(example(kind, "S-0600"), by=by_anybody(kind), at=EVENING)
    text = taken(inspector, f"/admin/{name}/", "json")
    made = json.loads(text)
    assert canonical(made) == text, "the file is canonical JSON"
    assert made["rows_sha256"] == sha256(canonical(made["rows"])).hexdigest()
    assert made["rows_read"] == made["header"]["count"] == len(made["rows"]) > 0
    listed = in_csv(taken(inspector, f"/admin/{name}/"))
    whole = [{key: str(value) for key, value in row.items()} for row in made["rows"]]
    assert [
        {key: value.removeprefix("'") for key, value in row.items() if key in there}
        for row, there in zip(listed, whole, strict=True)
    ] == whole
    sheet = sheets(taken(inspector, f"/admin/{name}/", "xlsx")).worksheets[0]
    assert sheet.max_row == len(listed) + 1


def test_a_file_says_what_was_asked_by_whom_and_under_which_checkpoint(inspector: Client) -> None:
    recorded(burnt())
    header = json.loads(taken(inspector, BURNS, "json", "from=2026-11-20&to=2026-11-20&q=7"))[
        "header"
    ]
    assert header["format"] == "livro-da-sala-list/1"
    assert header["list"] == "burn"
    assert (header["asked_by"], header["offices"]) == ("I-0001", ["inspetor"])
    assert header["days"] == {"first": "2026-11-20", "last": "2026-11-20"}
    asked = {one["name"]: one["value"] for one in header["filters"]}
    assert asked["search"] == "7"
    assert len(asked) == 2
    assert header["address"] == f"{BURNS}csv/?from=2026-11-20&to=2026-11-20&q=7"
    newest = sealed.latest()
    assert ("checkpoint" in header) is (newest is not None)


def test_a_withdrawn_entry_is_in_the_list_and_says_so(inspector: Client) -> None:
    original = recorded(burnt(2))
    recorded(burnt(1), supersedes=corrects(original))
    rows = in_csv(taken(inspector, BURNS))
    assert [row["standing"] for row in rows] == ["waiting", "asked"]


def test_amounts_dates_and_numbers_are_such_in_a_spreadsheet(inspector: Client) -> None:
    an_evening()
    book = sheets(taken(inspector, ROUNDS, "xlsx"))
    sheet = book.worksheets[0]
    rows = list(Round.objects.order_by("-gaming_day", "-entry_id"))
    assert sheet.max_row == len(rows) + 1 > 1
    cells, row = by_label(sheet, 2), rows[0]
    assert cells["staked"].value == row.staked_cents / 100
    assert cells["staked"].number_format == '#,##0.00 "€"'
    assert cells["gaming day"].value.date() == row.gaming_day
    happened = cells["occurred at"].value
    assert isinstance(happened, datetime)
    assert happened.tzinfo is None
    assert cells["number in the stream"].value == row.n
    assert cells["table"].value == row.table_code
    assert (sheet.freeze_panes, sheet.auto_filter.ref.split(":")[0]) == ("B2", "A1")
    assert sheet.page_setup.orientation == "landscape"
    assert sheet.sheet_properties.pageSetUpPr.fitToPage
    assert (sheet.page_setup.fitToWidth or 1, sheet.page_setup.fitToHeight) == (1, 0)
    assert sheet.print_title_rows == "$1:$1"
    assert 17 <= sheet.column_dimensions["A"].width <= 25, "a moment is read whole"


def test_the_second_sheet_says_where_it_comes_from(inspector: Client) -> None:
    an_evening()
    query = "table=BJ-01"
    book = sheets(taken(inspector, ROUNDS, "xlsx", query))
    rows = {row[0].value: row[1].value for row in book["Integrity"].iter_rows()}
    made = json.loads(taken(inspector, ROUNDS, "json", query))
    assert rows["SHA-256 of the rows as JSON"] == made["rows_sha256"]
    assert rows["Rows"] == made["rows_read"]
    assert rows["Filter: Table"] == "BJ-01"
    assert rows["Taken out by"].startswith("I-0001 (")


def test_the_heads_are_portuguese_for_whoever_reads_portuguese(inspector: Client) -> None:
    recorded(burnt())
    Account.objects.update(language="pt-pt")
    book = sheets(
        b"".join(
            inspector.get(
                f"{BURNS}csv/?as=xlsx", headers={"accept-language": "pt-pt"}
            ).streaming_content
        )
    )
    assert book.sheetnames == ["Lista", "Integridade"]
    assert "dia de jogo" in {cell.value for cell in book.worksheets[0][1]}


# -- The manifest ----------------------------------------------------------------------------------


def test_a_manifest_names_every_file_it_lies_beside(inspector: Client) -> None:
    an_evening()
    with ZipFile(io.BytesIO(taken(inspector, ROUNDS, "zip"))) as bundle:
        names = bundle.namelist()
        manifest = json.loads(bundle.read("round.manifest.json"))
        assert sorted(names) == [f"round.{end}" for end in ("csv", "json", "manifest.json", "xlsx")]
        for one in manifest["files"]:
            text = bundle.read(one["name"])
            assert (len(text), sha256(text).hexdigest()) == (one["size"], one["sha256"])
            assert one["rows"] == Round.objects.count()
        made = json.loads(bundle.read("round.json"))
        assert manifest["rows_sha256"] == made["rows_sha256"]
        assert manifest["header"] == made["header"]
        listed = in_csv(bundle.read("round.csv"))
        assert [row["entry"] for row in listed] == [row["entry"] for row in made["rows"]]


# -- What may be asked -----------------------------------------------------------------------------


@pytest.mark.parametrize("query", ["as=pdf", "as=", "no_such_field=1", "q=%00", "table__x=1"])
def test_what_is_asked_absurdly_is_refused_in_words(query: str, inspector: Client) -> None:
    recorded(burnt())
    answer = inspector.get(f"{BURNS}csv/?{query}")
    if query == "q=%00":
        assert answer.status_code in (200, 400)
        return
    assert answer.status_code == 400
    said = answer.content.decode()
    assert "No file" in said
    assert "Expected is one of these" in said or "a filter this list does not have" in said
    assert not Export.objects.exists()


def test_a_list_that_is_too_long_is_asked_for_in_parts(
    inspector: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(burnt(1))
    recorded(burnt(2))
    monkeypatch.setitem(answers.FORMS, "xlsx", FORMS["xlsx"]._replace(most=2))
    assert taken(inspector, BURNS, "xlsx")
    monkeypatch.setitem(answers.FORMS, "xlsx", FORMS["xlsx"]._replace(most=1))
    answer = inspector.get(f"{BURNS}csv/?as=xlsx")
    assert answer.status_code == 400
    assert "has 2 rows" in answer.content.decode()
    assert Export.objects.count() == 1
    assert FORMS["csv"].most > MOST_MADE


@pytest.mark.parametrize("form", ["xlsx", "zip"])
def test_on_a_full_disk_nothing_is_recorded_and_nothing_left_behind(
    form: str, inspector: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    recorded(burnt())
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(SheetFile, "close", full)
        answer = inspector.get(f"{BURNS}csv/?as={form}")
    assert answer.status_code == 503
    assert "no room" in answer.content.decode()
    assert not Export.objects.exists()
    assert list(tmp_path.iterdir()) == []
    taken(inspector, BURNS, form)
    assert list(tmp_path.iterdir()) == []


def test_two_lists_read_at_once_do_not_mix(inspector: Client) -> None:
    an_evening()
    recorded(burnt())
    first = inspector.get(f"{ROUNDS}csv/?as=json")
    second = inspector.get(f"{BURNS}csv/?as=xlsx")
    third = inspector.get(f"{BURNS}csv/?as=json")
    rounds, burns = iter(first.streaming_content), iter(third.streaming_content)
    text, other = next(rounds), next(burns)
    assert sheets(b"".join(second.streaming_content)).worksheets[0].max_row == 2
    made, also = json.loads(text + b"".join(rounds)), json.loads(other + b"".join(burns))
    assert (made["header"]["list"], also["header"]["list"]) == ("round", "burn")
    assert (made["rows_read"], also["rows_read"]) == (Round.objects.count(), 1)


# -- Texts that would do harm ----------------------------------------------------------------------


def of_cells(rows: Sequence[Sequence[Cell]], form: str) -> bytes:
    """A list of these cells, as an inspector would be handed it."""
    request = RequestFactory().get("/list/", {"as": form})
    request.user = Account.objects.get(staff="I-0001")
    columns = columns_of(("who", "owed_cents", "recorded_at", "gaming_day"))
    source = ListSource(
        of="list", name="list", title="L & M", columns=columns, rows=rows, count=len(rows)
    )
    answer = answers.list_answer(request, source)
    text = b"".join(answer.streaming_content)  # type: ignore[attr-defined]
    for close in answer._resource_closers:  # its own close would end the test's connection
        close()
    return text


HARMFUL = ['=HYPERLINK("http://x","y")', "+1+1", "-2", "@SUM(A1)", "\tx", "\rx", "http://x", "{=1}"]


def test_no_text_is_run_or_followed(inspector: Client) -> None:
    rows = [[text, None, None, None] for text in HARMFUL]
    listed = [row["who"] for row in in_csv(of_cells(rows, "csv"))]
    assert listed[:6] == [f"'{text}" for text in HARMFUL[:6]]
    assert [row["who"] for row in json.loads(of_cells(rows, "json"))["rows"]] == HARMFUL
    sheet = sheets(of_cells(rows, "xlsx")).worksheets[0]
    for number, text in enumerate(HARMFUL, start=2):
        cell = sheet.cell(number, 1)
        assert (cell.data_type, cell.hyperlink) == ("s", None)
        assert cell.value.replace("_x000D_", "\r") == text


def test_long_and_running_texts_come_back_as_they_were(inspector: Client) -> None:
    texts = [RUNNING, LONG, "é" * 300, "a\nb", '"', "", "x" * 40_000]
    rows = [[text, -1, "2026-10-25T00:30:00+00:00", "2026-10-24"] for text in texts]
    assert [row["who"] for row in in_csv(of_cells(rows, "csv"))] == texts
    made = json.loads(of_cells(rows, "json"))
    assert [row["who"] for row in made["rows"]] == texts
    sheet = sheets(of_cells(rows, "xlsx")).worksheets[0]
    assert [sheet.cell(n, 1).value or "" for n in range(2, 8)] == texts[:-1]
    assert len(sheet.cell(8, 1).value) == 32_767
    assert sheet.cell(8, 1).value.endswith("[…]"), "it says that it was cut"
    assert sheet.cell(2, 2).value == -0.01
    assert sheet.cell(2, 3).value.isoformat() == "2026-10-25T01:30:00"
    assert sheet.cell(2, 4).value.date() == date(2026, 10, 24)
    assert sheet.column_dimensions["A"].width <= 61


def test_a_number_too_large_for_a_spreadsheet_is_not_rounded(inspector: Client) -> None:
    large = 10**17 + 1
    rows = [[None, None, None, None], [large, 10**14 - 1, None, None]]
    sheet = sheets(of_cells(rows, "xlsx")).worksheets[0]
    assert sheet.cell(3, 1).value == str(large)
    made = json.loads(of_cells(rows, "json"))
    assert made["rows"] == [{}, {"owed_cents": 10**14 - 1, "who": str(large)}]


def test_a_search_is_written_down_as_it_was_typed(inspector: Client) -> None:
    recorded(burnt())
    header = json.loads(taken(inspector, BURNS, "json", f"q={RUNNING}"))["header"]
    assert header["filters"][-1]["value"] == RUNNING
    assert header["count"] == 0
    assert BookEntry.objects.filter(kind="export-made/1").count() == 1
