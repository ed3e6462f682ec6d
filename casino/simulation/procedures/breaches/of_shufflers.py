"""Breaches at a shuffler: jams, lids, damaged cards, what is not done there, what stays inside.

Law: PT art. 51, 52, 56, 57.
"""

from random import Random
from typing import Any, Final

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
from casino.simulation.procedures.breaches.breaking import Breach, Place, breach
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


def _called_late(game: Partida, rng: Random) -> Place | None:
    """The fiscal-chefe was called six minutes after the light, all that follows later still."""
    report = _incident(game, *JAMS)
    if report is None:
        return None
    game.only(IncidentStep, incident=report.event.incident, step="called").at = later(report.at, 6)
    game.only(IncidentStep, incident=report.event.incident, step="arrived").at = later(
        report.at, 6.5
    )
    return _of(report)


def _never_called(game: Partida, rng: Random) -> Place | None:
    """Nobody recorded that a fiscal-chefe was called."""
    report = _incident(game, *JAMS)
    if report is None:
        return None
    game.drop(*_steps(game, report, "called"))
    return _of(report)


def _opened_by_pit(game: Partida, rng: Random) -> Place | None:
    """The lid was lifted by the fiscal de banca."""
    for report in game.of(IncidentReported):
        for act in _steps(game, report, "lid_opened"):
            act.change(by=game.pit.staff, by_office="fiscal_de_banca")
            return _of(report)
    return None


def _lid_by_pit(game: Partida, rng: Random) -> Place | None:
    """The same, where the lid was recorded by itself."""
    lids = game.of(ShufflerOpened, reason="jam")
    if not lids:
        return None
    lids[0].change(opened_by=game.pit.staff, opened_by_office="fiscal_de_banca")
    return {"shuffler": lids[0].event.shuffler}


def _solved_by_pit(*categories: str) -> Any:
    def plant(game: Partida, rng: Random) -> Place | None:
        report = _incident(game, *categories)
        solved = _steps(game, report, "resolved") if report is not None else []
        if report is None or not solved or solved[0].event.by is None:
            return None
        solved[0].change(by=game.pit.staff, by_office="fiscal_de_banca")
        return _of(report)

    return plant


def _never_solved(game: Partida, rng: Random) -> Place | None:
    """Nobody put it right and nobody was asked to; it was written off all the same."""
    report = _incident(game, *JAMS)
    if report is None or _steps(game, report, "technician_called"):
        return None
    game.drop(*_steps(game, report, "resolved"))
    return _of(report)


def _played_on(game: Partida, rng: Random) -> Place | None:
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


def _written_off(game: Partida, rng: Random) -> Place | None:
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


def _left_in(game: Partida, rng: Random) -> Place | None:
    """The card went back into the game; of which deck it was nobody wrote down."""
    report = _incident(game, "damaged_card")
    if report is None:
        return None
    game.drop(*game.of(CardReplaced, incident=report.event.incident))
    report.change(replaced="nothing", deck=None)
    return _of(report)


def _replaced_late(game: Partida, rng: Random) -> Place | None:
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


def _exchanged_by_pit(game: Partida, rng: Random) -> Place | None:
    exchanged = game.of(CardReplaced)
    if not exchanged:
        return None
    exchanged[0].change(replaced_by=game.pit.staff, replaced_by_office="fiscal_de_banca")
    return {"deck": exchanged[0].event.deck}


def _unreported(game: Partida, rng: Random) -> Place | None:
    notices = game.of(NoticeSent)
    report = _incident(game, "damaged_card")
    if report is None:
        return None
    game.drop(*notices)
    return _of(report)


def _reported_by_pit(game: Partida, rng: Random) -> Place | None:
    report = _incident(game, "damaged_card")
    if report is None:
        return None
    for notice in game.of(NoticeSent):
        notice.change(sent_by=game.chefe.staff, sent_by_office="fiscal_chefe")
    return _of(report)


def _reported_late(game: Partida, rng: Random) -> Place | None:
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


def _cut(game: Partida, rng: Random) -> Place:
    cut = CutMade(
        **game.where,
        shoe=1,
        after="start",
        seats_occupied=(2, 5),
        offers=(CutOffer(seat=2, accepted=True),),
        cut_by="seat",
        seat=2,
        special_card=True,
    )
    game.record(_loaded(game).at - MINUTE, cut)
    return {}


