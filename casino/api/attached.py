"""Files of records: sent with their record as one body of parts, listed, and taken away.

A file belongs to a record from its first moment on: the book keeps both together or neither. So it
is sent with it, ``multipart/form-data``: `record` is what else is the whole body, each `files` a
file, and each `sha256`, where it is sent, the digest of the file in its place. What is taken and
how much says `casino.recording.attached_files`. A person's files alone: no machine sends any.
"""

from typing import Final
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from casino.access import access_policy
from casino.access.private_looks import note_look
from casino.api.api_problems import Problem, error_of, malformed
from casino.api.api_resources import Resource, resources
from casino.api.callers import ApiView, machine_of
from casino.api.json_bodies import MOST
from casino.api.openapi import Json, answers, asked, list_of, object_schema, ref
from casino.events import Malformed
from casino.events.event_policy import DEVICE
from casino.models import Attachment, BookEntry
from casino.reading.strict_json import parse
from casino.recording import File
from casino.recording.attached_files import LARGEST_FILE, MOST_FILES, TOO_LARGE
from casino.recording.attaching import ATTACHMENTS, digests_in, erased_of
from casino.recording.authority import writers_of
from casino.web.entries.entry_files import file_answer
from casino.web.entries.entry_page import author_of
from casino.web.forms.uploads import takes_files

RECORD: Final = "record"
FILES: Final = "files"
DIGESTS: Final = "sha256"
_PARTS: Final = (RECORD, FILES, DIGESTS)
IN_PARTS: Final = "multipart/form-data"


def may_bring_files(resource: Resource) -> bool:
    """Whether records of a kind may come with files: those of the forms that ask for some."""
    return bool(takes_files(resource.event) and writers_of(resource.kind) - {DEVICE})


def parts_body(record: Json) -> Json:
    """What a record with its files is sent as."""
    digest = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
    file = {"type": "string", "contentMediaType": "application/octet-stream"}
    parts = object_schema(
        (RECORD, FILES),
        record=record,
        files=list_of(file, minItems=1, maxItems=MOST_FILES),
        sha256=list_of(digest, maxItems=MOST_FILES),
    )
    return {"schema": parts, "encoding": {RECORD: {"contentType": "application/json"}}}


def is_in_parts(request: HttpRequest) -> bool:
    """Whether the body is a record with its files."""
    return (request.content_type or "").partition(";")[0].strip().lower() == IN_PARTS


def record_with_files(request: HttpRequest) -> tuple[object, tuple[File, ...]]:
    """The record as it was sent, and its files, each once. Raises: Problem, Malformed."""
    if machine_of(request) is not None:
        raise Problem(403, "not-allowed", gettext("A machine sends no files with its records."))
    posted = request.data  # type: ignore[attr-defined]  # DRF's request
    for name in posted:
        if name not in _PARTS:
            raise malformed(_part(name[:40], name[:40], ", ".join(_PARTS)))
    sent = [one for one in posted.getlist(RECORD) if isinstance(one, str)]
    if len(sent) != 1 or len(posted.getlist(RECORD)) != 1:
        raise malformed(_part(RECORD, str(len(posted.getlist(RECORD))), gettext("one, as text")))
    text = sent[0].encode("utf-8", "surrogatepass")
    if len(text) > MOST:
        raise Problem(413, "too-large")
    if "\ufffd" in sent[0]:  # what was no UTF-8 would be recorded as another text
        raise malformed(_part(RECORD, "\ufffd", gettext("JSON in UTF-8")))
    return parse(text), _files(request, [str(one) for one in posted.getlist(DIGESTS)])


def _files(request: HttpRequest, digests: list[str]) -> tuple[File, ...]:
    uploads = request.FILES.getlist(FILES)
    at_most = gettext("at most %(n)s") % {"n": MOST_FILES}
    if not uploads:
        raise malformed(_part(FILES, "0", gettext("one or more")))
    if len(uploads) > MOST_FILES:
        raise malformed(_part(FILES, str(len(uploads)), at_most))
    if digests and len(digests) != len(uploads):
        raise malformed(_part(DIGESTS, str(len(digests)), str(len(uploads))))
    found: dict[str, File] = {}
    errors: list[dict[str, object]] = []
    for place, upload in enumerate(uploads):
        try:
            if (upload.size or 0) > LARGEST_FILE:
                raise Malformed("$", TOO_LARGE.template)
            file = File(upload.read())
        except Malformed as error:
            errors.append(error_of(Malformed("$", error.reason.template), f"part:{FILES}[{place}]"))
            continue
        if digests and digests[place] != file.sha256:
            errors.append(_part(f"{DIGESTS}[{place}]", digests[place][:64], file.sha256))
        found[file.sha256] = file
    if errors:
        raise malformed(*errors)
    return tuple(found.values())


