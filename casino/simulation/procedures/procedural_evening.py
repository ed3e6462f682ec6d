"""A whole evening: two tables with shoes and two with shufflers, a partida or two at each.

The same seed makes the same evening everywhere.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any, Final, NamedTuple

from casino.simulation.procedures import shoe_story, shuffler_story, simulated_cast, simulated_house
from casino.simulation.procedures.breaches.breaking import Breach, ProceduralEvening
from casino.simulation.procedures.breaches.every_breach import BREACHES, plant
from casino.simulation.procedures.counted_money import count_money
from casino.simulation.procedures.procedure_acts import Act, Partida
from casino.simulation.procedures.reckoning import reckon
from casino.simulation.procedures.shoe_story import ShoeStory
from casino.simulation.procedures.shuffler_story import Attendance, ShufflerStory
from casino.simulation.procedures.side_play import SidePlay
from casino.simulation.procedures.simulated_pools import Pool, looked_after, pools_of
from casino.simulation.procedures.simulated_tables import SeatedTable
from casino.simulation.procedures.table_story import Story, backs_of

OFTEN: Final = 0.3  # of each thing that may happen in a partida
PLAYED_FOR: Final = 0.35  # of the partidas have a progressive prize
REPORTS: Final = 0.5  # of the machines of an evening without a breach report of themselves
POOL: Final = "pool"  # what a breach asks for that is one of such a partida
BETWEEN: Final = timedelta(hours=1)  # two partidas of a table: the first is closed before that
FIRST_HOURS: Final = (15, 20)  # of the first and of the second partida of a table, UTC
MOST: Final = 5  # breaches of one evening, so that each has a partida of its own
MOST_OF_A_DEALING: Final = 3
RETRIES: Final = 12  # evenings that are tried before a breach is given up


def evening_without_breach(
    seed: int, day: date, meant_for: Sequence[Breach] = ()
) -> ProceduralEvening:
    """A lawful evening, with a partida dealt as each of some breaches asks."""
    rng = Random(f"livro-da-sala/procedures/{seed}")
    begin = datetime(day.year, day.month, day.day, tzinfo=UTC)
    founded = begin - timedelta(days=30) + timedelta(hours=11)
    evening = ProceduralEvening(
        day, [*simulated_house.founded(founded)], [], pools=pools_of(day, seed)
    )
    evening.house += simulated_house.all_on_duty(
        begin + timedelta(hours=13), begin + timedelta(hours=27)
    )
    attendance = Attendance()
    waiting = list(meant_for)
    for number, hour in enumerate(FIRST_HOURS, start=1):
        for place in simulated_cast.PLACES:
            # What nobody asks for is there now and then.
            here = next(
                (one for one in waiting if one.dealing == simulated_cast.dealing_of(place)), None
            )
            if here is not None:
                waiting.remove(here)
            elif number > 1 and rng.random() < 0.5:
                continue
            first = begin + timedelta(hours=hour, minutes=rng.randint(0, 50))
            ends = [
                game.ends
                for game in evening.partidas
                if game.table == simulated_cast.table_of(place)
            ]
            first = max([first, *(end + BETWEEN for end in ends)])
            story = _story(_Place(seed, day, place, number), first, here, rng)
            if isinstance(story, ShufflerStory):
                story.attendance = attendance
            if not meant_for:  # a breach that is meant for it finds its machine silent
                chance = Random(f"livro-da-sala/reports/{seed}/{story.partida.name}")
                story.partida.wishes = {"reports": chance.random() < REPORTS}
            _side_play(story, evening.pools, here, seed)
            story.play_out()
            evening.partidas.append(story.partida)
            evening.stories[story.partida.name] = story
    evening.house += _cards(evening.partidas, begin - timedelta(days=7) + timedelta(hours=11))
    for pool in evening.pools:
        games = [game for game in evening.partidas if game.pool == pool.code]
        looked_after(pool, games, Random(f"livro-da-sala/{pool.code}/{seed}"))
    return evening


def _side_play(story: Story, pools: list[Pool], meant_for: Breach | None, seed: int) -> None:
    """Let a progressive prize be played for in some partidas, and in those meant for it.

    By a chance of its own: everything else happens as it would without.
    """
    game = story.partida
    rng = Random(f"livro-da-sala/side/{seed}/{game.name}")
    wanted = POOL in meant_for.features if meant_for is not None else rng.random() < PLAYED_FOR
    if wanted:
        (pool,) = [one for one in pools if one.by_hand == (game.dealing == "shoe")]
        story.side = SidePlay(game, story.table, pool, rng).planned()


def _cards(partidas: Collection[Partida], at: datetime) -> Iterator[Act]:
    decks = [
        (each.deck, each.back_colour)
        for game in partidas
        for decks in (game.decks, [game.decks[-1] + "R"])
        for each in backs_of(decks, game.house.backs)
    ]
    return simulated_house.cards_received(decks, at)


class _Place(NamedTuple):
    """One partida of one evening: its seed and day, its table's place, its number there."""

    seed: int
    day: date
    place: int
    number: int

    def partida(self, rng: Random) -> Partida:
        """The partida, with decks nobody else has."""
        place = self.place
        first = 1 + 20 * (place - simulated_cast.FIRST) + 10 * (self.number - 1)
        return Partida(
            day=self.day,
            table=simulated_cast.table_of(place),
            number=self.number,
            dealing=simulated_cast.dealing_of(place),
            decks=tuple(
                f"D-{self.day:%y%m%d}-{first + deck:03d}"
                for deck in range(simulated_cast.decks_of(place))
            ),
            pit=simulated_cast.pit_of(place),
            chefe=rng.choice(simulated_cast.CHEFES),
            house=simulated_cast.HOUSE,
            dealers=simulated_cast.dealers_of(place),
            device=simulated_cast.device_of(place),
            shuffler=simulated_cast.shuffler_of(place),
        )


