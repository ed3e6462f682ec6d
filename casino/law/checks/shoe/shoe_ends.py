"""Why a shoe came to its end, and the round that still has to be played from it.

Law: PT art. 11 (last round of a shoe), 12 (want of players or stakes).
"""

from datetime import datetime
from typing import Any, Final, Literal

from casino.events.deck_life import DeckWithdrawn
from casino.events.event import Event
from casino.events.floor_life import PartidaReopened
from casino.events.partidas import PartidaClosed
from casino.events.shoes import LastRoundAnnounced, PlayInterrupted
from casino.law.checks.shoe.last_round import announced_of
from casino.law.dossier import RecordedEvent, in_time
from casino.law.finding import LAWFUL, UNDECIDED, Verdict, upholds
from casino.law.partida_context import PartidaContext, Shoe, not_at_a_shuffler
from casino.law.questions import breach, together
from casino.law.round_moments import first_card

CAUSES: Final = ("carta_aviso", "no_players", "no_stakes", "incident", "closing")


def _next_shoe(
    game: PartidaContext, shoe: Shoe
) -> RecordedEvent[Event] | Literal["not_decidable"] | None:
    """The first act of the next shoe that was dealt from; UNDECIDED where one may still be."""
    later = [one for one in game.shoes if one.number > shoe.number]
    for one in later:
        if one.played:
            return one.acts[0]
    return UNDECIDED if later and game.closed is None else None


def _stopped(game: PartidaContext, start: datetime, end: datetime) -> bool:
    """Whether something on record stopped play then: a stop, an incident, a deck, a closing."""
    events: list[RecordedEvent[Event]] = [
        one
        for one in game.dossier.of(PlayInterrupted)
        if one.event.reason != "dealer_change"  # which ends no shoe
    ]
    events += game.dossier.of(PartidaClosed)
    events += game.dossier.of(PartidaReopened)
    events += game.dossier.anywhere(DeckWithdrawn)
    moments = [one.occurred_at for one in events]
    moments += [one.event.noticed_at or one.occurred_at for one in game.incidents]
    return any(start <= moment <= end for moment in moments)


@upholds(
    "shoe_on_record",
    "A shoe ends with its warning card, or for a cause on record.",
    only=not_at_a_shuffler,
)
def shoe_ends_for_a_cause(game: PartidaContext, shoe: Shoe) -> Verdict:
    """Another shoe is dealt from only after the last round, or after something that stopped play.

    Where nobody recorded that the warning card came out, either it did and was not announced or the
    shoe was cut short: neither is lawful.

    Law: PT art. 11, 12.
    """
    following = _next_shoe(game, shoe)
    if not shoe.rounds or following is None:
        return None
    announced = announced_of(game, shoe)
    if isinstance(following, str):
        return following
    if announced.mine or shoe.spread or shoe.came_out is not None:
        return LAWFUL
    if announced.doubtful or game.unplaced or game.opened is None:
        return UNDECIDED
    last = shoe.rounds[-1]
    stopped = _stopped(game, first_card(last) or last.occurred_at, following.occurred_at)
    return (
        LAWFUL
        if stopped
        else breach({"ended_by": "nothing_told"}, {"one_of": list(CAUSES)}, last, following)
    )


@upholds(
    "shoe_on_record",
    "When the warning card comes out right before a round, that round is still played.",
    only=not_at_a_shuffler,
)
def round_after_the_warning_card_is_played(game: PartidaContext, shoe: Shoe) -> Verdict:
    """The next shoe is made ready only after it; want of players or another stop excuses it.

    Law: PT art. 11.
    """
    early = [one for one in announced_of(game, shoe).mine if one.event.came_out == "before_round"]
    return together(_still_played(game, shoe, recorded) for recorded in early)


def _still_played(
    game: PartidaContext, shoe: Shoe, recorded: RecordedEvent[LastRoundAnnounced]
) -> Verdict:
    out_in = shoe.came_out
    if out_in is not None:
        return LAWFUL if out_in.event.warning_card_at == 0 else None  # else it came out elsewhere
    if any(_is_that_round(recorded, one) for one in shoe.rounds):
        return LAWFUL
    following = _next_shoe(game, shoe)
    if not isinstance(following, RecordedEvent) or in_time(following) < in_time(recorded):
        return UNDECIDED  # it may still be played, or told
    if _stopped(game, recorded.occurred_at, following.occurred_at) or shoe.spread:
        return None
    if game.unplaced or game.opened is None:
        return UNDECIDED
    return breach({"rounds": 0}, {"rounds": 1}, recorded, following)


def _is_that_round(
    recorded: RecordedEvent[LastRoundAnnounced], recorded_one: RecordedEvent[Any]
) -> bool:
    """Whether a round is the one announced, or was not over when the card was said to be out."""
    event = recorded.event
    if event.round is not None or event.number is not None:
        if recorded_one.event.round == event.round or recorded_one.event.number == event.number:
            return True
    return bool(recorded_one.occurred_at > recorded.occurred_at)
