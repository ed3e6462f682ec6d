"""When the automatic shuffler damages a card or jams: who is called, who opens it, who is told.

Law: PT art. 51.
"""

from datetime import datetime, timedelta
from typing import Any, Final

from casino.facts.incidents import IncidentReported
from casino.regulation.dossier import Told, in_time
from casino.regulation.finding import LAWFUL, UNDECIDED, Breach, Result, upholds
from casino.regulation.floor_evening import Evening, evidence_of

Trouble = Told[IncidentReported]

JAMS: Final = frozenset({"jam", "warning_light"})
DAMAGES: Final = frozenset({"damaged_card"})
TROUBLES: Final = JAMS | DAMAGES | {"lid_opened"}
CHEFE: Final = "fiscal_chefe"
MANAGEMENT: Final = "chefia_da_sala"


def at_shuffler(evening: Evening, trouble: Trouble) -> bool | None:
    """Whether an incident is one of a shuffler; None where nobody knows how the table deals."""
    if trouble.fact.category not in TROUBLES:
        return False
    if trouble.fact.shuffler is not None:
        return True
    return evening.dealing == "shuffler" if evening.dealing is not None else None


def troubles_between(evening: Evening, start: datetime, end: datetime) -> list[Trouble]:
    """The incidents of the shuffler between two moments, in the order in which they happened."""
    return sorted(
        (
            told
            for told in evening.incidents
            if at_shuffler(evening, told)
            and start <= (told.fact.opened_at or told.fact.noticed_at or told.occurred_at) <= end
        ),
        key=in_time,
    )


def held_office(
    evening: Evening, asked: str, staff: str | None, office: str | None, at: datetime
) -> bool | None:
    """Whether whoever did something held the office asked; None where nobody knows.

    A number counts by what the house had granted it at that moment, whatever was written beside
    it. An office without a number can only speak against itself: nobody answers for it.
    """
    if staff is not None:
        return evening.dossier.holds_office(staff, asked, at)
    return False if office is not None and office != asked else None


def _kind(evening: Evening, trouble: Trouble, kinds: frozenset[str]) -> Result:
    """None where an incident is none of these at a shuffler, UNDECIDED where nobody can tell."""
    if trouble.fact.category not in kinds:
        return None
    here = at_shuffler(evening, trouble)
    if here is None:
        return UNDECIDED
    return LAWFUL if here else None


def _is_settled(evening: Evening, trouble: Trouble) -> bool:
    """Whether what was not told of an incident by now was left undone."""
    return trouble.fact.incident in evening.settled or evening.closed is not None


def _breach(trouble: Trouble, observed: dict[str, Any], expected: dict[str, Any]) -> Breach:
    return Breach(
        {"incident": trouble.fact.incident}, observed, expected, evidence=evidence_of(trouble)
    )


def _judged(
    evening: Evening,
    trouble: Trouble,
    asked: str,
    staff: str | None,
    office: str | None,
    at: datetime | None,
) -> Result:
    """What follows from who did it."""
    held = held_office(evening, asked, staff, office, at or trouble.occurred_at)
    if held is None:
        return UNDECIDED
    if held:
        return LAWFUL
    told = {"staff": staff, "office": office}
    return _breach(trouble, {k: v for k, v in told.items() if v is not None}, {"office": asked})


@upholds("incident", "Only a fiscal-chefe opens the shuffler.")
def shuffler_opened_by_fiscal_chefe(evening: Evening, trouble: Trouble) -> Result:
    """Whoever lifted the lid held the office; from when a technician was asked for, he may too.

    Law: PT art. 51.
    """
    asked = _kind(evening, trouble, TROUBLES)
    fact = trouble.fact
    if asked is not LAWFUL or (fact.opened_at, fact.opened_by, fact.opened_by_office) == (
        None, None, None,
    ):  # fmt: skip
        return asked if asked is UNDECIDED else None
    called = fact.technician_called_at
    if called is not None and fact.opened_by_office is None:
        if fact.opened_at is None or fact.opened_at >= called:
            return None
    return _judged(evening, trouble, CHEFE, fact.opened_by, fact.opened_by_office, fact.opened_at)


