"""What the book tells of pools: terms at a moment, meters, payouts, the story out of entries."""

from jackpot.queries.pool_queries import PoolNow, displayed, payout_of, pool_now
from jackpot.queries.pool_story import replayed, story
from jackpot.queries.versions import Version, terms_at, version_at, versions

__all__ = [
    "PoolNow",
    "Version",
    "displayed",
    "payout_of",
    "pool_now",
    "replayed",
    "story",
    "terms_at",
    "version_at",
    "versions",
]
