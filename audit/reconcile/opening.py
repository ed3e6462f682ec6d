"""Opening a run: what it reads is fixed, it is cut into parts, and the book says that it began."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.db.models import Q, QuerySet

from audit.events import LawUsed, ReadingTaken, ReconciliationStarted, RunScope, RunWhy
from audit.models import Reconciliation, ReconciliationResult, RunPart, RunSheet
from audit.models.audit_jobs import ABANDONED, OPEN
from audit.reconcile.cutting import Part, Size, cut
from audit.reconcile.judge_partida import reach_now
from audit.runs import house_checks, keys
from audit.runs.code_version import code_version
from audit.runs.run_records import record_of
from casino import clock
from casino.events.event import HOUSE
from casino.importing.law_in_use import read_sets
from casino.law.rulebook.rulebook_file import law_in_use, law_of_file, rulebook_ids
from casino.logs.log_lines import CARRIED
from casino.models import Partida
from casino.queries import day_of, that_count
from casino.recording.writing import add_job

HANDS: Final = 8  # how many workers at most share one run
PARTS_AT_ONCE: Final = 1_000
STRANDED: Final = timedelta(minutes=5)

_SIZES: Final = """
SELECT e.partida_id, count(*) FILTER (WHERE e.kind = 'round-played/1')
FROM book_entry e JOIN book_stream s ON s.id = e.stream_id
WHERE e.gaming_day = %s AND e.partida_id <> '' AND s.name LIKE 'table/%%'
    AND (%s::text = '' OR e.partida_id = %s) AND (%s::text[] = '{}' OR e.table_code = ANY(%s))
