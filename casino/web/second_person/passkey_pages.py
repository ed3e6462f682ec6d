"""A person's own passkeys, and the page on his own device where he confirms with one."""

import json
from typing import Final, get_args
from urllib.parse import urlsplit
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from casino.access import access_policy
from casino.events import Malformed
from casino.events.event_policy import ADMIN, MANAGER
from casino.events.witnessing import PasskeyGone, PasskeyRevoked, Witnessed
from casino.models import Account, Attestation, BookEntry, Passkey
from casino.recording import Refused
from casino.web.display.money_and_time import moment
from casino.web.entries.entry_page import url_of
from casino.web.forms.people_choices import PersonField
from casino.web.forms.record_form import announce, refusal_text
from casino.web.login.factor_given import give, is_stale
from casino.web.login.factor_page import ask_factor
from casino.web.second_person.device_answer import (
    AnswerFields,
    DeviceField,
    origin_of,
    passkeys_work,
)
from casino.web.second_person.witness_page import (
    ARTICLES,
    act_to_confirm,
    looks_first,
    said_of,
    site_context,
)
from casino.web.words.field_words import word
from casino.web.words.kind_words import kind_word
from casino.web.words.languages import house_language
from casino.witnessing import (
    LASTS,
    ask_second,
    asked_of_device,
    begin_registration,
    confirm_by_passkey,
    invite,
    passkeys_of,
    register,
    revoke,
    settle,
)

REASONS: Final[tuple[PasskeyGone, ...]] = get_args(PasskeyGone)
_MOST: Final = 200  # passkeys on management's page


def _elsewhere(request: HttpRequest) -> str:
    """The same page where passkeys work, for a house that is only tried out; '' where unknown."""
    own = settings.WITNESS_DOMAIN
    if own != "localhost":
        return f"https://{own}{request.path}"
    port = urlsplit(origin_of(request)).port
    return f"http://{own}{f':{port}' if port else ''}{request.path}"


def _device_context(request: HttpRequest, title: str) -> dict[str, object]:
    return {
        **site_context(request),
        "title": title,
        "works": passkeys_work(request),
        "elsewhere": _elsewhere(request),
        "seconds": int(LASTS.total_seconds()),
    }


def witness_of(request: HttpRequest) -> Account:
    """Whoever may confirm at all. Raises: PermissionDenied."""
    user = request.user
    if access_policy.actor(request, Witnessed.kind) is None or not isinstance(user, Account):
        raise PermissionDenied
    return user


# -- Confirming ---------------------------------------------------------------------------------


class AnswerForm(AnswerFields):
    """What the device answered; a script fills it in."""

    token = forms.CharField(widget=forms.HiddenInput, max_length=2_000)


@never_cache
def confirm_view(request: HttpRequest, entry_id: UUID) -> HttpResponse:
    """On his own device: show the text; on POST record that his passkey confirms it."""
    user = witness_of(request)
    entry = act_to_confirm(request, entry_id)
    refused = ""
    form = AnswerForm(request.POST if request.method == "POST" else None)
    if form.is_valid() and not looks_first(request, entry, user.staff):
        data = form.cleaned_data
        try:
            receipt = confirm_by_passkey(
                entry,
                data["token"],
                user.staff,
                data,
                ARTICLES[entry.kind],
                origin=origin_of(request),
            )
        except (Refused, Malformed) as error:
            refused = refusal_text(error)
        else:
            announce(request, receipt)
            return redirect(reverse("admin:casino_presence"))
    return _confirm_page(request, user, entry, refused)


def _confirm_page(
    request: HttpRequest, user: Account, entry: BookEntry, refused: str
) -> HttpResponse:
    invitation = invite(entry, house_language())
    context = _device_context(
        request, gettext("Witness: %(what)s") % {"what": kind_word(entry.kind)}
    ) | {
        "entry": entry,
        "text": invitation.text,
        "form": AnswerForm(initial={"token": invitation.token}),
        "options_text": json.dumps(asked_of_device(user.staff, invitation.challenge)),
        "has_passkey": bool(passkeys_of(user.staff)),
        **said_of(request, entry, user.staff),
        "refused": refused,
        "entry_url": url_of(entry.kind, entry.pk),
        "done": Attestation.objects.filter(
            witnessed_stream=entry.stream.name, witnessed_n=entry.n
        ).exists(),
    }
    return TemplateResponse(request, "admin/casino/presence_confirm.html", context)


