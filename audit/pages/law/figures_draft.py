"""Figures of a rulebook asked for: one of the direction drafts them, another decides.

Nothing is recorded before it was said what would hold, and asked for once more. An address may fill
the form in: ``?figure=NAME=VALUE`` once for each figure, ``since``, ``source``.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Final, NamedTuple
from uuid import UUID, uuid4

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from audit.pages.audit_access import for_everybody
from audit.pages.law.figure_changes import shown
from audit.pages.law.law_pages import book_or_404
from audit.pages.page_words import cited, title
from casino import clock
from casino.access import access_policy
from casino.events import Malformed
from casino.events.requests import FiguresAsked, FigureValue
from casino.house_day import gaming_day_now
from casino.law.rulebook.law_text import CHOICE, RATIO, YES_NO, spelled
from casino.law.rulebook.rulebook import Law, Parameter
from casino.law.rulebook.vocabulary import CHOICES
from casino.models import BookEntry
from casino.reading.payload import payload_of
from casino.recording import Actor, Refused, Submission, record_many
from casino.recording.figure_rules import is_in_time
from casino.tlog.canonical import canonical
from casino.web.forms.record_form import announce, onwards, refusal_text
from casino.web.forms.shield import is_too_soon, was_read
from casino.web.forms.uploads import Sent, sent_with
from casino.web.login.factor_page import ask_again
from casino.web.words import figure_words

VALUE: Final = "value."  # what the fields of figures begin with
ADD: Final = "add"  # another figure
SEEN: Final = "seen"  # the digest of what was shown to whoever asks
MOST: Final = 20  # figures of one request


class FiguresForm(forms.Form):
    """Since when, by what and why; the figures themselves are fields of their own."""

    key = forms.UUIDField(widget=forms.HiddenInput)
    since = forms.DateField(
        label=gettext_lazy("First gaming day"),
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text=gettext_lazy("After the day on which the other person decides."),
    )
    basis = forms.ChoiceField(
        label=gettext_lazy("Why it changes"),
        choices=[
            ("answer", gettext_lazy("the inspection service answered")),
            ("act", gettext_lazy("an act changes it")),
            ("house", gettext_lazy("the house chooses it, the text stating none")),
        ],
    )
    source = forms.CharField(
        label=gettext_lazy("Reference of the answer, or the act and its article"), max_length=80
    )
    document_day = forms.DateField(
        label=gettext_lazy("Day of the answer, or of the act"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    grounds = forms.CharField(
        label=gettext_lazy("What it says, in a sentence"),
        max_length=400,
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class Field(NamedTuple):
    """The field of one figure: what it is called and how it is filled in."""

    name: str
    label: str
    cited: str
    now: str
    value: str
    choices: Sequence[tuple[str, str]]
    hint: str


class Draft(NamedTuple):
    """What was filled in: texts as they came, the form, the files."""

    values: Mapping[str, str]
    form: FiguresForm
    sent: Sent


@for_everybody
@require_http_methods(["GET", "HEAD", "POST"])
def figures_draft(request: HttpRequest, rulebook: str) -> HttpResponse:
    """The form; sent, what would hold; sent again as it was shown, the request."""
    law = book_or_404(rulebook)
    by = access_policy.actor(request, FiguresAsked.kind)
    if by is None:
        raise PermissionDenied
    draft, refused, panel, seen = _draft(request, law, by), "", None, ""
    if (
        request.method == "POST"
        and not request.POST.get(ADD)
        and was_read(draft.form, request.POST)
    ):
        try:
            event = _event(law, draft)
            panel, seen = shown(event), _digest(event)
            if request.POST.get(SEEN) == seen:
                return ask_again(request) or _recorded(request, event, draft, by)
        except (Malformed, Refused) as error:
            refused, panel, seen = refusal_text(error), None, ""
    context = {
        **admin.site.each_context(request),
        "title": _("Figures of the rulebook, for another person to approve"),
        "law": law,
        "law_title": title(law),
        "form": draft.form,
        "fields": [_field(law, name, value) for name, value in draft.values.items()],
        "others": _others(law, draft.values),
        "waiting": draft.sent.wait(by.staff) if draft.sent.files else [],
        "refused": refused,
        "errors": draft.sent.errors,
        "panel": panel,
        "seen": seen,
        "too_soon": is_too_soon(request.POST),
        "full": len(draft.values) >= MOST,
    }
    wrong = refused or (draft.form.is_bound and draft.form.errors)
    return render(request, "audit/figures_draft.html", context, status=400 if wrong else 200)


def _draft(request: HttpRequest, law: Law, by: Actor) -> Draft:
    """What the form sent, or what its address fills it in with."""
    if request.method != "POST":
        named = dict(one.split("=", 1) for one in request.GET.getlist("figure") if "=" in one)
        begins = {name: request.GET.get(name, "") for name in ("since", "source", "basis")}
        first = {"key": uuid4()} | {name: value for name, value in begins.items() if value}
        return Draft(_known(law, named), FiguresForm(initial=first), Sent())
    sent = {
        name.removeprefix(VALUE): str(value).strip()
        for name, value in request.POST.items()
        if name.startswith(VALUE)
    }
    added = request.POST.get(ADD, "")
    values = _known(law, sent if added in sent else sent | {added: ""})
    form = _as_it_was(request.POST) if added else FiguresForm(request.POST)
    return Draft(values, form, sent_with(request, by.staff))


def _known(law: Law, values: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in values.items() if name in law.parameters}


def _as_it_was(sent: QueryDict) -> FiguresForm:
    """The form as it was filled in so far, without a word on it."""
    return FiguresForm(initial={name: sent.get(name, "") for name in FiguresForm.base_fields})


def _event(law: Law, draft: Draft) -> FiguresAsked:
    """What is asked for, its values spelled as a rulebook's file spells them. Raises: Malformed."""
    data = draft.form.cleaned_data
    if draft.sent.lost() or draft.sent.errors:
        raise Malformed(
            "$.file_sha256", "the file cannot be taken: {why}", why=draft.sent.errors[0]
        )
    asked = FiguresAsked(
        rulebook=law.id,
        since=data["since"],
        figures=tuple(
            FigureValue(parameter=name, value=_as_file(law.parameters[name], value))
            for name, value in draft.values.items()
            if value
        ),
        basis=data["basis"],
        source=data["source"],
        grounds=" ".join(data["grounds"].split()),
        document_day=data["document_day"],
        file_sha256=draft.sent.contents[0].sha256 if draft.sent.files else None,
    )
    if not is_in_time(asked):
        raise Malformed(
            "$.since",
            "found {found}; asked is a gaming day after {today}: no night that was played is judged"
            " otherwise.",
            found=f"{asked.since:%d/%m/%Y}",
            today=f"{gaming_day_now():%d/%m/%Y}",
        )
    return asked


