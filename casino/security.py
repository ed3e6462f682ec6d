"""What every answer of the house tells the browser to refuse, and how secrets are hashed.

One strict policy for all pages. No page of ours needs inline script or style, a foreign host, a
frame or a plug-in, so none is allowed. It stands first in MIDDLEWARE: static files and refusals
carry it too.
"""

from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.http import HttpRequest, HttpResponse

_POLICY: Final = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
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
