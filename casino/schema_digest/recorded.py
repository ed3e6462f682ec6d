"""What the book says the database looked like, against what it looks like now.

`SchemaRecorded` holds the digest, and names as its attachment the lines it was made of: they are
kept where other files of records are, and the digest in the book says whether they are the true
ones.
"""

from dataclasses import dataclass
from typing import Any, Final

from django.db import connections
from django.db.migrations.recorder import MigrationRecorder

from casino.models import Attachment
from casino.models.sealing_projections import SchemaRecord
from casino.schema_digest import Digest, differences, digest

_VERSION: Final = "SELECT current_setting('server_version_num')::integer"


@dataclass(frozen=True, slots=True)
class Look:
    """One look at the schema: as it is (`now`), and the record it was held against, if any.

    `changed` are the lines that differ, ``- ...`` gone and ``+ ...`` new; where it differs and the
    recorded lines are not to be had, one line that says so. Empty where nothing differs.
    """

    now: Digest
    record: SchemaRecord | None
    changed: tuple[str, ...]

    @property
    def differs(self) -> bool:
        """Whether it looks otherwise than the book says."""
        return self.record is not None and self.record.sha256 != self.now.sha256


def look(using: str = "default") -> Look:
    """Hold the schema against the last record of it.

    A month's partition or a migration may come while one looks: what differs is looked at twice.
    """
    now, record = digest(connections[using]), last_record(using)
    if record is not None and record.sha256 != now.sha256:
        now, record = digest(connections[using]), last_record(using)
    if record is None or record.sha256 == now.sha256:
        return Look(now, record, ())
    return Look(now, record, tuple(_changed(record, now, using)))


def last_record(using: str = "default") -> SchemaRecord | None:
    """The last time the schema was recorded."""
    return SchemaRecord.objects.using(using).order_by("-n").first()


def _changed(record: SchemaRecord, now: Digest, using: str) -> list[str]:
    kept = Attachment.objects.using(using).filter(sha256=record.sha256).first()
    data = bytes(kept.content) if kept is not None and kept.content is not None else b""
    if Digest.of_text(data) != record.sha256:
        return [f"- the lines of {record.sha256} are not kept, only their digest"]
    return differences(data.decode().splitlines(), now.lines)


def migrations_applied(using: str = "default") -> tuple[str, ...]:
    """The migrations that made the database: ``casino.0002_book``, sorted."""
    applied = MigrationRecorder(connections[using]).applied_migrations()
    return tuple(sorted(f"{app}.{name}" for app, name in applied))


def server_version(using: str = "default") -> str:
    """``PostgreSQL 18.6``."""
    with connections[using].cursor() as cursor:
        cursor.execute(_VERSION)
        number: Any = cursor.fetchone()[0]
    return f"PostgreSQL {number // 10_000}.{number % 10_000}"
