"""Names that nobody else gives: UUIDs that rise with time."""

import secrets
import time
from uuid import UUID


def uuid7() -> UUID:
    """A new UUID of version 7: milliseconds, their 4096ths, 62 random bits (RFC 9562, 6.2.3)."""
    milliseconds, rest = divmod(time.time_ns(), 1_000_000)
    parts = rest * 4096 // 1_000_000
    high = (milliseconds & (2**48 - 1)) << 16 | 7 << 12 | parts
    return UUID(int=high << 64 | 0b10 << 62 | secrets.randbits(62))
