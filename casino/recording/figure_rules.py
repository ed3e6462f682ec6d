"""Figures of a rulebook in the book: who sets them, from when on, and that the rulebook holds them.

One of the direction asks (`FiguresAsked`), another decides (`RequestDecided`) and records them in
the same act (`FiguresSet`), before their first day. A value is taken by the very reader of the
rulebook's file.
"""

import json
from collections.abc import Sequence
from typing import Final

from casino import clock
from casino.events import Malformed
from casino.events.event import EntryRef
from casino.events.phrases import Phrase
from casino.events.requests import FiguresAsked, FiguresSet, RequestDecided
from casino.house_day import gaming_day_now
from casino.law.rulebook.figure_sets import Figures, proposed, same_figures
from casino.law.rulebook.law_text import LawError, listed
from casino.law.rulebook.rulebook import Law
from casino.law.rulebook.rulebook_file import law_of_file, load_law, rulebook_ids
from casino.models import BookEntry
from casino.reading.payload import event_in_book
from casino.recording.preparing import Prepared
from casino.recording.refusals import FiguresByTwo, FiguresTooLate

# The doors through which people come; the house's own commands open a book and are not asked.
_OF_PEOPLE: Final = frozenset({"admin", "sala", "import"})


def check_asked(prepared: Prepared) -> None:
    """Figures that the rulebook could hold, from a day that has not begun; their file is with them.

    Raises: Malformed, FiguresTooLate.
    """
    event: FiguresAsked = prepared.submission.event
    held(event)
    if event.file_sha256 is not None and event.file_sha256 not in prepared.submission.attachments:
        raise Malformed(
            "$.file_sha256",
            "found a digest of a file that is not with the record: choose the file again.",
        )
    _check_in_time(prepared, event)


def check_set(prepared: Prepared, before: Sequence[Prepared]) -> None:
    """They follow another's decision on them, in one act with it, in time.

    That the decision is another's, and approves what is recorded with it, is asked where it stands.
    Raises: Malformed, FiguresByTwo, FiguresTooLate.
    """
    event: FiguresSet = prepared.submission.event
    if prepared.submission.by.door not in _OF_PEOPLE:
        return
    decided = before[-1].submission.event if before else None
    if not isinstance(decided, RequestDecided) or decided.asked != event.asked:
        raise FiguresByTwo(place=prepared.place)
    _check_in_time(prepared, event)
    held(event)


def _check_in_time(prepared: Prepared, figures: Figures) -> None:
    if not is_in_time(figures):
        today = gaming_day_now()
        raise FiguresTooLate(
            place=prepared.place, since=figures.since.isoformat(), today=today.isoformat()
        )


def is_in_time(figures: Figures) -> bool:
    """Whether their first day has not begun."""
    return figures.since > gaming_day_now() and figures.since >= clock.now().date()


def held(figures: Figures, used: Law | None = None) -> Law:
    """The rulebook as it would be with these figures: it is one of the house, and could hold them.

    `used` is the law they are added to, where it is not the one in use now.

    Raises: Malformed, in the words of the reader of its file.
    """
    if figures.rulebook not in rulebook_ids():
        raise Malformed(
            "$.rulebook",
            "found the rulebook {found}; the house keeps {there}.",
            found=figures.rulebook,
            there=listed(rulebook_ids()),
        )
    try:
        used = used or load_law(figures.rulebook)
        return proposed(law_of_file(figures.rulebook), used, figures, gaming_day_now())
    except LawError as error:
        raise Malformed.because("$.figures", as_phrase(error)) from error


def as_phrase(error: LawError) -> Phrase:
    """What the reader of a rulebook says, for a door of the book."""
    return Phrase(
        "{file}: {key}: found {found}; asked: {asked}",
        file=error.file,
        key=error.key,
        found=error.found,
        asked=error.asked,
    )


def says_the_same(figures_set: FiguresSet, entry: BookEntry) -> bool:
    """Whether a set is exactly what an entry of the book asked for, and names it."""
    body = json.loads(bytes(entry.entry))
    if body["kind"] != FiguresAsked.kind:
        return False
    leaf = bytes(entry.leaf_hash).hex()
    named = EntryRef(stream=body["stream"], n=body["n"], leaf=leaf)
    return figures_set.asked == named and same_figures(
        event_in_book(FiguresAsked, body["payload"]), figures_set
    )
