"""The list of findings: what it leaves out, how it is leafed through, what the CSV holds."""

import csv
import html
import io
import random
import re
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook
from pytest_django import DjangoAssertNumQueries

from audit.models import Export, Finding
from audit.pages.findings.people_present import present_at
from casino.admin import paging
from casino.events.deck_life import CardReplaced, DeckWithdrawn
from casino.events.floor_life import DealerTookTable, TableHandedOver
from casino.events.inspection import LeaveDecided
from casino.events.shoes import LastRoundAnnounced
from casino.events.staff import DutyBegun, DutyEnded
from casino.models import BookEntry
from casino.recording import Actor
from casino.web.display.csv_answer import BOM, csv_lines, harmless
from tests.factories.evenings import MANAGER, opened, played, record_all, record_events
from tests.factories.findings import (
    client_of,
    finding,
    key_of,
    no_longer,
    numbers,
    people,
    write,
)
from tests.factories.people import appoint
from tests.factories.rounds import a_round, box, main
from tests.flat_html import flat

pytestmark = [pytest.mark.django_db, pytest.mark.share]
LIST = "/admin/audit/finding/"
DAY = date(2025, 11, 20)
NAME = "BJ-04/2025-11-20/1"


@pytest.fixture
def inspector() -> Client:
    people()
    return client_of("inspetor")


def listed(client: Client, query: str = "") -> list[int]:
    """The findings a page shows, by their numbers."""
    answer = client.get(f"{LIST}?{query}")
    assert answer.status_code == 200, query
    return numbers(answer.context["cl"].result_list)


@pytest.fixture
def recorded() -> dict[str, Any]:
    """Findings that differ in one thing each, and one that is like all."""
    entries = record_all(
        [
            opened("BJ-03", "2025-11-20"),
            played("x", table="BJ-03", day="2025-11-20", dealer="P-104"),
        ]
    )
    write(
        [
            finding(1),
            finding(2, severity="warning"),
            finding(3, article="54", check="shuffler_loaded_once"),
            finding(4, table="BJ-02"),
            finding(5, gaming_day=DAY - timedelta(days=3)),
            finding(6, rulebook="es", article="jugadores"),
            finding(7, table="BJ-03", evidence=(str(entries[1].entry_id),)),
            finding(8),
            finding(9),
            no_longer(8, "cured"),
            no_longer(9, "corrected"),
        ]
    )
    write([finding(9)])  # broken again after it was cured
    return {"round": entries[1].entry_id}


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("", {1, 2, 3, 4, 5, 6, 7, 8, 9}),
        ("severity=warning", {2}),
        ("article=54", {3}),
        ("article=n.%C2%BA+54", {3}),
        ("rulebook=es", {6}),
        ("table=BJ-02", {4}),
        ("from=2025-11-18", {1, 2, 3, 4, 6, 7, 8, 9}),
        ("to=2025-11-18", {5}),
        ("from=2025-11-17&to=2025-11-17", {5}),
        ("state=open", {1, 2, 3, 4, 5, 6, 7, 9}),
        ("state=cured", {8}),
        ("state=corrected", {9}),
        ("state=open&severity=breach&table=BJ-01&article=21&from=2025-11-20", {1, 9}),
        ("person=P-104", {7}),
        ("person=P-10", set()),
        ("person=p-104", {7}),
        ("q=54", {3}),
        ("q=n.%C2%BA+54", {3}),
        ("q=bj-02", {4}),
        ("q=jugadores", {6}),
        ("q=shuffler_loaded_once", {3}),
        ("q=blackjack+bj-03", {7}),  # a word of the rule's sentence, and a table
        (f"q={key_of(3)[:60]}", {1, 2, 3, 4, 5, 6, 7, 8, 9}),
        (f"q={key_of(3)}", {3}),
        ("q=nothing-like-it", set()),
        ("severity=&state=&q=&table=", {1, 2, 3, 4, 5, 6, 7, 8, 9}),
    ],
)
def test_a_filter_shows_what_fits_and_nothing_else(
    inspector: Client, recorded: dict[str, Any], query: str, shown: set[int]
) -> None:
    assert set(listed(inspector, query)) == shown


def test_a_search_finds_what_rests_on_an_entry(inspector: Client, recorded: dict[str, Any]) -> None:
    assert listed(inspector, f"q={recorded['round']}") == [7]


