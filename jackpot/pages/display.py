"""The public display: what a pool is worth, for a screen on a wall that nobody touches.

Whoever asks is not asked who he is, no cookie is set or heeded, and nothing of a person is shown.
The page asks again by itself (display.js), without script the browser does (meta refresh). It is
written in the house's language, whatever the machine on the wall speaks; ``?lang=en`` asks for
another. docs/display.md says how such a machine is put up.

Law: PT art. 41, 44, 49.
"""

import re
from collections.abc import Callable
from functools import wraps
from hashlib import sha256
from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.http import parse_etags
from django.utils.text import capfirst
from django.utils.timezone import localtime
from django.utils.translation import gettext, override
from django.views.decorators.http import require_safe

from casino import clock
from casino.web.display.money_and_time import money
from jackpot.pages.meter_words import combination_word
from jackpot.pages.shown import Busy, Shown, Won, pools, shown

MOST: Final = 6  # pools one screen shows in turn
ASK_AGAIN: Final = 10  # seconds after which a page without script asks again
_is_code: Final = re.compile(r"[A-Za-z0-9._-]{1,40}").fullmatch
# How large an amount of so many characters may be written: a class of display.css.
_SIZES: Final = ((8, "short"), (11, "usual"), (14, "long"))
_SCRIPT, _STYLE = "jackpot/display.js", "jackpot/display.css"

View = Callable[..., HttpResponse]


def _public(view: View) -> View:
    """Answers to everybody, in the house's language or the one the address asks for."""

    @require_safe
    @wraps(view)
    def answer(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        asked = request.GET.get("lang", "")
        chosen = asked if asked in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
        with override(chosen):
            try:
                response = view(request, *args, **kwargs)
            except Busy:
                response = HttpResponse(status=503, headers={"Retry-After": "2"})
        response["Content-Language"] = chosen
        response["Cache-Control"] = "no-cache"
        return response

    return answer


@_public
def display(request: HttpRequest, codes: str) -> HttpResponse:
    """One pool, or several in turn."""
    found = _found(codes)
    if found is None:
        return render(request, "jackpot/no_pool.html", {"codes": codes}, status=404)
    address = reverse("jackpot-value", args=[codes])
    lang = request.GET.get("lang")
    context = {
        "pools": [_words(one) for one in found],
        "clock": _clock(),
        "value_url": f"{address}?lang={lang}" if lang in dict(settings.LANGUAGES) else address,
        "page": _page(),
        "ask_again": ASK_AGAIN,
    }
    return render(request, "jackpot/display.html", context)


@_public
def value(request: HttpRequest, codes: str) -> HttpResponse:
    """The same for the page's script: 304 while nothing has changed. The clock is in a header."""
    found = _found(codes)
    if found is None:
        raise Http404
    values = {"pools": [_words(one) for one in found], "page": _page()}
    response: HttpResponse = JsonResponse(values)
    tag = f'W/"{sha256(response.content).hexdigest()[:24]}"'
    if tag in parse_etags(request.headers.get("If-None-Match", "")):
        response = HttpResponseNotModified()
    response["ETag"] = tag
    response["X-House-Clock"] = _clock()
    return response


@_public
def displays(request: HttpRequest) -> HttpResponse:
    """The pools there are, each with its value and the way to its display."""
    found = [one for one in map(shown, pools()) if one is not None]
    context = {"pools": [_words(one) for one in found], "clock": _clock()}
    if 1 < len(found) <= MOST:
        context["together"] = ",".join(one.jackpot for one in found)
    return render(request, "jackpot/displays.html", context)


def _found(codes: str) -> list[Shown] | None:
    """The pools an address names; None where one of them is none."""
    named = list(dict.fromkeys(codes.split(",")))
    if len(named) > MOST or not all(map(_is_code, named)):
        return None
    found = []
    for code in named:
        one = shown(code)
        if one is None:
            return None
        found.append(one)
    return found


def _words(shown: Shown) -> dict[str, object]:
    """A pool as it is written on the wall.

    A prize that took all stands there in the value's place as long as it is shown; then what the
    next round plays for, and never an amount of nothing.
    """
    amount = money(shown.cents)
    if shown.won is not None and shown.won.full:
        amount = money(shown.won.cents)
    elif shown.state != "running":
        amount = gettext("Restarting") if shown.state == "emptied" else ""
    return {
        "code": shown.jackpot,
        "name": str(capfirst(combination_word(shown.top))) if shown.top else "",
        "state": shown.state,
        "cents": shown.cents,
        "value": amount,
        "size": next((name for most, name in _SIZES if len(amount) <= most), "longest"),
        "won": "" if shown.won is None else _won_words(shown.won),
        "pending": money(shown.pending_cents) if shown.pending_cents else "",
        "stake": "" if shown.stake_cents is None else money(shown.stake_cents),
        "start": "" if shown.start_cents is None else money(shown.start_cents),
        "limit": "" if shown.limit_cents is None else money(shown.limit_cents),
        "cut": shown.cut,
        "event": str(shown.event),
    }


def _won_words(won: Won) -> str:
    """When it was won, by the house's clock; how much, where that stands nowhere else."""
    at = f"{localtime(won.at):%H:%M}"
    return at if won.full else f"{money(won.cents)} · {at}"


def _clock() -> str:
    """The house's time."""
    return localtime(clock.now()).strftime("%H:%M:%S")


def _page() -> str:
    """Which page this is: it is fetched anew where the program brought another."""
    return f"{static(_SCRIPT)} {static(_STYLE)}"