def quiet_game(seed: int, day: date, wishes: dict[str, object]) -> Partida:
    """One partida dealt from shoes in which nothing happens besides the game, played out."""
    place = next(one for one in simulated_cast.PLACES if simulated_cast.dealing_of(one) == "shoe")
    first = datetime(day.year, day.month, day.day, 20, tzinfo=UTC)
    rng = Random(f"livro-da-sala/quiet/{seed}")
    breach = Breach("", "", "shoe", "", lambda *_: None, wishes=wishes)
    story = _story(_Place(seed, day, place, 1), first, breach, rng)
    story.features = frozenset()
    story.play_out()
    return story.partida


def _story(
    here: _Place, first: datetime, meant_for: Breach | None, rng: Random
) -> ShoeStory | ShufflerStory:
    partida, asked, error = here.partida(rng), frozenset[str](), None
    if meant_for is not None:
        partida.wishes, partida.meant_for = meant_for.wishes, meant_for.kind
        asked, error = meant_for.features, meant_for.error
    possible = (shoe_story if partida.dealing == "shoe" else shuffler_story).FEATURES
    table = SeatedTable(here.place, 1_000 * here.seed + here.number, first, here.day, error)
    table.partida = partida.name
    values: dict[str, Any] = {
        "partida": partida,
        "table": table,
        "rng": rng,
        "rounds": partida.wishes.get("rounds") or rng.randint(24, 40),
        "features": asked | {name for name in possible if rng.random() < OFTEN},
        "first": first,
    }
    if partida.dealing == "shoe":
        return ShoeStory(**values, shoes=rng.choice((2, 2, 3)))
    return ShufflerStory(**values)


def procedural_evening(seed: int, day: date, breaches: Sequence[Breach] = ()) -> ProceduralEvening:
    """An evening with these breaches planted, each in a partida of its own.

    Raises: ValueError, where there is no room for one of them.
    """
    missing: list[str] = []
    for turn in range(RETRIES):
        evening = evening_without_breach(seed + 1_000_003 * turn, day, breaches)
        rng = Random(f"livro-da-sala/breaches/{seed}")
        if not reckon(evening.pools, evening.acts, evening.partidas):
            continue  # two tables won at once: who pays whom is then decided by the house
        missing = [breach.kind for breach in breaches if not plant(breach, evening, rng)]
        if not missing:
            reckon(evening.pools, evening.acts, evening.partidas)
            for game in evening.partidas:
                count_money(game)
            return evening
    raise ValueError(f"no room for {', '.join(missing)}")


def evening_with(seed: int, day: date, number: int) -> ProceduralEvening:
    """An evening with so many breaches of different kinds, drawn by the seed.

    Raises: ValueError, for more than `MOST`.
    """
    if not 0 <= number <= MOST:
        raise ValueError(f"found {number} breaches; asked is 0 to {MOST}")
    rng = Random(f"livro-da-sala/drawn/{seed}")
    while True:
        drawn = rng.sample(BREACHES, number)
        by_dealing = Counter(breach.dealing for breach in drawn)
        if max(by_dealing.values(), default=0) <= MOST_OF_A_DEALING:
            with suppress(ValueError):
                return procedural_evening(seed, day, drawn)
