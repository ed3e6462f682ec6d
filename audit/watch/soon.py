"""Whether anything at a few tables may come due soon: one question in the place of many.

A page of the floor asks about its table every half minute, from every tablet, and nearly always
there is nothing. What is recorded is still read off the projections as for the whole house
(`alerts`): this says only which of them are worth asking, and names one too many rather than one
too few.
"""

from collections.abc import Collection, Mapping
from datetime import date, datetime, timedelta
from typing import Any, Final

from django.db import connection

LOADS: Final = "loads"
UNLOADS: Final = "unloads"
INCIDENTS: Final = "incidents"
COMPLAINTS: Final = "complaints"
HOLDS: Final = "holds"
EVERYTHING: Final = frozenset({LOADS, UNLOADS, INCIDENTS, COMPLAINTS, HOLDS})
# What the house's deadlines are asked of; the others wait for a witness.
DEADLINES: Final = frozenset({INCIDENTS, COMPLAINTS, HOLDS})

_NOBODYS_WORD: Final = """NOT EXISTS (SELECT 1 FROM casino_attestation AS word
    WHERE word.witnessed_stream = act.stream AND word.witnessed_n = act.n)"""
# A deadline is told of from some time before it: what began between two moments.
_BEGAN: Final = "({moment} BETWEEN %({name}_since)s AND %({name}_until)s)"


def _began(moment: str, *names: str) -> str:
    return " OR ".join(_BEGAN.format(moment=moment, name=name) for name in names)


_ASKED: Final = f"""
SELECT '{LOADS}' WHERE EXISTS (SELECT 1 FROM casino_shuffler_load AS act
    WHERE table_code = ANY(%(tables)s) AND gaming_day >= %(first)s AND {_NOBODYS_WORD})
UNION ALL
SELECT '{UNLOADS}' WHERE EXISTS (SELECT 1 FROM casino_shuffler_unload AS act
    WHERE table_code = ANY(%(tables)s) AND gaming_day >= %(first)s AND reason = 'closing'
    AND {_NOBODYS_WORD})
UNION ALL
SELECT '{INCIDENTS}' WHERE EXISTS (SELECT 1 FROM casino_incident
    WHERE table_code = ANY(%(tables)s)
    AND ({_began("COALESCE(noticed_at, occurred_at)", "incident", "notice", "footage")}))
UNION ALL
SELECT '{COMPLAINTS}' WHERE EXISTS (SELECT 1 FROM casino_complaint
    WHERE table_code = ANY(%(tables)s)
    AND ({_began("occurred_at", "complaint")}
    OR {_began("COALESCE(received_at, occurred_at)", "footage")}))
UNION ALL
SELECT '{HOLDS}' WHERE EXISTS (SELECT 1 FROM casino_footage_hold
    WHERE table_code = ANY(%(tables)s)
    AND ({_began("occurred_at", "footage")} OR {_began("recorded_from", "footage")}))
"""  # noqa: S608 - made of the constants above alone


def may_come_due(
    now: datetime,
    tables: Collection[str],
    first: date,
    allowed: Mapping[str, timedelta],
    warned: Mapping[str, timedelta],
) -> frozenset[str]:
    """Which projections may hold something to warn about at these tables.

    `first` is the earliest gaming day whose loads are waited for; `allowed` how long there is for
    an incident, a notice, a complaint and recordings, `warned` how long before each its end is
    told of.
    """
    asked: dict[str, Any] = {"tables": list(tables), "first": first}
    for name, before in warned.items():
        since = now - allowed[name]
        asked |= {f"{name}_since": since, f"{name}_until": since + before}
    with connection.cursor() as cursor:
        cursor.execute(_ASKED, asked)
        return frozenset(name for (name,) in cursor.fetchall())
