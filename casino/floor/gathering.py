"""What the floor's screens read of the book: open partidas, and their dossiers without the rounds.

A page asks for many tables at once, every half minute, from every tablet. Of the rounds only the
last is read; an entry that was read once is kept, for an entry never changes.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final, NamedTuple
from uuid import UUID

from django.db import connection

from casino import clock, holding, kept_entries
from casino.events.deck_life import DeckWithdrawn
from casino.events.decks import DeckInspected
from casino.events.event import Event
from casino.events.incidents import IncidentReported
from casino.events.round.round_played import RoundPlayed
from casino.kept_entries import Last, read_kept
from casino.law.dossier import Dossier, RecordedEvent
from casino.law.game_incidents import JAMS
from casino.models import Round
from casino.queries import counting, day_of, replaced_in, table_of, that_count

# From the end of an index, table by table: an evening has its hundreds of rounds.
_LAST_ROUNDS: Final = f"""
SELECT partida, last.entry_id FROM
    unnest(%s::text[], %s::text[], %s::date[]) AS asked (partida, code, day), LATERAL (
    SELECT entry_id FROM casino_round AS played
    WHERE gaming_day = day AND table_code = code AND partida_id || '' = partida
        AND {counting("played")}
    ORDER BY gaming_day DESC, table_code DESC, n DESC LIMIT 1) AS last
"""  # noqa: S608 - made of constants alone


_PLAYED: Final = f"""
SELECT count(*) FROM casino_round AS played
WHERE partida_id = %s AND table_code = %s AND gaming_day = %s AND {counting("played")}
"""  # noqa: S608 - made of constants alone
_BOXES: Final = """
SELECT DISTINCT ON (table_code) table_code, boxes FROM casino_table
WHERE table_code = ANY(%s::text[]) ORDER BY table_code, n DESC
"""
# What was recorded outside of games of what is in them. What stops a machine is an open jam there,
# which nobody closed and nobody solved; of a table's machine where it was not named. Whoever took
# a deck out of use may have written it down in two ways. Law: PT art. 51.
_AROUND: Final = f"""
WHERE e.id IN (
    SELECT entry_id FROM casino_incident_closure AS act
    WHERE incident = ANY(%(incidents)s::text[]) AND {counting("act")}
    UNION SELECT entry_id FROM casino_complaint_decision AS act
    WHERE complaint = ANY(%(complaints)s::text[]) AND {counting("act")}
    UNION (SELECT DISTINCT ON (shuffler) entry_id FROM casino_shuffler
    WHERE shuffler = ANY(%(machines)s::text[]) ORDER BY shuffler, n DESC)
    UNION (SELECT entry_id FROM casino_incident AS jam
    WHERE (shuffler = ANY(%(machines)s::text[])
        OR shuffler = '' AND table_code = ANY(%(tables)s::text[]))
    AND level = ANY(%(jams)s::text[]) AND resolved_at IS NULL AND occurred_at > %(since)s
    AND {counting("jam")}
    AND NOT EXISTS (SELECT FROM casino_incident_closure AS act
        WHERE act.incident = jam.incident AND {counting("act")})
    AND NOT EXISTS (SELECT FROM casino_incident_step AS act
        WHERE act.incident = jam.incident AND act.step = 'resolved' AND {counting("act")})
    ORDER BY occurred_at DESC LIMIT 20)
    UNION SELECT entry_id FROM casino_deck_withdrawal AS act
    WHERE deck = ANY(%(decks)s::text[]) AND {counting("act")}
    UNION SELECT entry_id FROM casino_destruction AS act
    WHERE decks ?| %(decks)s::text[] AND {counting("act")})
ORDER BY e.stream_id, e.n
"""  # noqa: S608 - made of constants alone
_OPENINGS: Final = f"""
WHERE e.id IN (SELECT entry_id FROM casino_partida AS act
    WHERE partida_id = ANY(%s::text[]) AND {counting("act")})
ORDER BY e.stream_id, e.n
"""  # noqa: S608 - made of constants alone


LOOKED_BACK: Final = timedelta(days=31)  # as a game's dossier does, for an open jam elsewhere


def boxes_of(tables: Collection[str]) -> dict[str, int]:
    """How many boxes each table has, as it was registered last."""
    with connection.cursor() as cursor:
        cursor.execute(_BOXES, [list(tables)])
        return dict(cursor.fetchall())


def dossiers(
    partidas: Collection[str], now: datetime, *, counted: bool = True
) -> dict[str, tuple[Dossier, int]]:
    """Each partida as it stands, of its rounds the last alone; with how many rounds there are.

    What is held and can still be taken back (casino.holding) is among its entries already. Rounds
    are counted one by one: whoever looks at many tables may leave that out.
    """
    held = holding.held_in(partidas)
    last_rounds = _last_rounds(partidas)
    entries = kept_entries.of_games(partidas)
    rounds = kept_entries.entries(last_rounds.values())
    last = {partida: rounds[entry] for partida, entry in last_rounds.items()}
    left_out = replaced_in(partidas)
    around = _around(entries, [one.recorded for of in held.values() for one in of])
    written = holding.written_of(one for of in held.values() for one in of)
    return {
        partida: (
            holding.with_held(
                Dossier(
                    partida=partida,
                    table=table_of(partida),
                    gaming_day=day_of(partida),
                    as_of=now,
                    entries=_in_order(of, last.get(partida), left_out),
                    around=tuple(
                        one for one in around if getattr(one.event, "partida", None) != partida
                    ),
                ),
                held.get(partida, ()),
                written,
            ),
            _played(partida) if counted and partida in last else 0,
        )
        for partida, of in entries.items()
    }


def _in_order(
    entries: tuple[RecordedEvent[Event], ...],
    last_round: RecordedEvent[Event] | None,
    left_out: Collection[tuple[str, int]],
) -> tuple[RecordedEvent[Event], ...]:
    """A game's entries that count, with its last round where that was recorded."""
    if last_round is not None:
        place = bisect_left(entries, last_round.n, key=lambda recorded: recorded.n)
        entries = (*entries[:place], last_round, *entries[place:])
    if not left_out:
        return entries
    return tuple(one for one in entries if (one.stream, one.n) not in left_out)


