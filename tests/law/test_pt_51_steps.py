"""PT art. 51 told tap by tap: the steps of an incident, the lid, the notice; no round meanwhile."""

from typing import Any

import pytest

from casino.events.deck_life import CardReplaced
from casino.events.incidents import IncidentClosed, IncidentReported, IncidentStep
from casino.events.notices import NoticeSent
from casino.law.rulebook.rulebook_file import load_law
from tests.factories.games import (
    CHEFE,
    FISCAL,
    MANAGER,
    Game,
    iso,
    moment,
)
from tests.factories.previewed import preview
from tests.factories.shuffler_incidents import lid, recorded_late, report, steps
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import cited, findings, said, the_finding

CALLED, OPENED, SOLVED, TECHNICIAN = (
    "fiscal_chefe_called_at_once",
    "shuffler_opened_by_fiscal_chefe",
    "shuffler_trouble_solved_by_fiscal_chefe",
    "unsolved_jam_goes_to_technician",
)
REPLACED, NOTIFIED = "damaged_card_replaced", "damaged_card_communicated"
IN_TIME, MEANWHILE = "damaged_card_communicated_in_time", "no_round_during_trouble"
LID = "lid_opened_by_fiscal_chefe"

TAPS = (
    f"called 21:01, arrived 21:03, lid_opened 21:05 {CHEFE}, lid_closed 21:07,"
    f" resolved 21:08 {CHEFE}"
)


@pytest.mark.parametrize("check", [CALLED, OPENED, SOLVED, TECHNICIAN, MEANWHILE])
def test_article_51_taps_tell_what_a_report_tells(check: str) -> None:
    assert said(check, steps(report(), TAPS)) == LAWFUL


@pytest.mark.parametrize(
    ("taps", "check", "observed"),
    [
        ("called 21:06", CALLED, {"moment": iso("21:06")}),
        (f"lid_opened 21:05 {FISCAL}", OPENED, {"staff": FISCAL}),
        (f"lid_opened 21:05 {CHEFE}, lid_opened 21:06 {FISCAL}", OPENED, {"staff": FISCAL}),
        (f"resolved 21:08 {FISCAL} pagador", SOLVED, {"staff": FISCAL, "office": "pagador"}),
    ],
)
def test_article_51_a_tap_that_breaks_it_is_found_and_named_as_evidence(
    taps: str, check: str, observed: dict[str, str]
) -> None:
    game = steps(report(), taps)
    found = the_finding(check, game)
    assert (found.article, found.observed) == ("51", observed)
    assert game.entries[-1].entry_id in found.evidence


def test_article_51_a_technician_tapped_opens_it_after_he_was_asked_for() -> None:
    asked = "technician_called 21:10, lid_opened 21:30 T-9"
    assert findings(OPENED, steps(report(), asked)) == []
    assert said(TECHNICIAN, steps(report(), asked)) == LAWFUL
    early = "lid_opened 21:09 T-9, technician_called 21:10"
    assert said(OPENED, steps(report(), early)) == BREACH


def test_article_51_what_the_report_tells_stands_and_a_second_tap_does_not_move_it() -> None:
    game = steps(report(called_at=moment("21:01")), "called 21:40")
    assert said(CALLED, game) == LAWFUL
    assert said(CALLED, steps(report(), "called 21:02, called 21:40")) == LAWFUL


def test_article_51_steps_of_another_incident_or_told_outside_the_game() -> None:
    game = report()
    game.record(IncidentStep, "21:06", incident="I-2", step="called")
    assert said(CALLED, game) == UNDECIDED
    game.beside(IncidentStep(table="BJ-01", incident="I-1", step="called"), "21:06")
    assert said(CALLED, game) == BREACH


def test_article_51_a_lid_said_to_be_closed_before_it_was_opened_breaks_nothing() -> None:
    game = steps(report(opened_at=moment("21:05"), opened_by=CHEFE), "lid_closed 21:04")
    assert said(OPENED, game) == LAWFUL


@pytest.mark.parametrize(("recorded", "expected"), [({}, LAWFUL), ({"incident": None}, UNDECIDED)])
def test_article_51_a_card_exchanged_for_it_shows_that_it_was(
    recorded: dict[str, None], expected: str
) -> None:
    game = report("damaged_card")
    usual = {"deck": "D-1", "card": "8S", "reason": "damaged", "incident": "I-1"}
    game.record(CardReplaced, "21:02", **{**usual, "replaced_by": CHEFE, **recorded})
    assert said(REPLACED, game) == expected


# The notice to the inspection service


A_DAY_AGO = moment("05:59").replace(day=20)  # a day and a minute before the game is looked at


def notice(at: str | None, by: str = MANAGER, **values: Any) -> Game:
    """A damaged card, a day ago by now, and the word of it to the inspection service."""
    game = report("damaged_card", replaced="card", noticed_at=A_DAY_AGO)
    if at is not None:
        usual = {"notice": "N-1", "to": "inspection_service", "about": "damaged_card"}
        usual |= {"means": "portal", "reference": "88", "sent_at": moment(at), "sent_by": by}
        game.beside(NoticeSent(**{**usual, "incident": "I-1", **values}), at)
    game.close()
    return game


