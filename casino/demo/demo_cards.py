"""What is done to the cards of a partida before they are dealt: shown, shuffled, cut, burnt."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final, TypedDict

from casino.demo import cast
from casino.demo.demo_lines import Evening, Line
from casino.events.decks import DeckInspected
from casino.events.event import OverriddenWarning
from casino.events.partidas import DeckInUse
from casino.events.shoes import (
    CardBurned,
    CardsShuffled,
    CartaAvisoPlaced,
    CutAfter,
    CutMade,
    CutOffer,
    DeckPasses,
)
from casino.law.cut_turns import LastCut, next_cutter
from casino.law.rulebook.rulebook import Law
from casino.recording import Actor

PASSES: Final = 4
REFUSES: Final = 7  # every so manieth shoe the first who is asked does not want to cut
NOBODY: Final = 4  # the same where nobody wants to
SHUFFLED: Final = timedelta(minutes=5)  # how long before the first card each was done
CUT: Final = timedelta(minutes=2, seconds=40)
PLACED: Final = timedelta(minutes=2)
BURNED: Final = timedelta(minutes=1)
BENT: Final = "9D"


class Where(TypedDict):
    """Where an event of a partida happened, as all of them tell it."""

    table: str
    partida: str


@dataclass(frozen=True, slots=True)
class Game:
    """A partida as everybody at its table knows it."""

    evening: Evening
    table: str
    number: int
    by: Actor

    @property
    def at(self) -> Where:
        """Where its events happened."""
        return Where(table=self.table, partida=self.evening.partida(self.table, self.number))

    @property
    def decks(self) -> tuple[tuple[str, str], ...]:
        """Its cards: each deck's number and the colour of its back."""
        return cast.DECKS[f"{self.table}/{self.number}"]

    @property
    def deck_codes(self) -> tuple[str, ...]:
        """The numbers alone."""
        return tuple(deck for deck, _ in self.decks)

    @property
    def in_use(self) -> tuple[DeckInUse, ...]:
        """The same as the opening tells it."""
        return tuple(DeckInUse(deck=deck, back_colour=colour) for deck, colour in self.decks)

    def line(self, at: datetime, event: Any, **known: Any) -> Line:
        """Something its fiscal de banca recorded."""
        return Line(at=at, by=self.by, event=event, **known)


def exhibited(game: Game, at: datetime, miscounted: str = "") -> Iterator[Line]:
    """Every deck is shown at the table; of `miscounted` a card too few is written down."""
    dealer = cast.DEALERS[game.table][0].number
    for place, deck in enumerate(game.deck_codes):
        shown = DeckInspected(
            **game.at,
            deck=deck,
            moment="exhibition",
            cards=52,
            order_complete=True,
            faces="regular",
            backs="regular",
            result="conform",
            spread_in_rows=True,
            jokers=0,
            seal="intact",
            pagador=dealer,
            fiscal_de_banca=game.by.staff,
        )
        if deck == miscounted:
            shown = replace(shown, cards=51, result="missing")
        yield game.line(at + timedelta(minutes=2 * place), shown, name=f"shown/{deck}")


def ordered(game: Game, at: datetime, bent: str = "") -> Iterator[Line]:
    """After the last round every deck is put in order and counted; one may have a bent card."""
    for place, deck in enumerate(game.deck_codes):
        event = DeckInspected(
            **game.at,
            deck=deck,
            moment="close",
            cards=52,
            order_complete=True,
            faces="regular",
            backs="regular",
            result="conform",
        )
        if deck == bent:
            event = replace(event, faces="damaged", result="damaged", damaged_cards=(BENT,))
        yield game.line(at + timedelta(minutes=2 * place), event)


def shuffled(game: Game, shoe: int, at: datetime, dealer: str) -> Line:
    """All decks, each by itself."""
    event = CardsShuffled(
        **game.at,
        shoe=shoe,
        decks=tuple(DeckPasses(deck=deck, passes=PASSES) for deck in game.deck_codes),
        shuffled_by=dealer,
        method="by_hand",
        face_down=True,
        cards=52 * len(game.decks),
    )
    return game.line(at, event)


def burned(game: Game, shoe: int, at: datetime, cards: int, *, despite: str = "") -> Line:
    """So many cards burnt; `despite` is the reason given where the form had warned."""
    warned = (OverriddenWarning(check="burnt_cards_exact", reason=despite),) if despite else ()
    event = CardBurned(**game.at, shoe=shoe, cards=cards, to_discard_corner=True, despite=warned)
    return game.line(at, event, name=f"burned/{game.table}/{game.number}/{shoe}")


def placed(
    game: Game, shoe: int, at: datetime, from_end: int, players: int, *, despite: str = ""
) -> Line:
    """The carta-aviso goes in, by eye."""
    warned = (
        (OverriddenWarning(check="warning_card_at_its_place", reason=despite),) if despite else ()
    )
    event = CartaAvisoPlaced(
        **game.at,
        shoe=shoe,
        cards_from_end=from_end,
        players=players,
        cards_in_shoe=52 * len(game.decks),
        measured="estimated",
        despite=warned,
    )
    return game.line(at, event)


@dataclass(slots=True)
class Cuts:
    """Whose turn the cut is at one table, shoe after shoe, and who makes it."""

    game: Game
    law: Law
    last: LastCut | None = None
    made: int = field(default=0)
    after: CutAfter = "start"

    def next(self, shoe: int, at: datetime, seats: Sequence[int], *, wrongly: bool) -> Line:
        """The next cut; `wrongly` by a seat that was neither next nor asked."""
        figures = self.law.on(self.game.evening.day).values
        right = next_cutter(seats, self.last, figures)
        assert right is not None
        self.made += 1
        asked = right.seats
        cutter = self._answering(asked)
        offers = tuple(
            CutOffer(seat=seat, accepted=seat == cutter)
            for seat in (asked if cutter is None else asked[: asked.index(cutter) + 1])
        )
        if wrongly:
            cutter, offers = asked[-1], (CutOffer(seat=asked[-1], accepted=True),)
        event = CutMade(
            **self.game.at,
            shoe=shoe,
            after=self.after,
            seats_occupied=tuple(seats),
            offers=offers,
            cut_by="fiscal_de_banca" if cutter is None else "seat",
            due_seat=right.due,
            seat=cutter,
            staff=self.game.by.staff if cutter is None else None,
            special_card=True,
        )
        self.last, self.after = LastCut(right.due, cutter), "next_shoe"
        return self.game.line(at, event)

    def _answering(self, question: Sequence[int]) -> int | None:
        """Who cuts of those asked one after the other; None where nobody wants to."""
        if self.made % REFUSES == 0 and len(question) > 1:
            return question[1]
        return None if self.made % NOBODY == 0 else question[0]

    def start_over(self) -> None:
        """Play had stopped: the next cut is as the first."""
        self.last, self.after = None, "interruption"
