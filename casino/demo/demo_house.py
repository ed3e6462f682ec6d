"""Before the doors open: tables, limits, people, machines, cards; then who is on duty."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from casino.demo import cast
from casino.demo.demo_lines import Evening, Line
from casino.events.deck_life import CardReplaced, DeckReceived, DecksDestroyed
from casino.events.decks import DeckInspected
from casino.events.inspection import (
    LeaveAsked,
    LeaveDecided,
    LimitsApproved,
    NoticeAcknowledged,
)
from casino.events.shufflers import ShufflerRegistered
from casino.events.staff import DutyBegun, DutyEnded, OfficeGranted, StaffRegistered
from casino.events.tables import JackpotMarking, LimitsSet, TableRegistered
from casino.recording import Actor
from casino.simulation.simulated_evening import LIMITS, SEATS

FOUNDED: Final = 30  # days before the evening
RECEIVED: Final = 7
DESTROYED: Final = 2

# The table's boxes and limits in cents, and how its jackpot is marked. The first three are those of
# the simulated evening; at the fourth the game of seed 000 is played.
_TABLES: Final[dict[str, tuple[int, int, int, JackpotMarking]]] = {
    **{
        f"BJ-{place + 1:02d}": (
            SEATS[place],
            LIMITS[place].minimum_cents,
            LIMITS[place].maximum_cents,
            "manual" if place in (1, 2) else "none",
        )
        for place in range(3)
    },
    "BJ-07": (7, 10_000, 300_000, "none"),
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


def founding(evening: Evening) -> Iterator[Line]:
    """A month before: the house is entered in its book."""
    at = evening.before(FOUNDED, "10:00")
    # Nobody gives himself an office through a page; a book is opened by the house's own command.
    administrator = replace(cast.ADMINISTRATOR.at_the_desk, door="local")
    manager = cast.MANAGER.at_the_desk
    for member in cast.EVERYBODY:
        registered = StaffRegistered(staff=member.number, name=member.name)
        granted = OfficeGranted(
            staff=member.number,
            office=member.office,
            valid_from=at,
            granted_by=cast.ADMINISTRATOR.number,
        )
        for event in (registered, granted):
            yield Line(at=at, by=administrator, event=event)
    for table, (boxes, minimum, maximum, marking) in _TABLES.items():
        registered_table = TableRegistered(
            table=table,
            boxes=boxes,
            place="Sala Mista, 1.º piso",
            layout="semicircular",
            boxes_marked=True,
            numbering="from_dealers_left",
            jackpot_place=marking != "none",
            jackpot_marking=marking,
        )
        limits = LimitsSet(
            table=table,
            minimum_cents=minimum,
            maximum_cents=maximum,
            valid_from=at,
            approved_by=cast.MANAGER.number,
        )
        approved = LimitsApproved(
            tables=(table,),
            minimum_cents=minimum,
            maximum_cents=maximum,
            valid_from=at,
            document="Despacho 14/2026",
        )
        for table_registered in (registered_table, limits, approved):
            yield Line(at=at, by=manager, event=table_registered)
    yield Line(at=at, by=manager, event=_shuffler())


def _shuffler() -> ShufflerRegistered:
    return ShufflerRegistered(
        shuffler=cast.SHUFFLER,
        maker="Exemplo",
        model="Contínuo Seis",
        serial="EX-000417",
        firmware="2.4",
        approval="Aprovação 2026/118",
        certificate="Laudo EX-417/2",
        continuous=True,
        in_service=True,
        at_table="BJ-02",
    )


def cards_received(evening: Evening) -> Iterator[Line]:
    """A week before: the cards of the evening came into the house, sealed."""
    at = evening.before(RECEIVED, "11:00")
    for decks in cast.DECKS.values():
        for deck, colour in decks:
            received = DeckReceived(
                deck=deck,
                maker="Exemplo",
                back_colour=colour,
                serial=f"EX-{deck}",
                cards=52,
                seal="intact",
                second=cast.SECOND_PIT.number,
                document="Guia 2044",
            )
            yield Line(at=at, by=cast.MANAGER.at_the_desk, event=received)
            event = DeckInspected(
                deck=deck,
                moment="received",
                cards=52,
                order_complete=True,
                faces="regular",
                backs="regular",
                result="conform",
                seal="intact",
            )
            yield Line(at=at, by=cast.SECOND_PIT.at_the_desk, event=event)


def leave(evening: Evening) -> Iterator[Line]:
    """The day before: a card of a deck is worn; the inspection service lets it alone be exchanged.

    The house tells the decision, and the inspector acknowledges it. Law: PT art. 5.
    """
    manager = cast.MANAGER.at_the_desk
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
    yield Line(at=evening.before(1, "10:10"), by=manager, event=asked)
    yield Line(at=evening.before(1, "12:40"), by=manager, event=decided)
    yield Line(at=evening.before(1, "15:20"), by=cast.INSPECTOR.at_the_desk, event=decided)


def exchanged(evening: Evening) -> Iterator[Line]:
    """Before play that card is exchanged by that leave. Law: PT art. 5."""
    event = CardReplaced(
        table="BJ-01",
        partida=evening.partida("BJ-01"),
        deck=cast.WORN,
        card="8S",
        reason="damaged",
        from_deck="D-0299",
        replaced_by=cast.CHEFE.number,
        replaced_by_office="fiscal_chefe",
        authorisation=cast.LEAVE,
        shown=True,
    )
    yield Line(at=evening.at("19:56"), by=cast.PIT.at_the_desk, event=event)


def notice_received(evening: Evening) -> Iterator[Line]:
    """The inspector says that the afternoon's notice of a damaged card reached her.

    Law: PT art. 51.
    """
    event = NoticeAcknowledged(
        notice=cast.NOTICE, received_at=evening.at("18:00"), reference="Registo 5120"
    )
    yield Line(at=evening.at("18:10"), by=cast.INSPECTOR.at_the_desk, event=event)


def old_cards_destroyed(evening: Evening) -> Iterator[Line]:
    """Two days before: the cards of a month ago are made useless, as was announced."""
    at = evening.before(DESTROYED, "10:30")
    destroyed = DecksDestroyed(
        decks=tuple(deck for deck, _ in cast.deck_set(151, 6)),
        method="perforated",
        second=cast.DAY_CHEFE.number,
        announced="NI-0988",
        destroyed_at=at,
    )
    yield Line(at=at, by=cast.MANAGER.at_the_desk, event=destroyed)


def duty(evening: Evening) -> Iterator[Line]:
    """Who goes on duty before the evening, and off it after."""
    for member, tables, start, end in _DUTY:
        by: Actor = member.at_the_desk
        begun = DutyBegun(staff=member.number, office=member.office, tables=tables)
        ended = DutyEnded(staff=member.number, office=member.office)
        yield Line(at=evening.at(start), by=by, event=begun)
        yield Line(at=evening.at(end), by=by, event=ended)
