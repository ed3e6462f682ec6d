"""What another table tells of a deck or a machine that is in play here: whether it counts here.

Whoever types another's number tells of something that is not in his hands. It is recorded, and he
is warned (`floor_in_use`); of the game in which the deck or the machine is, it decides nothing.

Law: PT art. 5, 51.
"""

from datetime import datetime
from typing import Any, Final

from casino.events.decks import DeckInspected
from casino.events.event import Event
from casino.events.incidents import IncidentClosed, IncidentReported
from casino.events.partidas import PartidaOpened
from casino.events.shoes import CardsShuffled
from casino.events.shufflers import ShufflerLoaded
from casino.law.dossier import Dossier, RecordedEvent

_DEVICE: Final = "dispositivo"


def counts_here(dossier: Dossier, recorded: RecordedEvent[Any]) -> bool:
    """Whether a withdrawal or an incident, wherever it was recorded, decides anything of this game.

    So does what the game itself, its table, the store or a device tells. What another table tells
    of a deck or a machine that was in play here by then does where that table's game had it before,
    or where this game speaks of the same incident; that it was closed here says nothing.
    """
    table = getattr(recorded.event, "table", None)
    if table in (None, dossier.table) or recorded.by.office == _DEVICE:
        return True
    since = _in_play_since(dossier, recorded.event)
    if since is None or recorded.recorded_at <= since:
        return True
    return _had_it_before(dossier, recorded, since) or _spoken_of(dossier, recorded.event.incident)


def names_it(event: Event, value: Any) -> bool:
    """Whether an act names the deck that is recorded of, or the machine of an incident."""
    if isinstance(value, IncidentReported):
        machine = getattr(event, "shuffler", None)
        played = isinstance(event, PartidaOpened | ShufflerLoaded)
        return played and machine is not None and machine == value.shuffler
    if isinstance(event, DeckInspected):
        shown: bool = event.deck == value.deck
        return shown
    if isinstance(event, PartidaOpened | CardsShuffled):
        return value.deck in {each.deck for each in event.decks}
    return isinstance(event, ShufflerLoaded) and value.deck in event.decks


def _in_play_since(dossier: Dossier, value: Any) -> datetime | None:
    """When the book learnt that this game has it; None where nothing tells so.

    By the book's own clock, of which nobody writes another moment; a correction is the original's.
    """
    mine = (*dossier.entries, *dossier.replaced)
    return min((one.recorded_at for one in mine if names_it(one.event, value)), default=None)


def _had_it_before(dossier: Dossier, recorded: RecordedEvent[Any], since: datetime) -> bool:
    """Whether the game that tells it was opened with it before this one had it."""
    return any(
        other.event.partida == recorded.event.partida
        and other.recorded_at < since
        and names_it(other.event, recorded.event)
        for other in dossier.around_of(PartidaOpened)
    )


def _spoken_of(dossier: Dossier, incident: str | None) -> bool:
    """Whether this game tells anything of an incident but that it was closed."""
    return incident is not None and any(
        getattr(own.event, "incident", None) == incident
        and not isinstance(own.event, IncidentClosed)
        for own in dossier.entries
    )
