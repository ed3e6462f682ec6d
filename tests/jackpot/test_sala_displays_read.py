"""Who looks at a table, or closes it, is reminded while nobody recorded what its display showed.

No article says how often it is read: it is a reminder, and never a finding. Law: PT art. 41.
"""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from audit.models import Finding
from audit.pools.replaying import REPLAY
from casino import clock
from casino.events.partidas import PartidaClosed
from casino.models import BookEntry
from casino.recording import Receipt
from jackpot.events import JackpotRead
from tests.casino.sala_forms import checks_warned, errors_on, over_it, send
from tests.factories.floor import PIT, SHOE_TABLE, ago, game, house
from tests.factories.people import somebody, write
from tests.factories.pools import POOL, START_CENTS, approve, start
from tests.factories.recorded import the_event
from tests.jackpot.sala_pools import a_pool, collected, open_table
from tests.jobs_inline import do_jobs
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
TABLE = f"/sala/{SHOE_TABLE}/"
CLOSE = reverse("sala:close", args=[SHOE_TABLE])
READ = reverse("jackpot_sala:read", args=[SHOE_TABLE, POOL])
HINT = "Jackpot: nobody has read the display yet"


@recorded_once
def pit() -> Client:
    return somebody("fiscal_de_banca")


@recorded_once
def running_pool() -> None:
    """The house, a pool that runs, a table open with it."""
    a_pool()


def read(minutes: float = 5, **values: Any) -> Receipt:
    """Somebody recorded what the display showed."""
    event = JackpotRead(jackpot=values.pop("jackpot", POOL), display_cents=START_CENTS, **values)
    return write(event, by=PIT, at=ago(minutes))


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
    assert item.url == READ
    assert pit.get(READ).status_code == 200


@pytest.mark.usefixtures("running_pool")
@pytest.mark.parametrize("where", ["game", "table", "house"])
def test_article_41_a_reading_is_enough(pit: Client, where: str) -> None:
    recorded: dict[str, dict[str, str]] = {
        "game": game(),
        "table": {"table": SHOE_TABLE},
        "house": {},
    }
    read(**recorded[where])
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


# What is read is recorded on the floor, and held against the book


@pytest.mark.usefixtures("running_pool")
def test_article_41_a_reading_is_told_on_the_floor_with_a_way_back(pit: Client) -> None:
    page = pit.get(READ).content.decode()
    assert f'href="{TABLE}"' in page
    answer = send(pit, READ, display_cents="25000,00")
    assert (answer.status_code, answer["Location"].partition("?")[0]) == (303, TABLE)
    event = the_event(JackpotRead.kind)
    assert (event.display_cents, event.table, event.partida) == (
        START_CENTS,
        SHOE_TABLE,
        game()["partida"],
    )
    assert event.despite == ()
    ways = [one.words for one in pit.get(TABLE).context["steps"]]
    assert "Jackpot: read the display" in ways  # and can be recorded again


@pytest.mark.usefixtures("running_pool")
@pytest.mark.parametrize("read", ["25000,01", "24999,99", "25010"])
def test_article_41_a_reading_off_by_a_cent_is_warned_of_and_found_after_the_closing(
    pit: Client, read: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = send(pit, READ, display_cents=read)
    assert checks_warned(answer) == ["jackpot_display_shows_the_meter"]
    assert "n.º 41" in answer.content.decode()
    assert over_it(pit, READ, answer).status_code == 303
    assert the_event(JackpotRead.kind).despite[0].check == "jackpot_display_shows_the_meter"
    write(PartidaClosed(**game(), rounds=0, reason="end_of_day"), by=PIT)
    do_jobs(topic=PartidaClosed.kind)
    assert not Finding.objects.filter(article="41").exists()  # chips may be under way still
    monkeypatch.setenv("CLOCK_OFFSET", "360")
    do_jobs(topic=REPLAY)
    assert Finding.objects.filter(article="41", check_name__contains="display").count() == 1


@pytest.mark.usefixtures("running_pool")
def test_article_41_chips_told_just_now_may_not_be_shown_yet(pit: Client) -> None:
    collected(2, 5)
    assert send(pit, READ, display_cents="25000,00").status_code == 303
    assert send(pit, READ, display_cents="25000,12").status_code == 303
    assert checks_warned(send(pit, READ, display_cents="25000,13"))


@pytest.mark.usefixtures("running_pool")
@pytest.mark.parametrize("typed", ["", "muito", "-1", "1.9999"])
def test_what_is_no_amount_is_refused_beside_its_field(pit: Client, typed: str) -> None:
    assert "display_cents" in errors_on(send(pit, READ, display_cents=typed))


@pytest.mark.usefixtures("running_pool")
def test_a_reading_just_recorded_can_be_said_not_to_have_happened(pit: Client) -> None:
    answer = send(pit, READ, display_cents="25000,00")
    assert answer.status_code == 303, errors_on(answer)
    entry = BookEntry.objects.get(kind=JackpotRead.kind)
    page = f"/sala/entry/{entry.pk}/withdraw/"
    assert f'href="{page}">This did not happen' in pit.get(answer["Location"]).content.decode()
    assert "Ask for the withdrawal" in pit.get(page).content.decode()
