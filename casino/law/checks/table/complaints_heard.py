"""Complaints of players: whether they came in time, and what was made of them.

At a table with a shuffler the time ends when the round's cards go back into it, and runs on while
they have to wait. Where cards are dealt from a shoe the text sets no end. Where the order is not
known the record decides neither way: no complaint is too late because nobody wrote the moment down.

Law: PT art. 61, with 60.
"""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from casino.events.complaints import ComplaintDecided, ComplaintReceived, DisputeReviewed
from casino.events.event import Event
from casino.events.round.round_played import RoundPlayed
from casino.law.dossier import RecordedEvent, in_time
from casino.law.finding import LAWFUL, UNDECIDED, Verdict, upholds
from casino.law.game_incidents import Incident
from casino.law.partida_context import PartidaContext, in_place
from casino.law.put_back import put_back_at
from casino.law.questions import breach, not_before, together
from casino.law.round_moments import collected, first_card, round_named

Complaint = RecordedEvent[ComplaintReceived]

_UPHELD: Final = frozenset({"upheld", "partly_upheld"})
_PUT_RIGHT: Final = frozenset({"error-found", "payment-corrected", "stake-returned"})
_AGREED: Final = frozenset({"courtesy", "settled"})  # what is paid though nothing was due
_OF_A_ROUND: Final = frozenset({"counting", "payment", "dealing", "stake", "decision"})
ERRORS: Final = frozenset({"payment_error", "dealing_error"})


class _Window(NamedTuple):
    """Whether a complaint came in time, None where nobody knows, and the reading it hangs on.

    `until` is when its time ended, where that is known.
    """

    timely: bool | None
    until: datetime | None = None
    readings: tuple[str, ...] = ()


def complaints_of(game: PartidaContext) -> list[Complaint]:
    """The complaints of a partida, as they came."""
    return sorted(game.dossier.of(ComplaintReceived), key=in_time)


def round_of(game: PartidaContext, complaint: Complaint) -> RecordedEvent[RoundPlayed] | None:
    """The round complained of, where it is named and on record."""
    return round_named(complaint.event, game.dossier.of(RoundPlayed))


def _last_begun(game: PartidaContext, at: datetime | None) -> RecordedEvent[RoundPlayed] | None:
    """The last round that had begun at a moment; None where one may have that nobody timed."""
    rounds = [(first_card(recorded), recorded) for recorded in game.dossier.of(RoundPlayed)]
    if at is None or any(begun is None for begun, _ in rounds):
        return None
    begun = [
        (moment, recorded) for moment, recorded in rounds if moment is not None and moment <= at
    ]
    return max(begun, key=lambda one: (one[0], in_place(one[1])), default=(at, None))[1]


def _disputed(game: PartidaContext, complaint: Complaint) -> RecordedEvent[RoundPlayed] | None:
    """The round a complaint disputes: the one it names, else the one that was on the table.

    That is so where whoever wrote it down saw that its cards were not back; else nobody knows.
    """
    event = complaint.event
    named = (event.round, event.shoe, event.number) != (None, None, None)
    if named or event.cards_inserted is not False or event.subject not in _OF_A_ROUND:
        return round_of(game, complaint)
    return _last_begun(game, event.received_at)


def _before(received: datetime | None, end: datetime | None) -> bool | None:
    """Whether one moment lies before another; of one and the same moment nobody knows."""
    if received is None or end is None or received == end:
        return None
    return received < end


def _came_before(complaint: Complaint, end: datetime | None) -> bool | None:
    """Whether a complaint came before a moment; where nobody wrote down when, by when it was
    recorded.

    It came no later than that, so that it can only be shown to be in time.
    """
    received = complaint.event.received_at
    if received is not None:
        return _before(received, end)
    return True if _before(complaint.occurred_at, end) else None


