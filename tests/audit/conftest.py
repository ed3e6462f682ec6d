"""What the auditor's tests may ask for."""

from datetime import datetime
from typing import Any

import pytest

from casino import clock


@pytest.fixture
def pool() -> None:
    """A pool at two tables."""
    from tests.factories.pools import at_two_tables  # not where no database is: the planted bugs

    at_two_tables()


@pytest.fixture
def live_at(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Move the clock to a moment."""
    file = tmp_path / "clock"
    monkeypatch.setenv("CLOCK_FILE", str(file))

    def move(moment: datetime) -> datetime:
        file.write_text("0", "ascii")
        file.write_text(str(int((moment - clock.now()).total_seconds()) + 1), "ascii")
        return clock.now()

    return move
