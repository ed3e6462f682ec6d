"""The round as the law sees it: which cards count, what each hand makes, what the bank had to do.

Nothing is judged here; the articles' checks and the settlement read what this module works out
once.

Law: PT art. 1, 6, 18, 19, 22, 26, 29, 32, 36.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from casino.cards import VALUE, best_total, hard_total, is_blackjack
from casino.events.round.round_played import Box, Hand, Place, RoundPlayed, Wager
from casino.law.finding import Where
from casino.law.rounds.bank_total import bank_stands
from casino.law.rounds.shifted import shifted_hands
from casino.law.rounds.strays import given_to_standing_bank, misdirected
from casino.law.rounds.taken_out import TakenOut, taken_out
from casino.law.rulebook.rulebook import LawInForce

if TYPE_CHECKING:
    from casino.law.rounds.returned_stakes import GoingBack

STAKED: Final = (
    "main",
    "even_money",
)  # the kinds of wager that lie on a hand and play with its cards


# A stake of each owner, and what it began with in cents; None where nobody recorded.
FirstStakes = dict[str, tuple[Wager, int | None]]


def at(box: Box, wager: Wager | None = None) -> Where:
    """Where a breach lies, in the words of the record."""
    where: Where = {"box": box.number}
    if wager is not None:
        if wager.hand is not None:
            where["hand"] = wager.hand
        where |= {"owner": wager.owner, "kind": wager.kind}
    return where


class HandPlay:
    """One hand after its last card.

    `counted` are the cards that count, `beyond` those no article allowed: each its index in the
    hand's cards and the name of the check that forbids it. `late_splits` tells which of the hand's
    splits, from 0, came after it had asked for a card, stood or given up.
    """

    __slots__ = (
        "beyond",
        "box",
        "bust",
        "counted",
        "double_first",
        "doubled",
        "doubled_cards",
        "draws",
        "fixed_ace",
        "hand",
        "late_splits",
        "natural",
        "number",
        "split",
        "split_ace",
        "stood",
        "surrender_first",
        "surrendered",
        "total",
        "wagers",
    )

    def __init__(self, box: Box, hand: Hand, upheld: frozenset[str], p: dict[str, Any]) -> None:
        cards, actions = hand.cards, hand.actions
        self.box = box
        self.hand = hand
        self.number = hand.number
        self.split = hand.split_from is not None or "split" in actions
        self.natural = is_blackjack(cards[:2]) and (
            not self.split or bool(p.get("split.two_card_21_is_blackjack"))
        )
        self.split_ace = self.split and cards[0][0] == "A"
        self.wagers: list[Wager] = []
        self.beyond: tuple[tuple[int, str], ...] = ()
        self.doubled = self.double_first = self.surrendered = self.surrender_first = False
        self.stood = self.fixed_ace = False
        self.late_splits: tuple[int, ...] = ()
        self.draws = self.doubled_cards = 0
        self.counted: tuple[str, ...] | list[str] = cards
        if len(cards) > 2 or len(actions) > 1 or (actions and actions[0] != "stand"):
            self._follow(cards, actions, upheld, p)
        elif actions:
            self.stood = True
        self.total = best_total(self.counted)
        if self.doubled:
            self._fix_ace(p)
        self.bust = self.total > p["target.points"]

    @property
    def place(self) -> Place:
        """Where the hand lies on the layout."""
        return Place(self.box.number, self.number)

    @property
    def where(self) -> Where:
        """The same, as a finding tells it."""
        return {"box": self.box.number, "hand": self.number}

    def _follow(
        self,
        cards: tuple[str, ...],
        actions: tuple[str, ...],
        upheld: frozenset[str],
        p: dict[str, object],
    ) -> None:
        """Go through the decisions in order and set apart the cards no article allowed."""
        counted = list(cards[:2])
        beyond: list[tuple[int, str]] = []
        voids = p["card.beyond_right"] == "void"
        position, splits = 2, 0
        for action in actions:
            if action == "stand":
                self.stood = True
            elif action == "surrender":
                if not self.surrendered:
                    open_still = not self.split or p.get("surrender.after_split") == "allowed"
                    self.surrender_first = position == 2 and not self.stood and open_still
                self.surrendered = True
            elif action == "split":
                if position > 2 or self.stood or self.surrendered:
                    self.late_splits += (splits,)
                splits += 1
            else:
                forbidden = self._forbidding(counted, upheld, p, action)
                if action == "double" and not self.doubled:
                    self.doubled, self.double_first = True, position == 2 and not self.stood
                if position < len(cards):
                    if forbidden:
                        beyond.append((position, forbidden))
                    if not (forbidden and voids):
                        counted.append(cards[position])
                position += 1
                self.draws += 1
                self.doubled_cards += self.doubled
        # What is left nobody asked for: `misdealt` tells how it came here.
        counted.extend(cards[position:])
        self.counted = counted
        if not voids and len(counted) > 2:
            self.natural = False
        self.beyond = tuple(beyond)

    def _forbidding(
        self, counted: list[str], upheld: frozenset[str], p: dict[str, Any], action: str
    ) -> str | None:
        """The check that forbids this hand one more card now, None where the player may have it."""
        total = best_total(counted)
        split_ace_may_double = (
            action == "double" and not self.draws and p["double.split_aces"] == "allowed"
        )
        limits = (
            (self.surrendered, "no_card_after_surrender"),
            (self.natural, "no_card_to_a_blackjack"),
            (self.doubled_cards >= p.get("double.cards", 1), "double_one_card"),
            (self.stood, "no_card_after_standing"),
            (self.split_ace and not split_ace_may_double, "split_aces_one_card"),
            (total > p["target.points"], "no_card_after_bust"),
            (total == p.get("hit.until"), "no_card_at_twenty_one"),
        )
        for reached, check in limits:
            if reached and check in upheld:
                return check
        return None

    def _fix_ace(self, p: dict[str, Any]) -> None:
        """Keep at 1 the ace that was doubled on as 9 or 10. Law: PT art. 32."""
        reading = p.get("double.fixed_ace")
        first_two = self.hand.cards[:2]
        counted_low = hard_total(first_two)
        if (
            reading is None
            or self.natural
            or [card[0] for card in first_two].count("A") != 1
            or counted_low + 10 == p["target.points"]  # ace and ten were never doubled on as 11
            or counted_low not in p["double.totals"]
        ):
            return
        free_total = self.total
        drawn = self.counted[2:]
        fixed = counted_low + hard_total(drawn)
        if (
            reading == "doubled_on"
            and fixed <= p["target.points"] - 10
            and any(VALUE[card] == 1 for card in drawn)
        ):
            fixed += 10
        self.total = fixed
        self.fixed_ace = fixed != free_total


class BankPlay:
    """The bank's hand: the cards that count, its total, and what it did against its obligation."""

    __slots__ = (
        "ace",
        "beyond",
        "cards",
        "may_make_blackjack",
        "natural",
        "open",
        "stopped_below",
        "total",
    )

    def __init__(
        self, cards: tuple[str, ...], must_draw: bool, p: dict[str, object], given: str | None
    ) -> None:
        self.open = cards[0] if cards else None
        self.may_make_blackjack = self.open is None or VALUE[self.open] in (1, 10)
        counted = min(len(cards), 2)
        self.total = best_total(cards[:2])
        self.natural = self.total == p["target.points"]  # two cards make 21 as ace and ten only
        while counted < len(cards) and (
            not bank_stands(cards[:counted], p) or (counted == 2 and cards[2] == given)
        ):
            counted += 1
            self.total = best_total(cards[:counted])
        self.beyond = cards[counted:]
        if p["card.beyond_right"] == "counts" and self.beyond:
            counted = len(cards)
            self.total = best_total(cards)
        self.cards = cards[:counted]
        self.ace = "A" in "".join(self.cards)  # no suit is written A
        self.stopped_below = must_draw and (len(cards) < 2 or not bank_stands(self.cards, p))