# -- One's own passkeys -------------------------------------------------------------------------


class PasskeyForm(forms.Form):
    """A new passkey: his password, a second person's word if one stands by, the device's answer."""

    password = forms.CharField(
        label=_("Your password"),
        strip=False,
        max_length=200,
        widget=forms.PasswordInput({"autocomplete": "current-password"}),
    )
    second = PersonField(
        label=_("Second person's staff number"),
        required=False,
        help_text=_("Whoever stands by and knows you. Without one, the book says that nobody did."),
    )
    second_secret = forms.CharField(
        label=_("Second person's code, or password"),
        required=False,
        strip=False,
        max_length=200,
        widget=forms.PasswordInput({"autocomplete": "one-time-code"}),
    )
    token = forms.CharField(widget=forms.HiddenInput, max_length=2_000)
    credential = DeviceField()
    client_data = DeviceField()
    attestation_object = DeviceField()


@never_cache
@sensitive_post_parameters("password", "second_secret")
def passkeys_view(request: HttpRequest) -> HttpResponse:
    """His passkeys; on POST a new one is recorded. Management sees everybody's below."""
    by = access_policy.actor(request, PasskeyRevoked.kind)
    user = request.user
    if by is None or not isinstance(user, Account):
        raise PermissionDenied
    refused = ""
    form = PasskeyForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and is_stale(request):  # a passkey is a second factor too
        return ask_factor(request, request.get_full_path(), [])
    if form.is_valid():
        data = form.cleaned_data
        try:
            receipt = register(
                user,
                data["token"],
                data,
                data["password"],
                origin=origin_of(request),
                second=data["second"],
                second_secret=data["second_secret"],
            )
        except (Refused, Malformed) as error:
            refused = refusal_text(error)
        else:
            announce(request, receipt)
            if settings.SECOND_FACTOR:  # he logs in with it from now on, and has just shown it
                ask_second(user)
                give(request, user, "passkey")
            return redirect(reverse("admin:casino_passkeys"))
    asked = begin_registration(user)
    second = form.data.get("second", "") if form.is_bound else ""
    context = _device_context(request, gettext("Passkeys")) | {
        "form": PasskeyForm(initial={"token": asked.token, "second": second}),
        "options_text": json.dumps(asked.options),
        "keys": [_shown(key) for key in passkeys_of(user.staff)],
        "reasons": [(reason, word(reason)) for reason in REASONS],
        "refused": refused,
        "errors": form.errors if form.is_bound else {},
    }
    if by.office in (MANAGER, ADMIN):
        context["others"] = [
            _shown(key) for key in passkeys_of()[:_MOST] if key.person != user.staff
        ]
    return TemplateResponse(request, "admin/casino/passkeys.html", context)


def _shown(passkey: Passkey) -> dict[str, object]:
    return {
        "person": passkey.person,
        "credential": passkey.credential,
        "url": url_of("passkey-registered/1", passkey.pk),
        "at": moment(passkey.recorded_at),
        "second": passkey.second,
    }


@require_POST
def revoke_view(request: HttpRequest) -> HttpResponse:
    """Revoke one: one's own, or anybody's for management."""
    by = access_policy.actor(request, PasskeyRevoked.kind)
    if by is None:
        raise PermissionDenied
    asked = request.POST.get("credential", "")
    key = Passkey.objects.filter(credential=asked).first() if "\0" not in asked else None
    reason = next((one for one in REASONS if one == request.POST.get("reason")), None)
    if key is None or reason is None:
        raise Http404
    try:
        announce(request, revoke(by, key.person, key.credential, reason))
        for account in Account.objects.filter(staff=key.person, asks_second=True):
            settle(account)
    except Refused as error:
        messages.error(request, refusal_text(error))
    return redirect(reverse("admin:casino_passkeys"))
