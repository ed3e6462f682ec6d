"""Jobs: how one gets from the outbox to a worker, and what a worker asks before it begins.

A job is decided on in some record's own transaction (`casino.recording.writing.add_job`). Here the
outbox is read: whatever is due is sent to the broker, and sent again while its effect does not
stand. Nothing else in the house sends a job. A broker that is away, forgets or repeats changes
nothing: every job bears running twice, and what never ran stays in the outbox.
"""

import logging
import socket
import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import partial, wraps
from typing import Final
from uuid import UUID

from celery import current_app, shared_task
from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction
from django.db.models import F
from psycopg.errors import LockNotAvailable

from casino import clock, holding
from casino.extensions import jobs
from casino.importing.staging import forget_old
from casino.logs.log_lines import CARRIED, at_work
from casino.models import JobOutbox, JobTry, WaitingFile
from casino.recording import Busy
from casino.recording.writing import add_job

log = logging.getLogger(__name__)

STALE: Final = timedelta(seconds=60)  # sent so long ago and not ended: sent again
REMEMBERED: Final = timedelta(days=30)
WAITED: Final = timedelta(days=1)  # a file of a form, at most
TRIES: Final = 3  # beginnings without getting on, after which a job is given up
BATCH: Final = 500  # jobs sent in one turn of the loop
TURN: Final = 20.0  # seconds a job of many parts takes before it leaves the rest to the next
SHORT_TURN: Final = 5.0  # where two such jobs would keep every process of a worker from others
IDLE: Final = 0.2  # seconds between two looks while nothing is due
LONGEST_REST: Final = 15.0  # seconds between two attempts while the broker is away


def publish_one() -> bool:
    """Send the job that has been due longest; False where none is due.

    The row stays locked while the broker takes the message: if it does not, the row is as before.
    Raises: whatever the broker's client raises.
    """
    with transaction.atomic():
        claimed = list(
            JobOutbox.objects.raw("SELECT * FROM outbox_claim(%s, 1, %s)", [clock.now(), STALE])
        )
        for row in claimed:
            task = jobs().get(row.topic)
            if task is None:
                log.error("nobody does jobs of the topic %s (%s)", row.topic, row.key)
                continue
            current_app.send_task(task, kwargs={"job": row.key, **row.args}, retry=False)
    return bool(claimed)


def publish_due() -> int:
    """Send what is due, at most a batch; how many were sent."""
    for sent in range(BATCH):
        if not publish_one():
            return sent
    return BATCH


def run_outbox(stopped: Callable[[], bool], rest: Callable[[float], object] = time.sleep) -> None:
    """Send what is due until `stopped()`. A broker or a database that is away is waited for."""
    pause = IDLE
    while not stopped():
        try:
            sent = publish_due()
        except Exception as trouble:  # the broker's client decides what it raises
            pause = min(LONGEST_REST, pause * 2)
            log.warning("no job could be sent, trying again in %.0f s: %s", pause, trouble)
            connection.close_if_unusable_or_obsolete()
        else:
            pause = IDLE
            if sent == BATCH:
                continue
        rest(pause)


@shared_task(name="casino.tasks.publish_outbox")  # type: ignore[untyped-decorator]
def publish_outbox() -> None:
    """The watchdog of the loop: once in a while a worker empties the outbox too."""
    publish_due()


@shared_task(name="casino.tasks.forget_done_jobs")  # type: ignore[untyped-decorator]
def forget_done_jobs() -> None:
    """Forget jobs that ended long ago: what they did stands in the book. So do files that waited
    for a form which was never sent again, files nobody confirmed, and old rows of the security log.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT outbox_forget(%s)", [clock.now() - REMEMBERED])
        kept_since = clock.now() - settings.HOUSE_SECURITY_LOG
        cursor.execute("SELECT security_log_forget(%s)", [kept_since])
    WaitingFile.objects.filter(sent_at__lt=clock.now() - WAITED).delete()
    forget_old()


def is_done(job: str) -> bool:
    """Whether a job's effect stands. A key that nobody decided on is nobody's job, and done."""
    return not JobOutbox.objects.filter(key=job, done_at__isnull=True).exists()


def done(job: str) -> None:
    """Say that a job's effect stands; to be called in the effect's own transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT outbox_done(%s)", [job])
    JobTry.objects.filter(key=job).delete()


def got_on(job: str) -> None:
    """Say that a job got somewhere: what goes wrong from here on is counted anew."""
    JobTry.objects.filter(key=job).update(tries=0)


def _rested(job: str) -> None:
    """It came back in good order: only what dies on the way is counted."""
    JobTry.objects.filter(key=job).delete()


Job = Callable[..., bool]


