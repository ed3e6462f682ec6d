"""Files of records: brought, judged, confirmed by a second person, written. One page for each.

Rounds, or a house's first day: the same steps, by other offices.
"""

from collections.abc import Callable, Iterator
from datetime import date
from typing import Final
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseRedirect,
    JsonResponse,
    StreamingHttpResponse,
)
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_http_methods, require_safe

from casino.access.offices_held import offices_of
from casino.admin.imports.import_words import (
    causes_of,
    fault_words,
    findings_of,
    progress_of,
    rows_of,
    sheets_of,
    state_of,
)
from casino.events import Malformed
from casino.events.phrases import phrase_of_json, said
from casino.importing import staging
from casino.importing.first_day_template import template
from casino.importing.judging import faults_of
from casino.importing.staging import (
    BRINGS,
    CONFIRMS,
    MOST_BYTES,
    MOST_MAPPING,
    Content,
    NotBrought,
    NotNow,
)
from casino.models import StagedImport
from casino.models.held import FAULTY, FIRST_DAY, JUDGING, ROUNDS, WAITING, WRITING
from casino.recording import Actor, Refused
from casino.security import takes_files
from casino.web.display.csv_answer import csv_lines, file_named
from casino.web.entries.entry_page import url_of
from casino.web.entries.timeline_links import linked
from casino.web.forms.record_form import announce, refusal_text
from casino.web.words.field_words import word

SHOWN: Final = 25
READ: Final = "read"  # a box: that what would be recorded was looked at
ASK_AGAIN: Final = 3  # seconds after which a page without script looks again
MOST_LISTED: Final = 40  # tables, days on a page
AT_ONCE: Final = 100  # rows of a sheet on a page


def sees(content: Content) -> Callable[[HttpRequest], bool]:
    """Whether somebody brings files of this content or confirms them."""
    return lambda request: bool(offices_of(request) & (BRINGS[content] | CONFIRMS[content]))


def _as_one_of(request: HttpRequest, offices: frozenset[str]) -> Actor | None:
    """As whom he would act; None where he may not."""
    held = sorted(offices_of(request) & offices)
    return Actor(request.user.get_username(), held[0], "admin") if held else None


@takes_files(MOST_BYTES + MOST_MAPPING + 100_000)
@require_http_methods(["GET", "HEAD", "POST"])
def imports_page(request: HttpRequest, content: Content) -> HttpResponse:
    """The form and the list; sent, a file is kept and judged."""
    if not sees(content)(request):
        raise PermissionDenied
    by = _as_one_of(request, BRINGS[content])
    refused: NotBrought | None = None
    if request.method == "POST":
        if by is None:
            raise PermissionDenied
        try:
            staged = _brought(request, content, by)
            return HttpResponseRedirect(reverse("import", args=[staged.pk]))
        except NotBrought as error:
            refused = error
    pages = Paginator(StagedImport.objects.filter(content=content).order_by("-brought_at"), SHOWN)
    page = pages.get_page(request.GET.get("page"))
    return TemplateResponse(
        request,
        "imports/imports.html",
        {
            **admin.site.each_context(request),
            "title": title_of(content),
            "first_day": content == FIRST_DAY,
            "brings": by is not None,
            "refused": "" if refused is None else said(refused.reason, _),
            "refused_url": "" if refused is None else _url_before(refused),
            "most": MOST_BYTES,
            "mappings": _kept_mappings() if content == ROUNDS else (),
            "page": page,
            "lines": [{"row": one, "state": state_of(one)} for one in page],
        },
        status=400 if refused is not None else 200,
    )


def title_of(content: str) -> str:
    """What the page of such files is called."""
    return _("First day") if content == FIRST_DAY else _("Import rounds")


def _url_before(refused: NotBrought) -> str:
    """To the same file, brought before, or to the entry that confirmed it."""
    if refused.brought is not None:
        return reverse("import", args=[refused.brought])
    return url_of("import-confirmed/1", refused.entry) if refused.entry is not None else ""


