"""The witness's page: one text, one secret, nothing else. The operator's session stays his own."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from uuid import UUID, uuid4

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from casino import clock
from casino.access import access_policy
from casino.access.offices_held import offices_of
from casino.events import Malformed
from casino.events.event import EntryRef
from casino.events.event_policy import HEAD
from casino.events.phrases import said
from casino.events.witnessing import Witnessed
from casino.models import Account, Attestation, BookEntry, Partida
from casino.previewing import Draft, preview
from casino.queries import load_entry, offices_at, that_count
from casino.recording import Actor, Refused, SecretRefused
from casino.recording.authority import writers_of
from casino.recording.refusals import OWN_ACT
from casino.recording.second_persons import acted
from casino.web.entries.entry_page import author_of, url_of
from casino.web.forms.people_choices import (
    BEFORE,
    PersonField,
    can_be_number,
    number_of,
    offer,
    people_of,
)
from casino.web.forms.record_form import announce, refusal_text
from casino.web.forms.warnings import Warned, warned_of
from casino.web.words.field_words import word
from casino.web.words.kind_words import kind_word
from casino.web.words.languages import house_language
from casino.witnessing import (
    LASTS,
    LONGEST_PIN,
    SAME_CODE,
    SHORTEST_PIN,
    SHORTEST_QUICK,
    WRONG,
    can_be_witnessed,
    change_pin,
    change_quick_code,
    confirm,
    invite,
)
from casino.witnessing.proving import office_of

BY = "by"  # in an address: whose number is asked about
LOOK = "look"  # a button: who a number is, and nothing else
OVER = "over"  # a field: whose want of what the law asks was seen, and confirmed over
# Under which article an act is confirmed.
ARTICLES = {"shuffler-loaded/1": "54", "shuffler-unloaded/1": "55", "incident-reported/1": "51"}
WITHIN_MINUTES = frozenset(ARTICLES)  # their rulebook has it confirmed within minutes
ARTICLES |= {"jackpot-paid/1": "50", "jackpot-adjusted/1": "41"}
ARTICLES |= {"finding-settled/1": "house.cases"}


class WitnessForm(forms.Form):
    """The witness's own number and secret. No password manager of a shared tablet keeps them."""

    staff = PersonField(first="fiscal_chefe", label=_("Your staff number"))
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
    if not access_policy.may_read_entry(request, entry.kind, entry.partida_id, author_of(entry)):
        raise PermissionDenied
    return entry


def lacking(entry: BookEntry, number: str) -> list[Warned]:
    """What the law would find were he the one who confirms it. Law: PT art. 51, 54, 55.

    Nothing of whoever would be refused.
    """
    if not number or not entry.partida_id or why_not_confirm(entry, number):
        return []
    now = clock.now()
    with suppress(Malformed):  # a number that cannot be one
        witnessed = Witnessed(
            table=entry.table_code,
            partida=entry.partida_id,
            witnessed=EntryRef(
                stream=entry.stream.name, n=entry.n, leaf=bytes(entry.leaf_hash).hex()
            ),
            act=entry.kind,
            staff=number,
            office=office_of(number),
            method="pin",
            nonce=str(uuid4()),
            expires_at=now,
            text_sha256="0" * 64,
        )
        (found,) = preview([Draft(witnessed, now, Actor(number, witnessed.office, "admin"))])
        return warned_of(found, {})
    return []


def why_not_confirm(entry: BookEntry, number: str) -> str:
    """Why his word would be refused whatever his secret; '' where it would not, or nobody is named.

    A number nobody has and one of no office of the floor are answered alike.
    """
    if not number:
        return ""
    if acted(entry, number):
        return capfirst(said(OWN_ACT, gettext))
    return why_no_office(number, Witnessed.kind)


def why_no_office(number: str, kind: str) -> str:
    """That nobody of an office that may write a kind is known by a number; '' where somebody is."""
    asked = writers_of(kind)
    if can_be_number(number) and offices_at(number, clock.now()) & asked:
        return ""
    text = gettext("%(number)s: nobody of these offices is known by this number: %(offices)s.")
    offices = ", ".join(sorted(str(word(one)) for one in asked))
    return text % {"number": number, "offices": offices}


def said_of(request: HttpRequest, entry: BookEntry, number: str) -> dict[str, object]:
    """Who a number is and what he lacks as a witness, for the page that asks for his secret."""
    him = people_of(request).everybody.get(number)
    tables = him.duty.get(HEAD, ()) if him is not None else ()
    elsewhere = tables if entry.table_code and entry.table_code not in tables else ()
    return {
        "table": entry.table_code,
        "number": number,
        "who": people_of(request).said(number),
        "why_not": why_not_confirm(entry, number),
        "warned": lacking(entry, number),
        "elsewhere": ", ".join(elsewhere),
    }


def looks_first(request: HttpRequest, entry: BookEntry, number: str) -> bool:
    """Whether something is to be said of him before his secret is looked at.

    That is so where he was only asked for, or where nobody ticked to confirm over what he lacks.
    """
    if LOOK in request.POST and request.POST.get(f"staff{BEFORE}") != number:
        return True
    if request.POST.get(OVER) == number:
        return False
    return bool(why_not_confirm(entry, number) or lacking(entry, number))