def test_a_person_is_found_by_what_he_did_and_not_by_where_he_was_named(inspector: Client) -> None:
    """The review's H5: who was named at the opening, and who dealt the round."""
    items = record_all([
        opened("BJ-04", "2025-11-20", fiscal_de_banca="S-0500", pagador="P-121"),
        played("y", table="BJ-04", day="2025-11-20", dealer="P-126"),
    ])  # fmt: skip
    both = tuple(sorted(str(one.entry_id) for one in items))
    write([finding(1, table="BJ-04", partida=NAME, evidence=both), finding(2)])
    assert [listed(inspector, f"person={one}") for one in ("P-126", "P-121", "S-0500")] == [
        [1], [], [],
    ]  # fmt: skip


def test_a_player_is_asked_for_with_his_game(inspector: Client) -> None:
    items = record_all([
        opened("BJ-04", "2025-11-20"), played("y", table="BJ-04", day="2025-11-20"),
    ])  # fmt: skip
    write([finding(1, table="BJ-04", partida=NAME, evidence=(str(items[1].entry_id),))])
    assert listed(inspector, f"person=J4+de+{NAME}&from=2025-11-01") == [1]
    assert listed(inspector, "person=J4+de+BJ-04/2025-11-20/2&from=2025-11-01") == []
    page = inspector.get(reverse("admin:audit_finding_change", args=[Finding.objects.get().pk]))
    assert f"J4 de {NAME}" in flat(page)
    assert f"J4 de {NAME}" in flat(inspector.get(LIST))
    [row] = rows(inspector, "")
    assert row["player"] == f"J4 de {NAME}"
    assert f"J4 de {NAME}" in row["told"]


def test_of_a_players_round_only_what_is_found_of_him_is_his(inspector: Client) -> None:
    """His own stake, his decision, the box he holds; not the bank's draw nor another's stake."""
    one = a_round(box(1, "TS 8D", main(1000, 2000)), box(5, "TS 8D", main(1000, 2000, owner="J9")),
                  bank="TH 7C", day="2025-11-20")  # fmt: skip
    items = record_all([
        opened("BJ-04", "2025-11-20"), replace(one, table="BJ-04", partida=NAME),
    ])  # fmt: skip
    holders = {each.number: each.holder for each in one.boxes}
    here: dict[str, Any] = {
        "table": "BJ-04", "partida": NAME, "evidence": (str(items[1].entry_id),)
    }  # fmt: skip
    write([
        finding(1, **here, where={"box": 5, "owner": "J9"}),
        finding(2, **here, where={"box": 5, "owner": holders[5]}),
        finding(3, **here, where={"box": 5, "hand": 1}),
        finding(4, **here, where={"box": 1, "hand": 1}),
        finding(5, **here, where={}),
        finding(6, **here, where={"box": 1}, observed={"decided_by": "J9"}),
    ])  # fmt: skip
    asked = "from=2025-11-01&person="
    assert holders[5] != "J9"
    assert listed(inspector, f"{asked}J9+de+{NAME}") == [6, 1]
    assert listed(inspector, f"{asked}{holders[5]}+of+{NAME}") == [3, 2]
    assert listed(inspector, f"{asked}{holders[1]}+of+{NAME}") == [6, 4]


def test_a_player_without_his_game_is_nobodys_findings_but_the_games_are_named(
    inspector: Client,
) -> None:
    for n, table in enumerate(("BJ-04", "BJ-05")):
        game = f"{table}/2025-11-20/1"
        items = record_all([
            opened(table, "2025-11-20"), played("y", table=table, day="2025-11-20"),
        ])  # fmt: skip
        write([
            finding(n + 1, table=table, partida=game, evidence=(str(items[1].entry_id),))
        ])  # fmt: skip
    assert listed(inspector, "person=J4") == []
    page = flat(inspector.get(f"{LIST}?person=J4&state=open"))
    for table in ("BJ-04", "BJ-05"):
        game = f"{table}/2025-11-20/1"
        address = urlencode({"person": f"J4 de {game}", "state": "open"})
        assert address.replace("&", "&amp;") in page, game
        assert len(listed(inspector, address)) == 1
    page = flat(inspector.get(f"{LIST}?person=J7"))
    assert "J7 é o número" in page
    assert "J4 de" not in page


def test_who_is_staff_under_such_a_number_is_a_person_as_all_others(inspector: Client) -> None:
    appoint("J4", "fiscal_de_banca")
    items = record_all([opened("BJ-04", "2025-11-20")], by=Actor("J4", "fiscal_de_banca", "admin"))
    write([finding(1, table="BJ-04", partida=NAME, evidence=(str(items[0].entry_id),))])
    assert listed(inspector, "person=J4") == [1]


