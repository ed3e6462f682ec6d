"""Reads the tables of a rulebook file strictly: unknown keys are refused, nothing is guessed.

This module knows TOML and the form of single values; which tables a rulebook has stands in
`law.py`. It must not know any article, parameter or check by name.
"""

import re
import tomllib
from collections.abc import Collection
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from casino.events.phrases import Phrase, Translate, said

Value = int | bool | str | Fraction | tuple[int, ...]

# What a parameter's unit says about the form of its values.
COUNTED: Final = frozenset(
    {"boxes", "cards", "chips", "decks", "minutes", "packets", "passes", "points", "times"}
)
RATIO: Final = "ratio"
CHOICE: Final = "choice"
YES_NO: Final = "yes_no"
UNITS: Final = COUNTED | {RATIO, CHOICE, YES_NO}

ARTICLE: Final = re.compile(r"[a-z0-9]+(?:[-/][a-z0-9]+)*")
CHECK: Final = re.compile(r"[a-z][a-z0-9_]*")
PARAMETER: Final = re.compile(r"[a-z][a-z0-9_]*\.[a-z0-9][a-z0-9_]*")
READING: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
ENUM: Final = re.compile(r"[a-z0-9][a-z0-9_]*")
FRACTION: Final = re.compile(r"(0|[1-9][0-9]{0,8})/([1-9][0-9]{0,8})")


class LawError(ValueError):
    """A rulebook that cannot be used as written, or a question no rulebook can answer.

    `file`, `line` (where it can be recorded) and `key` say where, `found` what stands there,
    `asked` what has to stand there. What is ours of it is a `Phrase`, which `told` says in another
    language.
    """

    line: int | None = None

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
        return said(
            Phrase(
                "{file}: {key}: found {found}; asked: {asked}",
                file=self.file if self.line is None else f"{self.file}:{self.line}",
                key=self.key,
                found=self.found,
                asked=self.asked,
            ),
            translate,
        )


def line_of(content: bytes, key: str, found: str) -> int | None:
    """The line of a rulebook file a key leads to: of what was found there, else of its table.

    None where it cannot be recorded, or the whole file is meant.
    """
    lines = content.decode("utf-8", "replace").splitlines()
    head, named = _table_of(key)
    if head is None:
        return None
    heads = [n for n, line in enumerate(lines) if line.startswith(head)]
    if named is not None and isinstance(named, int):
        heads = heads[named : named + 1]
    elif named is not None:
        heads = [n for n in heads if f'number = "{named}"' in lines[n + 1 : n + 2]]
    if not heads:
        return None
    here = heads[0]
    rest = (n for n in range(here + 1, len(lines)) if lines[n].startswith("["))
    end = next(rest, len(lines))
    quoted = str(found).strip("'")
    spelled_out = (n for n in range(here, end) if f'"{quoted}"' in lines[n])
    return next(spelled_out, here) + 1


def _table_of(key: str) -> tuple[str | None, int | str | None]:
    """How a key's table begins in the file, and which of several such it is."""
    counted = re.match(r"article\[(\d+)\]", key)
    if counted:
        return "[[article]]", int(counted[1])
    numbered = re.match(r"article ([a-z0-9/-]+)", key)
    if numbered:
        return "[[article]]", numbered[1]
    named = re.match(r'parameter\."[^"]*"|reading\.[^.\[]*|rulebook', key)
    return (f"[{named[0]}]" if named else None), None


def listed(names: Collection[str]) -> str:
    """Names in alphabetical order, for a message that says what there is to choose from."""
    return ", ".join(sorted(names)) or "-"


