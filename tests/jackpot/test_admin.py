"""Pools in the admin: typed, confirmed by a second person, paid step by step before a witness.

Law: PT art. 40, 44, 50.
"""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from casino.events import Malformed
from casino.events.event import EntryRef
from casino.models import Attestation
from casino.queries import load_entry
from casino.web.display.fine_amounts import meter, meter_of, percentage, percentage_of
from casino.web.forms.event_forms import form_for
from jackpot.events import JackpotPaid, TermsApproved, TermsConfirmed, TermsLine
from jackpot.models import JackpotPayment, JackpotStart, JackpotTerms, JackpotTermsConfirmation
from tests.casino.admin_forms import filled, over_warnings
from tests.factories.people import PASSWORD, somebody
from tests.factories.pools import (
    ACE_JACK,
    POOL,
    START_CENTS,
    TOP,
    approve,
    opened,
    ref,
    start,
    terms_of,
    won,
)
from tests.factories.recorded import last_entry
from tests.factories.records import HEAD, MANAGER, PIT, recorded
from tests.jackpot.looking import said

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
TERMS = "admin:jackpot_jackpotterms_add"
CONFIRM = "/admin/jackpot/jackpottermsconfirmation/add/"


@pytest.mark.parametrize(
    ("typed", "millionths"),
    [("2,5", 25_000), ("2.5 %", 25_000), ("0", 0), ("100", 1_000_000), ("0,0001", 1)],
)
def test_article_40_a_percentage_is_typed_as_people_write_it(typed: str, millionths: int) -> None:
    assert percentage_of(typed) == millionths
    assert percentage_of(percentage(millionths)) == millionths


@pytest.mark.parametrize("typed", ["-1", "2,50001", "two", "", "1 000", "1e2"])
def test_article_40_what_is_no_percentage_or_finer_than_four_decimals_is_refused(
    typed: str,
) -> None:
    with pytest.raises(Malformed):
        percentage_of(typed)


@pytest.mark.parametrize("amount", [0, 1, -1, 62_500_000, -(10**15), 9_007_199_254_740_991])
def test_a_meter_is_typed_to_its_last_decimal(amount: int) -> None:
    assert meter_of(meter(amount)) == amount
    assert (meter_of("0,0625"), meter_of("-12.5 €")) == (6_250_000, -1_250_000_000)
    with pytest.raises(Malformed):
        meter_of("0,000000001")


@pytest.mark.parametrize("typed", ["101", "100,0001", "-1", "2,50001"])
@pytest.mark.usefixtures("english")
def test_article_40_a_wrong_percentage_is_said_beside_its_field(typed: str) -> None:
    sent = filled(terms_of(), rate_millionths=typed)
    answer = somebody("chefia_da_sala").post(reverse(TERMS), sent)
    assert answer.status_code == 200
    assert list(answer.context["form"].errors) == ["rate_millionths"]
    assert not JackpotTerms.objects.exists()


def test_article_40_terms_nobody_confirmed_do_not_stand_as_in_force() -> None:
    terms = recorded(terms_of(), by=MANAGER)
    page = reverse("admin:jackpot_jackpotterms_change", args=[terms.entry_id])
    head = somebody("fiscal_chefe")
    waiting = said(head.get(page), "What was told")
    assert "to be confirmed" in waiting
    assert "in force" not in waiting
    assert "holds" not in waiting
    anywhere = reverse("admin:casino_bookentry_change", args=[terms.entry_id])
    assert "holds" not in said(head.get(anywhere), "What was told")
    recorded(TermsConfirmed(jackpot=POOL, confirms=ref(terms)), by=HEAD)
    assert f"in force, confirmed by {HEAD.staff}" in said(head.get(page), "What was told")
    recorded(
        TermsConfirmed(jackpot=POOL, confirms=ref(recorded(terms_of(terms="T-2"), by=MANAGER))),
        by=HEAD,
    )
    assert f"confirmed by {HEAD.staff}" in said(head.get(page), "What was told")
    assert "in force" not in said(head.get(page), "What was told")


