"""What was withdrawn counts nowhere: the meter, the law, the watch, rounds in doubt, copies."""

from datetime import datetime, timedelta

import pytest
from django.urls import reverse

from audit import audit_queries
from audit.models import Finding, FindingSupersession
from audit.runs.current_findings import standing
from audit.watch.floor_deadlines import watch_deadlines
from casino import clock
from casino.access.open_games import last_partidas, open_partidas
from casino.events.incidents import IncidentClosed, IncidentReported
from casino.events.partidas import PartidaClosed
from casino.models import JobOutbox, Partida
from casino.queries import dossier_of, heads
from jackpot import queries
from jackpot.floor.displays_read import unread
from jackpot.models import JackpotReading
from jackpot.queries.course import course
from jackpot.seal_meter import seal
from tests.audit.reconciling import reconcile
from tests.factories.evenings import an_evening, closed, opened, partida_of, record_events
from tests.factories.exposed_evenings import deal, open_table, short, trail
from tests.factories.people import somebody
from tests.factories.pools import POOL, START_CENTS
from tests.factories.pools_in_book import at as place
from tests.factories.pools_in_book import chips, looked, raised, replay
from tests.factories.running_pools import CHIP, START
from tests.factories.tonight import at
from tests.factories.tonight import record_events as tell_now
from tests.factories.withdrawals import DECIDES, ask_to_withdraw, withdraw

pytestmark = [pytest.mark.django_db, pytest.mark.share]
DAY = timedelta(days=1)


# The meter.


@pytest.mark.usefixtures("pool")
@pytest.mark.parametrize("sealed", [False, True])
def test_article_41_a_withdrawn_increment_lowers_the_meter_by_the_withdrawal_itself(
    sealed: bool,
) -> None:
    """And projections, entries and the nightly replay agree on it."""
    wrong, other = chips((1, "J1", 5)), chips((2, "J2", 1))
    if sealed:
        seal(POOL)
    before = heads()
    ask_to_withdraw(other)
    assert queries.pool_now(POOL).meter.running == START + 6 * CHIP  # that one waits
    withdraw(wrong)
    for meter in (queries.pool_now(POOL).meter, queries.replayed(POOL).meter):
        assert meter.running == START + CHIP
    assert queries.pool_now(POOL, until=before).meter.running == START + 6 * CHIP  # as it stood
    row = replay()
    assert (row.difference_microcents, row.problems) == (0, 0)
    assert row.microcents == START + CHIP
    seal(POOL)
    assert replay().problems == 0


@pytest.mark.usefixtures("pool")
def test_article_41_a_withdrawn_reading_is_held_against_nobody_and_shown_on_no_curve() -> None:
    wrong = looked(display_cents=START_CENTS - 1)
    replay()
    assert raised() == [("41", place(wrong))]
    withdraw(wrong)
    replay()
    assert raised() == []
    supersession = FindingSupersession.objects.get()
    assert supersession.reason == "corrected"
    finding = Finding.objects.get(key=supersession.finding)
    assert audit_queries.state_of(finding) == audit_queries.WITHDRAWN
    drawn = course(POOL, clock.now() - timedelta(days=365), clock.now())
    assert "reading" not in [point.kind for point in drawn.points]
    row = JackpotReading.objects.get()
    since = row.occurred_at - DAY
    assert unread(POOL, table="BJ-06", partida=row.partida_id, since=since)
    listed = somebody("inspetor").get(reverse("admin:jackpot_jackpotreading_changelist"))
    assert "<s>" in listed.content.decode()


# The law.


def test_a_finding_that_falls_with_its_record_is_of_no_effect_with_who_and_how_late() -> None:
    receipts = an_evening(rounds=3, wrong=[2])
    reconcile("first")
    found = standing().get(check_name="nearer_to_twenty_one_wins")
    withdraw(receipts[2])
    result = reconcile("after", reason="late_record")
    assert result.rounds == 2
    assert audit_queries.state_of(found) == audit_queries.WITHDRAWN
    listed = audit_queries.superseded_for(Finding.objects.all(), audit_queries.WITHDRAWN)
    assert found.pk in listed.values_list("pk", flat=True)
    assert not audit_queries.superseded_for(
        Finding.objects.filter(pk=found.pk), "corrected"
    ).exists()
    page = somebody("inspetor").get(reverse("admin:audit_finding_change", args=[found.pk]))
    text = page.content.decode()
    assert "of no effect: record withdrawn" in text.casefold()
    assert "asked for by S-0187" in text
    assert f"approved by {DECIDES.staff}" in text


def test_what_waits_is_judged_as_it_stands() -> None:
    receipts = an_evening(rounds=3, wrong=[2])
    ask_to_withdraw(receipts[2])
    assert reconcile("first").rounds == 3
    assert standing().filter(check_name="nearer_to_twenty_one_wins").exists()
    assert JobOutbox.objects.filter(topic="partida-touched").exists()  # and is looked at again


def test_a_withdrawn_closing_leaves_the_game_open_and_a_withdrawn_opening_none() -> None:
    first, shut = record_events(opened()), record_events(closed())
    assert open_partidas(["BJ-01"]) == {}
    withdraw(shut)
    assert open_partidas(["BJ-01"]) == {"BJ-01": partida_of()}
    assert not dossier_of(partida_of()).of(PartidaClosed)
    withdraw(first)
    assert last_partidas(["BJ-01"]) == {}
    assert Partida.objects.count() == 1  # it stays, to be read


# The watch.


def look(moment: datetime) -> int:
    with at(moment):
        return watch_deadlines(moment)


def test_a_withdrawn_incident_owes_nothing_and_a_withdrawn_settlement_settles_nothing() -> None:
    values = {"incident": "I-1", "category": "conduct", "reason": "quarrel", "people": ()}
    report = tell_now(IncidentReported(**values), 60)
    settled = tell_now(IncidentClosed(incident="I-1", outcome="settled", reason="talked"))
    later = clock.now() + 2 * DAY
    assert look(later) == 0
    withdraw(settled)
    assert look(later) == 1
    withdraw(report)
    look(later)
    assert not standing().exists()
    assert audit_queries.state_of(Finding.objects.get()) == audit_queries.WITHDRAWN


# Rounds in doubt.


def test_a_withdrawn_round_is_in_no_doubt() -> None:
    open_table()
    rounds = deal(1, 2, 3)
    defect = short()
    before = trail(defect).at_most().rounds
    withdraw(rounds[1])
    assert trail(defect).at_most().rounds == before - 1
