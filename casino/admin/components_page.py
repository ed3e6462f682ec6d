"""The administration's parts, light beside dark, for whoever writes a page and for axe."""

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from casino.web.display.tokens import parts


@never_cache
@require_safe
def components_page(request: HttpRequest) -> HttpResponse:
    """Every token of tokens.css, and what is built with them."""
    context = {
        **admin.site.each_context(request),
        **parts(),
        "title": gettext("What the pages are made of"),
    }
    return TemplateResponse(request, "admin/casino/components.html", context)
