"""Tables as the floor's screens meet them, and forms filled in as a tablet would send them."""

from collections.abc import Mapping
from datetime import timedelta
from html.parser import HTMLParser
from typing import Any

from django.conf import settings
from django.test import Client
from django.urls import reverse

from casino import clock
from casino.facts.decks import DeckInspected
from casino.facts.partidas import DeckInUse, PartidaOpened
from casino.facts.shoes import CardsShuffled, DeckPasses
from casino.facts.shufflers import ShufflerLoaded, ShufflerRegistered
from casino.facts.staff import DutyBegun
from casino.facts.tables import StakeLimits, TableRegistered
from casino.gaming_day import gaming_day_at
from casino.models import BookEntry
from casino.queries import entry_told
from casino.recording import Actor, Receipt
from tests.casino.admin_tales import LONG_AGO, appoint, write

PIT = Actor("S-0187", "fiscal_de_banca", "sala")
MANAGER = Actor("S-0003", "chefia_da_sala", "admin")
CHEFE = "S-0021"
TABLE = "BJ-06"
DECKS = ("D-1", "D-2", "D-3", "D-4", "D-5", "D-6")
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


def a_table(dealing: Any = "shuffler", *, table: str = TABLE, mixed: bool = True) -> str:
    """A game opened two hours ago with six decks, shown whole, and shuffled by hand; its name."""
    at = clock.now() - 2 * HOUR
    day = gaming_day_at(at, settings.HOUSE_TIME_ZONE, settings.HOUSE_DAY_STARTS)
    here = {"table": table, "partida": f"{table}/{day.isoformat()}/1"}
    write(TableRegistered(table=table, boxes=7), by=MANAGER, at=LONG_AGO)
    machine: dict[str, Any] = {"maker": "Exemplo", "model": "Seis", "serial": "417"}
    machine |= {"approval": "118", "continuous": True}
    registered = ShufflerRegistered(shuffler="CSM-04", **machine)
    write(registered, by=MANAGER, at=LONG_AGO)
    opened = PartidaOpened(
        **here,
        rulebook="pt",
        limits=StakeLimits(minimum_cents=1000, maximum_cents=30000),
        decks=tuple(DeckInUse(deck=deck, back_colour="blue") for deck in DECKS),
        dealing=dealing,
        shuffler="CSM-04" if dealing == "shuffler" else None,
        fiscal_de_banca=PIT.staff,
        fiscal_chefe=CHEFE,
        pagador="P-104",
        jackpots=(),
    )
    write(opened, by=PIT, at=at)
    for deck in DECKS:
        found: dict[str, Any] = {"cards": 52, "order_complete": True, "faces": "regular"}
        found |= {"backs": "regular", "result": "conform", "spread_in_rows": True, "jokers": 0}
        shown = DeckInspected(**here, deck=deck, moment="exhibition", seal="intact", **found)
        write(shown, by=PIT, at=at + 5 * MINUTE)
    if mixed:
        passes = tuple(DeckPasses(deck=deck, passes=3) for deck in DECKS)
        by_hand = CardsShuffled(**here, shoe=1, decks=passes, method="by_hand")
        write(by_hand, by=PIT, at=at + 10 * MINUTE)
    return here["partida"]


def a_load(partida: str, *, ago: timedelta = HOUR) -> Receipt:
    """The machine loaded in three packets an hour ago, nobody confirmed it yet."""
    load = ShufflerLoaded(
        table=partida.partition("/")[0], partida=partida, shuffler="CSM-04", decks=DECKS,
        packets=3, operator="P-104", fiscal_chefe=CHEFE, reason="opening",
    )  # fmt: skip
    return write(load, by=PIT, at=clock.now() - ago)


def chefe_on_duty() -> None:
    """The fiscal-chefe holds his office and is on duty in the whole room."""
    appoint(CHEFE, "fiscal_chefe")
    begun = DutyBegun(staff=CHEFE, office="fiscal_chefe", tables=())
    write(begun, by=MANAGER, at=clock.now() - 3 * HOUR)


class _Form(HTMLParser):
    """What the page's form would send as it stands, nothing pressed."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: dict[str, Any] = {}
        self._inside = False
        self._select = self._area = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        if tag == "form":
            self._inside = "act-form" in (told.get("class") or "")
        if not self._inside:
            return
        name, value = told.get("name") or "", told.get("value") or ""
        if tag == "input":
            if told.get("type") not in ("radio", "checkbox") or "checked" in told:
                self.sent[name] = value
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select:
            if "selected" in told or self._select not in self.sent:
                self.sent[self._select] = value
        elif tag == "textarea":
            self._area, self.sent[name] = name, ""

    def handle_data(self, data: str) -> None:
        if self._area:
            self.sent[self._area] += data.lstrip("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._inside = False
        self._select = "" if tag == "select" else self._select
        self._area = "" if tag == "textarea" else self._area


def form_on(answer: Any) -> dict[str, Any]:
    """The fields of the form on a page, filled in as it is shown."""
    assert answer.status_code in (200, 409), answer.status_code
    form = _Form()
    form.feed(answer.content.decode())
    form.sent.pop("csrfmiddlewaretoken", None)
    return form.sent


def address(screen: str, *args: Any) -> str:
    """The address of a screen; of the table TABLE unless others are named."""
    return reverse(f"sala:{screen}", args=args or (TABLE,))


def fill(client: Client, url: str, **tapped: Any) -> dict[str, Any]:
    """The form at an address with what was tapped and typed."""
    return form_on(client.get(url)) | tapped


def send(client: Client, url: str, **tapped: Any) -> Any:
    """Open a screen, tap, send."""
    return client.post(url, fill(client, url, **tapped))


def checks_warned(answer: Any) -> list[str]:
    """What a page warns of before anything is recorded, by check."""
    assert answer.status_code == 200
    return str(form_on(answer).get("over", "")).split()


def over_it(client: Client, url: str, answer: Any, reason: str = "it-happened-so") -> Any:
    """Record what was warned of, with one tap on a reason."""
    return client.post(url, form_on(answer) | {"despite-all": reason})


def errors_on(answer: Any) -> dict[str, str]:
    """What a page refuses, by field."""
    return dict(answer.context["errors"])


def facts_of(kind: str) -> list[Any]:
    """The facts of a kind in the book, in its order."""
    entries = BookEntry.objects.filter(kind=kind).order_by("pk")
    told = [entry_told(entry.pk) for entry in entries]
    return [one.fact for one in told if one is not None]


def the_fact(kind: str) -> Any:
    """The one fact of a kind in the book."""
    facts = facts_of(kind)
    assert len(facts) == 1, facts
    return facts[0]


def entries() -> int:
    """How much the book holds."""
    return BookEntry.objects.count()


def told_in_full(sent: Mapping[str, Any]) -> dict[str, Any]:
    """A form's fields without its own."""
    own = ("key", "who", "seen", "at")
    return {name: value for name, value in sent.items() if name not in own}
