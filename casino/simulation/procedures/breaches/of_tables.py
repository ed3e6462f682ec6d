"""Breaches at the table itself: layout, decks, special cards, limits, the exhibition, the closing.

Law: PT art. 2 to 5, 7, 13, 14, 17, 37.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any, Final

from casino.events.deck_life import CardReplaced, DeckWithdrawn
from casino.events.decks import DeckInspected
from casino.events.inspection import LeaveDecided, LimitsApproved
from casino.events.partidas import Dealing, PartidaClosed, PartidaOpened, SpecialCard
from casino.events.round.round_played import Limits
from casino.events.shoes import CardsShuffled, DeckPasses
from casino.events.shufflers import ShufflerLoaded, ShufflerUnloaded
from casino.events.tables import LimitsSet, TableRegistered
from casino.simulation.procedures.breaches.breaking import (
    Breach,
    Place,
    ProceduralEvening,
    Spot,
    breach,
)
from casino.simulation.procedures.procedure_acts import MINUTE, Act, Partida
from casino.simulation.procedures.simulated_cast import BACKS
from casino.simulation.procedures.table_story import CARDS, backs_of

SEVENTH: Final = "seventh_box_of_six"
WIDE: Final = "opened_with_limits_too_wide"
UNAPPROVED: Final = "limits_nobody_approved"

# The layout: the same table for each of its partidas


def _laid_out(kind: str, check: str, dealing: Dealing, **values: Any) -> Breach:
    """A table registered otherwise than the law has it."""

    def planter(evening: ProceduralEvening, rng: Random) -> Iterable[Spot] | None:
        free = evening.lawful(dealing, rng, kind)
        for table in dict.fromkeys(game.table for game in free):
            here = [game for game in evening.partidas if game.table == table]
            if all(game in free for game in here):
                registration(evening, table).change(**values)
                return [Spot(game.name, check, {}) for game in here]
        return None

    return Breach(kind, check, dealing, planter)


def registration(evening: ProceduralEvening, table: str) -> Act:
    """How a table was registered."""
    (act,) = [
        one
        for one in evening.house
        if isinstance(one.event, TableRegistered) and one.event.table == table
    ]
    return act


def _six_boxes(evening: ProceduralEvening, rng: Random) -> Iterable[Spot] | None:
    """A table of six, at which a seventh was played: every round that shows it."""
    for game in evening.lawful("shuffler", rng, SEVENTH):
        here = [one for one in evening.partidas if one.table == game.table]
        seventh = [
            one.name
            for one in here
            for act in one.rounds
            if any(box.number == 7 for box in act.event.boxes)
        ]
        registered = registration(evening, game.table)
        if seventh and len(here) == 1 and registered.event.boxes == 7:
            registered.change(boxes=6)
            return [Spot(name, "boxes_played_are_on_the_table", {"box": 7}) for name in seventh]
    return None


# The decks


def _shown(game: Partida, rng: Random) -> Act:
    """The exhibition of one of the decks the game was opened with."""
    deck = rng.choice(game.decks)
    return game.of(DeckInspected, moment="exhibition", deck=deck)[0]


def _exhibition(**values: Any) -> Any:
    def plant(game: Partida, rng: Random) -> Place:
        shown = _shown(game, rng)
        shown.change(**values)
        return {"deck": shown.event.deck}

    return plant


def _not_shown(game: Partida, rng: Random) -> Place:
    shown = _shown(game, rng)
    game.drop(shown)
    return {"deck": shown.event.deck}


def _shown_late(game: Partida, rng: Random) -> Place:
    shown = _shown(game, rng)
    shown.at = game.of(CardsShuffled)[0].at + MINUTE
    return {"deck": shown.event.deck}


def _fifth_deck(game: Partida, rng: Random) -> Place | None:
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


def _ordered(**values: Any) -> Any:
    """A deck put in order at the closing of a shoe's table, and found otherwise."""

    def plant(game: Partida, rng: Random) -> Place:
        ordered = [
            act for act in game.of(DeckInspected, moment="close") if act.event.result == "conform"
        ]
        act = rng.choice(ordered)
        act.change(**values)
        return {"deck": act.event.deck}

    return plant


