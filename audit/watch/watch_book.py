"""Whether the book is kept as it should be, as far as a short look shows.

What a look finds of the book's content is raised and stays until a whole verification no longer
meets it. What is only late (an entry without a place, a tree nobody signed) is raised once and is
cured by the first look that finds it done.
"""

import json
import logging
from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import IntegrityError, transaction

from audit.models import Verification
from audit.runs import house_checks, keys
from audit.runs.advisory_locks import alone
from audit.runs.current_findings import cured, raise_findings, raise_once, supersede
from audit.runs.house_days import PATIENCE, REST, day_ends_at, last_day
from audit.runs.house_findings import by_key, house_finding
from audit.runs.numbering import number
from audit.verifier.notes import read_checkpoint
from audit.verifying.looks import schema_problems
from audit.verifying.phase import fetch
from audit.verifying.problems import Problem
from audit.verifying.report_verification import compare, figure, of_the_book
from audit.verifying.run_verification import TOPIC, ask_for_verification
from casino.house_day import gaming_day_now
from casino.models import JobOutbox

log = logging.getLogger(__name__)

NEWEST: Final = 2_000  # entries, roots of the tree: what a look sees of the book
LATE: Final = timedelta(seconds=60)
USING: Final = "default"

# Sums that hold as long as nobody touched a table; no index is read to its end.
_SUMS: Final = """
SELECT (SELECT coalesce(sum(head_n), 0)::bigint FROM book_stream),
    (SELECT coalesce(max(idx) + 1, 0) FROM book_leaf),
    (SELECT coalesce(max(size), 0) FROM book_tree),
    (SELECT count(*) FROM book_pending),
    (SELECT CASE WHEN c.root <> t.root THEN c.size END FROM book_checkpoint c
     JOIN book_tree t ON t.size = c.size ORDER BY c.size DESC LIMIT 1)
"""
_FORGOTTEN: Final = """
SELECT e.id, s.name, e.n
FROM (SELECT id, stream_id, n FROM book_entry ORDER BY id DESC LIMIT %s) e
JOIN book_stream s ON s.id = e.stream_id
LEFT JOIN book_leaf l ON l.entry_id = e.id LEFT JOIN book_pending p ON p.entry_id = e.id
WHERE l.entry_id IS NULL AND p.entry_id IS NULL
"""
_FELL: Final = """
SELECT e.id, s.name, e.n
FROM (SELECT entry_id FROM book_leaf ORDER BY idx DESC LIMIT %s) l
JOIN book_entry e ON e.id = l.entry_id JOIN book_stream s ON s.id = e.stream_id
JOIN book_entry b ON b.stream_id = e.stream_id AND b.n = e.n - 1
WHERE e.recorded_at < b.recorded_at - interval '1 second'
"""
_FELL_IN_TREE: Final = """
SELECT size FROM (
    SELECT size, made_at, lag(made_at) OVER (ORDER BY size) AS before
    FROM (SELECT size, made_at FROM book_tree ORDER BY size DESC LIMIT %s) t) t
WHERE made_at < before - interval '1 second'
"""
_WAITS: Final = """
SELECT e.recorded_at FROM book_pending p JOIN book_entry e ON e.id = p.entry_id
WHERE e.recorded_at < clock_timestamp() - %s LIMIT 1
"""
_UNSIGNED: Final = """
SELECT made_at FROM (
    SELECT made_at FROM book_tree
    WHERE size > coalesce((SELECT max(size) FROM book_checkpoint), 0) ORDER BY size LIMIT 1) t
WHERE made_at < clock_timestamp() - %s
"""
_SIGNED: Final = "SELECT EXISTS (SELECT FROM book_checkpoint)"
_ROOT: Final = "SELECT root FROM book_tree WHERE size = %s"
_TREE: Final = "SELECT coalesce(max(size), 0) FROM book_tree"


def watch_book(now: datetime) -> int:
    """Look at the book and write down what is not as it should be; how many findings were raised.

    Two who look at the same moment would raise the same twice: the second leaves it to the first.
    """
    try:
        return _watch(now)
    except IntegrityError:
        # The stream it would be recorded in was altered itself: a verification says so with its
        # run.
        log.exception("what was seen of the book could not be written into it")
        ask_for_verification()
        return 0


def _watch(now: datetime) -> int:
    with alone(house_checks.BOOK, wait=False) as mine:
        if not mine:
            return 0
        run = keys.BOOK_WATCH
        altered = compare(run, now, list(altered_lately()), ()).raised
        schema = compare(run, now, schema_problems(USING), (house_checks.SCHEMA_UNCHANGED,)).raised
        raised = len(altered) + len(schema) + _late(now) + _never_verified(now)
        if altered:
            ask_for_verification()  # which finds out where
    return raised


