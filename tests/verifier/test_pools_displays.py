"""What an increment says the display showed, held against the meter that is made again.

As the law's own judge holds it (tests/law/test_pt_41_display_afterwards.py): ``shows`` is what the
display showed, seconds count from eight.

Law: PT art. 41.
"""

import json
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.verifier import crew, displays
from audit.verifier.entries import EntryChecker
from audit.verifier.pools import Pools
from audit.verifier.tree import leaves_of
from audit.verifier.words import WORDS
from casino.law.rulebook.jackpot_law import DISPLAY
from jackpot.progressive.amounts import MICROCENTS
from jackpot.rules import display_checks
from jackpot.rules.whole import WholePool
from tests.factories.meter_stories import ALLOWED
from tests.verifier.checked import checked
from tests.verifier.maker import canonical, instant
from tests.verifier.pool_evenings import (
    ACE_JACK,
    START_CENTS,
    Evening,
    Ref,
    followed,
    moved,
    verified,
)
from tests.verifier.pools_noted import ODD, paths

DIFFERS: Final = "pool-display-differs"
CHIP: Final = 250 * 25_000  # microcents
START: Final = START_CENTS


@dataclass
class Wall(Evening):
    """An evening with a display on the wall; the law's judge goes along."""

    whole: WholePool = field(default_factory=lambda: WholePool("JP-1"))
    leaves: dict[str, int] = field(default_factory=dict)
    eight: datetime = datetime(2026, 11, 20, 20)  # noqa: DTZ001 - set below, with the book's zone

    def __post_init__(self) -> None:
        self.eight = self.book.now + timedelta(hours=1)
        self.terms()
        self.at(0)
        self.start()

    def at(self, seconds: float) -> None:
        """The next entry is recorded then."""
        self.book.now = self.eight + timedelta(seconds=seconds) - self.book.step

    def laid(
        self,
        n: int,
        shows: int | None = None,
        *,
        looked: float = 0,
        table: str = "BJ-06",
        amends: Ref | None = None,
    ) -> Ref:
        """So many chips, told `looked` seconds after they were collected."""
        values = {} if shows is None else {"display_cents": shows}
        payload = {"table": table, "partida": f"{table}/2026-11-20/1", "jackpot": self.code}
        payload |= {"chips": [{"box": 1, "n": n, "owner": "J1"}], **values}
        at = self.book.now + self.book.step
        happened = at - timedelta(seconds=looked)
        made = self.book.add(
            "jackpot-incremented/1",
            payload,
            stream=f"table/{table}",
            supersedes=amends,
            occurred=instant(happened),
        )
        self.leaves[made["leaf"]] = len(self.book.entries) - 1
        self._came(made, n * 250, amends)
        if shows is not None and self.worth[made["leaf"]] and not amends:
            self.whole.showed(made["leaf"], shows, looked=happened, at=at, allowed=ALLOWED)
        return made

    def _take(self, event: Any) -> None:
        super()._take(event)
        self.whole.take(event, at=self.book.now, allowed=ALLOWED)

    @property
    def judged(self) -> list[int]:
        """What the law's judge finds of displays: the entries' places in the book."""
        self.whole.ended()
        found = [one.breach.evidence[-1] for one in self.whole.said if one.check == DISPLAY]
        return sorted({self.leaves[leaf] for leaf in found})

    @property
    def noted(self) -> list[int]:
        """The same by the verifier, out of the entries alone."""
        found = list[int]()

        def report(code: str, index: int | None = None, **_: Any) -> None:
            if code == DIFFERS and index is not None:
                found.append(index)

        def earlier(stream: str, n: int) -> bytes | None:
            place = checker.place(stream, n)
            return None if place is None else entries[place]

        entries = self.book.entries
        checker = EntryChecker(report, earlier)
        checker.pools = pools = Pools(checker)
        checker.feed_all(range(len(entries)), entries, leaves_of(entries), range(len(entries)))
        pools.finish(shown=True)
        return sorted(found)

    def both(self) -> list[int]:
        """What both say, where they say the same."""
        assert self.noted == self.judged
        return self.noted


def story(*listed: tuple[float, int, int | None], **how: Any) -> Wall:
    """Chips told at these seconds, with what the display showed."""
    wall = Wall()
    for seconds, n, shows in listed:
        wall.at(seconds)
        wall.laid(n, shows, **how)
    return wall


def place(wall: Wall, nth: int) -> int:
    """Where the increment told as the nth is in the book."""
    return sorted(wall.leaves.values())[nth - 1]


def test_what_the_book_makes_is_no_word_worth() -> None:
    assert story((100, 3, START + 18), (200, 1, None), (300, 4, START + 50)).both() == []


def test_chips_about_it_may_be_shown_or_not_yet() -> None:
    assert story((100, 3, START + 31), (130, 2, None)).both() == []
    assert story((100, 2, None), (130, 3, START + 18)).both() == []


