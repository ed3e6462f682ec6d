"""The demo put into a database: whole or not at all, once, and never into somebody's book."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from django.db import connection, transaction

from casino import clock
from casino.demo.accounts import Login, made_logins
from casino.demo.cast import MANAGER
from casino.demo.demo_evening import Evening
from casino.demo.demo_story import acts_of
from casino.demo.recording_acts import key_of, record_acts
from casino.events.event_policy import BY_ITSELF
from casino.extensions import event_kinds, jobs
from casino.house_day import house_day_at
from casino.importing.staging import bring
from casino.models import BookEntry
from casino.reading.round_writer import round_as_json
from casino.recording import Actor
from casino.recording.writing import add_job
from casino.simulation import evening as simulated

# A load that nobody confirmed becomes a finding ten minutes after it was recorded.
_CONFIRMED_BY_NOW: Final = timedelta(minutes=11)
# What the program tells by itself, in a book nobody has told anything yet.
BY_ITSELF_KINDS: Final = tuple(
    kind for kind, event in event_kinds().items() if event.policy.writers == BY_ITSELF
)
_LOOK_AGAIN: Final = "reconciliation"
# What the auditor, where there is one, has people do about the evening, and when: some of it once
# it was reconciled.
_AFTERWARDS: Final = {
    "demo-draw": timedelta(0),
    "demo-letters": timedelta(0),
    "demo-cases": timedelta(seconds=45),
    "demo-pack": timedelta(seconds=45),
    "demo-reaudit": timedelta(seconds=60),
}


class AnothersBook(Exception):
    """The book holds entries of people, and they are not the demo's."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was done: how many entries were recorded (0: they were there), who has new logins."""

    day: date
    entries: int
    logins: list[Login]


def load(*, logins_wanted: Callable[[], bool], tale: str = "", pin: str = "") -> Loaded:
    """Tell the evening, unless it was recorded before, and make accounts.

    `tale` is what its keys are made with, where it is not the demo's book, `pin` the fiscal-chefe's
    code, where everybody is to know it. `logins_wanted` is asked where the evening was recorded
    before: whether new passwords are to be made because nobody has the old ones. Raises:
    AnothersBook; nothing has changed then.
    """
    # Reckoned first: the transaction then only writes.
    evening = Evening(yesterday())
    acts = acts_of(evening)
    with transaction.atomic():
        only_one()
        known = is_loaded(tale)
        if known:
            evening, entries = Evening(_day_loaded()), 0
        elif has_human_records():
            raise AnothersBook
        else:
            entries = record_acts(acts, tale)
            _look_again(evening)
            _work_on_it(evening)
            _bring_a_file(evening.day - timedelta(days=1))
        logins = made_logins(pin) if not known or logins_wanted() else []
    return Loaded(evening.day, entries, logins)


def yesterday() -> date:
    """The gaming day the demo tells."""
    today = house_day_at(clock.now())
    return today - timedelta(days=1)


def _day_loaded() -> date:
    """The evening a demo's book already tells."""
    return BookEntry.objects.filter(kind="partida-opened/1").earliest("recorded_at").gaming_day


def is_loaded(tale: str = "") -> bool:
    """Whether the book tells the demo."""
    return BookEntry.objects.filter(key=key_of(0, tale)).exists()


def has_human_records() -> bool:
    """Whether anybody told the book anything; what the program tells by itself aside."""
    return BookEntry.objects.exclude(kind__in=BY_ITSELF_KINDS).exists()


def only_one() -> None:
    """Let no other demo begin before this one is over."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('demo', 0))")


def _look_again(evening: Evening) -> None:
    """Have the day reconciled once more when everything could have been confirmed."""
    if _LOOK_AGAIN in jobs():
        day = evening.day.isoformat()
        add_job(
            _LOOK_AGAIN,
            f"demo/{day}",
            {"reason": "asked", "from_day": day, "to_day": day},
            due_at=clock.now() + _CONFIRMED_BY_NOW,
        )


def _work_on_it(evening: Evening) -> None:
    """Have its findings worked, rounds drawn, letters and evidence made."""
    day = evening.day.isoformat()
    for name in sorted(_AFTERWARDS.keys() & set(jobs())):
        due = clock.now() + _AFTERWARDS[name]
        add_job(name, f"{name}/{day}", {"day": day}, due_at=due)


def _bring_a_file(day: date) -> None:
    """The chefia da sala has brought the rounds of one more table, some of them paid wrongly: the
    file waits for a second person.
    """
    rounds = [round_as_json(played) for played, _ in simulated(21, 1, 24, 0.2, day)]
    content = "\n".join(rounds).encode()
    bring("rounds", [content], f"rounds-{day.isoformat()}.jsonl", Actor(*MANAGER.who))
