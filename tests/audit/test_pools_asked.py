"""A replay because somebody wants one: a button, a command, and what they say came of it.

Law: PT art. 41, 43, 44, 50.
"""

import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from audit.models import PoolReplay, PoolReplayRun
from audit.pages.pool_replay import LONG
from audit.pools import replaying
from audit.pools.replaying import REPLAY
from tests.factories.pools import POOL, approve
from tests.factories.pools_in_book import chips, false_seal, replay
from tests.jackpot.looking import looks, said
from tests.jobs_inline import do_jobs

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
PAGE = f"/jackpots/{POOL}/replay/"
CURVE = f"/jackpots/{POOL}/"
MAY = ("chefia_da_sala", "inspetor", "auditor")


def shown(office: str, page: str = PAGE) -> str:
    return said(looks(office).get(page), "<main", "</main>")


# The page.


@pytest.mark.usefixtures("pool")
@pytest.mark.parametrize("office", MAY)
def test_a_pool_is_recomputed_by_one_click_and_the_page_says_what_came_of_it(office: str) -> None:
    chips((1, "J1", 4))
    client = looks(office)
    sent = client.post(PAGE)
    assert (sent.status_code, sent["Location"].partition("?")[0]) == (302, PAGE)
    run = PoolReplayRun.objects.get()
    number = client.get("/admin/").wsgi_request.user.get_username()
    assert (run.why, run.asked_by) == ("asked", number)
    waiting = client.get(sent["Location"])
    assert 'http-equiv="refresh"' in waiting.content.decode()
    assert "Under way" in said(waiting, "<main")
    asks = f"{sent['Location']}&progress"
    assert client.get(asks).json() == {"state": "open", "per_cent": 0, "said": "0 entries read"}
    do_jobs(topic=REPLAY)
    assert client.get(asks).json()["state"] == "ended"
    PoolReplayRun.objects.update(asked_by="S-9999")  # beside the book: anybody may say anything
    text = said(client.get(sent["Location"]), "<main")
    assert f"Asked for by {number}" in text
    assert "S-9999" not in text
    assert "Replayed from the book: difference 0" in text
    assert "Meter by the entries €25,000.25" in text
    assert 'http-equiv="refresh"' not in client.get(PAGE).content.decode()


@pytest.mark.usefixtures("pool")
def test_two_clicks_at_once_are_one_replay_and_a_later_one_is_another() -> None:
    client = looks("inspetor")
    first, second = client.post(PAGE), client.post(PAGE)
    assert first["Location"] == second["Location"]
    do_jobs(topic=REPLAY)
    client.post(PAGE)
    do_jobs(topic=REPLAY)
    assert PoolReplay.objects.count() == 2


@pytest.mark.usefixtures("pool")
def test_a_seal_that_was_wrong_is_named_on_the_page_and_on_the_pools_own() -> None:
    chips((1, "J1", 4))
    false_seal(-7_000_000)
    assert "Never replayed" in shown("auditor", CURVE)
    looks("auditor").post(PAGE)
    do_jobs(topic=REPLAY)
    text = shown("auditor")
    assert "Replayed from the book: 1 problem" in text
    assert "Difference -€0.07" in text
    assert "n.º 41" in text
    assert re.search(r"Replayed on .*: €25,000.25, 1 problem Replay now", shown("auditor", CURVE))


@pytest.mark.usefixtures("pool")
def test_a_fiscal_chefe_reads_what_came_of_it_and_asks_for_none() -> None:
    assert looks("fiscal_chefe").post(PAGE).status_code == 403
    assert "Replay now" not in shown("fiscal_chefe")
    assert "Replay now" not in shown("fiscal_chefe", CURVE)
    assert "Replay now" in shown("auditor", "/admin/")
    assert "Replay now" not in shown("fiscal_chefe", "/admin/")
    assert not PoolReplayRun.objects.exists()


@pytest.mark.usefixtures("pool")
def test_a_replays_entry_leads_to_another() -> None:
    replay()
    (row,) = PoolReplay.objects.all()
    page = looks("inspetor").get(reverse("admin:audit_poolreplay_change", args=[row.pk]))
    assert f'href="{PAGE}"' in page.content.decode()


def test_a_pool_there_is_not_has_no_such_page() -> None:
    client = looks("auditor")
    assert client.get(PAGE).status_code == client.post(PAGE).status_code == 404
    approve()
    assert client.get(PAGE).status_code == 200  # terms alone: the book tells something of it
    assert client.get(f"{PAGE}?run=nonsense").status_code == 200


@pytest.mark.usefixtures("pool")
def test_a_replay_that_does_not_end_is_waited_for_no_longer_than_it_is_worth() -> None:
    client = looks("auditor")
    where = client.post(PAGE)["Location"]
    run = PoolReplayRun.objects.get()
    run.asked_at -= 2 * LONG
    run.save()
    wsgiresponse = client.get(where)
    assert 'http-equiv="refresh"' not in wsgiresponse.content.decode()
    assert "has not ended" in said(wsgiresponse, "<main")
    assert "Replay now" in said(wsgiresponse, "<main")
    assert "Never replayed" in said(client.get(PAGE), "<main")


# The command.


def typed(*words: str) -> tuple[str, int]:
    """What the command says and with which number it ends."""
    out = StringIO()
    try:
        call_command("replay_jackpot", *words, "--language", "en", stdout=out, stderr=out)
    except SystemExit as end:
        return out.getvalue().replace("\xa0", " "), int(end.code or 0)
    return out.getvalue().replace("\xa0", " "), 0


@pytest.mark.usefixtures("pool")
def test_the_command_replays_at_once_and_ends_with_zero() -> None:
    chips((1, "J1", 4))
    text, code = typed(POOL)
    assert code == 0
    assert f"{POOL}: " in text
    assert "the meter runs at €25,000.25, €0.00 held for wins" in text
    assert "Difference from what is kept: €0.00. Entries that do not fit: 0." in text
    assert PoolReplay.objects.get().why == "asked"
    do_jobs(topic=REPLAY)  # the worker finds it done
    assert PoolReplay.objects.count() == 1


@pytest.mark.usefixtures("pool")
def test_without_a_name_the_command_replays_every_pool_part_by_part(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    approve(jackpot="JP-2")
    for _ in range(3):
        chips((1, "J1", 4))
    monkeypatch.setattr(replaying, "LOOKED", 1)
    monkeypatch.setattr(replaying.POOL_REPLAY, "seconds", -1.0)  # of a part
    assert typed()[1] == 0
    assert {row.jackpot for row in PoolReplay.objects.all()} == {POOL, "JP-2"}
    assert PoolReplayRun.objects.get(jackpot=POOL).part > 3


@pytest.mark.usefixtures("pool")
def test_the_command_ends_with_one_and_says_what_stands_against_the_pool() -> None:
    chips((1, "J1", 4))
    false_seal(-7_000_000)
    text, code = typed(POOL)
    assert code == 1
    assert "Difference from what is kept: -€0.07" in text
    assert "breach n.º 41: A seal or a win tells the value of the meter" in text, text


def test_the_command_ends_with_two_where_there_is_no_such_pool() -> None:
    with pytest.raises(CommandError, match="JP-9") as refused:
        typed("JP-9")
    assert refused.value.returncode == 2
    assert typed() == ("", 0)
