"""Figures of a rulebook in the book: who sets them, from when on, and that the rulebook holds them.

One of the direction asks (`FiguresAsked`), another decides (`RequestDecided`) and records them in
the same act (`FiguresSet`), before their first day. A value is taken by the very reader of the
rulebook's file.
"""

import json
import re
from collections.abc import Sequence
from typing import Final

from casino import clock
from casino.events import Malformed
from casino.events.event import EntryRef
from casino.events.phrases import Phrase
from casino.events.requests import FiguresAsked, FiguresSet, RequestDecided
from casino.house_day import gaming_day_now, house_zone
from casino.law.rulebook.figure_sets import Figures, changes_nothing, proposed, same_figures
from casino.law.rulebook.law_text import LawError, listed
from casino.law.rulebook.rulebook import Law
from casino.law.rulebook.rulebook_file import law_of_file, load_law, rulebook_ids
from casino.law.wording.figure_names import NAMES
from casino.models import BookEntry
from casino.reading.payload import event_in_book
from casino.recording.preparing import Prepared
from casino.recording.refusals import FiguresByTwo, FiguresTooLate

# The doors through which people come; the house's own commands open a book and are not asked.
_OF_PEOPLE: Final = frozenset({"admin", "sala", "import"})

_FIGURE: Final = re.compile(r'parameter\."([^"]+)"')  # the key of a figure in a rulebook's file


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

    Each changes something, unless the inspection service's answer confirms what the text leaves
    open; the document's day has come.

    Raises: Malformed, in the words of the reader of its file.
    """
    _refuse_a_day_to_come(figures)
    if figures.rulebook not in rulebook_ids():
        raise Malformed(
            "$.rulebook",
            "found the rulebook {found}; the house keeps {there}.",
            found=figures.rulebook,
            there=listed(rulebook_ids()),
        )
    try:
        used = used or load_law(figures.rulebook)
        after = proposed(law_of_file(figures.rulebook), used, figures, gaming_day_now())
    except LawError as error:
        raise Malformed.because("$.figures", as_phrase(error)) from error
    for each in figures.figures:
        name, since = each.parameter, figures.since
        if changes_nothing(used, after, name, since) and not _confirms(used, figures, name):
            raise Malformed(
                "$.figures",
                "{figure}: found the value that holds from {day} on as it is; asked is another."
                " Change it, or leave this figure out.",
                figure=NAMES.get(name, name),
                day=f"{since:%d/%m/%Y}",
            )
    return after


def _confirms(used: Law, figures: Figures, parameter: str) -> bool:
    """Whether an answer may say a figure again: one a reading decides, or that the house chose."""
    dated = used.parameters[parameter].on(figures.since)
    of_reading = any(one.parameter == parameter for one in used.readings.values())
    open_in_text = of_reading or (dated is not None and dated.of_house)
    return figures.basis == "answer" and open_in_text


def _refuse_a_day_to_come(figures: Figures) -> None:
    today = clock.now().astimezone(house_zone()).date()
    if figures.document_day is not None and figures.document_day > today:
        raise Malformed(
            "$.document_day",
            "found {found}, which is still to come; asked is the day the document bears, {today} at"
            " the latest.",
            found=f"{figures.document_day:%d/%m/%Y}",
            today=f"{today:%d/%m/%Y}",
        )


def as_phrase(error: LawError) -> Phrase:
    """What the reader of a rulebook says, for a door of the book: figures by what people call them,
    instead of file and key.
    """
    figure = _FIGURE.match(error.key)
    if figure is None or figure[1] not in NAMES:
        return Phrase(
            "{file}: {key}: found {found}; asked: {asked}",
            file=error.file,
            key=error.key,
            found=error.found,
            asked=error.asked,
        )
    return Phrase(
        "{figure}: found {found}; asked: {asked}",
        figure=NAMES[figure[1]],
        found=error.found,
        asked=_in_words(error.asked),
    )


def _in_words(text: str) -> str:
    """A text of the file's reader with the figures it names called as people call them."""
    if not isinstance(text, Phrase):
        return NAMES.get(text.strip("'"), text)
    values = {
        name: _in_words(value) if isinstance(value, str) else value
        for name, value in text.values.items()
    }
    return Phrase(text.template, **values)


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
