"""Which rows of projections count: none that was corrected, withdrawn, or waits for its second
person.

Asked of each game once for a whole page. As a condition in every statement the same question is
answered over all corrections of the book again and again: sixteen times, of a night.
"""

from collections.abc import Iterable
from typing import TypeVar

from django.db.models import QuerySet

from audit.answers import Stretch
from casino.models import Supersession
from casino.models.projection import ProjectionBase
from casino.queries import replaced_in

_Row = TypeVar("_Row", bound=ProjectionBase)


class WhatCounts:
    """The entries of games that do not count, as far as somebody asked."""

    def __init__(self) -> None:
        self._games: set[str] = set()
        self._gone: set[tuple[str, int]] = set()

    def of(self, queryset: QuerySet[_Row]) -> list[_Row]:
        """Those of these rows that count, in their order."""
        rows = list(queryset)
        self._look_up(row.partida_id for row in rows)
        return [row for row in rows if (row.stream, row.n) not in self._gone]

    def gone_in(self, stretch: Stretch) -> tuple[list[str], list[int]]:
        """What does not count of the games of some days: streams, and numbers beside them."""
        days = Supersession.objects.filter(gaming_day__range=(stretch.first, stretch.last))
        games = set(days.order_by().values_list("partida_id", flat=True).distinct())
        self._look_up(games)
        gone = sorted(self._gone)
        return [stream for stream, _ in gone], [n for _, n in gone]

    def _look_up(self, games: Iterable[str]) -> None:
        asked = set(games) - self._games
        if asked:
            self._gone |= replaced_in(asked)
            self._games |= asked
