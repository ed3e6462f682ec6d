"""What a record of each kind of the floor is called in addresses, once and for ever.

What is not here is not offered, and NOT_OFFERED says why. Other packages name theirs in
`Extension.api_nouns`.
"""

from collections.abc import Mapping
from typing import Final

NOUNS: Final[Mapping[str, str]] = {
    "table-registered/1": "tables",
    "limits-set/1": "table-limits",
    "duty-begun/1": "duty-beginnings",
    "duty-ended/1": "duty-ends",
    "partida-opened/1": "partida-openings",
    "partida-closed/1": "partida-closings",
    "partida-reopened/1": "partida-reopenings",
    "deck-inspected/1": "deck-inspections",
    "deck-received/1": "deck-receipts",
    "deck-withdrawn/1": "deck-withdrawals",
    "card-replaced/1": "card-replacements",
    "decks-destroyed/1": "deck-destructions",
    "cards-shuffled/1": "shuffles",
    "cut-made/1": "cuts",
    "carta-aviso-placed/1": "carta-aviso-placements",
    "card-burned/1": "card-burns",
    "card-out/1": "cards-out",
    "last-round-announced/1": "last-round-announcements",
    "cards-spread/1": "card-spreads",
    "play-interrupted/1": "play-interruptions",
    "play-resumed/1": "play-resumptions",
    "shuffler-registered/1": "shufflers",
    "shuffler-loaded/1": "shuffler-loads",
    "shuffler-unloaded/1": "shuffler-unloads",
    "shuffler-opened/1": "shuffler-openings",
    "shuffler-found-empty/1": "shuffler-examinations",
    "shuffler-cycle/1": "shuffler-cycles",
    "shuffler-signal/1": "shuffler-signals",
    "shuffler-self-check/1": "shuffler-self-checks",
    "round-played/1": "rounds",
    "stake-signal/1": "stake-signals",
    "rounds-deferred/1": "round-deferrals",
    "dealer-took-table/1": "dealer-arrivals",
    "dealer-left-table/1": "dealer-departures",
    "table-handed-over/1": "table-hand-overs",
    "seat-taken/1": "seat-takings",
    "seat-left/1": "seat-leavings",
    "chips-counted/1": "chip-counts",
    "drop-counted/1": "drop-counts",
    "incident-reported/1": "incidents",
    "incident-step/1": "incident-steps",
    "incident-closed/1": "incident-closings",
    "complaint-received/1": "complaints",
    "dispute-reviewed/1": "dispute-reviews",
    "complaint-decided/1": "complaint-decisions",
    "notice-sent/1": "notices",
    "notice-acknowledged/1": "notice-acknowledgements",
    "footage-held/1": "footage-holds",
    "inspection-leave-asked/1": "inspection-leave-requests",
    "inspection-leave-decided/1": "inspection-leave-decisions",
    "limits-approved/1": "limit-approvals",
    "firmware-decided/1": "firmware-decisions",
    "withdrawal-asked/1": "withdrawal-requests",
    # Read alone: what is recorded otherwise than by a form.
    "witnessed/1": "attestations",
    "corrected/1": "correction-decisions",
}

_PERSON: Final = "a person proves that it is he, on a page made for it"
_HOUSE: Final = "who works in the house, and in which office, is decided before a page"
_SEAL: Final = "the book's own seal and upkeep, recorded by programs or beside them"
NOT_OFFERED: Final[Mapping[str, str]] = {
    **dict.fromkeys(("staff-registered/1", "office-granted/1", "office-ended/1"), _HOUSE),
    **dict.fromkeys(("office-asked/1", "login-reset-asked/1", "request-decided/1"), _HOUSE),
    **dict.fromkeys(("passkey-registered/1", "passkey-revoked/1"), _PERSON),
    **dict.fromkeys(("witness-failed/1", "witness-unlocked/1"), _PERSON),
    **dict.fromkeys(("signing-key-named/1", "epoch-begun/1", "epoch-approved/1"), _SEAL),
    **dict.fromkeys(("signing-key-named/2", "house-act-decided/1", "pepper-changed/1"), _SEAL),
    **dict.fromkeys(("schema-recorded/1", "book-restored/1", "document-seal-asked/1"), _SEAL),
    **dict.fromkeys(("shelf-rebuilt/1", "erased/1", "import-confirmed/1"), _SEAL),
    **dict.fromkeys(
        ("figures-asked/1", "figures-set/1"), "two persons decide on it, each before the page of it"
    ),
    "regulation-text-received/1": "a whole document, read and looked at before it is kept",
}
