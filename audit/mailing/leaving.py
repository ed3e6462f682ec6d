"""What leaves by mail, by topic: the alerts of the pages, and what is critical of the findings."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.utils.translation import gettext

from audit.audit_queries import is_of_gravity
from audit.mailing.recipients import READERS
from audit.runs import house_checks
from audit.runs.current_findings import standing
from audit.watch import alert_words
from audit.watch.alert_words import MISSING, PLACE
from audit.watch.alerts import Alert, each, named, of_finding, rank
from audit.watch.watch_cases import rising, waits_for
from casino.house_day import house_day_at
from casino.web.forms.finding_words import words

NEW: Final = timedelta(days=1)  # since a finding was recorded: what is older is no news
MOST: Final = 200  # of the newest breaches, of the newest sums
_EVENINGS: Final = timedelta(days=31)  # of so many a sum that is owed is looked for
_STILL: Final = house_checks.NIGHTLY | {alert_words.WATCH, alert_words.JOBS, alert_words.MAIL}


@dataclass(frozen=True, slots=True)
class Leaving:
    """An alert, the topic of HOUSE_ALERTS it is of, and for which offices of those named there."""

    topic: str
    alert: Alert
    offices: frozenset[str] = READERS


def leaving(now: datetime) -> list[Leaving]:
    """Everything somebody may be told of now, in the language now active."""
    found = [Leaving(topic_of(one), plain(one)) for one in each(now)]
    known = {one.alert.key for one in found}
    found += [one for one in _critical(now) if one.alert.key not in known]
    for row, offices in rising(now):
        alert = plain(of_finding(row))
        key = named("case", row.case, row.case_due)
        said = f"{waits_for(row)}. {alert.words}"
        place = ", ".join(filter(None, (gettext(PLACE["case"]) % {"what": row.case}, alert.place)))
        case = replace(alert, key=key, words=said, place=place)
        found.append(Leaving("case", case, offices))
    return sorted(found, key=lambda one: rank(one.alert))


def plain(alert: Alert) -> Alert:
    """An alert in words that name nobody and no amount: the rule that was not kept, where there are
    none for a glance; a finding's heading has figures and the numbers of people.
    """
    if alert.day is None or alert.check in MISSING:
        return alert
    own = house_checks.STATEMENTS.get(alert.check)
    rule = words().statement(alert.check) if own is None else gettext(own)
    return replace(alert, words=gettext("Not kept: %(rule)s") % {"rule": rule})


def topic_of(alert: Alert) -> str:
    """The topic of HOUSE_ALERTS an alert is of."""
    if alert.check in house_checks.INTEGRITY:
        return "integrity"
    if alert.check in _STILL:
        return "silent"
    if alert.check == alert_words.DRAW:
        return "draw"
    if alert.day is None:  # a deadline to come, a win of a pool to be paid
        return "due"
    return "critical" if alert.severity == "breach" else "late"


def _critical(now: datetime) -> Iterator[Leaving]:
    """Breaches, and sums from HOUSE_ALERTS_FROM_CENTS on, that were found in this last day."""
    first = house_day_at(now) - _EVENINGS
    owed = standing().filter(
        gaming_day__gte=first, owed_cents__gte=settings.HOUSE_ALERTS_FROM_CENTS
    )
    # The newest are looked at, and not all since a moment: an index has them in this order.
    for rows in (standing().filter(is_of_gravity("breach"), severity="breach"), owed):
        for row in rows.order_by("-n")[:MOST]:
            if row.recorded_at > now - NEW:
                yield Leaving("critical", plain(of_finding(row)))
