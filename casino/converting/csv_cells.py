"""Single cells read as what the mapping says they are: money in whole cents, numbers, words, cards.

Each function raises CellError with the column, what was found and what is asked; none guesses.
"""

import re
from collections.abc import Iterator
from datetime import date, datetime
from fractions import Fraction
from typing import Final

from casino.cards import Card
from casino.converting.csv_rows import CellError, Row
from casino.converting.mapping import (
    Amount,
    CardSlots,
    Column,
    Day,
    MoneyForm,
    Number,
    Text,
    Vocabulary,
    Words,
)
from casino.events.phrases import Phrase
from casino.events.round.round_played import MAX_CENTS

_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)
_CODE: Final = re.compile(r"[A-Za-z0-9._-]{1,40}", re.ASCII)
_SHOWN: Final = 40


def quoted(text: str) -> str:
    """A cell as a message shows it: short, and never more than one line."""
    cut = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
    return ascii(cut) if not cut.isprintable() else repr(cut)


def code(row: Row, source: Text) -> str | None:
    """A code for a table or a person; None where the cell is one of the source's blanks."""
    if source.column is None:
        return source.constant
    found = row.cell(source.column)
    if found in source.blank:
        return None
    if not _CODE.fullmatch(found):
        asked = Phrase("a code: 1 to 40 letters, digits, dots, hyphens or underscores")
        raise CellError(source.column, quoted(found), asked)
    return found


def number(row: Row, source: Number) -> int | None:
    """A whole number; None where the cell is one of the source's blanks."""
    if source.column is None:
        return source.constant
    found = row.cell(source.column)
    if found in source.blank:
        return None
    return whole(found, source.column) + source.plus


def whole(found: str, column: Column) -> int:
    """A cell that is a whole number."""
    if not _WHOLE.fullmatch(found):
        raise CellError(column, quoted(found), Phrase("a whole number"))
    return int(found)


def day(row: Row, source: Day) -> date:
    """A calendar day in the source's format."""
    if source.column is None:
        assert source.constant is not None
        return source.constant
    found = row.cell(source.column)
    try:
        return datetime.strptime(found, source.format).date()  # noqa: DTZ007 -- a day has no zone
    except ValueError:
        asked = Phrase("a day written as {format}", format=source.format)
        raise CellError(source.column, quoted(found), asked) from None


def says(row: Row, words: Words | None) -> bool:
    """Whether the column holds one of its words."""
    return words is not None and row.cell(words.column) in words.values


def cents(row: Row, source: Amount, money_form: MoneyForm, *, signed: bool = False) -> int | None:
    """An amount in whole cents.

    None where the cell is one of the source's blanks. Only a net amount has a sign.
    """
    if source.column is None:
        return source.cents
    found = row.cell(source.column)
    if found in money_form.blank:
        return None
    amount = Fraction(_plain_number(found, source.column, money_form)) * money_form.cents_per_unit
    if amount.denominator != 1:
        raise CellError(source.column, quoted(found), Phrase("an amount of whole cents"))
    if amount < 0 and not signed:
        raise CellError(source.column, quoted(found), Phrase("an amount that is not negative"))
    if abs(amount) > MAX_CENTS:
        asked = Phrase("an amount of at most {most} cents", most=MAX_CENTS)
        raise CellError(source.column, quoted(found), asked)
    return int(amount)


def _plain_number(found: str, column: Column, money_form: MoneyForm) -> str:
    """The digits of an amount with a decimal point, its thousands signs checked and taken out."""
    text = found
    if money_form.currency:
        text = text.removeprefix(money_form.currency).removesuffix(money_form.currency).strip()
    sign = text[:1] if text[:1] in ("-", "+") else ""
    units, point, parts = text[len(sign) :].partition(money_form.decimal)
    if money_form.thousands and money_form.thousands in units:
        groups = units.split(money_form.thousands)
        if not 1 <= len(groups[0]) <= 3 or any(len(group) != 3 for group in groups[1:]):
            units = ""
        units = units.replace(money_form.thousands, "")
    fraction_is_right = bool(parts) == bool(point) and len(parts) <= 6
    digits = units + parts
    if not (
        units and fraction_is_right and digits.isascii() and digits.isdigit() and len(units) < 16
    ):
        asked = Phrase("an amount like {example}", example=f"1250{money_form.decimal}50")
        raise CellError(column, quoted(found), asked)
    return f"{sign}{units}.{parts or 0}"


def cards(row: Row, slots: CardSlots, vocabulary: Vocabulary) -> tuple[Card, ...]:
    """The cards of a hand in the order of their slots, the empty ones left out."""
    found: list[Card] = []
    empty: Column | None = None
    for column, word in _slot_words(row, slots, vocabulary):
        if word in vocabulary.blank:
            empty = column
            continue
        card = vocabulary.codes.get(word)
        if card is None:
            asked = Phrase("one of the words of [cards.codes], or an empty slot's")
            raise CellError(column, quoted(word), asked)
        if empty is not None and not vocabulary.gaps:
            asked = Phrase("no empty slot before a card (`gaps = false`)")
            raise CellError(empty, quoted(row.cell(empty)), asked)
        found.append(card)
    return tuple(found)


def _slot_words(row: Row, slots: CardSlots, vocabulary: Vocabulary) -> Iterator[tuple[Column, str]]:
    signs = dict.fromkeys(map(ord, vocabulary.strip))

    def plain(cell: str) -> str:
        return cell if cell in vocabulary.blank else cell.translate(signs).strip()

    if slots.separator is None:
        for column in slots.columns:
            yield column, plain(row.cell(column))
        return
    column = slots.columns[0]
    cell = plain(row.cell(column))
    if slots.separator == " ":
        words = cell.split()
    else:
        words = cell.split(slots.separator) if slots.separator else list(cell)
    for word in words:
        yield column, word.strip()
