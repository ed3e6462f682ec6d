"""The API while others record: one record a key, a list nobody misses anything of."""

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest
from django.db import connections
from django.test import Client

from casino.models import Burn
from casino.sequencer import integrate
from tests.casino.api_calls import API, burn, post
from tests.factories.people import somebody
from tests.factories.records import PIT as WRITES
from tests.factories.records import burnt, recorded

pytestmark = pytest.mark.usefixtures("fresh_db")


def test_sent_eight_times_at_once_it_is_one_record() -> None:
    pit = somebody("fiscal_de_banca")
    key = str(uuid4())

    def once(_: int) -> int:
        try:
            client = Client()
            client.cookies = pit.cookies
            return int(post(client, "card-burns", burn(), key).status_code)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        found = sorted(pool.map(once, range(8)))
    assert found.count(201) == 1
    assert set(found) <= {200, 201, 409}
    assert Burn.objects.count() == 1


def test_a_list_goes_on_where_it_ended_in_the_order_of_the_tree() -> None:
    chefe = somebody("fiscal_chefe")
    for cards in range(5):
        recorded(burnt(cards), by=WRITES)
    recorded(burnt(9, "BJ-07"), by=WRITES)
    assert chefe.get(f"{API}/card-burns").json()["items"] == []  # not placed yet
    integrate()
    seen, cursor = [], "-1"
    while True:
        page = chefe.get(f"{API}/card-burns?limit=2&table=BJ-06&cursor={cursor}").json()
        seen += [one["event"]["cards"] for one in page["items"]]
        cursor = page["cursor"]
        if not page["more"]:
            break
    assert seen == [0, 1, 2, 3, 4]
    recorded(burnt(7), by=WRITES)
    integrate()
    page = chefe.get(f"{API}/card-burns?table=BJ-06&cursor={cursor}").json()
    assert [one["event"]["cards"] for one in page["items"]] == [7]
