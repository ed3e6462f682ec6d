"""The jackpot chips of a partida, round by round, and how many of them a player may lay.

Law: PT art. 47.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from casino.events.round.round_played import RoundPlayed
from casino.law.dossier import Dossier, RecordedEvent
from casino.law.finding import LAWFUL, UNDECIDED, Breach, Verdict
from casino.law.questions import breach, evidence_of
from casino.law.rulebook.rulebook import LawInForce
from jackpot.events import JackpotIncremented

# Chips by their owner and the box they lay on.
Chips = Counter[tuple[str, int]]
# A round by shoe and number, as far as recorded.
Place = tuple[int | None, int | None]


@dataclass(slots=True, eq=False)
class Collection:
    """The jackpot chips of one round: as its record tells them and as the increments do.

    `whole` is False where an increment may belong to it of which nobody recorded the round.
    """

    round: RecordedEvent[RoundPlayed] | None = None
    increments: list[RecordedEvent[JackpotIncremented]] = field(default_factory=list)
    whole: bool = True


def collections(dossier: Dossier) -> list[Collection]:
    """The jackpot chips of a partida, round by round; an increment that names none stands alone."""
    names = _names(dossier)
    by_name = {recorded.event.round: Collection(recorded) for recorded in dossier.of(RoundPlayed)}
    by_place: dict[Place, Collection] = {}
    loose: list[Collection] = []
    for recorded in dossier.of(JackpotIncremented):
        place = recorded.event.shoe, recorded.event.number
        name = recorded.event.round or names.get(place)
        if name is not None:
            by_name.setdefault(name, Collection()).increments.append(recorded)
        elif None not in place:
            by_place.setdefault(place, Collection()).increments.append(recorded)
        else:
            loose.append(Collection(None, [recorded]))
    named = {name: one for name, one in by_name.items() if one.increments or _staked(one.round)}
    found = [*named.values(), *by_place.values(), *loose]
    # What has a place only may be the same round as what has a name only.
    nowhere = [
        one for name, one in named.items() if name not in names.values() and one.round is None
    ]
    doubtful = [*nowhere, *by_place.values()] if nowhere and by_place else []
    for one in found:
        # A round's own record tells all its wagers, whatever else is recorded.
        alone = one.round is not None or not loose or len(found) == 1
        one.whole = alone and one not in doubtful
    return found


def _names(dossier: Dossier) -> dict[Place, str]:
    """The UUID of each round of which somebody recorded shoe and number."""
    names: dict[Place, str] = {}
    for played in dossier.of(RoundPlayed):
        names[played.event.shoe, played.event.number] = played.event.round
    for recorded in dossier.of(JackpotIncremented):
        if recorded.event.round is not None:
            names[recorded.event.shoe, recorded.event.number] = recorded.event.round
    return {place: name for place, name in names.items() if None not in place}


def _staked(recorded: RecordedEvent[RoundPlayed] | None) -> Chips:
    """The chips a round's own record tells."""
    staked: Chips = Counter()
    if recorded is not None:
        for box in recorded.event.boxes:
            for wager in box.wagers:
                if wager.kind == "jackpot":
                    staked[wager.owner, box.number] += wager.chip or 0
    return staked


def _collected(increments: Iterable[RecordedEvent[JackpotIncremented]], jackpot: str) -> Chips:
    """The chips that increments tell of one pool."""
    collected: Chips = Counter()
    for recorded in increments:
        if recorded.event.jackpot == jackpot:
            for chip in recorded.event.chips:
                collected[chip.owner, chip.box] += chip.n
    return collected


def _chips_of(collection: Collection) -> list[Chips]:
    """The chips of one round, for each pool by itself.

    Of two tellings of one round the larger count is taken. A round's record names no pool: where
    the increments name several it says nothing.
    """
    pools = sorted({recorded.event.jackpot for recorded in collection.increments})
    staked = _staked(collection.round)
    if len(pools) > 1:
        return [_collected(collection.increments, pool) for pool in pools]
    return [staked | _collected(collection.increments, pools[0]) if pools else staked]


def one_chip_per_player(collection: Collection, rules: LawInForce) -> Verdict:
    """No more chips of one player in a round than the law allows. Law: PT art. 47."""
    breaches = [
        breach for chips in _chips_of(collection) for breach in _too_many(collection, chips, rules)
    ]
    return breaches or (LAWFUL if collection.whole else UNDECIDED)


def _too_many(collection: Collection, chips: Chips, rules: LawInForce) -> list[Breach]:
    most = rules["jackpot.chips_per_player"]
    evidence = evidence_of(
        collection.round if _staked(collection.round) else None, *collection.increments
    )
    if rules["jackpot.chip_for"] == "box":
        return [
            breach({"chips": n}, {"at_most": most}, *evidence, where={"owner": owner, "box": box})
            for (owner, box), n in sorted(chips.items())
            if n > most
        ]
    breaches = []
    for owner in sorted({owner for owner, _ in chips}):
        mine = [n for (name, _), n in chips.items() if name == owner]
        if sum(mine) > most:
            # With more than enough on one box the reading changes nothing.
            readings = ("one-chip",) if max(mine) <= most else ()
            observed = {"chips": sum(mine)}
            breaches.append(
                breach(
                    observed,
                    {"at_most": most},
                    *evidence,
                    where={"owner": owner},
                    readings=readings,
                )
            )
    return breaches
