"""An entry's columns against its bytes: these were hashed, the columns only find them."""

from collections.abc import Iterator
from typing import Any, Final

from audit.verifier.canonical import loads
from audit.verifying.phase import Row
from casino.tlog.canonical import instant_text

TABLE: Final = "table/"


def body_of(entry: bytes) -> dict[str, Any] | None:
    """What an entry's bytes say; None where they say nothing that could be an entry."""
    try:
        value = loads(entry)
    except (ValueError, RecursionError):
        return None
    asked = isinstance(value, dict) and isinstance(value.get("payload"), dict)
    return value if asked else None


def unlike(row: Row) -> Iterator[str]:
    """The columns that do not say what the bytes say."""
    body = row.body
    for column, stored, text in (
        ("stream", row.stream, "stream"),
        ("n", row.n, "n"),
        ("key", str(row.key), "key"),
        ("kind", row.kind, "kind"),
        ("gaming_day", row.gaming_day.isoformat(), "day"),
        ("occurred_at", instant_text(row.occurred_at), "occurred"),
        ("recorded_at", instant_text(row.recorded_at), "at"),
    ):
        if body.get(text) != stored:
            yield column
    payload, stream = body["payload"], row.stream
    table = stream.removeprefix(TABLE) if stream.startswith(TABLE) else row.table_code
    if row.table_code != table or payload.get("table", table) != table:
        yield "table_code"
    if payload.get("partida", row.partida_id) != row.partida_id:
        yield "partida_id"
