"""The table with the automatic shuffler and the jackpot: loads and their witness, jams, chips."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final
from uuid import uuid5

from casino import clock as house_clock
from casino.demo import cards, cast
from casino.demo.cards import Game
from casino.demo.cast import Member
from casino.demo.shoe_table import OPENED, TableClock, closed, simulated, told_round
from casino.demo.telling import NAMES, Line, Receipts, reference
from casino.facts.incidents import IncidentClosed, IncidentReported, Person
from casino.facts.partidas import PartidaOpened
from casino.facts.rounds import RoundPlayed
from casino.facts.shoes import PlayInterrupted, PlayResumed
from casino.facts.shufflers import LoadedWhy, ShufflerLoaded, ShufflerUnloaded, UnloadedWhy
from casino.facts.tables import StakeLimits
from casino.facts.witnessing import Witnessed
from casino.models import BookEntry
from casino.queries import fact_kinds
from casino.reading.payload import fact_of
from casino.simulation.evening import Table
from casino.witnessing import LASTS, text_of

INDEX: Final = 1  # the simulated evening's table with a shuffler
CHIP: Final = 250  # cents
DISPLAYED: Final = 175  # of a chip, what the display rises by
DISPLAY: Final = 3_120_450  # cents it showed at the evening's first round
CHIP_EVERY: Final = 3  # so manieth guest leaves the jackpot out in a round
JAMMED: Final = timedelta(minutes=22)  # how long play rests
REPLACING: Final = timedelta(minutes=2)  # the same while a card is exchanged
MINUTE: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Load:
    """How the machine was loaded: in how many packets, and who put his word to it."""

    packets: int
    witness: Member | None
    declared: str | None = None


@dataclass(slots=True, kw_only=True)
class ShufflerGame:
    """One partida at the shuffler.

    `damaged_after` and `jammed_after` are rounds after which the machine damages a card, or jams
    and is emptied and loaded again; `two_chips_in` the round from which on the first guest who can
    lays two jackpot chips.
    """

    game: Game
    chefe: Member
    first_round: datetime
    rounds: int
    load: Load
    reload: Load | None = None
    damaged_after: int = 0
    jammed_after: int = 0
    two_chips_in: int = 0
    errors: Collection[int] = ()
    display_cents: int = DISPLAY
    loads: int = 0
    lines: list[Line] = field(default_factory=list)

    def told(self) -> list[Line]:
        """The whole partida."""
        table, clock = simulated(self.game, INDEX, self.first_round, self.rounds)
        self.lines += self._opened(table)
        self._load(self.first_round - timedelta(minutes=12), self.load, "opening")
        while table.played < self.rounds:
            record, _ = table.next_round(1 if table.played + 1 in self.errors else 0)
            record = replace(record, shoe=self.loads)
            self._collect_chips(record, clock, table.played)
            at = clock.moment("inserted")
            self.lines.append(told_round(self.game, record, at, table.played - 1))
            if table.played == self.damaged_after:
                self.lines += self._damaged(at, record)
                clock.pause(REPLACING)
            if table.played == self.jammed_after:
                self._jam(at, record)
                clock.pause(JAMMED)
                table.number = 0
        self._end(clock.moment("inserted"))
        return self.lines

    def _opened(self, table: Table) -> Iterator[Line]:
        game, at = self.game, self.first_round - OPENED
        limits = table.floor.limits
        fact = PartidaOpened(
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
            jackpots=(cast.JACKPOT,),
        )
        yield game.line(at, fact)
        yield from cards.exhibited(game, at + 3 * MINUTE)

    # The cards go in and come out

    def _load(self, at: datetime, load: Load, why: LoadedWhy) -> None:
        """Shuffled by hand, put in, a card burnt; then the witness, if one was there."""
        game = self.game
        self.loads += 1
        dealer = cast.DEALERS[game.table][0].number
        self.lines.append(cards.shuffled(game, self.loads, at - 4 * MINUTE, dealer))
        fact = ShufflerLoaded(
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
        self.lines.append(game.line(at, fact, name=name))
        if load.witness is not None:
            self.lines.append(self._witnessed(name, load.witness, at, "54"))
        self.lines.append(cards.burned(game, self.loads, at + 5 * MINUTE, 1))

    def _unload(self, at: datetime, why: UnloadedWhy) -> None:
        game = self.game
        fact = ShufflerUnloaded(
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
        self.lines.append(game.line(at, fact, name=name))
        self.lines.append(self._witnessed(name, self.chefe, at, "55"))

    def _witnessed(self, act: str, witness: Member, at: datetime, article: str) -> Line:
        """The second person's word, half a minute after the act."""
        return Line(
            at=at + MINUTE / 2,
            by=witness.at_the_desk,
            fact=self._word(act, witness, at, article),
            after=(act,),
        )

    def _word(
        self, act: str, witness: Member, at: datetime, article: str
    ) -> Callable[[Receipts], Witnessed]:
        def told(receipts: Receipts) -> Witnessed:
            receipt = receipts[act]
            entry = BookEntry.objects.select_related("stream").get(pk=receipt.entry_id)
            return Witnessed(
                **self.game.at,
                witnessed=reference(receipt),
                act=entry.kind,
                staff=witness.number,
                office=witness.office,
                method="pin",
                nonce=str(uuid5(NAMES, f"nonce/{act}")),
                # The book is told of the evening now, and refuses a word whose time is over.
                expires_at=house_clock.now() + LASTS,
                text_sha256=sha256(text_of(entry, "pt").encode()).hexdigest(),
                article=article,
                present_from=at - 3 * MINUTE,
                present_until=at + MINUTE / 2,
            )

        return told

    # What goes wrong with the machine

    def _damaged(self, at: datetime, record: RoundPlayed) -> Iterator[Line]:
        """A card comes out bent; it is replaced, and the inspection service told."""
        incident = f"IN-{self.game.number}01"
        fact = IncidentReported(
            **self.game.at,
            incident=incident,
            category="damaged_card",
            reason="canto_dobrado",
            people=(Person(person=self.chefe.number, role="fiscal_chefe"),),
            round=record.round,
            shuffler=cast.SHUFFLER,
            deck=self.game.deck_codes[2],
            damaged_cards=("8S",),
            replaced="card",
            noticed_at=at,
            called_at=at + MINUTE / 4,
            arrived_at=at + MINUTE / 2,
            resolved_at=at + MINUTE,
            resolved_by=self.chefe.number,
            resolved_by_office="fiscal_chefe",
            communicated_at=at + 40 * MINUTE,
            communicated_by=cast.MANAGER.number,
            communicated_by_office="chefia_da_sala",
            communication="Mensagem 31",
            text="O oito de espadas saiu com um canto dobrado e foi substituído.",
        )
        yield self.game.line(at, fact, told_at=at + 41 * MINUTE)
        over = IncidentClosed(
            **self.game.at, incident=incident, outcome="settled", reason="carta_substituida"
        )
        yield self.game.line(at + 42 * MINUTE, over)

    def _jam(self, at: datetime, record: RoundPlayed) -> None:
        """The machine stops, a fiscal-chefe opens and empties it, and it is loaded again."""
        game, chefe = self.game, self.chefe.number
        incident = f"IN-{game.number}02"
        stopped = PlayInterrupted(**game.at, reason="shuffler", shoe=self.loads, round=record.round)
        self.lines.append(game.line(at + MINUTE / 6, stopped))
        fact = IncidentReported(
            **game.at,
            incident=incident,
            category="jam",
            reason="carta_presa",
            people=(Person(person=chefe, role="fiscal_chefe"),),
            shuffler=cast.SHUFFLER,
            noticed_at=at,
            called_at=at + MINUTE / 2,
            arrived_at=at + 2 * MINUTE,
            opened_at=at + 3 * MINUTE,
            opened_by=chefe,
            opened_by_office="fiscal_chefe",
            emptied=True,
            lid_closed_at=at + 7 * MINUTE,
            resolved_at=at + 8 * MINUTE,
            resolved_by=chefe,
            resolved_by_office="fiscal_chefe",
            text="Uma carta presa no segundo rolo. Retiraram-se todas.",
        )
        self.lines.append(game.line(at, fact, told_at=at + 8 * MINUTE))
        self._unload(at + 7 * MINUTE, "jam")
        assert self.reload is not None
        self._load(at + 15 * MINUTE, self.reload, "after_emptying")
        resumed = PlayResumed(**game.at, shoe=self.loads)
        self.lines.append(game.line(at + JAMMED, resumed))
        over = IncidentClosed(**game.at, incident=incident, outcome="settled", reason="resolvido")
        self.lines.append(game.line(at + JAMMED, over))

    # The jackpot

    def _collect_chips(self, record: RoundPlayed, clock: TableClock, played: int) -> None:
        """Before the deal the chips are collected and the display raised by hand."""
        guests = [
            (box.number, box.holder)
            for box in record.boxes
            if box.holder is not None and (played + box.number) % CHIP_EVERY
        ]
        if not guests:
            return
        chips = [{"box": box, "owner": owner, "n": 1, "marked": True} for box, owner in guests]
        too_many = bool(self.two_chips_in) and played >= self.two_chips_in
        if too_many:
            chips[0]["n"] = 2
            self.two_chips_in = 0
        self.display_cents += (len(chips) + too_many) * DISPLAYED
        payload: dict[str, Any] = {
            **self.game.at,
            "jackpot": cast.JACKPOT,
            "chips": chips,
            "round": record.round,
            "shoe": record.shoe,
            "number": record.number,
            "chip_cents": CHIP,
            "display_cents": self.display_cents,
            "closing_called": True,
            "collected_before_deal": True,
        }
        # The jackpot's facts are of a package above this one.
        fact = fact_of(fact_kinds()["jackpot-incremented/1"], payload)
        self.lines.append(self.game.line(clock.moment("stakes_closed"), fact))

    def _end(self, last: datetime) -> None:
        self._unload(last + 6 * MINUTE, "closing")
        self.lines += cards.ordered(self.game, last + 8 * MINUTE)
        over = last + 24 * MINUTE
        announced, answers = last + 2 * MINUTE, "13 17 58 59"
        self.lines.append(
            closed(self.game, over, self.rounds, announced=announced, answers=answers)
        )
