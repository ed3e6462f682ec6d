"""PT art. 57 with 51: until when a trouble of the shuffler excuses that its cards come out."""

import pytest

from casino.events.incidents import IncidentClosed, IncidentReported
from tests.factories.games import DECKS, moment
from tests.factories.shuffler_opened import solved, taken_out
from tests.law.asking import BREACH, LAWFUL, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import cited, findings, said

INSIDE = "cards_stay_in_shuffler"


@upholds_case(INSIDE, "unlawful")
@pytest.mark.parametrize("reason", ["jam", "damaged_card"])
@pytest.mark.parametrize("dealt", [("20:45",), ("21:29:59",), ("20:45", "21:40")])
def test_article_57_a_jam_that_was_put_right_is_no_reason_once_play_went_on(
    reason: str, dealt: tuple[str, ...]
) -> None:
    found = findings(INSIDE, solved("20:40", *dealt, reason=reason))
    assert [(one.article, one.where) for one in found] == [("57", {"unload": 1})]
    assert found[0].observed == {"reason": reason, "reported": "no"}


@upholds_case(INSIDE, "boundary")
def test_article_57_until_play_goes_on_or_while_nobody_put_it_right_it_is_one() -> None:
    assert said(INSIDE, solved("20:40")) == LAWFUL
    assert said(INSIDE, solved("20:40", "20:40", "21:30")) == LAWFUL
    assert said(INSIDE, solved("21:30", "21:00")) == LAWFUL  # 51's matter
    assert said(INSIDE, solved("", "21:00")) == UNDECIDED
    untimed = solved("20:40")
    untimed.round(1, 4, times=None, at="20:50")
    assert said(INSIDE, untimed) == UNDECIDED
    over = {"incident": "I-1", "outcome": "settled", "reason": "other"}
    for closed_at, expected in (("20:50", BREACH), ("21:00", UNDECIDED), ("21:30", UNDECIDED)):
        written_off = solved("", "21:00")
        written_off.record(IncidentClosed, closed_at, **over)
        assert said(INSIDE, written_off) == expected


def test_article_57_at_the_closing_too_a_jam_solved_hours_ago_is_no_reason() -> None:
    game = taken_out("jam", "02:40", trouble="jam 20:38")
    game.change(IncidentReported, resolved_at=moment("20:40"))
    game.put_back(1, 4, "20:50")
    for deck in DECKS:
        game.order(deck)
    game.close(packed=False, closing_announced_at=moment("02:30"))
    assert {"55 unloading_witnessed", f"57 {INSIDE}"} <= {*cited(game)}
