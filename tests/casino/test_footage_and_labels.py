"""Recordings kept from a table's own page, and the label of what is put aside."""

import re
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from audit.watch.watch_todo import waiting
from casino import clock
from casino.events.incidents import IncidentReported
from casino.floor.incidents.keep_footage import span
from casino.models import BookEntry
from casino.web.entries.entry_page import url_of
from tests.casino.sala_forms import address, errors_on, fill, send
from tests.factories.people import somebody, write
from tests.factories.recorded import last_entry, the_event
from tests.factories.tables import PIT, TABLE, a_table, chefe_on_duty
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
NOW = datetime.fromisoformat("2026-11-27T21:30:00.5+00:00")


@pytest.mark.parametrize(
    ("noticed", "begins", "ends"),
    [
        (None, "21:20", "21:30"),
        ("21:28", "21:18", "21:30"),  # still going on
        ("20:59", "20:49", "21:29"),
        ("21:31", "21:20", "21:30"),  # ahead of the server's clock
    ],
)
def test_from_ten_minutes_before_until_now_or_half_an_hour_after(
    noticed: str | None, begins: str, ends: str
) -> None:
    at = datetime.fromisoformat(f"2026-11-27T{noticed}:00+00:00") if noticed else None
    found = span(NOW, at)
    assert [f"{found[one]:%H:%M}" for one in ("recorded_from", "recorded_until")] == [begins, ends]


@recorded_once
def chefe() -> Client:
    chefe_on_duty()
    partida = a_table()
    damaged: dict[str, Any] = {"category": "damaged_card", "reason": "rasgada", "people": ()}
    event = IncidentReported(
        table=TABLE, partida=partida, incident="IN-7", deck="D-1", damaged_cards=("7H",),
        noticed_at=clock.now() - timedelta(minutes=3), text="Dito pelo Prudêncio", **damaged,
    )  # fmt: skip
    write(event, by=PIT, at=clock.now() - timedelta(minutes=3))
    return somebody("fiscal_chefe", "S-0021")


def test_a_tables_recordings_are_kept_with_one_tap(chefe: Client) -> None:
    assert address("footage") in chefe.get(address("table")).content.decode()
    assert send(chefe, address("footage")).status_code == 303
    held = the_event("footage-held/1")
    assert (held.table, held.reason, held.incident) == (TABLE, "other", None)
    assert held.recorded_until - held.recorded_from == timedelta(minutes=10)


def test_those_of_an_incident_name_it(chefe: Client) -> None:
    steps = chefe.get(address("incident_steps", TABLE, "IN-7")).content.decode()
    url = f"{address('footage')}?incident=IN-7"
    assert url in steps
    assert send(chefe, url, cameras="CAM-12").status_code == 303
    held = the_event("footage-held/1")
    assert (held.incident, held.reason, held.cameras) == ("IN-7", "incident", ("CAM-12",))
    steps = chefe.get(address("incident_steps", TABLE, "IN-7")).content.decode()
    assert f"Recordings kept as {held.hold}" in steps
    assert "Keep further recordings" in steps


def test_what_nobody_keeps_leads_there_before_its_days_are_over(chefe: Client) -> None:
    def urls(days: int) -> list[str]:
        lines = waiting(clock.now() + timedelta(days=days))
        return [one.url for one in lines if one.what == "footage"]

    url = f"{address('footage')}?incident=IN-7"
    assert (url in urls(29), url in urls(1)) == (True, False)
    send(chefe, url)
    assert url not in urls(29)


def test_they_end_no_earlier_than_they_begin(chefe: Client) -> None:
    form = fill(chefe, address("footage"))
    backwards = chefe.post(
        address("footage"), form | {"recorded_until": form["recorded_from"].replace("2026", "2025")}
    )
    assert errors_on(backwards)
    assert not BookEntry.objects.filter(kind="footage-held/1").exists()


def test_of_no_such_incident_none_are_kept_and_not_by_the_fiscal_de_banca(chefe: Client) -> None:
    assert chefe.get(f"{address('footage')}?incident=IN-8").status_code == 404
    pit = somebody("fiscal_de_banca")
    assert pit.get(address("footage")).status_code == 403
    assert address("footage") not in pit.get(address("table")).content.decode()


def test_a_label_names_what_is_put_aside_and_nothing_that_was_said(chefe: Client) -> None:
    entry = last_entry("incident-reported/1")
    url = reverse("sala:label", args=[entry.pk])
    assert url in chefe.get(reverse("sala:entry", args=[entry.pk])).content.decode()
    label = chefe.get(url).content.decode()
    shown = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", label))
    for word in ("D-1", "IN-7", TABLE, entry.partida_id, "S-0187", "n.º 5", f"table/{TABLE}"):
        assert word in shown, word
    assert shown.count("IN-7") == 1, "what its heading says is not said again"
    assert "Prudêncio" not in label
    assert 'class="qr"' in label
    assert "sala_label_roll.css" not in label
    assert "sala_label_roll.css" in chefe.get(f"{url}?roll=1").text


def test_a_deck_that_was_whole_has_none_and_its_record_leads_to_none(chefe: Client) -> None:
    whole = BookEntry.objects.filter(kind="deck-inspected/1").latest("pk")
    page = chefe.get(reverse("sala:entry", args=[whole.pk])).content.decode()
    assert reverse("sala:label", args=[whole.pk]) not in page


@pytest.mark.parametrize(("shuffler", "asked"), [(None, False), ("SH-1", True)])
def test_only_of_a_shufflers_damaged_card_somebody_else_confirms_it(
    chefe: Client, shuffler: str | None, asked: bool
) -> None:
    reported = replace(
        the_event("incident-reported/1"), incident="IN-9", shuffler=shuffler, text=None
    )
    write(reported, by=PIT, at=clock.now())
    entry = last_entry("incident-reported/1")
    page = somebody("inspetor").get(url_of(entry.kind, entry.pk)).content.decode()
    assert ("Nobody has confirmed it yet." in page) is asked
