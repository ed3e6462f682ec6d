"""Texts without case and accents: what is typed in a search finds what was written otherwise."""

import re
import unicodedata
from typing import Final

from django.db.models import CharField, JSONField, TextField, Transform


def folded(text: str) -> str:
    """Without case and accents: ``infracao`` for ``Infração``."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in parts if not unicodedata.combining(char))


# Codes as people type them without the hyphens: ``s0021``, ``cst2026000123``.
_OF_A_YEAR: Final = re.compile(r"([a-z]{2,4})-?(20[0-9]{2})-?([0-9]{1,9})")
_CODE: Final = re.compile(r"([a-z]{1,4})([0-9]{1,12})")


def spellings(word: str) -> tuple[str, ...]:
    """A folded word as it may stand: as it was typed, and as a code with its hyphens where it is
    one that was typed without: ``s0021`` is ``s-0021`` too.
    """
    text = folded(word)
    found = _OF_A_YEAR.fullmatch(text) or _CODE.fullmatch(text)
    return tuple(dict.fromkeys((text, "-".join(found.groups()) if found else text)))


@CharField.register_lookup
@JSONField.register_lookup
@TextField.register_lookup
class Folded(Transform):
    """The same of a column, a text or a short list: ``deck__folded__contains``.

    PostgreSQL's own `normalize`, which needs no extension. Accents go before case does: what a
    small letter is, the database's locale knows of ASCII alone for certain.
    """

    lookup_name = "folded"
    output_field = TextField()
    template = (
        "lower(regexp_replace(normalize((%(expressions)s)::text, NFKD),"
        r" '[\u0300-\u036F]', '', 'g'))"
    )
