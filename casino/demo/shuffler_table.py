"""The table with the automatic shuffler and the jackpot: loads and their witness, jams, chips."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final
from uuid import uuid5

from casino import clock as house_clock
from casino.demo import cast, demo_cards
from casino.demo.asides import Around, counted
from casino.demo.cast import Member
from casino.demo.demo_cards import Game
from casino.demo.demo_lines import NAMES, Line, Receipts, reference
from casino.demo.demo_troubles import CLEARED, REPLACED, Troubles
from casino.demo.shoe_table import (
    CHANGED,
    OPENED,
    PlayedFor,
    closed,
    dealer_of,
    round_line,
    simulated,
)
from casino.events.partidas import PartidaOpened
from casino.events.round.round_played import RoundPlayed
from casino.events.shufflers import (
    LoadedWhy,
    ShufflerFoundEmpty,
    ShufflerLoaded,
    ShufflerUnloaded,
    UnloadedWhy,
)
from casino.events.tables import StakeLimits
from casino.events.witnessing import Witnessed
from casino.models import BookEntry
from casino.recording import Receipt
from casino.simulation.round_record import PACE, RestingClock
from casino.simulation.simulated_evening import Table
from casino.witnessing import LASTS, text_of

INDEX: Final = 1  # the simulated evening's table with a shuffler
JAMMED: Final = timedelta(minutes=22)  # how long play rests where the machine was emptied
MINUTE: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Load:
    """How the machine was loaded: in how many packets, and who put his word to it."""

    packets: int
    witness: Member | None
    declared: str | None = None


def in_the_book(receipt: Receipt) -> tuple[str, str]:
    """The kind of a recorded act, and the digest of the text its witness reads."""
    entry = BookEntry.objects.select_related("stream").get(pk=receipt.entry_id)
    return entry.kind, sha256(text_of(entry, "pt").encode()).hexdigest()


@dataclass(slots=True, kw_only=True)
class ShufflerGame:
    """One partida at the shuffler.

    `damaged_after` and `jammed_after` are rounds after which the machine damages a card, or jams:
    it is cleared, or where there is a `reload` emptied and loaded again. `disputed_in` is a round
    whose cards wait while a complaint is looked into, `played_for` begins play for the progressive
    prize at the table.
    """

    game: Game
    chefe: Member
    first_round: datetime
    rounds: int
    load: Load
    reload: Load | None = None
    damaged_after: int = 0
    jammed_after: int = 0
    disputed_in: int = 0
    played_for: PlayedFor | None = None
    errors: Collection[int] = ()
    loads: int = 0
    written: list[Line] = field(default_factory=list)
    around: Around = field(init=False)
    troubles: Troubles = field(init=False)

    def __post_init__(self) -> None:
        self.around = Around(self.game)
        self.troubles = Troubles(self.game, self.chefe, str(self.game.number))

    def lines(self) -> list[Line]:
        """The whole partida."""
        table, clock = simulated(self.game, INDEX, self.first_round)
        side = self.played_for(self.game, table) if self.played_for is not None else None
        self.written += self._opened(table)
        self._load(self.first_round - timedelta(minutes=12), self.load, "opening")
        while table.played < self.rounds:
            if side is not None:
                side.arrange()
            record, _ = table.next_round(1 if table.played + 1 in self.errors else 0)
            record = replace(record, shoe=self.loads)
            if side is not None:
                record = side.played(record)
            at = clock.moment("inserted")
            dealer = dealer_of(self.game, table.played - 1)
            self.written += self.around.dealt_by(dealer, clock.moment("stakes_closed") - CHANGED)
            if table.played == self.disputed_in:
                record = self._dispute(record, clock)
            self.written.append(round_line(self.game, record, at, table.played - 1))
            if table.played == self.damaged_after:
                self.written += self.troubles.damaged(at, record, self.game.deck_codes[2])
                clock.pause(REPLACED)
            if table.played == self.jammed_after:
                clock.pause(self._jam(at, record))
                table.number = 0 if self.reload is not None else table.number
        self._end(clock.moment("inserted"))
        return self.written

    def _opened(self, table: Table) -> Iterator[Line]:
        game, at = self.game, self.first_round - OPENED
        limits = table.floor.limits
        event = PartidaOpened(
            **game.at,
            rulebook="pt",
            limits=StakeLimits(
                minimum_cents=limits.minimum_cents, maximum_cents=limits.maximum_cents
            ),
            decks=game.in_use,
            dealing="shuffler",
            shuffler=cast.SHUFFLER,
            fiscal_de_banca=game.by.staff,
            fiscal_chefe=self.chefe.number,
            pagador=cast.DEALERS[game.table][0].number,
            jackpots=() if self.played_for is None else (cast.JACKPOT,),
        )
        yield game.line(at, event)
        yield counted(game, at + MINUTE, "opening")
        yield from self.around.dealt_by(dealer_of(game, 0), at + 2 * MINUTE)
        yield from demo_cards.exhibited(game, at + 3 * MINUTE)
        yield from self.around.seated(sorted(table.floor.seated), self.first_round - 2 * MINUTE)

    # The cards go in and come out

    def _load(self, at: datetime, load: Load, why: LoadedWhy) -> None:
        """Shuffled by hand, put in, a card burnt; then the witness, if one was there."""
        game = self.game
        self.loads += 1
        dealer = cast.DEALERS[game.table][0].number
        self.written.append(demo_cards.shuffled(game, self.loads, at - 4 * MINUTE, dealer))
        event = ShufflerLoaded(
            **game.at,
            shuffler=cast.SHUFFLER,
            decks=game.deck_codes,
            packets=load.packets,
            operator=dealer,
            fiscal_chefe=load.declared,
            reason=why,
            started_at=at - 2 * MINUTE,
            ended_at=at,
            cards=52 * len(game.decks),
        )
        name = f"loaded/{game.number}/{self.loads}"
        self.written.append(game.line(at, event, name=name))
        if load.witness is not None:
            self.written.append(self._witnessed(name, load.witness, at, "54"))
        self.written.append(demo_cards.burned(game, self.loads, at + 5 * MINUTE, 1))

    def _unload(self, at: datetime, why: UnloadedWhy) -> None:
        game = self.game
        event = ShufflerUnloaded(
            **game.at,
            shuffler=cast.SHUFFLER,
            decks=game.deck_codes,
            operator=cast.DEALERS[game.table][0].number,
            fiscal_chefe=self.chefe.number,
            closing_announced=why == "closing",
            reason=why,
            started_at=at - 2 * MINUTE,
            ended_at=at,
            cards=52 * len(game.decks),
            empty=True,
        )
        name = f"unloaded/{game.number}/{why}"
        self.written.append(game.line(at, event, name=name))
        self.written.append(self._witnessed(name, self.chefe, at, "55"))

    def _witnessed(self, act: str, witness: Member, at: datetime, article: str) -> Line:
        """The second person's word, half a minute after the act."""
        return Line(
            at=at + MINUTE / 2,
            by=witness.at_the_desk,
            event=self._word(act, witness, at, article),
            after=(act,),
        )

    def _word(
        self, act: str, witness: Member, at: datetime, article: str
    ) -> Callable[[Receipts], Witnessed]:
        def value(receipts: Receipts) -> Witnessed:
            receipt = receipts[act]
            kind, digest = in_the_book(receipt)
            return Witnessed(
                **self.game.at,
                witnessed=reference(receipt),
                act=kind,
                staff=witness.number,
                office=witness.office,
                method="pin",
                nonce=str(uuid5(NAMES, f"nonce/{act}")),
                # The book is told of the evening now, and refuses a word whose time is over.
                expires_at=house_clock.now() + LASTS,
                text_sha256=digest,
                article=article,
                present_from=at - 3 * MINUTE,
                present_until=at + MINUTE / 2,
            )

        return value

    # What goes wrong with the machine

    def _jam(self, at: datetime, record: RoundPlayed) -> timedelta:
        """It stops; cleared, or emptied and loaded again. How long play rests."""
        self.written += self.troubles.jammed(
            at, record, self.loads, emptied=self.reload is not None
        )
        rests = CLEARED
        if self.reload is not None:
            self._unload(at + 7 * MINUTE, "jam")
            self._load(at + 15 * MINUTE, self.reload, "after_emptying")
            rests = JAMMED
        self.written += self.troubles.resumed(at + rests, self.loads)
        return rests

    def _dispute(self, record: RoundPlayed, clock: RestingClock) -> RoundPlayed:
        """The round's cards wait while a complaint is looked into: they go back with the next."""
        collected = clock.moment("collected")
        self.written.append(self.troubles.deferred(collected + MINUTE / 60, record))
        self.written += self.troubles.complained(collected + MINUTE / 30, record)
        later = replace(clock.last, inserted=clock.moment("inserted") + PACE)
        return replace(record, times=later)

    def _end(self, last: datetime) -> None:
        self._unload(last + 6 * MINUTE, "closing")
        looked = ShufflerFoundEmpty(
            **self.game.at, shuffler=cast.SHUFFLER, cards_found=0, second=self.chefe.number
        )
        self.written.append(self.game.line(last + 7 * MINUTE, looked))
        self.written += demo_cards.ordered(self.game, last + 8 * MINUTE)
        self.written.append(counted(self.game, last + 22 * MINUTE, "closing", more=30))
        over = last + 24 * MINUTE
        announced, answers = last + 2 * MINUTE, "13 17 58 59"
        self.written.append(
            closed(self.game, over, self.rounds, announced=announced, answers=answers)
        )
