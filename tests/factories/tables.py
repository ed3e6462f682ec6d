"""Tables as the floor's screens meet them: opened, loaded, with a fiscal-chefe on duty."""

from datetime import timedelta
from typing import Any

from casino import clock
from casino.events.partidas import SpecialCard
from casino.events.shufflers import ShufflerLoaded
from casino.events.staff import DutyBegun
from casino.events.tables import TableRegistered
from casino.house_day import house_day_at
from casino.recording import Actor, Receipt
from tests.factories.people import LONG_AGO, appoint, write
from tests.factories.usual_events import DECKS, machine, opening, shuffled, whole

PIT = Actor("S-0187", "fiscal_de_banca", "sala")
MANAGER = Actor("S-0003", "chefia_da_sala", "admin")
CHEFE = "S-0021"
TABLE = "BJ-06"
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


def a_table(dealing: Any = "shuffler", *, table: str = TABLE, mixed: bool = True) -> str:
    """A game opened two hours ago with six decks, shown whole, and shuffled by hand; its name."""
    at = clock.now() - 2 * HOUR
    day = house_day_at(at)
    here = {"table": table, "partida": f"{table}/{day.isoformat()}/1"}
    write(TableRegistered(table=table, boxes=7), by=MANAGER, at=LONG_AGO)
    write(machine(maker="Exemplo", model="Seis", approval="118"), by=MANAGER, at=LONG_AGO)
    known: dict[str, Any] = {
        "fiscal_de_banca": PIT.staff,
        "fiscal_chefe": CHEFE,
        "pagador": "P-104",
    }
    if dealing == "shoe":
        known |= {"cut_card": SpecialCard(front="red", back="red")}
        known |= {"carta_aviso": SpecialCard(front="yellow", back="yellow")}
    write(opening(here, DECKS, dealing, back="blue", jackpots=(), **known), by=PIT, at=at)
    for deck in DECKS:
        write(whole(here, deck, seal="intact"), by=PIT, at=at + 5 * MINUTE)
    if mixed:
        write(shuffled(here, method="by_hand"), by=PIT, at=at + 10 * MINUTE)
    return here["partida"]


def a_load(partida: str, *, ago: timedelta = HOUR) -> Receipt:
    """The machine loaded in three packets an hour ago, nobody confirmed it yet."""
    load = ShufflerLoaded(
        table=partida.partition("/")[0],
        partida=partida,
        shuffler="CSM-04",
        decks=DECKS,
        packets=3,
        operator="P-104",
        fiscal_chefe=CHEFE,
        reason="opening",
    )
    return write(load, by=PIT, at=clock.now() - ago)


def chefe_on_duty() -> None:
    """The fiscal-chefe holds his office and is on duty in the whole room."""
    appoint(CHEFE, "fiscal_chefe")
    begun = DutyBegun(staff=CHEFE, office="fiscal_chefe", tables=())
    write(begun, by=MANAGER, at=clock.now() - 3 * HOUR)
