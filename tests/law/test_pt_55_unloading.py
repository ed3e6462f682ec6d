"""PT art. 55: the cards come out of the shuffler after the announcement, before a fiscal-chefe."""

from dataclasses import replace
from typing import Any

import pytest

from casino.events.floor_life import PartidaReopened
from casino.events.partidas import PartidaClosed
from casino.events.shufflers import ShufflerFoundEmpty, ShufflerUnloaded
from casino.events.witnessing import Witnessed
from tests.factories.games import (
    CHEFE,
    CHEFE_2,
    DECKS,
    FISCAL,
    PAGADOR,
    Game,
    entry,
    evening,
    iso,
    moment,
    shuffler_evening,
    word,
)
from tests.factories.shuffler_emptied import emptied, reopened, word_at
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import cited, findings, said, the_finding

DONE, ANNOUNCED, WITNESSED, PROMPT = (
    "shuffler_unloaded_at_closing",
    "unloaded_after_closing_announced",
    "unloading_witnessed",
    "unloading_witnessed_in_time",
)
RANK, DUTY, ONE_TABLE = (
    "unloading_witness_is_fiscal_chefe",
    "unloading_witness_on_duty",
    "unloading_witness_at_one_table",
)
EMPTY, ORDERED = "shuffler_left_empty", "decks_ordered_at_closing"
LAWFULLY = (DONE, ANNOUNCED, WITNESSED, PROMPT, RANK, DUTY, ONE_TABLE, EMPTY)


@upholds_case(DONE, "lawful")
@upholds_case(ANNOUNCED, "lawful")
@upholds_case(WITNESSED, "lawful")
@upholds_case(PROMPT, "lawful")
@upholds_case(RANK, "lawful")
@upholds_case(DUTY, "lawful")
@upholds_case(ONE_TABLE, "lawful")
@upholds_case(EMPTY, "lawful")
@pytest.mark.parametrize("check", LAWFULLY)
def test_article_55_announced_emptied_before_a_fiscal_chefe_and_put_in_order(check: str) -> None:
    assert said(check, shuffler_evening()) == LAWFUL
    assert said(check, evening()) == NOT_ASKED


# That it was emptied


@upholds_case(DONE, "unlawful")
@pytest.mark.parametrize("loads", [1, 2])
def test_article_55_a_shuffler_left_loaded_at_the_closing_is_found(loads: int) -> None:
    game = shuffler_evening(closed=False)
    if loads == 2:
        game.unload("21:00", reason="jam")
        game.load("21:30")
    game.close(packed=False)
    found = the_finding(DONE, game)
    assert (found.article, found.severity) == ("55", "breach")
    assert (found.observed, found.expected) == ({"unloads": 0}, {"at_least": 1})


@upholds_case(DONE, "boundary")
def test_article_55_a_machine_that_was_never_loaded_or_is_still_in_use_is_not_asked() -> None:
    assert said(DONE, shuffler_evening(closed=False)) == NOT_ASKED
    game = Game("shuffler")
    game.close()
    assert said(DONE, game) == NOT_ASKED


# After the announcement


@upholds_case(ANNOUNCED, "unlawful")
@pytest.mark.parametrize("announced", ["02:39", "02:50"])
def test_article_55_emptied_before_the_closing_was_announced_is_found(announced: str) -> None:
    game = emptied()
    game.change(PartidaClosed, closing_announced_at=moment(announced))
    found = the_finding(ANNOUNCED, game)
    assert (found.article, found.where) == ("55", {"unload": 1})
    assert (found.observed, found.expected) == (
        {"moment": iso("02:38")},
        {"not_before": iso(announced)},
    )


@upholds_case(ANNOUNCED, "unlawful")
def test_article_55_that_somebody_says_so_is_enough_while_the_game_is_open() -> None:
    game = shuffler_evening(closed=False)
    game.unload("02:40", closing_announced=False)
    assert the_finding(ANNOUNCED, game).observed == {"announced": "no"}


