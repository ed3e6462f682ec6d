"""Links to timelines: from what an entry names, and from the columns of a list that do."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple

from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from casino.access import access_policy
from casino.events.event import Event
from casino.events.naming import NAMING, things_named
from casino.events.round.round_played import RoundPlayed
from casino.web.words.place_words import PROGRAMS, author_word

Thing = Literal["partida", "table", "deck", "shuffler", "person"]
NAMES: Final[dict[Thing, Promise]] = {
    "partida": _("Partida"),
    "table": _("Table"),
    "deck": _("Deck"),
    "shuffler": _("Shuffler"),
    "person": _("Person"),
}
# What a list's column names; every other column names nothing that has a timeline.
_COLUMNS: Final[dict[str, Thing]] = {
    **NAMING,
    "partida_id": "partida",
    "table_code": "table",
    "at_table": "table",
    "tables": "table",
    "witness": "person",
}
_GAME: Final = "partida-opened/1"


class Timeline(NamedTuple):
    """A timeline an entry leads to: of what, its name, its address."""

    label: object
    name: str
    url: str


@lru_cache(maxsize=4096)
def timeline_url(thing: Thing, name: str) -> str:
    """The address of a timeline; '' for a name no address can hold (somebody altered a row)."""
    try:
        return reverse(f"timeline-{thing}", args=[name])
    except NoReverseMatch:
        return ""


def linked(thing: Thing, name: str) -> str | SafeString:
    """A name that leads to its timeline; a program's has none."""
    if thing == "person" and name in PROGRAMS:
        return author_word(name)
    url = timeline_url(thing, name)
    return format_html('<a class="alone nowrap" href="{}">{}</a>', url, name) if url else name


def column_linked(column: str, value: Any) -> SafeString | None:
    """A column of a list whose names lead to their timelines; None where it names nothing."""
    thing = _COLUMNS.get(column)
    names = value if isinstance(value, list) else [value]
    if thing is None or not names or not all(isinstance(one, str) and one for one in names):
        return None
    return format_html_join(", ", "{}", ((linked(thing, name),) for name in names))


def column_address(request: HttpRequest, column: str, name: str) -> str:
    """The timeline of what a column names; '' where it names nothing, or it is not open to him."""
    thing = _COLUMNS.get(column)
    return timeline_url(thing, name) if thing and opens(request, thing, name) else ""


def opens(request: HttpRequest, thing: Thing, name: str) -> bool:
    """Whether whoever reads an entry that names this may open its timeline."""
    if thing != "partida" or access_policy.reads(request, _GAME) == "all":
        return True
    return name in access_policy.own_partidas(request)


def timelines_of(
    request: HttpRequest, event: Event, partida: str, table: str, author: str
) -> Iterator[Timeline]:
    """Where an entry leads on to: the timelines of its game, its table and what it names."""
    named: dict[tuple[Thing, str], None] = {}
    if partida:
        named["partida", partida] = None
    if table:
        named["table", table] = None
    if isinstance(event, RoundPlayed):
        if event.dealer:
            named["person", event.dealer] = None
    else:
        named.update(dict.fromkeys(things_named(event)))
    if author not in PROGRAMS:
        named["person", author] = None
    for thing, name in named:
        url = timeline_url(thing, name)
        if url and opens(request, thing, name):
            yield Timeline(NAMES[thing], name, url)