def _part(name: str, found: str, expected: str) -> dict[str, object]:
    detail = gettext("Part %(name)s: found %(found)s; asked: %(asked)s")
    return {
        "pointer": f"part:{name}",
        "code": "part",
        "found": found,
        "expected": expected,
        "detail": detail % {"name": name, "found": found, "asked": expected},
    }


class AttachmentsApi(ApiView):
    """The files an entry names."""

    http_method_names = ("get", "head")

    def operation(self, method: str) -> dict[str, object]:
        """A list."""
        one = object_schema(
            ("sha256", "state"),
            sha256={"type": "string", "pattern": "^[0-9a-f]{64}$"},
            state={"type": "string", "enum": ["kept", "erased", "not_kept", "not_shown"]},
            media_type={"type": "string"},
            size={"type": "integer"},
            url={"type": "string"},
        )
        items = object_schema(("items",), items=list_of(one))
        return {"parameters": asked("entry"), "responses": answers(200, items)}

    def get(self, request: HttpRequest) -> Response:
        """Each with its kind and size, and where it is, for whoever may have it."""
        entry = _entry(request, request.GET.get("entry", ""))
        shown, erased = _may_see(request, entry), erased_of(entry)
        digests = digests_in(entry)
        kept = Attachment.objects.filter(sha256__in=digests, content__isnull=False)
        there = {} if erased else {one.sha256: one for one in kept.defer("content")}
        items: list[dict[str, object]] = []
        for digest in digests:
            file = there.get(digest)
            if file is None:
                items.append({"sha256": digest, "state": "erased" if erased else "not_kept"})
                continue
            said = {"sha256": digest, "media_type": file.media_type, "size": file.size}
            url = reverse("api:attachments-one", args=[entry.pk, digest])
            more = {"state": "kept", "url": url} if shown else {"state": "not_shown"}
            items.append(said | more)
        return Response({"items": items})


class _Bytes(JSONRenderer):
    """Whatever is asked for: a file is of its own kind, a problem JSON."""

    media_type = "*/*"


class AttachmentApi(ApiView):
    """One file of an entry, as it was sent."""

    renderer_classes = (_Bytes,)
    http_method_names = ("get", "head")

    def operation(self, method: str) -> dict[str, object]:
        """The bytes."""
        said = answers(200, ref("Problem"))
        said["200"] = {"description": "", "content": {"application/octet-stream": {}}}
        return {"parameters": asked("entry_id", "digest"), "responses": said}

    def get(self, request: HttpRequest, entry_id: UUID, digest: str) -> HttpResponse:
        """For whoever may read what its author wrote in free text; who looked is noted."""
        entry = _entry(request, str(entry_id))
        if not _may_see(request, entry):
            raise PermissionDenied
        answer = file_answer(entry, digest)
        note_look(request, entry.kind, [ATTACHMENTS], entry.pk)
        return answer


def _entry(request: HttpRequest, named: str) -> BookEntry:
    """An entry he may read, by its id. Raises: Problem, Http404, PermissionDenied."""
    try:
        entry_id = UUID(named)
    except ValueError as error:
        raise Problem(400, "malformed", gettext("Name the entry: ?entry=UUID.")) from error
    kind = BookEntry.objects.filter(pk=entry_id).values_list("kind", flat=True).first()
    listed = next((one.listed for one in resources() if one.kind == kind), None)
    if listed is None:
        raise Http404
    entry: BookEntry = listed.entry_for(request, entry_id)
    return entry


def _may_see(request: HttpRequest, entry: BookEntry) -> bool:
    return access_policy.reads_private(request, entry.kind, author_of(entry))
