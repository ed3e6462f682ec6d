"""The boxes of one round, put together from the rows that tell their hands.

Several rows may tell one hand: the first gives its cards, the others further owners' stakes on it.
"""

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import TypeVar

from casino.cards import Card, best_total
from casino.converting import csv_cells
from casino.converting.csv_rows import CellError, Row
from casino.converting.grouping import Problem
from casino.converting.mapping import Mapping
from casino.converting.parsed_rows import ParsedRow
from casino.events.phrases import Phrase
from casino.events.round.round_played import Action, Box, Hand

T = TypeVar("T")


class Disagreement(Exception):
    """Rows of one round that tell different things where they must agree."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem


def same(rows: Iterable[Row], read: Callable[[Row], T]) -> T:
    """A value every row of the round tells alike. Raises: CellError, Disagreement."""
    first: tuple[Row, T] | None = None
    for row in rows:
        try:
            found = read(row)
        except CellError as error:
            raise Disagreement(Problem(row.number, *error.args)) from error
        if first is None:
            first = (row, found)
        elif found != first[1]:
            asked = Phrase(
                "{value}, as in row {row} of the same round",
                value=str(first[1]),
                row=first[0].number,
            )
            raise Disagreement(Problem(row.number, None, str(found), asked))
    assert first is not None
    return first[1]


def boxes_of(listed: list[ParsedRow], mapping: Mapping) -> tuple[Box, ...]:
    """The boxes in rising order, each with its hands and the wagers of every owner.

    Raises: Disagreement.
    """
    by_box = groupby(
        sorted(listed, key=lambda parsed_row: parsed_row.box), key=lambda parsed_row: parsed_row.box
    )
    return tuple(_box(number, list(rows), mapping) for number, rows in by_box)


def _box(number: int, listed: list[ParsedRow], mapping: Mapping) -> Box:
    holder = listed[0].holder
    hands: dict[int, ParsedRow] = {}
    for one in listed:
        if one.holder != holder:
            found = Phrase("holder {holder}", holder=one.holder)
            asked = Phrase("{value}, as in row {row}", value=holder, row=listed[0].row.number)
            raise Disagreement(Problem(one.row.number, None, found, asked))
        first = hands.setdefault(one.hand, one)
        if first is not one:
            _agrees(one, first)
    split_off = [one.split_from for one in hands.values()]
    return Box(
        number=number,
        vacant=False,
        hands=tuple(
            Hand(n, one.cards, _decided(one, split_off.count(n), mapping), one.split_from)
            for n, one in hands.items()
        ),
        wagers=tuple(wager for one in listed for wager in one.wagers),
        holder=holder,
    )


def _agrees(parsed_row: ParsedRow, first_parsed_row: ParsedRow) -> None:
    """A second row of a hand tells another owner's stake, and has no cards or the same ones."""
    if parsed_row.owner == first_parsed_row.owner:
        found = Phrase(
            "a second row for box {box}, hand {hand}, owner {owner}",
            box=parsed_row.box,
            hand=parsed_row.hand,
            owner=parsed_row.owner,
        )
        raise Disagreement(Problem(parsed_row.row.number, None, found, Phrase("one row for each")))
    if parsed_row.cards and parsed_row.cards != first_parsed_row.cards:
        found = Phrase("cards {cards}", cards=" ".join(parsed_row.cards))
        asked = Phrase(
            "none, or those of row {row}: {cards}",
            row=first_parsed_row.row.number,
            cards=" ".join(first_parsed_row.cards),
        )
        raise Disagreement(Problem(parsed_row.row.number, None, found, asked))


def _decided(parsed_row: ParsedRow, splits: int, mapping: Mapping) -> tuple[Action, ...]:
    """The decisions of a hand: as a column tells them, or as the number of its cards does.

    Every card beyond the first two was asked for; a doubled hand's last card came of the double.
    A hand that could have asked one more card and did not has stood, unless the source says that
    it ended otherwise.
    """
    if parsed_row.actions is not None:
        return parsed_row.actions
    play = mapping.play
    if csv_cells.says(parsed_row.row, play.surrendered):
        return (*_splits(splits), *_hits(parsed_row.cards, 0), "surrender")
    if csv_cells.says(parsed_row.row, play.doubled):
        return (*_splits(splits), *_hits(parsed_row.cards, 1), "double")
    decided = (*_splits(splits), *_hits(parsed_row.cards, 0))
    could_ask = best_total(parsed_row.cards) < 21 and len(parsed_row.cards) >= 2
    if play.stand and could_ask and not csv_cells.says(parsed_row.row, play.no_stand):
        return (*decided, "stand")
    return decided


def _splits(count: int) -> tuple[Action, ...]:
    one: Action = "split"
    return (one,) * count


def _hits(cards: tuple[Card, ...], otherwise: int) -> tuple[Action, ...]:
    one: Action = "hit"
    return (one,) * (len(cards) - 2 - otherwise)
