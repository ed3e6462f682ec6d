"""Which game is open at a table: the one opened there last, unless its last word is a closing.

An opening, a closing or a reopening that was withdrawn is none.
"""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any, Final

from django.db.models import Exists, Max, OuterRef

from casino.models import Closing, Partida, Reopening
from casino.queries import counts, that_count

# From the end of an index, table by table: a book has months of partidas.
_LAST_PARTIDAS: Final = """
SELECT last.* FROM unnest(%s::text[]) AS asked (code), LATERAL (
    SELECT * FROM casino_partida AS told WHERE table_code = code AND NOT EXISTS (
        SELECT FROM casino_not_counting AS gone
        WHERE gone.stream = told.stream AND gone.n = told.n AND gone.until_n IS NULL)
    ORDER BY entry_id DESC LIMIT 1) AS last
"""


def last_partidas(tables: Collection[str]) -> dict[str, Partida]:
    """The last partida of each table, open or closed."""
    found = Partida.objects.raw(_LAST_PARTIDAS, [list(tables)]) if tables else ()
    return {row.table_code: row for row in found}


def open_partidas(tables: Collection[str]) -> dict[str, str]:
    """The partida of each of these tables that is open."""
    last = {table: row.partida_id for table, row in last_partidas(tables).items()}
    closed = _latest(Closing, last.values())
    reopened = _latest(Reopening, last.values())
    return {
        table: partida
        for table, partida in last.items()
        if partida not in closed or closed[partida] < reopened.get(partida, closed[partida])
    }


def still_open() -> Any:
    """Of openings, those whose last word is no closing: it never came, or was undone since."""
    undone = Reopening.objects.filter(partida_id=OuterRef("partida_id"), n__gt=OuterRef("n"))
    closed = that_count(Closing.objects.filter(partida_id=OuterRef("partida_id")))
    return ~Exists(closed.filter(~Exists(that_count(undone)))) & counts()


def _latest(shelf: Any, partidas: Iterable[str]) -> dict[str, datetime]:
    there = that_count(shelf.objects.filter(partida_id__in=list(partidas)))
    rows = there.values_list("partida_id")
    return dict(rows.annotate(Max("occurred_at")).order_by())
