"""What had been sent while a log-in was not whole, answered as if it had been sent just now."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import resolve

from casino.web.forms.shield import BACK

Fields = Sequence[tuple[str, str]]


def answer_as_sent(request: HttpRequest, address: str, fields: Fields) -> HttpResponse:
    """The answer of the page at an address to these fields. Raises: Resolver404."""
    path, _, query = address.partition("?")
    found = resolve(path)
    result: Any = request
    result.POST = filled(fields)
    result.GET = QueryDict(query)
    result.path = result.path_info = path
    result.META["QUERY_STRING"] = query
    request.resolver_match = found
    answer: HttpResponse = found.func(request, *found.args, **found.kwargs)
    return answer


def filled(fields: Fields) -> QueryDict:
    """The fields as a form holds them."""
    kept = QueryDict(mutable=True)
    for name, value in fields:
        kept.appendlist(name, value)
    return kept


def looked_at(fields: Fields) -> list[tuple[str, str]]:
    """The same fields, to be shown again and not to be recorded."""
    return [*fields, (BACK, "1")]
