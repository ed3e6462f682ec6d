"""What other packages have to say of a pool on its page.

The progressive never names its auditor, who is the first to have something to say.
"""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, Protocol, runtime_checkable

from django.http import HttpRequest

from casino.extensions import extensions


class PoolNote(NamedTuple):
    """A line about a pool; `url` shows more, `asks` is where its button sends ('' for none)."""

    words: str
    tone: Literal["kept", "breach", "warning"]
    url: str
    asks: str = ""
    button: str = ""


PoolNoteOf = Callable[[HttpRequest, str], PoolNote | None]


@runtime_checkable
class NotesOnPools(Protocol):
    """A package (`casino.extensions.Extension`) that has something to say of pools."""

    def pool_notes(self) -> Sequence[PoolNoteOf]:
        """Functions of the request and the pool's code."""


def notes_on(request: HttpRequest, code: str) -> list[PoolNote]:
    """What there is to say of a pool to whoever asks."""
    those = [one for one in extensions() if isinstance(one, NotesOnPools)]
    listed = (note(request, code) for one in those for note in one.pool_notes())
    return [one for one in listed if one is not None]
