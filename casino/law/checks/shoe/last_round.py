"""The end of a shoe: the cut before it, the last round announced, the cards laid out early.

Law: PT art. 8, 9 (in which order a shoe is prepared), 11 (last round), 12 (cards laid out).
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from casino.events.event import Event
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import CardsSpread, LastRoundAnnounced
from casino.law.dossier import RecordedEvent, in_time
from casino.law.finding import LAWFUL, UNDECIDED, Breach, Verdict, upholds
from casino.law.partida_context import PartidaContext, Shoe, in_place, not_at_a_shuffler
from casino.law.questions import breach, equal, not_before, together
from casino.law.round_moments import ROUNDS_CITED, dealt_after, none_dealt, sort_out
from casino.law.rounds.card_population import cards_of

Announced = RecordedEvent[LastRoundAnnounced]

# The order of the steps


def _in_order(
    earlier: Sequence[RecordedEvent[Event]], later: Sequence[RecordedEvent[Event]]
) -> Verdict:
    """Whether the last of one step came no earlier than the last of the step it follows."""
    if not earlier or not later:
        return None
    first, then = max(earlier, key=in_time), max(later, key=in_time)
    return not_before(then.occurred_at, first.occurred_at, first, then)


@upholds("shoe_on_record", "The cut is made after the shuffle.", only=not_at_a_shuffler)
def cut_follows_the_shuffle(game: PartidaContext, shoe: Shoe) -> Verdict:
    """What was shuffled again after the cut was not cut. Law: PT art. 8."""
    return _in_order(shoe.shuffles, shoe.real_cuts)


@upholds("shoe_on_record", "The warning card goes in after the cut.", only=not_at_a_shuffler)
def warning_card_follows_the_cut(game: PartidaContext, shoe: Shoe) -> Verdict:
    """A cut made after it would have moved it. Law: PT art. 9."""
    return _in_order(shoe.real_cuts, shoe.warnings)


@upholds(
    "shoe_on_record",
    "Enough cards lie behind the separator for a whole round.",
    only=not_at_a_shuffler,
)
def reserve_enough_for_a_round(game: PartidaContext, shoe: Shoe) -> Verdict:
    """As many as the longest round of the shoe took."""
    if not shoe.warnings or not shoe.rounds:
        return None
    longest = max(shoe.rounds, key=lambda recorded: len(cards_of(recorded.event)))
    behind, asked = shoe.warnings[-1].event.cards_from_end, len(cards_of(longest.event))
    if behind >= asked:
        return UNDECIDED if game.unplaced else LAWFUL
    return breach({"cards_from_end": behind}, {"at_least": asked}, shoe.warnings[-1], longest)


# Article 11: the last round


class _Announcements(NamedTuple):
    """What was announced of a shoe, and whether something else may have been about it too."""

    mine: list[Announced]
    doubtful: bool


def announced_of(game: PartidaContext, shoe: Shoe) -> _Announcements:
    rounds = {recorded.event.round for recorded in shoe.rounds}
    mine, doubtful = [], False
    for recorded in sorted(game.dossier.of(LastRoundAnnounced), key=in_time):
        if recorded.event.shoe == shoe.number or (
            recorded.event.shoe is None and recorded.event.round in rounds
        ):
            mine.append(recorded)
        elif recorded.event.shoe is None:
            doubtful = True
    return _Announcements(mine, doubtful)


def _names(recorded: Announced, last_recorded: RecordedEvent[RoundPlayed]) -> bool | None:
    """Whether an announcement is of that round; None where it does not say."""
    if recorded.event.round is not None:
        return recorded.event.round == last_recorded.event.round
    if recorded.event.number is not None and last_recorded.event.number is not None:
        return recorded.event.number == last_recorded.event.number
    return None


@upholds(
    "shoe_on_record",
    "When the warning card comes out the last round is announced.",
    only=not_at_a_shuffler,
)
def last_round_announced(game: PartidaContext, shoe: Shoe) -> Verdict:
    """In that very round. A shuffler has no last round (56). Law: PT art. 11."""
    last = shoe.came_out
    if last is None:
        return None
    announcements = announced_of(game, shoe)
    answers = [_names(one, last) for one in announcements.mine]
    if True in answers:
        return LAWFUL
    if None in answers or announcements.doubtful or game.opened is None:
        return UNDECIDED
    if announcements.mine:
        return breach(
            {"announced_in_round": announcements.mine[0].event.number or "another"},
            {"announced_in_round": last.event.number or "the_last"},
            last,
            announcements.mine[0],
        )
    shown = _past_the_last(game, shoe, last)
    if shown is None:
        return UNDECIDED  # it may still be recorded
    return breach({"announcements": 0}, {"at_least": 1}, last, shown)


def _past_the_last(
    game: PartidaContext, shoe: Shoe, last_recorded: RecordedEvent[RoundPlayed]
) -> RecordedEvent[Event] | None:
    """What shows that a shoe's last round is over: a later one, the next shoe, the closing."""
    later = shoe.rounds[shoe.rounds.index(last_recorded) + 1 :]
    following = [one for other in game.shoes if other.number > shoe.number for one in other.acts]
    return next(iter([*later, *following[:1]]), game.closed)


