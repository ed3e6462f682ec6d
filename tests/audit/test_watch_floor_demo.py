"""The demo's evening under the watch: what it says is what the reconciliation says, and no more."""

from collections import Counter
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command

from audit.models import Finding, FindingSupersession
from audit.runs import house_checks
from audit.runs.current_findings import standing
from audit.watch.floor_overdue import WATCHED
from casino import clock
from casino.models import Partida
from tests.factories.demo_evening import FOUND
from tests.factories.tonight import at, look_at

pytestmark = [pytest.mark.usefixtures("fresh_db"), pytest.mark.share]
LATER = timedelta(minutes=11)  # the witnesses' ten are over


def found() -> Counter[tuple[str, str, int]]:
    """What stands of the games, by check, table and number."""
    rows = standing().exclude(partida_id="").exclude(article=house_checks.FLOOR)
    return Counter(
        (row.check_name, row.table_code, int(row.partida_id.rpartition("/")[2])) for row in rows
    )


@pytest.mark.check
def test_the_watch_says_of_the_demo_what_the_reconciliation_says() -> None:
    call_command("demo", stdout=StringIO())
    expected = Counter({what: n for what, n in FOUND.items() if what[0] in WATCHED})
    assert expected
    look_at(clock.now())
    assert found() - expected == Counter()
    look_at(clock.now() + LATER)
    assert found() == expected
    names = set(standing().values_list("key", flat=True))
    day = Partida.objects.values_list("gaming_day", flat=True)[0]
    with at(clock.now() + LATER), pytest.raises(SystemExit):
        call_command("reconcile", "--from", day.isoformat(), "--no-progress", stdout=StringIO())
    assert found() == FOUND
    assert names <= set(standing().values_list("key", flat=True))
    look_at(clock.now() + 2 * LATER)
    assert found() == FOUND
    assert Finding.objects.count() == standing().count()
    assert not FindingSupersession.objects.exists()
    # Two days on the quarrel nobody settled is the house's matter.
    look_at(clock.now() + timedelta(days=2))
    late = standing().filter(article=house_checks.FLOOR)
    assert [(row.check_name, row.where) for row in late] == [
        (house_checks.INCIDENT_SETTLED, {"incident": "IN-303"})
    ]
    assert found() == FOUND
