"""PT art. 51: a jam or a damaged card of the shuffler is a fiscal-chefe's matter."""

from typing import Any

import pytest

from casino.events.incidents import IncidentClosed, IncidentReported
from tests.factories.games import FISCAL, Game, moment
from tests.factories.shuffler_troubles import damage, jam, with_incident
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import said, the_finding

CALLED, OPENED, SOLVED = (
    "fiscal_chefe_called_at_once",
    "shuffler_opened_by_fiscal_chefe",
    "shuffler_trouble_solved_by_fiscal_chefe",
)
TECHNICIAN, REPLACED, RECORDED = (
    "unsolved_jam_goes_to_technician",
    "damaged_card_replaced",
    "damaged_card_communicated",
)


@upholds_case(CALLED, "lawful")
@upholds_case(OPENED, "lawful")
@upholds_case(SOLVED, "lawful")
@upholds_case(TECHNICIAN, "lawful")
@pytest.mark.parametrize("check", [CALLED, OPENED, SOLVED, TECHNICIAN])
@pytest.mark.parametrize("category", ["jam", "warning_light"])
def test_article_51_a_jam_is_opened_and_solved_by_a_fiscal_chefe_called_at_once(
    check: str, category: str
) -> None:
    assert said(check, jam(category=category)) == LAWFUL


@upholds_case(SOLVED, "lawful")
@upholds_case(REPLACED, "lawful")
@upholds_case(RECORDED, "lawful")
@pytest.mark.parametrize("check", [SOLVED, REPLACED, RECORDED])
def test_article_51_a_damaged_card_is_replaced_and_told_to_the_inspection(check: str) -> None:
    assert said(check, damage()) == LAWFUL


@pytest.mark.parametrize("check", [CALLED, OPENED, SOLVED, TECHNICIAN, REPLACED, RECORDED])
def test_article_51_asks_nothing_of_a_shoe_nor_of_other_incidents(check: str) -> None:
    for category in ("jam", "damaged_card"):
        assert said(check, with_incident(category, dealing="shoe")) == NOT_ASKED
    assert said(check, with_incident("conduct", resolved_at="21:10")) == NOT_ASKED


def test_article_51_where_nobody_knows_how_the_table_deals_it_is_not_decidable() -> None:
    game = Game(opened=False)
    values = {"incident": "I-1", "category": "jam", "reason": "card", "people": ()}
    game.record(IncidentReported, "21:00", **values)
    assert said(TECHNICIAN, game) == UNDECIDED
    game.change(IncidentReported, shuffler="CSM-04")
    game.close()
    assert said(TECHNICIAN, game) == BREACH


@upholds_case(OPENED, "unlawful")
@pytest.mark.parametrize(
    ("recorded", "observed"),
    [
        ({"opened_by": FISCAL}, {"staff": FISCAL}),
        (
            {"opened_by": None, "opened_by_office": "pagador"},
            {"office": "pagador"},
        ),
        (
            {"opened_by": FISCAL, "opened_by_office": "fiscal_chefe"},  # he is none
            {"staff": FISCAL, "office": "fiscal_chefe"},
        ),
    ],
)
def test_article_51_nobody_else_opens_the_shuffler(
    recorded: dict[str, Any], observed: dict[str, Any]
) -> None:
    found = the_finding(OPENED, jam(**recorded))
    assert (found.article, found.severity, found.where) == ("51", "breach", {"incident": "I-1"})
    assert (found.observed, found.expected) == (observed, {"office": "fiscal_chefe"})


@upholds_case(OPENED, "boundary")
def test_article_51_a_technician_opens_it_from_when_he_was_asked_for() -> None:
    asked = {"opened_by": "T-9", "technician_called_at": "21:04"}
    assert said(OPENED, jam(**asked)) == NOT_ASKED
    assert said(OPENED, jam(**asked, opened_at="21:03")) == BREACH
    assert said(OPENED, jam(opened_by=None)) == UNDECIDED  # opened, and nobody says by whom
    assert said(OPENED, jam(opened_by=None, opened_by_office="fiscal_chefe")) == UNDECIDED
    assert said(OPENED, jam(opened_by=None, opened_at=None)) == NOT_ASKED


@upholds_case(SOLVED, "unlawful")
@pytest.mark.parametrize(
    "recorded",
    [
        {"resolved_by": FISCAL, "resolved_by_office": "fiscal_de_banca"},
        {"resolved_by": None, "resolved_by_office": "fiscal_de_banca"},
    ],
)
@pytest.mark.parametrize("trouble", [jam, damage])
def test_article_51_nobody_else_solves_it(recorded: dict[str, Any], trouble: Any) -> None:
    found = the_finding(SOLVED, trouble(**recorded))
    assert (found.article, found.expected) == ("51", {"office": "fiscal_chefe"})


@upholds_case(SOLVED, "boundary")
def test_article_51_what_a_technician_solved_or_nobody_yet_is_not_asked() -> None:
    unsolved = {"resolved_at": None, "resolved_by": None, "resolved_by_office": None}
    assert said(SOLVED, jam(**unsolved)) == NOT_ASKED
    helped = {"resolved_by": None, "resolved_by_office": None, "technician_called_at": "21:06"}
    assert said(SOLVED, jam(**helped)) == NOT_ASKED
    assert said(SOLVED, jam(resolved_by=None, resolved_by_office=None)) == UNDECIDED


UNSOLVED = {"resolved_at": None, "resolved_by": None, "resolved_by_office": None}


