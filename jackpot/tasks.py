"""The jackpot's jobs, as workers do them: what they do lies in the rooms below."""

from contextlib import suppress
from typing import Final
from uuid import UUID, uuid5

from casino.models import BookEntry
from casino.recording import KeyReused
from casino.tasks import job
from jackpot.seal_meter import seal

NAMESPACE: Final = UUID("8a3e1f5c-0f57-5d0a-9c2e-7e0f5c7a4b21")


@job("jackpot.tasks.seal_pool")
def seal_pool(job: str, *, jackpot: str, day: str, **_: object) -> bool:
    """Seal a pool after a gaming day: once, however often the job is done. Law: PT art. 41."""
    key = sealed_key(jackpot, day)
    if not BookEntry.objects.filter(key=key).exists():
        with suppress(KeyReused):  # somebody else sealed it a moment ago, with another value
            seal(jackpot, key=key, job=job)
    return True


def sealed_key(jackpot: str, day: str) -> UUID:
    """The key of the seal that follows a day, ``"2026-11-20"``: there is one for each pool."""
    return uuid5(NAMESPACE, f"sealed/{jackpot}/{day}")
