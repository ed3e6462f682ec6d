"""Every address the program answers to, as everybody: what is answered was typed beforehand.

The addresses are read off the program, what each role gets off tests/permissions.toml. Whoever adds
an address adds what it answers there, or this fails.
"""

from collections.abc import Iterator
from typing import Any, Final
from zlib import crc32

import pytest
from django.test import Client
from django.urls import reverse

from casino.admin.entry_page import author_of
from casino.models import BookEntry
from tests.casino.addresses import (
    ANONYMOUS,
    NO_FILE,
    SHELF_PAGES,
    House,
    has_sides,
    matrix,
    number_of,
    resolved,
    roles,
    shelf,
)
from tests.gate import SOAK

pytestmark = pytest.mark.django_db
ENTRANCE: Final = ("/admin/login/", "/sala/enter/")
SHELVES: Final = [
    pytest.param(name, row, id=name) for row in matrix()["shelf"] for name in row["names"]
]
ROUTES: Final = [
    pytest.param(row.get("name") or row["path"], row, id=row.get("name") or row["path"])
    for row in matrix()["route"]
]


def listed() -> Iterator[str]:
    """Every address that was typed."""
    for row in matrix()["shelf"]:
        yield from (f"admin:{name}_{page}" for name in row["names"] for page in SHELF_PAGES)
    yield from (row.get("name") or row["path"] for row in matrix()["route"])


def test_every_address_of_the_program_stands_in_the_matrix_and_none_that_is_gone() -> None:
    typed = list(listed())
    assert len(typed) == len(set(typed)), "an address stands there twice"
    assert sorted(set(resolved()) - set(typed)) == [], "type what these answer to whom"
    assert sorted(set(typed) - set(resolved())) == [], "these are gone"


def knock(
    client: Client, how: str, url: str, expected: int, who: str, *, public: bool = False
) -> None:
    """Ask, and compare. Who is led to the entrance is led there and nowhere else.

    What is `public` is shown to whoever is not logged in, who stays nobody.
    """
    before = BookEntry.objects.count()
    answer = getattr(client, how)(url)
    assert answer.status_code == expected, (who, how, url, answer.status_code, expected)
    if expected == 302 and who.startswith(ANONYMOUS):
        location = answer["Location"].partition("?")[0]
        assert location.startswith(ENTRANCE) or location in OPEN_TO_ALL, (who, how, url, location)
    if expected == 200 and who.startswith(ANONYMOUS):
        asked_who = 'type="password"' in answer.content.decode()
        assert asked_who is not public, (who, how, url)
        assert not (public and answer.cookies), (who, how, url)
    if how == "get" or expected in (403, 404):
        assert BookEntry.objects.count() == before, (who, how, url)


OPEN_TO_ALL: Final = ("/", "/admin/", "/law/pt/", "/sala/")


def hows(shelf_name: str, role: str, page: str) -> tuple[str, ...]:
    """How a shelf's page is asked for: every page is got by everybody.

    All shelves are served by one code, so `make test` sends a form to every fourth page of a role,
    to others on each shelf; `make soak` sends one to every page.
    """
    sent = SOAK or crc32(f"{shelf_name} {role} {page}".encode()) % 4 == 0
    return ("get", "post") if sent else ("get",)


@pytest.mark.parametrize(("name", "row"), SHELVES)
def test_a_shelf_opens_to_whom_the_matrix_says(name: str, row: dict[str, Any]) -> None:
    house = House()
    kind = shelf(name).kinds[0].kind if shelf(name).kinds else "card-burned/1"
    asked = f"?kind={kind.partition('/')[0]}"
    listing = {*row["reads"], *row["reads_own"], *row.get("lists", ())}
    for role in roles():
        client, closed = house.clients[role], 302 if role == ANONYMOUS else 403
        for page, query, opens in (("changelist", "", listing), ("add", asked, row["adds"])):
            expected = 200 if role in opens else closed
            for how in hows(name, role, page):
                knock(client, how, reverse(f"admin:{name}_{page}") + query, expected, role)
        for mine in (True, False):
            entry = house.entry(kind, mine, role)
            if entry is None:
                continue
            opens = role in row["reads"] or (mine and role in row["reads_own"])
            wrote = author_of(entry) == number_of(role)
            answers = {
                "change": ([entry.pk], 200 if opens else closed),
                "correct": ([entry.pk], 200 if opens and role in row["corrects"] else closed),
                "file": (
                    [entry.pk, NO_FILE],
                    404 if opens and (wrote or role in row["files"]) else closed,
                ),
            }
            for page, (args, expected) in answers.items():
                url = reverse(f"admin:{name}_{page}", args=args)
                for how in hows(name, role, f"{page} {mine}"):
                    knock(client, how, url, expected, f"{role}, {'own' if mine else 'another'}")


@pytest.mark.parametrize(("name", "row"), ROUTES)
def test_an_address_opens_to_whom_the_matrix_says(name: str, row: dict[str, Any]) -> None:
    house = House()
    about = row.get("about", "")
    for mine in (True, False) if has_sides(about) else (True,):
        url = house.address(name, about, mine)
        for role in roles():
            who = f"{role}, {'own' if mine else 'another'}"
            for how in ("get", "post"):
                expected = typed(row, role, how, mine=mine)
                public = row.get("public", False)
                knock(house.clients[role], how, url, expected, who, public=public)


def test_nothing_is_public_but_the_displays_of_the_progressive() -> None:
    public = [row["name"] for row in matrix()["route"] if row.get("public")]
    assert public == ["jackpot-displays", "jackpot-display", "jackpot-value"]


def typed(row: dict[str, Any], role: str, how: str, *, mine: bool) -> int:
    """What a role gets by the matrix."""
    if role == ANONYMOUS:
        return int(row.get(f"anonymous_{how}", row.get("anonymous", 302)))
    opens, own = row["open"], row.get("open_own", ())
    if how == "post":
        opens, own = row.get("posts", opens), row.get("posts_own", own)
    if role in opens or (mine and role in own):
        return int(row.get(how, {"get": 200, "post": 405}[how]))
    if role in row.get("nothing", ()):
        return 404
    if role in row.get("open_own", ()) and not mine:
        return int(row.get(f"at_another_{how}", row.get("at_another", row.get("closed", 403))))
    return int(row.get(f"closed_{how}", row.get("closed", 403)))
