"""The shoes of a game against whole decks and against the order in which their cards lay before.

Nobody has to have recorded anything amiss: the cards show it. Suspicions, with the rate of their
false alarms: warnings of the house's own, and never a breach of an article. Law: PT art. 3, 8, 53.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from audit.reconcile.across_rounds import Keeper, Round, found_across
from audit.reconcile.weighing import (
    DealtShoe,
    Open,
    Weighed,
    dealt_before,
    shoes_of,
    since_whole,
    weigh_hidden,
    weigh_order,
    weigh_whole,
)
from casino.law.checks.rounds.dealt_order import CARDS_IN_NO_EARLIER_ORDER, Run
from casino.law.checks.rounds.hidden_cards import NOBODY_KNOWS_A_HIDDEN_CARD
from casino.law.checks.rounds.shoe_frequency import (
    SHOES_AS_WHOLE_DECKS,
    Suspected,
    shoes_to_detection,
)
from casino.law.dossier import Dossier
from casino.law.finding import LAWFUL, Breach, Rule, Undecided
from casino.law.questions import breach
from casino.law.rulebook.lacking import about
from casino.law.rulebook.rulebook import Law, LawInForce

WHOLE_RATE: Final = "cards_seen.games_a_false_alarm"
ORDER_RATE: Final = "card_order.shoes_a_false_alarm"
HIDDEN_RATE: Final = "hidden_cards.players_a_false_alarm"
HOLE: Final = "bank.second_card"
# No part of a comparison of laws: no reading bears on it, and earlier games are looked at too.
RULES: Final = (SHOES_AS_WHOLE_DECKS, CARDS_IN_NO_EARLIER_ORDER, NOBODY_KNOWS_A_HIDDEN_CARD)
OF_CARDS: Final = frozenset(rule.name for rule in RULES)
_MOST_SHUFFLES: Final = 100  # of earlier shoes that a finding names
_LACKING: Final[Mapping[Open, str]] = {
    "decks": "decks_of_shoe",
    "mixed": "shoe_mixed_again",
    "rounds": "rounds_of_shoe",
    "changed": "shoe_changed",
    "order": "order_of_cards",
    "faces": "faces_of_cards",
}


def look_at_shoes(
    dossier: Dossier, rounds: Sequence[Round], laws: Sequence[Law | None], keeper: Keeper
) -> None:
    """Ask of each shoe of a game whether it shows whole decks, well shuffled, under its law."""
    law_of = {recorded.event.round: law for recorded, law in zip(rounds, laws, strict=True)}
    in_force = {}
    shoes = shoes_of(dossier)
    for shoe in shoes:
        first = shoe.rounds[0]
        law = law_of.get(first.event.round)
        rules = None if law is None else law.on(first.gaming_day)
        if rules is not None:
            in_force[shoe.number] = rules
            if _asks(rules, CARDS_IN_NO_EARLIER_ORDER, ORDER_RATE):
                _order(shoe, dealt_before(shoe, shoes), rules, keeper)
    for shoe in {one.decks: one for one in shoes}.values():  # the last of each set of decks
        rules = in_force.get(shoe.number)
        if rules is not None and _asks(rules, SHOES_AS_WHOLE_DECKS, WHOLE_RATE):
            _whole(dossier, shoe, rules, keeper)
    rules = next(iter(in_force.values()), None)
    if rules is not None and _asks(rules, NOBODY_KNOWS_A_HIDDEN_CARD, HIDDEN_RATE):
        _hidden(shoes, rules, keeper)


def _asks(rules: LawInForce, rule: Rule, rate: str) -> bool:
    return rules.article_of(rule.name) is not None and rules.states(rate)


def _order(
    shoe: DealtShoe, shoe_before: DealtShoe | None, rules: LawInForce, keeper: Keeper
) -> None:
    rule, rate = CARDS_IN_NO_EARLIER_ORDER, rules[ORDER_RATE]
    if shoe.order_open is not None:
        _open(rule, shoe.order_open, shoe, rules, keeper)
        return
    weighed = weigh_order(shoe, shoe_before, rate)
    if weighed.reached is None:
        if weighed.points:
            keeper.count(rules.rulebook, [(rule.name, LAWFUL)])
        else:
            _open(rule, "decks", shoe, rules, keeper)
        return
    run = weighed.what
    assert isinstance(run, Run)
    shown_by = _dealt_within(shoe, run, weighed)
    observed = {
        "lay_in": run.whose,
        "from_its_end": run.backwards,
        "passes_like": run.riffles,
        "from_card": run.first + 1,
        "to_card": run.last + 1,
        "likelier": weighed.reached.strength,
    }
    expected = {"shoes_a_false_alarm": rate}
    found = breach(observed, expected, *shown_by, *shoe.prepared[:1], where={"shoe": shoe.number})
    found_across(keeper, rule, found, rules, weighed.reached.recorded)


def _dealt_within(shoe: DealtShoe, run: Run, weighed: Weighed) -> list[Round]:
    """The rounds in which the stretch was dealt, until it was suspected."""
    assert weighed.reached is not None
    dealt, found = 0, []
    for recorded in shoe.rounds:
        dealt += len(recorded.event.dealt or ())
        if dealt > run.first:
            found.append(recorded)
        if recorded is weighed.reached.recorded:
            break
    return found


def _whole(dossier: Dossier, last_shoe: DealtShoe, rules: LawInForce, keeper: Keeper) -> None:
    """The shoes of one set of decks up to the last one of this game."""
    rule, rate = SHOES_AS_WHOLE_DECKS, rules[WHOLE_RATE]
    shoes = since_whole(last_shoe, (*dossier.earlier, dossier))
    here = [shoe for shoe in shoes if shoe.partida == dossier.partida]
    weighed = weigh_whole(shoes, rate)
    if weighed.reached is not None:
        found, recorded = _suspected(shoes, here[0].rounds[0], weighed, rate)
        found_across(keeper, rule, found, rules, recorded)
        return
    # What one shoe leaves open, an earlier one too, may be what would have shown it.
    why = next((shoe for shoe in shoes if shoe.open is not None), None)
    for _ in here:
        if why is None or why.open is None:
            keeper.count(rules.rulebook, [(rule.name, LAWFUL)])
        else:
            _open(rule, why.open, why, rules, keeper)


def _suspected(
    shoes: Sequence[DealtShoe], first_here: Round, weighed: Weighed, rate: int
) -> tuple[Breach, Round]:
    """What is found, and of which round: of the first here, where it was suspected in an earlier
    game and the same decks are dealt from again.
    """
    suspected, reached = weighed.what, weighed.reached
    assert isinstance(suspected, Suspected)
    assert reached is not None
    observed: dict[str, object] = {
        "missing_card": suspected.card,
        "times_seen": suspected.times,
        "cards_seen": suspected.cards,
        "shoes_seen": suspected.shoes,
        "likelier": reached.strength,
    }
    expected: dict[str, object] = {
        "expected_times": suspected.expected,
        "games_a_false_alarm": rate,
    }
    counted = [shoe.seen for shoe in shoes if shoe.open is None]
    usual, _ = shoes_to_detection(len(shoes[0].decks), sum(counted) // len(counted), rate)
    if usual is not None:
        expected["shoes_until_suspected"] = usual
    recorded, shown_by = reached.recorded, [reached.recorded]
    if recorded.event.partida != first_here.event.partida:
        observed["suspected_in"] = recorded.event.partida
        recorded, shown_by = first_here, [first_here, recorded]
    shuffles = [one for shoe in shoes for one in shoe.prepared[:1]][-_MOST_SHUFFLES:]
    return breach(observed, expected, *shown_by, *shuffles), recorded


def _hidden(shoes: Sequence[DealtShoe], rules: LawInForce, keeper: Keeper) -> None:
    """Everybody's stakes and decisions at the shoes of this game."""
    rule, rate = NOBODY_KNOWS_A_HIDDEN_CARD, rules[HIDDEN_RATE]
    knowing = weigh_hidden(shoes, rate, hole=rules[HOLE] == "face_down")
    for owner, (recorded, known) in sorted(knowing.reached.items()):
        observed = {
            "decided_by_what": known.by,
            "decisions": known.decisions,
            "right": known.right,
            "likelier": known.strength,
        }
        expected = {"expected_right": known.expected, "players_a_false_alarm": rate}
        found = breach(observed, expected, recorded, where={"owner": owner})
        found_across(keeper, rule, found, rules, recorded)
    why = next((shoe for shoe in shoes if shoe.order_open is not None), None)
    if why is not None and why.order_open is not None:
        _open(rule, why.order_open, why, rules, keeper)
        return
    unsuspected = knowing.known.keys() - knowing.reached.keys()
    keeper.count(rules.rulebook, [(rule.name, LAWFUL)] * len(unsuspected))


def _open(rule: Rule, why: Open, shoe: DealtShoe, rules: LawInForce, keeper: Keeper) -> None:
    lacks = about(Undecided(_LACKING[why]), shoe.rounds[0])
    keeper.count(rules.rulebook, [(rule.name, lacks)])
