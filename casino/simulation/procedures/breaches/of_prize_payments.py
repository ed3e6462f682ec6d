"""Progressive prizes won by other cards or without a chip, paid wrongly, out of turn, twice, late.

Law: PT art. 43, 45, 46, 49, 50.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from casino.events.round.round_played import RoundPlayed, Wager
from casino.simulation.procedures import simulated_cast
from casino.simulation.procedures.breaches.breaking import Breach, Place, ProceduralEvening, Spot
from casino.simulation.procedures.procedure_acts import MINUTE, SECOND, Act, ByName, Partida, Word
from casino.simulation.procedures.simulated_pools import TABLES, Table
from casino.tlog.canonical import instant_text

PAID: Final = "jackpot-paid/1"
PRIZES: Final = "jackpot_prizes_as_approved"
OPEN: Final = "jackpot_cards_stay_open_until_paid"
REMAINDER: Final = "jackpot_remainder_to_the_top"
HIGHEST: Final = frozenset(table.prizes[0].code for table in TABLES)


@dataclass(frozen=True, slots=True)
class Win:
    """A win that was recorded, its payments as they were made, the round it was won in."""

    hit: Act
    payments: tuple[Act, ...]
    played: Act

    @property
    def codes(self) -> list[str]:
        """What was paid, in that order."""
        return [act.event.final["code"] for act in self.payments]

    @property
    def timed(self) -> bool:
        """Whether somebody wrote down when its cards were collected."""
        times = self.played.event.times
        return times is not None and times.collected is not None

    @property
    def clear(self) -> bool:
        """Whether the round's record shows which cards came first on every box."""
        record = self.played.event
        split = any(len(box.hands) > 1 for box in record.boxes)
        return not split or (record.dealt is not None and not record.misdealt)


def _wins(game: Partida) -> Iterator[Win]:
    rounds = {act.event.round: act for act in game.rounds}
    for hit in game.named("jackpot-won/1"):
        payments = sorted(game.named(PAID, hit=hit), key=lambda act: act.at)
        yield Win(hit, tuple(payments), rounds[hit.event.final["round"]])


def _small(game: Partida, rng: Random) -> list[Win]:
    """The wins of one small prize, in some order."""
    found = [win for win in _wins(game) if len(win.codes) == 1 and win.codes[0] not in HIGHEST]
    rng.shuffle(found)
    return found


def _where(act: Act) -> Place:
    value = act.event.final
    return {"owner": value["owner"], "box": value["box"], "jackpot": value["jackpot"]}


def _more(act: Act, cents: int) -> None:
    """So much more than is due is paid; below 0, so much less."""
    act.change(paid_cents=act.event.final["paid_cents"] + cents)


# How much


def paid_otherwise(game: Partida, rng: Random, *, cents: int) -> Place | None:
    """So much more than is due is paid; below 0, so much less."""
    for win in _small(game, rng):
        _more(win.payments[0], cents)
        return _where(win.payments[0])
    return None


def prize_never_paid(game: Partida, rng: Random) -> Sequence[tuple[str, Place]] | None:
    """A prize was won and nobody paid it; the cards were collected all the same."""
    for win in _small(game, rng):
        if win.timed:
            (paid,) = win.payments
            game.drop(paid, game.word_for(paid))
            return [(PRIZES, _where(paid)), (OPEN, _where(paid))]
    return None


def remainder_withheld(game: Partida, rng: Random) -> Place | None:
    """The highest combination does not get all that is left."""
    for win in _wins(game):
        if sum(code in HIGHEST for code in win.codes) == 1:
            _more(win.payments[-1], -10_000)
            return _where(win.payments[-1])
    return None


def unequal_shares(game: Partida, rng: Random) -> Sequence[tuple[str, Place]] | None:
    """Two have the highest combination, and one gets more of it."""
    for win in _wins(game):
        if len(win.codes) > 1 and win.codes[-1] == win.codes[-2] in HIGHEST:
            one, other = win.payments[-2:]
            _more(one, 100)
            _more(other, -100)
            return [(REMAINDER, _where(one)), (REMAINDER, _where(other))]
    return None


# By which cards, when, in which order, how often


def won_by_other_cards(game: Partida, rng: Random, evening: ProceduralEvening) -> Place | None:
    """A prize is said to be won, and paid, by a combination the cards do not make."""
    for win in _small(game, rng):
        (paid,), (winner,) = win.payments, win.hit.event.final["winners"]
        lines = evening.pool_of(game).table.prizes[1:]
        other = rng.choice([one.code for one in lines if one.code != winner["code"]])
        if win.clear:
            win.hit.change(winners=[winner | {"code": other}])
            paid.change(code=other)
            return _where(paid)
    return None


