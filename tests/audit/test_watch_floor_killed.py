"""A look at the floor that is killed at any moment is made up for, and says nothing twice."""

import os
import random
import subprocess
import sys
import time
from datetime import timedelta

import pytest

from audit.models import Finding, FindingSupersession
from audit.runs.current_findings import standing
from casino import clock
from casino.models import BookEntry
from tests.factories.tonight import Table, look_at
from tests.gate import ROOT, size

pytestmark = [pytest.mark.usefixtures("fresh_db"), pytest.mark.share]
TABLES = 20
AHEAD = timedelta(minutes=3)


def killed(environment: dict[str, str], after: float) -> bool:
    """One look in its own process, killed so long after its first finding; whether too late."""
    before = Finding.objects.count()
    looking = subprocess.Popen(
        [sys.executable, "manage.py", "look_around"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    begun = time.monotonic()
    while Finding.objects.count() == before and time.monotonic() < begun + 600:
        if looking.poll() is not None:
            return True
        time.sleep(0.005)
    time.sleep(after)
    looking.kill()
    return looking.wait() == 0


@pytest.mark.check
def test_a_killed_look_is_made_up_for(
    database_environment: dict[str, str],
) -> None:
    seed = int(os.environ.get("KILL_SEED") or time.time())
    chance = random.Random(seed)
    for number in range(TABLES):
        table = Table(f"BJ-{number:02d}")
        table.prepared("burnt")
        table.played()
    environment = {**database_environment, "CLOCK_OFFSET": str(int(AHEAD.total_seconds()))}
    stood = []
    for _ in range(size(2, 2, 12)):
        after = chance.uniform(0.0, 0.15)
        late = killed(environment, after)
        stood.append((standing().count(), f"{after:.3f} s", late))
    print(f"seed {seed}: {stood}")  # noqa: T201
    look_at(clock.now() + AHEAD)
    assert Finding.objects.count() == standing().count() == TABLES
    assert not FindingSupersession.objects.exists()
    assert BookEntry.objects.filter(kind="finding-raised/2").count() == TABLES
    assert look_at(clock.now() + AHEAD) == 0
