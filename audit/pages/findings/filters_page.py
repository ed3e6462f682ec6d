"""Filters of the list of findings under a name of one's own: saved, listed, removed.

They are a person's preferences and stand beside the book: nobody else sees or removes them.
"""

import unicodedata
from typing import Final

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from audit.models import SavedFilter
from audit.models.saved_filters import LONGEST_NAME, LONGEST_QUERY, MOST
from audit.pages.audit_access import reads_findings
from casino.models import Account

# What the list understands of its address, but for the place in it.
KEPT: Final = (
    "q", "state", "severity", "rulebook", "article", "table", "from", "to", "person", "sort",
)  # fmt: skip


def own_filters(request: HttpRequest) -> list[dict[str, object]]:
    """The filters of whoever asks, by name, each with its address."""
    asked = kept(request.GET)
    rows = SavedFilter.objects.filter(account=_account(request)).order_by("name")
    return [
        {
            "pk": row.pk,
            "name": row.name,
            "url": f"{_list()}?{row.query}",
            "here": row.query == asked,
        }
        for row in rows
    ]


def kept(given: QueryDict) -> str:
    """The part of an address that filters and orders the list, in one order, as a query."""
    query = QueryDict(mutable=True)
    asked = {name: str(given.get(name, "")).strip() for name in KEPT}
    query.update({name: value for name, value in asked.items() if value})
    return query.urlencode()


@require_POST
def save_filter(request: HttpRequest) -> HttpResponse:
    """Keep what the list is filtered by under a name; the same name again is the new one."""
    if not reads_findings(request):
        raise PermissionDenied
    query = kept(QueryDict(request.POST.get("query", "")[: LONGEST_QUERY * 3]))
    name = _name(request.POST.get("name", ""))
    refused = _refused(name, query)
    if not refused and not _keep(request, name, query):
        refused = _("You keep %(n)s filters, the most there may be: remove one first.") % {
            "n": MOST
        }
    if refused:
        messages.error(request, refused)
    else:
        messages.success(request, _("The filter is kept as %(name)s.") % {"name": name})
    return HttpResponseRedirect(f"{_list()}?{query}" if query else _list())


@require_POST
def remove_filter(request: HttpRequest, number: int) -> HttpResponse:
    """Remove one of one's own. Raises: Http404 for another's."""
    if not reads_findings(request):
        raise PermissionDenied
    gone, _rows = SavedFilter.objects.filter(account=_account(request), pk=number).delete()
    if not gone:
        raise Http404
    return HttpResponseRedirect(_list())


def _keep(request: HttpRequest, name: str, query: str) -> bool:
    """Whether there was room for it."""
    account = _account(request)
    with transaction.atomic():
        Account.objects.select_for_update().filter(pk=account.pk).get()
        own = SavedFilter.objects.filter(account=account)
        if own.filter(name=name).update(query=query):
            return True
        if own.count() >= MOST:
            return False
        SavedFilter.objects.create(account=account, name=name, query=query)
    return True


def _refused(name: str, query: str) -> str:
    if not name:
        return _("Give the filter a name.")
    if len(name) > LONGEST_NAME:
        text = _("The name has %(found)s characters; at most %(most)s are kept.")
        return text % {"found": len(name), "most": LONGEST_NAME}
    if not query:
        return _("The list is not filtered: there is nothing to keep.")
    if len(query) > LONGEST_QUERY:
        text = _("The filter takes %(found)s characters; at most %(most)s are kept.")
        return text % {"found": len(query), "most": LONGEST_QUERY}
    return ""


def _name(typed: str) -> str:
    """Without what is not seen (controls, marks of direction), its spaces single."""
    seen = "".join(
        " " if unicodedata.category(each) == "Cc" else each
        for each in unicodedata.normalize("NFC", typed)
        if unicodedata.category(each) != "Cf"
    )
    return " ".join(seen.split())


def _account(request: HttpRequest) -> Account:
    user: Account | AnonymousUser = request.user
    if not isinstance(user, Account):
        raise PermissionDenied
    return user


def _list() -> str:
    return reverse("admin:audit_finding_changelist")
