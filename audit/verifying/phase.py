"""What all steps of a verification have in common: whom they tell, how they read and go on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, ClassVar
from uuid import UUID

import psycopg
from django.db import connections

if TYPE_CHECKING:
    from audit.verifying.walking import Verification


class Phase:
    """One kind of thing to look at. Can be left between any two steps and gone on with later.

    `carried` names the attributes that have to be known to go on, values of JSON; each begins with
    what stands in the class.
    """

    name: ClassVar[str]
    carried: ClassVar[Sequence[str]] = ()

    def __init__(
        self, verification: "Verification", kept: Mapping[str, object] | None = None
    ) -> None:
        self.verification = verification
        self.using, self.report = verification.using, verification.report
        self.begin(kept)

    def begin(self, kept: Mapping[str, object] | None) -> None:
        """Begin; or go on, with what `state` gave."""
        for name, value in (kept or {}).items():
            setattr(self, name, value)

    def state(self) -> dict[str, object]:
        """What has to be known to go on later, as JSON."""
        return {name: getattr(self, name) for name in self.carried}

    def step(self) -> bool:
        """Look at a little more, some seconds' worth at most; whether nothing is left."""
        raise NotImplementedError


@dataclass(slots=True)
class Row:
    """An entry as the database has it; `index` is None for one without a place in the tree.

    Columns are read in this order. `body` is what its bytes say, None while they were not read or
    cannot be.
    """

    index: int | None
    id: UUID
    stream: str
    n: int
    key: UUID
    kind: str
    gaming_day: date
    table_code: str
    partida_id: str
    occurred_at: datetime
    recorded_at: datetime
    entry: bytes
    leaf: bytes
    body: Any = None

    @property
    def place(self) -> dict[str, Any]:
        """Where it stands, for a report."""
        return {"index": self.index, "stream": self.stream, "n": self.n, "entry": self.id}


def fetch(using: str, statement: str, *values: object) -> list[tuple[Any, ...]]:
    """The rows of one statement. On the driver's own cursor, which takes bytes as they are."""
    connection = connections[using]
    connection.ensure_connection()
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
        return cursor.execute(statement, values or None, binary=True).fetchall()
