"""A run somebody wants on a page: what no run can be of is refused in words, and nothing begins.

It says beforehand what it would look at. The same asked twice while it has not ended is one run.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from audit.models import GameAnswers, RunSheet
from audit.reconcile.opening import Asked
from audit.reconcile.request_run import TOPIC, ask_for
from audit.runs import keys
from audit.runs.advisory_locks import alone
from audit.runs.days_asked import DaysRefused, days_asked
from casino.ids import uuid7
from casino.law.rulebook.law_text import spelled
from casino.law.rulebook.rulebook import Law
from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from casino.models import JobOutbox, Partida, Round, Table
from casino.queries import that_count

ASKED: Final = f"{TOPIC}/asked/"  # what the keys of such jobs begin with
MOST_DAYS: Final = 366  # of one run: a year of play keeps the workers for an hour
MOST_OPEN: Final = 2  # of one person at once
MOST_TABLES: Final = 100  # an entry names no more


class RunRefused(ValueError):
    """No such run is made; the text says why, and what to ask instead."""


class RunKeyReused(ValueError):
    """The key is another run's; the text is the key."""


class Wanted(NamedTuple):
    """What a form sent: texts as they came. Without a rulebook, a run of the record."""

    first: str
    last: str
    tables: Sequence[str] = ()
    rulebook: str = ""
    readings: Mapping[str, str] = {}
    law_day: str = ""


class Touched(NamedTuple):
    """What a run would look at. `otherwise` are games of it that were played under another
    rulebook than the one it judges by, `unjudged` those of which nothing can stand yet.
    """

    days: int
    games: int
    rounds: int
    otherwise: int
    unjudged: int


def versions(law: Law) -> list[date]:
    """The days from which a rulebook holds otherwise than before, the newest first."""
    figures = law.parameters.values()
    return sorted({dated.since for figure in figures for dated in figure.values}, reverse=True)


def asked_of(wanted: Wanted, by: str) -> Asked:
    """What is asked, checked, in the name of whoever asks. Raises: RunRefused."""
    try:
        first, last = days_asked(wanted.first, wanted.last)
    except DaysRefused as refused:
        raise RunRefused(str(refused)) from None
    if (last - first).days >= MOST_DAYS:
        raise RunRefused(
            _("One run looks at %(n)s days at most: ask for them in parts.") % {"n": MOST_DAYS}
        )
    readings, law_day = _taken(wanted) if wanted.rulebook else ((), None)
    return Asked(
        reason="asked" if first == last else "range",
        from_day=first,
        to_day=last,
        tables=_tables(wanted.tables),
        rulebook=wanted.rulebook,
        readings=readings,
        law_day=law_day,
        asked_by=by,
    )


def _tables(named: Sequence[str]) -> tuple[str, ...]:
    tables = sorted(set(named))
    there = Table.objects.filter(table_code__in=[one for one in tables if "\0" not in one])
    known = set(there.values_list("table_code", flat=True))
    for one in tables:
        if one not in known:
            raise RunRefused(_("No table %(table)s is registered.") % {"table": one[:40]})
    if not set(Table.objects.values_list("table_code", flat=True)) - known:
        return ()  # all of them are the whole day, which counts as reconciled then
    if len(tables) > MOST_TABLES:
        text = _("One run looks at %(n)s tables at most, or at all of them: choose none then.")
        raise RunRefused(text % {"n": MOST_TABLES})
    return tuple(tables)


def _taken(wanted: Wanted) -> tuple[tuple[tuple[str, str], ...], date | None]:
    """The readings and the day a rulebook is taken by. Raises: RunRefused."""
    if wanted.rulebook not in rulebook_ids():
        raise RunRefused(_("Choose one of the rulebooks."))
    law = load_law(wanted.rulebook)
    others = {
        (name, spelled(one.value))
        for name, reading in law.readings.items()
        for one in reading.choices
        if any(dated.value != one.value for dated in law.parameters[reading.parameter].values)
    }
    if not others.issuperset(wanted.readings.items()):
        raise RunRefused(_("Choose one of the readings this rulebook leaves open."))
    days = {day.isoformat(): day for day in versions(law)}
    if wanted.law_day and wanted.law_day not in days:
        raise RunRefused(_("Choose one of the days from which this rulebook changed."))
    return tuple(sorted(wanted.readings.items())), days.get(wanted.law_day)