@never_cache
@sensitive_post_parameters("secret")
def witness_view(request: HttpRequest, entry_id: UUID) -> HttpResponse:
    """Show the text to the second person; on POST record that he confirms it."""
    entry = act_to_confirm(request, entry_id)
    refused = ""
    form = WitnessForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        data = form.cleaned_data
        if looks_first(request, entry, data["staff"]):
            return _page(request, entry, form, "")
        try:
            receipt = confirm(
                entry,
                data["token"],
                data["staff"],
                data["secret"],
                ARTICLES[entry.kind],
                asked_by=request.user.get_username(),
            )
        except (Refused, Malformed) as error:
            refused = refusal_text(error)
        else:
            announce(request, receipt)
            return redirect(url_of(entry.kind, entry.pk))
    return _page(request, entry, form, refused)


def _page(
    request: HttpRequest, entry: BookEntry, witness_form: WitnessForm, refused: str
) -> HttpResponse:
    """A fresh token each time: what was asked once is not asked again under it.

    The number is that of who is likely, or who was typed; what he lacks is said before he confirms.
    """
    invitation = invite(entry, house_language())
    asked = request.GET.get(BY)
    if witness_form.is_bound:
        asked = witness_form["staff"].value() or ""
    number = number_of(likely_witness(request, entry) if asked is None else asked)
    shown = WitnessForm(initial={"token": invitation.token, "staff": number})
    shown.fields["secret" if number else "staff"].widget.attrs["autofocus"] = True
    offer(shown, request)
    context: dict[str, object] = {
        **site_context(request),
        "title": gettext("Witness: %(what)s") % {"what": kind_word(entry.kind)},
        "entry": entry,
        "text": invitation.text,
        "form": shown,
        "refused": refused,
        **said_of(request, entry, number),
        "errors": _errors(request, witness_form),
        "seconds": int(LASTS.total_seconds()),
        "asked_by_law": entry.kind in WITHIN_MINUTES,
        "entry_url": url_of(entry.kind, entry.pk),
        "done": Attestation.objects.filter(
            witnessed_stream=entry.stream.name, witnessed_n=entry.n
        ).exists(),
    }
    return TemplateResponse(request, "admin/casino/witness.html", context)


def _errors(request: HttpRequest, witness_form: WitnessForm) -> Mapping[str, object]:
    """What was refused; that no secret was typed is not, where it was only asked who he is."""
    values = dict(witness_form.errors) if witness_form.is_bound else {}
    if LOOK in request.POST:
        values.pop("secret", None)
    return values


def likely_witness(request: HttpRequest, entry: BookEntry) -> str:
    """Who is asked before anybody else; "" where nobody is likely.

    A fiscal-chefe at his own desk; else whom the act names, who is on duty there, with whom the
    game was opened. A number that stands on the page is no secret.
    """
    recorded = load_entry(entry.pk)
    on_duty = [one for one in people_of(request).everybody.values() if HEAD in one.duty]
    on_duty.sort(
        key=lambda person: entry.table_code not in (person.duty[HEAD] or [entry.table_code])
    )
    opened = that_count(Partida.objects.filter(partida_id=entry.partida_id or None))
    asked = [
        request.user.get_username() if HEAD in offices_of(request) else "",
        getattr(recorded.event, "fiscal_chefe", None) if recorded is not None else None,
        *(one.number for one in on_duty),
        *opened.values_list("fiscal_chefe", flat=True),
    ]
    return next((one for one in asked if one and not acted(entry, one)), "")


def site_context(request: HttpRequest) -> dict[str, object]:
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


class QuickCodeForm(CodeForm):
    """A new code for changing to oneself at a tablet, set with one's own password."""

    code = forms.RegexField(
        label=_("New quick code"),
        regex=rf"\A[0-9]{{{SHORTEST_QUICK},{LONGEST_PIN}}}\Z",
        help_text=_(
            "4 to 8 digits, and not your personal code. It changes to you at a tablet of the floor"
            " on which you logged in that day, and opens nothing else."
        ),
        widget=forms.PasswordInput({"autocomplete": "new-password", "inputmode": "numeric"}),
    )


@never_cache
@sensitive_post_parameters("password", "code")
def code_view(request: HttpRequest) -> HttpResponse:
    """Set one's own code."""
    form = CodeForm(request.POST if request.method == "POST" else None)
    done = gettext("Your personal code is set.")
    return _code_page(request, form, change_pin, gettext("Personal code"), done)


@never_cache
@sensitive_post_parameters("password", "code")
def quick_code_view(request: HttpRequest) -> HttpResponse:
    """Set the code one is changed to with on the floor."""
    form = QuickCodeForm(request.POST if request.method == "POST" else None)
    done = gettext("Your quick code is set.")
    return _code_page(request, form, change_quick_code, gettext("Quick code"), done)


def _code_page(
    request: HttpRequest,
    code_form: CodeForm,
    change: Callable[[Account, str, str], None],
    title: str,
    done: str,
) -> HttpResponse:
    user = request.user
    assert isinstance(user, Account)
    if code_form.is_valid():
        try:
            change(user, code_form.cleaned_data["password"], code_form.cleaned_data["code"])
        except SecretRefused as error:
            why = error.values["why"]
            text = gettext("This is not your password.") if why == WRONG else refusal_text(error)
            code_form.add_error("code" if why == SAME_CODE else "password", text)
        else:
            messages.success(request, done)
            return redirect(reverse("admin:index"))
    context = {**site_context(request), "title": title, "form": code_form}
    return TemplateResponse(request, "admin/casino/code.html", context)
