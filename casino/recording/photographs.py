"""A photograph taken on the floor: the picture alone, without what the camera wrote into it.

Where it was taken, when and by whose device is personal data nobody asked for. It is left out
before the picture is hashed, so the fingerprint in the book is of what is kept; not a point of the
picture itself changes. What stands behind the end of the picture is left out with it.

Source: ITU-T T.81, annex B (JPEG); W3C PNG, 5 (chunks).
"""

import re
import zlib
from typing import Final

from casino.events import Malformed
from casino.events.phrases import Phrase
from casino.recording.attached_files import JPEG, LARGEST_FILE, PNG, TOO_LARGE, File, media_type_of

NO_PHOTOGRAPH: Final = Phrase("this is no photograph: asked is a JPEG or PNG picture.")
BROKEN: Final = Phrase("the picture is damaged or breaks off: take it again.")

_START, _END, _SCAN = 0xD8, 0xD9, 0xDA
_ALONE: Final = frozenset({0x01, *range(0xD0, 0xD8)})  # markers without a length
_NOTES: Final = frozenset({*range(0xE0, 0xF0), 0xFE})  # what programs write about a picture
# What of those a program needs to show it: how it is coded, and its colours.
_SHOWS: Final = {0xE0: b"JFIF\x00", 0xE2: b"ICC_PROFILE\x00", 0xEE: b"Adobe"}
_after_scan: Final = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]").search
# Chunks of a PNG that may be left out by whoever shows it, and change how it looks.
_COLOURS: Final = frozenset(
    {b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"sBIT", b"bKGD", b"pHYs"}
)
_MARK: Final = 8  # bytes a PNG begins with


def photograph(content: bytes) -> File:
    """The picture as it is kept. Raises: Malformed, for what is none, is broken or too large."""
    if len(content) > LARGEST_FILE:
        raise Malformed("$.attachments", TOO_LARGE.template)
    kind = media_type_of(content)
    if kind not in (JPEG, PNG):
        raise Malformed("$.attachments", NO_PHOTOGRAPH.template)
    try:
        return File(_jpeg(content) if kind == JPEG else _png(content))
    except (IndexError, ValueError):
        raise Malformed("$.attachments", BROKEN.template) from None


def _jpeg(content: bytes) -> bytes:
    """Its segments but those about it. Raises: IndexError, ValueError."""
    kept, at = bytearray(content[:2]), 2
    while True:
        marker = content[at + 1]
        if content[at] != 0xFF or marker == _START:
            raise ValueError
        if marker == 0xFF:  # fills up
            at += 1
            continue
        if marker == _END:
            return bytes(kept + content[at : at + 2])
        end = at + 2
        if marker not in _ALONE:
            end += int.from_bytes(content[at + 2 : at + 4])
            if end < at + 4 or end > len(content):
                raise ValueError
        if marker not in _NOTES or content.startswith(_SHOWS.get(marker, b"\xff"), at + 4):
            kept += content[at:end]
        if marker == _SCAN:
            found = _after_scan(content, end)
            if found is None:
                raise ValueError
            kept += content[end : found.start()]
            end = found.start()
        at = end


def _png(content: bytes) -> bytes:
    """Its chunks but those about it. Raises: ValueError."""
    kept, at, name = bytearray(content[:_MARK]), _MARK, b""
    while name != b"IEND":
        name = content[at + 4 : at + 8]
        end = at + 12 + int.from_bytes(content[at : at + 4])
        if end > len(content) or zlib.crc32(content[at + 4 : end - 4]) != int.from_bytes(
            content[end - 4 : end]
        ):
            raise ValueError
        if name[:1].isupper() or name in _COLOURS:
            kept += content[at:end]
        at = end
    return bytes(kept)
