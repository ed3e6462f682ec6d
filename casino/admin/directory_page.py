"""Offices the house's directory gives and the book does not, and the reverse, for the direction."""

from typing import Final, NamedTuple

from django.conf import settings
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from casino.access.offices_held import offices_of
from casino.admin.site import RailLink
from casino.events.event_policy import DIRECTION
from casino.web.login.directory_offices import Difference, differences
from casino.web.words.field_words import word


class Line(NamedTuple):
    """A difference, and the form that records what the directory says."""

    found: Difference
    office: str
    url: str


def _sees(request: HttpRequest) -> bool:
    return bool(settings.HOUSE_GROUPS and offices_of(request) & DIRECTION)


RAIL: Final = RailLink(
    _("Directory"), "directory-offices", shown_to=_sees, section="people", place=90
)


@never_cache
@require_safe
def directory_page(request: HttpRequest) -> HttpResponse:
    """Each difference with the form that ends it. Raises: PermissionDenied."""
    if not offices_of(request) & DIRECTION:
        raise PermissionDenied
    context = {
        **admin.site.each_context(request),
        "title": gettext("Offices in the directory and in the book"),
        "asks": bool(settings.HOUSE_GROUPS),
        "lines": [_line(one) for one in differences()],
    }
    return TemplateResponse(request, "admin/casino/directory.html", context)


def _line(difference: Difference) -> Line:
    form = "officegrant" if difference.lacking else "officeend"
    asked = urlencode({"staff": difference.number, "office": difference.office})
    url = f"{reverse(f'admin:casino_{form}_add')}?{asked}"
    return Line(difference, capfirst(word(difference.office)), url)
