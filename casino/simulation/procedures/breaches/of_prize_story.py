"""What is wrong with a progressive prize as a whole, and shows in its story from end to end only.

A meter told otherwise than it was, a display misread, a prize paid by a meter nobody recorded, no
new start when one was due, more claimed than there ever was, a meter beyond its limit. No partida's
own records show it: whoever replays the prize finds it. Law: PT art. 40, 41, 43, 44, 50.
"""

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any, Final

from casino.events.partidas import Dealing
from casino.simulation.procedures import simulated_cast
from casino.simulation.procedures.breaches.breaking import Breach, Place, ProceduralEvening, Spot
from casino.simulation.procedures.procedure_acts import MINUTE, Act, ByName, Partida, later
from casino.simulation.procedures.simulated_pools import Pool

METER: Final = "jackpot_meter_is_as_told"
DISPLAY: Final = "jackpot_display_shows_the_meter"
CLAIM: Final = "jackpot_claim_is_within_the_money"
STARTED: Final = "jackpot-started/1"
WON: Final = "jackpot-won/1"
WAITED: Final = 20 * MINUTE  # longer than a new starting value may take
PAID: Final = "jackpot-paid/1"
Plant = Callable[[Pool, list[Partida], Random], bool]


def _of_the_prize(
    kind: str,
    check: str,
    dealing: Dealing,
    plant: Plant,
    winners: tuple[str, ...] = ("low",),
) -> Breach:
    """A breach in the story of a prize none of whose partidas has another."""

    def planter(evening: ProceduralEvening, rng: Random) -> Iterable[Spot] | None:
        free = evening.lawful(dealing, rng, kind)
        broken = {dict(label.where).get("jackpot") for label in evening.labels}
        for pool in evening.pools:
            here = [game for game in evening.partidas if game.pool == pool.code]
            lawful = here and all(game in free for game in here) and pool.code not in broken
            if lawful and plant(pool, here, rng):
                return [Spot("", check, {"jackpot": pool.code})]
        return None

    return Breach(kind, check, dealing, planter, frozenset({"pool"}), {"winners": winners})


def _fixed(pool: Pool, games: list[Partida]) -> Iterator[tuple[Act, Act]]:
    """Wins of one fixed prize, whatever the meter runs at, each with its payment."""
    for game in games:
        for hit in game.named("jackpot-won/1"):
            payments = game.named(PAID, hit=hit)
            prize = pool.table.prize(payments[0].event.final["code"])
            if len(payments) == 1 and prize is not None and prize.fixed is not None:
                yield hit, payments[0]


def _win(**values: Callable[[int], Any]) -> Plant:
    """One win tells something else: of the meter's value, what that function makes."""

    def plant(pool: Pool, games: list[Partida], rng: Random) -> bool:
        for hit, _ in _fixed(pool, games):
            running = hit.event.final["running_microcents"]
            hit.change(**{name: make(running) for name, make in values.items()})
            return True
        return False

    return plant


def _paid_beyond_the_money(evening: ProceduralEvening, rng: Random) -> Iterable[Spot] | None:
    """A winner is paid more than was ever put in, which is more than he is due besides."""
    free = evening.lawful("shoe", rng, "paid_without_ground")
    broken = {dict(label.where).get("jackpot") for label in evening.labels}
    for pool in evening.pools:
        here = [game for game in evening.partidas if game.pool == pool.code]
        if pool.code in broken or not here or not all(game in free for game in here):
            continue
        for hit, paid in _fixed(pool, here):
            value = paid.event.final
            paid.change(paid_cents=value["paid_cents"] + 10**9)
            where: Place = {name: value[name] for name in ("owner", "box", "jackpot")}
            (game,) = [one for one in here if hit in one.acts]
            beyond = Spot("", CLAIM, {"jackpot": pool.code})
            return [Spot(game.name, "jackpot_prizes_as_approved", where), beyond]
    return None


def _sealed_wrong(pool: Pool, games: list[Partida], rng: Random) -> bool:
    """A seal has a chip more than was ever told."""
    seal = pool.named("jackpot-sealed/1")[0]
    more = pool.chip_cents * pool.rate
    value = seal.event.final
    seal.change(
        microcents=value["microcents"] + more,
        contributed_microcents=value["contributed_microcents"] + more,
    )
    return True


def _misread(cents: int) -> Plant:
    """Somebody reads so much more off the display than it ought to show; below 0, less."""

    def plant(pool: Pool, games: list[Partida], rng: Random) -> bool:
        read = pool.named("jackpot-read/1")[0]
        read.change(display_cents=read.event.final["display_cents"] + cents)
        return True

    return plant


def _short(pool: Pool, games: list[Partida], rng: Random) -> bool:
    """Nobody tells what the meter ran at, and less is paid than it makes."""
    for hit, paid in _fixed(pool, games):
        hit.change(running_microcents=None)
        paid.change(paid_cents=paid.event.final["paid_cents"] - 100)
        return True
    return False


def _never_again(pool: Pool, games: list[Partida], rng: Random) -> bool:
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


def _started_for_nothing(pool: Pool, games: list[Partida], rng: Random) -> bool:
    """A starting value is put in where the last is still being played for."""
    if any(game.named(STARTED) for game in games):
        return False
    first = min(act.at for game in games for act in game.acts)
    values = {"jackpot": pool.code, "start_cents": pool.start_cents, "reason": "other"}
    pool.acts.append(Act(later(first, -1), simulated_cast.MANAGER, ByName(STARTED, values)))
    return True


def _beyond_its_limit(pool: Pool, games: list[Partida], rng: Random) -> bool:
    """The terms let the meter run half as high as it starts: only emptied it falls below that."""
    if any(game.named(STARTED) for game in games):
        return False
    pool.terms.change(limit_cents=pool.start_cents // 2)
    return True


BREACHES: Final = (
    _of_the_prize(
        "win_by_another_meter",
        METER,
        "shoe",
        _win(running_microcents=lambda running: running - 123_456),
    ),
    _of_the_prize("seal_of_another_meter", METER, "shuffler", _sealed_wrong),
    _of_the_prize("display_misread", DISPLAY, "shoe", _misread(-100)),
    _of_the_prize("display_without_ground", DISPLAY, "shuffler", _misread(10**9)),
    _of_the_prize(
        "claim_without_ground", METER, "shoe", _win(running_microcents=lambda running: 3 * running)
    ),
    Breach(
        "paid_without_ground",
        CLAIM,
        "shoe",
        _paid_beyond_the_money,
        frozenset({"pool"}),
        {"winners": ("low",)},
    ),
    _of_the_prize("paid_by_an_untold_meter", "jackpot_prizes_follow_the_meter", "shuffler", _short),
    _of_the_prize(
        "never_started_again", "jackpot_is_started_when_due", "shoe", _never_again, ("top",)
    ),
    _of_the_prize(
        "started_for_nothing", "jackpot_is_started_when_due", "shuffler", _started_for_nothing
    ),
    _of_the_prize(
        "meter_beyond_its_limit", "jackpot_meter_is_within_its_limit", "shoe", _beyond_its_limit
    ),
    _of_the_prize(
        "wins_in_another_order",
        "jackpot_wins_in_the_decided_order",
        "shuffler",
        _win(order=lambda running: 2),
    ),
)
