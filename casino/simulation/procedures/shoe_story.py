"""A table that deals from a shoe: made ready shoe after shoe, stopped, opened again, closed."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from casino.events.complaints import ComplaintDecided, ComplaintReceived, DisputeReviewed
from casino.events.deck_life import CardReplaced, DeckWithdrawn
from casino.events.floor_life import PartidaReopened
from casino.events.incidents import IncidentClosed, IncidentReported, Person
from casino.events.inspection import LeaveAsked, LeaveDecided
from casino.events.partidas import PartidaClosed
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import (
    CardBurned,
    CardsSpread,
    CartaAvisoPlaced,
    CutMade,
    LastRoundAnnounced,
    PlayInterrupted,
    PlayResumed,
)
from casino.simulation.card_source import Shoe
from casino.simulation.procedures import simulated_cast
from casino.simulation.procedures.procedure_acts import SECOND, Act
from casino.simulation.procedures.table_story import (
    CARDS,
    CARTA_AVISO,
    CUT_CARD,
    Story,
    later,
)
from casino.simulation.procedures.turns import Turns

BETWEEN: Final = timedelta(minutes=8)  # from the end of a shoe to the next one's first round
MOST_ROUNDS: Final = 220
# What may happen at such a table; each in some partidas, or in the one that is asked for it.
FEATURES: Final = ("stop", "spread", "reopened", "relief", "exchange", "leave", "bent", "complaint")


@dataclass(slots=True, kw_only=True, eq=False)
class ShoeStory(Story):
    """One partida dealt from shoes, at least as many as `shoes` asks."""

    first: datetime
    shoes: int = 2
    turns: Turns = field(default_factory=Turns)
    prepared: int = 0
    halts: dict[int, str] = field(default_factory=dict)

    def play_out(self) -> None:
        """The whole of it."""
        self._plan()
        self.open(self.first, cut_card=CUT_CARD, carta_aviso=CARTA_AVISO)
        for shoe, cards in self.partida.wishes.get("displaced", {}).items():
            self.table.displace(shoe, cards)
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
        self.table.resting.pause(BETWEEN)
        unchanged = self.decks == list(self.partida.decks)
        if "exchange" in self.features and unchanged and not self.table.after_the_last:
            self._exchange(ended)

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
        game.record(first - 160 * SECOND, CutMade(**game.where, shoe=shoe, **cut, staff=by))
        said = self.partida.wishes.get("said", {}).get(shoe, 0)
        placed = CartaAvisoPlaced(
            **game.where,
            shoe=shoe,
            cards_from_end=len(source.cards) - source.warning + said,
            players=len(seats),
            cards_in_shoe=CARDS * len(self.decks),
            measured="estimated",
        )
        game.record(first - 120 * SECOND, placed)
        burned = CardBurned(**game.where, shoe=shoe, cards=1, to_discard_corner=True, seen=False)
        game.record(first - 60 * SECOND, burned)
        self.prepared = shoe

    def _announce(self, act: Act) -> None:
        record: RoundPlayed = act.event
        if record.warning_card_at is None:
            return
        announced = LastRoundAnnounced(
            **self.partida.where,
            shoe=record.shoe,
            round=record.round,
            number=record.number,
            came_out="during_round" if record.warning_card_at else "before_round",
            audible=True,
        )
        self.partida.record(self.table.resting.moment("first_card") + 20 * SECOND, announced)

    # What happens between two rounds

    def _after(self, act: Act) -> None:
        due = [at for at in self.halts if at <= self.table.played]
        if not due or self.table.warned:
            return
        name = self.halts.pop(due[0])
        at = self.table.resting.moment("collected")
        if name == "relief":
            self._stopped(at, act.event, "dealer_change", 3)
        elif name == "leave":
            self._one_card(at)
        elif name == "complaint":
            self._complained(at, act.event)
        else:
            self._halt(name, at, act.event)

    def _stopped(
        self, at: datetime, last_round_played: RoundPlayed, why: Any, minutes: int
    ) -> None:
        game = self.partida
        stop = PlayInterrupted(
            **game.where, reason=why, shoe=last_round_played.shoe, round=last_round_played.round
        )
        game.record(later(at, 0.5), stop)
        game.record(later(at, minutes), PlayResumed(**game.where))
        self.table.resting.pause(timedelta(minutes=minutes + 1))

    def _halt(self, name: str, at: datetime, last_round_played: RoundPlayed) -> None:
        """Nobody is there, or nobody stakes: play stops, and the cut begins anew after it."""
        game = self.partida
        why: Any = self.rng.choice(("no_players", "no_stakes"))
        self._stopped(at, last_round_played, why, 16)
        self.turns.start_over()
        if name == "stop":
            return  # the shoe is played on
        spread = CardsSpread(
            **game.where,
            reason=why,
            shoe=last_round_played.shoe,
            round=last_round_played.round,
            face_up=True,
            cards=CARDS * len(self.decks),
        )
        game.record(later(at, 3), spread)
        self.table.lay_out()
        if name == "reopened":
            closed = PartidaClosed(**game.where, rounds=self.table.played, reason="no_players")
            game.record(later(at, 8), closed)
            opened = PartidaReopened(
                **game.where, reason="vieram_jogadores", authorised_by=simulated_cast.MANAGER.staff
            )
            game.record(later(at, 14), opened, simulated_cast.MANAGER)

    def _exchange(self, at: datetime) -> None:
        """A deck is found damaged; another takes its place, shown before it is shuffled in."""
        old, new = self.decks[1], self.partida.decks[-1] + "R"
        self._withdraw(later(at, 0.2), old, "IN-1")
        self.show(new, later(at, 1.5))
        self.decks[1] = new

    def _withdraw(self, at: datetime, deck: str, number: str) -> None:
        game = self.partida
        incident = f"{number}-{game.tag}"
        reported = IncidentReported(
            **game.where,
            incident=incident,
            category="deck_defect",
            reason="vinco",
            detail="canto",
            people=(Person(person=game.pit.staff, role="fiscal_de_banca"),),
            deck=deck,
            damaged_cards=("9D",),
            noticed_at=at,
            communicated_at=later(at, 5),
            communicated_by=simulated_cast.MANAGER.staff,
            communicated_by_office="chefia_da_sala",
        )
        game.record(at, reported).recorded_at = later(at, 6)
        out = DeckWithdrawn(
            **game.where,
            deck=deck,
            reason="damaged",
            cards=CARDS,
            held_apart=True,
            incident=incident,
        )
        game.record(later(at, 0.5), out)
        over = IncidentClosed(
            **game.where, incident=incident, outcome="settled", reason="baralho_retirado"
        )
        game.record(later(at, 7), over)

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
        game.record(later(at, -8), granted, simulated_cast.INSPECTOR)
        replaced = CardReplaced(
            **game.where,
            deck=self.decks[0],
            card="4C",
            reason="damaged",
            shown=True,
            from_deck=self.decks[0] + "X",
            authorisation=leave,
            replaced_by=game.chefe.staff,
            replaced_by_office="fiscal_chefe",
        )
        game.record(later(at, 0.1), replaced)

    def _complained(self, at: datetime, last_round_played: RoundPlayed) -> None:
        """Heard, whenever it comes: a shoe sets no end."""
        game = self.partida
        slip = f"RC-1-{game.tag}"
        received = ComplaintReceived(
            **game.where,
            complaint=slip,
            subject="payment",
            received_at=later(at, 1),
            round=last_round_played.round,
            shoe=last_round_played.shoe,
            number=last_round_played.number,
        )
        game.record(later(at, 1), received)
        reviewed = DisputeReviewed(
            **game.where,
            dispute=slip,
            method="recordings",
            error_by="nobody",
            round=last_round_played.round,
        )
        game.record(later(at, 9), reviewed)
        decided = ComplaintDecided(
            **game.where,
            complaint=slip,
            outcome="not_upheld",
            reason="visto",
            told_at=later(at, 20),
            told_of_inspector=True,
        )
        game.record(later(at, 20), decided, simulated_cast.MANAGER)

    def _end(self) -> None:
        last = self.table.resting.moment("collected")
        self.order(later(last, 4))
        if "bent" in self.features:
            game = self.partida
            (ordered,) = [
                act
                for act in game.acts
                if getattr(act.event, "moment", "") == "close"
                and getattr(act.event, "deck", "") == self.decks[0]
            ]
            ordered.change(faces="damaged", result="damaged", damaged_cards=("9D",))
            self._withdraw(later(last, 16), self.decks[0], "IN-2")
        self.close(later(last, 26), later(last, 2), "13 17")
