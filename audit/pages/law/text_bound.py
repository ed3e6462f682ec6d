"""What the words of an official text are bound to, article by article, as its page says it."""

from collections.abc import Iterator, Mapping
from datetime import date
from fractions import Fraction
from typing import Final, NamedTuple

from django.utils.translation import gettext, gettext_lazy, ngettext

from audit.pages.page_words import cited, words
from casino.law.rulebook.law_text import CHOICE, RATIO, YES_NO, Value
from casino.law.rulebook.rulebook import Law
from casino.law.text.duty_bindings import DutyBound, DutyDifference, TurnDifference
from casino.law.text.number_bindings import Difference
from casino.law.text.parameter_bindings import ParameterDifference
from casino.law.text.text_comparison import Comparison, PartCompared
from casino.law.text.text_duties import DutyFound
from casino.web.words import figure_words

DOES: Final = {
    "obliges": gettext_lazy("obliges"),
    "permits": gettext_lazy("permits"),
    "forbids": gettext_lazy("forbids"),
}
# Why no check looks at a word of duty: the first five leave nothing to look at.
REASONS: Final = {
    "definition": gettext_lazy("says what something is or counts as"),
    "discretion": gettext_lazy("leaves it to whom it names"),
    "dispensation": gettext_lazy("spares somebody something"),
    "condition": gettext_lazy("says when a rule holds"),
    "elsewhere": gettext_lazy("another article rules it"),
    "manner": gettext_lazy("no check looks at it: no record says with what care it was done"),
    "unrecorded": gettext_lazy("no check looks at it: no record says whether it was done"),
}
OF_THE_HOUSE: Final = {
    "tolerance": gettext_lazy("how near is near enough"),
    "time": gettext_lazy("by when something is done"),
    "least": gettext_lazy("the least of what the text does not count"),
    "rate": gettext_lazy("how rare a false alarm has to be"),
    "other_choice": gettext_lazy("what would hold under a reading that is not adopted"),
}
UNWRITTEN: Final = {
    "numbers": gettext_lazy("numbers"),
    "duties": gettext_lazy("words of duty"),
    "turns": gettext_lazy("negations and exceptions"),
    "stated": gettext_lazy("parameters without a figure"),
    "house": gettext_lazy("parameters of the house"),
}


class WordShown(NamedTuple):
    """A word of duty, what it does, and the checks that look at it or why none does."""

    written: str
    does: str
    looks: tuple[str, ...]
    unjudged: bool


class FigureShown(NamedTuple):
    """A parameter, its value, and whether a reading chose it rather than the text's own words."""

    name: str
    value: str
    read: bool


class PartShown(NamedTuple):
    """An article of the text: what its words are bound to, and what disagrees, in sentences."""

    where: str
    eid: str
    words: tuple[WordShown, ...]
    figures: tuple[FigureShown, ...]
    differences: tuple[str, ...]
    unjudged: int

    @property
    def several(self) -> bool:
        """Whether no check looks at more than one of its words."""
        return self.unjudged > 1


class HouseShown(NamedTuple):
    """A parameter the text leaves open: its value, why the house chose one, and when."""

    name: str
    value: str
    why: str
    confirmed: date | None


class BoundShown(NamedTuple):
    """A whole text: the counts, the parts by eId, those that disagree, and what is the house's.

    `elsewhere` is what disagrees in no part of the text; `unwritten` what was not compared.
    """

    comparison: Comparison
    parts: Mapping[str, PartShown]
    differing: tuple[PartShown, ...]
    unjudged: tuple[PartShown, ...]
    elsewhere: tuple[str, ...]
    unwritten: tuple[str, ...]
    house: tuple[HouseShown, ...]


def bound_of(law: Law, comparison: Comparison, day: date) -> BoundShown:
    """What the page of a text says of the rulebook of a day beside it."""
    parts = {part.eid: _part(law, part, day) for part in comparison.parts if part.eid}
    elsewhere = [part for part in comparison.parts if not part.eid and part.lack != "text"]
    return BoundShown(
        comparison,
        parts,
        tuple(part for part in parts.values() if part.differences),
        tuple(part for part in parts.values() if part.unjudged),
        tuple(one for part in elsewhere for one in _differences(law, part)),
        tuple(str(UNWRITTEN[name]) for name in comparison.unwritten),
        tuple(_house(law, comparison, day)),
    )


def _part(law: Law, compared: PartCompared, day: date) -> PartShown:
    return PartShown(
        cited(law.id, compared.article) if compared.article else compared.eid,
        compared.eid,
        tuple(_word(found, bound) for found, bound in compared.words),
        tuple(_figures(law, compared, day)),
        tuple(_differences(law, compared)),
        compared.unjudged,
    )


