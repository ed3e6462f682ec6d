"""One line a request, and a name for it that every line of it and its answer carry."""

import logging
import time
from collections.abc import Callable
from typing import Final
from uuid import uuid4

from django.conf import settings
from django.core.signals import request_finished
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse

from casino.logs.log_lines import REQUEST, SANE

HEADER: Final = "X-Request-ID"
_log: Final = logging.getLogger(__name__)


def logged(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware, before all others: names a request, or heeds the name it came with.

    Its line says which address answered, as the program writes it: neither whose page it was nor
    what was asked with it. A static file is no line.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        said = request.headers.get(HEADER, "")
        name = said if SANE.fullmatch(said) else uuid4().hex
        began = time.monotonic()
        REQUEST.set(name)  # until the whole answer is sent: Django has a word of its own after this
        response = get_response(request)
        response[HEADER] = name
        if not request.path.startswith(settings.STATIC_URL):
            match = request.resolver_match
            figures = {
                "method": request.method,
                "route": "" if match is None else f"/{match.route}",
                "status": response.status_code,
                "ms": round(1000 * (time.monotonic() - began)),
            }
            words = "%(method)s %(route)s %(status)s %(ms)s ms"
            _log.info(words, figures, extra={"figures": figures})
        return response

    return answer


@receiver(request_finished)
def _is_over(**_: object) -> None:
    REQUEST.set("")
