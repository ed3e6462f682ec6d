"""The rows of one round made into its record.

Every cell is read before anything is put together, so a refusal names each row that cannot be
read and not only the first.
"""

import uuid
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, TypeVar

from casino.cards import Card
from casino.converting import csv_cells
from casino.converting.boxes import Disagreement, boxes_of, same
from casino.converting.cross_checks import Note, notes_on
from casino.converting.csv_rows import CellError, Row
from casino.converting.grouping import Group, Problem
from casino.converting.mapping import Mapping
from casino.converting.parsed_rows import ParsedRow, parse_row, required
from casino.events import Malformed
from casino.events.phrases import Phrase
from casino.events.round.round_played import Bank, Device, Limits, RoundPlayed

# Ids of converted rounds are derived from this, the source's name and the row numbers: the same
# file, the same ids.
NAMESPACE: Final = uuid.UUID("6f1d3f0a-5c0e-5d52-9a3b-7b0c1e9f4a21")

S = TypeVar("S", Row, ParsedRow)
T = TypeVar("T")


class Traced(NamedTuple):
    """Where a hand of the record stands in the source."""

    row: int
    box: int
    hand: int


class Built(NamedTuple):
    """A round record, the source rows of its hands, and what the source counted otherwise."""

    round: RoundPlayed
    traced: tuple[Traced, ...]
    notes: tuple[Note, ...]


class Unbuilt(Exception):
    """A round that cannot be converted, with every reason found."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__(problems)
        self.problems = problems


def build(group: Group, mapping: Mapping) -> Built:
    """One round's record. Raises: Unbuilt."""
    problems = list(group.problems)
    readable = [row for row in group.rows if row.fault is None]
    if not group.complete and mapping.grouping.incomplete == "refuse":
        found = Phrase("rows in this round: {rows}", rows=group.seen)
        asked = Phrase("{rows} rows in every round", rows=mapping.grouping.rows or 0)
        problems.append(Problem(group.rows[0].number, None, found, asked))
    if problems:
        raise Unbuilt(problems)
    players, banks = _by_kind(readable, mapping)
    listed = _each(players, problems, lambda row: parse_row(row, mapping))
    hands = _each(
        banks, problems, lambda row: csv_cells.cards(row, mapping.bank, mapping.vocabulary)
    )
    if problems:
        raise Unbuilt(problems)
    _check_present(group, listed, banks)
    _check_bank(banks, hands, mapping)
    bank = hands[0]
    try:
        record = _record(group, readable, listed, bank, mapping)
    except Disagreement as error:
        raise Unbuilt([error.problem]) from error
    except CellError as error:
        # A value that is blank in every row: the first row stands for them all.
        raise Unbuilt([Problem(readable[0].number, *error.args)]) from error
    except Malformed as error:
        found = Phrase("{path}: {reason}", path=error.path, reason=error.reason)
        asked = Phrase("a record that does not contradict itself")
        raise Unbuilt([Problem(group.rows[0].number, None, found, asked)]) from error
    notes = tuple(note for one in listed for note in _notes(one, bank, mapping))
    traced = tuple(Traced(one.row.number, one.box, one.hand) for one in listed)
    return Built(record, traced, notes)


def _each(lines: list[S], problems: list[Problem], read: Callable[[S], T]) -> list[T]:
    """What `read` makes of each row; a row that cannot be read leaves its problem instead."""
    done: list[T] = []
    for row in lines:
        try:
            done.append(read(row))
        except CellError as error:
            problems.append(Problem(row.number, row.column(error.column), error.found, error.asked))
    return done


def _notes(parsed: ParsedRow, bank: tuple[Card, ...], mapping: Mapping) -> Iterator[Note]:
    main = next((wager for wager in parsed.wagers if wager.kind == "main"), None)
    return notes_on(parsed.row, parsed.cards, bank, main, mapping)


def _by_kind(rows: list[Row], mapping: Mapping) -> tuple[list[Row], list[Row]]:
    """The players' rows, and those that tell the bank's cards: the same where it has no own row."""
    kinds = mapping.kinds
    if kinds is None or not kinds.bank:
        return [hand for row in rows for hand in row.hands(mapping)], rows
    banks = [row for row in rows if row.cell(kinds.column) in kinds.bank]
    players = [row for row in rows if row not in banks]
    return [hand for row in players for hand in row.hands(mapping)], banks


def _check_bank(banks: list[Row], hands: list[tuple[Card, ...]], mapping: Mapping) -> None:
    for row, hand in zip(banks, hands, strict=True):
        if hand != hands[0]:
            found = Phrase("bank cards {cards}", cards=" ".join(hand))
            asked = Phrase(
                "those of row {row}: {cards}", row=banks[0].number, cards=" ".join(hands[0])
            )
            raise Unbuilt([Problem(row.number, mapping.bank.columns[0], found, asked)])


def _check_present(group: Group, listed: list[ParsedRow], banks: list[Row]) -> None:
    """A round needs somebody who plays and a bank."""
    row = group.rows[0].number
    if not listed:
        found, asked = Phrase("no player's row"), Phrase("one at least in every round")
        raise Unbuilt([Problem(row, None, found, asked)])
    if not banks:
        found, asked = Phrase("no row of the bank's"), Phrase("one in every round")
        raise Unbuilt([Problem(row, None, found, asked)])


def _record(
    group: Group, rows: list[Row], listed: list[ParsedRow], bank: tuple[Card, ...], mapping: Mapping
) -> RoundPlayed:
    values = mapping.values
    first = group.rows[0].number
    table = required(same(rows, lambda row: csv_cells.code(row, values.table)), values.table.column)
    day = same(rows, lambda row: csv_cells.day(row, values.day))
    game = required(same(rows, lambda row: csv_cells.number(row, values.game)), values.game.column)
    numbers = ",".join(str(row.number) for row in group.rows)
    void = not group.complete and mapping.grouping.incomplete == "void"
    shoe, number, dealer, rulebook = values.shoe, values.number, values.dealer, values.rulebook
    return RoundPlayed(
        round=str(uuid.uuid5(NAMESPACE, f"{mapping.source}:{numbers}")),
        table=table,
        partida=f"{table}/{day.isoformat()}/{game}",
        boxes=boxes_of(listed, mapping),
        bank=Bank(bank, ()),
        misdealt=(),
        shoe=same(rows, lambda row: csv_cells.number(row, shoe)) if shoe else None,
        number=same(rows, lambda row: csv_cells.number(row, number)) if number else None,
        device=Device(mapping.source, first),
        dealer=same(rows, lambda row: csv_cells.code(row, dealer)) if dealer else None,
        rulebook=same(rows, lambda row: csv_cells.code(row, rulebook)) if rulebook else None,
        limits=_limits(rows, mapping),
        voided="incident" if void else None,
    )


def _limits(rows: list[Row], mapping: Mapping) -> Limits | None:
    """The table's limits, where both are recorded."""
    values, form = mapping.values, mapping.money
    minimum, maximum = values.minimum, values.maximum
    if minimum is None or maximum is None:
        return None
    least = same(rows, lambda row: csv_cells.cents(row, minimum, form))
    most = same(rows, lambda row: csv_cells.cents(row, maximum, form))
    return Limits(least, most) if least is not None and most is not None else None
