"""Findings by the hundred thousand, written straight into the projections."""

from typing import Final

import psycopg

PROJECTIONS: Final = ("audit_finding", "audit_finding_supersession")

# As the reconciler's rows would look after so many findings: forty tables, 950 findings a day,
# every third one cured. They stand for no entries here, so nothing may ask that they do.
FINDINGS: Final = """
INSERT INTO audit_finding (
    entry_id, stream, n, gaming_day, table_code, partida_id, occurred_at, recorded_at, staff,
    office, supersedes_leaf, key, rulebook, article, check_name, severity, evidence, "where",
    observed, expected, owed_cents, owed_to, readings, run, law, jackpot)
SELECT gen_random_uuid(), 'reconciler', i, day, code, code || '/' || day || '/1', at, at,
    'sistema', 'sistema', '', encode(sha256(i::text::bytea), 'hex'), 'pt',
    (1 + i::bigint * 7919 %% 61)::text,
    (ARRAY['blackjack_paid_three_to_two', 'nearer_to_twenty_one_wins', 'box_exists'])[1 + i %% 3],
    (ARRAY['breach', 'breach', 'breach', 'warning', 'note'])[1 + i %% 5],
    jsonb_build_array(gen_random_uuid()), '{"box": 3, "hand": 1, "kind": "main", "owner": "J2"}',
    '{"returned_cents": 4000}', '{"returned_cents": 5000}', 1000, 'player', '["no-peek"]',
    gen_random_uuid(), repeat('a', 64), ''
FROM generate_series(1, %(many)s) AS i, LATERAL (
    SELECT current_date - ((%(many)s - i) / 950) AS day,
        'BJ-' || lpad((1 + i %% 40)::text, 2, '0') AS code,
        now() - (%(many)s - i) * interval '1 minute' AS at) AS told
"""

CURED: Final = """
INSERT INTO audit_finding_supersession (
    entry_id, stream, n, gaming_day, table_code, partida_id, occurred_at, recorded_at, staff,
    office, supersedes_leaf, finding, run, reason, by_stream, by_n, successor, cured_by)
SELECT gen_random_uuid(), 'reconciler', 10000000 + n, gaming_day, '', '', now(), now(), 'sistema',
    'sistema', '', key, gen_random_uuid(), 'cured', '', NULL, '', '[]'
FROM audit_finding WHERE n %% 3 = 0
"""


def fill(book: psycopg.Connection, many: int) -> None:
    """So many findings, without the entries they would stand for."""
    for projection in PROJECTIONS:
        keys = book.execute(
            "SELECT conname FROM pg_constraint WHERE conrelid = %s::regclass AND contype = 'f'",
            [projection],
        ).fetchall()
        for (key,) in keys:
            book.execute(f'ALTER TABLE {projection} DROP CONSTRAINT "{key}"')
    book.execute(FINDINGS, {"many": many})
    book.execute(CURED, {})
    book.execute("ANALYZE")
