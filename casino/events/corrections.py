"""A second person's word on a correction, and a record that is asked to be withdrawn.

A correction itself is an event of the corrected kind; a withdrawal puts nothing in the record's
place. Both wait for the same second person's word.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

from casino.events import Malformed
from casino.events.event import EntryEvent, EntryRef
from casino.events.event_policy import HEADS, Policy
from casino.events.phrases import marked
from casino.events.values import Code, KindName

Decision = Literal["approved", "refused"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected(EntryEvent):
    """The correction, or the withdrawal, `pending` of the entry `original`: approved or refused."""

    kind: ClassVar[str] = "corrected/1"
    label: ClassVar[str] = marked("correction or withdrawal decided")
    policy: ClassVar[Policy] = Policy(writers=HEADS)

    pending: EntryRef
    original: EntryRef
    decision: Decision
    reason: Code

    @property
    def about(self) -> EntryRef:
        """The pending correction."""
        return self.pending

    def contradictions(self) -> None:
        """No entry corrects itself. Raises: Malformed."""
        if self.pending.leaf == self.original.leaf:
            raise Malformed(
                "$.pending", "found one entry named as the correction and the corrected"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawalAsked(EntryEvent):
    """What `entry` tells did not happen. It counts for nothing once a second person has approved.

    `act` is the kind of that entry, `reason` a coded reason (``"tapped_by_mistake"``). `falls_with`
    is the record it cannot stand without, where that one is withdrawn in the same act. `Corrected`
    decides on it: this entry as `pending`, the withdrawn one as `original`.
    """

    kind: ClassVar[str] = "withdrawal-asked/1"
    label: ClassVar[str] = marked("withdrawal of a record")
    # And of these, whoever may write the kind that is withdrawn (`authority.withdrawers_of`).
    policy: ClassVar[Policy] = Policy(correctable=False)

    entry: EntryRef
    act: KindName
    reason: Code
    falls_with: EntryRef | None = None

    @property
    def about(self) -> EntryRef:
        """The entry that is withdrawn."""
        return self.entry

    def contradictions(self) -> None:
        """No record falls with itself. Raises: Malformed."""
        if self.falls_with is not None and self.falls_with.leaf == self.entry.leaf:
            raise Malformed("$.falls_with", "found the entry itself; asked is another")
