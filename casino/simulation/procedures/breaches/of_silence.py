"""Breaches of the record: what nobody recorded, and what cannot be at two tables at once.

Law: PT art. 2, 3, 7, 8, 51, 55.
"""

from collections.abc import Iterable
from dataclasses import replace
from random import Random

from casino.events.deck_life import CardReplaced, DeckWithdrawn
from casino.events.partidas import PartidaClosed, PartidaOpened
from casino.events.shoes import CardsShuffled
from casino.events.shufflers import ShufflerUnloaded
from casino.simulation.procedures.breaches.breaking import Breach, Place, ProceduralEvening, Spot
from casino.simulation.procedures.procedure_acts import MINUTE, Act, Partida


def closing_unannounced(game: Partida, rng: Random) -> Place:
    """Neither the closing nor who emptied the machine tells that it was announced."""
    for unload in game.of(ShufflerUnloaded):
        unload.change(closing_announced=None)
    game.of(PartidaClosed)[-1].change(closing_announced_at=None)
    return {}


def shoe_left_out(game: Partida, rng: Random) -> Place | None:
    """The last shoe is recorded under a number too high, as if there had been one before it."""
    acts = [act for act in game.acts if getattr(act.event, "shoe", None) is not None]
    last = max((act.event.shoe for act in acts), default=0)
    for act in acts:
        if act.event.shoe == last:
            act.change(shoe=last + 1)
    return {} if last else None


def deck_of_another_table(
    breach: Breach, evening: ProceduralEvening, rng: Random
) -> Iterable[Spot] | None:
    """A deck that lies in the open game of another table is taken for one of this game's."""
    free = evening.lawful(breach, rng)
    withdrawn = {act.event.deck for game in evening.partidas for act in game.of(DeckWithdrawn)}
    for game in free:
        begun = game.only(PartidaOpened).at
        for other in free:
            lent = other.decks[0]
            opened, closed = other.only(PartidaOpened).at, other.of(PartidaClosed)[-1].at
            if other.table == game.table or not opened < begun < closed:
                continue
            if withdrawn & {lent, game.decks[0]}:
                continue
            for act in game.acts:
                _rename(act, game.decks[0], lent)
            return [Spot(game.name, breach.check, {})]
    return None


def withdrawn_of_another_table(
    breach: Breach, evening: ProceduralEvening, rng: Random
) -> Iterable[Spot] | None:
    """A deck that lies in the open game of another table is told to be withdrawn here."""
    free = evening.lawful(breach, rng)
    for game in free:
        at = game.only(PartidaOpened).at + 5 * MINUTE
        for other in free:
            opened, closed = other.only(PartidaOpened).at, other.of(PartidaClosed)[-1].at
            if other.table == game.table or not opened < at < closed:
                continue
            deck = other.decks[0]
            if deck in game.decks or any(out.event.deck == deck for out in other.of(DeckWithdrawn)):
                continue
            game.record(at, DeckWithdrawn(**game.where, deck=deck, reason="worn"))
            return [Spot(game.name, breach.check, {"deck": deck})]
    return None


def _rename(act: Act, deck: str, other: str) -> None:
    """Tell another deck's number wherever this one's is recorded."""
    value = act.event
    if getattr(value, "deck", None) == deck:
        act.change(deck=other)
    if isinstance(value, PartidaOpened | CardsShuffled):
        named = (replace(one, deck=other) if one.deck == deck else one for one in value.decks)
        act.change(decks=tuple(named))


def second_game_of_a_table(game: Partida, rng: Random, evening: ProceduralEvening) -> list[Spot]:
    """A second game of the table is opened while the first goes on; nothing is dealt in it."""
    taken = {one.number for one in evening.at_table(game.table)}
    opened, closed = game.only(PartidaOpened), game.of(PartidaClosed)[-1]
    second = replace(
        game,
        number=max(taken) + 1,
        decks=tuple(f"{deck}S" for deck in game.decks),
        acts=[],
        wishes={},
        meant_for="",
        pool=None,
    )
    second.record(opened.at + MINUTE, opened.event).change(
        partida=second.name,
        jackpots=None,
        decks=tuple(replace(one, deck=f"{one.deck}S") for one in opened.event.decks),
    )
    over = {"partida": second.name, "rounds": 0, "closing_announced_at": None}
    second.record(closed.at, closed.event).change(**over)
    evening.partidas.append(second)
    return [Spot(second.name, "one_game_at_a_table", {})]


def closed_twice(game: Partida, rng: Random) -> Place:
    """The closing is recorded once more, from another tablet."""
    closed = game.of(PartidaClosed)[-1]
    game.record(closed.at + MINUTE, closed.event)
    return {}


def card_exchanged_by_hearsay(game: Partida, rng: Random) -> Place | None:
    """The fiscal de banca writes down that the fiscal-chefe exchanged the card."""
    exchanged = game.of(CardReplaced)
    if not exchanged or exchanged[0].event.incident is None:
        return None
    exchanged[0].by = game.pit
    return {"incident": exchanged[0].event.incident}
