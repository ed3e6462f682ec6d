"""The page of rounds in doubt: who opens it, what it says, what its file holds."""

import csv
import io
import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from audit.models import Export, Finding
from casino.events.partidas import PartidaClosed
from casino.recording import Receipt
from casino.web.display.csv_answer import BOM, csv_lines
from casino.web.entries.entry_page import url_of
from tests.factories.evenings import record_events
from tests.factories.exposed_evenings import at, deal, inspected, open_table, where
from tests.factories.findings import client_of, finding, people, write

pytestmark = [pytest.mark.django_db, pytest.mark.share]
SEES = {"fiscal_chefe", "chefia_da_sala", "inspetor", "auditor"}
TAKES_OUT = {"inspetor", "auditor"}
ASK = "/audit/exposure/"


@pytest.fixture
def short() -> Receipt:
    """Three rounds, one more that nobody recorded, and a deck with a card missing."""
    people()
    open_table()
    deal(1, 2, 3)
    receipt = inspected(
        "D-2",
        "22:40",
        "close",
        cards=51,
        result="missing",
        missing_cards=("7S",),
        order_complete=False,
    )
    record_events(PartidaClosed(**where(), rounds=4), at("22:50"))
    return receipt


def page(short: Receipt) -> str:
    return reverse("exposure-entry", args=[short.entry_id])


def text_of(answer: Any) -> str:
    """What a page says, without its marks, in single spaces."""
    assert answer.status_code == 200
    body = answer.content.decode()
    main = body[body.index('<header class="lead') : body.index("</main>")]
    return " ".join(
        re.sub(r"<[^>]+>", " ", re.sub(r"<svg.*?</svg>", " ", main, flags=re.DOTALL)).split()
    )


@pytest.mark.parametrize(
    "office",
    ["fiscal_de_banca", "fiscal_chefe", "chefia_da_sala", "inspetor", "auditor", "administrador"],
)
def test_those_who_oversee_open_it_and_nobody_else(short: Receipt, office: str) -> None:
    client, asked = client_of(office), 200 if office in SEES else 403
    ask = {"deck": "D-2", "at": "2025-11-20T22:00"}
    for address, query in [(ASK, {}), (ASK, ask), (page(short), {})]:
        answer = client.get(address, query)
        assert answer.status_code == asked, address
        assert (b"csv/" in answer.content) is (
            office in TAKES_OUT and (address, query) != (ASK, {})
        )
    for address, query in [(f"{page(short)}csv/", {}), (f"{ASK}csv/", ask)]:
        answer = client.get(address, query)
        assert answer.status_code == (200 if office in TAKES_OUT else 403), address
    assert (ASK in client.get("/admin/").content.decode()) is (office in SEES)
    entry = client.get(url_of("deck-inspected/1", short.entry_id))
    assert (page(short) in entry.content.decode()) is (office in SEES)


def test_nobody_opens_it_without_a_name(short: Receipt) -> None:
    for address in (ASK, f"{ASK}csv/", page(short), f"{page(short)}csv/"):
        answer = Client().get(address)
        assert answer.status_code == 302
        assert "/login/" in answer.headers["Location"]


def test_each_file_is_an_entry_of_whoever_took_it(short: Receipt) -> None:
    client_of("auditor").get(f"{page(short)}csv/")
    made = Export.objects.get()
    assert (made.extent, made.of_list, made.office) == ("list", "exposure", "auditor")
    assert made.entries


def test_nothing_but_reading_is_answered(short: Receipt) -> None:
    assert client_of("inspetor").post(page(short)).status_code == 405


