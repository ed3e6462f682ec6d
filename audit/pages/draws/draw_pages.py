"""Draws: their list, a new one, one of them with its secret to be revealed or with what it drew."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final
from uuid import UUID

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from audit.draw_events import DrawCommitted, DrawMade
from audit.draws.draw_population import asked_by, counted, covered, entry_of, seeding
from audit.draws.draw_questions import next_number
from audit.models import DrawCommitment, DrawResult, entries_named
from audit.pages.audit_access import draws, hands_out, reads_draws
from audit.pages.draws.draw_forms import CommitmentForm, RevealForm
from audit.sampling import procedure
from casino.events.event import Event
from casino.events.round.round_played import RoundPlayed
from casino.house_day import gaming_day_now
from casino.models import BookEntry, Round
from casino.recording import Actor, Receipt
from casino.web.display.money_and_time import moment
from casino.web.display.status_marks import mark
from casino.web.entries.entry_page import url_of
from casino.web.entries.entry_standing import Standings, marked
from casino.web.entries.timeline_links import linked
from casino.web.forms.record_form import READ, RecordingRequest, announce, record_form_view

LISTED: Final = 200  # draws on the page; the admin's lists have them all
ASK_AGAIN: Final = 3  # seconds after which a page that waits for a checkpoint asks again


def _reader(request: HttpRequest) -> None:
    if not reads_draws(request):
        raise PermissionDenied


def _drawer(request: HttpRequest) -> Actor:
    by = draws(request)
    if by is None:
        raise PermissionDenied
    return by


@require_safe
def draws_page(request: HttpRequest) -> HttpResponse:
    """Every draw that was committed to, the newest first, also those nobody revealed."""
    _reader(request)
    commitments = list(DrawCommitment.objects.order_by("-draw")[: LISTED + 1])
    numbers = [one.draw for one in commitments]
    made = set(DrawResult.objects.filter(draw__in=numbers).values_list("draw", flat=True))
    sealed = covered(one.pk for one in commitments)
    return TemplateResponse(
        request,
        "audit/draws.html",
        {
            **admin.site.each_context(request),
            "title": _("Draws"),
            "draws": [
                _row(one, state_of(made=one.draw in made, sealed=one.pk in sealed))
                for one in commitments[:LISTED]
            ],
            "more": len(commitments) > LISTED,
            "may_draw": draws(request) is not None,
        },
    )


def _row(commitment: DrawCommitment, state: SafeString) -> dict[str, object]:
    return {
        "number": commitment.draw,
        "url": reverse("draw", args=[commitment.draw]),
        "at": moment(commitment.recorded_at),
        "by": linked("person", commitment.staff),
        "days": days_of(commitment.from_day, commitment.to_day),
        "tables": ", ".join(commitment.tables),
        "wanted": _wanted(commitment),
        "state": state,
    }


def days_of(first: date, last: date) -> str:
    """One gaming day, or the first and the last."""
    shown = [date_format(day, "SHORT_DATE_FORMAT") for day in dict.fromkeys((first, last))]
    return " – ".join(shown)


def _wanted(commitment: DrawCommitment) -> list[tuple[str, int]]:
    """What is to be drawn: how many of what, how many in reserve."""
    tables, rounds = commitment.tables_wanted, commitment.rounds_wanted
    wanted = []
    if tables:
        said = ngettext("%(n)s table", "%(n)s tables", tables) % {"n": tables}
        wanted.append((said, commitment.tables_in_reserve))
    if rounds:
        said = ngettext("%(n)s round", "%(n)s rounds", rounds) % {"n": rounds}
        wanted.append((said, commitment.rounds_in_reserve))
    return wanted


def state_of(*, made: bool, sealed: bool) -> SafeString:
    """Drawn, not revealed, or waiting for the root that makes its seed."""
    if made:
        return mark("kept", _("draw made"))
    if not sealed:
        return mark("idle", _("waits for a checkpoint"), "open")
    return mark("warning", _("not revealed"))


@require_http_methods(["GET", "HEAD", "POST"])
def new_draw(request: HttpRequest) -> HttpResponse:
    """What is committed to before anything is drawn; shown once more with what there is to draw."""
    by = _drawer(request)
    played = BookEntry.objects.filter(kind=RoundPlayed.kind).order_by("-gaming_day")
    day = played.values_list("gaming_day", flat=True).first() or gaming_day_now()
    values = {
        "draw": next_number(),
        "from_day": day,
        "to_day": day,
        "tables_wanted": 0,
        "tables_in_reserve": 0,
        "rounds_wanted": 20,
        "rounds_in_reserve": 5,
    }
    context = _around(request, _("New draw")) | {
        "list_url": reverse("draws"),
        "opts": DrawCommitment._meta,
        "read": READ,
        "domain": procedure.COMMITMENT,
        "least": procedure.LEAST_SECRET,
        "longest": procedure.LONGEST_SECRET,
    }
    outcome = record_form_view(
        request,
        RecordingRequest(
            kind=DrawCommitted,
            by=by,
            beginning={"values": values},
            context=context,
            template="audit/draw_new.html",
            read_again=True,
            form=CommitmentForm,
        ),
    )
    return _onwards(request, outcome)


def _around(request: HttpRequest, title: str) -> dict[str, object]:
    return {**admin.site.each_context(request), "title": title}


def _onwards(request: HttpRequest, outcome: HttpResponse | Receipt) -> HttpResponse:
    """To the draw's own page, once something was recorded."""
    if isinstance(outcome, HttpResponse):
        return outcome
    announce(request, outcome)
    for row in (DrawCommitment, DrawResult):
        draw = row.objects.filter(pk=outcome.entry_id).values_list("draw", flat=True).first()
        if draw is not None:
            return HttpResponseRedirect(reverse("draw", args=[draw]))
    return HttpResponseRedirect(reverse("draws"))


