"""The book by the API: its newest checkpoint, the proof of one entry, that it only grew.

What is handed out proves itself: a checkpoint is a signed note, a proof a
``.tlog-proof`` of C2SP.
"""

from uuid import UUID

from django.http import HttpRequest
from django.utils.translation import gettext
from rest_framework.response import Response

from audit.pages.audit_access import reads_book
from casino import sealed
from casino.access import access_policy
from casino.api.api_lists import whole_of
from casino.api.api_problems import Problem
from casino.api.callers import ApiView
from casino.api.openapi import answers, asked, list_of, object_schema
from casino.models import BookEntry
from casino.sealed import NotSealed
from casino.web.entries.entry_page import author_of

_TEXT = {"type": "string"}
_WHOLE = {"type": "integer", "minimum": 0}


class CheckpointApi(ApiView):
    """``GET /api/v1/book/checkpoint``."""

    http_method_names = ("get", "head")

    def operation(self, method: str) -> dict[str, object]:
        """The newest one."""
        names = ("origin", "root", "note")
        found = object_schema((*names, "size"), **dict.fromkeys(names, _TEXT), size=_WHOLE)
        return {"responses": answers(200, found)}

    def get(self, request: HttpRequest) -> Response:
        """The newest checkpoint, its note byte for byte."""
        _reader(request)
        newest = sealed.latest()
        if newest is None:
            raise Problem(404, "not-sealed", gettext("Nothing is signed yet."))
        root = newest.root.hex()
        values = {"origin": newest.origin, "size": newest.size, "root": root, "note": newest.note}
        return Response(values)


class ProofApi(ApiView):
    """``GET /api/v1/book/entries/<id>/proof``, for whoever may read the entry."""

    http_method_names = ("get", "head")

    def operation(self, method: str) -> dict[str, object]:
        """The proof of an entry."""
        found = object_schema(("entry", "proof"), entry=_TEXT, proof=_TEXT)
        return {"parameters": asked("entry_id"), "responses": answers(200, found)}

    def get(self, request: HttpRequest, entry_id: UUID) -> Response:
        """The entry's bytes with their path to a signed root, without what is private."""
        entry = BookEntry.objects.filter(pk=entry_id).first()
        if entry is None:
            raise Problem(404, "not-found")
        author = author_of(entry)
        if not access_policy.may_read_entry(request, entry.kind, entry.partida_id, author):
            raise Problem(403, "not-allowed")
        try:
            text = sealed.record_proof(entry.pk, openings=False)
        except NotSealed as waits:
            raise Problem(
                409, "not-sealed", str(waits.args[0]), headers={"Retry-After": "30"}
            ) from None
        return Response({"entry": str(entry.pk), "proof": text})


class ConsistencyApi(ApiView):
    """``GET /api/v1/book/consistency?old=&new=``: that the tree of one size begins the other."""

    http_method_names = ("get", "head")

    def operation(self, method: str) -> dict[str, object]:
        """Between two sizes."""
        found = object_schema(
            ("old", "new", "hashes"), old=_WHOLE, new=_WHOLE, hashes=list_of(_TEXT)
        )
        sizes = [
            {"name": name, "in": "query", "required": True, "schema": _WHOLE}
            for name in ("old", "new")
        ]
        return {"parameters": sizes, "responses": answers(200, found)}

    def get(self, request: HttpRequest) -> Response:
        """The hashes of RFC 9162, 2.1.4, in hex."""
        _reader(request)
        old, new = whole_of(request, "old", 0), whole_of(request, "new", 0)
        newest = sealed.latest()
        if newest is None or not 1 <= old <= new <= newest.size:
            most = 0 if newest is None else newest.size
            text = gettext("The sizes go from 1 to %(n)s, the older one first.") % {"n": most}
            raise Problem(422, "no-such-size", text)
        hashes = sealed.tree(new).consistency(old)
        return Response({"old": old, "new": new, "hashes": [one.hex() for one in hashes]})


def _reader(request: HttpRequest) -> None:
    if not reads_book(request):
        raise Problem(403, "not-allowed")
