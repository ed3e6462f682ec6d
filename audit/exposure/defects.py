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

from casino.facts.deck_life import CardReplaced, DecksDestroyed, DeckWithdrawn
from casino.facts.decks import DeckInspected
from casino.facts.incidents import IncidentReported
from casino.facts.partidas import PartidaClosed, PartidaOpened
from casino.facts.shoes import CardsShuffled
from casino.facts.shufflers import ShufflerFoundEmpty, ShufflerLoaded, ShufflerUnloaded
from casino.regulation.dossier import Told, in_time

Fault = Literal["missing", "extra", "foreign", "damaged", "marked", "unknown"]
ProvenBy = Literal["exhibition", "machine", "received", "store", "close", "load", "unload", "count"]
EndedBy = Literal["withdrawn", "destroyed", "card_replaced", "resolved", "proof"]

CARDS: Final = 52  # of a deck, wherever the house deals: PT art. 3
COUNT: Final[frozenset[Fault]] = frozenset({"missing", "extra"})
FACES: Final[frozenset[Fault]] = COUNT | {"foreign"}
WHOLE: Final[frozenset[Fault]] = FACES | {"damaged", "marked", "unknown"}


@dataclass(frozen=True, slots=True)
class Defect:
    """What is wrong, with which decks, and when it was noticed at the latest.

    `decks` is empty where nobody told which: then all of `partida`, or of `shuffler`, are in doubt.
    `told` is the entry it is known from, None where somebody only asks.
    """

    fault: Fault
    decks: tuple[str, ...]
    noticed: datetime
    told: Told[Any] | None = None
    partida: str | None = None
    shuffler: str | None = None


@dataclass(frozen=True, slots=True)
class Proof:
    """An entry that shows that a deck was without these faults at a moment."""

    deck: str
    by: ProvenBy
    told: Told[Any]
    rules_out: frozenset[Fault]

    @property
    def at(self) -> datetime:
        """When the deck was seen so."""
        return self.told.occurred_at


@dataclass(frozen=True, slots=True)
class End:
    """What ended a deck's defect, and when; `told` is None where an incident says so itself."""

    by: EndedBy
    at: datetime
    told: Told[Any] | None


@dataclass(frozen=True, slots=True)
class Span:
    """How long one deck is in doubt: after `proof` (None: since its first use), up to `end`.

    `end` is None where nothing is told that ended it.
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


def defect_of(told: Told[Any]) -> Defect | None:
    """The defect an entry tells of; None where it tells of none."""
    for kind, tells in _TELLING.items():
        if isinstance(told.fact, kind):
            return tells(told)
    return None


def _inspected(told: Told[DeckInspected]) -> Defect | None:
    fault = fault_found(told.fact)
    return None if fault is None else _of(told, fault, (told.fact.deck,))


def fault_found(fact: DeckInspected) -> Fault | None:
    """What an inspection found wrong; None where the deck was whole and regular.

    Where it found more than one thing, nothing less than a deck without any fault proves the
    contrary: ``"unknown"``.
    """
    found: set[Fault] = {each for each in (fact.faces, fact.backs) if each != "regular"}
    if fact.result != "conform":
        found.add(fact.result)
    if fact.cards < CARDS or fact.missing_cards:
        found.add("missing")
    if fact.cards > CARDS or fact.extra_cards or fact.jokers:
        found.add("extra")
    if fact.damaged_cards and not found & {"damaged", "marked"}:
        found.add("damaged")
    if not found:
        return None if fact.order_complete else "unknown"
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


def _withdrawn(told: Told[DeckWithdrawn]) -> Defect:
    return _of(told, _WITHDRAWN.get(told.fact.reason, "unknown"), (told.fact.deck,))


def _exchanged(told: Told[CardReplaced]) -> Defect:
    return _of(told, _EXCHANGED.get(told.fact.reason, "unknown"), (told.fact.deck,))


def _reported(told: Told[IncidentReported]) -> Defect | None:
    fact = told.fact
    if fact.category not in _OF_THE_CARDS and not fact.damaged_cards:
        return None
    damaged = fact.category == "damaged_card" or bool(fact.damaged_cards)
    return Defect(
        "damaged" if damaged else "unknown",
        () if fact.deck is None else (fact.deck,),
        fact.noticed_at or told.occurred_at,
        told,
        fact.partida,
        fact.shuffler,
    )


def _left_behind(told: Told[ShufflerFoundEmpty]) -> Defect | None:
    if told.fact.cards_found == 0:
        return None
    # Whatever lay in the machine is missing from the decks that were last in it.
    return Defect("missing", (), told.occurred_at, told, None, told.fact.shuffler)


def _counted(told: Told[Any]) -> Defect | None:
    fact = told.fact
    if fact.cards is None or fact.cards == CARDS * len(fact.decks):
        return None
    fault: Fault = "missing" if fact.cards < CARDS * len(fact.decks) else "extra"
    return _of(told, fault, tuple(fact.decks))


def _of(told: Told[Any], fault: Fault, decks: tuple[str, ...]) -> Defect:
    return Defect(fault, decks, told.occurred_at, told, told.fact.partida)


_TELLING: Final[Mapping[type, Callable[[Told[Any]], Defect | None]]] = {
    DeckInspected: _inspected,
    DeckWithdrawn: _withdrawn,
    CardReplaced: _exchanged,
    IncidentReported: _reported,
    ShufflerFoundEmpty: _left_behind,
    ShufflerLoaded: _counted,
    ShufflerUnloaded: _counted,
}


# What proves the contrary


def proofs_of(told: Told[Any], deck: str, opened: Iterable[str] = ()) -> Iterator[Proof]:
    """The proof an entry gives of a deck, if any; `opened` are the decks of its partida's set."""
    fact = told.fact
    if isinstance(fact, DeckInspected) and fact.deck == deck:
        rules_out = ruled_out(fact)
        if rules_out:
            yield Proof(deck, _occasion(fact), told, rules_out)
    elif isinstance(fact, ShufflerLoaded | ShufflerUnloaded) and deck in fact.decks:
        # Only a number somebody told: no form fills it in. Of a machine in which cards were left,
        # those that came out are no count of the set.
        left = isinstance(fact, ShufflerUnloaded) and fact.empty is False
        if fact.cards == CARDS * len(fact.decks) and not left:
            loaded = isinstance(fact, ShufflerLoaded)
            yield Proof(deck, "load" if loaded else "unload", told, COUNT)
    elif isinstance(fact, PartidaClosed):
        decks = tuple(opened)
        if deck in decks and fact.cards_counted == CARDS * len(decks):
            yield Proof(deck, "count", told, COUNT)


