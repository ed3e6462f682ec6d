"""Of a deck or a shuffler that is in use at another table nobody tells at this one.

A number that was typed wrongly: whoever records it is warned, and the game in which the deck or
the machine is has nothing of it (`floor_elsewhere`).

Law: PT art. 3 (decks), 5 and 51 (what is recorded of them).
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from casino.events.deck_life import DeckWithdrawn
from casino.events.event import Event
from casino.events.incidents import IncidentReported
from casino.law.checks.table.one_partida_each import other_openings, was_open
from casino.law.dossier import RecordedEvent
from casino.law.finding import LAWFUL, UNDECIDED, Breach, Verdict, upholds
from casino.law.partida_context import PartidaContext
from casino.law.questions import breach, evidence_of, together
from casino.law.recorded_elsewhere import names_it

AT_NONE: Final = "–"


@upholds(
    "partida",
    "What happens to a deck or a shuffler in use at another table is recorded at that table.",
    severity="warning",
)
def told_where_it_is_in_use(game: PartidaContext) -> Verdict:
    """No withdrawal and no incident tells of what lay in the open game of another table.

    Law: PT art. 3.
    """
    return together(_is_of_another_table(game, recorded) for recorded in _named_by_game(game))


def not_there(value: Any, table: str) -> Breach:
    """That something was recorded at another table than the one where it is in use, or at none."""
    where: dict[str, int | str] = (
        {"incident": value.incident}
        if value.kind == IncidentReported.kind
        else {"deck": value.deck}
    )
    return breach({"table": value.table or AT_NONE}, {"table": table}, where=where)


def _named_by_game(game: PartidaContext) -> Iterator[RecordedEvent[Event]]:
    """What this game tells of decks and machines."""
    yield from game.dossier.of(DeckWithdrawn)
    for recorded in game.dossier.of(IncidentReported):
        if recorded.event.shuffler is not None:
            yield recorded


def _is_of_another_table(game: PartidaContext, recorded: RecordedEvent[Event]) -> Verdict:
    """Whether it was in another table's open game when it happened, or when it was written down.

    What this game plays with too is not another's: that both do is asked about by itself.
    """
    if any(names_it(own.event, recorded.event) for own in game.dossier.entries):
        return LAWFUL
    unknown = False
    for other in other_openings(game):
        if other.event.table == game.dossier.table or not names_it(other.event, recorded.event):
            continue
        when = [was_open(game, other, at) for at in (recorded.occurred_at, recorded.recorded_at)]
        if True in when:
            there = not_there(recorded.event, other.event.table)
            return replace(there, evidence=evidence_of(other, recorded))
        unknown = unknown or None in when
    return UNDECIDED if unknown else LAWFUL