GOLDEN = (
    "Rounds in doubt D-2 A card is missing. Deck inspected , noticed 20 Nov 2025 22:40:00"
    " Certain 3 rounds Money at stake €105.00 Handed back €60.00 Merely possible 0 with €0.00"
    " Dealt after it was noticed 0 with €0.00"
    " Last proof, deck by deck All rounds: Data (CSV) Spreadsheet (XLSX) Data (JSON)"
    " All three with manifest (ZIP)"
    " Deck Last proof that it was whole In doubt until"
    " D-2 Shown whole before play , 20 Nov 2025 20:15:00 nothing is told that ended it"
    " Of which nothing is told BJ-01/2025-11-20/1 : 1 round at least, of which the book tells"
    " neither boxes nor money. Counted at the closing: 4; told: 3."
    " By table and partida Table Rounds Staked Handed back Possible besides"
    " BJ-01 3 €105.00 €60.00 – BJ-01/2025-11-20/1 3 €105.00 €60.00 –"
    " By box Table Box Rounds Staked Handed back Possible besides"
    " BJ-01 1 3 €30.00 €60.00 – BJ-01 3 3 €75.00 €0.00 –"
    " By player Partida Player Rounds Staked Handed back Possible besides"
    " BJ-01/2025-11-20/1 J1 3 €30.00 €60.00 – BJ-01/2025-11-20/1 J3 3 €75.00 €0.00 –"
    " Rounds When and where Boxes Bank Staked Handed back How sure"
    " 20 Nov 2025 21:01:30 BJ-01/2025-11-20/1 1/1 1 10♠ 8♦ €10.00 → €20.00 3 10♣ 6♦ €25.00 → €0.00"
    " 10♥ 7♣ €35.00 €20.00 Certain"
    " 20 Nov 2025 21:02:30 BJ-01/2025-11-20/1 1/2 1 10♠ 8♦ €10.00 → €20.00 3 10♣ 6♦ €25.00 → €0.00"
    " 10♥ 7♣ €35.00 €20.00 Certain"
    " 20 Nov 2025 21:03:30 BJ-01/2025-11-20/1 1/3 1 10♠ 8♦ €10.00 → €20.00 3 10♣ 6♦ €25.00 → €0.00"
    " 10♥ 7♣ €35.00 €20.00 Certain"
)


def test_a_round_with_a_finding_leads_to_it(short: Receipt) -> None:
    (round_,) = deal(4)
    write([finding(1, evidence=[str(round_.entry_id)], partida="BJ-01/2025-11-20/1")])
    shown = client_of("inspetor", "en").get(page(short)).content.decode()
    address = reverse("admin:audit_finding_change", args=[Finding.objects.get().pk])
    assert shown.count(f'href="{address}"') == 1


def test_the_whole_page(short: Receipt, english: None) -> None:
    assert text_of(client_of("inspetor", "en").get(page(short))) == GOLDEN


def test_a_deck_without_a_proof_says_none(english: None) -> None:
    people()
    open_table(shown=False)
    deal(1)
    answer = client_of("inspetor", "en").get(ASK, {"deck": "D-2", "at": "2025-11-20T23:00"})
    said = text_of(answer)
    assert "D-2 None In doubt since its first use, in BJ-01/2025-11-20/1." in said
    assert "Certain 1 round Money at stake €35.00" in said
    assert 'value="D-2"' in answer.content.decode()  # to be asked again otherwise


def test_a_deck_nobody_knows_has_no_rounds(english: None) -> None:
    people()
    said = text_of(client_of("auditor", "en").get(ASK, {"deck": "D-9", "at": "2025-11-20T23:00"}))
    assert "Nothing is told of its use either." in said
    assert "No round was told in the time in doubt." in said


def test_the_file_says_the_same_as_the_page(short: Receipt) -> None:
    answer = client_of("inspetor").get(f"{page(short)}csv/")
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    text = b"".join(answer.streaming_content).decode()
    assert text.startswith(BOM)
    rows = list(csv.DictReader(io.StringIO(text.removeprefix(BOM))))
    assert sum(int(row["staked_cents"] or 0) for row in rows) == 10500
    assert sum(int(row["returned_cents"] or 0) for row in rows) == 6000
    assert [row["standing"] for row in rows] == ["proof"] + ["certain"] * 6 + ["untold"]
    assert {row["occurred_at"][-6:] for row in rows[:-1]} == {"+00:00"}


