"""All ways to break the rules of procedure that can be planted, and the articles they break.

Law: PT art. 2 to 17, 37 to 61.
"""

from typing import Final

from casino.simulation.procedures.breaches import (
    after_rounds,
    between_rounds,
    of_loading,
    of_people,
    of_prize_chips,
    of_prize_payments,
    of_prize_story,
    of_prize_terms,
    of_rounds,
    of_shoes,
    of_shufflers,
    of_silence,
    of_tables,
)
from casino.simulation.procedures.breaches.breaking import Breach

BREACHES: Final[tuple[Breach, ...]] = (
    *of_tables.BREACHES,
    *of_shoes.BREACHES,
    *of_people.BREACHES,
    *between_rounds.BREACHES,
    *of_rounds.BREACHES,
    *of_prize_terms.BREACHES,
    *of_prize_chips.BREACHES,
    *of_prize_payments.BREACHES,
    *of_prize_story.BREACHES,
    *of_shufflers.BREACHES,
    *of_loading.BREACHES,
    *after_rounds.BREACHES,
    *of_silence.BREACHES,
)
