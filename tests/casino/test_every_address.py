"""Every address the program answers to, as everybody: what is answered was typed beforehand.

The addresses are read off the program, what each role gets off tests/permissions.toml. Whoever adds
an address adds what it answers there, or this fails.

`make test` knocks at each page of one list, drawn by the commit, of each set of those let in, as
every role: all lists are served by one code. At every other address it knocks as one of those who
get the same there, and as every role at one address of each set of rights. Forms are sent to some
of them. `make check` knocks everywhere as every role, and `make soak` sends a form to every page.
"""

from collections.abc import Iterator
from datetime import timedelta
from itertools import product
from typing import Any, Final
from zlib import crc32

import pytest
from django.test import Client
from django.urls import resolve, reverse

from casino.models import BookEntry
from casino.web.entries.entry_page import PAGES, author_of
from casino.web.monitoring import readiness
from tests.casino.addresses import (
    ANONYMOUS,
    NO_FILE,
    PROJECTION_PAGES,
    House,
    has_sides,
    matrix,
    number_of,
    projection,
    resolved,
    roles,
)
from tests.gate import SOAK, drawn
from tests.stages import recorded_once


@recorded_once
def house() -> House:
    return House()


@pytest.fixture(autouse=True)
def nobody_is_idle(house: House, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clients of the house are asked for as long as the tests take: no tablet is locked.

    After the house, whose database brings the settings of all tests: else they went with this one.
    """
    settings.HOUSE_TABLET_LOCKS = timedelta(0)
    # Nor is anything of it sent, placed or signed meanwhile.
    monkeypatch.setattr(readiness, "waits", lambda *_: None)


pytestmark = pytest.mark.usefixtures("house")
ENTRANCE: Final = ("/admin/login/", "/sala/enter/")
BOOK: Final = "admin:casino_bookentry_change"
# What decides who is let in, by the page of a list.
DECIDES: Final = {
    "changelist": ("reads", "reads_own", "lists"),
    "csv": ("reads", "reads_own", "lists"),
    "add": ("adds",),
    "change": ("reads", "reads_own"),
    "correct": ("reads", "reads_own", "corrects"),
    "file": ("reads", "reads_own", "files"),
}


def decided(case: tuple[str, str, dict[str, Any]]) -> tuple[Any, ...]:
    """A page of a list, and those the matrix lets in."""
    page, _, row = case
    return (page, *(tuple(row.get(right, ())) for right in DECIDES[page]))


PROJECTIONS: Final = [(name, row) for row in matrix()["shelf"] for name in row["names"]]
WALKED: Final = [
    pytest.param(*case, id=f"{case[1]}-{case[0]}")
    for case in drawn([(page, *each) for each in PROJECTIONS for page in DECIDES], 1, kind=decided)
]
ROUTES: Final = [(row.get("name") or row["path"], row) for row in matrix()["route"]]
NAMED: Final = ("name", "path", "about")


def answered(case: tuple[tuple[str, dict[str, Any]], str]) -> tuple[str, str]:
    """A role, and what the matrix says of an address."""
    (_, row), role = case
    return role, repr(sorted((key, row[key]) for key in row if key not in NAMED))


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


def outcome(case: tuple[tuple[str, dict[str, Any]], str]) -> tuple[str, int, int]:
    """An address, and what a role gets there at his own table and at another's."""
    (name, row), role = case
    return name, typed(row, role, "get", mine=True), typed(row, role, "get", mine=False)


def pairs(cases: list[tuple[tuple[str, dict[str, Any]], str]]) -> set[tuple[str, str]]:
    """The addresses and roles of cases."""
    return {(name, role) for (name, _), role in cases}


EVERYBODY: Final = list(product(ROUTES, roles()))
# Who sends a form where: every role to one address, drawn by the commit, of each set of rights.
POSTED: Final = pairs(drawn(EVERYBODY, 1, kind=answered))
# Who looks where: these, and at every address one of those who get the same there.
ASKED: Final = POSTED | pairs(drawn(EVERYBODY, 1, kind=outcome))


def listed() -> Iterator[str]:
    """Every address that was typed."""
    for row in matrix()["shelf"]:
        yield from (f"admin:{name}_{page}" for name in row["names"] for page in PROJECTION_PAGES)
    yield from (row.get("name") or row["path"] for row in matrix()["route"])
    for noun, kind in matrix()["nouns"].items():  # walked through by test_api_rights.py
        yield f"api:{noun}"
        if noun not in matrix()["only_read"]:
            yield f"api:{noun}-preview"
        if kind != "withdrawal-asked/1":
            yield f"api:{noun}-one"


def test_every_address_of_the_program_stands_in_the_matrix_and_none_that_is_gone() -> None:
    typed = list(listed())
    assert len(typed) == len(set(typed)), "an address stands there twice"
    assert sorted(set(resolved()) - set(typed)) == [], "type what these answer to whom"
    assert sorted(set(typed) - set(resolved())) == [], "these are gone"


ROWS: Final = matrix()["row"]
RIGHTS: Final = ("create", "read", "read_own")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row["what"]))
def test_a_kind_and_its_list_have_the_same_rights(row: dict[str, Any]) -> None:
    """A list that holds kinds of several rights opens to whoever may do it with one of them."""
    projections, of_kind = dict(PROJECTIONS), {one: of for of in ROWS for one in of["kinds"]}
    for kind in row["kinds"]:
        reverse("admin:index")  # what has a page registers when the addresses are first asked for
        name = PAGES[kind].removeprefix("admin:").removesuffix("_change")
        there = [of_kind[one.kind] for one in projection(name).kinds if one.kind in of_kind]
        assert row in there
        has = [set(projections[name][right]) for right in ("adds", "reads", "reads_own")]
        asked = [{office for of in there for office in of[right]} for right in RIGHTS]
        assert has == asked, kind
        corrected = {office for of in there if of.get("corrected", True) for office in of["create"]}
        assert set(projections[name]["corrects"]) == corrected, kind


