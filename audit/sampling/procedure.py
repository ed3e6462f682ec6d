"""How a draw is made, to the byte: docs/sampling.md says the same in words, with examples.

Every hash is SHA-256 of lines of ASCII text, joined by a line feed and without one at the end, so
that anybody can make it again with ``printf`` and ``sha256sum``. Hashes are written as 64
lower-case hex digits.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, NamedTuple, TypeVar

COMMITMENT: Final = "livro-da-sala/draw-commitment/1"
SEED: Final = "livro-da-sala/draw-seed/1"
NUMBERS: Final = "livro-da-sala/draw-numbers/1"
POPULATION: Final = "livro-da-sala/draw-population/1"
LEAST_SECRET, LONGEST_SECRET = 32, 80  # characters
_is_secret: Final = re.compile(rf"[A-Za-z0-9]{{{LEAST_SECRET},{LONGEST_SECRET}}}").fullmatch
_RANGE: Final = 1 << 64  # a number of the stream is below this
T = TypeVar("T")


class Round(NamedTuple):
    """An entry of a round: its stream (``table/BJ-06``), its number there, its leaf hash in hex."""

    stream: str
    n: int
    leaf: str

    @property
    def table(self) -> str:
        """The table it was played at."""
        return self.stream.partition("/")[2]


@dataclass(frozen=True, slots=True)
class Wanted:
    """How many are drawn, and how many more are held in reserve for one that cannot be seen."""

    tables: int
    reserve_tables: int
    rounds: int
    reserve_rounds: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """Who was drawn, in the order of the draw; fewer than wanted where there are no more.

    `population` and `population_tables` are out of how many; `digest` is that of the population.
    """

    population: int
    population_tables: int
    digest: str
    tables: tuple[str, ...]
    reserve_tables: tuple[str, ...]
    rounds: tuple[Round, ...]
    reserve_rounds: tuple[Round, ...]


def is_secret(text: str) -> bool:
    """Whether this may be a secret: 32 to 80 letters and digits of ASCII."""
    return _is_secret(text) is not None


def commitment_of(secret: str) -> str:
    """What is put down before the draw: it holds the secret without giving it away."""
    return _hash(COMMITMENT, secret)


def seed_of(secret: str, root: str) -> str:
    """The seed: of the secret, and of a root (in hex) that was signed after the commitment."""
    return _hash(SEED, secret, root)


def digest_of(population: Iterable[Round]) -> str:
    """What stands for a population: the leaf hash of each of its rounds, in order."""
    made = sha256(POPULATION.encode("ascii"))
    for each in population:
        made.update(f"\n{each.leaf}".encode("ascii"))
    return made.hexdigest()


def draw(seed: str, population: Sequence[Round], wanted: Wanted) -> Drawn:
    """Who is drawn of a population, which stands in the order of the book's tree.

    Tables are drawn among those where a round of it was played, rounds among those of the tables
    drawn (not of the reserve); among all of them where no table is wanted.
    """
    tables = sorted({each.table for each in population})
    first, reserve = _chosen(tables, wanted.tables, wanted.reserve_tables, seed, "tables")
    among = [each for each in population if each.table in first] if wanted.tables else population
    rounds, others = _chosen(among, wanted.rounds, wanted.reserve_rounds, seed, "rounds")
    return Drawn(
        population=len(population),
        population_tables=len(tables),
        digest=digest_of(population),
        tables=first,
        reserve_tables=reserve,
        rounds=rounds,
        reserve_rounds=others,
    )


def _chosen(
    among: Sequence[T], wanted: int, reserve: int, seed: str, purpose: str
) -> tuple[tuple[T, ...], tuple[T, ...]]:
    """Those drawn first, and those after them, as far as there are any."""
    places = positions(len(among), wanted + reserve, numbers(seed, purpose))
    found = tuple(among[place] for place in places)
    return found[:wanted], found[wanted:]


def positions(size: int, wanted: int, stream: Iterator[int]) -> list[int]:
    """So many different positions below `size`, in the order of the draw.

    The beginning of a shuffle by Fisher and Yates: the place at hand is exchanged with one of those
    that are left. Only what was moved is kept.
    """
    moved: dict[int, int] = {}
    found = []
    for place in range(min(wanted, size)):
        other = place + below(size - place, stream)
        found.append(moved.get(other, other))
        moved[other] = moved.get(place, place)
    return found


def below(limit: int, stream: Iterator[int]) -> int:
    """A number from 0 to `limit` - 1, each as likely: what would favour some is passed over."""
    fair = _RANGE - _RANGE % limit
    return next(number for number in stream if number < fair) % limit


def numbers(seed: str, purpose: str) -> Iterator[int]:
    """Numbers of 64 bits without end: four of each block, the first eight bytes first."""
    counter = 0
    while True:
        block = bytes.fromhex(_hash(NUMBERS, seed, purpose, str(counter)))
        yield from (int.from_bytes(block[at : at + 8], "big") for at in range(0, 32, 8))
        counter += 1


def _hash(*lines: str) -> str:
    return sha256("\n".join(lines).encode("ascii")).hexdigest()
