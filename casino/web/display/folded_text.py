"""Texts without case and accents: what is typed in a search finds what was written otherwise."""

import unicodedata

from django.db.models import CharField, JSONField, TextField, Transform


def folded(text: str) -> str:
    """Without case and accents: ``infracao`` for ``Infração``."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in parts if not unicodedata.combining(char))


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
