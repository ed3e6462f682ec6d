"""Lists: the filters and the rights of the back office, a page after a place in the tree.

Entries come in the order in which the sequencer placed them. Places are given out one after the
other when entries are committed and seen, so whoever goes on from his last one misses nothing that
was committed late; an entry is listed some tenths of a second after it was recorded.
"""

from collections.abc import Collection, Sequence
from typing import Final, cast

from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext

from casino.access import access_policy
from casino.admin.paging import KeysetAdmin
from casino.api.api_problems import Problem
from casino.api.api_resources import Resource
from casino.events.round.field_form import shown
from casino.models import BookEntry, BookLeaf
from casino.models.projection import Projection
from casino.web.display.list_filters import FormFilter
from casino.web.entries.entry_page import UNREADABLE, body_of
from casino.web.entries.entry_standing import Standings

LIMIT: Final = 50
MOST: Final = 500
CURSOR: Final = "cursor"
_OWN: Final = (CURSOR, "limit", "q")


def page_of(request: HttpRequest, resource: Resource) -> dict[str, object]:
    """One page: ``{"items", "cursor", "more"}``. Raises: Problem, PermissionDenied.

    `cursor` is asked with the next time, whether there is more now or not.
    """
    listed = resource.listed
    if listed is None:
        raise Problem(404, "not-found")
    how = access_policy.reads(request, resource.kind)
    if how == "none" or not listed.has_view_permission(request):
        raise PermissionDenied
    after, limit = bounds_of(request)
    rows = filtered(request, listed)
    if how == "own":  # of another kind of this list he may read more
        rows = rows.filter(access_policy.own(request, by_author=listed.own_by_author))
    found = placed(rows, after, limit, resource.kind)
    entries = [one.entry for one in found[:limit]]
    standings = Standings((one.stream.name, one.n) for one in entries)
    return {
        "items": [entry_as_object(one, standings) for one in entries],
        CURSOR: str(found[:limit][-1].idx if found else after),
        "more": len(found) > limit,
    }


def bounds_of(request: HttpRequest) -> tuple[int, int]:
    """After which place a page begins, and how many it holds. Raises: Problem."""
    limit = whole_of(request, "limit", LIMIT)
    if not 1 <= limit <= MOST:
        raise _bad("limit", str(limit), gettext("a whole number from 1 to %(n)s") % {"n": MOST})
    return whole_of(request, CURSOR, -1), limit


def placed(those: QuerySet[Projection], after: int, limit: int, kind: str = "") -> list[BookLeaf]:
    """The places of these rows' entries in the tree after one, and one more than are asked."""
    leaves = BookLeaf.objects.select_related("entry__stream").order_by("idx")
    if "entry" in {field.name for field in those.model._meta.get_fields()}:
        # Their own table stays the first of the statement: some filters call it by its name.
        at = those.filter(entry__bookleaf__idx__gt=after)
        at = at.filter(entry__kind=kind) if kind else at
        places = at.order_by("entry__bookleaf__idx").values_list("entry__bookleaf__idx", flat=True)
        return list(leaves.filter(idx__in=list(places.distinct()[: limit + 1])))
    # Rounds are kept in parts, by their day, and know no entry but by its id.
    there = those.filter(entry_id=OuterRef("entry_id"), gaming_day=OuterRef("entry__gaming_day"))
    leaves = leaves.filter(Exists(there), idx__gt=after)
    return list((leaves.filter(entry__kind=kind) if kind else leaves)[: limit + 1])


def filtered(request: HttpRequest, of_list: KeysetAdmin) -> QuerySet[Projection]:
    """The rows of a list that the caller may read, as its filters leave them."""
    for name, given in request.GET.items():
        if "\0" in given or "\0" in name:
            raise _bad(name, shown(given), gettext("a text without NUL"))
    left = {name: list(of) for name, of in request.GET.lists() if name not in _OWN}
    rows = of_list.get_queryset(request)
    names: list[str] = []
    for filter_class in cast("Sequence[type[FormFilter]]", of_list.list_filter):
        spec = filter_class(request, left, of_list.model, of_list)
        names += [one for one in spec.expected_parameters() if one]
        rows = spec.queryset(request, rows)
    refuse_unknown(left, [*names, *_OWN])
    rows, _ = of_list.get_search_results(request, rows, request.GET.get("q", ""))
    return rows


def refuse_unknown(left: Collection[str], known: Collection[str]) -> None:
    """Raises: Problem, for a parameter no filter of this list has."""
    for name in left:
        raise _bad(name, name, gettext("one of: %(names)s") % {"names": ", ".join(known)})


def whole_of(request: HttpRequest, name: str, otherwise: int) -> int:
    """A whole number of the address. Raises: Problem."""
    given = request.GET.get(name)
    if given is None:
        return otherwise
    digits = given.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 18):
        raise _bad(name, given[:40], gettext("a whole number"))
    return int(given)


def _bad(name: str, found: str, expected: str) -> Problem:
    detail = gettext("Parameter %(name)s: found %(found)s; asked: %(asked)s")
    error = {
        "pointer": f"query:{name}",
        "code": "parameter",
        "found": found,
        "expected": expected,
        "detail": detail % {"name": name, "found": found, "asked": expected},
    }
    return Problem(400, "malformed", str(error["detail"]), errors=[error])


def entry_as_object(entry: BookEntry, standings: Standings | None = None) -> dict[str, object]:
    """An entry: where it stands, who wrote it when, its event with the commitments of what is
    private. `standing` as the back office has it: ``"holds"``, ``"waiting"``, ``"corrected"`` ...
    """
    stream = entry.stream.name
    standings = standings or Standings([(stream, entry.n)])
    try:
        body = body_of(entry)
    except UNREADABLE:  # altered bytes: whoever verifies must be able to see it
        body = {"who": None, "payload": None, "supersedes": None}
    return {
        "entry": str(entry.pk),
        "kind": entry.kind,
        "stream": stream,
        "n": entry.n,
        "leaf": bytes(entry.leaf_hash).hex(),
        "occurred_at": entry.occurred_at.isoformat(),
        "recorded_at": entry.recorded_at.isoformat(),
        "gaming_day": entry.gaming_day.isoformat(),
        "who": body["who"],
        "supersedes": body["supersedes"],
        "standing": standings.of(stream, entry.n),
        "event": body["payload"],
    }
