"""A second person's word on a correction. The correction itself is a fact of the corrected kind."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from casino.facts import Malformed
from casino.facts.fact import EntryFact, EntryRef
from casino.facts.values import Code

Decision = Literal["approved", "refused"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected(EntryFact):
    """The correction `pending` of the entry `original` was approved or refused."""

    kind: ClassVar[str] = "corrected/1"

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
