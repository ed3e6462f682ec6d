"""What others have to say of a game, entry by entry: `Extension.timeline_notes`."""

from collections.abc import Collection
from typing import NamedTuple

from django.http import HttpRequest

from casino.extensions import extensions
from casino.web.display.status_marks import Tone


class Note(NamedTuple):
    """What somebody else has to say of a game: on which entries it rests, in words, and where."""

    evidence: frozenset[str]
    tone: Tone
    words: str
    url: str


def notes_of(request: HttpRequest, partidas: Collection[str]) -> list[Note]:
    """What is said of these games to whoever asks."""
    if not partidas:
        return []
    listed = (package.timeline_notes(request, partidas) for package in extensions())
    return [note for notes in listed for note in notes]
