"""PT art. 51: no round is dealt while the shuffler is jammed or its light warns."""

from typing import Any

import pytest

from casino.events.incidents import IncidentClosed, IncidentReported, IncidentStep
from tests.factories.games import CHEFE, evening, moment
from tests.factories.shuffler_incidents import meanwhile, outside, steps, written_off
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import cited, said, the_finding

MEANWHILE, TECHNICIAN = "no_round_during_trouble", "unsolved_jam_goes_to_technician"


@upholds_case(MEANWHILE, "lawful")
@pytest.mark.parametrize("category", ["jam", "warning_light"])
def test_article_51_play_rests_until_it_is_put_right(category: str) -> None:
    assert said(MEANWHILE, meanwhile("20:59", "21:10", category=category)) == LAWFUL


@upholds_case(MEANWHILE, "unlawful")
@pytest.mark.parametrize(("dealt", "rounds"), [(("21:01",), 1), (("21:02", "21:05", "21:12"), 2)])
@pytest.mark.parametrize("category", ["jam", "warning_light"])
def test_article_51_a_round_dealt_while_the_light_warns_is_found(
    category: str, dealt: tuple[str, ...], rounds: int
) -> None:
    found = the_finding(MEANWHILE, meanwhile(*dealt, category=category))
    assert (found.article, found.severity, found.where) == (
        "house.shuffler",
        "deviation",
        {"incident": "I-1"},
    )
    assert (found.observed, found.expected) == ({"rounds": rounds}, {"rounds": 0})


@upholds_case(MEANWHILE, "unlawful")
def test_article_51_until_somebody_tells_that_it_is_solved_it_is_not() -> None:
    game = meanwhile("21:20", resolved_at=None, resolved_by=None)
    assert said(MEANWHILE, game) == BREACH
    steps(game, f"resolved 21:08 {CHEFE}")
    assert said(MEANWHILE, game) == LAWFUL


@upholds_case(MEANWHILE, "boundary")
def test_article_51_a_round_that_had_begun_is_finished() -> None:
    assert said(MEANWHILE, meanwhile("21:00", "21:08")) == LAWFUL
    assert said(MEANWHILE, meanwhile("21:00:01")) == BREACH
    assert said(MEANWHILE, meanwhile("21:07:59")) == BREACH


@upholds_case(MEANWHILE, "unlawful")
@pytest.mark.parametrize("dealt", ["21:20", "21:59:59"])
def test_article_51_a_jam_written_off_unsolved_stood_until_it_was(dealt: str) -> None:
    found = the_finding(MEANWHILE, written_off(dealt, "22:10"))
    assert (found.observed, found.expected) == ({"rounds": 1}, {"rounds": 0})
    assert said(TECHNICIAN, written_off(dealt)) == LAWFUL


@upholds_case(MEANWHILE, "boundary")
def test_article_51_after_its_closing_play_goes_on_and_an_untimed_solver_leaves_it_open() -> None:
    assert said(MEANWHILE, written_off("22:00")) == LAWFUL
    assert said(MEANWHILE, written_off("20:59")) == LAWFUL
    assert said(MEANWHILE, written_off("21:20", resolved_by=CHEFE)) == UNDECIDED
    untimed = written_off()
    untimed.round(1, 4, times=None, at="21:20")
    assert said(MEANWHILE, untimed) == UNDECIDED


@upholds_case(MEANWHILE, "unlawful")
@pytest.mark.parametrize("solved", ["20:55", "20:59"])
def test_article_51_what_was_put_right_before_the_light_was_not_this(solved: str) -> None:
    game = meanwhile("21:20", resolved_at=None, resolved_by=None)
    steps(game, f"resolved {solved} {CHEFE}")
    assert said(MEANWHILE, game) == BREACH
    assert said(TECHNICIAN, game, as_of="06:00") == UNDECIDED  # nobody recorded that it was solved
    in_the_report = meanwhile("21:20", resolved_at=moment(solved))
    assert said(MEANWHILE, in_the_report) == BREACH


@upholds_case(MEANWHILE, "boundary")
@pytest.mark.parametrize(
    ("noticed", "solved", "answer"),
    [
        ("21:00:45", "21:00", LAWFUL),  # a form wrote the minute alone
        ("21:00:45", "21:00:44", BREACH),
        ("21:00:45", "20:59", BREACH),
        ("21:00", "21:00", LAWFUL),
    ],
)
def test_article_51_a_moment_told_to_the_minute_may_be_any_of_it(
    noticed: str, solved: str, answer: str
) -> None:
    known = {"noticed_at": moment(noticed), "resolved_at": None, "resolved_by": None}
    game = meanwhile("21:20", **known)
    steps(game, f"resolved {solved} {CHEFE}")
    assert said(MEANWHILE, game) == answer


