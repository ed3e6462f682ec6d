"""PT art. 61 (with 59 and 60): until when a complaint is heard, and what becomes of it."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from casino.events.complaints import ComplaintDecided, DisputeReviewed
from casino.events.incidents import IncidentClosed
from casino.law.partida_judge import judge_partida
from casino.law.rulebook.rulebook_file import load_law
from tests.factories.complaints import complaint, error
from tests.factories.games import Game, evening, iso, moment
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import cited, findings, said, the_finding

LATE, HEARD = "late_complaint_not_upheld", "timely_complaint_heard"
PAID = "complaint_paid_as_decided"
ANSWERED, WAIT = "complaint_answered", "disputed_cards_wait_for_review"


# What is paid


def paid(outcome: str, reason: str, cents: int | None, claimed: int | None = 2_550) -> Game:
    """A complaint about so much, decided so."""
    game = complaint("20:11", outcome, amount_cents=claimed)
    game.change(ComplaintDecided, reason=reason, paid_cents=cents)
    return game


@upholds_case(PAID, "lawful")
@pytest.mark.parametrize(
    ("outcome", "reason", "cents"),
    [
        ("upheld", "payment-corrected", 2_550),
        ("partly_upheld", "error-found", 1_000),
        ("not_upheld", "rightly-dealt", None),
        ("not_upheld", "courtesy", 1_000),
    ],
)
def test_what_is_paid_as_it_was_decided_is_lawful(outcome: str, reason: str, cents: int) -> None:
    assert said(PAID, paid(outcome, reason, cents)) == LAWFUL


@upholds_case(PAID, "unlawful")
def test_a_correction_paid_on_a_complaint_that_was_not_upheld_is_found() -> None:
    (reason, amount) = findings(PAID, paid("not_upheld", "payment-corrected", 10_000))
    assert {reason.article, amount.article} == {"house.complaints"}
    assert (reason.severity, reason.where) == ("warning", {"complaint": "RC-1"})
    assert reason.observed == {"outcome": "not_upheld", "reason": "payment-corrected"}
    assert amount.observed == {"paid_cents": 10_000}
    assert amount.expected == {"at_most_cents": 2_550}


@upholds_case(PAID, "unlawful")
@pytest.mark.parametrize("outcome", ["not_upheld", "inadmissible"])
def test_what_is_paid_on_a_complaint_that_was_not_upheld_is_found(outcome: str) -> None:
    found = the_finding(PAID, paid(outcome, "not-proved", 2_000))
    assert (found.observed, found.expected) == (
        {"outcome": outcome, "paid_cents": 2_000},
        {"paid_cents": 0},
    )


@upholds_case(PAID, "boundary")
def test_a_cent_more_than_was_claimed_is_found_and_what_nobody_claimed_is_not_decided() -> None:
    assert said(PAID, paid("upheld", "payment-corrected", 2_550)) == LAWFUL
    assert said(PAID, paid("upheld", "payment-corrected", 2_551)) == BREACH
    assert said(PAID, paid("upheld", "payment-corrected", 2_551, None)) == UNDECIDED
    assert said(PAID, paid("upheld", "payment-corrected", None, None)) == LAWFUL
    assert said(PAID, complaint("20:11", None)) == NOT_ASKED


# The window


@upholds_case(LATE, "lawful")
@upholds_case(HEARD, "lawful")
@pytest.mark.parametrize(
    ("at", "outcome", "check"),
    [
        ("20:11", "upheld", LATE),
        ("20:12:30", "partly_upheld", LATE),
        ("20:14", "inadmissible", HEARD),
        ("23:00", "inadmissible", HEARD),
    ],
)
def test_article_61_in_time_it_is_heard_and_late_it_is_not(
    at: str, outcome: str, check: str
) -> None:
    assert said(check, complaint(at, outcome)) == LAWFUL


@upholds_case(LATE, "unlawful")
@pytest.mark.parametrize("outcome", ["upheld", "partly_upheld"])
@pytest.mark.parametrize("at", ["20:13:01", "20:40"])
def test_article_61_a_late_complaint_that_was_upheld_is_found(at: str, outcome: str) -> None:
    found = the_finding(LATE, complaint(at, outcome))
    assert (found.article, found.severity, found.where) == ("61", "breach", {"complaint": "RC-1"})
    assert found.observed == {"moment": iso(at), "outcome": outcome}
    assert found.expected == {"before": iso("20:13")}
    assert found.readings == ()


@upholds_case(HEARD, "unlawful")
@pytest.mark.parametrize("at", ["20:10:30", "20:11:59"])
def test_article_61_a_complaint_in_time_that_was_turned_away_is_found(at: str) -> None:
    found = the_finding(HEARD, complaint(at, "inadmissible"))
    assert (found.article, found.where) == ("61", {"complaint": "RC-1"})
    assert found.expected == {"heard": "yes", "before": iso("20:13")}


@upholds_case(HEARD, "unlawful")
@pytest.mark.parametrize("at", ["20:11", "02:00"])
def test_article_61_where_a_shoe_deals_the_text_sets_no_end(at: str) -> None:
    game = complaint(at, "inadmissible", dealing="shoe")
    assert the_finding(HEARD, game).expected == {"heard": "yes"}
    assert said(LATE, complaint(at, "upheld", dealing="shoe")) == LAWFUL


@upholds_case(LATE, "boundary")
@upholds_case(HEARD, "boundary")
@pytest.mark.parametrize("check", [LATE, HEARD])
def test_article_61_of_one_moment_or_an_unknown_order_nothing_is_decided(check: str) -> None:
    outcome = "upheld" if check == LATE else "inadmissible"
    for unknown in (
        complaint("20:13", outcome),  # the very moment
        complaint("20:14", outcome, inserted=None),
        complaint("20:14", outcome, received_at=None),
        complaint("20:14", outcome, round=None),
        complaint("20:14", outcome, round="00000000-0000-4000-8000-999999999999"),
        complaint("20:14", outcome, inserted=None, cards_inserted=True),  # as somebody saw it
    ):
        assert said(check, unknown) == UNDECIDED
    assert said(check, complaint("20:14", "not_upheld")) == NOT_ASKED
    by_place = complaint("20:14", outcome, round=None, shoe=1, number=1)
    assert said(check, by_place) == (BREACH if check == LATE else LAWFUL)


def test_article_60_while_the_cards_wait_the_window_stays_open() -> None:
    late = complaint("20:21", inserted=None, waiting=True)  # they went in with the next, at 20:23
    assert said(LATE, late) == LAWFUL
    assert the_finding(LATE, complaint("20:24", inserted=None, waiting=True)).expected == {
        "before": iso("20:23")
    }


# The answer


@upholds_case(ANSWERED, "lawful")
@pytest.mark.parametrize("outcome", ["inadmissible", "withdrawn"])
def test_article_61_every_complaint_is_answered_either_way(outcome: str) -> None:
    assert said(ANSWERED, complaint("20:14", outcome)) == LAWFUL


@upholds_case(ANSWERED, "unlawful")
@pytest.mark.parametrize("dealing", ["shoe", "shuffler"])
def test_article_61_a_complaint_nobody_answered_in_fifteen_days_is_a_warning(dealing: str) -> None:
    game = complaint("20:11", None, dealing=dealing)
    found = later(game, 15, 1)
    assert [(one.article, one.severity, one.check) for one in found] == [
        ("house.complaints", "warning", ANSWERED)
    ]


def later(game: Game, days: int, seconds: int) -> list[Any]:
    """What is found so long after the complaint came."""
    at = moment("20:11") + timedelta(days=days, seconds=seconds)
    return list(judge_partida(replace(game.dossier(), as_of=at), load_law("pt")).findings)


@upholds_case(ANSWERED, "boundary")
def test_article_61_on_the_fifteenth_day_it_may_still_be_answered() -> None:
    assert later(complaint("20:11", None), 15, 0) == []
    assert said(ANSWERED, complaint("20:11", None)) == UNDECIDED
    elsewhere = complaint("20:11", None)
    decided = ComplaintDecided(complaint="RC-1", outcome="not_upheld", reason="seen")
    elsewhere.beside(decided, "05:00")
    assert said(ANSWERED, elsewhere) == LAWFUL


# The cards in dispute


@upholds_case(WAIT, "lawful")
def test_article_61_the_cards_are_looked_at_before_they_go_back() -> None:
    assert said(WAIT, complaint("20:11", reviewed="20:12")) == LAWFUL
    assert said(WAIT, complaint("20:11", reviewed=None, decided="20:12:30")) == LAWFUL


@upholds_case(WAIT, "unlawful")
@pytest.mark.parametrize("reviewed", [None, "20:13:01", "20:50"])
def test_article_61_cards_put_back_while_in_dispute_are_found(reviewed: str | None) -> None:
    found = the_finding(WAIT, complaint("20:11", reviewed=reviewed, decided="22:00"))
    assert (found.article, found.severity) == ("house.complaints", "deviation")
    assert found.observed == {"moment": iso("20:13")}
    assert found.expected == {"not_before": iso(reviewed or "22:00")}


@upholds_case(WAIT, "unlawful")
def test_article_61_whether_it_is_ever_looked_at_or_not() -> None:
    game = complaint("20:11", None, reviewed=None)
    assert the_finding(WAIT, game).expected == {"reviewed": "yes"}


@upholds_case(WAIT, "boundary")
def test_article_61_put_back_as_it_was_reviewed_or_before_anybody_complained() -> None:
    assert said(WAIT, complaint("20:11", reviewed="20:13")) == LAWFUL
    assert findings(WAIT, complaint("20:14", reviewed=None)) == []
    assert said(WAIT, complaint("20:11", reviewed=None, inserted=None)) == UNDECIDED
    assert said(WAIT, complaint("20:11", reviewed=None, dealing="shoe")) == NOT_ASKED


@upholds_case(WAIT, "unlawful")
@upholds_case(HEARD, "unlawful")
def test_article_61_a_complaint_nobody_timed_came_no_later_than_it_was_told() -> None:
    game = complaint("20:11", "inadmissible", reviewed=None, received_at=None)
    assert said(HEARD, game) == BREACH
    assert the_finding(WAIT, game).observed == {"moment": iso("20:13")}
    for at in ("20:13", "20:14"):  # he may have come earlier
        late = complaint(at, "inadmissible", reviewed=None, received_at=None)
        assert (said(HEARD, late), said(WAIT, late)) == (UNDECIDED, UNDECIDED)


UNNAMED: dict[str, Any] = {"round": None, "cards_inserted": False, "reviewed": None}


@upholds_case(WAIT, "unlawful")
@pytest.mark.parametrize("at", ["20:10", "20:11", "20:12:59"])
def test_article_61_a_complaint_that_names_no_round_is_of_the_one_on_the_table(at: str) -> None:
    assert the_finding(WAIT, complaint(at, **UNNAMED)).observed == {"moment": iso("20:13")}


@upholds_case(WAIT, "boundary")
@pytest.mark.parametrize(
    "recorded",
    [
        {"cards_inserted": None},
        {"cards_inserted": True},
        {"subject": "conduct"},
        {"received_at": None},
        {"received_at": moment("20:09:59")},  # no round had begun
    ],
)
def test_article_61_where_nobody_saw_its_cards_it_stays_open(recorded: dict[str, Any]) -> None:
    assert said(WAIT, complaint("20:11", **{**UNNAMED, **recorded})) == UNDECIDED
    untimed = complaint("20:11", **UNNAMED)
    untimed.round(1, 3, times=None, at="20:12")
    assert said(WAIT, untimed) == UNDECIDED


@upholds_case(WAIT, "lawful")
@pytest.mark.parametrize("category", ["payment_error", "dealing_error"])
def test_article_61_an_error_looked_at_before_the_cards_go_back_is_lawful(category: str) -> None:
    assert said(WAIT, error(category=category)) == LAWFUL
    assert said(WAIT, error(reviewed=None, resolved_at=moment("20:13"))) == LAWFUL
    settled = error(reviewed=None)
    settled.record(IncidentClosed, "20:12:30", incident="I-7", outcome="paid", reason="seen")
    assert said(WAIT, settled) == LAWFUL


@upholds_case(WAIT, "unlawful")
@pytest.mark.parametrize("reviewed", ["20:13:01", "21:00"])
def test_article_61_an_error_looked_at_when_its_cards_were_back_is_found(reviewed: str) -> None:
    game = error(reviewed=reviewed)
    found = the_finding(WAIT, game)
    assert (found.article, found.where) == ("house.complaints", {"incident": "I-7"})
    assert (found.observed, found.expected) == (
        {"moment": iso("20:13")},
        {"not_before": iso(reviewed)},
    )
    assert found.evidence[-1] == game.entries[-1].entry_id


@upholds_case(WAIT, "boundary")
def test_article_61_an_error_nobody_looked_at_again_may_be_no_dispute() -> None:
    assert said(WAIT, error(reviewed="20:13")) == LAWFUL
    assert said(WAIT, error(reviewed=None)) == UNDECIDED
    assert said(WAIT, error(reviewed="21:00", inserted=None)) == UNDECIDED
    assert said(WAIT, error("20:14", reviewed="21:00")) == NOT_ASKED
    assert said(WAIT, error("20:14", reviewed="21:00", noticed_at=moment("20:12"))) == BREACH
    assert said(WAIT, error(reviewed="21:00", round=None)) == NOT_ASKED
    seen = {"round": None, "noticed_at": moment("20:11")}
    assert said(WAIT, error(reviewed="21:00", **seen)) == UNDECIDED  # the round on the table then
    assert said(WAIT, error(reviewed="20:12", **seen)) == LAWFUL
    assert said(WAIT, error(reviewed="21:00", category="conduct")) == NOT_ASKED
    assert said(WAIT, error(reviewed="21:00", dealing="shoe")) == NOT_ASKED
    elsewhere = error(reviewed=None)
    looked = DisputeReviewed(dispute="I-7", method="recordings", error_by="nobody")
    elsewhere.beside(looked, "20:40")
    assert said(WAIT, elsewhere) == BREACH


def test_a_game_without_complaints_is_not_asked_and_one_in_time_is_no_finding() -> None:
    assert {said(check, evening()) for check in (LATE, HEARD, ANSWERED, WAIT)} == {NOT_ASKED}
    assert cited(complaint("20:11", reviewed="20:12")) == []
