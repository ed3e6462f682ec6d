"""What waits for somebody: one list for each person, and its count on every page.

Each room tells of its own. A room is named in settings (TODO): a function ``(now, tables)`` that
yields a `Todo` for everything that waits at these tables, or with None in the whole house, whoever
does it; here it is asked what of it is whose. What is recorded once under the same `what` and `of`
is not recorded again by another room.
"""

import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from threading import Lock
from typing import Final, NamedTuple

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from casino import clock
from casino.access import access_policy
from casino.access.offices_held import offices_of
from casino.events.event_policy import FLOOR, HEADS
from casino.extensions import extensions
from casino.floor.floor_access import floor_page
from casino.floor.floor_page import shown
from casino.floor.persons.quick_change import last_sent, on_the_floor, sent_to
from casino.web.words.field_words import word

# The heads of all streams and what is held, as one: it changes with whatever is recorded or sent.
_HEADS: Final = """SELECT sha256(coalesce(string_agg(head_hash, ''::bytea ORDER BY id), '')
    || (SELECT coalesce(string_agg(uuid_send(key) || timestamptz_send(coalesce(failed_at, due_at)),
        ''::bytea ORDER BY key), '') FROM casino_held_record)) FROM book_stream"""
_LASTS: Final = timedelta(minutes=1)  # what only time changes


@dataclass(frozen=True, slots=True, kw_only=True)
class Todo:
    """One thing that waits for somebody.

    `what` is its kind and `of` its number, or what else it is about; with its table and its game
    they name it, or `key` does where `of` is the same of several.
    `words` and `do` may be lazy: they are read in the language of whoever asks. `until` is None
    where nobody says until when. `url` is where it is done. `offices` are those it is for, of these
    `only` one person where it is his alone, and none of `never`, who may not do it (his own act).
    `over`: of a game that was closed. `by_the_floor`: an act on the floor may begin or end it.
    """

    what: str
    words: object
    do: object
    url: str
    since: datetime
    offices: frozenset[str]
    of: object = ""
    key: str = ""
    until: datetime | None = None
    article: str = ""
    table: str = ""
    partida: str = ""
    only: str = ""
    never: frozenset[str] = frozenset()
    over: bool = False
    by_the_floor: bool = True

    @property
    def whose(self) -> str:
        """Whose it is, in words: a person, or the offices that do it."""
        return self.only or ", ".join(sorted(str(word(office)) for office in self.offices))


class Kept(NamedTuple):
    """A list as this process read it last, when, and the book it was read from."""

    book: bytes
    at: datetime
    todos: list[Todo]


# The lists of this process: "" the whole house's, the others by their tables.
kept: Final[dict[str, Kept]] = {}
_MOST: Final = 200  # lists kept: an address may name a table there is not
_reading: Final = Lock()  # one thread reads the whole, the others wait for what it reads


def everything(
    now: datetime, *, patience: timedelta = timedelta(0), tables: Collection[str] = ()
) -> list[Todo]:
    """What waits in the whole house, each thing once.

    With some `patience` a list that is so old may be given, whatever was recorded since: every page
    asks, and at a busy hour something is recorded every second. Of these `tables` it is never
    older than that, while the rest, and what no act on the floor changes, may be as old as any
    page's.
    """
    last = kept.get("")
    if last is not None:
        old = abs(now - last.at)
        if old < patience:
            return last.todos
        if tables and old < timedelta(seconds=settings.TODO_PATIENCE):
            rest = [one for one in last.todos if one.table not in tables or not one.by_the_floor]
            return [*rest, *_of_this_book(now, tables)]
    with _reading:
        last = kept.get("")
        if last is not None and abs(now - last.at) < patience:
            return last.todos  # another thread read it while this one waited
        return _of_this_book(now)


def book_now() -> bytes:
    """A digest of the book and of what is held: another one after whatever is recorded or sent."""
    with connection.cursor() as cursor:
        cursor.execute(_HEADS)
        return bytes(cursor.fetchone()[0] or b"")


