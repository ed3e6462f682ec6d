"""An evening of procedures, what a breach is that is planted in it, and the plainest of them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from random import Random
from typing import Any

from casino.events.inspection import LimitsApproved
from casino.events.partidas import Dealing, PartidaClosed
from casino.events.tables import LimitsSet, TableRegistered
from casino.simulation.fault_labels import Planted
from casino.simulation.planting import Kind
from casino.simulation.procedures.procedure_acts import SECOND, Act, Partida
from casino.simulation.procedures.simulated_pools import Pool
from casino.simulation.procedures.table_story import Story

Place = dict[str, int | str]


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a breach lies: in which partida, at which check, at which place or in which round.

    No partida ("") where only the whole story of a progressive prize shows it.
    """

    partida: str
    check: str
    where: Place
    round: str | None = None


@dataclass(frozen=True, slots=True)
class Breach:
    """One way to break the rules of procedure: its name, the check it meets, how it is made.

    `dealing` is where it can be made; `features`, `wishes` and `error` are asked of one partida
    while its cards are dealt: what happens in it, what is done otherwise, a kind of round error.
    `spots` makes it, and says where it lies; None where there is no room for it.
    """

    kind: str
    article: str
    dealing: Dealing
    check: str
    spots: "Callable[[Breach, ProceduralEvening, Random], Iterable[Spot] | None]"
    features: frozenset[str] = frozenset()
    wishes: dict[str, object] = field(default_factory=dict)
    error: Kind | None = None


@dataclass(slots=True, eq=False)
class ProceduralEvening:
    """Everything told of one gaming day, and what of it is unlawful.

    `house` is what the house told of itself, `pools` are its progressive prizes, `labels` the
    breaches that were planted.
    """

    day: date
    house: list[Act]
    partidas: list[Partida]
    stories: dict[str, Story] = field(default_factory=dict)
    pools: list[Pool] = field(default_factory=list)
    labels: list[Planted] = field(default_factory=list)

    @property
    def acts(self) -> list[Act]:
        """All of it, as it was recorded."""
        acts = [
            *self.house,
            *(act for pool in self.pools for act in pool.acts),
            *(act for game in self.partidas for act in game.acts),
        ]
        return sorted(acts, key=lambda act: act.known_at)

    def lawful(self, breach: Breach, rng: Random) -> list[Partida]:
        """The partidas dealt as a breach asks of which nothing is unlawful yet, in some order.

        One that was dealt for it comes first, one dealt for another not at all.
        """
        broken = {label.partida for label in self.labels}
        free = [
            one
            for one in self.partidas
            if one.dealing == breach.dealing
            and one.name not in broken
            and one.meant_for in ("", breach.kind)
        ]
        rng.shuffle(free)
        return sorted(free, key=lambda partida: partida.meant_for == "")

    def at_table(self, table: str) -> list[Partida]:
        """The partidas of a table."""
        return [game for game in self.partidas if game.table == table]

    def pool_of(self, game: Partida) -> Pool:
        """The prize that is played for in a partida."""
        return next(pool for pool in self.pools if pool.code == game.pool)

    def lawful_pools(self, breach: Breach, rng: Random) -> list[tuple[Pool, list[Partida]]]:
        """The prizes that were played for in lawful partidas alone, with these."""
        free = self.lawful(breach, rng)
        games = {
            pool.code: [one for one in self.partidas if one.pool == pool.code]
            for pool in self.pools
        }
        return [
            (pool, games[pool.code])
            for pool in self.pools
            if games[pool.code] and all(game in free for game in games[pool.code])
        ]

    def registration(self, table: str) -> Act:
        """How a table was registered."""
        return self._of_house(TableRegistered, lambda event: event.table == table)

    def limits_set(self, table: str) -> Act:
        """The limits set for a table."""
        return self._of_house(LimitsSet, lambda event: event.table == table)

    def limits_approved(self, table: str) -> Act:
        """The limits approved for a table."""
        return self._of_house(LimitsApproved, lambda event: table in event.tables)

    def _of_house(self, event_class: type, meant: Callable[[Any], bool]) -> Act:
        (act,) = [
            one for one in self.house if isinstance(one.event, event_class) and meant(one.event)
        ]
        return act


def in_a_partida(
    plant: Callable[..., Any],
    breach: Breach,
    evening: ProceduralEvening,
    rng: Random,
    *,
    beside: bool = False,
) -> list[Spot] | None:
    """A breach within one partida.

    `plant` gets one that is lawful, with the evening where it is `beside`, and answers the place,
    several checks with theirs, or the spots.
    """
    around = (evening,) if beside else ()
    for game in evening.lawful(breach, rng):
        pool_wanted = "pool" in breach.features and game.pool is None
        found = None if pool_wanted else plant(game, rng, *around)
        if found is not None:
            met = [(breach.check, found)] if isinstance(found, dict) else found
            return [one if isinstance(one, Spot) else Spot(game.name, *one) for one in met]
    return None


# What many breaches are: one act recorded otherwise, left out, or done at another time


def changed(
    game: Partida,
    rng: Random,
    *,
    one: str = "",
    first: str = "",
    last: str = "",
    of: Mapping[str, object] | None = None,
    names: str = "",
    place: Place | None = None,
    drop: bool = False,
    without: Sequence[str] = (),
    **values: object,
) -> Place | None:
    """An act of a kind recorded otherwise, or not: `one` by chance, the `first` or the `last`.

    `of` are values that it has, `names` is the field that says where it lies, if `place` does not;
    `without` are fields that are left out.
    """
    found = game.of_kind(one or first or last, **(of or {}))
    if not found:
        return None
    act = rng.choice(found) if one else found[-1 if last else 0]
    where = {names: getattr(act.event, names)} if names else dict(place or {})
    if drop:
        game.drop(act)
    else:
        people = {"$pit": game.pit.staff, "$chefe": game.chefe.staff}
        given = {name: people.get(str(value), value) for name, value in values.items()}
        act.change(**given, **dict.fromkeys(without))
    return where


def done_before(game: Partida, rng: Random, *, one: str, other: str) -> Place:
    """An act done just before the one it has to follow."""
    act = rng.choice(game.of_kind(one))
    act.at = game.of_kind(other, shoe=act.event.shoe)[0].at - SECOND
    return {"shoe": act.event.shoe}


def done_after_the_deal(game: Partida, rng: Random, *, one: str) -> Place | None:
    """An act done when the first cards were out."""
    act = rng.choice(game.of_kind(one))
    dealt = next(one for one in game.rounds if one.event.shoe == act.event.shoe)
    if dealt.event.times is None:
        return None
    act.at = dealt.event.times.first_card + 10 * SECOND
    return {"shoe": act.event.shoe}


def answers_for_nothing(
    game: Partida, rng: Random, *, article: str, silent: str | None = None
) -> Place:
    """Nobody answers for an article at the closing, and a round does not show that it was kept."""
    closed = game.of(PartidaClosed)[-1]
    kept = tuple(one for one in closed.event.attested or () if one.article != article)
    closed.change(attested=kept)
    played = rng.choice(game.rounds)
    if silent is not None:
        played.change(**{silent: None})
    return {}
