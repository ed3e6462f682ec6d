"""What pools tell of a partida: terms it was played by, the start it was played on, its wins.

Law: PT art. 38 to 50.
"""

from collections.abc import Collection

from casino.events.event import Event
from casino.law.dossier import RecordedEvent
from casino.models import Attestation
from jackpot.events import pool_stream
from jackpot.models import (
    JackpotAdjustment,
    JackpotPayment,
    JackpotStart,
    JackpotTerms,
    JackpotTermsConfirmation,
    JackpotWin,
)

Entry = tuple[str, int]  # a stream and a number in it


def of_partida(partida: str, entries: Collection[RecordedEvent[Event]], using: str) -> set[Entry]:
    """The entries of its pools' streams that bear on a partida."""
    pools = {
        code
        for recorded in entries
        for code in (*(getattr(recorded.event, "jackpots", None) or ()), _pool_of(recorded.event))
        if code
    }
    wins = list(JackpotWin.objects.using(using).filter(partida_id=partida))
    pools |= {win.jackpot for win in wins}
    found = {(win.stream, win.n) for win in wins}
    for pool in pools:
        hits = [win.n for win in wins if win.jackpot == pool]
        found |= _of_pool(pool, entries, hits, using)
    return found


def _pool_of(event: Event) -> str | None:
    """The pool an increment names."""
    code: str | None = getattr(event, "jackpot", None)
    return code


def _of_pool(
    pool: str, entries: Collection[RecordedEvent[Event]], hits: list[int], using: str
) -> set[Entry]:
    stream = pool_stream(pool)
    until = max((recorded.recorded_at for recorded in entries), default=None)
    numbers: set[int] = set()
    for model in (JackpotTerms, JackpotTermsConfirmation):
        rows = model.objects.using(using).filter(jackpot=pool)
        numbers |= set(rows.values_list("n", flat=True))
    starts = JackpotStart.objects.using(using).filter(jackpot=pool)
    if until is not None:
        starts = starts.filter(recorded_at__lte=until)
    # The last before its first chip, and any that was put in while it was played.
    first = min((recorded.recorded_at for recorded in entries), default=None)
    during = starts.filter(recorded_at__gte=first) if first is not None else starts.none()
    before = starts.exclude(pk__in=during.values("pk")).order_by("-n")[:1]
    numbers |= {row.n for row in (*during, *before)}
    if hits:
        paid = JackpotPayment.objects.using(using).filter(jackpot=pool, hit_n__in=hits)
        undone = JackpotAdjustment.objects.using(using).filter(jackpot=pool, hit_n__in=hits)
        acts = {row.n for row in (*paid, *undone)}
        words = Attestation.objects.using(using).filter(
            witnessed_stream=stream, witnessed_n__in=acts
        )
        numbers |= acts | set(words.values_list("n", flat=True))
    return {(stream, n) for n in numbers}
