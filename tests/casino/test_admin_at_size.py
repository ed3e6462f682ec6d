"""The record pages after months of play: few questions, nothing counted to the end, quick answers.

In `make test` the book is small and only the questions are counted; `make soak` plays a million
rounds and looks at the clock.
"""

import os
import sys
import time
from collections.abc import Callable
from datetime import date
from typing import Any, Final

import psycopg
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from casino.admin import paging
from casino.models import BookEntry, Partida, Round
from tests.casino.statements import counts_to_the_end
from tests.factories.findings import client_of, people
from tests.factories.findings_at_size import fill as fill_findings
from tests.factories.rounds_at_size import Months, fill
from tests.gate import SOAK, size

pytestmark = pytest.mark.share

ROUNDS: Final = "/admin/casino/round/"
PARTIDAS: Final = "/admin/casino/partida/"
CLOSINGS: Final = "/admin/casino/closing/"
ENTRIES: Final = "/admin/casino/bookentry/"
ASKED: Final = "/admin/casino/supersession/"
FINDINGS: Final = "/admin/audit/finding/"
SEARCH: Final = "/admin/search/"
QUERIES: Final = 15
# The overview has the alerts of all tables and pools, however many there are; of findings the list
# says how each case stands, who was there, and what is owed in all. The search of the whole house
# looks through a dozen lists.
MOST: Final = {"/admin/": 26, FINDINGS: 16, SEARCH: 25}
SLOWEST: Final = 0.4  # seconds, of nineteen pages in twenty


def pages_of_rounds(middle: Round, oldest: Round) -> list[str]:
    """The list of rounds in every way one asks it, and a round."""
    day, old = middle.gaming_day, oldest.gaming_day
    at = f"{day}~{middle.pk}"
    return [
        ROUNDS,
        f"{ROUNDS}?after={at}",
        f"{ROUNDS}?before={at}",
        f"{ROUNDS}?after={old}~{oldest.pk}",
        f"{ROUNDS}?from={day}&to={day}",
        f"{ROUNDS}?from={old}&to={day}",
        f"{ROUNDS}?from={day}&to={day}&table=BJ-02",
        f"{ROUNDS}?table=BJ-02",
        f"{ROUNDS}?table=BJ-02&after={at}",
        f"{ROUNDS}?table=nothing",
        f"{ROUNDS}?partida={middle.partida_id}",
        f"{ROUNDS}?staff=S-0187",
        f"{ROUNDS}?staff=S-0187&after={at}",
        f"{ROUNDS}?staff=nobody",
        f"{ROUNDS}?staff=S-0187&from={day}&to={day}",
        f"{ROUNDS}?q={middle.partida_id}",
        f"{ROUNDS}?q={middle.round}",
        f"{ROUNDS}?q=77",
        f"{ROUNDS}?q=nothing-like-it",
        f"{ROUNDS}{middle.pk}/",
    ]


def pages_of_records(middle: Round, old: date) -> list[str]:
    """Other records, every entry of the book, and the overview."""
    day, partida = middle.gaming_day, Partida.objects.get(partida_id=middle.partida_id)
    entry = BookEntry.objects.get(pk=middle.pk)
    return [
        PARTIDAS,
        f"{PARTIDAS}?from={day}&to={day}",
        f"{PARTIDAS}?table=BJ-02",
        f"{PARTIDAS}?q={partida.partida_id}",
        f"{PARTIDAS}{partida.pk}/",
        CLOSINGS,
        ASKED,
        f"{ASKED}?decided=no",
        f"{ASKED}?decided=yes",
        ENTRIES,
        f"{ENTRIES}?after={entry.pk}",
        f"{ENTRIES}?kind=round-played/1",
        f"{ENTRIES}?kind=partida-opened/1",
        f"{ENTRIES}?kind=card-burned/1",
        f"{ENTRIES}?from={day}&to={day}",
        f"{ENTRIES}?from={old}&to={day}",
        f"{ENTRIES}?table=BJ-02",
        f"{ENTRIES}?table=nothing",
        f"{ENTRIES}?partida={entry.partida_id}",
        f"{ENTRIES}?q={entry.key}",
        f"{ENTRIES}?q=77",
        f"{ENTRIES}?q=nothing-like-it",
        f"{ENTRIES}{entry.pk}/",
        f"{SEARCH}?all=1&q={partida.partida_id}",
        f"{SEARCH}?all=1&q=BJ-02",
        f"{SEARCH}?all=1&q=BJ",
        f"{SEARCH}?all=1&q=77",
        f"{SEARCH}?all=1&q=nothing-like-it",
        "/admin/",
        FINDINGS,
        f"{FINDINGS}?state=open&severity=breach",
    ]


