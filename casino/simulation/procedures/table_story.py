"""What tables with shoes and with shufflers have in common, from the opening to the closing."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from random import Random
from typing import Any, ClassVar, Final

from casino.events.complaints import ComplaintDecided, ComplaintReceived, DisputeReviewed
from casino.events.decks import DeckInspected
from casino.events.floor_life import (
    ChipsCounted,
    CountedWhen,
    DealerLeftTable,
    DealerTookTable,
    SeatLeft,
    SeatTaken,
)
from casino.events.partidas import (
    Attested,
    ChipCount,
    DeckInUse,
    PartidaClosed,
    PartidaOpened,
)
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import CardBurned, CardsShuffled, DeckPasses
from casino.events.tables import StakeLimits
from casino.simulation.fault_labels import Label
from casino.simulation.procedures.procedure_acts import MINUTE, SECOND, Act, Partida
from casino.simulation.procedures.side_play import SidePlay
from casino.simulation.procedures.simulated_tables import SeatedTable

OPENED: Final = 35 * MINUTE  # before the first round
PASSES: Final = 4
CARDS: Final = 52


def backs_of(decks: Collection[str], backs: tuple[str, str]) -> tuple[DeckInUse, ...]:
    """Decks with the colours of their backs: the first half of one colour, the rest of another."""
    return tuple(
        DeckInUse(deck=deck, back_colour=backs[place >= len(decks) / 2])
        for place, deck in enumerate(decks)
    )


@dataclass(slots=True, kw_only=True, eq=False)
class Story:
    """One partida while it is recorded. `features` are what happens in it besides the game.

    `halts` are what happens after which round, `side` is what is played for at the same time,
    where a progressive prize is.
    """

    # So many minutes after the opening the first dealer comes, 1 or 2.
    arrives: ClassVar[int] = 1

    partida: Partida
    table: SeatedTable
    rng: Random
    rounds: int
    first: datetime
    features: frozenset[str] = frozenset()
    halts: dict[int, str] = field(default_factory=dict)
    decks: list[str] = field(default_factory=list)
    seats: set[int] = field(default_factory=set)
    dealer: str = ""
    error: tuple[Act, Label] | None = None
    side: SidePlay | None = None

    def __post_init__(self) -> None:
        self.decks = list(self.partida.decks)

    @property
    def cards(self) -> int:
        """How many cards are played with."""
        return CARDS * len(self.decks)

    # Before the first card

    def open(self, **known: object) -> None:
        """The table opens, a dealer comes, its chips are counted, the decks are shown."""
        game, at, limits = self.partida, self.first - OPENED, self.table.floor.limits
        game.record(
            at,
            PartidaOpened,
            rulebook="pt",
            limits=StakeLimits(
                minimum_cents=limits.minimum_cents, maximum_cents=limits.maximum_cents
            ),
            decks=backs_of(self.decks, game.house.backs),
            dealing=game.dealing,
            shuffler=game.shuffler,
            fiscal_de_banca=game.pit.staff,
            fiscal_chefe=game.chefe.staff,
            jackpots=() if game.pool is None else (game.pool,),
            **known,
        )
        self.dealt_by(self.dealer_of(0), at + self.arrives * MINUTE)
        self.counted(at + (3 - self.arrives) * MINUTE, "opening")
        self.exhibit(at)

    def exhibit(self, opened: datetime) -> None:
        """All decks are shown, one after the other."""
        for place, deck in enumerate(self.decks):
            self.show(deck, opened + (3 + 2 * place) * MINUTE)

    def show(self, deck: str, at: datetime) -> Act:
        """A deck is laid out in rows for everybody to see."""
        return self._inspected(deck, at, "exhibition", spread_in_rows=True, seal="intact")

    def order(self, at: datetime) -> None:
        """Every deck is put in order and counted."""
        for place, deck in enumerate(self.decks):
            self._inspected(deck, at + 2 * place * MINUTE, "close")

    def _inspected(self, deck: str, at: datetime, moment: str, **known: object) -> Act:
        """A deck found as it should be."""
        return self.partida.record(
            at,
            DeckInspected,
            deck=deck,
            moment=moment,
            cards=CARDS,
            order_complete=True,
            faces="regular",
            backs="regular",
            result="conform",
            jokers=0,
            pagador=self.dealer,
            **known,
        )

    def shuffle(self, shoe: int, at: datetime) -> Act:
        """All decks, each by itself, by hand."""
        return self.partida.record(
            at,
            CardsShuffled,
            shoe=shoe,
            decks=tuple(DeckPasses(deck=deck, passes=PASSES) for deck in self.decks),
            shuffled_by=self.dealer,
            method="by_hand",
            face_down=True,
            cards=self.cards,
        )

    def burned(self, shoe: int, at: datetime, cards: int = 1) -> None:
        """A card is burnt."""
        values = {"cards": cards, "to_discard_corner": True, "seen": False}
        self.partida.record(at, CardBurned, shoe=shoe, **values)

    # Around the game

    def dealer_of(self, played: int) -> str:
        """Who deals the round that follows so many."""
        dealers = self.partida.dealers
        return dealers[(played // self.partida.house.stays) % len(dealers)]

    def dealt_by(self, dealer: str, at: datetime) -> None:
        """Somebody deals from here on."""
        if dealer == self.dealer:
            return
        before, self.dealer = self.dealer, dealer
        if before:
            self.partida.record(at, DealerLeftTable, pagador=before)
        self.partida.record(at + SECOND, DealerTookTable, pagador=dealer, relieves=before or None)

    def seated(self, seats: Collection[int], at: datetime) -> None:
        """Those who sit there now, against those who sat there before."""
        game = self.partida
        for seat in sorted(self.seats - set(seats)):
            game.record(at, SeatLeft, seat=seat)
        for seat in sorted(set(seats) - self.seats):
            game.record(at, SeatTaken, seat=seat, player=f"{game.house.player}{seat}")
        self.seats = set(seats)

    def counted(self, at: datetime, moment: CountedWhen) -> None:
        """The chips, counted by two."""
        game, more = self.partida, self._more(moment)
        (value, least), *others = game.house.chips
        counts = tuple(
            ChipCount(value_cents=value, count=count)
            for value, count in ((value, least + more), *others)
        )
        game.record(
            at,
            ChipsCounted,
            moment=moment,
            counts=counts,
            pagador=self.dealer,
            second=game.pit.staff,
        )

    def _more(self, moment: CountedWhen) -> int:
        """How many chips of the smallest value lie there beyond the float."""
        more, *_ = (self.rng.randint(0, 30) for _ in self.partida.house.chips)
        return more

    # The rounds

    def play(self, at: str, **known: Any) -> Act:
        """The next round, told by the table's device when its cards were collected, or put back."""
        dealer = self.dealer_of(self.table.played)
        if self.side is not None:
            self.side.arrange()
        record, label = self._dealt()
        if record.dealer is not None:
            known["dealer"] = dealer
        resting = self.table.resting
        self.dealt_by(dealer, resting.moment("stakes_closed") - 20 * SECOND)
        played = replace(record, **known)
        if self.side is not None:
            played = self.side.played(played)
        act = self.partida.record(resting.moment(at), played, self.partida.device)
        if self.side is not None:
            self.side.play_out(act.at)
        if label is not None:
            self.error = act, label
        return act

    def _dealt(self) -> tuple[RoundPlayed, Label | None]:
        return self.table.play()

    @property
    def wanting(self) -> bool:
        """Whether something that is to happen in a round has not happened yet."""
        return bool(self.table.error.waiting or (self.side is not None and self.side.waiting))

    # Complaints

    def received(self, record: RoundPlayed, at: datetime, subject: str, **known: object) -> str:
        """A guest complains of a round; the number of his slip."""
        game = self.partida
        slip = f"RC-{len(game.of(ComplaintReceived)) + 1}-{game.tag}"
        about = {"round": record.round, "shoe": record.shoe, "number": record.number}
        values = {"complaint": slip, "subject": subject, "received_at": at} | about | known
        received: ComplaintReceived = game.record(at, ComplaintReceived, **values).event
        return received.complaint

    def reviewed(self, slip: str, at: datetime, record: RoundPlayed, **known: object) -> None:
        """Somebody looks into it, and nobody had made an error."""
        values = {"dispute": slip, "error_by": "nobody", "round": record.round} | known
        self.partida.record(at, DisputeReviewed, **values)

    def decided(self, slip: str, at: datetime, outcome: str, reason: str = "visto") -> None:
        """The room's management decides, and says so at once."""
        game = self.partida
        values = {"outcome": outcome, "reason": reason, "told_at": at, "told_of_inspector": True}
        game.record(at, ComplaintDecided, game.house.manager, complaint=slip, **values)

    # The closing

    def close(
        self, at: datetime, announced: datetime, answers: str, counted: timedelta = MINUTE
    ) -> None:
        """The chips are counted so long before, and somebody answers for what no record shows.

        `answers` are the articles he answers for: ``"13 17"``.
        """
        game = self.partida
        self.counted(at - counted, "closing")
        game.record(
            at,
            PartidaClosed,
            rounds=self.table.played,
            reason="end_of_day",
            closing_announced_at=announced,
            cards_counted=self.cards,
            fiscal_de_banca=game.pit.staff,
            pagador=self.dealer,
            attested=tuple(
                Attested(article=article, staff=game.pit.staff, office="fiscal_de_banca", at=at)
                for article in answers.split()
            ),
        )
