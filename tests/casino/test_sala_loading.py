"""S6: the shuffler is loaded and emptied; how a time that somebody tells is understood."""

from datetime import UTC, datetime, time
from zoneinfo import ZoneInfo

import pytest
from django.test import Client

from casino.floor.stated_moments import NeverShown, latest
from casino.models import BookEntry
from tests.casino.sala_forms import address, checks_warned, errors_on, fill, form_on, over_it, send
from tests.factories.people import somebody
from tests.factories.recorded import entries, events_of, the_event
from tests.factories.tables import CHEFE, DECKS, a_load, a_table, chefe_on_duty
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
PIN = "482915"
LISBON = ZoneInfo("Europe/Lisbon")


@recorded_once
def pit() -> Client:
    return somebody("fiscal_de_banca")


# Loading


def test_a_lawful_load_is_recorded_alone_and_leads_to_its_witness(pit: Client) -> None:
    partida = a_table()
    before = entries()
    answer = send(pit, address("load"), packets="3")
    assert answer.status_code == 303
    load = the_event("shuffler-loaded/1")
    assert (load.partida, load.packets, load.decks) == (partida, 3, DECKS)
    assert (load.operator, load.fiscal_chefe, load.reason) == ("P-104", CHEFE, "opening")
    assert load.despite == ()
    assert entries() == before + 1  # the witness's word is not in it
    entry = BookEntry.objects.get(kind="shuffler-loaded/1")
    assert answer["Location"].startswith(address("witness", entry.pk))


def test_one_packet_is_warned_of_and_recorded(pit: Client) -> None:
    a_table()
    before = entries()
    url = address("load")
    answer = send(pit, url, packets="1")
    assert checks_warned(answer) == ["shuffler_loaded_in_packets"]
    assert "n.º 54" in answer.content.decode()
    assert entries() == before
    assert over_it(pit, url, answer, "equipment").status_code == 303
    load = the_event("shuffler-loaded/1")
    assert load.packets == 1
    assert [(one.check, one.reason) for one in load.despite] == [
        ("shuffler_loaded_in_packets", "equipment")
    ]


@pytest.mark.parametrize(("packets", "warned"), [("2", []), ("1", ["shuffler_loaded_in_packets"])])
def test_two_packets_are_enough_and_one_is_not(
    pit: Client, packets: str, warned: list[str]
) -> None:
    a_table()
    answer = send(pit, address("load"), packets=packets)
    assert (checks_warned(answer) if answer.status_code == 200 else []) == warned


def test_a_load_without_the_shuffle_by_hand_is_warned_of(pit: Client) -> None:
    a_table(mixed=False)
    answer = send(pit, address("load"), packets="3")
    assert checks_warned(answer) == ["loaded_decks_shuffled_by_hand"]


def test_a_second_load_is_warned_of_beforehand_and_recorded(pit: Client) -> None:
    a_load(a_table())
    url = address("load")
    assert "The shuffler is loaded already in this game." in pit.get(url).content.decode()
    answer = send(pit, url, packets="3")
    assert "shuffler_loaded_once" in checks_warned(answer)
    assert over_it(pit, url, answer).status_code == 303
    assert [load.reason for load in events_of("shuffler-loaded/1")] == ["opening", "other"]


@pytest.mark.parametrize("packets", ["", "0", "x", "51", "2.5"])
def test_a_load_in_no_packets_is_refused_and_nothing_stored(pit: Client, packets: str) -> None:
    a_table()
    before = entries()
    answer = send(pit, address("load"), packets=packets)
    assert answer.status_code == 200
    assert "packets" in errors_on(answer)
    assert ("Say in how many packets." in answer.content.decode()) is (packets == "")
    assert entries() == before


def test_what_was_typed_is_still_there_when_it_is_refused(pit: Client) -> None:
    a_table()
    answer = send(pit, address("load"), packets="", operator="P-999")
    assert form_on(answer)["operator"] == "P-999"


def test_a_double_tap_loads_once(pit: Client) -> None:
    a_table()
    url = address("load")
    sent = fill(pit, url, packets="3")
    first, second = pit.post(url, sent), pit.post(url, sent)
    assert len(events_of("shuffler-loaded/1")) == 1
    assert (first.status_code, second.status_code) == (303, 303)
    assert second["Location"].split("?")[0] == first["Location"].split("?")[0]
    assert "again=1" in second["Location"]


def test_where_no_game_is_open_nothing_is_loaded(pit: Client) -> None:
    assert "No game is open" in pit.get(address("load")).content.decode()
    answer = pit.post(address("load"), {"packets": "3"})
    assert answer.status_code == 409
    assert events_of("shuffler-loaded/1") == []


