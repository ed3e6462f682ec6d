"""The last records below a table: what each holds, what was found of it, and each on a page."""

from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.timezone import localtime

from audit.events import FindingRaised
from casino.events.corrections import Corrected
from casino.events.event import OverriddenWarning
from casino.events.incidents import IncidentReported, IncidentStep
from casino.events.shoes import CutMade, PlayInterrupted
from casino.events.witnessing import Witnessed
from casino.floor.record_words import record_word
from casino.house_day import gaming_day_now
from tests.casino.sala_forms import address, form_on
from tests.factories.events.every import FULL
from tests.factories.findings import SYSTEM, finding, named
from tests.factories.floor import PIT, SHOE_TABLE, ago, game, house, opened, prepared
from tests.factories.people import somebody, write
from tests.factories.recorded import entries, last_entry
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
AT = f"/sala/{SHOE_TABLE}/"


@recorded_once
def pit() -> Client:
    house()
    opened()
    return somebody("fiscal_de_banca")


def lines(client: Client) -> list[Any]:
    return list(client.get(AT).context["lately"])


def test_each_record_says_what_it_holds(pit: Client) -> None:
    prepared(seats=(1, 2, 5), cut=2)
    assert [line.what for line in lines(pit)][:4] == [
        "1 burnt card",
        "Warning card, 50 from the end",
        "Cut, seat 2",
        "Shuffle 1",
    ]


def test_a_record_is_shown_with_when_it_happened(pit: Client) -> None:
    at = ago(20)
    stop = PlayInterrupted(**game(), reason="no_players")
    write(stop, by=PIT, at=at)
    line = lines(pit)[0]
    assert (line.at, line.late) == (at, True)
    page = pit.get(AT).content.decode()
    assert f"<time>{localtime(at):%H:%M:%S}</time>" in page
    assert f"recorded at {localtime(line.recorded):%H:%M}" in page
    write(IncidentStep(**game(), incident="IN-7", step="arrived"), by=PIT, at=ago(0))
    assert lines(pit)[0].late is False


def test_records_are_called_what_was_done(pit: Client) -> None:
    at = game()
    arrived = IncidentStep(**at, incident="IN-7", step="arrived")
    assert record_word(arrived) == "Fiscal-chefe arrived (IN-7)"
    emptied = IncidentStep(**at, incident="IN-7", step="lid_closed", emptied=True)
    assert record_word(emptied) == "Lid closed, machine emptied (IN-7)"
    jam = IncidentReported(**at, incident="IN-7", category="jam", reason="carta_presa", people=())
    assert record_word(jam) == "Incident IN-7: Jam, one card is stuck"
    stop = PlayInterrupted(**at, reason="no_players")
    assert record_word(stop) == "Play interrupted: no players"
    refused = replace(FULL[Corrected.kind], decision="refused")
    assert record_word(refused).endswith(": refused")
    word = replace(FULL[Witnessed.kind], act="shuffler-loaded/1", staff="S-0021")
    assert record_word(word) == "Loading confirmed: S-0021"


def test_every_kind_has_a_line_and_no_line_a_code(pit: Client) -> None:
    for kind, event in FULL.items():
        said = record_word(event)
        assert said
        assert "/1" not in said
        assert "_" not in said, (kind, said)


def test_a_record_opens_for_who_may_read_it_and_for_nobody_else(pit: Client) -> None:
    url = lines(pit)[-1].url
    assert url == address("entry", last_entry("partida-opened/1").pk)
    page = pit.get(url).content.decode()
    assert "Table opened: €10.00 – €300.00 · shoe · 6 decks" in page
    assert "/correct/" in page
    assert "in the book" not in page
    assert "in the book" in somebody("inspetor").get(url).content.decode()
    other = somebody("fiscal_de_banca", "S-0190")
    assert other.get(url).status_code == 404
    assert pit.get(address("entry", uuid4())).status_code == 404
    before = entries()
    assert pit.post(url, {}).status_code == 405
    assert entries() == before


def a_finding_on(entry: Any) -> None:
    raised = replace(
        finding(1),
        **game(),
        gaming_day=gaming_day_now(),
        evidence=named([str(entry.pk)]),
        check="cut_by_rightful_seat",
    )
    assert isinstance(raised, FindingRaised)
    write(raised, by=SYSTEM, at=ago(0))


def test_a_record_that_broke_an_article_leads_to_its_finding_and_looks_approved_nowhere(
    pit: Client,
) -> None:
    prepared()
    cut = last_entry(CutMade.kind)
    a_finding_on(cut)
    found = next(line for line in lines(pit) if line.kind == CutMade.kind)
    assert found.note is not None
    assert found.note.url.startswith("/admin/audit/finding/")
    assert 'href="#i-kept"' not in pit.get(AT).content.decode()
    assert found.note.url in pit.get(found.url).content.decode()
    # In the admin too (U8): no green tick, and the way to the finding.
    head = somebody("fiscal_chefe")
    for url in (
        reverse("admin:casino_cut_changelist"),
        reverse("admin:casino_cut_change", args=[cut.pk]),
    ):
        page = head.get(url).content.decode()
        assert found.note.url in page
        assert "mark kept" not in page
    assert head.get(reverse("admin:casino_bookentry_changelist")).status_code == 200


def test_what_was_recorded_over_a_warning_says_so_without_a_tick(pit: Client) -> None:
    over = OverriddenWarning(check="cut_by_rightful_seat", reason="it-happened-so")
    event = CutMade(
        **game(),
        shoe=1,
        after="start",
        seats_occupied=(),
        offers=(),
        cut_by="fiscal_de_banca",
        despite=(over,),
    )
    write(event, by=PIT, at=ago(1))
    assert lines(pit)[0].despite
    assert "recorded over a warning" in pit.get(AT).content.decode()


def test_a_correction_that_waits_is_called_one(pit: Client) -> None:
    url = address("correct", last_entry("partida-opened/1").pk)
    values = form_on(pit.get(url)) | {"pagador": "P-105", "correction_reason": "misread"}
    pit.post(url, form_on(pit.post(url, values)))
    said = [(line.what, line.more) for line in lines(pit)]
    asked = "Correction asked for: Table opened: €10.00 – €300.00 · shoe · 6 decks"
    assert said[0] == (asked, "")
    assert said[-1][0] == "Table opened: €10.00 – €300.00 · shoe · 6 decks"
