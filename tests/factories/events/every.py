"""Every kind of event in the three packages, with an example told in full and a bare one."""

from typing import Any, Final

from audit.events import KINDS as AUDIT
from casino.events.kinds import KINDS as FLOOR
from jackpot.events import KINDS as JACKPOT
from tests.factories.events import (
    cases,
    draws,
    floor,
    house,
    inspection,
    letters,
    passkeys,
    pools,
    privacy,
    requests,
    runs,
    shoes,
)

_PAGES: Final = (
    *(house, shoes, floor, passkeys, pools, runs, inspection, draws, cases, letters),
    privacy,
    requests,
)


def _recorded(which: str) -> list[Any]:
    return [event for page in _PAGES for event in getattr(page, which)]


KINDS: Final[dict[str, type[Any]]] = FLOOR | JACKPOT | AUDIT
FULL: Final[dict[str, Any]] = {event.kind: event for event in _recorded("FULL")}
BARE: Final[dict[str, Any]] = {event.kind: event for event in _recorded("BARE")}
# A round is read and written by the round record's own reader and writer.
OF_FIELDS: Final = {kind: event for kind, event in KINDS.items() if kind != "round-played/1"}


# What is recorded by typing it into a form; the rest follows from an act on another page or a job.
TYPED = sorted(
    kind
    for kind in FULL
    if kind
    not in {
        "corrected/1",
        "withdrawal-asked/1",
        "erased/1",
        "shelf-rebuilt/1",
        "import-confirmed/1",
        "regulation-text-received/1",
        "witnessed/1",
        "finding-raised/1",
        "finding-raised/2",
        "finding-superseded/1",
        "finding-superseded/2",
        "reconciliation-started/1",
        "reconciliation-finished/1",
        "game-judged/1",
        "findings-numbered/1",
        "epoch-approved/1",
        "house-act-decided/1",
        "signing-key-named/1",
        "schema-recorded/1",
        "book-verified/1",
        "export-made/1",
        "report-issued/1",
        "letter-issued/1",
        "alert-sent/1",
        "document-seal-asked/1",
        "passkey-registered/1",
        "passkey-revoked/1",
        "witness-failed/1",
        "jackpot-sealed/1",
        "card-out/1",
        "stake-signal/1",
        "shuffler-cycle/1",
        "shuffler-signal/1",
        "shuffler-self-check/1",
        "jackpot-replayed/1",
        "draw-committed/1",
        "draw-made/1",
        "erasure-proposed/1",
        "erasure-decided/1",
        "request-decided/1",
        "figures-asked/1",
        "figures-set/1",
    }
)