@upholds(
    "shoe_on_record",
    "The last round is announced so that everybody hears it.",
    only=not_at_a_shuffler,
)
def last_round_announced_aloud(game: PartidaContext, shoe: Shoe) -> Verdict:
    """As whoever recorded it says. Law: PT art. 11."""
    return _of_all(game, shoe, lambda said: equal("audible", said.event.audible, True, said))


@upholds(
    "shoe_on_record",
    "After the round announced as the last none is played from the shoe.",
    only=not_at_a_shuffler,
)
def no_round_after_the_announced_last(game: PartidaContext, shoe: Shoe) -> Verdict:
    """Whatever the rounds themselves tell of the warning card; what they tell is asked with it.

    Law: PT art. 11.
    """

    def ask(last_recorded: Announced) -> Verdict:
        after, doubtful = _rounds_after(shoe, last_recorded)
        if not after:
            return UNDECIDED if doubtful or game.unplaced else LAWFUL
        if shoe.came_out is not None:
            return None
        return breach({"rounds": len(after)}, {"rounds": 0}, last_recorded, *after[:ROUNDS_CITED])

    return _of_all(game, shoe, ask)


def _of_all(game: PartidaContext, shoe: Shoe, ask: Callable[[Announced], Verdict]) -> Verdict:
    """What is said of all announcements of a shoe; open where another may be of it too."""
    announcements = announced_of(game, shoe)
    if not announcements.mine:
        return None
    return together([*map(ask, announcements.mine), UNDECIDED if announcements.doubtful else None])


def _rounds_after(
    shoe: Shoe, announced: Announced
) -> tuple[list[RecordedEvent[RoundPlayed]], bool]:
    """The rounds of a shoe past the one announced as its last, and whether others may be."""
    event = announced.event
    named = [recorded for recorded in shoe.rounds if recorded.event.round == event.round]
    number = named[0].event.number if named else event.number
    if number is not None:
        after = [recorded for recorded in shoe.rounds if (recorded.event.number or 0) > number]
        return after, any(one.event.number is None for one in shoe.rounds if one not in named)
    later = sort_out(shoe.rounds, lambda recorded: dealt_after(recorded, announced.occurred_at))
    allowed = 0 if event.came_out == "during_round" else 1
    if len(later.sure) > allowed:
        return sorted(later.sure, key=in_place)[allowed:], later.doubtful
    return [], bool(shoe.rounds)  # which of them was announced nobody recorded


# Article 12: cards laid out early


@upholds(
    "spread",
    "The cards are laid out early only when nobody plays or nobody stakes.",
    only=not_at_a_shuffler,
)
def cards_spread_for_lawful_reason(
    game: PartidaContext, spread: RecordedEvent[CardsSpread]
) -> Verdict:
    """No other reason; a shuffler keeps its cards whatever the reason (57). Law: PT art. 12."""
    if spread.event.reason in ("no_players", "no_stakes"):
        return LAWFUL
    if game.dealing is None:
        return UNDECIDED
    return breach({"reason": spread.event.reason}, {"one_of": ["no_players", "no_stakes"]}, spread)


@upholds("spread", "Cards laid out early lie face up.", only=not_at_a_shuffler)
def spread_cards_lie_face_up(game: PartidaContext, spread: RecordedEvent[CardsSpread]) -> Verdict:
    """As whoever recorded it says. Law: PT art. 12."""
    return equal("face_up", spread.event.face_up, True, spread)


@upholds(
    "spread",
    "No round is played from cards that were laid out, until they are shuffled.",
    only=not_at_a_shuffler,
)
def no_round_after_the_spread(game: PartidaContext, spread: RecordedEvent[CardsSpread]) -> Verdict:
    """The next round is another shoe's, which has to be prepared as any shoe.

    Law: PT art. 12, with 8 to 10.
    """
    shoe = next((one for one in game.shoes if spread in one.spread), None)
    rounds = game.dossier.of(RoundPlayed) if shoe is None else shoe.rounds
    later = sort_out(rounds, lambda recorded: dealt_after(recorded, spread.occurred_at))
    unplaced = sort_out(game.unplaced, lambda recorded: dealt_after(recorded, spread.occurred_at))
    found = none_dealt(later, spread)
    if shoe is None and isinstance(found, Breach):
        return UNDECIDED
    return UNDECIDED if found == LAWFUL and unplaced.any is not False else found
