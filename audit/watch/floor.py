"""A look at the floor every two minutes: what a game owes is said while it goes on.

Everything is asked of the book anew, so that two who look at once, a look that was cut short and
one that comes after an outage raise the same findings once. What was recorded late cures them.
"""

import logging
import time
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Final

from django.db import InterfaceError, OperationalError, transaction

from audit.models import Finding as FindingRow
from audit.models import RunSheet
from audit.reconcile.findings_of_games import lock_reading
from audit.runs.code_version import code_version
from audit.runs.current_findings import raise_findings, standing, supersede_all
from audit.runs.keys import WATCHES
from audit.watch.floor_deadlines import RUN, watch_deadlines
from audit.watch.floor_games import games_to_see
from audit.watch.floor_overdue import WATCHED, Seen, has_grown, look_at
from casino import queries
from casino.events.event import RECONCILER
from casino.events.partidas import PartidaOpened
from casino.law.dossier import RecordedEvent
from casino.law.rulebook import controls
from casino.law.rulebook.law_text import LawError
from casino.law.rulebook.rulebook_file import load_law

log = logging.getLogger(__name__)

TURN: Final = 120  # seconds: how often beat looks


def watch_floor(now: datetime, until: float = float("inf")) -> int:
    """Write down what the floor owes by now; how many findings were raised.

    Stops where `time.monotonic()` passes `until`. Each look begins with another game, so that the
    next one sees those this one did not come to.
    """
    raised = watch_deadlines(now)
    desk = _Desk(now)
    for partida in _from_another(games_to_see(now), now):
        if time.monotonic() > until:
            log.warning("a look at the floor was cut short before %s", partida)
            break
        try:
            raised += desk.see(partida)
        except (OperationalError, InterfaceError):
            raise
        except Exception:  # what one game breaks must not cost the others
            log.exception("the watch could not look at %s", partida)
    return raised


def _from_another(partidas: Sequence[str], now: datetime) -> Sequence[str]:
    """The same, begun elsewhere at every turn."""
    if not partidas:
        return partidas
    first = int(now.timestamp()) // TURN * 7 % len(partidas)
    return [*partidas[first:], *partidas[:first]]


class _Desk:
    """One look at the games: what it reads is fixed when it begins."""

    def __init__(self, now: datetime) -> None:
        self.now = now
        self.reach = {name: n for name, n in queries.heads().items() if name != RECONCILER}
        self.extent = sum(self.reach.values())
        self.house: dict[date, tuple[RecordedEvent[Any], ...]] = {}

    def see(self, partida: str) -> int:
        """Look at one game and write down what changed; how many findings were raised."""
        day = queries.day_of(partida)
        if day not in self.house:
            self.house[day] = queries.house_entries(day, up_to=self.reach)
        dossier = queries.dossier_of(
            partida, as_of=self.now, up_to=self.reach, house=self.house[day]
        )
        opened = next(iter(dossier.of(PartidaOpened)), None)
        try:
            law = load_law(opened.event.rulebook if opened is not None else "")
        except LawError:
            return 0
        seen = look_at(dossier, law)
        fresh, gone = _changes(partida, law.id, seen)
        return self._write(partida, law.id, seen) if fresh or gone else 0

    def _write(self, partida: str, rulebook: str, seen: Seen) -> int:
        """Record what changed, unless a run that read more was here in the meantime."""
        with transaction.atomic():
            if lock_reading(partida).extent > self.extent:
                return 0
            fresh, gone = _changes(partida, rulebook, seen)
            raised = raise_findings(RUN, self.now, fresh)
            supersede_all(self._sheet(), gone, raised)
            return len(raised)

    def _sheet(self) -> RunSheet:
        """As which this look says what no longer holds; kept nowhere."""
        return RunSheet(
            run=RUN, as_of=self.now, reach=self.reach, rulebook="", code_version=code_version()
        )


def _changes(partida: str, rulebook: str, seen: Seen) -> tuple[dict[str, Any], list[FindingRow]]:
    """What has to be raised, and what no longer holds."""
    books = (rulebook, controls.RULEBOOK)
    before = list(standing().filter(partida_id=partida, rulebook__in=books, check_name__in=WATCHED))
    names = {row.key for row in before}
    fresh = {
        key: one
        for key, one in seen.due.items()
        if key not in names and not any(has_grown(row, one, seen.named) for row in before)
    }
    gone = [
        row
        for row in before
        if row.run in WATCHES  # what a run raised, its next one cures
        and row.key not in seen.found
        and not any(has_grown(row, one, seen.named) for one in seen.found.values())
    ]
    return fresh, gone
