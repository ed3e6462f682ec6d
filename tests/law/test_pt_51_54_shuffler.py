"""PT art. 54: the shuffler is loaded in packets, once, before the eyes of a fiscal-chefe."""

from dataclasses import replace
from typing import Any

import pytest

from casino.events.shufflers import ShufflerLoaded, ShufflerUnloaded
from casino.events.staff import DutyEnded, OfficeEnded
from casino.events.witnessing import Witnessed
from casino.law.checks.shuffler.load_witnesses import overlap
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
from tests.factories.shuffler import also_at, record_jam, reloaded, unwitnessed, witnessed_by
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import cited, findings, said, the_finding

LOADED, PACKETS, ONCE = "shuffler_is_loaded", "shuffler_loaded_in_packets", "shuffler_loaded_once"
SOON = "shuffler_loaded_soon_after_opening"
AGAIN, WITNESSED = "shuffler_reloaded_after_opening", "loading_witnessed"
PROMPT = "loading_witnessed_in_time"
RANK, DUTY = "loading_witness_is_fiscal_chefe", "loading_witness_on_duty"
ONE_TABLE = "loading_witness_at_one_table"
ALL = (LOADED, SOON, PACKETS, ONCE, AGAIN, WITNESSED, PROMPT, RANK, DUTY, ONE_TABLE)


@upholds_case(LOADED, "lawful")
@upholds_case(SOON, "lawful")
@upholds_case(PACKETS, "lawful")
@upholds_case(ONCE, "lawful")
@upholds_case(AGAIN, "lawful")
@upholds_case(WITNESSED, "lawful")
@upholds_case(PROMPT, "lawful")
@upholds_case(RANK, "lawful")
@upholds_case(DUTY, "lawful")
@upholds_case(ONE_TABLE, "lawful")
@pytest.mark.parametrize("check", ALL)
def test_article_54_loaded_once_in_packets_before_a_fiscal_chefe(check: str) -> None:
    assert said(check, shuffler_evening()) == LAWFUL


@pytest.mark.parametrize("check", ALL)
def test_article_54_asks_nothing_of_a_shoe(check: str) -> None:
    assert said(check, evening()) == NOT_ASKED


# That it was loaded


@upholds_case(LOADED, "unlawful")
def test_article_54_a_shuffler_that_dealt_and_was_never_loaded_is_found() -> None:
    game = shuffler_evening(closed=False)
    game.drop(ShufflerLoaded)
    found = the_finding(LOADED, game)
    assert (found.article, found.observed, found.expected) == ("54", {"loads": 0}, {"loads": 1})
    first_round = next(
        recorded for recorded in game.entries if recorded.event.kind == "round-played/1"
    )
    assert found.evidence == (game.entries[0].entry_id, first_round.entry_id)


@upholds_case(LOADED, "unlawful")
def test_article_54_without_rounds_the_closing_shows_it() -> None:
    game = Game("shuffler")
    game.close()
    assert said(LOADED, game) == BREACH


@upholds_case(LOADED, "boundary")
def test_article_54_before_play_or_where_none_was_played_it_is_not_asked() -> None:
    game = Game("shuffler")
    assert said(LOADED, game) == NOT_ASKED
    game.close(rounds=0)
    assert said(LOADED, game) == NOT_ASKED


# In how many packets


@upholds_case(PACKETS, "unlawful")
@pytest.mark.parametrize("place", [1, 2])
def test_article_54_one_packet_is_too_few(place: int) -> None:
    game = Game("shuffler")
    loads = [game.load(f"19:4{load}", packets=1 if load == place else 2) for load in (1, 2)]
    found = the_finding(PACKETS, game)
    assert (found.article, found.severity, found.where) == ("54", "breach", {"load": place})
    assert (found.observed, found.expected) == ({"packets": 1}, {"at_least": 2})
    assert found.evidence == (loads[place - 1].entry_id,)


@upholds_case(PACKETS, "boundary")
def test_article_54_two_packets_are_enough() -> None:
    game = Game("shuffler")
    game.load(packets=2)
    assert said(PACKETS, game) == LAWFUL


