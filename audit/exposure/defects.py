"""What is wrong with a deck, what proves that it was not, and what ends it.

Everything is said deck by deck, of entries as the book tells them. A proof rules faults out: a
count rules out cards missing or too many, a deck looked through card by card also a card of another
deck, and its condition where that was found regular. A withdrawal, an exchanged card or such a
proof afterwards ends a defect.

Law: PT art. 3, 5, 7, 51, 55; the trail is the house's own, see docs/rounds-in-doubt.md.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

from casino.events.deck_life import CardReplaced, DecksDestroyed, DeckWithdrawn
from casino.events.decks import DeckInspected
from casino.events.event import Event
from casino.events.incidents import IncidentReported
from casino.events.partidas import PartidaClosed, PartidaOpened
from casino.events.shoes import CardsShuffled
from casino.events.shufflers import ShufflerFoundEmpty, ShufflerLoaded, ShufflerUnloaded
from casino.law.dossier import RecordedEvent, in_time

Fault = Literal["missing", "extra", "foreign", "damaged", "marked", "unknown"]
ProvenBy = Literal["exhibition", "machine", "received", "store", "close", "load", "unload", "count"]
EndedBy = Literal["withdrawn", "destroyed", "card_replaced", "resolved", "proof"]

Recorded = RecordedEvent[Any]  # of any kind: what it says is asked by name
CARDS: Final = 52  # of a deck, wherever the house deals: PT art. 3
COUNT: Final[frozenset[Fault]] = frozenset({"missing", "extra"})
FACES: Final[frozenset[Fault]] = COUNT | {"foreign"}
WHOLE: Final[frozenset[Fault]] = FACES | {"damaged", "marked", "unknown"}


@dataclass(frozen=True, slots=True)
class Defect:
    """What is wrong, with which decks, and when it was noticed at the latest.

    `decks` is empty where nobody recorded which: then all of `partida`, or of `shuffler`, are in
    doubt. `recorded` is the entry it is known from, None where somebody only asks.
    """

    fault: Fault
    decks: tuple[str, ...]
    noticed: datetime
    recorded: RecordedEvent[Event] | None = None
    partida: str | None = None
    shuffler: str | None = None


@dataclass(frozen=True, slots=True)
class Proof:
    """An entry that shows that a deck was without these faults at a moment."""

    deck: str
    by: ProvenBy
    recorded: Recorded
    rules_out: frozenset[Fault]

    @property
    def at(self) -> datetime:
        """When the deck was seen so."""
        return self.recorded.occurred_at


@dataclass(frozen=True, slots=True)
class End:
    """What ended a deck's defect, and when; `recorded` is None where an incident says so itself."""

    by: EndedBy
    at: datetime
    recorded: Recorded | None


@dataclass(frozen=True, slots=True)
class Span:
    """How long one deck is in doubt: after `proof` (None: since its first use), up to `end`.

    `end` is None where nothing is recorded that ended it.
    """

    deck: str
    proof: Proof | None
    noticed: datetime
    end: End | None

    @property
    def since(self) -> datetime | None:
        """The moment of the proof."""
        return None if self.proof is None else self.proof.at

    @property
    def until(self) -> datetime | None:
        """The moment of the end."""
        return None if self.end is None else self.end.at


# What is wrong


def defect_of(recorded: Recorded) -> Defect | None:
    """The defect an entry tells of; None where it tells of none."""
    for kind, records in _DEFECT_READERS.items():
        if isinstance(recorded.event, kind):
            return records(recorded)
    return None


def _inspected(recorded: RecordedEvent[DeckInspected]) -> Defect | None:
    fault = fault_found(recorded.event)
    return None if fault is None else _of(recorded, fault, (recorded.event.deck,))


