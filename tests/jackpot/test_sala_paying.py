"""S11, the payment: order and amounts are the book's. Law: PT art. 43, 44, 49, 50, 58, 59."""

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from casino import clock
from casino.events.complaints import ComplaintReceived
from casino.events.round.round_played import Times
from casino.models import Account, Attestation, BookEntry, PrivateValue
from casino.witnessing import set_pin
from jackpot.events import JackpotAdjusted, JackpotStarted
from tests.casino.sala_forms import checks_warned, errors_on, form_on
from tests.factories.floor import PIT, SHOE_TABLE, ago, game, house
from tests.factories.people import somebody, write
from tests.factories.pools import ACE_JACK, POOL, SEVENS, START_CENTS, TOP, ref, start
from tests.factories.recorded import entries, events_of, the_event
from tests.jackpot.sala_pools import (
    MANAGER,
    a_pool,
    a_win,
    at_box,
    colleague,
    collected,
    hit_at,
    on,
    open_table,
    over,
    payments,
    played,
    running,
    tap,
)
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
KIND = "jackpot-paid/1"
WITNESS = "S-0021"


@recorded_once
def pit() -> Client:
    return somebody("fiscal_de_banca")


@recorded_once
def running_pool() -> None:
    """The house, a pool that runs, a table open with it."""
    a_pool()


def confirm(client: Client, url: str, **typed: str) -> Any:
    """Fill in, read again where that is asked, confirm."""
    answer = client.post(url, on(client, url, **({"means": "cash"} | typed)))
    if answer.status_code == 200 and "Check before paying" in answer.content.decode():
        answer = client.post(url, form_on(answer))
    return answer


def the_last() -> Any:
    """The payment recorded last."""
    return events_of(KIND)[-1]


@pytest.mark.usefixtures("running_pool")
def test_a_fixed_prize_is_paid_with_one_tap_and_goes_to_its_witness(pit: Client) -> None:
    hit = a_win((2, ACE_JACK))
    page = pit.get(hit_at(hit.n)).content.decode()
    assert "I confirm the payment of €50.00" in page
    answer = tap(pit, hit_at(hit.n))
    assert answer.status_code == 303, errors_on(answer)
    event = the_event(KIND)
    assert (event.owner, event.box, event.code, event.paid_cents) == ("J2", 2, ACE_JACK, 5_000)
    assert (event.step, event.means, event.document) == (1, "cash", None)
    assert clock.now() - event.paid_at < clock.now() - ago(1)
    entry = BookEntry.objects.get(kind=KIND)
    assert answer["Location"].startswith(reverse("sala:witness", args=[entry.pk]))
    assert running() == (START_CENTS - 5_000) * 1_000_000


@pytest.mark.usefixtures("running_pool")
def test_the_smallest_comes_first_and_the_rest_is_shared_by_the_highest(pit: Client) -> None:
    hit = a_win((5, TOP), (3, SEVENS), (2, TOP), (1, ACE_JACK))
    page = pit.get(hit_at(hit.n))
    lines = page.context["lines"]
    assert [(one.order, one.seat, one.amount) for one in lines] == [
        (1, 1, "€50.00"),
        (2, 3, "€2,500.00"),
        (3, 2, "€11,225.00"),
        (4, 5, "€11,225.00"),
    ]
    assert [one.how for one in lines] == [
        "fixed prize",
        "10 % of €25,000.00",
        "€22,450.00 left ÷ 2",
        "€22,450.00 left ÷ 2",
    ]
    text = page.content.decode()
    assert "Smallest prize first" in text
    assert text.index("Seat 1") < text.index("Seat 3") < text.index("Seat 2") < text.index("Seat 5")


def test_an_odd_cent_goes_to_the_lowest_seat_and_the_page_says_so(pit: Client) -> None:
    a_pool(start_cents=2_500_001)
    write(JackpotStarted(jackpot="JP-2", start_cents=1, reason="first"), by=MANAGER)
    house_of_odd = a_win((5, TOP), (2, TOP), (3, ACE_JACK))
    page = pit.get(hit_at(house_of_odd.n))
    assert [one.amount for one in page.context["lines"]] == ["€50.00", "€12,475.00", "€12,475.00"]
    assert "odd cent" not in page.content.decode()
    for n in (2, 5, 3):  # all are paid, the meter starts again with a cent too many
        assert confirm(pit, hit_at(house_of_odd.n)).status_code == 303, n
    write(
        JackpotStarted(
            jackpot=POOL, start_cents=2_500_001, reason="after_full_payout", hit=ref(house_of_odd)
        ),
        by=MANAGER,
        at=ago(1),
    )
    again = a_win((5, TOP), (2, TOP))
    page = pit.get(hit_at(again.n))
    assert [one.amount for one in page.context["lines"]] == ["€12,500.01", "€12,500.00"]
    assert [one.seat for one in page.context["lines"]] == [2, 5]
    assert "An odd cent goes to the lowest seat" in page.content.decode()


