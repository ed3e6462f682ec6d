"""Preparing a shoe: the shuffle, the warning card and the burnt card. The cut is `floor_cuts`.

Law: PT art. 8 (shuffle), 9 (warning card), 10 (burnt card); 52 waives 9 where a shuffler deals.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Any, Final, NamedTuple

from casino.events.event import Event
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import CartaAvisoPlaced
from casino.law.dossier import RecordedEvent, in_time
from casino.law.finding import LAWFUL, UNDECIDED, Breach, Verdict, upholds
from casino.law.game_decks import left_out, not_of_the_game
from casino.law.partida_context import (
    PartidaContext,
    Shoe,
    first_cards,
    not_at_a_shuffler,
    passes_of,
)
from casino.law.questions import at_least, breach, equal, not_before, together
from casino.law.rounds.card_population import cards_of

# The shuffle


@upholds(
    "shoe_on_record", "All the cards are shuffled before they are dealt.", only=not_at_a_shuffler
)
def shoe_is_shuffled(game: PartidaContext, shoe: Shoe) -> Verdict:
    """The shuffle is recorded, before the first card, of the decks of the game and of no other.

    A deck that was withdrawn by then is no more of the game, where another came in its place.
    Before a shuffler is loaded article 53 asks for it.

    Law: PT art. 8.
    """
    found = game.prepared(shoe, "shuffles")
    if found is not LAWFUL:
        return found
    shuffled = {each.deck for one in shoe.shuffles for each in one.event.decks}
    moments = [one.occurred_at for one in shoe.shuffles]
    lacking = sorted(left_out(game, shuffled, min(moments)))
    if lacking:
        return breach({"left_out": lacking}, {"left_out": []}, game.opened, *shoe.shuffles)
    strange = not_of_the_game(game, shuffled, max(moments))
    if strange:
        return breach({"decks_beside": strange}, {"decks_beside": []}, game.opened, *shoe.shuffles)
    return _all_the_cards(game, shoe)


def _all_the_cards(game: PartidaContext, shoe: Shoe) -> Verdict:
    """As many cards as the decks shuffled have, where one entry tells both."""
    recorded, whole = shoe.shuffles[0], game.p.get("decks.cards")
    if len(shoe.shuffles) > 1 or recorded.event.cards is None or whole is None:
        return LAWFUL
    return equal("cards", recorded.event.cards, whole * len(recorded.event.decks), recorded)


@upholds(
    "shoe_on_record",
    "Every deck is given its passes when it is shuffled.",
    needs="shuffle.passes_minimum",
)
def shuffle_passes_enough(game: PartidaContext, shoe: Shoe) -> Verdict:
    """Each deck by itself, as many times as the book asks."""
    if not shoe.shuffles:
        return None
    asked = game.p["shuffle.passes_minimum"]
    return together(
        at_least("passes", count, asked, *shoe.shuffles, where={"deck": deck})
        for deck, count in sorted(passes_of(shoe.shuffles).items())
    )


def _follows_another(game: PartidaContext, shoe: Shoe) -> bool:
    """Whether cards of a shoe before it lay used when it was shuffled."""
    return shoe.number > 1 and bool(shoe.shuffles)


@upholds(
    "shoe_on_record",
    "Before used cards are mixed, the open ones are parted from the closed and turned onto them.",
    only=(not_at_a_shuffler, _follows_another),
)
def used_cards_turned_before_the_mix(game: PartidaContext, shoe: Shoe) -> Verdict:
    """At the end of every shoe, as whoever recorded the next one's shuffle says.

    Law: the Spanish and Brazilian-language books.
    """
    answers = {recorded.event.used_cards_turned for recorded in shoe.shuffles}
    said = True if True in answers else None if None in answers else False
    return equal("used_cards_turned", said, True, *shoe.shuffles)


# The warning card


class _Place(NamedTuple):
    """Where a warning card lay and where it was to lie, in cards from the end."""

    placed: RecordedEvent[CartaAvisoPlaced]
    asked: Fraction
    readings: tuple[str, ...]

    @property
    def off(self) -> Fraction:
        return abs(self.placed.event.cards_from_end - self.asked)


def _cards_in_shoe(game: PartidaContext, placed: RecordedEvent[CartaAvisoPlaced]) -> int | None:
    """How many cards the pack had when the warning card went in: all those of the game's decks.

    What was recorded beside the card counts only where nobody recorded the decks: an entry that
    names another number must not move the middle by itself.
    """
    if game.opened is None or "decks.cards" not in game.p:
        return placed.event.cards_in_shoe
    return int(game.p["decks.cards"]) * len(game.decks)


def _plays_alone(
    game: PartidaContext, shoe: Shoe, placed: RecordedEvent[CartaAvisoPlaced]
) -> tuple[bool | None, tuple[str, ...]]:
    """Whether one single player is at the table, and the reading this hangs on."""
    by_person = placed.event.players == 1
    by_box = None
    if shoe.rounds:
        staked = [box for box in shoe.rounds[0].event.boxes if box.wagers]
        by_box = len(staked) == 1
    readings = () if by_person == by_box else ("one-player",)
    if game.p["warning_card.one_player_is"] == "one_person":
        return by_person, readings if by_person or by_box else ()
    return by_box, readings


def _place(game: PartidaContext, shoe: Shoe) -> _Place | Verdict:
    """The shoe's warning card against the place the law asks for; or why there is none."""
    if not shoe.warnings:
        return None
    placed = shoe.warnings[-1]
    alone, readings = _plays_alone(game, shoe, placed)
    if alone is None:
        return UNDECIDED
    if not alone:
        return _Place(placed, Fraction(game.p["warning_card.from_end"]), readings)
    cards = _cards_in_shoe(game, placed)
    if cards is None:
        return UNDECIDED
    return _Place(placed, cards * Fraction(game.p["warning_card.one_player"]), readings)


