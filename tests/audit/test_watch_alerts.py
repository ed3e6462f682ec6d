"""What is due, as it is read at the tables and by whoever answers for all of them."""

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from audit.pages.page_words import words
from audit.watch.alerts import GRAVITIES, Alert, alerts, of_tables
from casino import clock
from casino.events.incidents import IncidentReported
from casino.events.notices import FootageHeld
from tests.factories.evenings import MANAGER
from tests.factories.findings import client_of, people, text_of
from tests.factories.tonight import MINUTE, Table, at, look_at, record_events

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
DAY = timedelta(days=1)


def unburnt(code: str = "BJ-01") -> Table:
    """A table at which a shoe is dealt of which no card was burnt."""
    table = Table(code)
    table.prepared("burnt")
    table.played()
    return table


def later(minutes: float = 3) -> datetime:
    return clock.now() + minutes * MINUTE


def test_where_nothing_is_due_nothing_is_said() -> None:
    assert alerts(clock.now()) == []
    assert of_tables([], clock.now()) == {}
    assert of_tables(["BJ-01", "BJ-99"], clock.now()) == {"BJ-01": (), "BJ-99": ()}


def test_a_finding_of_the_watch_is_an_alert_at_its_table_until_it_is_cured() -> None:
    table = unburnt()
    unburnt("BJ-02")
    look_at(later())
    values = of_tables(["BJ-01", "BJ-03"], later())
    (alert,) = values["BJ-01"]
    assert values["BJ-03"] == ()
    assert (alert.table, alert.partida, alert.severity) == ("BJ-01", table.partida, "breach")
    assert (alert.cited, alert.place, alert.due) == ("n.º 10", "shoe 1", False)
    assert alert.words == "Cards were dealt from a shoe of which no card was burnt."
    assert alert.check == "shoe_is_burnt"
    assert len(alerts(later())) == 2
    table.burnt()
    look_at(later())
    assert of_tables(["BJ-01"], later()) == {"BJ-01": ()}


def test_equal_alerts_are_one_with_a_count_and_lead_to_their_list(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    people()
    monkeypatch.setattr(Table, "inspected", lambda *_: None)  # nobody showed any deck
    table = Table()
    table.shuffled()
    look_at(later())
    (alert,) = alerts(later())
    assert alert.check == "decks_exhibited_before_shuffle"
    assert alert.place == f"6 decks: {', '.join(table.decks)}"
    found = client_of("fiscal_chefe", "en").get(alert.link)
    assert found.status_code == 200
    assert found.context["cl"].result_count == 6


def test_a_finding_of_evenings_ago_is_no_alert_any_more() -> None:
    unburnt()
    look_at(later())
    assert len(of_tables(["BJ-01"], clock.now() + 2 * DAY)["BJ-01"]) == 1
    assert of_tables(["BJ-01"], clock.now() + 4 * DAY) == {"BJ-01": ()}


def test_a_load_waits_for_its_witness_until_its_ten_minutes_are_over() -> None:
    table = Table(dealing="shuffler")
    table.shuffled()
    load = table.loaded()
    (alert,) = alerts(clock.now())
    assert (alert.due, alert.severity, alert.link) == (True, "warning", "")
    assert alert.since == load.recorded_at + 10 * MINUTE
    assert (alert.cited, alert.check) == ("n.º 54", "loading_witnessed")
    assert alerts(load.recorded_at + 10 * MINUTE) == []  # the watch's now
    look_at(load.recorded_at + 10 * MINUTE)
    (found,) = alerts(load.recorded_at + 10 * MINUTE)
    assert (found.due, found.check) == (False, "loading_witnessed")
    table.witnessed(load)
    look_at(load.recorded_at + 12 * MINUTE)
    assert alerts(clock.now()) == []


def test_recordings_are_an_alert_three_days_before_they_run_out() -> None:
    begin = clock.now()
    span = {"recorded_from": begin, "recorded_until": begin + MINUTE}
    record_events(FootageHeld(hold="H-1", reason="dispute", **span), by=MANAGER)
    end = begin + 30 * DAY
    assert alerts(end - 3 * DAY - MINUTE) == []
    (alert,) = alerts(end - 3 * DAY)
    assert (alert.due, alert.since, alert.place) == (True, end, "hold H-1")
    assert alert.cited == "The house's deadlines"
    assert of_tables(["BJ-01"], end - DAY) == {"BJ-01": ()}
    look_at(end + MINUTE)
    (found,) = alerts(end + MINUTE)
    assert (found.due, found.severity) == (False, "deviation")
    assert found.words == "Recordings that were held have run out of days."


def test_the_gravest_comes_first_then_the_oldest_then_what_is_only_due() -> None:
    Table("BJ-03", "shuffler").loaded()
    values = {"category": "conduct", "reason": "quarrel", "people": ()}
    record_events(IncidentReported(incident="I-1", table="BJ-02", **values), 24 * 60 + 1)
    look_at(clock.now())
    unburnt()
    look_at(later())
    found = alerts(later())
    order = [(one.due, GRAVITIES.index(one.severity), one.since) for one in found]
    assert order == sorted(order)
    assert [one.table for one in found][-2:] == ["BJ-02", "BJ-03"]


def test_however_many_tables_there_are_few_queries_answer() -> None:
    for number in range(1, 6):
        unburnt(f"BJ-{number:02d}")
    look_at(later())
    with CaptureQueriesContext(connection) as asked:
        values = of_tables([f"BJ-{number:02d}" for number in range(1, 41)], later())
    assert sum(map(len, values.values())) == 5
    assert len(asked) <= 10


def test_an_alert_is_frozen() -> None:
    assert Alert.__dataclass_params__.frozen  # type: ignore[attr-defined]


@pytest.mark.parametrize("office", ["fiscal_chefe", "chefia_da_sala", "inspetor", "auditor"])
def test_the_overview_says_at_once_what_is_due(office: str) -> None:
    people()
    table = unburnt()
    with at(later()):
        look_at(clock.now())
        client = client_of(office, "en")
        page = client.get("/admin/").content.decode()
    (alert,) = alerts(later())
    assert "Cards were dealt from a shoe of which no card was burnt." in text_of(page)
    assert "n.º 10" in text_of(page)
    assert f'href="{alert.link}"' in page
    assert client.get(alert.link).status_code == 200
    assert table.code in text_of(page)


def test_who_may_not_read_all_findings_sees_no_alerts_of_others() -> None:
    people()
    unburnt()
    with at(later()):
        look_at(clock.now())
        page = client_of("administrador", "en").get("/admin/").content.decode()
    assert "no card was burnt" not in page


def test_a_deadline_is_said_with_its_day_by_the_houses_clock() -> None:
    with timezone.override("Europe/Lisbon"):  # as every answer of the site
        assert words().moment("2026-07-10T21:03:00+00:00") == "10 Jul 2026 22:03:00"
        assert words().moment("2026-11-21T00:03:00+00:00") == "21 Nov 2026 00:03:00"
        assert words().moment("not told") == "not told"
