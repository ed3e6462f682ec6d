"""What goes wrong at a shuffler and is put right as the regulation has it. Law: PT art. 51, 57."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Final

from casino.events.deck_life import CardReplaced
from casino.events.incidents import (
    Category,
    IncidentClosed,
    IncidentReported,
    IncidentStep,
    Person,
    Step,
)
from casino.events.inspection import NoticeAcknowledged
from casino.events.notices import FootageHeld, NoticeSent
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import PlayInterrupted, PlayResumed
from casino.events.shufflers import ShufflerOpened
from casino.simulation.procedures import simulated_cast
from casino.simulation.procedures.procedure_acts import MINUTE, Partida, Who
from casino.simulation.procedures.table_story import later

CARD: Final = "8S"


@dataclass(slots=True)
class Troubles:
    """The troubles of one partida."""

    partida: Partida
    rng: Random

    def _reported(
        self, at: datetime, record: RoundPlayed, category: Category, deck: str | None = None
    ) -> str:
        game = self.partida
        incident = f"IN-{len(game.of(IncidentReported)) + 1}-{game.tag}"
        damaged = category == "damaged_card"
        report = IncidentReported(
            **game.where,
            incident=incident,
            category=category,
            reason="canto_dobrado" if damaged else "carta_presa",
            detail="rolo",
            people=(Person(person=game.chefe.staff, role="fiscal_chefe"),),
            round=record.round,
            deck=deck,
            shuffler=game.shuffler,
            damaged_cards=(CARD,) if damaged else None,
            noticed_at=at,
        )
        game.record(at, report)
        return incident

    def _step(self, incident: str, step: Step, at: datetime, who: Who | None = None) -> None:
        incident_step = IncidentStep(
            **self.partida.where,
            incident=incident,
            step=step,
            by=who.staff if who is not None else None,
            by_office=who.office if who is not None else None,
        )
        self.partida.record(at, incident_step)

    def jammed(
        self,
        at: datetime,
        record: RoundPlayed,
        *,
        light: bool = False,
        technician: bool = False,
        emptied: bool = False,
    ) -> timedelta:
        """It stops; a fiscal-chefe opens and clears it, or calls who can. How long play rests."""
        game = self.partida
        stopped = PlayInterrupted(
            **game.where, reason="shuffler", shoe=record.shoe, round=record.round
        )
        game.record(later(at, 0.1), stopped)
        incident = self._reported(at, record, "warning_light" if light else "jam")
        self._step(incident, "called", later(at, 0.5), game.pit)
        self._step(incident, "arrived", later(at, 2), game.chefe)
        if emptied or self.rng.random() < 0.5:
            lid = ShufflerOpened(
                **game.where,
                shuffler=str(game.shuffler),
                reason="jam",
                opened_by=game.chefe.staff,
                opened_by_office="fiscal_chefe",
                opened_at=later(at, 3),
                closed_at=later(at, 7),
                emptied=emptied,
                incident=incident,
            )
            game.record(later(at, 3), lid)
        else:
            self._step(incident, "lid_opened", later(at, 3), game.chefe)
            self._step(incident, "lid_closed", later(at, 7), game.chefe)
        minutes = 8
        if technician:
            self._step(incident, "technician_called", later(at, 8), game.chefe)
            self._step(incident, "technician_arrived", later(at, 14))
            self._step(incident, "resolved", later(at, 17))
            minutes = 17
        else:
            self._step(incident, "resolved", later(at, 8), game.chefe)
        self._over(incident, later(at, minutes + 1), "resolvido")
        return (minutes + 2) * MINUTE

    def damaged(self, at: datetime, record: RoundPlayed) -> timedelta:
        """A card comes out bent: replaced at once, made known, the recordings kept."""
        game = self.partida
        deck = game.decks[2]
        incident = self._reported(at, record, "damaged_card", deck)
        self._step(incident, "called", later(at, 0.2), game.pit)
        self._step(incident, "arrived", later(at, 0.5), game.chefe)
        replaced = CardReplaced(
            **game.where,
            deck=deck,
            card=CARD,
            reason="damaged",
            from_deck=deck + "X",
            replaced_by=game.chefe.staff,
            replaced_by_office="fiscal_chefe",
            shuffler=game.shuffler,
            shown=True,
            incident=incident,
        )
        game.record(later(at, 1), replaced, game.chefe)
        self._step(incident, "resolved", later(at, 1.2), game.chefe)
        notice = NoticeSent(
            **game.where,
            notice=f"NI-1-{game.tag}",
            to="inspection_service",
            about="damaged_card",
            means="portal",
            reference="Mensagem 31",
            sent_at=later(at, 30),
            sent_by=simulated_cast.MANAGER.staff,
            sent_by_office="chefia_da_sala",
            incident=incident,
            deck=deck,
        )
        game.record(later(at, 30), notice, simulated_cast.MANAGER)
        received = NoticeAcknowledged(notice=notice.notice, received_at=later(at, 30.5))
        game.record(later(at, 30.5), received, simulated_cast.INSPECTOR)
        held = FootageHeld(
            **game.where,
            hold=f"RG-1-{game.tag}",
            recorded_from=later(at, -5),
            recorded_until=later(at, 5),
            reason="incident",
            incident=incident,
        )
        game.record(later(at, 31), held, simulated_cast.MANAGER)
        self._over(incident, later(at, 32), "carta_substituida")
        return 3 * MINUTE

    def _over(self, incident: str, at: datetime, reason: str) -> None:
        over = IncidentClosed(
            **self.partida.where, incident=incident, outcome="settled", reason=reason
        )
        self.partida.record(at, over)

    def resumed(self, at: datetime) -> None:
        """Play goes on."""
        self.partida.record(at, PlayResumed(**self.partida.where))
