"""When the automatic shuffler damages a card or jams: who is called, who opens it, who is told.

Law: PT art. 51.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from casino.events.event import Event
from casino.events.round.round_played import RoundPlayed
from casino.law.dossier import RecordedEvent
from casino.law.finding import LAWFUL, UNDECIDED, Breach, Verdict, upholds
from casino.law.game_incidents import DAMAGES, JAMS, TROUBLES, at_shuffler, over_at
from casino.law.game_incidents import Incident as Trouble
from casino.law.partida_context import PartidaContext
from casino.law.questions import breach, evidence_of, not_after, together
from casino.law.recorded_elsewhere import counts_here
from casino.law.register_proof import CHEFE, by_office
from casino.law.round_moments import dealt_after, none_dealt, rounds_between

MANAGEMENT: Final = "chefia_da_sala"


def _is_own(game: PartidaContext, trouble: Trouble) -> bool:
    """Whether an incident was recorded of this partida; of another one only its end matters
    here.
    """
    known: bool = trouble.report.event.partida == game.dossier.partida
    return known


Condition = Callable[[PartidaContext, Trouble], bool | None]


def _one_of(kinds: frozenset[str]) -> Condition:
    """That an incident is one of these, of a shuffler, and was recorded of this partida."""

    def applies(game: PartidaContext, trouble: Trouble) -> bool | None:
        asked = trouble.event.category in kinds and _is_own(game, trouble)
        return at_shuffler(game, trouble) if asked else False

    return applies


A_TROUBLE: Final = _one_of(TROUBLES)
A_JAM: Final = _one_of(JAMS)
A_DAMAGE: Final = _one_of(DAMAGES)
A_JAM_OR_DAMAGE: Final = _one_of(JAMS | DAMAGES)


def _is_settled(game: PartidaContext, trouble: Trouble) -> bool:
    """Whether what was not recorded of an incident by now was left undone."""
    return game.settled(trouble.event) is not None or game.closed is not None


def _left_undone(
    game: PartidaContext, trouble: Trouble, observed: dict[str, Any], expected: dict[str, object]
) -> Breach:
    """A breach that rests on the report, and on the end of the incident where it was recorded."""
    return breach(observed, expected, *trouble.evidence(), game.settled(trouble.event))


Who = tuple[str | None, str | None, datetime | None]  # a number, an office, a moment


def _by(game: PartidaContext, trouble: Trouble, asked: str, who: Who, *fields: str) -> Verdict:
    """Whether somebody of an office did what these fields tell."""
    filled = [trouble.filled[one] for one in fields if one in trouble.filled]
    act, at = (*filled, trouble.report)[0], who[2] or trouble.occurred_at
    return by_office(game, asked, who[:2], at, act, *trouble.evidence(*fields))


@upholds("incident", "Only a fiscal-chefe opens the shuffler.", only=A_TROUBLE)
def shuffler_opened_by_fiscal_chefe(game: PartidaContext, trouble: Trouble) -> Verdict:
    """Whoever lifted the lid held the office; from when a technician was asked for, he may too.

    A lid that was recorded by itself is asked about by itself.

    Law: PT art. 51.
    """
    report = trouble.report
    opened = report.event.opened_by, report.event.opened_by_office, report.event.opened_at
    answers = [] if opened == (None, None, None) else [_opened(game, trouble, opened, report)]
    for step in trouble.steps:
        if step.event.step == "lid_opened":
            who = step.event.by, step.event.by_office, step.occurred_at
            answers.append(_with(_opened(game, trouble, who, step), step))
    return together(answers)


def _opened(game: PartidaContext, trouble: Trouble, who: Who, act: RecordedEvent[Event]) -> Verdict:
    called = trouble.event.technician_called_at
    if called is not None and who[1] is None:
        if who[2] is None or who[2] >= called:
            return None
    at = who[2] or trouble.occurred_at
    return by_office(game, CHEFE, who[:2], at, act, *trouble.evidence())


def _with(result: Verdict, step: RecordedEvent[Event]) -> Verdict:
    """The same, resting on a step besides."""
    if not isinstance(result, Breach):
        return result
    return replace(result, evidence=evidence_of(*result.evidence, step))


@upholds(
    "incident",
    "A damaged card or a jam of the shuffler is put right by a fiscal-chefe.",
    only=A_JAM_OR_DAMAGE,
)
def shuffler_trouble_solved_by_fiscal_chefe(game: PartidaContext, trouble: Trouble) -> Verdict:
    """Whoever solved it held the office, unless a technician was asked for. Law: PT art. 51."""
    event = trouble.event
    listed = event.resolved_at, event.resolved_by, event.resolved_by_office
    if listed == (None, None, None):
        return None  # not solved, as far as recorded
    if event.technician_called_at is not None and event.resolved_by_office is None:
        return None
    who = event.resolved_by, event.resolved_by_office, event.resolved_at
    return _by(game, trouble, CHEFE, who, "resolved_at", "resolved_by", "resolved_by_office")


@upholds("incident", "A jam that is not solved goes to a technician.", only=A_JAM)
def unsolved_jam_goes_to_technician(game: PartidaContext, trouble: Trouble) -> Verdict:
    """Solved, or a technician asked for, by the time the incident or the game is closed.

    Law: PT art. 51.
    """
    event = trouble.event
    solved = event.resolved_at, event.resolved_by, event.resolved_by_office
    if event.technician_called_at is not None or solved != (None, None, None):
        return LAWFUL
    if not _is_settled(game, trouble):
        return UNDECIDED
    left = {"solved": "no", "technician_called": "no"}
    return _left_undone(game, trouble, left, {"one_of_them": "yes"})


@upholds("incident", "When a card jams it is on record that a fiscal-chefe was called.", only=A_JAM)
def fiscal_chefe_is_called(game: PartidaContext, trouble: Trouble) -> Verdict:
    """Told by the time the incident or the game is closed; whether at once is asked by itself.

    A fiscal-chefe who reported it himself was there: whether anybody called him stays open.

    Law: PT art. 51.
    """
    if trouble.event.called_at is not None:
        return LAWFUL
    report = trouble.report
    himself = game.dossier.holds_office(report.by.staff, CHEFE, report.occurred_at, report)
    if himself or not _is_settled(game, trouble):
        return UNDECIDED
    return _left_undone(game, trouble, {"calls": 0}, {"at_least": 1})


@upholds(
    "incident",
    "When a card jams a fiscal-chefe is called at once.",
    needs="csm.called_within",
    only=A_JAM,
    severity="warning",
)
def fiscal_chefe_called_at_once(game: PartidaContext, trouble: Trouble) -> Verdict:
    """Not more minutes after the light than the house allows for 'at once'.

    Law: PT art. 51 (reading called-at-once).
    """
    event = trouble.event
    within = timedelta(minutes=game.p["csm.called_within"])
    until = None if event.noticed_at is None else event.noticed_at + within
    shown_by, reading = trouble.evidence("called_at"), ("called-at-once",)
    return not_after(event.called_at, until, *shown_by, readings=reading)


@upholds("incident", "A card damaged in the shuffler is replaced.", only=A_DAMAGE)
def damaged_card_replaced(game: PartidaContext, trouble: Trouble) -> Verdict:
    """The card, or its whole deck; told by the end, where cards were dealt after it.

    Law: PT art. 51.
    """
    event = trouble.event
    if event.replaced is None:
        since = event.noticed_at or trouble.occurred_at
        rounds = game.dossier.of(RoundPlayed)
        played_on = any(dealt_after(recorded, since) for recorded in rounds)
        if not played_on or not _is_settled(game, trouble):
            return UNDECIDED
    elif event.replaced != "nothing":
        return LAWFUL
    return _left_undone(game, trouble, {"replaced": "nothing"}, {"replaced": "card"})


@upholds(
    "incident",
    "A card damaged in the shuffler is made known to the inspection service.",
    needs="csm.communicated_within",
    only=A_DAMAGE,
)
def damaged_card_communicated(game: PartidaContext, trouble: Trouble) -> Verdict:
    """By the room's management, and told by the time the incident is settled.

    That the table closed ends nothing: the house's time for it runs on.

    Law: PT art. 51.
    """
    event = trouble.event
    closing = game.settled(event)
    later = closing.event.communicated_at if closing is not None else None
    if event.communicated_at is None and later is None:
        if not _notice_is_lacking(game, trouble):
            return UNDECIDED
        return _left_undone(game, trouble, {"communications": 0}, {"at_least": 1})
    if event.communicated_at is None:
        return UNDECIDED  # told when the incident was closed, where nobody says who did it
    who = event.communicated_by, event.communicated_by_office, event.communicated_at
    return _by(game, trouble, MANAGEMENT, who, "communicated_at", "communicated_by")


def _notice_until(game: PartidaContext, trouble: Trouble) -> datetime:
    """Until when the house allows itself to tell the inspection service."""
    since = trouble.event.noticed_at or trouble.occurred_at
    return since + timedelta(minutes=game.p["csm.communicated_within"])


def _notice_is_lacking(game: PartidaContext, trouble: Trouble) -> bool:
    """Whether a notice nobody recorded was left undone: settled without it, or its time was
    over.
    """
    if game.settled(trouble.event) is not None:
        return True
    return game.closed is not None and game.dossier.as_of > _notice_until(game, trouble)


def _earliest(*moments: datetime | None) -> datetime | None:
    return min((moment for moment in moments if moment is not None), default=None)


@upholds(
    "incident",
    "A damaged card is made known to the inspection service in time.",
    needs="csm.communicated_within",
    only=A_DAMAGE,
    severity="warning",
)
def damaged_card_communicated_in_time(game: PartidaContext, trouble: Trouble) -> Verdict:
    """Not later than the house allows for a duty of which the text states no hour.

    Law: PT art. 51 (reading notice-in-time).
    """
    event = trouble.event
    if event.noticed_at is None:
        return UNDECIDED
    until = _notice_until(game, trouble)
    closing = game.settled(event)
    at = _earliest(event.communicated_at, closing.event.communicated_at if closing else None)
    reading, shown_by = ("notice-in-time",), trouble.evidence("communicated_at")
    if at is not None:
        return not_after(at, until, *shown_by, readings=reading)
    if _notice_is_lacking(game, trouble):
        return None  # that nobody recorded it at all is a breach of its own
    if game.dossier.as_of <= until:
        return UNDECIDED
    none = {"communications": 0}
    return breach(none, {"not_after": until}, *trouble.evidence(), readings=reading)


def _interlocks(game: PartidaContext, trouble: Trouble) -> bool | None:
    """Whether an incident stops the play of this game: a jam or a light of its shuffler."""
    if trouble.event.category not in JAMS:
        return False
    if _is_own(game, trouble):
        return at_shuffler(game, trouble)
    opened, closed, event = game.opened, game.closed, trouble.event
    if opened is None or game.dealing != "shuffler":
        return False
    same = opened.event.shuffler if event.shuffler is not None else game.dossier.table
    if same not in (event.shuffler, event.table):
        return False
    over = over_at(game, trouble)
    if over is not None and over <= opened.occurred_at:
        return False
    begun = event.noticed_at or trouble.occurred_at
    return closed is None or closed.occurred_at > begun


@upholds(
    "incident",
    "No round is dealt while the shuffler is jammed or its light warns.",
    only=_interlocks,
    severity="deviation",
)
def no_round_during_trouble(game: PartidaContext, trouble: Trouble) -> Verdict:
    """From the light, until it was put right, no first card came out.

    One round that had begun before is finished. Where nobody recorded when it was put right, it was
    not before the incident was closed; an incident of an earlier game, or of none, binds this one.
    One that another table tells of the machine in play here leaves it open.

    Law: PT art. 51.
    """
    event = trouble.event
    begun, end = event.noticed_at or trouble.occurred_at, over_at(game, trouble)
    meanwhile = rounds_between(game, begun, end)
    found = none_dealt(meanwhile, *trouble.evidence("resolved_at"))
    if isinstance(found, Breach):
        sure = counts_here(game.dossier, trouble.report) and not _solved_untimed(game, trouble)
        return found if sure else UNDECIDED
    untimed = event.noticed_at is None and game.dossier.of(RoundPlayed)
    return UNDECIDED if untimed else found


def _solved_untimed(game: PartidaContext, trouble: Trouble) -> bool:
    """Whether a closed incident tells who put it right and not when: that lies before its end."""
    event = trouble.event
    if event.resolved_at is not None or over_at(game, trouble) is None:
        return False
    return (event.resolved_by, event.resolved_by_office) != (None, None)
