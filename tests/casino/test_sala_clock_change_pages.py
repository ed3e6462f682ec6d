"""The floor's newer pages on the nights the clocks change, in Lisbon and on the Azores."""

from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import pytest
from django.test import Client

from casino import clock, holding
from casino.events.complaints import ComplaintReceived
from casino.events.floor_life import TableHandedOver
from casino.events.partidas import PartidaClosed
from casino.floor.tables import todo_lists
from casino.models import Account, BookEntry, HeldRecord
from casino.witnessing import set_pin
from tests.casino.sala_forms import form_on, over_it, send
from tests.factories.floor import DECKS, PIT, SHOE_TABLE, house, opening, shown_deck
from tests.factories.people import CAST, PASSWORD, appoint, somebody, write
from tests.factories.recorded import events_of, the_event

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
AT = f"/sala/{SHOE_TABLE}/"
LISBON, AZORES = "Europe/Lisbon", "Atlantic/Azores"


class Night(NamedTuple):
    """A night in a zone: when the game opened, a moment before and one after the clocks change
    (at 01:00 UTC in both zones, both nights), and what the house's clocks show then.
    """

    zone: str
    opened: str
    before: str
    after: str
    shown: str
    shown_after: str
    day: str


NIGHTS = [
    Night(
        LISBON,
        "2027-10-30 20:00",
        "2027-10-31 00:30",
        "2027-10-31 01:30",
        "31 Oct 2027 01:30",
        "31 Oct 2027 01:30",
        "2027-10-30",
    ),
    Night(
        LISBON,
        "2027-03-27 20:00",
        "2027-03-28 00:30",
        "2027-03-28 01:30",
        "28 Mar 2027 00:30",
        "28 Mar 2027 02:30",
        "2027-03-27",
    ),
    # There it is an hour earlier: midnight comes twice, and in March not at all.
    Night(
        AZORES,
        "2027-10-30 20:00",
        "2027-10-31 00:30",
        "2027-10-31 01:30",
        "31 Oct 2027 00:30",
        "31 Oct 2027 00:30",
        "2027-10-30",
    ),
    Night(
        AZORES,
        "2027-03-27 20:00",
        "2027-03-28 00:30",
        "2027-03-28 01:30",
        "27 Mar 2027 23:30",
        "28 Mar 2027 01:30",
        "2027-03-27",
    ),
]


def utc(text: str) -> datetime:
    """``"2027-10-31 00:30"``."""
    return datetime.strptime(text, "%Y-%m-%d %H:%M").replace(tzinfo=UTC)


def time_of(shown: str) -> str:
    """``"01:30"`` of ``"31 Oct 2027 01:30"``."""
    return shown.rpartition(" ")[2]


@pytest.fixture
def show(monkeypatch: pytest.MonkeyPatch) -> Any:
    """``show("2027-10-31 00:30", seconds)``: what time it is."""

    def at(text: str, seconds: float = 0) -> None:
        moment = utc(text) + timedelta(seconds=seconds)
        monkeypatch.setattr(clock, "now", lambda: moment)
        todo_lists.kept.clear()

    return at


@pytest.fixture(params=NIGHTS, ids=lambda one: f"{one.zone}-{one.day}")
def night(request: pytest.FixtureRequest, show: Any, settings: Any) -> Night:
    """The table is open since the evening before, its decks are shown."""
    night: Night = request.param
    settings.HOUSE_TIME_ZONE = night.zone
    show(night.opened)
    house()
    appoint("S-0190", "fiscal_de_banca")
    write(opening(), by=PIT, at=clock.now())
    for deck in DECKS:
        write(shown_deck(deck), by=PIT, at=clock.now())
    return night


@pytest.fixture
def pit(night: Night) -> Client:
    return somebody("fiscal_de_banca")


def text_of(client: Client, url: str) -> str:
    answer = client.get(url)
    assert answer.status_code == 200, url
    return str(answer.content.decode())


def test_duty_that_began_before_the_change_is_shown_as_the_clocks_showed_it(
    night: Night, pit: Client, show: Any
) -> None:
    show(night.before)
    assert pit.post("/sala/duty/", form_on(pit.get("/sala/duty/"))).status_code == 303
    show(night.after)
    assert f"On duty since {time_of(night.shown)}." in text_of(pit, "/sala/duty/")
    rows = BookEntry.objects.filter(kind="duty-begun/1")
    assert [(row.occurred_at, str(row.gaming_day)) for row in rows] == [
        (utc(night.before), night.day)
    ]


def test_a_hand_over_between_the_two_is_of_the_same_game_and_opens_it_to_the_other(
    night: Night, pit: Client, show: Any
) -> None:
    show(night.before)
    url = f"{AT}hand-over/"
    assert pit.post(url, form_on(pit.get(url)) | {"tapped": "S-0190"}).status_code == 303
    show(night.after)
    assert pit.get(AT).status_code == 403
    other = somebody("fiscal_de_banca", "S-0190")
    assert f"Open since <dd>{time_of(night.shown)}" not in text_of(other, AT)
    over: TableHandedOver = the_event("table-handed-over/1")
    assert over.partida == f"{SHOE_TABLE}/{night.day}/1"


