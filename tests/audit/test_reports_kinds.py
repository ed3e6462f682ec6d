"""What the reports beyond the first six show, as their JSON has it; the pages are its picture."""

import re
from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import translation

from audit.case_events import FindingNoted
from audit.case_state import step_of, with_case
from audit.models import Finding
from audit.reports import report_cells as cells
from audit.reports.report_entries import Asked, TooMuch
from audit.reports.report_reading import REPORTS, draft_of
from audit.reports.request_report import ReportRefused, Wanted, asked_of_form
from casino.events.event import EntryRef, OverriddenWarning
from casino.events.shoes import CardBurned, CutMade, CutOffer
from casino.events.shuffler_reports import ShufflerCycle, ShufflerSelfCheck, ShufflerSignal
from casino.house_day import gaming_day_now
from casino.models import BookEntry
from casino.recording import Actor, Source, record
from casino.web.entries.entry_page import url_of
from jackpot.events import JackpotPaid
from jackpot.models import JackpotPayment
from tests.audit.reconciling import reconcile
from tests.factories import findings
from tests.factories.evenings import (
    correct,
    evening_of,
    opened,
    partida_of,
    played,
    record_all,
    record_events,
)
from tests.factories.findings import DAY, client_of, finding, judged
from tests.factories.pools import ACE_JACK, POOL, SEVENS, TOP, approve, increment, paid, start, won
from tests.factories.pools import opened as pool_opened
from tests.factories.records import recorded
from tests.factories.reported import a_night, sent_by
from tests.factories.withdrawals import withdraw
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.share]
BEFORE = DAY - timedelta(days=400)


@pytest.fixture(autouse=True)
def english() -> Any:
    with translation.override("en"):
        yield


@recorded_once
def night() -> None:
    a_night()
    reconcile("night")


def of(report: str, first: date = DAY, last: date = DAY, **known: Any) -> list[dict[str, Any]]:
    return draft_of(Asked(report, first, last, **known), "inspetor").sections


def section(sections: list[dict[str, Any]], heading: str) -> dict[str, Any]:
    return next(one for one in sections if one["heading"] == heading)


def pairs(of_section: dict[str, Any]) -> dict[str, str]:
    return {one["name"]: one["value"]["text"] for one in of_section["pairs"]}


def rows(of_section: dict[str, Any]) -> list[list[str]]:
    return [[cell["text"] for cell in row["cells"]] for row in of_section["rows"]]


def test_a_ratio_is_exact_and_rounded_as_the_pages_round() -> None:
    assert cells.ratio(Fraction(1, 3)) == {"ratio": "1/3", "text": "0.33"}
    assert cells.ratio(Fraction(-1, 200))["text"] == "-0.01"
    assert cells.ratio(Fraction(1249, 1)) == {"ratio": "1249", "text": "1,249.00"}
    assert cells.ratio(None) == {"text": "–"}


def test_the_map_has_every_article_and_what_its_checks_answered(night: None) -> None:
    shown = of("articles")
    law = shown[1]
    assert len(rows(law)) == 61
    # What lacked 500 cents is one breach of 23; the others were lawful.
    line = next(row for row in rows(law) if row[0].startswith("N.º 23"))
    assert line[3:5] == ["1", "0"]
    assert line[7:] == ["1", "With findings (1)"]
    for row in rows(law):
        checks, *_answers, silent, not_asked, _open, _state = row[1:]
        assert int(silent) + int(not_asked) <= int(checks)
    assert len(rows(section(shown, "Findings"))) == Finding.objects.count()
    assert len(rows(section(shown, "Controls of the house"))) > 10


def test_a_check_nobody_asked_counts_as_nothing(night: None) -> None:
    judged({"blackjack_paid_three_to_two": (0, 0, 2)}, table="BJ-09", day=BEFORE)
    shown = of("articles", BEFORE, BEFORE)[1]
    line = next(row for row in rows(shown) if row[0].startswith("N.º 21"))
    assert line[2:5] == ["0", "0", "2"]
    assert line[-1] == "To be decided"
    nothing = of("articles", BEFORE - timedelta(1), BEFORE - timedelta(1))[1]
    asked = [row[5:7] for row in rows(nothing)]
    assert {silent for silent, _ in asked} == {"0"}, "no game was judged: nothing was asked"


def cut(shoe: int, seat: int | None, *declined: int, due: int | None = None) -> CutMade:
    offers = [CutOffer(seat=one, accepted=False) for one in declined]
    offers += [] if seat is None else [CutOffer(seat=seat, accepted=True)]
    return CutMade(
        table="BJ-01",
        partida=partida_of(),
        shoe=shoe,
        after="start",
        seats_occupied=(3, 5),
        offers=tuple(offers),
        cut_by="fiscal_de_banca" if seat is None else "seat",
        due_seat=due,
        seat=seat,
        staff="S-0187" if seat is None else None,
    )


