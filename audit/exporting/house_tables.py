"""The tables of a whole copy of the house, and how the database writes each as CSV.

All projections, the entries themselves, and of what stands beside the book what a house takes
along. Nothing anybody gets in with is in one of them. Rows of the book are those of the signed
tree: what was recorded later is in no file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from django.db.backends.utils import CursorWrapper
from django.db.models import Field, ForeignKey, Model
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from psycopg import sql

from audit.models import ReportRequest
from casino.models import Account, ApiClient, Attachment, BookEntry, PrivateLook, PrivateValue
from casino.models.projection import ProjectionBase
from casino.rebuilding import projection_models

# Why a table is in no copy, by its name. A test sees that every table is here or in `house_tables`.
SECRET: Final = "secret"  # noqa: S105 - what somebody gets in with, or is on the way in
PASSING: Final = "passing"  # what is under way or was counted; what came of it is in the book
PERSONAL: Final = "personal"  # somebody's own: he sets it again
OTHERWISE: Final = "otherwise"  # in the copy in another form, or follows from what is in it
LEFT_OUT: Final = {
    **dict.fromkeys(
        (
            *("casino_witness_secret", "casino_quick_code", "casino_authenticator"),
            *("casino_recovery_code", "casino_login_try", "casino_witness_tries"),
            "casino_login_reset",
            *("casino_passkey_use", "django_session", "oauth2_provider_application"),
            *("oauth2_provider_grant", "oauth2_provider_accesstoken"),
            *("oauth2_provider_refreshtoken", "oauth2_provider_idtoken"),
            "oauth2_provider_devicegrant",
        ),
        SECRET,
    ),
    **dict.fromkeys(
        (
            *("book_pending", "job_outbox", "casino_job_try", "casino_held_record"),
            *("casino_staged_import", "casino_staged_piece", "casino_waiting_file"),
            *("casino_api_message", "casino_document_signature", "audit_run", "audit_run_part"),
            *("audit_run_difference", "audit_partida_reading", "audit_verification_run"),
            *("audit_pool_replay_run", "audit_mail", "audit_mailed_alert", "audit_webhook_post"),
            *("audit_watch_look", "audit_pack_piece", "casino_directory_offices"),
        ),
        PASSING,
    ),
    **dict.fromkeys(
        ("casino_mail_address", "audit_saved_filter", "django_admin_log", "casino_security_event"),
        PERSONAL,
    ),
    **dict.fromkeys(
        (
            *("book_stream", "book_leaf", "book_tree", "book_tile", "book_checkpoint"),
            *("book_cosignature", "casino_not_counting", "audit_report_file"),
            *("casino_account_groups", "casino_account_user_permissions", "auth_group"),
            *("auth_group_permissions", "auth_permission", "django_content_type"),
        ),
        OTHERWISE,
    ),
}

# What columns are called that have no name on any page.
_NAMED: Final = {
    "created_at": _("account made at"),
    "entry_id": _("entry"),
    "highest": _("highest number of a message"),
    "id": _("key of the row"),
    "key": _("sender's key"),
    "last_at": _("last message at"),
    "made_at": _("registered at"),
    "made_by": _("registered by"),
    "number": _("number"),
    "revoked_at": _("revoked at"),
    "scopes": _("what it may ask for"),
    "skew_ms": _("how far its clock ran behind"),
    "tables": _("tables"),
    "taken": _("messages taken"),
}
_ERASED: Final = _("erased")
# How a column of each type is written: the same on every server, whatever its settings.
_FORMS: Final = {
    "boolean": "{}::text",
    "datetime": """to_char({} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')""",
    "date": "to_char({}, 'YYYY-MM-DD')",
    "any": "{}::text",
    "binary": "encode({}, 'hex')",
}
_TYPES: Final = {
    "BooleanField": "boolean",
    "DateTimeField": "datetime",
    "DateField": "date",
    "JSONField": "any",
    "UUIDField": "uuid",
    "BinaryField": "binary",
}


class Column(NamedTuple):
    """A column: its name, its type, what people call it, how the database is asked for it.

    `kind` is one of the types of the Table Schema, or "uuid" or "binary" (hex digits): both texts.
    """

    name: str
    kind: str
    label: str | Promise
    asked: sql.Composable


class HouseTable(NamedTuple):
    """A table: its columns, its rows (what follows SELECT, the signed tree's `{size}` left open).

    `key` names the columns that tell its rows apart (none: nothing does), `entry` the one that
    names an entry of the book ("" for none). `follows`: it is made again from the book when it is
    read back.
    """

    name: str
    label: str | Promise
    columns: tuple[Column, ...]
    rows: str
    key: tuple[str, ...]
    entry: str = ""
    follows: bool = False


def house_tables() -> list[HouseTable]:
    """Every table of a copy, in the order in which they are written."""
    return [_entries(), *map(_projection, projection_models().values()), *_beside()]


