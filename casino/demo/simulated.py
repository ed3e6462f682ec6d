"""A simulated evening of procedures recorded in a book that is nobody's, to be tried there."""

from datetime import date

from django.db import transaction

from casino import clock
from casino.demo.load_demo import AnothersBook, has_human_records, is_loaded, only_one
from casino.demo.recording_acts import key_of, record_acts
from casino.models import BookEntry
from casino.simulation.procedures import ProceduralEvening


class NotOver(Exception):
    """The evening lies, or ends, in the future."""


class AlreadyRecorded(Exception):
    """The book tells of partidas of that evening."""


def record_evening(evening: ProceduralEvening) -> int:
    """Tell a simulated evening, whole or not at all; how many entries it has.

    Raises: AnothersBook, where people told the book anything but the demo or such evenings;
    AlreadyRecorded; NotOver.
    """
    if max(act.known_at for act in evening.acts) >= clock.now():
        raise NotOver
    with transaction.atomic():
        only_one()
        names = [game.name for game in evening.partidas]
        if BookEntry.objects.filter(partida_id__in=names).exists():
            raise AlreadyRecorded
        if has_human_records() and not is_loaded() and not _another_is_recorded():
            raise AnothersBook
        return record_acts(evening.acts, _tale(evening.day))


def _tale(day: date) -> str:
    """What the keys of a day's evening begin with."""
    return f"simulated/{day.isoformat()}/"


def _another_is_recorded() -> bool:
    """Whether the book tells a simulated evening of any day."""
    days = BookEntry.objects.values_list("gaming_day", flat=True).distinct()
    return BookEntry.objects.filter(key__in=[key_of(0, _tale(day)) for day in days]).exists()
