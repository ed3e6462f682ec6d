"""Until when a complaint about each round is heard, as it stands at a moment: what 61 with 60 says.

The time of a round ends when its cards go back into the shuffler, and runs on while they have to
wait. Where the record does not tell that, nobody knows: nothing here ever says that a complaint
comes too late because a moment was not written down. Where a shoe deals the text sets no end.

Law: PT art. 60, 61.
"""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from casino.events.partidas import Dealing
from casino.events.round.round_played import RoundPlayed
from casino.law.checks.table.complaints_heard import complaints_of, freed_by, round_of
from casino.law.dossier import Dossier
from casino.law.partida_context import PartidaContext, in_place
from casino.law.put_back import Round, deferred_rounds, in_order, next_possible, put_back_at
from casino.law.round_moments import collected
from casino.law.rulebook.rulebook import Law

Hearing = Literal["no_end", "waiting", "open", "over", "unknown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundWindow:
    """One round: whether a complaint about it is heard at that moment, and what it hangs on.

    - `at`: when it was, for one without a number;
    - `inserted_at`: when its cards went in, by its own record or with those they waited for;
    - `deferred`: it was recorded that its cards have to wait;
    - `open`: True, heard; False, too late; None, not known from the record;
    - `until`: the end of its time, where that is recorded; it may lie before or after the moment;
    - `in_dispute`: complaints about it that nobody reviewed or decided: its cards may not go in;
    - `hearing`: the same in one word; ``"waiting"`` is open because its cards wait.
    """

    round: str
    at: datetime
    shoe: int | None
    number: int | None
    inserted_at: datetime | None
    deferred: bool
    open: bool | None
    until: datetime | None
    in_dispute: tuple[str, ...]
    hearing: Hearing


@dataclass(frozen=True, slots=True, kw_only=True)
class ComplaintWindow:
    """The rounds of a partida at a moment, the last one first; those of unknown place come first.

    `dealing` is None where nobody recorded the opening. `readings` are those the end hangs on.
    """

    at: datetime
    dealing: Dealing | None
    rounds: tuple[RoundWindow, ...]
    readings: tuple[str, ...]

    def of(self, name: str) -> RoundWindow | None:
        """A round's window, by the round's UUID."""
        return next((one for one in self.rounds if one.round == name), None)


def window(dossier: Dossier, now: datetime, law: Law) -> ComplaintWindow:
    """What article 61 with 60 says at `now` of every round of a partida. Law: PT art. 60, 61."""
    game = PartidaContext(dossier, law.on(dossier.gaming_day))
    disputes = _disputes(game)
    waiting = deferred_rounds(game)
    rounds = tuple(
        _of_round(game, one, now, one.event.round in waiting, disputes[one.event.round])
        for one in reversed(_as_dealt(game))
    )
    readings = () if game.dealing == "shoe" else ("complaint-window",)
    return ComplaintWindow(at=now, dealing=game.dealing, rounds=rounds, readings=readings)


def _as_dealt(game: PartidaContext) -> list[Round]:
    """The rounds in their order; what a shuffler deals from one load is one shoe."""
    if game.dealing == "shoe":
        return sorted(game.dossier.of(RoundPlayed), key=in_place)
    return [recorded for _, recorded in in_order(game)]


def _disputes(game: PartidaContext) -> defaultdict[str, list[str]]:
    """The complaints about each round that nobody looked into yet."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for complaint in complaints_of(game):
        recorded = round_of(game, complaint)
        if recorded is not None and freed_by(game, complaint) is None:
            found[recorded.event.round].append(complaint.event.complaint)
    return found


def _of_round(
    game: PartidaContext, recorded: Round, now: datetime, deferred: bool, disputes: list[str]
) -> RoundWindow:
    went_in = put_back_at(game, recorded)
    hearing, until = _hearing(game, recorded, now, went_in, deferred)
    return RoundWindow(
        round=recorded.event.round,
        at=recorded.occurred_at,
        shoe=recorded.event.shoe,
        number=recorded.event.number,
        inserted_at=went_in,
        deferred=deferred,
        open=None if hearing == "unknown" else hearing != "over",
        until=until,
        in_dispute=tuple(disputes),
        hearing=hearing,
    )


def _hearing(
    game: PartidaContext, recorded: Round, now: datetime, went_in: datetime | None, deferred: bool
) -> tuple[Hearing, datetime | None]:
    """Whether a complaint is heard now, and the end of its time where that is recorded."""
    if game.dealing == "shoe":
        return "no_end", None
    figures = game.p
    if game.dealing is None or "complaint.window" not in figures:
        return "unknown", None
    end = collected(recorded) if figures["complaint.window"] == "until_collected" else went_in
    if end is not None:
        # Of one and the same moment nobody knows which came first.
        return "unknown" if now == end else "open" if now < end else "over", end
    if figures["complaint.window"] == "until_inserted" and deferred and _waits(game, recorded):
        return "waiting", None
    return "unknown", None


def _waits(game: PartidaContext, recorded: Round) -> bool:
    """Whether nothing was recorded since with which these cards may have gone in."""
    loaded = any(load.occurred_at >= recorded.occurred_at for load in game.loads)
    return not loaded and game.closed is None and next_possible(game, recorded) is None
