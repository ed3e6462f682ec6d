"""Who looks at a table, or closes it, is reminded while nobody told what its display showed.

No article says how often it is read: it is a reminder, and never a finding. Law: PT art. 41.
"""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from audit.models import Finding
from casino import clock
from casino.facts.partidas import PartidaClosed
from casino.recording import Receipt
from jackpot.facts import JackpotRead
from tests.factories.floor import PIT, SHOE_TABLE, ago, game, house
from tests.factories.people import somebody, write
from tests.factories.pools import POOL, START_CENTS, approve, start
from tests.jackpot.sala_pools import a_pool, collected, open_table
from tests.stages import told_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
TABLE = f"/sala/{SHOE_TABLE}/"
CLOSE = reverse("sala:close", args=[SHOE_TABLE])
HINT = "Jackpot: nobody has read the display yet"


@told_once
def pit() -> Client:
    return somebody("fiscal_de_banca")


@told_once
def running_pool() -> None:
    """The house, a pool that runs, a table open with it."""
    a_pool()


def read(minutes: float = 5, **told: Any) -> Receipt:
    """Somebody told what the display showed."""
    fact = JackpotRead(jackpot=told.pop("jackpot", POOL), display_cents=START_CENTS, **told)
    return write(fact, by=PIT, at=ago(minutes))


def reminded(client: Client) -> tuple[bool, bool]:
    """Whether the table's page does so, and its closing."""
    steps = [one.words for one in client.get(TABLE).context["steps"]]
    items = [one.what for one in client.get(CLOSE).context["items"]]
    return any(one.startswith(HINT) for one in steps), "reading" in items


@pytest.mark.usefixtures("running_pool")
def test_article_41_while_nobody_told_what_the_display_shows_one_is_reminded(pit: Client) -> None:
    assert reminded(pit) == (True, True)
    (item,) = [one for one in pit.get(CLOSE).context["items"] if one.what == "reading"]
    assert (item.words, item.of) == ("Nobody read the jackpot's display in this game", POOL)
    assert (item.article, item.by, item.icon) == ("", "", "note")  # nobody is held to it
    form = pit.get(item.url)
    assert form.status_code == 200
    text = form.content.decode()
    assert f'value="{POOL}"' in text
    assert f'value="{game()["partida"]}"' in text


@pytest.mark.usefixtures("running_pool")
@pytest.mark.parametrize("told", [game(), {"table": SHOE_TABLE}, {}])
def test_article_41_a_reading_is_enough(pit: Client, told: dict[str, str]) -> None:
    read(**told)
    assert reminded(pit) == (False, False)


@pytest.mark.usefixtures("running_pool")
def test_article_41_what_an_increment_says_is_a_reading_too(pit: Client) -> None:
    collected(2)
    assert reminded(pit) == (True, True)
    collected(5, display_cents=START_CENTS + 12)
    assert reminded(pit) == (False, False)


def test_a_reading_of_before_of_another_table_or_of_another_pool_is_none(pit: Client) -> None:
    house()
    for pool in (POOL, "JP-2"):
        approve(pool)
        start(pool)
    open_table(jackpots=(POOL,))  # fifty minutes ago
    open_table("BJ-02", jackpots=(POOL,))
    read(51)
    read(**game("BJ-02"))
    read(table="BJ-02")
    read(jackpot="JP-2", **game())
    assert reminded(pit) == (True, True)
    read(49)
    assert reminded(pit) == (False, False)


def test_of_several_pools_each_is_named(pit: Client) -> None:
    house()
    for pool in (POOL, "JP-2"):
        approve(pool)
        start(pool)
    open_table(jackpots=(POOL, "JP-2"))
    read(jackpot=POOL)
    steps = [one.words for one in pit.get(TABLE).context["steps"]]
    assert [one for one in steps if one.startswith(HINT)] == [f"{HINT} JP-2"]
    assert [one.of for one in pit.get(CLOSE).context["items"] if one.what == "reading"] == ["JP-2"]


def test_without_a_pool_nobody_is_reminded(pit: Client) -> None:
    house()
    open_table(jackpots=())
    assert reminded(pit) == (False, False)


@pytest.mark.usefixtures("running_pool")
def test_it_asks_for_no_attention_and_is_no_finding(pit: Client) -> None:
    assert pit.get(TABLE).context["alerts"] == []
    assert SHOE_TABLE not in [one.state.table for one in pit.get("/sala/").context["attention"]]
    write(PartidaClosed(**game(), reason="end_of_day"), by=PIT, at=clock.now())
    assert pit.get(TABLE).context["alerts"] == []
    assert not Finding.objects.exists()


@pytest.mark.usefixtures("running_pool")
def test_who_may_tell_no_reading_is_led_nowhere() -> None:
    for office, may in (("fiscal_chefe", True), ("chefia_da_sala", True), ("auditor", False)):
        steps = [one.words for one in somebody(office).get(TABLE).context["steps"]]
        assert any(one.startswith(HINT) for one in steps) == may, office


@pytest.mark.usefixtures("running_pool")
def test_the_form_names_no_pool_there_is_not(pit: Client) -> None:
    url = reverse("admin:jackpot_jackpotreading_add")
    for named in ("JP-9", "", "a\0b"):
        assert 'value="JP-9"' not in pit.get(url, {"jackpot": named}).content.decode()
