"""What the source counted for itself, recomputed: a source may contradict its own cards.

That is worth knowing, so there is a note per row. A note refuses nothing: a round record has no
place for anybody's counting, and this is where it is recorded.
"""

from collections.abc import Iterator
from typing import NamedTuple

from casino.cards import Card, best_total, hard_total, is_blackjack
from casino.converting import csv_cells
from casino.converting.csv_rows import CellError, Row
from casino.converting.mapping import Amount, Column, CrossChecks, Mapping, Words
from casino.events.phrases import Phrase
from casino.events.round.round_played import Wager


class Note(NamedTuple):
    """A cell the source filled in otherwise than its cards or its money say.

    `recomputed` is a `Phrase` where it has words.
    """

    row: int
    column: Column
    check: str
    recorded: str
    recomputed: str


def notes_on(
    row: Row, hand: tuple[Card, ...], bank: tuple[Card, ...], main: Wager | None, mapping: Mapping
) -> Iterator[Note]:
    """Every cross-check of the mapping on one player's row; `main` is its main stake, if any."""
    asked = mapping.checks
    split = mapping.seating.split_from is not None
    yield from _totals(row, hand, bank, asked)
    yield from _bust(row, "player_bust", asked.player_bust, hand)
    yield from _bust(row, "bank_bust", asked.bank_bust, bank)
    if asked.blackjack is not None and not split:
        known = csv_cells.says(row, asked.blackjack)
        if known != is_blackjack(hand):
            computed = Phrase("blackjack") if not known else Phrase("no blackjack")
            yield _note(row, "blackjack", asked.blackjack.column, computed)
    if main is not None:
        yield from _money(row, main, mapping)


def _note(row: Row, check: str, column: Column, recomputed: str) -> Note:
    return Note(row.number, column, check, row.cell(column), recomputed)


def _totals(
    row: Row, hand: tuple[Card, ...], bank: tuple[Card, ...], cross_checks: CrossChecks
) -> Iterator[Note]:
    first = hand[:2]
    either = {best_total(first), hard_total(first)}
    # The first two cards' total is often written after the whole hand is known, with an ace as 1.
    possible = (
        ("player_total", cross_checks.player_total, {best_total(hand)}),
        ("bank_total", cross_checks.bank_total, {best_total(bank)}),
        ("first_two", cross_checks.first_two, either),
    )
    for check, column, totals in possible:
        if column is not None and row.cell(column) not in {str(total) for total in totals}:
            yield _note(row, check, column, str(max(totals)))


def _bust(row: Row, check: str, words: Words | None, hand: tuple[Card, ...]) -> Iterator[Note]:
    """Where the source says somebody went over 21.

    It need not say so of everybody: a player who is over has lost whatever the bank holds, and
    many sources then say nothing of the bank.
    """
    if words is not None and csv_cells.says(row, words) and best_total(hand) <= 21:
        yield _note(row, check, words.column, str(best_total(hand)))


def _money(row: Row, main: Wager, mapping: Mapping) -> Iterator[Note]:
    asked = mapping.checks
    balance = main.returned_cents - main.stake_cents
    results = (
        ("won", asked.won, balance > 0),
        ("lost", asked.lost, balance < 0),
        ("tied", asked.tied, balance == 0),
    )
    for check, words, so in results:
        if words is not None and csv_cells.says(row, words) != so:
            yield _note(row, check, words.column, _cents(f"{balance:+d}"))
    if asked.kept is not None:
        try:
            kept = csv_cells.cents(row, Amount(column=asked.kept), mapping.money)
        except CellError:
            kept = -1  # no amount at all: told as the cell stands, like any other wrong one
        if (kept or 0) != max(0, -balance):
            yield _note(row, "kept", asked.kept, _cents(str(max(0, -balance))))


def _cents(amount: str) -> Phrase:
    return Phrase("{amount} cents", amount=amount)
