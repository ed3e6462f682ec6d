"""A list as JSON: a header, then the rows, each written as soon as it is read.

The whole file is canonical JSON: ``{"header":…,"rows":[…],"rows_read":…,"rows_sha256":…}``. A row
is an object by the columns' names; what is unknown is left out. `rows_sha256` is the SHA-256 of the
bytes of the list `rows`: a file that was cut off has none, and is no JSON.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Final

from casino.tlog.canonical import canonical
from casino.web.display.csv_answer import Cell
from casino.web.list_files.list_source import Header, in_json

_AT_ONCE: Final = 200  # rows sent in one piece


class JsonRows:
    """Rows of a list as canonical bytes, counted and hashed as they come."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._hash = sha256(b"[")
        self.count = 0

    def row(self, cells: Sequence[Cell]) -> bytes:
        """The bytes of the next row, with the comma before it."""
        values = zip(self._names, map(in_json, cells), strict=True)
        text = canonical({name: value for name, value in values if value is not None})
        piece = b"," + text if self.count else text
        self.count += 1
        self._hash.update(piece)
        return piece

    @property
    def digest(self) -> str:
        """The SHA-256 of the list of the rows so far, in hex."""
        whole = self._hash.copy()
        whole.update(b"]")
        return whole.hexdigest()


def beginning(header: Header) -> bytes:
    """The file up to its first row."""
    return b'{"header":' + canonical(header.as_json()) + b',"rows":['


def end(rows: JsonRows) -> bytes:
    """The file after its last row."""
    return b'],"rows_read":%d,"rows_sha256":"%s"}' % (rows.count, rows.digest.encode())


def json_pieces(header: Header) -> Iterator[bytes]:
    """The file in pieces of some rows each."""
    written, piece = JsonRows(header.source.names), [beginning(header)]
    for row in header.source.rows:
        piece.append(written.row(row))
        if len(piece) >= _AT_ONCE:
            yield b"".join(piece)
            piece = []
    yield b"".join([*piece, end(written)])