def ask(client: Client, address: str) -> tuple[float, list[dict[str, Any]]]:
    """The seconds a page takes, and what it asked the database."""
    begun = time.perf_counter()
    with CaptureQueriesContext(connection) as asked:
        answer = client.get(address)
    took = time.perf_counter() - begun
    assert answer.status_code == 200, address
    return took, asked.captured_queries


@pytest.mark.check
def test_record_pages_after_months_of_play(
    fresh_db: str,
    connect_as: Callable[..., psycopg.Connection],
    capsys: pytest.CaptureFixture[str],
) -> None:
    months = Months(183, 40, 137) if SOAK else Months(3, 8, 125)
    again = size(1, 1, 20)
    people()
    book = connect_as("postgres", autocommit=True)
    fill(book, months)
    fill_findings(book, months.rounds // 50)
    rounds = Round.objects.order_by("gaming_day", "entry_id")
    middle, oldest = rounds[months.rounds // 2], rounds[60]
    both = [*pages_of_rounds(middle, oldest), *pages_of_records(middle, oldest.gaming_day)]
    wanted = [("inspetor", page) for page in both]
    wanted += [("fiscal_de_banca", page) for page in (ROUNDS, PARTIDAS, ENTRIES, ASKED, "/admin/")]
    clients = {office: client_of(office) for office in ("inspetor", "fiscal_de_banca")}
    lines, slow = [], []
    for office, address in wanted:
        ask(clients[office], address)  # what is read for the first time is not the page's doing
        took = []
        for _ in range(again):
            seconds, asked = ask(clients[office], address)
            took.append(seconds)
            most = MOST.get(address.partition("?")[0], QUERIES)
            assert len(asked) <= most, (address, [one["sql"] for one in asked])
            assert [one["sql"] for one in asked if counts_to_the_end(one["sql"])] == [], address
        took.sort()
        p50, p95 = took[len(took) // 2], took[int(len(took) * 0.95) - (len(took) > 1)]
        lines.append(f"{p50 * 1000:6.0f} {p95 * 1000:6.0f} {len(asked):3} {office:16} {address}")
        if p95 > SLOWEST:
            slow.append(lines[-1])
    if again == 1:
        return
    with capsys.disabled():
        load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
        sys.stdout.write(
            f"\n{Round.objects.count()} rounds, load {load}; p50 and p95 in ms,"
            " questions, who, page\n" + "\n".join(lines) + "\n"
        )
    assert not slow, slow


@pytest.mark.parametrize("few", [0, 10_000], ids=["along the index", "sorted here"])
def test_leafing_through_the_entries_of_certain_days_shows_each_once(
    fresh_db: str,
    connect_as: Callable[..., psycopg.Connection],
    monkeypatch: pytest.MonkeyPatch,
    few: int,
) -> None:
    monkeypatch.setattr(paging, "FEW", few)
    people()
    fill(connect_as("postgres", autocommit=True), Months(3, 2, 30))
    days = BookEntry.objects.filter(table_code="BJ-02").order_by("-gaming_day", "-pk")
    first, last = days[90].gaming_day, days[40].gaming_day
    there = days.filter(gaming_day__range=(first, last))
    wanted = list(there.values_list("pk", flat=True))
    client, address, shown = client_of("inspetor"), f"?table=BJ-02&from={first}&to={last}", []
    while address:
        page = client.get(ENTRIES + address).context["cl"]
        shown += [row.pk for row in page.result_list]
        address = page.older
    assert shown == wanted
    assert len(shown) == 64
