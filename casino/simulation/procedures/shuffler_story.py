"""A table with an automatic shuffler: loaded and emptied before a witness, put right in a jam."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from casino.events.floor_life import RoundsDeferred
from casino.events.round.round_played import RoundPlayed
from casino.events.shufflers import (
    LoadedWhy,
    ShufflerFoundEmpty,
    ShufflerLoaded,
    ShufflerUnloaded,
    UnloadedWhy,
)
from casino.simulation.procedures.machine_reports import (
    reported_at_closing,
    reported_at_load,
    reported_stakes,
    reported_trouble,
)
from casino.simulation.procedures.procedure_acts import (
    MINUTE,
    SECOND,
    Act,
    Partida,
    Who,
    Word,
    later,
    retimed,
)
from casino.simulation.procedures.simulated_troubles import card_replaced, jammed, play_resumed
from casino.simulation.procedures.table_story import Story

# What may happen at such a table; each in some partidas, or in the one that is asked for it.
FEATURES: Final = (
    "jam", "technician", "light", "damaged", "full", "disputed", "late_complaint", "heard",
)  # fmt: skip


APART: Final = 2 * MINUTE  # from one table to another


@dataclass(slots=True)
class Attendance:
    """Which fiscal-chefe is at which table when: nobody is at two at once."""

    stays: list[tuple[datetime, datetime, Who]] = field(default_factory=list)

    def free(self, game: Partida, came: datetime, left: datetime) -> Who:
        """The partida's fiscal-chefe, or another where he is somewhere else; he stays so long."""
        ordered = (game.chefe, *(who for who in game.house.chefes if who != game.chefe))
        busy = {
            who for begin, end, who in self.stays if begin - APART < left and came < end + APART
        }
        who = next(one for one in ordered if one not in busy)
        self.stays.append((came, left, who))
        return who


