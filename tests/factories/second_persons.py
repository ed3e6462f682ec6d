"""What a second person tells: an act confirmed, a correction decided."""

from uuid import uuid4

from casino.events.corrections import Corrected
from casino.events.witnessing import Witnessed
from casino.recording import Receipt
from tests.factories.records import HEAD, PARTIDA, soon
from tests.factories.usual_events import ref, second_word


def decided(pending: Receipt, original: Receipt, decision: str = "approved") -> Corrected:
    return second_word("BJ-06", pending, original, decision, reason="seen-on-camera")


def confirmation(of: Receipt, **changes: object) -> Witnessed:
    asked: dict[str, object] = {
        "witnessed": ref(of),
        "act": "shuffler-loaded/1",
        "table": "BJ-06",
        "partida": PARTIDA,
        "staff": HEAD.staff,
        "office": "fiscal_chefe",
        "method": "pin",
        "nonce": str(uuid4()),
        "expires_at": soon(),
        "text_sha256": "ab" * 32,
    }
    return Witnessed(**{**asked, **changes})  # type: ignore[arg-type]
