"""The kinds of value an event is made of: what each field may hold, said once in its type.

A field's type is one of the names below (``table: Code``, ``boxes: Annotated[int, Whole(1, 20)]``).
From that the event checks itself, the book's payload is written and read, and a door draws its
form. A form's `check` takes any value and its JSON path, returns nothing and raises `Malformed`.

Units: `Cents` are whole cents, moments aware UTC, places (boxes, seats) counted from 1.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Annotated, Final, Literal, Protocol

from casino.cards import CODES
from casino.events import Malformed
from casino.events.round.field_form import shown

MAX_WHOLE: Final = 2**53 - 1  # the largest whole number every JSON reader keeps exactly
MAX_CENTS: Final = 10**12
MAX_NUMBER: Final = 10**9  # shoes of a partida, rounds of a shoe
MAX_PLACE: Final = 99  # boxes, hands, seats, persons; how many a table may have is the law's matter
MAX_CARDS: Final = 2_000
MAX_LISTED: Final = 1_000
_NO_OFFSET: Final = timedelta(0)


class Form(Protocol):
    """What one plain value must look like."""

    def check(self, value: object, path: str) -> None:
        """Raises: Malformed."""


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number from `low` to `high`; true and false are not numbers."""

    low: int
    high: int

    def check(self, value: object, path: str) -> None:
        """Raises: Malformed."""
        if type(value) is not int or not self.low <= value <= self.high:
            raise Malformed(
                path,
                "found {found}; asked is a whole number from {low} to {high}",
                found=shown(value),
                low=self.low,
                high=self.high,
            )


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of a closed list of words. A `Literal` type makes it; nobody writes it."""

    words: tuple[str, ...]

    def check(self, value: object, path: str) -> None:
        """Raises: Malformed."""
        if type(value) is not str or value not in self.words:
            raise Malformed(
                path,
                "found {found}; asked is one of {words}",
                found=shown(value),
                words=", ".join(self.words),
            )


@dataclass(frozen=True, slots=True)
class Truth:
    """True or false. A `bool` type makes it; nobody writes it."""

    def check(self, value: object, path: str) -> None:
        """Raises: Malformed."""
        if type(value) is not bool:
            raise Malformed(path, "found {found}; asked is true or false", found=shown(value))


@dataclass(frozen=True, slots=True)
class Spelled:
    """A text made of few characters; `name` says in refusals and forms what it is."""

    name: (
        Literal["code", "word", "uuid", "sha256", "stream", "kind", "base64url", "partida", "vkey"]
        | Literal["origin", "case"]
    )

    def check(self, value: object, path: str) -> None:
        """Raises: Malformed."""
        if type(value) is not str or not _SPELLINGS[self.name].fullmatch(value):
            _refuse_spelling(self.name, value, path)

    @property
    def pattern(self) -> str:
        """How all of it is spelt, as a regular expression."""
        return _SPELLINGS[self.name].pattern


@dataclass(frozen=True, slots=True)
class Card:
    """A card code of the vocabulary: ``"AS"``, ``"7?"``, ``"X?"``."""

    def check(self, value: object, path: str) -> None:
        """Raises: Malformed."""
        if type(value) is not str or value not in CODES:
            raise Malformed(
                path,
                "found {found}; asked is a card: rank A 2-9 T J Q K or X, suit C D H S or ?",
                found=shown(value),
            )


@dataclass(frozen=True, slots=True)
class Text:
    """Written by people: 1 to `longest` characters, in Unicode's NFC, not blank.

    No control characters; a text of several lines may break them with a line feed alone.
    """

    longest: int
    lines: bool = False

    def check(self, value: object, path: str) -> None:
        """Raises: Malformed."""
        if type(value) is not str or not 1 <= len(value) <= self.longest or value.isspace():
            raise Malformed(
                path,
                "found {found}; asked is a text of 1 to {longest} characters",
                found=shown(value),
                longest=self.longest,
            )
        if not value.isascii() and not unicodedata.is_normalized("NFC", value):
            raise Malformed(path, "found a text that is not in Unicode's composed form (NFC)")
        for character in value:
            if character == "\n" and self.lines:
                continue
            if unicodedata.category(character) in ("Cc", "Cs", "Cn", "Zl", "Zp"):
                raise Malformed(
                    path,
                    "found the character {found}; asked is text without control characters",
                    found=shown(character),
                )


@dataclass(frozen=True, slots=True)
class Instant:
    """A moment that knows it is UTC. A `datetime` type makes it; nobody writes it."""

    def check(self, value: object, path: str) -> None:
        """Raises: Malformed."""
        if not isinstance(value, datetime) or value.utcoffset() != _NO_OFFSET:
            raise Malformed(path, "found {found}; asked is a moment in UTC", found=shown(value))


@dataclass(frozen=True, slots=True)
class Day:
    """A day of the calendar. A `date` type makes it; nobody writes it."""

    def check(self, value: object, path: str) -> None:
        """Raises: Malformed."""
        if type(value) is not date:
            raise Malformed(path, "found {found}; asked is a day YYYY-MM-DD", found=shown(value))


@dataclass(frozen=True, slots=True)
class Figures:
    """A flat object of names: each a text, a whole number, or a list of these.

    What a check observed or expects; its names are the check's own business.
    """

    def check(self, value: object, path: str) -> None:
        """Raises: Malformed."""
        if type(value) is not dict:
            raise Malformed(path, "found {found}; asked is an object", found=shown(value))
        for name, each in value.items():
            if type(name) is not str or not _is_word(name):
                _refuse_spelling("word", name, path)
            for one in each if type(each) is list else [each]:
                _check_figure(one, f"{path}.{name}")


def _check_figure(value: object, path: str) -> None:
    if type(value) is int and abs(value) <= MAX_WHOLE:
        return
    if type(value) is str:
        if value:
            Text(400).check(value, path)
        return
    raise Malformed(
        path,
        "found {found}; asked is a text, a whole number or a list of these",
        found=shown(value),
    )


_WORD: Final = re.compile(r"[a-z][a-z0-9_]{0,79}")
_is_word: Final = _WORD.fullmatch
_SPELLINGS: Final = {
    "code": re.compile(r"[A-Za-z0-9._-]{1,40}"),
    "word": _WORD,
    "uuid": re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    "sha256": re.compile(r"[0-9a-f]{64}"),
    "stream": re.compile(r"house|reconciler|cases|notes|(?:table|jackpot)/[A-Za-z0-9._-]{1,40}"),
    "kind": re.compile(r"[a-z][a-z0-9-]{0,59}/[1-9][0-9]{0,3}"),
    "base64url": re.compile(r"[A-Za-z0-9_-]{1,8192}"),
    # C2SP's signed-note: name, key id, then algorithm and public key of Ed25519 in base64.
    "vkey": re.compile(r"[A-Za-z0-9./_-]{1,200}\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}"),
    "origin": re.compile(r"[A-Za-z0-9.-]{1,100}(?:/[A-Za-z0-9._-]{1,40}){0,4}"),
    "case": re.compile(r"CST-[0-9]{4}-(?:(?!000000)[0-9]{6}|[1-9][0-9]{6,8})"),
    # A day of the calendar is asked where the table is known too: `gaming_day_of`.
    "partida": re.compile(r"[A-Za-z0-9._-]{1,40}/[0-9]{4}-[0-9]{2}-[0-9]{2}/[1-9][0-9]{0,8}"),
}


def _refuse_spelling(name: str, value: object, path: str) -> None:
    found = shown(value)
    if name == "code":
        raise Malformed(
            path,
            "found {found}; asked is a code: 1 to 40 letters, digits, dots, hyphens or underscores",
            found=found,
        )
    if name == "word":
        raise Malformed(
            path,
            "found {found}; asked is a word of small letters, digits and underscores",
            found=found,
        )
    if name == "uuid":
        raise Malformed(
            path,
            "found {found}; asked is a UUID in lower case with its four hyphens",
            found=found,
        )
    if name == "sha256":
        raise Malformed(
            path, "found {found}; asked is a SHA-256: 64 lower-case hex digits", found=found
        )
    if name == "stream":
        raise Malformed(path, "found {found}; asked is the name of a stream", found=found)
    if name == "kind":
        raise Malformed(
            path, "found {found}; asked is a kind of fact, as round-played/1", found=found
        )
    if name == "partida":
        raise Malformed(
            path, "found {found}; asked is TABLE/YYYY-MM-DD/N, N counted from 1", found=found
        )
    if name == "case":
        raise Malformed(
            path, "found {found}; asked is a case's number, as CST-2026-000123", found=found
        )
    if name == "vkey":
        raise Malformed(
            path, "found {found}; asked is a public key as NAME+8 hex digits+base64", found=found
        )
    if name == "origin":
        raise Malformed(
            path, "found {found}; asked is a log's name, as book.example/sala/1", found=found
        )
    raise Malformed(path, "found {found}; asked is base64url without padding", found=found)


@dataclass(frozen=True, slots=True)
class Listed:
    """A list of at most `most` items; `once`: no item twice; `rising`: in ascending order too."""

    most: int = MAX_LISTED
    once: bool = False
    rising: bool = False


Code = Annotated[str, Spelled("code")]  # what the house calls a table, a person, a deck, a reason
Word = Annotated[str, Spelled("word")]  # a colour, a check, a projection
Uuid = Annotated[str, Spelled("uuid")]
Sha256 = Annotated[str, Spelled("sha256")]
StreamName = Annotated[str, Spelled("stream")]
KindName = Annotated[str, Spelled("kind")]
Base64Url = Annotated[str, Spelled("base64url")]
CaseCode = Annotated[str, Spelled("case")]  # of what is done about a finding
PartidaName = Annotated[str, Spelled("partida")]
VerifierKey = Annotated[str, Spelled("vkey")]
Origin = Annotated[str, Spelled("origin")]
CardCode = Annotated[str, Card()]
Reference = Annotated[str, Text(80)]  # a document, a permit, a maker's name: one line
PrivateLine = Annotated[str, Text(200)]
PrivateText = Annotated[str, Text(4_000, lines=True)]
Cents = Annotated[int, Whole(0, MAX_CENTS)]
Stake = Annotated[int, Whole(1, MAX_CENTS)]
Number = Annotated[int, Whole(1, MAX_NUMBER)]  # a shoe of the partida, a round of the shoe
Place = Annotated[int, Whole(1, MAX_PLACE)]  # a box or a seat
Count = Annotated[int, Whole(0, MAX_NUMBER)]
Cards = Annotated[int, Whole(0, MAX_CARDS)]
EntryNumber = Annotated[int, Whole(1, MAX_WHOLE)]
FlatObject = Annotated[Mapping[str, object], Figures()]
CodesOnce = Annotated[tuple[Code, ...], Listed(100, once=True)]
SeatsRising = Annotated[tuple[Place, ...], Listed(MAX_PLACE, rising=True)]
