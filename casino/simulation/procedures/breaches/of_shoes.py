"""Breaches at a shoe: shuffle, cut, warning card, burnt card, last round, cards laid out.

Law: PT art. 8 to 12.
"""

from random import Random
from typing import Any, Final

from casino.events.incidents import IncidentReported
from casino.events.shoes import (
    CardBurned,
    CardsShuffled,
    CardsSpread,
    CartaAvisoPlaced,
    CutMade,
    LastRoundAnnounced,
    PlayInterrupted,
)
from casino.simulation.procedures.breaches.breaking import Breach, Place, breach
from casino.simulation.procedures.procedure_acts import MINUTE, SECOND, Act, Partida
from casino.simulation.procedures.simulated_cast import CUT_CARD
from casino.simulation.procedures.turns import cut_by_another, recut

# The warning card is moved while the cards are dealt: by how much, in which shoe.
MOVED: Final = 2


def _some(kind: Any, **values: Any) -> Any:
    """One act of a kind told otherwise."""

    def plant(game: Partida, rng: Random) -> Place:
        act = rng.choice(game.of(kind))
        act.change(**values)
        return {"shoe": act.event.shoe}

    return plant


def _none(kind: Any) -> Any:
    """One act of a kind that was not done."""

    def plant(game: Partida, rng: Random) -> Place:
        act = rng.choice(game.of(kind))
        game.drop(act)
        return {"shoe": act.event.shoe}

    return plant


def _before(kind: Any, earlier: Any) -> Any:
    """An act done just before the one it has to follow."""

    def plant(game: Partida, rng: Random) -> Place:
        act = rng.choice(game.of(kind))
        act.at = game.only(earlier, shoe=act.event.shoe).at - SECOND
        return {"shoe": act.event.shoe}

    return plant


def _after_the_deal(kind: Any) -> Any:
    """An act done when the first cards were out."""

    def plant(game: Partida, rng: Random) -> Place | None:
        act = rng.choice(game.of(kind))
        first = next(one for one in game.rounds if one.event.shoe == act.event.shoe)
        if first.event.times is None:
            return None
        act.at = first.event.times.first_card + 10 * SECOND
        return {"shoe": act.event.shoe}

    return plant


def _left_out(game: Partida, rng: Random) -> Place:
    act = rng.choice(game.of(CardsShuffled))
    decks = act.event.decks[:-1]
    act.change(decks=decks, cards=52 * len(decks))
    return {"shoe": act.event.shoe}


def _never_passed(game: Partida, rng: Random) -> Place:
    act = rng.choice(game.of(CutMade))
    recut(game, act, None)
    act.change(cut_by="nobody", seat=None, staff=None, offers=())
    return {"shoe": act.event.shoe}


def _wrong_seat(game: Partida, rng: Random) -> Place | None:
    cuts = [act for act in game.of(CutMade, cut_by="seat") if len(act.event.seats_occupied) > 1]
    if not cuts:
        return None
    act = rng.choice(cuts)
    others = [seat for seat in act.event.seats_occupied if seat != act.event.offers[0].seat]
    if len(act.event.offers) > 1:  # somebody declined: whoever comes next is right
        return None
    cut_by_another(game, act, rng.choice(others))
    return {"shoe": act.event.shoe}


def _house_cuts(game: Partida, rng: Random) -> Place | None:
    """The fiscal de banca cuts although nobody was asked; only in the last shoe, or before a stop.

    A cut by the house lets the next shoe begin anew.
    """
    cuts = game.of(CutMade)
    if cuts[-1].event.cut_by != "seat":
        return None
    cuts[-1].change(cut_by="fiscal_de_banca", seat=None, offers=(), staff=game.pit.staff)
    return {"shoe": cuts[-1].event.shoe}


def _displaced(game: Partida, rng: Random) -> Place | None:
    """The cards were dealt so already: the label alone is missing."""
    placed = "displaced" in game.wishes and game.of(CartaAvisoPlaced, shoe=MOVED)
    return {"shoe": MOVED} if placed else None


def _has_ended(game: Partida, shoe: int) -> bool:
    """Whether the warning card of a shoe came out."""
    return any(
        act.event.shoe == shoe and act.event.warning_card_at is not None for act in game.rounds
    )


def _elsewhere(game: Partida, rng: Random) -> Place | None:
    """The card lay some way off where it was said to lie, although it was said to lie right."""
    return _displaced(game, rng) if _has_ended(game, MOVED) else None


# The last round


def _announcement(game: Partida, rng: Random) -> Act | None:
    acts = game.of(LastRoundAnnounced)
    return rng.choice(acts) if acts else None


def _not_announced(game: Partida, rng: Random) -> Place | None:
    act = _announcement(game, rng)
    if act is None:
        return None
    game.drop(act)
    return {"shoe": act.event.shoe}


def _not_aloud(game: Partida, rng: Random) -> Place | None:
    act = _announcement(game, rng)
    if act is None:
        return None
    act.change(audible=False)
    return {"shoe": act.event.shoe}


def _another_round(game: Partida, rng: Random) -> Place | None:
    """Nobody saw the card come out; the last round was announced, and one more played."""
    act = _announcement(game, rng)
    if act is None:
        return None
    rounds = [one for one in game.rounds if one.event.shoe == act.event.shoe]
    if len(rounds) < 2:
        return None
    rounds[-1].change(warning_card_at=None)
    before = rounds[-2].event
    act.change(round=before.round, number=before.number)
    return {"shoe": act.event.shoe}


