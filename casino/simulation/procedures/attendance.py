"""Which fiscal-chefe is at which table when: nobody is at two at once."""

from dataclasses import dataclass, field
from datetime import datetime

from casino.simulation.procedures import simulated_cast
from casino.simulation.procedures.procedure_acts import MINUTE, Who

APART = 2 * MINUTE  # from one table to another


@dataclass(slots=True)
class Attendance:
    """The stays of the evening, as they were asked for."""

    stays: list[tuple[datetime, datetime, Who]] = field(default_factory=list)

    def free(self, wanted: Who, came: datetime, left: datetime) -> Who:
        """Whoever is asked for, or the other where he is somewhere else; he stays so long."""
        ordered = (wanted, *(who for who in simulated_cast.CHEFES if who != wanted))
        who = next(one for one in ordered if not self._busy(one, came, left))
        self.stays.append((came, left, who))
        return who

    def _busy(self, who: Who, came: datetime, left: datetime) -> bool:
        return any(
            one == who and begin - APART < left and came < end + APART
            for begin, end, one in self.stays
        )
