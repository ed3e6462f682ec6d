"""Article 3 over the cards of a partida: none more often than its decks hold it.

What a shoe held is known where its decks are told: the opening's and those shuffled for it, and
every card exchanged besides. Cards dealt from a shuffler go back, so there only those are certain
that lay outside it at one time; over the evening they are held against what whole decks give, which
raises a suspicion and never a breach. Law: PT art. 3; 59 and 60 for what lies outside.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from audit.reconcile.across_rounds import Keeper, Round, found_across
from casino.events.deck_life import CardReplaced
from casino.events.floor_life import RoundsDeferred
from casino.events.partidas import PartidaOpened
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import CardsShuffled, CardsSpread
from casino.events.shufflers import ShufflerLoaded
from casino.law.check_registry import ALL_CHECKS
from casino.law.checks.rounds.card_frequency import CARDS_AS_WHOLE_DECKS, CardWatch, Suspected
from casino.law.dossier import Dossier, in_time
from casino.law.finding import LAWFUL, UNDECIDED
from casino.law.partida_context import in_place
from casino.law.questions import breach
from casino.law.rounds.card_population import ShoeCards, cards_of, known
from casino.law.rulebook.rulebook import Law, LawInForce

CARD_WITHIN_DECKS: Final = "card_within_decks"
RATE: Final = "cards_seen.games_a_false_alarm"
_SUITS: Final = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}

Judged = tuple[Round, Law | None]


class Held(NamedTuple):
    """The decks a partida is known to have had: by its opening, by shoe, by any load."""

    opened: frozenset[str]
    shoes: dict[int, frozenset[str]]
    loaded: frozenset[str]
    exchanged: Counter[str]
    mixed_again: frozenset[int]  # shoes shuffled or laid out again after a round of theirs

    @classmethod
    def by(cls, dossier: Dossier) -> "Held":
        """As a partida's entries tell it."""
        shoes: dict[int, frozenset[str]] = {}
        for shuffled in dossier.of(CardsShuffled):
            decks = frozenset(each.deck for each in shuffled.event.decks)
            shoes[shuffled.event.shoe] = shoes.get(shuffled.event.shoe, frozenset()) | decks
        return cls(
            frozenset(
                each.deck for recorded in dossier.of(PartidaOpened) for each in recorded.event.decks
            ),
            shoes,
            frozenset(
                deck for recorded in dossier.of(ShufflerLoaded) for deck in recorded.event.decks
            ),
            Counter(recorded.event.card for recorded in dossier.of(CardReplaced)),
            frozenset(_mixed_again(dossier)),
        )

    def most(self, shoe: int | None, otherwise: int) -> int:
        """How many decks there may have been in a shoe, or in the shuffler where it is None."""
        there = self.loaded if shoe is None else self.shoes.get(shoe, frozenset())
        return len(self.opened | there) or otherwise


def look_at_cards(
    dossier: Dossier, rounds: Sequence[Round], laws: Sequence[Law | None], keeper: Keeper
) -> None:
    """Ask article 3 of the rounds of a partida, each under its law."""
    opened = next(iter(dossier.of(PartidaOpened)), None)
    judged = sorted(zip(rounds, laws, strict=True), key=lambda each: in_place(each[0]))
    held = Held.by(dossier)
    if opened is None or opened.event.dealing == "shoe":
        _in_shoes(judged, held, keeper)
        return
    _out_at_once(dossier, judged, held, keeper)
    _as_whole_decks(dossier, judged, held, keeper)


def _mixed_again(dossier: Dossier) -> Iterator[int]:
    """The shoes whose cards were mixed anew under the number they had."""
    first: dict[int, datetime] = {}
    for recorded in dossier.of(RoundPlayed):
        if recorded.event.shoe is not None:
            at = first.setdefault(recorded.event.shoe, recorded.occurred_at)
            first[recorded.event.shoe] = min(at, recorded.occurred_at)
    mixed = [(recorded.event.shoe, recorded.occurred_at) for recorded in dossier.of(CardsShuffled)]
    spread = [(recorded.event.shoe, recorded.occurred_at) for recorded in dossier.of(CardsSpread)]
    for shoe, at in (*mixed, *spread):
        if shoe in first and at > first[shoe]:
            yield shoe


def _in_shoes(judged: Iterable[Judged], held: Held, keeper: Keeper) -> None:
    """Shoe by shoe: what was dealt does not come again before the next shuffle."""
    seen = ShoeCards()
    undecided: set[tuple[str, int]] = set()
    for recorded, law in judged:
        rules, shoe = _in_force(law, recorded, CARD_WITHIN_DECKS), recorded.event.shoe
        if rules is None or shoe is None:
            continue
        if shoe in held.mixed_again:
            if (rules.rulebook, shoe) not in undecided:
                undecided.add((rules.rulebook, shoe))
                keeper.count(rules.rulebook, [(CARD_WITHIN_DECKS, UNDECIDED)])
            continue
        largest = max(rules["decks.allowed"])
        most = held.most(shoe, largest)
        partida, cards = recorded.event.partida, cards_of(recorded.event)
        for excess in seen.add(partida, shoe, cards, most, held.exchanged, alone=largest):
            observed = {"card": excess.card, "times_in_shoe": excess.times}
            expected = {"at_most": most + held.exchanged[excess.card]}
            found = breach(observed, expected, recorded, where={"shoe": shoe})
            found_across(keeper, ALL_CHECKS[CARD_WITHIN_DECKS], found, rules, recorded)