@pytest.mark.usefixtures("running_pool")
def test_what_was_typed_is_read_again_before_it_is_confirmed(pit: Client) -> None:
    hit = a_win((2, ACE_JACK))
    typed = {"document": "REC-0041", "name": "Ana Silva", "identification": "CC 12345678"}
    before = entries()
    answer = tap(pit, hit_at(hit.n), **typed)
    text = answer.content.decode()
    assert "Check before paying" in text
    assert all(word in text for word in typed.values())
    assert entries() == before
    assert pit.post(hit_at(hit.n), form_on(answer)).status_code == 303
    event = the_event(KIND)
    assert event.document == "REC-0041"
    entry = BookEntry.objects.get(kind=KIND)
    assert b"Ana Silva" not in bytes(entry.entry)
    assert b"12345678" not in bytes(entry.entry)
    rows = PrivateValue.objects.filter(entry_id=entry.pk).values_list("field", "value")
    assert dict(rows) == {"name": "Ana Silva", "identification": "CC 12345678"}


@pytest.mark.usefixtures("running_pool")
def test_a_payment_that_empties_the_meter_is_read_again_too(pit: Client) -> None:
    hit = a_win((2, TOP))
    answer = tap(pit, hit_at(hit.n), means="cash")
    assert "Check before paying" in answer.content.decode()
    assert "The winner is not identified, as whoever is paid €2,000.00" in answer.content.decode()
    assert payments() == []


@pytest.mark.usefixtures("running_pool")
def test_the_fraction_of_a_cent_stays_on_the_meter_and_is_shown(pit: Client) -> None:
    collected(2, 5)
    hit = a_win((2, TOP))
    page = pit.get(hit_at(hit.n)).content.decode()
    assert "€25,000.12" in page
    assert "(0,005 €)" in page
    assert confirm(pit, hit_at(hit.n)).status_code == 303
    assert running() == 500_000


@pytest.mark.usefixtures("running_pool")
def test_after_a_full_payout_it_says_what_has_to_be_put_in_and_by_whom(pit: Client) -> None:
    hit = a_win((2, TOP))
    assert confirm(pit, hit_at(hit.n)).status_code == 303
    text = pit.get(hit_at(hit.n)).content.decode()
    assert "The meter is empty: the chefia da sala has to start it again (n.º\u00a044)" in text
    assert "€25,000.00; at least 10,000 × €2.50 = €25,000.00" in text
    assert "jackpotstart/add" not in text
    manager = somebody("chefia_da_sala").get(hit_at(hit.n)).content.decode()
    assert "jackpotstart/add" in manager
    again = JackpotStarted(
        jackpot=POOL, start_cents=START_CENTS, reason="after_full_payout", hit=ref(hit)
    )
    write(again, by=MANAGER, at=clock.now())
    text = pit.get(hit_at(hit.n)).content.decode()
    assert "The meter was started again at" in text
    assert "has to start it again" not in text


@pytest.mark.usefixtures("running_pool")
def test_the_same_prize_told_again_is_refused_in_words(pit: Client) -> None:
    hit = a_win((2, ACE_JACK), (3, ACE_JACK))
    mine = on(pit, hit_at(hit.n))
    assert tap(colleague(), hit_at(hit.n)).status_code == 303
    answer = pit.post(hit_at(hit.n), mine)
    assert "J2 was paid this prize already" in errors_on(answer)[""]
    assert form_on(answer) == {}
    assert "Pay the next winner" in answer.content.decode()
    assert len(payments()) == 1
    assert form_on(pit.get(hit_at(hit.n)))["winner"] == "J3/3"