def ruled_out(fact: DeckInspected) -> frozenset[Fault]:
    """The faults an inspection rules out.

    Only a deck that was complete and in order was looked through card by card; its condition says
    something of the whole deck only then.
    """
    fault = fault_found(fact)
    if fault is None:
        return WHOLE
    if not fact.order_complete or fault not in ("damaged", "marked"):
        return frozenset()
    return FACES  # complete, all its own, but not perfect any more


def _occasion(fact: DeckInspected) -> ProvenBy:
    if fact.machine is not None or fact.receipt is not None:
        return "machine"
    return fact.moment


def last_proof(proofs: Iterable[Proof], defect: Defect) -> Proof | None:
    """The last proof before a defect was noticed that rules it out."""
    before = [
        proof
        for proof in proofs
        if defect.fault in proof.rules_out
        and proof.at < defect.noticed
        and not _same(proof, defect)
    ]
    return max(before, key=lambda proof: in_time(proof.told), default=None)


def _same(proof: Proof, defect: Defect) -> bool:
    return defect.told is not None and proof.told.entry_id == defect.told.entry_id


# What ends it


def end_of(deck: str, defect: Defect, later: Iterable[Told[Any]]) -> End | None:
    """What first ended a deck's defect; `later` are entries about it, in any order.

    What answers the defect's own incident ends it, even by a clock that was a little behind.
    """
    ends = [
        End(by, max(told.occurred_at, defect.noticed), told)
        for told in later
        if told.occurred_at >= defect.noticed or _answers(told, defect)
        for by in _ends(deck, defect, told)
    ]
    if defect.told is not None and isinstance(defect.told.fact, IncidentReported):
        incident = defect.told.fact
        if incident.replaced in ("card", "deck") and incident.resolved_at is not None:
            ends.append(End("resolved", incident.resolved_at, None))
    return min(ends, key=lambda end: end.at, default=None)


def _answers(told: Told[Any], defect: Defect) -> bool:
    """Whether a withdrawal or an exchange was told for this very incident."""
    incident = None if defect.told is None else getattr(defect.told.fact, "incident", None)
    return incident is not None and getattr(told.fact, "incident", None) == incident


def _ends(deck: str, defect: Defect, told: Told[Any]) -> Iterator[EndedBy]:
    fact = told.fact
    if isinstance(fact, DeckWithdrawn) and fact.deck == deck:
        yield "withdrawn"
    elif isinstance(fact, CardReplaced) and fact.deck == deck:
        if _exchange_of(told, defect):
            yield "card_replaced"
    elif isinstance(fact, DecksDestroyed) and deck in fact.decks:
        yield "destroyed"
    elif any(
        defect.fault in proof.rules_out and not _same(proof, defect)
        for proof in proofs_of(told, deck)
    ):
        yield "proof"


def _exchange_of(told: Told[CardReplaced], defect: Defect) -> bool:
    """Whether this exchange was of what is wrong: told for the incident, or of such a fault.

    A damaged card taken out does not bring back one that is missing.
    """
    itself = defect.told is not None and told.entry_id == defect.told.entry_id
    return itself or _answers(told, defect) or _EXCHANGED.get(told.fact.reason) == defect.fault


def decks_named(told: Told[Any]) -> tuple[str, ...]:
    """The decks an opening, a shuffle, a load or an unload names."""
    fact = told.fact
    if isinstance(fact, PartidaOpened | CardsShuffled):
        return tuple(each.deck for each in fact.decks)
    if isinstance(fact, ShufflerLoaded | ShufflerUnloaded):
        return tuple(fact.decks)
    return ()
