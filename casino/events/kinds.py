"""Every kind of event the floor may record, by the name it has in the book."""

from types import ModuleType
from typing import Any, Final

from casino.events import (
    complaints,
    corrections,
    deck_life,
    decks,
    floor_life,
    incidents,
    inspection,
    keeping,
    notices,
    partidas,
    requests,
    sealing,
    shoes,
    shuffler_reports,
    shufflers,
    staff,
    stake_signals,
    tables,
    witnessing,
)
from casino.events.round import round_played


def kinds_in(*modules: ModuleType) -> dict[str, type[Any]]:
    """The events that these modules declare, by kind, in their order."""
    found: dict[str, type[Any]] = {}
    for module in modules:
        for one in vars(module).values():
            if isinstance(one, type) and one.__module__ == module.__name__:
                kind = vars(one).get("kind")
                if isinstance(kind, str):
                    found[kind] = one
    return found


KINDS: Final = kinds_in(
    tables,
    staff,
    partidas,
    decks,
    deck_life,
    shoes,
    shufflers,
    shuffler_reports,
    round_played,
    stake_signals,
    floor_life,
    incidents,
    complaints,
    notices,
    inspection,
    witnessing,
    corrections,
    keeping,
    sealing,
    requests,
)
