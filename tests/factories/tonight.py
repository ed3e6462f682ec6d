"""A table of tonight in the book, told as it happens, for the tests of the watch.

``Table("BJ-01")`` is open; times are minutes before now. The book's own clock says when a thing was
told, so a test lets time go by by looking later, not by telling earlier.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final
from uuid import UUID, uuid5

from django.conf import settings

from audit.watch.floor import watch_floor
from casino import clock
from casino.events.partidas import Attested, PartidaClosed
from casino.events.round.round_played import Times
from casino.events.shoes import CardBurned, CartaAvisoPlaced
from casino.events.shufflers import ShufflerLoaded, ShufflerUnloaded
from casino.events.witnessing import Witnessed
from casino.gaming_day import gaming_day_at
from casino.ids import uuid7
from casino.models import BookEntry
from casino.recording import Actor, Receipt, Source, Submission, record, record_many
from casino.witnessing import LASTS, text_of
from tests.factories.evenings import MANAGER, NAMES, PIT, played
from tests.factories.usual_events import DECKS, cut, machine, opening, ref, shuffled, whole

CHEFE: Final = Actor("S-0104", "fiscal_chefe", "admin")
MINUTE: Final = timedelta(minutes=1)


def tonight(now: datetime | None = None) -> str:
    """The gaming day of now, as partidas name it."""
    return gaming_day_at(
        now or clock.now(), settings.HOUSE_TIME_ZONE, settings.HOUSE_DAY_STARTS
    ).isoformat()


def record_events(event: Any, ago: float = 0, by: Actor = PIT) -> Receipt:
    """Record an event of so many minutes ago."""
    at = clock.now() - ago * MINUTE
    return record(event, key=uuid7(), by=by, occurred_at=at, source=Source())


@contextmanager
def at(moment: datetime) -> Iterator[None]:
    """Let the house's clock show a moment, or a second more."""
    before = int(os.environ.get("CLOCK_OFFSET", "0"))
    ahead = int((moment - clock.now()).total_seconds()) + 1
    os.environ["CLOCK_OFFSET"] = str(before + ahead)
    try:
        yield
    finally:
        os.environ["CLOCK_OFFSET"] = str(before)


def look_at(moment: datetime, **known: Any) -> int:
    """One look at the floor, when it is that late; how many findings it raised."""
    with at(moment):
        return watch_floor(moment, **known)


class Table:
    """A partida of tonight, opened an hour ago unless said otherwise, its decks shown."""

    def __init__(
        self, code: str = "BJ-01", dealing: Any = "shoe", *, ago: float = 50, number: int = 1
    ) -> None:
        self.code = code
        self.day = tonight()
        self.partida = f"{code}/{self.day}/{number}"
        self.number = number
        self.decks = DECKS if code == "BJ-01" else tuple(f"{deck}-{code[-2:]}" for deck in DECKS)
        self.at = {"table": code, "partida": self.partida}
        self.rounds = 0
        if dealing == "shuffler":
            registered = machine(approval="2026/118", in_service=True)
            record_events(registered, ago + 1, MANAGER)
        self.opened = record_events(opening(self.at, self.decks, dealing), ago)
        self.inspected("exhibition", ago - 1)

    def record(self, kind: Any, ago: float = 0, by: Actor = PIT, **fields: Any) -> Receipt:
        """An event of this partida."""
        return record_events(kind(**self.at, **fields), ago, by)

    def inspected(self, moment: Any, ago: float, **otherwise: Any) -> None:
        """Every deck shown, or put in order, whole."""
        at = clock.now() - ago * MINUTE
        events = [whole(self.at, deck, moment, **otherwise) for deck in self.decks]
        record_many([Submission(event, uuid7(), PIT, at, Source()) for event in events])

    def shuffled(self, shoe: int = 1, ago: float = 40) -> Receipt:
        """All decks shuffled by hand."""
        return record_events(shuffled(self.at, shoe, self.decks, method="by_hand"), ago)

    def cut(self, shoe: int = 1, ago: float = 39) -> Receipt:
        """Cut by the seat whose turn it is."""
        return record_events(cut(self.at, shoe, 1, (1, 2), after="start"), ago)

    def warning(self, shoe: int = 1, ago: float = 38) -> Receipt:
        """The warning card placed."""
        return self.record(CartaAvisoPlaced, ago, shoe=shoe, cards_from_end=50, players=2)

    def burnt(self, shoe: int = 1, ago: float = 37) -> Receipt:
        """A card burnt."""
        return self.record(CardBurned, ago, shoe=shoe, cards=1, to_discard_corner=True)

    def prepared(self, *left_out: str) -> None:
        """The first shoe made ready, but for some steps."""
        for step in ("shuffled", "cut", "warning", "burnt"):
            if step not in left_out:
                getattr(self, step)()

    def loaded(self, ago: float = 35) -> Receipt:
        """The shuffler loaded; the hand's shuffle before it is recorded by itself."""
        return self.record(
            ShufflerLoaded, ago, shuffler="CSM-04", packets=3, operator="P-104", decks=self.decks
        )

    def unloaded(self, ago: float = 4, reason: Any = "closing") -> Receipt:
        """The shuffler emptied."""
        return self.record(
            ShufflerUnloaded,
            ago,
            shuffler="CSM-04",
            operator="P-104",
            decks=self.decks,
            reason=reason,
            cards=312,
            empty=True,
        )

    def witnessed(self, act: Receipt) -> Receipt:
        """A fiscal-chefe's word for an act, now."""
        entry = BookEntry.objects.select_related("stream").get(pk=act.entry_id)
        return self.record(
            Witnessed,
            0,
            CHEFE,
            witnessed=ref(act),
            act=entry.kind,
            staff=CHEFE.staff,
            office="fiscal_chefe",
            method="pin",
            nonce=str(uuid5(NAMES, act.leaf)),
            expires_at=clock.now() + LASTS,
            text_sha256=sha256(text_of(entry, "pt").encode()).hexdigest(),
        )

    def played(self, ago: float | None = 30, shoe: int = 1) -> Receipt:
        """The next round, its first card dealt so many minutes ago; None: nobody timed it."""
        self.rounds += 1
        times = None
        if ago is not None:
            first = clock.now() - ago * MINUTE
            times = Times(stakes_closed=first - MINUTE / 10, first_card=first)
        event = played(
            f"r{self.rounds}",
            table=self.code,
            day=self.day,
            number=self.number,
            place=self.rounds,
            shoe=shoe,
            times=times,
        )
        at = clock.now() - (ago or 0) * MINUTE
        return record(event, key=UUID(event.round), by=PIT, occurred_at=at, source=Source())

    def closed(self, ago: float = 1, **known: Any) -> Receipt:
        """The table closes, and its fiscal answers for what no record shows."""
        values = {"rounds": self.rounds, **known}
        answers = tuple(Attested(article=n, staff=PIT.staff) for n in ("13", "17", "58", "59"))
        return self.record(PartidaClosed, ago, attested=answers, **values)