def window_of(game: PartidaContext, complaint: Complaint) -> _Window:
    """Whether a complaint came in time, as the law of the day is read."""
    if game.dealing == "shoe":
        return _Window(True)
    recorded = round_of(game, complaint)
    if game.dealing is None or recorded is None:
        return _Window(None)
    ends = [put_back_at(game, recorded), collected(recorded)]
    if game.p["complaint.window"] == "until_collected":
        ends.reverse()
    answers = [_came_before(complaint, end) for end in ends]
    parting = ("complaint-window",) if answers[0] != answers[1] else ()
    return _Window(answers[0], ends[0], parting)


def _decision(game: PartidaContext, complaint: Complaint) -> RecordedEvent[ComplaintDecided] | None:
    """The last decision on a complaint."""
    events = [
        one
        for one in game.dossier.anywhere(ComplaintDecided)
        if one.event.complaint == complaint.event.complaint
    ]
    return events[-1] if events else None


@upholds(
    "complaint",
    "A complaint that came after the cards had gone back is not upheld.",
    needs="complaint.window",
)
def late_complaint_not_upheld(game: PartidaContext, complaint: Complaint) -> Verdict:
    """Too late is too late, whatever was said in it. Law: PT art. 61."""
    decided = _decision(game, complaint)
    if decided is None or decided.event.outcome not in _UPHELD:
        return None
    window = window_of(game, complaint)
    if window.timely is None:
        return UNDECIDED
    if window.timely:
        return LAWFUL
    observed = {"moment": complaint.event.received_at, "outcome": decided.event.outcome}
    shown_by, readings = (complaint, round_of(game, complaint), decided), window.readings
    return breach(observed, {"before": window.until}, *shown_by, readings=readings)


@upholds("complaint", "A complaint that came in time is heard.", needs="complaint.window")
def timely_complaint_heard(game: PartidaContext, complaint: Complaint) -> Verdict:
    """It is not turned away as inadmissible. Law: PT art. 61, 60."""
    decided = _decision(game, complaint)
    if decided is None or decided.event.outcome != "inadmissible":
        return None
    window = window_of(game, complaint)
    if window.timely is None:
        return UNDECIDED
    if not window.timely:
        return LAWFUL
    received, until = complaint.event.received_at, window.until
    observed = ({} if received is None else {"moment": received}) | {"outcome": "inadmissible"}
    expected = {"heard": True} | ({} if until is None else {"before": until})
    shown_by, readings = (complaint, round_of(game, complaint), decided), window.readings
    return breach(observed, expected, *shown_by, readings=readings)


@upholds(
    "complaint",
    "Every complaint is answered, in time or not.",
    needs="complaint.answered_within",
    severity="warning",
)
def complaint_answered(game: PartidaContext, complaint: Complaint) -> Verdict:
    """A decision follows within the time the house allows itself; the text states none.

    Law: PT art. 61.
    """
    if _decision(game, complaint) is not None:
        return LAWFUL
    until = complaint.occurred_at + timedelta(minutes=game.p["complaint.answered_within"])
    if game.dossier.as_of <= until:
        return UNDECIDED
    return breach({"answers": 0}, {"not_after": until}, complaint)


@upholds(
    "complaint",
    "What is paid on a complaint agrees with decision and amount claimed.",
    severity="warning",
)
def complaint_paid_as_decided(game: PartidaContext, complaint: Complaint) -> Verdict:
    """Who is not upheld is paid nothing, but as a courtesy; nobody is paid more than he claims.

    Law: PT art. 61, which states neither.
    """
    decided = _decision(game, complaint)
    if decided is None:
        return None
    outcome, paid = decided.event.outcome, decided.event.paid_cents or 0
    claimed = complaint.event.amount_cents
    breaches = []
    if outcome not in _UPHELD and decided.event.reason in _PUT_RIGHT:
        observed: dict[str, object] = {"outcome": outcome, "reason": decided.event.reason}
        breaches.append(breach(observed, {"outcome": "upheld"}, complaint, decided))
    elif outcome not in _UPHELD and paid and decided.event.reason not in _AGREED:
        observed = {"outcome": outcome, "paid_cents": paid}
        breaches.append(breach(observed, {"paid_cents": 0}, complaint, decided))
    if claimed is not None and paid > claimed:
        observed, expected = {"paid_cents": paid}, {"at_most_cents": claimed}
        breaches.append(breach(observed, expected, complaint, decided))
    if breaches:
        return breaches
    return UNDECIDED if paid and claimed is None else LAWFUL


