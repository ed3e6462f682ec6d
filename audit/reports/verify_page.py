"""The page on which anybody verifies a document: no login, no cookie, nothing kept.

A file is read by a process of its own (`check_document.py`), bounded in memory and time; it is held
in memory meanwhile, and nowhere else. Who asks learns number, kind and date of a report whose JSON
he holds, or whose digest; of any other nothing, not even that there is one.
"""

import subprocess
from collections.abc import Mapping
from threading import BoundedSemaphore
from typing import Final

from django.conf import settings
from django.core.files.uploadhandler import MemoryFileUploadHandler
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from audit.models import Letter, ReportIssue
from audit.reports import book_evidence
from audit.reports.check_document import MOST, Examined, Part, Verdict, judge
from audit.reports.document_words import PARTS, VERDICTS, said_of
from audit.reports.own_process import apart
from audit.reports.report_reading import label_of
from casino.queries import that_count
from casino.security import takes_bodies
from casino.web.login.throttle import begin_try, whose_address

SECONDS: Final = 25  # until a file is given up
TRIES: Final = 30  # of one address in the entrance's quarter of an hour
# Of this process: each file takes memory, and a thread. No second one waits for it: the threads are
# the floor's.
_one_at_once: Final = BoundedSemaphore(1)
_MARKS: Final = {  # of a verdict or a part: tone, icon
    "valid": ("kept", "kept"),
    "kept": ("kept", "kept"),
    "altered": ("breach", "breach"),
    "other": ("warning", "warning"),
    "unknown": ("warning", "warning"),
    "unreadable": ("warning", "warning"),
    "note": ("idle", "note"),
}


class _InMemory(MemoryFileUploadHandler):
    """Keeps a file in memory, however large: `bounded_bodies` let no larger one through."""

    def handle_raw_input(self, *_args: object, **_kwargs: object) -> None:
        self.activated = True


class Busy(Exception):
    """Another file is being read."""


def examine(pdf: bytes) -> Examined:
    """What a file says of itself, read by a process of its own. Raises: Busy."""
    if len(pdf) > MOST:
        return Examined(unreadable="too-large")
    stamps = ["--stamps", settings.TSA_CERTIFICATES] if settings.TSA_CERTIFICATES else []
    if not _one_at_once.acquire(blocking=False):
        raise Busy
    try:
        arguments = ["-", "--examine", *stamps]
        ran = apart("audit.reports.check_document", pdf, SECONDS, arguments)
        return Examined.of_json(ran.stdout)
    except (subprocess.TimeoutExpired, ValueError, TypeError, KeyError):
        return Examined(unreadable="too-much")  # it was ended: what it takes is more than is given
    finally:
        _one_at_once.release()


@csrf_exempt  # nothing is changed, nobody is logged in, and no cookie is set
@takes_bodies(MOST + 100_000)
@require_http_methods(["GET", "HEAD", "POST"])
def verify_page(request: HttpRequest) -> HttpResponse:
    """The form; sent, what is to be said of the document."""
    asked = request.GET.get("lang", "")
    chosen = asked if asked in dict(settings.LANGUAGES) else get_language() or "pt-pt"
    with override(chosen):
        values, status, headers = _answer(request) if request.method == "POST" else ({}, 200, {})
        context = {
            "title": _("Verify a document"),
            "languages": settings.LANGUAGES,
            "chosen": chosen,
            "most": MOST,
            **values,
        }
        response = render(request, "audit/verify_document.html", context, status=status)
    response["Content-Language"] = chosen
    response["Cache-Control"] = "no-store"
    for name, value in headers.items():
        response[name] = value
    return response


Answer = tuple[Mapping[str, object], int, Mapping[str, str]]


def _answer(request: HttpRequest) -> Answer:
    left = begin_try(whose_address("verify", request), TRIES)
    if not isinstance(left, int):
        minutes = -(-int(left.total_seconds()) // 60) or 1
        why = _("Too many documents from this address: try again in %(n)s minutes.")
        seconds = str(int(left.total_seconds()) + 1)
        return {"refused": why % {"n": minutes}}, 429, {"Retry-After": seconds}
    request.upload_handlers = [_InMemory(request)]
    brought, typed = request.FILES.get("document"), request.POST.get("code", "")
    if brought is not None:
        try:
            return _of_file(brought.read()), 200, {}
        except Busy:
            why = _("Another document is being verified: try again in half a minute.")
            return {"refused": why}, 503, {"Retry-After": "30"}
    return _of_code(typed[:2_000])


def _of_code(typed: str) -> Answer:
    if not typed.strip():
        return {"refused": _("Choose a PDF, or type what the QR code says.")}, 400, {}
    said = book_evidence.code_of(typed)
    if said is None:
        why = _(
            "The SHA-256 of the JSON is missing: 64 digits from 0 to 9 and a to f, at the foot of"
            " every page. A number alone says nothing."
        )
        return {"refused": why, "typed": typed}, 400, {}
    verdict, parts, issue = book_evidence.judge_code(said)
    size, root = said.checkpoint or (0, "")
    file = Examined(json_sha256=said.digest, size=size, root=root)
    return {**_shown(verdict, parts, file, issue), "typed": typed}, 200, {}


def _of_file(pdf: bytes) -> Mapping[str, object]:
    file = examine(pdf)
    verdict, parts = judge(file, book_evidence.held_by_book(file))
    return _shown(verdict, parts, file, book_evidence.issue_of(file.json_sha256))


def _shown(
    verdict: Verdict, parts: list[Part], file: Examined, issue: ReportIssue | Letter | None
) -> Mapping[str, object]:
    tone, icon = _MARKS[verdict]
    if isinstance(issue, Letter) and not that_count(Letter.objects.filter(pk=issue.pk)).exists():
        parts = [*parts, Part("json", "note", "withdrawn")]
    return {
        "verdict": VERDICTS[verdict],
        "tone": tone,
        "icon": icon,
        "parts": [(PARTS[one.part], *_MARKS[one.state], said_of(one, file)) for one in parts],
        "file": file,
        "issue": issue,
        "kind": label_of(issue.report) if issue is not None else "",
    }


__all__ = ["examine", "verify_page"]
