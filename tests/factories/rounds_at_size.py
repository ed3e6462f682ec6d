"""A book as it looks after months of play, written into the database in a few statements.

Entries and projection rows are as the writer makes them, but for three things nobody looks at here:
the entries follow no other (`prev`), none waits for the tree, and the corrections stand for no
entries of their own. The stamp of the book's guard is switched off while they are written, as only
the superuser of a test can do it.
"""

from dataclasses import dataclass, replace
from typing import Any, Final

import psycopg

from casino.reading.payload import payload_of
from casino.tlog.canonical import canonical
from tests.factories.evenings import closed, opened
from tests.factories.rounds import a_round, box, main

PIT: Final = "CASE code WHEN 'BJ-06' THEN 'S-0187' ELSE 'S-1' || right(code, 2) END"
# What the payloads below say, and what stands there in each entry.
RECORDED: Final = {
    "00000000-0000-4000-8000-000000000001": "%1$s",
    '"table":"BJ-01"': '"table":"%2$s"',
    "BJ-01/2026-11-20/1": "%3$s",
    "BJ-01/2025-11-20/1": "%3$s",
    '"shoe":99': '"shoe":%4$s',
    '"number":99': '"number":%5$s',
}
STREAMS: Final = """
INSERT INTO book_stream (name)
SELECT 'table/BJ-' || lpad(t::text, 2, '0') FROM generate_series(1, %(tables)s) AS t
"""
# Day by day, all tables side by side: `k` 0 opens a partida, the last `k` closes it. Those of the
# last day are still open.
ENTRIES: Final = f"""
INSERT INTO book_entry (id, stream_id, n, key, kind, gaming_day, table_code, partida_id,
                        occurred_at, recorded_at, entry)
SELECT told.id, s.id, d * (%(per)s + 2) + k + 1, key, kind, day, code, partida, at, at,
    convert_to(format(
        '{{"at":"%%s","cp":null,"day":"%%s","key":"%%s","kind":"%%s","n":%%s,"occurred":"%%s",'
        '"payload":%%s,"prev":"%%s","stream":"table/%%s","supersedes":null,"v":1,'
        '"who":{{"door":"import","office":"fiscal_de_banca","staff":"%%s"}}}}',
        instant, day, key, kind, d * (%(per)s + 2) + k + 1, instant,
        format(payload, key, code, partida, 1 + k / 20, 1 + k %% 20),
        repeat('ab', 32), code, {PIT}), 'UTF8')
FROM (
    SELECT d, k, t, current_date - %(days)s + 1 + d AS day, 'BJ-' || lpad(t::text, 2, '0') AS code
    FROM generate_series(0, %(days)s - 1) AS d, generate_series(0, %(per)s + 1) AS k,
        generate_series(1, %(tables)s) AS t
    WHERE k <= %(per)s OR d < %(days)s - 1
    ORDER BY d, k, t
) AS place
JOIN book_stream s ON s.name = 'table/' || code, LATERAL (
    SELECT code || '/' || day || '/1' AS partida,
        day + interval '15 hours' + k * interval '2 minutes' + t * interval '1 second' AS since,
        md5(d || '/' || k || '/' || t) AS noise
) AS named, LATERAL (
    SELECT since AT TIME ZONE 'UTC' AS at, book_instant(since AT TIME ZONE 'UTC') AS instant,
        noise::uuid AS key,
        (lpad(to_hex((extract(epoch FROM since) * 1000)::bigint), 12, '0') || '7'
            || left(noise, 3) || '8' || right(noise, 15))::uuid AS id,
        CASE k WHEN 0 THEN 'partida-opened/1' WHEN %(per)s + 1 THEN 'partida-closed/1'
            ELSE 'round-played/1' END AS kind,
        CASE k WHEN 0 THEN %(opened)s WHEN %(per)s + 1 THEN %(closed)s ELSE %(round)s END AS payload
) AS told
"""
HEADS: Final = """
UPDATE book_stream SET head_n = last.n, head_hash = last.leaf_hash FROM (
    SELECT DISTINCT ON (stream_id) stream_id, n, leaf_hash FROM book_entry
    ORDER BY stream_id, n DESC) AS last
WHERE last.stream_id = id AND name LIKE 'table/%%'
"""
# What every projection copies from its entry; a round's own UUID is its entry's key.
SHARED: Final = f"""e.id, s.name, e.n, e.gaming_day, code, e.partida_id, e.occurred_at,
    e.recorded_at, {PIT}, 'fiscal_de_banca', ''"""
