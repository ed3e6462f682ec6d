"""Lists of any length: pages that start where the last one ended, and counts that stop counting.

`KeysetAdmin` makes a ModelAdmin's list so. Its order is newest first: a page is found by the key of
the last row seen, never by counting over the rows before it, so the last of a million rows comes as
quickly as the first. Where a filter leaves only few rows their keys are fetched and sorted here:
walking an index in search of them could mean walking all of it. In another order, by one of its
`sortable_by`, it is sorted whole, and so only where it is that short.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from django.contrib.admin import ModelAdmin
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ORDER_VAR, ChangeList
from django.core.exceptions import EmptyResultSet, ValidationError
from django.db import connections
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from casino.admin.site import InSection
from casino.web.display.cells import counted
from casino.web.display.list_filters import FormFilter
from casino.web.entries.entry_standing import Standing
from casino.web.list_files.list_source import AS

if TYPE_CHECKING:
    from django.db.models.query import _OrderByFieldName

    _Admin = ModelAdmin[Any]
else:
    _Admin = ModelAdmin  # a generic for the type checker alone

COUNTED: Final = 10_000  # beyond this a list only says "more than"
FEW: Final = 10_000  # up to so many keys are sorted here: some 50 ms, walking in vain takes longer
AFTER: Final = "after"  # the key of the last row of the page before
BEFORE: Final = "before"  # the key of the first row of the page after
_BETWEEN: Final = "~"

# What is filled in is Django's own statement, with its values apart, and names of ours.
_SURVEY: Final = """
SELECT count(*), CASE WHEN count(*) <= %s THEN jsonb_agg(to_jsonb(found)) END
FROM ({inner}) AS found ({names})"""

Key = tuple[object, ...]


class Survey(NamedTuple):
    """How many rows there are, counted up to COUNTED + 1; the keys of all where they are few."""

    found: int
    few: list[list[object]] | None

    @property
    def exact(self) -> bool:
        """Whether all were counted."""
        return self.found <= COUNTED


def survey(queryset: QuerySet[Any], keys: Sequence[str]) -> Survey:
    """Look over a list without sorting it. Values of `keys`, its columns, come as JSON has them."""
    bounded = queryset.order_by().values_list(*keys)[: COUNTED + 1]
    try:
        inner, values = bounded.query.sql_with_params()
    except EmptyResultSet:
        return Survey(0, [])
    with connections[queryset.db].cursor() as cursor:
        cursor.execute(
            _SURVEY.format(inner=inner, names=", ".join(f"k{n}" for n in range(len(keys)))),
            [FEW, *values],
        )
        number, few = cursor.fetchone()
    if isinstance(few, str):
        few = json.loads(few)
    rows = [] if few is None and not number else few
    return Survey(number, rows and [[row[f"k{n}"] for n in range(len(keys))] for row in rows])


class KeysetChangeList(ChangeList):
    """A list page cut by key. `keys` are the model's columns that make the order, newest first."""

    keyset = True
    model_admin: "KeysetAdmin"
    keys: tuple[str, ...]
    newer = ""
    older = ""
    first: int | None = 0  # how many rows lie before the page's; None where nobody counted them
    too_many_to_sort = False
    most_sorted = FEW

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.title = capfirst(str(self.opts.verbose_name_plural))

    def get_filters_params(self, params: dict[str, object] | None = None) -> dict[str, object]:
        """The query without the place in the list."""
        kept = super().get_filters_params(params)
        return {name: value for name, value in kept.items() if name not in (AFTER, BEFORE, AS)}

    def get_filters(self, request: HttpRequest) -> Any:
        """The filters. Raises: IncorrectLookupParameters, for what no text of the book can hold."""
        found = super().get_filters(request)
        left_over: Any = found[2]
        if any("\0" in value for values in left_over.values() for value in values):
            raise IncorrectLookupParameters
        return found

    def get_results(self, request: HttpRequest) -> None:
        """One page and the way to its neighbours, in two queries however long the list is."""
        self.keys = tuple(self._column(name) for name in self.model_admin.keyset_of(self))
        self.survey = survey(self.queryset, self.keys)
        self.result_count = self.survey.found
        self.show_full_result_count = False
        self.full_result_count = None
        self.show_admin_actions = False
        self.can_show_all = False
        self.multi_page = False
        self.paginator = self.model_admin.get_paginator(
            request, self.queryset.none(), self.list_per_page
        )
        after, before = self._key_asked(request, AFTER), self._key_asked(request, BEFORE)
        if self.survey.few is None:
            rows = self._walk(after, before)
        else:
            rows = self._pick(self.survey.few, after, before)
        self.result_list = rows

    def _walk(self, after: Key | None, cursor: Key | None) -> list[Model]:
        """The page by walking along the index, newest first, whatever was asked."""
        self.too_many_to_sort = bool(self.order)
        size = self.list_per_page
        self.first = None if cursor is not None or after is not None else 0
        if cursor is not None:
            beyond = self.queryset.filter(self._beyond(cursor, "gt"))
            found = list(beyond.order_by(*self.keys)[: size + 1])
            rows = found[:size][::-1]
            return self._between(rows, newer=len(found) > size, older=True)
        queryset = self.queryset
        if after is not None:
            queryset = queryset.filter(self._beyond(after, "lt"))
        found = list(queryset.order_by(*(f"-{name}" for name in self.keys))[: size + 1])
        return self._between(found[:size], newer=after is not None, older=len(found) > size)

    def _pick(self, few: list[list[object]], after: Key | None, cursor: Key | None) -> list[Model]:
        """The page out of keys that are all known."""
        if self.order:
            return self._pick_in_order(after, cursor)
        size = self.list_per_page
        keys = sorted((self._parsed(key) for key in few), reverse=True)
        first = 0
        if cursor is not None:
            first = max(sum(key > cursor for key in keys) - size, 0)
        elif after is not None:
            first = sum(key >= after for key in keys)
        shown = keys[first : first + size]
        self.first = first
        if not shown:
            return []
        picked = {f"{name}__in": {key[n] for key in shown} for n, name in enumerate(self.keys)}
        rows = list(
            self.queryset.filter(**picked).order_by(*(f"-{name}" for name in self.keys))[:size]
        )
        return self._between(rows, newer=first > 0, older=first + size < len(keys))

    def _pick_in_order(self, after: Key | None, cursor: Key | None) -> list[Model]:
        """The page in the order asked."""
        keys = list(self.ordered().values_list(*self.keys))
        first, size = 0, self.list_per_page
        if cursor in keys:
            first = max(keys.index(cursor) - size, 0)
        elif after in keys:
            first = keys.index(after) + 1
        self.first = first
        shown = keys[first : first + size]
        picked = {f"{name}__in": {key[n] for key in shown} for n, name in enumerate(self.keys)}
        rows = {
            tuple(getattr(row, name) for name in self.keys): row
            for row in self.queryset.filter(**picked)
        }
        found = [rows[key] for key in shown if key in rows]
        return self._between(found, newer=first > 0, older=first + size < len(keys))

    @property
    def order(self) -> str:
        """The order asked for; '' for the list's own."""
        return str(self.params.get(ORDER_VAR, "")) if self.ordered_columns else ""

    def ordered(self) -> QuerySet[Model]:
        """All its rows in the order its pages have them."""
        rows: QuerySet[Model] = self.queryset
        if self.order and not self.too_many_to_sort:
            return rows
        return rows.order_by(*(f"-{name}" for name in self.keys))

    @property
    def ordered_columns(self) -> dict[int, str]:
        """Which of its columns it is sorted by, and how (``asc``, ``desc``)."""
        asked = self.get_ordering_field_columns() if ORDER_VAR in self.params else {}
        return {
            place: way
            for place, way in asked.items()
            if place < len(self.list_display) and self.get_ordering_field(self.list_display[place])
        }

    def get_ordering_field(
        self, field_name: Callable[..., object] | str
    ) -> "_OrderByFieldName | None":
        """What a column is sorted by; None for one that is not, whatever an address asks."""
        sortable: Sequence[object] = self.sortable_by or ()
        return super().get_ordering_field(field_name) if field_name in sortable else None

    def get_query_string(
        self, new_params: dict[str, object] | None = None, remove: Iterable[str] | None = None
    ) -> str:
        """An address of this list; in another order it begins with the first page."""
        anew = [AFTER, BEFORE] if new_params and ORDER_VAR in new_params else []
        return super().get_query_string(new_params, [*(remove or ()), *anew])

    def _between(self, queryset: list[Model], *, newer: bool, older: bool) -> list[Model]:
        if queryset and newer:
            self.newer = self._link(BEFORE, queryset[0])
        if queryset and older:
            self.older = self._link(AFTER, queryset[-1])
        return queryset

    @property
    def newest(self) -> str:
        """The address of the first page under the same filter."""
        return self.get_query_string(remove=[AFTER, BEFORE])

    def _link(self, way: str, row: Model) -> str:
        key = _BETWEEN.join(str(getattr(row, name)) for name in self.keys)
        return self.get_query_string({way: key}, remove=[AFTER, BEFORE])

    def _key_asked(self, request: HttpRequest, way: str) -> Key | None:
        """The key in the address; None where there is none, or nothing that could be one."""
        parts = request.GET.get(way, "").split(_BETWEEN)
        try:
            return self._parsed(parts) if len(parts) == len(self.keys) else None
        except ValidationError:
            return None

    def _parsed(self, parts: Sequence[object]) -> Key:
        """Raises: ValidationError, for what is no key."""
        return tuple(
            self._field(name).to_python(part) for name, part in zip(self.keys, parts, strict=True)
        )

    def _column(self, name: str) -> str:
        field: Any = self.lookup_opts.pk if name == "pk" else self.lookup_opts.get_field(name)
        return str(field.attname)

    def _field(self, column: str) -> Any:
        field: Any = next(f for f in self.lookup_opts.concrete_fields if f.attname == column)
        return field.target_field if field.is_relation else field

    def _beyond(self, key: Key, way: str) -> Q:
        """Rows past a key. The first column is asked alone too: that is what an index can use."""
        beyond = Q()
        for depth in reversed(range(len(key))):
            name, value = self.keys[depth], key[depth]
            past = Q(**{f"{name}__{way}": value})
            beyond = past | (Q(**{name: value}) & beyond) if beyond else past
        if len(key) > 1:
            beyond &= Q(**{f"{self.keys[0]}__{way}e": key[0]})
        return beyond

    @property
    def form_filters(self) -> list[FormFilter]:
        """The filters that are fields of the list's form."""
        return [spec for spec in self.filter_specs if isinstance(spec, FormFilter)]

    @property
    def filtered(self) -> bool:
        """Whether anything narrows this list."""
        return bool(self.query) or any(spec.values for spec in self.form_filters)

    @property
    def count_in_words(self) -> str:
        """How many there are, as far as was counted: ``more than 10,000 findings``."""
        number = number_format(min(self.survey.found, COUNTED), force_grouping=True)
        one, things = self.survey.found == 1, self.opts.verbose_name_plural
        if one and self.opts.verbose_name == things:
            return counted(1)  # a list of what has no singular: recordings kept
        things = self.opts.verbose_name if one else things
        if self.survey.exact:
            return f"{number} {things}"
        return _("more than %(count)s %(things)s") % {"count": number, "things": things}

    @property
    def part_in_words(self) -> str:
        """Which part of a longer list this page is: ``page 2 of 7, rows 26 to 50``; '' of a list
        that is here whole.
        """
        if not self.newer and not self.older:
            return ""
        shown, size = len(self.result_list), self.list_per_page
        if self.first is None and not self.older:
            return _("the last %(n)s rows of it; what comes before is not here") % {"n": shown}
        if self.first is None:
            return _("%(n)s rows of it; what lies before and after is not here") % {"n": shown}
        rows = {"first": self.first + 1, "last": self.first + shown}
        if not self.survey.exact:
            return _("rows %(first)s to %(last)s of it; what comes after is not here") % rows
        pages = {"page": self.first // size + 1, "pages": -(-self.survey.found // size)}
        return _("page %(page)s of %(pages)s, rows %(first)s to %(last)s") % {**pages, **rows}


class KeysetAdmin(InSection, _Admin):
    """A list that is read and never edited, however long it is.

    `keyset` are the columns of its order, all descending and unique together; the default is the
    primary key, an entry's UUIDv7: newest first, with an index that is there anyway.
    """

    keyset: ClassVar[tuple[str, ...]] = ("pk",)
    list_per_page = 25
    show_full_result_count = False
    sortable_by = ()
    actions = None

    def keyset_of(self, changelist: KeysetChangeList) -> tuple[str, ...]:
        """The order of this list under this filter."""
        return self.keyset

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        """Our list page."""
        return KeysetChangeList

    def holding(self, n: int) -> Standing:
        """How an entry stands that nobody corrected or withdrew, by its number in its stream."""
        return "holds"

    def file_address(self, request: HttpRequest) -> str:
        """Where the list is taken out under the filter its page was asked for."""
        query = request.GET.copy()
        for place_in_list in (AFTER, BEFORE):
            query.pop(place_in_list, None)
        name = f"admin:{self.opts.app_label}_{self.opts.model_name}_csv"
        return f"{reverse(name)}?{query.urlencode()}"
