"""The table of an exercise somebody left: it is closed as in the room, so that none stays open on
the board. An incident or a prize he left open waits in the list of what is to be done.
"""

from collections.abc import Iterator
from datetime import datetime
from uuid import uuid4

from casino import clock, holding
from casino.access.open_games import last_partidas, open_partidas
from casino.demo import cast
from casino.demo.recording_acts import record_acts
from casino.events.decks import DeckInspected
from casino.events.event_policy import PIT
from casino.events.floor_life import ChipsCounted
from casino.events.partidas import ChipCount, PartidaClosed
from casino.events.shufflers import ShufflerUnloaded
from casino.floor.floor_access import DOOR
from casino.models import Partida, Table
from casino.simulation.procedures.procedure_acts import MINUTE, Act, Where, Who, Word
from casino.simulation.procedures.table_story import CARDS
from casino.training.staged_tables import PLACE


def close_left(pit: str) -> None:
    """Close those of a fiscal de banca that are open. Raises: what the writer raises."""
    tables = list(Table.objects.filter(place=PLACE).values_list("table_code", flat=True))
    still_open = open_partidas(tables)
    for game in last_partidas(list(still_open)).values():
        if game.fiscal_de_banca == pit:
            holding.settle([game.table_code])
            record_acts(_closing(game, clock.now()), f"training/{uuid4()}/")


def _closing(game: Partida, now: datetime) -> Iterator[Act]:
    """Emptied before the fiscal-chefe, its decks in order, its chips counted, closed."""
    who, chefe = Who(game.fiscal_de_banca, PIT, DOOR), cast.CHEFE.who
    where = Where(table=game.table_code, partida=game.partida_id)
    if game.shuffler:
        unloaded = ShufflerUnloaded(
            **where,
            shuffler=game.shuffler,
            decks=tuple(game.decks),
            fiscal_chefe=chefe.staff,
            closing_announced=True,
            reason="closing",
            cards=CARDS * len(game.decks),
            empty=True,
        )
        act = Act(now, who, unloaded)
        yield act
        word = Word(act, chefe.staff, chefe.office, "55", now - MINUTE, now)
        yield Act(now, chefe, word)
    for deck in game.decks:
        found = DeckInspected(
            **where,
            deck=deck,
            moment="close",
            cards=CARDS,
            order_complete=True,
            faces="regular",
            backs="regular",
            result="conform",
        )
        yield Act(now, who, found)
    chips = tuple(ChipCount(value_cents=each, count=count) for each, count in cast.HOUSE.chips)
    yield Act(now, who, ChipsCounted(**where, moment="closing", counts=chips))
    yield Act(now, who, PartidaClosed(**where, reason="other", fiscal_de_banca=who.staff))
