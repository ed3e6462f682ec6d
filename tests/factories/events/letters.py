"""The house's letters, told in full and bare: see house.py."""

from typing import Final

from audit.letter_events import LetterIssued, LetterReceived
from tests.factories.events.house import SURE, A, B, at

ASKED: Final = "0193479e-9999-7c3e-9a54-0c6f2b1d7e10"

FULL: Final = (
    LetterIssued(
        letter="notice",
        matter="IN-2026-0007",
        year=2026,
        number=12,
        request=ASKED,
        letter_language="pt",
        json_sha256=A,
        proofs_sha256=B,
        entries=5,
        size=41203,
        root=B,
        reply_to="SRIJ 2026/4471",
    ),
    LetterReceived(
        document="CTA-2026-000012",
        how="postal_receipt",
        received_at=at("21:35"),
        reference="RD 4471 0012 7 PT",
        received_by="Inês Conceição",
        **SURE,
    ),
)

BARE: Final = (
    LetterIssued(
        letter="complaint_answer",
        matter="RC-1",
        year=2026,
        number=1,
        request=ASKED,
        letter_language="en",
        json_sha256=A,
        proofs_sha256=B,
        entries=0,
        size=1,
        root=A,
    ),
    LetterReceived(document="CTA-2026-000001", how="signed_copy"),
)
