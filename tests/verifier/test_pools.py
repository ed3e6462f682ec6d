"""Pools made again from a bundle: the same as the house's, or the entry that breaks them named.

Law: PT art. 40, 41, 43, 44, 50.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.verifier import command, crew
from audit.verifier.meter import CHOICES
from jackpot.progressive.amounts import MICROCENTS
from jackpot.progressive.payout import PayoutReadings
from tests.verifier.checked import checked
from tests.verifier.maker import Book, play
from tests.verifier.pool_evenings import (
    ACE_JACK,
    SEVENS,
    STEPS,
    TENTH,
    Evening,
    an_evening,
    followed,
    in_euros,
    live,
    moved,
    named,
    verified,
)

Body = dict[str, Any]
Change = Callable[[Body], Body | None]


# Steps of an evening that need another before them, and how the house names its readings.
LATER = ("pay", "pay", "pay", "again", "withdraw", "correct", "decide")
NAMED = {"odd-cent": "odd_cent", "jackpot-remainder": "remainder", "jackpot-share-of": "share_of"}


# What is as it should be.


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize("processes", [1, 2, 3])
def test_a_sound_pool_comes_out(
    tmp_path: Path, processes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crew, "LEAST", 1)
    evening = an_evening(book=play(Book(seed=3), 300))
    other = Evening(evening.book, "JP-2")
    other.terms(40_000, marking="automatic")
    other.start(3_000_000)
    other.opened("BJ-08")
    for _ in range(90):
        play(evening.book, 3)
        other.round(1, 2, table="BJ-08")
        evening.chips(1, 1)
    hit = other.won((1, SEVENS), table="BJ-08")
    for each in (evening, other):
        each.seal()
    found = verified(other, tmp_path, processes=processes)
    assert (found.code, found.lines) == (0, [])
    assert other.payout(hit).paid_cents > 0
    assert found.report.figures["pools"] == [in_euros(evening), in_euros(other)]
    assert not {code for code in found.notes if code.startswith("pool")}


def test_the_trees_order_does_not_matter(tmp_path: Path) -> None:
    """What waited together came into the tree stream by stream."""
    evening = Evening()
    evening.terms()
    evening.start()
    evening.chips(3)
    evening.seal()
    hit = evening.won((3, SEVENS))
    evening.chips(2, table="BJ-07")
    evening.pay_all(hit)
    evening.seal()
    for backwards in (False, True):
        evening.book = other_order(evening.book, backwards)
        found = verified(evening, tmp_path / str(backwards))
        assert (found.code, found.lines) == (0, [])
        assert found.report.figures["pools"] == [in_euros(evening)]


def other_order(book: Book, backwards: bool) -> Book:
    """The same entries, in the tree by the names of their streams."""
    made = Book(now=book.now)
    bodies = [(json.loads(entry), entry) for entry in book.entries]
    names = sorted({body["stream"] for body, _ in bodies}, reverse=backwards)
    for body, entry in sorted(bodies, key=lambda one: names.index(one[0]["stream"])):
        made.append(entry, body["stream"], body["n"])
    return made


def test_a_pool_nobody_tells_of_is_not_in_the_summary(tmp_path: Path) -> None:
    found = checked(play(Book(), 50).write(tmp_path / "bundle"))
    assert (found.code, found.report.figures["pools"]) == (0, [])


@given(
    early=st.sampled_from([(), (("terms", 2),), (("terms", 2), ("start", 2))]),
    steps=st.lists(
        st.tuples(st.sampled_from(sorted({*STEPS, *LATER})), st.integers(1, 6)), max_size=40
    ),
    readings=st.builds(PayoutReadings, *(st.sampled_from(choices) for choices in CHOICES.values())),
)
def test_whatever_happens_it_comes_to_what_the_houses_meter_says(
    early: Any, steps: Any, readings: PayoutReadings
) -> None:
    evening = Evening(readings=readings)
    evening.opened()
    live(evening, [*early, *steps, ("start", 1)])
    evening.seal()
    read = [(name, getattr(readings, field), "") for name, field in NAMED.items()]
    mine, found = followed(evening, read)
    house = evening.pool.meter
    for name in ("started", "contributed", "adjusted", "paid", "held", "running"):
        assert getattr(mine, name) == getattr(house, name), name
    assert mine.emptied_by == int(house.emptied_by or 0)
    named = {misfit.entry for misfit in evening.pool.misfits if misfit.entry.isdigit()}
    assert named == {str(n) for _, n in found if n}
    assert "pool-seal-wrong" not in {code for code, _ in found}


# Who holds the keys signs another history.


def first(kind: str, place: int = 0) -> Callable[[list[Body]], Body]:
    """The entry of that kind and place in the order of its kind."""
    return lambda bodies: [body for body in bodies if body["kind"].startswith(kind)][place]


def recorded(**changes: Any) -> Change:
    """Says something else."""
    return lambda body: moved(body, **changes)


def by(name: str, change: int) -> Change:
    """Says a figure that is larger or smaller by so much."""
    return lambda body: moved(body, **{name: body["payload"][name] + change})


def lowered(body: Body) -> Body:
    """A seal that says ten euros fewer came in, and holds together."""
    less, payload = 1000 * MICROCENTS, body["payload"]
    names = ("microcents", "contributed_microcents")
    return moved(body, **{name: payload[name] - less for name in names})


def gone(_: Body) -> None:
    """It was never recorded."""


PAYS, SEALS, TERMS = "pool-paid-beyond", "pool-seal-wrong", "terms-approved"
CHIPS, PAID, SEALED = "jackpot-incremented", "jackpot-paid", "jackpot-sealed"
# Which entry says what instead, what is reported of it first, and of which entry, if of another.
FORGED: dict[str, tuple[Any, Change, str, Any]] = {
    "a payment too high": (first(PAID), by("paid_cents", 1), PAYS, None),
    "a payment to somebody else": (first(PAID), recorded(owner="J9"), PAYS, None),
    "a payment a second time": (
        first(PAID, 1),
        recorded(owner="J5", box=5, paid_cents=5_000),
        "pool-paid-twice",
        None,
    ),
    "a payment that never was": (first(PAID), gone, SEALS, (SEALED, 2)),
    "a payment of no win": (
        first(PAID),
        lambda body: moved(body, hit=body["payload"]["hit"] | {"leaf": "0" * 64}),
        "reference-wrong",
        None,
    ),
    "a seal lowered": (first(SEALED, 1), lowered, SEALS, None),
    "a seal that holds less": (first(SEALED, 2), recorded(held=[]), SEALS, None),
    "a seal of an empty pool": (first(SEALED, 3), recorded(emptied_by=9), SEALS, None),
    "an adjustment not in the sum": (
        first("jackpot-adjusted"),
        by("microcents", -5),
        SEALS,
        (SEALED, 3),
    ),
    "an adjustment nobody is to know of": (first("jackpot-adjusted"), gone, SEALS, (SEALED, 3)),
    "another percentage": (first(TERMS), by("rate_millionths", -1), SEALS, (SEALED, 0)),
    "terms nobody confirmed": (first("terms-confirmed"), gone, SEALS, (SEALED, 0)),
    "terms confirmed by their author": (
        first("terms-confirmed"),
        lambda body: body | {"who": body["who"] | {"staff": "S-0003"}},
        "same-person",
        None,
    ),
    "terms of a later day": (
        first(TERMS),
        recorded(valid_from="2026-11-20T19:00:00.000000Z"),
        SEALS,
        (SEALED, 0),
    ),
    "another source": (first(TERMS), recorded(marking="automatic"), SEALS, (SEALED, 1)),
    "a table that is not linked": (first(TERMS), recorded(tables=["BJ-06"]), SEALS, (SEALED, 1)),
    "another start": (first("jackpot-started"), by("start_cents", 1), SEALS, (SEALED, 0)),
    "a start that never was": (first("jackpot-started", 1), gone, SEALS, (SEALED, 5)),
    "chips that were fewer": (
        first(CHIPS),
        recorded(chips=[{"box": 1, "n": 2, "owner": "J1"}]),
        SEALS,
        (SEALED, 0),
    ),
    "chips that were worth less": (first(CHIPS, 3), recorded(chip_cents=200), SEALS, (SEALED, 3)),
    "chips nobody laid": (first(CHIPS), gone, SEALS, (SEALED, 0)),
    "chips of another pool": (first(CHIPS), recorded(jackpot="JP-9"), SEALS, (SEALED, 0)),
    "a correction nobody approved": (first("corrected"), gone, SEALS, (SEALED, 1)),
    "a correction that was refused": (
        first("corrected"),
        recorded(decision="refused"),
        SEALS,
        (SEALED, 1),
    ),
    "another combination": (
        first("jackpot-won"),
        lambda body: moved(body, winners=[w | {"code": TENTH} for w in body["payload"]["winners"]]),
        SEALS,
        (SEALED, 2),
    ),
    "facts of another pool": (first("jackpot-read"), recorded(jackpot="JP-2"), "pool-form", None),
    "a payment without an amount": (first(PAID), recorded(paid_cents="5000"), "pool-form", None),
}


@pytest.mark.parametrize("name", FORGED)
def test_another_history_is_named_where_it_breaks(name: str, tmp_path: Path) -> None:
    evening = an_evening()
    which, change, code, where = FORGED[name]
    bodies = [json.loads(entry) for entry in evening.book.entries]
    key = which(bodies)["key"]
    forged = evening.book.rewritten(lambda _, body: change(body) if body["key"] == key else body)
    found = checked(forged.write(tmp_path / "bundle"))
    after = [json.loads(entry) for entry in forged.entries]
    entry = first(*where)(after) if where else next(body for body in after if body["key"] == key)
    assert found.code == 1
    assert named(found)[0] == (code, entry["stream"], entry["n"])
    assert not {line.code for line in found.lines} - {code, SEALS, PAYS}


def test_a_seal_that_is_wrong_says_what_is_and_since_when(tmp_path: Path) -> None:
    evening = an_evening()
    seals = [json.loads(entry) for entry in evening.book.entries if b"jackpot-sealed" in entry]
    key = seals[1]["key"]
    forged = evening.book.rewritten(lambda _, body: lowered(body) if body["key"] == key else body)
    (line,) = checked(forged.write(tmp_path / "bundle")).lines
    made = seals[1]["payload"]["contributed_microcents"]
    assert line.details == {
        "field": "contributed_microcents",
        "found": made - 1000 * MICROCENTS,
        "expected": made,
        "since": seals[0]["n"],
    }


def test_what_was_wrong_before_is_named_once(tmp_path: Path) -> None:
    """Seals that go on from a wrong one are wrong by as much; the next lie is another."""
    evening = Evening()
    evening.terms()
    evening.start()
    meter = evening.pool.meter
    seals = []
    for less in (0, 7, 7, 7, 9):
        evening.chips(1)
        microcents, came = meter.running - less, meter.contributed - less
        seals.append(evening.seal(microcents=microcents, contributed_microcents=came)["n"])
    found = verified(evening, tmp_path)
    wrong = [("pool-seal-wrong", evening.stream, seals[place]) for place in (1, 4)]
    assert (found.code, named(found)) == (1, wrong)


def test_the_verdict_says_that_the_book_is_whole_and_the_pool_is_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evening = Evening()
    evening.terms()
    evening.start()
    hit = evening.won((3, ACE_JACK))
    payment = evening.pay(hit, 3, 5_001)
    evening.book.sign()
    place = evening.book.write(tmp_path / "bundle")
    assert command.main([str(place), "--language", "en"]) == 1
    said = capsys.readouterr().out
    assert f"jackpot/JP-1/{payment['n']}: Paid 5001 cents to J3; by the entries" in said
    assert said.endswith("what is told above does not follow from its entries.\n")
    assert "pool, in euros (+ not yet paid): JP-1: 24950.00 + 50.00" in said
    entries = place / "tile/entries/000.p/5"
    entries.write_bytes(entries.read_bytes().replace(b'"paid_cents":5001', b'"paid_cents":5000'))
    assert command.main([str(place), "--language", "en", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["sentence"].startswith("TAMPERED")
