"""In which open game a deck or a machine is now, and what is recorded of it from somewhere else.

A slip of the pen: it is warned of before it is recorded, and whoever answers for the game in which
the deck or the machine is may put it right.

Law: PT art. 3.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q

from casino.access.open_games import still_open
from casino.events.deck_life import DeckWithdrawn
from casino.events.event import Event
from casino.events.incidents import IncidentReported
from casino.house_day import gaming_day_now
from casino.law.checks.table.house_people import incident_number_of_one_table
from casino.law.checks.table.in_use_elsewhere import not_there, told_where_it_is_in_use
from casino.law.finding import Breach, Rule
from casino.law.rulebook.rulebook import Law
from casino.models import DeckWithdrawal, Incident, Partida

# A game that was opened before this and not closed has been forgotten.
_DAYS: Final = timedelta(days=1)


def previewed(event: Event, occurred_at: datetime, law: Law) -> Iterator[tuple[Rule, Breach]]:
    """What a record that belongs to no game would open (`Extension.previews`).

    Of a deck or a machine: that a game is using it. Of an incident: that another table has one of
    that number.
    """
    if isinstance(event, IncidentReported) and event.table is not None:
        others = Incident.objects.filter(incident=event.incident).exclude(
            table_code__in=("", event.table)
        )
        for table in others.order_by("table_code").values_list("table_code", flat=True).distinct():
            yield (
                incident_number_of_one_table,
                Breach({"incident": event.incident}, {"also_at": table}, {"table": event.table}),
            )
    if not isinstance(event, DeckWithdrawn | IncidentReported) or event.partida is not None:
        return
    for table, _partida in games_having(_that(event.kind, event.deck, _machine(event))):
        if table != event.table:
            yield told_where_it_is_in_use, not_there(event, table)


def games_concerned(kind: str, row: DeckWithdrawal | Incident) -> list[tuple[str, str]]:
    """Table and name of other tables' open games that had what a withdrawal or an incident names.

    None where the game that tells it was opened with it: it may have lain there then. None where
    no table tells it: the store and a technician tell what is so.
    """
    machine = row.shuffler if isinstance(row, Incident) else ""
    that = _that(kind, row.deck, machine)
    if that is None or not row.table_code:
        return []
    if row.partida_id and Partida.objects.filter(that, partida_id=row.partida_id).exists():
        return []
    had = games_having(that & Q(recorded_at__lt=row.recorded_at))
    return [(table, name) for table, name in had if table != row.table_code]


def games_having(that: Q | None) -> list[tuple[str, str]]:
    """Table and name of the open games that were opened with a deck or a machine."""
    if that is None:
        return []
    lately = Partida.objects.filter(that, still_open(), gaming_day__gte=gaming_day_now() - _DAYS)
    return sorted(set(lately.values_list("table_code", "partida_id")))


def _machine(event: Event) -> str:
    return getattr(event, "shuffler", None) or ""


def _that(kind: str, deck: str | None, machine: str) -> Q | None:
    """Openings with the deck of a withdrawal, or with the machine of an incident."""
    if kind == IncidentReported.kind:
        return Q(shuffler=machine) if machine else None
    return Q(decks__contains=[deck])
