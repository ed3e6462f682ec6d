"""S11, what is missing of a prize that was paid too low: a payment of its own, before a witness.

Law: PT art. 43, 49, 50.
"""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from casino import clock
from casino.events.partidas import PartidaClosed
from casino.floor.tables.board_tiles import board_at
from casino.models import Account, BookEntry
from casino.recording import Receipt
from casino.witnessing import set_pin
from jackpot.events import JackpotAdjusted
from jackpot.queries import owed_prizes, pool_now
from tests.casino.sala_forms import checks_warned, errors_on, form_on
from tests.factories.floor import PIT, SHOE_TABLE, game
from tests.factories.people import somebody, write
from tests.factories.pools import ACE_JACK, POOL, SEVENS, START_CENTS, TOP, ref
from tests.factories.recorded import entries, events_of
from tests.jackpot.sala_pools import (
    MANAGER,
    a_pool,
    a_win,
    colleague,
    hit_at,
    on,
    open_table,
    over,
    paid,
    payments,
    running,
    tap,
    won_at,
)
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
KIND = "jackpot-paid/1"
WITNESS = "S-0021"
TABLE = f"/sala/{SHOE_TABLE}/"
CLOSE = reverse("sala:close", args=[SHOE_TABLE])
OWED = "Jackpot prize paid short: the rest is still owed"


@recorded_once
def pit() -> Client:
    return somebody("fiscal_de_banca")


@recorded_once
def running_pool(pit: Client) -> None:
    """The house, a pool that runs, a table open with it."""
    a_pool()


def a_short_one(cents: int = 3_000) -> Receipt:
    """A fixed prize of 50 euros at seat 2, of which so much was paid; its entry."""
    a_pool()
    hit = a_win((2, ACE_JACK))
    paid(hit, 2, cents)
    return hit


def confirm(client: Client, url: str, **typed: str) -> Any:
    """Tap, read it again, confirm."""
    answer = tap(client, url, **({"means": "cash"} | typed))
    assert "Check before paying" in answer.content.decode()
    return client.post(url, form_on(answer))


def lines(client: Client, hit: Receipt) -> list[tuple[str, str, bool]]:
    """Of each prize: how much it is, what is missing of it, whether nobody was paid it."""
    value = client.get(hit_at(hit.n)).context["lines"]
    return [
        (one.amount, f"{one.missing} ({one.under})" if one.missing else "", one.waits)
        for one in value
    ]


def alerts(client: Client) -> list[tuple[str, str, str, str]]:
    found = client.get(TABLE).context["alerts"]
    return [(one.words, one.place, one.cited, one.way_words) for one in found]


def _short(now: datetime, **among: Any) -> list[Any]:
    return owed_prizes.outstanding(now, **among)[1]


def held() -> int:
    return pool_now(POOL).meter.held


# What is lawful.


def test_article_43_the_rest_is_paid_on_its_own_and_the_prize_is_whole(pit: Client) -> None:
    hit = a_short_one()
    assert lines(pit, hit) == [("€50.00", "€20.00 (n.º\xa043)", False)]
    text = pit.get(hit_at(hit.n)).content.decode()
    assert "Pay the rest to seat 2 · J2" in text
    assert "€30.00 of €50.00 were paid" in text
    assert "Check the payment of €20.00" in text
    assert f'href="{TABLE}"' not in text.partition('class="foot"')[2]
    check = tap(pit, hit_at(hit.n)).content.decode()
    assert "Paid so far" in check
    assert "I confirm the payment of €20.00" in check
    assert len(payments()) == 1  # nothing yet
    answer = confirm(pit, hit_at(hit.n))
    assert answer.status_code == 303, errors_on(answer)
    event = events_of(KIND)[-1]
    assert (event.owner, event.box, event.code, event.step) == ("J2", 2, ACE_JACK, 1)
    assert (event.paid_cents, event.again) == (2_000, None)
    assert held() == 0
    assert running() == (START_CENTS - 5_000) * 1_000_000
    entry = BookEntry.objects.filter(kind=KIND).order_by("n").last()
    assert entry is not None
    assert answer["Location"].startswith(reverse("sala:witness", args=[entry.pk]))
    page = pit.get(hit_at(hit.n))
    assert lines(pit, hit) == [("€50.00", "", False)]
    ((line),) = page.context["lines"]
    assert [part.partition(" at ")[0] for part in line.parts.split(", ")] == ["€30.00", "€20.00"]
    assert form_on(page) == {}
    assert f'href="{TABLE}"' in page.content.decode().partition('class="foot"')[2]


