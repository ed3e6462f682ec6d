"""Who is still owed something of a prize: nobody paid him yet, or he was paid less than his due.

Law: PT art. 43, 49, 50.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from jackpot.models import JackpotPayment, JackpotWin
from jackpot.progressive.payout import Step
from jackpot.queries.pool_queries import payout_of, winner_name

LOOKED_BACK: Final = timedelta(days=7)  # how long a page names what was paid short
SURE: Final = timedelta(minutes=1)  # what was recorded so long ago was not taken back since
_STEPS: Final[dict[UUID, tuple[Step, ...]]] = {}  # by the win's entry
_SETTLED: Final[set[UUID]] = set()  # wins of which nobody is owed anything more
_MOST: Final = 100
_MOST_SETTLED: Final = 10_000


@dataclass(frozen=True, slots=True)
class Short:
    """A prize of which somebody got `given_cents` only, of ``step.paid_cents``."""

    step: Step
    given_cents: int

    @property
    def missing_cents(self) -> int:
        """What is still owed of it."""
        return self.step.paid_cents - self.given_cents


def given_cents(payments: Sequence[JackpotPayment]) -> int:
    """What a winner got of his prize, out of his payments in their order. Units: cents.

    The first is of his prize whatever it says; a later one that is said to be a second time is not.
    """
    return sum(one.paid_cents for place, one in enumerate(payments) if not (place and one.again))


# Written out: every page of a table asks for it. The partidas and the tables are NULL for all.
_STANDS: Final = """(%(tables)s::text[] IS NULL OR win.table_code = ANY(%(tables)s))
    AND (%(partidas)s::text[] IS NULL OR win.partida_id = ANY(%(partidas)s))
    AND NOT EXISTS (SELECT FROM jackpot_adjustment AS undone
        WHERE undone.jackpot = win.jackpot AND undone.hit_n = win.n)"""
_OUTSTANDING: Final = f"""
SELECT win.*, true AS waits FROM jackpot_win AS win
WHERE {_STANDS} AND EXISTS (SELECT FROM jackpot_winner AS winner
    WHERE winner.entry_id = win.entry_id AND NOT EXISTS (SELECT FROM jackpot_payment AS paid
        WHERE paid.jackpot = winner.jackpot AND paid.hit_n = winner.n
        AND paid.owner = winner.owner AND paid.box = winner.box))
UNION ALL SELECT win.*, false FROM jackpot_win AS win
WHERE {_STANDS} AND win.recorded_at >= %(since)s AND EXISTS (SELECT FROM jackpot_payment AS paid
    WHERE paid.jackpot = win.jackpot AND paid.hit_n = win.n)
ORDER BY recorded_at
"""  # noqa: S608 - made of constants alone


def outstanding(
    now: datetime, *, tables: list[str] | None = None, partidas: list[str] | None = None
) -> tuple[list[JackpotWin], list[tuple[JackpotWin, list[Short]]]]:
    """The wins that stand and of which somebody is owed something, each the oldest first.

    First those of which somebody was paid nothing, whose cards lie open; then those of which
    somebody was paid less than his due, of the last seven days: what stays short is a finding of
    its partida. A win may be of both. Of all wins, or of these tables or these partidas alone.

    Law: PT art. 43, 49, 50.
    """
    asked = {"tables": tables, "partidas": partidas, "since": now - LOOKED_BACK}
    rows: Iterable[Any] = JackpotWin.objects.raw(_OUTSTANDING, asked)
    found: dict[bool, list[JackpotWin]] = {True: [], False: []}
    for row in rows:
        found[row.waits].append(row)
    return found[True], _paid_short(found[False], now)


def _paid_short(wins: Sequence[JackpotWin], now: datetime) -> list[tuple[JackpotWin, list[Short]]]:
    """Those of which somebody was paid less than his due. Law: PT art. 43, 50.

    What was settled once stays so: nobody takes a payment back.
    """
    rows = [row for row in wins if row.pk not in _SETTLED]
    payments, found = _payments_of(rows), []
    for row in rows:
        made = payments.get((row.jackpot, row.n), {})
        steps = steps_of(row)
        short = [
            Short(step, given)
            for step in steps
            if (mine := made.get(step.winner.name))
            and (given := given_cents(mine)) < step.paid_cents
        ]
        if short:
            found.append((row, short))
        elif all(step.winner.name in made for step in steps):
            _settle(row, made, now)
    return found


def _settle(win: JackpotWin, made: Mapping[str, Sequence[JackpotPayment]], now: datetime) -> None:
    """Nobody has to ask of it again."""
    if all(one.recorded_at <= now - SURE for rows in made.values() for one in rows):
        if len(_SETTLED) >= _MOST_SETTLED:
            _SETTLED.clear()
        _SETTLED.add(win.pk)


def _payments_of(
    wins: Sequence[JackpotWin],
) -> dict[tuple[str, int], dict[str, list[JackpotPayment]]]:
    """Their payments in their order: by pool and entry of the win, then by winner."""
    found: dict[tuple[str, int], dict[str, list[JackpotPayment]]] = {}
    if wins:
        rows = JackpotPayment.objects.filter(
            jackpot__in={win.jackpot for win in wins}, hit_n__in={win.n for win in wins}
        )
        for row in rows.order_by("n"):
            of = found.setdefault((row.jackpot, row.hit_n), {})
            of.setdefault(winner_name(row.owner, row.box), []).append(row)
    return found


def payments_to(jackpot: str, hit: int) -> Mapping[str, Sequence[JackpotPayment]]:
    """The payments of one win in their order, by winner."""
    found: dict[str, list[JackpotPayment]] = {}
    for row in JackpotPayment.objects.filter(jackpot=jackpot, hit_n=hit).order_by("n"):
        found.setdefault(winner_name(row.owner, row.box), []).append(row)
    return found


def steps_of(win: JackpotWin) -> tuple[Step, ...]:
    """What a win comes to; () where no terms were in force.

    A page asks every half minute until all is paid, from every tablet: what was reckoned once is
    kept, for it follows from entries before the win, which never change.
    """
    kept = _STEPS.get(win.pk)
    if kept is None:
        payout = payout_of(win.jackpot, win.n)
        if payout is None:
            return ()
        if len(_STEPS) >= _MOST:
            _STEPS.clear()
        kept = _STEPS[win.pk] = payout.steps
    return kept