def test_article_40_whoever_confirms_sees_what_he_confirms() -> None:
    lines = (
        *terms_of().lines,
        TermsLine(code="two_sevens", fixed_cents=1_234),
    )
    terms = recorded(
        terms_of(lines=lines, reserve_millionths=5_000, limit_cents=9_000_000), by=MANAGER
    )
    head = somebody("fiscal_chefe")
    answer = head.get(f"{CONFIRM}?confirms={terms.entry_id}")
    text = said(answer, "<form method")
    for figure in (
        "€2.50",
        "2.5 %",
        "€25,000.00",
        "Despacho 88/2026",
        "Comunicação 12/2026",
        "0.5 %",
        "€90,000.00",
        "Four aces of one suit",
        "Three sevens of one suit 10 %",
        "A♠ J♠ €50.00",
        "Two sevens €12.34",
        "n.º 44 Starting value at least 10,000 times the stake",
    ):
        assert figure in text, figure
    shown = [field.name for group in answer.context["groups"] for field in group["fields"]]
    assert shown == ["occurred_at", "paper"]  # nothing of the terms themselves
    sent = {
        name: value for name, value in named_in(answer).items() if name != "csrfmiddlewaretoken"
    }
    assert head.post(CONFIRM, sent | {"occurred_at": "2026-11-20T21:15:00"}).status_code == 302
    assert JackpotTermsConfirmation.objects.get().terms_n == terms.n


def test_article_40_where_no_terms_are_named_those_that_wait_are_offered() -> None:
    approve()
    terms = recorded(terms_of(terms="T-2"), by=MANAGER)
    page = somebody("fiscal_chefe").get(CONFIRM)
    assert re.findall(r'href="\?confirms=([^"]+)">([^<]+)', page.content.decode()) == [
        (str(terms.entry_id), f"{POOL}, T-2")
    ]


def named_in(answer: Any) -> dict[str, str]:
    """The hidden fields of a page's form."""
    found = re.findall(
        r'<input type="hidden" name="([^"]+)" value="([^"]*)"', answer.content.decode()
    )
    return dict(found)


def test_article_40_terms_are_typed_by_one_and_confirmed_by_another() -> None:
    manager, head = somebody("chefia_da_sala"), somebody("fiscal_chefe")
    assert over_warnings(manager, reverse(TERMS), filled(terms_of())).status_code == 302
    entry = last_entry(TermsApproved.kind)
    page = reverse("admin:jackpot_jackpotterms_change", args=[entry.pk])
    assert "2,5" in percentage(JackpotTerms.objects.get().rate_millionths)
    confirm = reverse("admin:jackpot_jackpottermsconfirmation_add")
    way = f"{confirm}?confirms={entry.pk}"
    assert way in head.get(page).content.decode()
    assert way not in manager.get(page).content.decode()  # he is their author
    assert beginning(head, way)["jackpot"] == POOL
    known = load_entry(entry.pk)
    assert known is not None
    word = TermsConfirmed(jackpot=POOL, confirms=_ref(known))
    assert over_warnings(head, confirm, filled(word)).status_code == 302
    assert JackpotTermsConfirmation.objects.get().staff == HEAD.staff
    assert way not in head.get(page).content.decode()
    again = head.post(confirm, filled(word))
    assert again.status_code == 200
    assert "confirmed already" in again.content.decode()


def _ref(value: Any) -> Any:
    """The entry, named."""
    return EntryRef(stream=value.stream, n=value.n, leaf=value.leaf)


def beginning(client: Client, url: str) -> dict[str, Any]:
    """What a form is filled in with."""
    form = client.get(url).context["form"]
    return {name: form.get_initial_for_field(form.fields[name], name) for name in form.fields}


def test_article_50_a_win_leads_to_its_payments_smallest_first_with_the_amounts_due() -> None:
    approve()
    start()
    opened()
    hit = recorded(won(("J2", 2, TOP), ("J5", 5, ACE_JACK)), by=PIT)
    pit = somebody("fiscal_de_banca")
    page = pit.get(reverse("admin:jackpot_jackpotwin_change", args=[hit.entry_id]))
    url = f"{reverse('admin:jackpot_jackpotpayment_add')}?hit={hit.entry_id}"
    assert url in page.content.decode()
    first = beginning(pit, url)
    assert (first["owner"], first["code"], first["paid_cents"]) == ("J5", ACE_JACK, "50")
    assert (first["step"], first["jackpot"]) == ("1", POOL)
    event = JackpotPaid(
        table="BJ-06",
        partida="BJ-06/2026-11-20/1",
        jackpot=POOL,
        hit=_ref(hit),
        owner="J5",
        box=5,
        code=ACE_JACK,
        paid_cents=5_000,
        step=1,
    )
    answer = over_warnings(pit, url, filled(event))
    paid = JackpotPayment.objects.get()
    assert answer["Location"] == reverse("admin:casino_witness", args=[paid.entry_id])
    second = beginning(pit, url)
    assert (second["owner"], second["paid_cents"]) == ("J2", "24950")
    again = pit.post(url, filled(event))
    assert "was paid this prize already" in over(again)
    assert JackpotPayment.objects.count() == 1


