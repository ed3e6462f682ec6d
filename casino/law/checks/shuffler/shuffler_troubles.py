"""When the automatic shuffler damages a card or jams: who is called, who opens it, who is told.

Law: PT art. 51.
"""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from casino.events.round.round_played import RoundPlayed
from casino.law.dossier import RecordedEvent
from casino.law.finding import (
    LAWFUL,
    UNDECIDED,
    Breach,
    Verdict,
    breach,
    evidence_of,
    together,
    upholds,
)
from casino.law.game_incidents import DAMAGES, JAMS, TROUBLES, at_shuffler, over_at
from casino.law.game_incidents import Incident as Trouble
from casino.law.partida_context import PartidaContext, in_place
from casino.law.recorded_elsewhere import counts_here
from casino.law.register_proof import CHEFE, held_office, office_on_record
from casino.law.round_moments import ROUNDS_CITED, dealt_after, dealt_between, sort_out

MANAGEMENT: Final = "chefia_da_sala"


def _is_own(game: PartidaContext, trouble: Trouble) -> bool:
    """Whether an incident was recorded of this partida; of another one only its end matters
    here.
    """
    known: bool = trouble.report.event.partida == game.dossier.partida
    return known


def _kind(game: PartidaContext, trouble: Trouble, kinds: frozenset[str]) -> Verdict:
    """None where an incident is none of these at a shuffler, UNDECIDED where nobody can tell."""
    if trouble.event.category not in kinds or not _is_own(game, trouble):
        return None
    return _here(game, trouble)


def _here(game: PartidaContext, trouble: Trouble) -> Verdict:
    """LAWFUL where an incident is one of a shuffler, None where it is not, else UNDECIDED."""
    here = at_shuffler(game, trouble)
    if here is None:
        return UNDECIDED
    return LAWFUL if here else None


def _is_settled(game: PartidaContext, trouble: Trouble) -> bool:
    """Whether what was not recorded of an incident by now was left undone."""
    return game.settled(trouble.event) is not None or game.closed is not None


def _breach(
    trouble: Trouble,
    observed: dict[str, Any],
    expected: dict[str, Any],
    *fields: str,
    readings: tuple[str, ...] = (),
) -> Breach:
    """A breach that rests on the report, and on whatever told of these fields after it."""
    where: dict[str, int | str] = {"incident": trouble.event.incident}
    return breach(observed, expected, *trouble.evidence(*fields), where=where, readings=readings)


def _left_undone(
    game: PartidaContext, trouble: Trouble, observed: dict[str, Any], expected: dict[str, Any]
) -> Breach:
    """A breach that rests on the report, and on the end of the incident where it was recorded."""
    breach = _breach(trouble, observed, expected)
    ended = evidence_of(game.settled(trouble.event))
    return replace(breach, evidence=(*breach.evidence, *ended))


def _judged(
    game: PartidaContext,
    trouble: Trouble,
    asked: str,
    who: tuple[str | None, str | None, datetime | None],
    *fields: str,
    act: RecordedEvent[Any] | None = None,
) -> Verdict:
    """What follows from who did it: his number, his office, the moment."""
    staff, office, at = who
    if act is None:
        act = next((trouble.filled[one] for one in fields if one in trouble.filled), trouble.report)
    held = held_office(game, asked, (staff, office), at or trouble.occurred_at, act)
    if held is None:
        return UNDECIDED
    if held:
        return LAWFUL
    known = office_on_record(game.dossier, staff, asked, act)
    values = {"staff": staff, "office": office, **known.observed}
    observed = {k: v for k, v in values.items() if v is not None}
    breach = _breach(trouble, observed, {"office": asked}, *fields)
    return replace(breach, evidence=(*breach.evidence, *known.evidence))


@upholds("incident", "Only a fiscal-chefe opens the shuffler.")
def shuffler_opened_by_fiscal_chefe(game: PartidaContext, trouble: Trouble) -> Verdict:
    """Whoever lifted the lid held the office; from when a technician was asked for, he may too.

    A lid that was recorded by itself is asked about by itself.

    Law: PT art. 51.
    """
    asked = _kind(game, trouble, TROUBLES)
    if asked is not LAWFUL:
        return asked
    event = trouble.report.event
    texts = event.opened_by, event.opened_by_office, event.opened_at
    report = trouble.report
    answers = [] if texts == (None, None, None) else [_opened(game, trouble, texts, report)]
    for step in trouble.steps:
        if step.event.step == "lid_opened":
            who = step.event.by, step.event.by_office, step.occurred_at
            answers.append(_with(_opened(game, trouble, who, step), step))
    return together(answers)


