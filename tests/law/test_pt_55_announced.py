"""PT art. 55: the closing is announced and told; without that the last unload is the closing's."""

from typing import Any

import pytest

from casino.events.incidents import IncidentReported
from casino.events.partidas import PartidaClosed
from casino.events.shufflers import ShufflerUnloaded
from tests.factories.games import CHEFE, DECKS, Game, evening, moment, shuffler_evening
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import cited, said, the_finding

RECORDED, ANNOUNCED, WITNESSED = (
    "closing_announcement_told",
    "unloaded_after_closing_announced",
    "unloading_witnessed",
)
INSIDE = "cards_stay_in_shuffler"


def silent(*, trouble: str | None = None, solved: str | None = None, **values: Any) -> Game:
    """Emptied at 02:40, from 02:38 on, and closed; nobody tells of an announcement."""
    game = shuffler_evening(closed=False)
    if trouble is not None:
        report = {"incident": "I-1", "category": "jam", "reason": "card", "people": ()}
        report |= {"noticed_at": moment(trouble), "called_at": moment(trouble)}
        if solved is not None:
            report |= {"resolved_at": moment(solved), "resolved_by": CHEFE}
        game.record(IncidentReported, trouble, **report)
    game.unload("02:40", **values)
    for deck in DECKS:
        game.order(deck)
    game.close(packed=False)
    return game


@upholds_case(RECORDED, "unlawful")
@pytest.mark.parametrize("reason", ["closing", "jam", None])
def test_article_55_a_closing_of_which_nobody_tells_the_announcement_is_a_warning(
    reason: str | None,
) -> None:
    found = the_finding(RECORDED, silent(reason=reason))
    assert (found.article, found.severity, found.where) == ("55", "warning", {})
    assert (found.observed, found.expected) == ({"announcements": 0}, {"at_least": 1})


@upholds_case(RECORDED, "lawful")
@pytest.mark.parametrize("dealing", ["shuffler", "shoe"])
def test_article_55_the_closing_or_the_unload_tells_that_it_was_announced(dealing: str) -> None:
    if dealing == "shoe":
        assert said(RECORDED, evening()) == NOT_ASKED
        return
    assert said(RECORDED, shuffler_evening()) == LAWFUL
    assert said(RECORDED, silent(closing_announced=True)) == LAWFUL


@upholds_case(RECORDED, "boundary")
def test_article_55_before_the_closing_and_where_it_is_a_breach_it_is_not_asked() -> None:
    assert said(RECORDED, shuffler_evening(closed=False)) == NOT_ASKED
    denied = silent(closing_announced=False)
    assert said(RECORDED, denied) == NOT_ASKED
    assert said(ANNOUNCED, denied) == BREACH
    never_loaded = Game("shuffler")
    never_loaded.close(rounds=0, closing_announced_at=None)
    assert said(RECORDED, never_loaded) == NOT_ASKED


@upholds_case(WITNESSED, "unlawful")
@pytest.mark.parametrize("announced", [False, None])
@pytest.mark.parametrize(
    "recorded",
    [
        {"reason": None},
        {"reason": "jam"},
        {"reason": "jam", "trouble": "20:35", "solved": "20:50"},
        {"reason": "damaged_card", "trouble": "02:30", "solved": "02:37"},
    ],
)
def test_article_55_without_an_announcement_the_last_unload_is_the_closings(
    recorded: dict[str, Any], announced: bool | None
) -> None:
    game = silent(**recorded, closing_announced=announced)
    assert the_finding(WITNESSED, game).observed == {"witnesses": 0}


@upholds_case(WITNESSED, "boundary")
@pytest.mark.parametrize("solved", [None, "02:38", "02:41"])
def test_article_55_cards_that_came_out_of_a_jam_before_the_table_closed_leave_it_open(
    solved: str | None,
) -> None:
    jammed = {"reason": "jam", "trouble": "02:39", "solved": solved}
    if solved == "02:38":
        jammed["trouble"] = "02:30"
    assert said(WITNESSED, silent(**jammed)) == UNDECIDED
    assert said(WITNESSED, silent(**jammed, closing_announced=False)) == NOT_ASKED
    assert said(INSIDE, silent(**jammed)) == LAWFUL
    assert f"55 {RECORDED}" in cited(silent(**jammed))


@upholds_case(WITNESSED, "boundary")
def test_article_55_an_unload_after_which_play_went_on_is_not_the_closings() -> None:
    game = silent(reason="jam")
    assert said(WITNESSED, game) == BREACH
    game.put_back(1, 4, "02:45")
    assert said(WITNESSED, game) == NOT_ASKED


@upholds_case(ANNOUNCED, "boundary")
@pytest.mark.parametrize(
    ("begun", "announced", "answer"),
    [
        ("02:38", "02:38:20", LAWFUL),  # a form wrote the minute alone
        ("02:38", "02:39", BREACH),
        ("02:38:19", "02:38:20", BREACH),
        ("02:38:20", "02:38:20", LAWFUL),
    ],
)
def test_article_55_a_begin_told_to_the_minute_may_be_any_of_it(
    begun: str, announced: str, answer: str
) -> None:
    game = shuffler_evening()
    game.change(ShufflerUnloaded, started_at=moment(begun))
    game.change(PartidaClosed, closing_announced_at=moment(announced))
    assert said(ANNOUNCED, game) == answer
