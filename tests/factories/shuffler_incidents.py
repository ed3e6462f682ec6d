"""Incidents at a shuffler, told one tap at a time, and rounds dealt meanwhile."""

from datetime import timedelta
from typing import Any

from casino.events.incidents import IncidentClosed, IncidentReported, IncidentStep
from casino.events.shufflers import ShufflerOpened
from tests.factories.games import CHEFE, MANAGER, Game, moment, shuffler_evening


def report(category: str = "jam", at: str = "21:00", **values: Any) -> Game:
    """The light, as one tap tells it."""
    game = shuffler_evening(closed=False)
    game.report(at, category=category, **{"noticed_at": moment(at), **values})
    return game


def steps(game: Game, text: str) -> Game:
    """``"called 21:01, lid_opened 21:05 S-200 fiscal_chefe"``: one tap each."""
    for one in text.split(", "):
        step, at, *who = one.split()
        by, office = [*who, None, None][:2]
        where = {"table": game.table, "partida": game.partida, "incident": "I-1"}
        game.add(IncidentStep(**where, step=step, by=by, by_office=office), at)
    return game


def recorded_late(minutes: int, **values: Any) -> Game:
    """The word of it, so many minutes after the card was seen, as the report tells."""
    at = moment("21:00") + timedelta(minutes=minutes)
    usual = {"communicated_at": at, "communicated_by": MANAGER, "replaced": "card"}
    return report("damaged_card", **{**usual, **values})


def lid(**values: Any) -> Game:
    game = report()
    usual = {"shuffler": "CSM-04", "reason": "jam", "opened_by": CHEFE, "incident": "I-1"}
    usual |= {"opened_at": moment("21:05"), "opened_by_office": "fiscal_chefe"}
    game.record(ShufflerOpened, "21:05", **{**usual, **values})
    return game


def meanwhile(*dealt: str, category: str = "jam", **values: Any) -> Game:
    """Trouble from 21:00 until 21:08; a round was dealt at each of these moments."""
    game = report(category, **{"resolved_at": moment("21:08"), "resolved_by": CHEFE, **values})
    for number, at in enumerate(dealt, 4):
        game.put_back(1, number, at)
    return game


def written_off(*dealt: str, at: str = "22:00", **values: Any) -> Game:
    """A technician was asked for; it was closed at `at`, and nobody recorded that it was solved."""
    known = {"resolved_at": None, "resolved_by": None, **values}
    game = meanwhile(*dealt, technician_called_at=moment("21:10"), **known)
    game.record(IncidentClosed, at, incident="I-1", outcome="settled", reason="other")
    return game


def outside(at: str = "18:00", **values: Any) -> Game:
    """Told outside the game, whose rounds are at 20:10, 20:20 and 20:30; opened at 19:00."""
    game = shuffler_evening(closed=False)
    usual = {"incident": "I-9", "category": "jam", "reason": "card", "people": ()}
    usual |= {"shuffler": "CSM-04", "noticed_at": moment(at), **values}
    game.beside(IncidentReported(**usual), at)
    game.close()
    return game