def test_the_cuts_stand_with_who_declined_and_what_was_found(night: None) -> None:
    wrong = record_events(cut(1, 5, due=3))
    record_events(cut(2, None, 3, 5, due=3))
    entry = str(wrong.entry_id)
    findings.write([finding(8, article="8", check="cut_by_rightful_seat", evidence=[entry])])
    shown = of("cuts")
    assert pairs(section(shown, "Cuts")) == {
        "Cuts on record": "2",
        "Refusals": "2",
        "Cut by: fiscal de banca": "1",
        "Cut by: a seat": "1",
    }
    first, second = rows(section(shown, "Cuts"))
    assert first[3:9] == ["1", "the start of the game", "3, 5", "3", "5 accepted", "seat 5"]
    assert first[9].startswith("n.º 8:")
    assert second[6:] == ["3", "3 declined; 5 declined", "fiscal de banca S-0187", "–"]
    about = [row[3] for row in rows(section(shown, "Findings about cuts"))]
    uncut = "Shoe 1: cards were dealt without a cut"
    assert any(one.endswith(f": {uncut}") for one in about), "those of no cut are there too"


def test_a_cut_is_not_blamed_for_what_was_found_of_the_shoe_after_it(night: None) -> None:
    right = record_events(cut(1, 3, due=3))
    wrong = record_events(cut(2, 3, due=5))
    rests = [str(right.entry_id), str(wrong.entry_id)]
    check = {"article": "8", "check": "cut_by_rightful_seat", "where": {"shoe": 2}}
    findings.write([finding(8, **check, evidence=rests)])
    first, second = rows(section(of("cuts"), "Cuts"))
    assert first[9] == "–"
    assert second[9].startswith("n.º 8:")


def test_a_cut_that_was_withdrawn_is_none(night: None) -> None:
    withdraw(record_events(cut(1, 3, due=3)))
    assert pairs(section(of("cuts"), "Cuts"))["Cuts on record"] == "0"


def test_corrections_stand_beside_what_they_correct(night: None) -> None:
    burned = CardBurned(table="BJ-01", partida=partida_of(), shoe=1, cards=2)
    one, other = record_events(burned), record_events(replace(burned, shoe=2))
    correct(one, replace(burned, cards=1))
    correct(other, replace(burned, shoe=2, cards=1), approve=False)
    over = OverriddenWarning(check="burnt_cards_exact", reason="it_happened_so")
    record_events(replace(burned, shoe=3, despite=(over,)))
    withdraw(record_events(replace(burned, shoe=4)))
    shown = of("changes")
    changes = rows(section(shown, "Corrections and withdrawals"))
    approved, waiting, gone = changes
    assert "2" in approved[3]
    assert "cards burnt: 1" in approved[4] or ": 1" in approved[4]
    assert approved[5:7] == ["typing error", "S-0187"]
    assert approved[7] == "Approved S-0001"
    assert waiting[7] == "Waits for its second person"
    (exception,) = rows(section(shown, "Exceptions: recorded over a warning"))
    assert exception[2] == "Card burnt"
    assert exception[-1] == "S-0187"
    assert (gone[2], gone[4]) == ("Withdrawal", "Nothing")


@recorded_once
def pool() -> None:
    findings.people()
    approve()
    start()
    pool_opened()
    recorded(increment((1, "J1", 3), chip_cents=250))
    hit = recorded(won(("J1", 1, TOP), ("J3", 3, SEVENS), ("J5", 5, ACE_JACK)))
    recorded(paid(hit, "J5", 5, ACE_JACK, 5_000))


def test_a_payment_is_reckoned_anew_beside_what_was_handed_out(pool: None) -> None:
    payment = JackpotPayment.objects.get()
    named = {"jackpot": POOL, "findings": (str(payment.pk),)}
    draft = draft_of(Asked("payout", payment.gaming_day, payment.gaming_day, **named), "inspetor")
    shown = draft.sections
    assert pairs(shown[0])["Paid"] == "€50.00"
    assert [row[0] for row in rows(section(shown, "How it was reckoned"))] == ["1", "2", "3"]
    assert rows(section(shown, "How it was reckoned"))[0][-1] == "€50.00"
    signed = pairs(section(shown, "Signatures"))
    assert list(signed) == ["Who paid", "Second person", "Winner", "Inspector"]
    assert (payment.stream, payment.n) in draft.cited
    assert (payment.stream, payment.hit_n) in draft.cited


