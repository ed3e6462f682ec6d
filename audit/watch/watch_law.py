"""The age of the law's figures: when somebody last compared each with the official text."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta

from django.conf import settings

from audit.audit_queries import open_findings
from audit.runs import house_checks, keys
from audit.runs.advisory_locks import alone
from audit.runs.current_findings import settle, why
from audit.runs.house_findings import by_key, house_finding
from casino.house_day import house_day_at
from casino.importing.text_confirmations import confirmations
from casino.law.finding import Finding as Found
from casino.law.rulebook.rulebook import Law
from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from casino.models import Partida

PLAYED: timedelta = timedelta(days=31)  # a rulebook is in use while a game of these days was of it


def watch_law(now: datetime) -> int:
    """Raise a rulebook in use whose figures nobody compared for too long; how many were raised.

    Of two who look at once the second leaves it to the first.
    """
    with alone(house_checks.LAW, wait=False) as mine:
        if not mine:
            return 0
        held = open_findings().filter(rulebook=house_checks.RULEBOOK, article=house_checks.LAW)
        found = by_key(_unconfirmed(house_day_at(now)))
        return len(settle(keys.BOOK_WATCH, now, found, held, why).raised)


def _unconfirmed(today: date) -> Iterator[Found]:
    within: timedelta = settings.HOUSE_DEADLINES["figures"]
    games = Partida.objects.filter(gaming_day__range=(today - PLAYED, today))
    in_use = set(games.values_list("rulebook", flat=True).distinct())
    for name in sorted(in_use & set(rulebook_ids())):
        law = load_law(name)
        oldest = oldest_confirmation(law, today, today - within)
        if oldest + within < today:
            yield house_finding(
                house_checks.FIGURES_CONFIRMED,
                oldest + within + timedelta(days=1),
                {"rulebook": name},
                {"confirmed_on": oldest.isoformat()},
                expected={"within_days": within.days},
            )


def oldest_confirmation(law: Law, today: date, enough: date) -> date:
    """When the figure of the text that was compared longest ago was; `today` where it has none."""
    return min(confirmations(law, today, enough).values(), default=today)
