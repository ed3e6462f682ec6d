"""Breaches of who does it: the fiscal de banca in the dealer's stead, and a dealer in his.

Law: PT art. 7, 8, 17, 55.
"""

from random import Random

from casino.events.shoes import CardsShuffled, CutMade, CutOffer
from casino.simulation.procedures.breaches.breaking import Place
from casino.simulation.procedures.procedure_acts import Partida
from casino.simulation.procedures.turns import recut


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
