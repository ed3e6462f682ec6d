"""How values are shown in lists and on a record's page."""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any, Final

from django.utils.formats import date_format, number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.timezone import localtime
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from casino.events.event import Event
from casino.events.shape import Field, Items, Object, Plain, Shape, Withheld, fields_of
from casino.events.values import Card, OneOf, Truth
from casino.extensions import extensions
from casino.house_day import gaming_day_now
from casino.law.rulebook.rulebook_file import load_law
from casino.previewing import RULEBOOK
from casino.web.display import money_and_time
from casino.web.display.fine_amounts import fine, percentage
from casino.web.display.playing_cards import card_words
from casino.web.entries.timeline_links import column_linked
from casino.web.forms.finding_words import words
from casino.web.words import field_words
from casino.web.words.coded_words import COLOURED, colour_word
from casino.web.words.combination_words import combination_word
from casino.web.words.kind_words import kind_word
from casino.web.words.languages import either, language
from casino.web.words.place_words import place_word, stream_word

UNKNOWN: Final = "–"
# The columns of projections that hold coded words.
CODED: Final = frozenset(
    [
        "about",
        "act",
        "addressee",
        "after",
        "algorithm",
        "asks",
        "backs",
        "basis",
        "by_office",
        "came_out",
        "change",
        "communicated_by_office",
        "content",
        "cut_by",
        "dealing",
        "decision",
        "detail",
        "error_by",
        "extent",
        "faces",
        "for_office",
        "held",
        "how",
        "jackpot_marking",
        "layout",
        "letter",
        "letter_language",
        "level",
        "marking",
        "match",
        "means",
        "measured",
        "mode",
        "method",
        "moment",
        "numbering",
        "of_list",
        "office",
        "opened_by_office",
        "ordered_by",
        "outcome",
        "paid_to",
        "phase",
        "reason",
        "replaced",
        "replaced_by_office",
        "report",
        "report_language",
        "resolved_by_office",
        "result",
        "seal",
        "seals",
        "sent_by_office",
        "signal",
        "step",
        "subject",
        "told_by",
        "topic",
        "what",
        "why",
    ]
)


def cell(name: str, label: object = None) -> Callable[[object], str | SafeString]:
    """A column of a list: a projection's column, as people read it, with the way to its
    timeline.
    """

    def shown(row: object) -> str | SafeString:
        value = getattr(row, name)
        return column_linked(name, value) or shown_column(name, value)

    shown.short_description = label or field_words.label(name)  # type: ignore[attr-defined]
    shown.admin_order_field = name  # type: ignore[attr-defined]
    return shown


AT_TABLE: Final = cell("table_code", _("table"))
IN_PARTIDA: Final = cell("partida_id", _("partida"))


def shown_column(name: str, value: Any) -> str | SafeString:
    """A projection's value by its column's name."""
    if value is None or value == "":
        return UNKNOWN
    if isinstance(value, bool):
        return yes_or_no(value)
    if name.endswith("_cents"):
        return format_html('<span class="nowrap">{}</span>', money_and_time.money(value))
    if isinstance(value, int) and fine(name) is not None:
        return format_html('<span class="nowrap">{}</span>', finely(value, name))
    if name == "partida_id":
        return format_html('<span class="nowrap">{}</span>', value)
    if isinstance(value, datetime):
        return money_and_time.moment(value)
    if isinstance(value, date):
        return date_format(value, "SHORT_DATE_FORMAT")
    if name.endswith(("sha256", "commitment")):
        return format_html('<span class="code">{}</span>', value)
    if isinstance(value, list):
        said = combination_word if name == "codes" else str
        return ", ".join(map(said, value)) or gettext("there are none")
    if name == "code":
        return combination_word(str(value))
    if name == "act" and "/" in str(value):
        return titled(kind_word(value))
    if name == "rulebook":
        return field_words.rulebook_word(value)
    if name in COLOURED:
        return colour_word(value)
    return field_words.word(value, name) if name in CODED and isinstance(value, str) else str(value)


def shown_value(value: object, shape: Shape, name: str = "") -> str | SafeString:
    """An event's value by its shape."""
    if value is None:
        return UNKNOWN
    if isinstance(value, Withheld):
        return gettext("not shown")
    if isinstance(shape, Items):
        return _shown_list(value, shape, name)
    if isinstance(shape, Object):
        return _shown_object(value)
    return _shown_plain(value, shape, name)


