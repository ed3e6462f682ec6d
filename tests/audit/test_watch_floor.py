"""The watch on tonight's tables: what is missing is said while the game goes on, and cured."""

from datetime import timedelta
from typing import Any

import pytest

from audit import audit_queries
from audit.models import Finding, FindingSupersession, PartidaReading
from audit.runs.current_findings import standing
from audit.watch import floor
from audit.watch.floor_overdue import PATIENCE
from casino import clock
from casino.events.complaints import ComplaintDecided, ComplaintReceived
from casino.events.floor_life import PartidaReopened
from casino.events.incidents import IncidentReported
from casino.events.notices import NoticeSent
from casino.events.shoes import CardBurned
from casino.models import BookEntry
from tests.factories.evenings import MANAGER, an_evening, correct
from tests.factories.findings import rests_on
from tests.factories.tonight import MINUTE, Table, look_at, record_events
from tests.jobs_inline import do_jobs

pytestmark = [pytest.mark.django_db, pytest.mark.share]
LATER = PATIENCE + MINUTE / 2
TURN = timedelta(seconds=floor.TURN)


def look(after: timedelta = LATER, **known: Any) -> int:
    """One look, so long from now; how many findings it raised."""
    return look_at(clock.now() + after, **known)


def open_checks() -> list[str]:
    """The checks of the findings that stand."""
    return sorted(standing().values_list("check_name", flat=True))


def recorded_of_findings() -> int:
    """How much the auditor wrote into the book."""
    return BookEntry.objects.filter(kind__startswith="finding-").count()


def a_shuffler() -> Table:
    """A table with a shuffler, loaded, witnessed and playing."""
    table = Table(dealing="shuffler")
    table.shuffled()
    table.witnessed(table.loaded())
    table.burnt(ago=34)
    table.played()
    return table


def test_a_house_where_nothing_is_open_owes_nothing() -> None:
    assert look() == 0
    an_evening(rounds=2)
    assert look() == 0  # of another year


def test_a_game_in_order_is_left_alone() -> None:
    table = Table()
    table.prepared()
    table.played()
    a_shuffler_beside = Table("BJ-02", "shuffler")
    a_shuffler_beside.shuffled()
    a_shuffler_beside.witnessed(a_shuffler_beside.loaded())
    a_shuffler_beside.burnt(ago=34)
    a_shuffler_beside.played()
    for after in (0, 3, 30, 300):
        assert look(after * MINUTE) == 0
    assert recorded_of_findings() == 0


# Each absence: not at once, within five minutes, once, and cured


@pytest.mark.parametrize(
    ("left_out", "check", "article"),
    [
        ("shuffled", "shoe_is_shuffled", "8"),
        ("cut", "shoe_is_cut", "8"),
        ("warning", "warning_card_is_placed", "9"),
        ("burnt", "shoe_is_burnt", "10"),
    ],
)
def test_a_step_of_the_shoe_nobody_told_is_found_while_it_is_played(
    left_out: str, check: str, article: str
) -> None:
    table = Table()
    table.prepared(left_out)
    assert look() == 0 or left_out in ("shuffled", "cut", "warning")  # a later step shows it too
    table.played()
    look()
    look()
    found = standing().get(check_name=check)
    assert (found.rulebook, found.article, found.partida_id) == ("pt", article, table.partida)
    assert (found.where, found.run) == ({"shoe": 1}, floor.RUN)
    assert Finding.objects.count() == 1
    getattr(table, left_out)()
    look()
    assert open_checks() == []
    assert FindingSupersession.objects.get().reason == "late_record"
    assert look() == 0
    assert recorded_of_findings() == 2


def test_nothing_is_said_before_a_while_has_gone_by() -> None:
    table = Table()
    table.prepared("burnt")
    shown = table.played().recorded_at
    assert look_at(shown + PATIENCE - timedelta(seconds=1)) == 0
    assert look_at(shown + PATIENCE) == 1


def test_what_is_told_within_the_while_was_never_missing() -> None:
    table = Table()
    table.prepared("burnt")
    table.played()
    assert look(MINUTE) == 0
    table.burnt()
    assert look(10 * MINUTE) == 0
    assert recorded_of_findings() == 0


