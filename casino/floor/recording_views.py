"""Taking events down on the floor: shown, judged beforehand, recorded together, recorded again.

A form's first POST of what would open a finding brings the warnings; the second, with a coded
reason where an event can keep one, records everything in one transaction. The same form sent twice
is recorded once; one that comes back before anybody can have read it records nothing. Where
somebody else has meanwhile recorded the same at that table, the page comes again and says so.
Nothing unlawful is refused here. What can be taken back for some seconds is held first
(casino.holding), and committed before the tablet is answered.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext

from casino import holding, submitting
from casino.events import Malformed
from casino.events.corrections import WithdrawalAsked
from casino.events.event import Event, FloorEvent, HouseEvent, Paper, TableEvent
from casino.events.round.round_played import RoundPlayed
from casino.floor import form_state as carried
from casino.floor.away.paper_sheet import PAPER
from casino.floor.floor_access import actor_of, check_place
from casino.floor.floor_page import AGAIN, RECORDED, entries_of, said_why, shown
from casino.floor.form_state import DESPITE, OVER, FormState
from casino.floor.screens import Screen, as_filled_in, form_errors, outrun, page, refused
from casino.queries import load_entry
from casino.recording import File, Receipt, Refused, Submission, Supersedes
from casino.recording.writing import receipt_of
from casino.submitting import Overtaken, SentForm
from casino.web.forms.shield import BACK, is_too_soon
from casino.web.forms.uploads import DROPPED, FIELD, WAITING, Sent, Waiting, sent_with
from casino.web.forms.warnings import PREFIX, Warned, outside_what, warned_of
from casino.web.words.field_words import DESPITE_REASONS
from casino.web.words.kind_words import kind_word

WARNINGS: Final = "sala/warnings.html"


@dataclass(frozen=True, slots=True)
class Doubt:
    """What may be a slip and opens no finding: asked once, under its own `code`.

    `url` is the record it is about, '' for none.
    """

    code: str
    words: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class Act:
    """An event to be recorded, what it is called on the button, and when it happened.

    Without `occurred_at` it happened when the form was first sent. The form's photographs show
    those that are `pictured`; all of them, where none is. `doubts` are asked before it is recorded.
    A correction `supersedes` an entry, and takes over its `attachments`, SHA-256 digests (hex).
    """

    event: Event
    label: str = ""
    occurred_at: datetime | None = None
    pictured: bool = False
    doubts: tuple[Doubt, ...] = ()
    supersedes: Supersedes | None = None
    attachments: tuple[str, ...] = ()


def record_form_view(
    request: HttpRequest,
    *,
    screen: str,
    acts: Callable[[Mapping[str, Any]], Sequence[object]],
    form: forms.Form | None,
    template: str,
    context: Mapping[str, object],
    done: str | Callable[[Sequence[Receipt]], str],
    tables: Collection[str] = (),
    completed: Callable[[object], object] = lambda event: event,
    leads: Callable[[Any], str] | None = None,
    photographs: bool = False,
    key: UUID | None = None,
) -> HttpResponse:
    """Show a screen, or record what it was sent with and go on to `done`.

    `acts` makes the events (or Acts) of what was filled in: the form's cleaned values, or the plain
    fields where there is no form; with ``"at"``, the moment the form was first sent or that of the
    sheet of paper it is recorded from, ``"sent_at"``, always the former, and ``"key"``. It may
    raise Malformed and Refused. `form` is bound by the caller to ``request.POST or None``.
    `tables` are those whose book the page has shown, another stream by its whole name. `completed`
    says of an event what only the moment of recording tells: everybody who might change it waits.
    `leads` says where one goes on by the first event, be it in the book or held; `done`, where one
    goes without it. Where `done` asks for the receipts, nothing is held. With `photographs` its
    template includes ``sala/_photographs.html``: what was taken goes into the book with the record
    and is not held, and waits in the database while a page asks something. `key` is that of the
    form that is shown, where its address keeps it.

    Raises: PermissionDenied, for a kind he may not write, or not there.
    """
    on = Screen(screen, acts, form, template, context, done, tables, completed, leads)
    if request.method != "POST":
        return page(request, on, carried.fresh(request, tables, key))
    form_state = carried.posted(request.POST)
    if form_state is None:
        return _unread(request, on)
    before = entries_of(form_state.key)
    if before:
        return _onward(request, on, form_state, [receipt_of(entry) for entry in before])
    if holding.is_held(form_state.key):
        return _onward(request, on, form_state, [])
    return _answered(request, on, form_state, photographs=photographs)


def _answered(
    request: HttpRequest, on: Screen, form_state: FormState, *, photographs: bool
) -> HttpResponse:
    """What a form that can be read and was not recorded yet comes to."""
    form = on.form
    staff, taken = request.user.get_username(), Sent()
    if photographs:  # they wait: whatever page repeats the form names them
        taken = sent_with(request, staff, photographs=True)
        on = replace(on, photographs=taken.wait(staff) if taken.files else ())
    if taken.gone and (before := entries_of(form_state.key)):  # sent twice at once
        return _onward(request, on, form_state, [receipt_of(entry) for entry in before])
    if taken.gone:
        words = gettext("The photographs did not come along: take them again, or record without.")
        taken.errors.append(words)
    if taken.errors:
        wrong = [(FIELD, words) for words in taken.errors]
        return page(request, on, form_state, errors=[*wrong, *(form_errors(form) if form else [])])
    soon = is_too_soon(request.POST)
    if (OVER not in request.POST) if soon else (BACK in request.POST):
        # One that was never meant has no moment yet, and one put right is recorded when it is sent.
        kept = soon and carried.AT in request.POST
        return as_filled_in(request, on, form_state if kept else replace(form_state, at=None))
    unwritten = getattr(request, "unwritten", ())
    if unwritten:  # what this rests on is not in the book: it is read before anything is added
        return page(request, on, form_state, errors=[("", said_why(row)) for row in unwritten])
    if form is not None and not form.is_valid():
        return page(request, on, form_state, errors=form_errors(form))
    return _judged(request, on, form_state, taken)


def _unread(request: HttpRequest, on: Screen) -> HttpResponse:
    """A form nobody can read any more; one from paper would happen now, on the same page."""
    if PAPER in request.POST:
        return HttpResponseRedirect(f"{reverse('sala:away')}?{carried.TOO_OLD}=1")
    unread = [("", gettext("This page is too old. Nothing was recorded: do it again here."))]
    return page(request, on, carried.fresh(request, on.tables), errors=unread)


def _judged(request: HttpRequest, on: Screen, form_state: FormState, taken: Sent) -> HttpResponse:
    """Build the events, warn where there is something to warn of, else record."""
    try:
        acts = _acts_of_form(request, on, form_state)
    except (Malformed, Refused) as error:
        return refused(request, on, form_state, error)
    form = _sent(request, on, form_state, acts, taken.contents)
    for one in form.submissions:
        check_place(request, one.by, one.event)
    found = submitting.judged(form)
    wanting, soon = submitting.is_unexplained(form, found), is_too_soon(request.POST)
    doubts = [one for act in acts for one in act.doubts]
    unasked = {one.code for one in doubts} - set(str(request.POST.get(OVER, "")).split())
    if form_state.who != form.staff or wanting or unasked or soon:
        return _too_late(request, on, form_state, form) or _warn(
            request,
            form_state,
            acts,
            warned_of([one for of in found for one in of], request.POST),
            doubts,
            instead_of=form_state.who if form_state.who != form.staff else "",
            waiting=on.photographs,
            is_asked=wanting and OVER in request.POST and not soon,
        )
    try:
        receipts = submitting.record_form(form, found)
        taken.forget(form.staff)
        return _onward(request, on, form_state, receipts)
    except Overtaken as late:
        return outrun(request, on, form_state, late.entries)
    except (Malformed, Refused) as error:
        return refused(request, on, form_state, error)


def _sent(
    request: HttpRequest,
    on: Screen,
    form_state: FormState,
    acts: Sequence[Act],
    files: tuple[File, ...],
) -> SentForm:
    """The form as the book takes it: each record with its own key, by whoever is logged in."""
    at = form_state.happened_at
    assert at is not None
    some = any(act.pictured for act in acts)
    submissions = [
        Submission(
            act.event,
            form_state.of_part(place),
            actor_of(request, _said_of(act.event)),
            act.occurred_at or at,
            supersedes=act.supersedes,
            attachments=act.attachments,
            files=files if act.pictured or not some else (),
        )
        for place, act in enumerate(acts)
    ]
    return SentForm(
        key=form_state.key,
        staff=request.user.get_username(),
        submissions=submissions,
        reasons=_reasons(request.POST, is_kept=_keeps_reasons(acts)),
        seen={carried.stream_of(name): n for name, n in form_state.seen.items()},
        shown_held=form_state.shown_held,
        completed=on.completed,
        # Where the way onward asks for the entry (a witness's page, a payment), it is written now.
        # So are photographs: what is held has no place for them.
        may_wait=isinstance(on.done, str) and not files,
    )


def _said_of(event: Event) -> str:
    """The kind whose writers may record it: of a withdrawal, the kind that it withdraws."""
    return str(event.act) if isinstance(event, WithdrawalAsked) else str(event.kind)


def _acts_of_form(request: HttpRequest, on: Screen, form_state: FormState) -> list[Act]:
    """What was filled in, as acts. Raises: Malformed, Refused."""
    acts = [_as_act(one) for one in on.acts(_filled(request, on, form_state))]
    sheet = form_state.paper
    return acts if sheet is None else [_from_paper(act, sheet.paper) for act in acts]


def _from_paper(act: Act, paper: Paper) -> Act:
    """The act with the sheet it was written on. Raises: Malformed, where its kind keeps none."""
    if not isinstance(act.event, HouseEvent | TableEvent | FloorEvent | RoundPlayed):
        raise Malformed(
            "$",
            "found a sheet of paper, and this record has no place for one: put the sheet away, and"
            " record it by itself",
        )
    return replace(act, event=replace(act.event, paper=paper))


def _too_late(
    request: HttpRequest, on: Screen, form_state: FormState, sent_form: SentForm
) -> HttpResponse | None:
    """Whether somebody was there first while it was judged: then there is no reason to give.

    What he recorded may be the very thing that is warned of. A form sent twice is its own first.
    """
    before = submitting.recorded_before(sent_form)
    if before:
        return _onward(request, on, form_state, before)
    since = submitting.overtaken_by(sent_form)
    if since:
        return outrun(request, on, form_state, since)
    try:
        _acts_of_form(request, on, form_state)
    except (Malformed, Refused) as error:
        return refused(request, on, form_state, error)
    return None


def _filled(request: HttpRequest, on: Screen, form_state: FormState) -> dict[str, object]:
    values = dict(carried.others(request.POST)) if on.form is None else dict(on.form.cleaned_data)
    moments = {"at": form_state.happened_at, "sent_at": form_state.at}
    return {**values, **moments, "key": form_state.key}


def _as_act(one: Any) -> Act:
    act = one if isinstance(one, Act) else Act(one)
    return replace(act, label=act.label or str(capfirst(kind_word(act.event.kind))))


def _keeps_reasons(acts: Sequence[Act]) -> bool:
    """Whether a reason given over a warning is kept: for none that is not does a page ask."""
    return any(submitting.keeps_reasons(act.event) for act in acts)


def _reasons(data: Mapping[str, Any], *, is_kept: bool) -> dict[str, str]:
    """The reason given for each warning that was shown; '' for each, where none would be kept."""
    if not is_kept:
        return dict.fromkeys(str(data.get(OVER, "")).split(), "")
    given = {
        name.removeprefix(PREFIX): str(data[name])
        for name in data
        if name.startswith(PREFIX) and name != DESPITE
    }
    shared = str(data.get(DESPITE, ""))
    given |= {check: shared for check in str(data.get(OVER, "")).split() if shared}
    return {check: reason for check, reason in given.items() if reason in DESPITE_REASONS}


def _onward(
    request: HttpRequest, on: Screen, form_state: FormState, receipts: Sequence[Receipt]
) -> HttpResponse:
    """Go on with a GET, so that a reload records nothing; from a sheet of paper to the next one,
    but where a second person is asked for.
    """
    if form_state.paper is not None and isinstance(on.done, str):
        url = reverse("sala:away")
    else:
        url = _led(on, form_state) or (on.done if isinstance(on.done, str) else on.done(receipts))
    if form_state.paper is not None and carried.lying_sheet(request) == form_state.paper:
        del request.session[PAPER]
    values = {RECORDED: str(form_state.key)}
    if form_state.side == carried.LEFT:
        values[carried.SIDE] = form_state.side
    if any(receipt.repeated for receipt in receipts):
        values[AGAIN] = "1"
    response = HttpResponseRedirect(f"{url}{'&' if '?' in url else '?'}{urlencode(values)}")
    response.status_code = 303
    return response


def _led(on: Screen, form_state: FormState) -> str:
    """Where the first of the form's events leads; '' where it is neither held nor in the book."""
    if on.leads is None:
        return ""
    events = holding.events_held(form_state.key) or [
        recorded.event
        for entry in entries_of(form_state.key)
        if (recorded := load_entry(entry.pk)) is not None
    ]
    return on.leads(events[0]) if events else ""


