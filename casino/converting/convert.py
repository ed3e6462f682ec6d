"""The whole way: CSV bytes in, one answer per round out, in the file's order.

Memory does not grow with the file.
"""

from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from casino.converting.csv_rows import rows_of
from casino.converting.grouping import Problem, groups_of
from casino.converting.mapping import Mapping
from casino.converting.round_grouping import Built, Unbuilt, build


class Refused(NamedTuple):
    """A round that was not converted: its first and last row, how many it has, every reason."""

    first_row: int
    last_row: int
    rows: int
    problems: tuple[Problem, ...]


def convert(stream: BinaryIO, mapping: Mapping) -> Iterator[Built | Refused]:
    """Every round of a CSV file, converted or refused with reasons.

    Raises: MappingError, where the mapping does not fit the file.
    """
    for group in groups_of(rows_of(stream, mapping), mapping):
        try:
            yield build(group, mapping)
        except Unbuilt as error:
            last = group.rows[-1].number
            yield Refused(group.rows[0].number, last, group.seen, tuple(error.problems))