def test_article_54_a_shuffler_that_deals_unloaded_is_found() -> None:
    table = Table(dealing="shuffler")
    table.burnt(ago=34)
    table.played()
    assert look() == 1
    assert open_checks() == ["shuffler_is_loaded"]
    for _ in range(5):
        table.played(ago=20)
    assert look() == 0
    table.shuffled()
    table.witnessed(table.loaded())
    look()
    assert open_checks() == []


def test_article_54_a_table_open_for_an_hour_without_a_load_is_found() -> None:
    table = Table(dealing="shuffler", ago=50)
    opened = BookEntry.objects.get(pk=table.opened.entry_id).occurred_at
    hour = opened + 60 * MINUTE
    assert look_at(hour) == 0
    assert look_at(hour + timedelta(seconds=1)) == 1
    assert open_checks() == ["shuffler_loaded_soon_after_opening"]
    table.shuffled(ago=1)
    table.witnessed(table.loaded(ago=0))
    look_at(hour + 5 * MINUTE)
    assert open_checks() == []


def test_article_54_a_load_nobody_witnessed_is_found_after_ten_minutes() -> None:
    table = Table(dealing="shuffler")
    table.shuffled()
    load = table.loaded()
    table.burnt(ago=34)
    assert look_at(load.recorded_at + 10 * MINUTE - timedelta(seconds=1)) == 0
    assert look_at(load.recorded_at + 10 * MINUTE) == 1
    (found,) = standing()
    assert (found.check_name, found.article) == ("loading_witnessed", "54")
    assert rests_on(found) == [str(load.entry_id)]
    table.witnessed(load)
    look_at(load.recorded_at + 12 * MINUTE)
    assert open_checks() == []


def jammed(table: Table, **known: Any) -> Any:
    """A jam ten minutes ago."""
    values = {"incident": "I-1", "category": "jam", "reason": "card", "people": ()}
    values |= {"shuffler": "CSM-04", "noticed_at": clock.now() - 10 * MINUTE}
    return table.record(IncidentReported, 10, **{**values, **known})


def test_article_51_rounds_dealt_during_a_jam_are_one_finding_however_many() -> None:
    table = a_shuffler()
    jammed(table)
    assert look() == 0
    table.played(ago=8)
    assert look() == 1
    found = standing().get()
    assert (found.check_name, found.observed) == ("no_round_during_trouble", {"rounds": 1})
    for _ in range(4):
        table.played(ago=6)
        assert look() == 0
    assert recorded_of_findings() == 1
    table.shuffled(ago=2)
    table.witnessed(table.unloaded(ago=2))
    table.inspected("close", 1)
    table.closed()
    do_jobs()
    # The closing's own run says how many there were, and nothing stands twice.
    found = standing().get(check_name="no_round_during_trouble")
    assert found.observed == {"rounds": 5}
    assert found.run != floor.RUN


def test_a_finding_of_the_watch_keeps_its_name_at_the_closing() -> None:
    table = Table()
    table.prepared("burnt")
    table.played()
    look()
    key = standing().get().key
    table.closed()
    do_jobs()
    assert standing().filter(key=key).count() == 1
    assert Finding.objects.filter(check_name="shoe_is_burnt").count() == 1
    assert look() == 0
    assert look(20 * MINUTE) == 0


def test_article_55_an_emptying_nobody_witnessed_is_found_although_the_table_is_closed() -> None:
    table = a_shuffler()
    unload = table.unloaded()
    table.inspected("close", 2)
    table.closed()
    do_jobs()
    assert "unloading_witnessed" not in open_checks()
    before = open_checks()
    assert look_at(unload.recorded_at + 10 * MINUTE) == 1
    assert sorted({*open_checks()} - {*before}) == ["unloading_witnessed"]
    # Hours later too, after an outage, and never again.
    assert look_at(unload.recorded_at + 300 * MINUTE) == 0
    table.witnessed(unload)
    do_jobs()
    look(20 * MINUTE)
    assert open_checks() == before


def test_after_an_outage_of_hours_the_missing_word_is_found_once() -> None:
    table = a_shuffler()
    unload = table.unloaded()
    table.inspected("close", 2)
    table.closed()
    do_jobs()
    assert look_at(unload.recorded_at + 9 * 60 * MINUTE) == 1
    assert look_at(unload.recorded_at + 9 * 60 * MINUTE) == 0
    assert "unloading_witnessed" in open_checks()


