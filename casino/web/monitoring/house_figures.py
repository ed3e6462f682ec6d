"""Figures for Prometheus, asked of the database at every scrape.

Nothing is counted in a process: there are several, and each would count its own. What is here is
right whoever answers, and after a restart too. Labels are words of the house (tables, articles,
topics), never of a person, and as many as the house is large, however full the book.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Count, Max, Min, Q
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from casino import __version__, clock
from casino.extensions import extensions, jobs
from casino.house_day import house_day_at
from casino.models import (
    BookCheckpoint,
    BookLeaf,
    BookPending,
    BookStream,
    HeldRecord,
    JobTry,
    Round,
)
from casino.web.signer_status import refusal

WITHIN_MS: Final = 5_000  # one statement
Labels = tuple[str, ...]
_JOBS: Final = """
SELECT topic, published_at IS NULL, count(*), min(due_at) FROM job_outbox
WHERE done_at IS NULL AND due_at <= %s GROUP BY 1, 2
"""
# The first entry no checkpoint covers: of those in the tree, and of those that wait for a place
# there. The numbers of entries grow with time.
_UNSEALED: Final = """
SELECT least(
    (SELECT e.recorded_at FROM book_leaf l JOIN book_entry e ON e.id = l.entry_id
     WHERE l.idx = coalesce((SELECT max(size) FROM book_checkpoint), 0)),
    (SELECT e.recorded_at FROM book_entry e
     WHERE e.id = (SELECT entry_id FROM book_pending ORDER BY entry_id LIMIT 1)))
"""


def gauge(
    name: str, what: str, samples: Iterable[tuple[Labels, float]] | float, *labels: str
) -> Metric:
    """Figures that rise and fall, each after the values of its labels; one alone has none."""
    made = GaugeMetricFamily(f"livro_{name}", what, labels=labels)
    for of, value in [((), samples)] if isinstance(samples, int | float) else samples:
        made.add_metric(of, value)
    return made


def moment(
    name: str, what: str, samples: Iterable[tuple[Labels, datetime | None]], *labels: str
) -> Metric:
    """Moments, as Prometheus counts time; what never happened is left out."""
    seen = [(of, at.timestamp()) for of, at in samples if at is not None]
    return gauge(name, what, seen, *labels)


def age(since: datetime | None, now: datetime) -> float:
    """Seconds since then; 0 where nothing waits."""
    return 0 if since is None else max(0.0, (now - since).total_seconds())


def of_floor(now: datetime) -> Iterator[Metric]:
    """What is recorded, what waits to be, to be done and to be sealed."""
    running = [((__version__, settings.CODE_VERSION), 1)]
    yield gauge("build_info", "The program that answers.", running, "version", "code")
    entries = CounterMetricFamily(
        "livro_entries", "Entries of the book, by stream.", labels=["stream"]
    )
    for name, head in BookStream.objects.values_list("name", "head_n"):
        entries.add_metric([name], head)
    yield entries
    # Of this gaming day alone, for which there is an index: as cheap in a book of a million rounds.
    day = Round.objects.filter(gaming_day=house_day_at(now)).values_list("table_code")
    rounds = [((table,), number) for table, number in day.annotate(Count("pk")).order_by()]
    yield gauge("rounds", "Rounds recorded of the gaming day, by table.", rounds, "table")
    held = HeldRecord.objects.aggregate(
        waiting=Count("pk", filter=Q(failed_at=None)),
        failed=Count("pk", filter=~Q(failed_at=None)),
        oldest=Min("due_at", filter=Q(failed_at=None)),
    )
    by_state = [((state,), held[state]) for state in ("waiting", "failed")]
    yield gauge("held_records", "Records of tablets not in the book yet.", by_state, "state")
    late = age(held["oldest"], now)
    yield gauge("held_record_late_seconds", "How late the oldest of them is.", late)
    yield from _of_jobs(now)
    yield from _of_seal(now)


@dataclass(frozen=True, slots=True)
class Waiting:
    """Jobs that are due and not done: how many by whether they were sent, since when the oldest is,
    and how many were begun too often without an end.
    """

    unsent: int
    sent: int
    oldest: datetime | None
    given_up: int


def jobs_waiting(now: datetime) -> Waiting:
    """What waits in the queues, in a line for people. Raises: django.db.Error."""
    with connection.cursor() as cursor:
        cursor.execute(_JOBS, [now])
        rows = cursor.fetchall()
    unsent = sum(number for _, waits, number, _ in rows if waits)
    sent = sum(number for _, waits, number, _ in rows if not waits)
    oldest = min((since for *_, since in rows), default=None)
    return Waiting(unsent, sent, oldest, JobTry.objects.filter(failed_at__isnull=False).count())


def _of_jobs(now: datetime) -> Iterator[Metric]:
    waiting = {(topic, state): 0 for topic in jobs() for state in ("unsent", "sent")}
    oldest: dict[str, datetime] = {}
    with connection.cursor() as cursor:
        cursor.execute(_JOBS, [now])
        for topic, unsent, number, since in cursor.fetchall():
            state = "unsent" if unsent else "sent"
            waiting[topic, state] = number
            oldest[state] = min(since, oldest.get(state, since))
    ages = [((state,), age(oldest.get(state), now)) for state in ("unsent", "sent")]
    yield gauge("jobs", "Jobs that are due and not done.", waiting.items(), "topic", "state")
    yield gauge("job_oldest_seconds", "Since when the oldest is due.", ages, "state")
    given_up = JobTry.objects.filter(failed_at__isnull=False).count()
    yield gauge("jobs_given_up", "Jobs begun too often without an end.", given_up)


def _of_seal(now: datetime) -> Iterator[Metric]:
    yield gauge(
        "pending_entries", "Entries without a place in the tree.", BookPending.objects.count()
    )
    with connection.cursor() as cursor:
        cursor.execute(_UNSEALED)
        unsealed = age(cursor.fetchone()[0], now)
    yield gauge("unsealed_seconds", "Age of the oldest entry no checkpoint covers.", unsealed)
    last = BookLeaf.objects.aggregate(idx=Max("idx"))["idx"]
    yield gauge("tree_size", "Entries in the tree.", 0 if last is None else last + 1)
    newest = BookCheckpoint.objects.order_by("-size").values_list("size", "signed_at").first()
    size, at = newest or (0, None)
    yield gauge("checkpoint_size", "Entries the newest checkpoint covers.", size)
    yield moment("checkpoint_timestamp_seconds", "When it was signed.", [((), at)])
    refuses = int(refusal() is not None)
    yield gauge("signer_refuses", "1 where the signer refuses to sign.", refuses)


class _House(Collector):
    def collect(self) -> Iterator[Metric]:
        """Everything every package has to say, each statement within its time."""
        now = clock.now()
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute(f"SET LOCAL statement_timeout = {WITHIN_MS}")
            for one in extensions():
                yield from one.figures(now)


_REGISTRY: Final = CollectorRegistry(auto_describe=False)
_REGISTRY.register(_House())


def scraped() -> bytes:
    """All of it in the format Prometheus reads. Raises: django.db.Error."""
    return generate_latest(_REGISTRY)
