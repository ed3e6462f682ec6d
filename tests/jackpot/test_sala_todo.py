"""What of a pool waits for somebody: prizes to be paid, their witness, a meter at zero (44)."""

import pytest
from django.urls import reverse

from casino import clock
from jackpot.events import JackpotStarted
from jackpot.floor.jackpot_todo import waiting
from tests.factories.people import somebody, write
from tests.factories.pools import ACE_JACK, POOL, SEVENS, START_CENTS, TOP, ref
from tests.jackpot.sala_pools import MANAGER, a_pool, a_win, hit_at, tap
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english", "running_pool")]


@recorded_once
def running_pool() -> None:
    """The house, a pool that runs, a table open with it."""
    a_pool()


def listed() -> list[tuple[str, str]]:
    return [(one.what, one.article) for one in waiting(clock.now())]


def test_a_prize_waits_to_be_paid_then_its_payment_for_a_witness() -> None:
    """PT art. 49, 50."""
    assert listed() == []
    hit = a_win((2, ACE_JACK))
    assert listed() == [("prize", "n.º 49")]
    pit = somebody("fiscal_de_banca")
    assert tap(pit, hit_at(hit.n)).status_code == 303
    assert listed() == [("prize_witness", "n.º 50")]
    sheet = reverse("jackpot-payout", args=[hit.entry_id])
    assert f'href="{sheet}?from=' in pit.get(hit_at(hit.n)).content.decode()


def test_a_meter_a_win_emptied_waits_for_the_chefia_until_it_is_started_again() -> None:
    """PT art. 44: lawful where a smaller prize left something; due where all was taken."""
    a_win((3, SEVENS))
    assert "restart" not in [what for what, _ in listed()]
    hit = a_win((2, TOP))
    (restart,) = [one for one in waiting(clock.now()) if one.what == "restart"]
    assert restart.offices == {"chefia_da_sala"}
    assert restart.url.endswith(f"?hit={hit.entry_id}")
    again = JackpotStarted(
        jackpot=POOL, start_cents=START_CENTS, reason="after_full_payout", hit=ref(hit)
    )
    write(again, by=MANAGER, at=clock.now())
    assert "restart" not in [what for what, _ in listed()]
