"""The source of an official text: a file's bytes as normalised text, or a refusal in words."""

import re
import unicodedata
from typing import Final

from casino.events import Malformed

MOST_MB: Final = 1
LARGEST_TEXT: Final = MOST_MB * 2**20  # bytes; a regulation of 61 articles has 18 thousand
_BINARY: Final = (
    b"%PDF-",
    b"PK\x03\x04",
    b"\xd0\xcf\x11\xe0",
    b"\xff\xd8\xff",
    b"\x89PNG",
    b"{\\rtf",
)
_control: Final = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]").search
_NEWLINES: Final = re.compile("\r\n|[\r\x0b\x85\u2028\u2029]")

# Words of one of the four languages and of none of the others.
_OWN_WORDS: Final = """
pt não uma pelo pela são do da dos das ou em ao os jogador mesa aposta
es el los las del y una cuando sin jugador jugadores mesa apuesta
fr le les des du est une pour dans aux ou et joueur joueurs mise
en the of and to is be by with shall may player players stake
"""
_OWN: Final = {
    language: frozenset(own) for language, *own in map(str.split, _OWN_WORDS.strip().splitlines())
}
UNDETERMINED: Final = "und"


def source_of(content: bytes) -> str:
    """A file's text: UTF-8, composed characters, one kind of end of line.

    Raises: Malformed, of a file that is no plain text, in no UTF-8, empty, or larger than 1 MB.
    """
    if len(content) > LARGEST_TEXT:
        raise Malformed(
            "$.text",
            "the file is larger than {most} MB. Bring the text of the regulation alone.",
            most=MOST_MB,
        )
    if not content.strip():
        raise Malformed("$.text", "the file is empty.")
    if content.startswith(_BINARY):
        raise Malformed(
            "$.text",
            "the file is no plain text but a document or a picture. Save its text as UTF-8 (of a"
            " scanned page: recognise it first) and bring that file.",
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Malformed(
            "$.text",
            "byte {place} is no UTF-8: the file was saved in another encoding, such as Latin-1."
            " Open it in the editor, choose «Save as», encoding UTF-8, and bring the file saved"
            " so.",
            place=error.start + 1,
        ) from error
    found = _control(text)
    if found:
        raise Malformed(
            "$.text",
            "character {place} is U+{code}, which stands in no text. Save the file as plain text"
            " in UTF-8.",
            place=found.start() + 1,
            code=f"{ord(found[0]):04X}",
        )
    return unicodedata.normalize("NFC", _NEWLINES.sub("\n", text))


def bytes_of(text: str) -> bytes:
    """A text as the bytes of its file. Raises: Malformed, of half a character (a surrogate)."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise Malformed(
            "$.text",
            "character {place} is half of one (a lone surrogate): the text was cut or read wrongly."
            " Bring the file itself.",
            place=error.start + 1,
        ) from error


def language_of(source: str) -> str:
    """The language most of whose own words stand in a text; `und` where none leads."""
    words = re.findall(r"[^\W\d_]+", source.lower())
    counts = sorted(
        ((sum(word in own for word in words), language) for language, own in _OWN.items()),
        reverse=True,
    )
    (most, language), (second, _) = counts[:2]
    return language if most > second else UNDETERMINED
