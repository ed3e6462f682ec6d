"""A shuffler's lid opened and its cards taken out, with or without a reason."""

from typing import Any

from casino.events.incidents import IncidentReported
from casino.events.shufflers import ShufflerOpened
from tests.factories.games import CHEFE, LEFT_OUT, Game, moment, shuffler_evening


def shuffled(**values: Any) -> Game:
    game = Game("shuffler")
    game.load("19:45", shuffled=values or LEFT_OUT)
    return game


def taken_out(reason: str | None, at: str = "20:40", *, trouble: str = "", **values: Any) -> Game:
    """The cards come out; ``trouble="jam 20:38"``: that had been reported."""
    game = shuffler_evening(closed=False)
    if trouble:
        category, when = trouble.split()
        game.report(when, category=category)
    game.unload(at, reason=reason, **values)
    return game


def lid_opened(reason: str, at: str = "20:35", *, trouble: str = "", **values: Any) -> Game:
    """The lid opened between the third round, at 20:30, and the fourth, at 21:00."""
    game = shuffler_evening(closed=False)
    game.put_back(1, 4, "21:00")
    if trouble:
        category, when = trouble.split()
        resolved = {"noticed_at": moment(when), "resolved_at": moment(when), "resolved_by": CHEFE}
        game.report(when, category=category, **resolved)
    values = {"opened_by": CHEFE, "opened_by_office": "fiscal_chefe", **values}
    game.record(ShufflerOpened, at, shuffler="CSM-04", reason=reason, **values)
    return game


def solved(at: str, *dealt: str, reason: str = "jam", out: str = "21:30", **values: Any) -> Game:
    """A jam at 20:38, put right at `at`; rounds were dealt at these moments; out at `out`."""
    game = taken_out(reason, out, trouble="jam 20:38")
    game.change(IncidentReported, resolved_at=moment(at) if at else None, **values)
    for number, when in enumerate(dealt, 4):
        game.put_back(1, number, when)
    game.close()
    return game
