"""The cards of shoes against what is recorded of them: how strongly they speak, round by round.

Pure. A shoe is held against whole decks together with the shoes that were dealt from the same decks
before it, in earlier games too, and by itself against the orders in which its cards lay before.
What a person wrote of a deck that was whole proves nothing here: it is what is held against the
cards. What is recorded of a deck that was not whole, and a card exchanged, begin the count anew.

A shoe that leaves something open is not weighed; why is said. So a record that is dropped never
makes a suspicion smaller than not decidable. Law: PT art. 3, 8, 9, 53.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal, NamedTuple

from audit.reconcile.across_rounds import Round, first_recorded
from audit.reconcile.cards_seen import Held
from casino.events.deck_life import CardReplaced, DeckWithdrawn
from casino.events.decks import DeckInspected
from casino.events.partidas import PartidaClosed, PartidaOpened
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import CardsShuffled
from casino.law.checks.rounds.dealt_order import Hands, OrderWatch, Run, orders_of
from casino.law.checks.rounds.hidden_cards import HiddenWatch, Known
from casino.law.checks.rounds.shoe_frequency import ShoeWatch, Suspected
from casino.law.dossier import Dossier, RecordedEvent
from casino.law.partida_context import in_place
from casino.law.rounds.card_population import cards_of, known

# Why a shoe is not weighed: `decks` how many it held, `mixed` its cards were mixed again under its
# number, `rounds` one of them is missing or has no number, `changed` a card of it was exchanged
# meanwhile; for the order alone: `order` in which its cards came, `faces` of some cards.
Open = Literal["decks", "mixed", "rounds", "changed", "order", "faces"]
MOST_SHOES: Final = 400  # of the same decks that are weighed together; then the count begins anew


class Point(NamedTuple):
    """How strongly the cards speak behind a round: so many times likelier than lawfully."""

    recorded: Round
    strength: int


@dataclass(slots=True, eq=False)
class DealtShoe:
    """A shoe as it was dealt: of which game and decks, its rounds in their order, why it is open.

    `prepared` are the records of its shuffles.
    """

    partida: str
    number: int
    decks: frozenset[str]
    rounds: list[Round]
    prepared: list[RecordedEvent[CardsShuffled]]
    open: Open | None = None

    @property
    def seen(self) -> int:
        """How many of its cards were seen."""
        return sum(len(cards_of(one.event)) for one in self.rounds)

    @property
    def order_open(self) -> Open | None:
        """Why nothing can be said of the order of its cards; None where it can."""
        if self.open is not None:
            return self.open
        if any(one.event.dealt is None for one in self.rounds):
            return "order"
        cards = (card for one in self.rounds for card in cards_of(one.event))
        return None if all(map(known, cards)) else "faces"

    def hands(self) -> Hands:
        """Its cards as they lie on the pile of discards: round by round, hand by hand."""
        laid = []
        for recorded in self.rounds:
            event = recorded.event
            hands: list[Sequence[str]] = [hand.cards for box in event.boxes for hand in box.hands]
            hands.append(event.bank.cards)
            hands += [(one.card,) for one in event.bank.voided]
            hands += [(one.card,) for one in event.misdealt if one.fate == "discard"]
            laid.append(hands)
        return laid


@dataclass(slots=True, eq=False)
class Weighed:
    """The course of a suspicion: its `points`, and the first that reached the bound, if one did.

    `what` is what was suspected there, else what is likeliest at the end.
    """

    points: list[Point] = field(default_factory=list)
    reached: Point | None = None
    what: Suspected | Run | None = None

    def mark(self, point: Point, one_in: int, what: Callable[[], Suspected | Run | None]) -> None:
        """Keep the first point that reaches the bound, and what is suspected there."""
        if self.reached is None and point.strength >= one_in:
            self.reached, self.what = point, what()


def shoes_of(dossier: Dossier) -> list[DealtShoe]:
    """The shoes of a game in the order in which they were dealt; none where a shuffler deals."""
    opened = next(iter(dossier.of(PartidaOpened)), None)
    if opened is not None and opened.event.dealing != "shoe":
        return []
    held = Held.by(dossier)
    dealt: dict[int, list[Round]] = defaultdict(list)
    played = first_recorded(dossier.of(RoundPlayed))[0]
    for recorded in sorted(played, key=in_place):
        if recorded.event.shoe is not None:
            dealt[recorded.event.shoe].append(recorded)
    shuffles = dossier.of(CardsShuffled)
    shoes = [
        DealtShoe(
            dossier.partida,
            number,
            held.shoes.get(number) or held.opened,
            rounds,
            [one for one in shuffles if one.event.shoe == number],
        )
        for number, rounds in sorted(dealt.items())
    ]
    closed = dossier.of(PartidaClosed)
    all_there = not closed or closed[-1].event.rounds in (None, len(played))
    for place, shoe in enumerate(shoes):
        follows = shoe.number == (shoes[place - 1].number if place else 0) + 1
        shoe.open = _why_open(shoe, held) or (None if follows and all_there else "rounds")
    return shoes


def _why_open(shoe: DealtShoe, held: Held) -> Open | None:
    if not shoe.decks:
        return "decks"
    if shoe.number in held.mixed_again:
        return "mixed"
    numbers = [one.event.number for one in shoe.rounds]
    return None if numbers == list(range(1, len(numbers) + 1)) else "rounds"


def weigh_whole(shoes: Sequence[DealtShoe], one_in: int) -> Weighed:
    """The shoes of the same decks, in their order, against whole decks."""
    weighed = Weighed()
    watch = ShoeWatch(len(shoes[0].decks)) if shoes else None
    for shoe in shoes:
        assert watch is not None
        if shoe.open is not None:
            continue
        for recorded in shoe.rounds:
            watch.add(cards_of(recorded.event))
            point = Point(recorded, watch.strength)
            weighed.points.append(point)
            weighed.mark(point, one_in, watch.suspected)
        watch.next_shoe()
    if watch is not None and weighed.reached is None and weighed.points:
        weighed.what = watch.suspected()
    return weighed


def weigh_order(shoe: DealtShoe, shoe_before: DealtShoe | None, one_in: int) -> Weighed:
    """A shoe against the order its cards had: `shoe_before` is the last one of its decks."""
    weighed = Weighed()
    if shoe.order_open is not None:
        return weighed
    lay = shoe_before.hands() if shoe_before is not None else ()
    watch = OrderWatch(len(shoe.decks), orders_of(lay))
    for recorded in shoe.rounds:
        for dealt in recorded.event.dealt or ():
            watch.add(dealt.card)
            if weighed.reached is None:
                weighed.mark(Point(recorded, watch.strength), one_in, watch.run)
        weighed.points.append(Point(recorded, watch.strength))
    if not watch.whole:  # not dealt from whole decks: nothing is known of its order
        return Weighed()
    if weighed.reached is None:
        weighed.what = watch.run()
    return weighed


@dataclass(slots=True, eq=False)
class Knowing:
    """What the decisions of each person at a game's shoes came to, and how strongly the strongest
    spoke behind each round. `reached` is for whom and where the bound was reached.
    """

    points: list[Point] = field(default_factory=list)
    known: Mapping[str, Known] = field(default_factory=dict)
    reached: dict[str, tuple[Round, Known]] = field(default_factory=dict)


def weigh_hidden(shoes: Iterable[DealtShoe], one_in: int, *, hole: bool) -> Knowing:
    """Everybody's stakes and decisions at the shoes of a game whose order is known; `hole` where
    the bank's second card lies face down.
    """
    knowing, watch = Knowing(), HiddenWatch(hole=hole)
    for shoe in shoes:
        if shoe.order_open is not None:
            continue
        watch.next_shoe(len(shoe.decks))
        for recorded in shoe.rounds:
            watch.add(recorded.event)
            knowing.known = watch.of()
            strengths = [one.strength for one in knowing.known.values()]
            knowing.points.append(Point(recorded, max(strengths, default=0)))
            for owner, one in knowing.known.items():
                if one.strength >= one_in:
                    knowing.reached.setdefault(owner, (recorded, one))
    return knowing


def since_whole(shoe: DealtShoe, dossiers: Iterable[Dossier]) -> list[DealtShoe]:
    """The shoes dealt from the decks of one until it ended, itself the last, since anything was
    recorded that changed these decks; `dossiers` are those of all games that had any of them.

    A shoe during which a card of its was exchanged is open.
    """
    dossiers = list(dossiers)
    changes = sorted(_changes(dossiers, shoe.decks))
    same = [
        one
        for game in dossiers
        for one in shoes_of(game)
        if one.decks == shoe.decks and _ended(one) <= _ended(shoe)
    ]
    found: list[DealtShoe] = []
    for one in sorted(same, key=lambda one: _span(one)[0]):
        first, last = _span(one)
        before = _ended(found[-1]) if found else None
        if before is not None and any(before < at <= first for at in changes):
            found = []
        if any(first < at < last for at in changes):
            one.open = "changed"
        found.append(one)
    return found[len(found) - 1 - (len(found) - 1) % MOST_SHOES :] if found else []


def _span(shoe: DealtShoe) -> tuple[datetime, datetime]:
    moments = [one.occurred_at for one in shoe.rounds]
    return min(moments), max(moments)


def _ended(shoe: DealtShoe) -> datetime:
    return _span(shoe)[1]


def _changes(dossiers: Sequence[Dossier], decks: frozenset[str]) -> Iterator[datetime]:
    """When a card of these decks was exchanged, or one of them was not found whole, or left."""
    for game in dossiers:
        for exchanged in game.anywhere(CardReplaced):
            if exchanged.event.deck in decks:
                yield exchanged.occurred_at
        for inspected in (*game.anywhere(DeckInspected), *game.house_of(DeckInspected)):
            if inspected.event.deck in decks and inspected.event.result != "conform":
                yield inspected.occurred_at
        for withdrawn in game.anywhere(DeckWithdrawn):
            if withdrawn.event.deck in decks:
                yield withdrawn.occurred_at


def dealt_before(shoe: DealtShoe, shoes: Sequence[DealtShoe]) -> DealtShoe | None:
    """The shoe of a game that was dealt last before one from any of its decks."""
    before = [one for one in shoes if one.decks & shoe.decks and one.number < shoe.number]
    return before[-1] if before else None
