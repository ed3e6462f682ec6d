"""What somebody asked for himself: runs, comparisons, verifications, replays, with their state."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final, NamedTuple

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from audit import audit_queries
from audit.models import PoolReplayRun, Reconciliation, RunSheet, VerificationRun
from audit.models.audit_jobs import FAILED, FINISHED, OPEN, ContinuedRun
from audit.pages.audit_access import asks_runs, exports, replays
from audit.pages.page_words import findings
from audit.pages.run_pages import scope_of
from audit.pools.replays_due import begun_pools
from audit.reconcile.run_wanted import waiting

SHOWN: Final = 50  # of each sort, and of all

State = tuple[str, str, str]  # tone, icon, word


class OwnRequest(NamedTuple):
    """One thing that was asked for: what, when, how it stands, what it came to, where."""

    what: str
    at: datetime
    state: State
    came_to: str
    url: str


@require_safe
def own_requests(request: HttpRequest) -> HttpResponse:
    """The newest of what whoever asks has asked for, and the ways to ask for more."""
    if not replays(request):
        raise PermissionDenied
    me = request.user.get_username()
    mine = [*_runs(me), *_verifications(me), *_replays(me)]
    mine.sort(key=lambda one: one.at, reverse=True)
    return TemplateResponse(
        request,
        "audit/own_requests.html",
        {
            **admin.site.each_context(request),
            "title": _("My requests"),
            "requests": mine[:SHOWN],
            "more": len(mine) > SHOWN,
            "asks_runs": asks_runs(request),
            "has_reports": exports(request),
            "pools": begun_pools(),
        },
    )


def _state(state: str, *, waits: bool = False) -> State:
    if state == OPEN:
        return "idle", "running", _("waits for a worker") if waits else _("under way")
    return ("kept", "kept", _("ended")) if state == FINISHED else ("breach", "breach", _("gave up"))


def _runs(me: str) -> Iterator[OwnRequest]:
    for one, _by in waiting(me):
        state = _state(OPEN, waits=True)
        yield OwnRequest(scope_of(one), one.opened_at, state, "", _run_url(one))
    begun = Reconciliation.objects.filter(asked_by=me).order_by("-pk")
    rows = list(audit_queries.with_results(begun)[:SHOWN])
    sheets = RunSheet.objects.in_bulk([row.run for row in rows])
    for row in rows:
        sheet = sheets.get(row.run)
        held = getattr(row, "held", None)
        state = _state(FINISHED if held is not None else sheet.state if sheet else FAILED)
        came_to = "" if held is None else _came_to(row, held, sheet)
        yield OwnRequest(scope_of(row), row.recorded_at, state, came_to, _run_url(row))


def _run_url(reconciliation: Reconciliation | RunSheet) -> str:
    return reverse("run", args=[reconciliation.run])


def _came_to(reconciliation: Reconciliation, held: int, sheet: RunSheet | None) -> str:
    if not reconciliation.rulebook:
        return findings(held)
    counts = (sheet.compared or {}).get("counts", {}) if sheet is not None else {}
    number = sum(counts.get(one, 0) for one in ("vanish", "change", "appear"))
    return ngettext("%(n)s difference", "%(n)s differences", number) % {"n": number}


def _continued(kind: type[ContinuedRun], me: str) -> Iterator[ContinuedRun]:
    mine = kind._default_manager.filter(asked_by=me, why="asked").order_by("-asked_at")
    yield from mine.defer("carried")[:SHOWN]


def _problems(problems: int) -> str:
    text = ngettext("%(n)s problem", "%(n)s problems", problems) % {"n": problems}
    return text if problems else _("no problem")


def _verifications(me: str) -> Iterator[OwnRequest]:
    for row in _continued(VerificationRun, me):
        assert isinstance(row, VerificationRun)
        what = _("Verification of the book")
        if row.older:
            what = _("Verification of the book against a kept checkpoint")
        came_to = _problems(row.problems) if row.state == FINISHED else ""
        url = reverse("book-verification", args=[row.run])
        state = _state(row.state, waits=row.began_at is None)
        yield OwnRequest(what, row.asked_at, state, came_to, url)


def _replays(me: str) -> Iterator[OwnRequest]:
    for row in _continued(PoolReplayRun, me):
        assert isinstance(row, PoolReplayRun)
        what = _("Replay of jackpot %(code)s") % {"code": row.jackpot}
        url = reverse("jackpot-replay", args=[row.jackpot])
        if row.state == OPEN:
            url += f"?{urlencode({'run': str(row.run)})}"
        yield OwnRequest(what, row.asked_at, _state(row.state, waits=not row.part), "", url)
