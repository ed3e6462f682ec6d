"""Rounds for the benchmark: one box, one stake, seeded, paid right by a table of this file's own.

Nothing here asks the law: what each round pays is worked out below, so that the judge meets rounds
it did not make. `bare` records tell what every record must; others tell all there is to tell.
"""

import json
import random
from collections.abc import Iterator
from typing import Any, Final, NamedTuple
from uuid import UUID

RANKS: Final = "A23456789TJQK"
POINTS: Final = {rank: 10 if rank in "TJQK" else "A23456789".index(rank) + 1 for rank in RANKS}
STAKES: Final = (1000, 2000, 3000, 5000, 10_000)


class Sample(NamedTuple):
    """One round as a line of a file, and its two hands as lists of points, aces as 1."""

    line: bytes
    player: list[int]
    bank: list[int]
    stake_cents: int
    returned_cents: int


def samples(count: int, seed: int, *, bare: bool) -> Iterator[Sample]:
    """`count` rounds, the same ones for the same seed."""
    chance = random.Random(seed)
    for number in range(1, count + 1):
        yield _one(chance, number, bare)


def total(cards: list[str]) -> int:
    """The best total of some cards: one ace counts 11 where that does not pass 21."""
    points = sum(POINTS[card[0]] for card in cards)
    soft = points <= 11 and any(card[0] == "A" for card in cards)
    return points + 10 if soft else points


def _one(chance: random.Random, number: int, bare: bool) -> Sample:
    shoe = [rank + suit for rank in RANKS for suit in "CDHS"] * 6
    cards = chance.sample(shoe, 24)
    hand, bank = [cards.pop(), cards.pop()], [cards.pop(), cards.pop()]
    actions = []
    while total(hand) < 17 and (total(hand) < 12 or POINTS[bank[0][0]] in (1, 7, 8, 9, 10)):
        hand.append(cards.pop())
        actions.append("hit")
    if total(hand) < 21:
        actions.append("stand")
    natural = len(hand) == 2 and total(hand) == 21
    while total(hand) <= 21 and not natural and total(bank) < 17:
        bank.append(cards.pop())
    stake = chance.choice(STAKES)
    returned = _returned(hand, bank, stake)
    record = _record(number, hand, bank, actions, stake, returned)
    if bare:
        _leave_out(record)
    line = json.dumps(record, separators=(",", ":")).encode()
    points = [[POINTS[card[0]] for card in cards] for cards in (hand, bank)]
    return Sample(line, points[0], points[1], stake, returned)


def _returned(hand: list[str], bank: list[str], stake: int) -> int:
    """What goes back for a stake: nothing, the stake, twice it, or two and a half times it."""
    mine, theirs = total(hand), total(bank)
    mine_natural = len(hand) == 2 and mine == 21
    bank_natural = len(bank) == 2 and theirs == 21
    if mine_natural or bank_natural:
        return stake if mine_natural and bank_natural else stake * 5 // 2 if mine_natural else 0
    if mine > 21:
        return 0
    if theirs > 21 or mine > theirs:
        return 2 * stake
    return stake if mine == theirs else 0


def _record(
    number: int, hand: list[str], bank: list[str], actions: list[str], stake: int, returned: int
) -> dict[str, Any]:
    """The round record, docs/round-record.md, with everything told."""
    place = {"box": 2, "hand": 1}
    order = [(hand[0], place), (bank[0], "bank"), (hand[1], place), (bank[1], "bank")]
    order += [(card, place) for card in hand[2:]] + [(card, "bank") for card in bank[2:]]
    natural = len(hand) == 2 and total(hand) == 21
    at_once = total(hand) > 21 or (natural and POINTS[bank[0][0]] not in (1, 10))
    wager = {
        "owner": "J2",
        "seat": 2,
        "kind": "main",
        "hand": 1,
        "stake_cents": stake,
        "returned_cents": returned,
        "initial_cents": stake,
        "at_once": at_once,
    }
    hands = [{"hand": 1, "cards": hand, "actions": actions}]
    box = {"box": 2, "holder": "J2", "vacant": False, "decided_by": "J2"}
    shoe, turn = divmod(number, 60)
    return {
        "schema": "round/1",
        "round": str(UUID(int=number)),
        "table": "BJ-06",
        "partida": "BJ-06/2026-11-20/1",
        "shoe": shoe + 1,
        "number": turn + 1,
        "device": {"id": "SHOE-11", "sequence": number},
        "dealer": "P-104",
        "rulebook": "pt",
        "limits": {"minimum_cents": 1000, "maximum_cents": 30_000},
        "times": {
            "stakes_closed": "2026-11-20T22:14:05.120000+00:00",
            "first_card": "2026-11-20T22:14:09.400000+00:00",
            "paid": "2026-11-20T22:15:31+00:00",
        },
        "seats_occupied": [2],
        "boxes": [{**box, "hands": hands, "wagers": [wager]}],
        "bank": {"cards": bank, "voided": [], "open": [1]},
        "misdealt": [],
        "dealt": [{"card": card, "to": to} for card, to in order],
    }


def _leave_out(record: dict[str, Any]) -> None:
    """Keep only what a record must tell."""
    required = {"schema", "round", "table", "partida", "boxes", "bank", "misdealt"}
    for name in set(record) - required:
        del record[name]
    del record["bank"]["open"]
    box = record["boxes"][0]
    del box["decided_by"]
    for name in ("seat", "initial_cents", "at_once"):
        del box["wagers"][0][name]
