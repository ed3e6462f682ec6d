"""Reads a mapping file (TOML) strictly: a key unknown, missing or with a wrong value is refused.

docs/converting.md lists the keys. This module knows their form; `mapping` holds the shapes.
"""

import codecs
from collections.abc import Callable, Collection
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from casino.cards import CODES
from casino.converting.mapping import (
    GROUPED_BY,
    INCOMPLETE,
    WHOLE_FILE,
    Amount,
    CardSlots,
    Column,
    CrossChecks,
    Day,
    Dialect,
    GroupedBy,
    Grouping,
    Incomplete,
    Mapping,
    MappingError,
    MoneyForm,
    Number,
    Play,
    RoundValues,
    RowKinds,
    Seating,
    Text,
    Vocabulary,
    WagerRule,
    Words,
)
from casino.events.phrases import Phrase
from casino.events.round.round_played import ACTIONS, MAX_CENTS, WAGER_KINDS, Action, WagerKind
from casino.law.rulebook.law_text import LawError, Table, listed, parse
from casino.reading.file_trouble import why

T = TypeVar("T")
MAX_HANDS: Final = 40  # hands of one row: more than a table has boxes, split as often as may be

# Encodings that keep one line of text apart from the next whatever the bytes.
ENCODINGS: Final = frozenset(
    {"ascii", "cp1252", "cp850", "iso8859-1", "iso8859-15", "utf-16", "utf-8"}
)
# The kinds of wager a CSV row can tell; a jackpot's chip needs a device's number.
CONVERTED_KINDS: Final = WAGER_KINDS - {"jackpot"}