def fault_found(event: DeckInspected) -> Fault | None:
    """What an inspection found wrong; None where the deck was whole and regular.

    Where it found more than one thing, nothing less than a deck without any fault proves the
    contrary: ``"unknown"``.
    """
    found: set[Fault] = {each for each in (event.faces, event.backs) if each != "regular"}
    if event.result != "conform":
        found.add(event.result)
    if event.cards < CARDS or event.missing_cards:
        found.add("missing")
    if event.cards > CARDS or event.extra_cards or event.jokers:
        found.add("extra")
    if event.damaged_cards and not found & {"damaged", "marked"}:
        found.add("damaged")
    if not found:
        return None if event.order_complete else "unknown"
    return next(iter(found)) if len(found) == 1 else "unknown"


_WITHDRAWN: Final[Mapping[str, Fault]] = {
    "damaged": "damaged", "marked": "marked", "foreign_card": "foreign", "missing_card": "missing",
    "worn": "damaged",
}  # fmt: skip
_EXCHANGED: Final[Mapping[str, Fault]] = {
    "damaged": "damaged", "marked": "marked", "missing": "missing", "foreign": "foreign",
}  # fmt: skip
_OF_THE_CARDS: Final = frozenset(
    {"jam", "damaged_card", "warning_light", "lid_opened", "deck_defect"}
)


def _withdrawn(recorded: RecordedEvent[DeckWithdrawn]) -> Defect:
    return _of(recorded, _WITHDRAWN.get(recorded.event.reason, "unknown"), (recorded.event.deck,))


def _exchanged(recorded: RecordedEvent[CardReplaced]) -> Defect:
    return _of(recorded, _EXCHANGED.get(recorded.event.reason, "unknown"), (recorded.event.deck,))


def _reported(recorded: RecordedEvent[IncidentReported]) -> Defect | None:
    event = recorded.event
    if event.category not in _OF_THE_CARDS and not event.damaged_cards:
        return None
    damaged = event.category == "damaged_card" or bool(event.damaged_cards)
    return Defect(
        "damaged" if damaged else "unknown",
        () if event.deck is None else (event.deck,),
        event.noticed_at or recorded.occurred_at,
        recorded,
        event.partida,
        event.shuffler,
    )


def _left_behind(recorded: RecordedEvent[ShufflerFoundEmpty]) -> Defect | None:
    if recorded.event.cards_found == 0:
        return None
    # Whatever lay in the machine is missing from the decks that were last in it.
    return Defect("missing", (), recorded.occurred_at, recorded, None, recorded.event.shuffler)


def _counted(recorded: Recorded) -> Defect | None:
    event = recorded.event
    if event.cards is None or event.cards == CARDS * len(event.decks):
        return None
    fault: Fault = "missing" if event.cards < CARDS * len(event.decks) else "extra"
    return _of(recorded, fault, tuple(event.decks))


def _of(recorded: Recorded, fault: Fault, decks: tuple[str, ...]) -> Defect:
    return Defect(fault, decks, recorded.occurred_at, recorded, recorded.event.partida)


_DEFECT_READERS: Final[Mapping[type, Callable[[Recorded], Defect | None]]] = {
    DeckInspected: _inspected,
    DeckWithdrawn: _withdrawn,
    CardReplaced: _exchanged,
    IncidentReported: _reported,
    ShufflerFoundEmpty: _left_behind,
    ShufflerLoaded: _counted,
    ShufflerUnloaded: _counted,
}


# What proves the contrary


def proofs_of(recorded: Recorded, deck: str, opened: Iterable[str] = ()) -> Iterator[Proof]:
    """The proof an entry gives of a deck, if any; `opened` are the decks of its partida's set."""
    event = recorded.event
    if isinstance(event, DeckInspected) and event.deck == deck:
        rules_out = ruled_out(event)
        if rules_out:
            yield Proof(deck, _occasion(event), recorded, rules_out)
    elif isinstance(event, ShufflerLoaded | ShufflerUnloaded) and deck in event.decks:
        # Only a number somebody told: no form fills it in. Of a machine in which cards were left,
        # those that came out are no count of the set.
        left = isinstance(event, ShufflerUnloaded) and event.empty is False
        if event.cards == CARDS * len(event.decks) and not left:
            loaded = isinstance(event, ShufflerLoaded)
            yield Proof(deck, "load" if loaded else "unload", recorded, COUNT)
    elif isinstance(event, PartidaClosed):
        decks = tuple(opened)
        if deck in decks and event.cards_counted == CARDS * len(decks):
            yield Proof(deck, "count", recorded, COUNT)


