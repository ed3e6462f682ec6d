"""The body of a request: strict JSON, and no more of it than the address takes."""

from hashlib import sha256
from typing import BinaryIO, Final

from rest_framework.parsers import BaseParser

from casino.api.api_problems import Problem
from casino.events import Malformed
from casino.events.round.field_form import shown
from casino.reading.strict_json import field_path, parse

MOST: Final = 256 * 1024  # bytes
OF_A_BATCH: Final = 4 * 2**20


class StrictJson(BaseParser):
    """As `casino.reading.strict_json` reads it. A view says with `most_bytes` how much it takes."""

    media_type = "application/json"

    def parse(
        self, stream: BinaryIO, media_type: object = None, parser_context: object = None
    ) -> object:
        """The value. Raises: Malformed, Problem."""
        view = parser_context.get("view") if isinstance(parser_context, dict) else None
        most: int = getattr(view, "most_bytes", MOST)
        data = stream.read(most + 1)
        if len(data) > most:
            raise Problem(413, "too-large")
        if view is not None:
            view.body_sha256 = sha256(data).hexdigest()
        return parse(data)


def object_of(value: object, at: str, required: set[str], optional: set[str]) -> dict[str, object]:
    """An object with these fields and no other. Raises: Malformed."""
    if not isinstance(value, dict):
        raise Malformed(at, "found {found}; asked is an object", found=shown(value))
    known = required | optional
    for name in value:
        if name not in known:
            raise Malformed(
                field_path(at, name),
                "found an unknown field; asked are only {known}",
                known=", ".join(sorted(known)),
            )
    for name in sorted(required):
        if name not in value:
            raise Malformed(f"{at}.{name}", "found none; this field is required")
    return value
