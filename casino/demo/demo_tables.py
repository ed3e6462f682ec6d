"""The demo's tables: those of the simulated evening, with what its own people do otherwise."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any, ClassVar, Final

from casino.demo import cast
from casino.demo.cast import Member
from casino.demo.demo_evening import Evening
from casino.events.decks import DeckInspected
from casino.events.floor_life import ChipsCounted, CountedWhen, RoundsDeferred
from casino.events.partidas import PartidaClosed, PartidaOpened
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import CardBurned, CardsShuffled, CutOffer, LastRoundAnnounced
from casino.events.shufflers import ShufflerLoaded, ShufflerUnloaded
from casino.simulation.fault_labels import Label
from casino.simulation.faults.every_fault import Mischief
from casino.simulation.procedures.machine_reports import reported_trouble
from casino.simulation.procedures.procedure_acts import (
    MINUTE,
    SECOND,
    Act,
    Partida,
    later,
    retimed,
)
from casino.simulation.procedures.shoe_story import BENT, ShoeStory
from casino.simulation.procedures.shuffler_story import ShufflerStory
from casino.simulation.procedures.simulated_tables import SeatedTable
from casino.simulation.procedures.simulated_troubles import (
    CARD,
    Incident,
    play_resumed,
    play_stopped,
)
from casino.simulation.procedures.table_story import Story
from casino.simulation.procedures.turns import Turns
from casino.simulation.round_record import PACE

SEED: Final = 20
REFUSES: Final = 7  # every so manieth shoe the first who is asked does not want to cut
NOBODY: Final = 4  # the same where nobody wants to


def partida_of(
    evening: Evening, table: str, number: int, pit: Member, chefe: Member = cast.CHEFE
) -> Partida:
    """One of the evening's partidas."""
    machine = table == "BJ-02"
    return Partida(
        day=evening.day,
        table=table,
        number=number,
        dealing="shuffler" if machine else "shoe",
        decks=cast.DECKS[f"{table}/{number}"],
        pit=pit.who,
        chefe=chefe.who,
        house=cast.HOUSE,
        dealers=tuple(dealer.number for dealer in cast.DEALERS[table]),
        device=cast.DEVICES.get(table, pit).who,
        shuffler=cast.SHUFFLER if machine else None,
    )


def known_of(game: Partida, first: datetime, rounds: int) -> dict[str, Any]:
    """What a story of the partida begins with: its simulated table, with its own clock."""
    index, seed = int(game.table[3:]) - 1, SEED + game.number
    chance = Random(f"demo/{seed}/{index}")  # noqa: S311 - the same evening each time
    table = SeatedTable(index, seed, first, game.day)
    table.mischief = Mischief(chance)
    table.partida = game.name
    table.seats = sorted(table.floor.seated)
    return {"partida": game, "table": table, "rng": chance, "rounds": rounds, "first": first}


@dataclass(slots=True)
class Cuts(Turns):
    """Whose turn the cut is; every so often somebody refuses. `wrong` is cut out of turn."""

    wrong: int = 0
    made_so_far: int = 0

    def cut(self, seats: Sequence[int], rng: Random) -> dict[str, Any]:
        """The next cut."""
        self.made_so_far += 1
        asked = self.asked(seats)
        declined = asked if self.made_so_far % NOBODY == 0 else []
        if self.made_so_far % REFUSES == 0 and len(asked) > 1:
            declined = asked[:1]
        made = self.made(seats, declined)
        if self.made_so_far == self.wrong:
            self.last = asked[-1]
            taken = (CutOffer(seat=self.last, accepted=True),)
            made |= {"seat": self.last, "cut_by": "seat", "offers": taken}
        return made


class _DemoStory(Story):
    """The wishes of its partida: `errors`, rounds in which the table makes one of its mistakes."""

    __slots__ = ()
    arrives: ClassVar[int] = 2
    more: ClassVar[int]  # chips at the closing beyond the float

    def _dealt(self) -> tuple[RoundPlayed, Label | None]:
        wicked = self.table.played + 1 in self.partida.wishes.get("errors", ())
        found = self.table.next_round(1 if wicked and not self.table.warned else 0)
        self.table.seats = sorted(self.table.floor.seated)
        return found

    def _more(self, moment: CountedWhen) -> int:
        return 0 if moment == "opening" else self.more

    def written_here(self) -> None:
        """The first dealer counts, loads and empties; and the simulated house writes down more."""
        game = self.partida
        first, pit = game.dealers[0], game.pit.staff
        changes: tuple[tuple[Any, dict[str, object], dict[str, object]], ...] = (
            (PartidaOpened, {}, {"pagador": first}),
            (ChipsCounted, {}, {"pagador": first}),
            (DeckInspected, {"moment": "exhibition"}, {"fiscal_de_banca": pit}),
            (DeckInspected, {"moment": "close"}, {"pagador": None, "jokers": None}),
            (CardBurned, {}, {"seen": None}),
            (ShufflerLoaded, {}, {"operator": first}),
            (ShufflerUnloaded, {}, {"operator": first}),
            (LastRoundAnnounced, {}, {"came_out": "during_round"}),
            (PartidaClosed, {"reason": "end_of_day"}, {"pagador": first}),
        )
        for event_class, which, values in changes:
            for act in game.of(event_class, **which):
                act.change(**values)


