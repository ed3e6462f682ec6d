"""A file that belongs to a record. What kind it is, its own bytes say; nobody's word is asked.

The book holds its SHA-256 only. The content lies beside the private values and may be erased.
"""

import re
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

from casino.events import Malformed
from casino.events.phrases import Phrase

LARGEST_FILE: Final = 8 * 2**20  # bytes
MOST_FILES: Final = 5  # that come with one record

PDF: Final = "application/pdf"
JPEG: Final = "image/jpeg"
PNG: Final = "image/png"
TEXT: Final = "text/plain"
# How each kind begins. A browser that is recorded the kind and nothing else can be led nowhere by
# it.
_BEGINS: Final = ((b"%PDF-", PDF), (b"\xff\xd8\xff", JPEG), (b"\x89PNG\r\n\x1a\n", PNG))
_control: Final = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f]").search

EMPTY: Final = Phrase("the file is empty.")
TOO_LARGE: Final = Phrase("the file is larger than 8 MB.")
OTHER_KIND: Final = Phrase("asked is a PDF, a JPEG or PNG picture, or plain text (UTF-8).")


def media_type_of(content: bytes) -> str | None:
    """The kind of a file by its first bytes; plain text by all of them. None for any other.

    Text that begins like a page of markup is none: somewhere a program would obey it.
    """
    for begins, media_type in _BEGINS:
        if content.startswith(begins):
            return media_type
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    return None if _control(text) or text.lstrip()[:1] in ("", "<") else TEXT


@dataclass(frozen=True, slots=True)
class File:
    """A file to be kept. `media_type` and `sha256` (64 hex digits) follow from its bytes.

    Raises: Malformed, for an empty one, one of more than 8 MB, or of a kind not taken.
    """

    content: bytes = field(repr=False)
    media_type: str = field(init=False)
    sha256: str = field(init=False)

    def __post_init__(self) -> None:
        if not self.content:
            raise Malformed("$.attachments", EMPTY.template)
        if len(self.content) > LARGEST_FILE:
            raise Malformed("$.attachments", TOO_LARGE.template)
        media_type = media_type_of(self.content)
        if media_type is None:
            raise Malformed("$.attachments", OTHER_KIND.template)
        object.__setattr__(self, "media_type", media_type)
        object.__setattr__(self, "sha256", sha256(self.content).hexdigest())

    @property
    def size(self) -> int:
        """Bytes."""
        return len(self.content)
