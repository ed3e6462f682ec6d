"""What time it is, asked in one place, so that a test can live in another hour.

Environment, heeded only where TESTING is "1": CLOCK_OFFSET is a whole number of seconds the clock
runs ahead (behind, when negative); CLOCK_FILE names a file that holds such a number, so that a test
can move the clock of processes that already run.
"""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path


def now() -> datetime:
    """The present moment, aware UTC."""
    return datetime.now(UTC) + _moved()


def _moved() -> timedelta:
    if os.environ.get("TESTING") != "1":
        return timedelta(0)
    text = os.environ.get("CLOCK_OFFSET", "")
    place = os.environ.get("CLOCK_FILE")
    if place:
        try:
            text = Path(place).read_text("ascii").strip()
        except FileNotFoundError:
            text = ""
    return timedelta(seconds=int(text or "0"))
