"""A prize that waits is named at its table: at the closing, after it, and by whom. Art. 49, 50."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from casino import clock
from casino.events.partidas import PartidaClosed
from casino.models import Account, BookEntry
from casino.witnessing import set_pin
from jackpot.events import JackpotAdjusted
from tests.casino.sala_forms import form_on
from tests.factories.floor import PIT, SHOE_TABLE, game, house
from tests.factories.people import somebody, write
from tests.factories.pools import ACE_JACK, POOL, SEVENS, ref, start
from tests.jackpot.sala_pools import (
    MANAGER,
    a_pool,
    a_win,
    collected,
    hit_at,
    open_table,
    tap,
)
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
TABLE = f"/sala/{SHOE_TABLE}/"
CLOSE = reverse("sala:close", args=[SHOE_TABLE])
PRIZE = "Jackpot prize to be paid"
WAITS = "A jackpot payment waits for its witness"


@recorded_once
def pit() -> Client:
    return somebody("fiscal_de_banca")


@recorded_once
def running_pool() -> None:
    """The house, a pool that runs, a table open with it."""
    a_pool()


def closed() -> None:
    """The game is over, with nobody asked what is missing."""
    write(PartidaClosed(**game(), reason="end_of_day"), by=PIT, at=clock.now())


def items(client: Client) -> dict[str, Any]:
    """What S12 says is missing, by what it is."""
    return {one.what: one for one in client.get(CLOSE).context["items"]}


def alerts(client: Client, url: str = TABLE) -> list[tuple[str, str, str]]:
    """What the table's page says, where, and what its link is called."""
    return [(one.words, one.place, one.way_words) for one in client.get(url).context["alerts"]]


def tiles(client: Client, group: str) -> list[str]:
    return [tile.state.table for tile in client.get("/sala/").context[group]]


@pytest.mark.usefixtures("running_pool")
def test_a_prize_unpaid_is_named_at_the_closing_and_after_it(pit: Client) -> None:
    hit = a_win((2, ACE_JACK))
    prize = items(pit)["prize"]
    assert (prize.of, prize.article) == ("JP-1, seat 2: €50.00", "n.º 49")
    assert (prize.url, prize.do) == (hit_at(hit.n), "Pay")
    assert prize.by
    assert f'href="{hit_at(hit.n)}"' in pit.get(CLOSE).content.decode()
    closed()
    assert alerts(pit) == [(PRIZE, "JP-1, seat 2: €50.00", "Pay")]
    assert f'href="{hit_at(hit.n)}"' in pit.get(TABLE).content.decode()
    assert SHOE_TABLE in tiles(pit, "attention")
    assert SHOE_TABLE not in tiles(pit, "closed")
    assert tap(pit, hit_at(hit.n)).status_code == 303  # play is over, the prize is owed


@pytest.mark.usefixtures("running_pool")
def test_where_nothing_waits_nothing_is_named_and_a_closed_table_is_to_be_opened(
    pit: Client,
) -> None:
    assert "prize" not in items(pit)
    closed()
    assert alerts(pit) == []
    assert SHOE_TABLE in tiles(pit, "closed")
    assert SHOE_TABLE not in tiles(pit, "attention")


@pytest.mark.usefixtures("running_pool")
def test_a_payment_without_its_witness_is_named_at_the_closing_and_after_it(pit: Client) -> None:
    hit = a_win((2, ACE_JACK))
    place = tap(pit, hit_at(hit.n))["Location"].partition("?")[0]
    witness = items(pit)["prize_witness"]
    assert (witness.of, witness.article) == ("JP-1, seat 2: €50.00", "n.º 50")
    assert witness.url == place
    assert "prize" not in items(pit)
    closed()
    assert alerts(pit) == [(WAITS, "JP-1, seat 2: €50.00", "Witness")]
    assert SHOE_TABLE in tiles(pit, "attention")
    somebody("fiscal_chefe")
    set_pin(Account.objects.get(staff="S-0021"), "482915")
    pit.post(place, form_on(pit.get(place)) | {"staff": "S-0021", "secret": "482915"})
    assert alerts(pit) == []
    assert SHOE_TABLE in tiles(pit, "closed")


