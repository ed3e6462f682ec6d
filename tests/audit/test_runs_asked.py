"""Runs asked for on a page: the record judged again, what would hold otherwise, one's own list."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from audit.models import Finding, Reconciliation, ReconciliationResult, RunSheet
from audit.pools.replays_due import replay_wanted
from audit.reconcile import run_wanted
from audit.reconcile.request_run import is_late
from audit.reconcile.run_wanted import MOST_DAYS, RunRefused, Wanted, asked_of, versions, want
from audit.runs.current_findings import standing
from audit.verifying.run_verification import ask_for_verification
from casino.events.tables import TableRegistered
from casino.law.rulebook.rulebook_file import load_law
from casino.models import BookEntry, JobOutbox
from tests.audit.reconciling import reconcile
from tests.factories.evenings import DAY, MANAGER, an_evening, partida_of, played, record_events
from tests.factories.findings import PEOPLE, client_of, people, said
from tests.jobs_inline import do_jobs

pytestmark = pytest.mark.share

NEW, MINE = "/reconciliations/new/", "/audit/requests/"
THE_DAY = {"from": DAY, "to": DAY}
BUST = {"rulebook": "pt", "reading.bank-bust": "nearer_wins"}
ME = PEOPLE["inspetor"]
OF_DAY = Wanted(DAY, DAY)


@pytest.fixture
def evening(db: None) -> None:
    """Two tables of one evening, each with a round that was paid short."""
    people()
    for table in ("BJ-01", "BJ-02"):
        record_events(TableRegistered(table=table, boxes=7), by=MANAGER)
        an_evening(table, rounds=3, wrong=[1])


def ask(client: Client, **more: Any) -> Any:
    """Ask as a person does: look at what it would touch, then ask for it."""
    looked = client.post(NEW, {**THE_DAY, **more})
    return client.post(NEW, {**THE_DAY, **more, "seen": looked.context["seen"]})


def run_of(answer: Any) -> UUID:
    assert answer.status_code == 302
    return UUID(answer.url.strip("/").rpartition("/")[2])


@pytest.mark.usefixtures("evening")
def test_what_it_would_look_at_is_said_before_anything_begins() -> None:
    inspector = client_of("inspetor")
    looked = inspector.post(NEW, THE_DAY)
    assert looked.context["found"] == (1, 2, 6, 0, 2)
    for words in ("Ainda nada foi pedido", "1 dia de jogo", "2 partidas", "6 jogadas"):
        assert words in said_in(looked)
    assert inspector.post(NEW, {**THE_DAY, "table": "BJ-02"}).context["found"] == (1, 1, 3, 0, 1)
    assert not JobOutbox.objects.filter(key__startswith=run_wanted.ASKED).exists()


@pytest.mark.usefixtures("evening")
def test_what_was_changed_after_it_was_shown_is_shown_again() -> None:
    inspector = client_of("inspetor")
    seen = inspector.post(NEW, THE_DAY).context["seen"]
    answer = inspector.post(NEW, {**THE_DAY, "table": "BJ-01", "seen": seen})
    assert (answer.status_code, answer.context["found"].games) == (200, 1)
    assert not JobOutbox.objects.filter(key__startswith=run_wanted.ASKED).exists()


@pytest.mark.usefixtures("evening")
def test_the_record_is_judged_again_and_the_entry_names_who_asked() -> None:
    answer = ask(client_of("inspetor"))
    run = run_of(answer)
    waits = said(client_of("inspetor"), answer.url)
    assert "espera por um executor" in waits
    assert ME in waits
    assert client_of("auditor").get(f"{answer.url}progress/").json()["state"] == "open"
    do_jobs(topic="reconciliation")
    began = Reconciliation.objects.get(run=run)
    assert (began.asked_by, began.reason, began.tables) == (ME, "asked", None)
    assert f'"asked_by":"{ME}"' in bytes(BookEntry.objects.get(pk=began.entry_id).entry).decode()
    assert ReconciliationResult.objects.get(run=run).findings == Finding.objects.count() > 0
    assert "Terminada" in said(client_of("inspetor"), answer.url)


@pytest.mark.usefixtures("evening")
def test_of_some_tables_nothing_is_said_of_the_others() -> None:
    reconcile("own", partida="", from_day=date.fromisoformat(DAY), to_day=date.fromisoformat(DAY))
    before = set(standing().values_list("key", flat=True))
    answer = ask(client_of("auditor"), table="BJ-02")
    do_jobs(topic="reconciliation")
    run = run_of(answer)
    result = ReconciliationResult.objects.get(run=run)
    assert (result.rounds, result.raised, result.superseded) == (3, 0, 0)
    assert {one["stream"] for one in result.read_up_to} == {"house", "table/BJ-02"}
    assert set(standing().values_list("key", flat=True)) == before
    assert Reconciliation.objects.get(run=run).tables == ["BJ-02"]
    assert "mesa BJ-02" in said(client_of("auditor"), answer.url)


@pytest.mark.usefixtures("evening")
def test_a_late_record_is_still_late_after_a_run_of_tables() -> None:
    reconcile("own", partida=partida_of())
    record_events(played("late", place=9))
    assert is_late(partida_of())
    want(asked_of(OF_DAY._replace(tables=["BJ-01"]), ME))
    do_jobs(topic="reconciliation")
    assert is_late(partida_of())  # judged twice rather than not at all


@pytest.mark.usefixtures("evening")
def test_every_table_named_is_the_whole_day() -> None:
    assert asked_of(OF_DAY._replace(tables=["BJ-01", "BJ-02"]), ME).tables == ()


@pytest.mark.usefixtures("evening")
def test_a_what_if_changes_nothing_of_the_record() -> None:
    reconcile("own", partida="", from_day=date.fromisoformat(DAY), to_day=date.fromisoformat(DAY))
    before = set(standing().values_list("key", flat=True))
    answer = ask(client_of("inspetor"), **BUST, table="BJ-01")
    do_jobs(topic="reconciliation")
    run = run_of(answer)
    sheet = RunSheet.objects.get(run=run)
    assert (sheet.rulebook, sheet.readings, sheet.tables) == (
        "pt",
        {"bank-bust": "nearer_wins"},
        ["BJ-01"],
    )
    assert sheet.compared["counts"]["vanish"] == 0  # what stands of BJ-02 is not looked at
    assert set(standing().values_list("key", flat=True)) == before
    page = said(client_of("inspetor"), answer.url)
    assert "não altera nenhuma constatação" in page
    assert "conta só a distância a 21, também para a banca" in page


@pytest.mark.usefixtures("evening")
def test_each_reading_is_explained_and_its_choices_are_the_laws() -> None:
    page = client_of("inspetor").get(NEW, BUST)
    law = load_law("pt")
    assert len(page.context["readings"]) == len(law.readings)
    (first, *_) = page.context["readings"]
    assert (first.chosen, first.reading.others) == (
        "nearer_wins",
        [("nearer_wins", "conta só a distância a 21, também para a banca")],
    )
    assert "a banca que passa de 21 perde com todas as mãos em jogo" in said_in(page)
    assert "Um total acima de 21 nunca conta" in said_in(page)
    assert page.context["versions"] == []  # this rulebook never changed
    assert versions(law) == [date(1900, 1, 1)]
    english = client_of("inspetor", "en").get(NEW, BUST)
    assert "Only the distance to 21 counts" in said_in(english)


def said_in(page: Any) -> str:
    return " ".join(page.content.decode().split())


REFUSED: Mapping[str, tuple[dict[str, object], str]] = {
    "no days": ({"from": "", "to": ""}, "Indique de que dia de jogo"),
    "no day": ({"from": "ontem"}, "Indique de que dia de jogo"),
    "backwards": ({"to": "2025-11-19"}, "posterior ao último"),
    "to come": ({"to": "2999-01-01"}, "ainda não começou"),
    "of old": ({"from": "0001-01-01"}, "O livro não tem"),
    "too long": ({"from": "2024-11-19"}, f"{MOST_DAYS} dias"),
    "no game": ({"from": "2025-11-01", "to": "2025-11-02"}, "Nenhuma partida"),
    "no table": ({"table": "BJ-99"}, "BJ-99"),
    "bytes": ({"table": "B\x00"}, "mesa"),
    "no rulebook": ({"rulebook": "xx"}, "Escolha um dos regulamentos"),
    "no reading": ({"rulebook": "pt", "reading.x": "y"}, "Escolha uma das leituras"),
    "no choice": ({**BUST, "reading.bank-bust": "loses"}, "Escolha uma das leituras"),
    "no version": ({**BUST, "law_day": "2024-01-01"}, "Escolha um dos dias"),
    "nothing else": ({"rulebook": "pt"}, "escolha uma leitura"),
}


@pytest.mark.parametrize("what", REFUSED)
@pytest.mark.usefixtures("evening")
def test_what_no_run_can_be_of_is_refused_in_words(what: str) -> None:
    sent, words = REFUSED[what]
    answer = client_of("inspetor").post(NEW, {**THE_DAY, **sent})
    assert answer.status_code == 400
    assert words in answer.context["refused"]
    assert "Nada foi pedido" in said_in(answer)


@pytest.mark.usefixtures("evening")
def test_as_many_days_as_one_run_holds_are_not_too_many() -> None:
    last = date.fromisoformat(DAY)
    first = last - timedelta(days=MOST_DAYS - 1)
    assert asked_of(Wanted(first.isoformat(), DAY), ME).from_day == first
    with pytest.raises(RunRefused):
        asked_of(Wanted((first - timedelta(days=1)).isoformat(), DAY), ME)


@pytest.mark.usefixtures("evening")
def test_the_same_asked_twice_at_once_is_one_run_of_each_person() -> None:
    asked = asked_of(OF_DAY, ME)
    run = want(asked)
    assert want(asked) == run
    assert want(asked_of(OF_DAY, PEOPLE["auditor"])) != run
    want(asked_of(OF_DAY._replace(tables=["BJ-01"]), ME))
    with pytest.raises(RunRefused):
        want(asked_of(OF_DAY._replace(tables=["BJ-02"]), ME))
    assert want(asked) == run  # what is under way already is no third one
    do_jobs(topic="reconciliation")
    assert want(asked) != run


@pytest.mark.check
def test_asked_by_several_hands_at_the_same_moment_it_is_one_run(fresh_db: str) -> None:
    people()
    an_evening(rounds=1)
    asked = asked_of(OF_DAY, ME)

    def hand(_: int) -> UUID:
        try:
            return want(asked)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as hands:
        assert len(set(hands.map(hand, range(8)))) == 1
    assert JobOutbox.objects.filter(key__startswith=run_wanted.ASKED).count() == 1


@pytest.mark.usefixtures("evening")
def test_whom_findings_are_held_against_asks_for_no_run() -> None:
    for office in ("fiscal_de_banca", "fiscal_chefe", "chefia_da_sala", "administrador"):
        client = client_of(office)
        assert client.get(NEW).status_code == 403
        assert client.post(NEW, {**THE_DAY, "seen": "x"}).status_code == 403
    assert not JobOutbox.objects.filter(key__startswith=run_wanted.ASKED).exists()


@pytest.mark.usefixtures("evening")
def test_ones_own_requests_stand_on_one_page_and_nobody_elses() -> None:
    inspector = client_of("inspetor")
    assert "Ainda não pediu nada" in said(inspector, MINE)
    assert reverse("own-requests") in inspector.get("/admin/").content.decode()
    reconcile("own", partida="", from_day=date.fromisoformat(DAY), to_day=date.fromisoformat(DAY))
    run = run_of(ask(inspector, **BUST))
    verification = ask_for_verification(ME)
    replay_wanted("JP-1", by=ME)
    ask(client_of("auditor"))
    page = inspector.get(MINE)
    listed = {one.url: one for one in page.context["requests"]}
    assert len(listed) == 3
    assert listed[reverse("run", args=[run])].state[2] == "espera por um executor"
    assert reverse("book-verification", args=[verification]) in listed
    do_jobs(topic="reconciliation")
    state = {one.url: one for one in inspector.get(MINE).context["requests"]}
    ended = state[reverse("run", args=[run])]
    assert (ended.state[0], ended.came_to) == ("kept", "0 diferenças")
    assert [one.what for one in client_of("auditor").get(MINE).context["requests"]] != []
    assert client_of("chefia_da_sala").get(MINE).context["requests"] == []
    assert NEW not in said(client_of("chefia_da_sala"), MINE)
