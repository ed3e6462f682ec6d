"""What was acknowledged, held against the list of rounds the house's API gives a reader."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from casino.simulation.devices.house_line import AGAIN, Line, Refused, Said

PAGE: Final = 500
PLACED: Final = 60.0  # seconds without any new entry until what is missing counts as missing


class Found(NamedTuple):
    """How many of the acknowledged rounds stand in the book once, under the entry they were given;
    which are missing, which stand there more than once, and which under another entry.
    """

    once: int
    missing: tuple[str, ...]
    doubled: tuple[str, ...]
    elsewhere: tuple[str, ...]

    @property
    def whole(self) -> bool:
        """Whether every one is there once."""
        return not (self.missing or self.doubled or self.elsewhere)


def in_the_book(line: Line, entries: Mapping[str, str]) -> Found:
    """Read the list of rounds from its beginning; an entry is listed some tenths of a second late.

    Raises: `house_line.Refused`.
    """
    there: dict[str, str] = {}
    times: Counter[str] = Counter()
    try:
        for one in _listed(line, lambda: len(there) == len(entries)):
            key = one["event"]["round"]
            if key in entries:
                times[key] += 1
                there.setdefault(key, one["entry"])
    finally:
        line.close()
    return Found(
        sum(times[key] == 1 and there[key] == entry for key, entry in entries.items()),
        tuple(key for key in entries if key not in there),
        tuple(key for key in entries if times[key] > 1),
        tuple(key for key, entry in entries.items() if there.get(key, entry) != entry),
    )


def _listed(line: Line, enough: Callable[[], bool]) -> Iterator[Said]:
    """Every round of the list to its end, and those that are placed meanwhile, until it is enough
    or nothing new comes for a while.
    """
    cursor, since = "-1", time.monotonic()
    while time.monotonic() - since < PLACED:
        status, page = line.get(f"rounds?limit={PAGE}&cursor={cursor}")
        if status not in AGAIN and status != 200:
            raise Refused(f"{line.number}: {status} {page}")
        if status == 200 and page["items"]:
            cursor, since = page["cursor"], time.monotonic()
            yield from page["items"]
        if status == 200 and page["more"]:
            continue
        if enough():
            return
        time.sleep(0.2)