COLUMNS: Final = """entry_id, stream, n, gaming_day, table_code, partida_id, occurred_at,
    recorded_at, staff, office, supersedes_leaf"""
OF_KIND: Final = """
FROM book_entry e JOIN book_stream s ON s.id = e.stream_id,
    LATERAL (SELECT e.table_code AS code, (e.n - 1) %% (%(per)s + 2) AS k) AS place
WHERE e.kind = """
MONTHS: Final = """
SELECT ensure_round_partition(day) FROM (SELECT DISTINCT gaming_day AS day FROM book_entry
    WHERE kind = 'round-played/1') AS played
"""
ROUNDS: Final = f"""
INSERT INTO casino_round ({COLUMNS}, round, shoe, number, dealer, rulebook, boxes, staked_cents,
    returned_cents, bank, voided)
SELECT {SHARED}, e.key, 1 + k / 20, 1 + k %% 20, '', 'pt', 3, 6000, 9000, 'TH 7C', ''
{OF_KIND} 'round-played/1' ORDER BY e.id
"""
PARTIDAS: Final = f"""
INSERT INTO casino_partida ({COLUMNS}, rulebook, minimum_cents, maximum_cents, dealing, shuffler,
    decks, cut_card, carta_aviso, fiscal_de_banca, fiscal_chefe, pagador)
SELECT {SHARED}, 'pt', 1000, 30000, 'shoe', '', '["D-1", "D-2"]', '', '', '', '', ''
{OF_KIND} 'partida-opened/1' ORDER BY e.id
"""
CLOSINGS: Final = f"""
INSERT INTO casino_closing ({COLUMNS}, reason, fiscal_de_banca, fiscal_chefe, pagador)
SELECT {SHARED}, '', '', '', '' {OF_KIND} 'partida-closed/1' ORDER BY e.id
"""
# Of every three hundredth round a correction is asked; half of them are decided.
CORRECTIONS: Final = f"""
INSERT INTO casino_supersession ({COLUMNS}, kind, original_n, reason)
SELECT {SHARED}, e.kind, e.n - 1, 'typing_error' {OF_KIND} 'round-played/1' AND e.n %% 300 = 7
"""
DECISIONS: Final = f"""
INSERT INTO casino_correction ({COLUMNS}, pending_stream, pending_n, pending_leaf, original_stream,
    original_n, original_leaf, decision, reason)
SELECT {SHARED}, s.name, e.n, encode(e.leaf_hash, 'hex'), s.name, e.n - 1, '', 'approved',
    'typing_error' {OF_KIND} 'round-played/1' AND e.n %% 600 = 7
"""


@dataclass(frozen=True, slots=True)
class Months:
    """How much was played: on so many days, at so many tables, so many rounds a partida."""

    days: int
    tables: int
    per: int

    @property
    def rounds(self) -> int:
        """How many rounds that makes."""
        return self.days * self.tables * self.per


def fill(book: psycopg.Connection, months: Months) -> None:
    """All of it. `book` is the superuser's connection, each statement for itself."""
    values = {
        "days": months.days,
        "tables": months.tables,
        "per": months.per,
        "opened": _form(opened()),
        "closed": _form(closed()),
        "round": _form(_round()),
    }
    book.execute(STREAMS, values)
    book.execute("ALTER TABLE book_entry DISABLE TRIGGER book_entry_stamp")
    book.execute(ENTRIES, values)
    book.execute("ALTER TABLE book_entry ENABLE ALWAYS TRIGGER book_entry_stamp")
    for statement in (HEADS, MONTHS, ROUNDS, PARTIDAS, CLOSINGS, CORRECTIONS, DECISIONS):
        book.execute(statement, values)
    book.execute("VACUUM ANALYZE")


def _round() -> Any:
    """Four stakes on three boxes: what a round takes in the book, about a kilobyte."""
    played = a_round(
        box(1, "TS 8D", main(1000, 2000)),
        box(3, "7S 8C 4H", main(2500, 5000), main(1000, 2000, "J8")),
        box(5, "TD 6C KH", main(1500, 0)),
        bank="TH 7C",
    )
    return replace(played, shoe=99, number=99)


def _form(event: Any) -> str:
    """An event's payload for format(): identity and place are filled in."""
    text = canonical(payload_of(event)).decode()
    assert "%" not in text
    for wording, asked in RECORDED.items():
        text = text.replace(wording, asked)
    return text