def _of_this_book(now: datetime, tables: Collection[str] = ()) -> list[Todo]:
    """What waits at these tables, or everywhere: read anew where the book is another by now."""
    name = " ".join(sorted(tables))
    last, book = kept.get(name), book_now()
    if last is None or last.book != book or abs(now - last.at) >= _LASTS:
        if len(kept) >= _MOST:
            for other in set(kept) - {""}:
                kept.pop(other, None)
        last = kept[name] = Kept(book, now, _read(now, tables or None))
    return last.todos


def _read(now: datetime, tables: Collection[str] | None) -> list[Todo]:
    found: dict[tuple[str, ...], Todo] = {}
    for package in extensions():
        for one in package.todos(now, tables):
            if tables is None or one.table in tables:
                named = (one.what, one.table, one.partida, one.key or str(one.of))
                found.setdefault(named, one)
    return list(found.values())


def todos_of(
    request: HttpRequest,
    now: datetime,
    *,
    patience: timedelta = timedelta(0),
    tables: Collection[str] = (),
) -> list[Todo]:
    """What waits for whoever asks, at his tables; first what is late, then what is due soonest."""
    held = offices_of(request) & FLOOR
    if not held:
        return []
    me = request.user.get_username().casefold()
    mine = [
        one
        for one in everything(now, patience=patience, tables=tables)
        if one.offices & held
        and one.only.casefold() in ("", me)
        and me not in {person.casefold() for person in one.never}
    ]
    if not held & HEADS:
        mine = [one for one in mine if one.only or _is_his(request, one)]
    return sorted(mine, key=lambda todo: (todo.until is None, todo.until or todo.since, todo.since))


def _is_his(request: HttpRequest, todo: Todo) -> bool:
    """Whether it is of a game a fiscal de banca answers for, or of a table he is on duty at."""
    on_duty = access_policy.duty_tables(request)
    there = on_duty is not None and (not on_duty or todo.table in on_duty)
    return bool(todo.table) and (there or todo.partida in access_policy.own_partidas(request))


def left_at(todos: Iterable[Todo]) -> dict[str, int]:
    """By table, how much its closed games left open."""
    found: dict[str, int] = {}
    for one in todos:
        if one.over and one.table:
            found[one.table] = found.get(one.table, 0) + 1
    return found


class Badge:
    """How much waits for whoever asks: asked of the book only where a page shows it."""

    def __init__(self, request: HttpRequest) -> None:
        self._request = request

    @property
    def url(self) -> str:
        """The list."""
        return reverse("sala:todo")

    @cached_property
    def count(self) -> int | None:
        """How many things; None for whoever has no such list."""
        request = self._request
        if not getattr(request, "user", None) or not request.user.is_authenticated:
            return None
        if not offices_of(request) & FLOOR:
            return None
        patience = patience_of(request, settings.TODO_PATIENCE)
        here = request.resolver_match.kwargs.get("table") if request.resolver_match else None
        tables = (here,) if here else sent_to(request)
        return len(todos_of(request, clock.now(), patience=patience, tables=tables))


def patience_of(request: HttpRequest, seconds: float) -> timedelta:
    """How old a list may be that is shown him: so many seconds, and on the floor no older than what
    his tablet sent.
    """
    since = time.time() - last_sent(request) if on_the_floor(request) else seconds
    return timedelta(seconds=max(0.0, min(seconds, since)))


def badge(request: HttpRequest) -> dict[str, object]:
    """For the templates of every page (settings.TEMPLATES)."""
    return {"todo": Badge(request)}


@floor_page(FLOOR, reads_only=True)
def todo_view(request: HttpRequest) -> HttpResponse:
    """What waits for whoever asks."""
    now = clock.now()
    todos = todos_of(request, now)
    return shown(request, "sala/todo.html", {"todos": todos})
