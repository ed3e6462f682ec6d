"""All ways to break the rules of procedure that can be planted, and the articles they break.

Law: PT art. 2 to 17, 37 to 61.
"""

from typing import Final

from casino.simulation.procedures.breaches import after_rounds as breaches_after
from casino.simulation.procedures.breaches import between_rounds as breaches_between
from casino.simulation.procedures.breaches import of_loading as breaches_loading
from casino.simulation.procedures.breaches import of_people as breaches_people
from casino.simulation.procedures.breaches import of_prize_chips as breaches_prize_chips
from casino.simulation.procedures.breaches import of_prize_payments as breaches_prize_paid
from casino.simulation.procedures.breaches import of_prize_story as breaches_prize_whole
from casino.simulation.procedures.breaches import of_prize_terms as breaches_prize_terms
from casino.simulation.procedures.breaches import of_rounds as breaches_rounds
from casino.simulation.procedures.breaches import of_shoes as breaches_shoe
from casino.simulation.procedures.breaches import of_shufflers as breaches_machine
from casino.simulation.procedures.breaches import of_silence as breaches_silent
from casino.simulation.procedures.breaches import of_tables as breaches_table
from casino.simulation.procedures.breaches.breaking import Breach

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