def test_what_was_recorded_afterwards_is_of_whoever_recorded_it_and_of_whom_it_is(
    inspector: Client,
) -> None:
    table = {"table": "BJ-04", "partida": NAME}
    appoint("S-0112", "fiscal_de_banca")
    [act] = record_all(
        [opened("BJ-04", "2025-11-20")], by=Actor("S-0112", "fiscal_de_banca", "admin")
    )
    appoint("S-0190", "fiscal_chefe")
    late = BookEntry.objects.filter(kind="office-granted/1").order_by("-pk").first()
    assert late is not None
    refs = tuple(sorted(map(str, (act.entry_id, late.pk))))
    write([
        finding(
            1, **table, rulebook="house", article="house.afterwards",
            check="office_recorded_before_the_act", evidence=refs,
            where={"staff": "S-0190", "office": "fiscal_chefe"},
            observed={"recorded_by": "A-0012"},
        ),
    ])  # fmt: skip
    for person in ("S-0190", "A-0012"):
        assert listed(inspector, f"person={person}") == [1], person
    assert listed(inspector, "person=S-0112") == []


def test_article_5_names_who_took_the_deck_out_and_who_told_the_leave(inspector: Client) -> None:
    here = {"table": "BJ-04", "partida": NAME}
    record_all([opened("BJ-04", "2025-11-20")])
    acts = [
        record_events(DeckWithdrawn(**here, deck="D04-1", reason="damaged")),
        record_events(
            CardReplaced(**here, deck="D04-2", card="7S", reason="damaged", replaced_by="S-0021")
        ),
        record_events(LeaveDecided(leave="L-1", decision="refused", document="D-1"), by=MANAGER),
    ]
    evidence = tuple(sorted(str(one.entry_id) for one in acts))
    write([finding(1, **here, article="5", check="leave_is_on_record", evidence=evidence)])
    one = Finding.objects.get()
    assert {(each.by, each.recorded_by) for each in present_at([one])[one.pk].acted} == {
        ("S-0187", "S-0187"), ("S-0021", "S-0187"), ("S-0001", "S-0001"),
    }  # fmt: skip
    page = flat(inspector.get(reverse("admin:audit_finding_change", args=[one.pk])))
    for found in ("registado por S-0187", "S-0021, registado por S-0187", "registado por S-0001"):
        assert f"<dd>{found}</dd>" in page
    [row] = rows(inspector, "")
    assert {part.rsplit(": ")[1] for part in row["on_decks"].split("; ")} == {
        "S-0187", "S-0021", "S-0001",
    }  # fmt: skip


def test_who_was_there_at_that_moment_is_shown(inspector: Client) -> None:
    """The dealer of the round, the fiscal who had the table by then, the fiscal-chefe on duty."""
    listed = record_all([
        opened("BJ-04", "2025-11-20", fiscal_de_banca="S-0500", pagador="P-121",
               fiscal_chefe="S-0021"),
        played("y", table="BJ-04", day="2025-11-20", dealer="P-126"),
    ])  # fmt: skip
    at = BookEntry.objects.get(pk=listed[1].entry_id).occurred_at
    minute = timedelta(minutes=1)
    over = {"table": "BJ-04", "partida": NAME, "relieves": "S-0500"}
    record_events(TableHandedOver(**over, fiscal_de_banca="S-0501"), at - minute)
    record_events(TableHandedOver(**over, fiscal_de_banca="S-0502"), at + minute)
    duty = {"office": "fiscal_chefe", "tables": ()}
    record_events(DutyBegun(staff="S-0022", **duty), at - minute, MANAGER)
    record_events(DutyBegun(staff="S-0023", **duty), at + minute, MANAGER)
    record_events(DutyBegun(staff="S-0024", **duty), at - 2 * minute, MANAGER)
    record_events(DutyEnded(staff="S-0024", office="fiscal_chefe"), at - minute, MANAGER)
    write([finding(1, table="BJ-04", partida=NAME, evidence=(str(listed[1].entry_id),))])
    there = present_at([Finding.objects.get()])[Finding.objects.get().pk]
    assert there[:3] == ("P-126", "S-0501", ("S-0022",))
    assert there.moment is not None
    assert there.moment.at == at
    [row] = rows(inspector, "")
    assert (row["dealer"], row["fiscal_de_banca"], row["fiscal_chefe"]) == (
        "P-126", "S-0501", "S-0022",
    )  # fmt: skip
    there_too = strip_tags(flat(inspector.get(LIST))).replace("\u00a0", " ")
    assert "P-126 · S-0501 · S-0022" in there_too
    page = inspector.get(reverse("admin:audit_finding_change", args=[Finding.objects.get().pk]))
    assert "Pagador nesse momento" in flat(page)
    for entry in (listed[1].entry_id, Finding.objects.get().pk):  # what proves it, and its own
        assert reverse("book-proof", args=[entry]) in flat(page)


