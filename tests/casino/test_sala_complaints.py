"""S9: a complaint in four taps. Nothing on the page ever says that it comes too late by itself."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from casino import clock
from casino.events.round.round_played import RoundPlayed, Times
from casino.models import BookEntry, Complaint
from tests.casino.sala_forms import address, errors_on, fill, form_on, send
from tests.factories.people import somebody, write
from tests.factories.recorded import entries, events_of, the_event
from tests.factories.rounds import a_round, box, main
from tests.factories.tables import MINUTE, PIT, a_load, a_table
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
ROUND = "0193479e-0000-4000-8000-000000000001"


@recorded_once
def pit() -> Client:
    return somebody("fiscal_de_banca")


def a_played_round(partida: str, *, inserted: bool | None) -> None:
    """A round ten minutes ago; its cards went in a minute later, or nobody timed that."""
    at = clock.now() - 10 * MINUTE
    times = Times(
        stakes_closed=at - MINUTE / 4,
        first_card=at,
        inserted=at + MINUTE if inserted else None,
    )
    played: RoundPlayed = replace(
        a_round(box(1, "TS 8D", main(1000, 2000)), shoe=1, number=1, times=times, bank="TH 7C"),
        round=ROUND,
        table=partida.partition("/")[0],
        partida=partida,
    )
    write(played, by=PIT, at=at + MINUTE)


def test_a_complaint_is_recorded_with_its_moment_and_its_slip(pit: Client) -> None:
    partida = a_table()
    answer = send(
        pit,
        address("complaint"),
        subject="payment",
        cards="no",
        box="4",
        amount_cents="12,50",
        sheet="Folha 311",
    )
    assert answer.status_code == 303
    value = the_event("complaint-received/1")
    assert (value.partida, value.subject, value.cards_inserted) == (partida, "payment", False)
    assert (value.box, value.amount_cents, value.sheet) == (4, 1250, "Folha 311")
    assert value.complaint == f"RC-{clock.now().year}-0001"
    assert clock.now() - value.received_at < timedelta(minutes=1)
    assert pit.get(answer["Location"]).status_code == 200


def test_whether_the_cards_were_in_has_no_default_and_is_asked(pit: Client) -> None:
    a_table()
    assert "cards" not in fill(pit, address("complaint"))
    answer = send(pit, address("complaint"), subject="payment")
    assert set(errors_on(answer)) == {"cards"}
    assert events_of("complaint-received/1") == []


@pytest.mark.parametrize(("tapped", "recorded"), [("yes", True), ("no", False), ("unknown", None)])
def test_an_order_nobody_knows_stays_unknown(
    pit: Client, tapped: str, recorded: bool | None
) -> None:
    a_table()
    assert send(pit, address("complaint"), subject="other", cards=tapped).status_code == 303
    assert the_event("complaint-received/1").cards_inserted is recorded


def test_at_a_shoe_the_question_is_not_put(pit: Client) -> None:
    a_table("shoe")
    assert 'name="cards"' not in pit.get(address("complaint")).content.decode()
    assert send(pit, address("complaint"), subject="counting").status_code == 303
    assert the_event("complaint-received/1").cards_inserted is None


@pytest.mark.parametrize(
    ("inserted", "says"),
    [
        (True, "Its cards went in at"),
        (None, "is not known from the record"),
    ],
)
def test_the_window_is_shown_and_nothing_is_turned_away(
    pit: Client, inserted: bool | None, says: str
) -> None:
    partida = a_table()
    a_load(partida)
    a_played_round(partida, inserted=inserted)
    page = pit.get(address("complaint")).content.decode()
    assert says in page
    assert "nadmissible" not in page
    answer = send(pit, address("complaint"), subject="payment", cards="yes", round=ROUND)
    assert answer.status_code == 303
    value = the_event("complaint-received/1")
    assert (value.round, value.shoe, value.number) == (ROUND, 1, 1)


@pytest.mark.parametrize(("tapped", "recorded"), [(ROUND, ROUND), ("", None)])
def test_article_61_the_round_is_a_tap_that_records_and_none_is_chosen_for_anybody(
    pit: Client, tapped: str, recorded: str | None
) -> None:
    a_played_round(a_table(), inserted=None)
    url, sent = address("complaint"), {"subject": "payment", "cards": "no"}
    page = pit.get(url)
    assert "round" not in form_on(page)
    assert f'<button class="tile act" name="round" value="{ROUND}">' in page.content.decode()
    refused = send(pit, url, **sent)  # Enter in a field presses no round
    assert errors_on(refused) == {"round": "Say of which round."}
    assert events_of("complaint-received/1") == []
    assert send(pit, url, **sent, round=tapped).status_code == 303
    assert the_event("complaint-received/1").round == recorded


@pytest.mark.parametrize(
    ("recorded", "field"),
    [
        ({"subject": ""}, "subject"),
        ({"subject": "weather"}, "subject"),
        ({"amount_cents": "a lot"}, "amount_cents"),
        ({"complaint": "R C 1"}, "complaint"),
        ({"complaint": ""}, "complaint"),
        ({"box": "0"}, "box"),
        ({"round": "no uuid"}, "round"),
        ({"when": "other"}, "clock"),
    ],
)
def test_what_is_no_complaint_is_refused_and_stays_filled_in(
    pit: Client, recorded: dict[str, str], field: str
) -> None:
    a_table()
    before = entries()
    sent = {"subject": "payment", "cards": "no", "sheet": "Folha 9", **recorded}
    answer = send(pit, address("complaint"), **sent)
    assert field in errors_on(answer)
    assert form_on(answer)["sheet"] == "Folha 9"
    assert entries() == before


def test_two_tablets_are_never_given_the_same_number(pit: Client) -> None:
    a_table()
    url = address("complaint")
    mine, yours = fill(pit, url), fill(pit, url)
    assert mine["complaint"] == yours["complaint"]
    for sent in (mine, yours | {"seen": ""}):
        values = sent | {"subject": "payment", "cards": "no"}
        assert pit.post(url, values).status_code == 303
    numbers = list(Complaint.objects.order_by("pk").values_list("complaint", flat=True))
    assert numbers == [mine["complaint"], f"{mine['complaint'][:-1]}2"]


def test_a_number_typed_by_hand_that_another_has_is_refused(pit: Client) -> None:
    a_table()
    url = address("complaint")
    number = fill(pit, url)["complaint"]
    assert send(pit, url, subject="payment", cards="no").status_code == 303
    answer = send(pit, url, subject="payment", cards="no", complaint=number)
    assert "complaint" in errors_on(answer)
    assert Complaint.objects.count() == 1


def test_a_double_tap_is_one_complaint(pit: Client) -> None:
    a_table()
    url = address("complaint")
    sent = fill(pit, url, subject="conduct", cards="unknown")
    answers = [pit.post(url, sent) for _ in range(3)]
    assert [one.status_code for one in answers] == [303, 303, 303]
    assert Complaint.objects.count() == 1


def test_the_same_told_at_two_tablets_comes_again_to_the_second(pit: Client) -> None:
    a_table()
    url = address("complaint")
    mine, yours = fill(pit, url), fill(pit, url)
    values: dict[str, Any] = {"subject": "payment", "cards": "no"}
    assert pit.post(url, mine | values).status_code == 303
    again = pit.post(url, yours | values)
    assert again.status_code == 200
    assert "Meanwhile somebody else recorded this here" in again.content.decode()
    assert Complaint.objects.count() == 1


def test_what_the_player_said_is_kept_apart_from_the_book(pit: Client) -> None:
    a_table()
    text = "<script>alert(1)</script> o Sr. Prudêncio"
    answer = send(pit, address("complaint"), subject="other", cards="no", text=text)
    assert answer.status_code == 303
    entry = BookEntry.objects.get(kind="complaint-received/1")
    assert "Prudêncio".encode() not in bytes(entry.entry)
    refused = send(pit, address("complaint"), subject="", cards="no", text=text).content.decode()
    assert "<script>alert(1)</script>" not in refused


@pytest.mark.parametrize("office", ["inspetor", "auditor", "administrador"])
def test_who_does_not_work_on_the_floor_records_none(office: str) -> None:
    a_table()
    assert somebody(office).get(address("complaint")).status_code == 403