def _brought(request: HttpRequest, content: Content, by: Actor) -> StagedImport:
    """Raises: NotBrought."""
    file = request.FILES.get("file")
    if file is None:
        raise NotBrought(staging.NO_FILE)
    mapping = _mapping(request) if content == ROUNDS else ("", "")
    return staging.bring(content, file.chunks(staging.PIECE), file.name or "", by, mapping)


def _mapping(request: HttpRequest) -> tuple[str, str]:
    """The name and the text of the mapping that was brought or chosen. Raises: NotBrought."""
    brought = request.FILES.get("mapping_file")
    if brought is not None:
        if (brought.size or 0) > MOST_MAPPING:
            raise NotBrought(staging.LARGE_MAPPING)
        try:
            text = brought.read().decode("utf-8")
        except UnicodeDecodeError as error:
            raise NotBrought(staging.NO_MAPPING) from error
        if not text.strip() or "\0" in text:
            raise NotBrought(staging.NO_MAPPING)
        return brought.name or "", text
    chosen = request.POST.get("mapping", "")
    if not chosen:
        return "", ""
    kept = next((one for one in _kept_mappings() if str(one.pk) == chosen), None)
    if kept is None:
        raise NotBrought(staging.NO_MAPPING)
    return kept.mapping_name, kept.mapping


def _kept_mappings() -> list[StagedImport]:
    """One file for each mapping that was used, the newest first."""
    rows = StagedImport.objects.exclude(mapping="").filter(unusable=None)
    found: dict[str, StagedImport] = {}
    for row in rows.order_by("-brought_at")[:200]:
        found.setdefault(row.mapping, row)
    return list(found.values())


def _staged(request: HttpRequest, key: UUID) -> StagedImport:
    """Raises: PermissionDenied, Http404."""
    if not (sees(ROUNDS)(request) or sees(FIRST_DAY)(request)):
        raise PermissionDenied
    staged = StagedImport.objects.filter(pk=key).first()
    if staged is None:
        raise Http404
    if not sees(_content_of(staged))(request):
        raise PermissionDenied
    return staged


def _content_of(staged: StagedImport) -> Content:
    return FIRST_DAY if staged.content == FIRST_DAY else ROUNDS


@require_http_methods(["GET", "HEAD", "POST"])
def import_page(request: HttpRequest, key: UUID) -> HttpResponse:
    """One file: how far it has come, what is wrong with it, what would be recorded and found."""
    staged = _staged(request, key)
    if request.method == "POST":
        return _stepped(request, staged)
    me = request.user.get_username().casefold()
    mine = staged.by_staff.casefold() == me
    content = _content_of(staged)
    brings = _as_one_of(request, BRINGS[content]) is not None
    given_up = staging.is_given_up(staged)
    judged = staged.judged
    return TemplateResponse(
        request,
        "imports/import.html",
        {
            **admin.site.each_context(request),
            "title": staged.file_name,
            **_of_content(staged),
            "row": staged,
            "state": state_of(staged),
            "by": linked("person", staged.by_staff),
            "confirmed_by": linked("person", staged.confirmed_by) if staged.confirmed_by else "",
            "entry_url": url_of("import-confirmed/1", staged.entry) if staged.entry else "",
            "unusable": said(phrase_of_json(staged.unusable), _) if staged.unusable else "",
            "under_way": staged.state in (JUDGING, WRITING) and not given_up,
            "given_up": given_up,
            "progress": progress_of(staged),
            "ask_again": ASK_AGAIN,
            "causes": causes_of(judged.get("causes", {})),
            "findings": findings_of(judged.get("findings", {})),
            "unjudged": sum(judged.get("unjudged", {}).values()),
            "tables": sorted(judged.get("tables", {}).items())[:MOST_LISTED],
            "days": [
                (date.fromisoformat(day) if day else None, count)
                for day, count in sorted(judged.get("days", {}).items())[:MOST_LISTED]
            ],
            "fresh": staged.records - staged.repeated,
            "waits": staged.state == WAITING,
            "mine": mine,
            "may_confirm": staged.state == WAITING
            and not mine
            and _as_one_of(request, CONFIRMS[content]) is not None,
            "may_discard": staged.state in (JUDGING, FAULTY, WAITING) and (mine or brings),
        },
    )