@upholds_case(TECHNICIAN, "unlawful")
@pytest.mark.parametrize("category", ["jam", "warning_light"])
def test_article_51_a_jam_left_unsolved_without_a_technician_is_found(category: str) -> None:
    found = the_finding(TECHNICIAN, jam(category=category, **UNSOLVED))
    assert (found.article, found.severity) == ("51", "breach")
    assert found.observed == {"solved": "no", "technician_called": "no"}


@upholds_case(TECHNICIAN, "boundary")
def test_article_51_a_technician_asked_for_is_enough_and_an_open_jam_is_not_decidable() -> None:
    assert said(TECHNICIAN, jam(**UNSOLVED, technician_called_at="21:10")) == LAWFUL
    game = jam(**UNSOLVED, closed=False)
    assert said(TECHNICIAN, game) == UNDECIDED
    game.record(IncidentClosed, "22:00", incident="I-1", outcome="left", reason="other")
    assert said(TECHNICIAN, game) == BREACH


@upholds_case(CALLED, "unlawful")
@pytest.mark.parametrize("called", ["21:05:01", "21:40"])
def test_article_51_a_fiscal_chefe_called_late_is_a_warning(called: str) -> None:
    found = the_finding(CALLED, jam(called_at=called))
    assert (found.article, found.severity) == ("51", "warning")
    assert found.observed == {"moment": moment(called).isoformat()}
    assert found.expected == {"not_after": moment("21:05").isoformat()}


@upholds_case(CALLED, "boundary")
def test_article_51_five_minutes_are_at_once_and_untold_moments_leave_it_open() -> None:
    assert said(CALLED, jam(called_at="21:05")) == LAWFUL
    for unrecorded in ("noticed_at", "called_at"):
        assert said(CALLED, jam(**{unrecorded: None})) == UNDECIDED


@upholds_case(REPLACED, "unlawful")
@pytest.mark.parametrize("closed", [True, False])
def test_article_51_a_damaged_card_left_in_play_is_found(closed: bool) -> None:
    found = the_finding(REPLACED, damage(replaced="nothing", closed=closed))
    assert (found.article, found.observed) == ("51", {"replaced": "nothing"})


@upholds_case(REPLACED, "boundary")
def test_article_51_the_whole_deck_may_be_replaced() -> None:
    assert said(REPLACED, damage(replaced="deck")) == LAWFUL
    assert said(REPLACED, damage(replaced=None)) == UNDECIDED


@upholds_case(REPLACED, "unlawful")
def test_article_51_a_damaged_card_of_which_nobody_tells_and_play_went_on_is_found() -> None:
    game = damage(replaced=None, closed=False)
    game.put_back(1, 4, "21:00")  # begun as it was seen
    game.close()
    assert said(REPLACED, game) == UNDECIDED
    played_on = damage(replaced=None, closed=False)
    played_on.put_back(1, 4, "21:05")
    assert said(REPLACED, played_on) == UNDECIDED  # it may still be recorded
    played_on.close()
    assert the_finding(REPLACED, played_on).observed == {"replaced": "nothing"}


A_DAY_AGO = moment("05:59").replace(day=20)  # a day and a minute before the game is looked at
NOT_RECORDED: dict[str, Any] = {
    "communicated_at": None,
    "communicated_by": None,
    "communicated_by_office": None,
}
NOT_RECORDED["noticed_at"] = A_DAY_AGO


@upholds_case(RECORDED, "unlawful")
@pytest.mark.parametrize(
    ("recorded", "observed"),
    [
        (NOT_RECORDED, {"communications": 0}),
        ({"communicated_by": FISCAL}, {"staff": FISCAL, "office": "chefia_da_sala"}),
        (
            {"communicated_by": None, "communicated_by_office": "fiscal_chefe"},
            {"office": "fiscal_chefe"},
        ),
    ],
)
def test_article_51_a_damaged_card_nobody_or_somebody_else_told_is_found(
    recorded: dict[str, Any], observed: dict[str, Any]
) -> None:
    found = the_finding(RECORDED, damage(**recorded))
    assert (found.article, found.severity, found.observed) == ("51", "breach", observed)


@upholds_case(RECORDED, "boundary")
def test_article_51_closing_the_table_ends_no_time_for_the_notice() -> None:
    waiting = {**NOT_RECORDED, "noticed_at": "20:50"}  # closed at three, looked at in the morning
    assert said(RECORDED, damage(**waiting)) == UNDECIDED
    within = {**NOT_RECORDED, "noticed_at": moment("06:00").replace(day=20)}
    assert said(RECORDED, damage(**within)) == UNDECIDED
    settled = damage(**waiting)
    settled.record(IncidentClosed, "22:00", incident="I-1", outcome="replaced", reason="card")
    assert said(RECORDED, settled) == BREACH


@upholds_case(RECORDED, "boundary")
def test_article_51_it_may_still_be_told_until_the_incident_is_closed() -> None:
    game = damage(**NOT_RECORDED, closed=False)
    assert said(RECORDED, game) == UNDECIDED
    closing = {"incident": "I-1", "outcome": "replaced", "reason": "card"}
    game.record(IncidentClosed, "22:00", **closing, communicated_at=moment("21:50"))
    assert said(RECORDED, game) == UNDECIDED  # told then, and nobody says by whom
    game.change(IncidentClosed, communicated_at=None)
    assert said(RECORDED, game) == BREACH
