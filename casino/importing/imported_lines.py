"""From a file's lines to rounds with their places, whatever kind of file it is."""

from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from casino.converting.convert import Refused as NotConverted
from casino.converting.convert import convert
from casino.converting.mapping import Mapping
from casino.events import Malformed
from casino.events.phrases import Phrase
from casino.events.round.round_played import RoundPlayed
from casino.reading.json_lines import numbered_lines
from casino.reading.refusal import Refused
from casino.reading.round_reader import read_round


class Placed(NamedTuple):
    """A round and the line (or first row) of the file it was read from."""

    line: int
    round: RoundPlayed


def rounds_in_lines(stream: BinaryIO) -> Iterator[Placed | Refused]:
    """The rounds of a JSON Lines file, each line one, in the file's order."""
    for line, data in numbered_lines(stream):
        if isinstance(data, Refused):
            yield data
            continue
        try:
            yield Placed(line, read_round(data))
        except Malformed as error:
            yield Refused.of(line, error)


def rounds_in_table(stream: BinaryIO, mapping: Mapping) -> Iterator[Placed | Refused]:
    """The rounds of another house's CSV, as a mapping says.

    Raises: MappingError, where the mapping does not fit the file.
    """
    for answer in convert(stream, mapping):
        if isinstance(answer, NotConverted):
            for problem in answer.problems:
                yield Refused(
                    problem.row,
                    str(problem.column or "$"),
                    Phrase(
                        "found {found}; asked: {asked}", found=problem.found, asked=problem.asked
                    ),
                )
        else:
            yield Placed(answer.traced[0].row if answer.traced else 0, answer.round)