def touched(asked: Asked) -> Touched:
    """What a run would look at. Raises: RunRefused, where that is nothing."""
    of_it = Q(gaming_day__range=(asked.from_day, asked.to_day))
    if asked.tables:
        of_it &= Q(table_code__in=asked.tables)
    games, rounds = that_count(Partida.objects.filter(of_it)), Round.objects.filter(of_it)
    if asked.takes_otherwise:
        games = games.filter(rulebook=asked.rulebook)
        rounds = rounds.filter(partida_id__in=games.values("partida_id"))
    judged = GameAnswers.objects.filter(of_it).values("partida_id")
    found = Touched(
        _number(games, "gaming_day"),
        _number(games),
        rounds.count(),
        _number(games.exclude(rulebook=asked.rulebook)) if asked.rulebook else 0,
        _number(games.exclude(partida_id__in=judged)),
    )
    if not found.games:
        raise RunRefused(_("No game of these days and tables would be looked at."))
    if asked.rulebook and not asked.takes_otherwise and not found.otherwise:
        raise RunRefused(
            _("All these games were played under this rulebook: choose a reading of it.")
        )
    return found


def _number(partidas: QuerySet[Partida], of: str = "partida_id") -> int:
    number: int = partidas.order_by().values(of).distinct().count()
    return number


def want(asked: Asked, key: UUID | None = None) -> UUID:
    """Have a run done; which one. Under a `key` of the caller's it is the same run for ever,
    without one the same while it has not ended.

    Raises: RunRefused, where too many of his have not ended; RunKeyReused.
    """
    with alone(f"{ASKED}{asked.asked_by}"):
        mine = [row for row in _open() if row.args.get("asked_by") == asked.asked_by]
        if key is not None and _known(asked, key):
            return keys.run_of(f"{ASKED}{key}")
        for row in mine if key is None else ():
            if Asked.of_args(**row.args) == asked:
                return keys.run_of(row.key)
        if len(mine) >= MOST_OPEN:
            text = ngettext(
                "%(n)s run of yours has not ended: wait until it has.",
                "%(n)s runs of yours have not ended: wait until one has.",
                len(mine),
            )
            raise RunRefused(text % {"n": len(mine)})
        return keys.run_of(ask_for(asked, f"{ASKED}{key or uuid7()}"))


def _known(asked: Asked, key: UUID) -> bool:
    """Whether this was asked under the key before. Raises: RunKeyReused, where another run was."""
    job = f"{ASKED}{key}"
    sheet = RunSheet.objects.filter(run=keys.run_of(job)).first()
    if sheet is not None:  # it outlives its job
        same = all(getattr(sheet, name) == value for name, value in asked.columns.items())
    else:
        row = JobOutbox.objects.filter(topic=TOPIC, key=job).first()
        if row is None:
            return False
        same = Asked.of_args(**row.args) == asked
    if not same:
        raise RunKeyReused(str(key))
    return True


def waiting(by: str = "") -> list[tuple[RunSheet, str]]:
    """The runs no worker has begun, as they will be, with who asked; of one person or all."""
    found = []
    for row in _open():
        asked, run = Asked.of_args(**row.args), keys.run_of(row.key)
        if by in ("", asked.asked_by) and not RunSheet.objects.filter(run=run).exists():
            none = {"parts_count": 0, "rounds_count": 0}
            sheet = RunSheet(run=run, opened_at=row.due_at, **asked.columns, **none)
            found.append((sheet, asked.asked_by))
    return found


def _open() -> list[JobOutbox]:
    rows = JobOutbox.objects.filter(topic=TOPIC, key__startswith=ASKED, done_at=None)
    return list(rows.order_by("id"))
