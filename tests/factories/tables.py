"""Tables as the floor's screens meet them: opened, loaded, with a fiscal-chefe on duty."""

from datetime import timedelta
from typing import Any

from casino import clock
from casino.events.decks import DeckInspected
from casino.events.partidas import DeckInUse, PartidaOpened, SpecialCard
from casino.events.shoes import CardsShuffled, DeckPasses
from casino.events.shufflers import ShufflerLoaded, ShufflerRegistered
from casino.events.staff import DutyBegun
from casino.events.tables import StakeLimits, TableRegistered
from casino.house_day import house_day_at
from casino.recording import Actor, Receipt
from tests.factories.people import LONG_AGO, appoint, write

PIT = Actor("S-0187", "fiscal_de_banca", "sala")
MANAGER = Actor("S-0003", "chefia_da_sala", "admin")
CHEFE = "S-0021"
TABLE = "BJ-06"
DECKS = ("D-1", "D-2", "D-3", "D-4", "D-5", "D-6")
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


def a_table(dealing: Any = "shuffler", *, table: str = TABLE, mixed: bool = True) -> str:
    """A game opened two hours ago with six decks, shown whole, and shuffled by hand; its name."""
    at = clock.now() - 2 * HOUR
    day = house_day_at(at)
    here = {"table": table, "partida": f"{table}/{day.isoformat()}/1"}
    write(TableRegistered(table=table, boxes=7), by=MANAGER, at=LONG_AGO)
    machine: dict[str, Any] = {"maker": "Exemplo", "model": "Seis", "serial": "417"}
    machine |= {"approval": "118", "continuous": True}
    registered = ShufflerRegistered(shuffler="CSM-04", **machine)
    write(registered, by=MANAGER, at=LONG_AGO)
    opened = PartidaOpened(
        **here,
        rulebook="pt",
        limits=StakeLimits(minimum_cents=1000, maximum_cents=30000),
        decks=tuple(DeckInUse(deck=deck, back_colour="blue") for deck in DECKS),
        dealing=dealing,
        shuffler="CSM-04" if dealing == "shuffler" else None,
        cut_card=SpecialCard(front="red", back="red") if dealing == "shoe" else None,
        carta_aviso=SpecialCard(front="yellow", back="yellow") if dealing == "shoe" else None,
        fiscal_de_banca=PIT.staff,
        fiscal_chefe=CHEFE,
        pagador="P-104",
        jackpots=(),
    )
    write(opened, by=PIT, at=at)
    for deck in DECKS:
        found: dict[str, Any] = {"cards": 52, "order_complete": True, "faces": "regular"}
        found |= {"backs": "regular", "result": "conform", "spread_in_rows": True, "jokers": 0}
        shown = DeckInspected(**here, deck=deck, moment="exhibition", seal="intact", **found)
        write(shown, by=PIT, at=at + 5 * MINUTE)
    if mixed:
        passes = tuple(DeckPasses(deck=deck, passes=3) for deck in DECKS)
        by_hand = CardsShuffled(**here, shoe=1, decks=passes, method="by_hand")
        write(by_hand, by=PIT, at=at + 10 * MINUTE)
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