def _of_content(staged: StagedImport) -> dict[str, object]:
    """What the page says of a first day alone, and which list it leads back to."""
    content, sheets = _content_of(staged), sheets_of(staged)
    return {
        "first_day": content == FIRST_DAY,
        "list_title": title_of(content),
        "list_url": reverse("first-day" if content == FIRST_DAY else "imports"),
        "sheets": sheets,
        "missing": [one.title for one in sheets if not one.there],
        "by_hand": [one for one in sheets if one.by_hand],
        "needs": ", ".join(word(one, "office") for one in staged.judged.get("needs", ())),
    }


def _stepped(request: HttpRequest, staged: StagedImport) -> HttpResponse:
    """The next step of a file: confirmed, thrown away, or gone on with."""
    here = HttpResponseRedirect(reverse("import", args=[staged.pk]))
    step = request.POST.get("step", "")
    content = _content_of(staged)
    by = _as_one_of(request, BRINGS[content])
    if step == "confirm":
        # Whoever holds both confirms as the one the file's rows are to be recorded by.
        needed = frozenset(staged.judged.get("needs", ()))
        by = _as_one_of(request, CONFIRMS[content] & needed)
        by = by or _as_one_of(request, CONFIRMS[content])
    if by is None:
        raise PermissionDenied
    try:
        if step == "confirm" and READ not in request.POST:
            messages.error(request, _("Nothing was confirmed: tick that you have looked at it."))
        elif step == "confirm":
            announce(request, staging.confirm(staged.pk, by))
        elif step == "discard":
            staging.discard(staged.pk)
            messages.info(request, _("The file was thrown away; nothing of it was recorded."))
        elif step == "go_on" and staging.is_given_up(staged):
            staging.go_on(staged)
    except NotNow as error:
        messages.error(request, said(error.reason, _))
    except (Refused, Malformed) as error:
        messages.error(request, refusal_text(error))
    return here


@require_safe
@conditional_page
def import_progress(request: HttpRequest, key: UUID) -> HttpResponse:
    """How far it has come, for the page's own script. 304 while nothing has changed."""
    return JsonResponse(progress_of(_staged(request, key)))


@require_safe
def import_faults(request: HttpRequest, key: UUID) -> StreamingHttpResponse:
    """Every line that cannot be taken in, as a file: its number, the place in it, why."""
    staged = _staged(request, key)

    def rows() -> Iterator[tuple[int, str, str]]:
        for line, fault in faults_of(staged):
            yield line, fault["path"], fault_words(fault)

    head = (_("line"), _("place in it"), _("reason"))
    name = file_named("faults", staged.file_name)
    return StreamingHttpResponse(
        csv_lines(head, list(rows())),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}.csv"'},
    )


@require_safe
def import_rows(request: HttpRequest, key: UUID) -> HttpResponse:
    """Every row of a sheet of a first day: what becomes of it, and what it says."""
    staged = _staged(request, key)
    there = [one for one in sheets_of(staged) if one.there]
    wanted = request.GET.get("sheet", there[0].name if there else "")
    sheet = next((one for one in there if one.name == wanted), None)
    if sheet is None:
        raise Http404
    pages = Paginator(rows_of(staged, sheet.name), AT_ONCE)
    return TemplateResponse(
        request,
        "imports/import_rows.html",
        {
            **admin.site.each_context(request),
            "title": sheet.title,
            "row": staged,
            "sheet": sheet,
            "page": pages.get_page(request.GET.get("page")),
            "list_title": title_of(FIRST_DAY),
        },
    )


@require_safe
def first_day_template(request: HttpRequest) -> HttpResponse:
    """The workbook a first day is filled into."""
    if not sees(FIRST_DAY)(request):
        raise PermissionDenied
    return HttpResponse(
        template(),
        content_type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        headers={"Content-Disposition": 'attachment; filename="first-day.xlsx"'},
    )
