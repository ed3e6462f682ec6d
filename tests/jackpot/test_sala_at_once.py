"""Many tablets at the very same moment: a prize is won once, paid once, nobody waits in vain."""

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from django.utils.timezone import localtime

from casino import clock, submitting
from casino.events.event import EntryRef
from jackpot.events import JackpotPaid
from jackpot.models import JackpotIncrement
from jackpot.queries import pool_now, replayed
from jackpot.seal_meter import seal
from tests.casino.admin_forms import filled, over_warnings
from tests.casino.together import at_once, same_session
from tests.factories.floor import SHOE_TABLE, game, register
from tests.factories.people import somebody
from tests.factories.pools import ACE_JACK, POOL, SEVENS, START_CENTS
from tests.jackpot.sala_pools import (
    a_pool,
    a_win,
    colleague,
    collect_at,
    hit_at,
    on,
    open_table,
    payments,
    played,
    tap,
    wins,
    won_at,
)

pytestmark = [pytest.mark.usefixtures("fresh_db", "english"), pytest.mark.share]
MANY = 6


def test_one_win_sent_many_times_at_once_is_one_win(fresh_db: str) -> None:
    a_pool()
    pit = somebody("fiscal_de_banca")
    form = on(pit, won_at(), won=[f"2/{SEVENS}"])
    tablets = [same_session(pit) for _ in range(MANY)]
    answers = at_once([lambda one=one: one.post(won_at(), form) for one in tablets])
    assert [answer.status_code for answer in answers] == [303] * MANY
    assert len(wins()) == 1


def test_of_supervisors_who_tell_of_one_win_at_once_one_does_and_the_others_are_told(
    fresh_db: str,
) -> None:
    a_pool()
    played(14)
    people = [colleague(f"S-02{n:02d}") for n in range(MANY)]
    forms = [on(one, won_at(), won=[f"2/{SEVENS}"], which="1/15") for one in people]
    answers = at_once(
        [
            lambda one=one, form=form: one.post(won_at(), form)
            for one, form in zip(people, forms, strict=True)
        ]
    )
    assert sorted(answer.status_code for answer in answers) == [200] * (MANY - 1) + [303]
    assert len(wins()) == 1
    for answer in answers:
        if answer.status_code == 200:
            assert answer.context["meanwhile"] or "recorded already" in str(
                answer.context["errors"]
            )


def test_of_supervisors_who_pay_one_winner_at_once_one_pays_and_the_others_are_told(
    fresh_db: str,
) -> None:
    a_pool()
    hit = a_win((2, ACE_JACK))
    people = [colleague(f"S-02{n:02d}") for n in range(MANY)]
    forms = [on(one, hit_at(hit.n)) for one in people]
    answers = at_once(
        [
            lambda one=one, form=form: one.post(hit_at(hit.n), form)
            for one, form in zip(people, forms, strict=True)
        ]
    )
    assert sorted(answer.status_code for answer in answers) == [200] * (MANY - 1) + [303]
    assert len(payments()) == 1
    for answer in answers:
        if answer.status_code == 200:
            assert answer.context["meanwhile"] or "was paid this prize already" in str(
                answer.context["errors"]
            )


def judged_after(mp: pytest.MonkeyPatch, act: Callable[[], Any]) -> None:
    """The next form's warnings are looked for after somebody has done this, and not before."""
    preview, waiting = submitting.preview, [act]

    def late(hands: Any) -> Any:
        if waiting:
            assert waiting.pop()().status_code == 303
        return preview(hands)

    mp.setattr(submitting, "preview", late)


