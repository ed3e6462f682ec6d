"""What is recorded outside a partida of what belongs to it: how it is found on the projections.

Its table, machine and decks, its incidents and complaints, and the games that shared any of the
first three about its day, or have a deck or a machine it tells of; of a game into which one of its
decks came, what it tells of that deck and which left it; where its dealers dealt besides; of what
is recorded again and again the last tellings. Of its machine, what it reported of no game in
particular, and its last cycles before, which show that it reports them.
"""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

from casino.events.deck_life import DeckWithdrawn
from casino.events.decks import DeckInspected
from casino.events.floor_life import DealerTookTable
from casino.events.incidents import IncidentReported
from casino.events.partidas import PartidaOpened

_DAYS: Final = timedelta(days=2)  # a gaming day and the morning after it

_TROUBLE: Final = IncidentReported.kind
_WITHDRAWAL: Final = DeckWithdrawn.kind
_DEALS: Final = frozenset({PartidaOpened.kind, DealerTookTable.kind})
AROUND: Final = """
WITH troubles AS (SELECT stream, n, incident FROM casino_incident
 WHERE level IN ('jam', 'warning_light') AND partida_id <> %(partida)s AND occurred_at < %(until)s
 AND occurred_at > %(until)s - interval '31 days'
 AND (shuffler = %(shuffler)s::text OR (shuffler = '' AND table_code = %(table)s AND
 %(shuffler)s::text IS NOT NULL)) ORDER BY occurred_at DESC LIMIT 20),
came AS (SELECT told.partida_id, told.deck FROM (
 SELECT partida_id, deck FROM casino_deck_inspection
 WHERE deck = ANY(%(decks)s::text[]) AND moment = 'exhibition'
 AND occurred_at BETWEEN %(since)s - interval '1 day' AND %(until)s
 UNION SELECT partida_id, jsonb_array_elements_text(decks) FROM casino_shuffle
 WHERE gaming_day BETWEEN %(day)s::date - 1 AND %(day)s::date + 1 AND decks ?| %(decks)s::text[]
 UNION SELECT partida_id, jsonb_array_elements_text(decks) FROM casino_shuffler_load
 WHERE gaming_day BETWEEN %(day)s::date - 1 AND %(day)s::date + 1 AND decks ?| %(decks)s::text[]
 ) AS told JOIN casino_partida AS its USING (partida_id)
 WHERE partida_id <> %(partida)s AND told.deck = ANY(%(decks)s::text[])
 AND NOT its.decks ? told.deck),
games AS (SELECT partida_id FROM casino_partida
 WHERE gaming_day BETWEEN %(day)s::date - 1 AND %(day)s::date + 1 AND partida_id <> %(partida)s
 AND (table_code = %(table)s OR shuffler = ANY(%(machines)s::text[])
 OR decks ?| %(decks_told)s::text[]) UNION SELECT partida_id FROM came),
stints AS (SELECT stream, n, partida_id FROM casino_dealing
 WHERE gaming_day = %(day)s AND partida_id <> %(partida)s AND pagador = ANY(%(dealers)s::text[])
 UNION SELECT stream, n, partida_id FROM casino_partida
 WHERE gaming_day = %(day)s AND partida_id <> %(partida)s AND pagador = ANY(%(dealers)s::text[])),
about AS (SELECT incident FROM troubles UNION SELECT unnest(%(incidents)s::text[]))
(SELECT stream, n FROM casino_table
 WHERE table_code = %(table)s AND occurred_at < %(until)s ORDER BY n DESC LIMIT 20)
UNION (SELECT stream, n FROM casino_limits
 WHERE table_code = %(table)s AND valid_from < %(until)s ORDER BY valid_from DESC LIMIT 20)
UNION (SELECT stream, n FROM casino_shuffler
 WHERE shuffler = %(shuffler)s AND occurred_at < %(until)s ORDER BY n DESC LIMIT 20)
UNION SELECT stream, n FROM casino_shuffler_report
 WHERE shuffler = %(shuffler)s AND partida_id = '' AND occurred_at BETWEEN %(since)s AND %(until)s
UNION SELECT stream, n FROM casino_shuffler_report WHERE table_code = %(table)s
 AND partida_id = '' AND gaming_day BETWEEN %(day)s::date AND %(day)s::date + 1
UNION (SELECT stream, n FROM casino_shuffler_report
 WHERE shuffler = %(shuffler)s AND phase <> '' AND partida_id <> %(partida)s
 AND occurred_at BETWEEN %(until)s - interval '31 days' AND %(since)s
 ORDER BY occurred_at DESC LIMIT 5)
UNION SELECT stream, n FROM casino_emptiness
 WHERE shuffler = %(shuffler)s AND occurred_at BETWEEN %(since)s AND %(until)s
 AND partida_id <> %(partida)s
UNION SELECT stream, n FROM casino_deck_withdrawal
 WHERE deck = ANY(%(decks)s::text[]) AND partida_id <> %(partida)s
UNION SELECT stream, n FROM casino_deck_withdrawal
 WHERE partida_id IN (SELECT partida_id FROM came)
UNION SELECT stream, n FROM casino_deck_inspection WHERE deck = ANY(%(decks)s::text[])
 AND partida_id IN (SELECT partida_id FROM came)
UNION SELECT stream, n FROM casino_shuffle WHERE decks ?| %(decks)s::text[]
 AND partida_id IN (SELECT partida_id FROM came)
UNION SELECT stream, n FROM casino_shuffler_load WHERE decks ?| %(decks)s::text[]
 AND partida_id IN (SELECT partida_id FROM came)
UNION SELECT stream, n FROM casino_destruction WHERE decks ?| %(decks)s::text[]
UNION SELECT stream, n FROM casino_partida WHERE partida_id IN (SELECT * FROM games)
UNION SELECT stream, n FROM casino_closing WHERE partida_id IN (SELECT * FROM games)
UNION SELECT stream, n FROM casino_reopening WHERE partida_id IN (SELECT * FROM games)
UNION SELECT stream, n FROM stints
UNION SELECT after.stream, after.n FROM stints, LATERAL (SELECT stream, n FROM casino_dealing next
 WHERE next.partida_id = stints.partida_id AND next.n > stints.n ORDER BY next.n LIMIT 1) AS after
UNION SELECT stream, n FROM casino_closing WHERE partida_id IN (SELECT partida_id FROM stints)
UNION SELECT stream, n FROM casino_reopening WHERE partida_id IN (SELECT partida_id FROM stints)
UNION SELECT stream, n FROM troubles
UNION SELECT stream, n FROM casino_incident_step
 WHERE incident IN (SELECT * FROM about) AND partida_id <> %(partida)s
UNION SELECT stream, n FROM casino_incident_closure
 WHERE incident IN (SELECT * FROM about) AND partida_id <> %(partida)s
UNION SELECT stream, n FROM casino_notice
 WHERE incident = ANY(%(incidents)s::text[]) AND partida_id <> %(partida)s
UNION SELECT stream, n FROM casino_review
 WHERE dispute = ANY(%(complaints)s::text[] || %(incidents)s::text[]) AND partida_id <> %(partida)s
UNION SELECT stream, n FROM casino_complaint_decision
 WHERE complaint = ANY(%(complaints)s::text[]) AND partida_id <> %(partida)s
"""


