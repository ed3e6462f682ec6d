"""A person's own second factor: set up at the first log-in, renewed later; recovery codes."""

from typing import Final

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.admin import site
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from casino.access import access_policy
from casino.events.witnessing import PasskeyRegistered
from casino.models import Account, Authenticator, RecoveryCode
from casino.recording import SecretRefused
from casino.security_log import note
from casino.web.display.money_and_time import moment
from casino.web.display.qr_svg import qr_svg
from casino.web.forms.record_form import refusal_text
from casino.web.login.factor_given import give, is_stale
from casino.web.login.factor_page import ask_factor
from casino.web.login.password_page import own_address
from casino.web.login.required_steps import next_step
from casino.witnessing import (
    address_of,
    ask_second,
    enrol,
    new_recovery_codes,
    new_secret,
    passkeys_of,
)
from casino.witnessing.proving import ask_password

_OFFERED: Final = "second-factor-offered"  # in the session: the secret that is on the screen
_GROUP: Final = 4  # letters of it, as it is read aloud
_RENEW: Final = "renew"  # the button that asks for new recovery codes


class SetUpForm(forms.Form):
    """His password, and what the app shows."""

    password = forms.CharField(
        label=_("Your password"),
        strip=False,
        max_length=200,
        widget=forms.PasswordInput({"autocomplete": "current-password"}),
    )
    code = forms.CharField(
        label=_("Code the app shows"),
        max_length=20,
        widget=forms.TextInput({"autocomplete": "one-time-code", "inputmode": "numeric"}),
    )


class RenewForm(forms.Form):
    """His password, for new recovery codes."""

    again = forms.CharField(
        label=_("Your password"),
        strip=False,
        max_length=200,
        widget=forms.PasswordInput({"autocomplete": "current-password"}),
    )


@never_cache
@sensitive_post_parameters("password", "again", "code")
def set_up_view(request: HttpRequest) -> HttpResponse:
    """His app: shown to be read; on POST kept, and its recovery codes are shown once."""
    user = request.user
    assert isinstance(user, Account)
    onward = own_address(request.GET.get(REDIRECT_FIELD_NAME, ""))
    if settings.SECOND_FACTOR and not user.asks_second and passkeys_of(user.staff):
        ask_second(user)  # registered before a second factor was asked of everybody
        return redirect(onward or reverse("admin:index"))
    if is_stale(request):  # whoever finds a session open gives it no factor of his own
        return ask_factor(request, request.get_full_path(), [])
    form, renew = SetUpForm(), RenewForm()
    if request.method == "POST" and _RENEW in request.POST:
        renew = RenewForm(request.POST)
        codes = _renewed(request, user, renew)
    elif request.method == "POST":
        form = SetUpForm(request.POST)
        codes = _kept(request, user, form)
    else:
        codes = []
    context = {
        **site.each_context(request),
        "title": gettext("Second factor"),
        "form": form,
        "renew": renew,
        "codes": codes,
        "onward": onward or reverse("admin:index"),
        "first": next_step(request) is not None,
        **({} if codes else _offer(request, user)),
    }
    if context["first"]:
        context["has_permission"] = False  # no way to anything else before
    return TemplateResponse(request, "admin/casino/second_factor.html", context)


def _offer(request: HttpRequest, user: Account) -> dict[str, object]:
    """A secret for an app, the same one until it is kept; and what he has already."""
    secret = request.session.setdefault(_OFFERED, new_secret())
    kept = Authenticator.objects.filter(account=user).first()
    label = gettext("The address of the authenticator app, as a QR code")
    groups = [secret[at : at + _GROUP] for at in range(0, len(secret), _GROUP)]
    return {
        "qr": qr_svg(address_of(user, secret), label),
        "secret": " ".join(groups),
        "since": moment(kept.made_at) if kept else None,
        "left": RecoveryCode.objects.filter(account=user).count(),
        "passkeys": len(passkeys_of(user.staff)),
        "may_passkey": access_policy.actor(request, PasskeyRegistered.kind) is not None,
    }


def _kept(request: HttpRequest, user: Account, set_up_form: SetUpForm) -> list[str]:
    """Ten recovery codes once the app is kept; none, with the reason in the form."""
    secret = request.session.get(_OFFERED, "")
    if not set_up_form.is_valid():
        return []
    if not secret:
        set_up_form.add_error("code", _("The page had grown old: read the code anew."))
        return []
    data = set_up_form.cleaned_data
    code = "".join(data["code"].split())
    try:
        codes = enrol(user, data["password"], secret, code)
    except SecretRefused as error:
        wrong_code = error.values.get("of") == "code"
        text = gettext("The code is not right.") if wrong_code else refusal_text(error)
        set_up_form.add_error("code" if wrong_code else "password", text)
        return []
    del request.session[_OFFERED]
    give(request, user, "app")
    note("second-factor-set-up", request, user.staff)
    return codes


def _renewed(request: HttpRequest, user: Account, renew_form: RenewForm) -> list[str]:
    if not renew_form.is_valid():
        return []
    try:
        ask_password(user, renew_form.cleaned_data["again"])
    except SecretRefused as error:
        renew_form.add_error("again", refusal_text(error))
        return []
    note("recovery-codes-renewed", request, user.staff)
    messages.success(request, gettext("The recovery codes you had are good no more."))
    return new_recovery_codes(user)
