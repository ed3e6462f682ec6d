"""What only several rounds of one shoe show: a round after the last.

The same question as over a file (`audit.rounds_file.run`), asked of a partida whole, so nothing has
to be remembered from one to the next. Which cards came is `cards_seen`'s matter. Law: PT art. 11.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from casino.events.round.round_played import RoundPlayed
from casino.law.dossier import RecordedEvent
from casino.law.finding import FOUND, UNDECIDED, Breach, Finding, Rule
from casino.law.questions import breach
from casino.law.raising import raised
from casino.law.rulebook.lacking import about
from casino.law.rulebook.rulebook import Law, LawInForce
from casino.law.shoe_rounds import NO_ROUND_AFTER_THE_LAST, ShoeKey, Turn, judge_shoe

Round = RecordedEvent[RoundPlayed]


class Keeper(Protocol):
    """Who keeps what was found and counts what was answered."""

    def count(self, rulebook: str, outcomes: Sequence[tuple[str, str]]) -> None:
        """Count answers."""

    def keep(self, findings: Sequence[Finding]) -> None:
        """Keep findings."""


def first_recorded(rounds: Sequence[Round]) -> tuple[list[Round], list[tuple[Round, Round]]]:
    """The first record of each round, and every later one of the same with the first."""
    first: dict[str, Round] = {}
    repeated = []
    for recorded in rounds:
        known = first.setdefault(recorded.event.round, recorded)
        if known is not recorded:
            repeated.append((known, recorded))
    return list(first.values()), repeated


def look_across(rounds: Sequence[Round], laws: Sequence[Law | None], keeper: Keeper) -> None:
    """Ask article 11 of the rounds of one partida, each under its law."""
    shoes: dict[ShoeKey, list[Turn]] = defaultdict(list)
    in_force: dict[str, LawInForce] = {}
    for mark, (recorded, law) in enumerate(zip(rounds, laws, strict=True)):
        rules = None if law is None else law.on(recorded.gaming_day)
        if law is None or rules is None or rules.article_of(NO_ROUND_AFTER_THE_LAST.name) is None:
            continue
        event, in_force[law.id] = recorded.event, rules
        if event.shoe is None or event.number is None:
            unknown = about(UNDECIDED, recorded)
            keeper.count(law.id, [(NO_ROUND_AFTER_THE_LAST.name, unknown)])
        else:
            key = ShoeKey(law.id, event.partida, event.shoe)
            warned = event.warning_card_at is not None
            shoes[key].append(Turn(event.number, UUID(event.round).bytes, warned, mark))
    for key, turns in shoes.items():
        for verdict in judge_shoe(key, turns):
            here = rounds[verdict.turn.mark]
            if verdict.outcome != FOUND:
                answer = about(verdict.outcome, here)
                keeper.count(key.rulebook, [(NO_ROUND_AFTER_THE_LAST.name, answer)])
                continue
            assert verdict.last is not None
            late = breach(
                {"round_of_shoe": verdict.turn.number},
                {"last_round_of_shoe": verdict.last.number},
                here,
                rounds[verdict.last.mark],
                where={"shoe": key.shoe},
            )
            found_across(keeper, NO_ROUND_AFTER_THE_LAST, late, in_force[key.rulebook], here)


def found_across(
    keeper: Keeper, rule: Rule, shown: Breach, rules: LawInForce, recorded: Round
) -> None:
    """Count and keep what several entries of a partida show; `recorded` is a round of it."""
    keeper.count(rules.rulebook, [(rule.name, FOUND)])
    day, table, partida = recorded.gaming_day, recorded.event.table, recorded.event.partida
    finding = raised(rule, shown, rules, day, shown.evidence, table=table, partida=partida)
    assert finding is not None
    keeper.keep([finding])
