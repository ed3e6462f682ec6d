"""What the database looks like, step by step. SQL too long for a migration lies in sql/."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.db import models
from django.db.models import deletion

_SQL = Path(__file__).parent / "sql"


def sql(*names: str) -> str:
    """The text of the named files of sql/, one after the other."""
    return "\n".join((_SQL / f"{name}.sql").read_text(encoding="utf-8") for name in names)


def text(name: str) -> models.TextField[str, str]:
    """A text column of a projection."""
    return models.TextField(editable=False, verbose_name=name)


def shared() -> list[tuple[str, Any]]:
    """The columns each projection copies from its entry."""
    entry = models.OneToOneField(
        editable=False,
        on_delete=deletion.DO_NOTHING,
        primary_key=True,
        related_name="+",
        serialize=False,
        to="casino.bookentry",
    )
    return [
        ("stream", text("stream")),
        ("n", models.BigIntegerField(editable=False, verbose_name="number in the stream")),
        ("gaming_day", models.DateField(editable=False, verbose_name="gaming day")),
        ("table_code", text("table")),
        ("partida_id", text("partida")),
        ("occurred_at", models.DateTimeField(editable=False, verbose_name="occurred at")),
        ("recorded_at", models.DateTimeField(editable=False, verbose_name="recorded at")),
        ("staff", text("recorded by")),
        ("office", text("office")),
        ("supersedes_leaf", text("corrects")),
        ("entry", entry),
    ]


def projections(*tables: str) -> str:
    """Grants for projections: the application puts rows there and reads them, and no more."""
    named = ", ".join(tables)
    return f"GRANT SELECT, INSERT ON {named} TO app;\nGRANT SELECT ON {named} TO reader;"


def operational(*tables: str) -> str:
    """Grants for tables that prove nothing: sessions, jobs under way, accounts."""
    return f"GRANT SELECT, INSERT, UPDATE, DELETE ON {', '.join(tables)} TO app;"
