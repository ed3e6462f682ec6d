"""One player's row: box, hand, people, cards, decisions and stakes as its cells tell them."""

from dataclasses import dataclass
from typing import TypeVar

from casino.cards import Card
from casino.converting import csv_cells
from casino.converting.csv_rows import CellError, Row
from casino.converting.mapping import Column, Mapping, WagerRule
from casino.events.phrases import Phrase
from casino.events.round.round_played import ON_A_HAND, Action, Wager

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ParsedRow:
    """What one player's row tells. `actions` is None where only the number of cards tells them."""

    row: Row
    box: int
    hand: int
    split_from: int | None
    owner: str
    holder: str
    cards: tuple[Card, ...]
    actions: tuple[Action, ...] | None
    wagers: tuple[Wager, ...]

    @property
    def number(self) -> int:
        """The row's number in the source."""
        return self.row.number

    def column(self, named: Column | None) -> Column | None:
        """The column of the file that the mapping's name stands for in this hand."""
        return self.row.column(named)


def parse_row(row: Row, mapping: Mapping) -> ParsedRow:
    """A player's row, read. Raises: CellError."""
    seating = mapping.seating
    owner = required(csv_cells.code(row, seating.owner), seating.owner.column)
    holder = owner
    if seating.holder is not None:
        holder = csv_cells.code(row, seating.holder) or owner
    box = required(csv_cells.number(row, seating.box), seating.box.column)
    hand = csv_cells.number(row, seating.hand) if seating.hand is not None else 1
    hand = 1 if hand is None else hand
    split_from = (
        csv_cells.number(row, seating.split_from) if seating.split_from is not None else None
    )
    seat = csv_cells.number(row, seating.seat) if seating.seat is not None else None
    found = [_wager(row, rule, owner, hand, seat, mapping) for rule in mapping.wagers]
    wagers = tuple(wager for wager in found if wager is not None)
    if not wagers:
        # Its stake would be lost without a word: a kind the mapping does not name, as a rule.
        kinds = ", ".join(rule.kind for rule in mapping.wagers)
        asked = Phrase("a stake as one [[wager]] of the mapping reads it ({kinds})", kinds=kinds)
        raise CellError(None, Phrase("a row that no [[wager]] matches"), asked)
    return ParsedRow(
        row,
        box,
        hand,
        split_from,
        owner,
        holder,
        csv_cells.cards(row, mapping.cards, mapping.vocabulary),
        _actions(row, mapping),
        wagers,
    )


def required(value: T | None, column: Column | None) -> T:
    """A value no record can do without. Raises: CellError."""
    if value is None:
        raise CellError(column, Phrase("a blank"), Phrase("a value: a round record needs it"))
    return value


def _wager(
    row: Row, rule: WagerRule, owner: str, hand: int, seat: int | None, mapping: Mapping
) -> Wager | None:
    if rule.when is not None and not csv_cells.says(row, rule.when):
        return None
    stake = csv_cells.cents(row, rule.stake, mapping.money)
    if rule.optional and not stake:
        return None
    stake = required(stake, rule.stake.column)
    if rule.returned is not None:
        back = required(csv_cells.cents(row, rule.returned, mapping.money), rule.returned.column)
    else:
        assert rule.net is not None
        net = csv_cells.cents(row, rule.net, mapping.money, signed=True)
        back = stake + required(net, rule.net.column)
        if back < 0:
            found = csv_cells.quoted(row.cell(rule.net.column)) if rule.net.column else str(net)
            raise CellError(rule.net.column, found, Phrase("a loss of at most the stake"))
    on_hand = hand if rule.kind in ON_A_HAND else None
    return Wager(owner, rule.kind, stake, back, hand=on_hand, seat=seat)


def _actions(row: Row, mapping: Mapping) -> tuple[Action, ...] | None:
    """The decisions a column tells; None where only the cards do."""
    play = mapping.play
    if play.column is None:
        return None
    cell = row.cell(play.column)
    if play.separator == "":
        words = list(cell)
    else:
        words = cell.split() if play.separator == " " else cell.split(play.separator)
    actions: list[Action] = []
    for word in (word.strip() for word in words if word.strip()):
        if word not in play.words:
            asked = Phrase("one of the words of [actions.words]")
            raise CellError(play.column, csv_cells.quoted(word), asked)
        actions.append(play.words[word])
    return tuple(actions)
