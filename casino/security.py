"""What the house refuses at its door, what it tells every browser to refuse, and how secrets are
hashed.

One strict policy for all pages. No page of ours needs inline script or style, a foreign host, a
frame or a plug-in, so none is allowed. It stands first in MIDDLEWARE: static files and refusals
carry it too.
"""

from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve

from casino.recording.attached_files import LARGEST_FILE, MOST_FILES

_POLICY: Final = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "manifest-src": "'self'",
    "connect-src": "'self'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
}
# What a page of ours never asks of the machine it is shown on. `publickey-credentials-get` stays
# open to ourselves: a passkey is how a witness will confirm.
_REFUSED: Final = (
    "accelerometer", "autoplay", "browsing-topics", "camera", "display-capture", "geolocation",
    "gyroscope", "hid", "idle-detection", "local-fonts", "magnetometer", "microphone", "midi",
    "payment", "picture-in-picture", "screen-wake-lock", "serial", "usb", "xr-spatial-tracking",
)  # fmt: skip

HEADERS: Final = {
    "Content-Security-Policy": "; ".join(f"{name} {allowed}" for name, allowed in _POLICY.items()),
    "Permissions-Policy": ", ".join(f"{name}=()" for name in _REFUSED),
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class HouseArgon2(Argon2PasswordHasher):
    """Argon2id as RFC 9106 advises where memory is dear: 64 MiB, 3 passes, 4 lanes.

    Said here, so that a newer Django changes nothing unseen. What was hashed otherwise is hashed
    anew when its owner logs in.
    """

    time_cost = 3
    memory_cost = 65_536  # KiB
    parallelism = 4


GetResponse = Callable[[HttpRequest], HttpResponse]


def strict_headers(get_response: GetResponse) -> GetResponse:
    """Middleware that adds HEADERS to every answer, and never weakens one a view has set.

    What is shown to a session is kept by no browser, unless a view says how.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        for name, value in HEADERS.items():
            response.setdefault(name, value)
        # Who is logged in leaves no page behind on a tablet others take over.
        if settings.SESSION_COOKIE_NAME in request.COOKIES:
            response.setdefault("Cache-Control", "private, no-store")
        return response

    return answer


# How large a body may be, in bytes: of whoever is not logged in (a form that waits at the entrance
# included), of a form, and of one that brings files.
STRANGERS_BODY: Final = 256 * 1024
FORMS_BODY: Final = 2 * 2**20
FILES_BODY: Final = MOST_FILES * LARGEST_FILE + FORMS_BODY


_TAKES: Final = "takes_bodies"
_TAKES_FILES: Final = "takes_files"


View = Callable[..., HttpResponse]


def takes_bodies(most: int) -> Callable[[View], View]:
    """A view to which anybody may send a body of so many bytes."""

    def marked(view: View) -> View:
        setattr(view, _TAKES, most)
        return view

    return marked


def takes_files(most: int) -> Callable[[View], View]:
    """A view to which whoever is logged in may send a form with files of so many bytes."""

    def marked(view: View) -> View:
        setattr(view, _TAKES_FILES, most)
        return view

    return marked


def _taken_by(path: str, mark: str, otherwise: int) -> int:
    """How large a body the view of an address takes, as it is marked."""
    try:
        return int(getattr(resolve(path).func, mark, otherwise))
    except Resolver404:
        return otherwise


def bounded_bodies(get_response: GetResponse) -> GetResponse:
    """Middleware that refuses a body larger than its form needs before a byte of it is kept.

    Stands behind the session's: who may send more is who is logged in. A body without a length is
    none (WSGI), so the length that is said is the most that is read.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        said = (request.META.get("CONTENT_LENGTH") or "")[:18]
        length = int(said) if said.isascii() and said.isdecimal() else 0
        most = STRANGERS_BODY
        if length > most:
            most = _taken_by(request.path_info, _TAKES, STRANGERS_BODY)
        if length > most and request.user.is_authenticated:
            with_files = request.content_type == "multipart/form-data"
            files = _taken_by(request.path_info, _TAKES_FILES, FILES_BODY)
            most = max(most, files if with_files else FORMS_BODY)
        if length <= most:
            return get_response(request)
        context = {"found": length, "most": most, "stranger": most == STRANGERS_BODY}
        return HttpResponse(render_to_string("413.html", context), status=413)

    return answer


def bearer_of(request: HttpRequest) -> bytes:
    """The token a program brings (RFC 6750), b"" for none; it is compared in constant time."""
    scheme, _space, token = request.headers.get("Authorization", "").partition(" ")
    return token.encode() if scheme.lower() == "bearer" else b""


def believed_address(get_response: GetResponse) -> GetResponse:
    """Middleware that puts the browser's own address in the place of a named proxy's.

    Only a proxy in TRUSTED_PROXIES is believed, and of what it passes on only the last address,
    which it wrote itself: whatever stands left of it anybody can write.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        peer = _address(request.META.get("REMOTE_ADDR", ""))
        if peer is not None and any(peer in network for network in settings.TRUSTED_PROXIES):
            said = request.META.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2].strip()
            if (browser := _address(said)) is not None:
                request.META["REMOTE_ADDR"] = str(browser)
        return get_response(request)

    return answer


def _address(said: str) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address(said)
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return mapped or found
