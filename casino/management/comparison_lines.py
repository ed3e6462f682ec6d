"""How `law_text` says what disagrees between an official text and its rulebook: lines, and JSON."""

from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.law.rulebook.law_text import Value, spelled
from casino.law.rulebook.rulebook import Law
from casino.law.text.duty_bindings import DutyBound, DutyDifference, TurnDifference
from casino.law.text.number_bindings import Binding, Difference
from casino.law.text.parameter_bindings import ParameterDifference
from casino.law.text.text_comparison import Comparison, PartCompared
from casino.law.text.text_review import Review

_JOINED: Final = ", "


def another_text(review: Review) -> Iterator[str]:
    """What says at once that a text is not the rulebook's: its language, no article of it."""
    if review.other_language:
        yield _("WARNING: that is not the language of this rulebook")
    if review.articles and not review.present:
        yield _("WARNING: none of the articles of this rulebook is in the text")


def lines_of(comparison: Comparison, law: Law) -> Iterator[str]:
    """Every thing that disagrees in one line, article by article."""
    for part in comparison.differing:
        if part.lack:
            yield _lack(part)
        yield from map(difference_line, part.numbers)
        yield from map(_duty_line, part.duties)
        yield from (_turn_line(one, law, part.article) for one in part.turns)
        yield from map(_parameter_line, part.parameters)


def summary_of(comparison: Comparison) -> Iterator[str]:
    """How much was compared, and what was not."""
    counts = {
        "numbers": comparison.numbers,
        "duties": comparison.duties,
        "unjudged": comparison.unjudged,
        "found": comparison.differences,
    }
    summary = _(
        "numbers: %(numbers)d; words of duty: %(duties)d, of which no check looks at %(unjudged)d;"
        " to be looked at: %(found)d"
    )
    yield summary % counts
    if comparison.unwritten:
        unwritten = _("not compared, because nobody wrote it down for this rulebook: %(tables)s")
        yield unwritten % {"tables": _JOINED.join(comparison.unwritten)}


def difference_line(difference: Difference) -> str:
    """A number and what is said of it, in one line."""
    bound = difference.bound
    values = {
        "eid": difference.eid,
        "n": difference.n,
        "written": difference.found.written if difference.found else "",
        "said": f"{bound.value} ({_what(bound)})" if bound else "",
        "stated": "" if difference.stated is None else ", ".join(figures_of(difference.stated)),
    }
    if difference.why == "unexplained":
        return _("%(eid)s, number %(n)d: «%(written)s» is explained nowhere") % values
    if difference.why == "absent":
        return _("%(eid)s, number %(n)d: %(said)s is not in the text") % values
    line = _("%(eid)s, number %(n)d: the text has «%(written)s», expected is %(said)s") % values
    if not values["stated"]:
        return line
    return line + _("; the rulebook has %(stated)s") % values


def _what(bound: Binding) -> str:
    """A parameter by its name, a reason in words."""
    reasons = {
        "citation": _("cites an article or an act"),
        "condition": _("says when a rule holds"),
        "counts": _("counts what the sentence speaks of"),
        "date": _("belongs to a date"),
        "name": _("belongs to a name"),
        "rank": _("is a card's rank"),
        "aside": _("stands aside of the rules, in an example"),
    }
    return reasons.get(bound.of, bound.of)


def figures_of(value: Value) -> list[str]:
    """A rulebook's value as plain figures."""
    return [spelled(one) for one in (value if isinstance(value, tuple) else (value,))]


def _lack(compared: PartCompared) -> str:
    lacks = {
        "text": _("article %(article)s of the rulebook is not in the text"),
        "rulebook": _("%(eid)s is an article the rulebook does not have"),
        "check": _("article %(article)s asks for something, and no check looks at it"),
    }
    return lacks[compared.lack] % {"article": compared.article, "eid": compared.eid}


def _duty_line(difference: DutyDifference) -> str:
    found, bound = difference.found, difference.bound
    values = {
        "eid": difference.eid,
        "n": difference.n,
        "written": found.written if found else "",
        "does": _does(found.modality) if found else "",
        "said": _does(bound.modality) if bound else "",
        "bound": _bound(bound) if bound else "",
    }
    if difference.why == "unbound":
        return (
            _("%(eid)s, word of duty %(n)d: «%(written)s» (%(does)s) is bound to nothing") % values
        )
    if difference.why == "absent":
        absent = _("%(eid)s, word of duty %(n)d: what %(said)s (%(bound)s) is not in the text")
        return absent % values
    differs = _(
        "%(eid)s, word of duty %(n)d: «%(written)s» %(does)s, expected is what %(said)s (%(bound)s)"
    )
    return differs % values