def _shown_list(value: Any, shape: Items, name: str) -> str | SafeString:
    if not value:
        return gettext("the whole room") if name == "tables" else gettext("there are none")
    if isinstance(shape.of, Object):
        items = [format_html("<li>{}</li>", _shown_object(each)) for each in value]
        return format_html("<ol>{}</ol>", SafeString("".join(items)))
    if name == "readings":
        return "; ".join(map(reading_word, value))
    return ", ".join(str(shown_value(each, shape.of, name)) for each in value)


def _shown_object(value: object) -> str:
    kind = type(value).__name__
    parts = [
        f"{field_words.label(field.name, kind)} {shown_value(each, field.shape, field.name)}"
        for field in fields_of(type(value))
        if (each := getattr(value, field.name)) is not None
    ]
    return ", ".join(parts)


def _shown_plain(value: Any, shape: Plain, name: str) -> str:
    if isinstance(shape.form, Truth):
        return yes_or_no(value)
    if isinstance(shape.form, OneOf) or (name == "role" and value in field_words.WORDS):
        return field_words.word(value, name)
    if name == "act":
        return str(kind_word(value))
    if name in CODED and isinstance(value, str):
        return field_words.word(value, name)
    if name == "rulebook":
        return field_words.rulebook_word(value)
    if name == "check":
        return check_word(value)
    if name == "article":
        return _house_word(value)
    if name == "stream":
        return str(stream_word(value))
    if isinstance(shape.form, Card):
        return card_words(value)
    if isinstance(value, datetime):
        return money_and_time.moment(value)
    if isinstance(value, date):
        return date_format(value, "SHORT_DATE_FORMAT")
    if fine(name) is not None:
        return finely(value, name)
    if name == "code":
        return combination_word(value)
    if name == "observed" and isinstance(value, str):
        return value
    if isinstance(value, Mapping):  # a place, or figures, by what they are called
        return ", ".join(f"{place_word(key)} {each}" for key, each in value.items())
    if name in COLOURED:
        return colour_word(value)
    return money_and_time.money(value) if name.endswith("_cents") else str(value)


# What a finding is headed with tells where it was and what was asked too.
_IN_ITS_HEADING: Final = frozenset({"where", "expected"})


def shown_fields(event: Event) -> list[tuple[Field, object]]:
    """An event's fields with their values; what was found is one sentence, as a finding's
    heading.
    """
    listed = [(field, getattr(event, field.name)) for field in fields_of(type(event))]
    if not {"check", "where", "observed", "expected"} <= {field.name for field, _ in listed}:
        return listed
    return [
        (field, found_word(event) if field.name == "observed" else value)
        for field, value in listed
        if field.name not in _IN_ITS_HEADING
    ]


def reading_word(name: str) -> str:
    """What a reading of the house's regulation says, as it is adopted; another's by its name."""
    law = load_law(RULEBOOK)
    of = law.readings.get(name)
    if of is None:
        return name
    adopted = law.adopted(of, gaming_day_now())
    choice = next(each for each in of.choices if each.value == adopted)
    return either(choice.means_pt, choice.means_en)


def found_word(event: Any) -> str:
    """What a finding found, in a sentence."""
    day = getattr(event, "gaming_day", None)
    return words().heading(event.check, event.where, event.observed, event.expected, day)


def check_word(name: str) -> str:
    """What a check asks, in words."""
    known = words().statement(name)
    return known if known != name else _house_word(name)


def _house_word(name: str) -> str:
    """What an article or a check of the house is called; a regulation's article as it is."""
    said = (package.house_words().items() for package in extensions())
    known = {word: text for words_of in said for word, text in words_of}
    return gettext(known[name]) if name in known else name


def yes_or_no(answer: bool) -> str:
    """In a word."""
    return gettext("yes") if answer else gettext("no")


def finely(value: int, name: str) -> str:
    """A percentage, or what a meter says in euros, to its last decimal."""
    if name.endswith("microcents"):
        return money_and_time.fine_money(value)
    shown = percentage(value)
    if language() == "en":
        shown = shown.replace(",", ".")
    return f"{shown}\u00a0%"


def when(row: Any) -> SafeString:
    """When it happened, short: the day below the hour would hide which evening it was."""
    local = localtime(row.occurred_at)
    return format_html(
        '<span class="nowrap">{} <strong>{}</strong></span>',
        date_format(local, "SHORT_DATE_FORMAT"),
        date_format(local, "H:i:s"),
    )


def counted(number: int) -> str:
    """``3 entries``."""
    text = ngettext("%(number)s entry", "%(number)s entries", number)
    return text % {"number": number_format(number, force_grouping=True)}


def titled(text: object) -> str:
    """With a capital in front."""
    return str(capfirst(str(text)))
