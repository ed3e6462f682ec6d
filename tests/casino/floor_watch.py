"""A watch that has something to say of the floor's tables."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import pytest


@dataclass(frozen=True)
class Due:
    """As the watch tells it."""

    severity: str
    words: str
    cited: str = "n.º 54"
    place: str = "shoe 3"
    link: str = "/admin/audit/finding/1/"
    check: str = ""
    partida: str = ""
    due: bool = False
    day: date | None = None
    since: datetime | None = None


def watch(tables: Any, now: Any) -> dict[str, tuple[Due, ...]]:
    """A watch that has something to say."""
    of = {
        "BJ-01": (Due("warning", "Nobody has cut."),),
        "BJ-02": (Due("breach", "Nobody <b>confirmed</b> it."), *(Due("note", "x"),) * 4),
    }
    return {table: of.get(table, ()) for table in tables}


def asked_instead(monkeypatch: pytest.MonkeyPatch, answer: Any = watch) -> None:
    """The floor asks this watch, and no other."""
    monkeypatch.setattr(
        "audit.apps.AuditConfig.table_alerts", lambda _, tables, now: answer(tables, now)
    )
