"""My reports: asked for, under way, to be downloaded. Each sees his own, and nobody else's."""

from datetime import timedelta
from typing import Final
from uuid import UUID, uuid4

from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseRedirect,
    JsonResponse,
    StreamingHttpResponse,
)
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import translation
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.views.decorators.http import (
    conditional_page,
    require_http_methods,
    require_POST,
    require_safe,
)

from audit.events import ReportIssued
from audit.exporting.lists import handed_out
from audit.models import ReportFile, ReportIssue, ReportRequest
from audit.models.audit_jobs import FAILED, FINISHED, OPEN
from audit.pages.audit_access import exports
from audit.pages.book.book_page import checkpoint_brought
from audit.pages.page_words import PACK_WORDS
from audit.pools.replays_due import pools
from audit.reports import issuing, report_rows
from audit.reports.issuing import asked_of
from audit.reports.letter_pages import reads_letters, standing_of
from audit.reports.letters import LETTERS, shown_to
from audit.reports.packs.pack_making import MEMBERS, PACKING, pieces_of
from audit.reports.pdf_seal import SealCertificate, SealRefused
from audit.reports.report_reading import REPORTS, label_of
from audit.reports.request_report import (
    ReportRefused,
    Wanted,
    asked_of_form,
    given_up,
    make_again,
    request_report,
)
from casino import clock
from casino.access import access_policy
from casino.house_day import gaming_day_now
from casino.models import BookEntry, Table
from casino.queries import day_of, table_of
from casino.recording import Actor
from casino.web.entries.entry_page import Leading
from casino.web.list_files.list_answer import list_answer
from casino.web.words.languages import language
from jackpot.events import JackpotPaid

ASK_AGAIN: Final = 3  # seconds after which a page without script looks again
SHOWN: Final = 25
OF_A_PAGE: Final = ("finding", "game")  # packs that are asked for where these are shown
OF_ONE: Final = {  # what a report cannot do without beside its days
    "jackpot": _lazy("choose one jackpot"),
    "payment": _lazy("of one payment"),
    "run": _lazy("of one comparison"),
}
ENDS_SOON: Final = timedelta(days=60)  # before a certificate ends it is said


def _asker(request: HttpRequest) -> Actor:
    """As whom he asks, in his own session. Raises: PermissionDenied."""
    by = access_policy.actor(request, ReportIssued.kind) if request.user.is_active else None
    if by is None:
        raise PermissionDenied
    return by


@require_http_methods(["GET", "HEAD", "POST"])
def reports_page(request: HttpRequest) -> HttpResponse:
    """The form and the list; sent, it asks for a report."""
    by = _asker(request)
    wanted = _wanted(request)
    if request.method == "POST":
        try:
            key = UUID(request.POST.get("request", "")) if request.POST.get("request") else uuid4()
            order = request_report(key, asked_of_form(wanted), wanted.language, by)
            return HttpResponseRedirect(reverse("report", args=[order.request]))
        except ReportRefused as refused:
            messages.error(request, str(refused))
        except ValueError:
            messages.error(request, _("Choose one of the reports."))
    mine = ReportRequest.objects.filter(by_staff=by.staff, pack=None).exclude(report__in=LETTERS)
    mine = mine.defer("document", "proofs")
    pages = Paginator(mine.order_by("-asked_at"), SHOWN)
    page = pages.get_page(request.GET.get("page"))
    return TemplateResponse(
        request,
        "audit/reports.html",
        {
            **admin.site.each_context(request),
            "title": _("My reports"),
            "reports": [
                (name, f"{each.label} ({OF_ONE[each.asks]})" if each.asks in OF_ONE else each.label)
                for name, each in REPORTS.items()
                if each.asks != "pack"
            ],
            "packs": [
                (name, label)
                for name, label in PACK_WORDS.items()
                if name not in OF_A_PAGE or name == wanted.pack
            ],
            "tables": Table.objects.order_by("table_code")
            .values_list("table_code", flat=True)
            .distinct(),
            "pools": sorted(pools()),
            "wanted": wanted,
            "languages": [(code[:2], name) for code, name in settings.LANGUAGES],
            "key": uuid4(),
            "pack_key": uuid4(),
            "page": page,
            "lines": [_line(order) for order in page],
            "seal": _seal(),
        },
        status=400 if request.method == "POST" else 200,
    )


