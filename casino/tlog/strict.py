"""What every text of the log is read with: one way to write a number, bytes and a name, no other.

Two texts that mean the same would let one log be shown in two forms. So whatever is not written
exactly as its format writes it is refused, and nothing is read that is longer than it may be.
"""

import re
from base64 import b64decode, b64encode
from typing import Final

MOST_WHOLE: Final = 2**63 - 1  # the largest size, index and moment of the formats
MOST_NAME: Final = 255  # bytes of a key's name

_is_whole: Final = re.compile(r"0|[1-9][0-9]{0,18}").fullmatch
_control: Final = re.compile(r"[\x00-\x09\x0b-\x1f]").search


class Unreadable(ValueError):
    """A text that is not exactly what its format asks for. The sentence says what is wrong."""


def text_of(wording: str | bytes, most: int, what: str) -> str:
    """A text in UTF-8 of at most `most` bytes, without control characters but the line feed.

    Raises: Unreadable.
    """
    # A character has at least one byte: what is far too long is not even encoded.
    if len(wording) > most:
        raise Unreadable(f"{what}: longer than {most} bytes")
    try:
        text = wording if isinstance(wording, str) else wording.decode()
        size = len(text.encode()) if isinstance(wording, str) else len(wording)
    except UnicodeError:
        raise Unreadable(f"{what}: not UTF-8") from None
    if size > most:
        raise Unreadable(f"{what}: longer than {most} bytes")
    if _control(text):
        raise Unreadable(f"{what}: a control character")
    return text


def whole(text: str, what: str) -> int:
    """A whole number from 0 to 2^63 - 1 in decimal, without leading zeros. Raises: Unreadable."""
    if not _is_whole(text) or int(text) > MOST_WHOLE:
        raise Unreadable(f"{what}: no whole number {brief(text)}")
    return int(text)


def base64_of(data: bytes) -> str:
    """Bytes in base64. Source: RFC 4648, 4."""
    return b64encode(data).decode("ascii")


def bytes_of(text: str, what: str, size: int | None = None) -> bytes:
    """The bytes (`size` of them) that are written so in base64 and in no other way.

    Raises: Unreadable, also for bits left over that are not zero.
    """
    try:
        data = b64decode(text, validate=True)
    except ValueError:
        raise Unreadable(f"{what}: not base64: {brief(text)}") from None
    if base64_of(data) != text:
        raise Unreadable(f"{what}: not the one way to write it in base64: {brief(text)}")
    if size is not None and len(data) != size:
        raise Unreadable(f"{what}: {len(data)} bytes, not {size}")
    return data


def name_of(text: str, what: str) -> str:
    """A name that may stand in a signature's line: not empty, no space of Unicode's, no plus.

    Raises: Unreadable.
    """
    text_of(text, MOST_NAME, what)
    if not text or "+" in text or any(map(str.isspace, text)):
        raise Unreadable(f"{what}: not empty, without spaces and pluses: {brief(text)}")
    return text


def brief(text: str) -> str:
    """What was found, short enough for a message and in ASCII."""
    return ascii(text if len(text) <= 60 else text[:60] + "...")
