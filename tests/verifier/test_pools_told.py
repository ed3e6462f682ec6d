"""Pools the house really told: the stand-alone verifier makes of their entries what the house does.

Law: PT art. 40, 41, 43, 44, 50.
"""

import json
import subprocess
import sys
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from audit.exporting import Scope, export_bundle
from audit.verifier.entries import EntryChecker
from audit.verifier.meter import Meter
from audit.verifier.pools import Pools
from audit.verifier.tree import leaves_of
from audit.verifier.words import SEVERITY
from casino.recording import Actor, Receipt, Supersedes
from jackpot import queries
from jackpot.events import JackpotAdjusted, JackpotRead
from jackpot.seal_meter import seal
from tests.factories.pools import (
    ACE_JACK,
    POOL,
    SEVENS,
    TOP,
    approve,
    increment,
    opened,
    paid,
    ref,
    staked,
    start,
    won,
)
from tests.factories.records import EVENING, HEAD, MANAGER, recorded
from tests.factories.sealed_book import Connect, Seal
from tests.factories.usual_events import second_word
from tests.gate import ROOT, size
from tests.patience import PATIENCE

Found = list[tuple[str, str | None, int | None]]
_stories = count(1)


class Story:
    """A pool at two tables, told to the book step by step."""

    def __init__(self) -> None:
        number = 2 * next(_stories)
        self.pool = f"JP-{number}"
        self.tables = (f"BJ-{number}", f"BJ-{number + 1}")
        self.laid: list[Receipt] = []
        self.waiting: list[tuple[Receipt, Receipt]] = []
        self.hits: list[Receipt] = []
        self.unpaid: list[tuple[Receipt, Any]] = []
        self.paid: list[tuple[Receipt, Any]] = []
        self.place = 0

    def record(self, step: str, n: int) -> None:
        """One step; nothing, where there is nothing to do it with."""
        getattr(self, f"_{step}")(n)

    def _terms(self, n: int) -> None:
        since = EVENING + timedelta(minutes=n - 4)  # some of them only later
        marking = "automatic" if n % 3 == 0 else "manual"
        tables = self.tables[:1] if n == 7 else None
        approve(
            self.pool,
            terms=f"T-{n}",
            valid_from=since,
            rate_millionths=n * 12_345,
            marking=marking,
            tables=tables,
        )

    def _start(self, n: int) -> None:
        start(self.pool, 2_000_000 + n)

    def _open(self, n: int) -> None:
        opened(self.tables[n % 2], (self.pool,) if n % 3 else (self.pool, "JP-0"))

    def _chips(self, n: int) -> None:
        known = {"chip_cents": 100 + n} if n % 2 else {}
        table = self.tables[n % 2]
        chips = increment((1, "J1", n), (2, "J2", 1), table=table, jackpot=self.pool, **known)
        self.laid.append(recorded(chips))

    def _round(self, n: int) -> None:
        self.place += 1
        recorded(staked((1, "J1", 1), (3, "J3", n), table=self.tables[n % 2], place=self.place))

    def _correct(self, n: int) -> None:
        if self.laid:
            first = self.laid.pop(n % len(self.laid))
            table = first.stream.partition("/")[2]
            instead = increment((1, "J1", n), table=table, jackpot=self.pool)
            supersedes = Supersedes(first.n, first.leaf, "typing-error")
            self.waiting.append((recorded(instead, supersedes=supersedes), first))

    def _decide(self, n: int) -> None:
        if self.waiting:
            pending, original = self.waiting.pop(n % len(self.waiting))
            table = pending.stream.partition("/")[2]
            decision = "approved" if n % 4 else "refused"
            word = second_word(table, pending, original, decision)
            recorded(word, by=HEAD)

    def _win(self, n: int) -> None:
        codes = [(TOP,), (SEVENS,), (ACE_JACK,), (SEVENS, ACE_JACK, SEVENS), (TOP, TOP, TOP),
                 (ACE_JACK, TOP, SEVENS, TOP), (ACE_JACK, "two_aces")]  # fmt: skip
        seats = [(f"J{at}", at, code) for at, code in enumerate(codes[n % len(codes)], 1)]
        hit = recorded(won(*seats, table=self.tables[0], jackpot=self.pool))
        self.hits.append(hit)
        came_to = queries.payout_of(self.pool, hit.n)
        self.unpaid += [(hit, step) for step in (came_to.steps if came_to else ())]

    def _pay(self, n: int) -> None:
        if self.unpaid:
            self.paid.append(self.unpaid.pop(n % len(self.unpaid)))
            self._hand_out(*self.paid[-1])

    def _again(self, n: int) -> None:
        if self.paid:
            self._hand_out(*self.paid[n % len(self.paid)], again=True)

    def _hand_out(self, hit: Receipt, step: Any, **known: Any) -> None:
        who = step.winner
        recorded(paid(hit, who.owner, who.box, who.code, step.paid_cents, self.tables[0], **known))

    def _adjust(self, n: int) -> None:
        by = (n - 4) * 300_000_000_001  # now and then more than there is
        event = JackpotAdjusted(jackpot=self.pool, microcents=by or 1, reason="device_fault")
        recorded(event, by=MANAGER)

    def _withdraw(self, n: int) -> None:
        if self.hits:
            hit = self.hits.pop(n % len(self.hits))
            self.unpaid = [each for each in self.unpaid if each[0] != hit]
            how = {"microcents": 0, "reason": "win_withdrawn", "hit": ref(hit)}
            recorded(JackpotAdjusted(jackpot=self.pool, **how), by=MANAGER)

    def _read(self, n: int) -> None:
        cents = queries.displayed(self.pool) + n % 2
        recorded(JackpotRead(jackpot=self.pool, display_cents=cents))

    def _seal(self, n: int) -> None:
        seal(self.pool)


