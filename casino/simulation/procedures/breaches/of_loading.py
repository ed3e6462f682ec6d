"""Breaches when cards go into the shuffler and come out: shuffle, load, witness, unload, order.

Law: PT art. 53 to 55.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import pairwise
from random import Random
from typing import Final

from casino.events.decks import DeckInspected
from casino.events.incidents import IncidentClosed, IncidentReported
from casino.events.partidas import PartidaClosed, PartidaOpened
from casino.events.shoes import CardBurned, CardsShuffled
from casino.events.shufflers import ShufflerLoaded, ShufflerUnloaded
from casino.events.staff import DutyBegun, OfficeGranted
from casino.simulation.procedures import simulated_cast
from casino.simulation.procedures.breaches.breaking import Breach, Place, ProceduralEvening, Spot
from casino.simulation.procedures.procedure_acts import (
    MINUTE,
    Act,
    Partida,
    Who,
    Word,
    later,
)

# Acts as a fiscal-chefe and is none.
STRANGER: Final = Who("S-914", "fiscal_chefe", simulated_cast.DOOR)


def _meant(game: Partida, name: str) -> Act:
    """The first load, or the unload at the closing."""
    if name == "load":
        return game.of(ShufflerLoaded)[0]
    return game.of(ShufflerUnloaded, reason="closing")[0]


def never_done(game: Partida, rng: Random, *, name: str) -> Place:
    """Neither the act nor a witness's word for it is recorded."""
    act = _meant(game, name)
    game.drop(game.word_for(act), act)
    return {}


def still_empty(game: Partida, rng: Random, evening: ProceduralEvening) -> Place | None:
    """Opened, its decks shown, and then forgotten: neither loaded nor closed."""
    if game.number < max(one.number for one in evening.at_table(game.table)):
        return None  # where the table is opened again two games would be open
    game.acts = [game.only(PartidaOpened), *game.of(DeckInspected, moment="exhibition")]
    return {}


def loaded_after_the_deal(game: Partida, rng: Random, evening: ProceduralEvening) -> Place | None:
    """The first round was dealt before the cards are said to have gone in."""
    load, first = _meant(game, "load"), game.rounds[0]
    word = game.word_for(load)
    if first.event.times is None:
        return None
    shift = first.event.times.first_card + MINUTE / 12 - load.at
    stay = word.event.present_from + shift, word.event.present_until + shift
    if not _free(evening, word.event.staff, stay, word):
        return None
    load.at += shift
    word.at += shift
    load.change(started_at=None, ended_at=None)
    word.event.present_from, word.event.present_until = stay
    return {"load": 1}


def _free(
    evening: ProceduralEvening, staff: str, stay: tuple[datetime, datetime], *but: Act
) -> bool:
    """Whether somebody put his word to nothing else in that time than to these."""
    words = [act for game in evening.partidas for act in game.acts if isinstance(act.event, Word)]
    came, left = stay
    return not any(
        one.event.staff == staff
        and one.event.present_from <= left
        and came <= one.event.present_until
        for one in words
        if one not in but
    )


def deck_not_loaded(game: Partida, rng: Random) -> Place:
    """A deck shown and shuffled with the others is not put in."""
    load = _meant(game, "load")
    load.change(decks=load.event.decks[:-1], cards=None)
    return {"load": 1}


def loaded_twice(game: Partida, rng: Random) -> Place | None:
    """Loaded again between two rounds, although nothing had emptied it."""
    if game.of(IncidentReported):
        return None
    half = len(game.rounds) // 2
    before, after = game.rounds[half - 1], game.rounds[half:]
    load, at = _meant(game, "load"), before.at + MINUTE / 12
    mixed = game.record(at, game.of(CardsShuffled)[0].event)
    mixed.change(shoe=2)
    again = game.record(at + MINUTE / 60, load.event)
    again.change(reason="other", started_at=None, ended_at=None)
    word = game.word_for(load)
    left = again.at + MINUTE / 60
    said = Word(again, word.event.staff, "fiscal_chefe", "54", again.at, left)
    game.record(left, said, word.by)
    game.record(left, CardBurned, shoe=2, cards=1)
    for number, act in enumerate(after, start=1):
        act.change(shoe=2, number=number)
    return {"load": 2}


def reloaded_after_a_jam(game: Partida, rng: Random) -> Place | None:
    """Emptied because of a jam and loaded again, as it was dealt already: a note."""
    return {"load": 2} if "emptied" in game.wishes and len(game.of(ShufflerLoaded)) == 2 else None


# Who looked on


def unseen(game: Partida, rng: Random, *, name: str) -> Place:
    """Nobody."""
    game.drop(game.word_for(_meant(game, name)))
    return {name: 1}


def word_late(game: Partida, rng: Random, *, name: str) -> Place:
    """The witness said so twelve minutes after it."""
    act = _meant(game, name)
    word = game.word_for(act)
    word.at = later(act.at, 12)
    return {name: game.of(type(act.event)).index(act) + 1, "witness": word.event.staff}


def seen_off_duty(
    game: Partida, rng: Random, *, name: str, who: Who = simulated_cast.OFF_DUTY
) -> Place:
    """Another looked on: one who has the evening off, or `who`."""
    word = game.word_for(_meant(game, name))
    word.by, word.event.staff = who, who.staff
    return {name: 1, "witness": who.staff}


