"""A round as it is tapped on the floor: every tap is one word, and the words are all there is.

- `s3`: somebody plays box 3, his stake not said yet; again, before a card lies there: nobody;
- `@3.2`, `@b`: what comes next is of hand 2 of box 3; of the bank;
- `TH`, `7?`: a card; a hand that has two and was not decided has asked for it;
- `hit`, `stand`, `double`, `split`, `surrender`: what was decided on the hand;
- `=1500`: the stake of the box, in cents; of the hand, once it was split or doubled;
- `min`: every stake not said yet is the table's minimum;
- `i750`, `even`: the insurance of the box, `i0` for none; its stake takes even money, or not;
- `void-extra` and the like: the next card is nobody's, and goes to the discards;
- `r3000`, `ri1500`, `rs3000`: handed back for the hand's stake, the insurance, a special prize.

So a round is carried in an address and in a form, taken back word by word, and shown to somebody
else. Nothing is judged here, and where the next card goes is a convenience: whoever taps chooses
another place. A place tapped to speak of money is none for the next card, and the deal's first card
is the first box's. Pure. Units: cents; boxes, hands counted from 1.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Final, NoReturn, cast

from casino.cards import CODES, Card, best_total, is_blackjack
from casino.events import Malformed
from casino.events.phrases import Phrase
from casino.events.round.round_played import (
    ACTIONS,
    MAX_CENTS,
    Action,
    Bank,
    Box,
    Hand,
    Misdealt,
    Place,
    VoidedCard,
    VoidedWhy,
    Wager,
    WagerKind,
)

MOST: Final = 400  # words of one round: seven boxes split and doubled have less
TARGET: Final = 21
DEALT: Final = 2  # cards of a place before anybody is asked
DRAWS: Final = ("hit", "double")
_ENDS: Final = ("stand", "double", "surrender")
_SEAT: Final = re.compile(r"s([0-9]{1,2})")
_PLACE: Final = re.compile(r"@([0-9]{1,2})\.([0-9]{1,2})")
_MONEY: Final = re.compile(r"(=|i|r|ri|rs)([0-9]{1,13})")
BANK: Final = "@b"
MINIMUM: Final = "min"
# A card that goes to the discards: the bank's, with why; one a hand had not asked for; the shoe's.
VOIDED: Final[Mapping[str, VoidedWhy]] = {
    "void-turned": "turned",
    "void-extra": "extra",
    "void-open": "face_up",
}
ASTRAY: Final = ("void-unasked", "void-shoe")

At = tuple[int, int]  # a box and the number of a hand in it
STAKE: Final = "stake"
INSURANCE: Final = "insurance"
SPECIAL: Final = "special"
Of = tuple[int, int | None, str]  # a wager: its box, its hand, STAKE, INSURANCE or SPECIAL
Back = Mapping[Of, int]


@dataclass(slots=True)
class TappedHand:
    """A hand so far; `returned` and `special` are what was handed back, None where nobody said."""

    number: int
    stake: int
    split_from: int | None = None
    cards: list[Card] = field(default_factory=list)
    actions: list[str] = field(default_factory=list)
    returned: int | None = None
    special: int | None = None

    @property
    def waits(self) -> int:
        """How many cards it was promised and has not got."""
        return max(0, DEALT + sum(one in DRAWS for one in self.actions) - len(self.cards))

    @property
    def decided(self) -> bool:
        """Whether nobody is asked about it any more."""
        over = best_total(self.cards) >= TARGET or is_blackjack(self.cards)
        return not self.waits and (over or any(one in _ENDS for one in self.actions))

    @property
    def is_split_ace(self) -> bool:
        """Whether it is an ace of a split with its one card, which is no ace to be split again."""
        split = self.split_from is not None or "split" in self.actions
        return split and [card[0] == "A" for card in self.cards] == [True, False]


@dataclass(slots=True)
class TappedBox:
    """A box so far; `first` is what was marked before the deal, `insurance` 0 where none lies.

    Until its stake is `said` the table's minimum stands for it, and it is not recorded.
    """

    number: int
    first: int
    hands: list[TappedHand]
    insurance: int = 0
    insured_back: int | None = None
    even: bool = False
    said: bool = False

    def hand(self, number: int) -> TappedHand | None:
        """The hand of that number."""
        return next((one for one in self.hands if one.number == number), None)


@dataclass(slots=True)
class TappedRound:
    """What was tapped so far. `at` is the place spoken of, None for the bank; `spoken` where
    its money was, so that the next card goes on in turn.

    `boxes` is how many the table has, `minimum` with what a box begins; the bank is dealt
    `bank_first` cards before the players are asked; with `ace_ends` a split ace gets one card, and
    nobody is asked about it any more. `voids` is why the next card goes to the
    discards, '' where it does not.
    """

    boxes_there: int
    minimum: int
    bank_first: int = DEALT
    ace_ends: bool = False
    boxes: dict[int, TappedBox] = field(default_factory=dict)
    bank: list[Card] = field(default_factory=list)
    bank_voided: list[VoidedCard] = field(default_factory=list)
    misdealt: list[Misdealt] = field(default_factory=list)
    voids: str = ""
    at: At | None = None
    spoken: bool = False
    words: list[str] = field(default_factory=list)

    @property
    def hands(self) -> Iterator[tuple[TappedBox, TappedHand]]:
        """Every hand with its box, in the order in which they are played."""
        for number in sorted(self.boxes):
            for hand in self.boxes[number].hands:
                yield self.boxes[number], hand

    @property
    def here(self) -> tuple[TappedBox, TappedHand] | None:
        """The hand that is spoken of; None for the bank."""
        return self._hand_at(self.at)

    @property
    def aim(self) -> tuple[TappedBox, TappedHand] | None:
        """The hand the next card goes to; None for the bank."""
        here = self.here
        if here is None:
            return None
        none_dealt = not self.bank and not any(hand.cards for _, hand in self.hands)
        bust = best_total(here[1].cards) > TARGET and not here[1].waits
        return self.in_turn if none_dealt or self.spoken or bust else here

    @property
    def in_turn(self) -> tuple[TappedBox, TappedHand] | None:
        """The hand whose turn it is; None for the bank."""
        return self._hand_at(self._in_turn())

    @property
    def unsaid(self) -> TappedBox | None:
        """The first box whose stake nobody said."""
        return next((self.boxes[n] for n in sorted(self.boxes) if not self.boxes[n].said), None)

    @property
    def asked(self) -> tuple[TappedBox, TappedHand] | None:
        """The first hand somebody has still to decide, once the deal is over."""
        still = (
            (box, hand)
            for box, hand in self.hands
            if not hand.decided and not (self.ace_ends and hand.is_split_ace)
        )
        return next(still, None)

    def tap(self, word: str) -> None:
        """Take one more word. Raises: Malformed, for what is none; then nothing has changed."""
        if len(self.words) >= MOST:
            _refuse(Phrase("found more than {most} taps; asked is one round", most=MOST))
        if word in CODES:
            self._card(word)
        elif word in ACTIONS:
            self._decide(word)
        elif word == BANK:
            self.at, self.spoken = None, False
        elif word == MINIMUM:
            for box in self.boxes.values():
                box.said = True
        elif word in VOIDED or word in ASTRAY:
            if word == "void-turned" and not self.bank:
                _refuse(Phrase("found no card of the bank; its second card comes after its first"))
            self.voids = word
        elif word == "even":
            box, _ = self._hand_here()
            box.even, self.spoken = not box.even, True
        elif found := _SEAT.fullmatch(word):
            self._seat(int(found[1]))
        elif found := _PLACE.fullmatch(word):
            self._place(int(found[1]), int(found[2]))
        elif found := _MONEY.fullmatch(word):
            self._money(found[1], int(found[2]))
        else:
            _refuse(Phrase("found {found}; asked is a tap on this page", found=word[:20]))
        self.words.append(word)

    def _seat(self, number: int) -> None:
        if not 1 <= number <= self.boxes_there:
            _refuse(
                Phrase(
                    "found box {found}; this table has boxes 1 to {most}",
                    found=number,
                    most=self.boxes_there,
                )
            )
        there = self.boxes.get(number)
        if there is None:
            self.boxes[number] = TappedBox(number, self.minimum, [TappedHand(1, self.minimum)])
            self.at, self.spoken = (number, 1), False
        elif not any(hand.cards for hand in there.hands):
            del self.boxes[number]
            self._onward()
        else:
            _refuse(Phrase("found cards on box {found}: take them back first", found=number))

    def _place(self, box: int, hand: int) -> None:
        there = self.boxes.get(box)
        if there is None or there.hand(hand) is None:
            _refuse(
                Phrase("found box {box}, hand {hand}; nobody plays it here", box=box, hand=hand)
            )
        self.at, self.spoken = (box, hand), False

    def _card(self, card: Card) -> None:
        if self.voids:
            self._void(card)
            return
        aim = self.aim
        if aim is None:
            self.bank.append(card)
        else:
            _, hand = aim
            if not hand.waits:
                hand.actions.append("hit")
            hand.cards.append(card)
        self._onward()

    def _void(self, card: Card) -> None:
        if self.voids in VOIDED:
            self.bank_voided.append(VoidedCard(card, VOIDED[self.voids]))
        elif self.voids == "void-shoe":
            self.misdealt.append(Misdealt(card, "shoe", "discard"))
        else:
            box, hand = self._hand_here()
            self.misdealt.append(Misdealt(card, Place(box.number, hand.number), "discard"))
            self.spoken = True
        self.voids = ""

    def _decide(self, action: str) -> None:
        box, hand = self._hand_here()
        if action == "split":
            if len(hand.cards) != DEALT or hand.waits:
                _refuse(
                    Phrase("found a split of {found} cards; asked are two", found=len(hand.cards))
                )
            number = len(box.hands) + 1
            box.hands.append(TappedHand(number, box.first, hand.number, [hand.cards.pop()]))
        elif action == "double":
            hand.stake *= 2
        hand.actions.append(action)
        self._onward()

    def _money(self, what: str, cents: int) -> None:
        if cents > MAX_CENTS:
            _refuse(
                Phrase("found {found} cents; asked are at most {most}", found=cents, most=MAX_CENTS)
            )
        box, hand = self._hand_here()
        if what == "=":
            if len(box.hands) == 1 and "double" not in hand.actions:
                box.first, box.said = cents, True
            elif not box.said:
                _refuse(
                    Phrase(
                        "box {box} was split or doubled, and its stake before that is not said:"
                        " take these taps back and say it first",
                        box=box.number,
                    )
                )
            hand.stake = cents
        elif what == "i":
            box.insurance, box.insured_back = cents, None
        elif what == "r":
            hand.returned = cents
        elif what == "ri":
            box.insured_back = cents
        else:
            hand.special = cents
        self.spoken = True

    def _hand_here(self) -> tuple[TappedBox, TappedHand]:
        here = self.here
        if here is None:
            _refuse(Phrase("found the bank; asked is a box: tap it first"))
        return here

    def _hand_at(self, at: At | None) -> tuple[TappedBox, TappedHand] | None:
        box = self.boxes.get(at[0]) if at is not None else None
        hand = box.hand(at[1]) if box is not None and at is not None else None
        return (box, hand) if box is not None and hand is not None else None

    def _onward(self) -> None:
        self.at, self.spoken = self._in_turn(), False

    def _in_turn(self) -> At | None:
        """Whose turn it is: the deal's, then whoever is asked, then the bank."""
        begun = any(hand.actions or hand.split_from is not None for _, hand in self.hands)
        for turn in range(0 if begun else DEALT):
            for number in sorted(self.boxes):
                if len(self.boxes[number].hands[0].cards) <= turn:
                    return number, 1
            if len(self.bank) <= turn < self.bank_first:
                return None
        asked = self.asked
        return None if asked is None else (asked[0].number, asked[1].number)


