"""What a look at one game says, from its records alone, at any moment of the evening."""

from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from audit.runs import house_checks
from audit.runs.keys import finding_key, flat
from audit.watch.alert_words import DUE, MISSING
from audit.watch.floor_overdue import PATIENCE, WATCHED, Seen, dossier_refs, has_grown, look_at
from casino.events.event import EntryRef
from casino.events.incidents import IncidentReported
from casino.events.shoes import CardBurned, CutMade
from casino.events.shufflers import ShufflerLoaded
from casino.law.check_registry import ALL_CHECKS
from casino.law.dossier import Dossier
from casino.law.finding import Finding
from casino.law.partida_judge import judge_partida
from casino.law.rulebook import controls
from casino.law.rulebook.rulebook_file import load_law
from tests.factories.games import LEFT_OUT, Game, evening, moment, shuffler_evening

pytestmark = pytest.mark.share

PT = load_law("pt")
MINUTE = timedelta(minutes=1)


def as_recorded(game: Game, at: str) -> Dossier:
    """The game as far as the book told it at a moment."""
    dossier = game.dossier(at)
    events = tuple(one for one in dossier.entries if one.recorded_at <= dossier.as_of)
    return replace(dossier, entries=events)


def seen(game: Game, at: str) -> Seen:
    """What a look at that moment comes to."""
    return look_at(as_recorded(game, at), PT)


def due(game: Game, at: str) -> list[str]:
    """The checks of what it says."""
    return sorted(one.check for one in seen(game, at).due.values())


MOMENTS = [f"{hour}:{minute:02d}" for hour in (19, 20, 21, 22, 23) for minute in range(60)]


@pytest.mark.parametrize("lawful", [evening, shuffler_evening])
def test_a_lawful_game_is_left_alone_at_every_minute_of_its_evening(lawful: Any) -> None:
    game = lawful()
    for at in (*MOMENTS, "02:00", "02:50", "03:00", "03:01", "03:02", "06:00"):
        assert due(game, at) == [], at


def test_every_watched_check_is_one_of_the_law_and_has_its_words() -> None:
    assert ALL_CHECKS.keys() >= WATCHED
    assert PT.checks.keys() | controls.ARTICLE_OF.keys() >= WATCHED
    house = house_checks.OF_THE_FLOOR | house_checks.OF_THE_REGISTER
    house |= {house_checks.CASE_IN_TIME, house_checks.REMEDY_KEPT}
    assert MISSING.keys() == WATCHED | house
    assert DUE.keys() <= MISSING.keys()
    assert {"loading_witnessed", "shuffler_is_loaded", "no_round_during_trouble"} <= WATCHED


def test_what_is_said_is_what_the_whole_judgement_says() -> None:
    game = Game()
    game.prepare(1, "20:00", burn=LEFT_OUT)
    game.round(1, 1, "20:10")
    dossier = game.dossier("23:00")
    judged = judge_partida(dossier, PT).findings
    named = dossier_refs(dossier, judged)
    whole = {finding_key(one, named) for one in judged}
    watched = look_at(dossier, PT)
    assert watched.due.keys() == watched.found.keys() <= whole
    assert {one.check for one in watched.due.values()} == {"shoe_is_burnt"}


def test_an_absence_is_said_two_minutes_after_the_record_that_shows_it() -> None:
    game = Game()
    game.prepare(1, "20:00", cut=LEFT_OUT)  # the warning card, at 20:04, was recorded at 20:05
    assert due(game, "20:06:59") == []
    assert [one.check for one in seen(game, "20:06:59").found.values()] == ["shoe_is_cut"]
    assert due(game, "20:07:00") == ["shoe_is_cut"]
    assert timedelta(minutes=2) == PATIENCE


