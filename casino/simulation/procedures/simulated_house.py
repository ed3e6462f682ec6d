"""What a house records before an evening: its people, tables, limits, machines, cards, duty."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any, Final

from casino.events.deck_life import DeckReceived
from casino.events.decks import DeckInspected
from casino.events.inspection import LimitsApproved
from casino.events.partidas import Dealing
from casino.events.round.round_played import Limits
from casino.events.shufflers import ShufflerRegistered
from casino.events.staff import DutyBegun, DutyEnded, Office, OfficeGranted, StaffRegistered
from casino.events.tables import JackpotMarking, LimitsSet, TableRegistered
from casino.simulation.procedures import simulated_cast
from casino.simulation.procedures.machine_reports import VERSION, program_approved
from casino.simulation.procedures.procedure_acts import Act, Who
from casino.simulation.simulated_evening import LIMITS, SEATS

# How chips for a progressive prize are counted, where one is played for.
MODEL: Final = "Contínuo"  # of its shufflers
MARKED: Final[dict[Dealing, JackpotMarking]] = {"shoe": "manual", "shuffler": "automatic"}


def entered(at: datetime, by: Who, staff: str, office: Office, name: str | None) -> Iterator[Act]:
    """Somebody works there, and has an office from then on."""
    yield Act(at, by, StaffRegistered(staff=staff, name=name))
    granted = OfficeGranted(staff=staff, office=office, valid_from=at, granted_by=by.staff)
    yield Act(at, by, granted)


def table_entered(
    at: datetime,
    by: Who,
    table: str,
    limits: Limits,
    approved_by: Who,
    document: str,
    set_by: str | None = None,
    **known: Any,
) -> Iterator[Act]:
    """A table stands there, with the limits somebody set and the inspection service approved."""
    registered = TableRegistered(
        table=table,
        layout="semicircular",
        numbering="from_dealers_left",
        boxes_marked=True,
        **known,
    )
    yield Act(at, by, registered)
    bounds: dict[str, Any] = {
        "minimum_cents": limits.minimum_cents,
        "maximum_cents": limits.maximum_cents,
        "valid_from": at,
    }
    yield Act(at, by, LimitsSet(table=table, approved_by=set_by, **bounds))
    yield Act(at, approved_by, LimitsApproved(tables=(table,), document=document, **bounds))


def machine_entered(at: datetime, by: Who, shuffler: str, table: str, **known: Any) -> Act:
    """A machine stands at a table."""
    machine = ShufflerRegistered(
        shuffler=shuffler,
        maker="Exemplo",
        firmware=VERSION,
        continuous=True,
        in_service=True,
        at_table=table,
        **known,
    )
    return Act(at, by, machine)


def deck_received(
    at: datetime,
    by: Who,
    deck: str,
    colour: str | None,
    second: Who,
    looked: datetime,
    **known: Any,
) -> Iterator[Act]:
    """A sealed deck comes into the house before two; the second looks it through."""
    received = DeckReceived(
        deck=deck,
        maker="Exemplo",
        back_colour=colour or "",
        cards=52,
        seal="intact",
        second=second.staff,
        **known,
    )
    yield Act(at, by, received)
    looked_at = DeckInspected(
        deck=deck,
        moment="received",
        cards=52,
        order_complete=True,
        faces="regular",
        backs="regular",
        result="conform",
        seal="intact",
    )
    yield Act(looked, second, looked_at)


def on_duty(who: Who, tables: tuple[str, ...], begin: datetime, end: datetime) -> Iterator[Act]:
    """Somebody is on duty so long, at these tables."""
    yield Act(begin, who, DutyBegun(staff=who.staff, office=who.office, tables=tables))
    yield Act(end, who, DutyEnded(staff=who.staff, office=who.office))


def founded(at: datetime) -> Iterator[Act]:
    """A month before: who works in the simulated house, and what stands there."""
    manager = simulated_cast.MANAGER
    for staff, office in simulated_cast.everybody():
        yield from entered(at, simulated_cast.ADMINISTRATOR, staff, office, None)
    yield program_approved(at, manager, MODEL, "Despacho 9")
    for place in simulated_cast.PLACES:
        table, shuffler = simulated_cast.table_of(place), simulated_cast.shuffler_of(place)
        yield from table_entered(
            at,
            manager,
            table,
            LIMITS[place % len(LIMITS)],
            simulated_cast.INSPECTOR,
            f"Despacho {place}",
            boxes=SEATS[place % len(SEATS)],
            jackpot_place=True,
            jackpot_marking=MARKED[simulated_cast.dealing_of(place)],
        )
        if shuffler is not None:
            known = {"model": MODEL, "serial": f"EX-{place:06d}"}
            yield machine_entered(at, manager, shuffler, table, **known)


def cards_received(decks: Iterable[tuple[str, str | None]], at: datetime) -> Iterator[Act]:
    """A week before: the evening's decks by number and colour."""
    second, looked = simulated_cast.pit_of(simulated_cast.FIRST), at + timedelta(hours=1)
    for deck, colour in decks:
        yield from deck_received(at, simulated_cast.MANAGER, deck, colour, second, looked)


def all_on_duty(begin: datetime, end: datetime) -> Iterator[Act]:
    """Who is on duty that evening, from when to when, and at which tables."""
    for who in (simulated_cast.MANAGER, *simulated_cast.CHEFES):
        yield from on_duty(who, (), begin, end)
    for place in simulated_cast.PLACES:
        tables = (simulated_cast.table_of(place),)
        yield from on_duty(simulated_cast.pit_of(place), tables, begin, end)
