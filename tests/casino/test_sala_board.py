"""The board on the wall: what it says of every table, to whom, and how a screen stays there."""

import html
import re
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import localtime

from casino import clock
from casino.events.shoes import PlayInterrupted
from casino.events.staff import DutyBegun, OfficeEnded
from casino.floor import table_state
from casino.floor.tables import board, board_tiles
from casino.floor.tables.board_tiles import Board, BoardTile, arranged, board_at
from casino.house_day import gaming_day_now
from casino.models import Account, BookEntry
from casino.recording import Actor
from casino.web.login.open_sessions import sessions_of
from tests.casino.floor_watch import Due, asked_instead
from tests.factories import findings
from tests.factories.floor import (
    MACHINE_TABLE,
    PIT,
    SHOE_TABLE,
    ago,
    game,
    house,
    opened,
    prepared,
    register,
)
from tests.factories.people import CAST, somebody, write
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english", "nothing_kept")]
URL, NOW = "/sala/board/", "/sala/board/now/"
CHEFE = CAST["fiscal_chefe"]
DIRECTION = Actor("S-0001", "administrador", "job")


@recorded_once
def chefe() -> Client:
    house()
    return somebody("fiscal_chefe")


@pytest.fixture
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board, "kept", {})
    monkeypatch.setattr(table_state, "kept", {})


def shown() -> Board:
    return board_at(clock.now())


def tile(table: str = SHOE_TABLE) -> BoardTile:
    return next(one for one in shown().tiles if one.table == table)


def found(*raised: findings.FindingRaised) -> None:
    findings.write(raised)


def a_finding(number: int, **known: Any) -> findings.FindingRaised:
    where = {"gaming_day": gaming_day_now(), "table": SHOE_TABLE}
    return findings.finding(number, **{**where, **known})


# What it says


def test_of_a_house_without_tables_it_says_so() -> None:
    somebody_ = somebody("chefia_da_sala")
    page = somebody_.get(URL).content.decode()
    assert "No table is registered." in page
    assert (shown().tiles, shown().open_now) == ((), 0)


def test_a_table_is_closed_then_waits_for_its_cards_then_plays(chefe: Client) -> None:
    assert [one.standing for one in shown().tiles] == ["Closed", "Closed"]
    opened(shown=False)
    assert tile().standing == "To exhibit"
    assert (tile().fiscal, tile().chefe) == (PIT.staff, "S-0021")
    assert tile(MACHINE_TABLE).standing == "Closed"
    assert shown().open_now == 1


def test_a_table_that_is_ready_plays_and_one_that_was_stopped_is_interrupted(chefe: Client) -> None:
    opened()
    assert tile().standing == "Preparing"
    assert tile().lines[0].words == "Shuffle and cut"
    prepared()
    assert (tile().standing, tile().lines) == ("Playing", ())
    write(PlayInterrupted(**game(), reason="other"), by=PIT, at=ago(3))
    assert tile().standing == "Stopped"