def test_rounds_that_follow_make_a_finding_no_younger() -> None:
    game = Game("shuffler")
    game.record(CardBurned, "19:58", shoe=1, cards=1)
    for number in range(1, 30):
        game.put_back(1, number, f"20:{10 + number}")
    assert due(game, "20:13:59") == []
    assert due(game, "20:14:00") == ["shuffler_is_loaded"]
    first = next(iter(seen(game, "20:14").due))
    assert first in seen(game, "20:38").due
    assert first in seen(game, "06:00").due


def jammed(until: str | None = None) -> Game:
    """A jam at 20:35 at a table in order; put right at `until`."""
    game = shuffler_evening(closed=False)
    values = {"resolved_at": moment(until) if until else None}
    game.record(
        IncidentReported,
        "20:35",
        incident="I-1",
        category="jam",
        reason="card",
        people=(),
        shuffler="CSM-04",
        noticed_at=moment("20:35"),
        **values,
    )
    return game


def test_rounds_dealt_during_a_jam_are_said_by_the_first_of_them() -> None:
    game = jammed()
    for number in (4, 5, 6):
        game.put_back(1, number, f"20:{36 + number}")  # the first at 20:40, told at 20:41
    assert due(game, "20:42:59") == []
    assert due(game, "20:43") == ["no_round_during_trouble"]
    game = jammed("20:39")
    game.put_back(1, 4, "20:40")
    assert due(game, "21:00") == []


# A finding that only has more to show for it


def row_of(found: Finding) -> Any:
    """A finding as it stands on its projection."""
    return SimpleNamespace(
        check_name=found.check,
        where=flat(found.where),
        evidence=list(found.evidence),
        observed=flat(found.observed),
        expected=flat(found.expected),
    )


def vars_of(ref: EntryRef) -> dict[str, Any]:
    """An entry as a finding's row names it."""
    return {"stream": ref.stream, "n": ref.n, "leaf": ref.leaf}


def the_one(game: Game, at: str) -> Finding:
    (found,) = seen(game, at).found.values()
    return found


def test_more_rounds_are_the_same_finding_grown() -> None:
    game = jammed()
    game.put_back(1, 4, "20:40")
    before = row_of(the_one(game, "20:45"))
    game.put_back(1, 5, "20:46")
    after = the_one(game, "20:50")
    assert (before.observed, after.observed) == ({"rounds": 1}, {"rounds": 2})
    assert has_grown(before, after, {})
    named = seen(game, "20:50").named
    before.evidence = [vars_of(named[entry]) for entry in before.evidence]
    assert has_grown(before, after, named)
    before.evidence[0]["leaf"] = "0" * 64  # another entry under the same number
    assert not has_grown(before, after, named)


def test_another_place_or_another_fault_is_another_finding() -> None:
    game = jammed()
    game.put_back(1, 4, "20:40")
    found = the_one(game, "20:45")
    before = row_of(found)
    assert not has_grown(before, replace(found, where={"incident": "I-2"}), {})
    assert not has_grown(before, replace(found, check="shuffler_is_loaded"), {})
    assert not has_grown(before, replace(found, expected={"rounds": 1}), {})
    assert not has_grown(before, replace(found, evidence=found.evidence[:1]), {})
    late = Game()
    late.prepare(1, "20:00", burn=LEFT_OUT)
    late.round(1, 1, "20:10")
    missing = row_of(the_one(late, "20:20"))
    late.record(CardBurned, "20:15", shoe=1, cards=1)  # after the first card
    assert not has_grown(missing, the_one(late, "20:20"), {})


def test_how_well_a_thing_was_done_is_not_the_watchs_matter() -> None:
    game = Game("shuffler")
    game.witness(game.load(packets=1))
    game.record(CardBurned, "19:58", shoe=1, cards=2)
    game.put_back(1, 1, "20:10")
    assert due(game, "21:00") == []
    game = Game()
    game.prepare(1, "20:00", cut={"cut_by": "seat", "seat": 5})
    game.round(1, 1, "20:10")
    assert due(game, "21:00") == []
    assert game.dossier().of(CutMade)
    assert not game.dossier().of(ShufflerLoaded)