def freed_by(game: PartidaContext, complaint: Complaint) -> RecordedEvent[Event] | None:
    """What first freed the cards in dispute: the review, or the decision; None while they wait."""
    return _freed(game, complaint.event.complaint)


def _freed(game: PartidaContext, code: str) -> RecordedEvent[Event] | None:
    freed: list[RecordedEvent[Event]] = [
        one for one in game.dossier.anywhere(DisputeReviewed) if one.event.dispute == code
    ]
    freed += [one for one in game.dossier.anywhere(ComplaintDecided) if one.event.complaint == code]
    return min(freed, key=in_time, default=None)


@upholds(
    "partida",
    "The cards of a round in dispute are not put back before they are looked at.",
    severity="deviation",
)
def disputed_cards_wait_for_review(game: PartidaContext) -> Verdict:
    """A complaint in time would be heard of cards nobody can find any more.

    A complaint disputes a round, and so does an error of it that was reported and looked at again.

    Law: PT art. 61, with 59 and 60: the cards wait until the dispute was reviewed or decided.
    """
    answers = [_complained_of(game, complaint) for complaint in complaints_of(game)]
    answers += [
        _erred(game, incident) for incident in game.incidents if incident.event.category in ERRORS
    ]
    return together(answers)


def _complained_of(game: PartidaContext, complaint: Complaint) -> Verdict:
    if game.dealing != "shuffler":
        return None if game.dealing is not None else UNDECIDED
    recorded = _disputed(game, complaint)
    went_in = put_back_at(game, recorded) if recorded is not None else None
    timely = _came_before(complaint, went_in)
    if timely is None:
        return UNDECIDED
    assert went_in is not None
    if not timely:
        return None
    first = freed_by(game, complaint)
    if first is not None and first.occurred_at <= went_in:
        return LAWFUL
    expected = {"reviewed": True} if first is None else {"not_before": first.occurred_at}
    where = {"complaint": complaint.event.complaint}
    return breach({"moment": went_in}, expected, complaint, recorded, first, where=where)


def _erred(game: PartidaContext, trouble: Incident) -> Verdict:
    """The same of an error of a round that was recorded as an incident.

    An error may be put right on the spot, so that nobody looked at it again proves no dispute.
    """
    event = trouble.event
    if game.dealing == "shoe":
        return None
    if event.round is None:
        recorded = _last_begun(game, event.noticed_at)
        if recorded is None:
            return None
    else:
        rounds = game.dossier.of(RoundPlayed)
        recorded = next((one for one in rounds if one.event.round == event.round), None)
    went_in = put_back_at(game, recorded) if recorded is not None else None
    timely = _before(event.noticed_at or trouble.occurred_at, went_in)
    if timely is None or game.dealing is None:
        return UNDECIDED
    assert went_in is not None
    if not timely:
        return None
    first, over = _freed(game, event.incident), game.settled(event)
    ends = [one.occurred_at for one in (first, over) if one is not None]
    ends += [] if event.resolved_at is None else [event.resolved_at]
    if any(end <= went_in for end in ends):
        return LAWFUL
    if first is None or event.round is None:
        return UNDECIDED  # nobody said that it is a dispute, or of which round
    shown_by, where = (trouble.report, recorded, first), {"incident": event.incident}
    return not_before(went_in, first.occurred_at, *shown_by, where=where)
