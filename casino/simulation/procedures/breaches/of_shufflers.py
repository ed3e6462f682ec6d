"""Breaches at a shuffler: jams, lids, damaged cards, what is not done there, what stays inside.

Law: PT art. 51, 52, 56, 57.
"""

from random import Random
from typing import Final

from casino.events.deck_life import CardReplaced
from casino.events.incidents import IncidentClosed, IncidentReported, IncidentStep
from casino.events.notices import NoticeSent
from casino.events.shoes import (
    CardBurned,
    CardsSpread,
    CartaAvisoPlaced,
    CutMade,
    CutOffer,
)
from casino.events.shufflers import ShufflerOpened, ShufflerUnloaded
from casino.simulation.procedures.breaches.breaking import Place
from casino.simulation.procedures.procedure_acts import MINUTE, SECOND, Act, Partida, later

JAMS: Final = ("jam", "warning_light")


def _incident(game: Partida, *categories: str) -> Act | None:
    """The report of an incident of one of these kinds."""
    return next(
        (act for act in game.of(IncidentReported) if act.event.category in categories), None
    )


def _steps(game: Partida, report: Act, step: str) -> list[Act]:
    return game.of(IncidentStep, incident=report.event.incident, step=step)


def _of(report: Act) -> Place:
    return {"incident": report.event.incident}


def called_late(game: Partida, rng: Random) -> Place | None:
    """The fiscal-chefe was called six minutes after the light, all that follows later still."""
    report = _incident(game, *JAMS)
    if report is None:
        return None
    game.only(IncidentStep, incident=report.event.incident, step="called").at = later(report.at, 6)
    game.only(IncidentStep, incident=report.event.incident, step="arrived").at = later(
        report.at, 6.5
    )
    return _of(report)


def never_called(game: Partida, rng: Random) -> Place | None:
    """Nobody recorded that a fiscal-chefe was called."""
    report = _incident(game, *JAMS)
    if report is None:
        return None
    game.drop(*_steps(game, report, "called"))
    return _of(report)


def solved_by_the_pit(game: Partida, rng: Random, *, categories: tuple[str, ...]) -> Place | None:
    """The fiscal de banca put it right."""
    report = _incident(game, *categories)
    solved = _steps(game, report, "resolved") if report is not None else []
    if report is None or not solved or solved[0].event.by is None:
        return None
    solved[0].change(by=game.pit.staff, by_office="fiscal_de_banca")
    return _of(report)


def jam_never_cleared(game: Partida, rng: Random) -> Place | None:
    """Nobody put it right and nobody was asked to; it was written off all the same."""
    report = _incident(game, *JAMS)
    if report is None or _steps(game, report, "technician_called"):
        return None
    game.drop(*_steps(game, report, "resolved"))
    return _of(report)


def played_on_while_jammed(game: Partida, rng: Random) -> Place | None:
    """It was put right only after the next round had been dealt."""
    report = _incident(game, *JAMS)
    if report is None:
        return None
    after = [act for act in game.rounds if act.at > report.at]
    times = after[0].event.times if after else None
    if times is None:
        return None
    for step in _steps(game, report, "resolved"):
        step.at = times.first_card + 5 * SECOND
    for closed in game.of(IncidentClosed, incident=report.event.incident):
        closed.at = times.first_card + 20 * SECOND
    return _of(report)


def written_off_while_jammed(game: Partida, rng: Random) -> Place | None:
    """A technician was asked for and play went on; nobody recorded that he put it right."""
    for report in game.of(IncidentReported):
        after = [act for act in game.rounds if act.at > report.at]
        times = after[0].event.times if after else None
        if times is None or not _steps(game, report, "technician_called"):
            continue
        game.drop(*_steps(game, report, "resolved"))
        for closed in game.of(IncidentClosed, incident=report.event.incident):
            closed.at = times.first_card + 20 * SECOND
        return _of(report)
    return None


# A damaged card


def damaged_card_left_in(game: Partida, rng: Random) -> Place | None:
    """The card went back into the game; of which deck it was nobody wrote down."""
    report = _incident(game, "damaged_card")
    if report is None:
        return None
    game.drop(*game.of(CardReplaced, incident=report.event.incident))
    report.change(replaced="nothing", deck=None)
    return _of(report)


def card_replaced_late(game: Partida, rng: Random) -> Place | None:
    """The card had been seen before the round after which it was exchanged."""
    report = _incident(game, "damaged_card")
    if report is None or report.event.deck is None:
        return None
    begun = [act.event.times.first_card for act in game.rounds if act.event.times is not None]
    before = [at for at in begun if at is not None and at < report.at]
    if not before:
        return None
    report.change(noticed_at=later(before[-1], -1))
    return {"deck": report.event.deck}


def damage_made_known_late(game: Partida, rng: Random) -> Place | None:
    """Two days later."""
    report = _incident(game, "damaged_card")
    if report is None:
        return None
    for notice in game.of(NoticeSent):
        notice.at = later(report.at, 2 * 24 * 60)
        notice.change(sent_at=notice.at)
    return _of(report)


# What is not done at a shuffler


def _loaded(game: Partida) -> Act:
    return game.of(CardBurned)[0]


def cut_at_a_shuffler(game: Partida, rng: Random) -> Place:
    game.record(
        _loaded(game).at - MINUTE,
        CutMade,
        shoe=1,
        after="start",
        seats_occupied=(2, 5),
        offers=(CutOffer(seat=2, accepted=True),),
        cut_by="seat",
        seat=2,
        special_card=True,
    )
    return {}


def warning_card_at_a_shuffler(game: Partida, rng: Random) -> Place:
    at = _loaded(game).at - MINUTE / 2
    game.record(at, CartaAvisoPlaced, shoe=1, cards_from_end=50, players=3)
    return {}


def spread_at_a_shuffler(game: Partida, rng: Random) -> Place:
    at = game.rounds[-1].at + 10 * SECOND
    game.record(at, CardsSpread, reason="no_players", shoe=1, face_up=True)
    return {}


def lid_for_nothing(game: Partida, rng: Random) -> Place:
    """The loaded machine is opened between two rounds, to dust it."""
    lid = game.record(
        game.rounds[3].at + 2 * SECOND,
        ShufflerOpened,
        shuffler=game.shuffler,
        reason=rng.choice(("maintenance", "other")),
        opened_by=game.chefe.staff,
        opened_by_office="fiscal_chefe",
    )
    return {"shuffler": lid.event.shuffler}


def cards_taken_out(game: Partida, rng: Random) -> Place:
    """The cards came out to have the machine looked after, and never went back."""
    game.of(ShufflerUnloaded)[-1].change(reason="maintenance", closing_announced=None)
    return {"unload": len(game.of(ShufflerUnloaded))}