@require_http_methods(["GET", "HEAD", "POST"])
def draw_page(request: HttpRequest, number: int) -> HttpResponse:
    """One draw: committed, waiting for its root, waiting for its secret, or drawn."""
    _reader(request)
    by = draws(request)
    if request.method == "POST" and by is None:
        raise PermissionDenied
    commitment = DrawCommitment.objects.filter(draw=number).first()
    if commitment is None:
        raise Http404
    entry = entry_of(commitment)
    made = DrawResult.objects.filter(draw=number).first()
    checkpoint = seeding(entry)
    context = _around(request, _("Draw %(number)s") % {"number": number}) | {
        "number": number,
        "state": state_of(made=made is not None, sealed=checkpoint is not None),
        "commitment": commitment,
        "committed": _recorded(DrawCommitted, commitment),
        "days": days_of(commitment.from_day, commitment.to_day),
        "tables": ", ".join(commitment.tables),
        "wanted": _wanted(commitment),
        "checkpoint": checkpoint,
        "root": "" if checkpoint is None else bytes(checkpoint.root).hex(),
        "ask_again": ASK_AGAIN,
        "may_draw": by is not None,
        "hands_out": hands_out(request) is not None,
    }
    if made is not None:
        context |= _made(made) | _short(
            len(made.tables) + len(made.reserve_tables),
            len(made.rounds) + len(made.reserve_rounds),
            commitment,
        )
    elif checkpoint is not None:
        rounds, tables = counted(asked_by(entry), checkpoint.size)
        context |= {"population": rounds, "population_tables": tables}
        context |= _short(tables, rounds, commitment)
    # A form that was sent twice is answered by the receipt of the first.
    reveals = made is None or request.method == "POST"
    if by is None or checkpoint is None or not reveals:
        return TemplateResponse(request, "audit/draw.html", context)
    return _onwards(request, _revealed(request, by, entry, commitment, context))


def _revealed(
    request: HttpRequest,
    by: Actor,
    entry: BookEntry,
    commitment: DrawCommitment,
    context: Mapping[str, object],
) -> HttpResponse | Receipt:
    """The form for the secret, or the receipt of what it drew."""
    return record_form_view(
        request,
        RecordingRequest(
            kind=DrawMade,
            by=by,
            beginning={"entry": entry, "commitment": commitment},
            context=context,
            template="audit/draw.html",
            form=RevealForm,
        ),
    )


def _recorded(kind: type[Event], of_draw: DrawCommitment | DrawResult) -> dict[str, object]:
    """Who recorded it, when, and where its entry and its proof are."""
    return {
        "at": moment(of_draw.recorded_at),
        "by": linked("person", of_draw.staff),
        "url": url_of(kind.kind, of_draw.pk),
        "proof": reverse("book-proof", args=[of_draw.pk]),
    }


def _short(tables: int, rounds: int, commitment: DrawCommitment) -> dict[str, object]:
    """Whether there are fewer than are asked for: to draw from, and once drawn, drawn.

    Of the tables that are drawn there are fewer rounds than of all: that shows only then.
    """
    wanted_tables = commitment.tables_wanted + commitment.tables_in_reserve
    wanted_rounds = commitment.rounds_wanted + commitment.rounds_in_reserve
    return {
        "few_tables": tables < wanted_tables,
        "few_rounds": rounds < wanted_rounds,
        "wanted_tables": wanted_tables,
        "wanted_rounds": wanted_rounds,
    }


def _made(made: DrawResult) -> dict[str, object]:
    """What was drawn, in its order."""
    rows = _rounds([procedure.Round(**one) for one in (*made.rounds, *made.reserve_rounds)])
    return {
        "made": made,
        "recorded": _recorded(DrawMade, made),
        "seed": procedure.seed_of(made.secret, made.root),
        "population": made.population,
        "population_tables": made.population_tables,
        "drawn_tables": [linked("table", one) for one in made.tables],
        "reserve_tables": [linked("table", one) for one in made.reserve_tables],
        "rounds": [
            (_("Rounds drawn"), rows[: len(made.rounds)]),
            (_("Rounds in reserve"), rows[len(made.rounds) :]),
        ],
    }


def _rounds(rounds: Sequence[procedure.Round]) -> list[dict[str, object]]:
    """Rounds as the page lists them; one whose entry is gone keeps its name."""
    found = entries_named(one._asdict() for one in rounds)
    entries = {entry.pk: entry for entry in found.values()}
    days = [entry.gaming_day for entry in entries.values()]
    known: dict[UUID, Round] = {}
    if days:  # a question to rounds always names their days
        rows = Round.objects.filter(gaming_day__range=(min(days), max(days)), pk__in=entries)
        known = {row.entry_id: row for row in rows}
    standings = Standings((one.stream, one.n) for one in rounds)
    listed: list[dict[str, object]] = []
    for place, one in enumerate(rounds, start=1):
        entry = found.get((one.stream, one.n))
        row = None if entry is None else known.get(entry.pk)
        standing = standings.of(one.stream, one.n)
        listed.append(
            {
                "place": place,
                "n": one.n,
                "table": one.table,
                "standing": "" if standing == "holds" else marked(standing),
                "at": "" if entry is None else moment(entry.occurred_at),
                "url": "" if entry is None else url_of(entry.kind, entry.pk),
                "proof": "" if entry is None else reverse("book-proof", args=[entry.pk]),
                "partida": "" if entry is None else linked("partida", entry.partida_id),
                "number": "" if row is None else f"{row.shoe or '?'}/{row.number or '?'}",
            }
        )
    return listed
