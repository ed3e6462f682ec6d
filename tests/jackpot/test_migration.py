"""A book that had chips before there were rows of single chips gets them anew."""

import pytest
from django.core.management import call_command

from casino.rebuilding import compare
from jackpot.models import Contribution
from tests.factories.pools import increment, staked
from tests.factories.records import recorded

pytestmark = pytest.mark.usefixtures("fresh_db")


@pytest.mark.check
def test_chips_told_before_become_rows_of_their_own() -> None:
    recorded(increment((1, "J1", 3), chip_cents=250))
    recorded(staked((2, "J2", 2)))
    for state in ("0002", "0003"):
        call_command("migrate", "jackpot", state, database="owner", verbosity=0)
    rows = Contribution.objects.order_by("n", "chip").values_list("n", "chip", "stake_cents")
    assert list(rows) == [(1, 1, 250), (1, 2, 250), (1, 3, 250), (2, 1, 250), (2, 2, 250)]
    assert list(compare(Contribution)) == []
