"""A gaming day from three in the afternoon to three at night, on the nights the clocks change."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from casino import clock
from casino.floor.opening.open_table import next_name
from casino.floor.table_state import table_state
from casino.models import BookEntry
from tests.casino.sala_forms import form_on
from tests.factories.floor import SHOE_TABLE, house, opening
from tests.factories.people import somebody
from tests.factories.recorded import events_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
AT = f"/sala/{SHOE_TABLE}/"


def utc(text: str) -> datetime:
    """``"2027-10-31 00:30"``."""
    return datetime.strptime(text, "%Y-%m-%d %H:%M").replace(tzinfo=UTC)


# Lisbon: at 01:00 UTC the clocks go back from 02:00 to 01:00, or forward from 01:00 to 02:00.
BACK = ("2027-10-30", "2027-10-30 14:00", "2027-10-31 00:30", "2027-10-31 01:30", "01:30", "01:30")
FORWARD = (
    "2027-03-27", "2027-03-27 15:00", "2027-03-28 00:30", "2027-03-28 01:30", "00:30", "02:30",
)  # fmt: skip


@pytest.fixture
def show(monkeypatch: pytest.MonkeyPatch) -> Any:
    """``show("2027-10-31 00:30")``: what time it is."""
    return lambda text: monkeypatch.setattr(clock, "now", lambda: utc(text))


def tap(client: Client, url: str, **tapped: str) -> Any:
    """One tap; whatever is warned of would be a warning too many."""
    answer = client.post(url.partition("?")[0], form_on(client.get(url)) | tapped)
    assert answer.status_code == 303, answer.content.decode()
    return answer


@pytest.mark.parametrize(
    ("day", "three", "before", "after", "shown", "shown_after"), [BACK, FORWARD]
)
def test_an_evening_over_the_change_is_one_day_one_game_and_an_hour_is_an_hour(
    show: Any, day: str, three: str, before: str, after: str, shown: str, shown_after: str
) -> None:
    show(three)
    house()
    pit = somebody("fiscal_de_banca")
    decks = " ".join(f"{one.deck}:red" for one in opening().decks)
    cards = {"cut_card_front": "green", "carta_aviso_front": "yellow"}
    cards |= {"cut_card_back": "green", "carta_aviso_back": "yellow"}
    limits = {"minimum": "10", "maximum": "300"}
    answer = tap(pit, f"{AT}open/", dealing="shoe", decks=decks, **cards, **limits)
    assert answer.status_code == 303
    assert [event.partida for event in events_of("partida-opened/1")] == [f"{SHOE_TABLE}/{day}/1"]
    tap(pit, f"{AT}exhibit/?all=1")
    show(before)
    answer = tap(pit, f"{AT}cut/?seats=1+2")
    assert "Recorded at" in pit.get(answer["Location"]).content.decode()
    assert f"<dd>seat 1, {shown}</dd>" in pit.get(AT).content.decode()
    tap(pit, f"{AT}shoe/")
    show(after)
    tap(pit, f"{AT}last-round/", came_out="during_round")
    tap(pit, f"{AT}cut/?seats=1+2")
    assert f"<dd>seat 2, {shown_after}</dd>" in pit.get(AT).content.decode()
    cuts = BookEntry.objects.filter(kind="cut-made/1").order_by("n")
    assert [cut.occurred_at for cut in cuts] == [utc(before), utc(after)]
    assert [event.shoe for event in events_of("cut-made/1")] == [1, 2]
    assert {str(entry.gaming_day) for entry in BookEntry.objects.exclude(partida_id="")} == {day}
    assert next_name(SHOE_TABLE) == f"{SHOE_TABLE}/{day}/2"
    assert table_state(SHOE_TABLE, utc(after)).last_cut is not None


@pytest.mark.parametrize(
    ("at", "day"),
    [
        ("2027-10-31 08:00", "2027-10-31"),
        ("2027-10-31 07:59", "2027-10-30"),
        ("2027-03-28 07:00", "2027-03-28"),
        ("2027-03-28 06:59", "2027-03-27"),
    ],
)
def test_the_day_begins_at_the_houses_hour_whatever_the_clocks_did(
    show: Any, settings: Any, at: str, day: str
) -> None:
    settings.HOUSE_DAY_STARTS = "08:00"
    show(at)
    assert next_name(SHOE_TABLE) == f"{SHOE_TABLE}/{day}/1"
