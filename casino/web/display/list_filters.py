"""Filters of a list as fields of one form: what is set stands in the address, and in the CSV."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any, ClassVar

from django.contrib.admin import ListFilter, ModelAdmin
from django.contrib.admin.views.main import ChangeList
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.models import Table
from casino.web.forms.people_choices import people_of

Rows = QuerySet[Any]


class FormFilter(ListFilter):
    """A filter whose values come from fields called `parameters`.

    `values` holds what was asked, without what was left empty.
    """

    parameters: ClassVar[tuple[str, ...]] = ()
    field: ClassVar[str] = ""
    template = "casino/filter_text.html"

    def __init__(
        self,
        request: HttpRequest,
        params: dict[str, Any],
        model: type[Model],
        admin: "ModelAdmin[Any]",
    ) -> None:
        super().__init__(request, params, model, admin)
        asked = {name: params.pop(name)[-1].strip() for name in self.parameters if name in params}
        self.request = request
        self.values: dict[str, str] = {name: value for name, value in asked.items() if value}

    def has_output(self) -> bool:
        """Always: the field stands there to be filled in."""
        return True

    def expected_parameters(self) -> list[str | None]:
        """The names in the address."""
        return list(self.parameters)

    def choices(self, changelist: ChangeList) -> Iterator[dict[str, object]]:
        """None: the template makes fields, not links."""
        return iter(())

    def queryset(self, request: HttpRequest, queryset: Rows) -> Rows:
        """The rows that are left. What no text of the book can hold matches nothing."""
        if any("\0" in value for value in self.values.values()):
            return queryset.none()
        return self.narrowed(queryset) if self.values else queryset

    def narrowed(self, queryset: Rows) -> Rows:
        """The rows that are left where something was asked."""
        return queryset.filter(**{self.field: self.value})

    def offered(self) -> Sequence[tuple[str, str]]:
        """What its field offers beside what is typed: values, and what each says of itself."""
        return ()

    @property
    def name(self) -> str:
        """The name of its one field."""
        return self.parameters[0]

    @property
    def value(self) -> str:
        """What was asked in its one field."""
        return self.values.get(self.name, "")

    @property
    def in_words(self) -> str:
        """What was asked, as it is read above a printed list."""
        return " – ".join(self.values.values())


class ChoiceFilter(FormFilter):
    """One of a few words. `options` gives (value, word); what is not among them matches nothing."""

    template = "casino/filter_choice.html"

    def options(self) -> Sequence[tuple[str, object]]:
        """The words to choose from."""
        raise NotImplementedError

    def narrowed(self, queryset: Rows) -> Rows:
        """The rows with that word."""
        known = self.value in {str(value) for value, _word in self.options()}
        return self.chosen(queryset, self.value) if known else queryset.none()

    @property
    def in_words(self) -> str:
        """The word that was chosen."""
        return next((str(word) for each, word in self.options() if str(each) == self.value), "")

    def chosen(self, queryset: Rows, value: str) -> Rows:
        """The rows with a word that is among the options."""
        return queryset.filter(**{self.field: value})


class DayFilter(FormFilter):
    """Gaming days from one to another, both in; one alone is enough."""

    title = _("Gaming day")
    parameters = ("from", "to")
    field = "gaming_day"
    template = "casino/filter_days.html"

    def narrowed(self, queryset: Rows) -> Rows:
        """The rows of these days; what is no day matches nothing."""
        for name, lookup in (("from", "gte"), ("to", "lte")):
            if name not in self.values:
                continue
            day = day_named(self.values[name])
            if day is None:
                return queryset.none()
            queryset = queryset.filter(**{f"{self.field}__{lookup}": day})
        return queryset

    @property
    def in_words(self) -> str:
        """From which day to which, as the page writes days."""
        shown = [
            date_format(day, "SHORT_DATE_FORMAT") if (day := day_named(asked)) else asked
            for asked in (self.first, self.last)
        ]
        return " – ".join(one or "…" for one in shown)

    @property
    def refusal(self) -> str:
        """Why these days match nothing, where they are none."""
        first, last = (day_named(one) if one else None for one in (self.first, self.last))
        if (self.first and first is None) or (self.last and last is None):
            return gettext("Say from which gaming day to which.")
        if first and last and first > last:
            return gettext("The first day comes after the last.")
        return ""

    @property
    def first(self) -> str:
        """The first day asked, ISO 8601."""
        return self.values.get("from", "")

    @property
    def last(self) -> str:
        """The last day asked, ISO 8601."""
        return self.values.get("to", "")


def day_named(asked: str) -> date | None:
    """A day as an address names it, ISO 8601; None for what is none."""
    try:
        return date.fromisoformat(asked)
    except ValueError:
        return None


class CodeFilter(FormFilter):
    """One thing by its code, as it is typed or in capitals."""

    def narrowed(self, queryset: Rows) -> Rows:
        """The rows of that code."""
        return queryset.filter(**{f"{self.field}__in": {self.value, self.value.upper()}})


class TableFilter(CodeFilter):
    """One table, by its code."""

    title = _("Table")
    parameters = ("table",)
    field = "table_code"

    def offered(self) -> Sequence[tuple[str, str]]:
        """The tables of the house."""
        known = Table.objects.order_by("table_code").values_list("table_code", flat=True)
        return [(code, "") for code in known.distinct()]


class DeckFilter(CodeFilter):
    """One deck, by its code."""

    title = _("Deck")
    parameters = ("deck",)
    field = "deck"


class ShufflerFilter(CodeFilter):
    """One machine, by its code."""

    title = _("Shuffler")
    parameters = ("shuffler",)
    field = "shuffler"


class IncidentFilter(CodeFilter):
    """One incident, by its number."""

    title = _("Incident")
    parameters = ("incident",)
    field = "incident"


class ComplaintFilter(CodeFilter):
    """One complaint, by its number."""

    title = _("Complaint")
    parameters = ("complaint",)
    field = "complaint"


def people_offered(request: HttpRequest) -> Sequence[tuple[str, str]]:
    """Everybody of the floor by number; with names, for whoever sees them."""
    return [(one.number, one.said()) for one in people_of(request).everybody.values()]


class StaffFilter(CodeFilter):
    """Whoever recorded it, by staff number."""

    title = _("Person")
    parameters = ("staff",)
    field = "staff"

    def offered(self) -> Sequence[tuple[str, str]]:
        """Everybody of the floor."""
        return people_offered(self.request)
