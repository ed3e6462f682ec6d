"""The auditor's jobs, as workers do them: what they do lies in the rooms below."""

import time
from collections.abc import Sequence
from datetime import date
from typing import Final
from uuid import UUID

from celery import shared_task

from audit.demo.asked_figures import ask_figures
from audit.demo.asked_runs import ask_runs
from audit.demo.erased_complaint import forget_guest
from audit.demo.worked_cases import work_cases
from audit.log_witnesses import ask_all
from audit.mailing.posting import make_mails
from audit.mailing.sending import send_due
from audit.mailing.webhooks import make_posts, send_posts
from audit.models.audit_jobs import OPEN
from audit.pools.replaying import POOL_REPLAY
from audit.pools.replays_due import ask_at_closing
from audit.reconcile.concluding import conclude
from audit.reconcile.opening import Asked, open_run
from audit.reconcile.request_run import ask_to_judge, in_place_of, is_late
from audit.reconcile.working import is_left, work
from audit.retention.proposing import propose_due
from audit.runs.code_version import code_version
from audit.verifying.run_verification import VERIFICATION
from audit.watch.floor import watch_floor
from audit.watch.silent import looked
from audit.watch.watching import look_around
from casino import clock
from casino.recording.writing import add_job
from casino.tasks import got_on, job, let_go, take_now

# A worker takes a new part as long as this has not gone by; a part takes twenty seconds at most,
# a job fifty.
SECONDS: Final = 25.0
PART: Final = 20.0
HAND: Final = "reconciliation-hand"
LOG_WITNESSES: Final = "log-witnesses"

code_version()  # while the files are still those that were loaded: they may change under a worker


@job("audit.tasks.reconcile_partida")
def reconcile_partida(job: str, *, partida: str, **_: object) -> bool:
    """Reconcile a partida that was closed, and what displays were said to show in it."""
    ask_at_closing(partida)
    return _lead(job, Asked(reason="closed", partida=partida))


@job("audit.tasks.reconcile_if_late")
def reconcile_if_late(job: str, *, partida: str) -> bool:
    """Reconcile a partida again when something was recorded of it after it was reconciled."""
    if not is_late(partida):
        return True
    return _lead(job, Asked(reason="late_record", partida=partida))


@job("audit.tasks.reconcile_imported")
def reconcile_imported(job: str, *, days: Sequence[str]) -> bool:
    """Want a run of each day of which a file of rounds was written."""
    ask_to_judge(map(date.fromisoformat, days), job)
    return True


@job("audit.tasks.reconcile")
def reconcile(job: str, **args: object) -> bool:
    """Reconcile what was asked for: a partida, a gaming day, a range of them."""
    return _lead(job, Asked.of_args(**args))


@job("audit.tasks.reconcile_withdrawn")
def reconcile_withdrawn(job: str, *, entry: str, **_: object) -> bool:
    """Reconcile anew, each game under its own rulebook, what a withdrawn run had looked at."""
    asked = in_place_of(UUID(entry))
    return asked is None or _lead(job, asked)


@job("audit.tasks.lend_a_hand")
def lend_a_hand(job: str, *, run: str) -> bool:
    """Do parts of somebody's run for a while; what is left then is the next turn's."""
    done, state = _help(job, UUID(run))
    if state != OPEN or not is_left(UUID(run)):
        return True
    if not done:
        return False  # nothing here could be begun: not now, or not by this program
    whose, turn = job.rsplit("/", 1)
    add_job(HAND, f"{whose}/{int(turn) + 1}", {"run": run})
    return True


@job("audit.tasks.work_demo_cases")
def work_demo_cases(job: str, *, day: str) -> bool:
    """Record what was done about the demo's evening, and asked of it, once it was reconciled."""
    done = work_cases(date.fromisoformat(day))
    if done:
        ask_runs(date.fromisoformat(day))
        ask_figures()
        forget_guest(date.fromisoformat(day))
    return done


@job("audit.tasks.verify_book")
def verify_book(job: str, *, run: str, part: int) -> bool:
    """Do a part of a verification of the book; the next part is a job of its own."""
    if VERIFICATION.do_part(UUID(run), part):
        got_on(job)
    return True


@job("audit.tasks.replay_pool")
def replay_pool(job: str, *, run: str, part: int) -> bool:
    """Do a part of a jackpot's replay; the next part is a job of its own."""
    if POOL_REPLAY.do_part(UUID(run), part):
        got_on(job)
    return True


@job("audit.tasks.draw_for_demo")
def draw_for_demo(job: str, *, day: str) -> bool:
    """Take the next step of the demo inspector's draw; a root is signed in between."""
    from audit.demo.demo_draw import draw_of  # with the simulator: no other worker needs it

    return draw_of(date.fromisoformat(day))


@shared_task(name="audit.tasks.look_what_is_due")  # type: ignore[untyped-decorator]
def look_what_is_due() -> None:
    """Beat's job: what is due, what never came about, and is the book as it should be?"""
    now = clock.now()
    look_around(now)
    looked("house", now)


@shared_task(name="audit.tasks.look_at_the_floor")  # type: ignore[untyped-decorator]
def look_at_the_floor() -> None:
    """Beat's job: what do the games under way owe by now? Cut short, the next look goes on."""
    now = clock.now()
    watch_floor(now, time.monotonic() + PART)
    looked("floor", now)


@shared_task(name="audit.tasks.send_mail")  # type: ignore[untyped-decorator]
def send_mail() -> None:
    """Beat's job: mails with what is new, and every one that is due; the same of what programs
    are told. No job of the outbox, which may be what stands still.
    """
    until = time.monotonic() + PART
    make_mails(clock.now())
    send_due(until)
    make_posts(clock.now())
    send_posts(until)


@shared_task(name="audit.tasks.ask_witnesses")  # type: ignore[untyped-decorator]
def ask_witnesses() -> None:
    """Beat's job: the witnesses of the log get the newest checkpoint. Who was not asked in time is
    asked with the next one.
    """
    if take_now(LOG_WITNESSES):
        try:
            ask_all(clock.now())
        finally:
            let_go(LOG_WITNESSES)


@shared_task(name="audit.tasks.propose_erasures")  # type: ignore[untyped-decorator]
def propose_erasures() -> None:
    """Beat's job: propose what falls due to be erased. It erases nothing."""
    propose_due()


def _lead(job: str, asked: Asked) -> bool:
    """Open a run, do what one worker can of it, and stay responsible until it has ended."""
    sheet = open_run(job, asked)
    done, state = _help(job, sheet.run)
    if state == OPEN and done and is_left(sheet.run):
        add_job(HAND, f"hand/{sheet.run}/0/1", {"run": str(sheet.run)})
    return state != OPEN


def _help(job: str, run: UUID) -> tuple[int, str]:
    """Do parts for a while: how many, and the run's state afterwards."""
    done = work(run, time.monotonic() + SECONDS)
    if done:
        got_on(job)
    return done, conclude(run)
