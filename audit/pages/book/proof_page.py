"""The proof of one record: its place in the tree, the checkpoint that covers it, and how anybody
checks both without the house.
"""

import hashlib
from collections.abc import Mapping, Sequence
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from audit.exporting import Scope
from audit.exporting.bundle_export import record_export
from audit.pages.audit_access import hands_out, reads_book
from audit.pages.book.book_page import text_file
from audit.pages.book.book_state import DEMO, signatures_of
from casino import sealed
from casino.access import access_policy
from casino.access.private_looks import kept_of, note_look
from casino.events import Malformed
from casino.models import BookEntry, Erasure
from casino.recording import Refused
from casino.sealed import NotSealed, Sealed
from casino.tlog.proof import ProofRefused, verify_inclusion
from casino.web.display.cells import titled
from casino.web.entries.entry_page import Leading, author_of, url_of
from casino.web.entries.entry_standing import Standings, marked
from casino.web.login.factor_page import ask_again
from casino.web.words import field_words
from casino.web.words.kind_words import kind_word


def proof_way(request: HttpRequest, entry: BookEntry) -> Leading | None:
    """From an entry's page to its proof."""
    return Leading(gettext_lazy("Proof"), reverse("book-proof", args=[entry.pk]), "seal")


@require_http_methods(["GET", "HEAD", "POST"])
def proof_page(request: HttpRequest, entry_id: UUID) -> HttpResponse:
    """A record's proof; on POST the file that holds it, and an entry that tells of its leaving."""
    entry = BookEntry.objects.select_related("stream").filter(pk=entry_id).first()
    if entry is None:
        raise Http404
    author = author_of(entry)
    if not access_policy.may_read_entry(request, entry.kind, entry.partida_id, author):
        raise PermissionDenied
    # Whether there is anything to be opened, for somebody who may see it.
    openings = access_policy.reads_private(request, entry.kind, author) and bool(kept_of(entry))
    if request.method == "POST":
        if openings and (asked := ask_again(request)) is not None:
            return asked
        return _handed_out(request, entry, openings=openings)
    stream, n = entry.stream.name, entry.n
    standings = Standings([(stream, n)])
    return TemplateResponse(
        request,
        "audit/proof.html",
        {
            **admin.site.each_context(request),
            "title": _("Proof"),
            "entry": entry,
            "entry_url": url_of(entry.kind, entry.pk),
            "kind": titled(kind_word(entry.kind)),
            "leaf": bytes(entry.leaf_hash).hex(),
            "bytes": _text_of(entry),
            "length": len(bytes(entry.entry)),
            "file": _name_of(entry),
            "standing": marked(standings.of(stream, n)),
            "erasures": _erasures(stream, n),
            "openings": openings,
            "hands_out": hands_out(request) is not None,
            "reads_book": reads_book(request),
            **_place(entry),
        },
    )


def _place(entry: BookEntry) -> Mapping[str, object]:
    """Where it stands in the tree, and whether all of it fits together, as the house sees it."""
    index = sealed.index_of(entry.pk)
    if index is None:
        return {"index": None, "waits": sealed.NO_PLACE}
    proving = sealed.proving(index)
    if proving is None:
        return {"index": index, "waits": sealed.NO_CHECKPOINT}
    values: dict[str, object] = {
        "index": index,
        "sealed": proving,
        "root": proving.root.hex(),
        "demo": proving.origin.startswith(DEMO),
        "signatures": signatures_of(proving),
        "fits_bytes": _leaf_of(entry) == bytes(entry.leaf_hash),
    }
    try:
        path = sealed.tree(proving.size).inclusion(index)
    except (LookupError, ValueError):
        return values | {"path": None, "trouble": sealed.NO_PROOF}
    return values | {
        "path": [each.hex() for each in path],
        "fits_root": _fits(entry, index, proving, path),
    }


def _leaf_of(entry: BookEntry) -> bytes:
    return hashlib.sha256(b"\x00" + bytes(entry.entry)).digest()


def _fits(entry: BookEntry, index: int, proving: Sealed, path: Sequence[bytes]) -> bool:
    try:
        verify_inclusion(_leaf_of(entry), index, proving.size, list(path), proving.root)
    except ProofRefused:
        return False
    return True


def _text_of(entry: BookEntry) -> str:
    """The canonical bytes as text; what is none of ours is shown, not hidden."""
    return bytes(entry.entry).decode("utf-8", "backslashreplace")


def _erasures(stream: str, n: int) -> list[dict[str, object]]:
    erased = Erasure.objects.filter(entry_stream=stream, entry_n=n).order_by("pk")
    return [
        {
            "field": titled(field_words.label(one.field)),
            "at": one.recorded_at,
            "url": url_of("erased/1", one.pk),
        }
        for one in erased
    ]


def _name_of(entry: BookEntry) -> str:
    return f"{entry.stream.name.replace('/', '-')}-{entry.n}.tlog-proof"


def _handed_out(request: HttpRequest, entry: BookEntry, *, openings: bool) -> HttpResponse:
    """The proof as a file. First the book is told that it leaves the house."""
    by = hands_out(request)
    if by is None:
        raise PermissionDenied
    try:
        text = sealed.record_proof(entry.pk, openings=openings)
        index = sealed.index_of(entry.pk)
        proving = None if index is None else sealed.proving(index)
        if index is None or proving is None:
            raise NotSealed(sealed.NO_CHECKPOINT)
        scope = Scope("record", first=index, end=index + 1)
        record_export(scope.event(1, proving.size, proving.root, openings=openings), by)
        note_look(request, entry.kind, kept_of(entry) if openings else (), entry.pk)
    except NotSealed as waits:
        return _refusal(request, entry, str(waits.words))
    except (LookupError, ValueError):
        return _refusal(request, entry, str(sealed.NO_PROOF))
    except (Refused, Malformed) as refused:
        return _refusal(request, entry, str(refused))
    return text_file(text, _name_of(entry))


def _refusal(request: HttpRequest, entry: BookEntry, why: str) -> HttpResponse:
    messages.error(request, why)
    return HttpResponseRedirect(reverse("book-proof", args=[entry.pk]))
