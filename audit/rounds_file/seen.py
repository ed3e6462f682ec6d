"""The rounds already read in this file, in as little memory as exact knowledge takes.

An open-addressed table in three arrays: 20 bytes a place, at most seven in ten taken, so 29 to 57
bytes a round (some 42 MB for a million). A set of Python objects would take five times that.
"""

import secrets
import struct
from array import array
from typing import Final

_HALVES: Final = struct.Struct("<QQ")
_LARGEST_LINE: Final = 2**32 - 1


class SeenRounds:
    """Which line first told each round. Ids are the 16 bytes of the UUID."""

    def __init__(self, places: int = 1 << 12) -> None:
        """Start with room for `places` (a power of two); it grows by itself."""
        self._make(places)
        self._count = 0
        # So that no file can be written whose ids all fall on one place.
        self._salt = secrets.randbits(64)

    def __len__(self) -> int:
        return self._count

    def add(self, round_id: bytes, line: int) -> int:
        """Remember a round; returns the line that recorded it before, or 0 when it is new.

        Lines beyond 2**32 - 1 are all remembered as that one.
        """
        high, low = _HALVES.unpack(round_id)
        place = self._place(high, low)
        known = self._lines[place]
        if known:
            return known
        self._high[place], self._low[place] = high, low
        self._lines[place] = min(line, _LARGEST_LINE)
        self._count += 1
        if self._count * 10 > self._places * 7:
            self._grow()
        return 0

    def _make(self, places: int) -> None:
        self._places = places
        self._high = array("Q", [0]) * places
        self._low = array("Q", [0]) * places
        self._lines = array("I", [0]) * places  # 0: nobody sits here

    def _place(self, high: int, low: int) -> int:
        """Where this id sits, or the free place where it would."""
        highs, lows, lines, mask = self._high, self._low, self._lines, self._places - 1
        place = hash((high ^ self._salt, low)) & mask
        while lines[place] and (lows[place] != low or highs[place] != high):
            place = (place + 1) & mask
        return place

    def _grow(self) -> None:
        highs, lows, lines = self._high, self._low, self._lines
        self._make(self._places * 2)
        for high, low, line in zip(highs, lows, lines, strict=True):
            if line:
                place = self._place(high, low)
                self._high[place], self._low[place], self._lines[place] = high, low, line
