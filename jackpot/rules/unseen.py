"""Wins no partida's judge can reckon with: nobody recorded what the meter ran at, or told it
wrongly.

Law: PT art. 43.
"""

from dataclasses import dataclass, field

from casino.law.finding import Breach
from casino.law.questions import breach


@dataclass(slots=True)
class Unseen:
    """Such a win: what it came to, for whom, and which entries paid them."""

    cents: int = 0
    winners: list[str] = field(default_factory=list)
    given: dict[str, str] = field(default_factory=dict)

    def paid_short(self, owed_cents: int) -> Breach | None:
        """That so much of it is still owed although all its winners were paid. Law: PT art. 43."""
        if not owed_cents or not set(self.winners) <= self.given.keys():
            return None
        return breach(
            {"paid_cents": self.cents - owed_cents},
            {"paid_cents": self.cents},
            owed_cents=owed_cents,
            owed_to="player",
        )
