"""How a run is cut into parts that one worker does at one go, in well under twenty seconds.

A part is a list of works: a partida whole, or a piece of one that is too long. Pure: what there is
to do comes in as counts, what comes out fits into a row of the database.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Final, Literal

PARTIDAS_IN_PART: Final = 25  # each costs a few reads, however few rounds it has

# "all": procedures and rounds. A partida too long for one part is done in several: "procedures"
# looks at everything but the single rounds, "rounds" judges a stretch of them one by one.
What = Literal["all", "procedures", "rounds"]


@dataclass(frozen=True, slots=True)
class Work:
    """What one part does of one partida; `first` and `last` bound the rounds' stream numbers."""

    partida: str
    what: What = "all"
    first: int = 0
    last: int = 0

    def as_json(self) -> dict[str, object]:
        """As it is kept with the part."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Size:
    """How long a partida is: its rounds, and for a long one the stream numbers at which to cut.

    `cuts` are the numbers of the first round of each piece, in rising order.
    """

    partida: str
    rounds: int
    cuts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """Works that belong together, and how many rounds they have."""

    works: tuple[Work, ...]
    rounds: int


def cut(sizes: Iterable[Size], most: int) -> Iterator[Part]:
    """The parts of a run, in the order of its partidas; short partidas share one.

    `most` is how many rounds one part may have.
    """
    works: list[Work] = []
    rounds = 0
    for size in sizes:
        if size.rounds > most:
            yield from _pieces(size, most)
            continue
        if works and (rounds + size.rounds > most or len(works) == PARTIDAS_IN_PART):
            yield Part(tuple(works), rounds)
            works, rounds = [], 0
        works.append(Work(size.partida))
        rounds += size.rounds
    if works:
        yield Part(tuple(works), rounds)


def _pieces(size: Size, most: int) -> Iterator[Part]:
    yield Part((Work(size.partida, "procedures"),), 0)
    ends: Sequence[int] = [first - 1 for first in size.cuts[1:]] + [2**62]
    left = size.rounds
    for first, last in zip(size.cuts, ends, strict=True):
        yield Part((Work(size.partida, "rounds", first, last),), min(left, most))
        left -= most
