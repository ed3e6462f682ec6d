"""What tables with shoes and with shufflers have in common, from the opening to the closing."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final

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
    SpecialCard,
)
from casino.events.shoes import CardsShuffled, DeckPasses
from casino.events.tables import StakeLimits
from casino.simulation.fault_labels import Label
from casino.simulation.procedures import simulated_cast
from casino.simulation.procedures.procedure_acts import MINUTE, SECOND, Act, Partida
from casino.simulation.procedures.side_play import SidePlay
from casino.simulation.procedures.simulated_house import BACKS
from casino.simulation.procedures.simulated_tables import SeatedTable

CUT_CARD: Final = SpecialCard(front="amarelo", back="amarelo")
CARTA_AVISO: Final = SpecialCard(front="preto", back="preto")
OPENED: Final = 35 * MINUTE  # before the first round
STAYS: Final = 25  # rounds of a dealer
PASSES: Final = 4
CARDS: Final = 52
FLOAT: Final = ((500, 200), (2_500, 160), (10_000, 80))


def backs_of(decks: Collection[str]) -> list[DeckInUse]:
    """Decks with the colours of their backs: the first half of one colour, the rest of another."""
    return [
        DeckInUse(deck=deck, back_colour=BACKS[place >= len(decks) / 2])
        for place, deck in enumerate(decks)
    ]


@dataclass(slots=True, kw_only=True, eq=False)
class Story:
    """One partida while it is recorded. `features` are what happens in it besides the game.

    `side` is what is played for at the same time, where a progressive prize is.
    """

    partida: Partida
    place: int
    table: SeatedTable
    rng: Random
    rounds: int
    features: frozenset[str]
    decks: list[str] = field(default_factory=list)
    seats: set[int] = field(default_factory=set)
    dealer: str = ""
    error: tuple[Act, Label] | None = None
    side: SidePlay | None = None

    def __post_init__(self) -> None:
        self.decks = list(self.partida.decks)

    # Before the first card

    def open(self, first: datetime, **known: Any) -> None:
        """The table opens, its chips are counted, a dealer comes, the decks are shown."""
        game, at = self.partida, first - OPENED
        limits = self.table.floor.limits
        opened = PartidaOpened(
            **game.where,
            rulebook="pt",
            limits=StakeLimits(
                minimum_cents=limits.minimum_cents, maximum_cents=limits.maximum_cents
            ),
            decks=tuple(backs_of(self.decks)),
            dealing=game.dealing,
            shuffler=game.shuffler,
            fiscal_de_banca=game.pit.staff,
            fiscal_chefe=game.chefe.staff,
            jackpots=() if game.pool is None else (game.pool,),
            **known,
        )
        game.record(at, opened)
        self.dealt_by(self.dealer_of(0), at + MINUTE)
        self._counted(at + 2 * MINUTE, "opening")
        for place, deck in enumerate(self.decks):
            self.show(deck, at + (3 + 2 * place) * MINUTE)

    def show(self, deck: str, at: datetime) -> Act:
        """A deck is laid out in rows for everybody to see."""
        return self.partida.record(at, self.inspected(deck, "exhibition", spread_in_rows=True))

    def inspected(self, deck: str, moment: Any, **known: Any) -> DeckInspected:
        """A deck found as it should be."""
        usual: dict[str, Any] = {
            "cards": CARDS,
            "order_complete": True,
            "faces": "regular",
            "backs": "regular",
            "result": "conform",
            "jokers": 0,
            "seal": "intact" if moment == "exhibition" else None,
        }
        return DeckInspected(
            **self.partida.where, deck=deck, moment=moment, **usual, **known, pagador=self.dealer
        )

    def shuffle(self, shoe: int, at: datetime) -> Act:
        """All decks, each by itself, by hand."""
        shuffled = CardsShuffled(
            **self.partida.where,
            shoe=shoe,
            decks=tuple(DeckPasses(deck=deck, passes=PASSES) for deck in self.decks),
            shuffled_by=self.dealer,
            method="by_hand",
            face_down=True,
            cards=CARDS * len(self.decks),
        )
        return self.partida.record(at, shuffled)

    # Around the game

    def dealer_of(self, played: int) -> str:
        """Who deals the round that follows so many."""
        dealers = simulated_cast.dealers_of(self.place)
        return dealers[(played // STAYS) % len(dealers)]

    def dealt_by(self, dealer: str, at: datetime) -> None:
        """Somebody deals from here on."""
        if dealer == self.dealer:
            return
        before, self.dealer = self.dealer, dealer
        game = self.partida
        if before:
            game.record(at, DealerLeftTable(**game.where, pagador=before))
        took = DealerTookTable(**game.where, pagador=dealer, relieves=before or None)
        game.record(at + SECOND, took)

    def seated(self, seats: Collection[int], at: datetime) -> None:
        """Those who sit there now, against those who sat there before."""
        game = self.partida
        for seat in sorted(self.seats - set(seats)):
            game.record(at, SeatLeft(**game.where, seat=seat))
        for seat in sorted(set(seats) - self.seats):
            game.record(at, SeatTaken(**game.where, seat=seat, player=f"J-{seat}"))
        self.seats = set(seats)

    def _counted(self, at: datetime, moment: CountedWhen) -> None:
        counts = tuple(
            ChipCount(value_cents=value, count=count + self.rng.randint(0, 30) * (value == 500))
            for value, count in FLOAT
        )
        game = self.partida
        counted = ChipsCounted(
            **game.where, moment=moment, counts=counts, pagador=self.dealer, second=game.pit.staff
        )
        game.record(at, counted)

    # The rounds

    def play(self, at: str, **known: Any) -> Act:
        """The next round, told by the table's device when its cards were collected, or put back."""
        dealer = self.dealer_of(self.table.played)
        if self.side is not None:
            self.side.arrange()
        record, label = self.table.play()
        if record.dealer is not None:
            known["dealer"] = dealer
        resting = self.table.resting
        self.dealt_by(dealer, resting.moment("stakes_closed") - 20 * SECOND)
        played = replace(record, **known)
        if self.side is not None:
            played = self.side.played(played)
        act = self.partida.record(resting.moment(at), played, simulated_cast.device_of(self.place))
        if self.side is not None:
            self.side.play_out(act.at)
        if label is not None:
            self.error = act, label
        return act

    @property
    def wanting(self) -> bool:
        """Whether something that is to happen in a round has not happened yet."""
        return bool(self.table.error.waiting or (self.side is not None and self.side.waiting))

    # The closing

    def order(self, at: datetime) -> None:
        """Every deck is put in order and counted."""
        for place, deck in enumerate(self.decks):
            self.partida.record(at + 2 * place * MINUTE, self.inspected(deck, "close"))

    def close(self, at: datetime, announced: datetime, answers: str) -> None:
        """The chips are counted, and somebody answers for what no record shows."""
        game = self.partida
        self._counted(at - MINUTE, "closing")
        attested = tuple(
            Attested(article=article, staff=game.pit.staff, office="fiscal_de_banca", at=at)
            for article in answers.split()
        )
        closed = PartidaClosed(
            **game.where,
            rounds=self.table.played,
            reason="end_of_day",
            closing_announced_at=announced,
            cards_counted=CARDS * len(self.decks),
            fiscal_de_banca=game.pit.staff,
            pagador=self.dealer,
            attested=attested,
        )
        game.record(at, closed)


def later(at: datetime, minutes: float) -> datetime:
    """So many minutes later."""
    return at + timedelta(minutes=minutes)
