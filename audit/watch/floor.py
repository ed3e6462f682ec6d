"""A look at the floor every two minutes: what a game owes is said while it goes on.

Everything is asked of the book anew, so that two who look at once, a look that was cut short and
one that comes after an outage raise the same findings once. What was recorded late cures them.
"""

import logging
import time
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from django.db import InterfaceError, OperationalError, transaction

from audit.models import Finding as FindingRow
from audit.models import RunSheet
from audit.reconcile.findings_of_games import lock_reading
from audit.reconcile.judge_partida import PartidaJudge, reach_now
from audit.runs.code_version import code_version
from audit.runs.current_findings import raise_findings, standing, supersede_all
from audit.runs.keys import WATCHES
from audit.runs.numbering import number
from audit.watch.floor_deadlines import RUN, watch_deadlines
from audit.watch.floor_games import games_to_see
from audit.watch.floor_overdue import WATCHED, Seen, has_grown, look_at
from casino.events.partidas import PartidaOpened
from casino.law.rulebook import controls

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
        reach = reach_now()
        self.judge = PartidaJudge(up_to=reach, as_of=now)
        # As which this look says what no longer holds; kept nowhere.
        self.sheet = RunSheet(
            run=RUN, as_of=now, reach=reach, rulebook="", code_version=code_version()
        )

    def see(self, partida: str) -> int:
        """Look at one game and write down what changed; how many findings were raised."""
        dossier = self.judge.dossier(partida)
        opened = next(iter(dossier.of(PartidaOpened)), None)
        law = self.judge.law_named("" if opened is None else opened.event.rulebook)
        if law is None:
            return 0
        seen = look_at(dossier, law)
        fresh, gone = _changes(partida, law.id, seen)
        return self._write(partida, law.id, seen) if fresh or gone else 0

    def _write(self, partida: str, rulebook: str, seen: Seen) -> int:
        """Record what changed, unless a run that read more was here in the meantime."""
        with transaction.atomic():
            if lock_reading(partida).extent > sum(self.sheet.reach.values()):
                return 0
            fresh, gone = _changes(partida, rulebook, seen)
            raised = raise_findings(RUN, self.sheet.as_of, fresh)
            supersede_all(self.sheet, gone, raised)
            number(RUN, raised)
            return len(raised)


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
