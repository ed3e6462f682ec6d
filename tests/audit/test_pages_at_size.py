"""The pages over a full book: few questions, the last page as few as the first.

Questions are counted; how long the slowest took is printed (`make soak`: a million findings).
"""

import time
from collections.abc import Callable
from typing import Final

import psycopg
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from audit.models import Finding
from tests.factories.findings import client_of, people
from tests.factories.findings_at_size import fill
from tests.gate import size

pytestmark = pytest.mark.share

LIST: Final = "/admin/audit/finding/"
# A finding asks who was there: the dealer, the fiscal, the fiscal-chefe; a list, how each case
# stands, what is owed in all, one's own filters, and what those above it offer.
QUERIES: Final = 18
AGAIN: Final = size(1, 5, 5)


@pytest.mark.check
def test_pages_of_a_full_book_are_quick(
    fresh_db: str,
    connect_as: Callable[..., psycopg.Connection],
) -> None:
    many = size(5_000, 20_000, 1_000_000)
    people()
    fill(connect_as("postgres", autocommit=True), many)
    inspector = client_of("inspetor")
    middle = Finding.objects.order_by("gaming_day", "n")[many // 2]
    oldest = Finding.objects.order_by("gaming_day", "n")[30]
    old = f"from={oldest.gaming_day}&to={oldest.gaming_day}"
    addresses = [
        "/admin/", "/law/pt/", "/law/pt/54/", LIST, f"{LIST}{middle.pk}/change/",
        f"{LIST}?after={middle.gaming_day}~{middle.n}",
        f"{LIST}?before={middle.gaming_day}~{middle.n}",
        f"{LIST}?after={oldest.gaming_day}~{oldest.n}",
        f"{LIST}?state=open&severity=breach", f"{LIST}?severity=note", f"{LIST}?article=54",
        f"{LIST}?article=999", f"{LIST}?table=BJ-06", f"{LIST}?{old}",
        f"{LIST}?{old}&severity=note&state=open", f"{LIST}?q=54", f"{LIST}?q=BJ-06",
        f"{LIST}?q=nothing-like-it", f"{LIST}?q=J2", f"{LIST}?q=J7", f"{LIST}?q=A%E2%99%A5",
        f"{LIST}?q=25,00+%E2%82%AC", f"{LIST}?q=devolvido", f"{LIST}?q=infra%C3%A7%C3%A3o",
        f"{LIST}?person=P-104&{old}", f"{LIST}?person=P-104",
        "/admin/audit/reconciliation/",
    ]  # fmt: skip
    took: dict[float, str] = {}
    for address in addresses:
        inspector.get(address)  # what is read for the first time is not the page's doing
        for _ in range(AGAIN):
            begun = time.perf_counter()
            with CaptureQueriesContext(connection) as asked:
                assert inspector.get(address).status_code == 200
            took[time.perf_counter() - begun] = address
            # The first page asks besides what is due at the tables, what stands still, which draw
            # was not made and which mails nobody read.
            assert len(asked) <= QUERIES + 8 * (address == "/admin/"), address
    slowest = sorted(took)[-(len(took) // 20 + 1) :]
    texts = [f"{seconds * 1000:.0f} ms {took[seconds]}" for seconds in slowest]
    print("\n".join([f"{many} findings; the slowest:", *texts]))  # noqa: T201