@pytest.mark.usefixtures("running_pool")
def test_a_double_tap_and_the_back_button_pay_once(pit: Client) -> None:
    hit = a_win((2, ACE_JACK), (3, ACE_JACK))
    form = on(pit, hit_at(hit.n))
    answers = [pit.post(hit_at(hit.n), form) for _ in range(3)]
    assert [one.status_code for one in answers] == [303] * 3
    assert len({one["Location"].partition("?")[0] for one in answers}) == 1
    assert len(payments()) == 1


@pytest.mark.usefixtures("running_pool")
def test_an_expired_session_asks_who_pays_and_pays_nothing(pit: Client) -> None:
    hit = a_win((2, ACE_JACK))
    form = on(pit, hit_at(hit.n), name="Ana Silva")
    pit.logout()
    answer = pit.post(hit_at(hit.n), form)
    assert answer.status_code == 403
    assert 'type="password"' in answer.content.decode()
    assert payments() == []


@pytest.mark.usefixtures("running_pool")
def test_out_of_turn_is_warned_of_and_recorded_over(pit: Client) -> None:
    hit = a_win((3, SEVENS), (2, ACE_JACK))
    later = f"{hit_at(hit.n)}?step=2"
    assert later in pit.get(hit_at(hit.n)).content.decode()
    assert "Out of turn" not in pit.get(hit_at(hit.n)).content.decode()
    assert "Out of turn" in pit.get(later).content.decode()
    assert "Out of turn" in tap(pit, later, means="cash").content.decode()
    assert confirm(pit, later).status_code == 303
    assert [one.owner for one in payments()] == ["J3"]
    answer = tap(pit, hit_at(hit.n))
    assert checks_warned(answer) == ["jackpot_smallest_prize_first"]
    assert over(pit, hit_at(hit.n), answer).status_code == 303
    assert the_last().despite[0].check == "jackpot_smallest_prize_first"


@pytest.mark.usefixtures("running_pool")
def test_cards_collected_before_the_payment_are_shown_and_warned_of(pit: Client) -> None:
    times = Times(stakes_closed=ago(9), first_card=ago(8), collected=ago(5), inserted=ago(4))
    uuid = played(14, at_box(2, "J2"), times=times)
    hit = a_win((2, ACE_JACK), round=uuid, shoe=1, number=14)
    text = pit.get(hit_at(hit.n)).content.decode()
    assert "Its cards were collected at" in text
    assert "Its cards went back at" in text
    answer = tap(pit, hit_at(hit.n))
    assert "jackpot_cards_stay_open_until_paid" in checks_warned(answer)


@pytest.mark.usefixtures("running_pool")
def test_a_dispute_about_the_round_is_shown(pit: Client) -> None:
    uuid = played(14, at_box(2, "J2"))
    hit = a_win((2, ACE_JACK), round=uuid, shoe=1, number=14)
    assert "is in dispute" not in pit.get(hit_at(hit.n)).content.decode()
    complaint = ComplaintReceived(
        **game(SHOE_TABLE), complaint="RC-7", subject="payment", round=uuid, received_at=ago(1)
    )
    write(complaint, by=PIT, at=ago(1))
    assert "The round is in dispute (RC-7)" in pit.get(hit_at(hit.n)).content.decode()


def test_a_win_without_terms_has_no_amount_and_no_button(pit: Client) -> None:
    house()
    start()
    open_table()
    hit = a_win((2, ACE_JACK))
    page = pit.get(hit_at(hit.n))
    assert "what it comes to cannot be worked out" in page.content.decode()
    assert form_on(page) == {}
    sent = {"key": "6f9d5a52-95e5-4dd4-9a3c-0d6f4f0d9a11", "winner": "J2/2", "who": PIT.staff}
    assert errors_on(pit.post(hit_at(hit.n), sent))
    assert payments() == []


@pytest.mark.usefixtures("running_pool")
def test_a_win_that_was_withdrawn_is_not_paid(pit: Client) -> None:
    hit = a_win((2, ACE_JACK))
    form = on(pit, hit_at(hit.n))
    undone = JackpotAdjusted(jackpot=POOL, microcents=0, reason="win_withdrawn", hit=ref(hit))
    write(undone, by=MANAGER, at=clock.now())
    page = pit.get(hit_at(hit.n))
    assert "This win was withdrawn" in page.content.decode()
    assert form_on(page) == {}
    assert "Nobody is to be paid here" in errors_on(pit.post(hit_at(hit.n), form))[""]
    assert payments() == []


