"""What is owed: below the list for its filter, and by player, table, dealer and day."""

import csv
from collections.abc import Callable
from datetime import date, timedelta
from io import StringIO
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from audit import sums_owed
from audit.answers import Stretch
from audit.models import Finding
from audit.sums_owed import Owed
from tests.audit.reconciling import reconcile
from tests.factories.evenings import an_evening, partida_of
from tests.factories.findings import DAY, client_of, finding, no_longer, people, said, write
from tests.factories.findings_at_size import fill
from tests.gate import size

pytestmark = pytest.mark.share

PAGE, LIST = "/audit/owed/", "/admin/audit/finding/"
NIGHT = Stretch(DAY, DAY)


@pytest.fixture
def inspector(db: None) -> Client:
    people()
    return client_of("inspetor")


def at(table: str, number: int = 1, day: date = DAY) -> dict[str, Any]:
    return {"table": table, "partida": f"{table}/{day}/{number}", "gaming_day": day}


def four() -> None:
    """Two players J4 of two games, one sum to the house, one that was cured, one day before."""
    house = {"owed_cents": 500, "owed_to": "house", "where": {"box": 1, "owner": "J1"}}
    before = DAY - timedelta(days=1)
    write(
        [
            finding(1, **at("BJ-01")),
            finding(2, **at("BJ-01", 2), owed_cents=250),
            finding(3, **at("BJ-02"), **house),
            finding(4, **at("BJ-02")),
            no_longer(4),
            finding(5, **at("BJ-02", day=before), owed_cents=40),
            finding(6, owed_cents=0, owed_to=None, **at("BJ-01")),
        ]
    )


def spaced(amount: str) -> str:
    return amount.replace("\N{NO-BREAK SPACE}", " ")


def lines(client: Client, address: str = PAGE) -> dict[str, list[tuple[str, str, int, str, str]]]:
    groups = client.get(address).context["groups"]
    return {
        what: [
            (one.who, one.game, one.findings, spaced(one.to_players), spaced(one.to_house))
            for one in of
        ]
        for what, of, _left in groups
    }


def test_unresolved_sums_are_added_up_by_player_table_dealer_and_day(inspector: Client) -> None:
    four()
    shown = lines(inspector)
    assert shown["Jogador"] == [
        ("J4", f"BJ-01/{DAY}/1", 1, "10,00 €", ""),
        ("J1", f"BJ-02/{DAY}/1", 1, "", "5,00 €"),
        ("J4", f"BJ-01/{DAY}/2", 1, "2,50 €", ""),
        ("J4", f"BJ-02/{DAY - timedelta(days=1)}/1", 1, "0,40 €", ""),
    ]
    assert shown["Mesa"] == [
        ("BJ-01", "", 2, "12,50 €", ""),
        ("BJ-02", "", 2, "0,40 €", "5,00 €"),
    ]
    assert shown["Pagador"] == [("não indicado", "", 4, "12,90 €", "5,00 €")]
    assert [one[2:] for one in shown["Dia de jogo"]] == [
        (3, "12,50 €", "5,00 €"),
        (1, "0,40 €", ""),
    ]


def test_only_the_days_and_the_table_asked_are_added_up(inspector: Client) -> None:
    four()
    shown = lines(inspector, f"{PAGE}?from={DAY}&to={DAY}&table=BJ-02")
    assert shown["Mesa"] == [("BJ-02", "", 1, "", "5,00 €")]


def test_days_upside_down_are_no_answer(inspector: Client) -> None:
    four()
    before = DAY - timedelta(days=1)
    page = said(inspector, f"{PAGE}?from={DAY}&to={before}")
    assert "O primeiro dia é posterior ao último." in page
    assert "Nenhuma constatação por resolver destes dias" not in page


def test_every_line_that_leads_to_a_list_leads_to_its_findings(inspector: Client) -> None:
    four()
    for what, of, _left in inspector.get(PAGE).context["groups"]:
        for one in of:
            if one.url and what in ("Jogador", "Mesa"):
                found = inspector.get(one.url).context["cl"].queryset.filter(owed_cents__gt=0)
                assert found.count() == one.findings, (what, one)