def test_the_moment_is_that_of_the_last_act_the_finding_rests_on(inspector: Client) -> None:
    """Who dealt when the shuffle was recorded is not who dealt at the cut that was wrong."""
    here = {"table": "BJ-04", "partida": NAME}
    listed = record_all([opened("BJ-04", "2025-11-20", pagador="P-121")])
    at = BookEntry.objects.get(pk=listed[0].entry_id).occurred_at
    first, last = (
        record_events(
            LastRoundAnnounced(**here, shoe=n, came_out="during_round"), at + timedelta(hours=n)
        )
        for n in (1, 2)
    )
    record_events(DealerTookTable(**here, pagador="P-126"), at + timedelta(minutes=90))
    evidence = tuple(str(one.entry_id) for one in (listed[0], first, last))
    write([finding(1, table="BJ-04", partida=NAME, evidence=evidence)])
    one = Finding.objects.get()
    assert present_at([one])[one.pk].dealer == "P-126"


def test_a_person_is_looked_for_in_the_last_month_or_in_the_days_asked(inspector: Client) -> None:
    items = record_all([
        opened("BJ-04", "2025-11-20"),
        played("y", table="BJ-04", day="2025-11-20", dealer="S-0500"),
    ])  # fmt: skip
    write(
        [
            finding(1, table="BJ-04", partida=NAME, evidence=(str(items[1].entry_id),)),
            finding(2, gaming_day=date(2026, 1, 20)),
        ]
    )
    assert listed(inspector, "person=S-0500") == []
    assert listed(inspector, "person=S-0500&from=2025-11-01") == [1]


@pytest.mark.parametrize(
    "query",
    [
        "from=yesterday", "to=2026-13-45", "severity=terrible", "state=gone", "rulebook=xx",
        "article=%00", "q=%00", "q=" + "a" * 5000, "q=%25_%5C", "table=%27%3B--", "after=x",
        "after=2025-11-20~", "after=~~~", "before=2025-11-20~1~2",
        "after=2025-11-20~99999999999999999999",
        "person=%22%27%5C", "unheard=of", "told=%00", "p=7", "o=1.2", "e=1", "_facets=True", "all=",
    ],
)  # fmt: skip
def test_whatever_stands_in_the_address_gives_a_page(
    inspector: Client, recorded: dict[str, Any], query: str
) -> None:
    answer = inspector.get(f"{LIST}?{query}", follow=True)
    assert answer.status_code in (200, 400), query
    assert inspector.get(f"{LIST}csv/?{query}").status_code in (200, 400), query


