"""A table that deals from a shoe: shoe after shoe made ready, round after round, and closed."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from random import Random
from typing import Final

from casino.demo import cast, demo_cards
from casino.demo.asides import Around, counted
from casino.demo.demo_cards import Cuts, Game
from casino.demo.demo_lines import Line
from casino.demo.pauses import STOPPED, stopped, withdrawn
from casino.events.partidas import Attested, PartidaClosed, PartidaOpened
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import LastRoundAnnounced
from casino.events.tables import StakeLimits
from casino.law.rulebook.rulebook_file import load_law
from casino.recording import Source
from casino.simulation.card_source import Shoe
from casino.simulation.faults.every_fault import Mischief
from casino.simulation.procedures.side_play import SidePlay
from casino.simulation.procedures.simulated_tables import SeatedTable
from casino.simulation.round_record import RestingClock
from casino.simulation.simulated_evening import Table

SEED: Final = 20
TURN: Final = 40  # rounds a dealer stays
BETWEEN_SHOES: Final = timedelta(minutes=7)
OPENED: Final = timedelta(minutes=35)  # before the first round
SEATED: Final = timedelta(minutes=5, seconds=30)  # before a shoe's first round
CHANGED: Final = timedelta(seconds=20)  # before stakes are closed another dealer has taken over
# The hand that puts the carta-aviso in too early does so by this many cards.
TOO_EARLY: Final = 22

Change = Callable[[RoundPlayed], RoundPlayed | None]
PlayedFor = Callable[[Game, SeatedTable], SidePlay]


def simulated(game: Game, index: int, opening: datetime) -> tuple[SeatedTable, RestingClock]:
    """One of the simulated evening's tables, with the partida's name and its own clock."""
    seed = SEED + game.number
    chance = Random(f"demo/{seed}/{index}")  # noqa: S311 - the same evening each time
    table = SeatedTable(index, seed, opening, game.evening.day)
    table.mischief = Mischief(chance)
    table.partida = game.at["partida"]
    return table, table.resting


def dealer_of(game: Game, played: int) -> str:
    """Who deals the round that follows so many."""
    crew = cast.DEALERS[game.table]
    return crew[(played // TURN) % len(crew)].number


def round_line(game: Game, record: RoundPlayed, at: datetime, played: int) -> Line:
    """A round as the table's device recorded it."""
    if record.dealer is not None:
        record = replace(record, dealer=dealer_of(game, played))
    device = cast.DEVICES[game.table]
    return Line(
        at=at,
        by=replace(device.at_the_desk, door="api"),
        event=record,
        source=Source("device", device.number),
    )


def closed(game: Game, at: datetime, rounds: int, *, announced: datetime, answers: str) -> Line:
    """The table closes; its fiscal de banca answers for what nothing else can show.

    `answers` are the articles he answers for: ``"13 17"``.
    """
    event = PartidaClosed(
        **game.at,
        rounds=rounds,
        reason="end_of_day",
        closing_announced_at=announced,
        cards_counted=52 * len(game.decks),
        fiscal_de_banca=game.by.staff,
        pagador=cast.DEALERS[game.table][0].number,
        attested=tuple(
            Attested(article=article, staff=game.by.staff, office="fiscal_de_banca", at=at)
            for article in answers.split()
        ),
    )
    return game.line(at, event, name=f"closed/{game.table}/{game.number}")


