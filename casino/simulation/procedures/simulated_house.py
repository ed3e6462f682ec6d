"""What the house recorded before the evening: its people, tables, limits, machines, cards, duty."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Final

from casino.events.deck_life import DeckReceived
from casino.events.decks import DeckInspected
from casino.events.inspection import LimitsApproved
from casino.events.partidas import Dealing
from casino.events.shufflers import ShufflerRegistered
from casino.events.staff import DutyBegun, DutyEnded, OfficeGranted, StaffRegistered
from casino.events.tables import JackpotMarking, LimitsSet, TableRegistered
from casino.simulation.procedures import simulated_cast
from casino.simulation.procedures.procedure_acts import Act
from casino.simulation.simulated_evening import LIMITS, SEATS

BACKS = ("vermelho", "azul")
# How chips for a progressive prize are counted, where one is played for.
MARKED: Final[dict[Dealing, JackpotMarking]] = {"shoe": "manual", "shuffler": "automatic"}


def founded(at: datetime) -> Iterator[Act]:
    """A month before: who works there, and what stands there."""
    for staff, office in simulated_cast.everybody():
        granted = OfficeGranted(
            staff=staff, office=office, valid_from=at, granted_by=simulated_cast.ADMINISTRATOR.staff
        )
        yield Act(at, simulated_cast.ADMINISTRATOR, StaffRegistered(staff=staff))
        yield Act(at, simulated_cast.ADMINISTRATOR, granted)
    for place in simulated_cast.PLACES:
        yield from _table(place, at)


def _table(place: int, at: datetime) -> Iterator[Act]:
    table, limits = simulated_cast.table_of(place), LIMITS[place % len(LIMITS)]
    registered = TableRegistered(
        table=table,
        boxes=SEATS[place % len(SEATS)],
        layout="semicircular",
        numbering="from_dealers_left",
        boxes_marked=True,
        jackpot_place=True,
        jackpot_marking=MARKED[simulated_cast.dealing_of(place)],
    )
    yield Act(at, simulated_cast.MANAGER, registered)
    limits_set = LimitsSet(
        table=table,
        minimum_cents=limits.minimum_cents,
        maximum_cents=limits.maximum_cents,
        valid_from=at,
    )
    yield Act(at, simulated_cast.MANAGER, limits_set)
    approved = LimitsApproved(
        tables=(table,),
        minimum_cents=limits.minimum_cents,
        maximum_cents=limits.maximum_cents,
        valid_from=at,
        document=f"Despacho {place}",
    )
    yield Act(at, simulated_cast.INSPECTOR, approved)
    shuffler = simulated_cast.shuffler_of(place)
    if shuffler is not None:
        machine = ShufflerRegistered(
            shuffler=shuffler,
            maker="Exemplo",
            model="Contínuo",
            serial=f"EX-{place:06d}",
            firmware="2.4",
            continuous=True,
            in_service=True,
            at_table=table,
        )
        yield Act(at, simulated_cast.MANAGER, machine)


def cards_received(decks: Iterable[tuple[str, str]], at: datetime) -> Iterator[Act]:
    """A week before: decks by number and colour, received by two and looked through."""
    for deck, colour in decks:
        second = simulated_cast.pit_of(simulated_cast.FIRST)
        received = DeckReceived(
            deck=deck,
            maker="Exemplo",
            back_colour=colour,
            cards=52,
            seal="intact",
            second=second.staff,
        )
        yield Act(at, simulated_cast.MANAGER, received)
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
        yield Act(at + timedelta(hours=1), second, looked_at)


def on_duty(begin: datetime, end: datetime) -> Iterator[Act]:
    """Who is on duty that evening, from when to when, and at which tables."""
    everywhere = (simulated_cast.MANAGER, *simulated_cast.CHEFES)
    at_tables = (
        (simulated_cast.pit_of(place), (simulated_cast.table_of(place),))
        for place in simulated_cast.PLACES
    )
    for who, tables in (*((who, ()) for who in everywhere), *at_tables):
        yield Act(begin, who, DutyBegun(staff=who.staff, office=who.office, tables=tables))
        yield Act(end, who, DutyEnded(staff=who.staff, office=who.office))