@pytest.mark.parametrize("office", ["fiscal_chefe", "chefia_da_sala", "inspetor"])
def test_whoever_witnesses_a_load_does_not_tell_of_it(office: str) -> None:
    a_table()
    assert somebody(office).get(address("load")).status_code == 403


def test_another_tables_fiscal_does_not_load_it() -> None:
    a_table()
    other = somebody("fiscal_de_banca", "S-0999")
    assert other.get(address("load")).status_code == 403


# Taking the cards out


def test_the_cards_come_out_and_a_witness_follows(pit: Client) -> None:
    chefe_on_duty()
    a_load(a_table())
    values = {"empty": "yes", "closing_announced": "yes", "cards": "312"}
    answer = send(pit, address("unload"), **values)
    assert answer.status_code == 303
    out = the_event("shuffler-unloaded/1")
    assert (out.reason, out.closing_announced, out.empty, out.cards) == ("closing", True, True, 312)
    assert out.started_at is not None
    assert out.ended_at >= out.started_at
    entry = BookEntry.objects.get(kind="shuffler-unloaded/1")
    assert answer["Location"].startswith(address("witness", entry.pk))


@pytest.mark.parametrize(
    ("recorded", "check"),
    [
        ({"empty": "no"}, "shuffler_left_empty"),
        ({"empty": "yes", "cards": "311"}, "shuffler_left_empty"),
        ({"empty": "yes", "closing_announced": "no"}, "unloaded_after_closing_announced"),
        ({"empty": "yes", "reason": "maintenance"}, "cards_stay_in_shuffler"),
    ],
)
def test_cards_taken_out_wrongly_are_warned_of_and_recorded(
    pit: Client, recorded: dict[str, str], check: str
) -> None:
    a_load(a_table())
    url = address("unload")
    answer = send(pit, url, **recorded)
    assert check in checks_warned(answer)
    assert over_it(pit, url, answer).status_code == 303
    assert check in {one.check for one in the_event("shuffler-unloaded/1").despite}


def test_whether_the_machine_is_empty_has_no_default(pit: Client) -> None:
    a_load(a_table())
    assert "empty" not in fill(pit, address("unload"))
    answer = send(pit, address("unload"))
    assert "empty" in errors_on(answer)
    assert "Was the shuffler left empty?" in answer.content.decode()
    assert "Say whether it was left empty." in answer.content.decode()
    assert events_of("shuffler-unloaded/1") == []


@pytest.mark.parametrize("reason", ["", "?reason=jam"])
def test_what_nobody_said_of_the_closing_and_the_count_is_not_recorded(
    pit: Client, reason: str
) -> None:
    """PT art. 55: that the closing was announced, and a count, are somebody's word."""
    a_load(a_table())
    url = address("unload") + reason
    sent = fill(pit, url)
    assert (sent.get("closing_announced", ""), sent["cards"]) == ("", "")
    assert "312" in pit.get(url).content.decode()  # said, for whoever counts
    answer = pit.post(url, sent | {"empty": "yes"})
    if answer.status_code == 200:
        answer = over_it(pit, url, answer)
    assert answer.status_code == 303
    out = the_event("shuffler-unloaded/1")
    assert (out.closing_announced, out.cards, out.empty) == (None, None, True)


# What time it was


@pytest.mark.parametrize(
    ("shown", "at", "moment"),
    [
        (time(23, 55), "2026-11-21T00:03", "2026-11-20T23:55"),
        (time(0, 3), "2026-11-21T00:03", "2026-11-21T00:03"),
        (time(0, 4), "2026-11-21T00:03:30", "2026-11-21T00:03:30"),  # a watch that is ahead
        (time(0, 6), "2026-11-21T00:03", "2026-11-20T00:06"),
        # The night the clocks go back: 01:30 comes twice, the later is meant.
        (time(1, 30), "2026-10-25T01:45", "2026-10-25T01:30"),
        (time(1, 30), "2026-10-25T00:45", "2026-10-25T00:30"),
        # The night they go forward: what came before midnight is recorded as ever.
        (time(21, 30), "2026-03-29T02:45", "2026-03-28T21:30"),
    ],
)
def test_a_time_is_the_last_one_the_clock_has_shown(shown: time, at: str, moment: str) -> None:
    found = latest(shown, datetime.fromisoformat(at).replace(tzinfo=UTC), LISBON)
    assert found == datetime.fromisoformat(moment).replace(tzinfo=UTC)


def test_an_hour_that_was_left_out_was_never_shown() -> None:
    with pytest.raises(NeverShown):
        latest(time(1, 30), datetime(2026, 3, 29, 2, 45, tzinfo=UTC), LISBON)
