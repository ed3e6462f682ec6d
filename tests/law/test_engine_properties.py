"""What must hold of every judgement, whatever was dealt, staked, paid and told.

Two kinds of rounds: the worked examples altered in a few places, near the law's edges, and anything
a record may hold (`rounds()`). Every round is judged under all rulebooks; the altered ones under a
Portuguese book with one reading switched as well.
"""

from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.events.round.round_played import RoundPlayed
from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from casino.reading.round_reader import read_round
from tests.factories.altered_rounds import altered_rounds
from tests.factories.any_rounds import rounds
from tests.law.round_properties import PROPERTIES, Property, examples_of

BOOKS: Final = tuple(load_law(book) for book in rulebook_ids())
SWITCHED: Final = {
    f"{reading.id}={choice.value}": load_law("pt").with_readings({reading.id: choice.value})
    for reading in load_law("pt").readings.values()
    for choice in reading.choices
    if choice.value != reading.choice
}

# One round a flaw of the engine was first seen in, cut down to what it takes.
ONCE_BROKEN: Final = Path(__file__).parent / "once_broken.jsonl"
named = pytest.mark.parametrize("holds", PROPERTIES, ids=[p.__name__ for p in PROPERTIES])


@named
@examples_of(75, 500, 20_000)
@given(played=altered_rounds(), switched=st.sampled_from(sorted(SWITCHED)))
def test_of_rounds_near_the_law(holds: Property, played: RoundPlayed, switched: str) -> None:
    for law in (*BOOKS, SWITCHED[switched]):
        holds(played, law)


@examples_of(25, 100, 5_000)
@given(played=rounds())
def test_of_any_round(played: RoundPlayed) -> None:
    for law in BOOKS:
        for holds in PROPERTIES:
            holds(played, law)


@pytest.mark.parametrize(
    "line", ONCE_BROKEN.read_bytes().splitlines(), ids=lambda line: read_round(line).partida
)
def test_of_rounds_that_once_broke_one(line: bytes) -> None:
    played = read_round(line)
    for law in (*BOOKS, *SWITCHED.values()):
        for holds in PROPERTIES:
            holds(played, law)
