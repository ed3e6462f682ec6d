"""What a game's closing still lacks, and who answers for it: asked of the record, no database.

Nothing here forbids a closing: what is open then stays open under somebody's name.

Law: PT art. 51, 54, 55, 61.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

from casino.events.complaints import ComplaintDecided
from casino.events.floor_life import ChipsCounted, TableHandedOver
from casino.events.staff import DutyBegun, DutyEnded
from casino.floor.incidents.incident_events import owes_notice
from casino.law.checks.shuffler.decks_ordered import need_not_be_ordered
from casino.law.checks.table.complaints_heard import complaints_of
from casino.law.checks.table.decks_exhibited import ordered_at_close
from casino.law.checks.table.decks_in_play import decks_in_play
from casino.law.dossier import Dossier, RecordedEvent, in_time
from casino.law.partida_context import Evening

What = Literal[
    "unloading", "load_witness", "unload_witness", "ordering", "chips", "incident", "notice",
    "complaint",
]  # fmt: skip
# Under which article each is asked; the house's own order where none is.
ARTICLE: Final[dict[What, str]] = {
    "unloading": "55",
    "load_witness": "54",
    "unload_witness": "55",
    "ordering": "55",
    "chips": "",
    "incident": "",
    "notice": "51",
    "complaint": "61",
}


@dataclass(frozen=True, slots=True)
class Missing:
    """One thing nobody told yet. `of` names it: an incident, a complaint, an entry's id, decks.

    `by` is who answers for it where it stays open. `waived` says that no article asks for it at
    this table, and only the house's order does.
    """

    what: What
    of: str = ""
    by: str = ""
    waived: bool = False

    @property
    def article(self) -> str:
        """The article that asks for it; ``""`` for a rule of the house."""
        return "" if self.waived else ARTICLE[self.what]


def missing_of(evening: Evening) -> list[Missing]:
    """What is missing, in the order in which it is done."""
    return [
        *_of_machine(evening),
        *_of_decks(evening),
        *_of_chips(evening),
        *_of_incidents(evening),
        *_of_complaints(evening),
    ]


def _of_machine(evening: Evening) -> Iterator[Missing]:
    if evening.dealing != "shuffler":
        return
    for load in evening.loads:
        if not evening.witnesses_of(load):
            yield Missing("load_witness", load.entry_id, _chefe(evening))
    if is_loaded(evening):
        yield Missing("unloading", by=_fiscal(evening))
    for unload in evening.unloads:
        if unload.event.reason == "closing" and not evening.witnesses_of(unload):
            yield Missing("unload_witness", unload.entry_id, _chefe(evening))


def is_loaded(evening: Evening) -> bool:
    """Whether the cards of the last load are still inside, as far as told."""
    if not evening.loads:
        return False
    last = in_time(evening.loads[-1])
    return not any(in_time(recorded) > last for recorded in evening.unloads)


def _of_decks(evening: Evening) -> Iterator[Missing]:
    unordered = decks_unordered(evening)
    if unordered:
        # 55 speaks of the cards that come out of a shuffler
        by_house = evening.dealing != "shuffler"
        yield Missing("ordering", ", ".join(unordered), _fiscal(evening), waived=by_house)


def decks_unordered(evening: Evening) -> tuple[str, ...]:
    """The decks to be put in order at the close that nobody put in order yet.

    Those of the game and those that came in; one that was withdrawn only where the law still asks
    for it: it is counted, and goes then.
    """
    loaded = [deck for recorded in evening.loads for deck in recorded.event.decks]
    named = dict.fromkeys((*evening.decks, *decks_in_play(evening), *loaded))
    return tuple(
        deck
        for deck in named
        if need_not_be_ordered(evening, deck) is not True
        and ordered_at_close(evening, deck) is None
    )


def _of_chips(evening: Evening) -> Iterator[Missing]:
    if not chips_counted(evening):
        yield Missing("chips", by=_fiscal(evening))


def chips_counted(evening: Evening) -> list[RecordedEvent[ChipsCounted]]:
    """The counts of the chips at the closing."""
    return [
        recorded
        for recorded in evening.dossier.of(ChipsCounted)
        if recorded.event.moment == "closing"
    ]


def _of_incidents(evening: Evening) -> Iterator[Missing]:
    for incident in evening.incidents:
        number = incident.event.incident
        if evening.settled(incident.event) is None:
            yield Missing("incident", number, _chefe(evening) or incident.report.by.staff)
        if owes_notice(incident, evening.dealing == "shuffler"):
            yield Missing("notice", number, on_duty(evening.dossier, "chefia_da_sala"))


def _of_complaints(evening: Evening) -> Iterator[Missing]:
    decided = {recorded.event.complaint for recorded in evening.dossier.anywhere(ComplaintDecided)}
    for complaint in complaints_of(evening):
        if complaint.event.complaint not in decided:
            by = on_duty(evening.dossier, "chefia_da_sala") or _chefe(evening)
            yield Missing("complaint", complaint.event.complaint, by)


# Who is there


def _fiscal(evening: Evening) -> str:
    over = max(evening.dossier.of(TableHandedOver), key=in_time, default=None)
    if over is not None:
        return over.event.fiscal_de_banca
    named = evening.opened.event.fiscal_de_banca if evening.opened is not None else None
    return named or on_duty(evening.dossier, "fiscal_de_banca")


def _chefe(evening: Evening) -> str:
    """The fiscal-chefe on duty; where several are, the one the game was opened with."""
    named = evening.opened.event.fiscal_chefe if evening.opened is not None else None
    there = all_on_duty(evening.dossier, "fiscal_chefe")
    if named is not None and (named in there or not there):
        return named
    return there[-1] if there else ""


chefe_of = _chefe
fiscal_of = _fiscal


def on_duty(dossier: Dossier, office: str) -> str:
    """Who went on duty last in an office and is still there; ``""`` where nobody is."""
    there = all_on_duty(dossier, office)
    return there[-1] if there else ""


def all_on_duty(dossier: Dossier, office: str) -> list[str]:
    """Everybody on duty in an office as the dossier stands, whoever began last standing last."""
    duties: list[RecordedEvent[Any]] = [*dossier.house_of(DutyBegun), *dossier.house_of(DutyEnded)]
    there: dict[str, None] = {}
    for recorded in sorted(duties, key=in_time):
        if recorded.event.office == office and recorded.occurred_at <= dossier.as_of:
            there.pop(recorded.event.staff, None)
            if isinstance(recorded.event, DutyBegun):
                there[recorded.event.staff] = None
    return list(there)
