"""PT art. 51: an incident is known by its number and its table; equal numbers are two incidents."""

from typing import Any

import pytest

from casino.events.incidents import IncidentClosed, IncidentReported, IncidentStep
from casino.events.notices import NoticeSent
from tests.factories.games import CHEFE, MANAGER, Game, entry, iso, moment
from tests.law.asking import BREACH, LAWFUL, UNDECIDED
from tests.law.floor_asking import said, the_finding

RECORDED, SOLVED = "damaged_card_communicated", "unsolved_jam_goes_to_technician"
HERE, THERE = "BJ-01", "BJ-02"


def damaged(**values: Any) -> Game:
    """A card damaged at 20:10 at BJ-01, incident I1; the game is over."""
    game = Game("shuffler")
    game.witness(game.load())
    game.record(
        IncidentReported,
        "20:10",
        incident="I1",
        category="damaged_card",
        reason="card",
        people=(),
        noticed_at=moment("20:10"),
        replaced="card",
        **values,
    )
    return game


def outside(game: Game, kind: Any, at: str, table: str | None, **values: Any) -> None:
    """Told of an incident I1, in no game of this table."""
    event = kind(table=table, incident="I1", **values)
    game.around.append(entry(event, event.stream, 950 + len(game.around), at, MANAGER))


def notice(game: Game, table: str | None, sender: str = MANAGER) -> None:
    outside(
        game,
        NoticeSent,
        "21:00",
        table,
        notice="N1",
        to="inspection_service",
        sent_at=moment("21:00"),
        sent_by=sender,
        reference="R1",
        about="damaged_card",
        means="portal",
    )


@pytest.mark.parametrize(("table", "answer"), [(HERE, LAWFUL), (None, LAWFUL), (THERE, BREACH)])
def test_a_notice_is_of_the_incident_of_its_own_table(table: str | None, answer: str) -> None:
    game = damaged()
    notice(game, table)
    outside(game, IncidentClosed, "23:00", HERE, outcome="settled", reason="settled")
    game.close()
    assert said(RECORDED, game) == answer
    if answer == BREACH:
        assert the_finding(RECORDED, game).observed == {"communications": 0}


def test_who_sent_anothers_notice_is_not_held_against_this_one() -> None:
    game = damaged()
    notice(game, THERE, CHEFE)
    notice(game, HERE)
    assert said(RECORDED, game) == LAWFUL


@pytest.mark.parametrize(("table", "answer"), [(HERE, BREACH), (THERE, UNDECIDED)])
def test_the_end_of_anothers_incident_ends_nothing_here(table: str, answer: str) -> None:
    game = Game("shuffler")
    game.record(
        IncidentReported,
        "20:10",
        incident="I1",
        category="jam",
        reason="card",
        people=(),
        noticed_at=moment("20:10"),
    )
    outside(game, IncidentClosed, "22:00", table, outcome="settled", reason="settled")
    assert said(SOLVED, game) == answer


@pytest.mark.parametrize(("table", "answer"), [(HERE, LAWFUL), (THERE, BREACH)])
def test_a_step_of_anothers_incident_solves_nothing_here(table: str, answer: str) -> None:
    game = Game("shuffler")
    game.record(
        IncidentReported,
        "20:10",
        incident="I1",
        category="jam",
        reason="card",
        people=(),
        noticed_at=moment("20:10"),
    )
    outside(game, IncidentStep, "20:20", table, step="technician_called")
    outside(game, IncidentClosed, "22:00", HERE, outcome="settled", reason="settled")
    assert said(SOLVED, game) == answer
    assert iso("20:20") < iso("22:00")
