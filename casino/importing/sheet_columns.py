"""What a sheet of a house's first day holds: its columns, and what the text of a cell says.

A cell is never guessed: a number in a column of texts may have lost its zeros, a percentage its
two places. Amounts are whole cents, percentages millionths, moments the beginning of a gaming day.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Final, Literal, NamedTuple

from casino.events.event import Event
from casino.events.phrases import Phrase
from casino.house_day import day_begins, house_day_at
from casino.law.finding import Breach, Rule
from casino.law.rulebook.rulebook import Law
from casino.tlog.canonical import instant_text

Kind = (
    Literal["text", "codes", "private", "whole", "euros", "percent", "day", "from", "until"]
    | Literal["choice", "truth"]
)
Payload = dict[str, object]  # an event's fields as JSON, as far as a row says them
OCCURRED: Final = "occurred"  # a column that is no field of its event: when it happened
COMMENT: Final = "#"  # a row whose first cell begins so is not read
_WHOLE: Final = re.compile(r"[0-9]{1,9}", re.ASCII)
_EUROS: Final = re.compile(r"([0-9]{1,10})(?:[.,]([0-9]{1,2}))?(?:\s?€)?", re.ASCII)
_PERCENT: Final = re.compile(r"([0-9]{1,3})(?:[.,]([0-9]{1,4}))?\s?%?", re.ASCII)
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_TRUTHS: Final = {"sim": True, "yes": True, "true": True, "não": False, "no": False, "false": False}
_LAST_DAY: Final = date(2199, 12, 31)


class Column(NamedTuple):
    """A column: the field it fills, its two headings, how its cells are read, an example.

    `words` are the words of a choice as people write them, each with the event's own; `of` is the
    sheet in whose first column a value has to stand, or the book; `help` says what is asked.
    """

    field: str
    pt: str
    en: str
    kind: Kind
    example: str
    required: bool = False
    words: Mapping[str, str] = {}
    of: str = ""
    help: str = ""


class Others(NamedTuple):
    """What an event is judged with: every event of the file, and of the book by kind."""

    of_file: Sequence[Event]
    of_book: Callable[[str], Iterable[Event]]


OpenMoment = Literal["confirmation", "next_day"]
Built = tuple[str, Payload]  # an event: its kind, and its fields
Asks = Callable[[Event, datetime, Law, Others], Iterable[tuple[Rule, Breach]]]


class Sheet(NamedTuple):
    """A sheet: what it is called, its columns, and which events a row of it becomes.

    `same_by` are the fields by which two events of a kind are of the same thing. With `part_of` its
    rows belong to the row of that sheet with the same first cell. `signed` are fields that name
    whoever records it. `by_hand` says what a file cannot do of it. Asked for by
    `Extension.first_day_sheets`, in the order in which they are recorded.
    """

    name: str
    pt: str
    en: str
    same_by: Mapping[str, tuple[str, ...]]
    columns: tuple[Column, ...]
    build: Callable[[Payload, Sequence[Payload]], list[Built]]
    part_of: str = ""
    signed: tuple[str, ...] = ()
    asks: Asks = lambda event, at, law, others: ()
    by_hand: str = ""
    open_moments: Mapping[str, OpenMoment] = {}  # what they are where a row leaves them out

    @property
    def private(self) -> frozenset[str]:
        """The fields nobody is shown before they lie where they can be erased."""
        return frozenset(one.field for one in self.columns if one.kind == "private")


def plain(kind: str) -> Callable[[Payload, Sequence[Payload]], list[Built]]:
    """A row is one event of this kind, as it stands."""
    return lambda row, parts: [(kind, row)]


def open_moment(how: OpenMoment, confirmed_at: datetime) -> datetime:
    """The moment a row left out: of the confirmation, or when the next gaming day begins."""
    if how == "confirmation":
        return confirmed_at
    return day_begins(house_day_at(confirmed_at) + timedelta(days=1))


class CellFault(Exception):
    """A cell that cannot be taken: what was found, what is asked."""

    def __init__(self, found: str, asked: str) -> None:
        super().__init__(found, asked)
        self.found, self.asked = found, asked


def plainly(text: str) -> str:
    """A heading or a word as two people may have typed it alike."""
    return " ".join(unicodedata.normalize("NFC", text).split()).casefold()


def value_of(column: Column, text: str, number: bool) -> object:
    """What a cell says, as JSON has it; None where it is empty. Raises: CellFault."""
    hidden = next((sign for sign in text if unicodedata.category(sign) == "Cf"), "")
    if hidden:
        found = Phrase("the invisible character {code}", code=f"U+{ord(hidden):04X}")
        raise CellFault(found, Phrase("text without invisible characters"))
    text = unicodedata.normalize("NFC", text).strip()
    if not text:
        return None
    if number and column.kind not in ("whole", "euros"):
        _refuse_number(column, text)
    return _READ[column.kind](column, text)


def _refuse_number(column: Column, text: str) -> None:
    found = Phrase("the number {number}", number=text)
    if column.kind in ("day", "from", "until"):
        raise CellFault(found, _a_day())
    if column.kind == "percent":
        raise CellFault(found, Phrase("a percentage written as text, as 2,5 %"))
    raise CellFault(found, Phrase("text: format the column as text, so that no zero is lost"))


def _a_day() -> Phrase:
    return Phrase("a day as 2026-12-31, or a cell that is formatted as a date")


def _quoted(text: str) -> str:
    return f"“{text[:40]}”"


def _text(column: Column, text: str) -> str:
    return text


def _codes(column: Column, text: str) -> list[str]:
    return [one.strip() for one in re.split("[,;]", text) if one.strip()]


def _whole(column: Column, text: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise CellFault(_quoted(text), Phrase("a whole number"))
    return int(text)


def _euros(column: Column, text: str) -> int:
    parts = _EUROS.fullmatch(text)
    if parts is None:
        raise CellFault(
            _quoted(text), Phrase("an amount in euros, of two decimals at most, as 1000 or 2,50")
        )
    return 100 * int(parts[1]) + int((parts[2] or "").ljust(2, "0"))


def _percent(column: Column, text: str) -> int:
    parts = _PERCENT.fullmatch(text)
    if parts is None:
        raise CellFault(_quoted(text), Phrase("a percentage of four decimals at most, as 2,5 %"))
    return 10_000 * int(parts[1]) + int((parts[2] or "").ljust(4, "0"))


def _day(column: Column, text: str) -> str:
    try:
        if not _DAY.fullmatch(text):
            raise ValueError
        found = date.fromisoformat(text)
    except ValueError:
        raise CellFault(_quoted(text), _a_day()) from None
    if not date(1990, 1, 1) <= found < _LAST_DAY:
        raise CellFault(_quoted(text), Phrase("a day the book has room for, from 1990 to 2199"))
    return text


def _from(column: Column, text: str) -> str:
    return instant_text(day_begins(date.fromisoformat(_day(column, text))))


def _until(column: Column, text: str) -> str:
    day = date.fromisoformat(_day(column, text)) + timedelta(days=1)  # that day is the last
    return instant_text(day_begins(day))


def _choice(column: Column, text: str) -> str:
    for word, code in column.words.items():
        if plainly(text) in (plainly(word), code.casefold()):
            return code
    raise CellFault(_quoted(text), Phrase("one of these: {words}", words=", ".join(column.words)))


def _truth(column: Column, text: str) -> bool:
    if plainly(text) not in _TRUTHS:
        raise CellFault(_quoted(text), Phrase("sim or não (yes or no)"))
    return _TRUTHS[plainly(text)]


_READ: Final[Mapping[str, Callable[[Column, str], object]]] = {
    "text": _text,
    "private": _text,
    "codes": _codes,
    "whole": _whole,
    "euros": _euros,
    "percent": _percent,
    "day": _day,
    "from": _from,
    "until": _until,
    "choice": _choice,
    "truth": _truth,
}
