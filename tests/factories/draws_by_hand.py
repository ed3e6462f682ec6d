"""A draw made by another hand than the program's, from docs/sampling.md: whole lists shuffled."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any


def hashed(*lines: str) -> str:
    """What ``printf`` and ``sha256sum`` give of these lines."""
    return sha256("\n".join(lines).encode()).hexdigest()


def committed(secret: str) -> str:
    """The commitment to a secret."""
    return hashed("livro-da-sala/draw-commitment/1", secret)


def seeded(secret: str, root: str) -> str:
    """The seed of a secret and a root."""
    return hashed("livro-da-sala/draw-seed/1", secret, root)


def number_stream(seed: str, purpose: str) -> Iterator[int]:
    """Numbers of sixteen hex digits each."""
    block = 0
    while True:
        digits = hashed("livro-da-sala/draw-numbers/1", seed, purpose, str(block))
        for at in (0, 16, 32, 48):
            yield int(digits[at : at + 16], 16)
        block += 1


def shuffled(items: Sequence[Any], seed: str, purpose: str) -> list[Any]:
    """All of them, in the order of the draw."""
    left, order, stream = list(items), [], number_stream(seed, purpose)
    while left:
        number = next(stream)
        if number < 2**64 // len(left) * len(left):
            place = number % len(left)
            order.append(left[place])
            left[place] = left[0]  # where it came from stands what stood first
            left = left[1:]
    return order


def drawn(
    seed: str, rounds: Sequence[dict[str, Any]], wanted: tuple[int, int, int, int]
) -> dict[str, Any]:
    """A result's payload, as far as the draw decides it; `rounds` are references in order."""
    tables = sorted({one["stream"].removeprefix("table/") for one in rounds})
    first, second, third, fourth = wanted
    order = shuffled(tables, seed, "tables")
    chosen = order[:first]
    among = [one for one in rounds if not first or one["stream"][6:] in chosen]
    played = shuffled(among, seed, "rounds")
    return {
        "population": len(rounds),
        "population_tables": len(tables),
        "digest": hashed("livro-da-sala/draw-population/1", *(one["leaf"] for one in rounds)),
        "tables": chosen,
        "reserve_tables": order[first : first + second] if first else [],
        "rounds": played[:third],
        "reserve_rounds": played[third : third + fourth] if third else [],
    }
