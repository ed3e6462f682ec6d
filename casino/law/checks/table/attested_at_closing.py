"""What no record shows by itself: somebody answers for it when the game is closed.

Where every round tells it, nobody has to. Where one does not, and no named person attests that the
article was kept throughout, that absence is what is found.

Law: PT art. 13, 17, 58, 59, 60.
"""

from collections.abc import Callable
from typing import Final

from casino.events.round.round_played import RoundPlayed
from casino.law.checks.table.offices_of_acts import PIT, attests
from casino.law.dossier import RecordedEvent
from casino.law.finding import LAWFUL, UNDECIDED, Verdict, upholds
from casino.law.partida_context import PartidaContext
from casino.law.put_back import deferred_rounds, put_back_at, put_back_here, read_of
from casino.law.questions import breach
from casino.law.register_proof import office_on_record
from casino.law.round_moments import inserted

Round = RecordedEvent[RoundPlayed]


def _attested(
    game: PartidaContext,
    article: str,
    shows: Callable[[Round], bool],
    readings: tuple[str, ...] = (),
) -> Verdict:
    """Whether all rounds show it, or somebody attests it; None while the game goes on."""
    closed = game.closed
    rounds = game.dossier.of(RoundPlayed)
    if closed is None or (closed.event.rounds == 0 and not rounds):
        return None
    answered = [one for one in closed.event.attested or () if one.article == article]
    known = {one.staff: attests(game, one.staff, closed) for one in answered}
    if True in known.values() or None in known.values():
        return LAWFUL if True in known.values() else UNDECIDED
    silent = sum(not shows(recorded) for recorded in rounds)
    if rounds and not silent:
        # There may be rounds nobody recorded.
        count = closed.event.rounds
        return UNDECIDED if count is None or count > len(rounds) else LAWFUL
    if not rounds and closed.event.rounds is None:
        return UNDECIDED
    observed: dict[str, object] = {"attested": "no", "rounds": silent}
    if known:  # by somebody of no office of the floor, or of none at all
        observed |= {"attested_by": sorted(known), "holds_office": "no"}
    kept = [office_on_record(game.dossier, staff, PIT, closed).evidence for staff in known]
    if known and not any(kept):
        observed["on_record"] = "nothing"
    known_of = [entry for of_one in kept for entry in of_one]
    return breach(observed, {"attested": "yes"}, closed, *known_of, readings=readings)


@upholds(
    "partida",
    "That stakes were closed before the deal is timed, or somebody attests it.",
    severity="warning",
)
def stakes_timed_or_attested(game: PartidaContext) -> Verdict:
    """Both moments of every round, or an attestation for the whole game. Law: PT art. 13."""

    def shows(recorded: Round) -> bool:
        times = recorded.event.times
        return times is not None and None not in (times.stakes_closed, times.first_card)

    return _attested(game, "13", shows)


@upholds(
    "partida", "The order of the deal is recorded, or somebody attests it.", severity="warning"
)
def deal_recorded_or_attested(game: PartidaContext) -> Verdict:
    """Where every card went and which of the bank's lay open, or an attestation.

    Law: PT art. 17.
    """

    def shows(recorded: Round) -> bool:
        return recorded.event.dealt is not None and recorded.event.bank.open is not None

    return _attested(game, "17", shows)


@upholds(
    "partida",
    "Somebody attests that cards out of play went to the discard corner at once.",
    needs="csm.puts_back",
    only=put_back_here,
    severity="warning",
)
def discards_attested(game: PartidaContext) -> Verdict:
    """No record of a round shows it. Law: PT art. 58."""
    return _attested(game, "58", lambda value: False, read_of(game))


@upholds(
    "partida",
    "That the cards were put back after each round is timed, or attested.",
    needs="csm.puts_back",
    only=put_back_here,
    severity="warning",
)
def putting_back_timed_or_attested(game: PartidaContext) -> Verdict:
    """The moment in every round whose cards could go back, or an attestation. Law: PT art. 59."""
    deferred = deferred_rounds(game)

    def shows(recorded: Round) -> bool:
        return inserted(recorded) is not None or recorded.event.round in deferred

    return _attested(game, "59", shows, read_of(game))


@upholds(
    "partida",
    "That deferred cards were put back later is timed, or attested.",
    needs="csm.puts_back",
    only=put_back_here,
    severity="warning",
)
def deferred_cards_timed_or_attested(game: PartidaContext) -> Verdict:
    """The moment they went back, of each round that had to wait, or an attestation.

    Law: PT art. 60.
    """
    deferred = deferred_rounds(game).keys()
    if not deferred:
        return None
    whole = deferred <= {recorded.event.round for recorded in game.dossier.of(RoundPlayed)}

    def shows(recorded: Round) -> bool:
        return recorded.event.round not in deferred or put_back_at(game, recorded) is not None

    return _attested(game, "60", lambda recorded: whole and shows(recorded), read_of(game))


# What has to be attested where the rounds do not show it.
ATTESTED: Final = (
    stakes_timed_or_attested,
    deal_recorded_or_attested,
    discards_attested,
    putting_back_timed_or_attested,
    deferred_cards_timed_or_attested,
)
