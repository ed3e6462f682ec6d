"""What a superuser does to a book with the triggers off, and what a verification must say of it."""

from typing import Any, Final, NamedTuple

from django.db import connections, transaction

from audit.verifying.problems import Problem
from audit.verifying.walking import Verification, verify
from tests.factories.verified_books import guarded_again, unguarded

STREAM: Final = "(SELECT id FROM book_stream WHERE name = '{}')"
AT: Final = "stream_id = (SELECT id FROM book_stream WHERE name = '{}') AND n = {}"
OF_ENTRY: Final = "(SELECT id FROM book_entry WHERE " + AT + ")"
BJ6: Final = AT.format("table/BJ-06", 1)
# The bytes of entry 1 of table BJ-06 say that two cards were burnt: one will do.
ONE_CARD: Final = (
    "UPDATE book_entry SET entry = replace(convert_from(entry, 'UTF8'), '\"cards\":2',"
    f" '\"cards\":1')::bytea WHERE {BJ6}"
)
LAST_OF_BJ1: Final = AT.format("table/BJ-01", 8)


class Attack(NamedTuple):
    """Tables whose triggers are off meanwhile, what is done, and what a verification must say.

    `found` are (code, part of where or what): each must be recorded; `alone` says that nothing else
    is.
    """

    tables: tuple[str, ...]
    done: tuple[str, ...]
    found: tuple[tuple[str, dict[str, Any]], ...]
    alone: bool = True


def attack(tables: str, *done: str, found: Any, alone: bool = True) -> Attack:
    return Attack(tuple(tables.split()), done, tuple(found), alone)


def exchanged(one: int, other: int) -> tuple[str, str]:
    """Two entries in each other's places."""
    return (
        f"UPDATE book_leaf SET idx = idx + 1000000 WHERE idx IN ({one}, {other})",
        f"UPDATE book_leaf SET idx = {one + other} + 1000000 - idx WHERE idx >= 1000000",
    )


