"""All kinds of errors, and which one is planted next.

Whoever asks gets the kind planted longest ago among those the round has room for, so that the rare
ones are not crowded out.
"""

from random import Random
from typing import Final

from casino.simulation.draft import Draft
from casino.simulation.faults import (
    of_dealing,
    of_payments,
    of_play,
    of_side_bets,
    of_stakes,
    of_voided_cards,
)
from casino.simulation.planting import Kind, Mark

# Planted by the table, not in one round: it takes a shoe that should have been over.
AFTER_THE_LAST: Final = "round_after_the_last"
ARTICLE_OF_AFTER_THE_LAST: Final = "11"

IN_A_ROUND: Final[tuple[Kind, ...]] = (
    *of_stakes.KINDS,
    *of_dealing.KINDS,
    *of_voided_cards.KINDS,
    *of_play.KINDS,
    *of_payments.KINDS,
    *of_side_bets.KINDS,
)

# Name of the kind to its article, for whoever reads labels.
KINDS: Final[dict[str, str]] = {
    AFTER_THE_LAST: ARTICLE_OF_AFTER_THE_LAST,
    **{kind.name: kind.article for kind in IN_A_ROUND},
}

ROOM: Final = 24  # cards that must still be there before anything is changed after the event


class Mischief:
    """The order in which kinds are tried, shared by all tables of an evening."""

    def __init__(self, rng: Random) -> None:
        self.waiting = list(IN_A_ROUND)
        rng.shuffle(self.waiting)

    def plant(self, draft: Draft, rng: Random) -> tuple[Kind, Mark] | None:
        """Plant one error in a lawful, settled round."""
        if draft.source.room() < ROOM:
            return None
        for at, kind in enumerate(self.waiting):
            mark = kind.plant(draft, rng)
            if mark is not None:
                del self.waiting[at]
                self.waiting.append(kind)
                return kind, mark
        return None