def ruled_out(event: DeckInspected) -> frozenset[Fault]:
    """The faults an inspection rules out.

    Only a deck that was complete and in order was looked through card by card; its condition says
    something of the whole deck only then.
    """
    fault = fault_found(event)
    if fault is None:
        return WHOLE
    if not event.order_complete or fault not in ("damaged", "marked"):
        return frozenset()
    return FACES  # complete, all its own, but not perfect any more


def _occasion(event: DeckInspected) -> ProvenBy:
    if event.machine is not None or event.receipt is not None:
        return "machine"
    return event.moment


def last_proof(proofs: Iterable[Proof], defect: Defect) -> Proof | None:
    """The last proof before a defect was noticed that rules it out."""
    before = [
        proof
        for proof in proofs
        if defect.fault in proof.rules_out
        and proof.at < defect.noticed
        and not _same(proof, defect)
    ]
    return max(before, key=lambda proof: in_time(proof.recorded), default=None)


def _same(proof: Proof, defect: Defect) -> bool:
    return defect.recorded is not None and proof.recorded.entry_id == defect.recorded.entry_id


# What ends it


def end_of(deck: str, defect: Defect, later: Iterable[RecordedEvent[Event]]) -> End | None:
    """What first ended a deck's defect; `later` are entries about it, in any order.

    What answers the defect's own incident ends it, even by a clock that was a little behind.
    """
    ends = [
        End(by, max(recorded.occurred_at, defect.noticed), recorded)
        for recorded in later
        if recorded.occurred_at >= defect.noticed or _answers(recorded, defect)
        for by in _ends(deck, defect, recorded)
    ]
    if defect.recorded is not None and isinstance(defect.recorded.event, IncidentReported):
        incident = defect.recorded.event
        if incident.replaced in ("card", "deck") and incident.resolved_at is not None:
            ends.append(End("resolved", incident.resolved_at, None))
    return min(ends, key=lambda end: end.at, default=None)


def _answers(recorded: RecordedEvent[Event], defect: Defect) -> bool:
    """Whether a withdrawal or an exchange was recorded for this very incident."""
    incident = None if defect.recorded is None else getattr(defect.recorded.event, "incident", None)
    return incident is not None and getattr(recorded.event, "incident", None) == incident


def _ends(deck: str, defect: Defect, recorded: Recorded) -> Iterator[EndedBy]:
    event = recorded.event
    if isinstance(event, DeckWithdrawn) and event.deck == deck:
        yield "withdrawn"
    elif isinstance(event, CardReplaced) and event.deck == deck:
        if _exchange_of(recorded, defect):
            yield "card_replaced"
    elif isinstance(event, DecksDestroyed) and deck in event.decks:
        yield "destroyed"
    elif any(
        defect.fault in proof.rules_out and not _same(proof, defect)
        for proof in proofs_of(recorded, deck)
    ):
        yield "proof"


def _exchange_of(recorded: RecordedEvent[CardReplaced], defect: Defect) -> bool:
    """Whether this exchange was of what is wrong: recorded for the incident, or of such a fault.

    A damaged card taken out does not bring back one that is missing.
    """
    itself = defect.recorded is not None and recorded.entry_id == defect.recorded.entry_id
    return (
        itself
        or _answers(recorded, defect)
        or _EXCHANGED.get(recorded.event.reason) == defect.fault
    )


def decks_named(recorded: Recorded) -> tuple[str, ...]:
    """The decks an opening, a shuffle, a load or an unload names."""
    event = recorded.event
    if isinstance(event, PartidaOpened | CardsShuffled):
        return tuple(each.deck for each in event.decks)
    if isinstance(event, ShufflerLoaded | ShufflerUnloaded):
        return tuple(event.decks)
    return ()
