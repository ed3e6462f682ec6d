"""The auditor's pages: who may open what, the overview, a finding."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from uuid import uuid4

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from audit.events import MOST_EVIDENCE
from audit.models import Finding
from casino import clock
from tests.factories.evenings import MANAGER, PIT, an_evening, opened, played, record_all
from tests.factories.findings import (
    DAY,
    NOWHERE,
    PEOPLE,
    RUN,
    a_run,
    client_of,
    finding,
    no_longer,
    people,
    said,
    text_of,
    write,
)

pytestmark = [pytest.mark.django_db, pytest.mark.share]
LIST = "/admin/audit/finding/"
READS_ALL = {"fiscal_chefe", "chefia_da_sala", "inspetor", "auditor"}
EXPORTS = {"inspetor", "auditor"}


def at(monkeypatch: pytest.MonkeyPatch, moment: datetime) -> None:
    """Let it be this moment."""
    monkeypatch.setattr(clock, "now", lambda: moment)


# -- Who may open what -----------------------------------------------------------------------------


@pytest.fixture
def one_of_each() -> list[str]:
    """An address of every page, with a finding of a partida nobody here answered for."""
    people()
    write([finding(1)])
    a_run(DAY)
    entry = Finding.objects.get().pk
    return [
        LIST,
        f"{LIST}{entry}/change/",
        f"{LIST}csv/",
        "/admin/audit/reconciliation/",
        f"/reconciliations/{RUN}/",
    ]


@pytest.mark.parametrize("office", PEOPLE)
def test_pages_open_by_office(one_of_each: list[str], office: str) -> None:
    client = client_of(office)
    opens = [client.get(address).status_code for address in one_of_each]
    everything, own = office in READS_ALL, office == "fiscal_de_banca"
    assert opens == [
        200 if everything or own else 403,
        200 if everything else 404 if own else 403,
        200 if office in EXPORTS else 403,
        200 if everything else 403,
        200 if everything else 404,
    ]


@pytest.mark.parametrize("office", PEOPLE)
def test_everybody_reads_the_law_and_sees_an_overview(one_of_each: list[str], office: str) -> None:
    client = client_of(office)
    for address in ("/admin/", "/law/pt/", "/law/pt/21/"):
        assert client.get(address).status_code == 200
    sees = "40,00" in said(client, "/law/pt/21/")
    assert sees == (office in READS_ALL)


def test_a_stranger_is_asked_who_he_is(one_of_each: list[str]) -> None:
    for address in [*one_of_each, "/admin/", "/law/pt/", "/law/pt/21/"]:
        answer = Client().get(address)
        assert answer.status_code in (302, 404), address
        if answer.status_code == 302:
            assert answer["Location"].startswith("/admin/login/")


def test_an_office_that_ended_opens_nothing(one_of_each: list[str]) -> None:
    from casino.events.staff import OfficeEnded
    from tests.factories.findings import OWNER

    ended = OfficeEnded(
        staff="I-0021", office="inspetor", ended_at=datetime.now(UTC), ended_by="S-0001"
    )
    write([ended], OWNER)
    assert client_of("inspetor").get(LIST).status_code == 403


def test_a_pit_supervisor_reads_what_he_answered_for() -> None:
    people()
    record_all(
        [
            opened("BJ-04", "2025-11-20", fiscal_de_banca="S-0187"),
            opened("BJ-05", "2025-11-20", fiscal_de_banca="S-0999"),
        ],
        by=MANAGER,
    )
    write(
        [
            finding(1, table="BJ-04", partida="BJ-04/2025-11-20/1"),
            finding(2, table="BJ-05", partida="BJ-05/2025-11-20/1"),
        ]
    )
    pit = client_of("fiscal_de_banca")
    assert [f.table_code for f in pit.get(LIST).context["cl"].result_list] == ["BJ-04"]
    assert "BJ-05" not in said(pit, "/admin/")
    hidden = Finding.objects.get(table_code="BJ-05").pk
    assert pit.get(f"{LIST}{hidden}/change/").status_code == 404


def test_whoever_may_not_open_a_reconciliation_is_not_sent_there() -> None:
    people()
    record_all([opened("BJ-04", "2025-11-20", fiscal_de_banca="S-0187")], by=MANAGER)
    write([finding(1, table="BJ-04", partida="BJ-04/2025-11-20/1")])
    address = f"{LIST}{Finding.objects.get().pk}/change/"
    for office, led in (("fiscal_de_banca", False), ("fiscal_chefe", True)):
        page = client_of(office).get(address).content.decode()
        assert (f"/reconciliations/{RUN}/" in page) is led


@pytest.fixture
def inspector() -> Client:
    people()
    return client_of("inspetor")


# -- The overview ----------------------------------------------------------------------------------


def test_the_overview_counts_what_is_open(inspector: Client) -> None:
    write(
        [
            finding(1),
            finding(2),
            finding(3, severity="warning"),
            finding(4, severity="note"),
            finding(5),
            no_longer(5),
        ]
    )
    panel = inspector.get("/admin/").context["panels"][0].values
    assert [(one["tone"], one["number"]) for one in panel["gravities"]] == [
        ("breach", "2"),
        ("deviation", "0"),
        ("warning", "1"),
        ("note", "1"),
    ]
    assert [one["word"] for one in panel["gravities"]] == ["infrações", "desvios", "aviso", "nota"]
    for one in panel["gravities"]:
        shown = inspector.get(one["url"]).context["cl"].result_count
        assert str(shown) == one["number"]


def test_the_overview_tells_which_tables_are_open(inspector: Client) -> None:
    an_evening("BJ-01", close=True)
    an_evening("BJ-02", close=False)
    an_evening("BJ-03", close=False)
    panel = inspector.get("/admin/").context["panels"][0].values
    assert [partida.table_code for partida in panel["partidas"]] == ["BJ-02", "BJ-03"]
    assert "2 Mesas abertas BJ-02, BJ-03" in said(inspector, "/admin/")


def test_the_overview_shows_fourteen_days(
    inspector: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    at(monkeypatch, datetime(2025, 11, 20, 22, tzinfo=UTC))
    write(
        [finding(n, gaming_day=DAY - timedelta(days=n), severity="note") for n in range(1, 20)]
        + [finding(100), finding(101)]
    )
    panel = inspector.get("/admin/").context["panels"][0].values
    assert [row["day"] for row in panel["by_day"]] == [
        DAY - timedelta(days=13 - n) for n in range(14)
    ]
    assert [row["numbers"] for row in panel["by_day"]] == [[0, 0, 0, 1]] * 13 + [[2, 0, 0, 0]]
    assert panel["chart"].count("<g>") == 14


def test_a_day_nobody_reconciled_stands_on_top(
    inspector: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    today = datetime.now(UTC)
    at(monkeypatch, today + timedelta(days=3))
    assert "dias de jogo nunca foram conferidos" in said(inspector, "/admin/")
    for back in range(5):
        at(monkeypatch, today + timedelta(days=3))
        day = (today + timedelta(days=3 - back)).date()
        _a_late_run(day, today + timedelta(days=3))
    assert "nunca fo" not in said(inspector, "/admin/")


def _a_late_run(day: date, now: datetime) -> None:
    from audit.events import ReconciliationFinished, ReconciliationStarted, RunScope

    run, scope = str(uuid4()), RunScope(from_day=day, to_day=day)
    write(
        [ReconciliationStarted(run=run, scope=scope, reason="asked", code_version="1", laws=())],
        at=now,
    )
    ended = ReconciliationFinished(
        run=run,
        scope=scope,
        entries=0,
        rounds=0,
        findings=0,
        raised=0,
        superseded=0,
        undecided=0,
        digest="0" * 64,
        read_up_to=(),
    )
    write([ended], at=now)


def test_the_overview_tells_the_last_reconciliation(inspector: Client) -> None:
    assert "Nunca conferido" in said(inspector, "/admin/")
    a_run(DAY, ended=False)
    assert "Conferência por terminar" in said(inspector, "/admin/")
    a_run(DAY, run=str(uuid4()))
    assert "Última conferência terminada" in said(inspector, "/admin/")


def test_every_page_asks_few_questions(
    inspector: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    entries = [receipt.entry_id for receipt in an_evening(wrong=(1, 2))]
    write([finding(n, evidence=(str(entries[1]),)) for n in range(1, 40)])
    a_run(DAY)
    entry = Finding.objects.order_by("n").first()
    assert entry is not None
    for address in (
        "/admin/",
        LIST,
        f"{LIST}{entry.pk}/change/",
        "/law/pt/",
        "/law/pt/21/",
        "/admin/audit/reconciliation/",
        f"/reconciliations/{RUN}/",
    ):
        # The first page asks besides what is due at the tables and of the jackpots, what stands
        # still and what mail was not read; a finding's its case and the text in force.
        most = {"/admin/": 24, f"{LIST}{entry.pk}/change/": 15}
        with django_assert_max_num_queries(most.get(address, 13)):
            assert inspector.get(address).status_code == 200


# -- A finding -------------------------------------------------------------------------------------


def test_a_finding_tells_fact_rule_values_evidence_and_history(inspector: Client) -> None:
    receipts = record_all(
        [opened(day="2025-11-20"), played("wrong", day="2025-11-20", returned=1500)]
    )
    round_entry = receipts[1].entry_id
    write([finding(1, evidence=(str(round_entry),), partida="BJ-01/2025-11-20/1"), no_longer(1)])
    write([finding(1, evidence=(str(round_entry),), partida="BJ-01/2025-11-20/1")])
    entry = Finding.objects.order_by("-n").first()
    assert entry is not None
    page = said(inspector, f"{LIST}{entry.pk}/change/")
    for words in (
        "Lugar 4, mão 1, J4 de BJ-01/2025-11-20/1 (blackjack): "
        "foram entregues 40,00 € e eram devidos 50,00 €",
        "n.º 21, Pagamento do blackjack",
        "Portaria n.º 217/2007, de 26/02/2007 (a confirmar pelo jurista da casa)",
        "O blackjack ganha uma vez e meia a postura.",
        "a banca não espreita a segunda carta",  # the reading it hangs on
        "10,00 € ao jogador",
        "Lugar 4",
        str(round_entry),
        "registo 2, mesa BJ-01",
        PIT.staff,
        "Por resolver",
        "Sanada",
    ):
        assert words in page
    assert len(inspector.get(f"{LIST}{entry.pk}/change/").context["history"]) == 3
    assert "10 de espadas, 8 de ouros" in page  # the round step by step


def test_a_finding_may_rest_on_what_is_gone_or_on_very_many_entries(
    inspector: Client,
) -> None:
    write([finding(1, evidence=tuple(replace(NOWHERE, n=n) for n in range(1, MOST_EVIDENCE + 1)))])
    entry = Finding.objects.get()
    assert "e mais 280 registos" in said(inspector, f"{LIST}{entry.pk}/change/")


def test_a_finding_of_the_house_cites_no_article(inspector: Client) -> None:
    write(
        [
            finding(
                1,
                rulebook="house",
                article="house.reconciliation",
                check="day_reconciled",
                table=None,
                evidence=(),
                where={"day": "2025-11-19"},
                observed={},
                expected={},
                owed_cents=0,
                owed_to=None,
                readings=(),
            )
        ]
    )
    entry = Finding.objects.get()
    page = inspector.get(f"{LIST}{entry.pk}/change/").content.decode()
    assert "/law/" not in text_of(page)
    assert 'href="/law/house' not in page
    assert inspector.get(LIST).status_code == 200
    assert inspector.get("/admin/").status_code == 200


def test_a_finding_of_a_book_and_a_check_this_program_lacks_is_shown(inspector: Client) -> None:
    write([finding(1, rulebook="it", article="9", check="forgotten", readings=("no-such",))])
    entry = Finding.objects.get()
    assert "forgotten" in said(inspector, f"{LIST}{entry.pk}/change/")