@pytest.mark.usefixtures("running_pool")
def test_the_second_person_confirms_and_goes_back_to_the_win(pit: Client) -> None:
    hit = a_win((2, ACE_JACK))
    place = tap(pit, hit_at(hit.n))["Location"].partition("?")[0]
    page = pit.get(place)
    assert "I was present when the jackpot JP-1 was paid." in page.content.decode()
    assert (
        "A jackpot payment waits for its witness"
        in pit.get(f"/sala/{SHOE_TABLE}/").content.decode()
    )
    somebody("fiscal_chefe")
    set_pin(Account.objects.get(staff=WITNESS), "482915")
    answer = pit.post(place, form_on(page) | {"staff": WITNESS, "secret": "482915"})
    assert answer.status_code == 303
    assert Attestation.objects.get().act == KIND
    done = pit.get(answer["Location"]).content.decode()
    assert f'href="{hit_at(hit.n)}"' in done
    assert "waits for its witness" not in pit.get(f"/sala/{SHOE_TABLE}/").content.decode()


@pytest.mark.usefixtures("running_pool")
def test_a_person_is_no_second_person_for_himself(pit: Client) -> None:
    hit = a_win((2, ACE_JACK))
    place = tap(pit, hit_at(hit.n))["Location"].partition("?")[0]
    set_pin(Account.objects.get(staff=PIT.staff), "482915")
    form = form_on(pit.get(place)) | {"staff": PIT.staff, "secret": "482915"}
    assert errors_on(pit.post(place, form))
    assert not Attestation.objects.exists()


@pytest.mark.usefixtures("running_pool")
def test_the_manager_who_approved_is_named(pit: Client) -> None:
    hit = a_win((2, TOP))
    assert confirm(pit, hit_at(hit.n), approved_by="S-0003", means="cheque").status_code == 303
    assert (the_event(KIND).approved_by, the_event(KIND).means) == ("S-0003", "cheque")


@pytest.mark.usefixtures("running_pool")
def test_who_does_not_pay_reads_and_finds_no_button() -> None:
    hit = a_win((2, ACE_JACK))
    for office in ("fiscal_chefe", "chefia_da_sala"):
        page = somebody(office).get(hit_at(hit.n))
        assert page.status_code == 200
        assert form_on(page) == {}
    for office in ("inspetor", "auditor", "administrador"):
        assert somebody(office).get(hit_at(hit.n)).status_code == 403


@pytest.mark.usefixtures("running_pool")
def test_a_head_inspector_who_sends_it_all_the_same_is_told_who_pays(pit: Client) -> None:
    hit = a_win((2, ACE_JACK))
    form = on(pit, hit_at(hit.n)) | {"who": WITNESS}
    answer = somebody("fiscal_chefe").post(hit_at(hit.n), form)
    assert answer.status_code == 403
    assert payments() == []


@pytest.mark.usefixtures("running_pool")
@pytest.mark.parametrize("hit", [0, 1, 999, 10**30])
def test_what_is_no_win_is_no_page(pit: Client, hit: int) -> None:
    assert pit.get(hit_at(hit)).status_code == 404


@pytest.mark.usefixtures("running_pool")
def test_a_win_of_another_table_is_no_page_of_this_one(pit: Client) -> None:
    open_table("BJ-02")
    hit = a_win((2, ACE_JACK), table="BJ-02")
    assert pit.get(hit_at(hit.n)).status_code == 404


@pytest.mark.usefixtures("running_pool")
@pytest.mark.parametrize(
    "recorded", [{"means": "gold"}, {"document": "x" * 5_000}, {"winner": "J9/9"}, {"winner": ""}]
)
def test_what_is_no_payment_is_refused_with_nothing_stored(
    pit: Client, recorded: dict[str, str]
) -> None:
    hit = a_win((2, ACE_JACK))
    before = entries()
    assert errors_on(tap(pit, hit_at(hit.n), **recorded))
    assert entries() == before
    assert events_of(KIND) == []


@pytest.mark.usefixtures("running_pool")
def test_an_amount_that_is_sent_is_nobodys_business(pit: Client) -> None:
    hit = a_win((2, ACE_JACK))
    assert tap(pit, hit_at(hit.n), paid_cents="9999999", amount="9999").status_code == 303
    assert the_event(KIND).paid_cents == 5_000
    assert replace(the_event(KIND)).kind == KIND
