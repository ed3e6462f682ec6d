"""When the cards of each round went back into the shuffler, and which had to wait.

Law: PT art. 58 to 60.
"""

from datetime import datetime
from typing import Any

from casino.events.floor_life import RoundsDeferred
from casino.events.round.round_played import RoundPlayed
from casino.law.dossier import RecordedEvent, in_time
from casino.law.finding import UNDECIDED
from casino.law.partida_context import PartidaContext
from casino.law.round_moments import inserted

Round = RecordedEvent[RoundPlayed]
Deferral = RecordedEvent[RoundsDeferred]


def deferrals_of(game: PartidaContext) -> list[Deferral]:
    """When cards could not be put back, as it happened."""
    return sorted(game.dossier.of(RoundsDeferred), key=in_time)


def deferred_rounds(game: PartidaContext) -> dict[str, Deferral]:
    """The rounds whose cards had to wait, each with what tells of it."""
    return {name: one for one in reversed(deferrals_of(game)) for name in one.event.rounds}


def _place(game: PartidaContext, recorded: Round) -> tuple[int, int] | None:
    """Its shoe and its number there; None where nobody told. One load is one shoe."""
    shoe = 1 if len(game.loads) <= 1 else recorded.event.shoe
    return None if shoe is None or recorded.event.number is None else (shoe, recorded.event.number)


def in_order(game: PartidaContext) -> list[tuple[tuple[int, int] | None, Round]]:
    """The rounds with their places, in that order; those without one come last."""
    placed = [(_place(game, recorded), recorded) for recorded in game.dossier.of(RoundPlayed)]
    return sorted(placed, key=lambda one: (one[0] is None, one[0] or (0, 0), in_time(one[1])))


def next_possible(game: PartidaContext, waiting: Round) -> Round | str | None:
    """The first round after one whose cards could go back; UNDECIDED where no order is recorded."""
    deferred, rounds = deferred_rounds(game), in_order(game)
    if rounds[-1][0] is None:
        return UNDECIDED
    names = [recorded.entry_id for _, recorded in rounds]
    later = [recorded for _, recorded in rounds[names.index(waiting.entry_id) + 1 :]]
    return next((recorded for recorded in later if recorded.event.round not in deferred), None)


def put_back_at(game: PartidaContext, recorded: Round) -> datetime | None:
    """When a round's cards went back: as its record tells, else with those they waited for."""
    own = inserted(recorded)
    if own is not None or recorded.event.round not in deferred_rounds(game):
        return own
    following = next_possible(game, recorded)
    return inserted(following) if isinstance(following, RecordedEvent) else None


def put_back_here(game: PartidaContext, _: Any = None) -> bool:
    """Whether 58 to 60 are asked of a table: of every shuffler, or of a continuous one alone.

    Law: PT art. 58 to 60 (reading shuffler-of-58-to-60).
    """
    if game.dealing != "shuffler":
        return False
    return game.continuous is not False or game.p["csm.puts_back"] == "any"


def read_of(game: PartidaContext) -> tuple[str, ...]:
    """The reading a finding of 58 to 60 hangs on: only at a machine that is not continuous."""
    return ("shuffler-of-58-to-60",) if game.continuous is False else ()