# How often


@upholds_case(ONCE, "unlawful")
@pytest.mark.parametrize(
    "before",
    [
        None,
        lambda game: record_jam(game, emptied=False),  # opened, and the cards stayed in
        lambda game: record_jam(game, opened_by=FISCAL, opened_by_office="fiscal_de_banca"),
        lambda game: record_jam(game, at="19:00"),  # before the first load
        lambda game: game.record(ShufflerUnloaded, "21:10", shuffler="CSM-04", decks=DECKS),
    ],
)
def test_article_54_a_second_load_in_one_game_is_found(before: Any) -> None:
    game = reloaded(before)
    loads = [
        recorded.entry_id for recorded in game.entries if isinstance(recorded.event, ShufflerLoaded)
    ]
    found = the_finding(ONCE, game)
    assert (found.article, found.severity, found.where) == ("54", "breach", {"load": 2})
    assert (found.observed, found.expected) == ({"loads": 2}, {"at_most": 1})
    assert found.evidence == tuple(loads)
    assert said(AGAIN, game) == LAWFUL  # of the first load; the second is a breach, no note


@upholds_case(ONCE, "boundary")
@upholds_case(AGAIN, "unlawful")
@pytest.mark.parametrize("category", ["jam", "warning_light", "damaged_card", "lid_opened"])
def test_article_54_a_load_after_an_attested_opening_is_a_note(category: str) -> None:
    game = reloaded(lambda game: record_jam(game, category=category))
    assert said(ONCE, game) == LAWFUL
    found = the_finding(AGAIN, game)
    assert (found.article, found.severity, found.where) == ("54", "note", {"load": 2})
    assert found.readings == ("reload-after-jam",)


@upholds_case(AGAIN, "boundary")
@pytest.mark.parametrize(
    "unrecorded", [{"emptied": None}, {"opened_at": None}, {"opened_by": None}]
)
def test_article_54_an_opening_told_in_part_leaves_it_open(unrecorded: dict[str, None]) -> None:
    game = reloaded(lambda game: record_jam(game, **unrecorded))
    assert (said(ONCE, game), findings(AGAIN, game)) == (UNDECIDED, [])


def test_article_54_that_the_cards_came_out_shows_that_it_was_emptied() -> None:
    def before(game: Game) -> None:
        record_jam(game, emptied=None)
        game.record(ShufflerUnloaded, "21:10", shuffler="CSM-04", decks=DECKS, reason="jam")

    assert cited(reloaded(before)) == [f"54 {AGAIN}"]


# That a fiscal-chefe was there


@upholds_case(WITNESSED, "unlawful")
@pytest.mark.parametrize("declared", [None, CHEFE])
def test_article_54_without_his_own_word_nothing_shows_that_he_was_there(
    declared: str | None,
) -> None:
    game = unwitnessed(fiscal_chefe=declared)
    found = the_finding(WITNESSED, game)
    assert (found.article, found.severity, found.where) == ("54", "warning", {"load": 1})
    assert (found.observed, found.expected) == ({"witnesses": 0}, {"at_least": 1})


@upholds_case(WITNESSED, "unlawful")
@pytest.mark.parametrize("who", [PAGADOR, FISCAL])
def test_article_54_whoever_loaded_or_recorded_it_is_no_witness(who: str) -> None:
    game = unwitnessed()
    game.witness(game.entries[-1], who)
    found = the_finding(WITNESSED, game)
    assert (found.observed, found.expected) == ({"witness": who}, {"by": "another_person"})
    assert said(RANK, game) == NOT_ASKED


@upholds_case(WITNESSED, "boundary")
@pytest.mark.parametrize(("as_of", "expected"), [("19:55:59", UNDECIDED), ("19:56", BREACH)])
def test_article_54_his_word_may_follow_within_ten_minutes(as_of: str, expected: str) -> None:
    assert said(WITNESSED, unwitnessed(), as_of=as_of) == expected


