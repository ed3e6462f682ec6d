"""Every register of the house on one page: how much it holds of some days, its list, its files."""

from collections.abc import Iterator
from typing import NamedTuple

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from audit.pages.audit_access import exports, reads_all
from audit.pages.law.stretch import Asked, asked_of
from casino.web.display.list_filters import DayFilter, TableFilter


class Register(NamedTuple):
    """One list: how many rows it has of the days asked, where they are shown, the files of them."""

    name: str
    number: int
    url: str
    files: list[tuple[str, str]]


@require_safe
def registers(request: HttpRequest) -> HttpResponse:
    """Every list by gaming day that whoever asks may read, as the back office groups them."""
    if not reads_all(request):
        raise PermissionDenied
    asked = asked_of(request)
    sections = [
        (
            section["name"],
            list(_registers(request, asked, [one["model"] for one in section["models"]])),
        )
        for section in admin.site.get_app_list(request)
    ]
    return TemplateResponse(
        request,
        "audit/registers.html",
        {
            **admin.site.each_context(request),
            **asked.context(),
            "title": _("Registers"),
            "query": asked.query,
            "sections": [
                (name, [one for one in listed if one.number], [o for o in listed if not o.number])
                for name, listed in sections
                if listed
            ],
            "takes_files": exports(request),
        },
    )


def _registers(request: HttpRequest, asked: Asked, models: list[type[Model]]) -> Iterator[Register]:
    first, last, table = asked.stretch
    for model in models:
        listing = admin.site.get_model_admin(model)
        filters = listing.list_filter
        if DayFilter not in filters or (table and TableFilter not in filters):
            continue  # not kept by day, or of no table
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        query = asked.address()
        rows = listing.get_queryset(request).filter(gaming_day__range=(first, last))
        if table:
            rows = rows.filter(table_code=table)
        yield Register(
            str(model._meta.verbose_name_plural),
            rows.count(),
            f"{reverse(f'{name}_changelist')}?{query}",
            list(_files(f"{name}_csv", query)) if exports(request) else [],
        )


def _files(name: str, query: str) -> Iterator[tuple[str, str]]:
    try:
        url = reverse(name)
    except NoReverseMatch:
        return  # runs are taken out nowhere
    yield "CSV", f"{url}?{query}"
    yield "XLSX", f"{url}?{query}&as=xlsx"
