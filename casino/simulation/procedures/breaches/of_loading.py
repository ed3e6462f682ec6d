"""Breaches when cards go into the shuffler and come out: shuffle, load, witness, unload, order.

Law: PT art. 53 to 55.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import pairwise
from random import Random
from typing import Any, Final

from casino.events.decks import DeckInspected
from casino.events.incidents import IncidentClosed, IncidentReported
from casino.events.partidas import PartidaClosed, PartidaOpened
from casino.events.shoes import CardBurned, CardsShuffled
from casino.events.shufflers import ShufflerFoundEmpty, ShufflerLoaded, ShufflerUnloaded
from casino.events.staff import DutyBegun, OfficeGranted
from casino.simulation.procedures import simulated_cast
from casino.simulation.procedures.breaches.breaking import (
    Breach,
    Place,
    ProceduralEvening,
    Spot,
    breach,
)
from casino.simulation.procedures.procedure_acts import MINUTE, Act, Partida, Who, Word, later

STRANGER: Final = Who(
    "S-914", "fiscal_chefe", simulated_cast.DOOR
)  # acts as a fiscal-chefe and is none
LATE: Final = "loaded_after_the_deal"
EMPTY: Final = "still_empty"


def _load(game: Partida) -> Act:
    return game.of(ShufflerLoaded)[0]


def _closing(game: Partida) -> Act:
    return game.of(ShufflerUnloaded, reason="closing")[0]


def _mixed_by_machine(game: Partida, rng: Random) -> Place:
    game.of(CardsShuffled)[0].change(method="machine")
    return {"load": 1}


def _not_mixed(game: Partida, rng: Random) -> Place:
    game.drop(game.of(CardsShuffled)[0])
    return {"load": 1}


def _never_loaded(game: Partida, rng: Random) -> Place:
    game.drop(game.word_for(_load(game)), _load(game))
    return {}


def _still_empty(evening: ProceduralEvening, rng: Random) -> Iterable[Spot] | None:
    """Opened, its decks shown, and then forgotten: neither loaded nor closed."""
    for game in evening.lawful("shuffler", rng, EMPTY):
        tables = [one.number for one in evening.partidas if one.table == game.table]
        if game.number < max(tables):
            continue  # where the table is opened again two games would be open
        opened = game.only(PartidaOpened)
        game.acts = [opened, *game.of(DeckInspected, moment="exhibition")]
        return [Spot(game.name, "shuffler_loaded_soon_after_opening", {})]
    return None


def _loaded_late(evening: ProceduralEvening, rng: Random) -> Iterable[Spot] | None:
    """The first round was dealt before the cards are said to have gone in."""
    for game in evening.lawful("shuffler", rng, LATE):
        load, first = _load(game), game.rounds[0]
        word = game.word_for(load)
        if first.event.times is None:
            continue
        shift = first.event.times.first_card + MINUTE / 12 - load.at
        stay = word.event.present_from + shift, word.event.present_until + shift
        if not _free(evening, word.event.staff, stay, word):
            continue
        load.at += shift
        word.at += shift
        load.change(started_at=None, ended_at=None)
        word.event.present_from, word.event.present_until = stay
        return [Spot(game.name, "shuffler_loaded_before_the_deal", {"load": 1})]
    return None


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


def _packets(game: Partida, rng: Random) -> Place:
    _load(game).change(packets=1)
    return {"load": 1}


def _one_too_few(game: Partida, rng: Random) -> Place:
    """A deck shown and shuffled with the others is not put in."""
    load = _load(game)
    load.change(decks=load.event.decks[:-1], cards=None)
    return {"load": 1}


def _loaded_twice(game: Partida, rng: Random) -> Place | None:
    """Loaded again between two rounds, although nothing had emptied it."""
    if game.of(IncidentReported):
        return None
    half = len(game.rounds) // 2
    before, after = game.rounds[half - 1], game.rounds[half:]
    load, at = _load(game), before.at + MINUTE / 12
    mixed = game.record(at, game.of(CardsShuffled)[0].event)
    mixed.change(shoe=2)
    again = game.record(at + MINUTE / 60, load.event)
    again.change(reason="other", started_at=None, ended_at=None)
    word = game.word_for(load)
    left = again.at + MINUTE / 60
    said = Word(again, word.event.staff, "fiscal_chefe", "54", again.at, left)
    game.record(left, said, word.by)
    game.record(left, CardBurned(**game.where, shoe=2, cards=1))
    for number, act in enumerate(after, start=1):
        act.change(shoe=2, number=number)
    return {"load": 2}


def _reloaded(game: Partida, rng: Random) -> Place | None:
    """Emptied because of a jam and loaded again, as it was dealt already: a note."""
    return {"load": 2} if "emptied" in game.wishes and len(game.of(ShufflerLoaded)) == 2 else None


# Who looked on


def _nobody(act: Any, name: str) -> Any:
    def plant(game: Partida, rng: Random) -> Place:
        game.drop(game.word_for(act(game)))
        return {name: 1}

    return plant


def _late(act: Any, name: str) -> Any:
    """The witness said so twelve minutes after it."""

    def plant(game: Partida, rng: Random) -> Place:
        word = game.word_for(act(game))
        word.at = later(word.event.act.at, 12)
        return {
            name: game.of(type(word.event.act.event)).index(word.event.act) + 1,
            "witness": word.event.staff,
        }

    return plant


def _another(act: Any, name: str, who: Who) -> Any:
    def plant(game: Partida, rng: Random) -> Place:
        word = game.word_for(act(game))
        word.by, word.event.staff = who, who.staff
        return {name: 1, "witness": who.staff}

    return plant


def _stranger(kind: str, act: Any, name: str, check: str, *, granted: bool = False) -> Breach:
    """On duty as fiscal-chefe, and nobody had granted him the office.

    `granted`: somebody does the day after, and dates it back.
    """

    def planter(evening: ProceduralEvening, rng: Random) -> Iterable[Spot] | None:
        free = evening.lawful("shuffler", rng, kind)
        if not free:
            return None
        where = _another(act, name, STRANGER)(free[0], rng)
        begun = evening.house[0].at
        duty = DutyBegun(staff=STRANGER.staff, office="fiscal_chefe", tables=())
        first = min(act.at for act in free[0].acts)
        evening.house.append(Act(max(begun, first - MINUTE), STRANGER, duty))
        if granted:
            office = OfficeGranted(
                staff=STRANGER.staff,
                office="fiscal_chefe",
                valid_from=begun,
                granted_by=simulated_cast.ADMINISTRATOR.staff,
            )
            after = max(act.at for act in evening.house) + timedelta(hours=1)
            evening.house.append(Act(after, simulated_cast.ADMINISTRATOR, office))
        return [Spot(free[0].name, check, where)]

    return Breach(kind, check, "shuffler", planter)


def _of_word(game: Partida, word: Act) -> tuple[str, Place]:
    """The check that asks where its witness was, and its place."""
    act, staff = word.event.act, word.event.staff
    if isinstance(act.event, ShufflerLoaded):
        place = game.of(ShufflerLoaded).index(act) + 1
        return "loading_witness_at_one_table", {"load": place, "witness": staff}
    place = game.of(ShufflerUnloaded).index(act) + 1
    return "unloading_witness_at_one_table", {"unload": place, "witness": staff}


def _at_two_tables(kind: str, check: str, act: type) -> Breach:
    """A fiscal-chefe says he was at a table when he was at another; one act is of that kind."""

    def planter(evening: ProceduralEvening, rng: Random) -> Iterable[Spot] | None:
        free = evening.lawful("shuffler", rng, kind)
        words = sorted(
            (
                (word.at, game, word)
                for game in free
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
            if not _free(evening, first.event.staff, stay, first, second):
                continue
            second.by, second.event.staff = first.by, first.event.staff
            second.event.present_from = came
            return [
                Spot(game.name, *_of_word(game, word))
                for game, word in ((one, first), (other, second))
            ]
        return None

    return Breach(kind, check, "shuffler", planter)


# Out of the machine


def _never_unloaded(game: Partida, rng: Random) -> Place:
    game.drop(game.word_for(_closing(game)), _closing(game))
    return {}


def _called_a_jam(game: Partida, rng: Random) -> list[tuple[str, Place]] | None:
    """At the closing the cards are said to come out of a jam, and nobody looks on."""
    if game.of(IncidentReported):
        return None
    unload = _closing(game)
    game.drop(game.word_for(unload))
    place: Place = {"unload": game.of(ShufflerUnloaded).index(unload) + 1}
    unload.change(reason="jam", closing_announced=None)
    return [("unloading_witnessed", place), ("cards_stay_in_shuffler", dict(place))]


def _before_the_word(game: Partida, rng: Random) -> Place:
    """The cards came out before the table's closing was announced."""
    game.of(PartidaClosed)[-1].change(closing_announced_at=later(_closing(game).at, 1))
    return {"unload": 1}