@upholds("incident", "A damaged card or a jam of the shuffler is put right by a fiscal-chefe.")
def shuffler_trouble_solved_by_fiscal_chefe(evening: Evening, trouble: Trouble) -> Result:
    """Whoever solved it held the office, unless a technician was asked for.

    Law: PT art. 51.
    """
    asked = _kind(evening, trouble, JAMS | DAMAGES)
    fact = trouble.fact
    if asked is not LAWFUL:
        return asked
    told = fact.resolved_at, fact.resolved_by, fact.resolved_by_office
    if told == (None, None, None):
        return None  # not solved, as far as told
    if fact.technician_called_at is not None and fact.resolved_by_office is None:
        return None
    return _judged(
        evening, trouble, CHEFE, fact.resolved_by, fact.resolved_by_office, fact.resolved_at
    )


@upholds("incident", "A jam that is not solved goes to a technician.")
def unsolved_jam_goes_to_technician(evening: Evening, trouble: Trouble) -> Result:
    """Solved, or a technician asked for, by the time the incident or the game is closed.

    Law: PT art. 51.
    """
    asked = _kind(evening, trouble, JAMS)
    fact = trouble.fact
    if asked is not LAWFUL:
        return asked
    solved = fact.resolved_at, fact.resolved_by, fact.resolved_by_office
    if fact.technician_called_at is not None or solved != (None, None, None):
        return LAWFUL
    if not _is_settled(evening, trouble):
        return UNDECIDED
    return _breach(trouble, {"solved": "no", "technician_called": "no"}, {"one_of_them": "yes"})


@upholds("incident", "When a card jams a fiscal-chefe is called at once.",
         needs=("csm.called_within",), severity="warning")  # fmt: skip
def fiscal_chefe_called_at_once(evening: Evening, trouble: Trouble) -> Result:
    """Not more minutes after the light than the house allows for 'at once'.

    Law: PT art. 51.
    """
    asked = _kind(evening, trouble, JAMS)
    fact = trouble.fact
    if asked is not LAWFUL:
        return asked
    if fact.noticed_at is None or fact.called_at is None:
        return UNDECIDED
    within = timedelta(minutes=evening.p["csm.called_within"])
    if fact.called_at - fact.noticed_at <= within:
        return LAWFUL
    return _breach(
        trouble,
        {"moment": fact.called_at.isoformat()},
        {"not_after": (fact.noticed_at + within).isoformat()},
    )


@upholds("incident", "A card damaged in the shuffler is replaced.")
def damaged_card_replaced(evening: Evening, trouble: Trouble) -> Result:
    """The card, or its whole deck.

    Law: PT art. 51.
    """
    asked = _kind(evening, trouble, DAMAGES)
    if asked is not LAWFUL:
        return asked
    if trouble.fact.replaced is None:
        return UNDECIDED
    if trouble.fact.replaced != "nothing":
        return LAWFUL
    return _breach(trouble, {"replaced": "nothing"}, {"replaced": "card"})


@upholds("incident", "A card damaged in the shuffler is made known to the inspection service.")
def damaged_card_communicated(evening: Evening, trouble: Trouble) -> Result:
    """By the room's management, and told by the time the incident or the game is closed.

    Law: PT art. 51.
    """
    asked = _kind(evening, trouble, DAMAGES)
    fact = trouble.fact
    if asked is not LAWFUL:
        return asked
    closing = evening.settled.get(fact.incident)
    later = closing.fact.communicated_at if closing is not None else None
    if fact.communicated_at is None and later is None:
        if not _is_settled(evening, trouble):
            return UNDECIDED
        return _breach(trouble, {"communications": 0}, {"at_least": 1})
    if fact.communicated_at is None:
        return UNDECIDED  # told when the incident was closed, where nobody says who did it
    return _judged(
        evening, trouble, MANAGEMENT,
        fact.communicated_by, fact.communicated_by_office, fact.communicated_at,
    )  # fmt: skip


CHECKS: Final = (
    shuffler_opened_by_fiscal_chefe,
    shuffler_trouble_solved_by_fiscal_chefe,
    unsolved_jam_goes_to_technician,
    fiscal_chefe_called_at_once,
    damaged_card_replaced,
    damaged_card_communicated,
)
