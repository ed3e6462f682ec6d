"""What the floor's screens read of the book: open partidas, and their dossiers without the rounds.

A page asks for many tables at once, every half minute, from every tablet. Of the rounds only the
last is read; an entry that was read once is kept, for an entry never changes.
"""

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import connection
from django.db.models import Exists, OuterRef, Q

from casino import clock, holding, kept_entries
from casino.events.deck_life import DeckWithdrawn
from casino.events.decks import DeckInspected
from casino.events.event import Event
from casino.events.incidents import IncidentReported
from casino.events.round.round_played import RoundPlayed
from casino.law.dossier import Dossier, RecordedEvent
from casino.law.game_incidents import JAMS
from casino.models import (
    BookEntry,
    ComplaintDecision,
    Incident,
    IncidentClosure,
    IncidentStepRow,
    Partida,
    Round,
    Shuffler,
    Table,
)
from casino.queries import (
    counting,
    day_of,
    not_counting,
    replaced_in,
    table_of,
    that_count,
)

# From the end of an index, table by table: an evening has its hundreds of rounds.
_LAST_ROUNDS: Final = f"""
SELECT partida, last.entry_id FROM
    unnest(%s::text[], %s::text[], %s::date[]) AS asked (partida, code, day), LATERAL (
    SELECT entry_id FROM casino_round AS played
    WHERE gaming_day = day AND table_code = code AND partida_id || '' = partida
        AND {counting("played")}
    ORDER BY gaming_day DESC, table_code DESC, n DESC LIMIT 1) AS last
"""  # noqa: S608 - made of constants alone


# Whoever took a deck out of use, and wherever that was written down.
_GONE: Final = """
SELECT entry_id, stream, n FROM casino_deck_withdrawal WHERE deck = ANY(%(decks)s::text[])
UNION SELECT entry_id, stream, n FROM casino_destruction WHERE decks ?| %(decks)s::text[]
"""


LOOKED_BACK: Final = timedelta(days=31)  # as a game's dossier does, for an open jam elsewhere


def boxes_of(tables: Collection[str]) -> dict[str, int]:
    """How many boxes each table has, as it was registered last."""
    rows = Table.objects.filter(table_code__in=tables).order_by("table_code", "n")
    return dict(rows.values_list("table_code", "boxes"))


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
    kept = kept_entries.entries(last_rounds.values())
    for partida, entry in last_rounds.items():
        entries[partida] = sorted([*entries[partida], kept[entry]], key=lambda recorded: recorded.n)
    left_out = replaced_in(partidas)
    waiting = [one.recorded for of in held.values() for one in of]
    around = _around([*(recorded for of in entries.values() for recorded in of), *waiting])
    written = holding.written_of(one for of in held.values() for one in of)
    return {
        partida: (
            holding.with_held(
                Dossier(
                    partida=partida,
                    table=table_of(partida),
                    gaming_day=day_of(partida),
                    as_of=now,
                    entries=tuple(
                        recorded for recorded in of if (recorded.stream, recorded.n) not in left_out
                    ),
                    around=around,
                ),
                held.get(partida, ()),
                written,
            ),
            _played(partida) if counted and partida in last_rounds else 0,
        )
        for partida, of in entries.items()
    }


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
    of = Round.objects.filter(partida_id=partida, table_code=table_of(partida))
    return that_count(of.filter(gaming_day=day_of(partida))).count()


def _entries(condition: Q) -> list[tuple[RecordedEvent[Event], str]]:
    """The entries asked for and their partidas, by stream and number."""
    rows = list(
        BookEntry.objects.filter(condition)
        .order_by("stream_id", "n")
        .values_list("pk", "partida_id")
    )
    found = kept_entries.entries([pk for pk, _ in rows])
    return [(found[pk], partida) for pk, partida in rows]


def _around(entries: Collection[RecordedEvent[Event]]) -> tuple[RecordedEvent[Event], ...]:
    """What was recorded outside of the machines, the incidents and the complaints of these
    entries.
    """
    events = [recorded.event for recorded in entries]
    machines, tables = _codes(events, "shuffler"), _codes(events, "table")
    ids: set[UUID] = set()
    for projection, field, codes in (
        (IncidentClosure, "incident", _codes(events, "incident")),
        (ComplaintDecision, "complaint", _codes(events, "complaint")),
    ):
        if codes:
            rows = that_count(projection.objects.filter(**{f"{field}__in": codes}))
            ids |= set(rows.values_list("pk", flat=True))
    if machines:
        rows = Shuffler.objects.filter(shuffler__in=machines).order_by("shuffler", "-n")
        ids |= {row.pk for row in rows.distinct("shuffler")}
        ids |= _open_at(machines, tables, {recorded.entry_id for recorded in entries})
    known = {recorded.entry_id for recorded in entries}
    ids |= {pk for pk in _gone(decks_named(events)) if str(pk) not in known}
    found = [recorded for recorded, _ in _entries(Q(pk__in=ids))] if ids else []
    return (*found, *_openings_of(found))


def _openings_of(events: Iterable[RecordedEvent[Event]]) -> list[RecordedEvent[Event]]:
    """The openings of the games that tell of withdrawals and jams: what they had themselves."""
    games = {
        one.event.partida
        for one in events
        if isinstance(one.event, DeckWithdrawn | IncidentReported) and one.event.partida
    }
    if not games:
        return []
    rows = that_count(Partida.objects.filter(partida_id__in=games))
    return [one for one, _ in _entries(Q(pk__in=list(rows.values_list("pk", flat=True))))]


def decks_named(events: Iterable[object]) -> list[str]:
    """The decks these events are about: of an opening, a shuffle, a load, or the one shown."""
    found: set[str] = set()
    for event in events:
        found |= {getattr(each, "deck", each) for each in getattr(event, "decks", ())}
        found |= {event.deck} if isinstance(event, DeckInspected) else set()
    return sorted(found)


def _gone(decks: Collection[str]) -> list[UUID]:
    """What tells that these decks were withdrawn or destroyed."""
    if not decks:
        return []
    with connection.cursor() as cursor:
        cursor.execute(_GONE, {"decks": list(decks)})
        rows = cursor.fetchall()
    named = {(stream, n) for _, stream, n in rows}
    left_out = not_counting(named, None, "default") if named else set()
    return [pk for pk, stream, n in rows if (stream, n) not in left_out]


def _open_at(
    machines: Collection[str], tables: Collection[str], known: Collection[str]
) -> set[UUID]:
    """What was recorded elsewhere of a machine that stands still: nobody closed it, nobody solved
    it.

    Of a table's machine where the machine was not named. Law: PT art. 51.
    """
    here = Q(shuffler__in=machines) | Q(shuffler="", table_code__in=tables)
    closed = that_count(IncidentClosure.objects.filter(incident=OuterRef("incident")))
    solved = that_count(
        IncidentStepRow.objects.filter(incident=OuterRef("incident"), step="resolved")
    )
    jams = that_count(Incident.objects.filter(here, level__in=JAMS, resolved_at=None))
    jams = jams.filter(occurred_at__gt=clock.now() - LOOKED_BACK)
    jams = jams.filter(~Exists(closed), ~Exists(solved)).order_by("-occurred_at")
    return {pk for pk in jams.values_list("pk", flat=True)[:20] if str(pk) not in known}


def _codes(events: Iterable[object], name: str) -> list[str]:
    return sorted({code for event in events if (code := getattr(event, name, None))})
