"""Machines of the device simulator entered in a book that is nobody's: numbers, offices, tables."""

from collections.abc import Iterator
from datetime import date
from typing import Final, NamedTuple

from django.db import transaction

from casino.demo import cast, demo_house
from casino.demo.demo_evening import Evening
from casino.demo.load_demo import AnothersBook, has_human_records, is_loaded, only_one
from casino.demo.recording_acts import key_of, record_acts
from casino.models import BookEntry, Staff
from casino.simulation.procedures import simulated_house
from casino.simulation.procedures.procedure_acts import Act
from casino.simulation.simulated_evening import LIMITS, SEATS

READER: Final = "SIM-AUDITOR"
_TALE: Final = "simulated-machines/"


class Place(NamedTuple):
    """A machine's number and its table."""

    number: str
    table: str


def enter_machines(machines: int, day: date) -> list[Place]:
    """So many machines, each with a table of its own, and a program that reads, in the house since
    a month before `day`. Whoever is there already is not entered again.

    Raises: AnothersBook, where people recorded anything but the demo or such machines.
    """
    places = [Place(f"SIM-{one:02d}", f"BJ-S{one:02d}") for one in range(1, machines + 1)]
    with transaction.atomic():
        only_one()
        begun = BookEntry.objects.filter(key=key_of(0, _TALE)).exists()
        if has_human_records() and not is_loaded() and not begun:
            raise AnothersBook
        if not begun:
            record_acts(_reader(day), _TALE)
        known = set(Staff.objects.values_list("person", flat=True))
        for place, one in enumerate(places):
            if one.number not in known:
                record_acts(_machine(place, one, day), f"{_TALE}{one.number}/")
    return places


def _reader(day: date) -> Iterator[Act]:
    at = Evening(day).before(demo_house.FOUNDED, "10:00")
    administrator = cast.ADMINISTRATOR.who._replace(door="local")
    name = "Programa que lê as listas da simulação"
    yield from simulated_house.entered(at, administrator, READER, "auditor", name)


def _machine(place: int, machine: Place, day: date) -> Iterator[Act]:
    at = Evening(day).before(demo_house.FOUNDED, "10:00")
    administrator = cast.ADMINISTRATOR.who._replace(door="local")
    name = f"Máquina simulada da mesa {machine.table}"
    yield from simulated_house.entered(at, administrator, machine.number, "dispositivo", name)
    yield from simulated_house.table_entered(
        at,
        cast.MANAGER.who,
        machine.table,
        LIMITS[place % len(LIMITS)],
        cast.MANAGER.who,
        "Simulação",
        cast.MANAGER.number,
        boxes=SEATS[place % len(SEATS)],
    )
