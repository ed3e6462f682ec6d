"""Games of `tests.factories.games`, written into the book."""

from casino.ids import uuid7
from casino.recording import Source, Submission, record_many
from tests.factories.evenings import PIT
from tests.factories.games import Game


def in_the_book(game: Game) -> Game:
    """Record the entries of a game as they happened."""
    ordered = sorted(game.entries, key=lambda one: one.occurred_at)
    record_many([Submission(one.event, uuid7(), PIT, one.occurred_at, Source()) for one in ordered])
    return game
