"""Games whose rounds do not show what a check asks, closed with attestations."""

from casino.events.floor_life import RoundsDeferred
from tests.factories.games import Game, attested, evening, shuffler_evening

STAKES, DEAL, DISCARDS = (
    "stakes_timed_or_attested",
    "deal_recorded_or_attested",
    "discards_attested",
)

BACK, DEFERRED = "putting_back_timed_or_attested", "deferred_cards_timed_or_attested"


def silent(check: str, answered: str | None) -> Game:
    """A game whose rounds do not show what a check asks, closed with these attestations."""
    game = evening(closed=False) if check in (STAKES, DEAL) else shuffler_evening(closed=False)
    if check == STAKES:
        game.round(2, 4, "21:40", times=None)
    elif check == DEFERRED:
        last = game.put_back(1, 4, "20:40", inserted=None)
        game.record(RoundsDeferred, "20:42", rounds=(last.event.round,), reason="shuffler_full")
    elif check == BACK:
        game.put_back(1, 4, "20:40", inserted=None)
    game.close(attested=None if answered is None else attested(answered))
    return game
