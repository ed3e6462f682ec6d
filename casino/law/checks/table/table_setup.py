"""The table itself: its boxes, its special cards, its limits, as the house told of them.

Law: PT art. 2 (boxes), 4 (special cards), 14 (limits); ES tipo-de-baraja, BR baralhos and FR
the-setting/packs (colours of the backs).
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Final

from casino.events.event import Event
from casino.events.partidas import PartidaOpened, SpecialCard
from casino.events.round.round_played import Limits, RoundPlayed
from casino.events.tables import LimitsSet, TableRegistered
from casino.law.dossier import RecordedEvent
from casino.law.finding import LAWFUL, UNDECIDED, Verdict, upholds
from casino.law.game_law import limits_in, limits_in_force, recorded_limits, staked_at
from casino.law.partida_context import PartidaContext, at_a_shoe, in_place, is_opened
from casino.law.questions import all_equal, breach, equal, evidence_of, together

# The colours a choice of `decks.colours` names.
BACKS: Final[Mapping[str, tuple[str, ...]]] = {"red_and_blue": ("red", "blue")}
Layout = RecordedEvent[TableRegistered]
LimitsRecorded = RecordedEvent[PartidaOpened] | RecordedEvent[LimitsSet]


# Article 2: boxes


def _layouts(game: PartidaContext) -> list[Layout]:
    """How the table was laid out while it was open: as it stood at the opening, and since."""
    events, opened, closed = game.dossier.anywhere(TableRegistered), game.opening, game.closed
    before = [one for one in events if one.occurred_at <= opened.occurred_at]
    since = [
        one
        for one in events
        if one.occurred_at > opened.occurred_at
        and (closed is None or one.occurred_at < closed.occurred_at)
    ]
    return [*before[-1:], *since]


def _of_layouts(game: PartidaContext, ask: Callable[[Layout], Verdict]) -> Verdict:
    """What is said of every layout; open where nobody recorded how the table was laid out."""
    layouts = _layouts(game)
    known = any(one.occurred_at <= game.opening.occurred_at for one in layouts)
    return together([*map(ask, layouts), None if known else UNDECIDED])


def _laid_out_as(game: PartidaContext, name: str, asked: object) -> Verdict:
    """Whether every layout is what was asked, as far as whoever registered it says."""

    def ask(layout: Layout) -> Verdict:
        return equal(name, getattr(layout.event, name), asked, layout, game.opened)

    return _of_layouts(game, ask)


@upholds(
    "partida",
    "The table has as many boxes as the law allows.",
    needs="boxes.allowed",
    only=is_opened,
)
def table_has_lawful_boxes(game: PartidaContext) -> Verdict:
    """Six or seven. Law: PT art. 2."""
    allowed = game.p["boxes.allowed"]

    def ask(layout: Layout) -> Verdict:
        boxes = layout.event.boxes
        if boxes in allowed:
            return LAWFUL
        return breach({"boxes": boxes}, {"boxes": list(allowed)}, layout, game.opened)

    return _of_layouts(game, ask)


@upholds("partida", "The table is a half circle.", needs="boxes.allowed", only=is_opened)
def table_is_semicircular(game: PartidaContext) -> Verdict:
    """As whoever registered it says. Law: PT art. 2."""
    return _laid_out_as(game, "layout", "semicircular")


@upholds(
    "partida",
    "The boxes are numbered from the dealer's left.",
    needs="boxes.allowed",
    only=is_opened,
)
def boxes_numbered_from_dealers_left(game: PartidaContext) -> Verdict:
    """Clockwise, as whoever registered the table says. Law: PT art. 2."""

    def ask(layout: Layout) -> Verdict:
        if layout.event.numbering is None:
            return UNDECIDED
        if layout.event.numbering == "from_dealers_left":
            return LAWFUL
        observed = {"numbering": layout.event.numbering}
        return breach(observed, {"numbering": "dealers_left"}, layout, game.opened)

    return _of_layouts(game, ask)


@upholds("partida", "The boxes are marked on the cloth.", needs="boxes.allowed", only=is_opened)
def boxes_marked_on_the_cloth(game: PartidaContext) -> Verdict:
    """As whoever registered the table says. Law: PT art. 2."""
    return _laid_out_as(game, "boxes_marked", True)


@upholds(
    "partida",
    "The form of the table and the order of its boxes are on record.",
    needs="boxes.allowed",
    only=is_opened,
    severity="warning",
)
def table_layout_is_told(game: PartidaContext) -> Verdict:
    """By whoever registered it: no other record shows it. Law: PT art. 2."""

    def ask(layout: Layout) -> Verdict:
        unrecorded = [one for one in ("layout", "numbering") if getattr(layout.event, one) is None]
        return equal("untold", unrecorded, [], layout, game.opened)

    return _of_layouts(game, ask)


@upholds(
    "partida",
    "No box is played that this table does not have.",
    needs="boxes.allowed",
    only=is_opened,
)
def boxes_played_are_on_the_table(game: PartidaContext) -> Verdict:
    """A table of six has no seventh box, although another may.

    What passes the most any table has is asked round by round.

    Law: PT art. 2.
    """
    rounds = game.dossier.of(RoundPlayed)
    if not rounds:
        return None
    layouts = _layouts(game)
    if len({layout.event.boxes for layout in layouts}) != 1:
        return UNDECIDED  # nobody recorded, or it was laid out anew while it was open
    most, highest = layouts[0].event.boxes, max(game.p["boxes.allowed"])
    beyond = [
        (recorded, box.number)
        for recorded in rounds
        for box in recorded.event.boxes
        if most < box.number <= highest
    ]
    breaches = [
        breach({"box": number}, {"at_most": most}, layouts[-1], recorded, where={"box": number})
        for recorded, number in sorted(beyond, key=lambda one: in_place(one[0]))
    ]
    return breaches or LAWFUL


# Article 4: the special cards


def _special_cards(
    game: PartidaContext,
) -> list[tuple[str, SpecialCard | None, RecordedEvent[Event]]]:
    """The card one cuts with and every warning card that was recorded, and which entry told of
    it.
    """
    opened, event = game.opening, game.opening.event
    found: list[tuple[str, SpecialCard | None, RecordedEvent[Event]]] = [
        ("cut_card", event.cut_card, opened),
        ("carta_aviso", event.carta_aviso, opened),
    ]
    found += [
        ("carta_aviso", placed.event.colours, placed)
        for shoe in game.shoes
        for placed in shoe.warnings
        if placed.event.colours is not None
    ]
    return found


@upholds(
    "partida", "Two special cards go with the shoe.", needs="shoe.special_cards", only=at_a_shoe
)
def two_special_cards_are_used(game: PartidaContext) -> Verdict:
    """As many as whoever opened the table counted or described. Law: PT art. 4."""
    counted, asked = game.opening.event.special_cards, game.p["shoe.special_cards"]
    if counted is None:
        described = [card for _, card, recorded in _special_cards(game) if recorded is game.opened]
        return UNDECIDED if None in described else LAWFUL
    return equal("special_cards", counted, asked, game.opened)


@upholds(
    "partida",
    "The decks are of two back colours, as many of the one as of the other.",
    needs="decks.of_each_colour",
    only=is_opened,
)
def decks_of_two_colours_alike(game: PartidaContext) -> Verdict:
    """So many decks of each of two colours, as the opening tells them.

    Law: ES tipo-de-baraja, BR baralhos, FR the-setting/packs (of six decks three of each colour).
    """
    backs = [deck.back_colour for deck in game.opening.event.decks]
    each = game.p["decks.of_each_colour"]
    if len(backs) != 2 * each:
        return None  # how many there are is asked by itself
    known = Counter(colour for colour in backs if colour is not None)
    if None in backs and len(known) <= 2 and max(known.values(), default=0) <= each:
        return UNDECIDED
    if None not in backs and sorted(known.values()) == [each, each]:
        return LAWFUL
    counted = sorted(known.values(), reverse=True)
    return breach({"of_each_colour": counted}, {"of_each_colour": [each, each]}, game.opened)


@upholds(
    "partida",
    "The decks have the back colours the law names.",
    needs="decks.colours",
    only=is_opened,
)
def back_colours_as_named(game: PartidaContext) -> Verdict:
    """No other colour, as the opening tells them. Law: FR the-setting/packs (red and blue)."""
    named = BACKS[game.p["decks.colours"]]
    backs = [deck.back_colour for deck in game.opening.event.decks]
    others = sorted({colour for colour in backs if colour is not None} - set(named))
    if others:
        return breach({"back_colours": others}, {"back_colours": list(named)}, game.opened)
    return UNDECIDED if None in backs else LAWFUL


@upholds(
    "partida",
    "The special cards are on record when a table with a shoe opens.",
    needs="shoe.special_cards",
    only=at_a_shoe,
    severity="warning",
)
def special_cards_are_told(game: PartidaContext) -> Verdict:
    """Both with their colours, or that there are others or none; asked once cards were dealt.

    Law: PT art. 4.
    """
    known = {name for name, card, _ in _special_cards(game) if card is not None}
    unrecorded = [name for name in ("cut_card", "carta_aviso") if name not in known]
    if not unrecorded or game.opening.event.special_cards is not None:
        return LAWFUL
    shown = next((recorded for shoe in game.shoes for recorded in shoe.played), game.closed)
    if shown is None:
        return UNDECIDED
    return breach({"untold": unrecorded}, {"untold": []}, game.opened, shown)


@upholds(
    "partida",
    "Each special card has the same colour on both faces.",
    needs="shoe.special_cards",
    only=at_a_shoe,
)
def special_cards_alike_on_both_faces(game: PartidaContext) -> Verdict:
    """Front and back of the cut card, and of the warning card. Law: PT art. 4."""

    def ask(which: str, card: SpecialCard | None, recorded: RecordedEvent[Event]) -> Verdict:
        if card is None:
            return UNDECIDED
        if card.front == card.back:
            return LAWFUL
        observed = {"special": which, "front": card.front, "back": card.back}
        return breach(observed, {"back": card.front}, recorded)

    return together(ask(*card) for card in _special_cards(game))


@upholds(
    "partida",
    "No special card has a colour of the decks' backs.",
    needs="shoe.special_cards",
    only=at_a_shoe,
)
def special_cards_unlike_the_decks(game: PartidaContext) -> Verdict:
    """Neither passes for a playing card, on either face. Law: PT art. 4."""
    backs = [deck.back_colour for deck in game.opening.event.decks]
    known = {colour for colour in backs if colour is not None}

    def ask(which: str, card: SpecialCard | None, recorded: RecordedEvent[Event]) -> Verdict:
        if card is None:
            return UNDECIDED
        shared = sorted({card.front, card.back} & known)
        if shared:
            observed = {"special": which, "colours": shared}
            evidence = evidence_of(game.opened, recorded)
            return breach(observed, {"colours": []}, *evidence)
        return UNDECIDED if None in backs else LAWFUL

    return together(ask(*card) for card in _special_cards(game))


# Article 14: the limits


@upholds(
    "partida",
    "A table opens with the limits that are set for it.",
    needs="stake.within_limits",
    only=is_opened,
)
def opened_with_the_limits_set(game: PartidaContext) -> Verdict:
    """The minimum and the maximum told at the opening are those in force then. Law: PT art. 14."""
    opened = game.opening
    recorded = game.dossier.first_record(opened).recorded_at
    limits_set = game.dossier.anywhere(LimitsSet)
    limits = limits_in_force(limits_set, opened.occurred_at, recorded)
    if limits is None:
        return UNDECIDED
    stated, asked = opened.event.limits, limits.event
    names = ("minimum_cents", "maximum_cents")
    pairs = {name: (getattr(stated, name), getattr(asked, name)) for name in names}
    return all_equal(pairs, limits, opened)


@upholds(
    "partida",
    "A table opens with a maximum of at most thirty times its minimum.",
    needs="limits.maximum_over_minimum",
    only=is_opened,
)
def opened_within_thirty_minimums(game: PartidaContext) -> Verdict:
    """As told at the opening, and as set for the table while it was open; not again of each round.

    Law: PT art. 37.
    """

    def ask(recorded: LimitsRecorded) -> Verdict:
        limits = limits_in(recorded)
        most = limits.minimum_cents * game.p["limits.maximum_over_minimum"]
        if limits.maximum_cents <= most:
            return LAWFUL
        return breach({"maximum_cents": limits.maximum_cents}, {"at_most_cents": most}, recorded)

    return together(map(ask, game.limits_recorded))


@upholds(
    "partida",
    "The limits a round tells are those of its table then.",
    needs="stake.within_limits",
    only=is_opened,
)
def rounds_tell_the_tables_limits(game: PartidaContext) -> Verdict:
    """Those of the opening, or those set for the table since; stakes are judged by them anyhow.

    One breach for each other pair of limits; those too far apart are found under 37 with the round.
    Law: PT art. 14.
    """
    limits_set = game.dossier.anywhere(LimitsSet)
    answers: list[Verdict] = []
    most = game.p.get("limits.maximum_over_minimum")
    others: dict[tuple[Limits, Limits], list[RecordedEvent[RoundPlayed]]] = {}
    told: dict[str, Limits] = {}  # by what tells them

    def source(played: RecordedEvent[RoundPlayed]) -> LimitsRecorded:
        known_by = game.dossier.first_record(played).recorded_at
        at = staked_at(played.event, played.occurred_at)
        return recorded_limits(game.opening, limits_set, at, known_by)

    for played in game.dossier.of(RoundPlayed):
        by = source(played)
        there = told.get(by.entry_id) or told.setdefault(by.entry_id, limits_in(by))
        stated = played.event.limits
        if stated == there:
            answers.append(LAWFUL)
        elif stated and (not most or stated.maximum_cents <= most * stated.minimum_cents):
            others.setdefault((stated, there), []).append(played)
    for (stated, there), rounds in others.items():
        observed, shown_by = {**asdict(stated), "rounds": len(rounds)}, source(rounds[0])
        answers.append(breach(observed, asdict(there), shown_by, *rounds[:100]))
    return together(answers)