def seen_by_a_stranger(
    breach: Breach, evening: ProceduralEvening, rng: Random, *, name: str, granted: bool = False
) -> Iterable[Spot] | None:
    """On duty as fiscal-chefe, and nobody had granted him the office.

    `granted`: somebody does the day after, and dates it back.
    """
    free = evening.lawful(breach, rng)
    if not free:
        return None
    where = seen_off_duty(free[0], rng, name=name, who=STRANGER)
    begun = evening.house[0].at
    duty = DutyBegun(staff=STRANGER.staff, office="fiscal_chefe", tables=())
    first = min(act.at for act in free[0].acts)
    evening.house.append(Act(max(begun, first - MINUTE), STRANGER, duty))
    if granted:
        administrator = simulated_cast.ADMINISTRATOR
        office = OfficeGranted(
            staff=STRANGER.staff,
            office="fiscal_chefe",
            valid_from=begun,
            granted_by=administrator.staff,
        )
        after = max(act.at for act in evening.house) + timedelta(hours=1)
        evening.house.append(Act(after, administrator, office))
    return [Spot(free[0].name, breach.check, where)]


def _of_word(game: Partida, word: Act) -> tuple[str, Place]:
    """The check that asks where its witness was, and its place."""
    act, staff = word.event.act, word.event.staff
    if isinstance(act.event, ShufflerLoaded):
        place = game.of(ShufflerLoaded).index(act) + 1
        return "loading_witness_at_one_table", {"load": place, "witness": staff}
    place = game.of(ShufflerUnloaded).index(act) + 1
    return "unloading_witness_at_one_table", {"unload": place, "witness": staff}


def seen_from_afar(
    breach: Breach, evening: ProceduralEvening, rng: Random, *, name: str
) -> Iterable[Spot] | None:
    """A fiscal-chefe says he was at a table when he was at another; one act is of that name."""
    act = ShufflerLoaded if name == "load" else ShufflerUnloaded
    words = sorted(
        (
            (word.at, game, word)
            for game in evening.lawful(breach, rng)
            for word in game.acts
            if isinstance(word.event, Word) and word.event.article in ("54", "55")
        ),
        key=lambda one: one[0],
    )
    for (_, one, first), (_, other, second) in pairwise(words):
        kinds = {type(first.event.act.event), type(second.event.act.event)}
        if one.table == other.table or act not in kinds:
            continue
        came = first.event.present_until - MINUTE / 4
        stay = came, second.event.present_until
        if _free(evening, first.event.staff, stay, first, second):
            second.by, second.event.staff = first.by, first.event.staff
            second.event.present_from = came
            pair = ((one, first), (other, second))
            return [Spot(game.name, *_of_word(game, word)) for game, word in pair]
    return None


# Out of the machine


def closing_called_a_jam(game: Partida, rng: Random) -> list[tuple[str, Place]] | None:
    """At the closing the cards are said to come out of a jam, and nobody looks on."""
    if game.of(IncidentReported):
        return None
    unload = _meant(game, "unload")
    game.drop(game.word_for(unload))
    place: Place = {"unload": game.of(ShufflerUnloaded).index(unload) + 1}
    unload.change(reason="jam", closing_announced=None)
    return [("unloading_witnessed", place), ("cards_stay_in_shuffler", dict(place))]


def unloaded_unannounced(game: Partida, rng: Random) -> Place:
    """The cards came out before the table's closing was announced."""
    game.of(PartidaClosed)[-1].change(closing_announced_at=later(_meant(game, "unload").at, 1))
    return {"unload": 1}


def a_card_short(game: Partida, rng: Random) -> Place:
    unload = _meant(game, "unload")
    unload.change(cards=unload.event.cards - 1)
    return {"unload": 1}


def deck_ordered_in_the_machine(game: Partida, rng: Random) -> Place:
    """A deck is said to have been put in order while it lay in the machine."""
    act = rng.choice(game.of(DeckInspected, moment="close"))
    act.at = game.rounds[-1].at - MINUTE / 12
    return {"deck": act.event.deck}


def _irregular(game: Partida, rng: Random) -> Act:
    listed = {act.event.deck for act in game.of(IncidentReported)}
    act = rng.choice(
        [one for one in game.of(DeckInspected, moment="close") if one.event.deck not in listed]
    )
    act.change(cards=51, result="missing", missing_cards=("7H",))
    return act


def ordered_deck_short(game: Partida, rng: Random) -> Place:
    """A card is missing, and that is reported and made known as it should be."""
    act = _irregular(game, rng)
    incident = f"IN-9-{game.tag}"
    report = game.record(
        act.at,
        IncidentReported,
        incident=incident,
        category="deck_defect",
        reason="falta_carta",
        people=(),
        deck=act.event.deck,
        noticed_at=act.at,
        communicated_at=later(act.at, 3),
        communicated_by=simulated_cast.MANAGER.staff,
        communicated_by_office="chefia_da_sala",
    )
    report.recorded_at = later(act.at, 4)
    over = {"incident": incident, "outcome": "open", "reason": "comunicado"}
    game.record(later(act.at, 5), IncidentClosed, **over)
    return {"deck": act.event.deck}


def short_deck_kept_quiet(game: Partida, rng: Random) -> list[tuple[str, Place]]:
    """Nobody reports it: not regular, and not recorded."""
    place: Place = {"deck": _irregular(game, rng).event.deck}
    return [("ordered_deck_regular", place), ("irregular_deck_reported", dict(place))]
