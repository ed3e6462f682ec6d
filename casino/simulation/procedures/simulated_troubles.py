"""Incidents, and how they are put right as the regulation has it. Law: PT art. 5, 51, 57."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Final

from casino.events.deck_life import CardReplaced
from casino.events.incidents import IncidentClosed, IncidentReported, IncidentStep, Person, Step
from casino.events.inspection import NoticeAcknowledged
from casino.events.notices import FootageHeld, NoticeSent
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import PlayInterrupted, PlayResumed
from casino.events.shufflers import ShufflerOpened
from casino.simulation.procedures.procedure_acts import MINUTE, Act, Partida, Who, later

CARD: Final = "8S"


@dataclass(slots=True)
class Incident:
    """One incident of a partida. Its acts follow so many minutes after it was noticed (`at`)."""

    partida: Partida
    at: datetime
    code: str

    def report(self, person: Who, **known: object) -> Act:
        """It is noticed, and recorded."""
        people = (Person(person=person.staff, role=person.office),)
        values = {"incident": self.code, "people": people, "noticed_at": self.at} | known
        return self.partida.record(self.at, IncidentReported, **values)

    def step(self, step: Step, minutes: float, who: Who | None = None) -> None:
        """What was done next, and by whom."""
        by, office = (None, None) if who is None else who[:2]
        values = {"incident": self.code, "step": step, "by": by, "by_office": office}
        self.partida.record(later(self.at, minutes), IncidentStep, **values)

    def called(self, called: float, arrived: float) -> None:
        """The fiscal-chefe is called, and comes."""
        self.step("called", called, self.partida.pit)
        self.step("arrived", arrived, self.partida.chefe)

    def lid(self, *, emptied: bool) -> None:
        """The fiscal-chefe opens the machine, and shuts it."""
        self.partida.record(
            later(self.at, 3),
            ShufflerOpened,
            shuffler=self.partida.shuffler,
            reason="jam",
            opened_by=self.partida.chefe.staff,
            opened_by_office="fiscal_chefe",
            opened_at=later(self.at, 3),
            closed_at=later(self.at, 7),
            emptied=emptied,
            incident=self.code,
        )

    def replaced(self, minutes: float, deck: str, reserve: str) -> None:
        """The fiscal-chefe exchanges the damaged card for one of another deck."""
        self.partida.record(
            later(self.at, minutes),
            CardReplaced,
            self.partida.chefe,
            deck=deck,
            card=CARD,
            reason="damaged",
            from_deck=reserve,
            replaced_by=self.partida.chefe.staff,
            replaced_by_office="fiscal_chefe",
            shuffler=self.partida.shuffler,
            shown=True,
            incident=self.code,
        )

    def notice(self, minutes: float, code: str, about: str, deck: str, reference: str) -> None:
        """The room's management tells the inspection service."""
        at, manager = later(self.at, minutes), self.partida.house.manager
        self.partida.record(
            at,
            NoticeSent,
            manager,
            notice=code,
            to="inspection_service",
            about=about,
            means="portal",
            reference=reference,
            sent_at=at,
            sent_by=manager.staff,
            sent_by_office=manager.office,
            incident=self.code,
            deck=deck,
        )

    def footage(self, minutes: float, code: str) -> None:
        """The room's management has the recordings kept."""
        self.partida.record(
            later(self.at, minutes),
            FootageHeld,
            self.partida.house.manager,
            hold=code,
            recorded_from=later(self.at, -5),
            recorded_until=later(self.at, 5),
            reason="incident",
            incident=self.code,
        )

    def over(self, at: datetime, reason: str) -> None:
        """It is settled."""
        values = {"incident": self.code, "outcome": "settled", "reason": reason}
        self.partida.record(at, IncidentClosed, **values)


def _incident(game: Partida, at: datetime) -> Incident:
    return Incident(game, at, f"IN-{len(game.of(IncidentReported)) + 1}-{game.tag}")


def play_stopped(game: Partida, at: datetime, reason: str, last: RoundPlayed) -> None:
    """Nothing is dealt after a round."""
    game.record(at, PlayInterrupted, reason=reason, shoe=last.shoe, round=last.round)


def play_resumed(game: Partida, at: datetime, **known: object) -> None:
    """Play goes on."""
    game.record(at, PlayResumed, **known)


def jammed(game: Partida, at: datetime, record: RoundPlayed, rng: Random, name: str) -> timedelta:
    """The machine stops; a fiscal-chefe opens and clears it, or calls who can. How long play rests.

    `name` is the trouble: a jam, a ``light``, one for the ``technician``; '' where it is emptied.
    """
    play_stopped(game, later(at, 0.1), "shuffler", record)
    incident = _incident(game, at)
    incident.report(
        game.chefe,
        category="warning_light" if name == "light" else "jam",
        reason="carta_presa",
        detail="rolo",
        round=record.round,
        shuffler=game.shuffler,
    )
    incident.called(0.5, 2)
    if not name or rng.random() < 0.5:
        incident.lid(emptied=not name)
    else:
        incident.step("lid_opened", 3, game.chefe)
        incident.step("lid_closed", 7, game.chefe)
    minutes = 8
    if name == "technician":
        incident.step("technician_called", 8, game.chefe)
        incident.step("technician_arrived", 14)
        minutes = 17
    incident.step("resolved", minutes, None if name == "technician" else game.chefe)
    incident.over(later(at, minutes + 1), "resolvido")
    return (minutes + 2) * MINUTE


def card_replaced(game: Partida, at: datetime, record: RoundPlayed) -> timedelta:
    """A card comes out bent: replaced at once, made known, the recordings kept."""
    deck, incident = game.decks[2], _incident(game, at)
    incident.report(
        game.chefe,
        category="damaged_card",
        reason="canto_dobrado",
        detail="rolo",
        round=record.round,
        deck=deck,
        shuffler=game.shuffler,
        damaged_cards=(CARD,),
    )
    incident.called(0.2, 0.5)
    incident.replaced(1, deck, deck + "X")
    incident.step("resolved", 1.2, game.chefe)
    notice = f"NI-1-{game.tag}"
    incident.notice(30, notice, "damaged_card", deck, "Mensagem 31")
    received = NoticeAcknowledged(notice=notice, received_at=later(at, 30.5))
    game.record(later(at, 30.5), received, game.house.inspector)
    incident.footage(31, f"RG-1-{game.tag}")
    incident.over(later(at, 32), "carta_substituida")
    return 3 * MINUTE
