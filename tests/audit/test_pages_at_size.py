"""The pages over a full book: few questions, quick answers, the last page as quick as the first."""

import time
from collections.abc import Callable
from typing import Final

import psycopg
from django.db import connection
from django.test.utils import CaptureQueriesContext

from audit.models import Finding
from tests.audit.findings_in_book import client_of, people
from tests.gate import size

LIST: Final = "/admin/audit/finding/"
QUERIES: Final = 12
SLOWEST: Final = 0.4  # seconds, of nineteen pages in twenty
AGAIN: Final = 5
SHELVES: Final = ("audit_finding", "audit_finding_supersession")
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
    office, supersedes_leaf, finding, run, reason, by_stream, by_n)
SELECT gen_random_uuid(), 'reconciler', 10000000 + n, gaming_day, '', '', now(), now(), 'sistema',
    'sistema', '', key, gen_random_uuid(), 'cured', '', NULL
FROM audit_finding WHERE n %% 3 = 0
"""


def fill(book: psycopg.Connection, many: int) -> None:
    """So many findings, without the entries they would stand for."""
    for shelf in SHELVES:
        keys = book.execute(
            "SELECT conname FROM pg_constraint WHERE conrelid = %s::regclass AND contype = 'f'",
            [shelf],
        ).fetchall()
        for (key,) in keys:
            book.execute(f'ALTER TABLE {shelf} DROP CONSTRAINT "{key}"')
    book.execute(FINDINGS, {"many": many})
    book.execute(CURED, {})
    book.execute("ANALYZE")


def test_pages_of_a_full_book_are_quick(
    fresh_db: str,
    connect_as: Callable[..., psycopg.Connection],
) -> None:
    many = size(20_000, 20_000, 1_000_000)
    people()
    fill(connect_as("postgres", autocommit=True), many)
    inspector = client_of("inspetor")
    middle = Finding.objects.order_by("gaming_day", "n")[many // 2]
    oldest = Finding.objects.order_by("gaming_day", "n")[30]
    old = f"from={oldest.gaming_day}&to={oldest.gaming_day}"
    addresses = [
        "/admin/", "/law/pt/", "/law/pt/54/", LIST, f"{LIST}{middle.pk}/change/",
        f"{LIST}?after={middle.gaming_day}~{middle.n}",
        f"{LIST}?before={middle.gaming_day}~{middle.n}",
        f"{LIST}?after={oldest.gaming_day}~{oldest.n}",
        f"{LIST}?state=open&severity=breach", f"{LIST}?severity=note", f"{LIST}?article=54",
        f"{LIST}?article=999", f"{LIST}?table=BJ-06", f"{LIST}?{old}",
        f"{LIST}?{old}&severity=note&state=open", f"{LIST}?q=54", f"{LIST}?q=BJ-06",
        f"{LIST}?q=nothing-like-it", f"{LIST}?person=P-104&{old}", f"{LIST}?person=P-104",
        "/admin/audit/reconciliation/",
    ]  # fmt: skip
    took: dict[float, str] = {}
    for address in addresses:
        inspector.get(address)  # what is read for the first time is not the page's doing
        for _ in range(AGAIN):
            begun = time.perf_counter()
            with CaptureQueriesContext(connection) as asked:
                assert inspector.get(address).status_code == 200
            took[time.perf_counter() - begun] = address
            # The first page asks besides what is due at the tables.
            assert len(asked) <= QUERIES + 10 * (address == "/admin/"), address
    slowest = sorted(took)[-(len(took) // 20 + 1) :]
    told = [f"{seconds * 1000:.0f} ms {took[seconds]}" for seconds in slowest]
    print("\n".join([f"{many} findings; the slowest:", *told]))  # noqa: T201
    assert slowest[0] <= SLOWEST, told
