"""A round dealt anew as the law would have dealt it, from its cards in the order they came.

Where a card was wrongly taken from or given to the bank or a hand, and the order is recorded, the
cards that lay and those that should have lain are the same ones. They are laid again: what the law
puts away is left out, each place gets its card in turn, and a player's decisions hold as long as
he held the same cards against the same open card. Where he would have decided on other cards nobody
knows how many he would have taken, and what comes after is not known either.

Law: PT art. 17, 18, 19, 22 (reading unknown-outcome, its choice as_the_law_deals).
"""

from dataclasses import replace
from typing import NamedTuple

from casino.cards import Card, best_total, is_blackjack
from casino.events.round.round_played import Action, Bank, Box, Dealt, Hand, Place
from casino.law.checks.rounds.dealing import dealt_in_order, players_asked_in_order
from casino.law.finding import Breach
from casino.law.rounds.bank_total import bank_stands
from casino.law.rounds.play import HandPlay, RoundPlay
from casino.law.rounds.taken_out import FACE_UP, dealt_to_the_bank

Out = tuple[int, Card]  # a card and its place in the order in which all left the shoe


class LawfulDeal(NamedTuple):
    """The round as the law deals it, and the hands whose cards nobody can know."""

    play: RoundPlay
    unknown: frozenset[Place]

    def hand(self, place: Place) -> HandPlay | None:
        """The hand at that place; None where its cards are not known."""
        if place in self.unknown:
            return None
        return next(hand for hand in self.play.hands if hand.place == place)


def lawful_deal(play: RoundPlay) -> LawfulDeal | None:
    """The round dealt anew; None where the record does not tell how its cards came.

    Only of a round whose cards otherwise came in the order of the law.
    """
    dealt = play.record.dealt
    if dealt is None or _out_of_order(play):
        return None
    away = _put_away(play, dealt)
    if away is None:
        return None
    return _Table(play, dealt, away).deal()


def _out_of_order(play: RoundPlay) -> bool:
    checks = dealt_in_order, players_asked_in_order
    return any(isinstance(check(play), Breach) for check in checks)


def _put_away(play: RoundPlay, dealt: tuple[Dealt, ...]) -> frozenset[int] | None:
    """The cards the law puts away, by their places in the order; None where it is not clear."""
    away: set[int | None] = set()
    for stray in play.record.misdealt:
        to: Place | str = stray.to if stray.to is not None else stray.fate
        at = _only(dealt, stray.card, to)
        if stray.at == "bank":
            away.add(at)  # the turned second card, which the bank kept
        elif stray.at == "shoe":
            away |= {at} if FACE_UP in play.upheld else set()
        elif stray.seen is None:
            return None
        else:
            away |= {at} if stray.seen else set()
    for one in play.taken_out:
        may_go = set(one.places.values())
        if len(may_go) != 1 or None in may_go:
            return None
        at = _only(dealt, one.card, "bank")
        if at is None:
            return None
        away |= {at} if True in may_go else set()
    for hand in play.hands:
        if hand.beyond and play.p["card.beyond_right"] == "void":
            own = [n for n, one in enumerate(dealt) if one.to == hand.place]
            if hand.split or [dealt[n].card for n in own] != list(hand.hand.cards):
                return None
            away |= {own[place] for place, _ in hand.beyond}
    return None if None in away else frozenset(at for at in away if at is not None)


def _only(dealt: tuple[Dealt, ...], card: Card, to: Place | str) -> int | None:
    """Where in the order that card came to that place; None where two alike did, or none."""
    found = [n for n, one in enumerate(dealt) if one.card == card and one.to == to]
    return found[0] if len(found) == 1 else None


def _as_asked(hand: Hand) -> Hand:
    """The hand without a card nobody asked for."""
    asked = sum(action in ("hit", "double") for action in hand.actions)
    return replace(hand, cards=hand.cards[: 2 + asked])


