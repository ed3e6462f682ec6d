"""One round of a file looked up and explained, without reading the others."""

from collections.abc import Iterator
from io import BytesIO
from typing import Final

from audit.rounds_file.laws import Laws
from audit.rounds_file.line_source import Source
from casino.events import Malformed
from casino.events.round.round_played import RoundPlayed
from casino.law.rulebook.rulebook import Law
from casino.reading.json_lines import numbered_lines
from casino.reading.refusal import Refused
from casino.reading.round_reader import read_round

SHORTEST: Final = 8  # signs of a round's end that are enough to look for it; the table shows 12


def found_in(
    source: Source, wanted: str, laws: Laws
) -> Iterator[tuple[RoundPlayed, Law] | Refused]:
    """The rounds whose id is, or ends in, `wanted`, each with its law; refusals that name it."""
    sought = wanted.lower().encode()
    for part in source.parts():
        if sought not in part.data:
            continue
        for line, data in numbered_lines(BytesIO(part.data), part.first_line):
            if isinstance(data, Refused) or sought not in data:
                continue
            try:
                record = read_round(data)
                if record.round.endswith(wanted.lower()):
                    yield record, laws.of(record)
            except Malformed as refused:
                yield Refused.of(line, refused)
