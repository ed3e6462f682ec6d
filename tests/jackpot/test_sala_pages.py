"""What the progressive's screens cost, and what they do with junk."""

from typing import Final

import pytest
from django.test import Client

from casino.models import BookEntry
from tests.casino.junk import JUNK, STRANGE, fields_of, post, says_something, some, undone
from tests.casino.page_weight import MOST, QUERIES, asked, weight
from tests.casino.sala_forms import form_on
from tests.factories.floor import SHOE_TABLE
from tests.factories.people import somebody
from tests.factories.pools import ACE_JACK, SEVENS, TOP
from tests.jackpot.sala_pools import a_pool, a_win, collect_at, collected, hit_at, played, won_at
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
OF_A_POOL: Final = QUERIES + 12  # its terms, its last seal, what came since and what is held
TABLE_PAGE: Final = f"/sala/{SHOE_TABLE}/"


@recorded_once
def pit() -> Client:
    return somebody("fiscal_de_banca")


def pages(rounds: int = 3) -> dict[str, str]:
    """Every screen of a pool in the middle of an evening."""
    a_pool()
    for number in range(1, rounds + 1):
        played(number)
        collected(2, 5, shoe=1, number=number + 1)
    hit = a_win((2, ACE_JACK), (3, SEVENS), (5, TOP), shoe=1, number=rounds + 1)
    return {
        "collect": collect_at(),
        "won": won_at(),
        "hit": hit_at(hit.n),
        "table": TABLE_PAGE,
        "floor": "/sala/",
    }


def test_every_page_arrives_within_sixty_kilobytes_with_all_it_names(pit: Client) -> None:
    heavy = {name: weight(pit, address) for name, address in pages().items()}
    assert {name: bytes_ for name, bytes_ in heavy.items() if bytes_ > MOST * 5 // 6} == {}


def test_a_longer_evening_asks_no_more_of_the_book(
    pit: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What a process keeps of a meter is asked for again after a second: on a slow machine once more
    # in one of the two looks than in the other.
    monkeypatch.setattr("jackpot.pages.shown.HOLD", 3600.0)
    few = {name: asked(pit, address) for name, address in pages(2).items()}
    for number in range(3, 25):
        played(number)
        collected(2, 5, shoe=1, number=number + 1)
    addresses = {"collect": collect_at(), "won": won_at(), "table": TABLE_PAGE, "floor": "/sala/"}
    many = {name: asked(pit, address) for name, address in addresses.items()}
    assert {name: (few[name], many[name]) for name in many if many[name] > few[name]} == {}
    most = {"table": QUERIES + 2, "floor": QUERIES}  # two for what is held
    assert {name: n for name, n in few.items() if n > most.get(name, OF_A_POOL)} == {}


def test_the_automatic_page_is_as_light(pit: Client) -> None:
    a_pool(marking="automatic")
    assert weight(pit, collect_at()) <= MOST * 5 // 6
    assert asked(pit, collect_at()) <= OF_A_POOL


def test_junk_in_every_field_at_once_stores_nothing(pit: Client) -> None:
    screens = pages()
    for name, junk in some(("collect", "won", "hit"), JUNK, 4).items():
        page, before = pit.get(screens[name]), BookEntry.objects.count()
        own, fields = form_on(page), fields_of(page)
        for what in junk:
            with undone():
                answer = post(pit, screens[name], own | dict.fromkeys(fields, JUNK[what]))
                assert answer.status_code < 500, (name, what)
                assert answer.status_code != 303, (name, what)
                assert BookEntry.objects.count() == before, (name, what)
                assert says_something(answer), (name, what)
                assert "<script>alert" not in answer.content.decode(), (name, what)


def test_strange_addresses_are_no_pages(pit: Client) -> None:
    a_pool()
    for strange in STRANGE:
        for url in (
            f"/sala/{SHOE_TABLE}/jackpot/{strange}/",
            f"/sala/{strange}/jackpot/JP-1/won/",
            f"/sala/{SHOE_TABLE}/jackpot/JP-1/win/{strange}/",
            f"/sala/{SHOE_TABLE}/jackpot/{strange}/win/1/",
        ):
            assert pit.get(url).status_code in (200, 403, 404), url
