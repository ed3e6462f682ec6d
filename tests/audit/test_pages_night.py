"""The night on one page: what an inspector reads of a gaming day without a further click."""

import csv
from dataclasses import replace
from datetime import timedelta
from io import StringIO

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from audit.models import Export
from audit.night.night_queries import tables_of
from audit.night.what_counts import WhatCounts
from casino.events.complaints import ComplaintDecided, ComplaintReceived
from casino.events.floor_life import ChipsCounted, DealerTookTable, DropCounted, TableHandedOver
from casino.events.incidents import IncidentReported, Person
from casino.events.notices import NoticeSent
from casino.events.partidas import ChipCount, PartidaClosed
from casino.events.shoes import PlayInterrupted
from casino.events.staff import DutyBegun, DutyEnded
from casino.house_day import gaming_day_now
from casino.recording import Actor
from jackpot.events import JackpotStarted
from tests.audit.reconciling import reconcile
from tests.factories import pools
from tests.factories.evenings import MANAGER, PIT, an_evening, opened, record_events
from tests.factories.exposed_evenings import at, deal, dealt, open_table, short, where
from tests.factories.findings import DAY, client_of, finding, people, said, write
from tests.factories.withdrawals import ask_to_withdraw, withdraw
from tests.gate import ROOT

pytestmark = [pytest.mark.django_db, pytest.mark.share]
CHEFE = Actor("S-0104", "fiscal_chefe", "admin")
PAGE = f"/audit/night/{DAY}/"
SEES = {"fiscal_chefe", "chefia_da_sala", "inspetor", "auditor"}


@pytest.fixture
def inspector() -> Client:
    people()
    return client_of("inspetor")