def _opened(
    game: PartidaContext,
    trouble: Trouble,
    who: tuple[str | None, str | None, datetime | None],
    act: RecordedEvent[Any],
) -> Verdict:
    called = trouble.event.technician_called_at
    if called is not None and who[1] is None:
        if who[2] is None or who[2] >= called:
            return None
    return _judged(game, trouble, CHEFE, who, act=act)


def _with(result: Verdict, step: RecordedEvent[Any]) -> Verdict:
    """The same, resting on a step besides."""
    if not isinstance(result, Breach):
        return result
    return replace(result, evidence=tuple(dict.fromkeys((*result.evidence, step.entry_id))))


@upholds("incident", "A damaged card or a jam of the shuffler is put right by a fiscal-chefe.")
def shuffler_trouble_solved_by_fiscal_chefe(game: PartidaContext, trouble: Trouble) -> Verdict:
    """Whoever solved it held the office, unless a technician was asked for.

    Law: PT art. 51.
    """
    asked = _kind(game, trouble, JAMS | DAMAGES)
    event = trouble.event
    if asked is not LAWFUL:
        return asked
    listed = event.resolved_at, event.resolved_by, event.resolved_by_office
    if listed == (None, None, None):
        return None  # not solved, as far as recorded
    if event.technician_called_at is not None and event.resolved_by_office is None:
        return None
    who = event.resolved_by, event.resolved_by_office, event.resolved_at
    return _judged(game, trouble, CHEFE, who, "resolved_at", "resolved_by", "resolved_by_office")


@upholds("incident", "A jam that is not solved goes to a technician.")
def unsolved_jam_goes_to_technician(game: PartidaContext, trouble: Trouble) -> Verdict:
    """Solved, or a technician asked for, by the time the incident or the game is closed.

    Law: PT art. 51.
    """
    asked = _kind(game, trouble, JAMS)
    event = trouble.event
    if asked is not LAWFUL:
        return asked
    solved = event.resolved_at, event.resolved_by, event.resolved_by_office
    if event.technician_called_at is not None or solved != (None, None, None):
        return LAWFUL
    if not _is_settled(game, trouble):
        return UNDECIDED
    left = {"solved": "no", "technician_called": "no"}
    return _left_undone(game, trouble, left, {"one_of_them": "yes"})


@upholds("incident", "When a card jams it is on record that a fiscal-chefe was called.")
def fiscal_chefe_is_called(game: PartidaContext, trouble: Trouble) -> Verdict:
    """Told by the time the incident or the game is closed; whether at once is asked by itself.

    A fiscal-chefe who reported it himself was there: whether anybody called him stays open.

    Law: PT art. 51.
    """
    asked = _kind(game, trouble, JAMS)
    if asked is not LAWFUL:
        return asked
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
    needs=("csm.called_within",),
    severity="warning",
)
def fiscal_chefe_called_at_once(game: PartidaContext, trouble: Trouble) -> Verdict:
    """Not more minutes after the light than the house allows for 'at once'.

    Law: PT art. 51 (reading called-at-once).
    """
    asked = _kind(game, trouble, JAMS)
    event = trouble.event
    if asked is not LAWFUL:
        return asked
    if event.noticed_at is None or event.called_at is None:
        return UNDECIDED
    within = timedelta(minutes=game.p["csm.called_within"])
    if event.called_at - event.noticed_at <= within:
        return LAWFUL
    return _breach(
        trouble,
        {"moment": event.called_at.isoformat()},
        {"not_after": (event.noticed_at + within).isoformat()},
        "called_at",
        readings=("called-at-once",),
    )


