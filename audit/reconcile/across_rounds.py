"""What only several rounds of one shoe show: a round after the last.

The same question as over a file (`audit.rounds_file.run`), asked of a partida whole, so nothing has
to be remembered from one to the next. Which cards came is `cards_seen`'s matter. Law: PT art. 11.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Protocol
from uuid import UUID

from casino.events.round.round_played import RoundPlayed
from casino.law.dossier import RecordedEvent
from casino.law.finding import FOUND, UNDECIDED, Finding, Rule
from casino.law.rulebook.lacking import about
from casino.law.rulebook.rulebook import Law
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
    articles: dict[str, str] = {}
    for mark, (recorded, law) in enumerate(zip(rounds, laws, strict=True)):
        if law is None:
            continue
        event, rules = recorded.event, law.on(recorded.gaming_day)
        article = rules.article_of(NO_ROUND_AFTER_THE_LAST.name)
        if article is not None:
            articles[law.id] = article
            if event.shoe is None or event.number is None:
                unknown = about(UNDECIDED, recorded)
                keeper.count(law.id, [(NO_ROUND_AFTER_THE_LAST.name, unknown)])
            else:
                key = ShoeKey(law.id, event.partida, event.shoe)
                warned = event.warning_card_at is not None
                shoes[key].append(Turn(event.number, UUID(event.round).bytes, warned, mark))
    for key, turns in shoes.items():
        _conclude(key, turns, articles[key.rulebook], rounds, keeper)


def _conclude(
    shoe_key: ShoeKey, turns: Sequence[Turn], article: str, rounds: Sequence[Round], keeper: Keeper
) -> None:
    for verdict in judge_shoe(shoe_key, turns):
        answer = about(verdict.outcome, rounds[verdict.turn.mark])
        keeper.count(shoe_key.rulebook, [(NO_ROUND_AFTER_THE_LAST.name, answer)])
        if verdict.outcome != FOUND:
            continue
        assert verdict.last is not None
        keeper.keep(
            [
                across(
                    NO_ROUND_AFTER_THE_LAST,
                    (shoe_key.rulebook, article),
                    (rounds[verdict.turn.mark], rounds[verdict.last.mark]),
                    {"shoe": shoe_key.shoe},
                    {"round_of_shoe": verdict.turn.number},
                    {"last_round_of_shoe": verdict.last.number},
                )
            ]
        )


def across(
    check: Rule,
    cited: tuple[str, str],
    evidence: Sequence[RecordedEvent[Any]],
    where: dict[str, int | str],
    observed: dict[str, Any],
    expected: dict[str, Any],
) -> Finding:
    """A finding several entries of a partida show, a round first; no money hangs on it."""
    recorded = evidence[0]
    return Finding(
        rulebook=cited[0],
        article=cited[1],
        check=check.name,
        severity=check.severity,
        gaming_day=recorded.gaming_day,
        table=recorded.event.table,
        partida=recorded.event.partida,
        evidence=tuple(each.entry_id for each in evidence),
        where=where,
        observed=observed,
        expected=expected,
        owed_cents=0,
        owed_to=None,
        readings=(),
    )
