"""How often the suspicion about a shuffler's cards is false, and how soon it is right.

``python -m tests.bench.cards_seen [--evenings 2000]``. Every evening is dealt from an ideal
shuffler: five boxes and the bank, each hand drawing on while it counts less than 16, some sixteen
cards a round. ``late``: the cards of a round come back only after the next one.
"""

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final

from casino.law.checks.rounds.card_frequency import RANKS, SUITS, TENS, CardWatch

DECK: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)
SIX: Final = DECK * 6


def less(decks: int, keep: Callable[[str], bool]) -> list[str]:
    """Six decks of which so many hold only these cards."""
    return [*DECK * (6 - decks), *filter(keep, DECK * decks)]


WRONG: Final[dict[str, list[str]]] = {
    "four extra tens (rank T)": [*SIX, "TC", "TD", "TH", "TS"],
    "eight extra tens (rank T)": [*SIX, *["TC", "TD", "TH", "TS"] * 2],
    "four extra ten-valued cards, one of each rank": [*SIX, "TS", "JH", "QD", "KC"],
    "a suit of one deck missing": less(1, lambda card: card[1] != "S"),
    "the four aces of one deck missing": less(1, lambda card: card[0] != "A"),
    "the eight aces of two decks missing": less(2, lambda card: card[0] != "A"),
    "the ten-valued cards of one deck missing": less(1, lambda card: card[0] not in TENS),
    "every ace of spades missing": less(6, lambda card: card != "AS"),
    "one card missing": list(SIX[1:]),
}


def rounds_of(rng: Random, cards: Sequence[str], *, late: bool = False) -> Iterator[list[str]]:
    """Round after round, without end."""
    out: list[str] = []
    while True:
        there = cards
        if late:
            left = Counter(cards)
            left.subtract(out)
            there = list(left.elements())
        drawn, out = iter(rng.sample(there, 60)), []
        for _ in range(6):
            total = 0
            while total < 16:
                out.append(next(drawn))
                rank = out[-1][0]
                total += 10 if rank in TENS else 11 if rank == "A" else int(rank)
        yield out


def evening(rng: Random, cards: Sequence[str], one_in: int, rounds: int, late: bool) -> int | None:
    """The round in which something is suspected; None where nothing is."""
    watch = CardWatch(one_in)
    for number, dealt in zip(range(1, rounds + 1), rounds_of(rng, cards, late=late), strict=False):
        if watch.add(dealt, 6) is not None:
            return number
    return None


def say(name: str, cards: Sequence[str], evenings: int, one_in: int, *, late: bool = False) -> None:
    """One line of the table."""
    rng, began = Random(7), time.perf_counter()
    listed = [evening(rng, cards, one_in, 700, late) for _ in range(evenings)]
    found = sorted(number for number in listed if number is not None)
    middle = found[len(found) // 2] if found else "-"
    each = 1000 * (time.perf_counter() - began) / evenings
    print(  # noqa: T201
        f"| {name} | {one_in} | {len(found)} of {evenings} | {middle} | {each:.0f} |", flush=True
    )


def main() -> None:
    """Print the tables of docs/benchmarks/cards-seen.md."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--evenings", type=int, default=2000)
    evenings = asked.parse_args().evenings
    print("| set | one in | suspected | median round | ms |\n|---|---|---|---|---|")  # noqa: T201
    say("whole", SIX, evenings, 20)
    say("whole", SIX, evenings, 100)
    say("whole", SIX, 2 * evenings, 1_000)
    say("whole", SIX, evenings, 10_000)
    say("whole, cards late by a round", SIX, max(evenings // 4, 1), 20, late=True)
    for name, cards in WRONG.items():
        say(name, cards, max(evenings // 10, 1), 10_000)


if __name__ == "__main__":
    main()
