"""Article 8 at the table: was the cut made by whose right it was.

The rule of turns stands in `cut.py`; here it is asked of what was recorded, shoe after shoe.

Law: PT art. 8.
"""

from datetime import datetime
from typing import Any, Final

from casino.events.event import Event
from casino.events.floor_life import SeatLeft, SeatTaken
from casino.events.shoes import CardsSpread, CutMade, PlayInterrupted
from casino.law.cut_turns import Break, LastCut, Right, next_cutter, starts_over
from casino.law.dossier import RecordedEvent, in_time
from casino.law.finding import LAWFUL, UNDECIDED, Verdict, upholds
from casino.law.partida_context import (
    PartidaContext,
    Shoe,
    at_a_shoe,
    not_at_a_shuffler,
    unmeant_closings,
)
from casino.law.questions import breach, equal, together

# What a rulebook has to say for there to be turns at all.
TURNS: Final = ("cut.after_refusal", "cut.after_highest_seat", "cut.reset_by")
_TOO_MANY_TO_HAVE_COME: Final = 3  # players in the first round where one was told just before it
_STOPS: Final = frozenset({"no_players", "no_stakes"})


def right_to_cut(
    game: PartidaContext, shoe: Shoe, seats: tuple[int, ...], at: datetime
) -> Right | None:
    """Whose right the cut of this shoe is, with these seats occupied at that moment.

    None where the record does not tell: the shoe before is not on record, or nobody recorded its
    cut; and where the rulebook says nothing of turns. A door asks this before the cut is made.
    """
    if any(name not in game.p for name in TURNS):
        return None
    if shoe.number == 1:
        return next_cutter(seats, None, game.p)
    before = game.shoe(shoe.number - 1)
    if before is None:
        return None
    since = before.cuts[-1] if before.cuts else before.acts[0]
    over, readings = starts_over(_breaks(game, before, shoe, since, at), game.p)
    if over is None:
        return None
    if over:
        right = next_cutter(seats, None, game.p)
    elif not before.cuts or before.cuts[-1].event.cut_by == "nobody":
        return None  # nobody's turn was used up, and nobody's can be counted from
    else:
        right = next_cutter(seats, _last_cut(game, before), game.p)
    return right and Right(right.seats, (*readings, *right.readings))


def _last_cut(game: PartidaContext, shoe_before: Shoe) -> LastCut:
    cut = shoe_before.cuts[-1]
    right = right_to_cut(game, shoe_before, cut.event.seats_occupied, cut.occurred_at)
    return LastCut(right.due if right is not None else None, cut.event.seat)


def _breaks(
    game: PartidaContext, shoe_before: Shoe, shoe: Shoe, since: RecordedEvent[Event], at: datetime
) -> list[Break | None]:
    """What came between two cuts: stops of play, and whether another dealer took over."""
    breaks: list[Break | None] = []
    stopped = [(one.occurred_at, one.event.reason) for one in game.dossier.of(PlayInterrupted)]
    laid_out = [(one.occurred_at, one.event.reason) for one in game.dossier.of(CardsSpread)]
    for moment, reason in (*stopped, *laid_out):
        if since.occurred_at <= moment <= at:
            if reason in _STOPS:
                breaks.append("stop")
            else:
                breaks.append("dealer_change" if reason == "dealer_change" else "other_stop")
    again = {recorded.occurred_at for recorded in game.reopened} - unmeant_closings(game)
    if any(since.occurred_at <= moment <= at for moment in again):
        breaks.append("stop")  # closed and opened again
    dealers = [
        shuffled[-1].event.shuffled_by if shuffled else None
        for shuffled in (shoe_before.shuffles, shoe.shuffles)
    ]
    if None in dealers:
        breaks.append(None)
    elif dealers[0] != dealers[1]:
        breaks.append("dealer_change")
    return breaks


def was_cut(game: PartidaContext, shoe: Shoe) -> bool:
    """Whether a shoe was cut at all; that it was not is a breach of its own."""
    return bool(shoe.cuts) and shoe.cuts[-1].event.cut_by != "nobody"


