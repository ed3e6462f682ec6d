"""Two copies of the book compared on the web: two that are brought, or one beside this book."""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any, Final, TypeAlias

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from audit.exporting import ExportRefused, Scope, export_bundle
from audit.pages.audit_access import verifies
from audit.reports.own_process import apart
from audit.reports.packs.compare_copies import NoCopy, scope_in
from casino import sealed
from casino.recording import Actor
from casino.web.words.languages import house_language

PROGRAM: Final = "audit.reports.packs.compare_copies"
SECONDS: Final = 40  # until it is given up
MOST: Final = 40 * 2**20  # bytes of one file
MOST_BESIDE: Final = 50_000  # entries of this book that are held beside a copy
MARKS: Final = {"problem": "breach", "incomplete": "warning", "note": "note"}
TONES: Final = {0: "kept", 1: "breach"}
_one_at_once: Final = BoundedSemaphore(1)
_NO_COPY: Final = {
    "zip": gettext_lazy("The file is no ZIP that can be read."),
    "many": gettext_lazy("There is more than one copy of a book in the file, or too many files."),
    "large": gettext_lazy("The copy is larger than is compared here: use the program instead."),
    "none": gettext_lazy(
        "There is no copy of a book in the file: bring an evidence pack or a bundle, as a ZIP."
    ),
}


Upload: TypeAlias = "UploadedFile[Any]"
Brought: TypeAlias = "Upload | None"


class NotCompared(ValueError):
    """Why nothing was compared; the text is for whoever asked."""


@require_http_methods(["GET", "HEAD", "POST"])
def compare_page(request: HttpRequest) -> HttpResponse:
    """The form; sent, the entries that differ. Nothing that was brought is kept."""
    if not verifies(request):
        raise PermissionDenied
    shown: dict[str, object] = {}
    if request.method == "POST":
        try:
            shown = _compared(request.FILES.get("older"), request.FILES.get("newer"))
        except (NotCompared, ExportRefused) as refused:
            shown = {"refused": str(refused)}
        except NoCopy as why:
            shown = {"refused": _NO_COPY[str(why)]}
    return TemplateResponse(
        request,
        "audit/compare_copies.html",
        {
            **admin.site.each_context(request),
            "title": _("Two copies of the book compared"),
            "most": MOST,
            "beside": number_format(MOST_BESIDE, force_grouping=True),
            **shown,
        },
        status=400 if "refused" in shown else 200,
    )


def _compared(older: Brought, newer: Brought) -> dict[str, object]:
    """What was found. Raises: NotCompared, NoCopy, ExportRefused."""
    if older is None:
        raise NotCompared(_("Choose the copy you have: an evidence pack or a bundle, as a ZIP."))
    if not _one_at_once.acquire(blocking=False):
        raise NotCompared(_("Other copies are being compared: try again in half a minute."))
    try:
        with tempfile.TemporaryDirectory(prefix="compare-") as made:
            first = _put(older, Path(made) / "older.zip")
            if newer is not None:
                second = _put(newer, Path(made) / "newer.zip")
            else:
                second = _this_book(first, Path(made) / "book")
            return {**_asked(first, second), "beside_book": newer is None}
    except OSError as trouble:
        raise NotCompared(
            _("The server had no room to compare them: try again later.")
        ) from trouble
    finally:
        _one_at_once.release()


def _put(brought: Upload, place: Path) -> Path:
    if (brought.size or 0) > MOST:
        raise NoCopy("large")
    with place.open("wb") as file:
        for piece in brought.chunks():
            file.write(piece)
    return place


def _this_book(copy: Path, place: Path) -> Path:
    """The same part of this book, beside the copy; it does not leave the house."""
    said, newest = scope_in(copy), sealed.latest()
    if newest is None:
        raise NotCompared(_("Nothing of this book has been signed yet."))
    scope: Any = said["scope"]
    try:
        if scope["kind"] == "table":
            asked = Scope("table", table=str(scope["table"])[:40])
        else:
            first, end = int(scope.get("from", 0)), int(scope.get("to", said["size"]))
            asked = Scope("range", first=first, end=min(end, newest.size))
            if scope["kind"] == "full" and newest.size <= MOST_BESIDE:
                asked = Scope()
            if end - first > MOST_BESIDE:
                raise NoCopy("large")
    except (KeyError, TypeError, ValueError, AttributeError) as trouble:
        raise trouble if isinstance(trouble, NoCopy) else NoCopy("none") from trouble
    nobody = Actor("export", "sistema", "job")
    export_bundle(place, asked, nobody, said=lambda _event, _by: None)
    return place


def _asked(first: Path, second: Path) -> dict[str, object]:
    """What the program says of both."""
    chosen = house_language()
    try:
        ran = apart(
            "audit.reports.packs.compare_copies", b"", SECONDS, [str(first), str(second), chosen]
        )
    except subprocess.TimeoutExpired:
        raise NoCopy("large") from None
    if ran.returncode == 4:
        word = ran.stdout.decode()
        raise NoCopy(word if word in _NO_COPY else "none")
    try:
        found = json.loads(ran.stdout)
    except ValueError:
        raise NoCopy("large") from None  # it was ended: what it takes is more than is given
    if ran.returncode == 3:
        raise NoCopy("none")
    lines = [{**one, "tone": MARKS[one["severity"]]} for one in found["found"]]
    return {
        "verdict": found["sentence"],
        "tone": TONES.get(found["verdict"], "warning"),
        "lines": lines,
        "more": sum(found["counts"].values()) - len(lines),
    }
