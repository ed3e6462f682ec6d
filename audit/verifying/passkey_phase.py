"""Confirmations by passkey, verified again: whether the key that the book names signed them."""

import json
from typing import Final
from uuid import UUID

from audit.attested import REGISTERED, REVOKED, TWICE, WITNESSED, answers
from audit.verifying.phase import Phase, fetch

MANY: Final = 2_000  # confirmations of one step, some tenths of a millisecond each

_KEYS: Final = "SELECT entry FROM book_entry WHERE kind = ANY(%s) ORDER BY id"
_WITNESSED: Final = """
SELECT id, entry FROM book_entry WHERE kind = %s AND id > %s ORDER BY id LIMIT %s
"""


class Passkeys(Phase):
    """Every `witnessed/1`, in the order of their ids."""

    name = "passkeys"

    carried = ("last",)
    last = ""  # the last one looked at

    def step(self) -> bool:
        """Some thousand, with every key there is; what cannot be read was told of before."""
        first = not self.last  # what is wrong with a registration is reported once
        found = fetch(self.using, _WITNESSED, WITNESSED, self.last or str(UUID(int=0)), MANY)
        if found:
            self.last = str(found[-1][0])
        listed = (_body(entry) for _, entry in found)
        bodies = [body for body in listed if body]
        if bodies or first:
            keys = fetch(self.using, _KEYS, [REGISTERED, REVOKED])
            for answer in answers([*(_body(entry) for (entry,) in keys), *bodies]):
                if answer.problem and (first or answer.problem != TWICE):
                    self.report(
                        f"attested-{answer.problem}",
                        stream=answer.stream,
                        n=answer.n,
                        staff=answer.staff,
                    )
        return len(found) < MANY


def _body(entry: bytes) -> dict[str, object]:
    """What an entry's bytes say; nothing where they are no object."""
    try:
        value = json.loads(bytes(entry))
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
