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
from casino.law.dossier import Dossier, RecordedEvent, in_time
from casino.law.game_decks import decks_in_play, ordered_at_close
from casino.law.partida_context import PartidaContext

What = Literal[
    "unloading",
    "load_witness",
    "unload_witness",
    "ordering",
    "chips",
    "incident",
    "notice",
    "complaint",
]
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
    """One thing nobody recorded yet. `of` names it: an incident, a complaint, an entry's id, decks.

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


def missing_of(game: PartidaContext) -> list[Missing]:
    """What is missing, in the order in which it is done."""
    return [
        *_of_machine(game),
        *_of_decks(game),
        *_of_chips(game),
        *_of_incidents(game),
        *_of_complaints(game),
    ]


def _of_machine(game: PartidaContext) -> Iterator[Missing]:
    if game.dealing != "shuffler":
        return
    for load in game.loads:
        if not game.witnesses_of(load):
            yield Missing("load_witness", load.entry_id, _chefe(game))
    if is_loaded(game):
        yield Missing("unloading", by=_fiscal(game))
    for unload in game.unloads:
        if unload.event.reason == "closing" and not game.witnesses_of(unload):
            yield Missing("unload_witness", unload.entry_id, _chefe(game))


def is_loaded(game: PartidaContext) -> bool:
    """Whether the cards of the last load are still inside, as far as recorded."""
    if not game.loads:
        return False
    last = in_time(game.loads[-1])
    return not any(in_time(recorded) > last for recorded in game.unloads)


def _of_decks(game: PartidaContext) -> Iterator[Missing]:
    unordered = decks_unordered(game)
    if unordered:
        # 55 speaks of the cards that come out of a shuffler
        by_house = game.dealing != "shuffler"
        yield Missing("ordering", ", ".join(unordered), _fiscal(game), waived=by_house)


def decks_unordered(game: PartidaContext) -> tuple[str, ...]:
    """The decks to be put in order at the close that nobody put in order yet.

    Those of the game and those that came in; one that was withdrawn only where the law still asks
    for it: it is counted, and goes then.
    """
    loaded = [deck for recorded in game.loads for deck in recorded.event.decks]
    named = dict.fromkeys((*game.decks, *decks_in_play(game), *loaded))
    return tuple(
        deck
        for deck in named
        if need_not_be_ordered(game, deck) is not True and ordered_at_close(game, deck) is None
    )


def _of_chips(game: PartidaContext) -> Iterator[Missing]:
    if not chips_counted(game):
        yield Missing("chips", by=_fiscal(game))


def chips_counted(game: PartidaContext) -> list[RecordedEvent[ChipsCounted]]:
    """The counts of the chips at the closing."""
    return [
        recorded for recorded in game.dossier.of(ChipsCounted) if recorded.event.moment == "closing"
    ]


def _of_incidents(game: PartidaContext) -> Iterator[Missing]:
    for incident in game.incidents:
        number = incident.event.incident
        if game.settled(incident.event) is None:
            yield Missing("incident", number, _chefe(game) or incident.report.by.staff)
        if owes_notice(incident, game.dealing == "shuffler"):
            yield Missing("notice", number, on_duty(game.dossier, "chefia_da_sala"))


def _of_complaints(game: PartidaContext) -> Iterator[Missing]:
    decided = {recorded.event.complaint for recorded in game.dossier.anywhere(ComplaintDecided)}
    for complaint in complaints_of(game):
        if complaint.event.complaint not in decided:
            by = on_duty(game.dossier, "chefia_da_sala") or _chefe(game)
            yield Missing("complaint", complaint.event.complaint, by)


# Who is there


def _fiscal(game: PartidaContext) -> str:
    over = max(game.dossier.of(TableHandedOver), key=in_time, default=None)
    if over is not None:
        return over.event.fiscal_de_banca
    named = game.opened.event.fiscal_de_banca if game.opened is not None else None
    return named or on_duty(game.dossier, "fiscal_de_banca")


def _chefe(game: PartidaContext) -> str:
    """The fiscal-chefe on duty; where several are, the one the game was opened with."""
    named = game.opened.event.fiscal_chefe if game.opened is not None else None
    there = all_on_duty(game.dossier, "fiscal_chefe")
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
