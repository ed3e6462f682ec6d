"""What the roles of the running house may do in the database: each what its service needs.

`app`, of whoever types a command, may what the migrations grant. Of that, `web` (the pages) writes
no row that only a job or a machine brings; `machines` (the API, by token) writes what machines
bring and nothing else; `worker` (the jobs) changes nothing of who gets in; `watch` (the outbox, and
looks at the house) reads what waits. As whom an entry may be written each role is asked by the
book's own door (migration 0032).

The newest migration of the room on top calls `grant`: what is here then stands in the database, and
in the digest of its schema. A test holds both against each other.
"""

from collections.abc import Collection, Iterator
from typing import Final, NamedTuple, Protocol

from django.apps import apps
from django.db.models import Model
from psycopg import sql

from casino.events.event_policy import DEVICE, SYSTEM
from casino.models.projection import ProjectionBase

APPLICATION: Final = "app"
ROLES: Final = ("web", "machines", "worker", "watch")
# What a page records in the system's name: codes that somebody typed wrongly.
BY_PAGES: Final = frozenset({"witness-failed/1"})
# Beside the accounts of `casino.models.login_accounts`: tables of other packages.
_WHO_GETS_IN: Final = ("casino_account_", "django_session", "oauth2_provider_", "auth_")
# Kept with the accounts, but lets nobody in.
_LETS_NOBODY_IN: Final = ("casino_mail_address", "casino_security_event")
_OF_JOBS: Final = ("outbox_claim(", "outbox_forget(", "security_log_forget(")
# What a machine's call writes beside rows of its records.
_OF_MACHINES: Final = (
    *("casino_api_message", "casino_login_try", "casino_security_event"),
    *("oauth2_provider_accesstoken", "oauth2_provider_refreshtoken"),
    *("casino_private_value", "casino_attachment"),
)
# How far its messages are known; not its tables, nor whether it is revoked.
_OF_A_CALL: Final = frozenset(
    ("casino_api_client", f"UPDATE ({column})")
    for column in ("highest", "taken", "last_at", "skew_ms")
)
_WATCH: Final = frozenset(
    {("job_outbox", "SELECT"), ("book_pending", "SELECT")}
    | {("book_entry", "SELECT (id)"), ("book_entry", "SELECT (recorded_at)")}
)
_HELD: Final = """
SELECT CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, c.relname::text, a.privilege_type
FROM pg_class c, aclexplode(c.relacl) a, pg_roles r
WHERE c.relnamespace = 'public'::regnamespace AND r.oid = a.grantee AND r.rolname = %(role)s
UNION ALL
SELECT 'TABLE', c.relname::text, a.privilege_type || ' (' || quote_ident(t.attname) || ')'
FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid, aclexplode(t.attacl) a, pg_roles r
WHERE c.relnamespace = 'public'::regnamespace AND r.oid = a.grantee AND r.rolname = %(role)s
UNION ALL
SELECT 'FUNCTION', p.oid::regprocedure::text, a.privilege_type
FROM pg_proc p, aclexplode(p.proacl) a, pg_roles r
WHERE p.pronamespace = 'public'::regnamespace AND r.oid = a.grantee AND r.rolname = %(role)s
"""


class Cursor(Protocol):
    """Django's or the driver's own."""

    def execute(self, statement: str, values: dict[str, str], /) -> object:
        """Run one statement."""

    def fetchall(self) -> list[tuple[str, str, str]]:
        """Its rows."""


class Right(NamedTuple):
    """A right to a thing: TABLE, SEQUENCE or FUNCTION; its name; the privilege, of a table with its
    column in brackets where it is to one alone.
    """

    sort: str
    thing: str
    privilege: str

    @property
    def reads(self) -> bool:
        """Whether it changes nothing."""
        return self.privilege.startswith(("SELECT", "USAGE"))


def held(cursor: Cursor, role: str) -> set[Right]:
    """What a role was granted itself."""
    cursor.execute(_HELD, {"role": role})
    return {Right(*row) for row in cursor.fetchall()}


def wanted(role: str, of_app: Collection[Right]) -> set[Right]:
    """What a role of the running house shall have of what `app` has."""
    if role == "watch":
        claims = {right for right in of_app if right.thing.startswith("outbox_claim(")}
        return claims | {Right("TABLE", *each) for each in _WATCH}
    models = {model._meta.db_table: model for model in apps.get_models()}
    own = {Right("TABLE", *each) for each in (_OF_A_CALL if role == "machines" else ())}
    return own | {right for right in of_app if right.reads or _may(role, right, models)}


def grant(cursor: Cursor) -> list[str]:
    """Give every role what it shall have, and take the rest; what was done, a statement each.

    As owner, in a transaction. The roles must be there (casino/local/roles.sql).
    """
    done = [text for role in ROLES for text in _changes(cursor, role)]
    for text in done:
        cursor.execute(text, {})
    return done


def differences(cursor: Cursor) -> list[str]:
    """The statements `grant` would run: none, where every role has what it shall have."""
    return [text for role in ROLES for text in _changes(cursor, role)]


def _changes(cursor: Cursor, role: str) -> Iterator[str]:
    has, shall = held(cursor, role), wanted(role, held(cursor, APPLICATION))
    for verb, way, rights in (("REVOKE", "FROM", has - shall), ("GRANT", "TO", shall - has)):
        for sort, thing, privilege in sorted(rights):
            named = thing if sort == "FUNCTION" else sql.Identifier(thing).as_string(None)
            yield f"{verb} {privilege} ON {sort} {named} {way} {role}"


def _may(role: str, right: Right, models: dict[str, type[Model]]) -> bool:
    """Whether a role has a right that changes something, or calls a function."""
    if right.sort == "FUNCTION":
        return role == "worker" or not right.thing.startswith(_OF_JOBS)
    model = models.get(right.thing)
    if isinstance(model, type) and issubclass(model, ProjectionBase):
        return role == "worker" or _brings(role, model)
    if role == "machines":
        return right.thing in _OF_MACHINES
    return role == "web" or not _is_of_who_gets_in(right.thing, model)


def _brings(role: str, model: type[ProjectionBase]) -> bool:
    """Whether any record of those a projection stands on may be the role's."""
    if role == "machines":
        return any(DEVICE in event.policy.writers for event in model.events)
    return any(
        event.kind in BY_PAGES or event.policy.writers - {DEVICE, SYSTEM} for event in model.events
    )


def _is_of_who_gets_in(table: str, model: type[Model] | None) -> bool:
    of_accounts = model is not None and model.__module__.endswith(".login_accounts")
    return (of_accounts and table not in _LETS_NOBODY_IN) or table.startswith(_WHO_GETS_IN)