def what_lies_around(
    partida: str, table: str, day: date, recorded: Iterable[Any]
) -> dict[str, Any]:
    """The values `AROUND` asks for; `recorded` are those of the partida, as a check sees them."""
    events = [value.event for value in recorded]
    opened = [event for event in events if event.kind == "partida-opened/1"]
    shuffler = opened[-1].shuffler if opened else None
    decks = {deck for event in events for deck in _decks_in(event)}
    return {
        "partida": partida,
        "table": table,
        "day": day,
        "since": datetime.combine(day, time(), UTC),
        "until": datetime.combine(day + _DAYS, time(), UTC),
        "shuffler": shuffler,
        "machines": sorted({shuffler or "", *_named(events, _TROUBLE, "shuffler")} - {""}),
        "decks": sorted(decks),
        "decks_told": sorted({*decks, *_named(events, _WITHDRAWAL, "deck")}),
        "dealers": _codes([event for event in events if event.kind in _DEALS], "pagador"),
        "incidents": _codes(events, "incident"),
        "complaints": _codes(events, "complaint"),
    }


def _named(events: Iterable[Any], kind: str, name: str) -> list[str]:
    """What events of a kind name, as far as they do."""
    return _codes([event for event in events if event.kind == kind], name)


def _codes(events: Iterable[object], name: str) -> list[str]:
    """What events name under a field: incidents, complaints."""
    found = {getattr(event, name, None) for event in events}
    return sorted(code for code in found if code)


def _decks_in(event: Any) -> set[str]:
    """The decks an opening, a shuffle or a load names, and the one that was shown."""
    shown = {event.deck} if event.kind == DeckInspected.kind else set()
    return shown | {getattr(each, "deck", each) for each in getattr(event, "decks", ())}