def test_the_one_payment_of_a_day_needs_no_name_and_two_do(pool: None) -> None:
    payment = JackpotPayment.objects.get()
    day = str(payment.gaming_day)
    asked = asked_of_form(Wanted("payout", day, day))
    assert (asked.jackpot, asked.findings) == (POOL, (str(payment.pk),))
    assert asked.table == payment.table_code  # the report says which table, not "all"
    with pytest.raises(ReportRefused, match="no prize"):
        asked_of_form(Wanted("payout", day, day, jackpot="JP-9"))
    with pytest.raises(ReportRefused, match="no prize"):
        asked_of_form(Wanted("payout", day, day, findings=[str(UUID(int=7))]))
    for named in ("x", "\0"):
        with pytest.raises(ReportRefused, match="no prize"):
            asked_of_form(Wanted("payout", day, day, findings=[named]))
    where = {"table": payment.table_code, "partida": payment.partida_id, "jackpot": POOL}
    hit = recorded_hit(payment.hit_n)
    recorded(JackpotPaid(**where, hit=hit, owner="J3", box=3, code=SEVENS, paid_cents=100))
    with pytest.raises(ReportRefused, match="more than one"):
        asked_of_form(Wanted("payout", day, day))
    assert asked_of_form(Wanted("payout", day, day, findings=[str(payment.pk)])) == asked


def recorded_hit(n: int) -> EntryRef:
    stream = f"jackpot/{POOL}"
    leaf = BookEntry.objects.get(stream__name=stream, n=n).leaf_hash
    return EntryRef(stream=stream, n=n, leaf=bytes(leaf).hex())


def test_a_payments_page_leads_to_its_record(pool: None) -> None:
    payment = JackpotPayment.objects.get()
    address = url_of(JackpotPaid.kind, payment.pk)
    page = client_of("inspetor").get(address).text
    assert f"report=payout&amp;finding={payment.pk}" in page
    assert "report=payout" not in client_of("fiscal_chefe").get(address).text


def test_what_is_owed_is_added_up_by_player_table_dealer_and_day(night: None) -> None:
    findings.write([finding(9, owed_cents=700, owed_to="house", table="BJ-02")])
    shown = of("owed")
    assert pairs(shown[0]) == {
        "Findings that owe something, unresolved": "2",
        "Owed to players": "€5.00",
        "Owed to the house": "€7.00",
        "Settled, confirmed by a second person": "€0.00",
        "Left to pay": "€12.00",
    }
    assert [row[0] for row in rows(section(shown, "By table"))] == ["BJ-02", "BJ-01"]
    assert rows(section(of("owed", table="BJ-01"), "By table"))[0][3:] == [
        *("€5.00", "€0.00", "€0.00", "€5.00"),
    ]
    assert section(of("owed", BEFORE, BEFORE), "By player")["rows"] == []


def test_rates_are_held_against_as_many_days_before(night: None) -> None:
    earlier = str(DAY - timedelta(days=1))
    record_all([opened(day=earlier), played("e1", day=earlier)], evening_of(earlier))
    shown = of("rates")
    said = pairs(shown[0])
    assert said["Rounds, these days"] == "5"
    assert said["Rounds, held against"] == "1"
    line, total = rows(section(shown, "Findings by table"))
    number = Finding.objects.count()
    rate = f"{number * 200:,}.00"
    assert line == ["BJ-01", "5", str(number), rate, "1", "0", "0.00", rate, "few rounds"]
    assert total[0] == "All"
    assert section(of("rates", BEFORE, BEFORE), "Findings by table")["rows"] == []


def test_a_certificate_says_what_was_verified_and_no_more(night: None) -> None:
    texts = of("integrity")[0]["texts"]
    assert texts[-1] == "No verification has read these days to their end yet."
    nothing = of("integrity", BEFORE, BEFORE)
    assert nothing[0]["texts"] == [
        "Nothing was recorded for these days: there is nothing to certify."
    ]
    assert [one["heading"] for one in nothing][1] == "What it is of"


@pytest.mark.parametrize("office", ["inspetor", "auditor"])
def test_a_certificate_says_nothing_of_inspectors_notes(night: None, office: str) -> None:
    asked = Asked("integrity", DAY, DAY)
    before = draft_of(asked, office)
    finding = with_case(Finding.objects.all())[0]
    note = FindingNoted(**step_of(finding), note="Ver a câmara 12.")
    findings.write([note], Actor(findings.PEOPLE["inspetor"], "inspetor", "admin"))
    assert BookEntry.objects.filter(stream__name="notes", gaming_day=DAY).exists()
    after = draft_of(asked, office)
    assert (after.sections, after.cited) == (before.sections, before.cited)


