"""A house with two tables, told through the book as its evening goes on."""

from dataclasses import replace
from datetime import timedelta
from typing import Any, Final
from uuid import uuid4

from casino import clock
from casino.events.decks import DeckInspected
from casino.events.partidas import PartidaClosed, PartidaOpened, SpecialCard
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import (
    CardBurned,
    CartaAvisoPlaced,
    CutOffer,
)
from casino.house_day import gaming_day_now
from casino.recording import Actor, Receipt
from tests.factories.people import CAST, LONG_AGO, write
from tests.factories.rounds import a_round, box, main
from tests.factories.usual_events import cut as usual_cut
from tests.factories.usual_events import limits_set, machine, registered, whole
from tests.factories.usual_events import opening as usual_opening
from tests.factories.usual_events import shuffled as usual_shuffle

PIT: Final = Actor(CAST["fiscal_de_banca"], "fiscal_de_banca", "sala")
DECKS: Final = tuple(f"D-{number:04d}" for number in range(201, 207))
SHOE_TABLE, MACHINE_TABLE = "BJ-01", "BJ-02"


def house() -> None:
    """Two registered tables with limits, and a continuous shuffler at the second."""
    for table, boxes in ((SHOE_TABLE, 7), (MACHINE_TABLE, 6)):
        register(table, boxes)
    known = {"maker": "Shuffle Works", "model": "One2Six", "serial": "7731"}
    write(machine(**known, at_table=MACHINE_TABLE), at=LONG_AGO)


def register(table: str, boxes: int = 7) -> None:
    """One more table, with limits."""
    write(registered(table, boxes), at=LONG_AGO)
    limits = limits_set(table, LONG_AGO, approved_by="S-0003")
    write(limits, by=Actor("S-0003", "chefia_da_sala", "admin"), at=LONG_AGO)


def game(table: str = SHOE_TABLE, number: int = 1, days_ago: int = 0) -> dict[str, str]:
    """A game of these days, as events name it."""
    day = gaming_day_now() - timedelta(days=days_ago)
    return {"table": table, "partida": f"{table}/{day.isoformat()}/{number}"}


def opening(
    table: str = SHOE_TABLE, number: int = 1, days_ago: int = 0, decks: tuple[str, ...] = DECKS
) -> PartidaOpened:
    """As this house opens that table."""
    dealing = "shuffler" if table == MACHINE_TABLE else "shoe"
    known: dict[str, Any] = {"fiscal_de_banca": PIT.staff, "fiscal_chefe": "S-0021"}
    if dealing == "shoe":
        known |= {"cut_card": SpecialCard(front="yellow", back="yellow")}
        known |= {"carta_aviso": SpecialCard(front="black", back="black")}
    where = game(table, number, days_ago)
    return usual_opening(where, decks, dealing, back="red", pagador="P-104", jackpots=(), **known)


def yesterday(table: str = SHOE_TABLE, decks: tuple[str, ...] = (), pagador: str = "P-104") -> None:
    """The table was open the day before, and closed; each table with decks of its own."""
    own = DECKS if table == SHOE_TABLE else tuple(f"D-9{table[-1]}{n:02}" for n in range(1, 7))
    decks = decks or own
    opened = replace(opening(table, days_ago=1, decks=decks), pagador=pagador)
    write(opened, by=PIT, at=clock.now() - timedelta(days=1))
    closed = PartidaClosed(**game(table, days_ago=1), rounds=0, reason="end_of_day")
    write(closed, by=PIT, at=clock.now() - timedelta(hours=20))


def opened(
    table: str = SHOE_TABLE, *, shown: bool = True, by: Actor = PIT, decks: tuple[str, ...] = DECKS
) -> Receipt:
    """The table is open, its decks are shown."""
    receipt = write(opening(table, decks=decks), by=by, at=ago(50))
    for deck in decks if shown else ():
        write(shown_deck(deck, table), by=by, at=ago(45))
    return receipt


def shown_deck(deck: str, table: str = SHOE_TABLE) -> DeckInspected:
    """A deck, whole."""
    return whole(game(table), deck)


def prepared(
    shoe: int = 1, seats: tuple[int, ...] = (1, 2, 5), cut: int = 1, at_end: int = 50
) -> None:
    """A shoe is made ready; that seat cut, the warning card lies that far from the end."""
    shuffled(shoe)
    was_cut(shoe, seats, cut)
    write(
        CartaAvisoPlaced(**game(), shoe=shoe, cards_from_end=at_end, players=len(seats)),
        by=PIT,
        at=ago(32 - shoe),
    )
    corner = {"to_discard_corner": True}
    write(CardBurned(**game(), shoe=shoe, cards=1, **corner), by=PIT, at=ago(32 - shoe))


def shuffled(shoe: int = 1, table: str = SHOE_TABLE) -> None:
    """Six decks were shuffled."""
    write(usual_shuffle(game(table), shoe, DECKS, passes=7), by=PIT, at=ago(32 - shoe))


def was_cut(shoe: int, seats: tuple[int, ...], cut: int) -> None:
    """A seat cut."""
    offers = (CutOffer(seat=cut, accepted=True),)
    write(usual_cut(game(), shoe, cut, seats, offers=offers), by=PIT, at=ago(32 - shoe))


def played(
    shoe: int,
    number: int,
    *,
    table: str = SHOE_TABLE,
    minutes: int = 10,
    by: Actor = PIT,
    **values: Any,
) -> RoundPlayed:
    """A round of four cards, two players at the table, a stake of ten euros won."""
    values.setdefault("times", None)
    event = a_round(
        box(2, "TS 8D", main(1000, 2000, seat=2)),
        bank="TH 7C",
        shoe=shoe,
        number=number,
        seats_occupied=(2, 5),
        **values,
    )
    event = replace(event, round=str(uuid4()), **game(table))
    write(event, by=by, at=ago(minutes))
    return event


def ago(minutes: int) -> Any:
    """So many minutes ago."""
    return clock.now() - timedelta(minutes=minutes)
