"""What recording an event of a pool would open, as the book stands (`Extension.previews`).

Law: PT art. 38, 40 to 44, 50.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime
from typing import Any, Final

from casino import clock
from casino.events.event import Event
from casino.house_day import house_day_at, house_zone
from casino.law.finding import Breach, Rule
from casino.law.rulebook.rulebook import Law
from jackpot.events import JackpotAdjusted, JackpotRead, JackpotStarted, TermsApproved
from jackpot.models import JackpotSeal, JackpotTerms
from jackpot.progressive.meter import effect_microcents
from jackpot.queries.chip_queries import chips_since
from jackpot.queries.pool_queries import PoolNow, pool_now
from jackpot.queries.versions import version_at
from jackpot.rules.law_readings import graces
from jackpot.rules.pool_evening import as_terms
from jackpot.rules.pool_preview import Asked, of_change, of_reading, of_start, of_terms

STEPS: Final = 60  # between chips told in one of which nobody tells which is shown first


def previewed(event: Event, occurred_at: datetime, law: Law) -> Iterator[tuple[Rule, Breach]]:
    """The checks that would find something, each with what; nothing for events of other rooms."""
    if not isinstance(event, TermsApproved | JackpotStarted | JackpotAdjusted | JackpotRead):
        return
    for check, result in _asked(event, occurred_at, law):
        for breach in result if isinstance(result, list) else [result]:
            if isinstance(breach, Breach):
                where: dict[str, int | str] = {"jackpot": event.jackpot}
                yield check, replace(breach, where=where | breach.where)


def _asked(event: Any, occurred_at: datetime, law: Law) -> Asked:
    if isinstance(event, TermsApproved):
        day = first_day(event.valid_from)
        yield from of_terms(as_terms(event, occurred_at), day, law.on(day))
        return
    now = pool_now(event.jackpot)
    if isinstance(event, JackpotStarted):
        day = house_day_at(occurred_at)
        held = version_at(now.versions, occurred_at, clock.now())
        stake = _latest_stake(event.jackpot) if held is None else held.terms.stake_cents
        yield from of_start(event.start_cents, now.meter, stake, law.on(day))
    elif isinstance(event, JackpotAdjusted):
        yield from of_change(event.microcents, now.meter)
    else:
        yield from of_change(0, now.meter)
        yield from of_reading(
            event.display_cents, now.meter, _lately_recorded(now, occurred_at, law)
        )


def _lately_recorded(now: PoolNow, looked: datetime, law: Law) -> list[int]:
    """What chips recorded since shortly before somebody looked added to the meter, step by step.

    They may not have been shown by then. Units: microcents. Law: PT art. 41.
    """
    until = clock.now()
    day = house_day_at(looked)
    since = min(looked, until) - graces(law.on(day)).behind
    step = (until - since) / STEPS
    marks = [since + n * step for n in range(STEPS)]
    seals = JackpotSeal.objects.filter(jackpot=now.jackpot).order_by("-n")
    seal = seals.filter(recorded_at__lt=since).first()
    counted = {} if seal is None else seal.up_to
    chips = chips_since(now.jackpot, now.versions, counted, now.reach, marks)
    return [effect_microcents(one.event) for one in chips if one.bucket > 0]


def first_day(valid_from: datetime) -> date:
    """The house's day on which terms begin to hold."""
    return valid_from.astimezone(house_zone()).date()


def _latest_stake(jackpot: str) -> int | None:
    """The stake of the latest terms, in force or not; None where there are none."""
    rows = JackpotTerms.objects.filter(jackpot=jackpot).order_by("-valid_from", "-n")
    return rows.values_list("stake_cents", flat=True).first()