@dataclass(slots=True, kw_only=True, eq=False)
class ShufflerStory(Story):
    """One partida at a shuffler."""

    attendance: Attendance = field(default_factory=Attendance)
    waiting: Act | None = None
    loads: int = 0

    def play_out(self) -> None:
        """The whole of it."""
        if self.partida.wishes.get("stacked"):
            self.table.stack()
        self._plan()
        self.open()
        self.seated(self.table.seats, self.first - 2 * MINUTE)
        self.load(later(self.first, -12), "opening")
        while self.table.played < self.rounds or self.halts or self.wanting:
            act = self.play("inserted", shoe=self.loads)
            if not self._put_back_with(act):
                self._after(act)
        self._end()

    def _plan(self) -> None:
        """After which rounds something happens, one thing after the other."""
        at = 2
        for name in FEATURES:
            if name in self.features:
                at += self.rng.randint(2, 4)
                self.halts[at] = name

    # In and out of the machine

    def load(self, at: datetime, why: LoadedWhy) -> None:
        """Shuffled by hand, put in before a fiscal-chefe, a card burnt."""
        game = self.partida
        self.loads += 1
        self.shuffle(self.loads, later(at, -4))
        loaded = game.record(
            at,
            ShufflerLoaded,
            shuffler=game.shuffler,
            decks=tuple(self.decks),
            packets=self.rng.randint(2, 4),
            operator=self.dealer,
            fiscal_chefe=game.chefe.staff,
            reason=why,
            started_at=later(at, -2),
            ended_at=at,
            cards=self.cards,
        )
        self._witnessed(loaded, "54")
        reported_at_load(game, at, self.cards)
        self.burned(self.loads, later(at, 5))

    def unload(self, at: datetime, why: UnloadedWhy) -> None:
        """All cards come out before a fiscal-chefe."""
        game = self.partida
        unloaded = game.record(
            at,
            ShufflerUnloaded,
            shuffler=game.shuffler,
            decks=tuple(self.decks),
            operator=self.dealer,
            fiscal_chefe=game.chefe.staff,
            closing_announced=why == "closing",
            reason=why,
            started_at=later(at, -2),
            ended_at=at,
            cards=self.cards,
            empty=True,
        )
        self._witnessed(unloaded, "55")

    def _witnessed(self, act: Act, article: str) -> None:
        """A fiscal-chefe who is at no other table puts his word to it."""
        came, left = later(act.at, -3), later(act.at, 0.5)
        who = self.attendance.free(self.partida, came, left)
        self.partida.record(left, Word(act, who.staff, who.office, article, came, left), who)

    # What happens between two rounds

    def _after(self, act: Act) -> None:
        due = [at for at in self.halts if at <= self.table.played]
        if not due:
            return
        name, record, resting = self.halts[due[0]], act.event, self.table.resting
        untimed = record.times is None or record.times.collected is None
        if name in ("full", "disputed", "heard", "late_complaint") and untimed:
            return  # the next round will do
        del self.halts[due[0]]
        if name == "full":
            self._deferred(act, "shuffler_full")
        elif name == "disputed":
            self._disputed(act)
        elif name == "late_complaint":  # too late, and told so
            at = resting.moment("inserted") + 5 * SECOND
            slip = self._complained(record, at, "payment")
            self.decided(slip, later(at, 1), "inadmissible", "fora_de_tempo")
        elif name == "heard":  # settled on the spot while the cards lay there
            at = resting.moment("paid")
            self.decided(self._complained(record, at, "payment"), at + 2 * SECOND, "upheld")
        else:
            self._trouble(name, record)

    def _trouble(self, name: str, record: RoundPlayed) -> None:
        at, emptied = self.table.resting.moment("inserted"), False
        if name == "damaged":
            rests = card_replaced(self.partida, at, record)
        else:
            emptied = "emptied" in self.partida.wishes
            rests = jammed(self.partida, at, record, self.rng, "" if emptied else name)
            reported_trouble(self.partida, at, at + rests - MINUTE)
        if emptied:
            self.unload(later(at, 6), "jam")
            self.load(later(at, 14), "after_emptying")
            rests += 14 * MINUTE
        play_resumed(self.partida, at + rests - MINUTE)
        self.table.resting.pause(rests)

    def _deferred(self, act: Act, why: str) -> None:
        """The cards could not be put back: they wait for the next round's."""
        self.partida.record(
            self.table.resting.moment("collected") + SECOND,
            RoundsDeferred,
            rounds=(act.event.round,),
            reason=why,
            shuffler=self.partida.shuffler,
        )
        self.waiting = act
        self.table.waiting = True

    def _put_back_with(self, act: Act) -> bool:
        """Whether cards that had to wait went back with this round's."""
        waiting, self.waiting = self.waiting, None
        if waiting is None:
            return False
        if act.event.times is not None:
            retimed(waiting, inserted=act.event.times.inserted)
        else:
            waiting.change(times=None)  # then nobody wrote down when
        return True

    def _disputed(self, act: Act) -> None:
        """A complaint in time: the cards are looked at before they go back."""
        self._deferred(act, "dispute")
        at = self.table.resting.moment("collected")
        slip = self._complained(act.event, at + 2 * SECOND, "counting")
        begun, ended = at + 10 * SECOND, at + 15 * SECOND
        self.reviewed(slip, ended, act.event, method="cards", started_at=begun, ended_at=ended)
        self.decided(slip, later(at, 12), "upheld" if self.rng.random() < 0.5 else "not_upheld")

    def _complained(self, record: RoundPlayed, at: datetime, subject: str) -> str:
        return self.received(record, at, subject, box=record.boxes[0].number)

    def _end(self) -> None:
        self._emptied()
        last = self.table.resting.moment("inserted")
        self.close(later(last, 26), later(last, 2), "13 17 58 59 60")

    def _emptied(self) -> None:
        """After the last round the cards come out, and are put in order."""
        game, last = self.partida, self.table.resting.moment("inserted")
        self.unload(later(last, 6), "closing")
        looked = {"shuffler": game.shuffler, "cards_found": 0, "second": game.chefe.staff}
        game.record(later(last, 7), ShufflerFoundEmpty, **looked)
        reported_at_closing(game, later(last, 7.5))
        reported_stakes(game)
        self.order(later(last, 8))
