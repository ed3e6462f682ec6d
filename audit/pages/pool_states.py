"""The pools on the overview: what each is worth, and what its last replay came to."""

from typing import NamedTuple

from django.urls import reverse

from audit.models import PoolReplay
from audit.pools.replays_due import begun_pools
from casino.web.display.money_and_time import money
from jackpot.progressive.amounts import displayed_cents


class PoolState(NamedTuple):
    """A pool and its last replay, None for none; `worth` is what that came to, in euros."""

    jackpot: str
    replay: PoolReplay | None
    worth: str
    link: str


def pool_states() -> list[PoolState]:
    """Every pool that was begun, by its code."""
    begun = begun_pools()
    if not begun:
        return []
    last = {
        row.jackpot: row for row in PoolReplay.objects.order_by("jackpot", "-n").distinct("jackpot")
    }
    return [_state(jackpot, last.get(jackpot)) for jackpot in begun]


def _state(jackpot: str, pool_replay: PoolReplay | None) -> PoolState:
    if pool_replay is None:
        return PoolState(jackpot, None, "", "")
    link = reverse("admin:audit_poolreplay_change", args=[pool_replay.pk])
    return PoolState(jackpot, pool_replay, money(displayed_cents(pool_replay.microcents)), link)
