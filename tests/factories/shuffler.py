"""Games at a shuffler: its loading and who witnessed it, a jam, another table."""

from collections.abc import Callable
from typing import Any

from casino.events.shuffler_reports import ShufflerSignal
from tests.factories.games import CHEFE, Game, entry, moment, shuffler_evening, word


def record_jam(game: Game, at: str = "21:00", **otherwise: Any) -> Any:
    """A jam that a fiscal-chefe opened the shuffler for and solved."""
    values = {
        "noticed_at": moment(at),
        "called_at": moment(at),
        "opened_at": moment(at),
        "opened_by": CHEFE,
        "opened_by_office": "fiscal_chefe",
        "emptied": True,
        "resolved_at": moment(at),
        "resolved_by": CHEFE,
        "resolved_by_office": "fiscal_chefe",
    } | otherwise
    return game.report(at, shuffler="CSM-04", **values)


def reloaded(before: Callable[[Game], Any] | None = None) -> Game:
    game = shuffler_evening(closed=False)
    if before is not None:
        before(game)
    game.witness(game.load("21:30"))
    return game


def unwitnessed(**known: Any) -> Game:
    game = Game("shuffler")
    game.load("19:45", recorded="19:46", **known)
    return game


def witnessed_by(staff: str, **known: Any) -> Game:
    game = unwitnessed()
    game.witness(game.entries[-1], staff, **known)
    return game


def also_at(start: str, end: str, *, table: str = "BJ-02", **mine: Any) -> Game:
    """He witnessed here, present from 19:44 to 19:47, and elsewhere from `start` to `end`."""
    stay = {"present_from": moment("19:44"), "present_until": moment("19:47"), **mine}
    game = witnessed_by(CHEFE, **stay)
    there = Game("shuffler", table=table)
    act = there.load(start)
    said_so = word(
        act,
        CHEFE,
        table,
        there.partida,
        end,
        present_from=moment(start),
        present_until=moment(end),
    )
    game.elsewhere = [act, entry(said_so, act.stream, 90, end, CHEFE)]
    return game


def light_on(rounds: int = 2) -> Game:
    """The machine reports its light on at 21:59; rounds are dealt from 22:00 on."""
    game = shuffler_evening(closed=False)
    game.record(ShufflerSignal, "21:59", "D-0700", shuffler="CSM-04", signal="light_on")
    for number in range(rounds):
        game.put_back(1, 4 + number, f"22:{number}0")
    game.close(rounds=3 + rounds)
    return game
