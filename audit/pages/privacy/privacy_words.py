"""What periods, their sources and what holds a value back are called."""

from typing import Final

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from audit.retention.held_values import HeldValue, Kept
from audit.retention.retention_periods import INSPECTOR, Elsewhere, Period
from casino.web.words import field_words
from casino.web.words.kind_words import kind_word

# What it is, and what it is kept for.
PERIODS: Final[dict[str, tuple[Promise, Promise]]] = {
    "prize": (_("Who was paid a prize"), _("identification asked by the law against laundering")),
    "complaint": (_("Who complained, and what he wrote"), _("to answer and settle the complaint")),
    "staff": (_("Names and contacts of staff"), _("to know who acted in a record")),
    "request": (_("Who asked about his own data"), _("to prove that he was answered")),
    "letter": (_("Who received a letter"), _("to prove that it arrived")),
    "inspector": (_("Notes of inspectors"), _("the inspection service decides")),
    "regulation": (_("Official texts of the rulebooks"), _("every figure is held against them")),
    "other": (_("Other written text and attachments"), _("to explain what a record tells")),
}
FROM: Final[dict[str, Promise]] = {
    "recorded": _("the record was made"),
    "decided": _("the complaint was decided"),
    "left": _("the person held no office any more"),
}
# What it is, and why it is not erased from here.
ELSEWHERE: Final[dict[str, tuple[Promise, Promise]]] = {
    "book": (
        _("Records of the book"),
        _(
            "Never erased: they prove what happened, and hold no name and no free text, only a"
            " commitment to it that tells nobody anything once the value is gone."
        ),
    ),
    "footage": (
        _("Recordings of the cameras"),
        _("Destroyed by the surveillance room, unless a record keeps them (Recordings kept)."),
    ),
    "logins": (
        _("Failed logins and sessions"),
        _("Counters without content; sessions end by themselves."),
    ),
    "looks": (
        _("Log of looks at private values"),
        _("No value stands in it, and nobody can delete from it."),
    ),
    "files": (
        _("Files of a form that was not sent"),
        _("Deleted by the program after a day."),
    ),
    "mail": (
        _("Mail sent by the house"),
        _("Kept by the mail server, under the rules of whoever runs it."),
    ),
}


def kept_for(period: Period) -> str:
    """So many years."""
    if period.years is None:
        if period.name != INSPECTOR:
            return gettext("for good")
        return gettext("decided by the inspection service")
    return ngettext("%(n)s year", "%(n)s years", period.years) % {"n": period.years}


def source_of(period: Period | Elsewhere) -> str:
    """The law it follows from, or that the figure is the house's own."""
    if isinstance(period, Period) and period.years is None:
        return "–"
    return period.cite or gettext("the house's own figure")


def kept_words(kept: Kept) -> str:
    """Why a value is not erased."""
    if kept.until is not None:
        return gettext("kept until %(day)s") % {"day": date_format(kept.until, "SHORT_DATE_FORMAT")}
    said = {
        "never": gettext("the inspection service decides"),
        "for_good": gettext("an official text is kept for good"),
        "not_begun": gettext("its time has not begun"),
        "suspended": gettext("erasure suspended: %(by)s"),
        "case": gettext("open case: %(by)s"),
        "complaint": gettext("complaint not decided: %(by)s"),
    }
    return said[kept.why] % {"by": kept.by}


def value_words(value: HeldValue) -> dict[str, str]:
    """A value as lists name it, never what it holds."""
    return {
        "kind": str(capfirst(kind_word(value.kind))),
        "field": str(capfirst(field_words.label(value.field, value.kind))),
        "purpose": str(PERIODS[value.period.name][1]),
    }
