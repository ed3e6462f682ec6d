"""The nightly job: what falls due is proposed in the house's own name, for two persons to erase."""

from datetime import datetime
from typing import Final
from uuid import NAMESPACE_OID, uuid5

from audit.models import ErasureProposal
from audit.retention.held_values import HeldValue, due
from audit.retention_events import MOST_VALUES, ErasureProposed, ValueNamed
from audit.runs.advisory_locks import alone
from casino import clock
from casino.events.event_policy import SYSTEM
from casino.recording import Actor, Source, record

BY: Final = Actor("retention", SYSTEM, "job")


def propose_due(now: datetime | None = None) -> int:
    """Propose what falls due and was never proposed; how many values. Nothing is erased by it.

    What somebody refused is not proposed again by the house: a person may.
    """
    with alone("retention", wait=False) as mine:
        return _propose(now or clock.now()) if mine else 0


def _propose(now: datetime) -> int:
    known = {
        (one["stream"], one["n"], one["field"])
        for values in ErasureProposal.objects.values_list("values", flat=True)
        for one in values
    }
    fresh = [value for value in due().free if value.named not in known]
    for some in _parts(fresh):
        event = ErasureProposed(basis="retention_over", values=tuple(map(value_named, some)))
        key = uuid5(NAMESPACE_OID, f"retention/{some[0].named}/{some[-1].named}")
        record(event, key=key, by=BY, occurred_at=now, source=Source("job"))
    return len(fresh)


def value_named(value: HeldValue) -> ValueNamed:
    """A value as a proposal names it."""
    return ValueNamed(stream=value.stream, n=value.n, leaf=value.leaf, field=value.field)


def _parts(values: list[HeldValue]) -> list[list[HeldValue]]:
    return [values[at : at + MOST_VALUES] for at in range(0, len(values), MOST_VALUES)]
