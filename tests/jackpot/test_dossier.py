"""What is judged is what stands in the book: pools lie around the partidas that feed them."""

import time
from typing import Any

import pytest

from audit.models import Finding
from audit.reconcile.concluding import conclude
from audit.reconcile.opening import Asked, open_run
from audit.reconcile.working import work
from casino.law.rulebook.rulebook_file import load_law
from casino.models import JobOutbox
from casino.previewing import Draft, preview
from casino.queries import dossier_of, heads
from jackpot.events import JackpotPaid, JackpotStarted, JackpotWon, TermsApproved
from jackpot.rules import judge_jackpot
from tests.factories.pools import (
    ACE_JACK,
    TOP,
    approve,
    increment,
    opened,
    paid,
    start,
    won,
)
from tests.factories.records import EVENING, PIT, recorded

pytestmark = pytest.mark.django_db
PARTIDA = "BJ-06/2026-11-20/1"


def cited(partida: str = PARTIDA) -> list[str]:
    """What is found of the progressive prize, by article and check."""
    found = judge_jackpot(dossier_of(partida), load_law("pt")).findings
    return sorted(f"{one.article} {one.check}" for one in found)


def chips(*laid: tuple[int, str, int], **known: Any) -> None:
    """Chips collected as they should be."""
    recorded(
        increment(*laid, chip_cents=250, closing_called=True, collected_before_deal=True, **known)
    )


def test_a_partida_without_terms_is_found_and_one_with_terms_is_not() -> None:
    start()
    opened()
    chips((1, "J1", 1))
    assert cited() == ["40 jackpot_terms_are_in_force"]
    approve(valid_from=EVENING)
    assert cited() == ["40 jackpot_terms_are_in_force"]  # terms do not cure what was before them


def test_the_terms_the_start_the_wins_and_their_payments_lie_around_it() -> None:
    approve()
    start(cents=1)
    opened()
    opened("BJ-07")
    chips((1, "J1", 1))
    hit = recorded(won(("J1", 1, ACE_JACK), running_microcents=10_000_000_000))
    recorded(won(("J9", 1, TOP), table="BJ-07"))  # of another partida
    recorded(paid(hit, "J1", 1, ACE_JACK, 4_000))
    dossier = dossier_of(PARTIDA)
    around = {type(one.event): len(dossier.around_of(type(one.event))) for one in dossier.around}
    assert (around[TermsApproved], around[JackpotStarted]) == (1, 1)
    assert (around[JackpotWon], around[JackpotPaid]) == (1, 1)
    assert "44 jackpot_start_is_high_enough" in cited()
    assert "43 jackpot_prizes_as_approved" in cited()


def test_what_was_told_since_is_not_read_again() -> None:
    approve()
    start()
    opened()
    hit = recorded(won(("J1", 1, ACE_JACK), running_microcents=10_000_000_000))
    reach = heads()
    recorded(paid(hit, "J1", 1, ACE_JACK, 1))
    before = dossier_of(PARTIDA, up_to=reach)
    assert before.around_of(JackpotPaid) == []
    assert len(dossier_of(PARTIDA).around_of(JackpotPaid)) == 1


def test_a_form_warns_of_what_it_would_open() -> None:
    approve()
    start()
    opened()
    chips((1, "J1", 1))
    hit = recorded(won(("J1", 1, ACE_JACK), running_microcents=10_000_000_000))
    wrong = paid(hit, "J1", 1, ACE_JACK, 4_999)
    right = paid(hit, "J1", 1, ACE_JACK, 5_000)
    [found] = preview([Draft(wrong, EVENING, PIT)])
    assert [one.check for one in found] == ["jackpot_prizes_as_approved"]
    assert preview([Draft(right, EVENING, PIT)]) == [[]]
    two = increment((2, "J2", 2), chip_cents=250)
    assert {one.article for one in preview([Draft(two, EVENING, PIT)])[0]} == {"47"}


def test_the_reconciliation_finds_it_and_a_payment_calls_for_another() -> None:
    approve()
    start()
    opened()
    chips((1, "J1", 1))
    hit = recorded(won(("J1", 1, ACE_JACK), running_microcents=10_000_000_000))
    reconcile("first")
    assert not Finding.objects.filter(article="43").exists()
    recorded(paid(hit, "J1", 1, ACE_JACK, 4_999))
    touched = JobOutbox.objects.filter(topic="partida-touched").values_list("args", flat=True)
    assert {"partida": PARTIDA} in list(touched)
    reconcile("second")
    found = Finding.objects.get(article="43")
    assert (found.check_name, found.owed_cents) == ("jackpot_prizes_as_approved", 1)
    reconcile("third")
    assert Finding.objects.filter(article="43").count() == 1


def reconcile(job: str) -> None:
    """A whole run over the partida."""
    sheet = open_run(job, Asked("asked", PARTIDA))
    work(sheet.run, time.monotonic() + 60)
    assert conclude(sheet.run) == "finished"
