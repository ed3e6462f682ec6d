"""What people type becomes an event's value, and what cannot be is said beside its field."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django import forms as django_forms
from django.urls import reverse

from casino import clock
from casino.events.incidents import IncidentReported, Person
from casino.events.partidas import PartidaOpened
from casino.events.shoes import CutMade
from casino.models import BookEntry
from casino.web.forms.event_forms import ASKED, EventForm, form_for, initial_values
from casino.web.forms.form_fields import amount, card_of, cents_of, moment_of
from casino.web.forms.form_widgets import MOST_ROWS, RowsInput
from tests.casino.admin_forms import _sent, filled
from tests.factories.events.every import BARE, FULL
from tests.factories.people import somebody

pytestmark = [pytest.mark.share, pytest.mark.django_db]

# The auditor's runs and a round's record are recorded otherwise than by fields.
OF_FIELDS = sorted(
    kind for kind in FULL if not kind.startswith(("round", "finding", "reconciliation"))
)


@pytest.mark.parametrize(
    ("typed", "cents"),
    [
        ("25", 2_500),
        ("12,5", 1_250),
        ("12.50", 1_250),
        ("1.234", 123_400),
        ("1 234,05", 123_405),
        ("1\u00a0234 €", 123_400),
        ("0", 0),
        ("12.345.678,90", 1_234_567_890),
    ],
)
def test_amounts_are_read_as_people_write_them(typed: str, cents: int) -> None:
    assert cents_of(typed) == cents
    assert cents_of(amount(cents)) == cents


@pytest.mark.parametrize(
    "typed", ["", "-5", "1,234,5", "12,345", "1.23.4", "1e3", "٢٥", "abc", "5,"]
)
def test_what_is_no_amount_is_refused(typed: str) -> None:
    with pytest.raises(django_forms.ValidationError):
        cents_of(typed)


@pytest.mark.parametrize(
    ("typed", "again", "utc"),
    [
        ("2026-11-20T21:15:00", "", datetime(2026, 11, 20, 21, 15, tzinfo=UTC)),
        ("2026-07-01T21:15", "", datetime(2026, 7, 1, 20, 15, tzinfo=UTC)),
        ("2026-10-25T01:30:00", "0", datetime(2026, 10, 25, 0, 30, tzinfo=UTC)),
        ("2026-10-25T01:30:00", "1", datetime(2026, 10, 25, 1, 30, tzinfo=UTC)),
    ],
)
def test_times_are_the_house_s(typed: str, again: str, utc: datetime) -> None:
    assert moment_of(typed, again) == utc


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("2026-10-25T01:30:00", "twice"),  # the clocks were set back
        ("2026-03-29T01:30:00", "never showed"),  # they were set forward
        ("2026-02-30T10:00", "a date and a time"),
        ("soon", "a date and a time"),
        ("0001-01-01T00:00:00+14:00", "a date and a time"),  # before the first there is in UTC
        ("9999-12-31T23:59:59-14:00", "a date and a time"),
    ],
)
def test_a_time_that_is_none_or_two_is_refused(typed: str, said: str) -> None:
    from django.utils.translation import override

    with override("en"), pytest.raises(django_forms.ValidationError, match=said):
        moment_of(typed)


def test_the_night_with_two_of_an_hour_asks_which() -> None:
    event = BARE["incident-reported/1"]
    shown = {}
    for at in ("2026-10-25T01:30:00", "2026-10-25T02:30:00"):
        form = EventForm(IncidentReported, filled(event, occurred_at=at), key=uuid4())
        assert form.is_valid() is (at == "2026-10-25T02:30:00")
        shown[at] = "occurred_at-again" in str(form["occurred_at"])
    assert shown == {"2026-10-25T01:30:00": True, "2026-10-25T02:30:00": False}


def test_cards_are_read_as_people_write_them() -> None:
    assert [card_of(text) for text in ("10h", "as", "X?", "TD")] == ["TH", "AS", "X?", "TD"]


@pytest.mark.parametrize("kind", OF_FIELDS)
@pytest.mark.parametrize("events", [FULL, BARE], ids=["full", "bare"])
def test_a_form_gives_back_the_fact_it_was_filled_with(kind: str, events: dict[str, Any]) -> None:
    """Every shape a field may have, both ways, without a database."""
    event = events[kind]
    made = form_for(type(event))
    empty = made(type(event), key=uuid4(), values=initial_values(event))
    sent = dict(_sent(empty)) | {"key": str(uuid4()), "occurred_at": "2026-11-20T21:15:00"}
    form = made(type(event), sent, key=uuid4())
    unrecorded = {name for name in ASKED.get(kind, {}) if getattr(event, name) is None}
    if unrecorded and getattr(event, "moment", "exhibition") == "exhibition":
        assert set(form.errors) == unrecorded  # the event may leave it out, a form asks for it
        return
    assert form.is_valid(), form.errors
    assert form.event(getattr(event, "despite", ())) == event


def test_article_2_a_table_is_registered_with_its_shape_its_marks_and_its_numbering() -> None:
    table = FULL["table-registered/1"]
    assert refused(table, boxes_marked="") == {
        "boxes_marked": ["Say this: without it article 2 stays undecided."]
    }
    whole = EventForm(type(table), filled(table, boxes_marked="yes"), key=uuid4())
    assert whole.is_valid()
    old = EventForm(type(table), filled(table), key=uuid4(), correcting=True)
    assert set(old.errors) == {"correction_reason"}


def test_article_7_an_exhibition_is_told_with_who_showed_the_deck_and_how() -> None:
    deck = FULL["deck-inspected/1"]
    left_out = {"spread_in_rows": "", "pagador": "", "jokers": ""}
    errors = refused(deck, moment="exhibition", **left_out)
    words = "Say this: without it article {} stays undecided."
    assert errors == {
        "spread_in_rows": [words.format(7)],
        "pagador": [words.format(7)],
        "jokers": [words.format(3)],
    }
    received = EventForm(type(deck), filled(deck, moment="received", **left_out), key=uuid4())
    assert received.is_valid()


def refused(event: Any, **changed: str) -> dict[str, list[str]]:
    from django.utils.translation import override

    with override("en"):
        form = form_for(type(event))(type(event), filled(event, **changed), key=uuid4())
        assert not form.is_valid()
        return {name: list(errors) for name, errors in form.errors.items()}


def test_every_wrong_field_is_said_at_once() -> None:
    cut = FULL["cut-made/1"]
    assert isinstance(cut, CutMade)
    errors = refused(cut, shoe="0", due_seat="x", partida="", **{"offers-0-seat": "100"})
    assert set(errors) == {"shoe", "due_seat", "partida", "offers"}
    assert errors["shoe"] == ["found 0; asked is a whole number from 1 to 1000000000"]
    assert errors["offers"][0].startswith("Row 1: Seat: found 100;")


@pytest.mark.parametrize(
    ("kind", "changed", "field"),
    [
        ("cut-made/1", {"seats_occupied": "5 2"}, "seats_occupied"),
        ("cut-made/1", {"seat": ""}, "seat"),
        ("partida-opened/1", {"dealing": "shoe"}, "shuffler"),
        ("partida-opened/1", {"limits-maximum_cents": "5"}, "limits"),
        ("partida-opened/1", {"decks-1-deck": "D-0231"}, "decks"),
        ("partida-opened/1", {"table": "BJ-07"}, "partida"),
        ("shuffler-loaded/1", {"ended_at": "2026-11-20T10:00:00"}, "ended_at"),
        ("carta-aviso-placed/1", {"cards_in_shoe": "10"}, "cards_from_end"),
        ("deck-inspected/1", {"missing_cards": "7S 1Z"}, "missing_cards"),
        ("incident-reported/1", {"table": ""}, "table"),
    ],
)
def test_a_contradiction_is_said_beside_its_field(
    kind: str, changed: dict[str, str], field: str
) -> None:
    assert list(refused(FULL[kind], **changed)) == [field]


def test_none_at_all_is_not_the_same_as_unknown() -> None:
    opened = BARE["partida-opened/1"]
    assert isinstance(opened, PartidaOpened)
    for sent, jackpots in (
        ({}, None),
        ({"jackpots-none": "on"}, ()),
        ({"jackpots": "JP-1"}, ("JP-1",)),
    ):
        form = form_for(PartidaOpened)(PartidaOpened, filled(opened, **sent), key=uuid4())
        assert form.is_valid()
        assert form.event().jackpots == jackpots


@pytest.mark.django_db
def test_nothing_malformed_is_stored_and_the_form_stays_filled() -> None:
    client = somebody("fiscal_de_banca")
    sent = filled(FULL["card-burned/1"], cards="21")
    answer = client.post(reverse("admin:casino_burn_add"), sent)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "found 21; asked is a whole number from 0 to 20" in page
    assert 'name="cards" value="21"' in page
    assert sent["key"] in page
    assert not BookEntry.objects.filter(kind="card-burned/1").exists()


@pytest.mark.django_db
def test_what_is_still_to_come_is_refused_beside_the_time() -> None:
    client = somebody("fiscal_de_banca")
    ahead = (clock.now() + timedelta(days=2)).strftime("%Y-%m-%dT%H:%M:%S")
    sent = filled(FULL["card-burned/1"], occurred_at=ahead)
    answer: Any = client.post(reverse("admin:casino_burn_add"), sent)
    if not answer.context["form"].errors:
        reasons = {one.name: "other" for one in answer.context["warned"]}
        answer = client.post(reverse("admin:casino_burn_add"), sent | reasons)
    assert list(answer.context["form"].errors) == ["occurred_at"]
    assert not BookEntry.objects.filter(kind="card-burned/1").exists()


@pytest.mark.django_db
def test_text_of_a_form_is_never_markup() -> None:
    client = somebody("fiscal_de_banca")
    evil = '<img src=x onerror="alert(1)"> {{ request.user.password|add:1 }}{% debug %}'
    sent = filled(FULL["incident-reported/1"], text=evil, reason="<b>")
    page = client.post(reverse("admin:casino_incident_add"), sent).content.decode()
    assert "<img src=x" not in page
    assert "<b>" not in page
    assert "{{ request.user.password|add:1 }}{% debug %}" in page


@pytest.mark.parametrize("typed", ["Joana", "joao.silva", "ANA", "Rui_Costa"])
@pytest.mark.django_db
def test_a_players_name_typed_as_one_word_does_not_enter_the_book(typed: str) -> None:
    value = FULL["complaint-received/1"]
    form = EventForm(type(value), filled(value) | {"player": typed}, key=uuid4())
    assert not form.is_valid()
    assert typed in form.errors["player"][0]
    assert "J5" in form.errors["player"][0]


@pytest.mark.parametrize("typed", ["J5", "J-12", "A", "PL", "Ana2"])
@pytest.mark.django_db
def test_what_a_player_is_called_in_a_game_does(typed: str) -> None:
    value = FULL["complaint-received/1"]
    form = EventForm(type(value), filled(value) | {"player": typed}, key=uuid4())
    assert "player" not in form.errors


@pytest.mark.django_db
def test_a_player_whom_an_incident_concerns_has_no_name_either() -> None:
    reported = IncidentReported(
        incident="IN-1",
        category="conduct",
        reason="quarrel",
        people=(Person(person="JOANA", role="player"),),
    )
    form = EventForm(IncidentReported, filled(reported), key=uuid4())
    assert not form.is_valid()
    assert "JOANA" in form.errors["people"][0]


@pytest.mark.parametrize(
    ("recorded", "rows"), [("2", 2), ("9" * 5000, MOST_ROWS), ("-1", 0), ("²", 0)]
)
def test_a_number_of_rows_beyond_all_reason_is_so_many_and_no_fault(
    recorded: str, rows: int
) -> None:
    shown, _ = RowsInput({}, with_none=False).value_from_datadict({"a-rows": recorded}, {}, "a")
    assert len(shown) == rows
