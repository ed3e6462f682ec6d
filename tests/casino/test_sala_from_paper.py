"""What was written on sheets during an outage, recorded afterwards by the floor's own forms."""

import json
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime

from audit.reports.report_entries import Asked, entries_of
from audit.reports.report_entries import shown as register_of
from casino import clock
from casino.events import Malformed
from casino.events.event import Paper
from casino.events.shoes import PlayInterrupted
from casino.events.tables import TableRegistered
from casino.floor.away.paper_sheet import PAPER
from casino.house_day import house_day_at, house_zone
from casino.reading.payload import payload_of
from casino.recording.from_paper import OLDEST
from casino.tlog.canonical import canonical, instant_text
from tests.casino.admin_forms import filled
from tests.casino.api_calls import errors, post
from tests.casino.sala_forms import address, checks_warned, errors_on, form_on, over_it, send
from tests.factories.people import appoint, somebody, write
from tests.factories.recorded import entries, events_of, last_entry, the_event
from tests.factories.tables import CHEFE, MANAGER, PIT, TABLE, a_table
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.share, pytest.mark.usefixtures("english")]
AWAY = "/sala/away/"
MINUTE = timedelta(minutes=1)
TAPS = "s1+s2+min+TH+9D+6C+9S+8D+TD+stand+stand+2H+@1.1+r2000+@2.1+r0"
SHEET = Paper(sheet="12", written_by=CHEFE, why="no_power")
OTHER = "0193479e-6b1c-7c3e-9a54-0c6f2b1d7e10"
WORDS = "from paper, sheet 12, written by S-0021: no power"


@recorded_once
def pit() -> Client:
    appoint(CHEFE, "fiscal_chefe")
    return somebody("fiscal_de_banca")


@recorded_once
def shoe_table() -> str:
    """A table open since two hours, dealt from a shoe; its game."""
    return a_table("shoe")


def ago(minutes: float) -> datetime:
    return (clock.now() - minutes * MINUTE).replace(microsecond=0)


def typed(at: datetime) -> str:
    return f"{at.astimezone(house_zone()):%Y-%m-%dT%H:%M:%S}"


def lay(client: Client, at: datetime, **fields: str) -> Any:
    """Say which sheet it is."""
    known = {"sheet": "12", "table": TABLE, "written_by": CHEFE, "why": "no_power"}
    return client.post(AWAY, known | {"occurred_at": typed(at)} | fields)


def laid(client: Client, at: datetime, **fields: str) -> None:
    answer = lay(client, at, **fields)
    assert (answer.status_code, answer["Location"]) == (302, AWAY), errors_on(answer)


def test_a_sheet_is_recorded_by_the_forms_own_act_and_leads_to_the_next(
    pit: Client, shoe_table: str
) -> None:
    at, url = ago(40), address("interrupt")
    laid(pit, at)
    chosen = pit.get(AWAY).content.decode()
    assert "what does sheet 12 say happened?" in chosen
    assert f'href="{url}"' in chosen
    page = pit.get(url)
    assert WORDS in page.content.decode()
    answer = send(pit, url, reason="no_players", do="interrupt")
    assert answer.status_code == 303
    assert answer["Location"].startswith(AWAY)
    entry, event = last_entry("play-interrupted/1"), the_event("play-interrupted/1")
    assert entry.occurred_at == at
    assert entry.recorded_at - at > 39 * MINUTE
    assert event.paper == SHEET
    following = pit.get(answer["Location"])
    filled_in = {"sheet": "12", "table": TABLE, "written_by": CHEFE, "why": "no_power"}
    assert form_on(following) == form_on(following) | filled_in | {"occurred_at": ""}
    assert PAPER not in form_on(pit.get(url))  # the sheet is done: play goes on now