class _Table:
    """The cards of the shoe laid one after another, in the order of the law."""

    def __init__(self, play: RoundPlay, dealt: tuple[Dealt, ...], away: frozenset[int]) -> None:
        self.play = play
        self.dealt = dealt
        self.away = away
        self.shoe: list[Out] = [(n, c.card) for n, c in enumerate(dealt) if n not in away]
        self.next = 0
        self.lost = False  # whether nobody knows which card is the next
        self.unknown: set[Place] = set()

    def deal(self) -> LawfulDeal | None:
        """The whole round, None where not even its first cards are all told."""
        play = self.play
        boxes = [box for box in play.boxes if box.hands]
        twice = dealt_to_the_bank(play) == 2
        if len(self.shoe) < 2 * len(boxes) + 1 + twice:
            return None
        first = [self._take() for _ in boxes]
        bank = [self._take()]
        second = [self._take() for _ in boxes]
        bank += [self._take()] if twice else []
        if [bank[0][1]] != list(play.record.bank.cards[:1]):
            return None  # against another open card everybody would have decided otherwise
        hands: dict[int, tuple[Hand, ...]] = {}
        for box, one, other in zip(boxes, first, second, strict=True):
            hands[box.number] = self._box(box, [one, other])
        listed = [
            replace(
                box,
                hands=tuple(replace(h, surrendered_at=None) for h in laid),
                wagers=tuple(
                    replace(w, taken_at=None) if w.taken_at is not None else w for w in box.wagers
                ),
            )
            for box in play.record.boxes
            for laid in (hands.get(box.number, box.hands),)
        ]
        in_play = any(self._waits(hand) for box in listed for hand in box.hands)
        cards = self._bank([card for _, card in bank], in_play=in_play)
        opened = play.record.bank.open
        record = replace(
            play.record,
            boxes=tuple(listed),
            bank=Bank(cards, (), None if opened is None else opened[:1]),
            misdealt=(),
            dealt=None,
            warning_card_at=None,
        )
        return LawfulDeal(RoundPlay(record, play.rules, play.upheld), frozenset(self.unknown))

    def _take(self) -> Out:
        out = self.shoe[self.next]
        self.next += 1
        return out

    def _waits(self, hand: Hand) -> bool:
        """Whether a hand may wait for the bank: it is no blackjack, not over and not given up."""
        over = best_total(hand.cards) > self.play.p["target.points"]
        return not over and not is_blackjack(hand.cards) and "surrender" not in hand.actions

    def _box(self, box: Box, opening: list[Out]) -> tuple[Hand, ...]:
        """The hands of a box: as they were played, where their cards are the same ones."""
        places = {Place(box.number, hand.number) for hand in box.hands}
        came = [n for n, one in enumerate(self.dealt) if one.to in places]
        drawn = [n for n in came[2:] if n not in self._beyond(box)]
        same = [self.dealt[n].card for n in came[:2]] == [c for _, c in opening]
        asked = sum(action in ("hit", "double") for hand in box.hands for action in hand.actions)
        asked += 2 * len(box.hands) - 2 - len(came[2:])
        if same and not asked and drawn == self._ahead(len(drawn)):
            self.next += len(drawn)
            return box.hands
        (hand, *others) = box.hands
        anew = None
        if not others and is_blackjack([card for _, card in opening]):
            anew = replace(hand, cards=tuple(card for _, card in opening), actions=())
        elif not others and same and not self.lost:
            anew = self._follow(hand, [card for _, card in opening])
        if anew is not None:
            return (anew,)
        self.unknown |= places
        self.lost = True
        return tuple(_as_asked(hand) for hand in box.hands)

    def _beyond(self, box: Box) -> set[int]:
        """What came to the box without right and counts for nothing."""
        void = {n for n in self.away if self.dealt[n].to != "bank"}
        strays = self.play.record.misdealt
        given = {_only(self.dealt, one.card, one.to) for one in strays if one.to is not None}
        return void - given

    def _ahead(self, count: int) -> list[int] | None:
        """The next cards' places in the order; none where nobody knows which they are."""
        if not count:
            return []
        return None if self.lost else [n for n, _ in self.shoe[self.next : self.next + count]]

    def _follow(self, hand: Hand, cards: list[Card]) -> Hand | None:
        """The hand's decisions one after another while it held the same cards.

        A card that takes it over 21, to 21 or that follows a double leaves nothing to decide.
        """
        p, began = self.play.p, self.next
        actions: list[Action] = []
        for action in hand.actions:
            if tuple(cards) != hand.cards[: len(cards)]:
                break
            actions.append(action)
            if action in ("stand", "surrender"):
                continue
            if self.next == len(self.shoe):
                return None
            cards.append(self._take()[1])
            total = best_total(cards)
            ended = total > p["target.points"] or total == p.get("hit.until")
            if ended or action == "double":
                return replace(hand, cards=tuple(cards), actions=tuple(actions))
        else:
            if tuple(cards) == hand.cards:
                return replace(hand, actions=tuple(actions))
        self.next = began
        return None

    def _bank(self, cards: list[Card], *, in_play: bool) -> tuple[Card, ...]:
        """The bank's cards as far as they are known: the first two, and those it draws."""
        shown = in_play or self.play.insured
        if len(cards) < 2 and not self.lost and shown and self.next < len(self.shoe):
            cards.append(self._take()[1])
        while (
            in_play
            and not self.lost
            and len(cards) > 1
            and not bank_stands(cards, self.play.p)
            and self.next < len(self.shoe)
        ):
            cards.append(self._take()[1])
        return tuple(cards)
