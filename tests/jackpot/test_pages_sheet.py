"""The sheet of a payout: order, arithmetic, who was paid before whom, what is still open.

Law: PT art. 43, 49, 50.
"""

from typing import Any

import pytest
from django.urls import reverse

from casino.events.witnessing import Witnessed
from jackpot.events import JackpotAdjusted, TermsLine
from tests.factories.pools import (
    ACE_JACK,
    POOL,
    SEVENS,
    TOP,
    approve,
    increment,
    opened,
    paid,
    ref,
    start,
    won,
)
from tests.factories.records import HEAD, MANAGER, PARTIDA, recorded, soon
from tests.jackpot import looking
from tests.jackpot.looking import looks
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]


@recorded_once
def pool() -> None:
    """A pool marked by hand, started, with a fraction of a cent on its meter."""
    approve()
    start()
    opened()
    recorded(increment((1, "J1", 3), chip_cents=250))


def said(hit: Any, office: str = "inspetor") -> str:
    """What the sheet says, without its marks, in single spaces."""
    sheet = reverse("jackpot-payout", args=[hit.entry_id])
    return looking.said(looks(office).get(sheet), '<article class="sheet"', "</article>")


@pytest.mark.usefixtures("pool")
def test_article_50_the_order_and_every_step_of_the_reckoning_are_printed() -> None:
    hit = recorded(won(("J1", 1, TOP), ("J3", 3, SEVENS), ("J5", 5, ACE_JACK), ("J6", 6, TOP)))
    sheet = said(hit)
    places = [sheet.index(f"{n} {who} box") for n, who in enumerate(("J5", "J3", "J1", "J6"), 1)]
    assert places == sorted(places)
    for words in (
        "fixed by the approved table: €50.00",
        "10 % of €25,000.1875 = €2,500.01875",
        "in whole cents: €2,500.01",
        "left on the meter: €22,450.1775, in whole cents €22,450.17",
        "€22,450.17 : 2 = €11,225.08 each, €0.01 over",
        "and one of the odd cents: €11,225.09",
        "€0.0075 of it is less than a cent",
    ):
        assert words in sheet, words
    assert "In all €25,000.18" in sheet


@pytest.mark.usefixtures("pool")
def test_article_49_the_cards_stay_open_until_the_winner_is_paid() -> None:
    hit = recorded(won(("J5", 5, ACE_JACK), ("J3", 3, SEVENS)))
    assert said(hit).count("Not paid yet: the cards stay open.") == 2
    recorded(paid(hit, "J5", 5, ACE_JACK, 5_000, means="cash", identification="11223344"))
    sheet = said(hit)
    assert sheet.count("Not paid yet: the cards stay open.") == 1
    assert "winner identified" in sheet
    assert "11223344" not in sheet
    assert "Nobody has confirmed it yet." in sheet
    assert "1 not paid" in sheet


@pytest.mark.usefixtures("pool")
def test_article_50_who_witnessed_stands_beside_the_payment() -> None:
    hit = recorded(won(("J5", 5, ACE_JACK)))
    act = recorded(paid(hit, "J5", 5, ACE_JACK, 5_000))
    word = Witnessed(
        table="BJ-06",
        partida=PARTIDA,
        witnessed=ref(act),
        act="jackpot-paid/1",
        staff=HEAD.staff,
        office=HEAD.office,
        method="pin",
        nonce="c0ffee00-0000-4000-8000-000000000001",
        expires_at=soon(),
        text_sha256="a" * 64,
    )
    recorded(word, by=HEAD)
    sheet = said(hit)
    assert f"Witnessed by {HEAD.staff}" in sheet
    assert "All paid" in sheet


@pytest.mark.usefixtures("pool")
def test_article_50_too_little_too_much_and_twice_are_seen() -> None:
    hit = recorded(won(("J5", 5, ACE_JACK)))
    recorded(paid(hit, "J5", 5, ACE_JACK, 4_000))
    assert "-€10.00 against what is due" in said(hit)
    recorded(paid(hit, "J5", 5, ACE_JACK, 5_000, again=True))
    recorded(paid(hit, "J9", 2, ACE_JACK, 5_000))
    sheet = said(hit)
    assert "paid a second time" in sheet
    assert "Paid to whom nothing is due" in sheet


@pytest.mark.usefixtures("pool")
def test_article_43_what_is_missing_is_seen_until_it_was_paid_too() -> None:
    hit = recorded(won(("J5", 5, ACE_JACK), ("J3", 3, SEVENS)))
    recorded(paid(hit, "J5", 5, ACE_JACK, 4_000))
    recorded(paid(hit, "J3", 3, SEVENS, 250_001))
    sheet = said(hit)
    assert "€10.00 still owed" in sheet
    assert "1 paid short" in sheet
    assert "All paid" not in sheet
    recorded(paid(hit, "J5", 5, ACE_JACK, 1_000))
    sheet = said(hit)
    assert sheet.count("against what is due") == 1  # of the first, and not of the rest
    assert "still owed" not in sheet
    assert "All paid" in sheet


@pytest.mark.usefixtures("pool")
def test_article_44_an_emptied_meter_asks_for_its_start() -> None:
    hit = recorded(won(("J5", 5, TOP)))
    assert "to be put in again (44)" in said(hit)
    start(reason="after_full_payout", hit=ref(hit))
    assert "Started again with €25,000.00" in said(hit)


@pytest.mark.usefixtures("pool")
def test_a_share_that_is_no_whole_microcent_is_not_rounded_unseen() -> None:
    third = TermsLine(code=SEVENS, share_millionths=333_333)
    top = TermsLine(code=TOP, share_millionths=1_000_000)
    approve(terms="T-2", lines=(top, third))
    sheet = said(recorded(won(("J3", 3, SEVENS))))
    assert "33.3333 % of" in sheet
    assert "…" in sheet


def test_without_terms_nothing_can_be_reckoned() -> None:
    start()
    opened()
    assert "Nothing can be reckoned." in said(recorded(won(("J5", 5, TOP))))


@pytest.mark.usefixtures("pool")
def test_a_win_withdrawn_says_so() -> None:
    hit = recorded(won(("J5", 5, TOP)))
    undone = JackpotAdjusted(jackpot=POOL, microcents=0, reason="win_withdrawn", hit=ref(hit))
    recorded(undone, by=MANAGER)
    sheet = said(hit, "auditor")
    assert "This win was withdrawn. Nothing more of it is paid" in sheet
    assert "Would have stayed on the meter" in sheet
    for no_more in (
        "to be put in again (44)",
        "the cards stay open",
        "1 not paid",
        "Second person",
        "lie open until he is paid",
    ):
        assert no_more not in sheet, no_more


@pytest.mark.usefixtures("pool")
def test_the_page_of_a_win_and_of_its_payment_lead_to_the_sheet() -> None:
    hit = recorded(won(("J5", 5, ACE_JACK)))
    act = recorded(paid(hit, "J5", 5, ACE_JACK, 5_000))
    sheet = reverse("jackpot-payout", args=[hit.entry_id])
    client = looks("fiscal_chefe")
    for projection, entry in (("jackpotwin", hit), ("jackpotpayment", act)):
        page = client.get(reverse(f"admin:jackpot_{projection}_change", args=[entry.entry_id]))
        assert sheet in page.content.decode()
        assert reverse("jackpot-curve", args=[POOL]) in page.content.decode()
    assert client.get(reverse("jackpot-payout", args=[act.entry_id])).status_code == 404