@upholds_case(ANNOUNCED, "boundary")
def test_article_55_begun_as_it_was_announced_is_lawful_and_untold_moments_leave_it_open() -> None:
    game = emptied()
    game.change(PartidaClosed, closing_announced_at=moment("02:38"))
    assert said(ANNOUNCED, game) == LAWFUL
    game.change(ShufflerUnloaded, started_at=None)
    assert said(ANNOUNCED, game) == UNDECIDED
    game.change(PartidaClosed, closing_announced_at=None)
    game.change(ShufflerUnloaded, started_at=moment("02:38"), closing_announced=True)
    assert said(ANNOUNCED, game) == UNDECIDED


# Which unload is the closing's


OF_THE_CLOSING = (ANNOUNCED, WITNESSED, PROMPT, RANK, DUTY, ONE_TABLE, EMPTY)


@upholds_case(WITNESSED, "unlawful")
@pytest.mark.parametrize("reason", ["jam", "damaged_card", "maintenance", None])
def test_article_55_the_last_unload_is_the_closings_whatever_it_was_called(
    reason: str | None,
) -> None:
    for check in OF_THE_CLOSING:
        assert said(check, emptied(reason=reason)) == LAWFUL
    assert the_finding(WITNESSED, emptied(None, reason=reason)).observed == {"witnesses": 0}


@upholds_case(WITNESSED, "boundary")
def test_article_55_what_came_out_before_the_word_or_went_back_is_not_the_closings() -> None:
    for reason, otherwise in (("jam", NOT_ASKED), (None, UNDECIDED)):
        game = emptied(None, reason=reason)
        game.change(PartidaClosed, closing_announced_at=moment("02:38"))
        assert said(WITNESSED, game) == BREACH  # begun as it was announced
        game.change(PartidaClosed, closing_announced_at=moment("02:39"))
        assert said(WITNESSED, game) == otherwise
        game.change(PartidaClosed, closing_announced_at=None)
        game.change(ShufflerUnloaded, closing_announced=True)
        assert said(WITNESSED, game) == BREACH
    again = shuffler_evening(closed=False)
    again.unload("02:32", reason="jam")
    assert findings(WITNESSED, again) == []
    again.witness(again.load("02:36"))
    again.witness(again.unload("02:50"))
    again.close(packed=False, closing_announced_at=moment("02:30"))
    assert said(WITNESSED, again) == LAWFUL


@upholds_case(ANNOUNCED, "boundary")
def test_article_55_each_unload_stands_before_its_own_closing() -> None:
    assert findings(ANNOUNCED, reopened()) == []
    assert [one.where for one in findings(ANNOUNCED, reopened(announced="03:49"))] == [
        {"unload": 2}
    ]
    assert [one.where["deck"] for one in findings(ORDERED, reopened(ordered=False))] == list(DECKS)
    assert "55" not in {one.split()[0] for one in cited(reopened())}
    going_on = emptied()
    going_on.record(PartidaReopened, "03:10", reason="mistake")
    going_on.unload("03:50")  # of a closing nobody recorded yet
    assert said(ANNOUNCED, going_on) == UNDECIDED


def test_article_54_loaded_again_after_a_closing_that_was_undone_is_a_note() -> None:
    assert cited(reopened()) == ["54 shuffler_reloaded_after_opening"]
    assert cited(reopened(), readings={"reload-after-jam": "finding"}) == [
        "54 shuffler_loaded_once"
    ]
    still_in = reopened()
    still_in.drop(ShufflerUnloaded, started_at=moment("02:38"))  # nobody had emptied it
    assert "54 shuffler_loaded_once" in cited(still_in)


@upholds_case(DONE, "boundary")
def test_article_55_a_machine_emptied_for_a_jam_and_played_from_was_loaded_at_the_closing() -> None:
    game = shuffler_evening(closed=False)
    game.unload("20:45", reason="jam")
    game.close(packed=False)
    assert said(DONE, game) == LAWFUL
    game.put_back(1, 4, "20:45")  # begun as they came out
    assert said(DONE, game) == LAWFUL
    game.round(1, 5, times=None, at="20:50")
    assert said(DONE, game) == UNDECIDED
    game.put_back(1, 6, "20:55")
    assert the_finding(DONE, game).observed == {"unloads": 0}


# Who looked on