class RoundPlay:
    """One round laid out for judging: boxes and hands in order, and who was left for the bank."""

    __slots__ = (
        "_first_stakes",
        "_own_stakes",
        "all_out",
        "bank",
        "boxes",
        "cut_from",
        "face_up_astray",
        "going_back",
        "hands",
        "insured",
        "laid",
        "misdirected",
        "must_draw",
        "naturals_wait",
        "p",
        "paid_decides",
        "principal",
        "record",
        "recorded_limits",
        "rules",
        "shifted",
        "short",
        "taken_out",
        "turned_kept",
        "undealt",
        "upheld",
    )

    def __init__(self, record: RoundPlayed, rules: LawInForce, upheld: frozenset[str]) -> None:
        p = rules.values
        self.record = record
        self._first_stakes: dict[int, FirstStakes] = {}
        self._own_stakes: dict[int, list[tuple[Wager, int | None]]] = {}
        # What goes back as unlawful, where a reading has such stakes go back: the judge's to fill.
        self.going_back: GoingBack | None = None
        # The limits it tells itself; None where it tells those of its game, or none.
        self.recorded_limits = record.limits
        self.rules = rules
        self.p = p
        self.upheld = upheld
        boxes = record.boxes
        self.boxes = boxes if len(boxes) == 1 else tuple(sorted(boxes, key=lambda box: box.number))
        self.hands: list[HandPlay] = []
        self.principal: dict[int, str | None] = {}
        self.undealt: list[tuple[Box, Wager]] = []  # stakes on hands that never had a card
        self.insured = False
        self.laid: list[int] | None = None  # where the cards were laid: filled by `dealing`
        for box in self.boxes:
            self._lay_out(box)
        self._look_who_is_left()
        self.bank = BankPlay(
            record.bank.cards, self.must_draw, p, given_to_standing_bank(record, p)
        )
        self.turned_kept = self.face_up_astray = False
        self.taken_out: tuple[TakenOut, ...] = ()
        # The hands at which a card went astray, or may have: whatever came later could be another.
        self.misdirected: tuple[Place, ...] = ()
        # The hands left with one card, where the law gives them another.
        self.short: tuple[Place, ...] = ()
        # The bank's first card that could be another, because one it had to keep went or may have.
        self.cut_from: int | None = None
        cut_by: list[int] = []
        if any(len(hand.hand.cards) < 2 for hand in self.hands):
            cut_by = self._look_who_lacks_a_card()
            self.cut_from = min(cut_by, default=None)
        if record.misdealt:
            self._look_what_went_astray()
        if record.bank.voided:
            self.taken_out = taken_out(self)
            cut_by += [came.place for one in self.taken_out for came in one.wrong]
            self.cut_from = min(cut_by, default=None)
        # The hands some card of which could be another for a card that went missing.
        self.shifted: frozenset[Place] = frozenset()
        if self.cut_from is not None or self.face_up_astray:
            self.shifted = shifted_hands(self)

    def first_stakes(self, box: Box) -> FirstStakes:
        """Each owner's lowest-numbered stake on the box and what it began with, None if nobody
        recorded.

        Units: cents.
        """
        known = self._first_stakes.get(box.number)
        if known is None:
            known = self._first_stakes[box.number] = {}
            for hand in self.hands:
                if hand.box is box:
                    for wager in hand.wagers:
                        if wager.owner not in known:
                            known[wager.owner] = (wager, first_stake(wager, hand))
        return known

    def own_stakes(self, box: Box) -> list[tuple[Wager, int | None]]:
        """The stakes article 14 speaks of.

        Not those on another player's box nor those on a vacant one, where 15 and 16 do.
        """
        known = self._own_stakes.get(box.number)
        if known is None:
            stakes = self.first_stakes(box)
            others = len(stakes) > 1 or (not box.vacant and box.holder not in stakes)
            if others and not box.vacant and "complementary_stake_lawful" in self.upheld:
                known = [stakes[owner] for owner in stakes if owner == box.holder]
            elif box.vacant and "vacant_stake_multiple_of_minimum" in self.upheld:
                known = []
            else:
                known = list(stakes.values())
            self._own_stakes[box.number] = known
        return known

    def _look_what_went_astray(self) -> None:
        """Which misdealt cards leave somebody without the card that was his."""
        upheld, misdealt = self.upheld, self.record.misdealt
        self.turned_kept = "second_bank_card_face_down" in upheld and any(
            card.at == "bank" and card.fate == "bank" for card in misdealt
        )
        # Where the book sends such a card away it may not be played, elsewhere not be thrown away.
        goes = "face_up_card_out_of_play" in upheld
        self.face_up_astray = any(
            card.at == "shoe" and (card.fate != "discard") == goes for card in misdealt
        )
        self.misdirected += tuple(
            card.at
            for card in misdealt
            if isinstance(card.at, Place) and misdirected(self, card) is not False
        )

    def _look_who_lacks_a_card(self) -> list[int]:
        """Whose second card did not come: all that came later would have been others.

        Returns the bank's first card among them, if any. Law: PT art. 17, 26.
        """
        lacking = [hand for hand in self.hands if len(hand.hand.cards) < 2]
        dealt_one = tuple(hand.place for hand in lacking if not hand.split)
        if dealt_one and "two_cards_to_each_place" in self.upheld:
            self.short = dealt_one
        if "split_hand_asks_a_card" in self.upheld and split_asks(self.p):
            left = tuple(hand.place for hand in lacking if hand.split)
            self.short += left
            self.misdirected += left
        return [1] if self.short and dealt_one else []

    def _lay_out(self, box: Box) -> None:
        hands = {hand.number: HandPlay(box, hand, self.upheld, self.p) for hand in box.hands}
        for wager in box.wagers:
            if wager.kind in STAKED and wager.hand is not None:
                hand = hands.get(wager.hand)
                if hand is not None:
                    hand.wagers.append(wager)
                else:
                    self.undealt.append((box, wager))
            elif wager.kind == "insurance":
                self.insured = True
        self.hands += hands.values() if len(hands) < 2 else [hands[n] for n in sorted(hands)]
        self.principal[box.number] = (
            rightful_decider(box, self.p.get("vacant.tie")) if box.vacant else box.holder
        )

    def _look_who_is_left(self) -> None:
        """Whether the bank must draw: somebody is left whose hand its total decides.

        Law: PT art. 19, 21, 22.
        """
        bank = self.record.bank.cards
        pays_early = (
            self.p.get("blackjack.paid_at_once", False)
            and bool(bank)
            and VALUE[bank[0]] not in (1, 10)
        )
        in_play = waiting = paid_early = False
        for hand in self.hands:
            if not hand.wagers or hand.bust or hand.surrendered:
                continue
            if not hand.natural:
                in_play = True
            elif pays_early:
                paid_early = True
            elif any(wager.kind == "main" for wager in hand.wagers):
                waiting = True
            else:
                paid_early = True  # even money
        # Whether a hand that was paid is still in play is a reading: does all hang on it?
        self.paid_decides = paid_early and not in_play and not waiting
        paid_out = self.p.get("bank.paid_out", "out") if paid_early else "out"
        in_play = in_play or paid_out == "in_play"
        self.all_out = not in_play and not waiting and paid_out == "out"
        self.naturals_wait = not in_play and not self.all_out
        self.must_draw = (
            in_play
            or (waiting and self.p.get("bank.naturals_only") == "must_draw")
            or (self.all_out and self.insured and self.p.get("bank.insurance_open") == "draws")
        )


