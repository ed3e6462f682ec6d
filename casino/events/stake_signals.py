"""What a sensor under a betting spot reports of a stake, and nobody can record in its stead.

A device alone writes it, and nobody corrects it. Doubles, splits and insurance lie on other spots:
a sensor speaks of the stake a box began with. Where none reports there is none, and nobody knows.

Law: PT art. 13 (a stake is marked before the deal).
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

from casino.events.event import PartidaEvent
from casino.events.event_policy import DEVICE, Policy
from casino.events.phrases import marked
from casino.events.values import Cents, Code, Place, Uuid

StakePhase = Literal["closed", "changed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StakeSignal(PartidaEvent):
    """What lay on a box when the stakes were closed, or another amount seen there before it was
    settled: `phase` says which.

    `round` is the UUID the round has, or will have. `owner` whose stake it is, where the sensor
    tells those of one box apart; else `amount_cents` is all that lay there.
    """

    kind: ClassVar[str] = "stake-signal/1"
    label: ClassVar[str] = marked("stake seen by a sensor")
    policy: ClassVar[Policy] = Policy(writers=frozenset({DEVICE}), correctable=False)

    round: Uuid
    box: Place
    phase: StakePhase
    amount_cents: Cents
    owner: Code | None = None
