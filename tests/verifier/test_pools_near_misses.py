"""What people may do unlawfully, how the law is read, what is not shown: no false alarm of pools.

Law: PT art. 40, 41, 44, 50.
"""

import json
import random
from copy import deepcopy
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from audit.verifier import command
from audit.verifier.words import WORDS
from jackpot.progressive.amounts import MICROCENTS
from jackpot.progressive.payout import PayoutReadings
from tests.gate import CHECK, SEED, SOAK, size
from tests.verifier.checked import checked
from tests.verifier.maker import Book, canonical, instant, play
from tests.verifier.pool_evenings import (
    ACE_JACK,
    SEVENS,
    START_CENTS,
    TENTH,
    TOP,
    Evening,
    an_evening,
    begun,
    followed,
    in_euros,
    named,
    verified,
)
from tests.verifier.pools_noted import ODD, noted, paths

# What people may do unlawfully, and the book may well hold: a word, and no verdict.


def test_a_prize_really_handed_out_twice_is_said(tmp_path: Path) -> None:
    evening = begun()
    hit = evening.won((3, ACE_JACK))
    evening.pay(hit, 3)
    again = evening.pay(hit, 3, again=True)
    assert noted(evening, tmp_path) == [("pool-paid-again", again["n"])]


def test_what_was_missing_of_a_prize_is_paid_later_and_the_meter_gives_it(tmp_path: Path) -> None:
    evening = begun()
    hit = evening.won((3, ACE_JACK), (5, ACE_JACK))
    evening.pay(hit, 3, 4_000)
    evening.seal()
    evening.pay(hit, 3, 999)
    evening.pay(hit, 3, 1)
    assert evening.pool.meter.held == 5_000 * MICROCENTS  # the other's
    assert noted(evening, tmp_path) == []


def test_what_is_called_a_second_time_is_no_rest(tmp_path: Path) -> None:
    evening = begun()
    hit = evening.won((3, ACE_JACK))
    evening.pay(hit, 3, 4_000)
    again = evening.pay(hit, 3, 1_000, again=True)
    evening.pay(hit, 3, 1_000)
    assert noted(evening, tmp_path) == [("pool-paid-again", again["n"])]


def test_a_cent_more_than_was_missing_breaks_the_pool(tmp_path: Path) -> None:
    evening = begun()
    hit = evening.won((3, ACE_JACK), (5, ACE_JACK))
    evening.pay(hit, 3, 4_000)
    wrong = evening.pay(hit, 3, 1_001)
    evening.seal()
    assert named(verified(evening, tmp_path))[0] == ("pool-paid-twice", "jackpot/JP-1", wrong["n"])


def test_a_display_that_shows_something_else_is_said(tmp_path: Path) -> None:
    evening = begun()
    evening.read()
    wrong = evening.read(START_CENTS)
    assert noted(evening, tmp_path) == [("pool-read-differs", wrong["n"])]


def test_a_meter_that_was_seen_otherwise_is_said(tmp_path: Path) -> None:
    evening = begun()
    hit = evening.won((3, ACE_JACK), running_microcents=evening.pool.meter.running + 1)
    assert noted(evening, tmp_path) == [("pool-misread", hit["n"])]


def test_what_the_meter_cannot_bear_or_has_no_use_for_counts_for_nothing(tmp_path: Path) -> None:
    evening = begun()
    evening.adjust(-evening.pool.meter.running)
    below = evening.adjust(-1)
    again = evening.start()
    assert noted(evening, tmp_path) == [
        ("pool-below-zero", below["n"]),
        ("pool-started-running", again["n"]),
    ]


def test_before_the_start_nothing_counts(tmp_path: Path) -> None:
    evening = Evening()
    evening.terms()
    evening.chips(4)
    before = evening.adjust(5)
    evening.start()
    assert noted(evening, tmp_path) == [("pool-before-start", before["n"])]


