"""The projections are dropped, and the entries alone make the same pool; rebuilt, all is as before.

Law: PT art. 41.
"""

from collections.abc import Callable
from io import StringIO

import psycopg
import pytest
from django.core.management import call_command

from audit.pools.report_replay import pool_findings
from audit.runs import house_checks
from casino.rebuilding import projection_models
from jackpot import queries
from jackpot.models import Contribution
from tests.factories.pools import POOL, approve, opened, start
from tests.factories.pools_in_book import a_whole_evening, replay

pytestmark = pytest.mark.share

Connect = Callable[..., psycopg.Connection]


@pytest.mark.usefixtures("fresh_db")
def test_article_41_without_any_projection_the_entries_make_the_same_pool(
    connect_as: Connect,
) -> None:
    approve()
    start()
    for table in ("BJ-06", "BJ-07"):
        opened(table)
    a_whole_evening()
    before = queries.pool_now(POOL).meter
    projections = [name for name in projection_models() if name.startswith(("jackpot_", "casino_"))]
    assert "jackpot_contribution" in projections
    with connect_as("owner", autocommit=True) as owner:
        for projection in projections:
            owner.execute(f"DELETE FROM {projection}")
    assert not Contribution.objects.exists()

    made = queries.replayed(POOL)
    assert made.misfits == []
    for name in ("started", "contributed", "adjusted", "paid", "held", "running"):
        assert getattr(made.meter, name) == getattr(before, name)

    row = replay()
    assert (row.microcents, row.kept_microcents) == (before.running, 0)
    (found,) = pool_findings(POOL)
    assert found.check_name == house_checks.POOL_KEPT
    # The first entry whose rows are gone: the terms were confirmed there.
    assert (found.where["stream"], found.where["n"]) == ("jackpot/JP-1", 2)

    for projection in projections:
        call_command("rebuild", projection, stdout=StringIO())
    assert replay().difference_microcents == 0
    assert not pool_findings(POOL).exists()
