"""The entrance on the floor: number and password, and then on with whatever had been sent.

A session that ran out in the middle of an act loses nothing: its fields wait in the entrance's own
form, and are sent on under the same key, as whoever has logged in.
"""

from datetime import timedelta

from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.middleware.csrf import get_token
from django.urls import Resolver404, reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from django.views.csrf import csrf_failure
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from casino.floor import form_state
from casino.floor.error_pages import failed
from casino.floor.floor_access import ask_who, entrance, followed, same_place
from casino.floor.floor_page import me, shown
from casino.floor.persons.quick_change import change_to, enter_as, leave_as, lock
from casino.models import Account
from casino.web.entrance import EntranceForm
from casino.web.forms.kept_form import is_kept, keep
from casino.web.login.factor_page import CODE as FACTOR_CODE
from casino.web.login.factor_page import ONWARD as FACTOR_ONWARD
from casino.web.login.factor_page import asked, judge, left_to_send, step_left
from casino.web.login.required_steps import FACTOR, next_step
from casino.web.login.sent_on import Fields, answer_as_sent

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
    return entered(request, onward, sent)


@never_cache
@sensitive_post_parameters(FACTOR_CODE)
def factor(request: HttpRequest) -> HttpResponse:
    """Ask for the second factor of whoever has typed his password; then as after a log-in."""
    if next_step(request) != FACTOR:
        return followed(request, HttpResponseRedirect(reverse("sala:floor")))
    if request.method != "POST":
        return _ask_factor(request, _onward(request), [])
    onward = _onward(request)
    fields = left_to_send(request, {*_OURS, FACTOR_CODE, FACTOR_ONWARD})
    user = request.user
    assert isinstance(user, Account)
    error, wait = judge(request, user)
    if error:
        return _ask_factor(request, onward, fields, error, wait)
    return entered(request, onward, fields)


def entered(request: HttpRequest, onward: str, sent: Fields) -> HttpResponse:
    """Go on, or first with the step of the log-in that is left."""
    if next_step(request) == FACTOR:
        return _ask_factor(request, onward, sent)
    left = step_left(request, onward, sent)
    return _go_on(request, onward, sent) if left is None else followed(request, left)


def _ask_factor(
    request: HttpRequest,
    onward: str,
    sent: Fields,
    error: str = "",
    wait: timedelta | None = None,
) -> HttpResponse:
    """The page that asks for it, with what had been sent."""
    errors = [(FACTOR_CODE, error)] if error else []
    context = {"me": None, "recorded": None, "errors": errors, **asked(request, onward, sent, "")}
    status = 429 if wait is not None else 403 if error or sent else 200
    response = shown(request, "sala/factor.html", context, status=status)
    if wait is not None:
        response["Retry-After"] = str(int(wait.total_seconds()) + 1)
    return response


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
    return entered(request, onward, sent)


@never_cache
@require_POST
def lock_view(request: HttpRequest) -> HttpResponse:
    """Nobody touched the tablet for a while, says its own clock: nobody is here any more."""
    lock(request)
    return entrance(request, _onward(request))


def _go_on(request: HttpRequest, onward: str, sent: Fields) -> HttpResponse:
    """To the page that was asked for, or with what had been sent to it."""
    if sent:
        return _sent_on(request, onward, sent)
    response = followed(request, HttpResponseRedirect(onward))
    response[_FRESH] = get_token(request)
    return response


def _onward(request: HttpRequest) -> str:
    wanted = request.POST.get(ONWARD) or request.POST.get(FACTOR_ONWARD) or ""
    wanted = wanted or request.GET.get("onward", "") or request.GET.get(REDIRECT_FIELD_NAME, "")
    ours = url_has_allowed_host_and_scheme(wanted, allowed_hosts=None) and same_place(wanted)
    return wanted if ours else reverse("sala:floor")


def _again(
    request: HttpRequest, entrance_form: EntranceForm, onward: str, sent: Fields
) -> HttpResponse:
    errors = [(NUMBER, str(one)) for of in entrance_form.errors.values() for one in of]
    listed = list(dict.fromkeys(errors)) or [(NUMBER, gettext("This did not work."))]
    status = 429 if entrance_form.wait else 403
    typed = request.POST.get(NUMBER, "")
    response = entrance(request, onward, sent, status, errors=listed, typed=typed)
    if entrance_form.wait is not None:
        response["Retry-After"] = str(int(entrance_form.wait.total_seconds()) + 1)
    return response


def _sent_on(request: HttpRequest, onward: str, sent: Fields) -> HttpResponse:
    """The answer of the page it was meant for, as if it had been sent there just now."""
    try:
        return answer_as_sent(request, onward, sent)
    except Resolver404:
        return followed(request, HttpResponseRedirect(reverse("sala:floor")))


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