def word_at(at: str) -> Game:
    """Loaded and recorded at 19:46; the word for it was recorded at `at`."""
    game = unwitnessed()
    recorded = game.witness(game.entries[-1], CHEFE, "19:47")
    game.entries[-1] = replace(recorded, recorded_at=moment(at))
    return game


@upholds_case(PROMPT, "unlawful")
@pytest.mark.parametrize("at", ["19:56:01", "04:30"])
def test_article_54_a_word_that_came_late_is_his_word_and_a_warning(at: str) -> None:
    found = the_finding(PROMPT, word_at(at))
    assert (found.article, found.severity) == ("house.shuffler", "warning")
    assert found.where == {"load": 1, "witness": CHEFE}
    assert (found.observed, found.expected) == ({"moment": iso(at)}, {"not_after": iso("19:56")})
    assert said(WITNESSED, word_at(at)) == LAWFUL


@upholds_case(PROMPT, "boundary")
def test_article_54_in_the_tenth_minute_it_is_in_time_whatever_he_says_himself() -> None:
    assert said(PROMPT, word_at("19:56")) == LAWFUL
    assert said(PROMPT, unwitnessed()) == NOT_ASKED  # a breach of its own
    game = unwitnessed()
    game.witness(game.entries[-1], PAGADOR, "20:30")
    assert said(PROMPT, game) == NOT_ASKED


def test_article_54_a_word_for_another_entry_is_none_for_this() -> None:
    game = unwitnessed()
    game.witness(game.entries[0])
    assert said(WITNESSED, game) == BREACH


def test_article_54_where_nobody_told_who_loaded_it_the_witness_may_have() -> None:
    game = unwitnessed(operator=None)
    game.witness(game.entries[-1])
    assert said(WITNESSED, game) == UNDECIDED


# What he was


@upholds_case(RANK, "unlawful")
@pytest.mark.parametrize("office", ["fiscal_chefe", "fiscal_de_banca"])
def test_article_54_a_witness_without_the_office_is_found(office: str) -> None:
    game = witnessed_by(CHEFE_2, office=office)
    game.grant(CHEFE_2, "fiscal_de_banca")
    found = the_finding(RANK, game)
    assert (found.article, found.severity) == ("54", "breach")
    assert found.where == {"load": 1, "witness": CHEFE_2}
    assert (found.observed, found.expected) == ({"holds_office": "no"}, {"office": "fiscal_chefe"})
    known = [
        recorded.entry_id
        for recorded in game.house
        if getattr(recorded.event, "staff", None) == CHEFE_2
        and hasattr(recorded.event, "valid_from")
    ]
    assert found.evidence == tuple([recorded.entry_id for recorded in game.entries[-2:]] + known)


@upholds_case(RANK, "unlawful")
@pytest.mark.parametrize(
    ("since", "until"), [("19:46", None), ("12:00", "19:47"), ("12:00", "19:45")]
)
def test_article_54_the_office_is_held_at_that_instant(since: str, until: str | None) -> None:
    game = witnessed_by(CHEFE_2)  # loaded at 19:45, his word at 19:47
    game.grant(CHEFE_2, "fiscal_chefe", since, until)
    assert said(RANK, game) == BREACH


@upholds_case(RANK, "boundary")
def test_article_54_an_office_from_that_very_moment_is_held_and_one_ended_is_not() -> None:
    game = witnessed_by(CHEFE_2)
    game.grant(CHEFE_2, "fiscal_chefe", "19:45", "19:47:01")
    assert said(RANK, game) == LAWFUL
    game.in_house(
        OfficeEnded(
            staff=CHEFE_2, office="fiscal_chefe", ended_at=moment("19:46"), ended_by="S-001"
        ),
        "19:46",
    )
    assert said(RANK, game) == BREACH
    game.witness(game.entries[-2])  # another one was there too
    assert said(RANK, game) == LAWFUL