def csv_of(
    cursor: CursorWrapper, table: HouseTable, size: int, names: Sequence[str] | None = None
) -> Iterator[bytes]:
    """The CSV of a table, header first, a row or so at a time; of these columns alone, if named.

    A text that is empty is "" in it and one there is not is nothing: the book keeps them apart.
    """
    by_name = {column.name: column for column in table.columns}
    columns = [by_name[name] for name in names or by_name]
    asked = [sql.SQL("{} AS {}").format(one.asked, sql.Identifier(one.name)) for one in columns]
    statement = sql.SQL("COPY (SELECT {} {}) TO STDOUT (FORMAT csv, HEADER)").format(
        sql.SQL(", ").join(asked),
        sql.SQL(table.rows).format(size=sql.Literal(size)),
    )
    with cursor.copy(statement) as pieces:
        for piece in pieces:
            yield bytes(piece)


def _of_model(model: type[Model], *names: str) -> tuple[Column, ...]:
    """Columns of a table with their own names: these, or all."""
    fields: list[Field[object, object]] = [
        field for field in model._meta.concrete_fields if not names or field.attname in names
    ]
    return tuple(_column(field) for field in fields)


def _column(field: Field[object, object]) -> Column:
    kind = _kind(field)
    label = field.verbose_name
    if not isinstance(label, Promise):  # nobody named it
        label = _NAMED[field.attname]
    asked = sql.SQL("t.{}").format(sql.Identifier(field.attname))
    form = sql.SQL(_FORMS.get(kind, "{}")).format(asked)
    return Column(field.attname, kind, label, form)


def _kind(field: Field[object, object]) -> str:
    if isinstance(field, ForeignKey):
        return _kind(field.target_field)
    kind = field.get_internal_type()
    return "integer" if "Integer" in kind else _TYPES.get(kind, "string")


def _projection(model: type[ProjectionBase]) -> HouseTable:
    key = model._meta.pk.attname
    name = model._meta.db_table
    return HouseTable(
        name,
        model._meta.verbose_name or name,
        _of_model(model),
        f"FROM {name} t JOIN book_leaf l ON l.entry_id = t.entry_id WHERE l.idx < {{size}}"
        f" ORDER BY l.idx, t.{key}",
        (key,),
        entry="entry_id",
        follows=True,
    )


def _entries() -> HouseTable:
    """The book, an entry a row: what is found otherwise in tiles of 256."""
    names = (
        *("n", "key", "kind", "gaming_day", "table_code", "partida_id", "occurred_at"),
        *("recorded_at", "leaf_hash"),
    )
    own = {each.name: each for each in _of_model(BookEntry, "id", "entry", *names)}
    text = sql.SQL("convert_from(t.entry, 'UTF8')")
    return HouseTable(
        BookEntry._meta.db_table,
        BookEntry._meta.verbose_name_plural or "",
        (
            Column("idx", "integer", _("index in the tree"), sql.SQL("l.idx")),
            own["id"],
            Column("stream", "string", _("stream"), sql.SQL("s.name")),
            *(own[name] for name in names),
            Column("entry", "any", own["entry"].label, text),
        ),
        "FROM book_leaf l JOIN book_entry t ON t.id = l.entry_id"
        " JOIN book_stream s ON s.id = t.stream_id WHERE l.idx < {size} ORDER BY l.idx",
        ("id",),
        follows=True,
    )


def _beside() -> Iterator[HouseTable]:
    """What stands beside the book; what is secret or private of it is in no column."""
    account = _of_model(Account, "staff", "is_active", "language", "created_at")
    yield _table(Account, account, "FROM casino_account t ORDER BY t.staff", "staff")
    machine = _of_model(
        ApiClient,
        *("number", "tables", "scopes", "made_by", "made_at", "revoked_at", "highest", "taken"),
        *("last_at", "skew_ms"),
    )
    registered = _table(ApiClient, machine, "FROM casino_api_client t ORDER BY t.number", "number")
    yield registered._replace(label=_("machines that call"))
    gone = Column("erased", "boolean", _ERASED, sql.SQL("(t.salt IS NULL)::text"))
    yield _table(
        PrivateValue,
        (*_of_model(PrivateValue, "entry_id", "field"), gone),
        "FROM casino_private_value t JOIN book_leaf l ON l.entry_id = t.entry_id"
        " WHERE l.idx < {size} ORDER BY l.idx, t.field",
        *("entry_id", "field"),
    )._replace(entry="entry_id")
    gone = Column("erased", "boolean", _ERASED, sql.SQL("(t.content IS NULL)::text"))
    file = _of_model(Attachment, "sha256", "media_type", "size", "stored_at")
    ordered = "FROM casino_attachment t ORDER BY t.sha256"
    yield _table(Attachment, (*file, gone), ordered, "sha256")
    look = _of_model(PrivateLook, "at", "staff", "entry", "kind", "field", "page")
    yield _table(PrivateLook, look, "FROM casino_private_look t ORDER BY t.id")
    report = _of_model(
        ReportRequest,
        *("request", "by_staff", "by_office", "report", "report_language", "from_day", "to_day"),
        *("of_table", "of_jackpot", "reply_to", "asked_at", "number", "pack_of", "of_partida"),
    )
    issued = "FROM audit_report_request t WHERE t.number <> '' ORDER BY t.number"
    yield _table(ReportRequest, report, issued, "number")


def _table(model: type[Model], columns: tuple[Column, ...], rows: str, *key: str) -> HouseTable:
    name = model._meta.db_table
    return HouseTable(name, model._meta.verbose_name_plural or name, columns, rows, key)
