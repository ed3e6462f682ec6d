"""``python -m casino.importing.parse_file FILE [MAPPING]``: a file's rounds, one line each.

A process of its own, bounded in memory and time, which knows no database: whatever a file does to
its reader ends here. What it says, line by line on standard output:

``R LINE JSON`` a round ready to be recorded; ``F LINE JSON`` a line that cannot be, its place and
why; ``B BYTES`` how far it has read; ``U JSON`` why nothing can be read; ``E LINES`` the end. Where
the last word is neither U nor E, the file took more than it was given.
"""

import json
import resource
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Final
from uuid import UUID

from casino.converting.mapping import WHOLE_FILE, MappingError
from casino.converting.mapping_file import read_mapping
from casino.converting.sheet_rows import MAGIC
from casino.events.phrases import Phrase, phrase_as_json
from casino.importing.imported_lines import Placed, rounds_in_lines, rounds_in_table
from casino.reading.refusal import Refused
from casino.reading.round_writer import round_as_json

MEMORY: Final = 280 * 2**20  # bytes of address space
SECONDS: Final = 28  # of processor time
MOST_FAULTS: Final = 20_000  # then the file is another kind of file than it was said to be
NOTHING: Final = Phrase("The file holds no line to be read.")
_OFTEN: Final = 200  # lines between two words about how far it has come


def main(arguments: list[str]) -> None:
    """Read the file and say what is in it."""
    mapping = Path(arguments[1]).read_bytes() if len(arguments) > 1 else None
    in_bounds(arguments[0], lambda stream: parsed(stream, mapping))


def in_bounds(file: str, said_of: Callable[[BinaryIO], Iterator[str]]) -> None:
    """Say of a file what there is to say, in no more memory and time than is given."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    with Path(file).open("rb") as stream:
        try:
            for line in said_of(stream):
                sys.stdout.write(line + "\n")
        except MemoryError:
            return  # what it takes is more than is given: that is said by saying nothing
    sys.stdout.flush()


def parsed(stream: BinaryIO, mapping: bytes | None) -> Iterator[str]:
    """What the module says of a file."""
    last = 0
    faults = 0
    seen: dict[int, int] = {}
    try:
        for count, one in enumerate(_rounds(stream, mapping)):
            last = max(last, one.line)
            answer = one
            if isinstance(one, Placed):
                before = seen.setdefault(UUID(one.round.round).int, one.line)
                if before != one.line:
                    answer = Refused(one.line, "$.round", _twice(before))
            if isinstance(answer, Placed):
                yield f"R {answer.line} {round_as_json(answer.round)}"
            else:
                faults += 1
                yield f"F {answer.line} {fault_as_json(answer)}"
            if faults >= MOST_FAULTS:
                more = Phrase("{count} faulty lines up to here; the rest is not read", count=faults)
                yield f"F {last} {fault_as_json(Refused(last, '$', more))}"
                break
            if count % _OFTEN == 0:
                yield f"B {stream.tell()}"
    except MappingError as error:
        yield f"U {json.dumps(phrase_as_json(_unusable(error)))}"
        return
    except RecursionError:
        deep = Phrase("The file is nested more deeply than anything a record holds.")
        yield f"U {json.dumps(phrase_as_json(deep))}"
        return
    if not last:
        yield f"U {json.dumps(phrase_as_json(NOTHING))}"
        return
    yield f"E {last}"


def _rounds(stream: BinaryIO, mapping: bytes | None) -> Iterator[Placed | Refused]:
    if mapping is not None:
        return rounds_in_table(stream, read_mapping("mapping", mapping))
    begins = stream.read(64).removeprefix(b"\xef\xbb\xbf").lstrip()
    stream.seek(0)
    if begins and not begins.startswith(b"{"):
        found = Phrase("a workbook (.xlsx)") if begins.startswith(MAGIC) else Phrase("another file")
        asked = Phrase("round records, one JSON object a line; other tables with their mapping")
        raise MappingError("", "", found, asked)
    return rounds_in_lines(stream)


def _twice(line: int) -> Phrase:
    return Phrase("the round stands in line {line} already; asked is each round once", line=line)


def _unusable(error: MappingError) -> Phrase:
    if error.key in ("", WHOLE_FILE):
        return Phrase("found {found}; asked: {asked}", found=error.found, asked=error.asked)
    return Phrase(
        "{file}: {key}: found {found}; asked: {asked}",
        file=error.file,
        key=error.key,
        found=error.found,
        asked=error.asked,
    )


def fault_as_json(refused: Refused) -> str:
    """The place and the reason, in any language a page speaks."""
    return json.dumps({"path": refused.path, "reason": phrase_as_json(refused.reason)})


if __name__ == "__main__":
    main(sys.argv[1:])
