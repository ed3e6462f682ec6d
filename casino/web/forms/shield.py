"""A second tap records nothing: a form that comes back as soon as it was shown was read by nobody.

Every form that records carries when it was shown. Its page lets the form's buttons rest for a
moment (static/casino/shield.js); where no script runs, whoever takes the form shows it again as it
was filled in. Nothing hangs on the stamp but that: it is not signed, and a form without one is
taken as it is.
"""

from collections.abc import Mapping
from math import isfinite
from typing import Any, Final

from django.conf import settings
from django.forms.utils import ErrorDict
from django.http import HttpRequest

from casino import clock

SHOWN: Final = "page_shown"  # a field: when its page was shown, in seconds since 1970
BACK: Final = "go_back"  # a button: the form again, as it was filled in


def of_every_page(request: HttpRequest) -> dict[str, str]:
    """What `casino/shown.html` puts into a form that records: a context processor."""
    return {
        "shown_at": f"{clock.now().timestamp():.3f}",
        "shield_seconds": f"{settings.SHIELD_SECONDS:g}",
    }


def is_too_soon(data: Mapping[str, object]) -> bool:
    """Whether a form came back before anybody can have read it."""
    try:
        shown = float(str(data.get(SHOWN, "")))
    except ValueError:
        return False
    return isfinite(shown) and abs(clock.now().timestamp() - shown) < settings.SHIELD_SECONDS


def was_read(form: Any, data: Mapping[str, object]) -> bool:
    """Whether a form that was sent is good, and was not sent before anybody can have read it."""
    if is_too_soon(data):
        unjudged(form)
        return False
    return bool(form.is_valid())


def unjudged(form: Any) -> None:
    """Let a form that was sent be shown as it was filled in, without a word on it."""
    form._errors = ErrorDict(renderer=form.renderer)
