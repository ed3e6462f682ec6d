"""Rounds near the law's edges: a worked example in which a few things went differently.

`any_rounds.py` draws anything a record may hold and seldom comes near a rule; here every round
starts as one that a rule was written for. Each change keeps what its number says and leaves the
round as it is where the record would contradict itself, so the changes shrink one by one.
"""

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final

from hypothesis import strategies as st

from casino.events import Malformed
from casino.events.round.round_played import (
    Box,
    Dealt,
    Hand,
    Limits,
    Misdealt,
    Place,
    RoundPlayed,
    Times,
    VoidedCard,
    Wager,
)
from casino.reading.round_reader import read_round
from tests.law.worked_examples import NAMES, records

Change = Callable[[RoundPlayed, random.Random], RoundPlayed]

OWNERS: Final = ("J1", "J2", "J3", "S-1")
CARDS: Final = (
    *("AS", "AD", "A?", "TC", "KD", "X?", "7H", "7S"),
    *("6H", "6?", "8H", "8D", "9C", "5D", "2C", "3H"),
)
SPECIAL: Final = ("7H", "7S", "7C")
_CLOSED: Final = datetime(2026, 11, 20, 22, 14, 5, tzinfo=UTC)


@cache
def examples() -> tuple[RoundPlayed, ...]:
    """Every worked example, read."""
    return tuple(read_round(line) for name in NAMES for line in records(name).values())


def swapped(items: tuple[Any, ...], place: int, item: Any) -> tuple[Any, ...]:
    """The same tuple with another item in one place."""
    return (*items[:place], item, *items[place + 1 :])


def _in_box(r: RoundPlayed, dice: random.Random, change: Callable[[Box], Box]) -> RoundPlayed:
    place = dice.randrange(len(r.boxes))
    return replace(r, boxes=swapped(r.boxes, place, change(r.boxes[place])))


def _in_hand(r: RoundPlayed, dice: random.Random, change: Callable[[Hand], Hand]) -> RoundPlayed:
    def one(box: Box) -> Box:
        if not box.hands:
            return box
        place = dice.randrange(len(box.hands))
        return replace(box, hands=swapped(box.hands, place, change(box.hands[place])))

    return _in_box(r, dice, one)


def _in_wager(r: RoundPlayed, dice: random.Random, change: Callable[[Wager], Wager]) -> RoundPlayed:
    def one(box: Box) -> Box:
        if not box.wagers:
            return box
        place = dice.randrange(len(box.wagers))
        return replace(box, wagers=swapped(box.wagers, place, change(box.wagers[place])))

    return _in_box(r, dice, one)


def _with_bank(r: RoundPlayed, cards: tuple[str, ...]) -> RoundPlayed:
    keeps = r.bank.open if r.bank.open is None or len(cards) >= len(r.bank.cards) else None
    return replace(r, bank=replace(r.bank, cards=cards, open=keeps))


def another_card(r: RoundPlayed, dice: random.Random) -> RoundPlayed:
    """One card of a hand was another."""
    return _in_hand(
        r,
        dice,
        lambda hand: replace(
            hand, cards=swapped(hand.cards, dice.randrange(len(hand.cards)), dice.choice(CARDS))
        ),
    )


def one_card_more(r: RoundPlayed, dice: random.Random) -> RoundPlayed:
    """A hand asked for one card more, or doubled."""
    asked = dice.choice(["hit", "hit", "double"])

    def drawn(hand: Hand) -> Hand:
        cards = (*hand.cards, dice.choice(CARDS))
        return replace(
            hand, cards=cards, actions=(*hand.actions, asked) if len(cards) > 2 else hand.actions
        )

    return _in_hand(r, dice, drawn)


def one_card_alone(r: RoundPlayed, dice: random.Random) -> RoundPlayed:
    """A hand that asked for nothing got no second card."""

    def left(hand: Hand) -> Hand:
        asked = "hit" in hand.actions or "double" in hand.actions
        return hand if asked or r.misdealt else replace(hand, cards=hand.cards[:1])

    return _in_hand(r, dice, left)


def another_decision(r: RoundPlayed, dice: random.Random) -> RoundPlayed:
    """A hand stood or gave up at the end."""
    said = dice.choice(["stand", "surrender"])
    return _in_hand(r, dice, lambda hand: replace(hand, actions=(*hand.actions, said)))


