"""What other packages have to say of a pool on its page: each module of PAGES may name its own.

`POOL_NOTES` of such a module are functions; each gets the request and the pool's code, and gives a
note or None. The progressive never names its auditor, who is the first to have something to say.
"""

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Literal, NamedTuple

from django.conf import settings
from django.http import HttpRequest


class PoolNote(NamedTuple):
    """A line about a pool; `url` shows more, `asks` is where its button sends ('' for none)."""

    words: str
    tone: Literal["kept", "breach", "warning"]
    url: str
    asks: str = ""
    button: str = ""


Note = Callable[[HttpRequest, str], PoolNote | None]


def notes_on(request: HttpRequest, code: str) -> list[PoolNote]:
    """What there is to say of a pool to whoever asks."""
    listed = (note(request, code) for note in _notes())
    return [one for one in listed if one is not None]


def _notes() -> Iterator[Note]:
    for module in settings.PAGES:
        yield from getattr(import_module(module), "POOL_NOTES", ())