GROUP BY 1 ORDER BY 1
"""
_CUTS: Final = """
SELECT n FROM (
    SELECT e.n, row_number() OVER (ORDER BY e.n) AS place FROM book_entry e
    WHERE e.partida_id = %s AND e.kind = 'round-played/1'
) AS numbered WHERE (place - 1) %% %s = 0 ORDER BY n
"""


@dataclass(frozen=True, slots=True)
class Asked:
    """What somebody wants reconciled: a partida, or the days from one to another, and why.

    `tables` are those to be looked at, in ascending order; without any, every table.
    `rulebook` '' judges each partida under its own. With `readings` (name and choice) or `law_day`
    those that are played under it are judged, with it taken so.
    """

    reason: RunWhy
    partida: str = ""
    from_day: date | None = None
    to_day: date | None = None
    rulebook: str = ""
    readings: tuple[tuple[str, str], ...] = ()
    law_day: date | None = None
    asked_by: str = ""  # the number of whoever did; the house itself has none
    tables: tuple[str, ...] = ()

    def as_args(self) -> dict[str, object]:
        """As arguments of a job."""
        return {
            name: value.isoformat() if isinstance(value, date) else value
            for name, value in asdict(self).items()
            if value
        }

    @classmethod
    def of_args(cls, **args: Any) -> "Asked":
        """As a job tells it."""
        args.pop(CARRIED, None)  # which request asked is no part of what was asked
        for name in ("from_day", "to_day", "law_day"):
            if name in args:
                args[name] = date.fromisoformat(args[name])
        if "readings" in args:
            args["readings"] = tuple((name, choice) for name, choice in args["readings"])
        args["tables"] = tuple(args.get("tables", ()))
        return cls(**args)

    @classmethod
    def of_sheet(cls, sheet: RunSheet) -> "Asked":
        """As the run it became tells it."""
        return cls(
            reason=sheet.reason,  # type: ignore[arg-type]  # a word of that type was put there
            partida=sheet.partida_id,
            from_day=sheet.from_day,
            to_day=sheet.to_day,
            rulebook=sheet.rulebook,
            readings=tuple(sorted(sheet.readings.items())),
            law_day=sheet.law_day,
            tables=tuple(sheet.tables),
        )

    @property
    def columns(self) -> dict[str, object]:
        """As the run it becomes keeps it."""
        return {
            "reason": self.reason,
            "partida_id": self.partida,
            "from_day": self.from_day,
            "to_day": self.to_day,
            "tables": list(self.tables),
            "rulebook": self.rulebook,
            "readings": dict(self.readings),
            "law_day": self.law_day,
        }

    @property
    def scope(self) -> RunScope:
        """As the book tells it."""
        return RunScope(
            partida=self.partida or None,
            from_day=self.from_day,
            to_day=self.to_day,
            tables=self.tables or None,
            rulebook=self.rulebook or None,
            readings=tuple(ReadingTaken(reading=r, choice=c) for r, c in self.readings) or None,
            law_day=self.law_day,
        )

    @property
    def takes_otherwise(self) -> bool:
        """Whether the rulebook is not taken as it is in force."""
        return bool(self.readings) or self.law_day is not None


def open_run(job: str, asked: Asked) -> RunSheet:
    """The run of a job: the one that was opened for it before, else a new one.

    Opened once, whoever asks at the same moment and whoever dies on the way: sheet, parts and the
    record that it began stand together or not at all.
    """
    for _ in range(2):
        known = list(RunSheet.objects.filter(job=job))
        for sheet in known:
            if sheet.state != ABANDONED and not _abandon(sheet):
                return sheet
        run = keys.run_of(job, len(known))
        try:
            with transaction.atomic():
                return _open(run, job, asked)
        except IntegrityError:
            continue  # somebody else opened it a moment ago
    return RunSheet.objects.exclude(state=ABANDONED).get(job=job)


def _open(run: UUID, job: str, asked: Asked) -> RunSheet:
    parts = list(cut(_sizes(asked), settings.ROUNDS_IN_PART))
    reach = reach_now()
    sheet = RunSheet.objects.create(
        run=run,
        job=job,
        **asked.columns,
        as_of=clock.now(),
        reach=reach,
        code_version=code_version(),
        laws=laws_of(asked.rulebook, reach.get(HOUSE, 0)),
        parts_count=len(parts),
        rounds_count=sum(part.rounds for part in parts),
        opened_at=clock.now(),
    )
    RunPart.objects.bulk_create(_rows(sheet, parts), batch_size=PARTS_AT_ONCE)
    record_of(
        run,
        ReconciliationStarted(
            run=str(run),
            scope=asked.scope,
            reason=asked.reason,
            code_version=sheet.code_version,
            laws=tuple(LawUsed(**law) for law in sheet.laws),
            previous=_previous(asked),
            parts=len(parts),
            asked_by=asked.asked_by or None,
        ),
        keys.event_key("started", run),
        sheet.as_of,
    )
    for hand in range(1, min(len(parts), HANDS)):
        add_job("reconciliation-hand", f"hand/{run}/{hand}/0", {"run": str(run)})
    return sheet


def _rows(sheet: RunSheet, parts: list[Part]) -> Iterator[RunPart]:
    for number, part in enumerate(parts, start=1):
        yield RunPart(
            run=sheet,
            number=number,
            work=[work.as_json() for work in part.works],
            rounds_count=part.rounds,
        )


def _sizes(asked: Asked) -> Iterator[Size]:
    """The partidas to be judged, day by day."""
    first = last = day_of(asked.partida) if asked.partida else asked.from_day
    if not asked.partida:
        last = asked.to_day
    assert first is not None
    assert last is not None
    for ahead in range((last - first).days + 1):
        with connection.cursor() as cursor:
            day = first + timedelta(days=ahead)
            tables = [*asked.tables]
            cursor.execute(_SIZES, [day, asked.partida, asked.partida, tables, tables])
            sizes = cursor.fetchall()
        under_it = None
        if asked.takes_otherwise:
            games = that_count(Partida.objects.filter(gaming_day=day, rulebook=asked.rulebook))
            under_it = set(games.values_list("partida_id", flat=True))
        for partida, rounds in sizes:
            if under_it is not None and partida not in under_it:
                continue
            yield Size(partida, rounds, _cuts(partida) if rounds > settings.ROUNDS_IN_PART else ())


def _cuts(partida: str) -> tuple[int, ...]:
    with connection.cursor() as cursor:
        cursor.execute(_CUTS, [partida, settings.ROUNDS_IN_PART])
        return tuple(n for (n,) in cursor.fetchall())


def laws_of(rulebook: str, up_to: int) -> list[dict[str, str]]:
    """The rulebooks a run may ask, with their digests: of the files as they lie here, and of the
    figures set in the house's stream up to an entry.
    """
    books = [rulebook] if rulebook else list(rulebook_ids())
    sets = read_sets(up_to).counting
    in_use = [law_in_use(law_of_file(book), sets) for book in books]
    laws = [{"rulebook": law.id, "sha256": law.digest} for law in in_use]
    return [*laws, {"rulebook": house_checks.RULEBOOK, "sha256": house_checks.DIGEST}]


def _previous(asked: Asked) -> str | None:
    """The last run of the same scope that ended."""
    if asked.takes_otherwise or asked.tables:
        return None  # each of these is compared with what stands, not with the one before
    same = Q(partida_id=asked.partida, rulebook=asked.rulebook)
    same &= Q(from_day=asked.from_day, to_day=asked.to_day)
    whole = ReconciliationResult.objects.exclude(run__in=of_tables())
    last = whole.filter(same).order_by("-n").first()
    return str(last.run) if last else None


def of_tables() -> QuerySet[Reconciliation, UUID]:
    """The runs that looked at some tables alone: no day was reconciled by them."""
    return Reconciliation.objects.filter(tables__isnull=False).values_list("run", flat=True)


def _abandon(sheet: RunSheet) -> bool:
    """Give up a run that another program began and nobody goes on with; whether it was.

    What one program began another does not end: the book says which one judged.
    """
    if sheet.state != OPEN or sheet.code_version == code_version():
        return False
    idle = clock.now() - STRANDED
    worked_on = RunPart.objects.filter(run=sheet, claimed_at__gt=idle).exists()
    if worked_on or sheet.opened_at > idle:
        return False
    changed = RunSheet.objects.filter(run=sheet.run, state=OPEN).update(
        state=ABANDONED, ended_at=clock.now()
    )
    return bool(changed)
