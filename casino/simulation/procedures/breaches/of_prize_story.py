"""What is wrong with a progressive prize as a whole, and shows in its story from end to end only.

A meter told otherwise than it was, a display misread, a prize paid by a meter nobody recorded, no
new start when one was due, more claimed than there ever was, a meter beyond its limit. No partida's
own records show it: whoever replays the prize finds it. Law: PT art. 40, 41, 43, 44, 50.
"""

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Final

from casino.simulation.procedures import simulated_cast
from casino.simulation.procedures.breaches.breaking import Breach, Place, ProceduralEvening, Spot
from casino.simulation.procedures.procedure_acts import MINUTE, Act, ByName, Partida, later
from casino.simulation.procedures.simulated_pools import Pool

STARTED: Final = "jackpot-started/1"
WON: Final = "jackpot-won/1"
WAITED: Final = 20 * MINUTE  # longer than a new starting value may take
PAID: Final = "jackpot-paid/1"


def _unbroken(
    breach: Breach, evening: ProceduralEvening, rng: Random
) -> list[tuple[Pool, list[Partida]]]:
    """Prizes in whose stories nothing is unlawful yet."""
    broken = {dict(label.where).get("jackpot") for label in evening.labels}
    pools = evening.lawful_pools(breach, rng)
    return [(pool, here) for pool, here in pools if pool.code not in broken]


def of_the_prize(
    plant: Callable[[Pool, list[Partida], Random], bool],
    breach: Breach,
    evening: ProceduralEvening,
    rng: Random,
) -> Iterable[Spot] | None:
    """A breach in the story of a prize none of whose partidas has another."""
    for pool, here in _unbroken(breach, evening, rng):
        if plant(pool, here, rng):
            return [Spot("", breach.check, {"jackpot": pool.code})]
    return None


def _fixed(pool: Pool, games: list[Partida]) -> Iterator[tuple[Act, Act]]:
    """Wins of one fixed prize, whatever the meter runs at, each with its payment."""
    for game in games:
        for hit in game.named("jackpot-won/1"):
            payments = game.named(PAID, hit=hit)
            prize = pool.table.prize(payments[0].event.final["code"])
            if len(payments) == 1 and prize is not None and prize.fixed is not None:
                yield hit, payments[0]


def won_at(pool: Pool, games: list[Partida], rng: Random, *, times: int, more: int) -> bool:
    """One win tells another value of the meter: so many times it, and so much more."""
    for hit, _ in _fixed(pool, games):
        hit.change(running_microcents=times * hit.event.final["running_microcents"] + more)
        return True
    return False


def wins_in_another_order(pool: Pool, games: list[Partida], rng: Random) -> bool:
    """One win says that it came second."""
    for hit, _ in _fixed(pool, games):
        hit.change(order=2)
        return True
    return False


def paid_without_ground(
    breach: Breach, evening: ProceduralEvening, rng: Random
) -> Iterable[Spot] | None:
    """A winner is paid more than was ever put in, which is more than he is due besides."""
    for pool, here in _unbroken(breach, evening, rng):
        for hit, paid in _fixed(pool, here):
            value = paid.event.final
            paid.change(paid_cents=value["paid_cents"] + 10**9)
            where: Place = {name: value[name] for name in ("owner", "box", "jackpot")}
            (game,) = [one for one in here if hit in one.acts]
            beyond = Spot("", breach.check, {"jackpot": pool.code})
            return [Spot(game.name, "jackpot_prizes_as_approved", where), beyond]
    return None


def seal_of_another_meter(pool: Pool, games: list[Partida], rng: Random) -> bool:
    """A seal has a chip more than was ever told."""
    seal = pool.named("jackpot-sealed/1")[0]
    more = pool.chip_cents * pool.rate
    value = seal.event.final
    seal.change(
        microcents=value["microcents"] + more,
        contributed_microcents=value["contributed_microcents"] + more,
    )
    return True


def misread(pool: Pool, games: list[Partida], rng: Random, *, cents: int) -> bool:
    """Somebody reads so much more off the display than it ought to show; below 0, less."""
    read = pool.named("jackpot-read/1")[0]
    read.change(display_cents=read.event.final["display_cents"] + cents)
    return True


def paid_short(pool: Pool, games: list[Partida], rng: Random) -> bool:
    """Nobody tells what the meter ran at, and less is paid than it makes."""
    for hit, paid in _fixed(pool, games):
        hit.change(running_microcents=None)
        paid.change(paid_cents=paid.event.final["paid_cents"] - 100)
        return True
    return False


def never_started_again(pool: Pool, games: list[Partida], rng: Random) -> bool:
    """The meter was emptied, and chips are taken long after without a new starting value."""
    starts = [(game, act) for game in games for act in game.named(STARTED)]
    if len(starts) != 1:
        return False
    ((where, start),) = starts
    if any(win.known_at > start.known_at for game in games for win in game.named(WON)):
        return False  # that one's prizes would be of more than there is
    waited = start.known_at + WAITED
    after = [act for game in games for act in game.acts if act.known_at > waited]
    chips = [act for act in after if _has_chips(act)]
    if chips:
        where.drop(start)
    return bool(chips)


def _has_chips(act: Act) -> bool:
    if isinstance(act.event, ByName):
        return act.event.kind == "jackpot-incremented/1"
    boxes = getattr(act.event, "boxes", ())
    return any(wager.kind == "jackpot" for box in boxes for wager in box.wagers)


def started_for_nothing(pool: Pool, games: list[Partida], rng: Random) -> bool:
    """A starting value is put in where the last is still being played for."""
    if any(game.named(STARTED) for game in games):
        return False
    first = min(act.at for game in games for act in game.acts)
    values = {"jackpot": pool.code, "start_cents": pool.start_cents, "reason": "other"}
    pool.acts.append(Act(later(first, -1), simulated_cast.MANAGER, ByName(STARTED, values)))
    return True


def meter_beyond_its_limit(pool: Pool, games: list[Partida], rng: Random) -> bool:
    """The terms let the meter run half as high as it starts: only emptied it falls below that."""
    if any(game.named(STARTED) for game in games):
        return False
    pool.terms.change(limit_cents=pool.start_cents // 2)
    return True