def spelled(value: object) -> str:
    """A value as the file writes it: ``true``, ``3/2``, ``[9, 10, 11]``, ``face_down``."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return "[" + ", ".join(str(item) for item in value) + "]"
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    return str(value)


class Table:
    """One table of a rulebook file: its keys are checked when it is opened, its values when read.

    Raises: LawError, naming the file and the dotted key, from every method.
    """

    def __init__(
        self, file: str, key: str, raw: object, required: set[str], optional: set[str] | None = None
    ) -> None:
        self.file = file
        self.key = key
        if not isinstance(raw, dict):
            raise LawError(file, key, repr(raw), Phrase("a table"))
        allowed = required | (optional or set())
        for name in raw:
            if name not in allowed:
                raise self.error(
                    name,
                    Phrase("a key that is not known here"),
                    Phrase("one of {there}", there=listed(allowed)),
                )
        for name in sorted(required - raw.keys()):
            raise self.error(name, Phrase("nothing"), Phrase("this key, it is required"))
        self.raw: dict[str, Any] = raw

    def error(self, name: str, found: str, asked: str) -> LawError:
        """The refusal of one key of this table."""
        return LawError(self.file, f"{self.key}.{name}" if self.key else name, found, asked)

    def has(self, name: str) -> bool:
        """Whether an optional key is there."""
        return name in self.raw

    def text(self, name: str) -> str:
        """A text that is not empty and has no blanks at its ends."""
        found = self.raw[name]
        if not isinstance(found, str) or not found or found != found.strip():
            raise self.error(
                name, repr(found), Phrase("a text, not empty, without blanks at its ends")
            )
        return found

    def code(self, name: str, form: re.Pattern[str]) -> str:
        """A text of one of the forms above."""
        found = self.text(name)
        if not form.fullmatch(found):
            raise self.error(
                name, repr(found), Phrase("a text of the form {form}", form=form.pattern)
            )
        return found

    def one_of(self, name: str, words: Collection[str]) -> str:
        """A text out of a closed list."""
        found = self.text(name)
        if found not in words:
            raise self.error(name, repr(found), Phrase("one of {there}", there=listed(words)))
        return found

    def codes(self, name: str, form: re.Pattern[str]) -> tuple[str, ...]:
        """A list, possibly empty, of different texts of one form."""
        found = self.raw[name]
        if not isinstance(found, list):
            raise self.error(name, repr(found), Phrase("a list of texts"))
        for item in found:
            if not isinstance(item, str) or not form.fullmatch(item):
                raise self.error(
                    name, repr(item), Phrase("texts of the form {form}", form=form.pattern)
                )
        if len(set(found)) < len(found):
            raise self.error(name, repr(found), Phrase("each text once"))
        return tuple(found)

    def day(self, name: str) -> date:
        """A local date, without a time."""
        found = self.raw[name]
        if not isinstance(found, date) or isinstance(found, datetime):
            raise self.error(
                name, repr(found), Phrase("a date like 2026-11-21, without quotes and time")
            )
        return found

    def rows(self, name: str, required: set[str]) -> list["Table"]:
        """A list, not empty, of tables with exactly these keys."""
        found = self.raw[name]
        if not isinstance(found, list) or not found:
            raise self.error(name, repr(found), Phrase("a list of tables, not empty"))
        key = f"{self.key}.{name}"
        return [Table(self.file, f"{key}[{n}]", row, required) for n, row in enumerate(found)]

    def value(self, name: str, unit: str) -> Value:
        """A parameter's value in the form its unit asks for."""
        found = self.raw[name]
        if isinstance(found, Decimal):
            raise self.error(
                name,
                Phrase("the decimal {number}", number=str(found)),
                Phrase('a whole number, or a ratio like "3/2"'),
            )
        if unit == YES_NO:
            if isinstance(found, bool):
                return found
            raise self.error(name, repr(found), Phrase("true or false"))
        if unit == CHOICE:
            return self.code(name, ENUM)
        if unit == RATIO:
            parts = FRACTION.fullmatch(found) if isinstance(found, str) else None
            if parts is None:
                raise self.error(name, repr(found), Phrase('a text like "3/2"'))
            return Fraction(int(parts[1]), int(parts[2]))
        if isinstance(found, list) and found and all(map(_is_count, found)):
            if sorted(set(found)) == found:
                return tuple(found)
        elif _is_count(found):
            return int(found)
        raise self.error(
            name,
            repr(found),
            Phrase("a whole number, or several in rising order"),
        )


def _is_count(raw: object) -> bool:
    return isinstance(raw, int) and not isinstance(raw, bool) and raw >= 0


def parse(file: str, content: bytes) -> dict[str, object]:
    """The tables of a TOML file, decimals kept apart so that none can pass for a number.

    Raises: LawError, where the bytes are not UTF-8 or not TOML (a key written twice included).
    """
    try:
        return tomllib.loads(content.decode("utf-8"), parse_float=Decimal)
    except UnicodeDecodeError as error:
        raise LawError(file, "(file)", str(error), Phrase("UTF-8 text")) from error
    except tomllib.TOMLDecodeError as error:
        raise LawError(file, "(file)", str(error), Phrase("TOML, each key once")) from error
