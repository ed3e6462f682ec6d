"""What the demo's inspector asked for: a table judged again, the evening by other readings."""

from datetime import date
from typing import Final

from audit.models import Reconciliation
from audit.reconcile.run_wanted import Wanted, asked_of, want
from casino.demo.cast import INSPECTOR

TABLE: Final = "BJ-03"
READINGS: Final = {"cut-wraps": "fiscal_de_banca", "presence-shown": "named_on_record"}


def ask_runs(day: date) -> None:
    """Ask as a page would, once."""
    of_day = Wanted(day.isoformat(), day.isoformat())
    if Reconciliation.objects.filter(asked_by=INSPECTOR.number).exists():
        return
    for wanted in (
        of_day._replace(tables=[TABLE]),
        of_day._replace(rulebook="pt", readings=READINGS),
    ):
        want(asked_of(wanted, INSPECTOR.number))