FIRST: Final = {"stream": "table/BJ-06", "n": 1}
ATTACKS: Final = {
    "a row of a shelf": attack(
        "casino_burn",
        "UPDATE casino_burn SET cards = 9 WHERE stream = 'table/BJ-06' AND n = 1",
        found=[("shelf-differs", {**FIRST, "shelf": "casino_burn", "column": "cards"})],
    ),
    "a row of a shelf taken away": attack(
        "casino_burn",
        "DELETE FROM casino_burn WHERE stream = 'table/BJ-06' AND n = 1",
        found=[("shelf-missing", {**FIRST, "shelf": "casino_burn"})],
    ),
    "a row of a shelf slipped in": attack(
        "casino_burn",
        "INSERT INTO casino_burn SELECT (jsonb_populate_record(NULL::casino_burn, to_jsonb(b)"
        f" || jsonb_build_object('entry_id', {OF_ENTRY.format('house', 1)}))).* FROM casino_burn b"
        " WHERE b.stream = 'table/BJ-06' AND n = 1",
        found=[("shelf-stray", {"shelf": "casino_burn"})],
    ),
    "a round's day, and its partition": attack(
        "casino_round",
        "SELECT ensure_round_partition('2024-01-01')",
        "UPDATE casino_round SET gaming_day = '2024-01-01' WHERE stream = 'table/BJ-01' AND n = 2",
        found=[
            ("shelf-missing", {"stream": "table/BJ-01", "n": 2, "shelf": "casino_round"}),
            ("shelf-stray", {"shelf": "casino_round"}),
        ],
    ),
    "the bytes of an entry": attack(
        "book_entry",
        ONE_CARD,
        found=[
            ("stream-prev", {"stream": "table/BJ-06", "n": 2}),
            ("root-differs", {"size": 7, "since": 0}),
            ("shelf-differs", {**FIRST, "shelf": "casino_burn", "column": "cards"}),
        ],
        alone=False,
    ),
    "an entry and its row, alike": attack(
        "book_entry casino_burn",
        ONE_CARD,
        "UPDATE casino_burn SET cards = 1 WHERE stream = 'table/BJ-06' AND n = 1",
        found=[
            ("stream-prev", {"stream": "table/BJ-06", "n": 2}),
            ("root-differs", {"size": 7, "since": 0}),
        ],
        alone=False,
    ),
    "an entry's day": attack(
        "book_entry casino_burn casino_naming",
        f"UPDATE book_entry SET gaming_day = gaming_day - 1 WHERE {BJ6}",
        "UPDATE casino_burn SET gaming_day = gaming_day - 1 WHERE stream = 'table/BJ-06' AND n = 1",
        "UPDATE casino_naming SET gaming_day = gaming_day - 1"
        " WHERE stream = 'table/BJ-06' AND n = 1",
        found=[("column", {**FIRST, "column": "gaming_day"})],
    ),
    "when an entry was recorded": attack(
        "book_entry casino_burn casino_naming",
        f"UPDATE book_entry SET recorded_at = recorded_at - interval '1 h' WHERE {BJ6}",
        "UPDATE casino_burn SET recorded_at = recorded_at - interval '1 h'"
        " WHERE stream = 'table/BJ-06' AND n = 1",
        "UPDATE casino_naming SET recorded_at = recorded_at - interval '1 h'"
        " WHERE stream = 'table/BJ-06' AND n = 1",
        found=[("column", {**FIRST, "column": "recorded_at"})],
    ),
    "the partida an entry belongs to": attack(
        "book_entry casino_burn",
        f"UPDATE book_entry SET partida_id = '' WHERE {BJ6}",
        "UPDATE casino_burn SET partida_id = '' WHERE stream = 'table/BJ-06' AND n = 1",
        found=[("column", {**FIRST, "column": "partida_id"})],
        alone=False,
    ),
    "the last entry of a table, with everything": attack(
        "book_entry book_leaf book_stream casino_closing job_outbox",
        "DELETE FROM casino_closing WHERE stream = 'table/BJ-01' AND n = 8",
        f"DELETE FROM book_leaf WHERE entry_id = (SELECT id FROM book_entry WHERE {LAST_OF_BJ1})",
        f"DELETE FROM book_entry WHERE {LAST_OF_BJ1}",
        "UPDATE book_stream SET head_n = 7, head_hash = (SELECT leaf_hash FROM book_entry WHERE "
        + AT.format("table/BJ-01", 7)
        + ") WHERE name = 'table/BJ-01'",
        found=[("place-missing", {}), ("root-differs", {})],
        alone=False,
    ),
    "an entry alone": attack(
        "book_entry",
        f"DELETE FROM book_entry WHERE {LAST_OF_BJ1}",
        found=[("entry-missing", {}), ("stream-head", {"stream": "table/BJ-01"})],
        alone=False,
    ),
    "an entry that waits": attack(
        "book_pending",
        "DELETE FROM book_pending WHERE entry_id = " + OF_ENTRY.format("table/BJ-09", 2),
        found=[("entry-forgotten", {"stream": "table/BJ-09", "n": 2})],
        alone=False,
    ),
    "what waits, twice": attack(
        "book_pending",
        "INSERT INTO book_pending SELECT entry_id FROM book_leaf WHERE idx = 3",
        found=[("waiting-stray", {}), ("heads-do-not-add-up", {})],
    ),
    "two places exchanged": attack(
        "book_leaf",
        *exchanged(3, 9),
        found=[("root-differs", {"since": 0})],
        alone=False,
    ),
    "a root": attack(
        "book_tree",
        "UPDATE book_tree SET root = decode(repeat('ab', 32), 'hex') WHERE size = 10",
        found=[("root-subtrees", {"size": 10}), ("root-differs", {"size": 10, "since": 7})],
    ),
    "the subtrees the sequencer goes on from": attack(
        "book_tree",
        "UPDATE book_tree SET frontier = decode(repeat('ab', 64), 'hex') WHERE size = 10",
        found=[("root-subtrees", {"size": 10})],
    ),
    "the newest root": attack(
        "book_tree book_leaf book_checkpoint",
        "DELETE FROM book_tree WHERE size = (SELECT max(size) FROM book_tree)",
        found=[("tree-size", {})],
        alone=False,
    ),
    "a checkpoint's root": attack(
        "book_checkpoint",
        "UPDATE book_checkpoint SET root = decode(repeat('ab', 32), 'hex') WHERE size = 7",
        found=[("checkpoint-root", {"size": 7}), ("checkpoint-note", {"size": 7})],
        alone=False,
    ),
    "a checkpoint's note": attack(
        "book_checkpoint",
        "UPDATE book_checkpoint SET note = replace(note, E'\\n7\\n', E'\\n8\\n') WHERE size = 7",
        found=[("checkpoint-note", {"size": 7}), ("signature-wrong", {"size": 7})],
        alone=False,
    ),
    "a checkpoint nobody signed": attack(
        "book_checkpoint book_cosignature",
        "DELETE FROM book_cosignature WHERE size = 7",
        "UPDATE book_checkpoint SET note ="
        " replace(note, E'\\n\\n', E'\\n\\n— x.invalid AAAAAAA=\\n') WHERE size = 7",
        "UPDATE book_checkpoint SET note ="
        " regexp_replace(note, '— livro[^\\n]*\\n', '') WHERE size = 7",
        found=[("checkpoint-unsigned", {"size": 7})],
    ),
    "when a witness signed": attack(
        "book_cosignature",
        "UPDATE book_cosignature SET cosigned_at = cosigned_at + interval '1 min' WHERE size = 7",
        found=[("cosignature-moment", {"size": 7})],
    ),
    "a name for another": attack(
        "casino_private_value",
        "UPDATE casino_private_value SET value = '\"Zé Ninguém\"'"
        " WHERE entry_id = " + OF_ENTRY.format("house", 1),
        found=[("private-differs", {"stream": "house", "n": 1, "field": "name"})],
    ),
    "a name with its salt for another": attack(
        "casino_private_value",
        "UPDATE casino_private_value v SET salt = o.salt, value = o.value"
        f" FROM casino_private_value o WHERE v.entry_id = {OF_ENTRY.format('house', 1)}"
        " AND o.value = '\"Nuno Reis\"'",
        found=[("private-differs", {"stream": "house", "n": 1})],
    ),
    "a name without an erasure": attack(
        "casino_private_value",
        "UPDATE casino_private_value SET salt = NULL, value = NULL"
        " WHERE entry_id = " + OF_ENTRY.format("house", 1),
        found=[("private-gone", {"stream": "house", "n": 1, "field": "name"})],
    ),
    "a name, row and all": attack(
        "casino_private_value",
        "DELETE FROM casino_private_value WHERE entry_id = " + OF_ENTRY.format("house", 1),
        found=[("private-missing", {"stream": "house", "n": 1, "field": "name"})],
    ),
    "a name that was erased, put back": attack(
        "casino_private_value",
        "UPDATE casino_private_value SET salt = '\\x00', value = '\"Rita Leal\"'"
        " WHERE salt IS NULL",
        found=[
            ("private-differs", {"stream": "house", "n": 2}),
            ("private-kept", {"stream": "house", "n": 2, "field": "name"}),
        ],
    ),
    "a name no entry commits to": attack(
        "casino_private_value",
        "INSERT INTO casino_private_value (entry_id, field, salt, value)"
        f" VALUES ({OF_ENTRY.format('house', 1)}, 'contact', '\\x00', '\"912\"')",
        found=[("private-stray", {"field": "contact"})],
    ),
    "a file's content": attack(
        "casino_attachment",
        "ALTER TABLE casino_attachment DROP CONSTRAINT attachment_is_what_it_is_called",
        "UPDATE casino_attachment SET content = set_byte(content, 9, 65) WHERE size = 30",
        found=[("file-differs", {}), ("schema-differs", {})],
    ),
    "a file without an erasure": attack(
        "casino_attachment",
        "UPDATE casino_attachment SET content = NULL WHERE size = 30",
        found=[("file-gone", {})],
    ),
    "a file's row": attack(
        "casino_attachment",
        "DELETE FROM casino_attachment WHERE size = 30",
        found=[("file-lost", {})],
    ),
    "a head moved back": attack(
        "book_stream",
        "UPDATE book_stream SET head_n = 7, head_hash = (SELECT leaf_hash FROM book_entry WHERE "
        + AT.format("table/BJ-01", 7)
        + ") WHERE name = 'table/BJ-01'",
        found=[("stream-head", {"stream": "table/BJ-01", "n": 8, "head": 7})],
        alone=False,
    ),
    "a stream's name": attack(
        "book_stream",
        "UPDATE book_stream SET name = 'table/BJ-77' WHERE name = 'table/BJ-09'",
        found=[
            ("column", {"n": 1, "column": "stream"}),
            ("stream-gone", {"stream": "table/BJ-09"}),
        ],
        alone=False,
    ),
    "a head's hash": attack(
        "book_stream",
        "UPDATE book_stream SET head_hash = decode(repeat('00', 32), 'hex') WHERE name = 'house'",
        found=[("stream-head", {"stream": "house"})],
    ),
    "a trigger that is ordinary again": attack(
        "",
        "ALTER TABLE book_tree ENABLE TRIGGER book_tree_rows",
        found=[("guard-missing", {}), ("schema-differs", {})],
    ),
    "a right more": attack(
        "",
        "GRANT DELETE ON casino_burn TO app",
        found=[("guard-missing", {}), ("schema-differs", {})],
    ),
    "a guard's body": attack(
        "",
        "CREATE OR REPLACE FUNCTION book_refuse() RETURNS trigger LANGUAGE plpgsql"
        " SET search_path = pg_catalog, public, pg_temp AS 'BEGIN RETURN OLD; END'",
        found=[("schema-differs", {})],
    ),
    "a reader who may do anything": attack(
        "", "ALTER ROLE reader SUPERUSER", found=[("schema-differs", {})]
    ),
}


