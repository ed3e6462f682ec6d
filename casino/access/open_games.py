"""Which game is open at a table: the one opened there last, unless its last word is a closing.

An opening, a closing or a reopening that was withdrawn is none.
"""

from collections.abc import Collection
from typing import Final

from django.db import connection
from django.db.models import Exists, OuterRef

from casino.models import Closing, Partida, Reopening, Table
from casino.queries import counting, counts, that_count

# From the end of an index, table by table: a book has months of partidas.
_LAST_PARTIDAS: Final = f"""
SELECT last.* FROM unnest(%s::text[]) AS asked (code), LATERAL (
    SELECT * FROM casino_partida AS opened WHERE table_code = code AND {counting("opened")}
    ORDER BY entry_id DESC LIMIT 1) AS last
"""  # noqa: S608 - made of constants alone
# Never closed, or reopened since it was.
_STILL_OPEN: Final = f"""
SELECT last.table_code, last.partida_id FROM ({_LAST_PARTIDAS}) AS last WHERE coalesce(
    (SELECT max(occurred_at) FROM casino_closing AS act
        WHERE act.partida_id = last.partida_id AND {counting("act")})
    < (SELECT max(occurred_at) FROM casino_reopening AS act
        WHERE act.partida_id = last.partida_id AND {counting("act")}),
    NOT EXISTS (SELECT FROM casino_closing AS act
        WHERE act.partida_id = last.partida_id AND {counting("act")}))
"""  # noqa: S608 - made of constants alone


def tables_known() -> list[str]:
    """Every table of the house, by its code."""
    return sorted(Table.objects.values_list("table_code", flat=True).distinct())


def last_partidas(tables: Collection[str]) -> dict[str, Partida]:
    """The last partida of each table, open or closed."""
    found = Partida.objects.raw(_LAST_PARTIDAS, [list(tables)]) if tables else ()
    return {row.table_code: row for row in found}


def open_partidas(tables: Collection[str]) -> dict[str, str]:
    """The partida of each of these tables that is open."""
    if not tables:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_STILL_OPEN, [list(tables)])
        return dict(cursor.fetchall())


def still_open() -> object:
    """Of openings, those whose last word is no closing: it never came, or was undone since."""
    undone = Reopening.objects.filter(partida_id=OuterRef("partida_id"), n__gt=OuterRef("n"))
    closed = that_count(Closing.objects.filter(partida_id=OuterRef("partida_id")))
    return ~Exists(closed.filter(~Exists(that_count(undone)))) & counts()