STEPS = (
    "terms", "start", "open", "chips", "chips", "round", "round", "correct", "decide", "win",
    "pay", "pay", "again", "adjust", "withdraw", "read", "seal",
)  # fmt: skip


def made_again(pool: str, by_stream: bool) -> tuple[Meter, Found]:
    """What the verifier makes of all the book's entries, in the order of one tree or another."""
    order = "s.name DESC, e.n" if by_stream else "e.recorded_at, s.name, e.n"
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT e.entry FROM book_entry e JOIN book_stream s ON s.id = e.stream_id"
            f" ORDER BY {order}"
        )
        entries = [bytes(entry) for (entry,) in cursor.fetchall()]
    found: Found = []

    def report(code: str, *, stream: str | None = None, n: int | None = None, **_: Any) -> None:
        found.append((code, stream, n))

    def earlier(stream: str, n: int) -> bytes | None:
        place = checker.place(stream, n)
        return None if place is None else entries[place]

    checker = EntryChecker(report, earlier)
    checker.pools = pools = Pools(checker)
    indices = range(len(entries))
    checker.feed_all(indices, entries, leaves_of(entries), indices)
    pools.finish(shown=True)
    own = [each for each in found if each[1] in (f"jackpot/{pool}", None)]
    return pools.made[f"jackpot/{pool}"], own


def compared(pool: str, by_stream: bool = False) -> Found:
    """Hold the verifier's pool against the house's; what the verifier tells of it."""
    again, house = queries.replayed(pool), queries.replayed(pool).meter
    mine, found = made_again(pool, by_stream)
    for name in ("started", "contributed", "adjusted", "paid", "held", "running"):
        assert getattr(mine, name) == getattr(house, name), name
    assert mine.emptied_by == int(house.emptied_by or 0)
    named = {misfit.entry for misfit in again.misfits if misfit.entry.isdigit()}
    assert named == {str(n) for _, stream, n in found if stream}
    assert [code for code, _, _ in found if SEVERITY[code] != "note"] == []
    return found


@pytest.mark.django_db
@settings(
    max_examples=size(5, 12, 200),
    phases=(Phase.explicit, Phase.generate),  # a shorter story would take minutes to find
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    early=st.sampled_from(["started", "with terms", "nothing"]),
    steps=st.lists(st.tuples(st.sampled_from(STEPS), st.integers(1, 8)), min_size=5, max_size=25),
    by_stream=st.booleans(),
)
def test_whatever_was_told_comes_to_the_same(
    early: str, steps: list[tuple[str, int]], by_stream: bool
) -> None:
    story = Story()
    if early != "nothing":
        story.record("terms", 2)
    if early == "started":
        story.record("start", 0)
        story.record("open", 1)
    for step, n in steps:
        story.record(step, n)
    story.record("start", 0)
    compared(story.pool, by_stream)


@pytest.fixture
def sealed(connect_as: Connect, tmp_path: Path, settings: Any) -> Seal:
    return Seal(connect_as, tmp_path / "public", settings)


@pytest.mark.usefixtures("fresh_db", "english")
def test_a_copy_of_the_book_has_the_pool_in_it(sealed: Seal, tmp_path: Path) -> None:
    approve()
    start()
    opened()
    recorded(increment((1, "J1", 1), (2, "J2", 2)))
    sealed.sign()
    recorded(staked((1, "J1", 1)))
    hit = recorded(won(("J2", 2, TOP), ("J4", 4, TOP), ("J5", 5, ACE_JACK)))
    came_to = queries.payout_of(POOL, hit.n)
    assert came_to is not None
    for step in came_to.steps[:2]:
        who = step.winner
        recorded(paid(hit, who.owner, who.box, who.code, step.paid_cents, name="Inês Matos"))
    seal(POOL)
    sealed.sign()
    whole = export_bundle(tmp_path / "whole", Scope(), Actor("export", "sistema", "local")).place
    code, found = verified(whole, "--policy", sealed.public / "policy")
    left = came_to.steps[2].paid_cents
    assert (code, found["found"]) == (0, [])
    assert found["facts"]["pools"] == [f"JP-1: 0.00 + {left / 100:.2f}"]
    part = export_bundle(
        tmp_path / "part", Scope("table", table="BJ-06"), Actor("export", "sistema", "local")
    ).place
    code, found = verified(part, "--policy", sealed.public / "policy")
    assert (code, [line["code"] for line in found["found"]]) == (0, ["pool-not-shown"])


def verified(place: Path, *words: object) -> tuple[int, dict[str, Any]]:
    """How the verifier ends, run as an inspector runs it, and what it found."""
    command = [sys.executable, "-m", "audit.verifier", place, "--json", *words]
    done = subprocess.run(
        list(map(str, command)), cwd=ROOT, env={}, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.stderr == ""
    return done.returncode, json.loads(done.stdout)