@dataclass(slots=True, kw_only=True)
class ShoeGame:
    """One partida dealt from shoes. The numbers say where something goes wrong, and in which shoe.

    `errors` are rounds of the partida in which the simulated table makes one of its mistakes;
    `changed` changes the first round after `changed_from` of which it makes another. `bent` is a
    deck that is put in order and found with a bent card, `stopped_after` the round after which
    nobody stakes: the table closes, and is opened again. `played_for` begins play for the
    progressive prize at the table.
    """

    game: Game
    index: int
    first_round: datetime
    rounds: int
    miscounted_deck: str = ""
    wrong_cut: int = 0
    two_burned: int = 0
    early_warning: int = 0
    errors: Collection[int] = ()
    changed_from: int = 0
    changed: Change | None = None
    bent: str = ""
    stopped_after: int = 0
    played_for: PlayedFor | None = None
    prepared: int = 0
    written: list[Line] = field(default_factory=list)
    around: Around = field(init=False)

    def __post_init__(self) -> None:
        self.around = Around(self.game)

    def lines(self) -> list[Line]:
        """The whole partida."""
        table, clock = simulated(self.game, self.index, self.first_round)
        side = self.played_for(self.game, table) if self.played_for is not None else None
        cuts = Cuts(self.game, load_law("pt"))
        self.written += self._opened(table)
        while table.played < self.rounds:
            if table.warned:
                clock.pause(BETWEEN_SHOES)
            wicked = table.played + 1 in self.errors and not table.warned
            record, _ = table.next_round(1 if wicked else 0)
            if side is not None:
                record = side.played(record)
            if table.shoe != self.prepared:
                self._prepare(table, clock, cuts)
            self._play(table, clock, self._perhaps_changed(record, table.played))
            if table.played == self.stopped_after:
                self.written += stopped(self.game, clock.moment("collected"), record, table.played)
                clock.pause(STOPPED)
                cuts.start_over()
                table.warned = True  # the next round is another shoe's
        self.written += self._ended(clock.moment("collected"))
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
            dealing="shoe",
            fiscal_de_banca=game.by.staff,
            fiscal_chefe=cast.CHEFE.number,
            pagador=cast.DEALERS[game.table][0].number,
            cut_card=cast.CUT_CARD,
            carta_aviso=cast.CARTA_AVISO,
            jackpots=() if self.played_for is None else (cast.JACKPOT,),
        )
        yield game.line(at, event)
        yield counted(game, at + timedelta(minutes=1), "opening")
        yield from self.around.dealt_by(dealer_of(game, 0), at + timedelta(minutes=2))
        shown_at = at + timedelta(minutes=3)
        yield from demo_cards.exhibited(game, shown_at, miscounted=self.miscounted_deck)

    def _prepare(self, table: Table, clock: RestingClock, cuts: Cuts) -> None:
        """What was done before the shoe's first round, which has just been played."""
        shoe, source, first = table.shoe, table.source, clock.moment("stakes_closed")
        assert shoe is not None
        assert isinstance(source, Shoe)
        seats = sorted(table.floor.seated)
        early = shoe == self.early_warning
        if early:
            source.warning -= TOO_EARLY
        hurried = "short-of-staff" if early else ""
        stuck = "it-happened-so" if shoe == self.two_burned else ""
        dealer = dealer_of(self.game, table.played - 1)
        self.written += self.around.seated(seats, first - SEATED)
        self.written += (
            demo_cards.shuffled(self.game, shoe, first - demo_cards.SHUFFLED, dealer),
            cuts.next(shoe, first - demo_cards.CUT, seats, wrongly=shoe == self.wrong_cut),
            demo_cards.placed(
                self.game,
                shoe,
                first - demo_cards.PLACED,
                len(source.cards) - source.warning,
                len(seats),
                despite=hurried,
            ),
            demo_cards.burned(
                self.game, shoe, first - demo_cards.BURNED, 2 if stuck else 1, despite=stuck
            ),
        )
        self.prepared = shoe

    def _perhaps_changed(self, record: RoundPlayed, played: int) -> RoundPlayed:
        """The round, or what was made of it the first time that was possible."""
        if self.changed is None or played <= self.changed_from:
            return record
        other = self.changed(record)
        if other is not None:
            self.changed = None
        return other or record

    def _play(self, table: Table, clock: RestingClock, record: RoundPlayed) -> None:
        if record.warning_card_at is not None:
            event = LastRoundAnnounced(
                **self.game.at,
                shoe=record.shoe,
                round=record.round,
                number=record.number,
                came_out="during_round",
                audible=True,
            )
            self.written.append(
                self.game.line(clock.moment("first_card") + timedelta(seconds=20), event)
            )
        at = clock.moment("collected")
        dealer = dealer_of(self.game, table.played - 1)
        self.written += self.around.dealt_by(dealer, clock.moment("stakes_closed") - CHANGED)
        self.written.append(round_line(self.game, record, at, table.played - 1))

    def _ended(self, last: datetime) -> Iterator[Line]:
        yield from demo_cards.ordered(self.game, last + timedelta(minutes=4), self.bent)
        if self.bent:
            yield from withdrawn(self.game, last + timedelta(minutes=13), self.bent)
        yield counted(self.game, last + timedelta(minutes=18), "closing", more=12)
        yield closed(
            self.game,
            last + timedelta(minutes=20),
            self.rounds,
            announced=last + timedelta(minutes=2),
            answers="13 17",
        )