def knock(
    client: Client, how: str, url: str, expected: int, who: str, *, public: bool = False
) -> None:
    """Ask, and compare. Who is led to the entrance is led there and nowhere else.

    What is `public` is shown to whoever is not logged in, who stays nobody.
    """
    before = BookEntry.objects.count()
    if (
        how == "post"
        and expected == 302
        and (resolve(url.partition("?")[0]).url_name or "").endswith(KEPT)
    ):
        expected = 403
    answer = getattr(client, how)(url)
    assert answer.status_code == expected, (who, how, url, answer.status_code, expected)
    if expected == 302 and who.startswith(ANONYMOUS):
        location = answer["Location"].partition("?")[0]
        assert location.startswith(ENTRANCE) or location in OPEN_TO_ALL, (who, how, url, location)
    if expected == 200 and who.startswith(ANONYMOUS):
        asked_who = 'type="password"' in answer.content.decode()
        assert asked_who is not public, (who, how, url)
        assert not (public and answer.cookies), (who, how, url)
    name = resolve(url.partition("?")[0]).url_name or ""
    recorded = int(expected == 200 and name.endswith(TAKEN_OUT))
    if how == "get" or recorded or expected in (403, 404):
        assert BookEntry.objects.count() == before + recorded, (who, how, url)


# A list that is taken out as a file is an entry, whoever takes it.
TAKEN_OUT: Final = ("csv",)
# Where a form sent by nobody waits at the entrance, which is shown in its place.
KEPT: Final = ("_add", "_correct")
OPEN_TO_ALL: Final = ("/", "/admin/", "/law/pt/", "/sala/")


def hows(projection_name: str, role: str, page: str) -> tuple[str, ...]:
    """How a projection's page is asked for: got by everybody, and some are sent a form."""
    sent = SOAK or crc32(f"{projection_name} {role} {page}".encode()) % 4 == 0
    return ("get", "post") if sent else ("get",)


