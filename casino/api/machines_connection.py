"""What comes by a machine's token reaches the database as another role than people's pages, and
without a person's session.

The database lets the pages' role write as people and as nobody else, and this one as a machine and
as nobody else (`casino.schema_digest.role_rights`): a fault in a page records no round, one in the
API no act.
"""

from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections
from django.http import HttpRequest, HttpResponse

GetResponse = Callable[[HttpRequest], HttpResponse]
ALIAS: Final = "machines"
_UNDER: Final = "/api/"
_OF_TOKENS: Final = ("/api/token", "/api/revoke")


def is_of_a_machine(request: HttpRequest) -> bool:
    """Whether it is a machine's: a person's calls of the API carry a session and no such header."""
    if not request.path.startswith(_UNDER):
        return False
    return "HTTP_AUTHORIZATION" in request.META or request.path in _OF_TOKENS


def as_machines(get_response: GetResponse) -> GetResponse:
    """Middleware that answers a machine over the connection of machines, where there is one."""

    def answer(request: HttpRequest) -> HttpResponse:
        if not is_of_a_machine(request):
            return get_response(request)
        request.COOKIES.pop(settings.SESSION_COOKIE_NAME, None)
        if ALIAS not in connections.settings:
            return get_response(request)
        of_people = connections[DEFAULT_DB_ALIAS]
        connections[DEFAULT_DB_ALIAS] = connections[ALIAS]
        try:
            return get_response(request)
        finally:
            connections[DEFAULT_DB_ALIAS] = of_people

    return answer
