"""A mapping: how one source's CSV tells what a round record needs.

The page docs/converting.md explains every key. Here are shapes only; `mapping_file` reads them from
TOML. A column is its number (from 1) or its name in the header.
"""

from dataclasses import dataclass
from datetime import date
from typing import Final, Literal

from casino.cards import Card
from casino.events.phrases import Phrase, Translate, said
from casino.events.round.round_played import Action, WagerKind

Column = int | str
GroupedBy = Literal["count", "key", "restart"]
Incomplete = Literal["refuse", "keep", "void"]

WHOLE_FILE: Final = "(file)"  # the key of a MappingError that is about no single key
GROUPED_BY: Final = frozenset({"count", "key", "restart"})
INCOMPLETE: Final = frozenset({"refuse", "keep", "void"})


class MappingError(ValueError):
    """A mapping that cannot be used as written, or that does not fit the file it is used on.

    `file` and `key` say where, `found` what stands there, `asked` what has to stand there; words of
    ours in them are a `Phrase`.
    """

    def __init__(self, file: str, key: str, found: str, asked: str) -> None:
        super().__init__(file, key, found, asked)
        self.file = file
        self.key = key
        self.found = found
        self.asked = asked

    def __str__(self) -> str:
        return self.text(str)

    def text(self, translate: Translate) -> str:
        """The whole of it in one line, by a door's `translate`."""
        if self.key == WHOLE_FILE:
            phrase = Phrase(
                "{file}: {found}; asked: {asked}",
                file=self.file,
                found=self.found,
                asked=self.asked,
            )
        else:
            phrase = Phrase(
                "{file}: {key}: found {found}; asked: {asked}",
                file=self.file,
                key=self.key,
                found=self.found,
                asked=self.asked,
            )
        return said(phrase, translate)


@dataclass(frozen=True, slots=True)
class Dialect:
    """How the file is written; `columns` is the width every row must have, if the mapping says.

    `sheet` is the sheet of a workbook that is read, if the mapping names one.
    """

    header: bool
    delimiter: str = ","
    quote: str | None = '"'
    encoding: str = "utf-8"
    columns: int | None = None
    sheet: str | None = None


@dataclass(frozen=True, slots=True)
class Grouping:
    """Which rows make one round.

    `rows` is the number of rows a whole round has, if the mapping says. `hands` says of each hand
    that stands in one row which column holds what the mapping names: nothing for one hand a row.
    """

    by: GroupedBy
    column: Column | None = None
    rows: int | None = None
    incomplete: Incomplete = "refuse"
    hands: tuple[dict[str, Column], ...] = ()


@dataclass(frozen=True, slots=True)
class Words:
    """A column that says yes with one of these words."""

    column: Column
    values: frozenset[str]


@dataclass(frozen=True, slots=True)
class RowKinds:
    """A column that tells a player's row from the bank's own row and from rows to pass over."""

    column: Column
    bank: frozenset[str]
    skip: frozenset[str]


@dataclass(frozen=True, slots=True)
class Text:
    """A text that is the same everywhere, or a column's.

    A `blank` cell says the text is not known.
    """

    constant: str | None = None
    column: Column | None = None
    blank: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number, or a column's plus a constant (a source that counts seats from 0)."""

    constant: int | None = None
    column: Column | None = None
    plus: int = 0
    blank: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Day:
    """A gaming day, or a column's in a format of `datetime.strptime`."""

    constant: date | None = None
    column: Column | None = None
    format: str = "%Y-%m-%d"


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount of money, the same everywhere (whole cents) or a column's."""

    cents: int | None = None
    column: Column | None = None


@dataclass(frozen=True, slots=True)
class MoneyForm:
    """How the source writes money: what one unit is worth and which signs part its digits."""

    cents_per_unit: int
    decimal: str = "."
    thousands: str = ""
    currency: str = ""
    blank: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class CardSlots:
    """Where cards stand: a column per card, or one with all of them parted by `separator`."""

    columns: tuple[Column, ...]
    separator: str | None = None


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The source's words for cards.

    `blank` says that a slot is empty, `gaps` that empty slots may lie between. The signs of `strip`
    are taken out of a word before it is looked up: brackets, asterisks, the signs of suits.
    """

    codes: dict[str, Card]
    blank: frozenset[str]
    gaps: bool
    strip: str = ""


@dataclass(frozen=True, slots=True)
class RoundValues:
    """What every row of a round says alike: place, day, and what the source knows of the table."""

    table: Text
    day: Day
    game: Number
    shoe: Number | None = None
    number: Number | None = None
    dealer: Text | None = None
    rulebook: Text | None = None
    minimum: Amount | None = None
    maximum: Amount | None = None


@dataclass(frozen=True, slots=True)
class Seating:
    """Box, hand and the people at them.

    `owner` is whose stake the row tells, `holder` who sits at the box.
    """

    box: Number
    owner: Text
    holder: Text | None = None
    seat: Number | None = None
    hand: Number | None = None
    split_from: Number | None = None


@dataclass(frozen=True, slots=True)
class Play:
    """How decisions are told: by a column of words, or only by how many cards the hand has."""

    words: dict[str, Action]
    column: Column | None = None
    separator: str = ""
    stand: bool = True
    no_stand: Words | None = None
    doubled: Words | None = None
    surrendered: Words | None = None


@dataclass(frozen=True, slots=True)
class WagerRule:
    """One wager a row tells. `net` (won or lost) may stand in the place of `returned`."""

    kind: WagerKind
    stake: Amount
    returned: Amount | None = None
    net: Amount | None = None
    optional: bool = False
    when: Words | None = None


@dataclass(frozen=True, slots=True)
class CrossChecks:
    """Columns the source filled in by its own counting: recomputed, never taken over."""

    player_total: Column | None = None
    bank_total: Column | None = None
    first_two: Column | None = None
    kept: Column | None = None
    blackjack: Words | None = None
    player_bust: Words | None = None
    bank_bust: Words | None = None
    won: Words | None = None
    lost: Words | None = None
    tied: Words | None = None


@dataclass(frozen=True, slots=True)
class Mapping:
    """One source's mapping, whole.

    `named` lists every column it uses, with the key that uses it.
    """

    file: str
    source: str
    dialect: Dialect
    grouping: Grouping
    kinds: RowKinds | None
    values: RoundValues
    seating: Seating
    cards: CardSlots
    bank: CardSlots
    vocabulary: Vocabulary
    play: Play
    money: MoneyForm
    wagers: tuple[WagerRule, ...]
    checks: CrossChecks
    named: tuple[tuple[str, Column], ...]
