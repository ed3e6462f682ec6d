"""S9, afterwards: a complaint read, decided, its recordings kept, a slip for the player."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from casino import clock
from casino.events.complaints import ComplaintDecided, ComplaintReceived
from tests.casino.sala_forms import address, checks_warned, errors_on, over_it, send
from tests.factories.people import somebody, write
from tests.factories.recorded import entries, events_of, the_event
from tests.factories.tables import MANAGER, MINUTE, PIT, TABLE, a_table
from tests.stages import recorded_once

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("english", "complaint"),
    pytest.mark.share,
]
WORDS = "O Sr. Prudêncio diz que lhe pagaram menos"
DECIDED: dict[str, Any] = {"outcome": "upheld", "reason": "payment-corrected", "informed": "yes"}


@recorded_once
def complaint() -> None:
    values: dict[str, Any] = {"subject": "payment", "box": 4, "amount_cents": 1250, "text": WORDS}
    partida = a_table("shoe")
    write(ComplaintReceived(table=TABLE, partida=partida, complaint="RC-7", **values), by=PIT)


@recorded_once
def chefe() -> Client:
    return somebody("fiscal_chefe")


def page(screen: str) -> str:
    return address(screen, TABLE, "RC-7")


def test_a_complaint_is_decided_with_a_coded_reason_and_who_was_told(chefe: Client) -> None:
    """PT art. 61: every complaint is answered."""
    answer = send(chefe, page("complaint_decide"), **DECIDED, paid_cents="12,50")
    assert answer.status_code == 303
    value = the_event("complaint-decided/1")
    assert (value.complaint, value.outcome, value.reason) == ("RC-7", "upheld", "payment-corrected")
    assert (value.paid_cents, value.told_of_inspector) == (1250, None)
    assert clock.now() - value.told_at < MINUTE
    text = chefe.get(answer["Location"]).content.decode()
    assert "Decided at" in text
    assert "payment corrected" in text


@pytest.mark.parametrize(
    ("left_out", "field"), [("outcome", "outcome"), ("reason", "reason"), ("informed", "informed")]
)
def test_what_is_left_out_of_a_decision_is_asked(chefe: Client, left_out: str, field: str) -> None:
    before = entries()
    values = {name: value for name, value in DECIDED.items() if name != left_out}
    assert field in errors_on(send(chefe, page("complaint_decide"), **values))
    assert entries() == before


def test_a_correction_paid_on_what_was_not_upheld_is_warned_of_and_recorded_with_a_reason(
    chefe: Client,
) -> None:
    url = page("complaint_decide")
    answer = send(
        chefe,
        url,
        **DECIDED | {"outcome": "not_upheld", "reason": "payment-corrected"},
        paid_cents="100,00",
    )
    assert checks_warned(answer) == ["complaint_paid_as_decided"]
    assert "led to a payment of €100.00, more than the €12.50 claimed" in answer.content.decode()
    assert events_of("complaint-decided/1") == []
    assert over_it(chefe, url, answer).status_code == 303
    assert [one.check for one in the_event("complaint-decided/1").despite] == [
        "complaint_paid_as_decided"
    ]


def test_a_player_not_told_yet_is_told_so(chefe: Client) -> None:
    send(chefe, page("complaint_decide"), **DECIDED | {"informed": "no"})
    assert the_event("complaint-decided/1").told_at is None


def test_recordings_are_kept_from_there_and_end_no_earlier_than_they_begin(chefe: Client) -> None:
    """Lei do Jogo art. 52: recordings are destroyed after thirty days."""
    url = page("complaint_hold")
    backwards = send(chefe, url, recorded_until="2026-01-01T20:00:00")
    assert errors_on(backwards)
    assert events_of("footage-held/1") == []
    assert send(chefe, url, cameras="CAM-12 CAM-13").status_code == 303
    held = the_event("footage-held/1")
    assert (held.complaint, held.reason, held.cameras) == (
        "RC-7",
        "complaint",
        ("CAM-12", "CAM-13"),
    )
    assert held.recorded_from < held.recorded_until <= clock.now(), "nothing is kept of the future"


def test_a_slip_holds_no_name_and_nothing_that_was_said(chefe: Client) -> None:
    slip = chefe.get(page("complaint_slip")).content.decode()
    for shown in ("RC-7", TABLE, "12.50"):
        assert shown in slip
    assert "Prudêncio" not in slip
    send(chefe, page("complaint_decide"), **DECIDED)
    assert "Upheld" in chefe.get(page("complaint_slip")).content.decode()


def test_what_was_said_is_read_by_those_who_may(chefe: Client) -> None:
    assert WORDS in chefe.get(page("complaint_read")).content.decode()
    stranger = somebody("fiscal_de_banca", "S-0300")
    assert stranger.get(page("complaint_read")).status_code == 403
    assert chefe.get(address("complaint_read", TABLE, "RC-8")).status_code == 404


def test_who_signs_its_letters_is_led_to_them(chefe: Client) -> None:
    assert "/audit/letters/complaint_receipt/" in chefe.get(page("complaint_read")).text
    assert "complaint_answer" not in chefe.get(page("complaint_read")).text, "nothing is decided"
    send(chefe, page("complaint_decide"), **DECIDED)
    assert "/audit/letters/complaint_answer/" in chefe.get(page("complaint_read")).text
    for office in ("fiscal_de_banca", "inspetor"):
        assert "/audit/letters/" not in somebody(office).get(page("complaint_read")).text, office


def test_the_tables_page_leads_to_it(chefe: Client) -> None:
    assert f'href="{page("complaint_read")}"' in chefe.get(address("table")).content.decode()


def test_the_admin_offers_the_reasons_and_keeps_one_told_before_there_was_a_list() -> None:
    manager = somebody("chefia_da_sala")
    form = manager.get(reverse("admin:casino_complaintdecision_add")).content.decode()
    assert '<option value="payment-corrected">Payment corrected</option>' in form
    decided = ComplaintDecided(complaint="RC-7", outcome="upheld", reason="house-rule")
    receipt = write(decided, by=MANAGER)
    url = reverse("admin:casino_complaintdecision_correct", args=[receipt.entry_id])
    assert '<option value="house-rule" selected>' in manager.get(url).content.decode()
