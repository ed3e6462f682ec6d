"""The decks a game is played with now: those of its opening, but for what left it and what came.

A deck that is not perfect any more leaves the game whole, and another comes in its place. Nobody
tells which stands for which: the other one is exhibited in this game, or shuffled, or loaded.

Law: PT art. 5, with 3 for their number.
"""

from typing import Any

from casino.events.deck_life import DecksDestroyed, DeckWithdrawn
from casino.events.decks import DeckInspected
from casino.events.partidas import PartidaOpened
from casino.events.shoes import CardsShuffled
from casino.events.shufflers import ShufflerLoaded
from casino.law.checks.table.recorded_elsewhere import counts_here
from casino.law.dossier import Dossier, RecordedEvent, in_time
from casino.law.partida_context import PartidaContext, Shoe


def decks_in_play(game: PartidaContext) -> tuple[str, ...]:
    """The decks of the game as it stands: what was not withdrawn, then what came in its place.

    No more come in than went out; of several the ones that were shown or mixed last.
    """
    gone = decks_gone(game.dossier)
    stay = tuple(deck for deck in game.decks if deck not in gone)
    room = len(game.decks) - len(stay)
    came = [deck for deck in _named_besides(game) if deck not in gone]
    return (*stay, *came[-room:]) if room else stay


def decks_wanting(game: PartidaContext) -> int:
    """How many decks fewer than at its opening the game has: as many have to come in."""
    return len(game.decks) - len(decks_in_play(game))


def decks_gone(dossier: Dossier) -> frozenset[str]:
    """Every deck that was withdrawn or destroyed, as far as the dossier tells.

    What another table withdraws of the decks in play here is in play still.
    """
    recorded_gone = dossier.anywhere(DeckWithdrawn)
    gone = {recorded.event.deck for recorded in recorded_gone if counts_here(dossier, recorded)}
    for recorded in dossier.anywhere(DecksDestroyed):
        gone |= set(recorded.event.decks)
    return frozenset(gone)


def gone_from_the_cards(game: PartidaContext) -> tuple[str, ...]:
    """The withdrawn decks that still lie among the cards that are dealt, or made ready.

    In the shoe until it is shuffled without them; in a shuffler until it is emptied.
    """
    gone = decks_gone(game.dossier)
    return tuple(deck for deck in _among_the_cards(game) if deck in gone) if gone else ()


def _among_the_cards(game: PartidaContext) -> tuple[str, ...]:
    if game.dealing == "shuffler":
        moved: list[RecordedEvent[Any]] = [*game.loads, *game.unloads]
        last = max(moved, key=in_time, default=None)
        return decks_of(last) if last is not None and isinstance(last.event, ShufflerLoaded) else ()
    shoe = game.shoes[-1] if game.shoes else None
    return () if shoe is None or shoe.spread else decks_in_shoe(game, shoe)


def decks_in_shoe(game: PartidaContext, shoe: Shoe) -> tuple[str, ...]:
    """The decks a shoe was shuffled of, the last time; the opening's where nobody recorded."""
    mixed = max(shoe.shuffles, key=in_time, default=None)
    return game.decks if mixed is None else decks_of(mixed)


def decks_of(recorded: RecordedEvent[Any]) -> tuple[str, ...]:
    """The decks an entry names: an inspection its one; an opening, a shuffle, a load theirs."""
    if isinstance(recorded.event, DeckInspected):
        return (recorded.event.deck,)
    if isinstance(recorded.event, CardsShuffled | PartidaOpened):
        return tuple(each.deck for each in recorded.event.decks)
    return tuple(recorded.event.decks)


def _named_besides(game: PartidaContext) -> list[str]:
    """The decks that are not of the opening and were shown or mixed in this game, the last last."""
    events: list[RecordedEvent[Any]] = [*game.exhibitions, *game.loads]
    events += game.dossier.of(CardsShuffled)
    named: dict[str, None] = {}
    for one in sorted(events, key=in_time):
        for deck in decks_of(one):
            if deck not in game.decks:
                named.pop(deck, None)
                named[deck] = None
    return list(named)