def _withdrawn_and_used(game: Partida, rng: Random) -> Place | None:
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


def _one_card(game: Partida, rng: Random) -> Place | None:
    exchanged = game.of(CardReplaced)
    if not exchanged:
        return None
    exchanged[0].change(authorisation=None)
    return {"deck": exchanged[0].event.deck}


def _made_up(game: Partida, rng: Random) -> Place | None:
    """The exchange names a leave nobody gave."""
    exchanged = game.of(CardReplaced)
    if not exchanged:
        return None
    exchanged[0].change(authorisation="Despacho 99")
    return {"deck": exchanged[0].event.deck}


def _for_another_card(game: Partida, rng: Random) -> Place | None:
    """Leave was given for another card than the one that was exchanged."""
    exchanged, granted = game.of(CardReplaced), game.of(LeaveDecided)
    if not exchanged or not granted:
        return None
    granted[0].change(cards=("5C",))
    return {"deck": exchanged[0].event.deck}


# What was recorded when it was opened, and what somebody answers for when it is closed


def _opened(**values: Any) -> Any:
    def plant(game: Partida, rng: Random) -> Place:
        game.only(PartidaOpened).change(**values)
        return {}

    return plant


def _other_limits(game: Partida, rng: Random) -> Place:
    opened = game.only(PartidaOpened)
    limits = opened.event.limits
    maximum = limits.maximum_cents + limits.minimum_cents
    opened.change(limits=replace(limits, maximum_cents=maximum))
    for act in game.rounds:  # the device leaves it to the opening
        act.change(limits=None)
    return {}


def _round_with_other_limits(game: Partida, rng: Random) -> Place:
    """The device tells limits the table never had."""
    limits = game.only(PartidaOpened).event.limits
    found = Limits(limits.minimum_cents, limits.maximum_cents - limits.minimum_cents)
    rng.choice(game.rounds).change(limits=found)
    return {}


def _wide_limits(evening: ProceduralEvening, rng: Random) -> Iterable[Spot] | None:
    """Limits farther apart than the law allows: those set for the table, which it opens with."""
    for game in evening.lawful("shoe", rng, WIDE):
        here = [one for one in evening.partidas if one.table == game.table]
        if len(here) > 1:
            continue
        (limits,) = [
            act
            for act in evening.house
            if isinstance(act.event, LimitsSet) and act.event.table == game.table
        ]
        most = 31 * limits.event.minimum_cents
        limits.change(maximum_cents=most)
        for act in evening.house:
            if isinstance(act.event, LimitsApproved) and game.table in act.event.tables:
                act.change(maximum_cents=most)
        opened = game.only(PartidaOpened)
        opened.change(limits=replace(opened.event.limits, maximum_cents=most))
        for act in game.rounds:  # the device leaves it to the opening
            act.change(limits=None)
        return [Spot(game.name, "opened_within_thirty_minimums", {})]
    return None


def _unapproved(evening: ProceduralEvening, rng: Random) -> Iterable[Spot] | None:
    """A maximum was approved for a table, and another is set and played by."""
    for game in evening.lawful("shoe", rng, UNAPPROVED):
        here = [one for one in evening.partidas if one.table == game.table]
        if len(here) > 1:
            continue
        (approved,) = [
            act
            for act in evening.house
            if isinstance(act.event, LimitsApproved) and game.table in act.event.tables
        ]
        least = approved.event.minimum_cents
        approved.change(maximum_cents=approved.event.maximum_cents - least)
        return [Spot(game.name, "limits_are_approved", {})]
    return None


def answers_for_nothing(article: str, **silent: Any) -> Any:
    """Nobody answers for an article at the closing, and a round does not show that it was kept."""

    def plant(game: Partida, rng: Random) -> Place:
        closed = game.of(PartidaClosed)[-1]
        kept = tuple(one for one in closed.event.attested or () if one.article != article)
        closed.change(attested=kept)
        rng.choice(game.rounds).change(**silent)
        return {}

    return plant