def _followed(game: Partida, rng: Random) -> Act | None:
    """The announcement of a shoe another was dealt after, with no stop between the two."""
    stops = [act.at for act in (*game.of(PlayInterrupted), *game.of(IncidentReported))]
    calm = []
    for act in game.of(LastRoundAnnounced):
        shuffled = game.of(CardsShuffled, shoe=act.event.shoe + 1)
        begun = act.at - 5 * MINUTE
        dealt = any(one.event.shoe == act.event.shoe + 1 for one in game.rounds)
        if dealt and shuffled and not any(begun < at <= shuffled[0].at for at in stops):
            calm.append(act)
    return rng.choice(calm) if calm else None


def _cut_short(game: Partida, rng: Random) -> Place | None:
    """The shoe was left before its warning card came out, and nothing tells why."""
    act = _followed(game, rng)
    if act is None:
        return None
    for one in game.rounds:
        if one.event.shoe == act.event.shoe:
            one.change(warning_card_at=None)
    game.drop(act)
    return {"shoe": act.event.shoe}


def _skipped(game: Partida, rng: Random) -> Place | None:
    """The card came out just before a round, which was not played."""
    act = _followed(game, rng)
    if act is None:
        return None
    here = [one for one in game.rounds if one.event.shoe == act.event.shoe]
    for one in here:
        one.change(warning_card_at=None)
    act.at = max(one.at for one in here) + SECOND
    act.change(came_out="before_round", round=None, number=None)
    return {"shoe": act.event.shoe}


# Cards laid out


def _spread(**values: Any) -> Any:
    def plant(game: Partida, rng: Random) -> Place | None:
        spread = game.of(CardsSpread)
        if not spread:
            return None
        spread[0].change(**values)
        return {"shoe": spread[0].event.shoe}

    return plant


def _played_on(game: Partida, rng: Random) -> Place | None:
    """The cards were laid out, and the last rounds dealt from them."""
    spread = game.of(CardsSpread)
    if not spread:
        return None
    act = spread[0]
    rounds = [one for one in game.rounds if one.event.shoe == act.event.shoe]
    times = rounds[-1].event.times
    if len(rounds) < 2 or times is None:
        return None
    act.at = times.first_card - SECOND
    act.change(round=rounds[-2].event.round)
    return {"shoe": act.event.shoe}


BREACHES: Final[tuple[Breach, ...]] = (
    breach("shoe_not_shuffled", "shoe_is_shuffled", "shoe", _none(CardsShuffled)),
    breach("deck_left_out_of_the_shuffle", "shoe_is_shuffled", "shoe", _left_out),
    breach("shoe_not_cut", "shoe_is_cut", "shoe", _none(CutMade)),
    breach("cut_by_nobody", "shoe_is_cut", "shoe", _never_passed),
    breach(
        "cut_before_the_shuffle", "cut_follows_the_shuffle", "shoe", _before(CutMade, CardsShuffled)
    ),
    breach("cut_by_hand", "cut_with_a_special_card", "shoe", _some(CutMade, special_card=False)),
    breach("cut_by_a_wrong_seat", "cut_by_rightful_seat", "shoe", _wrong_seat),
    breach("cut_by_the_house", "cut_by_rightful_seat", "shoe", _house_cuts),
    breach("no_warning_card", "warning_card_is_placed", "shoe", _none(CartaAvisoPlaced)),
    breach(
        "warning_card_after_the_deal",
        "warning_card_is_placed",
        "shoe",
        _after_the_deal(CartaAvisoPlaced),
    ),
    breach(
        "warning_card_before_the_cut",
        "warning_card_follows_the_cut",
        "shoe",
        _before(CartaAvisoPlaced, CutMade),
    ),
    breach(
        "warning_card_far_off",
        "warning_card_at_its_place",
        "shoe",
        _displaced,
        displaced={MOVED: -24},
    ),
    breach(
        "warning_card_off",
        "warning_card_near_its_place",
        "shoe",
        _displaced,
        displaced={MOVED: -10},
    ),
    breach(
        "warning_card_like_the_cut_card",
        "warning_card_unlike_cut_card",
        "shoe",
        _some(CartaAvisoPlaced, colours=CUT_CARD),
    ),
    breach(
        "warning_card_came_out_elsewhere",
        "warning_card_comes_out_where_placed",
        "shoe",
        _elsewhere,
        displaced={MOVED: -9},
        said={MOVED: -9},
    ),
    breach("no_card_burnt", "shoe_is_burnt", "shoe", _none(CardBurned)),
    breach("burnt_after_the_deal", "shoe_is_burnt", "shoe", _after_the_deal(CardBurned)),
    breach("two_cards_burnt", "burnt_cards_exact", "shoe", _some(CardBurned, cards=2)),
    breach(
        "burnt_beside_the_corner",
        "burnt_cards_to_discard_corner",
        "shoe",
        _some(CardBurned, to_discard_corner=False),
    ),
    breach("last_round_not_announced", "last_round_announced", "shoe", _not_announced),
    breach("last_round_not_aloud", "last_round_announced_aloud", "shoe", _not_aloud),
    breach(
        "round_after_the_announced", "no_round_after_the_announced_last", "shoe", _another_round
    ),
    breach("shoe_cut_short", "shoe_ends_for_a_cause", "shoe", _cut_short),
    breach(
        "round_after_the_card_skipped", "round_after_the_warning_card_is_played", "shoe", _skipped
    ),
    breach(
        "spread_for_another_reason",
        "cards_spread_for_lawful_reason",
        "shoe",
        _spread(reason="other"),
        "spread",
    ),
    breach(
        "spread_face_down", "spread_cards_lie_face_up", "shoe", _spread(face_up=False), "spread"
    ),
    breach("round_after_the_spread", "no_round_after_the_spread", "shoe", _played_on, "spread"),
)