@pytest.mark.share
@pytest.mark.parametrize(("page", "name", "row"), WALKED)
def test_a_shelf_opens_to_whom_the_matrix_says(
    page: str, name: str, row: dict[str, Any], house: House
) -> None:
    # Of a kind in two versions the first that is named is the one people record.
    kinds = {one.kind.split("/")[0]: one.kind for one in reversed(projection(name).kinds)}
    for kind in list(kinds.values()) or ["card-burned/1"]:
        for role in roles():
            if page in ("changelist", "csv", "add"):
                # A list of several rights: whoever may record another kind of it than is asked.
                opens = writers(kind, row) if page == "add" else listing(row)
                if page == "csv":
                    opens &= {*matrix()["take_lists"]}
                asked = f"?kind={kind.partition('/')[0]}" if page == "add" else ""
                url = reverse(f"admin:{name}_{page}") + asked
                expected = 200 if role in opens else closed(role)
                for how in hows(name, role, page):
                    knock(house.clients[role], how, url, expected, role)
                continue
            for mine in (True, False):
                entry = house.entry(kind, mine, role)
                if entry is not None:
                    at_an_entry(house.clients[role], page, name, row, role, entry, mine=mine)


def writers(kind: str, row: dict[str, Any]) -> set[str]:
    """Of those who may add to a list, whoever may record this kind by a form."""
    of_kind = next((of["create"] for of in ROWS if kind in of["kinds"]), row["adds"])
    return {*of_kind} & {*row["adds"]}


def listing(row: dict[str, Any]) -> set[str]:
    """Who sees a list."""
    return {*row["reads"], *row["reads_own"], *row.get("lists", ())}


def closed(role: str) -> int:
    """What a role gets where it may not go."""
    return 302 if role == ANONYMOUS else 403


def at_an_entry(
    client: Client,
    page: str,
    name: str,
    row: dict[str, Any],
    role: str,
    entry: BookEntry,
    *,
    mine: bool,
) -> None:
    """Knock at a page of an entry."""
    opens = role in row["reads"] or (mine and role in row["reads_own"])
    files = row.get("files_of", {}).get(entry.kind, row["files"])
    private = author_of(entry) == number_of(role) or role in files
    lets_in = {
        "change": opens,
        "correct": opens and role in row["corrects"],
        "file": opens and private,
    }
    expected = (404 if page == "file" else 200) if lets_in[page] else closed(role)
    who = f"{role}, {'own' if mine else 'another'}"
    url = reverse(f"admin:{name}_{page}", args=[entry.pk, *([NO_FILE] * (page == "file"))])
    for how in hows(name, role, f"{page} {mine}"):
        knock(client, how, url, expected, who)
    if page == "change" and not mine:  # its page among all entries opens to nobody else
        knock(client, "get", reverse(BOOK, args=[entry.pk]), expected, who)


@pytest.mark.share
@pytest.mark.parametrize(("name", "row"), [pytest.param(*each, id=each[0]) for each in ROUTES])
def test_an_address_opens_to_whom_the_matrix_says(
    name: str, row: dict[str, Any], house: House
) -> None:
    about = row.get("about", "")
    for mine in (True, False) if has_sides(about) else (True,):
        url = house.address(name, about, mine)
        for role in [role for role in roles() if (name, role) in ASKED]:
            who = f"{role}, {'own' if mine else 'another'}"
            for how in ("get", "post") if (name, role) in POSTED else ("get",):
                expected = typed(row, role, how, mine=mine)
                public = row.get("public", False)
                knock(house.clients[role], how, url, expected, who, public=public)


def test_nothing_is_public_but_the_displays_the_probes_and_the_verification_of_a_document() -> None:
    public = [row["name"] for row in matrix()["route"] if row.get("public")]
    displays = ["jackpot-displays", "jackpot-display", "jackpot-value"]
    assert public == ["verify-document", *displays, "healthz", "readyz", "readyz-records"]
