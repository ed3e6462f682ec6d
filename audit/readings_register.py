"""What is known of a rulebook's readings: which choice held since when and who decided it, what
stands under it, and what a comparing run said of the others.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple
from uuid import UUID

from django.db.models import Count, Exists, F, Func, OuterRef, Q, Sum, TextField

from audit import audit_queries
from audit.models import Reconciliation, RunSheet
from casino.events.event import HOUSE
from casino.events.requests import FiguresAsked
from casino.law.check_registry import ALL_CHECKS, OF_A_ROUND
from casino.law.rulebook.figure_sets import State, replaced_by, set_by, state_on, value_of
from casino.law.rulebook.rulebook import DatedValue, Law, RecordedSet
from casino.models import StaffRequest, StaffRequestDecision
from casino.models.people import FIGURES
from casino.web.entries.entry_page import event_and_author

_ROUND_CHECKS: Final = [name for name, one in ALL_CHECKS.items() if one.scope in OF_A_ROUND]
_RUNS: Final = 500  # comparing runs among which the last of each choice is looked for, the newest


class Decided(NamedTuple):
    """A value of a figure, how it stands, and the set that set it with who asked for it; None where
    the rulebook's file states it. `replaced_by` is the set by which it never came to hold.
    """

    dated: DatedValue
    state: State
    by: RecordedSet | None = None
    asked: StaffRequest | None = None
    replaced_by: RecordedSet | None = None


class Standing(NamedTuple):
    """What of the findings that stand hangs on a reading: money in cents."""

    findings: int = 0
    rounds: int = 0
    to_players: int = 0
    to_house: int = 0


class Compared(NamedTuple):
    """The last comparing run under a choice: days, rounds, and cents owed now and then."""

    run: UUID
    first: date | None
    last: date | None
    rounds: int
    counts: Mapping[str, int]
    owed_now: Mapping[str, int]
    owed_then: Mapping[str, int]


class Waiting(NamedTuple):
    """A request of figures on which nobody has decided."""

    request: StaffRequest
    event: FiguresAsked


def decided(law: Law, today: date) -> dict[str, list[Decided]]:
    """By figure every value it has had, will have, or was to have, in order, with who set it."""
    numbers = {one.event.asked.n for one in law.sets}
    asked = StaffRequest.objects.filter(stream=HOUSE, n__in=numbers) if numbers else ()
    requests = {row.n: row for row in asked}
    found: dict[str, list[Decided]] = {}
    for name, parameter in law.parameters.items():
        held = parameter.on(today)
        found[name] = [
            Decided(one, "held" if one is held else "later" if one.since > today else "before")
            for one in parameter.values
            if set_by(law, name, one.since) is None
        ]
    for one in law.sets:
        for figure in one.event.figures:
            name = figure.parameter
            source, asked_n = one.event.source, one.event.asked.n
            dated = DatedValue(one.event.since, value_of(law, figure), source, one.gaming_day)
            by = replaced_by(law, one, name)
            state = state_on(law, one, name, today)
            found[name].append(Decided(dated, state, one, requests.get(asked_n), by))
    for values in found.values():
        values.sort(key=lambda each: each.dated.since)
    return found


def waiting(rulebook: str) -> list[Waiting]:
    """The requests of figures of a rulebook that wait, the oldest first."""
    answered = StaffRequestDecision.objects.filter(asked_n=OuterRef("n"))
    rows = StaffRequest.objects.filter(~Exists(answered), change=FIGURES).order_by("n")
    found = []
    for row in rows.select_related("entry__stream"):
        event, _author = event_and_author(row.entry)
        assert isinstance(event, FiguresAsked)
        if event.rulebook == rulebook:
            found.append(Waiting(row, event))
    return found


def standing_by_reading(findings: audit_queries.Findings) -> dict[str, Standing]:
    """What stands of these findings, by the readings they name; one may name several."""
    each = Func(F("readings"), function="jsonb_array_elements_text", output_field=TextField())
    each.set_returning = True
    rows = (
        audit_queries.open_findings(findings)
        .order_by()
        .annotate(reading=each)
        .values("reading")
        .annotate(
            n=Count("pk"),
            rounds=Count("evidence", distinct=True, filter=Q(check_name__in=_ROUND_CHECKS)),
            players=Sum("owed_cents", filter=Q(owed_to="player"), default=0),
            house=Sum("owed_cents", filter=Q(owed_to="house"), default=0),
        )
    )
    return {
        row["reading"]: Standing(row["n"], row["rounds"], row["players"], row["house"])
        for row in rows
    }


def compared(rulebook: str) -> dict[tuple[str, str], Compared]:
    """The last run that took one reading of a rulebook otherwise, by reading and choice."""
    runs = Reconciliation.objects.filter(
        rulebook=rulebook, readings__isnull=False, law_day=None, tables__isnull=True
    )
    rows: Sequence[Reconciliation] = list(runs.order_by("-n")[:_RUNS])
    sheets = {
        sheet.run: sheet
        for sheet in RunSheet.objects.filter(run__in=[row.run for row in rows])
        if sheet.compared
    }
    found: dict[tuple[str, str], Compared] = {}
    for row in rows:
        if row.run in sheets and len(row.readings) == 1:
            found.setdefault(next(iter(row.readings.items())), _compared(sheets[row.run]))
    return found


def _compared(sheet: RunSheet) -> Compared:
    assert sheet.compared is not None
    value: Mapping[str, Mapping[str, int]] = sheet.compared
    money = [defaultdict(int, value[name]) for name in ("owed_now", "owed_then")]
    rounds = sheet.rounds_count
    return Compared(sheet.run, sheet.from_day, sheet.to_day, rounds, value["counts"], *money)
