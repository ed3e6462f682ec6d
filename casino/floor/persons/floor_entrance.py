"""The entrance on the floor: number and password, and then on with whatever had been sent.

A session that ran out in the middle of an act loses nothing: its fields wait in the entrance's own
form, and are sent on under the same key, as whoever has logged in.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.middleware.csrf import get_token
from django.urls import Resolver404, resolve, reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from django.views.csrf import csrf_failure
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from casino.floor import form_state
from casino.floor.error_pages import failed
from casino.floor.floor_access import ask_who, entrance, followed, same_place
from casino.floor.floor_page import me
from casino.floor.persons.quick_change import change_to, enter_as, leave_as, lock
from casino.web.entrance import EntranceForm
from casino.web.forms.kept_form import is_kept, keep
from casino.web.login.required_steps import step_left

NUMBER, SECRET, ONWARD = "enter-number", "enter-secret", "enter-onward"
WHO, CODE = "change-who", "change-code"
_OURS = frozenset({NUMBER, SECRET, ONWARD, WHO, CODE, form_state.TOKEN})
_FRESH = "X-Sala-Token"  # in an answer: what a form that waited behind the lock is sent with


@never_cache
@require_POST
@sensitive_post_parameters(SECRET)
def enter(request: HttpRequest) -> HttpResponse:
    """Log in; then answer what had been sent, or show the page that was asked for."""
    onward = _onward(request)
    sent = [(name, value) for name, value in form_state.every(request.POST) if name not in _OURS]
    typed = {"username": request.POST.get(NUMBER, ""), "password": request.POST.get(SECRET, "")}
    form = EntranceForm(request, data=typed)
    if not form.is_valid():
        return _again(request, form, onward, sent)
    enter_as(request, form.get_user())
    left = step_left(request, onward, sent)
    if left is not None:
        return followed(request, left)
    return _go_on(request, onward, sent)


@never_cache
@sensitive_post_parameters(CODE)
def change(request: HttpRequest) -> HttpResponse:
    """Change to another of those who logged in on this tablet, by his code."""
    leaving = me(request) if request.user.is_authenticated else None
    if request.method != "POST":
        return entrance(request, _onward(request), leaving=leaving)
    onward = _onward(request)
    sent = [(name, value) for name, value in form_state.every(request.POST) if name not in _OURS]
    who = request.POST.get(WHO, "")
    code = request.POST.get(CODE, "").strip()
    why = change_to(request, who, code) if who else gettext("Say who you are.")
    if why:
        values = {"errors": [(CODE, why)], "chosen": who, "leaving": leaving}
        return entrance(request, onward, sent, 403, **values)
    return _go_on(request, onward, sent)


@never_cache
@require_POST
def lock_view(request: HttpRequest) -> HttpResponse:
    """Nobody touched the tablet for a while, says its own clock: nobody is here any more."""
    lock(request)
    return entrance(request, _onward(request))


def _go_on(request: HttpRequest, onward: str, sent: list[tuple[str, str]]) -> HttpResponse:
    """To the page that was asked for, or with what had been sent to it."""
    if sent:
        return _sent_on(request, onward, sent)
    response = followed(request, HttpResponseRedirect(onward))
    response[_FRESH] = get_token(request)
    return response


def _onward(request: HttpRequest) -> str:
    asked = request.POST.get(ONWARD) or request.GET.get("onward", "")
    ours = url_has_allowed_host_and_scheme(asked, allowed_hosts=None) and same_place(asked)
    return asked if ours else reverse("sala:floor")


def _again(
    request: HttpRequest, entrance_form: EntranceForm, onward: str, sent: list[tuple[str, str]]
) -> HttpResponse:
    errors = [(NUMBER, str(one)) for of in entrance_form.errors.values() for one in of]
    listed = list(dict.fromkeys(errors)) or [(NUMBER, gettext("This did not work."))]
    status = 429 if entrance_form.wait else 403
    typed = request.POST.get(NUMBER, "")
    response = entrance(request, onward, sent, status, errors=listed, typed=typed)
    if entrance_form.wait is not None:
        response["Retry-After"] = str(int(entrance_form.wait.total_seconds()) + 1)
    return response


def _sent_on(request: HttpRequest, onward: str, sent: list[tuple[str, str]]) -> HttpResponse:
    """The answer of the page it was meant for, as if it had been sent there just now."""
    path, _, query = onward.partition("?")
    fields = QueryDict(mutable=True)
    for name, value in sent:
        fields.appendlist(name, value)
    result: Any = request
    result.POST = fields
    result.GET = QueryDict(query)
    result.path = result.path_info = path
    result.META["QUERY_STRING"] = query
    try:
        found = resolve(path)
    except Resolver404:
        return followed(request, HttpResponseRedirect(reverse("sala:floor")))
    request.resolver_match = found
    answer: HttpResponse = found.func(request, *found.args, **found.kwargs)
    return answer


@never_cache
@sensitive_post_parameters(SECRET, CODE)
def without_cookies(request: HttpRequest, reason: str = "") -> HttpResponse:
    """What answers a form whose page was ours and whose cookies are gone: the entrance, as ever.

    Another site's form is refused as it always was; a browser says of each where it came from.
    """
    ours = request.META.get("HTTP_ORIGIN") == f"{request.scheme}://{request.get_host()}"
    if not ours or request.method != "POST" or not same_place(request.path):
        if not same_place(request.path):
            return keep(request) if ours and is_kept(request) else csrf_failure(request, reason)
        return failed(
            request,
            403,
            gettext(
                "It was opened too long ago, or in another window. Go back, load it again and "
                "repeat. Nothing was recorded."
            ),
        )
    if request.path in (reverse("sala:leave"), reverse("sala:lock")):
        return entrance(request, _onward(request), status=403)
    if request.path not in (reverse("sala:enter"), reverse("sala:change")):
        return ask_who(request)
    sent = [(name, value) for name, value in form_state.every(request.POST) if name not in _OURS]
    again = gettext("The page had grown old: type the password once more.")
    typed = request.POST.get(NUMBER, "")
    return entrance(request, _onward(request), sent, 403, errors=[(SECRET, again)], typed=typed)


@never_cache
@require_POST
def leave(request: HttpRequest) -> HttpResponse:
    """Log out, so that the next person is himself."""
    leave_as(request)
    return followed(request, HttpResponseRedirect(reverse("sala:floor")))