def test_article_55_a_table_closed_without_its_decks_in_order_is_found_and_cured() -> None:
    table = a_shuffler()
    table.witnessed(table.unloaded())
    table.closed()
    # The closing's own job is late: no worker is there.
    look()
    assert open_checks().count("decks_ordered_at_closing") == 6
    raised = Finding.objects.count()
    do_jobs()
    assert Finding.objects.filter(check_name="decks_ordered_at_closing").count() == 6
    assert raised >= 6
    table.inspected("close", 0)
    look()
    assert "decks_ordered_at_closing" not in open_checks()


def test_a_closing_that_was_undone_leaves_the_game_under_way() -> None:
    table = Table()
    table.prepared("burnt")
    table.closed(ago=20, rounds=0)
    do_jobs()
    assert audit_queries.open_partidas() == []
    table.record(PartidaReopened, 19, MANAGER, reason="mistake")
    assert [partida.partida_id for partida in audit_queries.open_partidas()] == [table.partida]
    table.played(ago=18)
    assert look(100 * MINUTE) == 1
    assert "shoe_is_burnt" in open_checks()


def test_article_51_a_damaged_card_nobody_made_known_is_found_when_its_day_is_over() -> None:
    table = a_shuffler()
    noticed = clock.now() - 10 * MINUTE
    jammed(
        table,
        category="damaged_card",
        replaced="card",
        noticed_at=noticed,
        deck="D-1",
        resolved_at=noticed,
        resolved_by="S-0104",
        resolved_by_office="fiscal_chefe",
    )
    day = timedelta(days=1)
    assert look_at(noticed + day) == 0
    assert look_at(noticed + day + timedelta(seconds=1)) >= 1
    assert "damaged_card_communicated_in_time" in open_checks()
    # Told of no table and no game: only its number says what it is about.
    notice = {"notice": "N-1", "to": "inspection_service", "about": "damaged_card"}
    notice |= {"means": "email", "reference": "M-1", "incident": "I-1"}
    record_events(
        NoticeSent(**notice, sent_by_office="chefia_da_sala", sent_at=noticed + MINUTE), by=MANAGER
    )
    look(day)
    assert "damaged_card_communicated_in_time" not in open_checks()


def test_article_61_a_complaint_nobody_decided_on_is_found_weeks_after_its_game() -> None:
    table = Table()
    table.prepared()
    table.played()
    receipt = table.record(ComplaintReceived, 20, complaint="RC-1", subject="payment")
    table.closed()
    do_jobs()
    before = open_checks()
    end = BookEntry.objects.get(pk=receipt.entry_id).occurred_at + timedelta(days=15)
    assert look_at(end) == 0
    assert look_at(end + timedelta(seconds=1)) == 1
    assert look_at(end + timedelta(days=1)) == 0
    assert sorted({*open_checks()} - {*before}) == ["complaint_answered"]
    record_events(
        ComplaintDecided(complaint="RC-1", outcome="not_upheld", reason="seen"), by=MANAGER
    )
    look_at(clock.now() + timedelta(hours=1))
    assert open_checks() == before


def test_a_corrected_record_cures_and_the_correction_is_named() -> None:
    table = Table()
    table.prepared("burnt")
    wrong = table.burnt(shoe=2, ago=30)
    table.played()
    look()
    assert "shoe_is_burnt" in open_checks()
    correct(wrong, CardBurned(**table.at, shoe=1, cards=1), clock.now() - 36 * MINUTE)
    look()
    assert open_checks() == []
    why = dict(FindingSupersession.objects.values_list("finding", "reason"))
    checks = {one.key: one.where["shoe"] for one in Finding.objects.all()}
    # What rested on the wrong record itself was corrected, what lacked it was cured.
    assert {(checks[key], reason) for key, reason in why.items()} == {
        (1, "late_record"),
        (2, "corrected"),
    }


# Two at once, cut short, killed, broken


def test_who_looks_while_a_run_that_read_more_has_told_leaves_it_alone() -> None:
    table = Table()
    table.prepared("burnt")
    table.played()
    PartidaReading.objects.create(partida_id=table.partida, extent=10**9)
    assert look() == 0