def test_the_second_person_confirms_the_rest_as_any_payment(pit: Client) -> None:
    hit = a_short_one()
    somebody("fiscal_chefe")
    set_pin(Account.objects.get(staff=WITNESS), "482915")
    place = confirm(pit, hit_at(hit.n))["Location"].partition("?")[0]
    waits = [one for one in alerts(pit) if "waits for its witness" in one[0]]
    assert [one[1] for one in waits] == ["JP-1, seat 2: €30.00", "JP-1, seat 2: €20.00"]
    page = pit.get(place)
    assert "Amount: €20.00" in page.content.decode()
    answer = pit.post(place, form_on(page) | {"staff": WITNESS, "secret": "482915"})
    assert f'href="{hit_at(hit.n)}"' in pit.get(answer["Location"]).content.decode()
    first = BookEntry.objects.filter(kind=KIND).order_by("n")[0]
    ((line),) = pit.get(hit_at(hit.n)).context["lines"]
    assert line.witness == reverse("sala:witness", args=[first.pk])  # of the first nobody did
    assert [one[1] for one in alerts(pit)] == ["JP-1, seat 2: €30.00"]


def test_the_rest_may_come_in_parts_and_what_is_called_a_second_time_is_none(pit: Client) -> None:
    hit = a_short_one()
    paid(hit, 2, 500)
    paid(hit, 2, 1_500, again=True)
    assert lines(pit, hit) == [("€50.00", "€15.00 (n.º\xa043)", False)]
    ((line),) = pit.get(hit_at(hit.n)).context["lines"]
    assert line.parts.endswith(", a second time")
    answer = confirm(pit, hit_at(hit.n))
    assert checks_warned(answer) == ["jackpot_prize_is_paid_once"]  # of the second time
    assert over(pit, hit_at(hit.n), answer).status_code == 303
    assert events_of(KIND)[-1].paid_cents == 1_500
    assert (lines(pit, hit)[0][1], held()) == ("", 0)


@pytest.mark.usefixtures("running_pool")
def test_article_50_what_is_missing_of_what_was_left_is_owed_under_it(pit: Client) -> None:
    hit = a_win((2, TOP))
    paid(hit, 2, START_CENTS - 100, TOP)
    assert lines(pit, hit) == [("€25,000.00", "€1.00 (n.º\xa050)", False)]
    assert confirm(pit, hit_at(hit.n)).status_code == 303
    assert running() == held() == 0


@pytest.mark.usefixtures("running_pool")
def test_the_smallest_is_completed_first_and_any_other_may_be_chosen(pit: Client) -> None:
    hit = a_win((3, SEVENS), (2, ACE_JACK))
    paid(hit, 2, 3_000)
    assert lines(pit, hit) == [
        ("€50.00", "€20.00 (n.º\xa043)", False),
        ("€2,500.00", "", True),
    ]
    text = pit.get(hit_at(hit.n)).content.decode()
    assert "Pay the rest to seat 2" in text
    later = f"{hit_at(hit.n)}?step=2"
    assert later in text
    assert "Out of turn" not in pit.get(later).content.decode()  # it was paid first
    answer = confirm(pit, later)
    assert checks_warned(answer) == ["jackpot_prizes_as_approved"]  # of all that is still missing
    assert over(pit, later, answer).status_code == 303
    assert events_of(KIND)[-1].paid_cents == 250_000


@pytest.mark.usefixtures("running_pool")
def test_the_rest_is_never_out_of_turn(pit: Client) -> None:
    hit = a_win((3, SEVENS), (2, ACE_JACK))
    paid(hit, 3, 200_000, SEVENS)
    rest = f"{hit_at(hit.n)}?step=2"
    text = pit.get(rest).content.decode()
    assert "Pay the rest to seat 3" in text
    assert "Out of turn" not in text
    assert "Pay the rest now" in pit.get(hit_at(hit.n)).content.decode()


