"""S6, after it: the tablet is handed over, and a second person confirms what he saw.

One text in large letters, a number, a secret, nothing else; a passkey instead where he has one. The
operator's session stays his own. What somebody lacks as a witness is said before his secret is
looked at, and confirmed over only where he ticks that he does so.

Law: PT art. 51, 54, 55.
"""

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import get_language, gettext, override
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_post_parameters

from casino import clock, holding
from casino.access import access_policy
from casino.access.offices_held import offices_of
from casino.events import Malformed
from casino.events.event_policy import FLOOR, HEAD
from casino.events.incidents import IncidentReported
from casino.events.shufflers import ShufflerLoaded, ShufflerUnloaded
from casino.floor.closing.still_missing import all_on_duty, chefe_of
from casino.floor.floor_access import DOOR, floor_page
from casino.floor.floor_page import shown
from casino.floor.game_pages import after_closing, check_table, table_url
from casino.floor.game_view import GameView, load_game_view
from casino.floor.table_links import way_after
from casino.law.game_incidents import DAMAGES
from casino.models import Attestation, BookEntry, Passkey
from casino.queries import load_entry
from casino.recording import Refused
from casino.recording.second_persons import acted
from casino.web.entries.entry_page import author_of
from casino.web.forms.people_choices import number_of, people_of, picked_in
from casino.web.forms.record_form import refusal_text
from casino.web.forms.warnings import cited
from casino.web.second_person.device_answer import origin_of, passkeys_work
from casino.web.second_person.passkey_pages import AnswerForm
from casino.web.second_person.witness_page import (
    ARTICLES,
    BY,
    LOOK,
    OVER,
    WitnessForm,
    looks_first,
    said_of,
    why_not_confirm,
)
from casino.web.words.field_words import word
from casino.web.words.languages import house_language
from casino.witnessing import (
    asked_of_device,
    can_be_witnessed,
    confirm,
    confirm_by_passkey,
    invite,
    passkeys_of,
)

ANEW = "anew"  # in an address: somebody else confirms it too
READ = "read"  # in an address: the language in which he reads it
LETTERS = "letters"  # in an address: he types a password, not digits
BY_PASSKEY = "by_passkey"  # a field: the device has answered, not a code
# The check that asks for a second person's word within minutes. Law: PT art. 51, 54, 55.
_OWED: Final = {
    ShufflerLoaded.kind: "loading_witnessed",
    ShufflerUnloaded.kind: "unloading_witnessed",
    IncidentReported.kind: "trouble_witnessed",
}
# What waits, said to the one it waits for, on his own tablet.
_WAITS: Final = {
    ShufflerLoaded.kind: _("The loading awaits your confirmation"),
    ShufflerUnloaded.kind: _("The emptying awaits your confirmation"),
    IncidentReported.kind: _("The incident awaits your confirmation"),
    "jackpot-paid/1": _("The payment awaits your confirmation"),
}
_READ_IN: Final = {"pt": "Português", "en": "English"}


@sensitive_post_parameters("secret")
@floor_page(FLOOR)
def witness_view(request: HttpRequest, entry_id: UUID) -> HttpResponse:
    """The text and the controls; on POST what he confirms is recorded."""
    entry = _act(request, entry_id)
    with override(_read_in(request)):
        answer = _answered(request, entry)
        if isinstance(answer, TemplateResponse):
            answer.render()  # in the language the witness reads
        return answer


def _read_in(request: HttpRequest) -> str:
    """The language of the page: the one asked for, else the operator's."""
    asked = {"pt": "pt-pt", "en": "en"}.get(request.GET.get(READ, ""))
    return asked or get_language() or settings.LANGUAGE_CODE


def _answered(request: HttpRequest, entry: BookEntry) -> HttpResponse:
    attested = _attestations(entry)
    if request.method != "POST":
        if attested and ANEW not in request.GET:
            return _done(request, entry, attested)
        by = request.GET.get(BY)
        return _page(request, entry, by and number_of(by))
    if BY_PASSKEY in request.POST:
        return _by_passkey(request, entry)
    form = WitnessForm(request.POST)
    number = number_of(picked_in(request.POST, "staff"))
    if number and looks_first(request, entry, number):
        return _page(request, entry, number, _look(request, entry, number))
    if not form.is_valid():
        missing = [(name, str(one)) for name, of in form.errors.items() for one in of]
        return _page(request, entry, number, missing)
    data = form.cleaned_data
    try:
        confirm(
            entry,
            data["token"],
            number,
            data["secret"],
            ARTICLES[entry.kind],
            asked_by=request.user.get_username(),
            door=DOOR,
        )
    except (Refused, Malformed) as error:
        return _page(request, entry, number, [("secret", refusal_text(error))])
    return _onward(entry)


def _by_passkey(request: HttpRequest, entry: BookEntry) -> HttpResponse:
    """Whose passkey it is the book knows: nobody types a number beside it."""
    form = AnswerForm(request.POST)
    if not form.is_valid() or not form.cleaned_data["credential"]:
        why = gettext("A passkey needs JavaScript. Use the code instead.")
        return _page(request, entry, None, [("staff", why)])
    data = form.cleaned_data
    key = Passkey.objects.filter(credential=data["credential"]).first()
    number = key.person if key is not None else ""
    if looks_first(request, entry, number):
        return _page(request, entry, number, _look(request, entry, number))
    try:
        confirm_by_passkey(
            entry,
            data["token"],
            number,
            data,
            ARTICLES[entry.kind],
            origin=origin_of(request),
            asked_by=request.user.get_username(),
            door=DOOR,
        )
    except (Refused, Malformed) as error:
        return _page(request, entry, None, [("", refusal_text(error))])
    return _onward(entry)


