"""Terms with what they come to: exact chances and returns, the law's questions, versions.

Law: PT art. 38, 40 to 44.
"""

from dataclasses import replace
from datetime import date, datetime, timedelta
from fractions import Fraction
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse

from casino import clock
from casino.law.rulebook.rulebook_file import load_law
from casino.web.display.money_and_time import fine_money
from jackpot.events import TermsLine
from jackpot.pages import terms_pages
from jackpot.pages.amount_display import decimal, difference, percent
from jackpot.pages.shown import forget
from jackpot.progressive.amounts import MICROCENTS
from jackpot.progressive.chances import expectation
from tests.factories.pools import POOL, SINCE, approve, start, terms_of
from tests.factories.prize_tables import ACES, DAY, SHOWN, THREE_CARDS
from tests.factories.records import EVENING, MANAGER, recorded
from tests.jackpot import looking
from tests.jackpot.looking import looks

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
PAGE = f"/jackpots/{POOL}/terms/"
RULES = load_law("pt").on(DAY)


def said(address: str = PAGE, office: str = "inspetor") -> str:
    """What the page says, without its marks, in single spaces."""
    return looking.said(looks(office).get(address), '<header class="lead')


@pytest.mark.parametrize("table", [ACES, THREE_CARDS], ids=["aces", "three cards"])
@pytest.mark.parametrize("decks", [4, 6])
@pytest.mark.parametrize("meter", [SHOWN, 2_000_000 * MICROCENTS, 0])
def test_what_is_kept_between_looks_is_what_is_reckoned(table, decks, meter) -> None:  # type: ignore[no-untyped-def]
    for _ in range(2):
        found = terms_pages.expected(table, 250, meter, decks, RULES)
        assert found == expectation(table, 250, meter, decks, no_card_at=RULES["hit.until"])


def test_article_43_the_page_shows_exact_chances_for_four_and_six_decks() -> None:
    approve(
        stake_cents=100,
        start_cents=1_000_000,
        lines=(
            TermsLine(code="QH-QH", share_millionths=1_000_000),
            TermsLine(code="AS-JS", fixed_cents=50_000),
        ),
        cards_counted=2,
    )
    text = said()
    # Fifteen pairs and thirty-six couples of 48 516 in six packs; 6 and 16 of 21 528 in four.
    for recorded_there in (
        "Q♥ Q♥ takes what is left 100 % €10,000.00",
        "3,234.40 5/16172 0.03091764 % 309.1764 %",
        "1,347.67 3/4043 0.07420233 % 37.1012 %",
        "3,588.00 1/3588 0.02787068 % 278.7068 %",
    ):
        assert recorded_there in text, recorded_there
    returned = percent(Fraction(15 * 10_000 + 36 * 500, 48_516), 4)
    assert returned.replace("\xa0", " ") in said()


@pytest.mark.parametrize(
    ("known", "kept"), [({"start_cents": 2_500_000}, True), ({"start_cents": 2_499_999}, False)]
)
def test_article_44_the_start_is_held_against_ten_thousand_stakes(
    known: dict[str, int], kept: bool
) -> None:
    approve(**known)
    asked = "starting value at least 10,000 times the stake: €25,000.00"
    assert f"44 {asked.capitalize()} {'conform' if kept else 'breach'}" in said()


def test_articles_38_and_40_what_is_missing_is_seen() -> None:
    approve(option_reference=None, approval_reference=None)
    text = said()
    assert "38 Communicated breach" in text
    assert "40 Approved breach" in text


@pytest.mark.parametrize(("at", "kept"), [(SINCE, "conform"), (EVENING, "deviation")])
def test_the_house_sees_terms_that_reach_back(at: datetime, kept: str) -> None:
    approve(at=at)
    assert f"House control Not retroactive {kept}" in said()


