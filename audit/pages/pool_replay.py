"""A pool recomputed from its first entry, because somebody asked: one click, and what came of it.

Law: PT art. 41, 43, 44, 50.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import Final, NamedTuple
from uuid import UUID

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from audit.models import PoolReplay, PoolReplayRun
from audit.models.audit_jobs import OPEN
from audit.pages.audit_access import reads_all, replays
from audit.pages.findings.heading_moments import lines_of
from audit.pools.replays_due import begun_pools, pools, replay_wanted
from audit.pools.report_replay import pool_findings
from casino import clock
from casino.web.display.money_and_time import fine_money, moment, money
from jackpot.pages.amount_display import difference
from jackpot.pages.pool_notes import PoolNote
from jackpot.progressive.amounts import displayed_cents

ASK_AGAIN: Final = 3  # seconds after which a page without script looks again
LONG: Final = timedelta(minutes=10)  # after which nobody waits for the end on the page
SHOWN: Final = 10  # findings


@require_http_methods(["GET", "HEAD", "POST"])
def replay_page(request: HttpRequest, code: str) -> HttpResponse:
    """What the last replay of a pool came to; sent, it asks for another."""
    asks = request.method == "POST"
    if not (replays(request) if asks else reads_all(request)):
        raise PermissionDenied
    if code not in pools():
        raise Http404
    if asks:
        run = replay_wanted(code, by=request.user.get_username())
        return HttpResponseRedirect(f"{reverse('jackpot-replay', args=[code])}?{_asked(run)}")
    if "progress" in request.GET:
        return JsonResponse(_progress(_under_way(code, _run(request))))
    return TemplateResponse(request, "audit/pool_replay.html", _shown(request, code))


def _progress(under_way: PoolReplayRun | None) -> dict[str, object]:
    """How far a replay has come, for the page's own script."""
    if under_way is None:
        return {"state": "ended", "per_cent": 100, "said": ""}
    kept = under_way.carried or {"entries": 0, "story": {"reach": {}}}
    done = sum(kept["story"]["reach"].values())
    whole = sum(n for name, n in under_way.reach.items() if name.startswith(("jackpot/", "table/")))
    text = ngettext("%(n)s entry read", "%(n)s entries read", under_way.entries)
    return {
        "state": under_way.state,
        "per_cent": min(99, 100 * done // whole) if whole else 0,
        "said": text % {"n": number_format(under_way.entries, force_grouping=True)},
    }


def _shown(request: HttpRequest, code: str) -> dict[str, object]:
    rows = PoolReplay.objects.filter(jackpot=code).order_by("-n")
    under_way = _under_way(code, _run(request))
    row = None if under_way is not None else rows.first()
    held = [] if row is None else list(pool_findings(code).order_by("-n")[:SHOWN])
    return {
        **admin.site.each_context(request),
        "title": _("Replay of jackpot %(code)s") % {"code": code},
        "code": code,
        "row": row,
        "figures": None if row is None else _figures(row),
        "under_way": under_way,
        "waits": under_way is not None and clock.now() - under_way.asked_at < LONG,
        "ask_again": ASK_AGAIN,
        "progress": _progress(under_way),
        "progress_url": "" if under_way is None else f"?{_asked(under_way.run)}&progress",
        "may_replay": replays(request),
        "findings": lines_of(held, moments=False),
    }


def _asked(run: UUID) -> str:
    return urlencode({"run": str(run)})


def _run(request: HttpRequest) -> UUID | None:
    try:
        return UUID(request.GET.get("run", ""))
    except ValueError:
        return None


def _under_way(code: str, run: UUID | None) -> PoolReplayRun | None:
    """The replay that was asked for, where it has not ended; else one asked for lately."""
    there = PoolReplayRun.objects.filter(jackpot=code, state=OPEN)
    if run is not None:
        return there.filter(run=run).first()
    lately = there.filter(asked_at__gt=clock.now() - LONG)
    return lately.order_by("-asked_at").first()


def _figures(pool_replay: PoolReplay) -> dict[str, str]:
    return {
        "made": fine_money(pool_replay.microcents),
        "kept": fine_money(pool_replay.kept_microcents),
        "difference": difference(pool_replay.difference_microcents),
        "held": money(pool_replay.held_cents),
    }


def replay_note(request: HttpRequest, code: str) -> PoolNote | None:
    """What the last replay came to, on the pool's own page; None for whoever may not know."""
    if not reads_all(request):
        return None
    url = reverse("jackpot-replay", args=[code])
    asks = (url, _("Replay now")) if replays(request) else ("", "")
    row = PoolReplay.objects.filter(jackpot=code).order_by("-n").first()
    if row is None:
        return PoolNote(_("Never replayed"), "warning", "", *asks)
    values = {"at": moment(row.recorded_at), "value": money(displayed_cents(row.microcents))}
    if row.problems:
        found = ngettext(
            "Replayed on %(at)s: %(value)s, %(n)s problem",
            "Replayed on %(at)s: %(value)s, %(n)s problems",
            row.problems,
        )
        return PoolNote(found % {**values, "n": row.problems}, "breach", url, *asks)
    said = _("Replayed on %(at)s: %(value)s, difference 0") % values
    return PoolNote(said, "kept", url, *asks)


class PoolState(NamedTuple):
    """A pool and its last replay, None for none; `worth` is what that came to, in euros."""

    jackpot: str
    replay: PoolReplay | None
    worth: str = ""
    link: str = ""


def pool_states() -> Iterator[PoolState]:
    """Every pool that was begun, by its code."""
    begun = begun_pools()
    rows = PoolReplay.objects.order_by("jackpot", "-n").distinct("jackpot") if begun else ()
    last = {row.jackpot: row for row in rows}
    for jackpot in begun:
        row = last.get(jackpot)
        if row is None:
            yield PoolState(jackpot, None)
        else:
            link = reverse("admin:audit_poolreplay_change", args=[row.pk])
            yield PoolState(jackpot, row, money(displayed_cents(row.microcents)), link)
