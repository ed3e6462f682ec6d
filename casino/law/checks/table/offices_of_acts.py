"""Who an article says does it, held against the house's register of offices.

The dealer shows the cards (7), shuffles (8), deals and asks (17, 18) and puts the decks in order
(55); where all players refuse, a fiscal de banca cuts (8). A number that is written down shows only
whose it is: whether he held that office then, the register says. Where the house keeps none of an
office, and nothing else is known of a number, it stays open. Who merely is where he should not be,
or unknown in no office, is asked by the house's own controls (`house_people`).

Law: PT art. 7, 8, 17, 18, 55.
"""

from typing import Any, Final

from casino.events.decks import DeckInspected
from casino.events.event import Event
from casino.events.partidas import PartidaClosed
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import CardsShuffled, CutMade
from casino.events.staff import OfficeGranted
from casino.law.dossier import Dossier, RecordedEvent, in_time
from casino.law.finding import LAWFUL, UNDECIDED, Verdict, upholds
from casino.law.game_decks import ordered_at_close, shown_as_played
from casino.law.partida_context import (
    PartidaContext,
    Shoe,
    at_a_shoe,
    at_a_shuffler,
    not_at_a_shuffler,
)
from casino.law.questions import breach, together
from casino.law.register_proof import office_on_record, without_office

DEALER: Final = "pagador"
PIT: Final = "fiscal_de_banca"
OF_THE_FLOOR: Final = (DEALER, PIT, "fiscal_chefe", "chefia_da_sala")
_ROUNDS: Final = 100  # of one dealer, as evidence


def acts_in(dossier: Dossier, staff: str, office: str, act: RecordedEvent[Event]) -> bool | None:
    """Whether somebody held an office when he did something; None where nobody can tell.

    Nobody can where the house keeps no register of that office and gave him no other.
    """
    if dossier.holds_office(staff, office, act.occurred_at, act):
        return True
    granted = [recorded.event for recorded in dossier.house_of(OfficeGranted)]
    if any(event.office == office or event.staff == staff for event in granted):
        return False
    return None


def _by(game: PartidaContext, act: RecordedEvent[Event], staff: str | None, office: str) -> Verdict:
    held = None if staff is None else acts_in(game.dossier, staff, office, act)
    if held is None:
        return UNDECIDED
    return LAWFUL if held else without_office(game.dossier, office, (staff, None), act, act)


def _by_a_dealer(game: PartidaContext, act: RecordedEvent[Any]) -> Verdict:
    """Whether a dealer looked a deck through: a machine that counts it does so beside him."""
    event = act.event
    if event.pagador is None and event.machine is not None:
        return breach({"by": "machine"}, {"office": DEALER}, act)
    return _by(game, act, event.pagador, DEALER)


@upholds("deck", "A dealer shows the cards.")
def deck_exhibited_by_a_dealer(game: PartidaContext, deck: str) -> Verdict:
    """As the exhibition it was played after tells; a machine may count them besides.

    Law: PT art. 7.
    """
    shown = shown_as_played(game, deck)
    return None if shown is None else _by_a_dealer(game, shown)


@upholds("deck", "A dealer puts the decks in order.", only=at_a_shuffler)
def deck_ordered_by_a_dealer(game: PartidaContext, deck: str) -> Verdict:
    """Once they came out of the shuffler. Law: PT art. 55."""
    ordered = ordered_at_close(game, deck)
    return None if ordered is None else _by_a_dealer(game, ordered)


@upholds("shoe_on_record", "A dealer shuffles the cards of a shoe.", only=at_a_shoe)
def shoe_shuffled_by_a_dealer(game: PartidaContext, shoe: Shoe) -> Verdict:
    """Every time they were; where a shuffler deals the loading asks it (53). Law: PT art. 8."""

    def ask(recorded: RecordedEvent[CardsShuffled]) -> Verdict:
        if recorded.event.method == "machine":
            return breach({"by": "machine"}, {"office": DEALER}, recorded)
        return _by(game, recorded, recorded.event.shuffled_by, DEALER)

    return together(map(ask, shoe.shuffles))


@upholds(
    "shoe_on_record",
    "Whoever cuts in the players' stead is a fiscal de banca.",
    only=not_at_a_shuffler,
)
def shoe_cut_by_a_fiscal_de_banca(game: PartidaContext, shoe: Shoe) -> Verdict:
    """By the number told beside the cut; that it was his turn is asked by itself.

    Law: PT art. 8.
    """

    def ask(recorded: RecordedEvent[CutMade]) -> Verdict:
        if recorded.event.cut_by != PIT:
            return None
        return _by(game, recorded, recorded.event.staff, PIT)

    return together(map(ask, shoe.cuts))


@upholds("partida", "A dealer deals the cards and asks the players.")
def rounds_dealt_by_a_dealer(game: PartidaContext) -> Verdict:
    """Of every number rounds name; one breach for all a person dealt. Law: PT art. 17, 18."""
    answers: list[Verdict] = []
    others: dict[str, list[RecordedEvent[RoundPlayed]]] = {}
    for recorded in sorted(game.dossier.of(RoundPlayed), key=in_time):
        dealer = recorded.event.dealer
        held = None if dealer is None else acts_in(game.dossier, dealer, DEALER, recorded)
        if dealer is not None and held is False:
            others.setdefault(dealer, []).append(recorded)
        else:
            answers.append(LAWFUL if held else UNDECIDED)
    for dealer, rounds in others.items():
        known = office_on_record(game.dossier, dealer, DEALER, rounds[-1])
        observed = {"rounds": len(rounds), "holds_office": "no", **known.observed}
        asked, where, shown_by = {"office": DEALER}, {"staff": dealer}, rounds[:_ROUNDS]
        answers.append(breach(observed, asked, *shown_by, *known.evidence, where=where))
    return together(answers)


def asked_by_an_article(game: PartidaContext, recorded: RecordedEvent[Any], field: str) -> bool:
    """Whether an article of this law asks whom a field names: the house does not ask again."""
    event, shuffler = recorded.event, game.dealing == "shuffler"
    check = None
    if isinstance(event, DeckInspected) and field == "pagador":
        if event.moment == "exhibition":
            check = deck_exhibited_by_a_dealer
        elif event.moment == "close" and shuffler:
            check = deck_ordered_by_a_dealer
    elif isinstance(event, CardsShuffled) and field == "shuffled_by" and not shuffler:
        check = shoe_shuffled_by_a_dealer
    elif isinstance(event, CutMade) and field == "staff" and not shuffler:
        check = shoe_cut_by_a_fiscal_de_banca
    return check is not None and game.rules.article_of(check.name) is not None


def attests(game: PartidaContext, staff: str, closed: RecordedEvent[PartidaClosed]) -> bool | None:
    """Whether somebody who answers for an article is of the floor; None where nobody can tell."""
    answers = [acts_in(game.dossier, staff, office, closed) for office in OF_THE_FLOOR]
    if True in answers:
        return True
    return False if answers[OF_THE_FLOOR.index(PIT)] is False else None
