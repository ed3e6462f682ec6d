"""Breaches a machine itself gives away: no cycle, a closed lid, sorted cards, a count, its light,
its program.

A shoe gives away a card no round tells, and one a round tells otherwise; a sensor a stake.

Law: PT art. 3, 13, 51; else the house's own control.
"""

from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Final

from casino.events.incidents import IncidentReported
from casino.events.shoes import CardOut
from casino.events.shuffler_reports import ShufflerCycle, ShufflerSignal
from casino.events.shufflers import ShufflerLoaded
from casino.events.stake_signals import StakeSignal
from casino.simulation.procedures.breaches.breaking import Place
from casino.simulation.procedures.procedure_acts import SECOND, Act, Partida

HOUR: Final = timedelta(hours=1)
IGNORED: Final = 4  # rounds dealt under the light


def card_out_unrecorded(game: Partida, rng: Random) -> Place:
    """One more card left the shoe than is recorded."""
    last = game.of(CardOut)[-1]
    after = replace(last.event, position=last.event.position + 1)
    game.record(last.at + SECOND, after, game.device)
    return {"shoe": after.shoe}


def another_card_read(game: Partida, rng: Random) -> Place:
    """A card was recorded as another than the one that was dealt."""
    act = rng.choice([one for one in game.of(CardOut) if one.event.card is not None])
    act.change(card="2C" if act.event.card != "2C" else "3C")
    return {"shoe": act.event.shoe}


def stake_raised_once_closed(game: Partida, rng: Random) -> Place:
    """Half of what a round was paid by lay there when the stakes were closed."""
    closed = rng.choice(_closed(game))
    raised = closed.event
    game.record(closed.at + 20 * SECOND, replace(raised, phase="changed"), game.device)
    closed.change(amount_cents=raised.amount_cents // 2)
    return _at(game, raised)


def stake_recorded_otherwise(game: Partida, rng: Random) -> Place:
    """A round was recorded with more than its sensor saw."""
    closed = rng.choice(_closed(game))
    closed.change(amount_cents=closed.event.amount_cents // 2)
    return _at(game, closed.event)


def _closed(game: Partida) -> list[Act]:
    """Stakes of boxes that nobody changed."""
    changed = {(act.event.round, act.event.box) for act in game.of(StakeSignal, phase="changed")}
    return [
        act
        for act in game.of(StakeSignal, phase="closed")
        if (act.event.round, act.event.box) not in changed and act.event.amount_cents
    ]


def _at(game: Partida, seen: StakeSignal) -> Place:
    (played,) = [act.event for act in game.rounds if act.event.round == seen.round]
    return {"shoe": played.shoe, "number": played.number, "box": seen.box}


def cycle_never_run(game: Partida, rng: Random) -> Place:
    """The load is recorded, and the machine mixed nothing."""
    game.drop(*game.of(ShufflerCycle, mode="shuffle"))
    return {"shoe": 1}


def lid_never_opened(game: Partida, rng: Random) -> Place:
    """The last load is recorded, and the machine's lid stayed closed."""
    loads = game.of(ShufflerLoaded)
    before = loads[-2].at if loads[1:] else loads[0].at - HOUR
    opened = game.of(ShufflerSignal, signal="lid_opened")
    game.drop(*(one for one in opened if one.at > before))
    kept = {"shuffler": game.shuffler, "signal": "lid_opened"}
    if loads[-1] is loads[0]:  # it is a machine that tells of its lid: when it was emptied
        game.record(game.ends - SECOND, ShufflerSignal, game.device, **kept)
    return {"load": len(loads)}


def light_unrecorded(game: Partida, rng: Random) -> Place:
    """The light goes on and off between two rounds, and nobody records why."""
    last = game.rounds[-1]
    lit = {"shuffler": game.shuffler}
    game.record(last.at + SECOND, ShufflerSignal, game.device, signal="light_on", **lit)
    game.record(last.at + 9 * SECOND, ShufflerSignal, game.device, signal="light_off", **lit)
    return {"shuffler": str(game.shuffler)}


def sorted_before_play(game: Partida, rng: Random) -> Place:
    """The machine was in the mode in which it puts cards in order."""
    for cycle in game.of(ShufflerCycle, mode="shuffle"):
        cycle.change(mode="sort")
    return {}


def counted_one_short(game: Partida, rng: Random) -> Place:
    """A card of the decks that were loaded is not in the machine."""
    cycle = game.of(ShufflerCycle, mode="shuffle", phase="ended")[0]
    cycle.change(cards=cycle.event.cards - 1)
    return {"load": 1}


def light_ignored(game: Partida, rng: Random) -> Place | None:
    """The light goes on, some rounds are dealt, it goes off; nobody records anything of it."""
    troubles = game.of(IncidentReported)
    until = troubles[0].at if troubles else None
    timed = [act for act in game.rounds if act.event.times is not None]
    quiet = [act for act in timed if until is None or act.at < until]
    if len(quiet) < IGNORED + 2:
        return None
    lit = {"shuffler": game.shuffler}
    first, last = quiet[0].event.times.first_card, quiet[IGNORED].event.times.first_card
    game.record(first + SECOND, ShufflerSignal, game.device, signal="light_on", **lit)
    game.record(last + SECOND, ShufflerSignal, game.device, signal="light_off", **lit)
    return {}