def test_it_is_seen_afterwards_wherever_the_record_is(pit: Client, shoe_table: str) -> None:
    laid(pit, ago(40))
    send(pit, address("interrupt"), reason="no_players", do="interrupt")
    entry = last_entry("play-interrupted/1")
    assert WORDS in pit.get(address("table")).content.decode()
    page = pit.get(reverse("sala:entry", args=[entry.pk])).content.decode()
    assert "sheet 12, written by S-0021, reason no power" in page
    assert f"recorded {date_format(localtime(entry.recorded_at), 'DATETIME_FORMAT')}" in page
    inspector = somebody("inspetor")
    book = inspector.get(reverse("admin:casino_bookentry_change", args=[entry.pk]), follow=True)
    assert "sheet 12, written by S-0021, reason no power" in book.content.decode()
    timeline = inspector.get(reverse("timeline-partida", args=[shoe_table])).content.decode()
    assert "From paper, sheet 12, written by S-0021: no power" in timeline
    assert "40 min later" in timeline
    asked = Asked("game", entry.gaming_day, entry.gaming_day, TABLE)
    (row,) = register_of(entries_of(asked, ["play-interrupted/1"]), asked)
    assert str(row.cells[-1]["text"]).endswith(f"later; {WORDS}")
    seen = inspector.get(reverse("timeline-person", args=[CHEFE])).content.decode()
    assert "sheet 12" in seen  # among what names him


def test_in_whatever_order_sheets_are_recorded_they_tell_the_evening_as_it_was(
    pit: Client, shoe_table: str
) -> None:
    url = address("interrupt")
    laid(pit, ago(50))
    send(pit, url, reason="no_players", do="interrupt")
    laid(pit, ago(30), sheet="13")
    send(pit, url, do="resume")
    laid(pit, ago(45), sheet="14")  # forgotten: play rested already
    assert send(pit, url, reason="no_stakes", do="interrupt").status_code == 303
    assert "Play rests" not in pit.get(url).content.decode()
    assert [one.paper.sheet for one in events_of("play-interrupted/1")] == ["12", "14"]


def test_what_is_unlawful_on_paper_is_warned_of_and_recorded(pit: Client, shoe_table: str) -> None:
    url, at = address("interrupt"), ago(20)
    laid(pit, at)
    answer = send(pit, url, reason="dealer_change", do="spread")
    assert checks_warned(answer)
    assert WORDS in answer.content.decode()
    assert over_it(pit, url, answer).status_code == 303
    spread = the_event("cards-spread/1")
    assert spread.paper == SHEET
    assert spread.despite
    assert last_entry("cards-spread/1").occurred_at == at


@pytest.mark.parametrize(
    ("beyond", "field"), [(timedelta(0), ""), (timedelta(seconds=1), "occurred_at")]
)
def test_a_sheet_is_31_days_old_at_most(
    pit: Client,
    shoe_table: str,
    monkeypatch: pytest.MonkeyPatch,
    beyond: timedelta,
    field: str,
) -> None:
    now = clock.now().replace(microsecond=0)
    monkeypatch.setattr(clock, "now", lambda: now)
    answer = lay(pit, now - OLDEST - beyond)
    assert (answer.status_code == 200) is bool(field)
    if field:
        assert list(errors_on(answer)) == [field]
        assert "31 days" in errors_on(answer)[field]
    burnt = write_at(shoe_table, now - OLDEST - beyond)
    assert (burnt == "$.occurred_at") is bool(field)


def write_at(partida: str, at: datetime, paper: Paper = SHEET) -> str:
    """Record it as any door does: the path that was refused, '' where it was recorded."""
    stopped = PlayInterrupted(table=TABLE, partida=partida, reason="no_players", paper=paper)
    try:
        write(stopped, by=PIT, at=at)
    except Malformed as error:
        return error.path
    return ""


