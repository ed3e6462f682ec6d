"""Whose turn it is to cut, as the house's own instruction has it.

The lowest seat at the start and whenever play had stopped for want of players or of stakes; from
then on whoever sits next after the one who cut, round and round. Who does not want to is passed
over; when nobody wants to the fiscal de banca cuts, and the next shoe begins as at the start.

Law: PT art. 8.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from casino.events.shoes import CutAfter, CutMade, CutOffer
from casino.simulation.procedures.procedure_acts import Act, Partida

DECLINES: Final = 0.15  # a seat that does not want to
NOBODY: Final = 0.05  # all of them


@dataclass(slots=True)
class Turns:
    """The turns of one partida: the seat that cut last, and what went before the next cut."""

    last: int | None = None
    after: CutAfter = "start"

    def asked(self, seats: Sequence[int]) -> list[int]:
        """The seats in the order in which they are asked."""
        first = [seat for seat in seats if self.last is None or seat > self.last]
        return first + [seat for seat in seats if seat not in first]

    def cut(self, seats: Sequence[int], rng: Random) -> dict[str, object]:
        """The next cut as its event tells it; some decline."""
        order = self.asked(seats)
        declined = []
        for seat in order:
            if rng.random() >= DECLINES:
                break
            declined.append(seat)
        if rng.random() < NOBODY:
            declined = order
        return self.made(seats, declined)

    def made(self, seats: Sequence[int], declined: Sequence[int]) -> dict[str, Any]:
        """The next cut where these seats declined, the first of those asked."""
        order = self.asked(seats)
        cutter = order[len(declined)] if len(declined) < len(order) else None
        values = {
            "after": self.after,
            "seats_occupied": tuple(seats),
            "offers": tuple(
                CutOffer(seat=seat, accepted=seat == cutter) for seat in order[: len(declined) + 1]
            ),
            "cut_by": "fiscal_de_banca" if cutter is None else "seat",
            "due_seat": order[0] if order else None,
            "seat": cutter,
            "special_card": True,
        }
        self.last, self.after = cutter, "next_shoe"
        return values

    def start_over(self) -> None:
        """Play had stopped."""
        self.last, self.after = None, "interruption"


def recut(partida: Partida, act: Act, last: int | None) -> None:
    """Let the turns after a cut be counted from another seat; None, from the beginning."""
    cuts = partida.of(CutMade)
    turns = Turns(last, "next_shoe")
    for cut in cuts[cuts.index(act) + 1 :]:
        if cut.event.after != "next_shoe":
            return
        cut.change(**turns.made(cut.event.seats_occupied, ()), staff=None)


def cut_by_another(partida: Partida, act: Act, seat: int) -> None:
    """Let a seat cut whose turn it was not; who comes after it has his turn counted from there."""
    recut(partida, act, seat)
    act.change(offers=(CutOffer(seat=seat, accepted=True),), cut_by="seat", seat=seat, staff=None)
