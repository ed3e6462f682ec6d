"""Three addresses for programs that look after the house: does it live, is it ready, how is it.

The first two are for everybody and tell nothing of persons or secrets. The figures are for whoever
has METRICS_TOKEN, and for an administrador.
"""

from collections.abc import Collection
from secrets import compare_digest
from typing import Final

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import Error
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from casino.access.offices_held import offices_of
from casino.events.event_policy import ADMIN
from casino.security import bearer_of
from casino.security_log import note
from casino.web.monitoring import house_figures, readiness

_PLAIN: Final = "text/plain; charset=utf-8"


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """The process lives: nothing is asked of anything."""
    return HttpResponse("ok\n", content_type=_PLAIN)


@require_safe
@never_cache
def readyz(request: HttpRequest, names: Collection[str] = tuple(readiness.CHECKS)) -> HttpResponse:
    """What works and what does not, by its name: 200 where all does, else 503."""
    checks = readiness.answers(names)
    ready = set(checks.values()) == {readiness.OK}
    return JsonResponse({"ready": ready, "checks": checks}, status=200 if ready else 503)


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """The house's figures. Raises: PermissionDenied."""
    if not _has_token(request):
        if not request.user.is_authenticated:
            note("metrics-refused", request, "")
            words = "/metrics wants Authorization: Bearer and METRICS_TOKEN (docs/monitoring.md)\n"
            asked = {"WWW-Authenticate": "Bearer"}
            return HttpResponse(words, content_type=_PLAIN, status=401, headers=asked)
        if ADMIN not in offices_of(request):
            raise PermissionDenied
    try:
        return HttpResponse(house_figures.scraped(), content_type=CONTENT_TYPE_PLAIN_0_0_4)
    except Error:
        words = "the database does not answer\n"
        return HttpResponse(words, content_type=_PLAIN, status=503)


def _has_token(request: HttpRequest) -> bool:
    token: str = settings.METRICS_TOKEN
    return bool(token) and compare_digest(bearer_of(request), token.encode())
