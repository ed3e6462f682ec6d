"""Every register of the house on one page: how much it holds of some days, its list, its files."""

from typing import Final, NamedTuple

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from audit.audit_queries import Tally, tallies
from audit.pages.audit_access import exports, reads_all
from audit.pages.law.stretch import Asked, asked_of
from casino.web.display.list_filters import DayFilter, TableFilter
from casino.web.list_files.list_answer import ways_out

COUNTED: Final = 1_000_000  # beyond it a page says no more than "more than", and no file holds it


class Register(NamedTuple):
    """One list: how many rows it has of the days asked, where they are shown, the files of them."""

    name: str
    tally: Tally
    url: str
    files: list[tuple[str, str]]


@require_safe
def registers(request: HttpRequest) -> HttpResponse:
    """Every list by gaming day that whoever asks may read, as the back office groups them."""
    if not reads_all(request):
        raise PermissionDenied
    asked = asked_of(request)
    kept = [
        (section["name"], one["model"])
        for section in admin.site.get_app_list(request)
        for one in section["models"]
        if _is_kept(one["model"], asked)
    ]
    counts = tallies([_rows(request, asked, model) for _section, model in kept], COUNTED)
    sections: dict[str, tuple[list[Register], list[Register]]] = {}  # with rows, and without
    for (section, model), tally in zip(kept, counts, strict=True):
        register = _register(model, tally, asked.address(), with_files=exports(request))
        sections.setdefault(section, ([], []))[not tally.number].append(register)
    return TemplateResponse(
        request,
        "audit/registers.html",
        {
            **admin.site.each_context(request),
            **asked.context(),
            "title": _("Registers"),
            "query": asked.query,
            "sections": [(name, *listed) for name, listed in sections.items()],
            "takes_files": exports(request),
        },
    )


def _is_kept(model: type[Model], asked: Asked) -> bool:
    """Whether a list is by gaming day, and by table where one is asked."""
    filters = admin.site.get_model_admin(model).list_filter
    return DayFilter in filters and (not asked.stretch.table or TableFilter in filters)


def _rows(request: HttpRequest, asked: Asked, model: type[Model]) -> QuerySet[Model]:
    rows = admin.site.get_model_admin(model).get_queryset(request)
    narrowed: QuerySet[Model] = asked.narrowed(rows).order_by()
    return narrowed


def _register(model: type[Model], tally: Tally, query: str, *, with_files: bool) -> Register:
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
    return Register(
        str(model._meta.verbose_name_plural),
        tally,
        f"{reverse(f'{name}_changelist')}?{query}",
        _files(f"{name}_csv", query) if with_files else [],
    )


def _files(name: str, query: str) -> list[tuple[str, str]]:
    """Its first two forms, CSV and spreadsheet; its list has all."""
    try:
        return ways_out(f"{reverse(name)}?{query}")[:2]
    except NoReverseMatch:
        return []  # runs are taken out nowhere
