"""The night in ten lines, every morning: what `audit.night` and the watch have of it, no name.

It leaves where nothing happened too: a digest that does not come is the alarm.
"""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import Final

from django.conf import settings
from django.urls import reverse
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from audit.answers import Stretch
from audit.audit_queries import GRAVITIES
from audit.mailing.mail_texts import Text, foot, house, link
from audit.models import Verification
from audit.night.night_queries import found_on, rounds_of
from audit.night.what_counts import WhatCounts
from audit.reconcile.runs_due import is_reconciled
from audit.runs import house_checks
from audit.runs.current_findings import standing
from audit.runs.house_days import A_DAY, day_ends_at
from audit.sums_owed import Owed, rows
from audit.watch.silent import silent
from audit.watch.watch_cases import rising
from casino.house_day import house_day_at, house_zone
from casino.models import Complaint, ComplaintDecision, Incident, IncidentClosure
from casino.web.display.money_and_time import moment, money

WAITS: Final = timedelta(hours=1)  # at most, for the night to be reconciled


def night_due(now: datetime) -> date | None:
    """The night whose digest is due: the one before the last hour of digests; None while it waits.

    Whoever gives his address later has it at once.
    """
    local = now.astimezone(house_zone())
    at = datetime.combine(local.date(), time.fromisoformat(settings.HOUSE_DIGEST_AT), house_zone())
    if at > local:
        at = datetime.combine(local.date() - A_DAY, at.timetz())
    day = house_day_at(at) - A_DAY
    return day if now - at >= WAITS or is_reconciled(day) else None


def digest_text(day: date, now: datetime) -> Text:
    """The digest of a night, in the language now active."""
    named = date_format(day, "SHORT_DATE_FORMAT")
    subject = _("%(house)s: the night of %(day)s") % {"house": house(), "day": named}
    lines = [f"- {line}" for line in (*_play(day), *_wrong(day), *_work(day, now))]
    url = f"{_('The night')}: {link(reverse('night', args=[day.isoformat()]))}"
    return Text(subject, "\n".join([subject, "", *lines, "", url, "", foot()]) + "\n")


def _play(day: date) -> Iterator[str]:
    if is_reconciled(day):
        yield _("The night was reconciled.")
    else:
        yield _("The night was not reconciled as a whole: what follows is what is known by now.")
    dealt = rounds_of(Stretch(day, day), WhatCounts())
    games = len({one.partida for one in dealt})
    rounds = sum(one.rounds for one in dealt)
    yield _("Play: %(rounds)s, %(games)s.") % {
        "rounds": ngettext("%(n)s round", "%(n)s rounds", rounds) % {"n": _n(rounds)},
        "games": ngettext("%(n)s game", "%(n)s games", games) % {"n": _n(games)},
    }


def _wrong(day: date) -> Iterator[str]:
    counting = WhatCounts()
    incidents = {row.incident for row in counting.of(Incident.objects.filter(gaming_day=day))}
    complaints = {row.complaint for row in counting.of(Complaint.objects.filter(gaming_day=day))}
    gravity = found_on(day).by_gravity
    said = [_counted(one, gravity[one]) for one in GRAVITIES if gravity.get(one)]
    if not (said or incidents or complaints):
        yield _("Nothing new: no finding, no incident, no complaint.")
    yield _("Findings: %(found)s.") % {"found": ", ".join(said) or _("none")}
    owed = Owed()
    for row in rows(Stretch(day, day)):
        owed = owed.plus(row.owed)
    yield _("Owed: %(players)s to players, %(house)s to the house; paid of it %(paid)s.") % {
        "players": money(owed.to_players),
        "house": money(owed.to_house),
        "paid": money(owed.paid),
    }
    closed = IncidentClosure.objects.filter(incident__in=incidents).values("incident").distinct()
    yield _("Incidents: %(n)s, of them closed %(closed)s.") % {
        "n": _n(len(incidents)),
        "closed": _n(closed.count()),
    }
    decided = (
        ComplaintDecision.objects.filter(complaint__in=complaints).values("complaint").distinct()
    )
    yield _("Complaints: %(n)s, of them decided %(decided)s.") % {
        "n": _n(len(complaints)),
        "decided": _n(decided.count()),
    }


def _work(day: date, now: datetime) -> Iterator[str]:
    late = standing().filter(
        rulebook=house_checks.RULEBOOK,
        article=house_checks.CASES,
        check_name=house_checks.CASE_IN_TIME,
    )
    yield _("Cases: %(waiting)s wait for the house, %(late)s are late.") % {
        "waiting": _n(sum(1 for _each in rising(now))),
        "late": _n(late.count()),
    }
    since = Verification.objects.filter(occurred_at__gte=day_ends_at(day))
    verified = since.order_by("-occurred_at").first()
    if verified is None:
        yield _("The book was not verified since the night ended.")
    else:
        yield _("The book was verified on %(at)s: problems %(n)s.") % {
            "at": moment(verified.occurred_at),
            "n": _n(verified.problems),
        }
    own = standing().filter(rulebook=house_checks.RULEBOOK)
    broken = own.filter(article=house_checks.BOOK, check_name__in=house_checks.INTEGRITY).count()
    undone = own.filter(check_name__in=house_checks.NIGHTLY).count() + len(list(silent(now)))
    yield _("Integrity of the book: open findings %(n)s.") % {"n": _n(broken)}
    yield _("Jobs and the watch: not done or standing still %(n)s.") % {"n": _n(undone)}


def _counted(gravity: str, number: int) -> str:
    words = {
        "breach": ngettext("%(n)s breach", "%(n)s breaches", number),
        "deviation": ngettext("%(n)s deviation", "%(n)s deviations", number),
        "warning": ngettext("%(n)s warning", "%(n)s warnings", number),
        "note": ngettext("%(n)s note", "%(n)s notes", number),
    }
    return words[gravity] % {"n": _n(number)}


def _n(number: int) -> str:
    return number_format(number, force_grouping=True)