def _wanted(request: HttpRequest) -> Wanted:
    """What the form sent, or what its address fills it in with; else the last night."""
    given = request.POST if request.method == "POST" else request.GET
    day = (gaming_day_now() - timedelta(days=1)).isoformat()
    return Wanted(
        given.get("report", "game"),
        given.get("from", day if request.method != "POST" else ""),
        given.get("to", given.get("from", day) if request.method != "POST" else ""),
        given.get("table", ""),
        given.get("jackpot", ""),
        given.get("language", language()),
        given.getlist("finding"),
        given.get("pack", ""),
        given.get("partida", ""),
        checkpoint_brought(request) if request.method == "POST" else "",
    )


def report_ways(request: HttpRequest, thing: str, name: str) -> list[Leading]:
    """From a game's timeline to the report of its table's night, for whoever may ask for it."""
    if thing != "partida" or not exports(request):
        return []
    day = day_of(name).isoformat()
    asked = urlencode({"report": "game", "table": table_of(name), "from": day, "to": day})
    packed = urlencode({"pack": "game", "partida": name, "from": day, "to": day})
    return [
        Leading(_("Sealed report of the night"), f"{reverse('reports')}?{asked}", "seal"),
        Leading(_("Evidence pack"), f"{reverse('reports')}?{packed}#pack", "download"),
    ]


def payout_way(request: HttpRequest, entry: BookEntry) -> Leading | None:
    """From the entry of a jackpot's payment to its record for signature."""
    if entry.kind != JackpotPaid.kind or not exports(request):
        return None
    day = entry.gaming_day.isoformat()
    asked = urlencode({"report": "payout", "finding": str(entry.pk), "from": day, "to": day})
    return Leading(_lazy("Record of this payment"), f"{reverse('reports')}?{asked}", "seal")


def _seal() -> dict[str, object]:
    """Which seal a report would get now, and whether its certificate ends soon."""
    try:
        certificate: SealCertificate | None = issuing.published_certificate()
        if certificate is not None:
            certificate.must_hold(clock.now())
    except SealRefused as refused:
        return {"refused": issuing.seal_words(refused)}
    if certificate is None:
        return {"none": True}
    soon = certificate.ends_at - clock.now() < ENDS_SOON
    return {
        "name": certificate.name,
        "level": issuing.level(),
        "demo": certificate.demo,
        "ends_at": certificate.ends_at,
        "soon": soon,
    }


def _line(order: ReportRequest) -> dict[str, object]:
    return {
        "row": order,
        "label": PACK_WORDS.get(order.pack_of) or label_of(order.report),
        "is_letter": order.report in LETTERS,
        "of": order.of_partida or ", ".join(filter(None, (order.of_table, order.of_jackpot))),
        "state": _state(order),
        "expired": _expired(order),
    }


def _expired(order: ReportRequest) -> bool:
    return (
        order.state == FINISHED and order.expires_at is not None and order.expires_at <= clock.now()
    )


def _state(order: ReportRequest) -> tuple[str, str, str]:
    """Tone, icon, word."""
    if order.state == OPEN:
        return "idle", "running", _("under way")
    if order.state == FAILED:
        return "breach", "breach", _("not made")
    if _expired(order):
        return "idle", "idle", _("file expired")
    return "kept", "kept", _("ready")


def _mine(request: HttpRequest, key: UUID) -> ReportRequest:
    """His own report, or any letter, where he reads letters. Raises: Http404, PermissionDenied."""
    if not reads_letters(request):
        raise PermissionDenied
    his = Q(by_staff=request.user.get_username()) | Q(report__in=LETTERS)
    order = ReportRequest.objects.filter(his, request=key).first()
    if order is None:
        raise Http404
    given_up(order)
    return order


@require_safe
def report_page(request: HttpRequest, key: UUID) -> HttpResponse:
    """One report: how far it has come, or its files with their digests."""
    order = _mine(request, key)
    standing = standing_of(request, key)
    issued = ReportIssue.objects.filter(request=key).first() or standing.get("letter")
    files = list(order.files.defer("content", "prepared").order_by("volume"))
    under_way = order.state == OPEN
    return TemplateResponse(
        request,
        "audit/report.html",
        {
            **admin.site.each_context(request),
            "title": order.number or str(_line(order)["label"]),
            **_line(order),
            **standing,
            "issued": issued,
            "files": files if order.state == FINISHED else [],
            "tables": report_rows.tables_of(order)
            if order.state == FINISHED and exports(request)
            else [],
            "under_way": under_way,
            "progress": _progress(order),
            "ask_again": ASK_AGAIN,
            "members": [_line(one) for one in order.members.order_by("number")],
            "unsealed": order.state == FINISHED
            and any(not one.seal_entry for one in files if one.volume),
        },
    )


