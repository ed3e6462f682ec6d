"""What goes on around the cards: who deals, who sits, what chips lie there."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from casino.demo import cast
from casino.demo.demo_cards import Game
from casino.demo.demo_lines import Line
from casino.events.floor_life import (
    ChipsCounted,
    CountedWhen,
    DealerLeftTable,
    DealerTookTable,
    SeatLeft,
    SeatTaken,
)
from casino.events.partidas import ChipCount

# How many chips of each value lie in a table's float when it opens.
FLOAT: Final = ((500, 200), (1_000, 200), (2_500, 160), (10_000, 80), (50_000, 20))
_SECONDS: Final = timedelta(seconds=1)


def counted(game: Game, at: datetime, moment: CountedWhen, more: int = 0) -> Line:
    """The chips counted by two; `more` of the smallest value lie there than in the float."""
    event = ChipsCounted(
        **game.at,
        moment=moment,
        counts=tuple(
            ChipCount(value_cents=value, count=count + (more if place == 0 else 0))
            for place, (value, count) in enumerate(FLOAT)
        ),
        pagador=cast.DEALERS[game.table][0].number,
        second=game.by.staff,
    )
    return game.line(at, event)


@dataclass(slots=True)
class Around:
    """Who deals at a table and who sits there, as it was recorded last."""

    game: Game
    dealer: str = ""
    seats: set[int] = field(default_factory=set)

    def dealt_by(self, dealer: str, at: datetime) -> Iterator[Line]:
        """Somebody deals from here on."""
        if dealer == self.dealer:
            return
        before, self.dealer = self.dealer, dealer
        if before:
            yield self.game.line(at, DealerLeftTable(**self.game.at, pagador=before))
        took = DealerTookTable(**self.game.at, pagador=dealer, relieves=before or None)
        yield self.game.line(at + _SECONDS, took)

    def seated(self, seats: Collection[int], at: datetime) -> Iterator[Line]:
        """Those who sit there now, against those who sat there before."""
        for seat in sorted(self.seats - set(seats)):
            yield self.game.line(at, SeatLeft(**self.game.at, seat=seat))
        for seat in sorted(set(seats) - self.seats):
            yield self.game.line(at, SeatTaken(**self.game.at, seat=seat, player=f"J{seat}"))
        self.seats = set(seats)
