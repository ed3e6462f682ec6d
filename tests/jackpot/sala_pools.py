"""A table of the floor whose partida feeds a pool, and the progressive's screens used by taps."""

from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any, Final
from uuid import uuid4

from django.test import Client
from django.urls import reverse

from casino.events.round.round_played import Box, RoundPlayed
from casino.events.staff import DutyBegun
from casino.recording import Actor, Receipt
from jackpot.events import JackpotChip, JackpotIncremented, JackpotPaid, JackpotWinner, JackpotWon
from jackpot.models import JackpotPayment, JackpotWin
from jackpot.queries import pool_now
from tests.casino.sala_forms import form_on
from tests.factories.floor import PIT, SHOE_TABLE, ago, game, house, opening
from tests.factories.people import CAST, somebody, write
from tests.factories.pools import ACE_JACK, POOL, approve, ref, start
from tests.factories.rounds import a_round, box, main

MANAGER: Final = Actor(CAST["chefia_da_sala"], "chefia_da_sala", "admin")


def collect_at(table: str = SHOE_TABLE, jackpot: str = POOL) -> str:
    """S10."""
    return reverse("jackpot_sala:collect", args=[table, jackpot])


def won_at(table: str = SHOE_TABLE, jackpot: str = POOL) -> str:
    """S11, the win."""
    return reverse("jackpot_sala:won", args=[table, jackpot])


def hit_at(hit: int, table: str = SHOE_TABLE, jackpot: str = POOL) -> str:
    """S11, the payments of a win."""
    return reverse("jackpot_sala:hit", args=[table, jackpot, hit])


def open_table(table: str = SHOE_TABLE, jackpots: tuple[str, ...] = (POOL,)) -> None:
    """A partida opened fifty minutes ago, whose opening names these pools."""
    write(replace(opening(table), jackpots=jackpots), by=PIT, at=ago(50))


def a_pool(**terms: Any) -> None:
    """The house, a pool with terms in force and its starting value, a table open with it."""
    house()
    approve(**terms)
    start()
    open_table()


def played(
    number: int, *boxes: Box, table: str = SHOE_TABLE, minutes: int = 1, **values: Any
) -> str:
    """A round at seats 2 and 5 unless others are recorded; its UUID."""
    values.setdefault("times", None)
    values.setdefault("seats_occupied", (2, 5))
    at_boxes = boxes or (at_box(2, "J7"), at_box(5, "J9"))
    event: RoundPlayed = a_round(*at_boxes, bank="TH 7C", shoe=1, number=number, **values)
    event = replace(event, round=str(uuid4()), **game(table))
    write(event, by=PIT, at=ago(minutes))
    return event.round


def at_box(number: int, owner: str) -> Box:
    """Ten euros won at a box by whoever sits there."""
    return box(number, "TS 8D", main(1000, 2000, owner, seat=number))


def collected(*seats: int, table: str = SHOE_TABLE, **values: Any) -> Receipt:
    """An increment of one chip from each of these seats, told without a screen."""
    chips = tuple(JackpotChip(box=n, owner=f"J{n}", n=1, seat=n, marked=True) for n in seats)
    event = JackpotIncremented(
        **game(table),
        jackpot=POOL,
        chips=chips,
        chip_cents=250,
        closing_called=True,
        collected_before_deal=True,
        **values,
    )
    return write(event, by=PIT, at=ago(2))


def a_win(*winners: tuple[int, str], table: str = SHOE_TABLE, **values: Any) -> Receipt:
    """Seats and what their cards made, told without a screen; the cards lie open."""
    event = JackpotWon(
        **game(table),
        jackpot=POOL,
        winners=tuple(
            JackpotWinner(owner=f"J{seat}", box=seat, code=code, seat=seat)
            for seat, code in winners
        ),
        running_microcents=running(),
        **({"opened_at": ago(1)} | values),
    )
    return write(event, by=PIT, at=ago(1))


def running() -> int:
    """What the meter runs at, in microcents."""
    return pool_now(POOL).meter.running


def on(client: Client, url: str, **tapped: str | Sequence[str]) -> dict[str, Any]:
    """The form at an address, with what was tapped and typed, and what its button says."""
    return pressed(client.get(url)) | tapped


def pressed(answer: Any) -> dict[str, Any]:
    """The form on a page with its large button pressed, which may say something of its own."""
    page = _Primary()
    page.feed(answer.content.decode())
    return form_on(answer) | page.says


class _Primary(HTMLParser):
    """What the large button of the page's form says beside what is filled in."""

    def __init__(self) -> None:
        super().__init__()
        self.says: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "button" and values.get("class") == "primary" and "name" in values:
            self.says[values["name"] or ""] = values.get("value") or ""


class _Every(HTMLParser):
    """What the page's form would send as it stands, every value of a field."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: dict[str, list[str]] = {}
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "form":
            self._inside = "act-form" in (values.get("class") or "")
        if tag == "input" and self._inside:
            if values.get("type") not in ("radio", "checkbox") or "checked" in values:
                self.sent.setdefault(values.get("name") or "", []).append(values.get("value") or "")

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag != "form"


def every_field(answer: Any) -> dict[str, list[str]]:
    """The fields of the form on a page, each with all its values: seats are several."""
    form = _Every()
    form.feed(answer.content.decode())
    form.sent.pop("csrfmiddlewaretoken", None)
    return form.sent


def over(client: Client, url: str, answer: Any) -> Any:
    """Record what was warned of, with one tap on a reason."""
    return client.post(url, every_field(answer) | {"despite-all": ["it-happened-so"]})


def tap(client: Client, url: str, **tapped: str | Sequence[str]) -> Any:
    """Open a screen, tap, send."""
    return client.post(url, on(client, url, **tapped))


def colleague(number: str = "S-0190") -> Client:
    """A second fiscal de banca, on duty at the same table."""
    client = somebody("fiscal_de_banca", number)
    write(DutyBegun(staff=number, office="fiscal_de_banca", tables=(SHOE_TABLE,)), by=MANAGER)
    return client


def wins() -> list[JackpotWin]:
    """The wins on record."""
    return list(JackpotWin.objects.order_by("n"))


def payments() -> list[JackpotPayment]:
    """The payments on record."""
    return list(JackpotPayment.objects.order_by("n"))


def paid(hit: Receipt, seat: int, cents: int, code: str = ACE_JACK, **values: Any) -> Receipt:
    """So much was handed to a winner, told without a screen."""
    event = JackpotPaid(
        **game(),
        jackpot=POOL,
        hit=ref(hit),
        owner=f"J{seat}",
        box=seat,
        code=code,
        paid_cents=cents,
        means="cash",
        paid_at=ago(1),
        **values,
    )
    return write(event, by=PIT, at=ago(1))
