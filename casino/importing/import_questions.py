"""What is asked before a file is let into the book: that two persons stand behind its records."""

from collections.abc import Sequence

from casino.recording.preparing import Prepared
from casino.recording.refusals import OWN_ACT, WitnessRefused


def second_person(prepared: Prepared, _before: Sequence[Prepared]) -> None:
    """Whoever brought a file does not confirm it. Raises: WitnessRefused."""
    event, by = prepared.submission.event, prepared.submission.by
    if event.brought_by.casefold() == by.staff.casefold():
        raise WitnessRefused(place=prepared.place, why=OWN_ACT)