@upholds(
    "shoe_on_record",
    "The cut is made by the seat whose turn it is, or to which it passes.",
    needs=TURNS,
    only=(not_at_a_shuffler, was_cut),
)
def cut_by_rightful_seat(game: PartidaContext, shoe: Shoe) -> Verdict:
    """Everybody before the one who cut has declined; the fiscal de banca cuts when all have.

    Law: PT art. 8.
    """
    cut = shoe.cuts[-1]
    right = right_to_cut(game, shoe, cut.event.seats_occupied, cut.occurred_at)
    if right is None:
        return UNDECIDED
    declined = [offer.seat for offer in cut.event.offers if not offer.accepted]
    rightful = right.passes_to(declined)
    if rightful is None and cut.event.cut_by == "fiscal_de_banca":
        # Nobody is said to have sat there, and the shoe was staked on: somebody may have.
        alone = not cut.event.seats_occupied
        return UNDECIDED if alone and shoe.rounds and not _arrived(game, cut) else LAWFUL
    if rightful is not None and rightful == cut.event.seat:
        return LAWFUL
    expected = {"cut_by": "fiscal_de_banca"} if rightful is None else {"seat": rightful}
    shown_by, observed = (_cut_before(game, shoe), cut), _observed(cut.event, declined)
    return breach(observed, expected, *shown_by, readings=right.readings)


def _cut_before(game: PartidaContext, shoe: Shoe) -> RecordedEvent[CutMade] | None:
    before = game.shoe(shoe.number - 1)
    return before.cuts[-1] if before is not None and before.cuts else None


def _observed(cut: CutMade, declined: list[int]) -> dict[str, object]:
    observed: dict[str, object] = (
        {"seat": cut.seat} if cut.cut_by == "seat" else {"cut_by": cut.cut_by}
    )
    if declined:
        observed["declined"] = declined
    return observed


@upholds("shoe_on_record", "Every shoe is cut before it is dealt.", only=not_at_a_shuffler)
def shoe_is_cut(game: PartidaContext, shoe: Shoe) -> Verdict:
    """Somebody cut, before the first card. A shuffler is not cut (52). Law: PT art. 8."""
    if not shoe.cuts or any(cut.event.cut_by != "nobody" for cut in shoe.cuts):
        return game.prepared(shoe, "cuts")
    return breach({"cut_by": "nobody"}, {"cuts": 1}, *shoe.cuts)


@upholds(
    "partida",
    "The shoes of a game follow each other, and none is left out of the record.",
    only=at_a_shoe,
    severity="warning",
)
def no_shoe_is_left_out(game: PartidaContext) -> Verdict:
    """The first is number 1. Whose turn it is to cut is counted from shoe to shoe.

    Law: PT art. 8.
    """
    if not game.shoes:
        return None
    numbers = {shoe.number for shoe in game.shoes}
    last = game.shoes[-1]
    if len(numbers) == last.number:
        return LAWFUL
    missing = next(number for number in range(1, last.number) if number not in numbers)
    after = next(shoe for shoe in game.shoes if shoe.number > missing)
    return breach({"shoe": after.number}, {"shoe": missing}, *after.acts[:1])


@upholds(
    "shoe_on_record",
    "The last cut before the deal is a player's.",
    only=(not_at_a_shuffler, was_cut),
)
def last_cut_is_a_players(game: PartidaContext, shoe: Shoe) -> Verdict:
    """A seat cut, unless nobody sat there or every seat that was asked declined."""
    cut = shoe.cuts[-1]
    if cut.event.cut_by == "seat":
        return LAWFUL
    if not cut.event.seats_occupied or (
        cut.event.offers and not any(offer.accepted for offer in cut.event.offers)
    ):
        return None
    return breach({"cut_by": cut.event.cut_by}, {"cut_by": "seat"}, cut)


@upholds(
    "shoe_on_record",
    "The cut is made with one of the special cards.",
    needs="shoe.special_cards",
    only=(not_at_a_shuffler, was_cut),
)
def cut_with_a_special_card(game: PartidaContext, shoe: Shoe) -> Verdict:
    """A special card went into the pack, as far as whoever recorded the cut says so.

    Law: PT art. 8.
    """
    cut = shoe.cuts[-1]
    return equal("special_card", cut.event.special_card, True, cut)