def altered_lately() -> Iterator[Problem]:
    """What the newest part of the book, and what the tables add up to, show of alterations."""
    ((numbered, leaves, size, waiting, other_root),) = fetch(USING, _SUMS)
    if numbered != leaves + waiting:
        yield Problem("heads-do-not-add-up")
    if leaves != size:
        yield Problem("tree-size")
    if other_root is not None:
        yield Problem("checkpoint-root", details={"size": other_root})
    yield from _published_lost()
    for entry, stream, n in fetch(USING, _FORGOTTEN, NEWEST):
        yield Problem("entry-forgotten", stream=stream, n=n, entry=str(entry))
    for entry, stream, n in fetch(USING, _FELL, NEWEST):
        yield Problem("clock-fell", stream=stream, n=n, entry=str(entry))
    for (fell_at,) in fetch(USING, _FELL_IN_TREE, NEWEST):
        yield Problem("clock-fell-in-tree", details={"size": fell_at})


def _published_lost() -> Iterator[Problem]:
    """The checkpoint that was published last is no longer one of this book."""
    text = _public("checkpoint")
    try:
        note = read_checkpoint(text.encode()) if text else None
    except ValueError:
        return  # half written, or none: the signer's matter
    if note is None or not note.size:
        return
    ((size,),) = fetch(USING, _TREE)
    if note.size > size:
        yield Problem("short-by", details={"file": "checkpoint"})
        return
    for (root,) in fetch(USING, _ROOT, note.size):
        if bytes(root) != note.root:
            yield Problem("older-differs", details={"file": "checkpoint", "size": note.size})


def _late(now: datetime) -> int:
    """Raise what is late, once; cure what is not any more. How many were raised."""
    late = dict(_steps_late())
    held = of_the_book().filter(check_name=house_checks.SEALED_IN_TIME)
    rows = {row.where.get("step"): row for row in held}
    run = keys.BOOK_WATCH
    check = house_checks.SEALED_IN_TIME
    found = [
        house_finding(check, gaming_day_now(), {"step": step}, observed)
        for step, observed in late.items()
        if step not in rows
    ]
    with transaction.atomic():
        supersede(run, [row for step, row in rows.items() if step not in late], cured)
        raised = raise_findings(run, now, by_key(found))
        number(run, raised)
    return len(raised)


def _steps_late() -> Iterator[tuple[str, Mapping[str, object]]]:
    """Which steps of the sealing are late, and since when."""
    for (since,) in fetch(USING, _WAITS, LATE):
        yield "sequencer", {"waits_since": since.isoformat(timespec="seconds")}
    ((signed,),) = fetch(USING, _SIGNED)
    if signed or settings.BOOK_PUBLIC:
        for (since,) in fetch(USING, _UNSIGNED, LATE):
            yield "signer", {"unsigned_since": since.isoformat(timespec="seconds")}
    refused = _public("refused")
    if refused:
        yield "refused", {"why": figure(_why(refused))}


def _why(refused: str) -> str:
    """Why the signer refuses, as it says itself."""
    try:
        value = json.loads(refused)
    except ValueError:
        return "?"
    return str(value.get("why", "?")) if isinstance(value, dict) else "?"


def _public(name: str) -> str:
    """A file of what the signer publishes; '' where there is none."""
    if not settings.BOOK_PUBLIC:
        return ""
    try:
        return (Path(settings.BOOK_PUBLIC) / name).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def ask_for_nightly(now: datetime) -> None:
    """Decide on the verification that follows a gaming day, once."""
    day = last_day(now - REST)
    if day is None or _verified_since(day_ends_at(day)):
        return
    job = nightly_job(day)
    if not JobOutbox.objects.filter(key=job).exists():
        ask_for_verification(why="nightly", job=job)


def nightly_job(day: date) -> str:
    """The key of the job that verifies the book after a day: there is one."""
    return f"{TOPIC}/{day.isoformat()}"


def _never_verified(now: datetime) -> int:
    """Raise that a day was not followed by a verification, where the house did verify before."""
    day = last_day(now - REST - PATIENCE)
    if day is None or _verified_since(day_ends_at(day)) or not Verification.objects.exists():
        return 0
    where, observed = {"day": day.isoformat()}, {"verified": "no"}
    return raise_once(house_finding(house_checks.BOOK_VERIFIED, day, where, observed), now)


def _verified_since(moment: datetime) -> bool:
    return Verification.objects.filter(occurred_at__gte=moment).exists()