def _look(request: HttpRequest, entry: BookEntry, number: str) -> list[tuple[str, str]]:
    """What stands at the top of a page that says first what he lacks; nothing where one asked."""
    if LOOK in request.POST:
        return []
    why = why_not_confirm(entry, number)
    if why:
        return [("staff", why)]
    why = gettext("Look at what is said of %(who)s, tick that it is confirmed all the same.")
    return [(OVER, why % {"who": number})]


def _onward(entry: BookEntry) -> HttpResponse:
    response = HttpResponseRedirect(reverse("sala:witness", args=[entry.pk]))
    response.status_code = 303
    return response


def _after(entry: BookEntry) -> tuple[str, str]:
    """Where one goes on, the tablet back in one's hand, and what that is called."""
    onward = way_after(entry)
    if onward is not None:
        return onward
    table, recorded = entry.table_code, load_entry(entry.pk)
    if entry.kind == IncidentReported.kind and recorded is not None:
        number = recorded.event.incident
        back = gettext("Back to incident %(number)s") % {"number": number}
        return reverse("sala:incident_steps", args=[table, number]), back
    if entry.kind == ShufflerUnloaded.kind:
        game = load_game_view(entry.partida_id, clock.now())
        words = (
            gettext("What the game came to") if game.over else gettext("Go on closing the table")
        )
        return after_closing(game), words
    return table_url(table), gettext("To table %(table)s") % {"table": table}


def _act(request: HttpRequest, entry_id: UUID) -> BookEntry:
    """The act. Raises: Http404, also for what he may not read; PermissionDenied."""
    entry = BookEntry.objects.select_related("stream").filter(pk=entry_id).first()
    if entry is None or not entry.table_code or not can_be_witnessed(entry.kind):
        raise Http404
    if not access_policy.may_read_entry(request, entry.kind, entry.partida_id, author_of(entry)):
        raise Http404
    check_table(request, entry.table_code)
    # What was done before is in the book before his word, and so is who is on duty.
    holding.settle({entry.table_code, holding.NO_TABLE})
    return entry


def _attestations(entry: BookEntry) -> list[Attestation]:
    of = Attestation.objects.filter(witnessed_stream=entry.stream.name, witnessed_n=entry.n)
    return list(of.order_by("n"))


def _page(
    request: HttpRequest,
    entry: BookEntry,
    number: str | None,
    errors: Sequence[tuple[str, str]] = (),
) -> HttpResponse:
    """A fresh token each time; the secret is never shown again. `number` None: who is likely."""
    invitation = invite(entry, house_language())
    game = load_game_view(entry.partida_id, clock.now()) if entry.partida_id else None
    likely = likely_witnesses(entry, game)
    own = request.user.get_username()
    his = HEAD in offices_of(request) and not acted(entry, own)  # nobody hands him his own tablet
    if number is None:
        number = own if his else next(iter(likely), "")
    context: dict[str, object] = {
        "me": None,  # nothing else stands on this page: no way out of the operator's session
        "recorded": None,
        "entry": entry,
        "waits": _WAITS.get(entry.kind, "") if his else "",
        "text": invitation.text,
        "token": invitation.token,
        "unnamed": not number,
        **said_of(request, entry, number),
        "others": [(one, people_of(request).said(one)) for one in likely if one != number],
        "errors": errors,
        "form": WitnessForm(),
        "letters": LETTERS in request.GET,
        "due": _due(entry, game),
        "read_in": [(code, word) for code, word in _READ_IN.items() if code != house_language()],
        "options_text": _asked_of_devices(request, likely, invitation.challenge),
        "table_url": table_url(entry.table_code),
    }
    return shown(request, "sala/witness.html", context)


def _due(entry: BookEntry, game: GameView | None) -> tuple[str, datetime, bool] | None:
    """Under which article, until when a word is asked for, and whether that is over.

    None where the game's rulebook asks for none. Law: PT art. 51, 54, 55.
    """
    if game is None or entry.kind not in _OWED:
        return None
    if entry.kind == IncidentReported.kind:
        recorded = load_entry(entry.pk)
        if (
            recorded is None
            or recorded.event.category not in DAMAGES
            or recorded.event.shuffler is None
        ):
            return None
    rules = game.evening.rules
    article = rules.article_of(_OWED[entry.kind])
    if article is None or not rules.states("witness.within"):
        return None
    until = entry.recorded_at + timedelta(minutes=rules["witness.within"])
    return cited(rules.rulebook, article), until, until < game.now


def likely_witnesses(entry: BookEntry, game: GameView | None = None) -> list[str]:
    """Who is asked before anybody else: the fiscal-chefe the act names, then those on duty there,
    then the one the game was opened with.

    A number that stands on the page is no secret, and whoever else was there types his own.
    """
    recorded = load_entry(entry.pk)
    asked = [getattr(recorded.event, "fiscal_chefe", None) if recorded is not None else None]
    if entry.partida_id:
        game = game or load_game_view(entry.partida_id, clock.now())
        asked += [*reversed(all_on_duty(game.dossier, HEAD)), chefe_of(game.evening)]
    return [one for one in dict.fromkeys(asked) if one and not acted(entry, one)]


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
        "his": any(one.witness == request.user.get_username() for one in attested),
        "attested": [(one.witness, word(one.held), one.recorded_at) for one in attested],
        "onward": _after(entry),
        "anew": f"?{ANEW}=1",
    }
    return shown(request, "sala/witness_done.html", context)