def test_article_44_terms_are_judged_by_the_law_of_their_first_day(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    law = load_law("pt")
    name = "jackpot.start_times"
    times = law.parameters[name]
    dearer = replace(times.values[-1], since=date(2026, 11, 21), value=20_000)
    changed = replace(times, values=(*times.values, dearer))
    monkeypatch.setattr(
        terms_pages,
        "load_law",
        lambda _: replace(law, parameters={**law.parameters, name: changed}),
    )
    evening = datetime(2026, 11, 20, 23, 59, tzinfo=ZoneInfo("Europe/Lisbon"))
    approve(terms="T-1", valid_from=evening)
    latest = recorded(terms_of(terms="T-2", valid_from=evening + timedelta(minutes=1)), by=MANAGER)
    assert "44 Starting value at least 10,000 times the stake: €25,000.00 conform" in said()
    dear = "44 Starting value at least 20,000 times the stake: €50,000.00 breach"
    assert dear in said(f"{PAGE}?version={latest.n}")


def test_what_is_kept_in_reserve_is_shown_and_said_not_to_be_reckoned() -> None:
    approve(reserve_millionths=500_000, limit_cents=9_000_000)
    assert "Kept in reserve 50 % Told, and not reckoned" in said()
    assert "Limit €90,000.00" in said()
    forget()
    wall = Client().get(f"/acumulado/{POOL}/?lang=en")
    assert "Limit €90,000.00" in looking.said(wall, "<main")


@pytest.mark.parametrize(("limit", "passed"), [(2_499_999, True), (2_500_000, False)])
def test_article_40_a_meter_above_its_limit_is_seen(limit: int, passed: bool) -> None:
    approve(limit_cents=limit)
    start()
    forget()
    listed = looking.said(looks("fiscal_chefe").get(reverse("jackpots")), '<header class="lead')
    assert ("above its limit of €24,999.99" in listed) == passed


def test_article_40_versions_stand_in_their_order_and_one_is_in_force() -> None:
    approve(terms="T-1", at=SINCE)
    approve(terms="T-2", valid_from=EVENING, stake_cents=200, start_cents=2_000_000)
    waiting = recorded(
        terms_of(terms="T-3", valid_from=clock.now() + timedelta(days=9)), by=MANAGER
    )
    text = said()
    versions = text[text.index("Versions") :]
    assert versions.index("T-3") < versions.index("T-2 in force") < versions.index("T-1")
    assert "not confirmed yet" in versions
    assert "Despacho 88/2026, " in versions
    named = "Inspeção-Geral de Jogos (Serviço de Regulação e Inspeção de Jogos)"
    assert named in versions  # as the reading inspectorate-name has it
    assert "Side stake €2.00" in text
    unconfirmed = said(f"{PAGE}?version={waiting.n}")
    assert "Side stake €2.50" in unconfirmed
    assert "not confirmed yet" in unconfirmed[: unconfirmed.index("Versions")]
    assert "not confirmed yet" not in text[: text.index("Versions")]


@pytest.mark.parametrize(
    "asked",
    ["?version=99", "?version=1234567890123456789012", f"?version={'1' * 5000}", "?version=0"],
    ids=["none such", "too large", "of 5000 digits", "none"],
)
def test_a_version_there_is_not_is_not_found(asked: str) -> None:
    approve()
    assert looks("auditor").get(PAGE + asked).status_code == 404
    assert looks("auditor").get("/jackpots/JP-9/terms/").status_code == 404
    assert looks("auditor").get(f"{PAGE}?version=x").status_code == 200


def test_the_return_with_the_meter_as_it_runs_is_shown_beside() -> None:
    approve()
    assert "as now" not in said()
    start(cents=3_000_000)
    assert "With €30,000.00, as now" in said()


def test_the_terms_and_the_lists_of_pools_lead_there() -> None:
    receipt = approve()
    client = looks("fiscal_de_banca")
    entry = client.get(reverse("admin:jackpot_jackpotterms_change", args=[receipt.entry_id]))
    assert f"{PAGE}?version={receipt.n}" in entry.content.decode()
    for projection in ("jackpotterms", "jackpotwin", "jackpotreading"):
        listed = client.get(reverse(f"admin:jackpot_{projection}_changelist"))
        assert reverse("jackpots") in listed.content.decode()
    pools = client.get(reverse("jackpots")).content.decode()
    assert PAGE in pools
    assert f'href="/jackpots/{POOL}/"' not in pools  # how a pool went is for its overseers
    head = looks("fiscal_chefe").get(reverse("jackpots")).content.decode()
    assert f'href="/jackpots/{POOL}/"' in head


@pytest.mark.parametrize(
    ("written", "as_it_is"),
    [
        (lambda: fine_money(1), "€0.00000001"),
        (lambda: fine_money(250_000_018_750_000), "€2,500,000.1875"),
        (lambda: fine_money(-150_000_000), "-€1.50"),
        (lambda: difference(-MICROCENTS), "-€0.01"),
        (lambda: difference(1), "+€0.00000001"),
        (lambda: percent(Fraction(2, 3), 4), "66.6667\xa0%"),
        (lambda: percent(Fraction(1), 2), "100.00\xa0%"),
        (lambda: decimal(Fraction(1999, 1000), 2), "2.00"),
        (lambda: decimal(Fraction(25_000_001, 2), 0), "12,500,001"),
    ],
)
def test_amounts_are_written_to_their_last_figure(written, as_it_is: str) -> None:  # type: ignore[no-untyped-def]
    assert written() == as_it_is
