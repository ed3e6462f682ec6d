"""The open findings of one gaming day by table, for the board of the room."""

from datetime import date
from typing import Final

from django.db.models import Count
from django.utils.translation import gettext

from audit.audit_queries import no_law
from audit.models import Finding
from audit.runs.current_findings import standing
from audit.watch.alert_words import MISSING
from audit.watch.alerts import of_finding
from casino.floor.table_state import Alert
from casino.floor.tables.board_tiles import DayFound
from casino.web.forms.finding_words import words

MOST: Final = 100  # breaches read in words; all are counted
NAMED: Final = 3  # of a table


def of_day(day: date) -> dict[str, DayFound]:
    """By table ('' for what is of none) how many there are of each gravity, and the newest breaches
    in words. Two queries.
    """
    rows = standing().filter(gaming_day=day)
    beside_law = frozenset(no_law())
    counts: dict[str, dict[str, int]] = {}
    grouped = rows.order_by().values_list("table_code", "severity", "rulebook")
    for table, severity, rulebook, n in grouped.annotate(n=Count("pk")):
        # As findings are counted everywhere: what breaks no law is no breach (`is_of_gravity`).
        gravity = "deviation" if severity == "breach" and rulebook in beside_law else severity
        of_table = counts.setdefault(table, {})
        of_table[gravity] = of_table.get(gravity, 0) + n
    named: dict[str, list[Alert]] = {}
    grave = rows.filter(severity="breach").exclude(rulebook__in=beside_law)
    for row in grave.order_by("-n")[:MOST]:
        of_row = named.setdefault(row.table_code, [])
        if len(of_row) < NAMED:
            of_row.append(_breach(row))
    return {table: DayFound(counts[table], tuple(named.get(table, ()))) for table in counts}


def _breach(finding: Finding) -> Alert:
    """Without its heading: there stand players' codes and amounts, and others read the wall."""
    known = MISSING.get(finding.check_name)
    asked = gettext(known) if known is not None else words().statement(finding.check_name)
    of = of_finding(finding)
    return Alert(of.severity, asked, of.cited, of.place, check=of.check, since=of.since)
