"""Rounds into the book in batches: one transaction a batch, and one bad round stops no other."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from itertools import islice
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db import transaction

from casino.events import Malformed
from casino.events.round.round_played import RoundPlayed
from casino.house_day import house_zone
from casino.importing.imported_lines import Placed
from casino.reading.refusal import Refused
from casino.recording import Actor, Busy, Receipt, Source, Submission, record_many
from casino.recording import Refused as NotRecorded

BATCH: Final = 500
PATIENCE: Final = 20  # times a batch is sent again while others write at its tables


@dataclass(slots=True)
class Tally:
    """What became of a file: rounds recorded, rounds that were there already, lines refused."""

    recorded: int = 0
    repeated: int = 0
    refused: int = 0

    @property
    def read(self) -> int:
        """Everything that was looked at."""
        return self.recorded + self.repeated + self.refused


class Intake:
    """Takes rounds in for one actor, from one file named by `reference` (its SHA-256)."""

    def __init__(self, by: Actor, reference: str | None) -> None:
        self.by = by
        self.source = Source("file", reference)
        self.tally = Tally()

    def take(self, listed: Iterable[Placed | Refused]) -> Iterator[Refused]:
        """Record every round; the refusals come out as they are met, in the file's order."""
        rounds = iter(listed)
        while batch := list(islice(rounds, BATCH)):
            yield from sorted(self._take_batch(batch), key=lambda refused: refused.line)

    def take_all_or_none(self, listed: Sequence[Placed | Refused]) -> list[Refused]:
        """Record every round in one transaction, or nothing where one line is refused."""
        refusals = [each for each in listed if isinstance(each, Refused)]
        if not refusals:
            with transaction.atomic():
                refusals = list(self.take(listed))
                if refusals:
                    transaction.set_rollback(True)
        if refusals:
            self.tally = Tally(refused=len(refusals))
        return refusals

    def _take_batch(self, batch: Sequence[Placed | Refused]) -> Iterator[Refused]:
        placed = [each for each in batch if isinstance(each, Placed)]
        for each in batch:
            if isinstance(each, Refused):
                self.tally.refused += 1
                yield each
        try:
            self._record(placed)
        except Busy:
            raise
        except (Malformed, NotRecorded):
            # One of them cannot be recorded: all of them again, each by itself, to find out which.
            for each in placed:
                refusal = self._record_one(each)
                if refusal is not None:
                    self.tally.refused += 1
                    yield refusal

    def _record_one(self, placed: Placed) -> Refused | None:
        try:
            self._record([placed])
        except Malformed as error:
            return Refused.of(placed.line, error)
        except Busy:
            raise
        except NotRecorded as error:
            return Refused(placed.line, "$.round", error.reason)
        return None

    def _record(self, placed: Sequence[Placed]) -> None:
        receipts = patiently([self._submission(each.round) for each in placed])
        repeated = sum(receipt.repeated for receipt in receipts)
        self.tally.repeated += repeated
        self.tally.recorded += len(receipts) - repeated

    def _submission(self, round_played: RoundPlayed) -> Submission:
        return Submission(
            round_played,
            UUID(round_played.round),
            self.by,
            happened_at(round_played),
            self.source,
        )


def patiently(submissions: Sequence[Submission]) -> list[Receipt]:
    """Nobody sits before a file: it waits longer than a page. Raises: Busy, at last."""
    for _ in range(PATIENCE):
        try:
            return record_many(submissions)
        except Busy:
            continue
    return record_many(submissions)


def happened_at(round_played: RoundPlayed) -> datetime:
    """The moment a round is recorded as having happened: the last one it tells of.

    A round that tells none happened at the earliest when its gaming day began, and is recorded so.
    """
    times = round_played.times
    if times is not None:
        for moment in (times.paid, times.collected, times.first_card, times.stakes_closed):
            if moment is not None:
                return moment
    begun = datetime.combine(
        round_played.gaming_day,
        time.fromisoformat(settings.HOUSE_DAY_STARTS),
        house_zone(),
    )
    return begun.astimezone(UTC)
