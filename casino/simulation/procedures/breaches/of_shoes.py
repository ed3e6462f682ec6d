"""Breaches at a shoe: shuffle, cut, warning card, burnt card, last round, cards laid out, dealers.

Law: PT art. 7 to 12, 17, 55.
"""

from random import Random
from typing import Final

from casino.events.incidents import IncidentReported
from casino.events.shoes import (
    CardsShuffled,
    CardsSpread,
    CartaAvisoPlaced,
    CutMade,
    CutOffer,
    LastRoundAnnounced,
    PlayInterrupted,
)
from casino.simulation.procedures.breaches.breaking import Place
from casino.simulation.procedures.procedure_acts import MINUTE, SECOND, Act, Partida
from casino.simulation.procedures.turns import cut_by_another, recut

ENOUGH_READ: Final = 80  # stakes by a card that was not out, that they can be noticed
MOVED: Final = 2  # the shoe whose warning card is moved while the cards are dealt


def deck_left_out_of_the_shuffle(game: Partida, rng: Random) -> Place:
    act = rng.choice(game.of(CardsShuffled))
    decks = act.event.decks[:-1]
    act.change(decks=decks, cards=52 * len(decks))
    return {"shoe": act.event.shoe}


def cut_by_nobody(game: Partida, rng: Random) -> Place:
    act = rng.choice(game.of(CutMade))
    recut(game, act, None)
    act.change(cut_by="nobody", seat=None, staff=None, offers=())
    return {"shoe": act.event.shoe}


def cut_by_a_wrong_seat(game: Partida, rng: Random) -> Place | None:
    cuts = [act for act in game.of(CutMade, cut_by="seat") if len(act.event.seats_occupied) > 1]
    if not cuts:
        return None
    act = rng.choice(cuts)
    others = [seat for seat in act.event.seats_occupied if seat != act.event.offers[0].seat]
    if len(act.event.offers) > 1:  # somebody declined: whoever comes next is right
        return None
    cut_by_another(game, act, rng.choice(others))
    return {"shoe": act.event.shoe}


def cut_by_the_house(game: Partida, rng: Random) -> Place | None:
    """The fiscal de banca cuts although nobody was asked; only in the last shoe, or before a stop.

    A cut by the house lets the next shoe begin anew.
    """
    cuts = game.of(CutMade)
    if cuts[-1].event.cut_by != "seat":
        return None
    cuts[-1].change(cut_by="fiscal_de_banca", seat=None, offers=(), staff=game.pit.staff)
    return {"shoe": cuts[-1].event.shoe}


def displaced(game: Partida, rng: Random) -> Place | None:
    """The cards were dealt so already: the label alone is missing."""
    placed = "displaced" in game.wishes and game.of(CartaAvisoPlaced, shoe=MOVED)
    return {"shoe": MOVED} if placed else None


def discards_dealt_again(game: Partida, rng: Random) -> Place | None:
    """The discards were dealt again as they lay, though a shuffle is recorded as at every shoe."""
    dealt = [act for act in game.rounds if act.event.shoe == MOVED]
    known = len(dealt) > 3 and all(act.event.dealt is not None for act in dealt)
    return {"shoe": MOVED} if "unshuffled" in game.wishes and known else None


def card_read_beforehand(game: Partida, rng: Random) -> Place | None:
    """A guest stakes by the card that comes to him first, which he cannot see; often enough in
    shoes of which the order of the cards is known.
    """
    reader, read = game.wishes.get("reader"), 0
    for shoe in {act.event.shoe for act in game.rounds}:
        dealt = [act.event for act in game.rounds if act.event.shoe == shoe]
        if all(event.dealt is not None for event in dealt):
            read += sum(box.holder == reader for event in dealt for box in event.boxes)
    return {"owner": reader} if reader and read > ENOUGH_READ else None


def warning_card_came_out_elsewhere(game: Partida, rng: Random) -> Place | None:
    """The card lay some way off where it was said to lie, although it was said to lie right."""
    ended = any(
        act.event.shoe == MOVED and act.event.warning_card_at is not None for act in game.rounds
    )
    return displaced(game, rng) if ended else None


# The last round


def round_after_the_announced(game: Partida, rng: Random) -> Place | None:
    """Nobody saw the card come out; the last round was announced, and one more played."""
    announced = game.of(LastRoundAnnounced)
    if not announced:
        return None
    act = rng.choice(announced)
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


def shoe_cut_short(game: Partida, rng: Random) -> Place | None:
    """The shoe was left before its warning card came out, and nothing tells why."""
    act = _followed(game, rng)
    if act is None:
        return None
    for one in game.rounds:
        if one.event.shoe == act.event.shoe:
            one.change(warning_card_at=None)
    game.drop(act)
    return {"shoe": act.event.shoe}


def round_after_the_card_skipped(game: Partida, rng: Random) -> Place | None:
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


def round_after_the_spread(game: Partida, rng: Random) -> Place | None:
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


# Who does it


def cut_by_the_dealer(game: Partida, rng: Random) -> Place | None:
    """All refuse at the first shoe, and the dealer cuts himself."""
    act, shuffled = game.of(CutMade)[0], game.of(CardsShuffled)[0]
    seats = act.event.seats_occupied
    if not seats or act.event.after != "start":
        return None
    recut(game, act, None)
    offers = tuple(CutOffer(seat=seat, accepted=False) for seat in seats)
    act.change(cut_by="fiscal_de_banca", seat=None, offers=offers, staff=shuffled.event.shuffled_by)
    return {"shoe": act.event.shoe}


def dealt_by_the_pit(game: Partida, rng: Random) -> Place | None:
    acts = [act for act in game.rounds if act.event.dealer is not None]
    if not acts:
        return None
    rng.choice(acts).change(dealer=game.pit.staff)
    return {"staff": game.pit.staff}