@require_safe
@conditional_page
def report_progress(request: HttpRequest, key: UUID) -> HttpResponse:
    """How far it has come, for the page's own script. 304 while nothing has changed."""
    return JsonResponse(_progress(_mine(request, key)))


def _progress(order: ReportRequest) -> dict[str, object]:
    steps = {
        "": (5, _("waits for a worker")),
        MEMBERS: (10, _("the reports in it are being made")),
        PACKING: (15, _("the book is being copied and packed")),
        issuing.READING: (20, _("the book is being read")),
        issuing.PAGES: (50, _("the pages are being made")),
        issuing.SEALING: (80, _("the seal is being put on")),
    }
    per_cent, said = steps.get(order.step, (5, ""))
    state = "open" if order.state == OPEN else "ended"
    return {"state": state, "per_cent": per_cent, "said": order.refusal or said}


@require_POST
def report_again(request: HttpRequest, key: UUID) -> HttpResponse:
    """Have the files made again: after they expired, or where they could not be made."""
    order = _mine(request, key)
    if _expired(order) and order.pack_of:  # the sealed list is of files that are gone
        try:
            again = request_report(uuid4(), asked_of(order), order.report_language, _asker(request))
            key = again.request
        except ReportRefused as refused:
            messages.error(request, str(refused))
    elif order.state == FAILED or _expired(order):
        make_again(order)
    return HttpResponseRedirect(reverse("report", args=[key]))


@require_safe
def report_table(request: HttpRequest, key: UUID, place: int) -> HttpResponseBase:
    """One of its tables, in the form the address asks for; of a letter's, to who takes copies."""
    _asker(request)
    order = _mine(request, key)
    source = report_rows.table_source(order, place) if order.state == FINISHED else None
    if source is None:
        raise Http404
    with translation.override(issuing.LANGUAGES[order.report_language]):
        return list_answer(request, source)


@require_safe
def report_json(request: HttpRequest, key: UUID) -> HttpResponse:
    """The report itself, byte for byte as its pages embed it."""
    _asker(request)
    order = _mine(request, key)
    if order.state != FINISHED or order.document is None:
        raise Http404
    if request.method != "HEAD":
        handed_out(request, report_rows.OF, 1)
    answer = HttpResponse(bytes(order.document), content_type="application/json")
    answer["Content-Disposition"] = f'attachment; filename="{order.number}.json"'
    answer["Cache-Control"] = "private, no-store"
    return answer


@require_safe
def report_file(request: HttpRequest, key: UUID, volume: int) -> HttpResponseBase:
    """A volume as a file; 0 is a whole pack."""
    order = _mine(request, key)
    file = ReportFile.objects.filter(request=order, volume=volume).first()
    if order.state != FINISHED or file is None:
        raise Http404
    if file.content is None or _expired(order) or not _letter_shown(request, order):
        messages.error(request, _("This file expired; it can be made again from the same record."))
        return HttpResponseRedirect(reverse("report", args=[key]))
    if not volume:
        return _pack_file(order, file)
    answer = HttpResponse(bytes(file.content), content_type="application/pdf")
    more = f"-{volume}" if order.files.count() > 1 else ""
    answer["Content-Disposition"] = f'attachment; filename="{order.number}{more}.pdf"'
    answer["Cache-Control"] = "private, no-store"
    return answer


def _letter_shown(request: HttpRequest, order: ReportRequest) -> bool:
    """What private of a letter is handed out is noted; what was erased since is not handed out."""
    if order.report not in LETTERS or order.document is None or order.expires_at is None:
        return True
    if shown_to(request, bytes(order.document), order.expires_at - issuing.KEPT):
        return True
    order.files.update(content=None, prepared=None)
    return False


def _pack_file(order: ReportRequest, file: ReportFile) -> HttpResponseBase:
    answer = StreamingHttpResponse(pieces_of(order), content_type="application/zip")
    answer["Content-Length"] = str(file.bytes_count)
    answer["Content-Disposition"] = f'attachment; filename="{order.number}.zip"'
    answer["Cache-Control"] = "private, no-store"
    return answer
