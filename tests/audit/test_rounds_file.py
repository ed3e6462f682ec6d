"""The parts of reconciling a file that have a life of their own: what is seen, watched, shown."""

import io
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.rounds_file.progress import Progress
from audit.rounds_file.seen import SeenRounds
from audit.rounds_file.tally import Tally
from casino.law.shoe_rounds import ShoeKey, ShoeWatch, Turn

FOUND, UNDECIDED = "finding", "not_decidable"
Recorded = tuple[int, int, bool]  # shoe, number, whether the warning card came out


@given(st.lists(st.binary(min_size=16, max_size=16) | st.sampled_from([bytes(16), b"\xff" * 16])))
def test_seen_rounds_remember_the_first_line(ids: list[bytes]) -> None:
    seen, plainly = SeenRounds(places=2), {}
    for line, round_id in enumerate(ids, 1):
        assert seen.add(round_id, line) == plainly.get(round_id, 0)
        plainly.setdefault(round_id, line)

    assert len(seen) == len(plainly)
    assert all(seen.add(round_id, 0) == line for round_id, line in plainly.items())


def test_a_line_beyond_all_counting_is_remembered_as_the_last() -> None:
    seen = SeenRounds()
    seen.add(bytes(16), 2**40)

    assert seen.add(bytes(16), 1) == 2**32 - 1


ROUNDS = st.lists(st.tuples(st.integers(1, 4), st.integers(1, 6), st.booleans()), max_size=30)


def watched(listed: list[tuple[int, Recorded]], **limits: int) -> dict[int, str]:
    """The verdicts on these rounds, by their place in the list."""
    watch = ShoeWatch(**limits)
    verdicts = []
    for place, (shoe, number, card) in listed:
        key = ShoeKey("pt", "BJ-06/2026-11-20/1", shoe)
        verdicts += watch.add(key, Turn(number, place.to_bytes(16), card, place))
    verdicts += watch.finish()
    assert len(verdicts) == len(listed)
    return {verdict.turn.mark: verdict.outcome for verdict in verdicts}


@given(ROUNDS, st.randoms(use_true_random=False))
def test_the_order_of_the_lines_does_not_matter_to_the_shoe_watch(
    rounds: list[Recorded], shuffle: random.Random
) -> None:
    listed = list(enumerate(rounds))
    other = listed.copy()
    shuffle.shuffle(other)

    assert watched(listed) == watched(other)


@given(ROUNDS, st.integers(1, 3), st.integers(1, 8))
def test_a_small_memory_says_less_and_never_more(
    rounds: list[Recorded], shoes: int, turns: int
) -> None:
    listed = list(enumerate(rounds))
    everything, little = watched(listed), watched(listed, shoes=shoes, turns=turns)

    # What it finds is a finding; where no card was recorded it does not call a round lawful.
    for place, outcome in little.items():
        if outcome == FOUND:
            assert everything[place] == FOUND
        if everything[place] == UNDECIDED:
            assert outcome == UNDECIDED


def test_a_number_no_shoe_can_reach_keeps_its_place() -> None:
    listed = [(1, (1, 2**200, False)), (2, (1, 2, True)), (3, (1, 1, False))]

    assert watched(listed) == {1: FOUND, 2: "lawful", 3: "lawful"}


def test_progress_shows_share_rate_and_time_left() -> None:
    now = iter([0.0, 10.0, 10.1, 20.0])
    stream = io.StringIO()
    progress = Progress(stream, 4_000_000, lambda: next(now))
    progress.reached(1_000_000, 2_000)
    progress.reached(1_100_000, 2_100)  # too soon to be drawn
    progress.reached(4_000_000, 8_000)
    progress.clear()
    first, second, *rest = stream.getvalue().split("\r")[1:]

    assert first == "[#####...............]  25 % | 2 000 | 200/s | ETA 0:30"
    assert second.rstrip() == "[####################] 100 % | 8 000 | 400/s | ETA 0:00"
    assert "".join(rest).strip() == ""


def test_progress_of_a_pipe_has_no_end() -> None:
    now = iter([0.0, 10.0])
    stream = io.StringIO()
    Progress(stream, None, lambda: next(now)).reached(3_500_000, 1_000)

    assert stream.getvalue() == "\r3 MB | 1 000 | 100/s"


def test_nobody_watches_no_progress() -> None:
    progress = Progress(None, 10)
    progress.reached(5, 5)
    progress.clear()


def test_progress_gives_up_quietly() -> None:
    class Gone(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    now = iter([0.0, 10.0, 20.0])
    progress = Progress(Gone(), None, lambda: next(now))
    progress.reached(1, 1)
    progress.reached(2, 2)
    progress.clear()


@pytest.mark.parametrize("articles", [["9", "10", "33", "desarrollo/x", "a"]])
def test_articles_are_summed_up_in_their_order(articles: list[str]) -> None:
    tally = Tally()
    for article in reversed(articles):
        tally.add_outcome("pt", article, "lawful")

    order = [count.article for count in tally.articles()]
    assert order == ["9", "10", "33", "a", "desarrollo/x"]
    assert all((count.checked, count.lawful) == (1, 1) for count in tally.articles())