def _off_by(place: _Place, tolerance: int, reading: str) -> Breach:
    observed = {"cards_from_end": place.placed.event.cards_from_end}
    expected = {"cards_from_end": int(place.asked), "tolerance": tolerance}
    return breach(observed, expected, place.placed, readings=(*place.readings, reading))


NEAR, WARNED = "near-the-place", "near-the-place-warned"
_PLACE_NEEDS: Final = (
    "warning_card.from_end", "warning_card.one_player", "warning_card.one_player_is",
    "warning_card.tolerance_warning", "warning_card.tolerance_breach",
)  # fmt: skip


@upholds(
    "shoe_on_record", "Every shoe gets its warning card before it is dealt.", only=not_at_a_shuffler
)
def warning_card_is_placed(game: PartidaContext, shoe: Shoe) -> Verdict:
    """The card went in, before the first deal. A shuffler has none (52). Law: PT art. 9."""
    return game.prepared(shoe, "warnings")


@upholds(
    "shoe_on_record",
    "The warning card lies at its place, within the house's tolerance.",
    needs=_PLACE_NEEDS,
    only=not_at_a_shuffler,
)
def warning_card_at_its_place(game: PartidaContext, shoe: Shoe) -> Verdict:
    """Not farther from its place than the wider tolerance.

    Law: PT art. 9 (reading near-the-place).
    """
    place = _place(game, shoe)
    if not isinstance(place, _Place):
        return place
    tolerance = game.p["warning_card.tolerance_breach"]
    return _off_by(place, tolerance, NEAR) if place.off > tolerance else LAWFUL


@upholds(
    "shoe_on_record",
    "The warning card lies as near its place as it can be put.",
    needs=_PLACE_NEEDS,
    only=not_at_a_shuffler,
    severity="warning",
)
def warning_card_near_its_place(game: PartidaContext, shoe: Shoe) -> Verdict:
    """Within the narrower tolerance; what passes the wider one is a breach already.

    Law: PT art. 9 (reading near-the-place-warned).
    """
    place = _place(game, shoe)
    if not isinstance(place, _Place):
        return place
    if place.off > game.p["warning_card.tolerance_breach"]:
        return None
    tolerance = game.p["warning_card.tolerance_warning"]
    return _off_by(place, tolerance, WARNED) if place.off > tolerance else LAWFUL


@upholds(
    "shoe_on_record",
    "The warning card has another colour than the cut card.",
    only=not_at_a_shuffler,
)
def warning_card_unlike_cut_card(game: PartidaContext, shoe: Shoe) -> Verdict:
    """No side of the one has a colour of the other. Law: PT art. 9."""
    if not shoe.warnings:
        return None
    placed = shoe.warnings[-1]
    opened = game.opened.event if game.opened is not None else None
    cut = opened.cut_card if opened is not None else None
    warning = placed.event.colours or (opened.carta_aviso if opened is not None else None)
    if cut is None or warning is None:
        return UNDECIDED
    shared = sorted({warning.front, warning.back} & {cut.front, cut.back})
    return equal("colours", shared, [], game.opened, placed)


class CardsBehind(NamedTuple):
    """Where a warning card was said to lie and where the rounds say it lay, in cards from the end.

    `computed` is None where the record does not tell every card before it, `came` where no round
    told yet that it came out; `agrees` None where nothing can be compared. `tolerance` in cards.
    """

    placed: RecordedEvent[CartaAvisoPlaced]
    came: RecordedEvent[RoundPlayed] | None
    recorded: int
    computed: int | None
    tolerance: int | None

    @property
    def agrees(self) -> bool | None:
        """Whether both places are one, as near as can be asked."""
        if self.computed is None or self.tolerance is None:
            return None
        return abs(self.computed - self.recorded) <= self.tolerance


