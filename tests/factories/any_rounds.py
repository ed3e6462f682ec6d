"""Any round that can have happened, lawful or not: what the reader must take and the law judge.

`rounds()` draws them, `optional_drops` tells the same round knowing one thing less. Hands split any
number of times on any cards, doubles and cards at any total, stakes and returns of any amount,
misdealt cards anywhere, rounds voided half way.
"""

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import strategies as st

from casino.cards import CODES
from casino.events.round.round_played import (
    Bank,
    Box,
    Dealt,
    Device,
    Hand,
    Limits,
    Misdealt,
    Place,
    RoundPlayed,
    Times,
    VoidedCard,
    Wager,
)
from casino.events.round.round_words import MAX_CHIPS_CENTS

OWNERS = ("J1", "J2", "J3", "J5", "S-1")
# Kinds of card seldom drawn by chance but decisive for the law come up more often.
_cards = st.one_of(st.sampled_from(sorted(CODES)), st.sampled_from(["AS", "8D", "7H", "TC", "KD"]))
_cents = st.one_of(
    st.sampled_from([0, 500, 1000, 1500, 2000, 3000, 4000, 5000, 30000]),
    st.integers(0, 100_001),
    st.integers(0, 10**12),
)
_codes = st.from_regex(r"[A-Za-z0-9._-]{1,40}", fullmatch=True)
_days = st.dates(dt.date(2001, 1, 1), dt.date(2035, 12, 31))
_moments = st.datetimes(timezones=st.just(dt.UTC))
_MAY_BE_UNKNOWN = (
    *("shoe", "number", "device", "dealer", "rulebook", "limits", "times", "seats_occupied"),
    *("dealt", "warning_card_at", "put_back"),
)


def _maybe(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(st.none(), strategy)


@st.composite
def _hands(draw: st.DrawFn, voided: bool) -> list[Hand]:
    """The hands of one box: none, or one and those split off it, numbered and listed anyhow."""
    count = draw(st.sampled_from([0, 1, 1, 1, 1, 2, 2, 3, 5]))
    numbers = draw(st.permutations(range(1, count + 1)))
    parents = [None] + [draw(st.sampled_from(numbers[:place])) for place in range(1, count)]
    hands = []
    for number, parent in zip(numbers, parents, strict=False):
        asked = draw(
            st.lists(st.sampled_from(["hit", "hit", "stand", "double", "surrender"]), max_size=4)
        )
        asked += ["split"] * (0 if voided and draw(st.booleans()) else parents.count(number))
        actions = tuple(draw(st.permutations(asked)))
        most = 2 + actions.count("hit") + actions.count("double")
        size = draw(st.integers(1, most)) if voided else most
        if most == 2 and not draw(st.integers(0, 7)):
            size = 1  # the hand was left with one card
        cards = draw(st.lists(_cards, min_size=size, max_size=size))
        hands.append(Hand(number, tuple(cards), actions, parent))
    return list(draw(st.permutations(hands)))


@st.composite
def _wagers(draw: st.DrawFn, hands: list[Hand]) -> list[Wager]:
    """Wagers of any owners on one box; one of each kind an owner in one place."""
    numbers = [hand.number for hand in hands] or [1]
    wagers = []
    for owner in draw(st.lists(st.sampled_from(OWNERS), max_size=3, unique=True)):
        seat = draw(_maybe(st.integers(1, 7)))
        initial = draw(_maybe(_cents))
        slots: list[tuple[str, int | None]] = [
            (draw(st.sampled_from(["main", "main", "main", "even_money"])), number)
            for number in numbers
            if number == numbers[0] or draw(st.booleans())
        ]
        slots += [("special", number) for number in numbers if draw(st.integers(0, 5)) == 0]
        slots += [(kind, None) for kind in ("insurance", "jackpot") if draw(st.integers(0, 3)) == 0]
        for kind, number in slots:
            most = {"special": 0, "jackpot": MAX_CHIPS_CENTS}.get(kind, 10**12)
            stake = min(draw(_cents), most)
            fair = st.sampled_from([0, stake // 2, stake, 2 * stake, stake * 5 // 2, 3 * stake])
            returned = min(draw(st.one_of(fair, _cents)), 10**12)
            wagers.append(
                Wager(
                    owner,
                    kind,
                    stake,
                    returned,
                    number,
                    draw(st.sampled_from([seat, None])),
                    draw(st.sampled_from([initial, None])),
                    draw(_maybe(st.booleans())),
                    draw(st.integers(1, 3)) if kind == "jackpot" else None,
                )
            )
    return wagers


@st.composite
def _boxes(draw: st.DrawFn, voided: bool) -> list[Box]:
    boxes = []
    for number in draw(st.lists(st.integers(1, 8), min_size=1, max_size=3, unique=True)):
        hands = draw(_hands(voided))
        wagers = draw(_wagers(hands))
        vacant = draw(st.sampled_from([False, False, True]))
        boxes.append(
            Box(
                number,
                vacant,
                tuple(hands),
                tuple(wagers),
                None if vacant else draw(st.sampled_from(OWNERS)),
                draw(_maybe(st.sampled_from(OWNERS))),
                draw(_maybe(st.booleans())),
            )
        )
    return boxes


def _places(boxes: list[Box]) -> list[Place]:
    return [Place(box.number, hand.number) for box in boxes for hand in box.hands]


@st.composite
def _misdealt(draw: st.DrawFn, places: list[Place]) -> list[Misdealt]:
    """At most three cards gone wrong, to hands of the round, the bank or the discards."""
    cards = []
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 1, 2, 3]))):
        at = draw(st.sampled_from([*places, "bank", "shoe"]))
        fates = ["bank", *(["discard"] if at != "bank" else []), *(["hand"] if places else [])]
        fate = draw(st.sampled_from(fates))
        to = draw(st.sampled_from(places)) if fate == "hand" else None
        cards.append(Misdealt(draw(_cards), at, fate, draw(_maybe(st.booleans())), to))
    return cards


