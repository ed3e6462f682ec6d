"""The money of one game at its table: the chips that were counted, and those that should lie there.

Chips at the opening + brought - taken away - sold for cash + stakes kept - won beyond the stakes =
chips at the closing. Chips are sold for the cash that lies in the drop box. The chips of a
progressive prize and what it pays are its pool's, and in no term. Units: cents.

A count between opening and closing is held against what was brought, sold and played until then.
Of chips sold by then only the boxes taken off the table tell, so what it is off is the least it
can be.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, Literal, NamedTuple

from casino.events.complaints import ComplaintDecided, ComplaintReceived
from casino.events.floor_life import ChipsCounted, CountedWhen, DropCounted
from casino.events.partidas import ChipCount, PartidaClosed, PartidaOpened
from casino.events.round.round_played import RoundPlayed, Wager
from casino.law.dossier import RecordedEvent, in_time
from casino.law.game_incidents import is_before
from casino.law.partida_context import PartidaContext, in_place
from casino.law.round_moments import Round, first_card

Missing = Literal[
    "opening_uncounted", "closing_uncounted", "drop_uncounted", "rounds_unaccounted", "paid_from"
]
# Without these nothing is known of any count.
_OF_ALL: Final = frozenset[Missing]({"opening_uncounted", "drop_uncounted", "rounds_unaccounted"})
OF_THE_POOL: Final = "jackpot"  # the kind of wager whose chips are no chips of the table
Chips = RecordedEvent[ChipsCounted] | RecordedEvent[PartidaOpened] | RecordedEvent[PartidaClosed]
Drop = RecordedEvent[DropCounted]


class Counted(NamedTuple):
    """All chips of the table, counted once."""

    by: Chips
    cents: int

    @property
    def at(self) -> datetime:
        """When."""
        return self.by.occurred_at


class Checkpoint(NamedTuple):
    """A count during the game. `off` is by how much it is more (less: negative) than it can be.

    Units: cents, 0 where it may be right; None where a round may lie on either side of it, or a
    term of the whole game is not on record.
    """

    counted: Counted
    off: int | None


class TableMoney(NamedTuple):
    """What a game's record tells of its chips. Units: cents.

    `drop` is None where no box was counted. `staked` and `returned` are in chips of the table.
    `paid` is what was paid on complaints. `missing` is what the record lacks, () where it decides.
    """

    opening: Counted | None
    fills: int
    credits: int
    drop: int | None
    staked: int
    returned: int
    closing: Counted | None
    paid: int
    checkpoints: tuple[Checkpoint, ...]
    rounds: tuple[Round, ...]
    drops: tuple[Drop, ...]
    missing: tuple[Missing, ...]

    @property
    def expected(self) -> int | None:
        """What should lie there at the closing; None where a term is not on record."""
        if self.opening is None or self.drop is None:
            return None
        brought = self.fills - self.credits
        return self.opening.cents + brought - self.drop + self.staked - self.returned

    @property
    def difference(self) -> int | None:
        """What was counted at the closing less what should lie there; None as above."""
        if self.closing is None or self.expected is None:
            return None
        return self.closing.cents - self.expected

    @property
    def agreed(self) -> Counted | None:
        """The last count before the closing that may be right."""
        right = [one.counted for one in self.checkpoints if one.off == 0]
        return right[-1] if right else self.opening

    @property
    def rounds_since(self) -> list[Round]:
        """The rounds that are not certainly over by that count."""
        agreed = self.agreed
        if agreed is None or agreed is self.opening:
            return [*self.rounds]
        return [one for one in self.rounds if not _is_over(one, agreed.at)]


def money_of(game: PartidaContext) -> TableMoney:
    """The money of a game, as far as its record tells it."""
    dossier = game.dossier
    rounds = tuple(sorted(dossier.of(RoundPlayed), key=in_place))
    drops = tuple(sorted(dossier.of(DropCounted), key=in_time))
    opening, closing, paid = _at_the_opening(game), _at_the_closing(game, rounds), _paid(game)
    drop = sum(one.event.cash_cents for one in drops) if drops else None
    found = TableMoney(
        opening=opening,
        fills=sum(_worth(one) for one in _counts(game, "fill")),
        credits=sum(_worth(one) for one in _counts(game, "credit")),
        drop=drop,
        staked=sum(wager.stake_cents for one in rounds for wager in wagers_of(one)),
        returned=sum(wager.returned_cents for one in rounds for wager in wagers_of(one)),
        closing=closing,
        paid=paid,
        checkpoints=(),
        rounds=rounds,
        drops=drops,
        missing=(),
    )
    found = found._replace(missing=_missing(game, found))
    checkpoints = (Checkpoint(one, _off(game, found, one)) for one in _between(game, found))
    return found._replace(checkpoints=tuple(checkpoints))


def wagers_of(recorded: Round) -> list[Wager]:
    """The wagers of a round that lie in chips of the table, whoever laid them."""
    wagers = (wager for box in recorded.event.boxes for wager in box.wagers)
    return [wager for wager in wagers if wager.kind != OF_THE_POOL]


def total(counts: Sequence[ChipCount]) -> int:
    """What chips come to. Units: cents."""
    return sum(one.value_cents * one.count for one in counts)


# What is on record of each term


def _counts(game: PartidaContext, moment: CountedWhen) -> list[RecordedEvent[ChipsCounted]]:
    found = [one for one in game.dossier.of(ChipsCounted) if one.event.moment == moment]
    return sorted(found, key=in_time)


def _worth(recorded: RecordedEvent[ChipsCounted]) -> int:
    return total(recorded.event.counts)


def _one_way(counts: Sequence[Counted]) -> Counted | None:
    """The last of these counts; None where there is none, or where they differ."""
    return counts[-1] if len({one.cents for one in counts}) == 1 else None


def _at_the_opening(game: PartidaContext) -> Counted | None:
    opened = game.opened
    if opened is None:
        return None  # a record without its opening may lack anything else too
    counts = [Counted(one, _worth(one)) for one in _counts(game, "opening")]
    if opened.event.counts:
        counts.insert(0, Counted(opened, total(opened.event.counts)))
    return _one_way(counts)


def _at_the_closing(game: PartidaContext, played: Sequence[Round]) -> Counted | None:
    """Counted once nothing more was played, brought or taken away."""
    closed = game.closed
    if closed is None:
        return None
    counts = [Counted(one, _worth(one)) for one in _counts(game, "closing") if _is_last(game, one)]
    if closed.event.counts:
        counts.append(Counted(closed, total(closed.event.counts)))
    counted = _one_way(counts)
    after = [*played, *_counts(game, "fill"), *_counts(game, "credit")]
    if counted is None or any(is_before(counts[0].at, one.occurred_at) for one in after):
        return None
    return counted


def _is_last(game: PartidaContext, recorded: RecordedEvent[ChipsCounted]) -> bool:
    """Whether it is of the closing that holds, and of none that was undone."""
    return not game.reopened or in_time(recorded) > in_time(game.reopened[-1])


def _paid(game: PartidaContext) -> int:
    mine = {one.event.complaint for one in game.dossier.of(ComplaintReceived)}
    decided = game.dossier.anywhere(ComplaintDecided)
    return sum(one.event.paid_cents or 0 for one in decided if one.event.complaint in mine)


def _missing(game: PartidaContext, money: TableMoney) -> tuple[Missing, ...]:
    difference = money.difference
    lacks: dict[Missing, bool] = {
        "opening_uncounted": money.opening is None,
        "rounds_unaccounted": not _all_there(game, money.rounds),
        "drop_uncounted": not _last_box_counted(money),
        "closing_uncounted": money.closing is None,
        # Where it came from no record tells: so much may be gone from the table lawfully.
        "paid_from": difference is not None and -money.paid <= difference < 0,
    }
    return tuple(name for name, lacking in lacks.items() if lacking)


def _all_there(game: PartidaContext, played: Sequence[Round]) -> bool:
    """Whether every round is on record once: as many as the closing tells, and no gap in what a
    device counted that no round without a device fills.
    """
    uuids = {one.event.round for one in played}
    named = [(one.event.shoe, one.event.number) for one in played]
    places = [place for place in named if None not in place]
    if game.closed is None or game.closed.event.rounds != len(played):
        return False
    if len(uuids) < len(played) or len(set(places)) < len(places):
        return False
    told: dict[str, set[int]] = {}
    unnamed = 0
    for one in played:
        if one.event.device is None:
            unnamed += 1
        else:
            told.setdefault(one.event.device.id, set()).add(one.event.device.sequence)
    return sum(max(each) - min(each) + 1 - len(each) for each in told.values()) <= unnamed


def _last_box_counted(money: TableMoney) -> bool:
    """Whether a box was counted that lay there until the last round."""
    ends = max((_paid_by(one) for one in money.rounds), default=None)
    return any(
        one.event.taken_at is None or ends is None or not is_before(one.event.taken_at, ends)
        for one in money.drops
    )


# The counts between


def _between(game: PartidaContext, money: TableMoney) -> list[Counted]:
    """The counts during the game, closings that were undone among them, as they happened."""
    undone = [one for one in _counts(game, "closing") if not _is_last(game, one)]
    listed = sorted([*_counts(game, "interim"), *undone], key=in_time)
    end = None if money.closing is None else money.closing.at
    return [Counted(one, _worth(one)) for one in listed if end is None or one.occurred_at <= end]


def _off(game: PartidaContext, money: TableMoney, count: Counted) -> int | None:
    """By how much a count is off at least. Units: cents."""
    if money.opening is None or _OF_ALL & set(money.missing):
        return None
    kept = _kept_until(money.rounds, count.at)
    if kept is None:
        return None
    fills, taken = (
        sum(_worth(one) for one in _counts(game, when) if in_time(one) < in_time(count.by))
        for when in ("fill", "credit")
    )
    sold = money.opening.cents + fills - taken + kept - count.cents  # or gone
    least, most = _sold_until(money.drops, count.at)
    return min(0, most - sold) or max(0, least - sold)


def _sold_until(drops: Sequence[Drop], at: datetime) -> tuple[int, int]:
    """The least and the most that can have been sold by a moment. Units: cents.

    Of the box that lay there at the moment nobody knows what was in it, and a box of which nobody
    tells when it was taken may have lain there at any.
    """
    least = most = 0
    later = (one.event.taken_at for one in drops if one.event.taken_at is not None)
    still = min((taken for taken in later if taken >= at), default=None)
    for one in drops:
        taken, cash = one.event.taken_at, one.event.cash_cents
        if taken is not None and taken <= at:
            least, most = least + cash, most + cash
        elif taken in (None, still):
            most += cash
    return least, most


def _kept_until(played: Sequence[Round], at: datetime) -> int | None:
    """What the table had kept by a moment; None where a round may lie on either side of it."""
    over = max((n for n, one in enumerate(played, 1) if _is_over(one, at)), default=0)
    begun = [n for n, one in enumerate(played) if (first_card(one) or at) > at]
    if (min(begun) if begun else len(played)) != over:
        return None
    wagers = (wager for one in played[:over] for wager in wagers_of(one))
    return sum(wager.stake_cents - wager.returned_cents for wager in wagers)


def _paid_by(recorded: Round) -> datetime:
    """When all of a round was paid at the latest: it was recorded as over."""
    times = recorded.event.times
    return (times.paid if times is not None else None) or recorded.occurred_at


def _is_over(recorded: Round, at: datetime) -> bool:
    return _paid_by(recorded) <= at