@upholds_case(WITNESSED, "unlawful")
@pytest.mark.parametrize("who", [None, PAGADOR, FISCAL])
def test_article_55_without_another_persons_word_nothing_shows_it(who: str | None) -> None:
    found = the_finding(WITNESSED, emptied(who, fiscal_chefe=CHEFE))
    assert (found.article, found.severity, found.where) == ("55", "warning", {"unload": 1})


@upholds_case(WITNESSED, "boundary")
def test_article_55_his_word_may_follow_within_ten_minutes() -> None:
    game = shuffler_evening(closed=False)
    game.unload("02:40")  # recorded at 02:41
    assert said(WITNESSED, game, as_of="02:50:59") == UNDECIDED
    assert said(WITNESSED, game, as_of="02:51") == BREACH
    game.witness(game.entries[-1], CHEFE, "02:58")
    assert said(WITNESSED, game) == LAWFUL


@upholds_case(PROMPT, "unlawful")
@pytest.mark.parametrize("at", ["02:51:01", "04:30"])
def test_article_55_a_word_given_later_is_a_warning(at: str) -> None:
    found = the_finding(PROMPT, word_at(at))
    assert (found.article, found.severity) == ("house.shuffler", "warning")
    assert found.where == {"unload": 1, "witness": CHEFE}
    assert (found.observed, found.expected) == ({"moment": iso(at)}, {"not_after": iso("02:51")})
    assert said(WITNESSED, word_at(at)) == LAWFUL  # late, and a word all the same


@upholds_case(PROMPT, "boundary")
def test_article_55_in_the_tenth_minute_it_is_in_time_and_one_word_in_time_is_enough() -> None:
    assert said(PROMPT, word_at("02:51")) == LAWFUL
    game = word_at("04:30")
    act = next(
        recorded for recorded in game.entries if isinstance(recorded.event, ShufflerUnloaded)
    )
    game.witness(act, CHEFE_2, "02:45")
    assert said(PROMPT, game) == LAWFUL
    assert said(PROMPT, emptied(None)) == NOT_ASKED  # a breach of its own
    assert said(PROMPT, emptied(FISCAL)) == NOT_ASKED
    unknown = word_at("02:45")
    unknown.change(ShufflerUnloaded, operator=None)
    assert said(PROMPT, unknown) == UNDECIDED  # he may have emptied it himself


@upholds_case(RANK, "unlawful")
@pytest.mark.parametrize("office", ["fiscal_chefe", "fiscal_de_banca"])
def test_article_55_a_witness_without_the_office_is_found(office: str) -> None:
    game = emptied(CHEFE_2, known={"office": office})
    game.grant(CHEFE_2, "fiscal_de_banca")
    found = the_finding(RANK, game)
    assert (found.article, found.where) == ("55", {"unload": 1, "witness": CHEFE_2})


@upholds_case(RANK, "boundary")
@upholds_case(DUTY, "boundary")
def test_article_55_an_office_and_duty_from_that_very_moment() -> None:
    game = emptied(CHEFE_2)  # out at 02:40, his word at 02:42
    game.grant(CHEFE_2, "fiscal_chefe", "02:40")
    game.on_duty(CHEFE_2, "fiscal_chefe", "02:40")
    assert (said(RANK, game), said(DUTY, game)) == (LAWFUL, LAWFUL)


@upholds_case(DUTY, "unlawful")
@pytest.mark.parametrize("since", [None, "02:41"])
def test_article_55_a_witness_off_duty_is_a_warning(since: str | None) -> None:
    game = emptied(CHEFE_2)
    game.grant(CHEFE_2, "fiscal_chefe")
    if since:
        game.on_duty(CHEFE_2, "fiscal_chefe", since)
    found = the_finding(DUTY, game)
    assert (found.article, found.severity) == ("55", "warning")


def also_at(start: str, end: str) -> Game:
    """He witnessed here from 02:38 to 02:42, and at another table from `start` to `end`."""
    stay = {"present_from": moment("02:38"), "present_until": moment("02:42")}
    game = emptied(CHEFE, known=stay)
    there = Game("shuffler", table="BJ-02")
    act = there.unload(start)
    times = {"present_from": moment(start), "present_until": moment(end)}
    said_so = word(act, CHEFE, "BJ-02", there.partida, end, **times)
    game.elsewhere = [act, entry(said_so, act.stream, 90, end, CHEFE)]
    return game


