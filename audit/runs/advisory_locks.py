"""What only one of several workers does at a time."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def alone(name: str, *, wait: bool = True) -> Iterator[bool]:
    """A transaction in which nobody else has this name; False where somebody has, who is not waited
    for. Within another transaction the name is held until that one ends.
    """
    how = "pg_advisory_xact_lock" if wait else "pg_try_advisory_xact_lock"
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {how}(hashtextextended(%s, 0))", [name])
            mine = cursor.fetchone()[0] is not False
        yield mine
