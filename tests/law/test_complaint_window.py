"""PT art. 61 with 60: until when a complaint is heard, asked while the game is on."""

from typing import Any

import pytest
from hypothesis import given

from casino.events.complaints import ComplaintDecided, ComplaintReceived, DisputeReviewed
from casino.events.floor_life import RoundsDeferred
from casino.law.checks.table.complaint_window import ComplaintWindow, RoundWindow, window
from casino.law.rulebook.rulebook_file import load_law
from tests.factories.any_games import TIMES, games
from tests.factories.games import Game, moment


def game(*, waiting: bool = False, then: bool = True, **values: Any) -> Game:
    """One round at 20:10 whose cards went in at 20:13, and perhaps another at 20:20 (20:23)."""
    played = Game("shuffler")
    played.witness(played.load())
    first = played.put_back(1, 1, "20:10", **values)
    if waiting:
        played.record(RoundsDeferred, "20:12:30", rounds=(first.event.round,), reason="jam")
    if then:
        played.put_back(1, 2, "20:20")
    return played


def asked(played: Game, at: str, **readings: Any) -> ComplaintWindow:
    """The window of all rounds at that moment, of which no later entry is known yet."""
    law = load_law("pt")
    return window(played.dossier(at), moment(at), law.with_readings(readings) if readings else law)


def first(played: Game, at: str, **readings: Any) -> RoundWindow:
    """The window of the first round."""
    return asked(played, at, **readings).rounds[-1]


def complain(played: Game, at: str = "20:12") -> None:
    """About the first round, which stands first of the rounds told."""
    name = next(one.event.round for one in played.entries if one.event.kind == "round-played/1")
    values = {"complaint": "RC-1", "subject": "counting", "received_at": moment(at), "round": name}
    played.record(ComplaintReceived, at, **values)


@pytest.mark.parametrize(
    ("at", "hearing", "is_open"),
    [
        ("20:12:59", "open", True),
        ("20:13", "unknown", None),  # of one moment nobody knows what came first
        ("20:13:01", "over", False),
    ],
)
def test_article_61_it_ends_when_the_cards_go_in(
    at: str, hearing: str, is_open: bool | None
) -> None:
    found = first(game(), at)
    assert (found.hearing, found.open) == (hearing, is_open)
    assert found.until == found.inserted_at == moment("20:13")


@pytest.mark.parametrize("at", ["20:12", "20:14", "04:00"])
def test_article_61_where_nobody_told_when_they_went_in_nothing_is_too_late(at: str) -> None:
    found = first(game(inserted=None), at)
    assert (found.hearing, found.open, found.until) == ("unknown", None, None)


def test_article_60_while_the_cards_wait_it_stays_open() -> None:
    found = first(game(waiting=True, then=False, inserted=None), "20:40")
    assert (found.hearing, found.open, found.deferred) == ("waiting", True, True)
    assert found.until is None


@pytest.mark.parametrize(("at", "is_open"), [("20:22:59", True), ("20:23:01", False)])
def test_article_60_cards_that_waited_go_in_with_the_next_round(at: str, is_open: bool) -> None:
    found = first(game(waiting=True, inserted=None), at)
    assert (found.open, found.until, found.deferred) == (is_open, moment("20:23"), True)


def test_article_60_the_next_round_tells_nothing_so_nobody_knows() -> None:
    played = game(waiting=True, then=False, inserted=None)
    played.put_back(1, 2, "20:20", inserted=None)
    assert first(played, "23:00").open is None


@pytest.mark.parametrize("after", ["load", "close"])
def test_article_60_cards_that_may_have_gone_in_otherwise_are_not_said_to_wait(after: str) -> None:
    played = game(waiting=True, then=False, inserted=None)
    if after == "load":
        played.load("20:30")
    else:
        played.close("20:30", packed=False)
    assert first(played, "20:40").open is None


def test_article_61_the_last_round_comes_first() -> None:
    found = asked(game(), "20:21")
    assert [(one.number, one.open) for one in found.rounds] == [(2, True), (1, False)]
    assert found.of(found.rounds[1].round) is found.rounds[1]
    assert (found.dealing, found.readings) == ("shuffler", ("complaint-window",))


@pytest.mark.parametrize("at", ["20:11", "04:00"])
def test_article_61_where_a_shoe_deals_there_is_no_end(at: str) -> None:
    played = Game("shoe")
    played.prepare(1)
    played.put_back(2, 1, "20:40")
    played.put_back(1, 1, "20:10")
    found = asked(played, at)
    assert [(one.hearing, one.open, one.until) for one in found.rounds] == [
        ("no_end", True, None),
        ("no_end", True, None),
    ]
    assert [one.shoe for one in found.rounds] == [2, 1]
    assert found.readings == ()


def test_where_nobody_told_how_the_cards_are_dealt_nobody_knows() -> None:
    played = Game("shuffler", opened=False)
    played.put_back(1, 1, "20:10")
    assert [one.open for one in asked(played, "23:00").rounds] == [None]


def test_article_61_cards_in_dispute_are_named_until_somebody_looked() -> None:
    played = game()
    complain(played)
    assert first(played, "20:13:30").in_dispute == ("RC-1",)
    assert asked(played, "20:21").rounds[0].in_dispute == ()
    reviewed = {"dispute": "RC-1", "method": "cards", "error_by": "nobody"}
    played.record(DisputeReviewed, "20:30", **reviewed)
    assert first(played, "20:31").in_dispute == ()


def test_article_61_a_decision_frees_them_too() -> None:
    played = game()
    complain(played)
    played.record(ComplaintDecided, "20:30", complaint="RC-1", outcome="not_upheld", reason="seen")
    assert first(played, "20:31").in_dispute == ()


@pytest.mark.parametrize(("at", "is_open"), [("20:11:59", True), ("20:12:30", False)])
def test_by_the_other_reading_it_ends_when_they_are_collected(at: str, is_open: bool) -> None:
    other = {"complaint-window": "until_collected"}
    assert first(game(), at, **other).open is is_open
    assert first(game(collected=None), at, **other).open is None
    assert first(game(waiting=True, inserted=None), at, **other).open is is_open


def test_a_game_without_rounds_has_no_windows() -> None:
    assert asked(Game("shuffler"), "20:00").rounds == ()


@given(played=games(), at=TIMES)
def test_whatever_is_told_too_late_is_only_what_went_in_before(played: Game, at: str) -> None:
    found = asked(played, at)
    assert {one.round for one in found.rounds} == {
        recorded.event.round
        for recorded in played.entries
        if recorded.event.kind == "round-played/1"
    }
    for one in found.rounds:
        late = one.until is not None and one.until < found.at
        assert (one.open is False) is late
