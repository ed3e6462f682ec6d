"""One box for the whole house: a number leads to its page, anything else to what holds it."""

from typing import Final

from django.contrib import admin, messages
from django.db import OperationalError, connection, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from psycopg.errors import QueryCanceled

from casino.admin.search import found_groups
from casino.admin.search.found_groups import FoundGroup
from casino.admin.search.sought_words import LONGEST
from casino.admin.site import Listed
from casino.extensions import extensions

SHORTEST: Final = 2  # characters
WITHIN_MS: Final = 2_000  # one question to the database
WHOLE: Final = "all"  # in an address: everything, where one thing alone is called so


@never_cache
@require_safe
def search_page(request: HttpRequest) -> HttpResponse:
    """What of the house holds a text, group by group; straight to what alone is called so."""
    text = " ".join(request.GET.get("q", "").replace("\0", " ").split())
    context = admin.site.each_context(request)
    refusal, groups = _refusal(text), []
    if text and not refusal:
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(f"SET LOCAL statement_timeout = {WITHIN_MS}")
                groups = _found(request, text, context)
        except OperationalError as error:
            if not isinstance(error.__cause__, QueryCanceled):
                raise
            refusal = _("This took too long. Search for more of the word, or for a number.")
    exact = [hit for group in groups for hit in group.hits if hit.exact]
    if len(exact) == 1 and WHOLE not in request.GET:
        whole = reverse("search", query={"q": text, WHOLE: 1})
        everything = _("See everything with “%(text)s”") % {"text": text}
        messages.info(request, format_html('<a href="{}">{}</a>', whole, everything))
        return HttpResponseRedirect(exact[0].url)
    own = {"title": _("Search"), "text": text, "refusal": refusal, "groups": groups}
    return TemplateResponse(request, "admin/casino/search.html", {**context, **own})


def _refusal(text: str) -> str:
    """Why nothing is looked for; '' where it is."""
    if text and len(text) < SHORTEST:
        return _("Write at least %(n)s characters.") % {"n": SHORTEST}
    if len(text) > LONGEST:
        return _("%(found)s characters: at most %(n)s are searched for.") % {
            "found": len(text),
            "n": LONGEST,
        }
    return ""


def _found(request: HttpRequest, text: str, context: Listed) -> list[FoundGroup]:
    """What is called so first, then the lists in the order of the rail, pages last."""
    finders = [find for package in extensions() for find in package.finders()]
    listed = found_groups.in_lists(request, text)
    led = found_groups.pages(text, context["rail"], context["available_apps"])
    groups = (*listed, *(find(request, text) for find in finders), led)
    return sorted(
        (group for group in groups if group is not None),
        key=lambda group: not (group.likely or any(hit.exact for hit in group.hits)),
    )
