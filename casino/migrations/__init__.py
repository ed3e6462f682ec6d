"""What the database looks like, step by step. SQL too long for a migration lies in sql/."""

from pathlib import Path

_SQL = Path(__file__).parent / "sql"


def sql(*names: str) -> str:
    """The text of the named files of sql/, one after the other."""
    return "\n".join((_SQL / f"{name}.sql").read_text(encoding="utf-8") for name in names)


def projections(*tables: str) -> str:
    """Grants for projections: the application puts rows there and reads them, and no more."""
    named = ", ".join(tables)
    return f"GRANT SELECT, INSERT ON {named} TO app;\nGRANT SELECT ON {named} TO reader;"


def operational(*tables: str) -> str:
    """Grants for tables that prove nothing: sessions, jobs under way, accounts."""
    return f"GRANT SELECT, INSERT, UPDATE, DELETE ON {', '.join(tables)} TO app;"
