"""What a partida's own judge sees of a pool, found by its reconciliation and not by the replay."""

import pytest

from audit.models import Finding, entries_of
from audit.pools.report_replay import pool_findings
from audit.reconcile.opening import Asked
from audit.reconcile.request_run import ask_for
from audit.runs.current_findings import standing
from jackpot.events import TermsConfirmed
from tests.factories.pools import (
    ACE_JACK,
    POOL,
    START_CENTS,
    opened,
    paid,
    ref,
    start,
    terms_of,
    won,
)
from tests.factories.pools_in_book import at, chips, replay
from tests.factories.records import HEAD, MANAGER, recorded
from tests.jobs_inline import do_jobs

pytestmark = [pytest.mark.django_db, pytest.mark.share]


def evidence_of(check: str) -> set[str]:
    """The entries that the one finding of a check names."""
    row: Finding = standing().get(check_name=check)
    assert row.jackpot == POOL
    entries = entries_of(row)
    return {f"{one.stream.name} {one.n}" for one in entries}


def test_chips_without_terms_a_low_start_and_a_second_payment_name_their_entries() -> None:
    terms = recorded(terms_of(), by=MANAGER)
    low = start(cents=START_CENTS - 1)
    partida = opened()
    bare = chips((1, "J1", 1))  # one person's word is none yet
    recorded(TermsConfirmed(jackpot=POOL, confirms=ref(terms)), by=HEAD)
    chips((1, "J1", 1))
    hit = recorded(won(("J5", 5, ACE_JACK)))
    once = recorded(paid(hit, "J5", 5, ACE_JACK, 5_000))
    again = recorded(paid(hit, "J5", 5, ACE_JACK, 5_000, again=True))
    ask_for(Asked(reason="asked", partida=partida))
    do_jobs()
    assert evidence_of("jackpot_terms_are_confirmed") == {at(terms), at(bare)}
    assert at(low) in evidence_of("jackpot_start_is_high_enough")
    assert {at(hit), at(once), at(again)} <= evidence_of("jackpot_prize_is_paid_once")
    row = replay()
    assert row.misfits == 1  # the second payment moves nothing
    assert not pool_findings(POOL).exists()  # and is found once