def three_sevens(r: RoundPlayed, dice: random.Random) -> RoundPlayed:
    """The first cards of a hand were sevens."""
    return _in_hand(
        r, dice, lambda hand: replace(hand, cards=SPECIAL[: len(hand.cards)] + hand.cards[3:])
    )


def another_bank_card(r: RoundPlayed, dice: random.Random) -> RoundPlayed:
    """One card of the bank was another."""
    if not r.bank.cards:
        return r
    place = dice.randrange(len(r.bank.cards))
    return _with_bank(r, swapped(r.bank.cards, place, dice.choice(CARDS)))


def bank_draws(r: RoundPlayed, dice: random.Random) -> RoundPlayed:
    """The bank took one card more."""
    return _with_bank(r, (*r.bank.cards, dice.choice(CARDS)))


def bank_stops(r: RoundPlayed, dice: random.Random) -> RoundPlayed:
    """The bank's last card never came."""
    return _with_bank(r, r.bank.cards[:-1])


def bank_card_taken_out(r: RoundPlayed, dice: random.Random) -> RoundPlayed:
    """A card was taken from the bank; where the order is recorded, it came at some time or
    other.
    """
    card, why = dice.choice(CARDS), dice.choice(["turned", "extra", "face_up"])
    dealt = r.dealt
    if dealt is not None:
        place = dice.randint(0, len(dealt))
        dealt = (*dealt[:place], Dealt(card, "bank"), *dealt[place:])
    voided = (*r.bank.voided, VoidedCard(card, why))
    return replace(r, dealt=dealt, bank=replace(r.bank, voided=voided))


def bank_lay_open(r: RoundPlayed, dice: random.Random) -> RoundPlayed:
    """Which of the bank's cards lay open is recorded."""
    return replace(
        r,
        bank=replace(
            r.bank,
            open=dice.choice([(), (1, 2)[: len(r.bank.cards)], (1,) if r.bank.cards else ()]),
        ),
    )