# The boundary.


@pytest.mark.parametrize(
    ("cents", "missing"), [(0, "€50.00"), (4_999, "€0.01"), (5_000, ""), (5_001, "")]
)
def test_a_cent_is_missing_and_a_cent_too_much_is_nothing_to_pay(
    pit: Client, cents: int, missing: str
) -> None:
    hit = a_short_one(cents)
    assert lines(pit, hit)[0][1].partition(" ")[0] == missing
    assert bool(form_on(pit.get(hit_at(hit.n)))) == bool(missing)
    assert (OWED in [words for words, *_ in alerts(pit)]) == bool(missing)


@pytest.mark.usefixtures("running_pool")
def test_a_large_prize_asks_who_the_winner_is_for_what_is_paid_now(pit: Client) -> None:
    hit = a_win((3, SEVENS))
    paid(hit, 3, 50_000, SEVENS)
    assert "€2,000.00" in tap(pit, hit_at(hit.n), means="cash").content.decode()
    other = a_win((2, ACE_JACK))
    paid(other, 2, 3_000)
    assert "Lei 83/2017" not in tap(pit, hit_at(other.n)).content.decode()


# What must not happen.


def test_the_rest_is_paid_once_however_often_it_is_sent(pit: Client) -> None:
    hit = a_short_one()
    read = tap(pit, hit_at(hit.n))
    answers = [pit.post(hit_at(hit.n), form_on(read)) for _ in range(3)]
    assert [one.status_code for one in answers] == [303] * 3
    assert [one.paid_cents for one in payments()] == [3_000, 2_000]


def test_a_colleague_paid_the_rest_meanwhile(pit: Client) -> None:
    hit = a_short_one()
    mine = form_on(tap(pit, hit_at(hit.n)))
    assert confirm(colleague(), hit_at(hit.n)).status_code == 303
    answer = pit.post(hit_at(hit.n), mine)
    assert "J2 was paid this prize already" in errors_on(answer)[""]
    assert form_on(answer) == {}
    assert [one.paid_cents for one in payments()] == [3_000, 2_000]


@pytest.mark.usefixtures("running_pool")
def test_who_was_shown_the_whole_prize_does_not_pay_the_rest_of_it_unseen(pit: Client) -> None:
    hit = a_win((2, ACE_JACK))
    mine = on(pit, hit_at(hit.n))
    paid(hit, 2, 3_000)
    answer = pit.post(hit_at(hit.n), mine)
    assert "J2 was paid this prize already" in errors_on(answer)[""]
    assert "Pay what is missing" in answer.content.decode()
    assert [one.paid_cents for one in payments()] == [3_000]


def test_who_was_shown_another_rest_does_not_pay_this_one_unseen(pit: Client) -> None:
    hit = a_short_one()
    mine = form_on(tap(pit, hit_at(hit.n)))
    paid(hit, 2, 500)
    assert "J2 was paid this prize already" in errors_on(pit.post(hit_at(hit.n), mine))[""]
    assert [one.paid_cents for one in payments()] == [3_000, 500]


@pytest.mark.parametrize("given", ["0", "2999", "4000", "5000", "-1", "x", "9" * 40])
def test_what_he_got_before_is_nobodys_to_say(pit: Client, given: str) -> None:
    hit = a_short_one()
    before = entries()
    form = form_on(tap(pit, hit_at(hit.n))) | {"given": given}
    assert errors_on(pit.post(hit_at(hit.n), form))
    assert (entries(), len(payments())) == (before, 1)


@pytest.mark.usefixtures("running_pool")
def test_nobody_who_waits_is_paid_less_because_somebody_says_he_got_it(pit: Client) -> None:
    hit = a_win((2, ACE_JACK))
    assert errors_on(tap(pit, hit_at(hit.n), given="3000"))
    assert payments() == []


