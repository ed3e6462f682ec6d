"""The entrance on the floor: number and password, and then on with whatever had been sent.

A session that ran out in the middle of an act loses nothing: its fields wait in the entrance's own
form, and are sent on under the same key, as whoever has logged in.
"""

from typing import Any

from django.contrib.auth import login, logout
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import Resolver404, resolve, reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from casino.admin.entrance import EntranceForm
from casino.sala import carried
from casino.sala.access import followed, same_place
from casino.sala.showing import shown

NUMBER, SECRET, ONWARD = "enter-number", "enter-secret", "enter-onward"
_OURS = frozenset({NUMBER, SECRET, ONWARD, carried.TOKEN})


@never_cache
@require_POST
@sensitive_post_parameters(SECRET)
def enter(request: HttpRequest) -> HttpResponse:
    """Log in; then answer what had been sent, or show the page that was asked for."""
    onward = _onward(request)
    sent = [(name, value) for name, value in carried.every(request.POST) if name not in _OURS]
    typed = {"username": request.POST.get(NUMBER, ""), "password": request.POST.get(SECRET, "")}
    form = EntranceForm(request, data=typed)
    if not form.is_valid():
        return _again(request, form, onward, sent)
    login(request, form.get_user())
    if not sent:
        return followed(request, HttpResponseRedirect(onward))
    return _sent_on(request, onward, sent)


def _onward(request: HttpRequest) -> str:
    asked = request.POST.get(ONWARD, "")
    ours = url_has_allowed_host_and_scheme(asked, allowed_hosts=None) and same_place(asked)
    return asked if ours else reverse("sala:floor")


def _again(
    request: HttpRequest, form: EntranceForm, onward: str, sent: list[tuple[str, str]]
) -> HttpResponse:
    errors = [(NUMBER, str(one)) for of in form.errors.values() for one in of]
    told = list(dict.fromkeys(errors)) or [(NUMBER, gettext("This did not work."))]
    context = {
        "onward": onward, "sent": sent, "errors": told, "typed": request.POST.get(NUMBER, ""),
    }  # fmt: skip
    response = shown(request, "sala/entrance.html", context, 429 if form.wait else 403)
    if form.wait is not None:
        response["Retry-After"] = str(int(form.wait.total_seconds()) + 1)
    return response


def _sent_on(request: HttpRequest, onward: str, sent: list[tuple[str, str]]) -> HttpResponse:
    """The answer of the page it was meant for, as if it had been sent there just now."""
    path, _, query = onward.partition("?")
    fields = QueryDict(mutable=True)
    for name, value in sent:
        fields.appendlist(name, value)
    told: Any = request
    told.POST = fields
    told.GET = QueryDict(query)
    told.path = told.path_info = path
    told.META["QUERY_STRING"] = query
    try:
        found = resolve(path)
    except Resolver404:
        return followed(request, HttpResponseRedirect(reverse("sala:floor")))
    request.resolver_match = found
    answer: HttpResponse = found.func(request, *found.args, **found.kwargs)
    return answer


@never_cache
@require_POST
def leave(request: HttpRequest) -> HttpResponse:
    """Log out, so that the next person is himself."""
    logout(request)
    return followed(request, HttpResponseRedirect(reverse("sala:floor")))