@dataclass(slots=True, kw_only=True, eq=False)
class DemoShoe(_DemoStory, ShoeStory):
    """One partida dealt from shoes.

    `bent` is a deck that is put in order and found with a bent card, `stopped_after` the round
    after which nobody stakes: the table closes, and is opened again.
    """

    between: ClassVar[timedelta] = 7 * MINUTE
    more: ClassVar[int] = 12

    bent_deck: str = ""
    stopped_after: int = 0

    def _over(self) -> bool:
        return self.table.played >= self.rounds

    def _after(self, act: Act) -> None:
        if self.table.played != self.stopped_after:
            return
        at = self.table.resting.moment("collected")
        play_stopped(self.partida, at + MINUTE, "no_stakes", act.event)
        self.spread(at, act.event, "no_stakes")
        self.reopened(at, closing_announced_at=at + 6 * MINUTE)
        play_resumed(self.partida, at + 15 * MINUTE)
        self.table.resting.pause(26 * MINUTE)
        self.turns.start_over()

    def _end(self) -> None:
        last = self.table.resting.moment("collected")
        self.order(later(last, 4))
        if self.bent_deck:
            self.bent(self.bent_deck)
            self._made_known(later(last, 13))
        self.close(later(last, 20), later(last, 2), "13 17", counted=2 * MINUTE)
        self.written_here()

    def _made_known(self, at: datetime) -> None:
        """The deck with the bent card goes out of use; the inspection service hears of it."""
        game, deck = self.partida, self.bent_deck
        code = f"{game.table[3:]}{game.number}9"
        incident = Incident(game, at, f"IN-{code}")
        incident.report(
            game.pit,
            category="deck_defect",
            reason="outro",
            detail="vinco",
            deck=deck,
            damaged_cards=(BENT,),
            text="O nove de ouros tem um vinco a meio.",
        )
        self.withdrawn(deck, at + MINUTE, incident)
        incident.notice(3, f"NI-{code}", "deck", deck, "Mensagem 33")
        incident.over(later(at, 4), "baralho_retirado")


@dataclass(slots=True, kw_only=True, eq=False)
class DemoShuffler(_DemoStory, ShufflerStory):
    """One partida at the shuffler, in whose `halts` are a jam, a damaged card, a dispute.

    A jam is put right, the machine emptied and loaded again.
    """

    more: ClassVar[int] = 30

    def play_out(self) -> None:
        """The whole of it."""
        ShufflerStory.play_out(self)
        self.written_here()
        for act in self.partida.of(CardsShuffled):
            act.change(shuffled_by=self.partida.dealers[0])

    def _after(self, act: Act) -> None:
        name = self.halts.pop(self.table.played, "")
        at = self.table.resting.moment("inserted")
        if name == "disputed":
            self._disputed(act)
        elif name == "damaged":
            self._damaged(at, act.event)
        elif name == "jammed":
            self._jammed(at, act.event)

    def _damaged(self, at: datetime, record: RoundPlayed) -> None:
        """A card comes out bent; it is replaced at once, and made known."""
        game = self.partida
        number, deck = game.number, game.decks[2]
        incident = Incident(game, at, f"IN-{number}01")
        incident.report(
            game.chefe,
            category="damaged_card",
            reason="canto_dobrado",
            detail="ao_sair_do_baralhador",
            round=record.round,
            shuffler=game.shuffler,
            deck=deck,
            damaged_cards=(CARD,),
            replaced="card",
            text="O oito de espadas saiu com um canto dobrado e foi substituído.",
        )
        incident.called(0.25, 0.5)
        incident.replaced(0.75, deck, cast.RESERVE)
        incident.step("resolved", 1, game.chefe)
        incident.notice(40, f"NI-{number}01", "damaged_card", deck, "Mensagem 31")
        incident.footage(41, f"RG-{number}01")
        incident.over(later(at, 42), "carta_substituida")
        self.table.resting.pause(2 * MINUTE)

    def _jammed(self, at: datetime, record: RoundPlayed) -> None:
        """The machine stops; a fiscal-chefe lifts the lid and empties it."""
        game = self.partida
        play_stopped(game, at + 10 * SECOND, "shuffler", record)
        incident = Incident(game, at, f"IN-{game.number}02")
        incident.report(
            game.chefe,
            category="jam",
            reason="carta_presa",
            detail="segundo_rolo",
            shuffler=game.shuffler,
            emptied=True,
            text="Uma carta presa no segundo rolo.",
        )
        incident.called(0.5, 2)
        incident.step("lid_opened", 3, game.chefe)
        incident.step("lid_closed", 7, game.chefe)
        incident.step("resolved", 8, game.chefe)
        incident.lid(emptied=True)
        reported_trouble(game, at, later(at, 7.5))
        self.unload(later(at, 7), "jam")
        self.load(later(at, 15), "after_emptying")
        play_resumed(game, later(at, 22), shoe=self.loads)
        incident.over(later(at, 22), "resolvido")
        self.table.resting.pause(22 * MINUTE)
        self.table.number = 0

    def _disputed(self, act: Act) -> None:
        """The round's cards wait while a complaint is looked into: they go back with the next."""
        game, resting = self.partida, self.table.resting
        at = resting.moment("collected") + SECOND
        waits = {"rounds": (act.event.round,), "reason": "dispute", "shuffler": game.shuffler}
        game.record(at, RoundsDeferred, **waits)
        slip = self.received(
            act.event,
            at + SECOND,
            "counting",
            complaint=f"RC-{game.number}01",
            box=act.event.boxes[0].number,
            cards_inserted=False,
            text="Entende que a sua mão somava vinte.",
        )
        begun, ended = at + 11 * SECOND, at + 31 * SECOND
        self.reviewed(slip, ended, act.event, method="cards", started_at=begun, ended_at=ended)
        self.decided(slip, later(at + SECOND, 30), "not_upheld", "footage")
        act.change(times=resting.last)
        retimed(act, inserted=resting.moment("inserted") + PACE)

    def _end(self) -> None:
        self._emptied()
        last = self.table.resting.moment("inserted")
        answers = "13 17 58 59"
        self.close(later(last, 24), later(last, 2), answers, counted=2 * MINUTE)