def _out_at_once(dossier: Dossier, judged: Sequence[Judged], held: Held, keeper: Keeper) -> None:
    """What lay outside the shuffler at one time: put off together, or put back after others."""
    by_round = {recorded.event.round: (recorded, law) for recorded, law in judged}
    groups = [
        [by_round[name] for name in deferred.event.rounds if name in by_round]
        for deferred in sorted(dossier.of(RoundsDeferred), key=in_time)
    ]
    reported: set[str] = set()
    for group in (*groups, *_overlapping(judged)):
        if len(group) < 2:
            continue
        first, law = group[0]
        rules = _in_force(law, first, CARD_WITHIN_DECKS)
        if rules is None:
            continue
        largest = max(rules["decks.allowed"])
        most = held.most(None, largest)
        counted = Counter(card for recorded, _ in group for card in cards_of(recorded.event))
        for card, times in sorted(counted.items()):
            most_of_it = most + held.exchanged[card]
            if times <= most_of_it or not known(card) or card in reported:
                continue
            showing = [recorded for recorded, _ in group if card in cards_of(recorded.event)]
            if len(showing) > 1 or times <= largest:  # else the round's own finding
                reported.add(card)
                observed = {"card": card, "times_out_at_once": times}
                found = breach(observed, {"at_most": most_of_it}, *showing)
                found_across(keeper, ALL_CHECKS[CARD_WITHIN_DECKS], found, rules, showing[0])


def _overlapping(judged: Sequence[Judged]) -> Iterator[list[Judged]]:
    """Rounds that were dealt whole before an earlier one's cards were put back."""
    waiting: list[tuple[datetime, Judged]] = []
    timed = []
    for each in judged:
        times = each[0].event.times
        over = None if times is None else times.collected or times.paid
        if times is not None and over is not None and times.inserted is not None:
            timed.append((over, each[0].n, times.inserted, each))
    for over, _, inserted, each in sorted(timed, key=lambda one: one[:2]):
        waiting = [one for one in waiting if one[0] > over]
        waiting.append((inserted, each))
        if len(waiting) > 1:
            yield [one for _, one in waiting]


def _as_whole_decks(dossier: Dossier, judged: Sequence[Judged], held: Held, keeper: Keeper) -> None:
    """Over the evening: whether the cards come as often as whole decks give them."""
    watches: dict[str, CardWatch | None] = {}
    loads = sorted(dossier.of(ShufflerLoaded), key=in_time)
    for recorded, law in judged:
        rules = _in_force(law, recorded, CARDS_AS_WHOLE_DECKS.name)
        if rules is None or not rules.states(RATE):
            continue
        rate, rulebook = rules[RATE], rules.rulebook
        if rulebook not in watches:
            watches[rulebook] = CardWatch(rate)
        watch = watches[rulebook]
        if watch is None:
            continue
        before = [one for one in loads if one.occurred_at <= recorded.occurred_at]
        decks = len(before[-1].event.decks) if before else len(held.opened)
        if not decks:  # nobody recorded of how many decks: nothing can be expected of them
            watches[rulebook] = None
            keeper.count(rulebook, [(CARDS_AS_WHOLE_DECKS.name, UNDECIDED)])
            continue
        suspected = watch.add(cards_of(recorded.event), decks)
        if suspected is not None:
            watches[rulebook] = None
            shown_by = (recorded, *before[-1:], *dossier.of(PartidaOpened)[:1])
            expected = {"expected_times": suspected.expected, "games_a_false_alarm": rate}
            found = breach(_observed(suspected), expected, *shown_by)
            found_across(keeper, CARDS_AS_WHOLE_DECKS, found, rules, recorded)
    for rulebook, watch in watches.items():
        if watch is not None:
            keeper.count(rulebook, [(CARDS_AS_WHOLE_DECKS.name, LAWFUL)])


def _observed(suspected: Suspected) -> dict[str, object]:
    """What came, in the words of findings."""
    of: dict[str, object]
    if suspected.kind == "card":
        of = {"card": suspected.group}
    elif suspected.kind == "suit":
        of = {"suit": _SUITS[suspected.group]}
    else:
        rank = "10" if suspected.group == "T" else suspected.group
        of = {"rank": "ten-valued" if suspected.kind == "tens" else rank}
    return of | {"times_seen": suspected.times, "cards_seen": suspected.cards}


def _in_force(law: Law | None, recorded: Round, check: str) -> LawInForce | None:
    """The law a round is asked a check under; None where it is not."""
    rules = None if law is None else law.on(recorded.gaming_day)
    if rules is None or rules.article_of(check) is None or not rules.states("decks.allowed"):
        return None
    return rules