def _word(duty: DutyFound, bound: DutyBound | None) -> WordShown:
    does = str(DOES[duty.modality])
    if bound is None:
        return WordShown(duty.written, does, (), False)
    looks = tuple(words().statement(check) for check in bound.checks)
    return WordShown(duty.written, does, looks or (str(REASONS[bound.reason]),), bound.unjudged)


def _figures(law: Law, compared: PartCompared, day: date) -> Iterator[FigureShown]:
    read = {reading.parameter for reading in law.readings.values()}
    for name in dict.fromkeys([*compared.figures, *(one.parameter for one in compared.stated)]):
        parameter = law.parameters.get(name)
        held = None if parameter is None else parameter.on(day)
        if parameter is not None and held is not None:
            value = figure_words.said(law, parameter, held.value)
            yield FigureShown(figure_words.name(name), value, name in read)


def _house(law: Law, comparison: Comparison, day: date) -> Iterator[HouseShown]:
    for chosen in [one for there in comparison.house.values() for one in there]:
        name = chosen.parameter
        parameter = law.parameters.get(name)
        held = None if parameter is None else parameter.on(day)
        if parameter is not None and held is not None:
            value = figure_words.said(law, parameter, held.value)
            why = str(OF_THE_HOUSE[chosen.reason])
            yield HouseShown(figure_words.name(name), value, why, held.confirmed_on)


def _differences(law: Law, compared: PartCompared) -> Iterator[str]:
    lacks = {
        "text": gettext("the article is not in the text"),
        "rulebook": gettext("the rulebook does not have this article"),
        "check": gettext("the article asks for something, and no check looks at it"),
    }
    if compared.lack:
        yield lacks[compared.lack]
    yield from (_number(law, one) for one in compared.numbers)
    yield from map(_duty, compared.duties)
    yield from map(_turn, compared.turns)
    yield from (_parameter(law, one) for one in compared.parameters)


def _number(law: Law, difference: Difference) -> str:
    bound, found = difference.bound, difference.found
    values = {
        "written": found.written if found else "",
        "value": str(bound.value) if bound else "",
        "what": figure_words.name(bound.parameter) if bound and bound.parameter else "",
    }
    if bound is None:
        return gettext("the number «%(written)s» is explained nowhere") % values
    if found is None and values["what"]:
        return gettext("%(value)s is in the text no more: %(what)s") % values
    if found is None:
        return gettext("the number %(value)s is in the text no more") % values
    if values["what"]:
        return gettext("the text says «%(written)s»; expected is %(value)s: %(what)s") % values
    return (
        gettext("the text says «%(written)s»; expected is %(value)s, which is no figure") % values
    )


def _duty(difference: DutyDifference) -> str:
    found, bound = difference.found, difference.bound
    values = {
        "written": found.written if found else "",
        "does": str(DOES[found.modality]) if found else "",
        "bound": str(DOES[bound.modality]) if bound else "",
        "what": " ".join(words().statement(check) for check in bound.checks) if bound else "",
    }
    if bound is None:
        return gettext("«%(written)s» %(does)s, and is bound to nothing") % values
    if found is None:
        gone = gettext("a word that %(bound)s is in the text no more. %(what)s")
        return (gone % values).strip()
    other = gettext("«%(written)s» %(does)s; expected is a word that %(bound)s. %(what)s")
    return (other % values).strip()


def _turn(difference: TurnDifference) -> str:
    times = ngettext("%(n)s time", "%(n)s times", difference.found) % {"n": difference.found}
    said = gettext("«%(word)s» is there %(times)s; expected is %(said)s")
    return said % {"word": difference.word, "times": times, "said": difference.said}


def _parameter(law: Law, difference: ParameterDifference) -> str:
    parameter = law.parameters.get(difference.parameter)
    none = gettext("nothing")
    held, said = none, difference.said
    if parameter is not None:
        if difference.held is not None:
            held = figure_words.said(law, parameter, difference.held)
        value = _value(difference.said, parameter.unit)
        said = said if value is None else figure_words.said(law, parameter, value)
    values = {"what": figure_words.name(difference.parameter), "said": said, "held": held}
    sentences = {
        "differs": gettext("%(what)s: the text states «%(said)s»; the rulebook has «%(held)s»"),
        "nowhere": gettext("%(what)s («%(held)s»): nothing says where the text states it"),
        "chosen": gettext("%(what)s: taken for the house's own, but its source is the text"),
        "absent": gettext("%(what)s: the place that states it is not in the text"),
    }
    return sentences[difference.why] % values


def _value(written: str, unit: str) -> Value | None:
    """A value as a text file spells it; None where it has not the form of its unit."""
    try:
        if unit == YES_NO:
            return {"true": True, "false": False}[written]
        if unit == CHOICE:
            return written
        return Fraction(written) if unit == RATIO else int(written)
    except (KeyError, ValueError, ZeroDivisionError):
        return None
