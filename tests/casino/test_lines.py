"""Lines: every one has its number, none is held longer than a record may be."""

from io import BytesIO, RawIOBase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.reading.json_lines import MAX_LINE, numbered_lines
from casino.reading.refusal import Refused


def lines(data: bytes, first_line: int = 1) -> list[tuple[int, bytes]]:
    found = []
    for number, line in numbered_lines(BytesIO(data), first_line):
        assert isinstance(line, bytes)
        found.append((number, line))
    return found


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b"\n", []),
        (b"a", [(1, b"a")]),
        (b"a\n", [(1, b"a")]),
        (b"a\nb", [(1, b"a"), (2, b"b")]),
        (b"a\r\nb\r\n", [(1, b"a"), (2, b"b")]),
        (b"a\r", [(1, b"a")]),
        (b"\n\r\n \t\n a \n\n", [(4, b" a ")]),
        (b"\xef\xbb\xbfa\n\xef\xbb\xbfb", [(1, b"a"), (2, b"\xef\xbb\xbfb")]),
        (b"\xef\xbb\xbf\nb", [(2, b"b")]),
        (b"a\rb\n", [(1, b"a\rb")]),  # a lone CR ends nothing; inside JSON it is a space
        (b"\x0c\n\x00\n\xc2\x85\n", [(1, b"\x0c"), (2, b"\x00"), (3, b"\xc2\x85")]),
        ("a\u2028b\n".encode(), [(1, "a\u2028b".encode())]),
    ],
)
def test_lines_end_at_lf_and_count_from_one(data: bytes, expected: list[tuple[int, bytes]]) -> None:
    assert lines(data) == expected


def test_a_part_keeps_its_numbers_and_what_looks_like_a_mark() -> None:
    assert lines(b"\xef\xbb\xbfa\n\nb", first_line=7) == [(7, b"\xef\xbb\xbfa"), (9, b"b")]


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
@pytest.mark.parametrize("over", [-1, 0, 1, 2, 3, MAX_LINE])
def test_the_longest_line_is_read_and_a_longer_one_refused(end: bytes, over: int) -> None:
    body = b"x" * (MAX_LINE + over)
    found = list(numbered_lines(BytesIO(b"first\n" + body + end + (b"last" if end else b""))))
    assert found[0] == (1, b"first")
    number, second = found[1]
    assert number == 2
    if over <= 0:
        assert second == body
    else:
        assert isinstance(second, Refused)
        assert second.line == 2
        assert second.path == "$"
        assert second.reason.values["most"] == MAX_LINE
        # The count may hold the line's end.
        assert 0 <= int(second.reason.values["found"]) - len(body) <= len(end)
    assert found[2:] == ([(3, b"last")] if end else [])


def test_a_mark_does_not_count_against_the_longest_line() -> None:
    found = list(numbered_lines(BytesIO(b"\xef\xbb\xbf" + b"x" * (MAX_LINE - 1) + b"\n")))
    assert found == [(1, b"x" * (MAX_LINE - 1))]


class _Endless(RawIOBase):
    """Gives one line of very many bytes, and remembers the largest piece asked for."""

    def __init__(self, size: int) -> None:
        self.left = size
        self.largest = 0

    def readline(self, size: int | None = -1) -> bytes:
        assert size is not None
        assert size > 0
        self.largest = max(self.largest, size)
        piece = min(size, self.left)
        self.left -= piece
        return b"x" * piece


def test_an_oversize_line_is_never_held_whole() -> None:
    stream = _Endless(500 * MAX_LINE)
    [(number, refused)] = numbered_lines(stream)  # type: ignore[arg-type]
    assert number == 1
    assert isinstance(refused, Refused)
    assert refused.reason.values["found"] == 500 * MAX_LINE
    assert stream.largest <= MAX_LINE + 2


@given(st.lists(st.binary(max_size=8).filter(lambda line: b"\n" not in line), max_size=8))
def test_the_numbers_are_those_of_the_lines(parts: list[bytes]) -> None:
    for number, line in lines(b"\n".join(parts)):
        whole = (
            parts[number - 1].removeprefix(b"\xef\xbb\xbf") if number == 1 else parts[number - 1]
        )
        assert line == whole.removesuffix(b"\r")
