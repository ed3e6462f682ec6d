"""S6, after it: the tablet is handed over, and a second person confirms what he saw.

One text in large letters, a number, a secret, nothing else; a passkey instead where he has one. The
operator's session stays his own.

Law: PT art. 51, 54, 55.
"""

import json
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.debug import sensitive_post_parameters

from casino import clock
from casino.admin import permits
from casino.admin.entry_page import author_of
from casino.admin.field_words import word
from casino.admin.passkeys import AnswerForm, origin_of, passkeys_work
from casino.admin.record_form import told_refusal
from casino.admin.warnings import cited, language
from casino.admin.witness import ARTICLES, WitnessForm
from casino.facts import Malformed
from casino.facts.incidents import IncidentReported
from casino.facts.shufflers import ShufflerLoaded, ShufflerUnloaded
from casino.models import Attestation, BookEntry, Passkey
from casino.queries import entry_told
from casino.recording import Refused
from casino.recording.authority import HEAD
from casino.recording.second_persons import acted
from casino.regulation.floor_troubles import DAMAGES
from casino.sala.access import DOOR, FLOOR, floor_page
from casino.sala.games import check_table, table_url
from casino.sala.scene import RULEBOOK, scene_of
from casino.sala.showing import shown
from casino.sala.still_missing import all_on_duty
from casino.sala.ways import way_after
from casino.witnessing import (
    LASTS,
    asked_of_device,
    can_be_witnessed,
    confirm,
    confirm_by_passkey,
    invite,
    passkeys_of,
)

ANEW = "anew"  # in an address: somebody else confirms it too
LETTERS = "letters"  # in an address: he types a password, not digits
BY_PASSKEY = "by_passkey"  # a field: the device has answered, not a code


@sensitive_post_parameters("secret")
@floor_page(FLOOR)
def witness_view(request: HttpRequest, entry_id: UUID) -> HttpResponse:
    """The text and the controls; on POST what he confirms is recorded."""
    entry = _act(request, entry_id)
    attested = _attestations(entry)
    if request.method != "POST":
        if attested and ANEW not in request.GET:
            return _done(request, entry, attested)
        return _page(request, entry, WitnessForm(), [])
    if BY_PASSKEY in request.POST:
        return _by_passkey(request, entry)
    form = WitnessForm(request.POST)
    if not form.is_valid():
        return _page(request, entry, form, [])
    told = form.cleaned_data
    try:
        confirm(
            entry,
            told["token"],
            told["staff"].strip(),
            told["secret"],
            ARTICLES[entry.kind],
            asked_by=request.user.get_username(),
            door=DOOR,
        )
    except (Refused, Malformed) as error:
        return _page(request, entry, form, [("secret", told_refusal(error))])
    return _onward(entry)


def _by_passkey(request: HttpRequest, entry: BookEntry) -> HttpResponse:
    """Whose passkey it is the book knows: nobody types a number beside it."""
    form = AnswerForm(request.POST)
    if not form.is_valid() or not form.cleaned_data["credential"]:
        why = gettext("A passkey needs JavaScript. Use the code instead.")
        return _page(request, entry, WitnessForm(), [("staff", why)])
    told = form.cleaned_data
    key = Passkey.objects.filter(credential=told["credential"]).first()
    try:
        confirm_by_passkey(
            entry,
            told["token"],
            key.person if key is not None else "",
            told,
            ARTICLES[entry.kind],
            origin=origin_of(request),
            asked_by=request.user.get_username(),
            door=DOOR,
        )
    except (Refused, Malformed) as error:
        return _page(request, entry, WitnessForm(), [("", told_refusal(error))])
    return _onward(entry)


def _onward(entry: BookEntry) -> HttpResponse:
    response = HttpResponseRedirect(reverse("sala:witness", args=[entry.pk]))
    response.status_code = 303
    return response


def _after(entry: BookEntry) -> tuple[str, str]:
    """Where one goes on, the tablet back in one's hand, and what that is called."""
    onward = way_after(entry)
    if onward is not None:
        return onward
    table, told = entry.table_code, entry_told(entry.pk)
    if entry.kind == IncidentReported.kind and told is not None:
        number = told.fact.incident
        back = gettext("Back to incident %(number)s") % {"number": number}
        return reverse("sala:incident_steps", args=[table, number]), back
    if entry.kind == ShufflerUnloaded.kind:
        return reverse("sala:close", args=[table]), gettext("Go on closing the table")
    return table_url(table), gettext("To table %(table)s") % {"table": table}


