"""What the night's page calls moments, spans and columns."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from audit.night.four_columns import Refund, Stopped, minutes
from audit.night.table_night import Span
from casino.web.display.money_and_time import money
from casino.web.words.field_words import word

STOPPED: Final = {
    "before": gettext_lazy("play stood already"),
    "interruption": gettext_lazy("play interrupted"),
    "closing": gettext_lazy("only at the closing"),
}


def hour(at: datetime) -> str:
    """An hour of the night by the house's clock: ``22:14``."""
    return localtime(at).strftime("%H:%M")


def span_words(span: Span, since_before: datetime | None = None) -> str:
    """From when until when: ``21:00–02:30``, ``since 21:00``; an earlier day is said."""
    if since_before is not None and span.since < since_before:
        first = _("the day before %(at)s") % {"at": hour(span.since)}
    else:
        first = hour(span.since)
    if span.until is None:
        return _("since %(at)s") % {"at": first}
    return f"{first}–{hour(span.until)}"


def spans_words(spans: Iterable[Span]) -> str:
    """Several of them in one line."""
    return ", ".join(map(span_words, spans))


def length(time: timedelta) -> str:
    """Hours and minutes: ``5 h 30``."""
    whole = int(time.total_seconds()) // 60
    return f"{whole // 60} h {whole % 60:02d}"


def after(since: datetime, until: datetime) -> str:
    """How many minutes later: ``3 minutes later``."""
    number = minutes(since, until)
    if not number:
        return _("within the minute")
    text = ngettext("%(n)s minute later", "%(n)s minutes later", number)
    return text % {"n": number}


def stopped_words(detected: datetime, stopped: Stopped) -> str:
    """How play stopped: in which way, for which reason, how long after."""
    parts = [str(STOPPED[stopped.by])]
    if stopped.reason:
        parts.append(word(stopped.reason, "reason"))
    if stopped.by != "before":
        parts.append(after(detected, stopped.at))
    return " · ".join(parts)


def refund_words(refund: Refund) -> str:
    """Who was given back what, and how it is on record."""
    values = {
        "player": refund.player or _("not named"),
        "game": refund.partida,
        "amount": money(refund.cents),
        "complaint": refund.complaint,
    }
    if refund.by == "voided":
        return _("%(player)s of %(game)s: %(amount)s, round voided") % values
    return _("%(player)s of %(game)s: %(amount)s, complaint %(complaint)s") % values
