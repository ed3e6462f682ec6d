"""How the machine is: what `make doctor` last found, and what the house says at this moment.

The web server may look at no secret, service or disk itself: root's look, every five minutes, is
kept in a file (`casino.machine.host_findings`), and this page says how old it is.
"""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from django.conf import settings
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.timezone import localtime
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from casino import clock
from casino.access.offices_held import offices_of
from casino.admin.site import RailLink
from casino.events.event_policy import ADMIN
from casino.events.phrases import Phrase, said
from casino.machine.host_findings import STALE, Finding, Report, kept
from casino.web.monitoring import readiness
from casino.web.monitoring.house_figures import Waiting, jobs_waiting

ASKED: Final[dict[str, Promise]] = {
    "database": _("The database answers"),
    "migrations": _("Its tables are those of this version"),
    "broker": _("Jobs that are due are sent"),
    "sequencer": _("Every entry has its place in the tree"),
    "signer": _("The tree is signed"),
}
MARKS: Final = {"ok": "kept", "warning": "warning", "wrong": "breach"}
ICONS: Final = {"ok": "kept", "warning": "warning", "wrong": "breach"}


@dataclass(frozen=True, slots=True)
class Line:
    """A finding in the reader's language."""

    mark: str
    icon: str
    what: str
    found: str
    expected: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Kept:
    """The doctor's last report: none, one that cannot be read, an old one, or a fresh one."""

    report: Report | None
    unreadable: str = ""
    stale: bool = False


def sees_host(request: HttpRequest) -> bool:
    """Whether the page is his."""
    return ADMIN in offices_of(request)


RAIL: Final = RailLink(_("The server"), "host", "house", shown_to=sees_host)


@never_cache
@require_safe
def host_page(request: HttpRequest) -> HttpResponse:
    """Services, queues, disks, backups, certificates. Raises: PermissionDenied."""
    if not sees_host(request):
        raise PermissionDenied
    now = clock.now()
    last = last_report(now)
    found = last.report.findings if last.report else ()
    answers = readiness.answers()
    return TemplateResponse(
        request,
        "host/host.html",
        {
            **admin.site.each_context(request),
            "title": gettext("The server of the house"),
            "last": last,
            "amiss": [_line(one) for one in sorted(found, key=_gravest) if one.state != "ok"],
            "well": [_line(one) for one in found if one.state == "ok"],
            "answers": [
                (ASKED[name], _in_words(text), text == readiness.OK)
                for name, text in answers.items()
            ],
            "waiting": _waiting(answers, now),
            "keeps": bool(settings.HOST_REPORT),
        },
    )


def last_report(now: datetime) -> Kept:
    """What the doctor last kept."""
    if not settings.HOST_REPORT:
        return Kept(None)
    try:
        report = kept(Path(settings.HOST_REPORT))
    except (ValueError, OSError) as error:
        return Kept(None, unreadable=str(error))
    return Kept(report, stale=report is not None and now - report.at > STALE)


def _waiting(answers: dict[str, str], now: datetime) -> Waiting | None:
    """What waits in the queues; None while the database is silent."""
    return jobs_waiting(now) if answers["database"] == readiness.OK else None


def _in_words(text: str) -> str:
    """What a check says in the reader's language, a moment as he reads it."""
    if isinstance(text, Phrase) and "since" in text.values:
        since = datetime.fromisoformat(str(text.values["since"]))
        text = Phrase(text.template, since=date_format(localtime(since), "SHORT_DATETIME_FORMAT"))
    return said(text, gettext)


def _gravest(finding: Finding) -> int:
    return 0 if finding.state == "wrong" else 1


def _line(finding: Finding) -> Line:
    language = get_language() or ""
    texts = (finding.what, finding.found, finding.expected, finding.remedy)
    said = (text.in_language(language) for text in texts)
    return Line(MARKS[finding.state], ICONS[finding.state], *said)