def _warn(
    request: HttpRequest,
    form_state: FormState,
    acts: Sequence[Act],
    warned: Sequence[Warned],
    doubts: Sequence[Doubt],
    *,
    instead_of: str,
    waiting: Sequence[Waiting],
    is_asked: bool,
) -> HttpResponse:
    """What recording it would open, with the reasons to choose from, or what may be a slip in it;
    or who is recording now.

    `is_asked` where no reason was chosen though the page had asked for one.
    """
    me = request.user.get_username()
    reasons = DESPITE_REASONS if _keeps_reasons(acts) else {}
    context = {
        "own": replace(form_state, who=me),
        "acts": [*_counted(acts), *([(gettext("Photograph"), len(waiting))] if waiting else [])],
        "warned": warned,
        "outside": outside_what(warned),
        "doubts": doubts,
        "over": " ".join([one.check for one in warned] + [one.code for one in doubts]),
        "reasons": [(code, capfirst(str(word))) for code, word in reasons.items()],
        "despite": DESPITE,
        "sent": [
            *(pair for pair in carried.others(request.POST) if pair[0] not in (WAITING, DROPPED)),
            *((WAITING, str(one.id)) for one in waiting),
        ],
        "instead_of": instead_of,
        "onward": request.get_full_path(),
        "back": BACK,
        "errors": [(DESPITE, gettext("Choose the reason."))] if is_asked and reasons else [],
    }
    return shown(request, WARNINGS, context)


def _counted(acts: Sequence[Act]) -> list[tuple[str, int]]:
    """What would be recorded, and how often each."""
    counted: dict[str, int] = {}
    for act in acts:
        counted[act.label] = counted.get(act.label, 0) + 1
    return list(counted.items())
