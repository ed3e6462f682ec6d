"""Sums owed by findings: to players and to the house apart, by player, table, dealer and day.

Units: cents. Sums are bounded: of a set larger than MOST the newest are added, and that is said.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import Final, NamedTuple, TypeVar

from django.db import connection
from django.db.models import Count, Exists, Q, Sum

from audit.answers import Stretch
from audit.audit_queries import Findings, cures

Key = TypeVar("Key")
MOST: Final = 10_000  # findings with money that are added up

# The dealer is the one whom the round's record names; of what is no round's nobody is named.
_GROUPS: Final = """
WITH money AS MATERIALIZED (
    SELECT held.partida_id, held.table_code, held.gaming_day, held.owed_to, held.owed_cents,
        held.evidence, coalesce(held."where" ->> 'owner', '') AS owner,
        least(held.owed_cents, coalesce((
            SELECT sum(step.paid_cents) FROM audit_case_number AS numbered
            JOIN audit_case_step AS step ON step."case" = numbered."case"
            WHERE numbered.finding = held.key AND step.kind = 'finding-settled/1' AND EXISTS (
                SELECT 1 FROM casino_attestation AS word WHERE word.witnessed_stream = step.stream
                    AND word.witnessed_n = step.n AND lower(word.witness) <> lower(step.staff))
        ), 0)) AS paid
    FROM audit_finding AS held
    WHERE held.owed_cents > 0 AND held.gaming_day BETWEEN %(first)s AND %(last)s
        AND (%(table)s::text = '' OR held.table_code = %(table)s) AND NOT EXISTS (
            SELECT 1 FROM audit_finding_supersession AS over
            WHERE over.finding = held.key AND over.n > held.n)
    ORDER BY held.gaming_day DESC, held.n DESC LIMIT %(most)s
)
SELECT money.owner, money.partida_id, money.table_code, money.gaming_day,
    coalesce(dealt.dealer, '') AS dealer,
    count(*) AS findings,
    coalesce(sum(owed_cents) FILTER (WHERE owed_to = 'player'), 0)::bigint AS to_players,
    coalesce(sum(owed_cents) FILTER (WHERE owed_to = 'house'), 0)::bigint AS to_house,
    coalesce(sum(paid) FILTER (WHERE owed_to = 'player'), 0)::bigint AS paid_players,
    coalesce(sum(paid) FILTER (WHERE owed_to = 'house'), 0)::bigint AS paid_house
FROM money LEFT JOIN LATERAL (
    SELECT round.dealer FROM jsonb_array_elements(money.evidence) AS named (it)
    JOIN casino_round AS round ON round.gaming_day = money.gaming_day
        AND round.table_code = money.table_code AND (
            (jsonb_typeof(named.it) = 'object' AND round.stream = named.it ->> 'stream'
                AND round.n = (named.it ->> 'n')::bigint)
            OR round.entry_id = CASE jsonb_typeof(named.it)
                WHEN 'string' THEN (named.it #>> '{}')::uuid END)
    LIMIT 1) AS dealt ON true
GROUP BY 1, 2, 3, 4, 5"""


class Owed(NamedTuple):
    """What findings owe: how many, cents to players, cents to the house.

    `paid_players` and `paid_house` are how much of it was paid, which a second person confirmed.
    """

    findings: int = 0
    to_players: int = 0
    to_house: int = 0
    paid_players: int = 0
    paid_house: int = 0

    @property
    def paid(self) -> int:
        """What was paid of it, to both."""
        return self.paid_players + self.paid_house

    @property
    def left(self) -> int:
        """What is left to pay."""
        return self.to_players + self.to_house - self.paid

    def plus(self, other: "Owed") -> "Owed":
        """Both together."""
        return Owed(*(a + b for a, b in zip(self, other, strict=True)))


class Row(NamedTuple):
    """One finding's place, and what findings of that place owe."""

    player: str
    partida: str
    table: str
    day: date
    dealer: str
    owed: Owed


class Sums(NamedTuple):
    """What the findings of a list owe, and of that what is unresolved; `whole`: all were added."""

    all: Owed
    unresolved: Owed
    whole: bool


def sums_of(findings: Findings) -> Sums:
    """What the findings of a list owe, whatever their state, and what of it is unresolved."""
    money = findings.filter(owed_cents__gt=0)
    # Added up as they are found: looked up by their keys again, a wrong guess of how many there are
    # makes every finding of the book be held against each of them.
    counted = (
        money.values("pk", "owed_cents", "owed_to")
        .annotate(holds=~Exists(cures()))
        .order_by("-gaming_day", "-n")[: MOST + 1]
        .aggregate(
            findings=Count("pk"),
            to_players=Sum("owed_cents", filter=Q(owed_to="player")),
            to_house=Sum("owed_cents", filter=Q(owed_to="house")),
            held=Count("pk", filter=Q(holds=True)),
            held_players=Sum("owed_cents", filter=Q(holds=True, owed_to="player")),
            held_house=Sum("owed_cents", filter=Q(holds=True, owed_to="house")),
        )
    )
    return Sums(
        Owed(counted["findings"], counted["to_players"] or 0, counted["to_house"] or 0),
        Owed(counted["held"], counted["held_players"] or 0, counted["held_house"] or 0),
        counted["findings"] <= MOST,
    )


def grouped(found: Iterable[Row], by_what: Callable[[Row], Key]) -> dict[Key, Owed]:
    """Rows added up by a key of each."""
    sums: dict[Key, Owed] = {}
    for row in found:
        sums[by_what(row)] = sums.get(by_what(row), Owed()).plus(row.owed)
    return sums


def rows(stretch: Stretch) -> Sequence[Row]:
    """What the unresolved findings of some days owe, by everything it is added up by."""
    with connection.cursor() as cursor:
        cursor.execute(_GROUPS, {**stretch._asdict(), "most": MOST + 1})
        return [
            Row(player, partida, table, day, dealer, Owed(*owed))
            for player, partida, table, day, dealer, *owed in cursor.fetchall()
        ]