def test_a_win_without_terms_is_owed_nothing(tmp_path: Path) -> None:
    evening = Evening()
    evening.terms(confirmed=False)
    evening.start()
    evening.chips(4)
    hit = evening.won((3, TOP))
    assert noted(evening, tmp_path) == [("pool-without-terms", hit["n"])]


def test_a_combination_nobody_approved_is_owed_nothing(tmp_path: Path) -> None:
    evening = begun()
    hit = evening.won((3, "two_aces"), (4, ACE_JACK))
    evening.pay(hit, 4)
    assert noted(evening, tmp_path) == [("pool-not-in-table", hit["n"])]


def test_a_win_withdrawn_is_played_for_again(tmp_path: Path) -> None:
    evening = begun()
    hit = evening.won((3, SEVENS), (4, ACE_JACK))
    evening.pay(hit, 4)
    evening.withdraw(hit)
    evening.chips(1)
    assert noted(evening, tmp_path) == []


def test_one_winner_is_not_paid_anothers_prize(tmp_path: Path) -> None:
    evening = begun()
    hit = evening.won((3, SEVENS), (4, ACE_JACK))
    wrong = evening.pay(hit, 4, 5_001)  # what was won in all would bear it
    found = verified(evening, tmp_path)
    assert (found.code, named(found)) == (1, [("pool-paid-beyond", evening.stream, wrong["n"])])
    assert found.lines[0].details == {"found": 5_001, "expected": 5_000, "owner": "J4"}


def test_a_pool_too_small_pays_the_smaller_prizes_first(tmp_path: Path) -> None:
    evening = begun()
    evening.adjust(6_000 * MICROCENTS - evening.pool.meter.running)
    hit = evening.won((1, SEVENS), (2, ACE_JACK), (3, ACE_JACK))
    assert [step.paid_cents for step in evening.payout(hit).steps] == [1_999, 4_001, 0]
    evening.pay_all(hit)
    assert noted(evening, tmp_path) == []


def test_two_wins_at_once_share_no_money(tmp_path: Path) -> None:
    evening = begun()
    hits = [evening.won((3, TOP)), evening.won((5, TOP), (6, ACE_JACK), table="BJ-07")]
    assert [step.paid_cents for step in evening.payout(hits[1]).steps] == [0, 0]
    evening.chips(1)
    evening.seal()
    evening.pay_all(hits[1])
    evening.pay_all(hits[0])
    evening.start(hit=hits[0], reason="after_full_payout")
    assert noted(evening, tmp_path) == []


# How n.º 50 is read.

SPLIT = ((2, TOP), (4, TOP), (6, TOP))


@pytest.mark.parametrize(
    ("seats", "readings", "said"),
    [
        (SPLIT, PayoutReadings(odd_cent="house"), "odd-cent=house"),
        (
            ((2, SEVENS), (4, ACE_JACK)),
            PayoutReadings(remainder="highest_winner"),
            "jackpot-remainder=highest_winner",
        ),
        (
            ((2, SEVENS), (4, TENTH)),
            PayoutReadings(share_of="what_is_left"),
            "jackpot-share-of=what_is_left",
        ),
    ],
)
def test_article_50_another_reading_is_asked_for(
    tmp_path: Path, seats: Any, readings: PayoutReadings, said: str
) -> None:
    evening = begun()
    evening.readings = readings
    hit = evening.won(*seats)
    evening.pay_all(hit)
    evening.seal()
    found = verified(evening, tmp_path)
    assert (found.code, named(found)) == (2, [("pool-reading", evening.stream, hit["n"])])
    assert found.lines[0].details == {"reading": said}
    name, _, choice = said.partition("=")
    for day, code in (("", 0), ("2026-11-20", 0), ("2026-11-21", 1)):
        assert verified(evening, tmp_path, readings=[(name, choice, day)]).code == code
    assert in_euros(evening) in verified(evening, tmp_path).report.figures["pools"]