def _short(**values: Any) -> Any:
    def plant(game: Partida, rng: Random) -> Place:
        unload = _closing(game)
        unload.change(**{name: value(unload.event) for name, value in values.items()})
        return {"unload": 1}

    return plant


def _found_inside(game: Partida, rng: Random) -> Place:
    game.only(ShufflerFoundEmpty).change(cards_found=1)
    return {"unload": 1}


def _not_ordered(game: Partida, rng: Random) -> Place:
    act = rng.choice(game.of(DeckInspected, moment="close"))
    game.drop(act)
    return {"deck": act.event.deck}


def _ordered_inside(game: Partida, rng: Random) -> Place:
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


def _irregular_reported(game: Partida, rng: Random) -> Place:
    """A card is missing, and that is reported and made known as it should be."""
    act = _irregular(game, rng)
    incident = f"IN-9-{game.tag}"
    report = IncidentReported(
        **game.where,
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
    game.record(act.at, report).recorded_at = later(act.at, 4)
    over = IncidentClosed(**game.where, incident=incident, outcome="open", reason="comunicado")
    game.record(later(act.at, 5), over)
    return {"deck": act.event.deck}


def _irregular_kept_quiet(game: Partida, rng: Random) -> list[tuple[str, Place]]:
    """Nobody reports it: not regular, and not recorded."""
    place: Place = {"deck": _irregular(game, rng).event.deck}
    return [("ordered_deck_regular", place), ("irregular_deck_reported", dict(place))]


LOADING: Final[tuple[Breach, ...]] = (
    breach("mixed_by_a_machine", "loaded_decks_shuffled_by_hand", "shuffler", _mixed_by_machine),
    breach("not_mixed", "loaded_decks_shuffled_by_hand", "shuffler", _not_mixed),
    breach("deck_not_loaded", "loaded_decks_are_the_games", "shuffler", _one_too_few),
    breach("never_loaded", "shuffler_is_loaded", "shuffler", _never_loaded),
    Breach(EMPTY, "shuffler_loaded_soon_after_opening", "shuffler", _still_empty),
    Breach(LATE, "shuffler_loaded_before_the_deal", "shuffler", _loaded_late),
    breach("one_packet", "shuffler_loaded_in_packets", "shuffler", _packets),
    breach("loaded_twice", "shuffler_loaded_once", "shuffler", _loaded_twice, rounds=20),
    breach(
        "reloaded_after_a_jam",
        "shuffler_reloaded_after_opening",
        "shuffler",
        _reloaded,
        "jam",
        emptied=True,
    ),
    breach("loading_unseen", "loading_witnessed", "shuffler", _nobody(_load, "load")),
    breach("loading_word_late", "loading_witnessed_in_time", "shuffler", _late(_load, "load")),
    _stranger("loading_seen_by_a_stranger", _load, "load", "loading_witness_is_fiscal_chefe"),
    _stranger(
        "loading_seen_by_one_named_after",
        _load,
        "load",
        "loading_witness_is_fiscal_chefe",
        granted=True,
    ),
    breach(
        "loading_seen_off_duty",
        "loading_witness_on_duty",
        "shuffler",
        _another(_load, "load", simulated_cast.OFF_DUTY),
    ),
    _at_two_tables("loading_seen_from_afar", "loading_witness_at_one_table", ShufflerLoaded),
)
UNLOADING: Final[tuple[Breach, ...]] = (
    breach("never_unloaded", "shuffler_unloaded_at_closing", "shuffler", _never_unloaded),
    breach(
        "unloaded_unannounced", "unloaded_after_closing_announced", "shuffler", _before_the_word
    ),
    breach("unloading_unseen", "unloading_witnessed", "shuffler", _nobody(_closing, "unload")),
    breach(
        "unloading_word_late", "unloading_witnessed_in_time", "shuffler", _late(_closing, "unload")
    ),
    breach("closing_called_a_jam", "unloading_witnessed", "shuffler", _called_a_jam),
    _stranger(
        "unloading_seen_by_a_stranger", _closing, "unload", "unloading_witness_is_fiscal_chefe"
    ),
    breach(
        "unloading_seen_off_duty",
        "unloading_witness_on_duty",
        "shuffler",
        _another(_closing, "unload", simulated_cast.OFF_DUTY),
    ),
    _at_two_tables("unloading_seen_from_afar", "unloading_witness_at_one_table", ShufflerUnloaded),
    breach(
        "a_card_short",
        "shuffler_left_empty",
        "shuffler",
        _short(cards=lambda event: event.cards - 1),
    ),
    breach("not_empty", "shuffler_left_empty", "shuffler", _short(empty=lambda event: False)),
    breach("a_card_inside", "shuffler_left_empty", "shuffler", _found_inside),
    breach("deck_not_ordered", "decks_ordered_at_closing", "shuffler", _not_ordered),
    breach("deck_ordered_in_the_machine", "decks_ordered_at_closing", "shuffler", _ordered_inside),
    breach("ordered_deck_short", "ordered_deck_regular", "shuffler", _irregular_reported),
    breach("short_deck_kept_quiet", "irregular_deck_reported", "shuffler", _irregular_kept_quiet),
)
BREACHES: Final = (*LOADING, *UNLOADING)
