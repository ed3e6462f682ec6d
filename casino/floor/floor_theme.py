"""Light or dark: the floor on one tablet, whoever holds it; and its parts in both."""

from datetime import timedelta
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from casino.floor.error_pages import failed
from casino.floor.floor_access import floor_page, same_place
from casino.floor.floor_page import shown
from casino.floor.tables.all_tables import LOOKERS
from casino.web.display.tokens import THEMES, parts

COOKIE: Final = "floor_theme"  # sala/base.html reads it: no script, and no flash of the other
_KEPT: Final = timedelta(days=400)  # the longest a browser keeps one


@never_cache
@require_POST
def theme_view(request: HttpRequest) -> HttpResponse:
    """Keep the theme on this tablet, and show the page of the floor it was chosen on."""
    theme = request.POST.get("theme", "")
    if theme not in THEMES:
        return failed(request, 400, gettext("The theme is light or dark: choose one of the two."))
    onward = request.POST.get("next", "")
    ours = url_has_allowed_host_and_scheme(onward, allowed_hosts=None) and same_place(onward)
    response = HttpResponseRedirect(onward if ours else reverse("sala:floor"))
    response.set_cookie(
        COOKIE,
        theme,
        max_age=_KEPT,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


@floor_page(LOOKERS, reads_only=True)
def components_view(request: HttpRequest) -> HttpResponse:
    """Every token of tokens.css and every part of the floor's pages, light beside dark."""
    return shown(request, "sala/components.html", parts())
