"""What the progressive shows on a table's own page, and where a payment's witness goes on to.

Named in settings: the floor never names this room.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext

from casino.admin.offices import offices_of
from casino.admin.warnings import cited
from casino.models import BookEntry
from casino.queries import entry_told
from casino.recording.authority import writers_of
from casino.regulation.jackpot_law import OPEN
from casino.sala.scene import RULEBOOK
from casino.sala.state import Alert, Look
from casino.sala.ways import Way
from jackpot.facts import JackpotIncremented, JackpotPaid, JackpotWon
from jackpot.sala.hits import unpaid, unwitnessed
from jackpot.sala.standing import pools_named


def ways(request: HttpRequest, look: Look) -> list[Way]:
    """To the collection of a pool's chips and to a win, where the partida named the pool."""
    if look.dossier is None:
        return []
    held, found = offices_of(request), []
    pools = pools_named(look.dossier)
    for jackpot in pools:
        of = f" {jackpot}" if len(pools) > 1 else ""
        at = [look.state.table, jackpot]
        if held & writers_of(JackpotIncremented.kind):
            words = gettext("Jackpot: collect the chips") + of
            found.append(Way(words, reverse("jackpot_sala:collect", args=at), _n("41")))
        if held & writers_of(JackpotWon.kind):
            words = gettext("Jackpot: a prize is won") + of
            found.append(Way(words, reverse("jackpot_sala:won", args=at), _n("49")))
    return found


def alerts(partidas: Mapping[str, str], now: datetime) -> dict[str, list[Alert]]:
    """By table, what is won and not paid, and payments without a second person's word."""
    found: dict[str, list[Alert]] = {}
    names = list(partidas.values())
    if not names:
        return found
    for win in unpaid(names):
        words = gettext("Jackpot prize to be paid")
        url = reverse("jackpot_sala:hit", args=[win.table_code, win.jackpot, win.n])
        told = {"way": url, "way_words": gettext("Pay"), "check": OPEN.name}
        alert = Alert("warning", words, _n("49"), **told)
        found.setdefault(win.table_code, []).append(alert)
    for payment in unwitnessed(names):
        words = gettext("A jackpot payment waits for its witness")
        url = reverse("sala:witness", args=[payment.entry_id])
        alert = Alert("warning", words, _n("50"), way=url, way_words=gettext("Witness"))
        found.setdefault(payment.table_code, []).append(alert)
    return found


def after_witness(entry: BookEntry) -> tuple[str, str] | None:
    """Back to the win whose payment was witnessed; None for another act."""
    told = entry_told(entry.pk) if entry.kind == JackpotPaid.kind else None
    if told is None:
        return None
    fact: Any = told.fact
    url = reverse("jackpot_sala:hit", args=[entry.table_code, fact.jackpot, fact.hit.n])
    return url, gettext("Back to the win")


def _n(number: str) -> str:
    return cited(RULEBOOK, number)
