"""How often the suspicions about a shoe's cards are false, and how soon they are right.

``python -m tests.bench.cards_of_shoes [--sets 2000] [--shoes 2000]``. Six decks, 262 cards seen of
a shoe, rounds of six boxes of two or more cards; seeded. Ways of shuffling are models: a riffle is
that of Gilbert, Shannon and Reeds over the whole pack, a strip cuts off packets of eight to twenty
cards and turns their order, a box cuts four times, a wash moves each card up to so many places, a
machine deals the pack onto so many shelves and stacks them.
"""

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final

from casino.law.checks.rounds.dealt_order import OrderWatch, orders_of
from casino.law.checks.rounds.shoe_frequency import ShoeWatch, shoes_to_detection
from casino.simulation.card_source import ONE_DECK
from tests.factories.shoe_cards import riffled, shuffled

Pack = list[str]
SEEN: Final = 262
ORDER, WHOLE = 400_000, 10_000
SHOES: Final = 80


def stripped(rng: Random, pack: Pack) -> Pack:
    """Packets from the top laid one upon another."""
    packets = []
    while pack:
        cut = rng.randint(8, 20)
        packets.append(pack[:cut])
        pack = pack[cut:]
    return [card for packet in reversed(packets) for card in packet]


def boxed(rng: Random, pack: Pack) -> Pack:
    """Cut four times."""
    for _ in range(4):
        at = rng.randrange(len(pack))
        pack = pack[at:] + pack[:at]
    return pack


def washed(rng: Random, pack: Pack, reach: int) -> Pack:
    """Each card moved up to so many places."""
    return [
        card
        for _, card in sorted(
            (at + rng.uniform(-reach, reach), card) for at, card in enumerate(pack)
        )
    ]


def by_machine(rng: Random, pack: Pack, shelves: int) -> Pack:
    """Card by card onto a shelf, above or below what lies there; the shelves one upon another."""
    stacks: list[Pack] = [[] for _ in range(shelves)]
    for card in pack:
        stack = rng.choice(stacks)
        stack.insert(0 if rng.getrandbits(1) else len(stack), card)
    return [card for stack in stacks for card in stack]


def in_turn(*steps: Callable[[Random, Pack], Pack]) -> Callable[[Random, Pack], Pack]:
    """One step after another."""

    def run(rng: Random, pack: Pack) -> Pack:
        for step in steps:
            pack = step(rng, pack)
        return pack

    return run


WAYS: Final[dict[str, Callable[[Random, Pack], Pack]]] = {
    "not shuffled": lambda _rng, pack: pack,
    "not shuffled, cut four times": boxed,
    "strip": stripped,
    "box, strip, box": in_turn(boxed, stripped, boxed),
    **{f"{n} riffles": in_turn(*[riffled] * n) for n in range(1, 8)},
    "riffle, riffle, strip, riffle": in_turn(riffled, riffled, stripped, riffled),
    "(riffle, riffle, strip, riffle) twice": in_turn(*[riffled, riffled, stripped, riffled] * 2),
    "wash over 10 places": lambda rng, pack: washed(rng, pack, 10),
    "wash over 40 places": lambda rng, pack: washed(rng, pack, 40),
    "wash over the table, 3 riffles": in_turn(shuffled, riffled, riffled, riffled),
    "machine of 10 shelves, once": lambda rng, pack: by_machine(rng, pack, 10),
    "machine of 10 shelves, twice": in_turn(*[lambda rng, pack: by_machine(rng, pack, 10)] * 2),
    "machine of 39 shelves, once": lambda rng, pack: by_machine(rng, pack, 39),
}


def laid(rng: Random, pack: Pack) -> list[list[Pack]]:
    """The discards of a shoe: rounds of six hands of two to four cards, then what stayed behind."""
    rounds, at = [], 0
    while at < SEEN:
        hands = []
        for _ in range(6):
            many = rng.choice((2, 2, 3, 3, 4))
            hands.append(pack[at : at + many])
            at += many
        rounds.append(hands)
    return rounds


def picked_up(rng: Random, rounds: Sequence[Sequence[Pack]]) -> Pack:
    """The hands of each round in any order."""
    return [card for hands in rounds for hand in rng.sample(hands, len(hands)) for card in hand]


def order(rng: Random, way: Callable[[Random, Pack], Pack], bound: int) -> int | None:
    """At which card the next shoe is suspected; None where it is not."""
    pack = shuffled(rng, ONE_DECK * 6)
    rounds = laid(rng, pack)
    pile = picked_up(rng, rounds)
    behind = pack[len(pile) :]
    watch = OrderWatch(6, orders_of(rounds))
    for place, card in enumerate(way(rng, [*pile, *behind])[:SEEN], start=1):
        watch.add(card)
        if watch.strength >= bound:
            return place
    return None


def missing(rng: Random, gone: int, seen: int, bound: int, shoes: int = SHOES) -> int | None:
    """In which shoe a set without so many cards is suspected."""
    cards = list(ONE_DECK * 6)
    for _ in range(gone):
        cards.pop(rng.randrange(len(cards)))
    watch = ShoeWatch(6)
    for shoe in range(1, shoes + 1):
        watch.add(rng.sample(cards, min(seen, len(cards))))
        if watch.strength >= bound:
            return shoe
        watch.next_shoe()
    return None


def head(what: str, middle: str) -> None:
    """The head of a table."""
    print(f"| {what} | one in | suspected | median {middle} | 90 % | ms |\n{'|---' * 6}|")  # noqa: T201


def line(name: str, found: Iterator[int | None], tried: int, *more: str) -> None:
    """One line of a table."""
    began = time.perf_counter()
    hits = sorted(one for one in found if one is not None)
    each = 1000 * (time.perf_counter() - began) / tried
    middle = hits[len(hits) // 2] if hits else "–"
    ninety = hits[9 * len(hits) // 10] if hits else "–"
    said = (name, *more, f"{len(hits)} of {tried}", middle, ninety, f"{each:.1f}")
    print("| " + " | ".join(map(str, said)) + " |", flush=True)  # noqa: T201


def main() -> None:
    """Print the tables of docs/benchmarks/cards-of-shoes.md."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--sets", type=int, default=2000)
    asked.add_argument("--shoes", type=int, default=2000)
    given = asked.parse_args()
    rng = Random(7)
    head("set of decks", "shoe")
    for bound in (20, 100, 1_000):
        sets = given.sets
        line("whole", (missing(rng, 0, SEEN, bound) for _ in range(sets)), sets, str(bound))
    few = max(given.sets // 10, 1)
    for gone in (1, 2, 5):
        found = (missing(rng, gone, SEEN, WHOLE) for _ in range(few))
        line(f"{gone} missing, 50 left behind", found, few, str(WHOLE))
    found = (missing(rng, 1, 156, WHOLE, 300) for _ in range(few))
    line("1 missing, half left behind, of 300 shoes", found, few, str(WHOLE))
    usual = shoes_to_detection(6, SEEN, WHOLE), shoes_to_detection(6, 156, WHOLE)
    print(f"\nworked out: {usual}\n")  # noqa: T201
    head("way", "card")
    for bound in (20, 100):
        shoes = given.shoes
        line("any order", (order(rng, shuffled, bound) for _ in range(shoes)), shoes, str(bound))
    few = max(given.shoes // 20, 1)
    for name, way in WAYS.items():
        line(name, (order(rng, way, ORDER) for _ in range(few)), few, str(ORDER))


if __name__ == "__main__":
    main()
