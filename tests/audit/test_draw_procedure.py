"""The procedure of a draw: vectors, boundaries, another hand's result, and that it is fair."""

from hashlib import sha256
from math import exp, factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.sampling import procedure
from audit.sampling.procedure import Round, Wanted, below, draw, positions
from tests.factories import draws_by_hand as by_hand
from tests.gate import ROOT

# Made with `printf` and `sha256sum` (docs/sampling.md), not by our own code.
SECRET = "0123456789abcdef" * 4
ROOT_HASH = "4813494d137e1631bba301d5acab6e7bb7aa74ce1185d456565ef51d737677b2"  # of the word "root"
COMMITMENT = "0f990ae171690842bbece5b04537b5548ef6a49f2ce49601155248160cbc6ac3"
SEED = "b4d6b6c7944a1d93a53603168e7005c126edd8f7a691c6587c57a78a4a5962b2"
BLOCK = "3761f3c02a90ad08417cf4150f0ec642fb059105b0e73d1d7644a702047ba581"  # tables, 0
DIGEST = "3a7e17486df6f686ca6c60609b48764a65866b7d92822705e7439c3273db837a"
PLACES = (("BJ-01", 1), ("BJ-02", 1), ("BJ-01", 2), ("BJ-03", 1), ("BJ-02", 2), ("BJ-01", 3))
SIX = [
    Round(f"table/{table}", n, sha256(f"round {place}".encode()).hexdigest())
    for place, (table, n) in enumerate(PLACES, start=1)
]
FALSE_ALARM = 1e-6  # how often a fair draw would fail the tests below, were their seeds not fixed


def short(rounds: tuple[Round, ...]) -> list[str]:
    return [f"{one.table}/{one.n}" for one in rounds]


def test_the_vectors() -> None:
    assert procedure.commitment_of(SECRET) == COMMITMENT
    assert procedure.seed_of(SECRET, ROOT_HASH) == SEED
    stream = procedure.numbers(SEED, "tables")
    assert [f"{next(stream):016x}" for _ in range(4)] == [
        BLOCK[at : at + 16] for at in (0, 16, 32, 48)
    ]
    found = draw(SEED, SIX, Wanted(1, 1, 2, 1))
    assert (found.population, found.population_tables, found.digest) == (6, 3, DIGEST)
    assert (found.tables, found.reserve_tables) == (("BJ-01",), ("BJ-02",))
    assert short(found.rounds) == ["BJ-01/3", "BJ-01/1"]
    assert short(found.reserve_rounds) == ["BJ-01/2"]
    assert short(draw(SEED, SIX, Wanted(0, 0, 4, 0)).rounds) == [
        *("BJ-01/3", "BJ-02/2", "BJ-01/1", "BJ-01/2"),
    ]


def test_the_page_has_the_vectors() -> None:
    page = (ROOT / "docs" / "sampling.md").read_text("utf-8")
    for value in (SECRET, ROOT_HASH, COMMITMENT, SEED, BLOCK, DIGEST, *(one.leaf for one in SIX)):
        assert value in page
    for name in (procedure.COMMITMENT, procedure.SEED, procedure.NUMBERS, procedure.POPULATION):
        assert name in page


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("a" * 32, True),
        ("3" * 50, True),
        ("Z" * 80, True),
        ("a" * 31, False),
        ("a" * 81, False),
        ("a" * 31 + "ã", False),
        ("a" * 31 + " ", False),
        ("a" * 32 + "\n", False),
        ("٣" * 32, False),  # a digit, and none of ours
    ],
)
def test_what_a_secret_is(text: str, right: bool) -> None:
    assert procedure.is_secret(text) is right


@pytest.mark.parametrize(
    ("wanted", "rounds", "reserve"),
    [
        (Wanted(3, 0, 6, 0), 6, 0),  # exactly as many as there are
        (Wanted(3, 0, 4, 2), 4, 2),
        (Wanted(3, 0, 7, 0), 6, 0),  # one more
        (Wanted(3, 5, 5, 5), 5, 1),
        (Wanted(99, 1, 200, 100), 6, 0),
    ],
)
def test_as_many_as_there_are(wanted: Wanted, rounds: int, reserve: int) -> None:
    found = draw(SEED, SIX, wanted)
    assert (sorted(found.tables), found.reserve_tables) == (["BJ-01", "BJ-02", "BJ-03"], ())
    assert (len(found.rounds), len(found.reserve_rounds)) == (rounds, reserve)
    assert {*found.rounds, *found.reserve_rounds} == {*SIX}