OF_TILES: Final = {
    "a leaf of a tile": attack(
        "book_tile",
        "UPDATE book_tile SET hashes = set_byte(hashes, 32 * 44, get_byte(hashes, 32 * 44) # 1)"
        " WHERE level = 0 AND n = 1",
        found=[("tile-leaf", {"index": 300, "tile": 1})],
    ),
    "a tile": attack(
        "book_tile",
        "DELETE FROM book_tile WHERE n = 0",
        found=[("tile-missing", {"level": 0, "tile": 0})],
    ),
    "a tile too many": attack(
        "book_tile",
        "INSERT INTO book_tile SELECT 1, 0, hashes FROM book_tile WHERE n = 0",
        found=[("tile-beyond", {})],
    ),
    "two places in a tile": attack(
        "book_leaf",
        *exchanged(10, 290),
        found=[("tile-leaf", {"index": 10}), ("tile-leaf", {"index": 290})],
        alone=False,
    ),
    "an entry among six hundred": attack(
        "book_entry casino_burn",
        "UPDATE book_entry SET entry = replace(convert_from(entry, 'UTF8'), '\"cards\":1',"
        " '\"cards\":2')::bytea WHERE id = (SELECT entry_id FROM book_leaf WHERE idx = 300)",
        "UPDATE casino_burn SET cards = 2"
        " WHERE entry_id = (SELECT entry_id FROM book_leaf WHERE idx = 300)",
        # The root of 400 entries is astray; that of 500 says nothing more of it.
        found=[("tile-leaf", {"index": 300}), ("root-differs", {"size": 400, "since": 300})],
        alone=False,
    ),
}


def after(alias: str, attack: Attack) -> Verification:
    """What a verification says after an attack that is then undone."""
    with transaction.atomic(using=alias), connections[alias].cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        cursor.execute("SET datestyle = 'ISO'; " + unguarded(*attack.tables))
        for statement in attack.done:
            cursor.execute(statement)
        guarded_again(cursor, *attack.tables)
        cursor.execute("SET session_replication_role = origin")
        verification = verify(alias)
        transaction.set_rollback(True, using=alias)
    return verification


def recorded_there(problem: Problem, code: str, where: dict[str, Any]) -> bool:
    has = problem.where() | dict(problem.details)
    return problem.code == code and where.items() <= has.items()


def said(verification: Verification) -> list[str]:
    """What a verification found, for a failing test to show."""
    return [
        f"{each.code} {each.where()} {dict(each.details)}" for each in verification.report.problems
    ]