def with_rounds(dossier: Dossier, *, shoe: int | None = None, last: int | None = None) -> Dossier:
    """A gathered dossier with more of its rounds: those of one shoe, or the ones recorded last."""
    partida = dossier.partida
    rows = Round.objects.filter(partida_id=partida, gaming_day=day_of(partida)).order_by("-n")
    rows = that_count(rows if shoe is None else rows.filter(shoe=shoe))
    rounds = kept_entries.entries(list(rows.values_list("pk", flat=True)[:last])).values()
    others = [
        recorded for recorded in dossier.entries if not isinstance(recorded.event, RoundPlayed)
    ]
    return replace(
        dossier, entries=tuple(sorted([*others, *rounds], key=lambda recorded: recorded.n))
    )


def _last_rounds(partidas: Collection[str]) -> dict[str, UUID]:
    """The entry of the round recorded last in each partida that has one."""
    tables = [table_of(partida) for partida in partidas]
    days = [day_of(partida) for partida in partidas]
    with connection.cursor() as cursor:
        cursor.execute(_LAST_ROUNDS, [list(partidas), tables, days])
        return dict(cursor.fetchall())


def _played(partida: str) -> int:
    """How many rounds a partida has."""
    with connection.cursor() as cursor:
        cursor.execute(_PLAYED, [partida, table_of(partida), day_of(partida)])
        return int(cursor.fetchone()[0])


class _Named(NamedTuple):
    """What entries name that others tell of: codes, each once."""

    machines: frozenset[str]
    tables: frozenset[str]
    incidents: frozenset[str]
    complaints: frozenset[str]
    decks: frozenset[str]


def _named_in(entries: Iterable[RecordedEvent[Event]]) -> _Named:
    events = [recorded.event for recorded in entries]
    return _Named(
        machines=_codes(events, "shuffler"),
        tables=_codes(events, "table"),
        incidents=_codes(events, "incident"),
        complaints=_codes(events, "complaint"),
        decks=frozenset(decks_named(events)),
    )


_names: Final[Last[_Named]] = Last()


def _around(
    games: Mapping[str, Collection[RecordedEvent[Event]]],
    waiting: Collection[RecordedEvent[Event]],
) -> tuple[RecordedEvent[Event], ...]:
    """What was recorded, here or elsewhere, of the machines, decks, incidents and complaints of
    these games, and of what waits to be written of them.
    """
    listed = [_names.made(one, of, partial(_named_in, of)) for one, of in games.items()]
    listed.append(_named_in(waiting))
    machines, tables, incidents, complaints, decks = (
        sorted(frozenset().union(*of)) for of in zip(*listed, strict=True)
    )
    if not (machines or incidents or complaints or decks):
        return ()
    values = {
        "machines": machines,
        "tables": tables if machines else [],
        "jams": list(JAMS),
        "since": clock.now() - LOOKED_BACK,
        "incidents": incidents,
        "complaints": complaints,
        "decks": decks,
    }
    found = read_kept(_AROUND, values)
    return (*found, *_openings_of(found))


def _openings_of(events: Iterable[RecordedEvent[Event]]) -> list[RecordedEvent[Event]]:
    """The openings of the games that tell of withdrawals and jams: what they had themselves."""
    games = {
        one.event.partida
        for one in events
        if isinstance(one.event, DeckWithdrawn | IncidentReported) and one.event.partida
    }
    return read_kept(_OPENINGS, [list(games)]) if games else []


def decks_named(events: Iterable[object]) -> list[str]:
    """The decks these events are about: of an opening, a shuffle, a load, or the one shown."""
    found: set[str] = set()
    for event in events:
        found |= {getattr(each, "deck", each) for each in getattr(event, "decks", ())}
        found |= {event.deck} if isinstance(event, DeckInspected) else set()
    return sorted(found)


def _codes(events: Iterable[object], name: str) -> frozenset[str]:
    return frozenset(code for event in events if (code := getattr(event, name, None)))