def _act(request: HttpRequest, entry_id: UUID) -> BookEntry:
    """The act. Raises: Http404, also for what he may not read; PermissionDenied."""
    entry = BookEntry.objects.select_related("stream").filter(pk=entry_id).first()
    if entry is None or not entry.table_code or not can_be_witnessed(entry.kind):
        raise Http404
    if not permits.may_read_entry(request, entry.kind, entry.partida_id, author_of(entry)):
        raise Http404
    check_table(request, entry.table_code)
    return entry


def _attestations(entry: BookEntry) -> list[Attestation]:
    of = Attestation.objects.filter(witnessed_stream=entry.stream.name, witnessed_n=entry.n)
    return list(of.order_by("n"))


def _page(
    request: HttpRequest, entry: BookEntry, form: WitnessForm, refused: list[tuple[str, str]]
) -> HttpResponse:
    """A fresh token each time; the secret is never shown again."""
    invitation = invite(entry, language())
    likely = likely_witnesses(entry)
    first = likely[0] if likely else ""
    number = form.data.get("staff", "") if form.is_bound else first
    errors = refused + [(name, str(one)) for name, of in form.errors.items() for one in of]
    context: dict[str, Any] = {
        "me": None,  # nothing else stands on this page: no way out of the operator's session
        "recorded": None,
        "table": entry.table_code,
        "entry": entry,
        "text": invitation.text,
        "token": invitation.token,
        "number": number,
        "off_duty": _is_off_duty(entry, number.strip()),
        "errors": errors,
        "form": form,
        "letters": LETTERS in request.GET,
        "article": cited(RULEBOOK, ARTICLES[entry.kind]) if _is_owed(entry) else "",
        "seconds": int(LASTS.total_seconds()),
        "options_text": _asked_of_devices(request, likely, invitation.challenge),
        "table_url": table_url(entry.table_code),
    }
    return shown(request, "sala/witness.html", context)


def _is_owed(entry: BookEntry) -> bool:
    """Whether the law's checks ask for this word within minutes. Law: PT art. 51, 54, 55."""
    if entry.kind != IncidentReported.kind:
        return entry.kind in (ShufflerLoaded.kind, ShufflerUnloaded.kind)
    told = entry_told(entry.pk)
    return told is not None and told.fact.category in DAMAGES and told.fact.shuffler is not None


def _is_off_duty(entry: BookEntry, number: str) -> bool:
    """Whether he was on no duty as fiscal-chefe then, as far as told. Law: PT art. 54, 55."""
    if not number or not entry.partida_id:
        return False
    if entry.kind not in (ShufflerLoaded.kind, ShufflerUnloaded.kind):
        return False
    dossier = scene_of(entry.partida_id, clock.now()).dossier
    return not dossier.on_duty(number, HEAD, entry.occurred_at)


def likely_witnesses(entry: BookEntry) -> list[str]:
    """Who is asked before anybody else: the fiscal-chefe the act names, then those on duty there.

    A number that stands on the page is no secret, and whoever else was there types his own.
    """
    told = entry_told(entry.pk)
    named = getattr(told.fact, "fiscal_chefe", None) if told is not None else None
    there: list[str] = []
    if entry.partida_id:
        there = all_on_duty(scene_of(entry.partida_id, clock.now()).dossier, HEAD)
    asked = dict.fromkeys([*([named] if named else []), *reversed(there)])
    return [one for one in asked if not acted(entry, one)]


def _asked_of_devices(request: HttpRequest, staff: list[str], challenge: bytes) -> str:
    """What this tablet asks a passkey of any of them, as JSON; "" where none of them has one."""
    asked = [asked_of_device(one, challenge) for one in staff if passkeys_of(one)]
    if not asked or not passkeys_work(request):
        return ""
    keys = [key for one in asked for key in one["allowCredentials"]]
    return json.dumps(asked[0] | {"allowCredentials": keys})


def _done(request: HttpRequest, entry: BookEntry, attested: list[Attestation]) -> HttpResponse:
    context = {
        "table": entry.table_code,
        "entry": entry,
        "attested": [(one.witness, word(one.held), one.recorded_at) for one in attested],
        "onward": _after(entry),
        "anew": f"?{ANEW}=1",
    }
    return shown(request, "sala/witness_done.html", context)