@upholds_case(IN_TIME, "lawful")
@pytest.mark.parametrize("check", [NOTIFIED, IN_TIME])
def test_article_51_a_notice_sent_by_the_management_is_the_word_of_it(check: str) -> None:
    assert said(check, notice("21:30")) == LAWFUL


@pytest.mark.parametrize(
    ("recorded", "observed"),
    [
        ({"by": FISCAL}, {"staff": FISCAL}),
        ({"to": "management"}, {"communications": 0}),
        ({"incident": "I-2"}, {"communications": 0}),
    ],
)
def test_article_51_a_notice_of_another_thing_or_by_somebody_else_is_none(
    recorded: dict[str, Any], observed: dict[str, Any]
) -> None:
    assert the_finding(NOTIFIED, notice("21:30", **recorded)).observed == observed


@upholds_case(IN_TIME, "unlawful")
@pytest.mark.parametrize("minutes", [1441, 3000])
def test_article_51_a_notice_after_a_day_is_a_warning(minutes: int) -> None:
    found = the_finding(IN_TIME, recorded_late(minutes))
    assert (found.article, found.severity) == ("51", "warning")


@upholds_case(IN_TIME, "boundary")
def test_article_51_within_a_day_is_in_time_and_nobody_waits_longer_than_that() -> None:
    assert said(IN_TIME, recorded_late(1440)) == LAWFUL
    assert said(IN_TIME, recorded_late(1440, noticed_at=None)) == UNDECIDED
    silent = report("damaged_card", replaced="card")
    assert said(IN_TIME, silent) == UNDECIDED
    assert said(IN_TIME, silent, as_of="11:00") == UNDECIDED
    # that nobody recorded it is a breach of its own
    assert said(IN_TIME, notice(None)) == NOT_ASKED
    assert said(NOTIFIED, notice(None)) == BREACH


@upholds_case(IN_TIME, "unlawful")
def test_article_51_a_notice_that_never_came_is_found_when_its_day_is_over() -> None:
    game = report("damaged_card", at="08:00", replaced="card")  # past midnight
    game.change(IncidentReported, noticed_at=moment("08:00").replace(day=20))
    found = the_finding(IN_TIME, game, as_of="08:01")
    assert (found.observed, found.severity) == ({"communications": 0}, "warning")


def test_article_51_told_when_the_incident_was_closed_is_told() -> None:
    game = report("damaged_card", replaced="card")
    closing = {"incident": "I-1", "outcome": "replaced", "reason": "card"}
    game.record(IncidentClosed, "22:00", **closing, communicated_at=moment("21:50"))
    assert said(IN_TIME, game) == LAWFUL


# The lid, told by itself


@upholds_case(LID, "lawful")
@pytest.mark.parametrize("reason", ["jam", "damaged_card"])
def test_article_51_the_lid_is_opened_by_a_fiscal_chefe(reason: str) -> None:
    assert said(LID, lid(reason=reason)) == LAWFUL
    assert cited(lid()) == []


@upholds_case(LID, "unlawful")
@pytest.mark.parametrize(
    ("recorded", "observed"),
    [
        ({"opened_by": FISCAL}, {"staff": FISCAL, "office": "fiscal_chefe"}),
        ({"opened_by": None, "opened_by_office": "pagador"}, {"office": "pagador"}),
        (
            {"opened_by": "T-9", "opened_by_office": None},
            {"staff": "T-9", "on_record": "nothing"},
        ),
    ],
)
def test_article_51_a_lid_opened_by_somebody_else_is_found_once(
    recorded: dict[str, Any], observed: dict[str, str]
) -> None:
    game = lid(**recorded)
    found = the_finding(LID, game)
    assert (found.article, found.where) == ("51", {"shuffler": "CSM-04"})
    assert found.observed == observed
    assert findings(OPENED, game) == []


@upholds_case(LID, "boundary")
def test_article_51_a_technician_who_was_asked_for_may_and_an_untold_hand_leaves_it_open() -> None:
    asked = lid(opened_by="T-9", opened_by_office=None)
    steps(asked, "technician_called 21:05")
    assert said(LID, asked) == NOT_ASKED
    assert said(LID, lid(opened_by=None)) == UNDECIDED
    assert said(LID, lid(reason="unloading")) == NOT_ASKED


# Before it is recorded


def test_a_round_in_hand_while_the_light_warns_is_warned_of() -> None:
    game = report()
    recorded = game.put_back(1, 4, "21:02")
    game.entries.pop()
    warned = preview(game.dossier(), recorded, load_law("pt"))
    assert [found.check for found in warned] == [MEANWHILE]
    steps(game, f"resolved 21:01 {CHEFE}")
    assert preview(game.dossier(), recorded, load_law("pt")) == []


def test_a_tap_in_hand_is_warned_of_by_what_it_breaks() -> None:
    game = report()
    steps(game, f"lid_opened 21:05 {FISCAL}")
    recorded = game.entries.pop()
    warned = preview(game.dossier(), recorded, load_law("pt"))
    assert [found.check for found in warned] == [OPENED]