def tapped(
    words: Sequence[str],
    *,
    boxes: int,
    minimum: int,
    bank_first: int = DEALT,
    ace_ends: bool = False,
) -> TappedRound:
    """The round these words make. Raises: Malformed, at the first that cannot be."""
    found = TappedRound(boxes, minimum, bank_first, ace_ends)
    for word in words:
        found.tap(word)
    return found


def without_payments(tapped_round: TappedRound) -> TappedRound:
    """The same round as if nobody had said yet what was handed back."""
    found = deepcopy(tapped_round)
    for box, hand in found.hands:
        hand.returned = hand.special = box.insured_back = None
    return found


def boxes_of(tapped_round: TappedRound, *, back: Back | None = None) -> tuple[Box, ...]:
    """The boxes as they stand on record.

    `back` has the amounts that stand for what nobody said was handed back, 0 where it has none, and
    the special prizes nobody spoke of.
    Without it that is refused, and so is a stake nobody said and a card that was asked for and not
    tapped. Raises: Malformed.
    """
    if back is None and tapped_round.unsaid is not None:
        check_stake(tapped_round.unsaid)
    if back is None and tapped_round.voids:
        _refuse(
            Phrase("the card that went to the discards is not tapped: tap it, or take that back")
        )
    return tuple(_box_of(tapped_round.boxes[number], back) for number in sorted(tapped_round.boxes))