BREACHES: Final = (
    _laid_out("eight_boxes", "table_has_lawful_boxes", "shoe", boxes=8),
    _laid_out("another_shape", "table_is_semicircular", "shuffler", layout="other"),
    _laid_out("numbered_otherwise", "boxes_numbered_from_dealers_left", "shoe", numbering="other"),
    _laid_out("unmarked_boxes", "boxes_marked_on_the_cloth", "shuffler", boxes_marked=False),
    _laid_out("shape_untold", "table_layout_is_told", "shuffler", layout=None),
    Breach(SEVENTH, "boxes_played_are_on_the_table", "shuffler", _six_boxes),
    breach("five_decks", "number_of_decks_allowed", "shuffler", _fifth_deck),
    breach("joker_shown", "no_joker_in_a_deck", "shoe", _exhibition(jokers=1)),
    breach(
        "deck_short_after_play",
        "deck_whole_after_play",
        "shoe",
        _ordered(cards=51, result="missing", missing_cards=("QH",)),
    ),
    breach(
        "one_special_card",
        "two_special_cards_are_used",
        "shoe",
        _opened(special_cards=1, carta_aviso=None),
    ),
    breach("special_cards_untold", "special_cards_are_told", "shoe", _opened(carta_aviso=None)),
    breach(
        "special_card_of_two_colours",
        "special_cards_alike_on_both_faces",
        "shoe",
        _opened(cut_card=SpecialCard(front="amarelo", back="branco")),
    ),
    breach(
        "special_card_like_a_deck",
        "special_cards_unlike_the_decks",
        "shoe",
        _opened(cut_card=SpecialCard(front=BACKS[0], back=BACKS[0])),
    ),
    breach(
        "damaged_deck_kept",
        "damaged_deck_withdrawn",
        "shoe",
        _ordered(faces="damaged", result="damaged", damaged_cards=("2C",)),
    ),
    breach("withdrawn_deck_shuffled", "withdrawn_deck_not_used", "shoe", _withdrawn_and_used),
    breach(
        "card_exchanged_without_leave",
        "single_card_replaced_with_leave",
        "shoe",
        _one_card,
        "leave",
    ),
    breach("leave_made_up", "leave_is_on_record", "shoe", _made_up, "leave"),
    breach("leave_for_another_card", "leave_is_on_record", "shoe", _for_another_card, "leave"),
    breach("deck_not_exhibited", "decks_exhibited_before_shuffle", "shoe", _not_shown),
    breach("deck_exhibited_late", "decks_exhibited_before_shuffle", "shuffler", _shown_late),
    breach(
        "deck_exhibited_short",
        "exhibited_deck_has_its_cards",
        "shoe",
        _exhibition(cards=51, result="missing"),
    ),
    breach(
        "deck_exhibited_out_of_order",
        "exhibited_deck_whole",
        "shuffler",
        _exhibition(order_complete=False),
    ),
    breach(
        "deck_not_laid_in_rows",
        "exhibited_deck_in_rows",
        "shoe",
        _exhibition(spread_in_rows=False),
    ),
    breach("opened_with_other_limits", "opened_with_the_limits_set", "shuffler", _other_limits),
    breach(
        "round_with_other_limits",
        "rounds_tell_the_tables_limits",
        "shoe",
        _round_with_other_limits,
    ),
    Breach(UNAPPROVED, "limits_are_approved", "shoe", _unapproved),
    Breach(WIDE, "opened_within_thirty_minimums", "shoe", _wide_limits),
    breach(
        "stakes_untimed",
        "stakes_timed_or_attested",
        "shoe",
        answers_for_nothing("13", times=None),
    ),
    breach(
        "deal_unrecorded",
        "deal_recorded_or_attested",
        "shuffler",
        answers_for_nothing("17", dealt=None),
    ),
)