def load_mapping(path: Path) -> Mapping:
    """The mapping in a TOML file.

    Raises: MappingError, where it cannot be read or is not written as docs/converting.md asks.
    """
    file = str(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        asked = Phrase("a mapping file that can be read")
        raise MappingError(file, WHOLE_FILE, why(error), asked) from error
    return read_mapping(file, content)


def read_mapping(file: str, content: bytes) -> Mapping:
    """The mapping in the bytes of a TOML file; `file` names it. Raises: MappingError."""
    try:
        return _Reader(file, content).mapping()
    except LawError as error:
        raise MappingError(error.file, error.key, error.found, error.asked) from error


class _Reader:
    """One mapping file while it is read; `named` collects every column it uses."""

    def __init__(self, file: str, content: bytes) -> None:
        self.file = file
        self.named: list[tuple[str, Column]] = []
        self.stand_ins: set[Column] = set()  # names that stand for another column in each hand
        required = {"source", "csv", "rounds", "round", "box", "hand", "bank", "cards"}
        required |= {"actions", "money", "wager"}
        self.top = Table(file, "", parse(file, content), required, {"rows", "check"})

    def mapping(self) -> Mapping:
        """Every table of the file, in the order of docs/converting.md."""
        source = self._table("source", {"name"})
        hand = self._table("hand", {"cards"}, {"number", "from"})
        bank = self._table("bank", {"cards"})
        return Mapping(
            file=self.file,
            source=source.text("name"),
            dialect=self._dialect(self._table("csv", {"header"}, _CSV)),
            grouping=self._grouping(
                self._table("rounds", {"by"}, {"column", "rows", "incomplete", "hands"})
            ),
            kinds=self._kinds() if self.top.has("rows") else None,
            values=self._round(self._table("round", {"table", "day", "game"}, _ROUND)),
            seating=self._seating(
                self._table("box", {"number", "owner"}, {"holder", "seat"}), hand
            ),
            cards=self._slots(hand),
            bank=self._slots(bank),
            vocabulary=self._vocabulary(
                self._table("cards", {"codes", "blank", "gaps"}, {"strip"})
            ),
            play=self._play(self._table("actions", {"by", "stand"}, _ACTIONS)),
            money=self._money(self._table("money", {"cents_per_unit"}, _MONEY)),
            wagers=self._wagers(),
            checks=self._checks() if self.top.has("check") else CrossChecks(),
            named=tuple(one for one in self.named if one[1] not in self.stand_ins),
        )

    def _table(self, name: str, required: set[str], optional: set[str] | None = None) -> Table:
        return Table(self.file, name, self.top.raw[name], required, optional)

    # Single values ------------------------------------------------------------------------------

    def _column(self, table: Table, name: str = "column") -> Column:
        found = table.raw[name]
        self._is_column(table, name, found)
        return cast(Column, found)

    def _is_column(self, table: Table, name: str, raw: object) -> None:
        number = isinstance(raw, int) and not isinstance(raw, bool) and raw >= 1
        if not number and not (isinstance(raw, str) and raw.strip()):
            raise table.error(name, repr(raw), Phrase("a column's number from 1, or its name"))
        key = f"{table.key}.{name}"
        self.named.append((key.removesuffix(".column"), cast(Column, raw)))

    def _from_column(self, table: Table, name: str, optional: set[str]) -> Table | None:
        """The table ``{ column = ... }`` under a key; None where a plain value stands there."""
        raw = table.raw[name]
        if not isinstance(raw, dict):
            return None
        return Table(self.file, f"{table.key}.{name}", raw, {"column"}, optional)

    def _optional(self, table: Table, name: str, read: Callable[[Table, str], T]) -> T | None:
        return read(table, name) if table.has(name) else None

    def _text(self, table: Table, name: str) -> Text:
        source = self._from_column(table, name, {"blank"})
        if source is None:
            return Text(constant=table.text(name))
        return Text(column=self._column(source), blank=_words(source, "blank"))

    def _number(self, table: Table, name: str) -> Number:
        source = self._from_column(table, name, {"plus", "blank"})
        if source is None:
            return Number(constant=_whole(table, name))
        plus = _whole(source, "plus") if source.has("plus") else 0
        return Number(column=self._column(source), plus=plus, blank=_words(source, "blank"))

    def _day(self, table: Table, name: str) -> Day:
        source = self._from_column(table, name, {"format"})
        if source is None:
            return Day(constant=table.day(name))
        form = source.text("format") if source.has("format") else "%Y-%m-%d"
        example = date(2001, 2, 3)
        try:
            # The format must give back the whole day it was given.
            kept = datetime.strptime(example.strftime(form), form).date() == example  # noqa: DTZ007
        except ValueError:
            kept = False
        if not kept:
            asked = Phrase("a format with day, month and year: %d/%m/%Y")
            raise source.error("format", repr(form), asked)
        return Day(column=self._column(source), format=form)

    def _amount(self, table: Table, name: str) -> Amount:
        source = self._from_column(table, name, set())
        if source is not None:
            return Amount(column=self._column(source))
        cents = _whole(table, name)
        if not 0 <= cents <= MAX_CENTS:
            asked = Phrase("whole cents from 0 to {most}", most=MAX_CENTS)
            raise table.error(name, str(cents), asked)
        return Amount(cents=cents)

    def _yes(self, table: Table, name: str) -> Words:
        words = Table(self.file, f"{table.key}.{name}", table.raw[name], {"column", "values"})
        return Words(self._column(words), _words(words, "values"))

    # The tables ---------------------------------------------------------------------------------

    def _dialect(self, table: Table) -> Dialect:
        encoding = _plain(table, "encoding", "utf-8")
        try:
            encoding = codecs.lookup(encoding).name
        except (LookupError, ValueError):
            encoding = ""
        if encoding not in ENCODINGS:
            found = repr(table.raw.get("encoding"))
            raise table.error("encoding", found, _one_of(ENCODINGS))
        delimiter, quote = _plain(table, "delimiter", ","), _plain(table, "quote", '"')
        if len(delimiter) != 1 or delimiter in "\r\n\0":
            raise table.error("delimiter", repr(delimiter), Phrase("one character"))
        if len(quote) > 1 or (quote and quote in delimiter + "\r\n\0"):
            raise table.error("quote", repr(quote), Phrase('one character, or "" for none'))
        columns = _at_least(table, "columns", 1) if table.has("columns") else None
        sheet = table.text("sheet") if table.has("sheet") else None
        return Dialect(_truth(table, "header"), delimiter, quote or None, encoding, columns, sheet)

    def _grouping(self, table: Table) -> Grouping:
        by = cast(GroupedBy, table.one_of("by", GROUPED_BY))
        if by == "count" and not table.has("rows"):
            raise table.error("rows", Phrase("nothing"), _needed_by("count"))
        if by != "count" and not table.has("column"):
            raise table.error("column", Phrase("nothing"), _needed_by(by))
        rows = _at_least(table, "rows", 1) if table.has("rows") else None
        if rows is not None and not table.has("incomplete"):
            raise table.error("incomplete", Phrase("nothing"), _one_of(INCOMPLETE))
        return Grouping(
            by,
            self._column(table) if by != "count" else None,
            rows,
            cast(Incomplete, table.one_of("incomplete", INCOMPLETE)) if rows else "refuse",
            self._hands(table) if table.has("hands") else (),
        )

    def _hands(self, table: Table) -> tuple[dict[str, Column], ...]:
        """For each hand of a row: the name the mapping uses, and the column that holds it."""
        raw = table.raw["hands"]
        asked = Phrase('a list of tables, like { Cards = "Cards 1", Stake = "Stake 1" }')
        if not isinstance(raw, list) or not 1 <= len(raw) <= MAX_HANDS:
            raise table.error("hands", repr(raw), asked)
        for one in raw:
            if not isinstance(one, dict) or not one or one.keys() != raw[0].keys():
                raise table.error("hands", repr(one), asked)
            for name, column in one.items():
                self._is_column(table, "hands", column)
                self.stand_ins.add(name)
        return tuple(dict(one) for one in raw)

    def _kinds(self) -> RowKinds:
        table = self._table("rows", {"column"}, {"bank", "skip"})
        return RowKinds(self._column(table), _words(table, "bank"), _words(table, "skip"))

    def _round(self, table: Table) -> RoundValues:
        return RoundValues(
            table=self._text(table, "table"),
            day=self._day(table, "day"),
            game=self._number(table, "game"),
            shoe=self._optional(table, "shoe", self._number),
            number=self._optional(table, "number", self._number),
            dealer=self._optional(table, "dealer", self._text),
            rulebook=self._optional(table, "rulebook", self._text),
            minimum=self._optional(table, "minimum", self._amount),
            maximum=self._optional(table, "maximum", self._amount),
        )

    def _seating(self, table: Table, hand: Table) -> Seating:
        return Seating(
            box=self._number(table, "number"),
            owner=self._text(table, "owner"),
            holder=self._optional(table, "holder", self._text),
            seat=self._optional(table, "seat", self._number),
            hand=self._optional(hand, "number", self._number),
            split_from=self._optional(hand, "from", self._number),
        )

    def _slots(self, table: Table) -> CardSlots:
        source = self._from_column(table, "cards", {"separator"})
        if source is not None:
            separator = _plain(source, "separator", " ")
            return CardSlots((self._column(source),), separator)
        found = table.raw["cards"]
        if not isinstance(found, list) or not found:
            asked = Phrase("a list of columns, or { column = ..., separator = ... }")
            raise table.error("cards", repr(found), asked)
        for column in found:
            self._is_column(table, "cards", column)
        return CardSlots(tuple(found))

    def _vocabulary(self, table: Table) -> Vocabulary:
        codes = table.raw["codes"]
        if not isinstance(codes, dict) or not codes:
            asked = Phrase('a table of words, like { "10" = "X?" }')
            raise table.error("codes", repr(codes), asked)
        for word, card in codes.items():
            if card not in CODES:
                asked = Phrase('a card code: rank and suit, like "7H", "7?" or "X?"')
                raise table.error(f"codes.{word}", repr(card), asked)
        strip = _plain(table, "strip", "")
        return Vocabulary(dict(codes), _words(table, "blank"), _truth(table, "gaps"), strip)

    def _play(self, table: Table) -> Play:
        by = table.one_of("by", {"cards", "column"})
        needed, useless = {"column", "words"}, {"no_stand", "doubled", "surrendered"}
        for name in sorted(needed | useless):
            belongs = (name in needed) == (by == "column") or name == "separator"
            if table.has(name) and not belongs:
                asked = Phrase('no such key with by = "{by}"', by=by)
                raise table.error(name, Phrase("this key"), asked)
            if name in needed and by == "column" and not table.has(name):
                raise table.error(name, Phrase("nothing"), _needed_by("column"))
        words: dict[str, Action] = {}
        if by == "column":
            raw = table.raw["words"]
            if not isinstance(raw, dict) or not set(map(str, raw.values())) <= ACTIONS:
                asked = Phrase("words for {actions}", actions=listed(ACTIONS))
                raise table.error("words", repr(raw), asked)
            words = cast(dict[str, Action], dict(raw))
        return Play(
            words=words,
            column=self._column(table) if by == "column" else None,
            separator=_plain(table, "separator", ""),
            stand=_truth(table, "stand"),
            no_stand=self._optional(table, "no_stand", self._yes),
            doubled=self._optional(table, "doubled", self._yes),
            surrendered=self._optional(table, "surrendered", self._yes),
        )

    def _money(self, table: Table) -> MoneyForm:
        decimal, thousands = _plain(table, "decimal", "."), _plain(table, "thousands", "")
        if decimal not in (".", ","):
            raise table.error("decimal", repr(decimal), Phrase('"." or ","'))
        if len(thousands) > 1 or thousands == decimal or thousands.isdigit():
            asked = Phrase("one sign other than the decimal one")
            raise table.error("thousands", repr(thousands), asked)
        per_unit = _at_least(table, "cents_per_unit", 1)
        currency = _plain(table, "currency", "")
        return MoneyForm(per_unit, decimal, thousands, currency, _words(table, "blank"))

    def _wagers(self) -> tuple[WagerRule, ...]:
        raw = self.top.raw["wager"]
        if not isinstance(raw, list) or not raw:
            found, asked = Phrase("no list"), Phrase("[[wager]], a list of tables")
            raise self.top.error("wager", found, asked)
        rules = []
        for place, row in enumerate(raw):
            optional = {"returned", "net", "optional", "when"}
            table = Table(self.file, f"wager[{place}]", row, {"kind", "stake"}, optional)
            if table.has("returned") == table.has("net"):
                asked = Phrase("either `returned` or `net`")
                raise table.error("returned", Phrase("both or none"), asked)
            rules.append(
                WagerRule(
                    kind=cast(WagerKind, table.one_of("kind", CONVERTED_KINDS)),
                    stake=self._amount(table, "stake"),
                    returned=self._optional(table, "returned", self._amount),
                    net=self._optional(table, "net", self._amount),
                    optional=_truth(table, "optional") if table.has("optional") else False,
                    when=self._optional(table, "when", self._yes),
                )
            )
        return tuple(rules)

    def _checks(self) -> CrossChecks:
        columns = {"player_total", "bank_total", "first_two", "kept"}
        words = {"blackjack", "player_bust", "bank_bust", "won", "lost", "tied"}
        table = self._table("check", set(), columns | words)
        read: dict[str, Any] = {}
        for name in table.raw:
            if name in words:
                read[name] = self._yes(table, name)
            else:
                source = self._from_column(table, name, set())
                if source is None:
                    raise table.error(name, repr(table.raw[name]), Phrase("{ column = ... }"))
                read[name] = self._column(source)
        return CrossChecks(**read)


_CSV: Final = {"delimiter", "quote", "encoding", "columns", "sheet"}
_ROUND: Final = {"shoe", "number", "dealer", "rulebook", "minimum", "maximum"}
_ACTIONS: Final = {"column", "separator", "words", "no_stand", "doubled", "surrendered"}
_MONEY: Final = {"decimal", "thousands", "currency", "blank"}


def _one_of(words: Collection[str]) -> Phrase:
    return Phrase("one of {there}", there=listed(words))


def _needed_by(way: str) -> Phrase:
    return Phrase('this key: by = "{by}" needs it', by=way)


def _plain(table: Table, name: str, default: str) -> str:
    """A text that may be empty or a blank."""
    found = table.raw.get(name, default)
    if not isinstance(found, str):
        raise table.error(name, repr(found), Phrase("a text"))
    return found


def _truth(table: Table, name: str) -> bool:
    found = table.raw[name]
    if not isinstance(found, bool):
        raise table.error(name, repr(found), Phrase("true or false"))
    return found


def _whole(table: Table, name: str) -> int:
    found = table.raw[name]
    if not isinstance(found, int) or isinstance(found, bool):
        raise table.error(name, repr(found), Phrase("a whole number, or { column = ... }"))
    return found


def _at_least(table: Table, name: str, least: int) -> int:
    found = _whole(table, name)
    if found < least:
        raise table.error(name, repr(found), Phrase("a whole number from {least}", least=least))
    return found


def _words(table: Table, name: str) -> frozenset[str]:
    """A list of texts, the empty one allowed; nothing where the key is absent."""
    found = table.raw.get(name, [])
    if not isinstance(found, list) or not all(isinstance(word, str) for word in found):
        raise table.error(name, repr(found), Phrase("a list of texts"))
    return frozenset(word.strip() for word in found)
