"""What the API is sent in tests, and what its problems say."""

import json
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from django.test import Client

ROOT: Final = Path(__file__).resolve().parent.parent.parent
KEPT: Final = json.loads((ROOT / "docs" / "openapi.json").read_text("utf-8"))
API: Final = "/api/v1"
PARTIDA: Final = "BJ-06/2026-11-20/1"


def post(client: Client, noun: str, body: object, key: str | None = None, **headers: str) -> Any:
    """What the API answers to a body, JSON already or not."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    named = {"Idempotency-Key": key or str(uuid4()), **headers}
    return client.post(f"{API}/{noun}", data, content_type="application/json", headers=named)


def burn(cards: int = 1, **more: object) -> dict[str, Any]:
    """So many cards were burnt, as it is sent."""
    event = {"table": "BJ-06", "partida": PARTIDA, "shoe": 1, "cards": cards}
    return {"occurred_at": "2026-11-20T21:15:00Z", "event": event, **more}


def errors(answer: Any) -> list[tuple[str, str]]:
    """The places and codes of a problem."""
    assert answer["Content-Type"] == "application/problem+json", answer.content
    body = answer.json()
    assert body["status"] == answer.status_code
    assert body["type"].startswith("urn:livro-da-sala:problem:")
    return [(one["pointer"], one["code"]) for one in body.get("errors", [])]