@pytest.mark.parametrize(
    ("minutes", "fields", "field", "words"),
    [
        (-2, {}, "occurred_at", "still to come"),
        (5, {"written_by": "S-9999"}, "written_by", "nobody of the house"),
        (5, {"table": "BJ-99"}, "table", "not one of your tables"),
        (5, {"sheet": ""}, "sheet", ""),
        (5, {"sheet": "no 12/A"}, "sheet", "asked is"),
        (5, {"why": "it rained"}, "why", "asked is"),
        (5, {"occurred_at": ""}, "occurred_at", ""),
        (5, {"occurred_at": "12:00"}, "occurred_at", "a date and a time"),
    ],
)
def test_a_sheet_that_cannot_be_is_refused_in_words(
    pit: Client, shoe_table: str, minutes: int, fields: dict[str, str], field: str, words: str
) -> None:
    before = entries()
    answer = lay(pit, ago(minutes), **fields)
    assert list(errors_on(answer)) == [field]
    assert words in errors_on(answer)[field]
    assert PAPER not in pit.session
    assert entries() == before


@pytest.mark.parametrize("number", ["S-9999", "s-0021"])
def test_every_door_asks_who_wrote_it(pit: Client, shoe_table: str, number: str) -> None:
    before = entries()
    paper = Paper(sheet="12", written_by=number, why="other")
    assert write_at(shoe_table, ago(5), paper) == "$.paper.written_by"
    assert entries() == before


def test_a_sheet_is_of_its_table_alone(pit: Client, shoe_table: str) -> None:
    a_table("shoe", table="BJ-07")
    laid(pit, ago(20))
    assert PAPER in form_on(pit.get(address("interrupt")))
    assert PAPER not in form_on(pit.get(address("interrupt", "BJ-07")))
    send(pit, address("interrupt", "BJ-07"), reason="no_players", do="interrupt")
    assert the_event("play-interrupted/1").paper is None
    pit.post(AWAY, {"end": "1"})
    assert PAPER not in form_on(pit.get(address("interrupt")))


def test_a_form_whose_sheet_is_none_any_more_records_nothing(pit: Client, shoe_table: str) -> None:
    laid(pit, ago(20))
    url, before = address("interrupt"), entries()
    sent = form_on(pit.get(url)) | {"reason": "no_players", "do": "interrupt", PAPER: "forged"}
    answer = pit.post(url, sent)
    assert answer["Location"] == f"{AWAY}?too-old=1"
    assert "Nothing was recorded" in pit.get(answer["Location"]).content.decode()
    assert entries() == before


def test_sent_twice_it_is_recorded_once(pit: Client, shoe_table: str) -> None:
    laid(pit, ago(20))
    url = address("interrupt")
    sent = form_on(pit.get(url)) | {"reason": "no_players", "do": "interrupt"}
    answers = [pit.post(url, sent) for _ in range(2)]
    assert {answer.status_code for answer in answers} == {303}
    assert the_event("play-interrupted/1").paper == SHEET


def test_a_round_is_recorded_from_its_sheet_and_of_its_time(pit: Client, shoe_table: str) -> None:
    at = ago(20)
    laid(pit, at)
    url = f"{address('round')}?taps={TAPS}"
    assert address("round") in pit.get(AWAY).content.decode()
    page = pit.get(url)
    assert WORDS in page.content.decode()
    assert 'value="first_card"' not in page.content.decode()  # nothing of it is tapped as it comes
    first = at - MINUTE
    answer = send(pit, url, first_card=f"{first.astimezone(house_zone()):%H:%M:%S}")
    assert answer["Location"].startswith(AWAY), checks_warned(answer)
    entry, played = last_entry("round-played/1"), the_event("round-played/1")
    assert (entry.occurred_at, played.paper, played.times.first_card) == (at, SHEET, first)
    assert (played.shoe, played.dealer) == (None, None)  # those of now are not those of then
    for shown in (
        pit.get(reverse("sala:entry", args=[entry.pk])),
        somebody("inspetor").get(reverse("admin:casino_round_change", args=[entry.pk])),
    ):
        assert WORDS.capitalize()[:20] in shown.content.decode()
    assert WORDS in pit.get(address("table")).content.decode()


