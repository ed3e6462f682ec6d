"""The same for passkeys, and for confirmations that failed: see house.py."""

from typing import Final

from casino.events.witnessing import (
    PasskeyRegistered,
    PasskeyRevoked,
    WitnessFailed,
    WitnessUnlocked,
)
from tests.factories.events.house import ACT, AT, at

CREDENTIAL: Final = "dGhlIGNyZWRlbnRpYWw"
AAGUID: Final = "01234567-89ab-cdef-0123-456789abcdef"
P256: Final = (
    "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li_hp_m47n"
    "60p8D54WK84zV2sxXs7LtkBoN79R9Q"
)
ED25519: Final = "MCowBQYDK2VwAyEA11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"

FULL: Final = (
    PasskeyRegistered(
        staff="S-0021",
        credential=CREDENTIAL,
        public_key=P256,
        algorithm="ES256",
        rp_id="livro.example",
        second="S-0003",
        aaguid=AAGUID,
        synced=True,
    ),
    PasskeyRevoked(staff="S-0021", credential=CREDENTIAL, reason="lost"),
    WitnessFailed(
        **AT,
        witnessed=ACT,
        act="shuffler-loaded/1",
        why="wrong_secret",
        count=5,
        asked_by="S-0187",
        claimed="S-0021",
        method="pin",
        locked_until=at("20:02"),
    ),
    WitnessUnlocked(staff="S-0021", reason="identity-checked"),
)
BARE: Final = (
    PasskeyRegistered(
        staff="S-0022",
        credential="YW5vdGhlcg",
        public_key=ED25519,
        algorithm="EdDSA",
        rp_id="localhost",
    ),
    PasskeyRevoked(staff="S-0022", credential="YW5vdGhlcg", reason="replaced"),
    WitnessFailed(
        witnessed=ACT,
        act="incident-reported/1",
        why="unknown_person",
        count=1,
        asked_by="S-0187",
    ),
    WitnessUnlocked(staff="S-0022", reason="other"),
)