# Who sat there


def _arrived(game: PartidaContext, cut: RecordedEvent[CutMade]) -> bool:
    """Whether somebody is told to have sat down after the cards were cut."""
    return any(recorded.occurred_at >= cut.occurred_at for recorded in game.dossier.of(SeatTaken))


def _last_heard_of(game: PartidaContext, at: datetime) -> dict[int, RecordedEvent[Event]]:
    """What was last told of each seat before a moment; a seat told of at that moment is left out.

    Whether it was taken before or after what happened then nobody knows.
    """
    moved: list[RecordedEvent[Any]] = [*game.dossier.of(SeatTaken), *game.dossier.of(SeatLeft)]
    events = sorted(moved, key=in_time)
    meanwhile = {one.event.seat for one in events if one.occurred_at == at}
    return {
        one.event.seat: one
        for one in events
        if one.occurred_at < at and one.event.seat not in meanwhile
    }


def _how_many(people: int) -> int:
    """Nobody, one, or several: what the law tells apart."""
    return min(people, 2)


@upholds(
    "shoe_on_record",
    "Every record tells the same seats as taken at the cut.",
    only=not_at_a_shuffler,
    severity="warning",
)
def seats_at_the_cut_told_alike(game: PartidaContext, shoe: Shoe) -> Verdict:
    """The seats told with the cut against those taken and left, the warning card, and the stakes.

    The right to cut hangs on them, and so does the warning card's place.

    Law: PT art. 8, 9.
    """
    if not shoe.cuts:
        return None
    cut = shoe.cuts[-1]
    seats = set(cut.event.seats_occupied)
    heard = _last_heard_of(game, cut.occurred_at)
    other = {
        seat: one
        for seat, one in heard.items()
        if isinstance(one.event, SeatTaken) != (seat in seats)
    }
    if other:
        taken = (seats | other.keys()) - (seats & other.keys())
        return breach({"seats": sorted(seats)}, {"seats": sorted(taken)}, *other.values(), cut)
    answers = [_as_at_the_warning_card(game, shoe, cut), _as_in_the_first_round(game, shoe)]
    return together(answers) or (LAWFUL if heard else None)


def _as_at_the_warning_card(
    game: PartidaContext, shoe: Shoe, cut: RecordedEvent[CutMade]
) -> Verdict:
    """The players told with the warning card, unless seats changed hands between the two.

    Whoever sits down between the two makes more of them than were asked to cut; nobody has to tell.
    """
    if not shoe.warnings:
        return None
    placed, seats = shoe.warnings[-1], len(cut.event.seats_occupied)
    if _how_many(placed.event.players) == _how_many(seats):
        return LAWFUL
    if _how_many(placed.event.players) > _how_many(seats):
        return UNDECIDED
    first, then = sorted((cut.occurred_at, placed.occurred_at))
    moved = [*game.dossier.of(SeatTaken), *game.dossier.of(SeatLeft)]
    if any(first <= recorded.occurred_at <= then for recorded in moved):
        return UNDECIDED
    return breach({"players": placed.event.players}, {"players": seats}, cut, placed)


def _as_in_the_first_round(game: PartidaContext, shoe: Shoe) -> Verdict:
    """One single player at the warning card, and a first round staked by several others with him.

    One more may have sat down meanwhile, and who stakes on another's box holds no place.
    """
    first = next((recorded for recorded in shoe.rounds if recorded.event.number == 1), None)
    if first is None or not shoe.warnings or shoe.warnings[-1].event.players != 1:
        return None
    staked = [box for box in first.event.boxes if box.wagers and not box.vacant]
    players = {box.holder or box.wagers[0].owner for box in staked}
    if len(players) < _TOO_MANY_TO_HAVE_COME:
        return None
    placed = shoe.warnings[-1]
    came = game.dossier.of(SeatTaken)
    if any(placed.occurred_at <= recorded.occurred_at <= first.occurred_at for recorded in came):
        return UNDECIDED
    return breach({"players": 1}, {"players": len(players)}, placed, first, readings="one-player")
