"""Whether what holds the book is there: the triggers, always on, and the rights nobody may have.

Asked when the house starts and by `manage.py check --database default`: a process that would write
into a book without its guards does not begin. The digest of the whole schema (`schema_digest`) says
more and slower; this says at once what must not be missing.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.apps import apps
from django.core.exceptions import ImproperlyConfigured

from casino.models.projection import Category
from casino.schema_digest.role_rights import APPLICATION, ROLES

REFUSE: Final = "book_refuse"
# The triggers without which a table of the book can be altered, and what each calls.
GUARDS: Final[dict[str, dict[str, str]]] = {
    "book_entry": {
        "book_entry_stamp": "book_stamp",
        "book_entry_rows": REFUSE,
        "book_entry_whole": REFUSE,
    },
    "book_stream": {"book_stream_rows": "book_head", "book_stream_whole": REFUSE},
    "book_leaf": {"book_leaf_rows": REFUSE, "book_leaf_whole": REFUSE},
    "book_tree": {"book_tree_rows": REFUSE, "book_tree_whole": REFUSE},
    "book_tile": {"book_tile_rows": REFUSE, "book_tile_whole": REFUSE},
    "book_checkpoint": {
        "book_checkpoint_stamp": "book_checkpoint_stamp",
        "book_checkpoint_rows": REFUSE,
        "book_checkpoint_whole": REFUSE,
    },
    "book_cosignature": {"book_cosignature_rows": REFUSE, "book_cosignature_whole": REFUSE},
    "casino_round": {"casino_round_whole": REFUSE},
    "casino_private_value": {"casino_private_value_rows": "private_value_guard"},
    "casino_attachment": {"casino_attachment_rows": "attachment_guard"},
    "casino_private_look": {
        "casino_private_look_rows": REFUSE,
        "casino_private_look_whole": REFUSE,
    },
}
# Statement triggers are not inherited: every part of these tables has one of its own.
IN_PARTS: Final = ("casino_round",)
# What the application may do to a table, by what the table is; a column's UPDATE counts as UPDATE.
FORBIDDEN: Final[dict[Category, tuple[str, ...]]] = {
    "book": ("INSERT", "UPDATE", "DELETE", "TRUNCATE"),
    "projection": ("UPDATE", "DELETE", "TRUNCATE"),
    "log": ("UPDATE", "DELETE", "TRUNCATE"),
}
# The parts come with their parents.
_TRIGGERS: Final = """
SELECT c.relname, t.tgname, f.proname, t.tgenabled::text
FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc f ON f.oid = t.tgfoid
WHERE c.relnamespace = 'public'::regnamespace AND NOT t.tgisinternal
"""
_PARTS: Final = """
SELECT p.relname, c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
JOIN pg_class p ON p.oid = i.inhparent WHERE p.relname = ANY(%s)
"""
_ABOVE_RIGHTS: Final = """
SELECT r.rolname, r.rolsuper, pg_has_role(r.oid, c.relowner, 'MEMBER')
FROM pg_roles r, pg_class c WHERE r.rolname = ANY(%s) AND c.oid = to_regclass('public.book_entry')
ORDER BY 1
"""
_RIGHTS: Final = """
SELECT w.who, c.relname, m.may
FROM pg_class c
JOIN unnest(%s::text[], %s::text[]) AS m (name, may) ON m.name = c.relname
CROSS JOIN unnest(%s::text[]) AS w (who)
WHERE c.relnamespace = 'public'::regnamespace AND CASE
    WHEN m.may IN ('INSERT', 'UPDATE')
        THEN has_any_column_privilege(w.who, c.oid, m.may)
    ELSE has_table_privilege(w.who, c.oid, m.may) END
ORDER BY 1, 2, 3
"""
_THERE: Final = """
SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
"""


class Unguarded(ImproperlyConfigured):
    """The book lacks guards: `missing` says which, a sentence each."""

    def __init__(self, missing: Sequence[str]) -> None:
        self.missing = tuple(missing)
        super().__init__(
            "The book is not guarded, so this process does not start. "
            + " ".join(missing)
            + " (docs/operations.md, 'The book is not guarded')"
        )


def missing_guards(connection: Any) -> list[str]:
    """What is missing, a sentence each; none where the book is held as it should be.

    `connection` is Django's or psycopg's own, of any role. On Django's connection ``default``, the
    application's, its own role is asked about too, whatever it is called.
    """
    with connection.cursor() as cursor:
        cursor.execute(_THERE)
        there = {name for (name,) in cursor.fetchall()}
        return [
            *(f"The table {name} is missing." for name in sorted(set(GUARDS) - there)),
            *_triggers_missing(cursor, there),
            *_rights_too_many(cursor, _roles(cursor, getattr(connection, "alias", ""))),
        ]


def refuse_unguarded(connection: Any) -> None:
    """Raises: Unguarded, where something is missing."""
    missing = missing_guards(connection)
    if missing:
        raise Unguarded(missing)


def _triggers_missing(cursor: Any, there: set[str]) -> Iterator[str]:
    cursor.execute(_TRIGGERS)
    found = {(table, name): (calls, how) for table, name, calls, how in cursor.fetchall()}
    asked = {
        (table, name): calls for table in there for name, calls in GUARDS.get(table, {}).items()
    }
    cursor.execute(_PARTS, [list(IN_PARTS)])
    for _, part in cursor.fetchall():
        asked[part, f"{part}_whole"] = REFUSE
    for (table, name), calls in sorted(asked.items()):
        if (table, name) not in found:
            yield f"{table} lacks its trigger {name}."
        elif found[table, name][0] != calls:
            yield f"The trigger {name} of {table} calls {found[table, name][0]}, not {calls}."
    for (table, name), (_calls, how) in sorted(found.items()):
        if how != "A":
            yield f"The trigger {name} of {table} is not always on (it is '{how}')."


def _roles(cursor: Any, alias: str) -> list[str]:
    cursor.execute(
        "SELECT current_user, ARRAY(SELECT rolname::text FROM pg_roles WHERE rolname = ANY(%s))",
        [[APPLICATION, *ROLES]],
    )
    mine, usual = cursor.fetchone()
    return sorted({*usual, *([mine] if alias == "default" else [])})


def _rights_too_many(cursor: Any, roles: Sequence[str]) -> Iterator[str]:
    plain = set(roles)
    cursor.execute(_ABOVE_RIGHTS, [list(roles)])
    for who, is_superuser, is_owner in cursor.fetchall():
        if is_superuser or is_owner:
            plain.discard(who)
            above = "is a superuser" if is_superuser else "owns the book's tables"
            yield f"{who}, as whom the application connects, {above}: no right is kept from it."
    pairs = [(table, may) for table, category in tables() for may in FORBIDDEN.get(category, ())]
    cursor.execute(_PARTS, [list(IN_PARTS)])
    pairs += [(part, may) for _, part in cursor.fetchall() for may in FORBIDDEN["projection"]]
    cursor.execute(_RIGHTS, [[name for name, _ in pairs], [may for _, may in pairs], sorted(plain)])
    for who, table, may in cursor.fetchall():
        yield f"{who} may {may} {table}."


def tables() -> list[tuple[str, Category]]:
    """Every table of ours and what it is to the book."""
    return sorted(
        (model._meta.db_table, model.category)
        for model in apps.get_models()
        if hasattr(model, "category")
    )