def job(name: str) -> Callable[[Job], object]:
    """Make a task of a function that takes the job's key and its arguments.

    The function gives True when the job's effect stands; otherwise the outbox sends it again in a
    minute. It is not called for a job that is done, nor for one that was begun too often without
    getting on.
    """

    def made(do: Job) -> object:
        @shared_task(name=name)  # type: ignore[untyped-decorator]
        @wraps(do)
        def run(job: str, **args: object) -> None:
            began = time.monotonic()
            with at_work(request=str(args.pop(CARRIED, "")), job=job):
                try:
                    attempt(job, args)
                finally:
                    ms = round(1000 * (time.monotonic() - began))
                    log.info("%s left after %s ms", job, ms, extra={"figures": {"ms": ms}})

        def attempt(job: str, args: Mapping[str, object]) -> None:
            if not begin(job):
                return
            try:
                ended = do(job, **args)
                with transaction.atomic():
                    done(job) if ended else _rested(job)
            except (OperationalError, InterfaceError) as trouble:
                # The server's trouble is not the job's: this beginning does not count.
                connection.close()
                _note(job, trouble, counts=False)
                raise
            except Exception as trouble:
                _note(job, trouble, counts=True)
                raise
            finally:
                let_go(job)

        return run

    return made


def begin(job: str) -> bool:
    """Count one more beginning; False where there is nothing to do, or it was begun too often.

    From here on the job is in this process's hands alone, until `let_go` or its death.
    """
    if is_done(job) or not _take(job):
        return False
    now = clock.now()
    with transaction.atomic():
        row, _ = JobTry.objects.select_for_update().get_or_create(
            key=job,
            defaults={
                "topic": JobOutbox.objects.values_list("topic", flat=True).get(key=job),
                "tries": 0,
                "began_at": now,
                "worker": socket.gethostname(),
            },
        )
        if row.tries < TRIES and row.failed_at is None:
            row.tries += 1
            row.began_at = now
            row.worker = socket.gethostname()
            row.save(update_fields=["tries", "began_at", "worker"])
            return True
        if row.failed_at is None:
            row.failed_at = now
            row.save(update_fields=["failed_at"])
            with connection.cursor() as cursor:
                cursor.execute("SELECT outbox_done(%s)", [job])
            log.error("given up after %s tries: %s (%s)", row.tries, job, row.trouble)
    let_go(job)
    return False


def _take(job: str) -> bool:
    """Take a job out of everybody else's reach; False where another process has it in hand.

    Waits a moment (the role's lock_timeout): the server may not have noticed yet that whoever had
    it is dead. A job in hand is not counted as begun once more, however often it was sent.
    """
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(hashtextextended(%s, 1))", [job])
    except OperationalError as trouble:
        if not isinstance(trouble.__cause__, LockNotAvailable):
            raise
        return False
    return True


def take_now(what: str) -> bool:
    """Take something out of everybody else's reach; False where another process has it in hand."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(hashtextextended(%s, 1))", [what])
        return bool(cursor.fetchone()[0])


def let_go(what: str) -> None:
    """Let others have a job, or a part of one. A closed connection has let go already."""
    try:
        if connection.connection is not None:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(hashtextextended(%s, 1))", [what])
    except DatabaseError:
        connection.close()


def _note(job: str, trouble: Exception, *, counts: bool) -> None:
    """Remember what went wrong, as far as the database still listens."""
    try:
        row = JobTry.objects.filter(key=job)
        row.update(trouble=f"{type(trouble).__name__}: {trouble}"[:400])
        if not counts:
            row.filter(tries__gt=0).update(tries=F("tries") - 1)
    except DatabaseError:
        connection.close()


@job("casino.tasks.write_held")
def write_held(job: str, *, form: str) -> bool:
    """Write what a form of the floor sent, where nobody took it back and nobody wrote it before."""
    try:
        holding.write(UUID(form))
    except Busy:
        return False
    return True


@job("casino.tasks.judge_import")
def judge_import(job: str, *, of: str) -> bool:
    """Judge a file that was brought; what is left then is the next job's."""
    from casino.importing import judging  # with the law: no other job of these needs it

    return _in_turns(judging.judge, job, {"of": of}, TURN)


@job("casino.tasks.write_import")
def write_import(job: str, *, of: str, seat: int | None = None) -> bool:
    """Write a file that was confirmed, or every second part of it; what is left then is the next
    job's.
    """
    from casino.importing import write_confirmed

    if seat is None:
        return _in_turns(write_confirmed.write, job, {"of": of}, TURN)
    write = partial(write_confirmed.write, seat=seat)
    return _in_turns(write, job, {"of": of, "seat": seat}, SHORT_TURN)


def _in_turns(
    do: Callable[[UUID, float], bool], job: str, args: dict[str, object], turn_s: float
) -> bool:
    hand = "/".join(["import", *map(str, args.values())])
    if not take_now(hand):
        return False  # another job of the same parts, of a turn that was cut short, is at it
    try:
        whole = do(UUID(str(args["of"])), time.monotonic() + turn_s)
        got_on(job)
    except Busy:
        return False
    finally:
        let_go(hand)
    if not whole:
        topic, _, rest = job.partition("/")
        key = rest.split("/")
        turn = int(key[2]) + 1 if len(key) > 2 else 1
        add_job(topic, f"{topic}/{key[0]}/{key[1]}/{turn}", args)
    return True