@pytest.mark.parametrize("few", [0, 1_000], ids=["along the index", "sorted here"])
def test_leafing_shows_every_finding_once_in_both_directions(
    inspector: Client, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(paging, "FEW", few)
    days = [DAY - timedelta(days=random.Random(n).randrange(5)) for n in range(60)]
    write([finding(n, gaming_day=day) for n, day in enumerate(days, start=1)])
    inorder = [
        int(key, 16)
        for key in Finding.objects.order_by("-gaming_day", "-n").values_list("key", flat=True)
    ]

    pages, address = [], LIST
    while address:
        shown = inspector.get(address).context["cl"]
        pages.append(numbers(shown.result_list))
        newest, older, newer = shown.newest, shown.older, shown.newer
        address = LIST + older if older else ""
        assert bool(newer) == (len(pages) > 1)
    assert [n for page in pages for n in page] == inorder
    assert [len(page) for page in pages] == [25, 25, 10]

    back = [numbers(inspector.get(LIST + newer).context["cl"].result_list)]
    back.append(
        numbers(
            inspector.get(LIST + inspector.get(LIST + newer).context["cl"].newer)
            .context["cl"]
            .result_list
        )
    )
    assert back == [pages[1], pages[0]]
    assert numbers(inspector.get(LIST + newest).context["cl"].result_list) == pages[0]


def test_what_comes_in_meanwhile_shifts_no_page(inspector: Client) -> None:
    write([finding(n) for n in range(1, 41)])
    second = inspector.get(LIST).context["cl"].older
    before = listed(inspector, second.removeprefix("?"))
    write([finding(n) for n in range(41, 60)])
    assert listed(inspector, second.removeprefix("?")) == before


def test_a_count_stops_where_it_is_told_to(
    inspector: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paging, "COUNTED", 5)
    monkeypatch.setattr(paging, "FEW", 2)
    write([finding(n) for n in range(1, 8)])
    shown = inspector.get(LIST, headers={"accept-language": "en"}).context["cl"]
    assert shown.count_in_words == "more than 5 findings"
    assert len(shown.result_list) == 7
    assert inspector.get(f"{LIST}?q={key_of(3)}").context["cl"].survey.exact


def test_the_list_asks_few_questions(
    inspector: Client,
    recorded: dict[str, Any],
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    write([finding(n) for n in range(100, 160)])
    for query in ("", "state=open", "q=54", "person=P-104", "from=2025-11-01&to=2025-11-30"):
        with django_assert_max_num_queries(15):
            inspector.get(f"{LIST}?{query}")


def rows(client: Client, query: str) -> list[dict[str, str]]:
    answer = client.get(f"{LIST}csv/?{query}")
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    text = b"".join(answer.streaming_content).decode("utf-8")  # type: ignore[attr-defined]
    assert text.startswith(BOM)
    return list(csv.DictReader(io.StringIO(text.removeprefix(BOM))))


@pytest.mark.parametrize("query", ["", "state=open", "severity=warning&q=21", "from=2025-11-18"])
def test_the_csv_holds_exactly_what_the_list_shows(
    inspector: Client, recorded: dict[str, Any], query: str
) -> None:
    assert [int(row["key"], 16) for row in rows(inspector, query)] == listed(inspector, query)


def test_the_csv_holds_all_pages_and_ignores_the_place(inspector: Client) -> None:
    write([finding(n) for n in range(1, 61)])
    older = inspector.get(LIST).context["cl"].older
    assert len(rows(inspector, older.removeprefix("?"))) == 60


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("", "findings"),
        ("to=2025-11-30&table=BJ-02&from=2025-11-01", "findings-2025-11-01-2025-11-30-BJ-02"),
        ("state=open&article=54&from=2025-11-01", "findings-2025-11-01-open-54"),
        ("q=../..%22%0D%0A%20x&severity=", "findings-x"),
        (f"person=J4+de+{NAME}", "findings-J4-de-BJ-04-2025-11-20-1"),
    ],
)
def test_a_csv_is_named_by_what_it_holds(inspector: Client, query: str, name: str) -> None:
    answer = inspector.get(f"{LIST}csv/?{query}")
    assert answer["Content-Disposition"] == f'attachment; filename="{name}.csv"'


def test_a_printed_page_says_whose_it_is_what_was_asked_by_whom_and_when(
    inspector: Client, recorded: dict[str, Any], settings: Any, tmp_path: Path
) -> None:
    (tmp_path / "checkpoint").write_text("example.com/livro\n9\nroot\n", "ascii")
    settings.BOOK_PUBLIC = str(tmp_path)
    asked = "state=open&severity=breach&from=2025-11-18&q=bj-01"
    page = flat(inspector.get(f"{LIST}?{asked}"))
    [above] = re.findall(r'<header class="on-paper">(.*?)</header>', page, re.DOTALL)
    said = html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", above)))
    assert "Livro da Sala · livro example.com/livro" in said
    assert f"http://testserver{LIST}?{asked}" in said
    assert "Pedido por I-0021 em" in said
    assert "Estado: por resolver;" in said
    assert "Gravidade: infração;" in said
    assert "Dia de jogo: 18/11/2025 – …; Procurar: bj-01;" in said
    assert "constatações" in said
    one = inspector.get(reverse("admin:audit_finding_change", args=[Finding.objects.first().pk]))
    assert '<header class="on-paper">' in flat(one)


def test_each_csv_is_an_entry_of_whoever_took_it(inspector: Client) -> None:
    before = Export.objects.count()
    found = rows(inspector, "severity=breach")
    made = Export.objects.order_by("-pk").first()
    assert made is not None
    assert Export.objects.count() == before + 1
    assert (made.extent, made.of_list, made.entries) == ("list", "findings", len(found))
    assert (made.staff, made.office) == ("I-0021", "inspetor")
    inspector.head(f"{LIST}csv/?severity=breach")
    inspector.get(LIST)
    assert Export.objects.count() == before + 1


