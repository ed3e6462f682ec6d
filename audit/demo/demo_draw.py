"""The demo inspector's draw of the evening: committed to at once, revealed when a root is signed.

Its secret follows from the day, so that a job that was interrupted can go on: a demonstration.
"""

from datetime import date
from hashlib import sha256

from audit.draw_events import DrawCommitted, DrawMade
from audit.draws.draw_population import entry_of, seeding
from audit.draws.draw_questions import made_by
from audit.models import DrawCommitment, DrawResult
from audit.sampling.procedure import commitment_of
from casino import clock
from casino.demo import cast
from casino.demo.recording_acts import key_of
from casino.recording import Actor, Source, record

_TALE = "draw"


def draw_of(day: date) -> bool:
    """Take the next step, unless somebody drew before: whether there is none left."""
    secret = sha256(f"demo {day}".encode()).hexdigest()
    known = DrawCommitment.objects.order_by("draw").first()
    if known is None:
        _record(_asked(day, secret), 0)
        return False
    if known.commitment != commitment_of(secret) or DrawResult.objects.filter(draw=1).exists():
        return True
    entry = entry_of(known)
    if seeding(entry) is None:
        return False
    _record(made_by(entry, known, secret), 1)
    return True


def _asked(day: date, secret: str) -> DrawCommitted:
    return DrawCommitted(
        draw=1,
        from_day=day,
        to_day=day,
        tables=(),
        tables_wanted=2,
        tables_in_reserve=1,
        rounds_wanted=12,
        rounds_in_reserve=3,
        commitment=commitment_of(secret),
    )


def _record(event: DrawCommitted | DrawMade, place: int) -> None:
    inspector = Actor(cast.INSPECTOR.number, cast.INSPECTOR.office, cast.DOOR)
    key = key_of(place, _TALE)
    record(event, key=key, by=inspector, occurred_at=clock.now(), source=Source())