def test_the_file_asked_by_deck_is_that_of_its_page(short: Receipt) -> None:
    ask = {"deck": "D-2", "at": "2025-11-20T21:02"}
    client = client_of("inspetor")
    shown = client.get(ASK, ask)
    wsgiresponse = client.get(shown.context["csv_url"])
    rows = list(csv.DictReader(io.StringIO(b"".join(wsgiresponse.streaming_content).decode()[1:])))
    assert [(row["number"], row["noticed"]) for row in rows if row["box"] == "1"] == [
        ("1", "before"),
        ("2", "before"),  # begun as it was noticed
        ("3", "after"),
    ]
    assert [one["after"] for one in shown.context["rounds"]] == [False, False, True]


def test_a_cell_that_looks_like_a_formula_stays_text(short: Receipt) -> None:
    assert list(csv_lines(("=A1",), [("=1+1", -5)])) == [f"{BOM}=A1\r\n'=1+1,-5\r\n"]
    answer = client_of("inspetor").get(f"{page(short)}csv/")
    text = b"".join(answer.streaming_content).decode()
    cells = [cell for row in csv.reader(io.StringIO(text[1:])) for cell in row]
    assert [c for c in cells if c[:1] in "=+@" and c] == []
    assert {c for c in cells if c.startswith("-")} == {"-2500"}  # a number, not a text


@pytest.mark.parametrize(
    "query",
    [
        {"deck": "D-2"},
        {"at": "2025-11-20T22:00"},
        {"deck": "D-2", "at": "yesterday"},
        {"deck": "D-2", "at": "2025-13-45T99:99"},
        {"deck": "D\0", "at": "2025-11-20T22:00"},
        {"deck": "D" * 500, "at": "2025-11-20T22:00"},
        {"deck": "D-2", "at": "\0"},
        {"deck": "D-2", "at": "2026-03-29T01:30"},  # never shown by the clock
        {"deck": "D-2", "at": "0001-01-01T00:00+14:00"},
    ],
)
def test_what_cannot_be_asked_is_said_and_not_broken(query: dict[str, str]) -> None:
    people()
    client = client_of("inspetor")
    answer = client.get(ASK, query)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.content.decode()
    assert client.get(f"{ASK}csv/", query).status_code == 404


@pytest.mark.parametrize("at", ["2025-10-26T01:30", "9999-12-31T23:59", "0001-01-02T00:00"])
def test_a_moment_shown_twice_or_far_away_is_answered(at: str) -> None:
    people()
    assert client_of("inspetor").get(ASK, {"deck": "D-2", "at": at}).status_code in (200, 400)


def test_what_tells_of_no_defect_has_no_page(short: Receipt) -> None:
    client = client_of("inspetor")
    whole = inspected("D-3", "23:00", "close")
    for entry_id in (whole.entry_id, uuid4()):
        assert client.get(reverse("exposure-entry", args=[entry_id])).status_code == 404
    entry = client.get(url_of("deck-inspected/1", whole.entry_id)).content.decode()
    assert "/audit/exposure/" + str(whole.entry_id) not in entry


def test_the_page_lists_the_first_rounds_and_counts_the_rest(
    short: Receipt, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("audit.pages.findings.exposure_page.SHOWN", 2)
    answer = client_of("inspetor").get(page(short))
    assert (len(answer.context["rounds"]), answer.context["more"]) == (2, 1)
    assert answer.context["figures"]["certain"]["rounds"] == 3


def test_more_rounds_than_a_page_can_judge_are_bounded_and_left_to_the_file(
    short: Receipt, monkeypatch: pytest.MonkeyPatch, english: None
) -> None:
    monkeypatch.setattr("audit.pages.findings.exposure_page.SUMMED", 2)
    said = text_of(client_of("inspetor", "en").get(page(short)))
    assert "At most 3 rounds with €105.00 staked and €60.00 handed back." in said
    assert "Shown whole before play" in said
    assert "Certain" not in said
    monkeypatch.setattr("audit.pages.findings.exposure_page.SUMMED", 3)
    assert "At most" not in text_of(client_of("inspetor", "en").get(page(short)))