@pytest.mark.parametrize("shows", [START + 17, START, START + 10_000])
def test_a_display_that_nothing_explains_is_noted_with_both_figures(
    shows: int, tmp_path: Path
) -> None:
    wall = story((100, 3, None), (200, 3, shows))
    wall.seal()
    found = verified(wall, tmp_path)
    assert (found.code, found.lines) == (0, [])  # it was recorded by people
    ((line),) = [one for one in found.report.lines if one.code == DIFFERS]
    assert (line.stream, line.n) == ("table/BJ-06", 2)
    assert line.details == {"found": shows, "expected": START + 37}
    assert wall.both() == [place(wall, 2)]


def test_a_display_lacks_what_was_told_in_the_last_minute_and_no_more() -> None:
    assert story((100, 2, None), (160, 3, START + 18)).both() == []
    wall = story((100, 2, None), (161, 3, START + 18))
    assert wall.both() == [place(wall, 2)]


def test_a_display_shows_what_is_told_within_five_minutes_and_no_more() -> None:
    assert story((100, 3, START + 31), (400, 2, None)).both() == []
    wall = story((100, 3, START + 31), (401, 2, None))
    assert wall.both() == [place(wall, 1)]


def test_its_own_chips_have_to_be_shown() -> None:
    wall = story((100, 3, START))
    assert wall.both() == [place(wall, 1)]


def test_what_is_told_more_than_a_minute_late_says_nothing() -> None:
    wall = story((200, 3, START - 5), looked=60)
    assert wall.both() == [place(wall, 1)]
    assert story((200, 3, START - 5), looked=61).both() == []


def test_who_looked_a_while_before_he_told_saw_less() -> None:
    wall = story((100, 2, None))
    wall.at(190)
    wall.laid(3, START + 18, looked=30)
    assert wall.both() == []


@pytest.mark.parametrize(("seconds", "said"), [(160, False), (161, True)])
def test_about_a_win_nothing_is_said(seconds: int, said: bool) -> None:
    wall = Wall()
    wall.at(100)
    wall.won((3, ACE_JACK))
    wall.at(seconds)
    wall.laid(3, START + 18)
    assert wall.both() == ([place(wall, 1)] if said else [])


@pytest.mark.parametrize(("seconds", "said"), [(400, False), (401, True)])
def test_what_was_shown_before_an_adjustment_was_told_is_no_lie(seconds: int, said: bool) -> None:
    wall = story((100, 3, START + 718))
    wall.at(seconds)
    wall.adjust(700 * MICROCENTS)
    assert wall.both() == ([place(wall, 1)] if said else [])


def test_a_display_that_stays_wrong_is_noted_once_and_another_fault_again() -> None:
    wall = story(
        *((100, 1, None), (200, 1, START + 6), (300, 1, START + 12), (370, 2, None)),
        *((380, 1, START + 18), (500, 4, START + 56), (900, 4, START + 75)),
    )
    assert wall.both() == [place(wall, 2), place(wall, 7)]


def test_right_again_and_wrong_again_is_noted_twice() -> None:
    wall = story((100, 1, START), (500, 1, START + 12), (900, 1, START + 12))
    assert wall.both() == [place(wall, 1), place(wall, 3)]


def test_what_a_corrected_increment_said_is_held_against_nobody() -> None:
    wall = story((100, 3, START - 400))
    first = next(iter(wall.leaves))
    original = {"stream": "table/BJ-06", "n": 1, "leaf": first}
    assert wall.noted == [place(wall, 1)]
    wall.at(900)
    fixed = wall.laid(3, START - 300, amends=original)
    refused = wall.approve(fixed, original, "refused")
    assert refused["n"]
    assert wall.noted == [place(wall, 1)]
    wall.at(2000)
    again = wall.laid(3, START + 18, amends=original)
    wall.approve(again, original)
    assert wall.noted == []


def test_where_chips_feed_no_meter_nothing_is_said() -> None:
    wall = Wall()
    wall.terms(terms="T-2", marking="automatic")
    wall.at(100)
    wall.by_round = True
    wall.laid(3, 1)
    assert wall.both() == []


def test_before_the_start_nothing_is_said(tmp_path: Path) -> None:
    evening = Evening()
    evening.terms()
    evening.chips(3, display_cents=5)
    evening.start()
    evening.seal()
    found = verified(evening, tmp_path)
    assert [code for code in found.notes if code.startswith("pool")] == []


def test_of_a_seal_that_is_wrong_the_seal_is_told_and_not_every_display_after_it(
    tmp_path: Path,
) -> None:
    wall = Wall()
    less = 700 * MICROCENTS
    wall.at(100)
    wall.seal(microcents=START * MICROCENTS - less, adjusted_microcents=-less)
    wall.at(500)
    wall.laid(2, START - 700 + 12)
    wall.at(900)
    wall.laid(2, START + 25)
    found = verified(wall, tmp_path)
    assert [line.code for line in found.lines] == ["pool-seal-wrong"]
    assert DIFFERS not in found.notes


# Who holds the keys signs another history, in which chips and seals agree.


