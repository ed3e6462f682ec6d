"""The pure sums of a night: hours, posts, counted chips, the four columns of what went wrong."""

from datetime import UTC, datetime, timedelta

from audit.night.four_columns import (
    Refund,
    Stop,
    Stopped,
    first_report,
    minutes,
    refunds_of,
    stopped,
)
from audit.night.table_night import (
    Change,
    Counts,
    Dealt,
    GameNight,
    Post,
    Span,
    by_table,
    hours,
    open_time,
    posts,
    with_rounds,
)


def at(clock: str) -> datetime:
    hour, minute = map(int, clock.split(":"))
    midnight = datetime(2025, 11, 20, tzinfo=UTC)
    return midnight + timedelta(days=hour < 12, hours=hour, minutes=minute)


# -- Hours -----------------------------------------------------------------------------------------


def test_a_game_is_open_from_its_opening_to_its_closing() -> None:
    assert hours(at("21:00"), [at("02:00")], []) == (Span(at("21:00"), at("02:00")),)
    assert hours(at("21:00"), [], []) == (Span(at("21:00"), None),)


def test_a_closing_that_was_undone_leaves_two_stretches() -> None:
    spans = hours(at("21:00"), [at("23:00"), at("02:00")], [at("23:20")])
    assert spans == (Span(at("21:00"), at("23:00")), Span(at("23:20"), at("02:00")))
    assert open_time(spans, at("03:00")) == timedelta(hours=4, minutes=40)


def test_a_second_closing_that_nothing_undid_adds_nothing() -> None:
    assert hours(at("21:00"), [at("23:00"), at("23:05")], []) == (Span(at("21:00"), at("23:00")),)
    assert hours(at("21:00"), [], [at("22:00")]) == (Span(at("21:00"), None),)


def test_what_is_still_open_is_counted_up_to_now() -> None:
    assert open_time([Span(at("21:00"), None)], at("22:30")) == timedelta(hours=1, minutes=30)
    assert open_time([], at("22:30")) == timedelta(0)


# -- Posts -----------------------------------------------------------------------------------------


def test_whoever_takes_the_table_relieves_who_had_it() -> None:
    changes = [
        Change(at("21:00"), "P-1", True),
        Change(at("22:00"), "P-2", True),
        Change(at("23:00"), "P-1", True),
    ]
    assert posts(changes, at("02:00")) == (
        Post("P-1", (Span(at("21:00"), at("22:00")), Span(at("23:00"), at("02:00")))),
        Post("P-2", (Span(at("22:00"), at("23:00")),)),
    )


def test_whoever_leaves_leaves_nobody_there() -> None:
    changes = [Change(at("21:00"), "P-1", True), Change(at("21:30"), "P-1", False)]
    assert posts(changes, None) == (Post("P-1", (Span(at("21:00"), at("21:30")),)),)


def test_leaving_what_another_took_ends_nothing() -> None:
    changes = [
        Change(at("21:00"), "P-1", True),
        Change(at("22:00"), "P-2", True),
        Change(at("22:01"), "P-1", False),
    ]
    assert posts(changes, None)[1] == Post("P-2", (Span(at("22:00"), None),))


def dealt(dealer: str, rounds: int, first: str = "21:10", last: str = "21:50") -> Dealt:
    return Dealt(
        "BJ-01/x/1", "BJ-01", dealer, rounds, 1000 * rounds, 900 * rounds, at(first), at(last)
    )


def test_a_dealer_of_whom_rounds_alone_tell_is_there_from_his_first_to_his_last() -> None:
    known = posts([Change(at("21:00"), "P-1", True)], at("02:00"))
    found = with_rounds(known, [dealt("P-1", 7), dealt("P-9", 2), dealt("", 5)])
    assert [(one.person, one.rounds) for one in found] == [("P-1", 7), ("P-9", 2)]
    assert found[1].spans == (Span(at("21:10"), at("21:50")),)


# -- Chips -----------------------------------------------------------------------------------------


def test_the_counts_make_a_result_where_both_ends_were_counted() -> None:
    assert Counts(100_000, 20_000, 5_000, 130_000).result == 15_000
    assert Counts(100_000, 0, 0, 90_000).result == -10_000


def test_without_one_end_there_is_no_result_and_nothing_is_guessed() -> None:
    assert Counts(None, 0, 0, 90_000).result is None
    assert Counts(100_000, 0, 0, None).result is None
    assert Counts(1, 0, 0, 2).plus(Counts(1, 3, 0, None)) == Counts(2, 3, 0, None)


def test_a_table_is_all_its_games() -> None:
    spans = (Span(at("21:00"), at("22:00")),)
    games = [
        GameNight("BJ-01/x/1", "BJ-01", spans, (dealt("P-1", 2),), Counts(10, 0, 0, 30), (), ()),
        GameNight("BJ-01/x/2", "BJ-01", (), (dealt("P-2", 3),), Counts(30, 0, 5, 20), (), ()),
    ]
    (table,) = by_table(games)
    assert (table.rounds, table.staked, table.returned, table.result) == (5, 5000, 4500, 500)
    assert table.counts.result == 15
    assert table.open == spans


# -- Four columns ----------------------------------------------------------------------------------


def test_play_stopped_when_it_was_interrupted_after_it_was_noticed() -> None:
    stops = [Stop(at("22:04"), True, "jam"), Stop(at("22:20"), False)]
    found = stopped(at("22:00"), stops, at("02:00"))
    assert found == Stopped(at("22:04"), "interruption", "jam")
    assert minutes(at("22:00"), at("22:04")) == 4


def test_at_the_same_moment_it_stopped_then() -> None:
    found = stopped(at("22:00"), [Stop(at("22:00"), True, "jam")], None)
    assert found == Stopped(at("22:00"), "interruption", "jam")
    assert minutes(at("22:00"), at("22:00")) == 0


def test_play_that_stood_already_had_stopped_before() -> None:
    found = stopped(at("22:00"), [Stop(at("21:58"), True, "spread")], None)
    assert found == Stopped(at("21:58"), "before", "spread")
    assert minutes(at("22:00"), at("21:58")) == 0


def test_play_that_had_gone_on_before_did_not_stand() -> None:
    stops = [Stop(at("21:00"), True, "x"), Stop(at("21:10"), False)]
    assert stopped(at("22:00"), stops, None) is None
    assert stopped(at("22:00"), stops, at("02:00")) == Stopped(at("02:00"), "closing")


def test_what_was_noticed_after_the_closing_stopped_nothing() -> None:
    assert stopped(at("03:00"), [], at("02:00")) is None


def test_a_report_from_before_is_of_something_else() -> None:
    assert first_report(at("22:00"), [at("21:00"), None, at("22:09"), at("22:30")]) == at("22:09")
    assert first_report(at("22:00"), [at("22:00")]) == at("22:00")
    assert first_report(at("22:00"), [None, at("21:59")]) is None


def test_what_one_player_was_given_back_is_one_sum() -> None:
    voided = Refund("J2", "G", 500, "voided")
    paid = Refund("J2", "G", 100, "complaint", "RC-1")
    assert refunds_of([voided, paid, voided]) == (Refund("J2", "G", 1000, "voided"), paid)
