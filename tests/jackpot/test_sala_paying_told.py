"""S11, what its page says of a payment: whose turn, when, and what the second person reads.

Law: PT art. 50.
"""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from casino import clock
from casino.models import BookEntry
from casino.witnessing.texts import EARLIER, digest_of, language_read, text_of
from jackpot.events import JackpotPaid
from jackpot.floor.payout_page import clock_words
from tests.casino.sala_forms import form_on
from tests.factories.floor import SHOE_TABLE
from tests.factories.people import somebody
from tests.factories.pools import ACE_JACK, POOL, TOP
from tests.jackpot.sala_pools import a_pool, a_win, collected, hit_at, payments, tap, wins
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
KIND = JackpotPaid.kind


@recorded_once
def pit() -> Client:
    return somebody("fiscal_de_banca")


@recorded_once
def running_pool(pit: Client) -> None:
    """The house, a pool that runs, a table open with it."""
    a_pool()


@pytest.mark.usefixtures("running_pool")
def test_prizes_that_are_equal_are_paid_in_any_order(pit: Client) -> None:
    hit = a_win((2, ACE_JACK), (3, ACE_JACK))
    later = f"{hit_at(hit.n)}?step=2"
    assert "Out of turn" not in pit.get(later).content.decode()
    assert tap(pit, later).status_code == 303
    assert [one.owner for one in payments()] == ["J3"]


@pytest.mark.usefixtures("running_pool")
def test_of_those_who_share_what_is_left_nobody_is_out_of_turn(pit: Client) -> None:
    collected(2, 5)
    collected(2, 3)
    hit = a_win((2, TOP), (5, TOP), (3, ACE_JACK))
    shares = [one.amount for one in pit.get(hit_at(hit.n)).context["lines"]]
    assert shares == ["€50.00", "€12,475.13", "€12,475.12"]
    assert "Out of turn" in pit.get(f"{hit_at(hit.n)}?step=3").content.decode()
    assert tap(pit, hit_at(hit.n)).status_code == 303
    assert "Out of turn" not in pit.get(f"{hit_at(hit.n)}?step=3").content.decode()
    answer = tap(pit, f"{hit_at(hit.n)}?step=3", means="cash")
    assert "Check before paying" in answer.content.decode()
    assert pit.post(hit_at(hit.n), form_on(answer)).status_code == 303
    assert [one.owner for one in payments()] == ["J3", "J5"]


@pytest.mark.usefixtures("running_pool")
def test_a_button_confirms_nothing_where_the_payment_is_read_again(pit: Client) -> None:
    hit = a_win((2, TOP), (3, TOP))
    text = pit.get(hit_at(hit.n)).content.decode()
    assert "Check the payment of €12,500.00" in text
    assert "I confirm the payment" not in text
    assert "Pay this one now" in text
    check = tap(pit, hit_at(hit.n), name="Ana Silva", means="cash").content.decode()
    assert "I confirm the payment of €12,500.00" in check
    assert "Pay this one now" not in check  # it would drop what was typed


@pytest.mark.usefixtures("running_pool")
def test_of_another_day_the_page_tells_the_day(pit: Client) -> None:
    hit = a_win((2, ACE_JACK))
    row = wins()[0]
    midday = timezone.localtime(row.recorded_at).replace(hour=12, minute=30)
    assert clock_words(midday, midday + timedelta(hours=2)) == f"{midday:12:30:%S}"
    assert clock_words(midday, midday + timedelta(days=1)).endswith(f" {midday:12:30:%S}")
    assert f"{midday:%d}" in clock_words(midday, midday + timedelta(days=1)).split()[0]
    shown = clock_words(row.recorded_at, clock.now())
    assert f"Win recorded at {shown} by" in pit.get(hit_at(hit.n)).content.decode()


@pytest.mark.usefixtures("running_pool")
def test_the_witness_reads_in_what_the_prize_was_paid_and_what_others_read_is_still_known(
    pit: Client,
) -> None:
    hit = a_win((2, ACE_JACK))
    read = tap(pit, hit_at(hit.n), means="cheque", document="CH-7")
    place = pit.post(hit_at(hit.n), form_on(read))["Location"]
    shown = pit.get(place.partition("?")[0]).content.decode()
    assert "Means of payment: cheque · Payment document: CH-7" in shown
    entry = BookEntry.objects.select_related("stream").get(kind=KIND)
    now, before = text_of(entry, "pt"), EARLIER[KIND][0]["pt"]
    assert "Meio de pagamento: cheque" in now
    assert language_read(entry, digest_of(now)) == "pt"
    at = f"{timezone.localtime(entry.occurred_at):%Y-%m-%d %H:%M:%S %z}"
    read = before.format(
        jackpot=POOL,
        table=SHOE_TABLE,
        partida=wins()[0].partida_id,
        box=2,
        owner="J2",
        combination="A♠ J♠",
        amount="50,00 €",
        document="CH-7",
        when=at,
    )
    assert read.endswith(f"Montante: 50,00 € · Documento: CH-7\n{at}")
    assert language_read(entry, digest_of(read)) == "pt"
    assert language_read(entry, digest_of(read + " ")) is None


@pytest.mark.usefixtures("running_pool")
def test_the_document_is_the_payments_and_not_the_winners(pit: Client) -> None:
    hit = a_win((2, ACE_JACK))
    assert ">Document of the payment</label>" in pit.get(hit_at(hit.n)).content.decode()