def test_of_a_win_that_was_withdrawn_nothing_is_missing(pit: Client) -> None:
    hit = a_short_one()
    form = form_on(tap(pit, hit_at(hit.n)))
    undone = JackpotAdjusted(jackpot=POOL, microcents=0, reason="win_withdrawn", hit=ref(hit))
    write(undone, by=MANAGER, at=clock.now())
    assert lines(pit, hit)[0][1] == ""
    assert OWED not in [words for words, *_ in alerts(pit)]
    assert "Nobody is to be paid here" in errors_on(pit.post(hit_at(hit.n), form))[""]


def test_who_does_not_pay_reads_what_is_missing_and_finds_no_button() -> None:
    hit = a_short_one()
    for office in ("fiscal_chefe", "chefia_da_sala"):
        page = somebody(office).get(hit_at(hit.n))
        assert "€20.00 still missing (n.º\xa043)" in page.content.decode()
        assert form_on(page) == {}


# Where it is named.


def test_it_is_named_at_the_closing_and_after_it_until_it_is_paid(pit: Client) -> None:
    hit = a_short_one()
    items = {one.what: one for one in pit.get(CLOSE).context["items"]}
    assert "prize" not in items
    rest = items["prize_rest"]
    assert (rest.words, rest.of, rest.article) == (OWED, "JP-1, seat 2: €20.00", "n.º 43")
    assert (rest.url, rest.do) == (hit_at(hit.n), "Pay the rest")
    assert rest.by
    write(PartidaClosed(**game(), reason="end_of_day"), by=PIT, at=clock.now())
    assert (OWED, "JP-1, seat 2: €20.00", "n.º 43", "Pay the rest") in alerts(pit)
    tiles = pit.get("/sala/").context["attention"]
    assert SHOE_TABLE in [tile.state.table for tile in tiles]
    assert confirm(pit, hit_at(hit.n)).status_code == 303  # play is over, the rest is owed
    assert OWED not in [words for words, *_ in alerts(pit)]


@pytest.mark.usefixtures("running_pool")
def test_who_waits_and_who_was_paid_short_are_two_matters(pit: Client) -> None:
    hit = a_win((3, SEVENS), (2, ACE_JACK))
    paid(hit, 2, 3_000)
    said = {words: (place, article) for words, place, article, _ in alerts(pit)}
    assert said["Jackpot prize to be paid"] == ("JP-1, seat 3: €2,500.00", "n.º 49")
    assert said[OWED] == ("JP-1, seat 2: €20.00", "n.º 43")
    assert "is not paid yet" in pit.get(won_at()).content.decode()


@pytest.mark.usefixtures("running_pool")
def test_on_the_wall_nobody_reads_who_is_owed_how_much(pit: Client) -> None:
    hit = a_win((3, SEVENS), (2, ACE_JACK))
    paid(hit, 2, 3_000)
    tile = next(one for one in board_at(clock.now()).tiles if one.table == SHOE_TABLE)
    said = [line.words for line in tile.lines]
    assert "Jackpot prize to be paid (JP-1, n.º\xa049)" in said
    assert not [words for words in said if "€" in words or "seat" in words]


def test_a_win_paid_short_is_shown_where_another_is_told(pit: Client) -> None:
    hit = a_short_one()
    assert hit_at(hit.n) in pit.get(won_at()).content.decode()
    assert confirm(pit, hit_at(hit.n)).status_code == 303
    assert hit_at(hit.n) not in pit.get(won_at()).content.decode()


def test_only_of_its_own_table_and_of_the_last_days(pit: Client) -> None:
    a_short_one()
    open_table("BJ-02")
    now = clock.now()
    assert len(_short(now, tables=[SHOE_TABLE])) == 1
    assert _short(now, tables=["BJ-02"]) == []
    assert len(_short(now + owed_prizes.LOOKED_BACK - timedelta(hours=1))) == 1
    assert _short(now + owed_prizes.LOOKED_BACK) == []


def test_what_was_settled_is_not_reckoned_again_and_what_is_short_always_is(pit: Client) -> None:
    hit = a_short_one()
    later = clock.now() + owed_prizes.SURE
    ((row, _),) = _short(later)
    paid(hit, 2, 2_000)
    assert _short(clock.now()) == []
    # it may still be taken back with what was just being recorded
    assert row.pk not in owed_prizes._SETTLED
    assert _short(clock.now() + owed_prizes.SURE) == []
    assert row.pk in owed_prizes._SETTLED