@upholds_case(ONE_TABLE, "unlawful")
@pytest.mark.parametrize(("start", "end"), [("02:40", "02:50"), ("02:30", "02:39")])
def test_article_55_a_witness_at_two_tables_at_once_is_a_warning(start: str, end: str) -> None:
    found = the_finding(ONE_TABLE, also_at(start, end))
    assert (found.article, found.severity, found.observed) == (
        "55",
        "warning",
        {"also_at": "BJ-02"},
    )


@upholds_case(ONE_TABLE, "boundary")
@pytest.mark.parametrize(("start", "end"), [("02:42", "02:50"), ("02:30", "02:38")])
def test_article_55_one_table_after_the_other_is_lawful(start: str, end: str) -> None:
    assert said(ONE_TABLE, also_at(start, end)) == LAWFUL


@upholds_case(ONE_TABLE, "boundary")
def test_article_55_what_was_witnessed_at_no_table_does_not_say_where_he_stood() -> None:
    """He confirmed the adjustment of a meter, which belongs to no table."""
    game = also_at("02:40", "02:50")
    [act, said_so] = game.elsewhere
    meter = replace(said_so.event.witnessed, stream="jackpot/JP-1")
    of_it = replace(
        said_so.event, witnessed=meter, table=None, partida=None, act="jackpot-adjusted/1"
    )
    game.elsewhere = [act, replace(said_so, event=of_it, stream=meter.stream)]
    assert said(ONE_TABLE, game) == LAWFUL


# Nothing left behind


@upholds_case(EMPTY, "unlawful")
@pytest.mark.parametrize(
    ("recorded", "observed", "expected"),
    [
        ({"empty": False}, {"empty": "no"}, {"empty": "yes"}),
        ({"cards": 311}, {"cards": 311}, {"cards": 312}),
        ({"cards": 313, "empty": None}, {"cards": 313}, {"cards": 312}),
    ],
)
def test_article_55_a_card_left_behind_or_one_too_many_is_found(
    recorded: dict[str, Any], observed: dict[str, Any], expected: dict[str, Any]
) -> None:
    found = the_finding(EMPTY, emptied(**recorded))
    assert (found.article, found.observed, found.expected) == ("55", observed, expected)


@upholds_case(EMPTY, "unlawful")
def test_article_55_cards_somebody_found_in_it_afterwards_are_found() -> None:
    game = emptied()
    looked = game.beside(ShufflerFoundEmpty(shuffler="CSM-04", cards_found=16), "05:00")
    found = the_finding(EMPTY, game)
    assert (found.observed, found.evidence[-1]) == ({"cards": 16}, looked.entry_id)


@upholds_case(EMPTY, "boundary")
def test_article_55_looked_into_and_empty_or_nobody_looked() -> None:
    game = emptied()
    game.beside(ShufflerFoundEmpty(shuffler="CSM-04", cards_found=0), "05:00")
    game.beside(ShufflerFoundEmpty(shuffler="CSM-09", cards_found=3), "05:00")
    game.beside(ShufflerFoundEmpty(shuffler="CSM-04", cards_found=3), "02:00")  # before it
    assert said(EMPTY, game) == LAWFUL
    for unrecorded in ({"empty": None}, {"cards": None}):
        assert said(EMPTY, emptied(**unrecorded)) == UNDECIDED


def test_article_55_what_another_game_finds_in_the_machine_may_be_its_own() -> None:
    values = {"shuffler": "CSM-04", "table": "BJ-01", "partida": "BJ-01/2026-11-20/2"}
    game = emptied()
    game.beside(ShufflerFoundEmpty(cards_found=1, **values), "05:00")
    assert said(EMPTY, game) == UNDECIDED
    game.record(ShufflerFoundEmpty, "02:45", shuffler="CSM-04", cards_found=0)
    assert said(EMPTY, game) == LAWFUL
    game.record(ShufflerFoundEmpty, "02:46", shuffler="CSM-04", cards_found=2)
    assert the_finding(EMPTY, game).observed == {"cards": 2}


def test_article_55_a_lawful_closing_has_nothing_found() -> None:
    assert cited(emptied()) == []
    assert any(isinstance(recorded.event, Witnessed) for recorded in emptied().entries)
