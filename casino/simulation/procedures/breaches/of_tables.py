"""Breaches at the table itself: layout, decks, special cards, limits, the exhibition, the closing.

Law: PT art. 2 to 5, 7, 13, 14, 17, 37.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from random import Random

from casino.events.deck_life import CardReplaced, DeckWithdrawn
from casino.events.decks import DeckInspected
from casino.events.inspection import LeaveDecided
from casino.events.partidas import PartidaOpened
from casino.events.round.round_played import Limits
from casino.events.shoes import CardsShuffled, DeckPasses
from casino.events.shufflers import ShufflerLoaded, ShufflerUnloaded
from casino.simulation.procedures.breaches.breaking import Breach, Place, ProceduralEvening, Spot
from casino.simulation.procedures.procedure_acts import MINUTE, Partida
from casino.simulation.procedures.table_story import CARDS, backs_of

# The layout: the same table for each of its partidas


def registered(
    breach: Breach,
    evening: ProceduralEvening,
    rng: Random,
    *,
    without: Sequence[str] = (),
    **values: object,
) -> Iterable[Spot] | None:
    """A table registered otherwise than the law has it."""
    free = evening.lawful(breach, rng)
    for table in dict.fromkeys(game.table for game in free):
        here = evening.at_table(table)
        if all(game in free for game in here):
            evening.registration(table).change(**values, **dict.fromkeys(without))
            return [Spot(game.name, breach.check, {}) for game in here]
    return None


def seventh_box_of_six(
    breach: Breach, evening: ProceduralEvening, rng: Random
) -> Iterable[Spot] | None:
    """A table of six, at which a seventh was played: every round that shows it."""
    for game in evening.lawful(breach, rng):
        here = evening.at_table(game.table)
        seventh = [
            one.name
            for one in here
            for act in one.rounds
            if any(box.number == 7 for box in act.event.boxes)
        ]
        table = evening.registration(game.table)
        if seventh and len(here) == 1 and table.event.boxes == 7:
            table.change(boxes=6)
            return [Spot(name, breach.check, {"box": 7}) for name in seventh]
    return None


# The decks


def shown(game: Partida, rng: Random, *, drop: bool = False, **values: object) -> Place:
    """The exhibition of one of the first decks, recorded otherwise or left out."""
    deck = rng.choice(game.decks)
    act = game.of(DeckInspected, moment="exhibition", deck=deck)[0]
    if drop:
        game.drop(act)
    act.change(**values)
    return {"deck": deck}


def deck_exhibited_late(game: Partida, rng: Random) -> Place:
    where = shown(game, rng)
    act = game.of(DeckInspected, moment="exhibition", **where)[0]
    act.at = game.of(CardsShuffled)[0].at + MINUTE
    return where


def five_decks(game: Partida, rng: Random) -> Place | None:
    """Five decks, all shown, shuffled, loaded and put in order."""
    if len(game.decks) != 4:
        return None
    fifth = game.decks[-1] + "R"
    opened = game.only(PartidaOpened)
    opened.change(decks=backs_of([*game.decks, fifth], game.house.backs))
    for act in (
        game.of(DeckInspected, moment="exhibition")[-1],
        game.of(DeckInspected, moment="close")[-1],
    ):
        added = game.record(act.at + timedelta(seconds=40), act.event)
        added.change(deck=fifth)
    for act in game.of(CardsShuffled):
        act.change(
            decks=(*act.event.decks, DeckPasses(deck=fifth, passes=4)),
            cards=act.event.cards + CARDS,
        )
    for act in (*game.of(ShufflerLoaded), *game.of(ShufflerUnloaded)):
        act.change(decks=(*act.event.decks, fifth), cards=act.event.cards + CARDS)
    return {}


def ordered(game: Partida, rng: Random, **values: object) -> Place:
    """A deck put in order at the closing of a shoe's table, and found otherwise."""
    act = rng.choice(game.of(DeckInspected, moment="close", result="conform"))
    act.change(**values)
    return {"deck": act.event.deck}


def withdrawn_deck_shuffled(game: Partida, rng: Random) -> Place | None:
    """A deck is taken out of use, and shuffled into the next shoe all the same."""
    shuffles = game.of(CardsShuffled)
    if len(shuffles) < 2:
        return None
    named = {each.deck for each in shuffles[-1].event.decks}
    gone = {act.event.deck for act in game.of(DeckWithdrawn)}
    decks = sorted(named - gone)
    deck = rng.choice(decks)
    out = DeckWithdrawn(**game.where, deck=deck, reason="worn")
    game.record(shuffles[-1].at - MINUTE / 4, out)
    return {"deck": deck}


def leave_for_another_card(game: Partida, rng: Random) -> Place | None:
    """Leave was given for another card than the one that was exchanged."""
    exchanged, granted = game.of(CardReplaced), game.of(LeaveDecided)
    if not exchanged or not granted:
        return None
    granted[0].change(cards=("5C",))
    return {"deck": exchanged[0].event.deck}


# What was recorded when it was opened


def opened_with_other_limits(game: Partida, rng: Random) -> Place:
    limits = game.only(PartidaOpened).event.limits
    _opened_up_to(game, limits.maximum_cents + limits.minimum_cents)
    return {}


def _opened_up_to(game: Partida, maximum_cents: int) -> None:
    opened = game.only(PartidaOpened)
    opened.change(limits=replace(opened.event.limits, maximum_cents=maximum_cents))
    for act in game.rounds:  # the device leaves it to the opening
        act.change(limits=None)


def round_with_other_limits(game: Partida, rng: Random) -> Place:
    """The device tells limits the table never had."""
    limits = game.only(PartidaOpened).event.limits
    found = Limits(limits.minimum_cents, limits.maximum_cents - limits.minimum_cents)
    rng.choice(game.rounds).change(limits=found)
    return {}


def opened_with_limits_too_wide(
    game: Partida, rng: Random, evening: ProceduralEvening
) -> Place | None:
    """Limits farther apart than the law allows: those set for the table, which it opens with."""
    if len(evening.at_table(game.table)) > 1:
        return None
    limits = evening.limits_set(game.table)
    most = 31 * limits.event.minimum_cents
    for act in (limits, evening.limits_approved(game.table)):
        act.change(maximum_cents=most)
    _opened_up_to(game, most)
    return {}


def overpaid_unrecorded(game: Partida, rng: Random) -> Place:
    """A player is handed more chips than the round says, after the count in the midst of it."""
    game.wishes = game.wishes | {"gone": rng.choice((2_500, 10_000, 25_000))}
    return {}


def limits_nobody_approved(game: Partida, rng: Random, evening: ProceduralEvening) -> Place | None:
    """A maximum was approved for a table, and another is set and played by."""
    if len(evening.at_table(game.table)) > 1:
        return None
    approved = evening.limits_approved(game.table)
    least, most = approved.event.minimum_cents, approved.event.maximum_cents
    approved.change(maximum_cents=most - least)
    return {}