def _warning_card(game: Partida, rng: Random) -> Place:
    placed = CartaAvisoPlaced(**game.where, shoe=1, cards_from_end=50, players=3)
    game.record(_loaded(game).at - MINUTE / 2, placed)
    return {}


def _laid_out(game: Partida, rng: Random) -> Place:
    last = game.rounds[-1]
    spread = CardsSpread(**game.where, reason="no_players", shoe=1, face_up=True)
    game.record(last.at + 10 * SECOND, spread)
    return {}


def _for_nothing(game: Partida, rng: Random) -> Place:
    """The loaded machine is opened between two rounds, to dust it."""
    lid = ShufflerOpened(
        **game.where,
        shuffler=str(game.shuffler),
        reason=rng.choice(("maintenance", "other")),
        opened_by=game.chefe.staff,
        opened_by_office="fiscal_chefe",
    )
    game.record(game.rounds[3].at + 2 * SECOND, lid)
    return {"shuffler": lid.shuffler}


def _taken_out(game: Partida, rng: Random) -> Place:
    """The cards came out to have the machine looked after, and never went back."""
    game.of(ShufflerUnloaded)[-1].change(reason="maintenance", closing_announced=None)
    return {"unload": len(game.of(ShufflerUnloaded))}


BREACHES: Final[tuple[Breach, ...]] = (
    breach("never_called", "fiscal_chefe_is_called", "shuffler", _never_called, "jam"),
    breach("called_late", "fiscal_chefe_called_at_once", "shuffler", _called_late, "jam"),
    breach(
        "lid_step_by_the_pit",
        "shuffler_opened_by_fiscal_chefe",
        "shuffler",
        _opened_by_pit,
        "jam light",
    ),
    breach("lid_by_the_pit", "lid_opened_by_fiscal_chefe", "shuffler", _lid_by_pit, "jam light"),
    breach(
        "jam_cleared_by_the_pit",
        "shuffler_trouble_solved_by_fiscal_chefe",
        "shuffler",
        _solved_by_pit(*JAMS),
        "jam",
    ),
    breach(
        "damage_settled_by_the_pit",
        "shuffler_trouble_solved_by_fiscal_chefe",
        "shuffler",
        _solved_by_pit("damaged_card"),
        "damaged",
    ),
    breach(
        "jam_never_cleared", "unsolved_jam_goes_to_technician", "shuffler", _never_solved, "jam"
    ),
    breach("played_on_while_jammed", "no_round_during_trouble", "shuffler", _played_on, "jam"),
    breach(
        "written_off_while_jammed",
        "no_round_during_trouble",
        "shuffler",
        _written_off,
        "technician",
    ),
    breach("damaged_card_left_in", "damaged_card_replaced", "shuffler", _left_in, "damaged"),
    breach(
        "card_replaced_late", "damaged_card_replaced_at_once", "shuffler", _replaced_late, "damaged"
    ),
    breach(
        "card_exchanged_by_the_pit",
        "card_replaced_by_fiscal_chefe",
        "shuffler",
        _exchanged_by_pit,
        "damaged",
    ),
    breach(
        "damage_not_made_known", "damaged_card_communicated", "shuffler", _unreported, "damaged"
    ),
    breach(
        "damage_made_known_by_another",
        "damaged_card_communicated",
        "shuffler",
        _reported_by_pit,
        "damaged",
    ),
    breach(
        "damage_made_known_late",
        "damaged_card_communicated_in_time",
        "shuffler",
        _reported_late,
        "damaged",
    ),
    breach("cut_at_a_shuffler", "no_cut_with_shuffler", "shuffler", _cut),
    breach(
        "warning_card_at_a_shuffler", "no_warning_card_with_shuffler", "shuffler", _warning_card
    ),
    breach("cards_taken_out", "cards_stay_in_shuffler", "shuffler", _taken_out),
    breach("spread_at_a_shuffler", "no_spreading_with_shuffler", "shuffler", _laid_out),
    breach("lid_for_nothing", "shuffler_opened_only_for_cause", "shuffler", _for_nothing),
)