def _does(modality: str) -> str:
    words = {"obliges": _("obliges"), "permits": _("permits"), "forbids": _("forbids")}
    return words[modality]


def _bound(bound: DutyBound) -> str:
    return _JOINED.join(bound.checks) or bound.reason


def _turn_line(difference: TurnDifference, law: Law, article: str) -> str:
    values = {
        "eid": difference.eid,
        "word": difference.word,
        "found": difference.found,
        "said": difference.said,
        "checks": _JOINED.join(law.articles[article].upheld_by) if article else "",
    }
    times = ngettext(
        "%(eid)s: «%(word)s» is there %(found)d time, expected is %(said)d",
        "%(eid)s: «%(word)s» is there %(found)d times, expected is %(said)d",
        difference.found,
    )
    line = times % values
    return line + (_("; looked at by %(checks)s") % values if values["checks"] else "")


def _parameter_line(difference: ParameterDifference) -> str:
    values = {
        "eid": difference.eid or _("not in the text"),
        "parameter": difference.parameter,
        "said": difference.said,
        "held": "–" if difference.held is None else spelled(difference.held),
    }
    lines = {
        "differs": _("%(eid)s, %(parameter)s: the text states %(said)s, the rulebook has %(held)s"),
        "nowhere": _("%(parameter)s (%(held)s): nothing says where the text states it"),
        "chosen": _("%(parameter)s (%(held)s): said to be the house's own, but its source is not"),
        "absent": _("%(eid)s, %(parameter)s: the text has no such place"),
    }
    return lines[difference.why] % values


def as_json(comparison: Comparison, law: Law) -> dict[str, object]:
    """A comparison for a program: counts, every difference, and each article with what it has."""
    parts = [part for part in comparison.parts if part.article or part.differences or part.words]
    return {
        "numbers": comparison.numbers,
        "duties": comparison.duties,
        "unjudged": comparison.unjudged,
        "not_compared": list(comparison.unwritten),
        "differences": [one for part in comparison.differing for one in _part_differences(part)],
        "by_article": [_part_as_json(part, law) for part in parts],
    }


def _part_as_json(compared: PartCompared, law: Law) -> dict[str, object]:
    figures = dict.fromkeys([*compared.figures, *(one.parameter for one in compared.stated)])
    return {
        "article": compared.article or None,
        "eid": compared.eid or None,
        "agrees": not compared.differences,
        "duties": len(compared.words),
        "unjudged": compared.unjudged,
        "parameters": list(figures),
        "checks": list(law.articles[compared.article].upheld_by) if compared.article else [],
    }


def _part_differences(compared: PartCompared) -> Iterator[dict[str, object]]:
    article = compared.article or None
    if compared.lack:
        yield {
            "of": "article",
            "article": article,
            "eid": compared.eid or None,
            "why": compared.lack,
        }
    for number in compared.numbers:
        yield {"of": "number", "article": article, **_number_as_json(number)}
    for duty in compared.duties:
        yield {"of": "duty", "article": article, **_duty_as_json(duty)}
    for turn in compared.turns:
        yield {
            "of": "word", "article": article, "eid": turn.eid, "why": "differs",
            "written": turn.word, "found": turn.found, "said": turn.said,
        }  # fmt: skip
    for one in compared.parameters:
        held = None if one.held is None else spelled(one.held)
        yield {
            "of": "parameter", "article": article or one.article or None, "eid": one.eid or None,
            "why": one.why, "parameter": one.parameter, "said": one.said, "stated": held,
        }  # fmt: skip


def _duty_as_json(difference: DutyDifference) -> dict[str, object]:
    found, bound = difference.found, difference.bound
    return {
        "eid": difference.eid,
        "n": difference.n,
        "why": difference.why,
        "written": found.written if found else None,
        "does": found.modality if found else None,
        "expected": bound.modality if bound else None,
        "checks": list(bound.checks) if bound else [],
        "reason": (bound.reason or None) if bound else None,
        "span": list(found.span) if found else None,
    }


def _number_as_json(difference: Difference) -> dict[str, object]:
    bound, stated = difference.bound, difference.stated
    plain = None if stated is None else figures_of(stated)
    return {
        "why": difference.why,
        "eid": difference.eid,
        "n": difference.n,
        "span": list(difference.found.span) if difference.found else None,
        "written": difference.found.written if difference.found else None,
        "said": str(bound.value) if bound else None,
        "parameter": (bound.parameter or None) if bound else None,
        "reason": bound.of if bound and not bound.parameter else None,
        "stated": plain if isinstance(stated, tuple) or plain is None else plain[0],
    }