def test_what_is_due_stands_there_the_gravest_first_with_its_time(
    chefe: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    until = clock.now() + timedelta(minutes=9)
    due = (
        Due("warning", "A load waits.", since=until, due=True, place=""),
        Due("breach", "Nobody has cut.", since=ago(12), place=""),
        Due("note", "A third."),
    )
    asked_instead(monkeypatch, lambda *_: {SHOE_TABLE: due})
    opened()
    there = tile()
    assert [(line.tone, line.words) for line in there.lines] == [
        ("breach", "Nobody has cut. (n.º\xa054)"),
        ("warning", "A load waits. (n.º\xa054)"),
        ("note", "A third. (shoe 3, n.º\xa054)"),
        ("", "Shuffle and cut"),
    ]
    assert there.lines[0].when == "for 12 min"
    assert there.lines[1].when == f"until {localtime(until):%H:%M}"
    assert (there.tone, there.left) == ("breach", 0)


def test_of_many_tables_each_names_one_thing_and_counts_the_rest(
    chefe: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    due = (Due("note", "x"), Due("breach", "Nobody has cut."))
    asked_instead(monkeypatch, lambda *_: {SHOE_TABLE: due})
    opened()
    monkeypatch.setattr(board_tiles, "arranged", lambda tables: (4, 3))
    there = tile()
    assert [line.tone for line in there.lines] == ["breach"]
    assert (there.tone, there.left) == ("breach", 1)


def test_findings_of_the_day_are_counted_and_its_breaches_named(chefe: Client) -> None:
    opened()
    found(
        a_finding(1),
        a_finding(2, severity="warning"),
        a_finding(3, table=MACHINE_TABLE, severity="deviation"),
        a_finding(4, gaming_day=gaming_day_now() - timedelta(days=1)),
        a_finding(5),
    )
    found(findings.no_longer(5))  # type: ignore[arg-type]
    there = tile()
    assert [(one.gravity, one.n) for one in there.counts] == [("breach", 1), ("warning", 1)]
    assert [line.tone for line in there.lines] == ["breach", ""]  # before what comes next
    assert there.lines[0].words.endswith("n.º\xa021)")
    page = chefe.get(URL).content.decode()
    assert there.lines[0].words in html.unescape(page)
    # A player's code; not two letters of a form's token, which are drawn anew for each page.
    assert not re.search(r"\bJ4\b", page)
    assert "€" not in page
    assert [(one.gravity, one.n) for one in shown().counts] == [
        ("breach", 1), ("deviation", 1), ("warning", 1),
    ]  # fmt: skip


def test_a_breach_the_watch_tells_already_is_told_once(
    chefe: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened()
    found(a_finding(1))
    due = Due("breach", "Blackjack at evens.", check="blackjack_paid_three_to_two")
    asked_instead(monkeypatch, lambda *_: {SHOE_TABLE: (due,)})
    assert [line.words for line in tile().lines if line.tone] == [
        "Blackjack at evens. (shoe 3, n.º\xa054)"
    ]


def test_whom_an_open_table_names_stands_there_off_duty_too(chefe: Client) -> None:
    assert shown().chefes == ()
    opened()
    assert shown().chefes == ("S-0021",)


def test_who_is_on_duty_stands_there_by_number_and_nobody_by_name(chefe: Client) -> None:
    by = Actor(CHEFE, "fiscal_chefe", "sala")
    write(DutyBegun(staff=CHEFE, office="fiscal_chefe", tables=()), by=by)
    assert shown().chefes == (CHEFE,)
    assert shown().managers == ()


@pytest.mark.parametrize(
    ("tables", "columns", "rows"), [(0, 1, 1), (1, 1, 1), (2, 2, 1), (20, 5, 4), (21, 6, 4)]
)
def test_tiles_lie_so_that_they_are_the_largest(tables: int, columns: int, rows: int) -> None:
    assert arranged(tables) == (columns, rows)


def test_of_however_many_tables_no_more_is_asked(chefe: Client) -> None:
    opened()
    opened(MACHINE_TABLE)

    def asked() -> int:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            shown()
        return len(queries)

    asked()
    few = asked()
    for number in range(3, 9):
        register(f"BJ-0{number}")
        opened(f"BJ-0{number}", shown=False)
    asked()
    assert asked() <= few


# How it asks again


def test_nothing_is_read_or_sent_while_nothing_changed(
    chefe: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board, "LASTS", 10**9)  # the same stretch of time
    first = chefe.get(NOW)
    with monkeypatch.context() as unread:
        unread.delattr(board, "board_at")
        again = chefe.get(NOW, headers={"if-none-match": first["ETag"]})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    assert again["X-House-Clock"]
    opened()
    changed = chefe.get(NOW, headers={"if-none-match": first["ETag"]})
    assert changed.status_code == 200
    assert "Preparing" in changed.content.decode()


@pytest.mark.parametrize("tag", ["", "*", 'W/"0"', "\x7f", "W/" + '"' * 40])
def test_a_tag_that_is_none_brings_the_tiles(chefe: Client, tag: str) -> None:
    assert chefe.get(NOW, headers={"if-none-match": tag}).status_code == 200


# A screen on the wall


def put_up(client: Client) -> None:
    assert client.post(URL, {"wall": "1"})["Location"] == URL


def later(monkeypatch: pytest.MonkeyPatch, by: timedelta) -> None:
    then = time.time() + by.total_seconds()
    monkeypatch.setattr(time, "time", lambda: then)


def test_a_screen_shows_the_board_and_nothing_else_and_nobody_is_logged_in(chefe: Client) -> None:
    before = BookEntry.objects.count()
    put_up(chefe)
    page = chefe.get(URL)
    assert 'id="tiles"' in page.content.decode()
    assert "Put this screen up" not in page.content.decode()
    assert chefe.get(NOW).status_code == 200
    for address in ("/sala/", f"/sala/{SHOE_TABLE}/", "/sala/todo/", "/sala/duty/"):
        assert 'type="password"' in chefe.get(address).content.decode(), address
    assert chefe.get("/admin/").status_code == 302
    assert chefe.post(URL, {"wall": "1"}).status_code == 403  # nobody puts another up from it
    assert BookEntry.objects.count() == before


def test_it_stays_for_its_days_and_no_longer(
    chefe: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_up(chefe)
    lasts: timedelta = settings.HOUSE_WALL_SCREEN
    with monkeypatch.context() as at:
        later(at, lasts - timedelta(minutes=1))
        assert chefe.get(NOW).status_code == 200  # however long nobody touches it
    later(monkeypatch, lasts + timedelta(seconds=1))
    assert chefe.get(NOW).status_code == 403
    assert 'type="password"' in chefe.get(URL).content.decode()


def office_ended() -> None:
    at = clock.now() - timedelta(minutes=1)
    ended = OfficeEnded(staff=CHEFE, office="fiscal_chefe", ended_at=at, ended_by="S-0001")
    write(ended, by=DIRECTION, at=at)


def account_closed() -> None:
    Account.objects.filter(staff=CHEFE).update(is_active=False)


def taken_away() -> None:
    (screen,) = sessions_of(CHEFE)
    admin = somebody("administrador")
    listed = admin.get("/admin/sessions/", {"of": CHEFE}).content.decode()
    assert "screen on the wall" in listed
    admin.post("/admin/sessions/", {"of": CHEFE, "session": screen.name})


@pytest.mark.parametrize("end", [office_ended, account_closed, taken_away])
def test_it_ends_with_the_office_the_account_or_by_hand(
    chefe: Client, end: Callable[[], None]
) -> None:
    put_up(chefe)
    assert chefe.get(NOW).status_code == 200
    end()
    assert chefe.get(NOW).status_code == 403
    assert 'id="tiles"' not in chefe.get(URL).content.decode()


def test_an_overseer_looks_and_puts_up_no_screen() -> None:
    house()
    inspector = somebody("inspetor")
    assert "Put this screen up" not in inspector.get(URL).content.decode()
    answer = inspector.post(URL, {"wall": "1"})
    assert answer.status_code == 403
    assert "A screen is put up by the fiscal-chefe" in answer.content.decode()
    assert inspector.get("/sala/").status_code == 200  # still logged in


def test_a_form_without_its_button_logs_nobody_out(chefe: Client) -> None:
    assert chefe.post(URL, {"wal": "1"}).status_code == 302
    assert chefe.get("/sala/").status_code == 200
    assert "Put this screen up" in chefe.get(URL).content.decode()


@pytest.mark.parametrize("left", ["", "x" * 32, "\0"])
def test_a_session_that_is_none_shows_nothing(left: str) -> None:
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = left
    assert client.get(NOW).status_code == 403


def test_it_is_read_in_the_language_it_was_put_up_in(chefe: Client) -> None:
    put_up(chefe)
    page = chefe.get(URL, headers={"accept-language": "pt"}).content.decode()
    assert "Findings of the gaming day" in page
    assert Session.objects.count() == 1
