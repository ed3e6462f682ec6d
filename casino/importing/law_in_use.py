"""The law in use in this house: its rulebooks' files, and the figures two persons set in its book.

A process keeps what the book says for some seconds. Nothing hangs on these: a set begins on a later
gaming day than the one on which it is recorded. Whoever judges a whole run reads as far as the run
does (`law_of_run`), so that each of its parts judges by the same.
"""

import time
from typing import Final, NamedTuple

from casino import queries
from casino.events.event import HOUSE
from casino.law.dossier import AnyRecorded
from casino.law.rulebook.figure_sets import Paired, paired
from casino.law.rulebook.rulebook import Law, RecordedSet
from casino.law.rulebook.rulebook_file import law_in_use, law_of_file
from casino.models import FigureSetting

PATIENCE: Final = 10.0  # seconds


class Kept(NamedTuple):
    """The sets that count as they were read, and until when they are kept (`time.monotonic`)."""

    sets: tuple[RecordedSet, ...] = ()
    until: float = 0.0


_here: list[Kept] = [Kept()]


def sets_now() -> tuple[RecordedSet, ...]:
    """The sets of the book that count, as they were some seconds ago at most."""
    kept = _here[0]
    if time.monotonic() >= kept.until:
        kept = Kept(read_sets().counting, time.monotonic() + PATIENCE)
        keep(kept)
    return kept.sets


def keep(kept: Kept) -> None:
    """Keep these from now on; `Kept()` has the book asked anew."""
    _here[0] = kept


def law_of_run(rulebook: str, up_to: int) -> Law:
    """A rulebook with the sets recorded up to an entry of the house's stream, read anew.

    Raises: LawError.
    """
    return law_in_use(law_of_file(rulebook), read_sets(up_to).counting)


def read_sets(up_to: int = queries.EVERYTHING) -> Paired:
    """The sets of the book up to an entry of the house's stream: those that count, the others."""
    there = FigureSetting.objects.filter(stream=HOUSE, n__lte=up_to)
    rows = list(there.values_list("n", "asked_n"))
    named = {n for of_set, asked in rows for n in (of_set - 1, of_set, asked)}
    return paired(_entries(named) if named else ())


def _entries(numbers: set[int]) -> list[AnyRecorded]:
    return queries.read_entries(
        "WHERE s.name = %s AND e.n = ANY(%s) ORDER BY e.n", [HOUSE, sorted(numbers)], "default"
    )
