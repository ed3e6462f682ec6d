"""A table with an automatic shuffler: loaded and emptied before a witness, put right in a jam."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from casino.events.complaints import ComplaintDecided, ComplaintReceived, DisputeReviewed
from casino.events.floor_life import RoundsDeferred
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import CardBurned
from casino.events.shufflers import (
    LoadedWhy,
    ShufflerFoundEmpty,
    ShufflerLoaded,
    ShufflerUnloaded,
    UnloadedWhy,
)
from casino.events.staff import Office
from casino.simulation.procedures import simulated_cast
from casino.simulation.procedures.attendance import Attendance
from casino.simulation.procedures.procedure_acts import MINUTE, SECOND, Act, Word, retimed
from casino.simulation.procedures.simulated_troubles import Troubles
from casino.simulation.procedures.table_story import CARDS, Story, later

# What may happen at such a table; each in some partidas, or in the one that is asked for it.
FEATURES: Final = (
    "jam", "technician", "light", "damaged", "full", "disputed", "late_complaint", "heard",
)  # fmt: skip


@dataclass(slots=True, kw_only=True, eq=False)
class ShufflerStory(Story):
    """One partida at a shuffler."""

    first: datetime
    attendance: Attendance
    halts: dict[int, str] = field(default_factory=dict)
    waiting: Act | None = None
    loads: int = 0

    def play_out(self) -> None:
        """The whole of it."""
        if self.partida.wishes.get("stacked"):
            self.table.stack()
        self._plan()
        self.open(self.first)
        self.seated(self.table.seats, self.first - 2 * MINUTE)
        self._load(later(self.first, -12), "opening")
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

    def _load(self, at: datetime, why: LoadedWhy) -> None:
        """Shuffled by hand, put in before a fiscal-chefe, a card burnt."""
        game = self.partida
        assert game.shuffler is not None
        self.loads += 1
        self.shuffle(self.loads, later(at, -4))
        loaded = ShufflerLoaded(
            **game.where,
            shuffler=game.shuffler,
            decks=tuple(self.decks),
            packets=self.rng.randint(2, 4),
            operator=self.dealer,
            fiscal_chefe=game.chefe.staff,
            reason=why,
            started_at=later(at, -2),
            ended_at=at,
            cards=CARDS * len(self.decks),
        )
        self.witnessed(game.record(at, loaded), "54")
        burned = CardBurned(
            **game.where, shoe=self.loads, cards=1, to_discard_corner=True, seen=False
        )
        game.record(later(at, 5), burned)

    def _unload(self, at: datetime, why: UnloadedWhy) -> None:
        game = self.partida
        assert game.shuffler is not None
        unloaded = ShufflerUnloaded(
            **game.where,
            shuffler=game.shuffler,
            decks=tuple(self.decks),
            operator=self.dealer,
            fiscal_chefe=game.chefe.staff,
            closing_announced=why == "closing",
            reason=why,
            started_at=later(at, -2),
            ended_at=at,
            cards=CARDS * len(self.decks),
            empty=True,
        )
        self.witnessed(game.record(at, unloaded), "55")

    def witnessed(self, act: Act, article: str) -> Act:
        """A fiscal-chefe who is at no other table puts his word to it."""
        came, left = later(act.at, -3), later(act.at, 0.5)
        who = self.attendance.free(self.partida.chefe, came, left)
        office: Office = "fiscal_chefe"
        word = Word(act, who.staff, office, article, came, left)
        return self.partida.record(left, word, who)

    # What happens between two rounds

    def _after(self, act: Act) -> None:
        due = [at for at in self.halts if at <= self.table.played]
        if not due:
            return
        name, record = self.halts[due[0]], act.event
        if name in ("full", "disputed", "heard", "late_complaint") and _untimed(record):
            return  # the next round will do
        del self.halts[due[0]]
        if name == "full":
            self._deferred(act, "shuffler_full")
        elif name == "disputed":
            self._disputed(act)
        elif name in ("heard", "late_complaint"):
            self._complained(record, in_time=name == "heard")
        else:
            self._trouble(name, record)

    def _trouble(self, name: str, record: RoundPlayed) -> None:
        troubles = Troubles(self.partida, self.rng)
        at = self.table.resting.moment("inserted")
        if name == "damaged":
            rests = troubles.damaged(at, record)
        elif self.partida.wishes.get("emptied"):
            rests = troubles.jammed(at, record, emptied=True)
            self._unload(later(at, 6), "jam")
            self._load(later(at, 14), "after_emptying")
            rests += 14 * MINUTE
        else:
            rests = troubles.jammed(
                at, record, light=name == "light", technician=name == "technician"
            )
        troubles.resumed(at + rests - MINUTE)
        self.table.resting.pause(rests)

    def _deferred(self, act: Act, why: str) -> None:
        """The cards could not be put back: they wait for the next round's."""
        deferred = RoundsDeferred(
            **self.partida.where,
            rounds=(act.event.round,),
            reason="dispute" if why == "dispute" else "shuffler_full",
            shuffler=self.partida.shuffler,
        )
        self.partida.record(self.table.resting.moment("collected") + SECOND, deferred)
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
        slip = self._received(act.event, at + 2 * SECOND, "counting")
        reviewed = DisputeReviewed(
            **self.partida.where,
            dispute=slip,
            method="cards",
            error_by="nobody",
            round=act.event.round,
            started_at=at + 10 * SECOND,
            ended_at=at + 15 * SECOND,
        )
        self.partida.record(at + 15 * SECOND, reviewed)
        self._decided(slip, later(at, 12), upheld=self.rng.random() < 0.5)

    def _complained(self, record: RoundPlayed, *, in_time: bool) -> None:
        """Settled on the spot while the cards lay there, or too late and told so."""
        game, resting = self.partida, self.table.resting
        if not in_time:
            at = resting.moment("inserted") + 5 * SECOND
            slip = self._received(record, at, "payment")
            decided = ComplaintDecided(
                **game.where,
                complaint=slip,
                outcome="inadmissible",
                reason="fora_de_tempo",
                told_at=later(at, 1),
                told_of_inspector=True,
            )
            game.record(later(at, 1), decided, simulated_cast.MANAGER)
            return
        at = resting.moment("paid")
        slip = self._received(record, at, "payment")
        self._decided(slip, at + 2 * SECOND, upheld=True)

    def _received(self, record: RoundPlayed, at: datetime, about: str) -> str:
        game = self.partida
        slip = f"RC-{len(game.of(ComplaintReceived)) + 1}-{game.tag}"
        received = ComplaintReceived(
            **game.where,
            complaint=slip,
            subject="counting" if about == "counting" else "payment",
            received_at=at,
            round=record.round,
            shoe=record.shoe,
            number=record.number,
            box=record.boxes[0].number,
        )
        game.record(at, received)
        return slip

    def _decided(self, slip: str, at: datetime, *, upheld: bool) -> None:
        decided = ComplaintDecided(
            **self.partida.where,
            complaint=slip,
            outcome="upheld" if upheld else "not_upheld",
            reason="visto",
            told_at=at,
            told_of_inspector=True,
        )
        self.partida.record(at, decided, simulated_cast.MANAGER)

    def _end(self) -> None:
        game, last = self.partida, self.table.resting.moment("inserted")
        assert game.shuffler is not None
        self._unload(later(last, 6), "closing")
        looked = ShufflerFoundEmpty(
            **game.where, shuffler=game.shuffler, cards_found=0, second=game.chefe.staff
        )
        game.record(later(last, 7), looked)
        self.order(later(last, 8))
        self.close(later(last, 26), later(last, 2), "13 17 58 59 60")


def _untimed(record: RoundPlayed) -> bool:
    return record.times is None or record.times.collected is None