@upholds("incident", "A card damaged in the shuffler is replaced.")
def damaged_card_replaced(game: PartidaContext, trouble: Trouble) -> Verdict:
    """The card, or its whole deck; told by the end, where cards were dealt after it.

    Law: PT art. 51.
    """
    asked = _kind(game, trouble, DAMAGES)
    if asked is not LAWFUL:
        return asked
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
    needs=("csm.communicated_within",),
)
def damaged_card_communicated(game: PartidaContext, trouble: Trouble) -> Verdict:
    """By the room's management, and told by the time the incident is settled.

    That the table closed ends nothing: the house's time for it runs on.

    Law: PT art. 51.
    """
    asked = _kind(game, trouble, DAMAGES)
    event = trouble.event
    if asked is not LAWFUL:
        return asked
    closing = game.settled(event)
    later = closing.event.communicated_at if closing is not None else None
    if event.communicated_at is None and later is None:
        if not _notice_is_lacking(game, trouble):
            return UNDECIDED
        return _left_undone(game, trouble, {"communications": 0}, {"at_least": 1})
    if event.communicated_at is None:
        return UNDECIDED  # told when the incident was closed, where nobody says who did it
    who = event.communicated_by, event.communicated_by_office, event.communicated_at
    return _judged(game, trouble, MANAGEMENT, who, "communicated_at", "communicated_by")


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
    needs=("csm.communicated_within",),
    severity="warning",
)
def damaged_card_communicated_in_time(game: PartidaContext, trouble: Trouble) -> Verdict:
    """Not later than the house allows for a duty of which the text states no hour.

    Law: PT art. 51 (reading notice-in-time).
    """
    asked = _kind(game, trouble, DAMAGES)
    event = trouble.event
    if asked is not LAWFUL:
        return asked
    if event.noticed_at is None:
        return UNDECIDED
    until = _notice_until(game, trouble)
    closing = game.settled(event)
    at = _earliest(event.communicated_at, closing.event.communicated_at if closing else None)
    if at is not None:
        if at <= until:
            return LAWFUL
        late = {"moment": at.isoformat()}
        expected = {"not_after": until.isoformat()}
        return _breach(trouble, late, expected, "communicated_at", readings=("notice-in-time",))
    if _notice_is_lacking(game, trouble):
        return None  # that nobody recorded it at all is a breach of its own
    if game.dossier.as_of <= until:
        return UNDECIDED
    expected = {"not_after": until.isoformat()}
    return _breach(trouble, {"communications": 0}, expected, readings=("notice-in-time",))


@upholds(
    "incident",
    "No round is dealt while the shuffler is jammed or its light warns.",
    severity="deviation",
)
def no_round_during_trouble(game: PartidaContext, trouble: Trouble) -> Verdict:
    """From the light, until it was put right, no first card came out.

    One round that had begun before is finished. Where nobody recorded when it was put right, it was
    not before the incident was closed; an incident of an earlier game, or of none, binds this one.
    One that another table tells of the machine in play here leaves it open.

    Law: PT art. 51.
    """
    asked = _interlocked(game, trouble)
    if asked is not LAWFUL:
        return asked
    event = trouble.event
    rounds = game.dossier.of(RoundPlayed)
    begun, end = event.noticed_at or trouble.occurred_at, over_at(game, trouble)
    meanwhile = sort_out(rounds, lambda recorded: dealt_between(recorded, begun, end))
    sure = counts_here(game.dossier, trouble.report) and not _solved_untimed(game, trouble)
    if meanwhile.sure and sure:
        texts = evidence_of(*sorted(meanwhile.sure, key=in_place)[:ROUNDS_CITED])
        return breach(
            {"rounds": len(meanwhile.sure)}, {"rounds": 0}, *trouble.evidence("resolved_at"), *texts
        )
    untimed = event.noticed_at is None and rounds
    return UNDECIDED if meanwhile.sure or meanwhile.doubtful or untimed else LAWFUL


def _interlocked(game: PartidaContext, trouble: Trouble) -> Verdict:
    """LAWFUL where an incident stops the play of this game: a jam or a light of its shuffler."""
    if trouble.event.category not in JAMS:
        return None
    if _is_own(game, trouble):
        return _here(game, trouble)
    opened, closed, event = game.opened, game.closed, trouble.event
    if opened is None or game.dealing != "shuffler":
        return None
    same = opened.event.shuffler if event.shuffler is not None else game.dossier.table
    if same not in (event.shuffler, event.table):
        return None
    over = over_at(game, trouble)
    if over is not None and over <= opened.occurred_at:
        return None
    begun = event.noticed_at or trouble.occurred_at
    return None if closed is not None and closed.occurred_at <= begun else LAWFUL


def _solved_untimed(game: PartidaContext, trouble: Trouble) -> bool:
    """Whether a closed incident tells who put it right and not when: that lies before its end."""
    event = trouble.event
    if event.resolved_at is not None or over_at(game, trouble) is None:
        return False
    return (event.resolved_by, event.resolved_by_office) != (None, None)