def test_the_sheet_of_a_round_is_written_by_somebody_of_the_house(
    pit: Client, shoe_table: str
) -> None:
    laid(pit, ago(20))
    send(pit, f"{address('round')}?taps={TAPS}")
    played = the_event("round-played/1")
    unknown = replace(played, round=OTHER, paper=replace(SHEET, written_by="S-9999"))
    with pytest.raises(Malformed, match="nobody of the house") as refused:
        write(unknown, by=PIT, at=ago(20))
    assert refused.value.path == "$.paper.written_by"


def test_a_load_from_paper_leads_to_whoever_confirms_it_now(pit: Client) -> None:
    a_table()
    at = ago(60)
    laid(pit, at)
    answer = send(pit, address("load"), packets="3")
    assert "/witness/" in answer["Location"]
    assert last_entry("shuffler-loaded/1").occurred_at == at
    assert the_event("shuffler-loaded/1").paper == SHEET
    assert PAPER not in pit.session


def test_a_closing_from_paper_is_attested_when_it_is_recorded(pit: Client, shoe_table: str) -> None:
    at, url = ago(30), f"{address('close')}?confirm=1"
    laid(pit, at)
    moved = pit.get(f"{url}&announced=now")["Location"]
    assert instant_text(at) in moved  # the tap is of now, what it says is of the sheet
    answer = send(pit, moved, attest="all", rounds="0")
    if answer.status_code == 200:
        answer = over_it(pit, moved, answer)
    assert answer["Location"].startswith(AWAY)
    closed = the_event("partida-closed/1")
    assert (last_entry("partida-closed/1").occurred_at, closed.paper) == (at, SHEET)
    assert closed.closing_announced_at == at
    assert all(one.at - at > 29 * MINUTE for one in closed.attested)


def test_a_table_is_opened_on_the_day_its_sheet_says(pit: Client, shoe_table: str) -> None:
    at = ago(26 * 60)
    url = address("open", "BJ-08")
    write(TableRegistered(table="BJ-08", boxes=7), by=MANAGER)
    laid(pit, at, table="BJ-08")
    page = pit.get(url)
    assert page.context["partida"] == f"BJ-08/{house_day_at(at).isoformat()}/1"


def test_the_api_takes_the_same_part_with_the_same_limits(pit: Client, shoe_table: str) -> None:
    def sent(at: datetime, **paper: str) -> Any:
        part = {"sheet": "12", "written_by": CHEFE, "why": "no_network"} | paper
        event = {"table": TABLE, "partida": shoe_table, "reason": "no_players", "paper": part}
        return post(pit, "play-interruptions", {"occurred_at": at.isoformat(), "event": event})

    assert sent(ago(30)).status_code == 201
    assert the_event("play-interrupted/1").paper.why == "no_network"
    assert errors(sent(ago(30), written_by="S-9999"))[0][0] == "$.event.paper.written_by"
    assert errors(sent(ago(30), why="rain"))[0][0] == "$.event.paper.why"
    assert errors(sent(ago(30), more="x"))[0][0] == "$.event.paper.more"
    assert errors(sent(ago(32 * 24 * 60)))[0][0] == "$.occurred_at"
    assert len(events_of("play-interrupted/1")) == 1


def test_the_admin_asks_for_the_same(pit: Client, shoe_table: str) -> None:
    event = PlayInterrupted(table=TABLE, partida=shoe_table, reason="no_players", paper=SHEET)
    url = f"{reverse('admin:casino_interruption_add')}?kind=play-interrupted"
    assert pit.post(url, filled(event, occurred_at=typed(ago(5)))).status_code == 302
    assert the_event("play-interrupted/1").paper == SHEET


def test_what_was_recorded_at_once_has_the_bytes_it_had() -> None:
    event = PlayInterrupted(table=TABLE, partida=f"{TABLE}/2026-11-20/1", reason="no_players")
    assert "paper" not in payload_of(event)
    written = json.loads(canonical(payload_of(replace(event, paper=SHEET))))
    assert written["paper"] == {"sheet": "12", "written_by": "S-0021", "why": "no_power"}
