"""The witness's page: one text, one secret, nothing else. The operator's session stays his own."""

from typing import Any
from uuid import UUID

from django import forms
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

from casino.admin import permits
from casino.admin.entry_page import author_of, url_of
from casino.admin.kind_words import kind_word
from casino.admin.record_form import tell, told_refusal
from casino.admin.warnings import language
from casino.facts import Malformed
from casino.models import Account, Attestation, BookEntry
from casino.recording import Refused, SecretRefused
from casino.witnessing import (
    LASTS,
    LOCKED_OUT,
    LONGEST_PIN,
    SHORTEST_PIN,
    can_be_witnessed,
    change_pin,
    confirm,
    invite,
)

# Under which article an act is confirmed.
ARTICLES = {"shuffler-loaded/1": "54", "shuffler-unloaded/1": "55", "incident-reported/1": "51"}
ARTICLES |= {"jackpot-paid/1": "50", "jackpot-adjusted/1": "41"}


class WitnessForm(forms.Form):
    """The witness's own number and secret. No password manager of a shared tablet keeps them."""

    staff = forms.CharField(
        label=_("Your staff number"),
        max_length=40,
        widget=forms.TextInput(
            {"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}
        ),
    )
    secret = forms.CharField(
        label=_("Your personal code, or your password"),
        max_length=200,
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "one-time-code"}, render_value=False),
    )
    token = forms.CharField(widget=forms.HiddenInput, max_length=2_000)


def act_to_confirm(request: HttpRequest, entry_id: UUID) -> BookEntry:
    """The act a second person confirms. Raises: Http404; PermissionDenied, who may not read it."""
    entry = BookEntry.objects.select_related("stream").filter(pk=entry_id).first()
    if entry is None or not can_be_witnessed(entry.kind):
        raise Http404
    if not permits.may_read_entry(request, entry.kind, entry.partida_id, author_of(entry)):
        raise PermissionDenied
    return entry


@never_cache
@sensitive_post_parameters("secret")
def witness_view(request: HttpRequest, entry_id: UUID) -> HttpResponse:
    """Show the text to the second person; on POST record that he confirms it."""
    entry = act_to_confirm(request, entry_id)
    refused = ""
    form = WitnessForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        told = form.cleaned_data
        try:
            receipt = confirm(
                entry,
                told["token"],
                told["staff"].strip(),
                told["secret"],
                ARTICLES[entry.kind],
                asked_by=request.user.get_username(),
            )
        except (Refused, Malformed) as error:
            refused = told_refusal(error)
        else:
            tell(request, receipt)
            return redirect(url_of(entry.kind, entry.pk))
    return _page(request, entry, form, refused)


def _page(request: HttpRequest, entry: BookEntry, form: WitnessForm, refused: str) -> HttpResponse:
    """A fresh token each time: what was asked once is not asked again under it."""
    invitation = invite(entry, language())
    staff = form.data.get("staff", "") if form.is_bound else ""
    shown = WitnessForm(initial={"token": invitation.token, "staff": staff})
    context: dict[str, Any] = {
        **site_context(request),
        "title": gettext("Witness: %(what)s") % {"what": kind_word(entry.kind)},
        "entry": entry,
        "text": invitation.text,
        "form": shown,
        "refused": refused,
        "errors": form.errors if form.is_bound else {},
        "seconds": int(LASTS.total_seconds()),
        "entry_url": url_of(entry.kind, entry.pk),
        "done": Attestation.objects.filter(
            witnessed_stream=entry.stream.name, witnessed_n=entry.n
        ).exists(),
    }
    return TemplateResponse(request, "admin/casino/witness.html", context)


def site_context(request: HttpRequest) -> dict[str, Any]:
    """What every page of the admin gets."""
    from django.contrib.admin import site

    return site.each_context(request)


class CodeForm(forms.Form):
    """A new personal code, set with one's own password."""

    password = forms.CharField(
        label=_("Your password"),
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "current-password"}),
    )
    code = forms.RegexField(
        label=_("New personal code"),
        regex=rf"\A[0-9]{{{SHORTEST_PIN},{LONGEST_PIN}}}\Z",
        help_text=_("6 to 8 digits. With it you confirm others' acts on any device."),
        widget=forms.PasswordInput({"autocomplete": "new-password", "inputmode": "numeric"}),
    )


@never_cache
@sensitive_post_parameters("password", "code")
def code_view(request: HttpRequest) -> HttpResponse:
    """Set one's own code."""
    form = CodeForm(request.POST if request.method == "POST" else None)
    user = request.user
    assert isinstance(user, Account)
    if form.is_valid():
        try:
            change_pin(user, form.cleaned_data["password"], form.cleaned_data["code"])
        except SecretRefused as error:
            locked = error.values["why"] == LOCKED_OUT
            wrong = gettext("This is not your password.")
            form.add_error("password", told_refusal(error) if locked else wrong)
        else:
            messages.success(request, gettext("Your personal code is set."))
            return redirect(reverse("admin:index"))
    context = {**site_context(request), "title": gettext("Personal code"), "form": form}
    return TemplateResponse(request, "admin/casino/code.html", context)
