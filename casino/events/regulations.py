"""The official texts of the rulebooks, as they were received."""

from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from casino.events.event import Event
from casino.events.event_policy import EVERYBODY, INSPECTOR, MANAGER, Policy
from casino.events.phrases import marked
from casino.events.values import Code, Reference, Sha256


@dataclass(frozen=True, slots=True, kw_only=True)
class RegulationTextReceived(Event):
    """The official text of a rulebook came into the house, as a file that is kept.

    `file_sha256` is the file's, which stands among the entry's attachments. `in_force` is the day
    from which this version holds; without one it holds from before any day the house knows of.
    """

    kind: ClassVar[str] = "regulation-text-received/1"
    label: ClassVar[str] = marked("official text received")
    # As with approvals: the inspection service brings it, or the house does. Another text is
    # recorded anew.
    policy: ClassVar[Policy] = Policy(
        writers=frozenset({MANAGER, INSPECTOR}),
        readers=EVERYBODY,
        private_readers=EVERYBODY,
        correctable=False,
    )

    rulebook: Code
    title: Reference
    file_sha256: Sha256
    in_force: date | None = None
