"""A deck's life outside a game: received, withdrawn, a card exchanged, destroyed.

That a deck was looked through is recorded by `DeckInspected`, that it is in use by the partida's
own set. Law: PT art. 3, 5, 51; who received and who destroyed is the register's own rule.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, ClassVar, Literal

from casino.events import Malformed
from casino.events.decks import Seal
from casino.events.event import FloorEvent, HouseEvent
from casino.events.event_policy import AT_THE_TABLE, HEADS, SUPERVISION, Policy
from casino.events.phrases import marked
from casino.events.shape import Withheld
from casino.events.staff import Office
from casino.events.values import CardCode, Code, Listed, PrivateText, Reference, Whole, Word

WithdrawnWhy = Literal[
    "damaged", "marked", "foreign_card", "missing_card", "worn", "investigation", "other"
]
ReplacedWhy = Literal["damaged", "marked", "missing", "foreign", "other"]
DestroyedHow = Literal["shredded", "cut", "perforated", "burnt", "other"]
DeckCodes = Annotated[tuple[Code, ...], Listed(400, once=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckReceived(HouseEvent):
    """A deck came into the house.

    `serial` is the maker's own number or batch, `second` who received it beside the author, of
    another department; `document` the delivery note.
    """

    kind: ClassVar[str] = "deck-received/1"
    label: ClassVar[str] = marked("deck received")
    policy: ClassVar[Policy] = Policy(writers=HEADS, readers=SUPERVISION)

    deck: Code
    maker: Reference
    back_colour: Word
    serial: Reference | None = None
    cards: Annotated[int, Whole(0, 200)] | None = None
    seal: Seal | None = None
    second: Code | None = None
    document: Reference | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckWithdrawn(FloorEvent):
    """A deck was taken out of use. `held_apart`: kept whole and sealed, as evidence."""

    kind: ClassVar[str] = "deck-withdrawn/1"
    label: ClassVar[str] = marked("deck withdrawn")
    # At a table, or in store.
    policy: ClassVar[Policy] = Policy()  # the floor's own
    private: ClassVar[frozenset[str]] = frozenset({"note"})

    deck: Code
    reason: WithdrawnWhy
    cards: Annotated[int, Whole(0, 200)] | None = None
    held_apart: bool | None = None
    incident: Code | None = None
    note: PrivateText | Withheld | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardReplaced(FloorEvent):
    """One card of a deck was exchanged for another.

    `from_deck` is the reserve it was taken from, `authorisation` the inspection service's leave to
    exchange single cards; `shown` whether the old card was shown on both sides.
    """

    kind: ClassVar[str] = "card-replaced/1"
    label: ClassVar[str] = marked("card replaced")
    policy: ClassVar[Policy] = Policy(writers=AT_THE_TABLE)

    deck: Code
    card: CardCode
    reason: ReplacedWhy
    from_deck: Code | None = None
    authorisation: Reference | None = None
    replaced_by: Code | None = None
    replaced_by_office: Office | None = None
    shuffler: Code | None = None
    shown: bool | None = None
    incident: Code | None = None

    def contradictions(self) -> None:
        """A reserve is another deck. Raises: Malformed."""
        if self.from_deck == self.deck:
            raise Malformed("$.from_deck", "found the deck itself; asked is another")


@dataclass(frozen=True, slots=True, kw_only=True)
class DecksDestroyed(HouseEvent):
    """Decks were made useless. `announced` is the notice given to the inspection service."""

    kind: ClassVar[str] = "decks-destroyed/1"
    label: ClassVar[str] = marked("decks destroyed")
    policy: ClassVar[Policy] = Policy(writers=HEADS, readers=SUPERVISION)

    decks: DeckCodes
    method: DestroyedHow
    second: Code | None = None
    announced: Reference | None = None
    destroyed_at: datetime | None = None
