"""S2: the pools a table is opened with are tapped, not typed."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from casino.events.partidas import PartidaClosed, PartidaOpened
from tests.casino.sala_forms import errors_on, form_on
from tests.factories.floor import PIT, SHOE_TABLE, ago, game, house, yesterday
from tests.factories.people import somebody, write
from tests.factories.pools import POOL, approve, start
from tests.factories.recorded import events_of
from tests.flat_html import flat
from tests.jackpot.sala_pools import every_field, open_table, over
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
OPEN = reverse("sala:open", args=[SHOE_TABLE])


@recorded_once
def pit() -> Client:
    house()
    return somebody("fiscal_de_banca")


def pools_on(client: Client) -> dict[str, bool]:
    """The pools offered, and whether each is tapped already."""
    text = flat(client.get(OPEN))
    tiles = re.findall(r'name="jackpots" value="([^"]+)"( checked)?', text)
    return {pool: bool(tapped) for pool, tapped in tiles}


def opened_with(client: Client, *pools: str) -> tuple[str, ...] | None:
    """The table is opened with these pools tapped: what the book tells of them."""
    form = every_field(client.get(OPEN))
    form |= {"decks": [" ".join(f"D-012{n}" for n in range(1, 7))], "unreceived": ["1"]}
    form |= {"rulebook": ["pt"], "dealing": ["shoe"], "jackpots": list(pools)}
    form |= {"minimum": ["10"], "maximum": ["300"]}
    answer = client.post(OPEN, form)
    if answer.status_code == 200 and not errors_on(answer):
        answer = over(client, OPEN, answer)
    assert answer.status_code == 303, errors_on(answer)
    event: PartidaOpened = events_of("partida-opened/1")[-1]
    return event.jackpots


def test_a_house_without_pools_is_not_asked_for_any(pit: Client) -> None:
    assert pools_on(pit) == {}
    assert "Progressive jackpot" not in flat(pit.get(OPEN))
    assert not opened_with(pit)


def test_the_pools_there_are_are_offered_and_none_is_tapped_the_first_time(pit: Client) -> None:
    approve()
    start("JP-2")
    assert pools_on(pit) == {POOL: False, "JP-2": False}
    assert opened_with(pit, POOL) == (POOL,)


def test_two_pools_are_two_taps_and_both_are_carried_over_a_warning(pit: Client) -> None:
    approve()
    start("JP-2")
    assert opened_with(pit, POOL, "JP-2") == (POOL, "JP-2")


def test_those_of_the_last_time_are_tapped_even_where_there_is_no_such_pool(pit: Client) -> None:
    approve()
    approve("JP-2")
    open_table(jackpots=(POOL, "JP-9"))
    write(PartidaClosed(**game(), rounds=0, reason="end_of_day"), by=PIT, at=ago(10))
    assert pools_on(pit) == {POOL: True, "JP-2": False, "JP-9": True}


def test_a_slip_of_the_finger_is_no_pool(pit: Client) -> None:
    approve()
    yesterday()
    answer = pit.post(OPEN, form_on(pit.get(OPEN)) | {"jackpots": "JP1"})
    assert list(errors_on(answer)) == ["jackpots"]
    assert "There is no pool JP1: tap one there is." in errors_on(answer)["jackpots"]
    page = flat(answer)
    assert 'href="#id_jackpots"' in page
    assert 'id="id_jackpots"' in page