def test_the_page_links_to_the_csv_of_its_own_filter(inspector: Client) -> None:
    write([finding(n) for n in range(1, 61)])
    page = flat(inspector.get(f"{LIST}?severity=breach&after=2025-11-20~99999"))
    assert re.search(r'href="/admin/audit/finding/csv/\?severity=breach" download', page)


def test_the_csv_tells_codes_amounts_and_states(
    inspector: Client, recorded: dict[str, Any]
) -> None:
    [row] = rows(inspector, "state=cured")
    assert row["owed_cents"] == "1000"
    assert row["observed"] == '{"returned_cents":4000}'
    assert row["state"] == "cured"
    paid = "foram entregues 40,00\u00a0€ e eram devidos 50,00\u00a0€"
    assert row["told"] == f"Lugar 4, mão 1, J4 (blackjack): {paid}"
    assert row["recorded_at"].endswith("+00:00")
    assert (
        row["instrument"]
        == "Portaria n.º 217/2007, de 26/02/2007 (a confirmar pelo jurista da casa)"
    )


FORMULAS = st.sampled_from("=+-@\t\r").flatmap(lambda sign: st.text().map(lambda text: sign + text))


@given(st.lists(st.lists(st.one_of(FORMULAS, st.text(), st.integers(), st.none()), min_size=2)))
def test_no_cell_begins_a_formula(written: list[list[Any]]) -> None:
    text = "".join(csv_lines(["a", "b"], written)).removeprefix(BOM)
    for row in list(csv.reader(io.StringIO(text, newline="")))[1:]:
        for cell in row:
            assert not cell.startswith(("=", "+", "@", "\t", "\r"))
            assert not cell.startswith("-") or int(cell) < 0


@given(FORMULAS)
def test_what_was_guarded_is_still_all_there(text: str) -> None:
    assert harmless(text) == f"'{text}"


def test_a_formula_in_the_book_is_harmless_in_the_csv(inspector: Client) -> None:
    write([finding(1, observed={"said": "=1+1"}, where={"owner": "@SUM(A1)"})])
    [row] = rows(inspector, "")
    assert all(not cell.startswith(("=", "+", "@")) for cell in row.values())


def test_what_was_written_in_a_record_is_shown_as_text(inspector: Client) -> None:
    evil = "<img src=x onerror=alert(1)>"
    write([finding(1, where={"owner": evil}, observed={"said": evil})])
    entry = Finding.objects.get().pk
    for address in (LIST, f"{LIST}{entry}/change/", "/admin/", "/law/pt/21/"):
        page = flat(inspector.get(address))
        assert evil not in page, address


def test_nobody_adds_changes_or_deletes_a_finding(inspector: Client) -> None:
    write([finding(1)])
    entry = Finding.objects.get().pk
    for address in (f"{LIST}add/", f"{LIST}{entry}/delete/"):
        assert inspector.get(address).status_code in (403, 404)
        assert inspector.post(address, {"post": "yes"}).status_code in (403, 404)
    assert inspector.post(LIST, {"action": "delete_selected", "_selected_action": [str(entry)]})
    assert Finding.objects.count() == 1


def test_a_finding_that_is_not_there_is_not_found(inspector: Client) -> None:
    for entry in (uuid4(), "nonsense", "1"):
        assert inspector.get(f"{LIST}{entry}/change/").status_code == 404


def test_a_spreadsheet_of_findings_says_its_codes_in_words(
    inspector: Client, recorded: dict[str, Any]
) -> None:
    answer = inspector.get(f"{LIST}csv/?state=open&as=xlsx")
    book = load_workbook(io.BytesIO(b"".join(answer.streaming_content)))
    head, *rows = book.worksheets[0].iter_rows(values_only=True)
    row = dict(zip(head, rows[0], strict=True))
    assert (row["gravidade"], row["estado"]) == ("infração", "por resolver")
    assert (row["em dívida"], row["em dívida a quem"]) == (10, "ao jogador")
    asked = {line[0]: line[1] for line in book["Integridade"].iter_rows(values_only=True)}
    assert asked["Linhas"] == len(rows) == len(listed(inspector, "state=open"))
    assert asked["Filtro: Estado"] == "por resolver"