def test_a_complaint_says_when_it_came_and_waits_since_then(
    night: Night, pit: Client, show: Any
) -> None:
    show(night.before)
    assert send(pit, f"{AT}complaint/", subject="other").status_code == 303
    received: ComplaintReceived = the_event("complaint-received/1")
    assert received.received_at == utc(night.before)
    show(night.after)
    head = somebody("fiscal_chefe")
    assert f"since {night.shown}" in text_of(head, "/sala/todo/")
    [waits] = [one for one in todo_lists.everything(clock.now()) if one.of == received.complaint]
    assert waits.until is None or waits.until > utc(night.after)
    page = f"{AT}complaint/{received.complaint}/"
    assert night.shown in text_of(head, page)
    assert night.shown in text_of(pit, f"{page}slip/")
    assert time_of(night.shown) in text_of(pit, f"{AT}summary/")


def test_recordings_of_both_hours_are_kept_for_it(night: Night, pit: Client, show: Any) -> None:
    """Prefilled around the moment it came: the page sends back the very hours that it shows."""
    show(night.after)
    send(pit, f"{AT}complaint/", subject="other")
    value = the_event("complaint-received/1")
    head = somebody("fiscal_chefe")
    answer = send(head, f"{AT}complaint/{value.complaint}/hold/", reason="complaint")
    assert answer.status_code == 303, answer.content.decode()
    kept = the_event("footage-held/1")
    came = utc(night.after)
    assert (kept.recorded_from, kept.recorded_until) == (came - timedelta(minutes=5), came)


def test_a_withdrawal_tells_the_moment_of_the_record_and_how_late(
    night: Night, pit: Client, show: Any
) -> None:
    show(night.before)
    send(pit, f"{AT}interrupt/", reason="no_players", do="interrupt")
    entry = BookEntry.objects.get(kind="play-interrupted/1")
    show(night.after)
    url = f"/sala/entry/{entry.pk}/withdraw/"
    assert f"{night.shown}:00 · {PIT.staff}" in text_of(pit, url)
    assert f"Since {time_of(night.shown)}." in text_of(pit, f"{AT}interrupt/")
    assert send(pit, url, reason="tapped_by_mistake").status_code == 303
    [asked] = BookEntry.objects.filter(kind="withdrawal-asked/1")
    assert asked.occurred_at - entry.occurred_at == timedelta(hours=1)


def test_what_is_held_over_the_change_is_held_five_seconds(
    night: Night, pit: Client, show: Any, settings: Any
) -> None:
    settings.SALA_HOLD_SECONDS = 5
    show(night.before, 30 * 60 - 2)  # 00:59:58 UTC
    sent = send(pit, f"{AT}cut/?seats=1+2")
    assert sent.status_code == 303, sent.content.decode()
    show(night.before, 30 * 60 + 1)
    [row] = HeldRecord.objects.all()
    assert holding.seconds_left(row) == 2
    assert 'data-held="2"' in text_of(pit, sent["Location"])
    show(night.before, 30 * 60 + 3)
    assert "Recorded at" in text_of(pit, sent["Location"])
    entry = BookEntry.objects.get(kind="cut-made/1")
    assert entry.occurred_at == utc(night.before) + timedelta(minutes=29, seconds=58)
    assert str(entry.gaming_day) == night.day


def close(client: Client, url: str, **values: str) -> PartidaClosed:
    answer = send(client, url, attest="all", **values)
    if answer.status_code == 200:
        answer = over_it(client, url, answer)
    assert answer.status_code == 303, answer.content.decode()
    closed: PartidaClosed = the_event("partida-closed/1")
    return closed


def test_a_closing_announced_before_the_change_keeps_the_moment_of_the_tap(
    night: Night, pit: Client, show: Any
) -> None:
    show(night.before)
    tapped = pit.get(f"{AT}close/?announced=now")
    show(night.after)
    assert f'value="{time_of(night.shown)}:00"' in text_of(pit, tapped["Location"])
    closed = close(pit, tapped["Location"])
    assert closed.closing_announced_at == utc(night.before)
    assert BookEntry.objects.get(kind="partida-closed/1").occurred_at == utc(night.after)
    page = text_of(pit, f"{AT}summary/")
    assert night.shown_after in page


def test_a_closing_whose_announcement_is_typed_is_the_latest_that_clock_has_shown(
    night: Night, pit: Client, show: Any
) -> None:
    show(night.after, 5 * 60)
    closed = close(pit, f"{AT}close/?confirm=1", announced=time_of(night.shown_after))
    assert closed.closing_announced_at == utc(night.after)


def test_a_lock_of_three_minutes_over_the_change_is_shown_as_the_clocks_will_show_its_end(
    night: Night, pit: Client, show: Any
) -> None:
    show(night.before)
    send(pit, f"{AT}interrupt/", reason="no_players", do="interrupt")
    entry = BookEntry.objects.get(kind="play-interrupted/1")
    url = f"/sala/entry/{entry.pk}/withdraw/"
    send(pit, url, reason="tapped_by_mistake")
    appoint(CAST["fiscal_chefe"], "fiscal_chefe")
    account = Account.objects.create_user(CAST["fiscal_chefe"], PASSWORD)
    set_pin(account, "482915")
    show(night.before, 29 * 60)  # 00:59 UTC
    for _ in range(5):
        values = form_on(pit.get(url)) | {"staff": account.staff, "word": "approved"}
        answer = pit.post(url, values | {"secret": "000000"})
    hour = time_of(night.shown_after).partition(":")[0]  # of 01:02 UTC
    assert f"closed until {hour}:02" in answer.content.decode()
    show(night.before, 32 * 60 + 1)
    values = form_on(pit.get(url)) | {"staff": account.staff, "word": "approved"}
    assert pit.post(url, values | {"secret": "482915"}).status_code == 303
    assert [event.decision for event in events_of("corrected/1")] == ["approved"]
