"""The law's figures: when somebody last compared each with the official text, and those set in the
book that do not count.
"""

from collections.abc import Iterator
from datetime import date, datetime, timedelta

from django.conf import settings

from audit.audit_queries import open_findings
from audit.runs import house_checks, keys
from audit.runs.advisory_locks import alone
from audit.runs.current_findings import settle, why
from audit.runs.house_findings import by_key, house_finding
from casino.house_day import house_day_at
from casino.importing.law_in_use import read_sets
from casino.importing.text_confirmations import confirmations
from casino.law.finding import Finding as Found
from casino.law.rulebook.figure_sets import with_sets
from casino.law.rulebook.rulebook import Law, RecordedSet
from casino.law.rulebook.rulebook_file import law_of_file, load_law, rulebook_ids
from casino.models import Partida

PLAYED: timedelta = timedelta(days=31)  # a rulebook is in use while a game of these days was of it


def watch_law(now: datetime) -> int:
    """Raise a rulebook in use whose figures nobody compared for too long, and figures that were set
    in the book and do not hold; how many were raised.

    Of two who look at once the second leaves it to the first.
    """
    with alone(house_checks.LAW, wait=False) as mine:
        if not mine:
            return 0
        held = open_findings().filter(rulebook=house_checks.RULEBOOK, article=house_checks.LAW)
        found = by_key([*_unconfirmed(house_day_at(now)), *not_holding()])
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


def not_holding() -> Iterator[Found]:
    """Figures that were set in the book and do not count, and what they lack."""
    sets = read_sets()
    held = {
        one.n for book in rulebook_ids() for one in with_sets(law_of_file(book), sets.counting).sets
    }
    yield from (_found(one, why) for one, why in sets.alone)
    yield from (_found(one, "figures") for one in sets.counting if one.n not in held)


def _found(figure_set: RecordedSet, lacks: str) -> Found:
    event = figure_set.event
    return house_finding(
        house_checks.FIGURES_BY_TWO,
        figure_set.gaming_day,
        {"rulebook": event.rulebook, "since": event.since.isoformat(), "entry": figure_set.n},
        {"lacks": lacks},
        expected={"persons": 2},
        evidence=[figure_set.entry_id],
    )


def oldest_confirmation(law: Law, today: date, enough: date) -> date:
    """When the figure of the text that was compared longest ago was; `today` where it has none."""
    return min(confirmations(law, today, enough).values(), default=today)
