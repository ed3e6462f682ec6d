"""Rounds dealt when none may be, and who is said to have sat there when the cards were cut.

Law: PT art. 7, 8, 11, 12.
"""

from random import Random

from casino.events.deck_life import DeckWithdrawn
from casino.events.partidas import PartidaClosed
from casino.events.shoes import CardsShuffled, CutMade, PlayInterrupted, PlayResumed
from casino.simulation.procedures.breaches.breaking import Place
from casino.simulation.procedures.procedure_acts import SECOND, Act, Partida


def _at_the_first_card(act: Act, dealt: Act, later: int) -> bool:
    """An act told so many seconds after a round's first card; False where nobody timed that."""
    if dealt.event.times is None or dealt.event.times.first_card is None:
        return False
    act.at = dealt.event.times.first_card + later * SECOND
    return True


def round_at_a_closed_table(game: Partida, rng: Random) -> Place | None:
    """The table is closed before its last round."""
    *before, last = game.of(PartidaClosed)
    if any(game.rounds[-1].at < closing.at for closing in before):
        return None  # nothing was dealt after it was opened again: it would be closed twice
    return {} if _at_the_first_card(last, game.rounds[-1], -1) else None


def round_while_play_is_stopped(game: Partida, rng: Random) -> Place | None:
    """Another round is dealt before play is told to go on."""
    stops = zip(game.of(PlayInterrupted), game.of(PlayResumed), strict=False)
    resumed = next((on for stop, on in stops if stop.event.reason != "dealer_change"), None)
    after = [act for act in game.rounds if resumed is not None and act.at > resumed.at]
    return {} if resumed and after and _at_the_first_card(resumed, after[0], 1) else None


def round_of_the_old_shoe(game: Partida, rng: Random) -> Place | None:
    """The last round of a shoe is dealt when its cards are shuffled already."""
    shuffles = game.of(CardsShuffled)
    if len(shuffles) < 2 or game.of(DeckWithdrawn):
        return None
    old = shuffles[0].event.shoe
    last = [act for act in game.rounds if act.event.shoe == old][-1]
    return {"shoe": old} if _at_the_first_card(shuffles[1], last, -1) else None


def seat_left_out_at_the_cut(game: Partida, rng: Random) -> Place | None:
    """Somebody sat there who was not asked, nor had to be; the cut does not tell of him."""
    for act in game.of(CutMade, cut_by="seat"):
        asked = {offer.seat for offer in act.event.offers}
        others = [seat for seat in act.event.seats_occupied if seat not in asked]
        if others:
            gone = rng.choice(others)
            seats = tuple(seat for seat in act.event.seats_occupied if seat != gone)
            act.change(seats_occupied=seats)
            return {"shoe": act.event.shoe}
    return None