@upholds_case(DUTY, "unlawful")
@pytest.mark.parametrize(("begun", "ended"), [(None, None), ("14:00", "19:44"), ("19:46", None)])
def test_article_54_a_witness_off_duty_is_a_warning(begun: str | None, ended: str | None) -> None:
    game = witnessed_by(CHEFE_2)
    game.grant(CHEFE_2, "fiscal_chefe")
    if begun:
        game.on_duty(CHEFE_2, "fiscal_chefe", begun)
    if ended:
        game.in_house(DutyEnded(staff=CHEFE_2, office="fiscal_chefe"), ended)
    found = the_finding(DUTY, game)
    assert (found.article, found.severity) == ("54", "warning")
    assert found.observed == {"on_duty": "no", **({} if begun else {"on_record": "nothing"})}


@upholds_case(DUTY, "boundary")
def test_article_54_duty_that_ends_with_his_word_was_duty() -> None:
    game = witnessed_by(CHEFE_2)
    game.grant(CHEFE_2, "fiscal_chefe")
    game.on_duty(CHEFE_2, "fiscal_chefe", "19:45")
    game.in_house(DutyEnded(staff=CHEFE_2, office="fiscal_chefe"), "19:47")
    assert cited(game) == []


# Where he was


@upholds_case(ONE_TABLE, "unlawful")
@pytest.mark.parametrize(
    ("start", "end"),
    [("19:46", "19:50"), ("19:30", "19:45"), ("19:40", "19:59"), ("19:45", "19:45")],
)
def test_article_54_a_witness_at_two_tables_at_once_is_a_warning(start: str, end: str) -> None:
    game = also_at(start, end)
    found = the_finding(ONE_TABLE, game)
    assert (found.article, found.severity) == ("54", "warning")
    assert found.where == {"load": 1, "witness": CHEFE}
    assert (found.observed, found.expected) == ({"also_at": "BJ-02"}, {"table": "BJ-01"})
    assert found.evidence[-1] == game.elsewhere[-1].entry_id


@upholds_case(ONE_TABLE, "boundary")
@pytest.mark.parametrize(("start", "end"), [("19:47", "19:50"), ("19:30", "19:44")])
def test_article_54_one_table_after_the_other_is_lawful(start: str, end: str) -> None:
    assert said(ONE_TABLE, also_at(start, end)) == LAWFUL


def test_article_54_where_he_did_not_say_when_he_left_it_stays_open() -> None:
    unrecorded = {"present_from": None, "present_until": None}
    assert said(ONE_TABLE, also_at("20:30", "20:40", **unrecorded)) == UNDECIDED
    assert said(ONE_TABLE, also_at("19:40", "19:50", **unrecorded)) == BREACH
    assert said(ONE_TABLE, also_at("20:30", "20:40", table="BJ-01", **unrecorded)) == LAWFUL


def test_article_54_somebody_elses_word_elsewhere_says_nothing_of_him() -> None:
    game = also_at("19:46", "19:50")
    other = game.elsewhere[-1]
    game.elsewhere[-1] = entry(
        word(game.elsewhere[0], CHEFE_2, "BJ-02", "BJ-02/2026-11-20/1", "19:50"),
        other.stream,
        other.n,
        "19:50",
        CHEFE_2,
    )
    assert isinstance(game.elsewhere[-1].event, Witnessed)
    assert said(ONE_TABLE, game) == LAWFUL


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        (("20:00", "20:05"), ("20:04", "20:09"), True),
        (("20:00", "20:05"), ("20:05", "20:09"), False),
        (("20:00", "20:05"), ("20:03", "20:03"), True),
        (("20:00", "20:05"), ("20:05", "20:05"), False),
        (("20:00", "20:00"), ("20:00", "20:00"), True),
        (("20:00", "20:01"), ("20:02", "20:02"), False),
    ],
)
def test_two_stays_that_only_touch_do_not_overlap(
    one: tuple[str, str], other: tuple[str, str], both: bool
) -> None:
    stays = [(moment(start), moment(end)) for start, end in (one, other)]
    assert overlap(*stays) is both
    assert overlap(*reversed(stays)) is both
