"""A record's form sent when its session had ended: it waits in the entrance, and is shown again.

Its fields stand in the entrance's own form, which is sent where they were meant to go. Whoever logs
in finds the form as it was filled in, and records it himself. Files do not wait.
"""

from collections.abc import Callable, Sequence
from typing import Final

from django.contrib.admin import site
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import Resolver404, resolve, reverse
from django.utils.translation import gettext

from casino.web.entrance import EntranceForm
from casino.web.login.factor_page import step_left
from casino.web.login.provider_settings import provider_host
from casino.web.login.sent_on import filled, looked_at

ENTER: Final = "enter"  # before the names of the entrance's own fields
_PASSWORD: Final = f"{ENTER}-password"
_OWN: Final = frozenset({_PASSWORD, f"{ENTER}-username", "csrfmiddlewaretoken"})


def is_kept(request: HttpRequest) -> bool:
    """Whether a record's form was sent by nobody."""
    if request.method != "POST" or request.user.is_authenticated:
        return False
    try:
        name = resolve(request.path).view_name
    except Resolver404:
        return False
    return name.startswith("admin:") and name.endswith(("_add", "_correct"))


def keep(request: HttpRequest, then: Callable[[], HttpResponse] | None = None) -> HttpResponse:
    """The entrance with the form's fields; once somebody has logged in, what `then` shows of it."""
    typed = then is not None and _PASSWORD in request.POST
    form = EntranceForm(request, data=request.POST if typed else None, prefix=ENTER)
    fields = [(name, value) for name, of in request.POST.lists() for value in of]
    sent = [(name, value) for name, value in fields if name not in _OWN]
    if then is not None and typed and form.is_valid():
        login(request, form.get_user())
        left = step_left(request, request.get_full_path(), sent)
        if left is not None:
            return left
        request.POST = filled(looked_at(sent))  # type: ignore[assignment]
        return then()
    waits = form.wait is not None
    return entrance_page(
        request, request.get_full_path(), sent, 429 if waits else 403, entrance_form=form
    )


def entrance_page(
    request: HttpRequest,
    onward: str,
    sent: Sequence[tuple[str, str]],
    status: int,
    *,
    entrance_form: EntranceForm | None = None,
    why: str = "",
) -> HttpResponse:
    """The entrance to an address, with the fields that wait for it; `why` nobody came in yet."""
    context: dict[str, object] = {
        **site.each_context(request),
        "title": gettext("Log in"),
        "app_path": onward if sent else reverse("admin:login"),
        "form": entrance_form or EntranceForm(request, prefix=ENTER if sent else None),
        "sent": sent,
        "next": onward,
        "why": why,
        "provider_host": provider_host(),
    }
    return TemplateResponse(request, "admin/login.html", context, status=status)
