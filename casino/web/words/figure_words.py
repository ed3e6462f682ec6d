"""How a figure of a rulebook and its value are said on pages: ``3:2``, ``4 or 6 decks``."""

from collections.abc import Iterable
from contextlib import suppress
from datetime import date
from fractions import Fraction

from django.utils.formats import date_format, number_format
from django.utils.translation import gettext, ngettext

from casino.events.requests import FiguresAsked, FigureValue
from casino.law.rulebook.figure_sets import set_by, value_of
from casino.law.rulebook.law_text import LawError, Value, spelled
from casino.law.rulebook.rulebook import Law, Parameter, Reading
from casino.law.rulebook.rulebook_file import law_of_file, load_law, rulebook_ids
from casino.law.wording.figure_names import NAMES
from casino.law.wording.headings import run_of
from casino.law.wording.wording import ONE_IN
from casino.web.words import field_words
from casino.web.words.languages import either


def name(parameter: str) -> str:
    """What a figure is called; its own name where nobody gave it another."""
    if parameter in NAMES:
        return gettext(NAMES[parameter])
    return parameter.replace(".", ": ").replace("_", " ")


def said(book: Law, parameter: Parameter, value: Value) -> str:
    """A value in words: by the reading it chooses where there is one, else by its unit."""
    reading = next((r for r in book.readings.values() if r.parameter == parameter.name), None)
    if reading is not None:
        return meaning(reading, value)
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, Fraction):
        return _ratio(parameter.name, value)
    if isinstance(value, tuple):
        several = [str(one) for one in value]
        run = run_of(value)
        if run:
            return gettext("%(first)s to %(last)s") % {"first": run[0], "last": run[1]}
        return (
            gettext("%(first)s or %(last)s")
            % {
                "first": ", ".join(several[:-1]),
                "last": several[-1],
            }
            if len(several) > 1
            else several[0]
        )
    if isinstance(value, int):
        if parameter.name.endswith(ONE_IN):
            return number_format(value, force_grouping=True)
        return _counted(value, parameter.unit)
    return _choice(parameter.name, spelled(value))


def _choice(parameter: str, value: str) -> str:
    """A choice a book states outright: by its word, else as a book that reads it so says it."""
    known = gettext(field_words.word(value, parameter))
    if known != value.replace("_", " "):
        return known
    readings = (one for book in rulebook_ids() for one in load_law(book).readings.values())
    for reading in readings:
        if reading.parameter == parameter and value in [spelled(c.value) for c in reading.choices]:
            return meaning(reading, value)
    return known


def meaning(reading: Reading, value: Value) -> str:
    """What a choice of a reading says."""
    for choice in reading.choices:
        if spelled(choice.value) == spelled(value):
            return either(choice.means_pt, choice.means_en)
    return spelled(value)


def _ratio(parameter: str, ratio: Fraction) -> str:
    """Odds where a figure says what is paid, a share of something else otherwise."""
    if parameter.endswith(".pays"):
        return f"{ratio.numerator}:{ratio.denominator}"
    return gettext("half") if ratio == Fraction(1, 2) else f"{ratio.numerator}/{ratio.denominator}"


def _counted(value: int, unit: str) -> str:
    values = {
        "cards": ngettext("%(n)s card", "%(n)s cards", value),
        "decks": ngettext("%(n)s deck", "%(n)s decks", value),
        "packets": ngettext("%(n)s packet", "%(n)s packets", value),
        "points": ngettext("%(n)s point", "%(n)s points", value),
        "times": ngettext("%(n)s time", "%(n)s times", value),
        "chips": ngettext("%(n)s chip", "%(n)s chips", value),
        "minutes": ngettext("%(n)s minute", "%(n)s minutes", value),
        "passes": ngettext("%(n)s pass", "%(n)s passes", value),
    }
    return values.get(unit, "%(n)s") % {"n": value}


def listed(rulebook: str, figures: Iterable[FigureValue]) -> list[str]:
    """Figures with their values in words."""
    return [f"{name(one.parameter)}: {value_of_set(rulebook, one)}" for one in figures]


def value_of_set(rulebook: str, figure: FigureValue) -> str:
    """A value asked for or set, in words; as it is written where no rulebook can hold it."""
    with suppress(LawError):
        book = load_law(rulebook)
        value = value_of(book, figure)
        return said(book, book.parameters[figure.parameter], value)
    return figure.value


def request(wanted_figures: FiguresAsked) -> str:
    """A request of figures in a line: which, from when on, by what."""
    return gettext("%(figures)s, from %(day)s on (%(source)s)") % {
        "figures": "; ".join(listed(wanted_figures.rulebook, wanted_figures.figures)),
        "day": date_format(wanted_figures.since, "SHORT_DATE_FORMAT"),
        "source": wanted_figures.source,
    }


def otherwise_set(book: Law, parameters: Iterable[str], day: date) -> list[str]:
    """Which of these figures two persons set otherwise than the rulebook's file states them, as of
    a day: what is written of the article in words has the file's.
    """
    of_file = law_of_file(book.id)
    found = []
    for parameter in parameters:
        held = book.parameters[parameter].on(day) if parameter in book.parameters else None
        by = None if held is None else set_by(book, parameter, held.since)
        if held is None or by is None:
            continue
        stated = of_file.parameters[parameter].on(day)
        if stated is None or stated.value != held.value:
            values = {
                "figure": name(parameter),
                "value": said(book, book.parameters[parameter], held.value),
                "day": date_format(held.since, "SHORT_DATE_FORMAT"),
                "source": by.event.source,
            }
            text = gettext("%(figure)s: in force is %(value)s, since %(day)s (%(source)s)")
            found.append(text % values)
    return found
