"""A table that deals from a shoe: made ready shoe after shoe, stopped, opened again, closed."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import ClassVar, Final

from casino.events.deck_life import CardReplaced, DeckWithdrawn
from casino.events.decks import DeckInspected
from casino.events.floor_life import PartidaReopened
from casino.events.inspection import LeaveAsked, LeaveDecided
from casino.events.partidas import PartidaClosed
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import (
    CardsSpread,
    CartaAvisoPlaced,
    CutMade,
    LastRoundAnnounced,
)
from casino.simulation.card_source import Shoe
from casino.simulation.procedures.machine_reports import reported_by_shoe, reported_stakes
from casino.simulation.procedures.procedure_acts import SECOND, Act, later
from casino.simulation.procedures.simulated_troubles import Incident, play_resumed, play_stopped
from casino.simulation.procedures.table_story import CARDS, Story
from casino.simulation.procedures.turns import Turns

MOST_ROUNDS: Final = 220
BENT: Final = "9D"
# What may happen at such a table; each in some partidas, or in the one that is asked for it.
FEATURES: Final = ("stop", "spread", "reopened", "relief", "exchange", "leave", "bent", "complaint")


@dataclass(slots=True, kw_only=True, eq=False)
class ShoeStory(Story):
    """One partida dealt from shoes, at least as many as `shoes` asks."""

    # From the end of a shoe to the next one's first round.
    between: ClassVar[timedelta] = timedelta(minutes=8)

    shoes: int = 2
    turns: Turns = field(default_factory=Turns)
    prepared: int = 0

    def play_out(self) -> None:
        """The whole of it."""
        self._plan()
        house = self.partida.house
        self.open(cut_card=house.cut_card, carta_aviso=house.carta_aviso)
        for shoe, cards in self.partida.wishes.get("displaced", {}).items():
            self.table.displace(shoe, cards)
        self.table.unshuffled = frozenset(self.partida.wishes.get("unshuffled", ()))
        self.table.reads = "reads" in self.partida.wishes
        self.table.without(self.partida.wishes.get("missing_cards", ()))
        while not self._over():
            if self.table.warned:
                self._between()
            act = self.play("collected")
            if self.table.shoe != self.prepared:
                self._prepare()
            self._announce(act)
            self._after(act)
        self._end()

    def _over(self) -> bool:
        table = self.table
        if table.played >= MOST_ROUNDS:
            return True
        wanting = self.wanting or table.after_the_last or self.halts
        enough = table.played >= self.rounds and (table.shoe or 0) >= self.shoes
        # A game that ends with its last shoe tells where the warning card came out.
        return enough and not wanting and (table.warned or "whole" not in self.features)

    def _plan(self) -> None:
        """After which rounds something happens that stops the game, one after the other."""
        at = 6
        for name in ("relief", "leave", "complaint", "stop", "spread", "reopened"):
            if name in self.features:
                at += self.rng.randint(2, 5)
                self.halts[at] = name
                at += 4

    # One shoe

    def _between(self) -> None:
        """The shoe is over; a deck may be exchanged before the next."""
        ended = self.table.resting.moment("collected")
        self.table.resting.pause(self.between)
        unchanged = self.decks == list(self.partida.decks)
        if "exchange" in self.features and unchanged and not self.table.after_the_last:
            # A deck is found damaged; another takes its place, shown before it is shuffled in.
            old, new = self.decks[1], self.partida.decks[-1] + "R"
            self._withdraw(later(ended, 0.2), old, "IN-1")
            self.show(new, later(ended, 1.5))
            self.decks[1] = new

    def _prepare(self) -> None:
        """What was done before the shoe's first round, which has just been dealt."""
        table, game = self.table, self.partida
        shoe, source, seats = table.shoe, table.source, table.seats
        assert shoe is not None
        assert isinstance(source, Shoe)
        first = table.resting.moment("stakes_closed")
        self.seated(seats, first - 330 * SECOND)
        self.shuffle(shoe, first - 300 * SECOND)
        cut = self.turns.cut(seats, self.rng)
        by = None if cut["cut_by"] == "seat" else game.pit.staff
        game.record(first - 160 * SECOND, CutMade, shoe=shoe, **cut, staff=by)
        said = game.wishes.get("said", {}).get(shoe, 0)
        self.placed(shoe, first, len(source.cards) - source.warning + said, len(seats))
        self.burned(shoe, first - 60 * SECOND)
        self.prepared = shoe

    def placed(self, shoe: int, first: datetime, from_end: int, players: int) -> None:
        """The carta-aviso goes in, by eye."""
        self.partida.record(
            first - 120 * SECOND,
            CartaAvisoPlaced,
            shoe=shoe,
            cards_from_end=from_end,
            players=players,
            cards_in_shoe=self.cards,
            measured="estimated",
        )

    def _announce(self, act: Act) -> None:
        record: RoundPlayed = act.event
        if record.warning_card_at is not None:
            self.partida.record(
                self.table.resting.moment("first_card") + 20 * SECOND,
                LastRoundAnnounced,
                shoe=record.shoe,
                round=record.round,
                number=record.number,
                came_out="during_round" if record.warning_card_at else "before_round",
                audible=True,
            )

    # What happens between two rounds

    def _after(self, act: Act) -> None:
        due = [at for at in self.halts if at <= self.table.played]
        if not due or self.table.warned:
            return
        name = self.halts.pop(due[0])
        at, record = self.table.resting.moment("collected"), act.event
        if name == "relief":
            self._stopped(at, record, "dealer_change", 3)
        elif name == "leave":
            self._one_card(at)
        elif name == "complaint":  # heard, whenever it comes: a shoe sets no end
            slip = self.received(record, later(at, 1), "payment")
            self.reviewed(slip, later(at, 9), record, method="recordings")
            self.decided(slip, later(at, 20), "not_upheld")
        else:
            self._halt(name, at, record)

    def _stopped(self, at: datetime, last: RoundPlayed, why: str, minutes: int) -> None:
        play_stopped(self.partida, later(at, 0.5), why, last)
        play_resumed(self.partida, later(at, minutes))
        self.table.resting.pause(timedelta(minutes=minutes + 1))

    def _halt(self, name: str, at: datetime, last: RoundPlayed) -> None:
        """Nobody is there, or nobody stakes: play stops, and the cut begins anew after it."""
        why = self.rng.choice(("no_players", "no_stakes"))
        self._stopped(at, last, why, 16)
        self.turns.start_over()
        if name != "stop":  # else the shoe is played on
            self.spread(at, last, why, cards=self.cards)
        if name == "reopened":
            self.reopened(at)

    def spread(self, at: datetime, last: RoundPlayed, why: str, **known: object) -> None:
        """All cards are laid out: the next round is another shoe's."""
        values = {"reason": why, "shoe": last.shoe, "round": last.round, "face_up": True} | known
        self.partida.record(later(at, 3), CardsSpread, **values)
        self.table.lay_out()

    def reopened(self, at: datetime, **known: object) -> None:
        """The table closes, guests come, and it is opened again."""
        game = self.partida
        values = {"rounds": self.table.played, "reason": "no_players"} | known
        game.record(later(at, 8), PartidaClosed, **values)
        manager = game.house.manager
        again = {"reason": "vieram_jogadores", "authorised_by": manager.staff}
        game.record(later(at, 14), PartidaReopened, manager, **again)

    def _withdraw(self, at: datetime, deck: str, number: str) -> None:
        game = self.partida
        incident = Incident(game, at, f"{number}-{game.tag}")
        report = incident.report(
            game.pit,
            category="deck_defect",
            reason="vinco",
            detail="canto",
            deck=deck,
            damaged_cards=(BENT,),
            communicated_at=later(at, 5),
            communicated_by=game.house.manager.staff,
            communicated_by_office="chefia_da_sala",
        )
        report.recorded_at = later(at, 6)
        self.withdrawn(deck, later(at, 0.5), incident)
        incident.over(later(at, 7), "baralho_retirado")

    def withdrawn(self, deck: str, at: datetime, incident: Incident) -> None:
        """A damaged deck goes out of use, whole."""
        values = {"reason": "damaged", "cards": CARDS, "held_apart": True}
        self.partida.record(at, DeckWithdrawn, deck=deck, incident=incident.code, **values)

    def bent(self, deck: str) -> None:
        """A deck that was put in order has a bent card."""
        act = self.partida.only(DeckInspected, moment="close", deck=deck)
        act.change(faces="damaged", result="damaged", damaged_cards=(BENT,))

    def _one_card(self, at: datetime) -> None:
        """The inspection service gave leave to exchange a single card."""
        game = self.partida
        leave = f"AU-{game.tag}"
        asked = LeaveAsked(
            leave=leave,
            deck=self.decks[0],
            cards=("4C",),
            document="Ofício 7",
            grounds="Não há outro baralho desta cor",
        )
        game.record(later(at, -20), asked, game.chefe)
        granted = LeaveDecided(leave=leave, decision="granted", document="Despacho 12")
        game.record(later(at, -8), granted, game.house.inspector)
        game.record(
            later(at, 0.1),
            CardReplaced,
            deck=self.decks[0],
            card="4C",
            reason="damaged",
            shown=True,
            from_deck=self.decks[0] + "X",
            authorisation=leave,
            replaced_by=game.chefe.staff,
            replaced_by_office="fiscal_chefe",
        )

    def _end(self) -> None:
        if self.table.reader:
            self.partida.wishes = {**self.partida.wishes, "reader": self.table.reader}
        reported_by_shoe(self.partida)
        reported_stakes(self.partida)
        last = self.table.resting.moment("collected")
        self.order(later(last, 4))
        if "bent" in self.features:
            self.bent(self.decks[0])
            self._withdraw(later(last, 16), self.decks[0], "IN-2")
        self.close(later(last, 26), later(last, 2), "13 17")