def cards_behind(game: PartidaContext, shoe: Shoe) -> CardsBehind | None:
    """The warning card against the cards dealt until it came; None where none was placed.

    Law: PT art. 9.
    """
    if game.dealing == "shuffler" or not shoe.warnings:
        return None
    came, placed, computed = shoe.came_out, shoe.warnings[-1], None
    if came is not None:
        cards, out = _cards_in_shoe(game, placed), _cards_out(shoe, came)
        computed = None if cards is None or out is None else cards - out
    tolerance = game.p.get("warning_card.tolerance_warning")
    return CardsBehind(placed, came, placed.event.cards_from_end, computed, tolerance)


@upholds(
    "shoe_on_record",
    "The warning card comes out where it was said to lie.",
    needs="warning_card.tolerance_warning",
    severity="warning",
)
def warning_card_comes_out_where_placed(game: PartidaContext, shoe: Shoe) -> Verdict:
    """The cards that were out when it came, counted, leave as many behind it as were recorded.

    Law: PT art. 9.
    """
    counted = cards_behind(game, shoe)
    if counted is None or counted.came is None:
        return None
    if counted.agrees is None:
        return UNDECIDED
    if counted.agrees:
        return LAWFUL
    expected = {"cards_from_end": counted.recorded, "tolerance": counted.tolerance}
    observed, shown_by = {"cards_from_end": counted.computed}, (counted.placed, counted.came)
    return breach(observed, expected, *shown_by, readings=WARNED)


def _cards_out(shoe: Shoe, last_recorded: RecordedEvent[Any]) -> int | None:
    """How many cards were out when the warning card came; None where one may be missing."""
    before = shoe.rounds[: shoe.rounds.index(last_recorded)]
    numbers = [recorded.event.number for recorded in (*before, last_recorded)]
    if not shoe.burns or numbers != list(range(1, len(numbers) + 1)):
        return None
    burnt = sum(recorded.event.cards for recorded in shoe.burns)
    dealt = sum(len(cards_of(recorded.event)) for recorded in before)
    return burnt + dealt + int(last_recorded.event.warning_card_at)


# The burnt card


def is_burnt(game: PartidaContext, _: object = None) -> bool:
    """Whether cards are burnt at this table at all. A book that says nothing waives nothing.

    Law: PT art. 10, 52, reading shuffler-burn.
    """
    return game.dealing != "shuffler" or game.p.get("csm.burn") != "waived"


def _burn_readings(game: PartidaContext) -> tuple[str, ...]:
    return ("shuffler-burn",) if game.dealing == "shuffler" and "csm.burn" in game.p else ()


@upholds(
    "shoe_on_record",
    "Before a shoe's first card is dealt, what has to be burnt is burnt.",
    needs="burn.cards",
    only=is_burnt,
)
def shoe_is_burnt(game: PartidaContext, shoe: Shoe) -> Verdict:
    """The burn is recorded, before the first deal, and of the cards as they were dealt.

    What was burnt before the shuffle, the cut or the load is not the first card of them.

    Law: PT art. 10.
    """
    found = game.prepared(shoe, "burns")
    if found is LAWFUL:
        found = _burnt_last(game, shoe)
    if isinstance(found, Breach):
        return replace(found, readings=_burn_readings(game))
    return found


def _burnt_last(game: PartidaContext, shoe: Shoe) -> Verdict:
    loads = game.loads[shoe.number - 1 : shoe.number]
    dealt = first_cards(shoe.rounds)
    # What is shuffled by hand after a load is for the next one.
    by_hand = [one for one in shoe.shuffles if not loads or in_time(one) <= in_time(loads[0])]
    mixed: list[RecordedEvent[Event]] = [
        one
        for one in (*by_hand, *shoe.real_cuts, *loads)
        if not dealt or one.occurred_at <= dealt[0]
    ]
    burnt = max(shoe.burns, key=in_time)
    last = max(mixed, key=in_time, default=burnt)
    return not_before(burnt.occurred_at, last.occurred_at, last, burnt)


@upholds(
    "shoe_on_record",
    "No more and no fewer cards are burnt than the law says.",
    needs="burn.cards",
    only=is_burnt,
)
def burnt_cards_exact(game: PartidaContext, shoe: Shoe) -> Verdict:
    """The cards burnt for one shoe, all told together. Law: PT art. 10."""
    if not shoe.burns:
        return None
    burnt, asked = sum(recorded.event.cards for recorded in shoe.burns), game.p["burn.cards"]
    return equal("cards", burnt, asked, *shoe.burns, readings=_burn_readings(game))


@upholds("shoe_on_record", "A burnt card is laid in the discard corner.", only=is_burnt)
def burnt_cards_to_discard_corner(game: PartidaContext, shoe: Shoe) -> Verdict:
    """As whoever recorded it says. Law: PT art. 10."""
    burns = [recorded for recorded in shoe.burns if recorded.event.cards]
    if not burns:
        return None
    elsewhere = [recorded for recorded in burns if recorded.event.to_discard_corner is False]
    answers = {recorded.event.to_discard_corner for recorded in burns}
    said = False if False in answers else None if None in answers else True
    return equal("to_discard_corner", said, True, *elsewhere, readings=_burn_readings(game))