def test_who_pays_while_another_is_judged_is_named_and_no_reason_is_asked_for(
    fresh_db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The prize is paid: a reason for paying it twice would be given for what is refused after."""
    a_pool()
    at = hit_at(a_win((2, ACE_JACK)).n)
    one, other = colleague("S-0201"), colleague("S-0202")
    mine, his = on(one, at), on(other, at)
    judged_after(monkeypatch, lambda: other.post(at, his))
    answer = one.post(at, mine)
    assert "was paid this prize already" in str(answer.context["errors"])
    assert len(payments()) == 1


def test_who_tells_of_the_win_while_another_is_judged_is_named(
    fresh_db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_pool()
    played(14)
    one, other = colleague("S-0201"), colleague("S-0202")
    mine, his = [on(who, won_at(), won=[f"2/{SEVENS}"], which="1/15") for who in (one, other)]
    judged_after(monkeypatch, lambda: other.post(won_at(), his))
    answer = one.post(won_at(), mine)
    assert [each.who for each in answer.context["meanwhile"]] == ["S-0202"]
    assert len(wins()) == 1


def test_a_form_whose_twin_is_recorded_while_it_is_judged_goes_on_as_recorded(
    fresh_db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody is recorded that somebody else was there first where it was himself, tapping twice."""
    a_pool()
    pit = colleague()
    at = hit_at(a_win((2, ACE_JACK)).n)
    form = on(pit, at)
    judged_after(monkeypatch, lambda: same_session(pit).post(at, form))
    answer = pit.post(at, form)
    assert (answer.status_code, answer["Location"].endswith("&again=1")) == (303, True)
    assert len(payments()) == 1


def test_in_the_admin_a_payment_is_not_warned_of_its_own_twin(
    fresh_db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_pool()
    win = a_win((2, ACE_JACK))
    pit = colleague()
    url = reverse("admin:jackpot_jackpotpayment_add")
    hit = EntryRef(stream=win.stream, n=win.n, leaf=win.leaf)
    event = JackpotPaid(
        **game(SHOE_TABLE),
        jackpot=POOL,
        hit=hit,
        owner="J2",
        box=2,
        code=ACE_JACK,
        paid_cents=5_000,
        step=1,
    )
    form = filled(event, occurred_at=f"{localtime(clock.now()):%Y-%m-%dT%H:%M:%S}")
    preview, twins = submitting.preview, [lambda: over_warnings(pit, url, form)]

    def late(*asked: Any, **how: Any) -> Any:
        if twins:
            assert twins.pop()().status_code == 302
        return preview(*asked, **how)

    monkeypatch.setattr(submitting, "preview", late)
    answer = pit.post(url, form)
    assert answer.status_code == 302
    assert len(payments()) == 1


def test_wins_increments_and_seals_at_once_wait_for_each_other_and_none_is_refused(
    fresh_db: str,
) -> None:
    """Whoever took a stream's head before the pool's lock would wait for a seal that waits for him.

    What each win says of the meter is what its place in the book says.
    """
    a_pool()
    tables = [f"BJ-2{n}" for n in range(4)]
    for table in tables:
        register(table)
        open_table(table)
    winner = somebody("fiscal_chefe")
    pit = somebody("fiscal_de_banca")
    acts: list[Callable[[], Any]] = []
    for table in tables:
        form = on(winner, won_at(table), won=[f"2/{SEVENS}"])
        chips = on(pit, collect_at(table), seats=["2", "5"])
        one, other = same_session(winner), same_session(pit)
        acts.append(lambda one=one, t=table, form=form: one.post(won_at(t), form))
        acts.append(lambda one=other, t=table, form=chips: one.post(collect_at(t), form))
        acts.append(lambda: seal(POOL))
    answers = at_once(acts)
    codes = [one.status_code for one in answers if hasattr(one, "status_code")]
    assert codes == [303] * 8
    assert (len(wins()), JackpotIncrement.objects.count()) == (4, 4)
    again = replayed(POOL)
    assert again.misfits == []
    assert again.meter.running == pool_now(POOL).meter.running
    assert again.meter.pool == START_CENTS * 1_000_000 + 8 * 250 * 25_000


def test_a_prize_that_was_paid_on_another_tablet_is_not_offered_again(fresh_db: str) -> None:
    a_pool()
    hit = a_win((2, ACE_JACK), (3, ACE_JACK))
    pit, other = somebody("fiscal_de_banca"), colleague()
    assert tap(pit, hit_at(hit.n)).status_code == 303
    assert tap(other, hit_at(hit.n)).status_code == 303
    assert [one.owner for one in payments()] == ["J2", "J3"]
    assert on(pit, hit_at(hit.n)) == {}