def test_a_population_of_none_draws_nothing() -> None:
    found = draw(SEED, [], Wanted(2, 1, 20, 5))
    assert (found.population, found.population_tables) == (0, 0)
    assert found.digest == sha256(procedure.POPULATION.encode()).hexdigest()
    assert (found.tables, found.reserve_tables, found.rounds, found.reserve_rounds) == ((),) * 4


def test_the_reserve_changes_nothing_of_what_is_drawn() -> None:
    few, more = draw(SEED, SIX, Wanted(0, 0, 2, 0)), draw(SEED, SIX, Wanted(0, 0, 2, 3))
    assert few.rounds == more.rounds
    assert draw(SEED, SIX, Wanted(0, 0, 5, 0)).rounds == (*more.rounds, *more.reserve_rounds)


def test_a_number_that_would_favour_some_is_passed_over() -> None:
    last = 2**64 - 1  # 2**64 is one more than a multiple of three
    assert below(3, iter([last, last, 7])) == 1
    assert below(3, iter([last - 1])) == (last - 1) % 3 == 2
    assert below(4, iter([last])) == 3, "of a power of two none is passed over"
    assert below(1, iter([last])) == 0


@given(
    seed=st.integers(0, 2**256 - 1),
    rounds=st.lists(st.sampled_from(["BJ-01", "BJ-02", "BJ-10", "bj-1"]), max_size=40),
    wanted=st.tuples(
        *[st.integers(0, 6), st.integers(0, 3), st.integers(0, 30), st.integers(0, 9)]
    ),
)
def test_another_hand_draws_the_same(
    seed: int, rounds: list[str], wanted: tuple[int, int, int, int]
) -> None:
    tables, more_tables, some, more = wanted
    wanted = (tables, more_tables if tables else 0, some, more if some else 0)
    text = f"{seed:064x}"
    population = [
        Round(f"table/{table}", n, by_hand.hashed(table, str(n))) for n, table in enumerate(rounds)
    ]
    ours = draw(text, population, Wanted(*wanted))
    theirs = by_hand.drawn(text, [one._asdict() for one in population], wanted)
    assert (ours.population, ours.population_tables) == (len(rounds), len({*rounds}))
    assert ours.digest == theirs["digest"]
    assert [*ours.tables] == theirs["tables"]
    assert [*ours.reserve_tables] == theirs["reserve_tables"]
    assert [one._asdict() for one in ours.rounds] == theirs["rounds"]
    assert [one._asdict() for one in ours.reserve_rounds] == theirs["reserve_rounds"]


def chance_of(observed: list[int]) -> float:
    """How often a fair draw is at least as uneven (chi-square; an odd number of cells)."""
    expected, freedom = sum(observed) / len(observed), len(observed) - 1
    assert freedom % 2 == 0
    half = sum((count - expected) ** 2 for count in observed) / expected / 2
    return exp(-half) * sum(half**k / factorial(k) for k in range(freedom // 2))


def test_each_is_drawn_as_often_and_at_each_place() -> None:
    """Seven rounds, 6,000 seeds: the first, the last of five, and each pair, in any order."""
    first, fifth, pairs = [0] * 7, [0] * 7, [0] * 21
    of_pair = {pair: at for at, pair in enumerate((a, b) for b in range(7) for a in range(b))}
    for seed in range(6_000):
        found = positions(7, 5, procedure.numbers(f"{seed:064x}", "rounds"))
        first[found[0]] += 1
        fifth[found[4]] += 1
        pairs[of_pair[min(found[:2]), max(found[:2])]] += 1
    for observed in (first, fifth, pairs):
        assert chance_of(observed) > FALSE_ALARM, observed


def test_an_unfair_draw_would_be_noticed() -> None:
    """The same measure of a draw that leaves the last one out as often as not."""
    first = [0] * 7
    for seed in range(6_000):
        found = positions(7, 2, procedure.numbers(f"{seed:064x}", "rounds"))
        first[found[0] if found[0] != 6 or seed % 2 else found[1]] += 1
    assert chance_of(first) < FALSE_ALARM


def test_tables_and_rounds_are_drawn_apart() -> None:
    stream, other = procedure.numbers(SEED, "tables"), procedure.numbers(SEED, "rounds")
    assert {next(stream) for _ in range(8)}.isdisjoint({next(other) for _ in range(8)})
