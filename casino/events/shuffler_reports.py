"""What an automatic shuffler reports of itself, and nobody can record in its stead.

A device alone writes these, and nobody corrects them: where one is wrong, whoever answers for the
machine explains the finding. Where shufflers report nothing there are none, and nobody knows.

Law: PT art. 3 (whole decks), 51 (the warning light), 53 to 55 (what went in and came out).
"""

from dataclasses import dataclass
from typing import ClassVar, Final, Literal

from casino.events import Malformed
from casino.events.event import FloorEvent
from casino.events.event_policy import DEVICE, Policy
from casino.events.phrases import marked
from casino.events.values import Cards, Code, Reference, Sha256

CyclePhase = Literal["started", "ended"]
CycleMode = Literal["shuffle", "sort"]
SignalOf = Literal["light_on", "light_off", "lid_opened", "lid_closed"]
MachineSeals = Literal["intact", "broken"]

_ITS_OWN: Final = Policy(writers=frozenset({DEVICE}), correctable=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShufflerCycle(FloorEvent):
    """The machine began to shuffle or sort what lies in it, or was done.

    `cards` is how many it counted; it knows that at the end.
    """

    kind: ClassVar[str] = "shuffler-cycle/1"
    label: ClassVar[str] = marked("shuffler cycle")
    policy: ClassVar[Policy] = _ITS_OWN

    shuffler: Code
    phase: CyclePhase
    mode: CycleMode | None = None
    cards: Cards | None = None

    def contradictions(self) -> None:
        """Cards are counted when the cycle ends. Raises: Malformed."""
        if self.phase == "started" and self.cards is not None:
            raise Malformed(
                "$.cards",
                "found {found} at the start of a cycle; cards are counted at its end",
                found=self.cards,
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class ShufflerSignal(FloorEvent):
    """The warning light went on or off, or the lid was opened or closed. Law: PT art. 51."""

    kind: ClassVar[str] = "shuffler-signal/1"
    label: ClassVar[str] = marked("shuffler signal")
    policy: ClassVar[Policy] = _ITS_OWN

    shuffler: Code
    signal: SignalOf


@dataclass(frozen=True, slots=True, kw_only=True)
class ShufflerSelfCheck(FloorEvent):
    """The machine says which program runs in it and whether its seals are whole.

    `firmware` is the version it names, `firmware_sha256` the digest of what it runs.
    """

    kind: ClassVar[str] = "shuffler-self-check/1"
    label: ClassVar[str] = marked("shuffler self-check")
    policy: ClassVar[Policy] = _ITS_OWN

    shuffler: Code
    firmware: Reference | None = None
    firmware_sha256: Sha256 | None = None
    seals: MachineSeals | None = None

    def contradictions(self) -> None:
        """It says something. Raises: Malformed."""
        if self.firmware_sha256 is None and self.seals is None:
            raise Malformed(
                "$.firmware_sha256",
                "found neither a digest nor the state of the seals; asked is one of them",
            )
