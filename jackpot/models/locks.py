"""Which locks stand between the chips that feed a pool and whatever counts them.

Whoever writes a contribution holds its pool's lock shared until it is committed (a round, which
names no pool, that on what counts, as whoever approves a correction does); whoever writes terms,
starts, wins, payments, adjustments, seals or readings holds both alone. So each of the latter was
recorded after every contribution recorded before it, and before every one recorded later.
"""

from collections.abc import Iterator

from casino.models.projection import WHAT_COUNTS, Lock
from jackpot.events import pool_stream


def pool_lock(jackpot: str) -> str:
    """The name of a pool's lock."""
    return pool_stream(jackpot)


def alone_on(jackpot: str) -> Iterator[Lock]:
    """The locks of whoever sums up a pool."""
    yield Lock(WHAT_COUNTS, shared=False)
    yield Lock(pool_lock(jackpot), shared=False)