def winner_without_a_chip(game: Partida, rng: Random, evening: ProceduralEvening) -> Place | None:
    """Who wins had laid no chip: the one that was collected was somebody else's."""
    for win in _small(game, rng):
        (winner,) = win.hit.event.final["winners"]
        acts = game.named("jackpot-incremented/1", round=win.played.event.round)
        laid = {chip["owner"] for act in acts for chip in act.event.final["chips"]}
        other = _without_a_chip(win.played.event, laid, evening.pool_of(game).table, rng)
        if other is not None:
            _chip_of(winner, other, win.played, acts)
            return _where(win.payments[0])
    return None


def _without_a_chip(
    record: RoundPlayed, laid: set[str], table: Table, rng: Random
) -> tuple[int, Wager] | None:
    """A main stake of somebody who laid no chip, on a box whose cards win nothing."""
    chips = {wager.owner for box in record.boxes for wager in box.wagers if wager.kind == "jackpot"}
    free = [
        (box.number, wager)
        for box in record.boxes
        if len(box.hands) == 1 and table.won_by(list(box.hands[0].cards)) is None
        for wager in box.wagers
        if wager.kind == "main" and wager.owner not in laid | chips
    ]
    return rng.choice(free) if free else None


def _chip_of(
    winner: dict[str, object], other: tuple[int, Wager], played: Act, acts: Sequence[Act]
) -> None:
    """The winner's chip is recorded as the other's, wherever it is recorded."""
    number, stake = other
    his = (winner["box"], winner["owner"], "jackpot")
    boxes, moved = [], []
    for box in played.event.boxes:
        gone = [one for one in box.wagers if (box.number, one.owner, one.kind) == his]
        moved += [replace(one, owner=stake.owner, seat=stake.seat) for one in gone]
        boxes.append(replace(box, wagers=tuple(one for one in box.wagers if one not in gone)))
    played.change(
        boxes=tuple(
            replace(box, wagers=(*box.wagers, *moved)) if box.number == number else box
            for box in boxes
        )
    )
    seat = {} if stake.seat is None else {"seat": stake.seat}
    for act in acts:
        chips = act.event.final["chips"]
        kept = [one for one in chips if (one["box"], one["owner"]) != his[:2]]
        act.change(
            chips=[*kept, {"box": number, "owner": stake.owner, "n": 1, "marked": True} | seat]
        )


def collected_before_payment(game: Partida, rng: Random) -> Place | None:
    """The cards were collected before the winner had his money."""
    for win in _small(game, rng):
        if win.timed:
            (paid,) = win.payments
            word = game.word_for(paid)
            paid.at = win.played.event.times.collected + MINUTE / 4
            paid.change(paid_at=instant_text(paid.at))
            word.at = word.event.present_until = paid.at + 5 * SECOND
            for act in (paid, word):
                act.recorded_at = None if act.recorded_at is None else max(act.recorded_at, act.at)
            return _where(paid)
    return None


def largest_prize_first(game: Partida, rng: Random) -> Place | None:
    """The remainder is paid before the smaller prize."""
    for win in _wins(game):
        if len(win.codes) == 2 and win.codes[1] in HIGHEST and win.codes[0] not in HIGHEST:
            first, second = win.payments
            moments = [act.event.final["paid_at"] for act in win.payments]
            first.event, second.event = second.event, first.event
            for act, moment, step in zip(win.payments, moments, (1, 2), strict=True):
                act.change(paid_at=moment, step=step)
            return _where(second)
    return None


def prize_paid_twice(game: Partida, rng: Random) -> Place | None:
    """The same prize is handed out a second time."""
    for win in _small(game, rng):
        (paid,) = win.payments
        again = ByName(PAID, paid.event.payload | {"step": 2}, {"again": True})
        at = paid.known_at + 2 * SECOND
        again.otherwise["paid_at"] = instant_text(paid.at + 2 * SECOND)
        act = game.record(at, again)
        left, manager = at + SECOND, simulated_cast.MANAGER
        word = Word(act, manager.staff, manager.office, "50", paid.at, left)
        game.record(left, word, manager)
        return _where(paid)
    return None


def prize_beyond_the_meter(
    breach: Breach, evening: ProceduralEvening, rng: Random
) -> list[Spot] | None:
    """A fixed prize is twice the starting value: whoever wins it gets what there is."""
    for pool, here in evening.lawful_pools(breach, rng):
        wins = [(game, win) for game in here for win in _wins(game)]
        for line in pool.table.prizes:
            if line.fixed is None or not wins or any(win.codes != [line.code] for _, win in wins):
                continue
            larger = replace(line, fixed=2 * pool.start_cents)
            prizes = tuple(larger if one is line else one for one in pool.table.prizes)
            pool.table = replace(pool.table, prizes=prizes)
            pool.terms.change(lines=[prize.line for prize in prizes])
            return [Spot(game.name, breach.check, _where(win.payments[0])) for game, win in wins]
    return None


def win_unrecorded(game: Partida, rng: Random) -> Place | None:
    """Somebody's first cards won, and nobody recorded it, nor paid."""
    for win in _small(game, rng):
        if win.clear:
            (paid,) = win.payments
            game.drop(win.hit, paid, game.word_for(paid))
            return _where(paid)
    return None