def _as_file(parameter: Parameter, written: str) -> str:
    """A value as people write it, ``3:2`` or ``4, 6``, as the rulebook's file spells it."""
    if parameter.unit == RATIO:
        return written.replace(":", "/").replace(" ", "")
    if isinstance(parameter.values[-1].value, tuple) and not written.startswith("["):
        return f"[{written}]"
    return written


def _digest(wanted_figures: FiguresAsked) -> str:
    return sha256(canonical(payload_of(wanted_figures))).hexdigest()


def _recorded(request: HttpRequest, event: FiguresAsked, draft: Draft, by: Actor) -> HttpResponse:
    """Raises: Malformed, Refused."""
    key: UUID = draft.form.cleaned_data["key"]
    before = BookEntry.objects.filter(key=key).first()
    if before is not None:  # sent twice it is one request
        return onwards(reverse("admin:casino_staffrequest_change", args=[before.pk]))
    submission = Submission(event, key, by, clock.now(), files=draft.sent.contents)
    receipt = record_many([submission])[0]
    draft.sent.forget(by.staff)
    announce(request, receipt)
    return onwards(reverse("admin:casino_staffrequest_change", args=[receipt.entry_id]))


def _field(law: Law, name: str, value: str) -> Field:
    parameter = law.parameters[name]
    dated = parameter.on(gaming_day_now())
    return Field(
        VALUE + name,
        figure_words.name(name),
        cited(law.id, parameter.article),
        _("not stated on this day")
        if dated is None
        else figure_words.said(law, parameter, dated.value),
        value,
        _choices(law, parameter),
        _hint(parameter),
    )


def _choices(law: Law, parameter: Parameter) -> list[tuple[str, str]]:
    """The values a figure may have, with their words, where there are few; else none."""
    reading = next((r for r in law.readings.values() if r.parameter == parameter.name), None)
    if reading is not None:
        return [
            (spelled(one.value), capfirst(figure_words.meaning(reading, one.value)))
            for one in reading.choices
        ]
    if parameter.unit == YES_NO:
        return [("true", capfirst(_("yes"))), ("false", capfirst(_("no")))]
    if parameter.unit == CHOICE:
        words = CHOICES[parameter.name].split()
        return [(word, capfirst(figure_words.said(law, parameter, word))) for word in words]
    return []


def _hint(parameter: Parameter) -> str:
    if parameter.unit == RATIO:
        return _("A ratio, as 3:2 or 1/2.")
    if isinstance(parameter.values[-1].value, tuple):
        return _("Whole numbers in rising order, as 4, 6.")
    return _("A whole number.")


def _others(law: Law, chosen: Mapping[str, str]) -> list[tuple[str, list[tuple[str, str]]]]:
    """The figures that can be added, under their articles."""
    found: dict[str, list[tuple[str, str]]] = {}
    for name, parameter in law.parameters.items():
        if name not in chosen:
            listed = found.setdefault(cited(law.id, parameter.article), [])
            listed.append((name, figure_words.name(name)))
    return list(found.items())
