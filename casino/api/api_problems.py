"""What went wrong, as RFC 9457 has it: one shape for every refusal under /api/.

`errors` names each value that was refused by its JSON path in the body: what was found, what is
expected, and a code that never changes. The words are in the caller's language (Accept-Language).
"""

from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Final

from django.conf import settings
from django.core.exceptions import DisallowedHost, PermissionDenied, RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import (
    get_language,
    get_language_from_request,
    gettext,
    override,
)
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import APIException
from rest_framework.response import Response

from casino.events import Malformed
from casino.events.phrases import said
from casino.recording import Busy, KeyReused, NotAllowed, OwnDuty, OwnOffice, Refused, TooLarge
from casino.submitting import Overtaken
from casino.web.forms.record_form import refusal_text

PLACE: Final = "/api/"
MEDIA_TYPE: Final = "application/problem+json"
_AGAIN: Final = {"Retry-After": "1"}  # seconds
# What a status says where nobody says it better.
_WORDS: Final = {
    400: _("What was sent cannot be read."),
    401: _(
        "Nobody is logged in and no valid token was sent. Ask for a token at /api/token, or log in."
    ),
    403: _("Neither your office nor your token's scope opens this."),
    404: _("There is nothing at this address."),
    405: _(
        "This address does not take this method: see Allow. Nothing recorded is changed or deleted:"
        " it is corrected."
    ),
    406: _("Answers are JSON: ask for application/json."),
    409: _("It is being recorded at this moment. Send it again."),
    413: _("What was sent is larger than this address takes."),
    415: _("What is sent is JSON: Content-Type application/json."),
    422: _("This cannot be recorded."),
    429: _("Asked too often. Wait a little."),
    500: _("The fault is ours and has been noted. Send it again: nothing is recorded twice."),
    503: _("The book cannot be reached at this moment. Send it again: nothing is recorded twice."),
}
_STATUS: Final[Mapping[type[Refused], int]] = {
    Busy: 409, KeyReused: 422, TooLarge: 413, NotAllowed: 403, OwnOffice: 403, OwnDuty: 403
}  # fmt: skip
Errors = Sequence[Mapping[str, object]]


class Problem(Exception):
    """A refusal of this door's own: a status, a code that never changes, words, where it was."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str = "",
        *,
        errors: Errors = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.detail = detail or str(_WORDS[status])
        self.errors = errors
        self.headers = dict(headers or {})

    def body(self) -> dict[str, object]:
        """The document."""
        body: dict[str, object] = {
            "type": f"urn:livro-da-sala:problem:{self.code}",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
        }
        return body | ({"errors": list(self.errors)} if self.errors else {})


def error_of(error: Malformed, at: str = "$") -> dict[str, object]:
    """One refused value. `at` is where in the body the event stands that its path begins from."""
    text = said(error.reason, gettext)
    found = error.reason.values.get("found")
    shape: dict[str, object] = {"pointer": at + error.path.removeprefix("$"), "code": "malformed"}
    if found is not None:
        shape["found"] = said(found, gettext) if isinstance(found, str) else found
    return shape | {"expected": text.partition("; ")[2] or text, "detail": text}


def malformed(*errors: Mapping[str, object]) -> Problem:
    """What cannot have happened as written: nothing was stored."""
    return Problem(
        400, "malformed", gettext("Nothing was recorded: see each of the errors."), errors=errors
    )


def refused(error: Refused, pointer: str = "$") -> Problem:
    """What the writer refused, and never because it was unlawful."""
    status, code = _STATUS.get(type(error), 422), _kebab(type(error).__name__)
    text = said(error.reason, gettext) if isinstance(error, KeyReused) else refusal_text(error)
    shape = {"pointer": pointer, "code": code, "detail": text}
    return Problem(status, code, text, errors=[shape], headers=_AGAIN if status == 409 else None)


def _kebab(name: str) -> str:
    return "".join(f"-{one.lower()}" if one.isupper() else one for one in name).removeprefix("-")


def problem_of(error: Exception) -> Problem | None:
    """The problem an exception is; None for a fault of ours."""
    match error:
        case Problem():
            return error
        case Malformed():
            return malformed(error_of(error))
        case Refused():
            return refused(error)
        case Overtaken():
            return Problem(409, "busy", headers=_AGAIN)
        case Http404():
            return Problem(404, "not-found")
        case RequestDataTooBig():
            return Problem(413, "too-large")
        case PermissionDenied():
            return Problem(403, "not-allowed", str(error))
        case APIException():
            headers = {}
            challenge = getattr(error, "auth_header", None)
            if challenge:
                headers["WWW-Authenticate"] = challenge
            return Problem(
                error.status_code, str(error.default_code).replace("_", "-"), headers=headers
            )
    return None


def answer_problem(error: Exception, _context: object) -> HttpResponse | None:
    """DRF's handler of whatever a view of the API raises."""
    problem = problem_of(error)
    if problem is None:
        return None
    answer: HttpResponse = Response(
        problem.body(), problem.status, headers=problem.headers, content_type=MEDIA_TYPE
    )
    answer["Content-Language"] = get_language() or ""
    return answer


def json_below_api(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: no address under /api/ answers with a page, whoever it was that refused."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if not request.path_info.startswith(PLACE) or response.status_code < 400:
            return response
        if "json" in response.get("Content-Type", ""):
            return response
        status = response.status_code if response.status_code in _WORDS else 400
        code = _kebab(HTTPStatus(status).name.title().replace("_", ""))
        body = Problem(status, code, _of_host(request)).body()
        problem = JsonResponse(body, status=response.status_code, content_type=MEDIA_TYPE)
        for name in ("Retry-After", "Allow"):
            if name in response:
                problem[name] = response[name]
        return problem

    return answer


def _of_host(request: HttpRequest) -> str:
    """What is said of a name the house does not answer under; "" for one it does."""
    try:
        request.get_host()
    except DisallowedHost:
        return gettext("The house is not called under the name of this address (ALLOWED_HOSTS).")
    return ""


def nothing_in_clear(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware before the one that sends on to HTTPS: a program is not sent on.

    Most follow a redirect without the body or the method, and bring their secret in clear again the
    next time: it is said to them instead.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        asked = request.method not in ("GET", "HEAD") or "Authorization" in request.headers
        clear = settings.SECURE_SSL_REDIRECT and not request.is_secure()
        if not (clear and asked and request.path_info.startswith(PLACE)):
            return get_response(request)
        with override(get_language_from_request(request)):
            text = gettext(
                "Ask by https://. Nothing was recorded, and whatever secret or token was sent came"
                " in clear: have it renewed."
            )
        body = Problem(403, "https-required", text).body()
        return JsonResponse(body, status=403, content_type=MEDIA_TYPE)

    return answer
