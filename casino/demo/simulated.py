"""A simulated evening of procedures recorded in a book that is nobody's, to be tried there."""

from datetime import date
from typing import Any

from django.db import transaction

from casino import clock
from casino.demo.loading import AnothersBook, only_one, told_by_people, was_told
from casino.demo.shuffler_table import in_the_book
from casino.demo.telling import Line, Receipts, key_of, reference, tell
from casino.models import BookEntry
from casino.recording import Actor, Source
from casino.simulation.procedures import ProceduralEvening
from casino.simulation.procedures.telling import Act, Who, Word
from casino.witnessing import LASTS


class NotOver(Exception):
    """The evening lies, or ends, in the future."""


class ToldAlready(Exception):
    """The book tells of partidas of that evening."""


def record_evening(evening: ProceduralEvening) -> int:
    """Tell a simulated evening, whole or not at all; how many entries it has.

    Raises: AnothersBook, where people told the book anything but the demo or such evenings;
    ToldAlready; NotOver.
    """
    if max(act.known_at for act in evening.acts) >= clock.now():
        raise NotOver
    with transaction.atomic():
        only_one()
        names = [game.name for game in evening.partidas]
        if BookEntry.objects.filter(partida_id__in=names).exists():
            raise ToldAlready
        if told_by_people() and not was_told() and not _another_was_told():
            raise AnothersBook
        return tell(lines_of(evening), _tale(evening.day))


def _tale(day: date) -> str:
    """What the keys of a day's evening begin with."""
    return f"simulated/{day.isoformat()}/"


def _another_was_told() -> bool:
    """Whether the book tells a simulated evening of any day."""
    days = BookEntry.objects.values_list("gaming_day", flat=True).distinct()
    return BookEntry.objects.filter(key__in=[key_of(0, _tale(day)) for day in days]).exists()


def lines_of(evening: ProceduralEvening) -> list[Line]:
    """Its acts as the demo tells its own."""
    acts = evening.acts
    names = {id(act): f"act/{place}" for place, act in enumerate(acts)}
    return [_line(act, names) for act in acts]


def _line(act: Act, names: dict[int, str]) -> Line:
    by = _actor(act.by)
    source = Source("device", by.staff) if by.office == "dispositivo" else Source()
    told: dict[str, Any] = {"at": act.at, "by": by, "name": names[id(act)], "told_at": act.told_at}
    if not isinstance(act.fact, Word):
        return Line(fact=act.fact, source=source, **told)
    word, witnessed = act.fact, names[id(act.fact.act)]

    def said(receipts: Receipts) -> object:
        _, digest = in_the_book(receipts[witnessed])
        entry = reference(receipts[witnessed])
        # The book is told of the evening now, and refuses a word whose time is over.
        return word.fact(entry, clock.now() + LASTS, digest)

    return Line(fact=said, after=(witnessed,), source=source, **told)


def _actor(who: Who) -> Actor:
    return Actor(who.staff, who.office, who.door)
