"""Breaches of who does it: the fiscal de banca in the dealer's stead, and a dealer in his.

Law: PT art. 7, 8, 17, 55.
"""

from random import Random
from typing import Any, Final

from casino.events.decks import DeckInspected
from casino.events.shoes import CardsShuffled, CutMade, CutOffer
from casino.simulation.procedures.breaches.breaking import Breach, Place, breach
from casino.simulation.procedures.procedure_acts import Partida
from casino.simulation.procedures.turns import recut


def _looked_through(moment: str) -> Any:
    """A deck shown, or put in order, by the fiscal de banca himself."""

    def plant(game: Partida, rng: Random) -> Place | None:
        act = rng.choice(game.of(DeckInspected, moment=moment))
        act.change(pagador=game.pit.staff)
        return {"deck": act.event.deck}

    return plant


def _shuffled(**otherwise: Any) -> Any:
    def plant(game: Partida, rng: Random) -> Place:
        act = rng.choice(game.of(CardsShuffled))
        act.change(**(otherwise or {"shuffled_by": game.pit.staff}))
        return {"shoe": act.event.shoe}

    return plant


def _dealer_cuts(game: Partida, rng: Random) -> Place | None:
    """All refuse at the first shoe, and the dealer cuts himself."""
    act, shuffled = game.of(CutMade)[0], game.of(CardsShuffled)[0]
    seats = act.event.seats_occupied
    if not seats or act.event.after != "start":
        return None
    recut(game, act, None)
    offers = tuple(CutOffer(seat=seat, accepted=False) for seat in seats)
    act.change(cut_by="fiscal_de_banca", seat=None, offers=offers, staff=shuffled.event.shuffled_by)
    return {"shoe": act.event.shoe}


def _pit_deals(game: Partida, rng: Random) -> Place | None:
    acts = [act for act in game.rounds if act.event.dealer is not None]
    if not acts:
        return None
    rng.choice(acts).change(dealer=game.pit.staff)
    return {"staff": game.pit.staff}


BREACHES: Final[tuple[Breach, ...]] = (
    breach("shown_by_the_pit", "deck_exhibited_by_a_dealer", "shoe", _looked_through("exhibition")),
    breach("shuffled_by_the_pit", "shoe_shuffled_by_a_dealer", "shoe", _shuffled()),
    breach(
        "shuffled_by_a_machine", "shoe_shuffled_by_a_dealer", "shoe", _shuffled(method="machine")
    ),
    breach("cut_by_the_dealer", "shoe_cut_by_a_fiscal_de_banca", "shoe", _dealer_cuts),
    breach("dealt_by_the_pit", "rounds_dealt_by_a_dealer", "shoe", _pit_deals),
    breach("ordered_by_the_pit", "deck_ordered_by_a_dealer", "shuffler", _looked_through("close")),
)
