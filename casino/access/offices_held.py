"""Which offices whoever asks holds now: they say what he may see, and as what he records."""

from typing import Final

from django.http import HttpRequest

from casino import clock, queries

_KEPT_AS: Final = "_offices_held"


def offices_of(request: HttpRequest) -> frozenset[str]:
    """The offices the logged-in person holds at this moment; asked once a request."""
    kept: frozenset[str] | None = getattr(request, _KEPT_AS, None)
    if kept is None:
        user = request.user
        held = queries.offices_at(user.get_username(), clock.now()) if user.is_active else ()
        kept = frozenset(held)
        setattr(request, _KEPT_AS, kept)
    return kept