def _given(boxes: list[Box], misdealt: list[Misdealt], as_hit: bool) -> list[Box]:
    """The boxes with the misdealt cards laid on their hands, asked for or on top.

    A hand that was left with one card asks for none.
    """
    laid = []
    for box in boxes:
        hands = []
        for hand in box.hands:
            here = [c.card for c in misdealt if c.to == Place(box.number, hand.number)]
            asked = ("hit",) * len(here) if as_hit and len(hand.cards) > 1 else ()
            hands.append(replace(hand, cards=(*hand.cards, *here), actions=(*hand.actions, *asked)))
        laid.append(replace(box, hands=tuple(hands)))
    return laid


# One card and the hand that can go on once it was dealt: the one it is split off to.
Coming = tuple[Dealt, Place | None]


def _hand_pile(hand: Hand, here: Place, split_off: list[Hand]) -> list[Coming]:
    """What came to a hand, in order: of each two cards that were split the second moved away."""
    first = hand.cards[:1] if hand.split_from is None else ()
    return [
        *[(Dealt(card, here), None) for card in first],
        *[(Dealt(one.cards[0], here), Place(here.box, one.number)) for one in split_off],
        *[(Dealt(card, here), None) for card in hand.cards[1:]],
    ]


def _as_dealt(boxes: list[Box], bank: Bank, misdealt: list[Misdealt], mix: Random) -> list[Dealt]:
    """Every card of the round with its place, in an order it can have left the shoe in."""
    ready: list[list[Coming]] = []
    waiting: dict[Place, list[Coming]] = {}
    for box in boxes:
        for hand in box.hands:
            here = Place(box.number, hand.number)
            split_off = [one for one in box.hands if one.split_from == hand.number]
            mix.shuffle(split_off)
            pile = _hand_pile(hand, here, split_off)
            if hand.split_from is None:
                ready.append(pile)
            else:
                waiting[here] = pile
    ready.append([(Dealt(card, "bank"), None) for card in bank.cards])
    # These may have left the shoe at any time.
    ready += [[(Dealt(card.card, "bank"), None)] for card in bank.voided]
    ready += [[(Dealt(one.card, "discard"), None)] for one in misdealt if one.fate == "discard"]
    ready += _taken_out([*ready, *waiting.values()], misdealt)
    dealt = []
    while ready := [pile for pile in ready if pile]:
        card, begins = mix.choice(ready).pop(0)
        dealt.append(card)
        if begins is not None:
            ready.append(waiting.pop(begins))
    return dealt


def _taken_out(piles: list[list[Coming]], misdealt: list[Misdealt]) -> list[list[Coming]]:
    """The misdealt cards that ended on a hand or with the bank, out of the order there."""
    loose = []
    for one in misdealt:
        if one.fate == "discard" or (one.at == "bank" and one.fate == "bank"):
            continue
        entry: Coming = (Dealt(one.card, one.to or "bank"), None)
        pile = next((pile for pile in piles if entry in pile), None)
        if pile is not None:
            pile.remove(entry)
            loose.append([entry])
    return loose


