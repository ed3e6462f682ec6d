"""Events of a table as they usually are: what a test does not mention went as it should.

`where` are the table and the partida. All are made without a book.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final

from casino.events.corrections import Corrected
from casino.events.decks import DeckInspected
from casino.events.event import EntryRef
from casino.events.partidas import DeckInUse, PartidaOpened
from casino.events.shoes import CardsShuffled, CutMade, DeckPasses
from casino.events.shufflers import ShufflerRegistered
from casino.events.tables import LimitsSet, StakeLimits, TableRegistered
from jackpot.events import TermsApproved

DECKS: Final = ("D-1", "D-2", "D-3", "D-4", "D-5", "D-6")
MACHINE: Final = "CSM-04"
LIMITS: Final = {"minimum_cents": 1000, "maximum_cents": 30_000}
Where = Mapping[str, str | None]


def ref(one: Any) -> EntryRef:
    """The entry that a receipt, or a recorded event, stands for."""
    return EntryRef(stream=one.stream, n=one.n, leaf=one.leaf)


def registered(table: str, boxes: int = 7) -> TableRegistered:
    """A table as the law has it."""
    layout: dict[str, Any] = {"layout": "semicircular", "numbering": "from_dealers_left"}
    return TableRegistered(table=table, boxes=boxes, boxes_marked=True, **layout)


def limits_set(table: str, valid_from: Any, **known: Any) -> LimitsSet:
    """The table's limits."""
    return LimitsSet(table=table, valid_from=valid_from, **LIMITS, **known)


def machine(**known: Any) -> ShufflerRegistered:
    """A continuous shuffler."""
    values = {"maker": "Maker", "model": "Six", "serial": "417", "continuous": True}
    return ShufflerRegistered(shuffler=MACHINE, **{**values, **known})


def opening(
    where: Where,
    decks: Sequence[str] = DECKS,
    dealing: str = "shoe",
    *,
    back: str | None = None,
    **known: Any,
) -> PartidaOpened:
    """A table opened under the Portuguese rules."""
    values = {
        "rulebook": "pt",
        "limits": StakeLimits(**LIMITS),
        "decks": tuple(DeckInUse(deck=deck, back_colour=back) for deck in decks),
        "dealing": dealing,
        "shuffler": MACHINE if dealing == "shuffler" else None,
    }
    return PartidaOpened(**where, **{**values, **known})


def whole(where: Where, deck: str, moment: str = "exhibition", **known: Any) -> DeckInspected:
    """A deck looked through, whole."""
    values = {"cards": 52, "order_complete": True, "faces": "regular", "backs": "regular"}
    if moment == "exhibition":
        values |= {"spread_in_rows": True, "jokers": 0}
    values |= {"result": "conform", **known}
    return DeckInspected(**where, deck=deck, moment=moment, **values)


def shuffled(
    where: Where, shoe: int = 1, decks: Sequence[str] = DECKS, passes: int = 3, **known: Any
) -> CardsShuffled:
    """Every deck by itself."""
    values = {"decks": tuple(DeckPasses(deck=deck, passes=passes) for deck in decks), **known}
    return CardsShuffled(**where, shoe=shoe, **values)


def cut(where: Where, shoe: int, seat: int, seats: Sequence[int], **known: Any) -> CutMade:
    """A cut by a seat."""
    values = {
        "after": "start" if shoe == 1 else "next_shoe",
        "seats_occupied": tuple(seats),
        "offers": (),
        "cut_by": "seat",
        "seat": seat,
        "special_card": True,
    }
    return CutMade(**where, shoe=shoe, **{**values, **known})


def second_word(
    where: Where | str,
    pending: Any,
    original: Any,
    decision: str = "approved",
    reason: str = "agreed",
) -> Corrected:
    """A second person's decision on a correction; a table stands for its game of 2026-11-20."""
    at = {"table": where, "partida": f"{where}/2026-11-20/1"} if isinstance(where, str) else where
    values: dict[str, Any] = {"decision": decision, "reason": reason}
    return Corrected(**at, pending=ref(pending), original=ref(original), **values)


def terms(jackpot: str = "JP-1", **otherwise: Any) -> TermsApproved:
    """Lawful terms: chips of 2.50, 2.5 % of them, 25 000 to start with, marked by hand."""
    usual: dict[str, Any] = {
        "terms": "T-1",
        "stake_cents": 250,
        "rate_millionths": 25_000,
        "start_cents": 2_500_000,
        "cards_counted": 4,
        "match": "best",
        "marking": "manual",
        "option_reference": "Comunicação 12/2026",
        "communicated_on": date(2026, 10, 1),
        "approval_reference": "Despacho 88/2026",
        "approved_on": date(2026, 11, 2),
        "conditions": "Anexo I",
        "proposal": "Proposta 4",
        "proposed_on": date(2026, 10, 15),
    }
    return TermsApproved(jackpot=jackpot, **(usual | otherwise))
