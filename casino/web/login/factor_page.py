"""The page that asks for the second factor after the password, and keeps what had been sent."""

import json
from collections.abc import Iterable, Sequence
from datetime import timedelta
from functools import partial
from secrets import token_bytes
from typing import Final

from django import forms
from django.contrib import messages
from django.contrib.admin import site
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import Resolver404, reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from casino import clock
from casino.models import Account, Authenticator
from casino.web.login.factor_given import attempt, is_stale
from casino.web.login.password_page import own_address
from casino.web.login.required_steps import FACTOR, next_step, to_step
from casino.web.login.sent_on import answer_as_sent, looked_at
from casino.web.second_person.device_answer import (
    AnswerFields,
    origin_of,
    passkeys_work,
)
from casino.witnessing import LASTS, asked_of_device, check_code, check_passkey, passkeys_of

CODE: Final = "factor-code"
ONWARD: Final = "factor-onward"
_OURS: Final = frozenset({CODE, ONWARD, "csrfmiddlewaretoken", *AnswerFields.names})
_CHALLENGE: Final = "second-factor-asked"  # in the session: what a passkey is asked to sign
_LONGEST: Final = 40
Sent = Sequence[tuple[str, str]]


class FactorForm(forms.Form):
    """A code of the app, or one of the recovery codes."""

    code = forms.CharField(
        label=_("Code of the app, or a recovery code"),
        max_length=_LONGEST,
        required=False,
        widget=forms.TextInput(
            {
                "autocomplete": "one-time-code",
                "inputmode": "text",
                "autocapitalize": "none",
                "spellcheck": "false",
            }
        ),
    )

    def add_prefix(self, field_name: str) -> str:
        """Beside the fields of whatever form waits."""
        return CODE


@never_cache
@sensitive_post_parameters(CODE)
def factor_view(request: HttpRequest) -> HttpResponse:
    """Ask; on POST judge what he gave, then go on with what was asked for or had been sent."""
    user = request.user
    assert isinstance(user, Account)
    onward = own_address(request.POST.get(ONWARD) or request.GET.get(REDIRECT_FIELD_NAME, ""))
    if next_step(request) != FACTOR and not is_stale(request):
        return redirect(onward or reverse("admin:index"))
    if request.method != "POST":
        return ask_factor(request, onward, [])
    sent, is_login = left_to_send(request, _OURS), next_step(request) == FACTOR
    error, wait = judge(request, user)
    if error:
        return ask_factor(request, onward, sent, error, wait)
    step = next_step(request)
    if step is not None:
        return to_step(step, onward)
    if sent:
        try:
            return answer_as_sent(request, onward, looked_at(sent) if is_login else sent)
        except Resolver404:
            pass
    return redirect(onward or reverse("admin:index"))


def left_to_send(request: HttpRequest, ours: Iterable[str]) -> list[tuple[str, str]]:
    """The fields of whatever form waits, in their order."""
    own = frozenset(ours)
    return [(name, one) for name, of in request.POST.lists() if name not in own for one in of]


def judge(request: HttpRequest, account: Account) -> tuple[str, timedelta | None]:
    """Judge the code or the passkey's answer that was sent; as `attempt` answers."""
    answer = AnswerFields.of(request.POST)
    if answer is None:
        code = request.POST.get(CODE, "")[:_LONGEST]
        if not code.strip():
            return gettext("Type a code."), None
        return attempt(request, account, partial(check_code, account, code))
    asked = request.session.pop(_CHALLENGE, None) or {}
    if clock.now().timestamp() - asked.get("at", 0) > LASTS.total_seconds():
        return gettext("It took too long: ask the device once more."), None
    challenge = bytes.fromhex(asked["challenge"])
    look = partial(check_passkey, account, answer, challenge, origin_of(request))
    return attempt(request, account, look)


def ask_factor(
    request: HttpRequest,
    onward: str,
    sent: Sent,
    error: str = "",
    wait: timedelta | None = None,
) -> HttpResponse:
    """The page, with what had been sent before in its own form."""
    context = {
        **site.each_context(request),
        "has_permission": False,  # no way to anything else before
        "title": gettext("Second factor"),
        **asked(request, onward, sent, error),
    }
    status = 429 if wait is not None else 403 if error or sent else 200
    response = TemplateResponse(request, "admin/casino/factor.html", context, status=status)
    if wait is not None:
        response["Retry-After"] = str(int(wait.total_seconds()) + 1)
    return response


def asked(request: HttpRequest, onward: str, sent: Sent, error: str) -> dict[str, object]:
    """What the page is shown from, here and on the floor."""
    user = request.user
    assert isinstance(user, Account)
    found: dict[str, object] = {
        "factor_form": FactorForm(),
        "factor_error": error,
        "who": user.get_username(),
        "again": next_step(request) != FACTOR,
        "onward": onward,
        "sent": sent,
        "has_app": Authenticator.objects.filter(account=user).exists(),
    }
    if passkeys_work(request) and passkeys_of(user.get_username()):
        challenge = token_bytes(32)
        request.session[_CHALLENGE] = {
            "challenge": challenge.hex(),
            "at": int(clock.now().timestamp()),
        }
        found["device"] = AnswerFields()
        found["options_text"] = json.dumps(asked_of_device(user.get_username(), challenge))
    return found


def ask_again(request: HttpRequest) -> HttpResponse | None:
    """The page that asks for it anew before something grave; None where that was not long ago.

    What was sent waits in it, and is done once he has given it: he had chosen it already.
    """
    if not is_stale(request):
        return None
    sent = left_to_send(request, _OURS) if request.method == "POST" else []
    return ask_factor(request, request.get_full_path(), sent)


def step_left(request: HttpRequest, onward: str, sent: Sent) -> HttpResponse | None:
    """What answers somebody who has just logged in where a step is left; None where none is.

    What he had filled in before waits in the page that asks for the second factor; before another
    step it is said that it was not recorded.
    """
    step = next_step(request)
    if step is None:
        return None
    if step == FACTOR:
        return ask_factor(request, onward, sent)
    if sent:
        lost = gettext("What you had filled in was not recorded: fill it in again afterwards.")
        messages.warning(request, lost)
    return to_step(step, onward)