@st.composite
def _bank(draw: st.DrawFn, misdealt: list[Misdealt]) -> Bank:
    cards = draw(st.lists(_cards, max_size=5))
    cards += [card.card for card in misdealt if card.fate == "bank"]
    why = st.sampled_from(["turned", "extra", "face_up"])
    voided = draw(st.lists(st.builds(VoidedCard, _cards, why), max_size=2))
    lay_open = [place for place in range(1, len(cards) + 1) if draw(st.booleans())]
    return Bank(tuple(cards), tuple(voided), draw(st.sampled_from([tuple(lay_open), None])))


def _limits() -> st.SearchStrategy[Limits]:
    return st.builds(
        lambda low, more: Limits(low, low + more),
        st.sampled_from([500, 1000, 2500]) | st.integers(1, 10**6),
        st.sampled_from([0, 29_000, 49_000]) | st.integers(0, 10**6),
    )


def _times() -> st.SearchStrategy[Times]:
    return st.builds(Times, *[_maybe(_moments)] * 5)


@st.composite
def rounds(draw: st.DrawFn) -> RoundPlayed:
    """One well-formed round."""
    voided = draw(st.sampled_from([None] * 6 + ["separator", "incident"]))
    boxes = draw(_boxes(voided is not None))
    misdealt = draw(_misdealt(_places(boxes)))
    boxes = _given(boxes, misdealt, as_hit=voided is None and draw(st.booleans()))
    bank = draw(_bank(misdealt))
    dealt = _as_dealt(boxes, bank, misdealt, draw(st.randoms(use_true_random=False)))
    table = draw(st.sampled_from(["BJ-06", "BJ-07"]) | _codes)
    return RoundPlayed(
        str(draw(st.uuids())),
        table,
        f"{table}/{draw(_days)}/{draw(st.integers(1, 9))}",
        tuple(boxes),
        bank,
        tuple(misdealt),
        shoe=draw(_maybe(st.integers(1, 40))),
        number=draw(_maybe(st.integers(1, 90))),
        device=draw(_maybe(st.builds(Device, _codes, st.integers(0, 2**53 - 1)))),
        dealer=draw(_maybe(_codes)),
        rulebook=draw(_maybe(st.sampled_from(["pt", "pt-summary", "es", "br", "fr"]))),
        limits=draw(_maybe(_limits())),
        times=draw(_maybe(_times())),
        seats_occupied=draw(
            _maybe(st.lists(st.integers(1, 7), unique=True).map(lambda s: tuple(sorted(s))))
        ),
        dealt=draw(st.sampled_from([tuple(dealt), None])),
        warning_card_at=draw(_maybe(st.integers(0, len(dealt)))),
        voided=voided,
    )


def optional_drops(played: RoundPlayed) -> list[RoundPlayed]:
    """The same round, once for each optional field it tells, without that one field.

    `from` and `voided` stay: their absence says that it did not happen, not that nobody knows.
    """
    return [*_whole_drops(played), *_box_drops(played)]


def _whole_drops(played: RoundPlayed) -> Iterator[RoundPlayed]:
    for name in _MAY_BE_UNKNOWN:
        if getattr(played, name) is not None:
            yield replace(played, **{name: None})
    if played.times is not None:
        for name in ("stakes_closed", "first_card", "paid", "collected", "inserted"):
            if getattr(played.times, name) is not None:
                yield replace(played, times=replace(played.times, **{name: None}))
    if played.bank.open is not None:
        yield replace(played, bank=replace(played.bank, open=None))
    for place, card in enumerate(played.misdealt):
        if card.seen is not None:
            yield replace(
                played, misdealt=_swapped(played.misdealt, place, replace(card, seen=None))
            )


def _box_drops(played: RoundPlayed) -> Iterator[RoundPlayed]:
    for place, box in enumerate(played.boxes):
        for name in ("decided_by", "consent"):
            if getattr(box, name) is not None:
                less = replace(box, **{name: None})
                yield replace(played, boxes=_swapped(played.boxes, place, less))
        for index, hand in enumerate(box.hands):
            for name in ("surrendered_at", "from_left"):
                if getattr(hand, name) is None:
                    continue
                fewer = _swapped(box.hands, index, replace(hand, **{name: None}))
                yield replace(
                    played, boxes=_swapped(played.boxes, place, replace(box, hands=fewer))
                )
        for index, wager in enumerate(box.wagers):
            for name in (
                "seat",
                "initial_cents",
                "at_once",
                "taken_at",
                "invited",
                "on_its_place",
                "spoken",
            ):
                if getattr(wager, name) is not None:
                    less_known = replace(wager, **{name: None})
                    less = replace(box, wagers=_swapped(box.wagers, index, less_known))
                    yield replace(played, boxes=_swapped(played.boxes, place, less))


def _swapped(items: tuple[Any, ...], place: int, item: Any) -> tuple[Any, ...]:
    return (*items[:place], item, *items[place + 1 :])