def test_the_dealer_is_whom_the_round_names(inspector: Client) -> None:
    an_evening(rounds=3, wrong=[2])
    reconcile("first")
    row = next(row for row in sums_owed.rows(NIGHT) if row.partida == partida_of())
    from casino.models import Round

    assert row.dealer == Round.objects.filter(partida_id=partida_of()).first().dealer
    assert row.owed == Owed(1, 500, 0)


def test_where_nothing_is_owed_that_is_said(inspector: Client) -> None:
    assert "Nenhuma constatação por resolver" in said(inspector, PAGE)
    assert "No unresolved finding of these days owes money." in said(
        client_of("inspetor", "en"), PAGE
    )


def test_the_file_holds_the_same_sums(inspector: Client) -> None:
    four()
    answer = inspector.get(f"{PAGE}csv/?from={DAY}&to={DAY}")
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    listed = list(csv.DictReader(StringIO(text)))
    by_table = {
        (row["who"], row["owed_to"]): row["owed_cents"] for row in listed if row["by"] == "table"
    }
    assert by_table == {("BJ-01", "player"): "1250", ("BJ-02", "house"): "500"}
    for by in ("player", "table", "dealer", "day"):
        assert sum(int(row["owed_cents"]) for row in listed if row["by"] == by) == 1750, by
    assert client_of("chefia_da_sala").get(f"{PAGE}csv/").status_code == 403


# -- Below the list --------------------------------------------------------------------------------


def below(client: Client, query: str) -> tuple[Owed, Owed]:
    sums = client.get(f"{LIST}?{query}").context["owed"]
    return sums.all, sums.unresolved


def test_of_many_lines_the_largest_are_shown_and_the_total_is_of_all(
    inspector: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    four()
    monkeypatch.setattr("audit.pages.findings.owed_page.SHOWN", 2)
    groups = {what: (lines, left) for what, lines, left in inspector.get(PAGE).context["groups"]}
    assert [one.who for one in groups["Jogador"][0]] == ["J4", "J1"]
    assert [left for _lines, left in groups.values()] == [2, 0, 0, 0]
    page = said(inspector, PAGE)
    assert "e mais 2, que constam do ficheiro" in page
    assert page.count("12,90 €") >= 4  # each group's total is of all


def test_the_list_adds_up_exactly_its_filter(inspector: Client) -> None:
    four()
    assert below(inspector, "") == (Owed(5, 2290, 500), Owed(4, 1290, 500))
    assert below(inspector, "table=BJ-02") == (Owed(3, 1040, 500), Owed(2, 40, 500))
    assert below(inspector, "state=cured") == (Owed(1, 1000, 0), Owed(0, 0, 0))
    page = said(inspector, f"{LIST}?table=BJ-02")
    assert "Em dívida aos jogadores 10,40 € 0,40 €" in page
    assert "Em dívida à casa 5,00 € 5,00 €" in page


def test_a_list_that_owes_nothing_says_nothing_of_money(inspector: Client) -> None:
    write([finding(1, owed_cents=0, owed_to=None)])
    assert "owed" not in inspector.get(LIST).context


@pytest.mark.django_db
def test_whoever_reads_his_own_alone_sees_the_sum_of_his_own() -> None:
    people()
    four()
    own = client_of("fiscal_de_banca")
    assert own.get(PAGE).status_code == 403
    assert "owed" not in own.get(LIST).context


def test_more_than_can_be_added_is_said(inspector: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sums_owed, "MOST", 2)
    four()
    assert not inspector.get(LIST).context["owed"].whole
    assert "Só se somam as 2 mais recentes" in said(inspector, LIST)
    assert "Só se somam as 2 mais recentes" in said(inspector, PAGE)


@pytest.mark.check
def test_sums_over_a_full_book_ask_few_questions(
    fresh_db: str, connect_as: Callable[..., psycopg.Connection]
) -> None:
    people()
    fill(connect_as("postgres", autocommit=True), size(2_000, 20_000, 200_000))
    inspector = client_of("inspetor")
    oldest = Finding.objects.order_by("gaming_day").values_list("gaming_day", flat=True)[0]
    for address in (PAGE, f"{PAGE}?from={oldest}", LIST):
        with CaptureQueriesContext(connection) as asked:
            assert inspector.get(address).status_code == 200
        # Two of them offer the people and games it is filtered by.
        assert len(asked) <= 16, [one["sql"][:80] for one in asked.captured_queries]
