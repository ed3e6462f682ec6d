"""kill -9 of a worker's child and of a whole worker in the middle of a run, on both brokers.

The book then holds exactly what an undisturbed run would have put there. Each kill falls at a
random moment; seed, victim and time are printed, so a failure can be seen again.
"""

import os
import random
import signal
import sys
import time
from typing import Any

import pytest

from audit.models import Finding, ReconciliationResult, RunPart, RunSheet
from audit.models.audit_jobs import FINISHED, OPEN
from audit.reconcile.concluding import conclude
from audit.reconcile.opening import Asked, open_run
from audit.reconcile.request_run import ask_for
from audit.reconcile.working import work
from audit.runs.current_findings import standing
from casino.models import JobOutbox, JobTry
from tests.factories.evenings import opened, partida_of, played, record_all
from tests.faults.kills.stack import Stack
from tests.gate import size
from tests.patience import PATIENCE

pytestmark = pytest.mark.check
ROUNDS = 800
WRONG = range(7, ROUNDS, 13)
SEED = int(os.environ.get("KILL_SEED") or random.SystemRandom().randrange(10**6))


def a_long_partida(number: int) -> str:
    """A partida of its own with known mistakes, not reconciled yet; its name."""
    events: list[Any] = [opened(number=number)]
    events += [
        played(
            f"r{n}",
            number=number,
            returned=1500 if n in WRONG else 2000,
            shoe=1 + n // 4,
            place=1 + n % 4,
        )
        for n in range(ROUNDS)
    ]
    record_all(events)
    return partida_of(number=number)


def ask(partida: str) -> str:
    """Want it reconciled; the job's key."""
    return ask_for(Asked(reason="asked", partida=partida))


def has_ended(job: str) -> bool:
    """Whether the job's run has ended well."""
    assert not RunSheet.objects.filter(job=job, state="failed").exists()
    return RunSheet.objects.filter(job=job, state=FINISHED).exists()


def holds_what_it_should(partida: str, job: str) -> None:
    """Exactly the mistakes that were made, everything raised once, by a run that ended once."""
    result = ReconciliationResult.objects.get(run=RunSheet.objects.get(job=job).run)
    assert (result.rounds, result.findings) == (ROUNDS, result.raised)
    raised = Finding.objects.filter(partida_id=partida)
    assert raised.filter(check_name="nearer_to_twenty_one_wins").count() == len(WRONG)
    assert raised.count() == result.raised
    assert raised.values("key").distinct().count() == result.raised
    assert standing().filter(partida_id=partida).count() == result.raised
    assert JobOutbox.objects.get(key=job).done_at is not None
    assert not JobTry.objects.filter(failed_at__isnull=False).exists()
    # Undisturbed, by one process, cut in another way: the same.
    undisturbed = open_run(f"{job}/again", Asked(reason="asked", partida=partida))
    work(undisturbed.run, time.monotonic() + PATIENCE)
    assert conclude(undisturbed.run) == FINISHED
    again = ReconciliationResult.objects.get(run=undisturbed.run)
    assert (again.digest, again.raised, again.superseded) == (result.digest, 0, 0)


def busy_child(job: str) -> int | None:
    """The process that took a part of the run last."""
    parts = RunPart.objects.filter(run__job=job, run__state=OPEN, attempts__gt=0)
    claimed = parts.order_by("-claimed_at").values_list("claimed_by", flat=True).first()
    return int(claimed.rpartition(":")[2]) if claimed else None


@pytest.mark.parametrize("victim", ["child", "worker"])
def test_a_run_survives_the_death_of_who_works_on_it(
    stack: Stack, victim: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = random.Random(SEED)
    kills, lasts = 0, 0.0
    unhurt = size(1, 1, 2)  # the first finds the workers cold, the last tells how long a run takes
    for number in range(1, 10 + 4 * size(1, 1, 20)):
        partida = a_long_partida(number)
        job = ask(partida)
        stack.wait("somebody to begin", lambda job=job: busy_child(job) or has_ended(job))
        if number <= unhurt:
            lasts = stack.wait("a run without a kill", lambda job=job: has_ended(job))
            holds_what_it_should(partida, job)
            continue
        delay = rng.uniform(0, 0.8 * lasts)
        time.sleep(delay)
        pid = None if has_ended(job) else kill(stack, victim, job)
        took = stack.wait("the run's end", lambda job=job: has_ended(job))
        kills += pid is not None
        if pid is None:
            lasts = delay  # it had ended by then
        with capsys.disabled():
            sys.stdout.write(
                f"\nkilled {victim} {pid} after {delay:.3f} of some {lasts:.1f} s, the run ended"
                f" {took:.1f} s later (seed {SEED}, run {number})\n"
            )
        holds_what_it_should(partida, job)
        if kills == size(1, 1, 20):
            return
    raise AssertionError(f"only {kills} kills fell into a run (seed {SEED})")


def kill(stack: Stack, victim: str, job: str) -> int | None:
    """kill -9 of the child that works on the job, or of the worker with all its children."""
    if victim == "worker":
        pid = stack.kill("worker")
        stack.start_worker()
        return pid
    child = busy_child(job)
    if child is not None and child in stack.children():
        os.kill(child, signal.SIGKILL)
        return child
    return None
