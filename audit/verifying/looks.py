"""The database around the book: guards, rights, and whether they are as recorded."""

from itertools import pairwise
from typing import Final

from django.db import connections

from audit.verifying.phase import Phase
from audit.verifying.problems import Problem, Report
from casino.guards import missing_guards
from casino.models.sealing_projections import SchemaRecord
from casino.schema_digest.recorded import look

LINES_SHOWN: Final = 40  # lines of the schema


class Looks(Phase):
    """One look, at the end."""

    name = "schema"

    def step(self) -> bool:
        """Guards, schema, and the schemas that were recorded."""
        look_at(self.using, self.report)
        return True


def look_at(using: str, report: Report) -> None:
    """Report every guard that is missing and every line of the schema that is not as recorded."""
    for missing in missing_guards(connections[using]):
        report("guard-missing", told=missing)
    seen = look(using)
    if seen.record is None:
        report("no-schema-record")
    for line in seen.changed[:LINES_SHOWN]:
        report("schema-differs", told=line)
    if len(seen.changed) > LINES_SHOWN:
        report(
            "schema-differs", told=f"... {len(seen.changed) - LINES_SHOWN} more: manage.py schema"
        )
    for before, after in _unexplained(using):
        report("schema-unexplained", stream=after.stream, n=after.n, before=before.n)


def schema_problems(using: str = "default") -> list[Problem]:
    """The same as a list, for whoever looks around more often than the book is verified."""
    report = Report()
    look_at(using, report)
    return report.of("problem")


def _unexplained(using: str) -> list[tuple[SchemaRecord, SchemaRecord]]:
    """Records of another schema though neither migrations nor server were others."""
    records = list(SchemaRecord.objects.using(using).order_by("n"))
    return [
        (before, after)
        for before, after in pairwise(records)
        if before.sha256 != after.sha256
        and (before.migrations, before.server) == (after.migrations, after.server)
    ]