@pytest.mark.parametrize("rulebook", ["pt-summary", "br", "es", "fr"])
def test_where_another_rulebook_is_played_no_article_of_ours_is_cited(rulebook: str) -> None:
    findings.people()
    record_all([opened(rulebook=rulebook), played("r1", returned=1500)], evening_of(str(DAY)))
    reconcile("there")
    for name in ("game", "nonconformity", "articles", "cuts", "decks", "incidents", "complaints"):
        assert not re.search(r"n\.º [0-9]|[Aa]rticle [0-9]", str(of(name))), name
    for address in (f"audit/night/{DAY}/", f"audit/rates/?from={DAY}&to={DAY}", "audit/owed/"):
        shown = client_of("inspetor").get(f"/{address}").text
        assert "n.º 23" not in shown, address


def test_a_report_of_one_finding_is_of_its_rulebook_alone_and_says_its_readings(
    night: None,
) -> None:
    findings.write([finding(9)])
    record_all([opened("BJ-02", rulebook="br")], evening_of(str(DAY)))
    row = Finding.objects.get(key=finding(9).key)
    draft = draft_of(Asked("nonconformity", DAY, DAY, findings=(str(row.pk),)), "inspetor")
    assert draft.rulebooks == {"pt"}, "the other table's game has no part in it"
    said = pairs(section(draft.sections, "Rule applied"))["Readings"]
    assert said == "the bank does not look at its second card"
    named = [one["name"] for one in section(draft.sections, "Rulebooks and readings")["pairs"]]
    assert [name for name in named if "br" in name] == []


def test_the_night_of_all_tables_is_one_report(night: None) -> None:
    day = str(DAY)
    assert asked_of_form(Wanted("game", day, day)).table == ""
    record_all([opened("BJ-02"), played("r9", table="BJ-02")], evening_of(day))
    games = [one["heading"] for one in of("game") if one["heading"].startswith("Game ")]
    assert games == [f"Game {partida_of(table)}" for table in ("BJ-01", "BJ-02")]
    assert len([one for one in of("game", table="BJ-02") if one["level"] == 1]) < len(of("game"))


def test_what_shufflers_report_is_counted_among_their_records() -> None:
    machine = {"shuffler": "CSM-04", "table": "BJ-01"}
    reports = [
        ShufflerCycle(**machine, phase="started", mode="shuffle"),
        ShufflerCycle(**machine, phase="ended", mode="shuffle", cards=312),
        ShufflerSignal(**machine, signal="light_on"),
        ShufflerSelfCheck(**machine, seals="intact"),
    ]
    by = Actor("D-0900", "dispositivo", "api")
    for n, event in enumerate(reports):
        at = evening_of(str(DAY)) + timedelta(minutes=n)
        record(event, key=uuid4(), by=by, occurred_at=at, source=Source("device", "D-0900"))
    shown = section(of("decks"), "Shufflers")
    counted = {name: n for name, n in pairs(shown).items() if n != "0"}
    assert counted == {"Shuffler cycle": "2", "Shuffler signal": "1", "Shuffler self-check": "1"}
    assert rows(shown) == []


def test_a_certificate_is_not_of_one_table() -> None:
    day = str(gaming_day_now())
    with pytest.raises(ReportRefused):
        asked_of_form(Wanted("integrity", day, day, table="BJ-01"))


def test_more_than_a_report_holds_is_refused_with_the_figure(
    night: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("audit.reports.report_entries.MOST", 0)
    with pytest.raises(TooMuch, match="More than 0 records"):
        of("incidents") and of("decks") and of("game", table="BJ-01")


def test_days_without_anything_are_a_report_that_says_so() -> None:
    for language in ("pt-pt", "en"):
        with translation.override(language):
            for name in ("articles", "cuts", "changes", "owed", "rates", "integrity"):
                for one in of(name, BEFORE, BEFORE):
                    assert one["rows"] or one["empty"] or not one["columns"], (name, one["heading"])


def test_pages_of_figures_lead_to_their_report(night: None) -> None:
    days = f"from={DAY}&to={DAY}&table=BJ-01"
    for address, report in (
        ("audit/owed", "owed"),
        ("audit/rates", "rates"),
        ("law/pt", "articles"),
    ):
        wanted = f"/audit/reports/?report={report}&amp;{days.replace('&', '&amp;')}"
        assert wanted in client_of("inspetor").get(f"/{address}/?{days}").text, address
        shown = client_of("fiscal_chefe").get(f"/{address}/?{days}")
        assert "report=" not in shown.text, "who takes nothing out asks for no report"


def test_every_report_can_be_asked_for_by_its_name(night: None) -> None:
    page = client_of("inspetor", "en").get("/audit/reports/").text
    for name, report in REPORTS.items():
        assert (f'<option value="{name}"' in page) == (report.asks != "pack")
        assert str(report.label) in page or report.asks == "pack"
    assert f"{REPORTS['jackpot'].label} (choose one jackpot)</option>" in page
    assert sent_by(client_of("inspetor"), "payout").status_code == 400
