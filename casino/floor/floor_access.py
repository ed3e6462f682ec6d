"""Who may open a screen of the floor, and as what he records there.

What an office may write stands in one place, `casino.recording.authority`, and is asked through
`casino.access.access_policy` here as in the admin; so is at which tables a fiscal de banca acts.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache

from casino import holding
from casino.access import access_policy
from casino.access.offices_held import offices_of
from casino.events.event import Event
from casino.events.event_policy import FLOOR, OVERSEERS
from casino.floor import form_state as carried
from casino.floor.error_pages import failed
from casino.floor.floor_page import shown
from casino.floor.persons.quick_change import people_here, said_once
from casino.models import HeldRecord
from casino.recording import Actor, Busy
from casino.recording.authority import writers_of
from casino.web.forms.people_choices import people_of
from casino.web.forms.record_form import refusal_text
from casino.web.forms.shield import BACK, is_too_soon
from casino.web.forms.uploads import FIELD, NOT_KEPT, WAITING
from casino.web.login.provider_settings import provider_host
from casino.web.words import field_words
from casino.web.words.kind_words import kind_word

DOOR: Final = "sala"
_WITH_SCRIPT: Final = "X-Sala"  # sent by sala.js, which follows by itself
_ONWARD: Final = "X-Sala-To"

View = Callable[..., HttpResponse]


class NotAtTheTable(PermissionDenied):
    """He is not on duty there: where he can be is where one says who is on duty."""


def floor_page(
    offices: Iterable[str], reads_only: bool = False, *, settles: bool = True
) -> Callable[[View], View]:
    """A screen for the holders of these offices; with `reads_only` it takes nothing down.

    What is held at its table (casino.holding) is written before whatever is sent to it, unless it
    `settles` nothing; what has been held long enough is written before anything is shown. A page
    that is of no table shows what whoever looks sent himself.

    Whoever is not logged in is asked to, and what he had sent is sent again for him. A view with an
    argument `table` is open to those who may act at that table; one that takes nothing down also to
    those who oversee every table.
    """
    held = frozenset(offices)

    def decorate(view: View) -> View:
        @never_cache
        @wraps(view)
        def answer(request: HttpRequest, *args: object, **kwargs: Any) -> HttpResponse:
            if not request.user.is_authenticated:
                return ask_who(request)
            if reads_only and request.method not in ("GET", "HEAD"):
                return HttpResponseNotAllowed(["GET", "HEAD"])
            try:
                _check(request, held, kwargs.get("table"), reads_only)
                if kwargs.get("table"):
                    look_for_held(request, kwargs["table"], settles=settles)
                else:
                    _note_held(request, holding.sent_by(request.user.get_username()))
                return followed(request, view(request, *args, **kwargs))
            except PermissionDenied as error:
                return refused(request, str(error), duty=isinstance(error, NotAtTheTable))
            except Busy as error:
                return failed(request, 503, refusal_text(error))

        return answer

    return decorate


def look_for_held(request: HttpRequest, table: str, *, settles: bool = True) -> None:
    """Write what is to be written at a table by now; what is left is noted with the request.

    What was sent comes after what is held: but not the same form once more, nor one that records
    nothing (sent before it can have been read, or to be filled in otherwise). Raises: Busy.
    """
    value: Any = request
    records = not is_too_soon(request.POST) and BACK not in request.POST
    if request.method == "POST" and settles and records:
        form_state = carried.posted(request.POST)
        value.unwritten = holding.settle(
            [table], besides=form_state.key if form_state is not None else None
        )
    _note_held(request, holding.looked_at([table]))


def _note_held(request: Any, held_records: Sequence[HeldRecord]) -> None:
    request.held = held_records


def _check(request: HttpRequest, held: frozenset[str], table: str | None, reads_only: bool) -> None:
    """Raises: PermissionDenied, in words."""
    if not held & offices_of(request):
        raise PermissionDenied(
            gettext("This page is for: %(offices)s.")
            % {"offices": ", ".join(sorted(str(field_words.word(one)) for one in held))}
        )
    if reads_only and offices_of(request) & OVERSEERS:
        return
    if table is not None and not acts_at(request, table) and not _comes_to(request, table):
        raise NotAtTheTable(
            gettext("%(table)s is not one of your tables. Ask to be put on duty there.")
            % {"table": table}
        )


def _comes_to(request: HttpRequest, table: str) -> bool:
    """Whether the table is handed over to him by what is held there: then it is written now."""
    if not holding.comes_to(table, request.user.get_username()):
        return False
    holding.settle([table])
    access_policy.forget(request)
    return acts_at(request, table)


def check_place(request: HttpRequest, by: Actor, event: Event) -> None:
    """Whether he may record it where it says it was. Raises: PermissionDenied, in words."""
    why = access_policy.why_not_there(request, by, event)
    if why:
        raise (NotAtTheTable if why == access_policy.NOT_HIS_TABLE else PermissionDenied)(str(why))


def actor_of(request: HttpRequest, kind: str) -> Actor:
    """As whom he records this kind here. Raises: PermissionDenied, in words."""
    by = access_policy.actor(request, kind)
    if by is None:
        offices = ", ".join(sorted(str(field_words.word(one)) for one in writers_of(kind)))
        raise PermissionDenied(
            gettext("“%(kind)s” is recorded by: %(offices)s.")
            % {"kind": kind_word(kind), "offices": offices}
        )
    return replace(by, door=DOOR)


def acts_at(request: HttpRequest, table: str) -> bool:
    """Whether he may record at a table."""
    return table in acts_at_which(request, [table])


def acts_at_which(
    request: HttpRequest, tables: Iterable[str], games: Mapping[str, str] | None = None
) -> frozenset[str]:
    """Of these tables those at which he may record; `games` open there, where they are known."""
    return access_policy.tables_acted_at(request, offices_of(request), tables, games)


def ask_who(request: HttpRequest) -> HttpResponse:
    """The entrance, with everything that was sent: it is sent on once somebody is known.

    But for files: nobody's are kept. The form asks for them again.
    """
    sent = carried.stamped(request.POST) if request.method == "POST" else []
    sent += [(WAITING, NOT_KEPT) for _ in request.FILES.getlist(FIELD)]
    return entrance(request, request.get_full_path(), sent, status=403 if sent else 200)


def entrance(
    request: HttpRequest,
    onward: str,
    sent: Sequence[tuple[str, str]] = (),
    status: int = 200,
    **more: object,
) -> HttpResponse:
    """The entrance: a code of one of those who logged in here, or number and password."""
    around = {
        "me": None,  # whoever is still logged in is about to be changed
        "recorded": None,
        "onward": onward,
        "sent": sent,
        "left_behind": (WAITING, NOT_KEPT) in sent,
        "here": people_here(request),
        "named": _named(request),
        "said": said_once(request),
        "provider_host": provider_host(),
        "training": settings.HOUSE_TRAINING,
    }
    return shown(request, "sala/entrance.html", {**around, **more}, status=status)


def _named(request: HttpRequest) -> list[tuple[str, str]]:
    """Who is here, each with his name, where whoever is logged in may see it."""
    known = people_of(request).everybody if request.user.is_authenticated else {}
    return [(one, known[one].name if one in known else "") for one in people_here(request)]


def refused(
    request: HttpRequest, why: str, status: int = 403, *, duty: bool = False
) -> HttpResponse:
    """A page that says why not; with `duty`, it leads to where one goes on duty."""
    why = why or gettext("You may not do this.")
    floor = bool(offices_of(request) & (FLOOR | OVERSEERS))  # who may open the floor at all
    context = {"why": why, "duty": duty, "floor": floor}
    return shown(request, "sala/refused.html", context, status=status)


def followed(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """For our own script a redirection is an answer: it goes there by itself, once."""
    if response.status_code not in (302, 303) or _WITH_SCRIPT not in request.headers:
        return response
    answer = HttpResponse(status=204)
    answer[_ONWARD] = response["Location"]
    answer.cookies = response.cookies
    return answer


def same_place(address: str) -> bool:
    """Whether an address is one of the floor's own."""
    parts = urlsplit(address)
    return not parts.scheme and not parts.netloc and parts.path.startswith("/sala/")
