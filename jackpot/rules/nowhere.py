"""Jackpot chips of no pool: where they were laid nobody named one, or several.

A round names no pool; it feeds the one its partida named, if it named one alone. Where that is not
to be recorded the chips feed no meter, and no approved terms cover them.

Law: PT art. 38, 39, 40.
"""

from collections.abc import Iterator, Sequence

from casino.events.partidas import PartidaOpened
from casino.events.round.round_played import RoundPlayed
from casino.events.tables import TableRegistered
from casino.law.dossier import Dossier, RecordedEvent
from casino.law.finding import UNDECIDED, Breach, Rule, Verdict
from casino.law.questions import breach
from casino.law.rulebook.jackpot_law import IN_FORCE, PLACE
from jackpot.rules.chip_checks import Collection, collections
from jackpot.rules.conditions import CITED_AT_MOST, place_is_marked
from jackpot.rules.pool_evening import PoolEvening, has_chips


def nowhere(dossier: Dossier, pools: Sequence[PoolEvening]) -> Iterator[tuple[Rule, Verdict]]:
    """What is said of rounds whose chips no pool of the partida takes."""
    found = collections(dossier)
    bare = [one.round for one in found if one.round is not None and _is_bare(one, pools)]
    if not bare:
        return
    table = dossier.around_of(TableRegistered)
    opened = dossier.of(PartidaOpened)
    yield PLACE, place_is_marked(table[-1] if table else None, bare[0])
    # Increments of which nobody recorded the round may tell of these chips.
    loose = any(one.round is None for one in found)
    yield IN_FORCE, _of_no_pool(opened[-1], bare) if opened and not loose else UNDECIDED


def _is_bare(collection: Collection, pools: Sequence[PoolEvening]) -> bool:
    """Whether its chips are recorded by its record alone, and no pool has that."""
    if collection.increments or collection.round is None or not has_chips(collection.round):
        return False
    return not any(collection.round is mine.round for pool in pools for mine in pool.rounds)


def _of_no_pool(
    opened: RecordedEvent[PartidaOpened], bare: Sequence[RecordedEvent[RoundPlayed]]
) -> Breach:
    """Law: PT art. 40."""
    return breach(
        {"pools": len(opened.event.jackpots or ()), "times": len(bare)},
        {"pools": 1},
        opened,
        *bare[:CITED_AT_MOST],
    )
