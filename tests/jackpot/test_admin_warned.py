"""Forms of the whole pool: what they would open is said before it is recorded, never refused.

Law: PT art. 38, 40 to 44, 50.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.urls import reverse

from casino import clock
from casino.events.tables import LimitsSet
from casino.law.finding import Breach, Check
from casino.law.rulebook.jackpot_law import OPTION
from casino.law.rulebook.rulebook import Law
from casino.law.rulebook.rulebook_file import load_law
from casino.previewing import Draft, preview
from jackpot.events import JackpotAdjusted, JackpotRead, JackpotStarted, TermsLine
from jackpot.models import JackpotAdjustment, JackpotStart, JackpotTerms
from jackpot.progressive.amounts import MICROCENTS
from jackpot.queries import pool_now
from jackpot.queries.meter_preview import previewed
from tests.casino.admin_forms import filled, key_in, over_warnings, warned_in
from tests.factories.events.every import FULL
from tests.factories.people import somebody
from tests.factories.pools import (
    ACE_JACK,
    POOL,
    SEVENS,
    TOP,
    approve,
    opened,
    paid,
    ref,
    start,
    terms_of,
    won,
)
from tests.factories.records import EVENING, MANAGER, PIT, recorded
from tests.jackpot import looking

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
TERMS = "/admin/jackpot/jackpotterms/add/"
START = "/admin/jackpot/jackpotstart/add/"
CHANGE = "/admin/jackpot/jackpotadjustment/add/"
READ = "/admin/jackpot/jackpotreading/add/"
INCREMENT = "/admin/jackpot/jackpotincrement/add/"


def started(cents: int, jackpot: str = POOL, reason: Any = "first") -> JackpotStarted:
    return JackpotStarted(jackpot=jackpot, start_cents=cents, reason=reason)


def change(euros: int, jackpot: str = POOL) -> JackpotAdjusted:
    return JackpotAdjusted(
        jackpot=jackpot, microcents=euros * 100 * MICROCENTS, reason="device_fault"
    )


def sent(url: str, event: Any) -> Any:
    """What a manager is answered who sends a form of this for the first time."""
    return looking.looks("chefia_da_sala").post(url, filled(event))


def text(answer: Any) -> str:
    return looking.said(answer, "<form method")


def test_article_44_a_start_below_ten_thousand_stakes_is_warned_of_and_then_recorded() -> None:
    approve()
    manager = looking.looks("chefia_da_sala")
    form = filled(started(100))
    answer = manager.post(START, form)
    assert answer.status_code == 200
    assert "n.º 44: a finding will be opened" in text(answer)
    assert warned_in(answer) == ["jackpot_start_is_high_enough"]
    assert not JackpotStart.objects.exists()
    reason = {"despite-jackpot_start_is_high_enough": "it-happened-so"}
    assert manager.post(START, form | reason).status_code == 302
    assert JackpotStart.objects.get().start_cents == 100


@pytest.mark.parametrize(("cents", "status"), [(2_500_000, 302), (2_499_999, 200)])
def test_article_44_ten_thousand_stakes_are_enough(cents: int, status: int) -> None:
    approve()
    assert sent(START, started(cents)).status_code == status


def test_article_44_a_second_start_while_the_meter_runs_is_warned_of() -> None:
    approve()
    start()
    answer = sent(START, started(2_500_000, reason="other"))
    assert warned_in(answer) == ["jackpot_is_started_when_due"]
    assert "while the meter held €25,000.00" in text(answer)


def test_article_44_an_emptied_meter_is_started_without_a_word() -> None:
    approve()
    start()
    opened()
    recorded(won(("J2", 2, TOP)), by=PIT)
    assert sent(START, started(2_500_000, reason="after_full_payout")).status_code == 302


def test_article_40_a_start_of_a_pool_without_terms_is_warned_of() -> None:
    answer = sent(START, started(2_500_000, "JP-77"))
    assert warned_in(answer) == ["jackpot_terms_are_in_force"]
    recorded(terms_of("JP-77", stake_cents=300), by=MANAGER)
    answer = sent(START, started(2_500_000, "JP-77"))  # nobody confirmed them: their stake counts
    assert warned_in(answer) == ["jackpot_start_is_high_enough"]


def test_articles_38_40_and_44_terms_of_one_euro_without_a_decision_are_warned_of() -> None:
    now = clock.now().replace(microsecond=0)
    terms = terms_of(
        start_cents=100,
        option_reference=None,
        approval_reference=None,
        cards_counted=4,
        valid_from=now + timedelta(days=1),
    )
    answer = sent(TERMS, terms)
    assert answer.status_code == 200
    assert warned_in(answer) == [
        "jackpot_option_is_communicated",
        "jackpot_terms_are_approved",
        "jackpot_start_is_high_enough",
    ]
    for article in ("n.º 38", "n.º 40", "n.º 44"):
        assert f"{article}: a finding will be opened" in text(answer)
    assert not JackpotTerms.objects.exists()
    assert over_warnings(looking.looks("chefia_da_sala"), TERMS, filled(terms)).status_code == 302


def test_articles_40_42_and_50_what_else_terms_lack_is_warned_of() -> None:
    lines = (TermsLine(code=ACE_JACK, fixed_cents=5_000),)
    answer = sent(TERMS, terms_of(lines=lines, cards_counted=5))
    assert set(warned_in(answer)) == {
        "jackpot_terms_do_not_reach_back",  # they hold from the morning, told in the evening
        "jackpot_counted_cards_are_lawful",
        "jackpot_has_a_top_combination",
    }


def test_article_40_lawful_terms_are_recorded_at_once() -> None:
    assert sent(TERMS, terms_of(valid_from=clock.now())).status_code == 302


def test_article_41_a_change_is_recorded_once_its_outcome_was_seen() -> None:
    approve()
    start()
    manager = looking.looks("chefia_da_sala")
    assert "The meter runs at" not in text(manager.get(CHANGE))
    form = filled(change(-24_000))
    answer = manager.post(CHANGE, form)
    assert answer.status_code == 200
    assert "The meter runs at €25,000.00. With this change it runs at €1,000.00" in text(answer)
    assert not JackpotAdjustment.objects.exists()
    again = form | {"key": str(key_in(answer)), "change_seen": seen_in(answer)}
    other = manager.post(CHANGE, again | {"microcents": "-24001"})  # another amount is read again
    assert "it runs at €999.00" in text(other)
    assert manager.post(CHANGE, again).status_code == 302
    assert JackpotAdjustment.objects.get().microcents == -24_000 * 100 * MICROCENTS


def seen_in(answer: Any) -> str:
    found = re.search(r'name="change_seen" value="([^"]+)"', answer.content.decode())
    assert found is not None
    return found[1]


def test_article_41_a_change_the_meter_does_not_bear_is_warned_of() -> None:
    approve()
    start()
    answer = sent(CHANGE, change(-25_001))
    assert warned_in(answer) == ["jackpot_meter_is_as_told"]
    assert "it runs at -€1.00" in text(answer)
    manager = looking.looks("chefia_da_sala")
    assert over_warnings(manager, CHANGE, filled(change(-25_001))).status_code == 302


def test_article_44_a_change_of_a_pool_there_is_not_is_warned_of() -> None:
    approve()
    start()
    answer = sent(CHANGE, change(12, "JP-77"))
    assert warned_in(answer) == ["jackpot_is_started_when_due"]
    assert "n.º 44" in text(answer)
    reading = JackpotRead(jackpot="JP-77", display_cents=5_000)
    assert warned_in(sent(READ, reading)) == ["jackpot_is_started_when_due"]
    right = JackpotRead(jackpot=POOL, display_cents=2_500_000)
    assert sent(READ, right).status_code == 302
    off = JackpotRead(jackpot=POOL, display_cents=2_500_001)
    assert warned_in(sent(READ, off)) == ["jackpot_display_shows_the_meter"]


def test_a_malformed_change_is_refused_as_ever() -> None:
    approve()
    start()
    answer = looking.looks("chefia_da_sala").post(CHANGE, filled(change(1), microcents="0"))
    assert answer.status_code == 200
    assert "microcents" in answer.context["form"].errors


def test_facts_of_other_rooms_are_nobodys_here() -> None:
    limits: LimitsSet = FULL["limits-set/1"]
    assert list(previewed(limits, EVENING, load_law("pt"))) == []


def unheard_of(event: Any, at: datetime, law: Law) -> Iterator[tuple[Check, Breach]]:
    """What no rulebook upholds."""
    yield replace(OPTION, name="nobody_asks_this"), Breach({}, {}, {})


def test_what_the_law_does_not_uphold_is_not_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("casino.apps.CasinoConfig.previews", lambda _: (unheard_of,))
    monkeypatch.setattr("jackpot.apps.JackpotConfig.previews", lambda _: ())
    assert preview([Draft(started(100), EVENING, MANAGER)]) == [[]]


# Choosing instead of typing


def test_a_pool_is_chosen_among_those_there_are() -> None:
    approve()
    recorded(terms_of("JP-2"), by=MANAGER)
    manager = looking.looks("chefia_da_sala")
    pit = looking.looks("fiscal_de_banca")
    for client, url in ((manager, START), (manager, CHANGE), (manager, READ), (pit, INCREMENT)):
        page = client.get(url).content.decode()
        chosen = re.search(r'<select name="jackpot".*?</select>', page, re.DOTALL)
        assert chosen is not None
        assert re.findall(r'value="([^"]*)"', chosen[0]) == ["", POOL, "JP-2"]
    first = manager.get(TERMS).content.decode()
    assert re.search(r'<input type="text" name="jackpot"[^>]* list="pools"', first)
    assert '<option value="JP-2">' in first


def test_without_a_pool_its_name_is_typed() -> None:
    page = looking.looks("chefia_da_sala").get(START).content.decode()
    assert '<input type="text" name="jackpot"' in page


def test_article_43_a_combination_is_picked_by_its_words() -> None:
    page = looking.looks("chefia_da_sala").get(TERMS).content.decode()
    assert '<option value="four aces of one suit"></option>' in page
    assert re.search(r'name="lines-0-code"[^>]* list="combinations"', page)
    groups = looking.looks("chefia_da_sala").get(TERMS).context["groups"]
    asked_first = [field.name for field in groups[0]["fields"]]
    assert set(asked_first) >= {"option_reference", "approval_reference", "approved_on"}
    assert "limit_cents" in [field.name for field in groups[1]["fields"]]


def test_article_43_lists_and_entries_speak_in_words() -> None:
    terms = approve()
    start()
    opened()
    hit = recorded(won(("J5", 5, ACE_JACK), ("J3", 3, SEVENS)), by=PIT)
    recorded(paid(hit, "J5", 5, ACE_JACK, 5_000))
    head = somebody("fiscal_chefe")
    entry = head.get(reverse("admin:jackpot_jackpotterms_change", args=[terms.entry_id]))
    for page in (
        entry,
        head.get(reverse("admin:jackpot_jackpotwin_changelist")),
        head.get(reverse("admin:jackpot_jackpotpayment_changelist")),
        head.get(reverse("admin:jackpot_jackpotwin_change", args=[hit.entry_id])),
    ):
        words = looking.said(page, 'id="content"', "</body>")
        assert "A♠ J♠" in words
        assert ACE_JACK not in words
        assert SEVENS not in words
    assert "three sevens of one suit" in looking.said(entry, 'id="content"', "</body>")


# A win that was none


def test_article_50_a_wrong_win_leads_to_its_withdrawal() -> None:
    approve()
    start()
    opened()
    hit = recorded(won(("J5", 5, TOP)), by=PIT)
    page = reverse("admin:jackpot_jackpotwin_change", args=[hit.entry_id])
    way = f"{CHANGE}?hit={hit.entry_id}"
    assert way not in somebody("fiscal_de_banca").get(page).content.decode()
    manager = looking.looks("chefia_da_sala")
    assert way in manager.get(page).content.decode()
    answer = manager.get(way)
    assert f"(entry {hit.n} of jackpot {POOL}): J5, four aces of one suit" in text(answer)
    shown = [field.name for group in answer.context["groups"] for field in group["fields"]]
    assert "hit" not in shown  # named in words, and sent by the page
    form = answer.context["form"]
    recorded_there = {name: form[name].value() for name in ("reason", "microcents", "jackpot")}
    assert recorded_there == {"reason": "win_withdrawn", "microcents": "0", "jackpot": POOL}
    event = JackpotAdjusted(jackpot=POOL, microcents=0, reason="win_withdrawn", hit=ref(hit))
    assert manager.post(way, filled(event)).status_code == 302
    assert pool_now(POOL).displayed_cents == 2_500_000
    for projection in ("jackpotpayment", "jackpotstart", "jackpotadjustment"):
        assert f"/{projection}/add/?hit=" not in manager.get(page).content.decode()


def test_articles_44_and_50_a_win_leads_only_to_what_is_left_to_do() -> None:
    approve()
    start()
    opened()
    hit = recorded(won(("J5", 5, ACE_JACK)), by=PIT)
    page = reverse("admin:jackpot_jackpotwin_change", args=[hit.entry_id])
    manager, pit = looking.looks("chefia_da_sala"), somebody("fiscal_de_banca")
    assert "/jackpotpayment/add/?hit=" in pit.get(page).content.decode()
    assert "/jackpotstart/add/?hit=" not in manager.get(page).content.decode()
    recorded(paid(hit, "J5", 5, ACE_JACK, 5_000))
    assert "/jackpotpayment/add/?hit=" not in pit.get(page).content.decode()
    full = recorded(won(("J6", 6, TOP), number=2, shoe=1), by=PIT)
    page = reverse("admin:jackpot_jackpotwin_change", args=[full.entry_id])
    assert "/jackpotstart/add/?hit=" in manager.get(page).content.decode()
    start(reason="after_full_payout", hit=ref(full))
    assert "/jackpotstart/add/?hit=" not in manager.get(page).content.decode()