def split_asks(p: dict[str, object]) -> bool:
    """Whether each hand of a split has to ask for a card. Law: PT art. 26."""
    return bool(p.get("split.asks_a_card") == "one_at_least")


def first_stake(hand_wager: Wager, hand: HandPlay) -> int | None:
    """The stake this wager began with: what lies there, but on a doubled hand what was recorded.

    None where nobody told. Units: cents. Law: PT art. 14, 26, 29 (reading unlawful-stake: a stake
    raised late counts as it lay).
    """
    return hand_wager.initial_cents if hand.doubled else hand_wager.stake_cents


def recorded_stakes(box: Box) -> FirstStakes:
    """What each owner's stake on a box began with, as `first_stake` says, off the record alone."""
    doubled = {hand.number for hand in box.hands if "double" in hand.actions}
    lowest: dict[str, Wager] = {}
    for wager in sorted((w for w in box.wagers if w.kind in STAKED), key=lambda w: w.hand or 0):
        lowest.setdefault(wager.owner, wager)
    return {
        owner: (wager, wager.initial_cents if wager.hand in doubled else wager.stake_cents)
        for owner, wager in lowest.items()
    }


def _largest(box: Box) -> dict[str, Wager] | None:
    """The owners of the largest stake on a vacant box, each with his first; None if not
    recorded.
    """
    stakes = recorded_stakes(box)
    if len(stakes) == 1:
        return {owner: wager for owner, (wager, _) in stakes.items()}
    known = [cents for _, cents in stakes.values() if cents is not None]
    if not known or len(known) < len(stakes):
        return None
    most = max(known)
    return {owner: wager for owner, (wager, cents) in stakes.items() if cents == most}


def is_tied(box: Box) -> bool:
    """Whether several owners have the largest stake on a vacant box. Law: PT art. 16."""
    return len(_largest(box) or ()) > 1


def rightful_decider(box: Box, tie: str | None = None) -> str | None:
    """Whose stake on a vacant box is the largest, the lowest seat among equals; None if not
    recorded.

    Where `tie` leaves the choice to the equals, whoever of them decided. Law: PT art. 16 (reading
    vacant-tie).
    """
    largest = _largest(box)
    if not largest:
        return None
    if len(largest) == 1:
        return next(iter(largest))
    if tie == "any_of_the_equals":
        return box.decided_by if box.decided_by in largest else None
    if any(wager.seat is None for wager in largest.values()):
        return None
    return min(largest, key=lambda owner: (largest[owner].seat or 0, owner))


def stake_of(hand: HandPlay, owner: str) -> Wager | None:
    """The stake of one owner on this hand."""
    return next((wager for wager in hand.wagers if wager.owner == owner), None)
