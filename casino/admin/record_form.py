"""Recording through a form: shown, judged beforehand, recorded. New records and corrections alike.

The first POST of what would open a finding brings the warnings back; the second, with a coded
reason for each, records. Nothing unlawful is refused here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext

from casino.admin.field_words import kind_word, word
from casino.admin.form_widgets import MORE, WORK_OUT
from casino.admin.forms import REASON, FactForm, form_for
from casino.admin.rightful_cut import work_out
from casino.admin.warnings import Warned, despite_in, warned_of
from casino.facts import Malformed
from casino.facts.phrases import said
from casino.facts.shoes import CutMade
from casino.models import BookEntry
from casino.previewing import preview
from casino.recording import (
    Actor,
    KeyReused,
    NotAllowed,
    Receipt,
    Refused,
    Source,
    Supersedes,
    record,
)

TEMPLATE = "admin/casino/record_form.html"


@dataclass(frozen=True, slots=True, kw_only=True)
class Taking:
    """One record that is being taken down: which kind, by whom, instead of what.

    `beginning` are the arguments the form begins with, `context` what the page shows around it.
    `target` is the entry that is corrected.
    """

    kind: type[Any]
    by: Actor
    beginning: Mapping[str, Any]
    context: Mapping[str, Any]
    target: BookEntry | None = None
    warned: list[Warned] = field(default_factory=list)

    @property
    def turns(self) -> bool:
        """Whether somebody's turn can be worked out: that of the cut."""
        return self.kind is CutMade


def take(request: HttpRequest, taking: Taking) -> HttpResponse | Receipt:
    """Show the form, or record what it tells: the page to be shown, or the book's receipt."""
    made = form_for(taking.kind)
    if request.method != "POST":
        return _page(request, taking, made(taking.kind, key=uuid4(), **taking.beginning))
    data = request.POST
    if MORE in data or WORK_OUT in data:
        form = made(taking.kind, key=uuid4(), **taking.beginning)
        form.unjudged(data)
        turn = work_out(form, data, taking.by) if WORK_OUT in data and taking.turns else ""
        return _page(request, taking, form, turn)
    form = made(taking.kind, data, key=uuid4(), **taking.beginning)
    if not form.is_valid():
        return _page(request, taking, form)
    try:
        if not BookEntry.objects.filter(key=form.key).exists():
            taking.warned.extend(_warned(taking, form, data))
            if any(not one.chosen for one in taking.warned):
                return _page(request, taking, form)
        return _record(taking, form, data)
    except Malformed as error:
        form.refuse(error)
    except Refused as error:
        form.add_error(None, told_refusal(error))
    return _page(request, taking, form)


def _warned(taking: Taking, form: FactForm, data: Mapping[str, Any]) -> list[Warned]:
    findings = preview(
        form.fact(),
        occurred_at=form.occurred_at,
        by=taking.by,
        instead_of=None if taking.target is None else _leaf(taking.target),
    )
    return warned_of(findings, data)


def _record(taking: Taking, form: FactForm, data: Mapping[str, Any]) -> Receipt:
    supersedes = None
    if taking.target is not None:
        reason = form.cleaned_data[REASON]
        supersedes = Supersedes(taking.target.n, _leaf(taking.target), reason)
    return record(
        form.fact(despite_in(data)),
        key=form.key,
        by=taking.by,
        occurred_at=form.occurred_at,
        source=Source(),
        supersedes=supersedes,
    )


def _leaf(entry: BookEntry) -> str:
    return bytes(entry.leaf_hash).hex()


def told_refusal(error: Refused | Malformed) -> str:
    """Why nothing was stored, in the reader's language."""
    if isinstance(error, Malformed):
        return said(error.reason, gettext)
    if isinstance(error, KeyReused):
        return gettext(
            "This form was recorded already (%(stream)s, entry %(n)s) and has been changed since."
            " Correct that entry, or open a new form."
        ) % {"stream": error.values["stream"], "n": error.values["n"]}
    values = dict(error.values)
    if "why" in values:
        values["why"] = gettext(values["why"])
    if isinstance(error, NotAllowed):
        values["office"] = word(values["office"])
        values["kind"] = kind_word(values["kind"])
        values["offices"] = ", ".join(word(one) for one in values["offices"].split(", "))
    return gettext(error.template).format(**values)


def tell(request: HttpRequest, receipt: Receipt) -> None:
    """Say above the next page that it was recorded, and when."""
    at = date_format(localtime(receipt.recorded_at), "H:i:s")
    values = {"at": at, "n": receipt.n, "stream": receipt.stream}
    if receipt.repeated:
        said = gettext("Already recorded at %(at)s: entry %(n)s of %(stream)s.") % values
        messages.info(request, said)
    else:
        said = gettext("Recorded at %(at)s: entry %(n)s of %(stream)s.") % values
        messages.success(request, said)


def _page(request: HttpRequest, taking: Taking, form: FactForm, turn: str = "") -> HttpResponse:
    context = {
        **taking.context,
        "form": form,
        "groups": form.groups(),
        "warned": taking.warned,
        "correcting": taking.target,
        "by": taking.by,
        "work_out": WORK_OUT if taking.turns else "",
        "turn": turn,
    }
    return TemplateResponse(request, TEMPLATE, context)


def onwards(url: str) -> HttpResponse:
    """Go on with a GET, so that a reload records nothing."""
    return HttpResponseRedirect(url)
