"""All ways to break the rules of procedure that can be planted, and the articles they break.

Law: PT art. 2 to 17, 37 to 61.
"""

from typing import Final

from casino.simulation.procedures import (
    breaches_after,
    breaches_between,
    breaches_loading,
    breaches_machine,
    breaches_people,
    breaches_prize_chips,
    breaches_prize_paid,
    breaches_prize_terms,
    breaches_prize_whole,
    breaches_rounds,
    breaches_shoe,
    breaches_silent,
    breaches_table,
)
from casino.simulation.procedures.breaking import Breach

BREACHES: Final[tuple[Breach, ...]] = (
    *breaches_table.BREACHES,
    *breaches_shoe.BREACHES,
    *breaches_people.BREACHES,
    *breaches_between.BREACHES,
    *breaches_rounds.BREACHES,
    *breaches_prize_terms.BREACHES,
    *breaches_prize_chips.BREACHES,
    *breaches_prize_paid.BREACHES,
    *breaches_prize_whole.BREACHES,
    *breaches_machine.BREACHES,
    *breaches_loading.BREACHES,
    *breaches_after.BREACHES,
    *breaches_silent.BREACHES,
)
