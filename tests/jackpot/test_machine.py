"""A pool's life at random, in a real database: whatever happens, to the microcent, nothing is lost
and nothing made; projections, entries alone and a second reckoning come to the same.

Everything is recorded by `record()`, as the house tells it, and committed. Transactions are broken
off in the middle, connections die, two act at the same moment.

Law: PT art. 40, 41, 43, 44, 49, 50.
"""

from typing import Any, Final

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import (
    run_state_machine_as_test,
)

from tests.gate import SOAK, size
from tests.jackpot.pool_machine import PoolMachine

EXAMPLES, STEPS = size(2, 6, 120), size(25, 25, 60)

SIZE: Final = settings(
    max_examples=EXAMPLES,
    stateful_step_count=STEPS,
    report_multiple_bugs=False,
    suppress_health_check=list(HealthCheck),
    # Looking for the shortest story that fails takes minutes, each step a look into the database.
    phases=(Phase.generate, Phase.shrink) if SOAK else (Phase.generate,),
)


def test_articles_40_to_50_whatever_happens_nothing_is_lost_and_nothing_made(
    databases: Any, book_template: str, django_db_setup: None, django_db_blocker: Any
) -> None:
    with django_db_blocker.unblock():
        run_state_machine_as_test(lambda: PoolMachine(databases, book_template), settings=SIZE)
