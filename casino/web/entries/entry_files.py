"""The files of an entry: which there are, and one of them to be taken away.

Whoever may read what an entry's author wrote in free text may read its files; everybody else who
reads the entry sees their fingerprints.
"""

from dataclasses import dataclass
from typing import Final

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.models import Attachment, BookEntry
from casino.recording.attached_files import JPEG, PDF, PNG, TEXT
from casino.recording.attaching import digests_in, erased_of

WORDS: Final[dict[str, Promise]] = {
    PDF: _("PDF document"),
    JPEG: _("photograph (JPEG)"),
    PNG: _("picture (PNG)"),
    TEXT: _("plain text"),
}
_SUFFIX: Final = {PDF: "pdf", JPEG: "jpg", PNG: "png", TEXT: "txt"}
# A file is never a page of ours, whatever a browser takes it for.
_HEADERS: Final = {
    "Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "private, no-store",
}


@dataclass(frozen=True, slots=True)
class FileShown:
    """A file as the entry's page shows it; `url` is '' for whoever may not have it, or nobody."""

    sha256: str
    what: object
    size: int | None
    state: object
    url: str
    is_picture: bool = False


def files_of(entry: BookEntry, page: str, *, seen: bool) -> list[FileShown]:
    """The files an entry names. `page` is the name of its page's address (``..._change``)."""
    digests = digests_in(entry)
    if not digests:
        return []
    erased = erased_of(entry)
    kept = {
        each.sha256: each
        for each in Attachment.objects.filter(sha256__in=digests, content__isnull=False).defer(
            "content"
        )
    }
    address = page.removesuffix("_change") + "_file"
    shown = []
    for digest in digests:
        file = None if erased else kept.get(digest)
        state = "" if file else (_("erased") if erased else _("not kept here"))
        url = reverse(address, args=[entry.pk, digest]) if file and seen else ""
        if file is not None and not seen:
            state = _("not shown")
        what = WORDS.get(file.media_type, file.media_type) if file else ""
        seen_here = file is not None and file.media_type in (JPEG, PNG) and bool(url)
        size = file.size if file else None
        shown.append(FileShown(digest, what, size, state, url, seen_here))
    return shown


def file_answer(entry: BookEntry, digest: str) -> HttpResponse:
    """One file, to be put away and not to be opened here. Raises: Http404."""
    digests = digests_in(entry)
    if digest not in digests or erased_of(entry):
        raise Http404
    file = Attachment.objects.filter(pk=digest, content__isnull=False).first()
    if file is None:
        raise Http404
    answer = HttpResponse(
        bytes(file.content or b""), content_type=_content_type(file.media_type), headers=_HEADERS
    )
    stream = entry.stream.name.replace("/", "-")
    name = f"{stream}-{entry.n}-{digests.index(digest) + 1}.{_SUFFIX.get(file.media_type, 'bin')}"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _content_type(media_type: str) -> str:
    """Nothing but what a record's file may be; whatever else lies there is bytes."""
    if media_type == TEXT:
        return "text/plain; charset=utf-8"
    return media_type if media_type in _SUFFIX else "application/octet-stream"