def over(answer: Any) -> str:
    """The page's text, on one line."""
    return re.sub(r"\s+", " ", answer.content.decode())


@pytest.mark.usefixtures("english")
def test_article_43_a_prize_paid_short_leads_to_what_is_missing_of_it() -> None:
    approve()
    start()
    opened()
    hit = recorded(won(("J2", 2, TOP), ("J5", 5, ACE_JACK)), by=PIT)
    pit = somebody("fiscal_de_banca")
    page = reverse("admin:jackpot_jackpotwin_change", args=[hit.entry_id])
    url = f"{reverse('admin:jackpot_jackpotpayment_add')}?hit={hit.entry_id}"

    def paid(cents: int, owner: str = "J5", box: int = 5, code: str = ACE_JACK) -> None:
        recorded(
            JackpotPaid(
                table="BJ-06",
                partida="BJ-06/2026-11-20/1",
                jackpot=POOL,
                hit=_ref(hit),
                owner=owner,
                box=box,
                code=code,
                paid_cents=cents,
            )
        )

    paid(4_000)
    assert "Pay what is missing" in pit.get(page).content.decode()
    rest = beginning(pit, url)
    assert (rest["owner"], rest["paid_cents"], rest["step"]) == ("J5", "10", "1")
    paid(1_000)
    assert "Pay the next winner" in pit.get(page).content.decode()
    assert beginning(pit, url)["owner"] == "J2"
    paid(2_495_000, "J2", 2, TOP)
    assert url not in pit.get(page).content.decode()


def test_article_50_a_payment_is_confirmed_by_a_second_person_with_his_own_secret() -> None:
    hit = recorded(won(("J5", 5, ACE_JACK)), by=PIT)
    paid = recorded(
        JackpotPaid(
            table="BJ-06",
            partida="BJ-06/2026-11-20/1",
            jackpot=POOL,
            hit=_ref(hit),
            owner="J5",
            box=5,
            code=ACE_JACK,
            paid_cents=5_000,
        )
    )
    somebody("fiscal_chefe", HEAD.staff, with_password=True)
    pit = somebody("fiscal_de_banca")
    url = reverse("admin:casino_witness", args=[paid.entry_id])
    page = pit.get(url).content.decode()
    assert "A♠ J♠\nAmount: €50.00" in page
    token = re.search(r'name="token" value="([^"]+)"', page)
    assert token is not None
    pit.post(url, {"staff": HEAD.staff, "secret": PASSWORD, "token": token[1]})
    row = Attestation.objects.get()
    assert (row.witness, row.article, row.stream) == (HEAD.staff, "50", "jackpot/JP-1")


def test_article_44_an_emptied_meter_is_started_again_with_what_the_terms_say() -> None:
    approve()
    start()
    opened()
    hit = recorded(won(("J2", 2, TOP)), by=PIT)
    manager = somebody("chefia_da_sala", MANAGER.staff)
    url = f"{reverse('admin:jackpot_jackpotstart_add')}?hit={hit.entry_id}"
    recorded_there = beginning(manager, url)
    assert recorded_there["reason"] == "after_full_payout"
    assert recorded_there["start_cents"] == str(START_CENTS // 100)
    assert JackpotStart.objects.count() == 1


def test_a_form_that_follows_nothing_is_blank() -> None:
    pit = somebody("fiscal_de_banca")
    for odd in ("", "x", "00000000-0000-4000-8000-000000000000"):
        url = f"{reverse('admin:jackpot_jackpotpayment_add')}?hit={odd}"
        assert pit.get(url).status_code == 200
    assert form_for(JackpotPaid) is not None