@pytest.mark.usefixtures("running_pool")
def test_of_several_each_who_waits_is_named_and_who_was_paid_no_more(pit: Client) -> None:
    hit = a_win((5, SEVENS), (3, ACE_JACK))
    assert [place for _, place, _ in alerts(pit)] == [
        "JP-1, seat 3: €50.00, seat 5: €2,500.00",
    ]
    assert tap(pit, hit_at(hit.n)).status_code == 303
    assert {words: place for words, place, _ in alerts(pit)} == {
        PRIZE: "JP-1, seat 5: €2,500.00",
        WAITS: "JP-1, seat 3: €50.00",
    }


def test_a_win_without_terms_is_named_without_an_amount(pit: Client) -> None:
    house()
    start()
    open_table()
    a_win((2, ACE_JACK))
    assert [place for _, place, _ in alerts(pit)] == ["JP-1, seat 2"]


@pytest.mark.usefixtures("running_pool")
def test_a_win_that_was_withdrawn_or_won_at_another_table_is_not_named(pit: Client) -> None:
    hit = a_win((2, ACE_JACK))
    open_table("BJ-02")
    a_win((3, ACE_JACK), table="BJ-02")
    undone = JackpotAdjusted(jackpot=POOL, microcents=0, reason="win_withdrawn", hit=ref(hit))
    write(undone, by=MANAGER, at=clock.now())
    assert alerts(pit) == []
    assert "prize" not in items(pit)


@pytest.mark.usefixtures("running_pool")
def test_who_does_not_pay_is_told_who_does() -> None:
    a_win((2, ACE_JACK))
    for office in ("fiscal_chefe", "chefia_da_sala"):
        ((_, _, words),) = alerts(somebody(office))
        assert words == "To the win: the fiscal de banca pays"
    assert [words for _, _, words in alerts(somebody("fiscal_de_banca"))] == ["Pay"]


@pytest.mark.usefixtures("running_pool")
def test_who_oversees_reads_it_and_is_led_nowhere_he_may_not_go() -> None:
    hit = a_win((2, ACE_JACK))
    for office in ("inspetor", "auditor"):
        page = somebody(office).get(TABLE)
        assert f"{PRIZE} (JP-1, seat 2: €50.00)" in page.content.decode()
        assert hit_at(hit.n) not in page.content.decode()
        assert "Jackpot won" in page.content.decode()


@pytest.mark.usefixtures("running_pool")
def test_wins_and_payments_are_among_what_was_recorded_last(pit: Client) -> None:
    collected(2, 5)
    first, second = a_win((2, ACE_JACK)), a_win((5, ACE_JACK))
    lines = pit.get(TABLE).context["lately"]
    assert [(one.what, one.url) for one in lines][:2] == [
        ("Jackpot won, JP-1: ace of spades, jack of spades", hit_at(second.n)),
        ("Jackpot won, JP-1: ace of spades, jack of spades", hit_at(first.n)),
    ]
    assert "Jackpot chips collected, JP-1: seats 2, 5" in [one.what for one in lines]
    assert tap(pit, hit_at(first.n)).status_code == 303
    newest = pit.get(TABLE).context["lately"][0]
    assert (newest.what, newest.url, newest.words) == (
        "Jackpot paid, JP-1: €50.00",
        hit_at(first.n),
        "To the win",
    )
    assert newest.entry == str(BookEntry.objects.get(kind="jackpot-paid/1").pk)


@pytest.mark.usefixtures("running_pool")
def test_a_win_of_another_partida_is_not_among_them(pit: Client) -> None:
    open_table("BJ-02")
    a_win((3, ACE_JACK), table="BJ-02")
    assert "Jackpot won" not in " ".join(one.what for one in pit.get(TABLE).context["lately"])
