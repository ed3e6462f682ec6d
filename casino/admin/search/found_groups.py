"""What the search of the whole house finds, group by group: each what its reader may read.

A group is a list of the admin (`RecordAdmin.found_as`), searched as its own page is and narrowed to
the same rows, or a function of a package (`Extension.finders`).
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from html import unescape
from itertools import islice
from operator import or_
from typing import TYPE_CHECKING, Final, NamedTuple, cast
from uuid import UUID

from django.contrib import admin
from django.db.models import BooleanField, ExpressionWrapper, Model, Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import strip_tags
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from casino.access import access_policy
from casino.access.private_looks import note_look
from casino.admin.record_admin import RecordAdmin
from casino.admin.search.sought_words import says
from casino.admin.site import SECTIONS, Listed
from casino.models import BookEntry, Staff
from casino.web.display.cells import UNKNOWN, titled, yes_or_no
from casino.web.display.folded_text import folded, spellings
from casino.web.entries.entry_page import author_of, url_of
from casino.web.entries.timeline_links import column_address
from casino.web.forms.people_choices import people_of
from casino.web.words.kind_words import kind_word
from casino.web.words.place_words import stream_word

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

    Cell = Callable[[Model], object]

MOST: Final = 6  # of a group
_LOOKED_AT: Final = 4 * MOST  # rows: what was recorded anew stands in several
# An entry as people cite it: ``BJ-01 285``, ``table/BJ-01#285``, ``mesa BJ-01 285``.
_ENTRY: Final = re.compile(r"(?:\w+ )?(\S+?)[ #](\d{1,18})")


class Hit(NamedTuple):
    """Something found: what it is called, its page, what is said beside it.

    `exact` if it is called just what was asked for.
    """

    name: str
    url: str
    beside: Sequence[str] = ()
    exact: bool = False


class FoundGroup(NamedTuple):
    """What was found of one sort; `all_url` is the list with all of it, '' where this is all.

    `likely` if just this may be meant: it stands before the others.
    """

    title: "_StrOrPromise"
    hits: Sequence[Hit]
    all_url: str = ""
    likely: bool = False


def in_lists(request: HttpRequest, text: str) -> Iterator[FoundGroup]:
    """The lists he may see, in the order of the rail."""
    searched = [
        one
        for one in admin.site._registry.values()
        if isinstance(one, RecordAdmin) and one.found_as and one.has_view_permission(request)
    ]
    order = list(SECTIONS)
    for of_list in sorted(searched, key=lambda of: (order.index(of.section), of.place)):
        hits = list(islice(_hits(request, of_list, text), MOST + 1))
        if not hits:
            continue
        if of_list.private_cells:
            note_look(request, of_list.kinds[0].kind, of_list.private_cells)
        name = f"admin:{of_list.opts.app_label}_{of_list.opts.model_name}_changelist"
        url = reverse(name, query={"q": text}) if len(hits) > MOST else ""
        title = titled(of_list.opts.verbose_name_plural)
        yield FoundGroup(title, hits[:MOST], url, likely=_is_person(of_list, hits, text))


def _is_person(of_list: RecordAdmin, hits: Iterable[Hit], text: str) -> bool:
    """Whether just a person's name was asked for."""
    return of_list.model is Staff and any(says(text, one.name, *one.beside) for one in hits)


def _hits(request: HttpRequest, of_list: RecordAdmin, text: str) -> Iterator[Hit]:
    """What is called exactly so first, then the newest; a name once."""
    spelled = spellings(text)
    called = reduce(or_, (Q(**{f"{of_list.found_as}__iexact": each}) for each in (text, *spelled)))
    exactly = ExpressionWrapper(called, BooleanField())
    rows, _twice = of_list.get_search_results(request, of_list.get_queryset(request), text)
    ordered = rows.order_by(exactly.desc(), *(f"-{key}" for key in of_list.keyset))
    seen = set()
    for row in ordered[:_LOOKED_AT]:
        name = str(getattr(row, of_list.found_as))
        if name not in seen:
            seen.add(name)
            own = url_of(of_list.kinds[0].kind, row.pk)
            url = column_address(request, of_list.found_as, name) or own
            beside = list(_beside(of_list, row, name))
            author = getattr(row, "staff", "")
            if author and not says(text, name, *beside):
                who = people_of(request).everybody.get(author)
                by = _("recorded by %(who)s") % {"who": who.words if who is not None else author}
                beside += [by] if says(text, name, *beside, by) else []
            yield Hit(name, url, beside, folded(name) in spelled)


def _beside(of_list: RecordAdmin, row: Model, name: str) -> Iterator[str]:
    """The other cells of its row, as words."""
    for each in of_list.cells:
        show = cast("Cell", getattr(of_list, each) if isinstance(each, str) else each)
        said = unescape(strip_tags(str(show(row))))
        if said.isdigit() or said in (yes_or_no(True), yes_or_no(False)):
            said = f"{getattr(show, 'short_description', each)}: {said}"
        if said not in (name, UNKNOWN):
            yield said


def colleagues(request: HttpRequest, text: str) -> FoundGroup | None:
    """People of the floor, for whoever chooses among them without reading their register."""
    register = admin.site.get_model_admin(Staff)
    if register.has_view_permission(request) or not access_policy.sees_names(request):
        return None
    hits = [
        Hit(
            one.words,
            column_address(request, "person", one.number),
            [one.said().removeprefix(f"{one.words} · ")],
            folded(one.number) in spellings(text),
        )
        for one in people_of(request).everybody.values()
        if says(text, one.words)
    ]
    return FoundGroup(_("People"), hits[:MOST], likely=True) if hits else None


def entries(request: HttpRequest, text: str) -> FoundGroup | None:
    """An entry by its stream and number, or by its id."""
    asked, hits = _entry_asked(text), []
    found = () if asked is None else BookEntry.objects.select_related("stream").filter(asked)
    for entry in found[:MOST]:
        author = author_of(entry)
        if access_policy.may_read_entry(request, entry.kind, entry.partida_id, author):
            name, kind = (
                f"{stream_word(entry.stream.name)} {entry.n}",
                titled(kind_word(entry.kind)),
            )
            hits.append(Hit(name, url_of(entry.kind, entry.pk), [kind], exact=True))
    return FoundGroup(_("Entries"), hits) if hits else None


def _entry_asked(text: str) -> Q | None:
    place = _ENTRY.fullmatch(text)
    if place is not None:
        stream, n = place[1], int(place[2])
        named = Q(stream__name__iexact=stream)
        for each in spellings(stream):
            named |= Q(stream__name__iendswith=f"/{each}")
        return named & Q(n=n)
    try:
        of = UUID(text)
    except ValueError:
        return None
    return Q(pk=of) | Q(key=of)


def pages(text: str, rail: Iterable[Listed], sections: Iterable[Listed]) -> FoundGroup | None:
    """Pages and lists the rail leads him to."""
    lists = [(section["name"], one) for section in sections for one in section["models"]]
    hits = [
        Hit(str(capfirst(str(one["name"]))), one["admin_url"], [str(name)] if name else [])
        for name, one in [*(("", link) for link in rail), *lists]
        if one["admin_url"] and folded(text) in folded(str(one["name"]))
    ]
    return FoundGroup(_("Pages"), hits[:MOST]) if hits else None
