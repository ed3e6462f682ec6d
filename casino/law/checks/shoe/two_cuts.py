"""Where a player cuts and the dealer after him, each with a card of its own colour.

The card the player cut with stays among the cards, and when it comes out the hand is the last.

Law: FR the-setting/shuffle-and-cut, the-setting/last-hand.
"""

from casino.events.event import Event
from casino.events.shoes import CutMade
from casino.law.checks.shoe.cuts import was_cut
from casino.law.dossier import RecordedEvent
from casino.law.finding import LAWFUL, UNDECIDED, Verdict, upholds
from casino.law.partida_context import PartidaContext, Shoe, not_at_a_shuffler
from casino.law.questions import breach, equal, together

BY_PLAYER, BY_DEALER = "seat", "pagador"


def _refused(cut: RecordedEvent[CutMade]) -> bool:
    """Whether no player could have cut, or none who was asked wanted to."""
    offers = cut.event.offers
    return not cut.event.seats_occupied or (
        bool(offers) and not any(offer.accepted for offer in offers)
    )


@upholds(
    "shoe_on_record",
    "A player cuts, and after him the dealer.",
    needs="cut.dealers_card",
    only=(not_at_a_shuffler, was_cut),
)
def dealer_cuts_after_a_player(game: PartidaContext, shoe: Shoe) -> Verdict:
    """The last cut is the dealer's, one before it a player's unless none wanted to.

    Law: FR the-setting/shuffle-and-cut.
    """
    cuts = shoe.real_cuts
    last = cuts[-1]
    if last.event.cut_by != BY_DEALER:
        return breach({"cut_by": last.event.cut_by}, {"cut_by": BY_DEALER}, last)
    by_player = any(cut.event.cut_by == BY_PLAYER for cut in cuts)
    if by_player or all(map(_refused, cuts)):
        return LAWFUL
    return breach({"cut_by": BY_DEALER}, {"cut_by": BY_PLAYER}, *cuts)


@upholds(
    "shoe_on_record",
    "Each cut is made with the card of its colour.",
    needs=("cut.players_card", "cut.dealers_card"),
    only=(not_at_a_shuffler, was_cut),
)
def cut_with_the_card_of_its_colour(game: PartidaContext, shoe: Shoe) -> Verdict:
    """One colour for a player, another for the dealer. Law: FR the-setting/shuffle-and-cut."""
    asked = {
        BY_PLAYER: game.p["cut.players_card"],
        BY_DEALER: game.p["cut.dealers_card"],
    }
    return together(
        equal("card_colour", cut.event.card_colour, asked[cut.event.cut_by], cut)
        for cut in shoe.real_cuts
        if cut.event.cut_by in asked
    )


@upholds(
    "shoe_on_record",
    "The card that announces the last hand is the one a player cut with.",
    needs="cut.players_card",
    only=not_at_a_shuffler,
)
def players_card_announces_the_last_hand(game: PartidaContext, shoe: Shoe) -> Verdict:
    """By its colour, as it was recorded when it was placed, or with the opening.

    Asked once such a card was placed or came out. Law: FR the-setting/last-hand.
    """
    if not shoe.warnings and shoe.came_out is None:
        return None
    placed = shoe.warnings[-1] if shoe.warnings else None
    card = placed.event.colours if placed is not None else None
    shown: RecordedEvent[Event] | None = placed
    if card is None and game.opened is not None:
        card, shown = game.opened.event.carta_aviso, game.opened
    if card is None:
        return UNDECIDED
    asked = game.p["cut.players_card"]
    colours = sorted({card.front, card.back})
    if colours == [asked]:
        return LAWFUL
    return breach({"card_colours": colours}, {"card_colours": [asked]}, shown, shoe.came_out)
