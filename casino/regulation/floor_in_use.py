"""Of a deck or a shuffler that is in use at another table nobody tells at this one.

A number that was typed wrongly: whoever records it is warned, and the game in which the deck or
the machine is has nothing of it (`floor_elsewhere`).

Law: PT art. 3 (decks), 5 and 51 (what is told of them).
"""

from collections.abc import Iterator
from typing import Any, Final

from casino.facts.deck_life import DeckWithdrawn
from casino.facts.incidents import IncidentReported
from casino.regulation.dossier import Told
from casino.regulation.finding import LAWFUL, UNDECIDED, Breach, Result, upholds
from casino.regulation.floor_elsewhere import names_it
from casino.regulation.floor_evening import Evening, evidence_of
from casino.regulation.floor_one_game import other_openings, was_open

AT_NONE: Final = "–"


@upholds(
    "partida",
    "What happens to a deck or a shuffler in use at another table is recorded at that table.",
    severity="warning",
)
def told_where_it_is_in_use(evening: Evening) -> Result:
    """No withdrawal and no incident tells of what lay in the open game of another table.

    Law: PT art. 3.
    """
    answers = [_told_of_anothers(evening, told) for told in _tellings(evening)]
    found = [one for one in answers if isinstance(one, Breach)]
    if found:
        return found
    return UNDECIDED if UNDECIDED in answers else LAWFUL if answers else None


def not_there(told: Any, table: str) -> Breach:
    """That something was told at another table than the one where it is in use, or at none."""
    where: dict[str, int | str] = (
        {"incident": told.incident} if told.kind == IncidentReported.kind else {"deck": told.deck}
    )
    return Breach(where, {"table": told.table or AT_NONE}, {"table": table})


def _tellings(evening: Evening) -> Iterator[Told[Any]]:
    """What this game tells of decks and machines."""
    yield from evening.dossier.of(DeckWithdrawn)
    for told in evening.dossier.of(IncidentReported):
        if told.fact.shuffler is not None:
            yield told


def _told_of_anothers(evening: Evening, told: Told[Any]) -> Result:
    """Whether it was in another table's open game when it happened, or when it was written down.

    What this game plays with too is not another's: that both do is asked about by itself.
    """
    if any(names_it(own.fact, told.fact) for own in evening.dossier.entries):
        return LAWFUL
    unknown = False
    for other in other_openings(evening):
        if other.fact.table == evening.dossier.table or not names_it(other.fact, told.fact):
            continue
        when = [was_open(evening, other, at) for at in (told.occurred_at, told.recorded_at)]
        if None in when:
            there = not_there(told.fact, other.fact.table)
            return Breach(
                there.where, there.observed, there.expected, evidence=evidence_of(other, told)
            )
        unknown = unknown or UNDECIDED in when
    return UNDECIDED if unknown else LAWFUL


CHECKS: Final = (told_where_it_is_in_use,)