def check_stake(box: TappedBox) -> None:
    """Refuse what rests on a stake nobody said. Raises: Malformed."""
    if not box.said:
        _refuse(
            Phrase(
                "the stake of box {box} is not said: tap the box and what was staked, or “All at"
                " the minimum”",
                box=box.number,
            )
        )


def _box_of(box: TappedBox, back: Back | None) -> Box:
    holder, first, seat = f"J{box.number}", box.first, box.number
    wagers: list[Wager] = []
    for hand in box.hands:
        number = hand.number
        given = _said(hand.returned, back, (seat, number, STAKE))
        kind: WagerKind = "even_money" if box.even else "main"
        wagers.append(Wager(holder, kind, hand.stake, given, number, seat, first))
        special = hand.special
        if special is None and back is not None:
            special = back.get((seat, number, SPECIAL))
        if special is not None:
            wagers.append(Wager(holder, "special", 0, special, number, seat, first))
    if box.insurance:
        given = _said(box.insured_back, back, (seat, None, INSURANCE))
        wagers.append(Wager(holder, "insurance", box.insurance, given, None, seat, first))
    hands = tuple(_hand_of(box, hand, strict=back is None) for hand in box.hands if hand.cards)
    return Box(seat, False, hands, tuple(wagers), holder)


def _hand_of(box: TappedBox, hand: TappedHand, *, strict: bool) -> Hand:
    actions, short = list(hand.actions), hand.waits
    if strict and short and actions:
        _refuse(
            Phrase(
                "box {box} asked for a card and none was tapped: tap it, or take the asking back",
                box=box.number,
            )
        )
    while short and actions and actions[-1] in DRAWS:
        actions.pop()
        short -= 1
    done = cast("tuple[Action, ...]", tuple(actions))
    return Hand(hand.number, tuple(hand.cards), done, hand.split_from)


def _said(amount: int | None, back: Back | None, wager: Of) -> int:
    if amount is not None:
        return amount
    if back is None:
        _refuse(
            Phrase(
                "what was handed back to box {box} is not said: tap the box and type it; once the"
                " round is over, one tap says that every box was paid as is due",
                box=wager[0],
            )
        )
    return back.get(wager, 0)


def bank_of(tapped_round: TappedRound) -> Bank:
    """The bank as it stands on record; which of its cards lay open nobody tapped."""
    return Bank(tuple(tapped_round.bank), tuple(tapped_round.bank_voided))


def _refuse(reason: Phrase) -> NoReturn:
    raise Malformed.because("$.taps", reason)