@upholds_case(MEANWHILE, "boundary")
def test_article_51_a_number_told_twice_is_solved_each_time_by_itself() -> None:
    game = meanwhile("21:20", resolved_at=None, resolved_by=None)
    steps(game, f"resolved 21:08 {CHEFE}")
    again = {"incident": "I-1", "category": "jam", "reason": "card", "people": ()}
    game.record(IncidentReported, "22:00", noticed_at=moment("22:00"), **again)
    assert said(MEANWHILE, game) == LAWFUL
    game.put_back(1, 9, "22:20")
    assert the_finding(MEANWHILE, game).observed == {"rounds": 1}
    steps(game, f"resolved 22:10 {CHEFE}")
    assert said(MEANWHILE, game) == LAWFUL
    closed = meanwhile("21:20", resolved_at=None, resolved_by=None, noticed_at=moment("21:10"))
    closed.record(IncidentClosed, "21:00", incident="I-1", outcome="settled", reason="other")
    assert said(MEANWHILE, closed) == BREACH


# A jam of another game, or of none, that was still open


@upholds_case(MEANWHILE, "unlawful")
@pytest.mark.parametrize(
    "where",
    [
        {},
        {"shuffler": None, "table": "BJ-01"},
        {"table": "BJ-01", "partida": "BJ-01/2026-11-19/1"},
        {"category": "warning_light"},
        {"resolved_at": moment("20:30:01")},
    ],
)
def test_article_51_a_jam_that_was_open_before_the_game_stops_it_too(where: dict[str, Any]) -> None:
    game = outside(**where)
    found = the_finding(MEANWHILE, game)
    assert (found.article, found.where) == ("house.shuffler", {"incident": "I-9"})
    assert (found.observed, found.evidence[0]) == ({"rounds": 3}, game.around[-1].entry_id)
    assert {one.split()[1] for one in cited(game)} == {MEANWHILE}  # the rest is not this game's


@upholds_case(MEANWHILE, "boundary")
@pytest.mark.parametrize(
    ("recorded", "expected"),
    [
        ({"resolved_at": moment("19:00")}, NOT_ASKED),  # as the game was opened
        ({"resolved_at": moment("20:10")}, LAWFUL),
        ({"resolved_at": moment("20:10:01")}, BREACH),
        ({"shuffler": "CSM-09"}, NOT_ASKED),
        ({"shuffler": None}, NOT_ASKED),
        ({"shuffler": None, "table": "BJ-02"}, NOT_ASKED),
        ({"category": "damaged_card"}, NOT_ASKED),
        ({"at": "03:00"}, NOT_ASKED),  # as the game was closed
        ({"at": "20:30"}, LAWFUL),
        ({"noticed_at": None}, BREACH),
        ({"noticed_at": None, "at": "20:40"}, UNDECIDED),
    ],
)
def test_article_51_a_jam_that_was_over_or_of_another_machine_stops_nothing(
    recorded: dict[str, Any], expected: str
) -> None:
    assert said(MEANWHILE, outside(**recorded)) == expected


def test_article_51_a_jam_outside_is_over_as_its_steps_and_its_closing_tell() -> None:
    game = outside()
    over = IncidentClosed(incident="I-9", outcome="settled", reason="other")
    game.beside(over, "20:15")
    assert the_finding(MEANWHILE, game).observed == {"rounds": 1}
    game.beside(IncidentStep(incident="I-9", step="resolved", by=CHEFE), "18:10")
    assert said(MEANWHILE, game) == NOT_ASKED
    shoe = evening()
    values = {"incident": "I-9", "category": "jam", "reason": "card", "people": ()}
    shoe.beside(IncidentReported(**values, shuffler="CSM-04"), "18:00")
    assert said(MEANWHILE, shoe) == NOT_ASKED


def test_article_51_untold_moments_leave_open_whether_a_round_was_dealt_meanwhile() -> None:
    untimed = meanwhile()
    untimed.round(1, 4, times=None, at="21:05")
    assert said(MEANWHILE, untimed) == UNDECIDED
    assert said(MEANWHILE, meanwhile(noticed_at=None)) == UNDECIDED  # the light may be older
    assert said(MEANWHILE, meanwhile("21:01", category="damaged_card")) == NOT_ASKED
    assert said(MEANWHILE, evening()) == NOT_ASKED
