"""Errors of a round, made at the table while the cards are dealt, and what only many rounds show.

The kinds are those of the simulated rounds (docs/simulation.md). Law: PT art. 2, 3, 11, 13, 16, 17,
37.
"""

from random import Random

from casino.simulation.faults.every_fault import AFTER_THE_LAST
from casino.simulation.procedures.breaches.breaking import Breach, Place, ProceduralEvening, Spot
from casino.simulation.procedures.procedure_acts import Partida


def made_in_a_round(breach: Breach, evening: ProceduralEvening, rng: Random) -> list[Spot] | None:
    """A kind of error made once in a partida, as soon as a round has room for it."""
    for game in evening.lawful(breach, rng):
        made = evening.stories[game.name].error
        if made is not None and made[1].kind == breach.kind:
            event = made[0].event
            if breach.kind == AFTER_THE_LAST:
                return [Spot(game.name, breach.check, {"shoe": event.shoe})]
            return [Spot(game.name, breach.check, {}, event.round)]
    return None


def stacked_set(game: Partida, rng: Random) -> Place | None:
    """The set the machine was loaded with has small cards too few and tens too many."""
    return {} if "stacked" in game.wishes else None
