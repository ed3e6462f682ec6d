"""Who is said to have put his hand into the shuffler for a damaged card: his own word for it.

That somebody else wrote his number down shows nothing (`floor_witnesses`).

Law: PT art. 51.
"""

from datetime import timedelta

from casino.events.deck_life import CardReplaced
from casino.events.event import Event
from casino.events.incidents import IncidentStep
from casino.events.shufflers import ShufflerOpened
from casino.law.dossier import RecordedEvent, in_time
from casino.law.finding import LAWFUL, UNDECIDED, Verdict, upholds
from casino.law.game_incidents import DAMAGES, Incident, at_shuffler
from casino.law.partida_context import PartidaContext
from casino.law.questions import breach
from casino.law.register_proof import CHEFE


def _hands(game: PartidaContext, trouble: Incident) -> list[tuple[str, RecordedEvent[Event]]]:
    """Which fiscal-chefe opened the machine or exchanged the card, and the entry that says so.

    That somebody else did is a breach of its own, whoever says so.
    """
    report, dossier = trouble.report, game.dossier
    said: list[tuple[str | None, RecordedEvent[Event]]] = [(report.event.opened_by, report)]
    said += [
        (one.event.by, one)
        for one in dossier.of(IncidentStep)
        if one.event.step == "lid_opened" and one.event.incident == report.event.incident
    ]
    said += [
        (one.event.opened_by, one)
        for one in dossier.of(ShufflerOpened)
        if one.event.incident == report.event.incident
    ]
    said += [
        (one.event.replaced_by, one)
        for one in dossier.of(CardReplaced)
        if one.event.incident == report.event.incident
    ]
    return [
        (staff, recorded)
        for staff, recorded in said
        if staff is not None and dossier.holds_office(staff, CHEFE, recorded.occurred_at, recorded)
    ]


def _damaged_here(game: PartidaContext, trouble: Incident) -> bool:
    """Whether a card was damaged in this game, and a fiscal-chefe put his hand to it."""
    event = trouble.report.event
    here = event.category in DAMAGES and event.partida == game.dossier.partida
    return here and bool(_hands(game, trouble))


@upholds(
    "incident",
    "Whoever exchanges a card that left the shuffler damaged confirms it himself.",
    needs="witness.within",
    only=(_damaged_here, at_shuffler),
    severity="warning",
)
def trouble_witnessed(game: PartidaContext, trouble: Incident) -> Verdict:
    """He recorded it himself, or somebody else than its author put his word to the incident.

    Law: PT art. 51.
    """
    report = trouble.report
    hands = _hands(game, trouble)
    if any(recorded.by.staff.casefold() == staff.casefold() for staff, recorded in hands):
        return LAWFUL
    words = game.witnesses_of(report)
    if any(recorded.event.staff.casefold() != report.by.staff.casefold() for recorded in words):
        return LAWFUL
    last = max(
        (recorded for _, recorded in hands),
        key=lambda recorded: (recorded.recorded_at, in_time(recorded)),
    )
    until = last.recorded_at + timedelta(minutes=game.p["witness.within"])
    if game.dossier.as_of < until:
        return UNDECIDED
    return breach({"witnesses": 0}, {"at_least": 1}, report, last)