def another_amount(r: RoundPlayed, dice: random.Random) -> RoundPlayed:
    """Something else was handed back."""
    halves, cent = dice.choice([0, 1, 2, 4, 5]), dice.choice([0, 1])
    return _in_wager(
        r, dice, lambda w: replace(w, returned_cents=halves * w.stake_cents // 2 + cent)
    )


def another_stake(r: RoundPlayed, dice: random.Random) -> RoundPlayed:
    """Another stake lay there."""
    cents = dice.choice([500, 777, 1000, 1500, 2000])
    return _in_wager(r, dice, lambda w: w if w.kind == "special" else replace(w, stake_cents=cents))


def marked_before(r: RoundPlayed, dice: random.Random) -> RoundPlayed:
    """What was marked before the deal is recorded, rightly or wrongly."""
    return _in_wager(
        r,
        dice,
        lambda w: replace(
            w, initial_cents=dice.choice([500, 1000, w.stake_cents, w.stake_cents // 2])
        ),
    )


def recorded_of_wager(r: RoundPlayed, dice: random.Random) -> RoundPlayed:
    """A seat, or whether it was settled at once; or the wager was even money."""
    other = {"main": "even_money", "even_money": "main"}
    return _in_wager(
        r,
        dice,
        dice.choice(
            [
                lambda w: replace(w, seat=dice.randint(1, 7)),
                lambda w: replace(w, at_once=dice.choice([True, False])),
                lambda w: replace(w, kind=other.get(w.kind, w.kind)),
            ]
        ),
    )


def one_wager_more(r: RoundPlayed, dice: random.Random) -> RoundPlayed:
    """Somebody insured, staked along or was paid the special prize."""
    owner, seat = dice.choice(OWNERS), dice.choice([None, 2, 5])
    stake, back = dice.choice([250, 500, 1000, 2000]), dice.choice([0, 1000, 1500, 3000])
    kind = dice.choice(["insurance", "main", "main", "special"])

    def one(box: Box) -> Box:
        number = dice.choice(box.hands).number if box.hands else 1
        added = Wager(
            owner,
            kind,
            0 if kind == "special" else stake,
            back,
            None if kind == "insurance" else number,
            seat,
        )
        return replace(box, wagers=(*box.wagers, added))

    return _in_box(r, dice, one)


def recorded_when_given_up(r: RoundPlayed, dice: random.Random) -> RoundPlayed:
    """How many cards were out when a hand gave up is recorded."""
    count = sum(len(hand.cards) for box in r.boxes for hand in box.hands)
    return _in_hand(
        r,
        dice,
        lambda hand: (
            replace(hand, surrendered_at=dice.randint(0, count))
            if "surrender" in hand.actions
            else hand
        ),
    )


def recorded_where_hands_lay(r: RoundPlayed, dice: random.Random) -> RoundPlayed:
    """Where the hands of a box lay is recorded."""

    def one(box: Box) -> Box:
        places = dice.sample(range(1, len(box.hands) + 1), len(box.hands))
        hands = zip(box.hands, places, strict=True)
        return replace(box, hands=tuple(replace(hand, from_left=at) for hand, at in hands))

    return _in_box(r, dice, one)


def recorded_of_insurance(r: RoundPlayed, dice: random.Random) -> RoundPlayed:
    """When an insurance was laid, and whether as the law has it, is recorded."""
    count = sum(len(hand.cards) for box in r.boxes for hand in box.hands)
    values = {
        "taken_at": dice.randint(0, count),
        "invited": dice.choice([True, False]),
        "on_its_place": dice.choice([True, False]),
        "spoken": dice.choice([True, False]),
    }
    name = dice.choice(sorted(values))
    return _in_wager(
        r, dice, lambda w: replace(w, **{name: values[name]}) if w.kind == "insurance" else w
    )


def recorded_of_box(r: RoundPlayed, dice: random.Random) -> RoundPlayed:
    """Who decided, who consented, or that nobody sat there."""
    who, yes = dice.choice(OWNERS), dice.choice([True, False])
    return _in_box(
        r,
        dice,
        dice.choice(
            [
                lambda box: replace(box, decided_by=who),
                lambda box: replace(box, consent=yes),
                lambda box: replace(box, vacant=not box.vacant, holder=who if box.vacant else None),
            ]
        ),
    )


def recorded_of_round(r: RoundPlayed, dice: random.Random) -> RoundPlayed:
    """The table's limits, the moments of the deal, or that the round was voided."""
    low, high = dice.choice([(1000, 30000), (500, 1500), (1000, 30001)])
    first = _CLOSED.replace(second=dice.choice([4, 9]))
    return dice.choice(
        [
            lambda: replace(r, limits=Limits(low, high)),
            lambda: replace(r, times=Times(stakes_closed=_CLOSED, first_card=first)),
            lambda: replace(r, voided=dice.choice([None, None, "separator", "incident"])),
        ]
    )()


def card_gone_wrong(r: RoundPlayed, dice: random.Random) -> RoundPlayed:
    """A card of the round, or one more, came out of the shoe wrongly."""
    hands = [(Place(box.number, hand.number), hand) for box in r.boxes for hand in box.hands]
    seen = dice.choice([True, False])
    at = dice.choice([place for place, _ in hands] * 2 + ["shoe", "bank"])
    strays = []
    if r.bank.cards:
        strays.append(Misdealt(r.bank.cards[-1], at, "bank", seen))
    if at != "bank":
        strays.append(Misdealt("4H", at, "discard", seen))
        strays += [Misdealt(hand.cards[-1], at, "hand", seen, place) for place, hand in hands]
    return replace(r, misdealt=(*r.misdealt, dice.choice(strays))) if strays else r


CHANGES: Final[tuple[Change, ...]] = (
    another_card,
    another_bank_card,
    another_amount,
    another_stake,
    one_card_more,
    one_card_alone,
    another_decision,
    three_sevens,
    bank_draws,
    bank_stops,
    bank_card_taken_out,
    bank_lay_open,
    marked_before,
    recorded_of_wager,
    one_wager_more,
    recorded_of_box,
    recorded_when_given_up,
    recorded_where_hands_lay,
    recorded_of_insurance,
    recorded_of_round,
    card_gone_wrong,
)


@st.composite
def altered_rounds(draw: st.DrawFn) -> RoundPlayed:
    """A worked example with up to six changes."""
    r = draw(st.sampled_from(examples()))
    for place, seed in draw(
        st.lists(st.tuples(st.integers(0, len(CHANGES) - 1), st.integers(0, 2**16)), max_size=6)
    ):
        try:
            r = CHANGES[place](r, random.Random(seed))
        except Malformed:
            continue
    return r
