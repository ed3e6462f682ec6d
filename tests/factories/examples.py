"""A fact of every kind, told in full, that the book takes as it stands."""

from dataclasses import replace
from itertools import count
from typing import Any
from uuid import uuid4

from casino.facts.fact import EntryRef
from casino.facts.sealing import EpochApproved, EpochBegun
from casino.facts.staff import OfficeGranted, StaffRegistered
from casino.facts.witnessing import PasskeyRegistered, PasskeyRevoked
from casino.recording import Actor
from tests.factories.facts.every import FULL
from tests.factories.people import write

_ROUNDS = count(100)  # of a shoe, so that no two wins are of one round


def example(kind: str, staff: str = "S-0021") -> Any:
    """A fact of a kind, told in full, that the book takes as it stands; a passkey is `staff`'s."""
    if kind in (PasskeyRegistered.kind, PasskeyRevoked.kind):
        own = replace(FULL[PasskeyRegistered.kind], staff=staff, credential=uuid4().hex)
        if kind == PasskeyRegistered.kind:
            return own
        write(own, by=Actor(staff, "fiscal_chefe", "job"))
        return PasskeyRevoked(staff=staff, credential=own.credential, reason="lost")
    if kind != EpochApproved.kind:
        return in_the_book(FULL[kind])
    begun = write(FULL[EpochBegun.kind])
    return EpochApproved(begun=EntryRef(stream=begun.stream, n=begun.n, leaf=begun.leaf))


def in_the_book(fact: Any) -> Any:
    """The fact; one of a pool names terms or a win the book holds, and a round of its own.

    An office goes to a registered number, and is none that begins when it is recorded.
    """
    if isinstance(fact, OfficeGranted):
        write(StaffRegistered(staff=fact.staff))
        return replace(fact, office="pagador")
    if not fact.stream.startswith("jackpot/"):
        return fact
    if hasattr(fact, "confirms"):
        return replace(fact, confirms=_entry_of("terms-approved/1", "chefia_da_sala"))
    if getattr(fact, "hit", None) is not None:
        return replace(fact, hit=_entry_of("jackpot-won/1", "fiscal_chefe"))
    if not getattr(fact, "round", None):
        return fact
    return replace(fact, round=str(uuid4()), number=next(_ROUNDS))


def _entry_of(kind: str, office: str) -> EntryRef:
    """A fact of a pool that somebody else told."""
    receipt = write(in_the_book(FULL[kind]), by=Actor("S-0778", office, "job"))
    return EntryRef(stream=receipt.stream, n=receipt.n, leaf=receipt.leaf)
