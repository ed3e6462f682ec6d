"""What goes wrong at a shuffler and what is done about it: a jam, a bent card, a complaint."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from casino.demo import cast
from casino.demo.cast import Member
from casino.demo.demo_cards import Game
from casino.demo.demo_lines import Line
from casino.events.complaints import ComplaintDecided, ComplaintReceived, DisputeReviewed
from casino.events.deck_life import CardReplaced
from casino.events.floor_life import RoundsDeferred
from casino.events.incidents import (
    IncidentClosed,
    IncidentReported,
    IncidentStep,
    Person,
    Step,
)
from casino.events.notices import FootageHeld, NoticeSent
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import PlayInterrupted, PlayResumed
from casino.events.shufflers import ShufflerOpened

MINUTE: Final = timedelta(minutes=1)
REPLACED: Final = 2 * MINUTE  # how long play rests while a card is exchanged
CLEARED: Final = 9 * MINUTE  # the same until a jam is cleared
RESERVE: Final = "D-0299"


@dataclass(frozen=True, slots=True)
class Troubles:
    """The troubles of one partida: who is called, and what their numbers begin with."""

    game: Game
    chefe: Member
    number: str

    def _line(self, at: datetime, event: object, member: Member | None = None) -> Line:
        return (
            self.game.line(at, event)
            if member is None
            else Line(at=at, by=member.at_the_desk, event=event)
        )

    def _steps(self, incident: str, at: datetime, *steps: tuple[Step, float]) -> Iterator[Line]:
        """What was done next, minute by minute, by the fiscal-chefe but for the call."""
        for step, minutes in steps:
            called = step == "called"
            event = IncidentStep(
                **self.game.at,
                incident=incident,
                step=step,
                by=self.game.by.staff if called else self.chefe.number,
                by_office="fiscal_de_banca" if called else "fiscal_chefe",
            )
            yield self._line(at + minutes * MINUTE, event)

    def damaged(self, at: datetime, record: RoundPlayed, deck: str) -> Iterator[Line]:
        """A card comes out bent; it is replaced at once, the inspection service told."""
        incident = f"IN-{self.number}01"
        report = IncidentReported(
            **self.game.at,
            incident=incident,
            category="damaged_card",
            reason="canto_dobrado",
            detail="ao_sair_do_baralhador",
            people=(Person(person=self.chefe.number, role="fiscal_chefe"),),
            round=record.round,
            shuffler=cast.SHUFFLER,
            deck=deck,
            damaged_cards=("8S",),
            replaced="card",
            noticed_at=at,
            text="O oito de espadas saiu com um canto dobrado e foi substituído.",
        )
        yield self._line(at, report)
        yield from self._steps(incident, at, ("called", 0.25), ("arrived", 0.5))
        replaced = CardReplaced(
            **self.game.at,
            deck=deck,
            card="8S",
            reason="damaged",
            from_deck=RESERVE,
            replaced_by=self.chefe.number,
            replaced_by_office="fiscal_chefe",
            shuffler=cast.SHUFFLER,
            shown=True,
            incident=incident,
        )
        yield self._line(at + 0.75 * MINUTE, replaced, self.chefe)
        yield from self._steps(incident, at, ("resolved", 1.0))
        yield from self._lines(at, incident, deck)
        over = IncidentClosed(
            **self.game.at, incident=incident, outcome="settled", reason="carta_substituida"
        )
        yield self._line(at + 42 * MINUTE, over)

    def _lines(self, at: datetime, incident: str, deck: str) -> Iterator[Line]:
        """The room's management tells the inspection service, and has the recordings kept."""
        notice = NoticeSent(
            **self.game.at,
            notice=f"NI-{self.number}01",
            to="inspection_service",
            about="damaged_card",
            means="portal",
            reference="Mensagem 31",
            sent_at=at + 40 * MINUTE,
            sent_by=cast.MANAGER.number,
            sent_by_office="chefia_da_sala",
            incident=incident,
            deck=deck,
        )
        held = FootageHeld(
            **self.game.at,
            hold=f"RG-{self.number}01",
            recorded_from=at - 5 * MINUTE,
            recorded_until=at + 5 * MINUTE,
            reason="incident",
            incident=incident,
        )
        for place, event in enumerate((notice, held)):
            yield self._line(at + (40 + place) * MINUTE, event, cast.MANAGER)

    def jammed(
        self, at: datetime, record: RoundPlayed, shoe: int, *, emptied: bool
    ) -> Iterator[Line]:
        """The machine stops; a fiscal-chefe comes, lifts the lid and clears it, or empties it."""
        incident = f"IN-{self.number}02"
        stopped = PlayInterrupted(**self.game.at, reason="shuffler", shoe=shoe, round=record.round)
        yield self._line(at + MINUTE / 6, stopped)
        report = IncidentReported(
            **self.game.at,
            incident=incident,
            category="jam",
            reason="carta_presa",
            detail="segundo_rolo",
            people=(Person(person=self.chefe.number, role="fiscal_chefe"),),
            shuffler=cast.SHUFFLER,
            noticed_at=at,
            emptied=emptied,
            text="Uma carta presa no segundo rolo.",
        )
        yield self._line(at, report)
        yield from self._steps(
            incident,
            at,
            ("called", 0.5),
            ("arrived", 2),
            ("lid_opened", 3),
            ("lid_closed", 7),
            ("resolved", 8),
        )
        lid = ShufflerOpened(
            **self.game.at,
            shuffler=cast.SHUFFLER,
            reason="jam",
            opened_by=self.chefe.number,
            opened_by_office="fiscal_chefe",
            opened_at=at + 3 * MINUTE,
            closed_at=at + 7 * MINUTE,
            emptied=emptied,
            incident=incident,
        )
        yield self._line(at + 3 * MINUTE, lid)

    def resumed(self, at: datetime, shoe: int) -> Iterator[Line]:
        """Play goes on, the jam is settled."""
        yield self._line(at, PlayResumed(**self.game.at, shoe=shoe))
        over = IncidentClosed(
            **self.game.at, incident=f"IN-{self.number}02", outcome="settled", reason="resolvido"
        )
        yield self._line(at, over)

    def deferred(self, at: datetime, record: RoundPlayed) -> Line:
        """The cards of a round in dispute are not put back yet."""
        event = RoundsDeferred(
            **self.game.at, rounds=(record.round,), reason="dispute", shuffler=cast.SHUFFLER
        )
        return self._line(at, event)

    def complained(self, at: datetime, record: RoundPlayed) -> Iterator[Line]:
        """A guest complains in time, the cards are looked at, it is decided the same night."""
        complaint = f"RC-{self.number}01"
        received = ComplaintReceived(
            **self.game.at,
            complaint=complaint,
            subject="counting",
            received_at=at,
            round=record.round,
            shoe=record.shoe,
            number=record.number,
            box=record.boxes[0].number,
            cards_inserted=False,
            text="Entende que a sua mão somava vinte.",
        )
        yield self._line(at, received)
        reviewed = DisputeReviewed(
            **self.game.at,
            dispute=complaint,
            method="cards",
            error_by="nobody",
            round=record.round,
            started_at=at + MINUTE / 6,
            ended_at=at + MINUTE / 2,
        )
        yield self._line(at + MINUTE / 2, reviewed)
        decided = ComplaintDecided(
            **self.game.at,
            complaint=complaint,
            outcome="not_upheld",
            reason="footage",
            told_at=at + 30 * MINUTE,
            told_of_inspector=True,
        )
        yield self._line(at + 30 * MINUTE, decided, cast.MANAGER)
