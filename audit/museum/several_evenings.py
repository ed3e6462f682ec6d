"""A card missing of one set of decks, evening after evening, until the cards show it.

Every record of it is a lawful evening's: decks shown whole, shuffled, put in order. Only the cards
lack some. The decks of the later evenings bear the names of the first's, as if they were the same.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from audit.museum.judged_evenings import LATER, recorded_in
from casino.cards import Card
from casino.events.partidas import PartidaOpened
from casino.events.shoes import CardsShuffled
from casino.law.dossier import AnyRecorded, Dossier
from casino.simulation.procedures import ProceduralEvening
from casino.simulation.procedures.procedural_evening import quiet_game

MOST: Final = 12  # evenings
ROUNDS: Final = 160  # of each


def evenings_without(missing_cards: Sequence[Card], seed: int, first: date) -> Iterator[Dossier]:
    """The games of these evenings, each with those before it."""
    earlier: list[Dossier] = []
    for number in range(MOST):
        day = first + timedelta(number)
        game = quiet_game(
            seed + number, day, {"missing_cards": tuple(missing_cards), "rounds": ROUNDS}
        )
        entries = recorded_in(ProceduralEvening(day, [], [game]))
        dossier = Dossier(
            partida=game.name,
            table=game.table,
            gaming_day=day,
            as_of=entries[-1].occurred_at + LATER,
            entries=tuple(entries),
        )
        named = dict(zip(_decks(dossier), _decks(earlier[0] if earlier else dossier), strict=True))
        renamed = tuple(_renamed(one, named) for one in entries)
        dossier = replace(dossier, entries=renamed, earlier=tuple(earlier))
        yield dossier
        earlier.append(replace(dossier, earlier=()))


def _decks(dossier: Dossier) -> list[str]:
    (opened,) = dossier.of(PartidaOpened)
    return [each.deck for each in opened.event.decks]


def _renamed(kept_entry: AnyRecorded, named: Mapping[str, str]) -> AnyRecorded:
    """The same entry of other decks, where it says of which cards a shoe was dealt."""
    event = kept_entry.event
    if not isinstance(event, (PartidaOpened, CardsShuffled)):
        return kept_entry
    decks = tuple(replace(one, deck=named.get(one.deck, one.deck)) for one in event.decks)
    return replace(kept_entry, event=replace(event, decks=decks))  # type: ignore[arg-type]