def test_no_reading_excuses_what_none_explains(tmp_path: Path) -> None:
    evening = begun()
    hit = evening.won(*SPLIT)
    wrong = evening.pay(hit, 2, 900_000)
    found = verified(evening, tmp_path)
    assert (found.code, named(found)) == (1, [("pool-paid-beyond", evening.stream, wrong["n"])])


@pytest.mark.parametrize(
    "text", ["odd-cent", "odd-cent=nobody", "odd=house", "odd-cent=house@soon"]
)
def test_a_reading_there_is_not_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main([str(tmp_path), "--reading", text])
    assert ended.value.code == 3


def test_readings_are_told_on_the_command_line(tmp_path: Path) -> None:
    evening = begun()
    evening.readings = PayoutReadings(odd_cent="house")
    evening.pay_all(evening.won(*SPLIT))
    evening.seal()
    evening.book.sign()
    place = str(evening.book.write(tmp_path / "bundle"))
    assert command.main([place]) == 2
    assert command.main([place, "--reading", "odd-cent=house@2026-01-01"]) == 0
    late = ["--reading", "odd-cent=player@2026-11-20", "--reading", "odd-cent=house"]
    assert command.main([place, *late]) == 1


# What is not shown.


@pytest.mark.parametrize(
    "scope", [{"kind": "range", "from": 3, "to": 15}, {"kind": "table", "table": "BJ-06"}]
)
def test_of_a_part_no_pool_is_made_again(tmp_path: Path, scope: dict[str, Any]) -> None:
    found = verified(an_evening(), tmp_path, scope)
    assert (found.code, found.lines, found.report.figures["pools"]) == (0, [], [])
    assert "pool-not-shown" in found.notes
    found = checked(play(Book(), 50, tables=6).write(tmp_path / "no pool", scope))
    assert "pool-not-shown" not in found.notes


def test_a_book_cut_short_breaks_no_pool(tmp_path: Path) -> None:
    evening = an_evening(book=play(Book(), 250))
    place = evening.book.write(tmp_path / "bundle")
    next(place.glob("tile/entries/001*/*")).unlink()
    found = checked(place)
    assert found.report.figures["pools"] == []
    assert not {code for code in found.codes if code.startswith("pool")}


def test_a_seal_that_counts_what_is_not_here_cannot_be_made_again(tmp_path: Path) -> None:
    evening = begun()
    evening.chips(1)
    values = evening.seal()
    lost = evening.book.rewritten(
        lambda index, body: None if index == len(evening.book.entries) - 2 else body
    )
    found = checked(lost.write(tmp_path / "bundle"))
    assert (found.code, named(found)) == (2, [("pool-seal-beyond", evening.stream, values["n"])])
    at = instant(evening.book.now + timedelta(minutes=15))  # by then it ought to have come
    key = "0" * 8 + "-0000" * 3 + "-" + "0" * 12
    lost.add("staff-registered/1", {"staff": "S-1"}, stream="house", at=at, key=key)
    lost.sign()
    found = checked(lost.write(tmp_path / "later"))
    assert (found.code, named(found)) == (1, [("pool-seal-wrong", evening.stream, values["n"])])


# What nobody could have written.


def test_nothing_that_an_entry_tells_stops_the_verifier() -> None:
    bodies = [json.loads(entry) for entry in an_evening().book.entries]
    places = [(at, path) for at, body in enumerate(bodies) for path in paths(body["payload"])]
    tried = [(at, path, odd) for at, path in places for odd in (*ODD, None)]
    dice = random.Random(5 if CHECK else SEED)
    some = tried if SOAK else dice.sample(tried, size(100, 250, 0))
    for at, path, odd in some:
        changed = deepcopy(bodies)
        where = changed[at]["payload"]
        for name in path[:-1]:
            where = where[name]
        if odd is None:
            del where[path[-1]]
        else:
            where[path[-1]] = odd
        evening = Evening()
        for body in changed:
            evening.book.append(canonical(body), body["stream"], body["n"])
        _, found = followed(evening)
        assert {code for code, _ in found} <= WORDS.keys(), (at, path, odd)
