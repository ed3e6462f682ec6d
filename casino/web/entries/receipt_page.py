"""The receipt of a record: on the screen, on paper, as a QR code, as a file.

Whoever keeps it can have any later verification of the book look for that very entry.
"""

import json
from typing import Final

from django.contrib.admin import site
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext

from casino import sealed
from casino.events.round.round_played import RoundPlayed
from casino.models import BookEntry
from casino.web.display.cells import titled
from casino.web.display.qr_svg import qr_svg
from casino.web.entries.entry_page import UNREADABLE, event_and_author, signed_by, url_of
from casino.web.entries.round_complaints import complaints_about
from casino.web.words import field_words
from casino.web.words.kind_words import kind_word

DEMO: Final = "demo.invalid/"  # how the name of a log begins whose keys prove nothing
GROUP: Final = 8  # hex digits that stand together, so that a person can compare them


def groups(digits: str, size: int = GROUP) -> list[str]:
    """Digits in groups."""
    return [digits[at : at + size] for at in range(0, len(digits), size)]


def receipt_page(request: HttpRequest, entry: BookEntry) -> HttpResponse:
    """The receipt, to be looked at and printed."""
    text = sealed.receipt_text(entry)
    value = json.loads(text)  # what is shown is what the code says
    staff, office = signed_by(entry)
    context: dict[str, object] = {
        **site.each_context(request),
        "title": gettext("Receipt"),
        "entry": entry,
        "entry_url": url_of(entry.kind, entry.pk),
        "kind": titled(kind_word(entry.kind)),
        "who": staff,
        "office": field_words.word(office),
        "complaints": _complaints(request, entry),
        "leaf": groups(value["leaf"]),
        "recorded": value["recorded"],
        "origin": value.get("origin", ""),
        "demo": value.get("origin", "").startswith(DEMO),
        "qr": qr_svg(text, gettext("The receipt as a QR code")),
        "text": text,
        "file_url": reverse("admin:casino_bookentry_receipt_file", args=[entry.pk]),
    }
    return TemplateResponse(request, "admin/casino/receipt.html", context)


def _complaints(request: HttpRequest, entry: BookEntry) -> str:
    """The complaints a round was recorded for, or is about; '' for every other record."""
    if entry.kind != RoundPlayed.kind:
        return ""
    try:
        event, _ = event_and_author(entry)
    except UNREADABLE:
        return ""
    return ", ".join(one.complaint for one in complaints_about(request, entry.partida_id, event))


def receipt_file(entry: BookEntry) -> HttpResponse:
    """The receipt as the file that the verifier takes (`--receipt`)."""
    answer = HttpResponse(sealed.receipt_text(entry), content_type="application/json")
    stream = entry.stream.name.replace("/", "-")
    answer["Content-Disposition"] = f'attachment; filename="receipt-{stream}-{entry.n}.json"'
    answer["Cache-Control"] = "private, no-store"
    return answer
