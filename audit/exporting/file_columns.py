"""An entry's row made again out of its bytes."""

import json
from typing import Any, NamedTuple
from uuid import UUID

from casino.extensions import event_kinds
from casino.reading.payload import event_in_book


class Row(NamedTuple):
    """What a row of book_entry holds, but for its id and its stream's number; moments as texts."""

    stream: str
    n: int
    key: UUID
    kind: str
    gaming_day: str
    table_code: str
    partida_id: str
    occurred_at: str
    recorded_at: str
    entry: bytes


def row_of(entry: bytes) -> Row:
    """The columns that follow from an entry's bytes.

    Raises: ValueError, LookupError or TypeError, for bytes that are no entry this program knows.
    """
    body = json.loads(entry)
    table, partida = _where(body)
    return Row(
        stream=body["stream"],
        n=int(body["n"]),
        key=UUID(body["key"]),
        kind=body["kind"],
        gaming_day=body["day"],
        table_code=table,
        partida_id=partida,
        occurred_at=body["occurred"],
        recorded_at=body["at"],
        entry=entry,
    )


def _where(body: dict[str, Any]) -> tuple[str, str]:
    """Table and partida, '' for none: most payloads say them, else the event knows."""
    payload = body["payload"]
    if "table" in payload and "partida" in payload:
        return payload["table"], payload["partida"]
    event = event_in_book(event_kinds()[body["kind"]], payload)
    return (
        getattr(event, "table_code", None) or getattr(event, "table", None) or "",
        getattr(event, "partida_id", None) or getattr(event, "partida", None) or "",
    )
