"""Before the doors open: tables, limits, people, machines, cards; then who is on duty."""

from collections.abc import Iterator
from typing import Final

from casino.demo import cast
from casino.demo.demo_evening import Evening
from casino.events.deck_life import CardReplaced, DecksDestroyed
from casino.events.inspection import LeaveAsked, LeaveDecided, NoticeAcknowledged
from casino.events.round.round_played import Limits
from casino.events.tables import JackpotMarking
from casino.simulation.procedures import simulated_house
from casino.simulation.procedures.machine_reports import program_approved
from casino.simulation.procedures.procedure_acts import Act
from casino.simulation.procedures.table_story import backs_of
from casino.simulation.simulated_evening import LIMITS, SEATS

MODEL: Final = "Contínuo Seis"  # of its shuffler
FOUNDED: Final = 30  # days before the evening
RECEIVED: Final = 7
DESTROYED: Final = 2

# The table's boxes and limits, and how its jackpot is marked. The first three are those of the
# simulated evening; at the fourth the game of seed 000 is played.
_TABLES: Final[dict[str, tuple[int, Limits, JackpotMarking]]] = {
    "BJ-01": (SEATS[0], LIMITS[0], "none"),
    "BJ-02": (SEATS[1], LIMITS[1], "manual"),
    "BJ-03": (SEATS[2], LIMITS[2], "manual"),
    "BJ-07": (7, Limits(10_000, 300_000), "none"),
}
# Who supervises where, from when to when.
_DUTY: Final = (
    (cast.MANAGER, (), "14:45", "03:45"),
    (cast.DAY_CHEFE, (), "14:30", "19:45"),
    (cast.DAY_PIT, ("BJ-02",), "14:30", "19:30"),
    (cast.CHEFE, (), "19:15", "03:30"),
    (cast.PIT, ("BJ-01", "BJ-02"), "19:15", "03:15"),
    (cast.SECOND_PIT, ("BJ-03", "BJ-07"), "19:30", "03:15"),
)


def founding(evening: Evening) -> Iterator[Act]:
    """A month before: the house is entered in its book."""
    at = evening.before(FOUNDED, "10:00")
    # Nobody gives himself an office through a page; a book is opened by the house's own command.
    administrator, manager = cast.ADMINISTRATOR.who._replace(door="local"), cast.MANAGER.who
    for one in cast.EVERYBODY:
        yield from simulated_house.entered(at, administrator, one.number, one.office, one.name)
    for table, (boxes, limits, marking) in _TABLES.items():
        yield from simulated_house.table_entered(
            at,
            manager,
            table,
            limits,
            manager,
            "Despacho 14/2026",
            manager.staff,
            boxes=boxes,
            place="Sala Mista, 1.º piso",
            jackpot_place=marking != "none",
            jackpot_marking=marking,
        )
    yield program_approved(at, manager, MODEL, "Despacho 119/2026")
    yield simulated_house.machine_entered(
        at,
        manager,
        cast.SHUFFLER,
        "BJ-02",
        model=MODEL,
        serial="EX-000417",
        approval="Aprovação 2026/118",
        certificate="Laudo EX-417/2",
    )


def cards_received(evening: Evening) -> Iterator[Act]:
    """A week before: the cards of the evening came into the house, sealed."""
    at, second = evening.before(RECEIVED, "11:00"), cast.SECOND_PIT.who
    for decks in cast.DECKS.values():
        for one in backs_of(decks, cast.HOUSE.backs):
            known = {"serial": f"EX-{one.deck}", "document": "Guia 2044"}
            yield from simulated_house.deck_received(
                at, cast.MANAGER.who, one.deck, one.back_colour, second, at, **known
            )


def leave(evening: Evening) -> Iterator[Act]:
    """The day before: a card of a deck is worn; the inspection service lets it alone be exchanged.

    The house tells the decision, and the inspector acknowledges it. Law: PT art. 5.
    """
    manager = cast.MANAGER.who
    asked = LeaveAsked(
        leave=cast.LEAVE,
        deck=cast.WORN,
        cards=("8S",),
        grounds="Canto gasto no oito de espadas; o resto do baralho está como novo.",
        document="Ofício 212/2026",
    )
    decided = LeaveDecided(
        leave=cast.LEAVE,
        decision="granted",
        document="Autorização 88/2026",
        decided_at=evening.before(1, "12:30"),
    )
    yield Act(evening.before(1, "10:10"), manager, asked)
    yield Act(evening.before(1, "12:40"), manager, decided)
    yield Act(evening.before(1, "15:20"), cast.INSPECTOR.who, decided)


def exchanged(evening: Evening) -> Iterator[Act]:
    """Before play that card is exchanged by that leave. Law: PT art. 5."""
    event = CardReplaced(
        table="BJ-01",
        partida=f"BJ-01/{evening.day}/1",
        deck=cast.WORN,
        card="8S",
        reason="damaged",
        from_deck=cast.RESERVE,
        replaced_by=cast.CHEFE.number,
        replaced_by_office="fiscal_chefe",
        authorisation=cast.LEAVE,
        shown=True,
    )
    yield Act(evening.at("19:56"), cast.PIT.who, event)


def notice_received(evening: Evening) -> Iterator[Act]:
    """The inspector says that the afternoon's notice of a damaged card reached her.

    Law: PT art. 51.
    """
    event = NoticeAcknowledged(
        notice=cast.NOTICE, received_at=evening.at("18:00"), reference="Registo 5120"
    )
    yield Act(evening.at("18:10"), cast.INSPECTOR.who, event)


def old_cards_destroyed(evening: Evening) -> Iterator[Act]:
    """Two days before: the cards of a month ago are made useless, as was announced."""
    at = evening.before(DESTROYED, "10:30")
    destroyed = DecksDestroyed(
        decks=cast.deck_set(151, 6),
        method="perforated",
        second=cast.DAY_CHEFE.number,
        announced="NI-0988",
        destroyed_at=at,
    )
    yield Act(at, cast.MANAGER.who, destroyed)


def duty(evening: Evening) -> Iterator[Act]:
    """Who goes on duty before the evening, and off it after."""
    for member, tables, start, end in _DUTY:
        yield from simulated_house.on_duty(member.who, tables, evening.at(start), evening.at(end))