def fewer(body: dict[str, Any]) -> dict[str, Any]:
    """Five chips of the first collection were one; every seal after it says so too."""
    payload, less = body["payload"], 4 * CHIP
    if body["kind"] == "jackpot-incremented/1" and body["n"] == 1:
        return moved(body, chips=[{"box": 1, "n": 1, "owner": "J1"}])
    if body["kind"] == "jackpot-sealed/1":
        names = ("microcents", "contributed_microcents")
        return moved(body, **{name: payload[name] - less for name in names})
    return body


@pytest.mark.parametrize("processes", [1, 2])
def test_chips_taken_out_of_a_history_are_given_away_by_the_next_display(
    tmp_path: Path, processes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crew, "LEAST", 1)
    wall = story((100, 5, None), (500, 2, START + 43), (900, 1, START + 50))
    wall.seal()
    wall.book.sign(seen=True)
    sound = verified(wall, tmp_path / "sound", processes=processes)
    assert (sound.code, DIFFERS in sound.notes) == (0, False)
    forged = wall.book.rewritten(lambda _, body: fewer(body))
    found = checked(forged.write(tmp_path / "forged"), processes=processes)
    assert found.lines == []  # chips and seals hold together
    ((line),) = [one for one in found.report.lines if one.code == DIFFERS]
    assert (line.stream, line.n) == ("table/BJ-06", 2)
    assert line.details == {"found": START + 43, "expected": START + 18}


def test_a_display_that_is_no_number_is_named(tmp_path: Path) -> None:
    wall = story((100, 5, START + 31))
    wall.seal()
    forged = wall.book.rewritten(
        lambda _, body: (
            moved(body, display_cents="31") if b"display" in str(body).encode() else body
        )
    )
    found = checked(forged.write(tmp_path / "forged"))
    assert ("pool-form", "table/BJ-06", 1) in [(o.code, o.stream, o.n) for o in found.lines]


# Whatever happens.

RECORDED = st.tuples(
    st.sampled_from([0, 1, 7, 30, 59, 60, 61, 120, 299, 300, 301, 700]),  # seconds later
    st.sampled_from(["chips", "chips", "shows", "shows", "shows", "won", "adjust", "pay"]),
    st.integers(1, 4),
    st.integers(-45, 45) | st.sampled_from([0, 0, 6, 12, -6, -12]),  # cents beside the meter
    st.sampled_from([0, 0, 0, 5, 60, 61]),  # how late it is recorded
)


@given(st.lists(RECORDED, max_size=25), st.sampled_from([2_000, 3]))
def test_whatever_happens_it_says_what_the_laws_judge_says(recorded: list[Any], most: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(displays, "MOST", most)
        patch.setattr("jackpot.rules.display_checks.MOST", most)
        wall, seconds, unpaid = Wall(), 100.0, list[Ref]()
        for gap, what, n, beside, late in recorded:
            seconds += gap + 0.001
            wall.at(seconds)
            if what in ("chips", "shows"):
                meter = wall.pool.meter.running + n * CHIP
                shows = max(0, meter // MICROCENTS + beside) if what == "shows" else None
                wall.laid(n, shows, looked=late, table=f"BJ-0{6 + n % 3}")
            elif what == "won":
                unpaid.append(wall.won((3, ACE_JACK)))
            elif what == "adjust":
                wall.adjust((n - 2) * 10 * MICROCENTS)
            elif unpaid:
                wall.pay(unpaid.pop(), 3)
        wall.both()


def test_the_books_own_figures_are_the_laws() -> None:
    assert (ALLOWED.ahead, ALLOWED.behind) == (displays.AHEAD, displays.BEHIND)
    assert displays.MOST == display_checks.MOST


def test_nothing_that_an_increment_tells_stops_the_verifier() -> None:
    wall = story((100, 3, START + 18), (130, 2, START + 31), (900, 1, START))
    bodies = [json.loads(entry) for entry in wall.book.entries]
    listed = [
        at for at, body in enumerate(bodies) if body["kind"].startswith("jackpot-incremented")
    ]
    for at in listed:
        for path in paths(bodies[at]["payload"]):
            for odd in ODD:
                changed = deepcopy(bodies)
                where = changed[at]["payload"]
                for name in path[:-1]:
                    where = where[name]
                where[path[-1]] = odd
                forged = Evening()
                for body in changed:
                    forged.book.append(canonical(body), body["stream"], body["n"])
                _, found = followed(forged)
                assert {code for code, _ in found} <= WORDS.keys(), (at, path, odd)


@pytest.mark.parametrize("moment", ["2026-02-30T19:00:00.000000Z", "2999-12-31T23:59:59.999999Z"])
def test_a_moment_no_calendar_has_stops_nothing(moment: str) -> None:
    wall = story((100, 3, START + 18))
    for name in ("at", "occurred"):
        bodies = [json.loads(entry) for entry in wall.book.entries]
        bodies[-1][name] = moment
        forged = Evening()
        for body in bodies:
            forged.book.append(canonical(body), body["stream"], body["n"])
        _, found = followed(forged)
        assert {code for code, _ in found} <= WORDS.keys()
    assert displays.shifted(1, displays.AHEAD) in (1, 1 + 5 * 10**8)
