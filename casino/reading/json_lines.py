"""A stream of bytes to numbered lines, none of them longer than a record may be."""

from collections.abc import Iterator
from typing import BinaryIO, Final

from casino.events import Malformed
from casino.reading.refusal import Refused

MAX_LINE: Final = 2**20  # bytes, without the line's end
_BOM: Final = b"\xef\xbb\xbf"


def numbered_lines(stream: BinaryIO, first_line: int = 1) -> Iterator[tuple[int, bytes | Refused]]:
    """The lines that hold anything, each with its number, without its end.

    A line ends at LF or CR LF, the last one also where the stream ends. Blank lines count but are
    passed over; so is a byte order mark before line 1. A line over `MAX_LINE` bytes is `Refused`
    and never held whole.
    """
    number = first_line - 1
    while chunk := stream.readline(MAX_LINE + 2):  # room for CR LF
        number += 1
        ended = chunk.endswith(b"\n")
        line = chunk.removesuffix(b"\n").removesuffix(b"\r")
        if number == 1:
            line = line.removeprefix(_BOM)
        if len(line) > MAX_LINE:
            size = len(line) if ended else len(chunk) + _skip_rest(stream)
            yield number, oversize(number, size)
        elif line.strip(b" \t\r"):
            yield number, line


def _skip_rest(stream: BinaryIO) -> int:
    """Reads on to the line's end, piece by piece; returns how many bytes that was."""
    skipped = 0
    while piece := stream.readline(MAX_LINE):
        skipped += len(piece)
        if piece.endswith(b"\n"):
            break
    return skipped


def oversize(number: int, size: int) -> Refused:
    """The refusal of line `number` for being `size` bytes long."""
    return Refused.of(
        number,
        Malformed(
            "$",
            "found a line of {found} bytes; asked are at most {most}",
            found=size,
            most=MAX_LINE,
        ),
    )
