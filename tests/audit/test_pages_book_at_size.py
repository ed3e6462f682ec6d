"""The book's own pages over a long book: few questions, none of them counting to the end.

In `make test` the book is small and only the questions are counted; `make soak` plays a million
rounds and prints how long each page took.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import psycopg
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from casino import sequencer
from casino.models import BookLeaf, BookPending, BookTree
from casino.tlog.checkpoint import Checkpoint
from casino.tlog.note import signed
from tests.casino.statements import counts_to_the_end
from tests.factories.findings import client_of, people
from tests.factories.rounds_at_size import Months, fill
from tests.factories.sealed_book import ORIGIN, Seal
from tests.gate import size

pytestmark = pytest.mark.share

BOOK: Final = "/book/"
QUERIES: Final = 12
OF_A_PROOF: Final = 20  # with the tiles of the path: a few more for every 256 times the size


def sealed_up_to_the_last(seal: Seal, waiting: int) -> None:
    """Give all entries but the last ones their places, in signed trees."""
    while (left := BookPending.objects.count() - waiting) > 0:
        assert sequencer.integrate(min(left, sequencer.BATCH))
    newest = BookTree.objects.order_by("-size")[0]
    checkpoint = Checkpoint(ORIGIN, newest.size, bytes(newest.root))
    with seal.connect_as("signer") as signer:
        signer.execute(
            "INSERT INTO book_checkpoint (size, root, note) VALUES (%s, %s, %s)",
            [newest.size, newest.root, signed(checkpoint.text(), [seal.key])],
        )


def ask(client: Client, address: str) -> tuple[float, list[dict[str, Any]]]:
    """The seconds a page takes, and what it asked the database."""
    begun = time.perf_counter()
    with CaptureQueriesContext(connection) as asked:
        answer = client.get(address)
    took = time.perf_counter() - begun
    assert answer.status_code == 200, address
    return took, asked.captured_queries


def test_pages_of_a_long_book_are_quick(
    fresh_db: str,
    connect_as: Callable[..., psycopg.Connection],
    tmp_path: Path,
    settings: Any,
    capsys: pytest.CaptureFixture[str],
) -> None:
    months = Months(size(3, 3, 183), size(8, 8, 40), size(25, 25, 137))
    again = size(1, 1, 20)
    people()
    seal = Seal(connect_as, tmp_path / "public", settings)
    book = connect_as("postgres", autocommit=True)
    fill(book, months)
    book.execute("INSERT INTO book_pending SELECT id FROM book_entry ON CONFLICT DO NOTHING")
    sealed_up_to_the_last(seal, size(100, 100, 12_000))
    book.execute("VACUUM ANALYZE")
    leaves = BookLeaf.objects.order_by("idx").values_list("entry_id", flat=True)
    many = leaves.count()
    entries = [leaves[at] for at in (0, many // 3, many // 2, many - 1)]
    addresses = [BOOK, f"{BOOK}checkpoint/", "/admin/audit/verification/"]
    addresses += [f"{BOOK}entries/{entry}/" for entry in entries]
    addresses += [f"/admin/casino/bookentry/{entry}/receipt/" for entry in entries[1:3]]
    client = client_of("inspetor")
    lines = []
    for address in addresses:
        ask(client, address)  # what is read for the first time is not the page's doing
        took = []
        for _ in range(again):
            seconds, asked = ask(client, address)
            took.append(seconds)
            most = OF_A_PROOF if "/entries/" in address else QUERIES
            assert len(asked) <= most, (address, [one["sql"] for one in asked])
            assert [one["sql"] for one in asked if counts_to_the_end(one["sql"])] == [], address
        took.sort()
        p95 = took[int(len(took) * 0.95) - (len(took) > 1)]
        p50 = took[len(took) // 2]
        lines.append(f"{p50 * 1000:6.0f} {p95 * 1000:6.0f} {len(asked):3} {address}")
    proof = client.get(f"{BOOK}entries/{entries[1]}/").context
    assert proof["fits_root"]
    assert client.get(BOOK).context["state"].waiting > 0
    if again == 1:
        return
    with capsys.disabled():
        sys.stdout.write(f"\n{many} entries; p50 and p95 in ms, questions, page\n")
        sys.stdout.write("\n".join(lines) + "\n")