def spaced(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


def night(client: Client, address: str = PAGE) -> str:
    return spaced(said(client, address))


def table(client: Client, code: str) -> dict[str, object]:
    lines = client.get(PAGE).context["tables"]
    return next(one for one in lines if one["code"] == code)


# -- Who opens it, and which day -------------------------------------------------------------------


@pytest.mark.parametrize(
    "office",
    ["fiscal_de_banca", "fiscal_chefe", "chefia_da_sala", "inspetor", "auditor", "administrador"],
)
def test_whoever_reads_all_opens_it_and_nobody_else(office: str) -> None:
    people()
    client = client_of(office)
    assert client.get(PAGE).status_code == (200 if office in SEES else 403)
    assert ("/audit/night/" in client.get("/admin/").content.decode()) is (office in SEES)


def test_without_a_day_it_is_the_night_before(inspector: Client) -> None:
    answer = inspector.get("/audit/night/")
    assert answer.headers["Location"] == f"/audit/night/{gaming_day_now() - timedelta(days=1)}/"


@pytest.mark.parametrize(
    "day", ["2025-13-40", "20251120", "2025-W47-4", "0001-01-01", "9999-12-31", "amanha"]
)
def test_what_is_no_day_of_a_book_is_not_there(inspector: Client, day: str) -> None:
    assert inspector.get(f"/audit/night/{day}/").status_code == 404


def test_the_days_beside_it_lead_on(inspector: Client) -> None:
    page = inspector.get(PAGE).content.decode()
    assert "/audit/night/2025-11-19/" in page
    assert "/audit/night/2025-11-21/" in page
    today = inspector.get(f"/audit/night/{gaming_day_now()}/")
    assert today.context["after"] is None
    assert today.context["lasts"]


def test_an_empty_night_says_so_of_everything(inspector: Client) -> None:
    page = night(inspector)
    for words in (
        "Nenhuma mesa esteve aberta neste dia de jogo.",
        "Nenhuma constatação por resolver deste dia deve dinheiro.",
        "Não consta incidente nem defeito de baralho.",
        "Não consta reclamação.",
        "Não consta ninguém de serviço.",
    ):
        assert words in page
    to_come = night(inspector, f"/audit/night/{gaming_day_now() + timedelta(days=3)}/")
    assert "Este dia de jogo ainda não começou." in to_come


def test_it_is_read_in_english_too() -> None:
    people()
    assert "No table was open on this gaming day." in said(client_of("inspetor", "en"), PAGE)


# -- Tables ----------------------------------------------------------------------------------------


def test_rounds_money_hours_and_what_is_owed_stand_by_table(inspector: Client) -> None:
    an_evening("BJ-01", rounds=3, wrong=[2])
    an_evening("BJ-02", rounds=2)
    reconcile("first")
    one = table(inspector, "BJ-01")
    money = [spaced(str(one[name])) for name in ("staked", "returned", "result", "to_players")]
    assert (one["rounds"], money) == (3, ["30,00 €", "55,00 €", "-25,00 €", "5,00 €"])
    assert one["open"] == "21:00–21:00"  # opened and closed within the minute
    assert table(inspector, "BJ-02")["to_players"] == ""
    page = night(inspector)
    assert "Devido a jogadores 5,00 €" in page
    assert "J1 BJ-01/2025-11-20/1" in page  # to whom, on the same page


def test_a_corrected_round_counts_once(inspector: Client) -> None:
    from tests.factories.evenings import correct, played

    receipts = an_evening(rounds=2)
    correct(receipts[1], played("r1", returned=1000, place=1))
    assert table(inspector, "BJ-01")["rounds"] == 2
    assert spaced(str(table(inspector, "BJ-01")["returned"])) == "30,00 €"


def test_what_was_withdrawn_is_nowhere(inspector: Client) -> None:
    receipts = an_evening(rounds=3)
    withdraw(receipts[2])
    jam = IncidentReported(**where(), incident="I-1", category="jam", reason="other", people=())
    withdraw(record_events(jam, at("21:30")))
    chefe = DutyBegun(staff="S-0104", office="fiscal_chefe", tables=())
    withdraw(record_events(chefe, at("20:00"), CHEFE), CHEFE)
    ask_to_withdraw(receipts[1])  # nobody has agreed: it counts
    shown = inspector.get(PAGE).context
    assert table(inspector, "BJ-01")["rounds"] == 2
    assert (shown["cases"], shown["duty"]) == ([], [])
    rates = inspector.get(f"/audit/rates/?from={DAY}&to={DAY}").context
    assert rates["rounds"] == 2


def test_a_table_with_rounds_and_no_opening_is_there(inspector: Client) -> None:
    open_table(shown=False)
    deal(1)
    record_events(dealt(2, table="BJ-09"), at("21:05"))
    assert table(inspector, "BJ-09")["rounds"] == 1
    assert table(inspector, "BJ-09")["open"] == ""


def test_who_dealt_and_who_answered_for_the_table_since_when(inspector: Client) -> None:
    record_events(replace(opened(), fiscal_de_banca="S-0187"), at("20:00"))
    record_events(DealerTookTable(**where(), pagador="P-777"), at("21:30"))
    record_events(TableHandedOver(**where(), fiscal_de_banca="S-0200"), at("22:15"))
    record_events(PartidaClosed(**where()), at("23:00"))
    (posts,) = inspector.get(PAGE).context["posts"]
    assert ("P-777", "21:30–23:00") in [(one["person"], one["when"]) for one in posts["dealers"]]
    fiscais = [(one["person"], one["when"]) for one in posts["fiscais"]]
    assert fiscais[-1] == ("S-0200", "22:15–23:00")
    assert fiscais[0][1] == "20:00–22:15"


def counted(moment: str, clock: str, chips: int) -> None:
    counts = (ChipCount(value_cents=1000, count=chips),)
    record_events(ChipsCounted(**where(), moment=moment, counts=counts), at(clock))


def test_the_counted_chips_make_a_result_beside_that_of_the_rounds(inspector: Client) -> None:
    record_events(replace(opened(), counts=None), at("20:00"))
    counted("opening", "20:01", 100)
    counted("fill", "21:40", 20)
    deal(1)  # 35.00 staked, 20.00 handed back
    counted("closing", "22:50", 121)
    (chips,) = inspector.get(PAGE).context["chips"]
    assert spaced(str(chips["by_rounds"])) == "15,00 €"
    assert [spaced(str(chips[name])) for name in ("opening", "fills", "credits", "closing")] == [
        "1 000,00 €", "200,00 €", "", "1 210,00 €",
    ]  # fmt: skip
    (night_of_table,) = tables_of(DAY, WhatCounts())
    assert night_of_table.counts.result == 1_000  # what the tray gained: the file says it


def test_the_drop_box_and_what_was_found_of_the_chips_stand_beside_them(
    inspector: Client,
) -> None:
    record_events(replace(opened(), counts=None), at("20:00"))
    counted("opening", "20:01", 100)
    deal(1)  # 15.00 kept
    counted("closing", "22:50", 99)
    record_events(PartidaClosed(**where(), rounds=1), at("22:55"))
    assert inspector.get(PAGE).context["chips"][0]["drop"] == ""
    record_events(DropCounted(**where(), cash_cents=2_000), at("23:10"))
    reconcile("first")
    (chips,) = inspector.get(PAGE).context["chips"]
    assert spaced(str(chips["drop"])) == "20,00 €"
    (off,) = chips["off"]
    assert spaced(off["amount"]) == "-5,00 €"
    page = night(inspector)
    assert f'href="{off["url"]}"' in inspector.get(PAGE).content.decode()
    assert "Caixa da mesa" in page
    text = b"".join(inspector.get(f"{PAGE}csv/").streaming_content).decode("utf-8-sig")
    (row,) = csv.DictReader(StringIO(text))
    assert (row["drop_cents"], row["chips_off_cents"]) == ("2000", "-500")


def test_without_a_count_nothing_is_guessed(inspector: Client) -> None:
    record_events(replace(opened(), counts=None), at("20:00"))
    (chips,) = inspector.get(PAGE).context["chips"]
    assert (chips["opening"], chips["closing"], chips["drop"]) == ("", "", "")
    assert "não consta" in night(inspector)


# -- What was found --------------------------------------------------------------------------------


def test_the_gravest_finding_comes_first_with_who_was_there(inspector: Client) -> None:
    an_evening(rounds=2)
    note = {"severity": "note", "owed_cents": 0, "owed_to": None}
    write([finding(1, **note), finding(2), finding(3, severity="warning")])
    shown = inspector.get(PAGE).context["findings"]
    assert [one["tone"] for one in shown] == ["breach", "warning", "note"]
    write([finding(4, gaming_day=DAY - timedelta(days=1))])
    assert inspector.get(PAGE).context["found"] == 3


# -- The four columns ------------------------------------------------------------------------------


def test_a_short_deck_touches_the_rounds_since_its_last_proof(inspector: Client) -> None:
    open_table()
    deal(1, 2, 3)
    short(clock="22:00")
    record_events(PlayInterrupted(**where(), reason="incident"), at("22:04"))
    (case,) = inspector.get(PAGE).context["cases"]
    assert (case["detected"], case["stopped"]) == ("22:00", "22:04")
    assert "4 minutos depois" in case["how"]
    assert (case["touched"].rounds, case["touched"].staked) == (3, 10_500)
    assert case["decks"] == "D-2"
    assert case["reported"] is None
    assert "ninguém consta" in night(inspector)


def test_rounds_dealt_after_it_was_noticed_are_counted(inspector: Client) -> None:
    open_table()
    deal(1, 2)
    short(clock="21:10")
    deal(30)
    (case,) = inspector.get(PAGE).context["cases"]
    assert (case["touched"].rounds, case["touched"].after) == (3, 1)
    assert "1 dada depois de se dar por isso" in night(inspector)


def test_a_report_to_the_inspection_service_stands_with_its_delay(inspector: Client) -> None:
    open_table()
    deal(1)
    short(clock="22:00")
    notice = NoticeSent(
        notice="C-1", to="inspection_service", about="deck", means="portal", reference="R-1",
        deck="D-2", sent_at=at("22:25"),
    )  # fmt: skip
    write([notice], CHEFE, at("22:30"))
    (case,) = inspector.get(PAGE).context["cases"]
    assert case["report_after"] == "25 minutos depois"
    write([replace(notice, notice="C-2", to="management", sent_at=at("22:05"))], CHEFE, at("22:30"))
    assert inspector.get(PAGE).context["cases"][0]["report_after"] == "25 minutos depois"


def test_a_complaint_that_was_paid_is_a_refund_of_its_round(inspector: Client) -> None:
    open_table()
    deal(1, 2)
    short(clock="22:00")
    one = dealt(2)
    record_events(
        ComplaintReceived(
            **where(), complaint="RC-1", subject="payment", round=one.round, player="J1",
            amount_cents=1000,
        ),
        at("21:50"),
    )  # fmt: skip
    page = night(inspector)
    assert "sem decisão" in page
    decided = ComplaintDecided(
        **where(), complaint="RC-1", outcome="upheld", reason="seen", paid_cents=1000
    )
    write([decided], CHEFE, at("23:00"))
    (case,) = inspector.get(PAGE).context["cases"]
    assert [spaced(one) for one in case["refunds"]] == [
        "J1 de BJ-01/2025-11-20/1: 10,00 €, reclamação RC-1"
    ]
    (complaint,) = inspector.get(PAGE).context["complaints"]
    assert spaced(complaint["paid"]) == "10,00 €"


def test_a_voided_round_gave_its_stakes_back(inspector: Client) -> None:
    open_table()
    one = dealt(1)
    stakes = tuple(
        replace(box, wagers=tuple(replace(w, returned_cents=w.stake_cents) for w in box.wagers))
        for box in one.boxes
    )
    record_events(replace(one, boxes=stakes, voided="incident"), at("21:02"))
    short(clock="22:00")
    (case,) = inspector.get(PAGE).context["cases"]
    assert any("jogada anulada" in words for words in case["refunds"])


def test_an_incident_and_what_was_recorded_for_it_are_one_case(inspector: Client) -> None:
    from casino.events.deck_life import DeckWithdrawn

    open_table()
    deal(1)
    record_events(
        IncidentReported(
            **where(), incident="I-1", category="damaged_card", reason="rasgada",
            people=(Person(person="P-104"),), deck="D-3", noticed_at=at("21:20"),
        ),
        at("21:25"),
    )  # fmt: skip
    record_events(
        DeckWithdrawn(**where(), deck="D-3", reason="damaged", incident="I-1"), at("21:30")
    )
    (case,) = inspector.get(PAGE).context["cases"]
    assert (case["number"], case["detected"], case["decks"]) == ("I-1", "21:20", "D-3")


def test_an_incident_that_is_no_decks_touches_the_round_it_names(inspector: Client) -> None:
    open_table()
    deal(1, 2)
    record_events(
        IncidentReported(
            **where(), incident="I-2", category="payment_error", reason="other", people=(),
            round=dealt(2).round,
        ),
        at("21:25"),
    )  # fmt: skip
    (case,) = inspector.get(PAGE).context["cases"]
    assert (case["touched"].rounds, case["touched"].staked) == (1, 3500)
    assert case["rounds_url"] == ""


def test_more_rounds_in_doubt_than_can_be_judged_are_an_upper_bound(
    inspector: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("audit.night.case_queries.READ", 2)
    open_table()
    deal(1, 2, 3)
    short(clock="22:00")
    (case,) = inspector.get(PAGE).context["cases"]
    assert (case["touched"].exact, case["touched"].rounds) == (False, 3)
    assert "no máximo 3 jogadas" in night(inspector)


def test_a_deck_in_too_many_games_is_not_followed_here(
    inspector: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("audit.night.case_queries.FOLLOWED", 1)
    open_table()
    deal(1)
    short(clock="22:00")
    (case,) = inspector.get(PAGE).context["cases"]
    assert case["touched"].rounds == 1  # one game is followed
    record_events(opened(number=2), at("23:00"))
    (case,) = inspector.get(PAGE).context["cases"]
    assert (case["touched"], case["too_long"]) == (None, True)
    assert "em mais partidas do que esta página segue" in night(inspector)


# -- Who was there, the pools, the book ------------------------------------------------------------


def test_duty_stands_with_office_and_hours(inspector: Client) -> None:
    chefe = {"staff": "S-0104", "office": "fiscal_chefe"}
    write([DutyBegun(**chefe, tables=())], CHEFE, at("20:00"))
    write([DutyEnded(**chefe)], CHEFE, at("02:00"))
    write(
        [DutyBegun(staff="S-0187", office="fiscal_de_banca", tables=("BJ-01",))], PIT, at("20:30")
    )
    shown = inspector.get(PAGE).context["duty"]
    assert [(one["person"], one["when"], one["tables"]) for one in shown] == [
        ("S-0104", "20:00–02:00", ""),
        ("S-0187", "desde 20:30", "BJ-01"),
    ]
    before = inspector.get("/audit/night/2025-11-19/").context["duty"]
    assert before == []


@pytest.mark.usefixtures("pool")
def test_a_pool_stands_with_its_meter_at_both_ends(inspector: Client) -> None:
    (pool,) = inspector.get(f"/audit/night/{gaming_day_now()}/").context["pools"]
    assert pool["code"]
    assert pool["sealed"] == ""


def test_chips_wins_and_prizes_make_the_meter_of_the_end(inspector: Client) -> None:
    pools.approve()
    begun = JackpotStarted(jackpot=pools.POOL, start_cents=pools.START_CENTS, reason="first")
    record_events(begun, pools.SINCE, MANAGER)
    pools.opened()
    record_events(pools.increment((1, "J1", 1), (2, "J2", 1)), pools.OPENED)
    hit = record_events(pools.won(("J1", 1, pools.ACE_JACK)), pools.OPENED)
    record_events(pools.paid(hit, "J1", 1, pools.ACE_JACK, 5_000), pools.OPENED)
    (pool,) = inspector.get("/audit/night/2026-11-20/").context["pools"]
    assert (pool["increments"], pool["chips"]) == (1, 2)
    assert (spaced(pool["start"]), spaced(pool["grown"])) == ("0,00 €", "+0,125 €")
    assert spaced(pool["taken"]) == "-50,00 €"
    assert spaced(pool["end"]) == "24 950,125 €"
    assert spaced(pool["otherwise"]) == "+25 000,00 €"  # it was begun that day
    assert [(spaced(one["amount"]), one["player"]) for one in pool["prizes"]] == [("50,00 €", "J1")]
    assert inspector.get("/audit/night/2026-11-18/").context["pools"] == []  # not begun


def test_the_state_of_the_book_is_said(inspector: Client) -> None:
    assert "O livro nunca foi verificado." in night(inspector)


def test_more_tables_and_rounds_ask_no_more_questions(inspector: Client) -> None:
    def questions() -> int:
        inspector.get(PAGE)  # what is looked up once in a process
        with CaptureQueriesContext(connection) as asked:
            inspector.get(PAGE)
        return len(asked)

    an_evening("BJ-01", rounds=2, wrong=[2])
    reconcile("first")
    few = questions()
    for number in range(2, 7):
        an_evening(f"BJ-0{number}", rounds=6, wrong=[2, 4])
    reconcile("second")
    assert questions() == few
    assert few <= 60


def test_it_can_be_printed() -> None:
    css = (ROOT / "audit/static/audit/night.css").read_text()
    assert "size: A4" in css


# -- Its tables as a file --------------------------------------------------------------------------


def test_the_tables_of_a_night_are_taken_out_as_the_page_adds_them_up(inspector: Client) -> None:
    open_table()
    an_evening("BJ-02", DAY.isoformat(), rounds=3)
    lines = {one["code"]: one for one in inspector.get(PAGE).context["tables"]}
    answer = inspector.get(f"{PAGE}csv/")
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    rows = {row["table"]: row for row in csv.DictReader(StringIO(text))}
    assert rows.keys() == lines.keys() >= {"BJ-02"}
    row = rows["BJ-02"]
    assert (row["gaming_day"], row["rounds"]) == (DAY.isoformat(), str(lines["BJ-02"]["rounds"]))
    assert int(row["result_cents"]) == int(row["staked_cents"]) - int(row["returned_cents"])
    assert row["opening_cents"] == "", "no count is on record, and none is guessed"
    made = Export.objects.get()
    assert (made.of_list, made.entries) == ("night", len(rows))
    assert f"{PAGE}csv/?as=xlsx" in inspector.get(PAGE).content.decode()


@pytest.mark.parametrize("office", sorted(SEES))
def test_only_those_who_take_lists_take_a_night(office: str) -> None:
    people()
    client = client_of(office)
    takes = office in {"inspetor", "auditor"}
    assert client.get(f"{PAGE}csv/?as=json").status_code == (200 if takes else 403)
    assert ("csv/" in client.get(PAGE).content.decode()) is False, "of an empty night no file"


def test_a_night_that_is_none_has_no_file(inspector: Client) -> None:
    assert inspector.get("/audit/night/2025-13-40/csv/").status_code == 404
