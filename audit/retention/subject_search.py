"""Where one person occurs: by the exact value among what is private, by his number in the book."""

from collections import Counter
from typing import Final, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import Count

from casino.models import Naming, Staff

# Capitals and blanks around it do not matter; a part of a text is no match.
_EQUAL: Final = """
SELECT DISTINCT entry_id FROM casino_private_value
WHERE value IS NOT NULL AND lower(btrim(value #>> '{}')) = lower(btrim(%s))
"""


class Found(NamedTuple):
    """The entries that hold something private of him; and how often the book names his number,
    by kind.
    """

    entries: frozenset[UUID]
    named: Counter[str]


def search(subject: str, about: str) -> Found:
    """What is held of a player by what he is called, of staff by the number and the name too."""
    with connection.cursor() as cursor:
        cursor.execute(_EQUAL, [subject])
        entries = {entry for (entry,) in cursor.fetchall()}
    if about != "staff":
        return Found(frozenset(entries), Counter())
    number = subject.strip()
    entries |= set(Staff.objects.filter(person__iexact=number).values_list("pk", flat=True))
    named = Naming.objects.filter(thing="person", code__iexact=number).values("kind")
    return Found(
        frozenset(entries), Counter(dict(named.annotate(n=Count("pk")).values_list("kind", "n")))
    )
