"""Chips for a progressive prize: not counted alike, unmarked, without a stake, too many, too late.

Law: PT art. 13, 41, 45, 47, 48.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from casino.events.round.round_played import RoundPlayed, Wager
from casino.simulation.procedures.breaches.breaking import Breach, Place, ProceduralEvening, Spot
from casino.simulation.procedures.procedure_acts import SECOND, Act, ByName, Partida, retimed

STRANGER: Final = "J-900"  # he has no stake anywhere
COLLECTED: Final = "jackpot-incremented/1"


def _rounds(game: Partida, rng: Random, least: int = 1) -> list[Act]:
    """Rounds with so many chips that nobody won anything in, in some order."""
    won = {act.event.final["round"] for act in game.named("jackpot-won/1")}
    found = [
        act for act in game.rounds if act.event.round not in won and len(_chips(act.event)) >= least
    ]
    rng.shuffle(found)
    return found


def _chips(record: RoundPlayed) -> list[tuple[int, Wager]]:
    """The chips a round's record tells, each with its box."""
    return [
        (box.number, wager)
        for box in record.boxes
        for wager in box.wagers
        if wager.kind == "jackpot"
    ]


def _increment(game: Partida, played: Act) -> Act:
    (act,) = game.named(COLLECTED, round=played.event.round)
    return act


def _where(game: Partida, box: int, owner: str) -> Place:
    assert game.pool is not None
    return {"owner": owner, "box": box, "jackpot": game.pool}


def _of_game(game: Partida) -> Place:
    assert game.pool is not None
    return {"jackpot": game.pool}


def _wagered(played: Act, box: int, old: Sequence[Wager], new: Sequence[Wager]) -> None:
    """Exchange wagers on a box of a round's record."""
    boxes = tuple(
        replace(one, wagers=tuple(w for w in one.wagers if w not in old) + tuple(new))
        if one.number == box
        else one
        for one in played.event.boxes
    )
    played.change(boxes=boxes)


# What one source tells and the other does not


def chip_not_entered(game: Partida, rng: Random) -> Place | None:
    """The dealer enters one chip less than lay there."""
    for played in _rounds(game, rng, 2):
        act = _increment(game, played)
        gone, *left = act.event.final["chips"]
        act.change(chips=left)
        return _where(game, gone["box"], gone["owner"])
    return None


def display_not_raised(game: Partida, rng: Random) -> list[tuple[str, Place]] | None:
    """The chips of a round are collected, and the display is not raised."""
    for played in _rounds(game, rng):
        game.drop(_increment(game, played))
        return [
            ("jackpot_sources_agree", _where(game, box, wager.owner))
            for box, wager in _chips(played.event)
        ]
    return None


def counter_differs(game: Partida, rng: Random) -> Place | None:
    """Where the display rises by itself, the table's own counter tells one chip less."""
    for played in _rounds(game, rng, 2):
        record = played.event
        (box, gone), *left = _chips(record)
        values = {
            **game.where,
            "jackpot": game.pool,
            "chips": [{"box": box, "owner": one.owner, "n": 1} for box, one in left],
            "round": record.round,
            "shoe": record.shoe,
            "number": record.number,
            "chip_cents": gone.stake_cents,
            "closing_called": True,
            "collected_before_deal": True,
        }
        game.record(played.at - SECOND, ByName(COLLECTED, values), game.device)
        return _where(game, box, gone.owner)
    return None


def chip_without_a_marker(game: Partida, rng: Random) -> Place | None:
    """No marker takes the place of one of the chips."""
    act = rng.choice(game.named(COLLECTED))
    bare, *others = act.event.final["chips"]
    act.change(chips=[bare | {"marked": False}, *others])
    return _where(game, bare["box"], bare["owner"])


# Whose chips, and how many


def chip_without_a_stake(game: Partida, rng: Random) -> Place | None:
    """Somebody who has no stake in the game lays a chip."""
    for played in _rounds(game, rng):
        box, wager = _chips(played.event)[0]
        _wagered(played, box, (), [replace(wager, owner=STRANGER, seat=None)])
        for act in game.named(COLLECTED, round=played.event.round):
            chip = {"box": box, "owner": STRANGER, "n": 1, "marked": True}
            act.change(chips=[*act.event.final["chips"], chip])
        return _where(game, box, STRANGER)
    return None


def second_chip(game: Partida, rng: Random) -> Place | None:
    """One player lays two."""
    for played in _rounds(game, rng):
        box, wager = _chips(played.event)[0]
        both = replace(wager, chip=2, stake_cents=2 * wager.stake_cents)
        _wagered(played, box, [wager], [both])
        for act in game.named(COLLECTED, round=played.event.round):
            chips = [
                chip | {"n": 2} if (chip["box"], chip["owner"]) == (box, wager.owner) else chip
                for chip in act.event.final["chips"]
            ]
            act.change(chips=chips)
        return {"owner": wager.owner}
    return None


def chips_of_another_amount(game: Partida, rng: Random) -> Place | None:
    """Chips of another worth than the terms set are taken in a round."""
    for played in _rounds(game, rng):
        increments = game.named(COLLECTED, round=played.event.round)
        for box, wager in _chips(played.event):
            _wagered(played, box, [wager], [replace(wager, stake_cents=2 * wager.stake_cents)])
        for act in increments:
            act.change(chip_cents=2 * act.event.final["chip_cents"])
        return _of_game(game)
    return None


# When


def closing_not_called(game: Partida, rng: Random) -> Place:
    """Nobody calls the stakes closed before the deal."""
    rng.choice(game.named(COLLECTED)).change(closing_called=False)
    return _of_game(game)


def chips_collected_late(game: Partida, rng: Random) -> Place | None:
    """The chips are taken up when cards lie there already, whatever the round's clock says."""
    for played in _rounds(game, rng):
        _increment(game, played).change(collected_before_deal=False)
        return _of_game(game)
    return None


def chips_after_the_first_card(
    breach: Breach, evening: ProceduralEvening, rng: Random
) -> Iterable[Spot] | None:
    """The stakes of a round are closed when its first card lies there: those for the prize too."""
    for game in evening.lawful(breach, rng):
        for played in _rounds(game, rng) if game.pool is not None else ():
            times = played.event.times
            if times is not None:
                retimed(played, stakes_closed=times.first_card + SECOND)
                return [
                    Spot(game.name, breach.check, _of_game(game)),
                    Spot(game.name, "stakes_before_the_deal", {}, played.event.round),
                ]
    return None
