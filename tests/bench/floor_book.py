"""The book of a house with many tables in the middle of an evening: for tests.bench.thirty_tablets.

Every other table deals from a shoe, the others from a shuffler; all of a sort play the same cards.
One evening a few weeks ago is recorded through the one writer, then copied day by day as rows: what
nobody looks at here is left out of the copies (their entries follow no other and none waits for the
tree). The evening under way is recorded through the one writer, and nobody has closed it.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import date, datetime, timedelta
from functools import cache, partial
from typing import Any, Final
from uuid import NAMESPACE_OID, UUID, uuid4, uuid5

import psycopg
from psycopg import sql

from casino import clock
from casino.demo import cast
from casino.demo.demo_evening import Evening
from casino.demo.demo_tables import Cuts, DemoShoe, DemoShuffler, known_of, partida_of
from casino.demo.recording_acts import record_acts
from casino.events.round.round_played import Limits, RoundPlayed
from casino.events.staff import DutyBegun
from casino.house_day import house_day_at
from casino.models import Partida, Round
from casino.recording import Actor, Source, record
from casino.simulation.procedures.procedure_acts import Act, Who
from casino.simulation.procedures.simulated_house import entered, machine_entered, table_entered

MODEL: Final = Evening(date(2026, 10, 15))
BEGUN: Final = "15:30"  # the first round of an evening that is over
MORE: Final = 40  # rounds of each table that can be recorded meanwhile
HOUSE: Final = Who("S-0001", "administrador", "local")
MANAGER: Final = cast.MANAGER.who


@dataclass(frozen=True, slots=True)
class Size:
    """On so many days before this one, at so many tables, so many rounds; as many by now today."""

    days: int
    tables: int
    rounds: int

    @property
    def codes(self) -> list[str]:
        """The tables."""
        return [f"BJ-{number:02d}" for number in range(1, self.tables + 1)]


def pit_of(table: str) -> str:
    """The number of the fiscal de banca who has that table."""
    return f"S-1{table[-2:]}"


def is_machine(table: str) -> bool:
    """Whether a shuffler deals there."""
    return int(table[-2:]) % 2 == 0


def fill(owner: psycopg.Connection, size: Size, say: Callable[[str], None]) -> None:
    """Everything. `owner` is the superuser's connection, each statement for itself."""
    now = clock.now()
    record_events(founding(size, now))
    first = house_day_at(now) - timedelta(days=size.days)
    count = record_events(
        act for code in size.codes for act in evening_of(code, size.rounds, first)
    )
    say(f"one evening recorded: {count} entries")
    copy_days(owner, first, size.days - 1)
    say(f"copied {size.days - 1} times")
    record_events(act for code in size.codes for act in evening_of(code, size.rounds, None))
    owner.execute("VACUUM ANALYZE")


def rounds_to_come(size: Size) -> Iterator[Callable[[], None]]:
    """Rounds of the evening under way, table after table, each to be recorded when it is called."""
    for place in range(MORE):
        for code in size.codes:
            acts = _model(is_machine(code), size.rounds)
            rounds = [act for act in acts if isinstance(act.event, RoundPlayed)]
            yield partial(_record_round, code, rounds[place])


def _record_round(table: str, act: Act) -> None:
    """A round like one before, as if it had just been played in the shoe now on the table."""
    partida = Partida.objects.filter(table_code=table).latest("pk").partida_id
    last = Round.objects.filter(partida_id=partida).latest("n")
    day = Partida.objects.get(partida_id=partida, table_code=table).gaming_day
    now = clock.now()
    event = _otherwise(act.event, _names(table, day, 2), now - act.at, {})
    event = replace(event, shoe=last.shoe, number=(last.number or 0) + 1, round=str(uuid4()))
    source = Source("device", act.by.staff)
    record(event, key=UUID(event.round), by=Actor(*act.by), occurred_at=now, source=source)


# What an evening tells


def evening_of(table: str, rounds: int, day: date | None) -> Iterator[Act]:
    """A table's evening of that day; with None the one under way, which nobody has closed."""
    acts = _model(is_machine(table), rounds)
    over = day is not None
    if not over:
        last = max(place for place, one in enumerate(acts) if isinstance(one.event, RoundPlayed))
        acts = acts[: last + 1]
    first, end = acts[0].at, acts[-1].at
    if day is None:
        moved = clock.now() - timedelta(seconds=20 + int(table[-2:])) - end
        day = house_day_at(first + moved)
    else:
        moved = day - MODEL.day
    names = _names(table, day, 1 if over else 2)
    moved_acts: dict[int, Act] = {}
    for act in acts:
        event = _otherwise(act.event, names, moved, moved_acts)
        if isinstance(event, RoundPlayed):
            identifier = uuid5(NAMESPACE_OID, f"{event.partida}/{event.shoe}/{event.number}")
            event = replace(event, round=str(identifier))
        by = act.by._replace(staff=names.get(act.by.staff, act.by.staff))
        moved_acts[id(act)] = Act(act.at + moved, by, event)
        yield moved_acts[id(act)]


@cache
def _model(machine: bool, rounds: int) -> list[Act]:
    """The evening every table of a sort plays."""
    game = partida_of(MODEL, "BJ-02" if machine else "BJ-01", 1, cast.PIT)
    known = known_of(game, MODEL.at(BEGUN), rounds)
    story = DemoShuffler(**known) if machine else DemoShoe(**known, turns=Cuts())
    story.play_out()
    return sorted(game.acts, key=lambda act: act.known_at)


def _names(table: str, day: date, number: int) -> dict[str, str]:
    """What is called otherwise at this table and on this day, longest first."""
    place, model = table[-2:], "BJ-02" if is_machine(table) else "BJ-01"
    decks = cast.DECKS[f"{model}/1"]
    return {
        f"{model}/{MODEL.day}/1": f"{table}/{day}/{number}",
        model: table,
        cast.SHUFFLER: f"CSM-{place}",
        cast.PIT.number: pit_of(table),
        **{deck: f"D-{place}{number}{n}" for n, deck in enumerate(decks, start=1)},
    }


def _otherwise(value: Any, names: dict[str, str], moved: timedelta, acts: dict[int, Act]) -> Any:
    """The same of another table and day; of an act that is named, the one made of it."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, datetime):
        return value + moved
    if isinstance(value, Act):
        return acts[id(value)]
    if isinstance(value, tuple):
        return tuple(_otherwise(each, names, moved, acts) for each in value)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    changed = {
        field.name: _otherwise(getattr(value, field.name), names, moved, acts)
        for field in fields(value)
        if field.init
    }
    return replace(value, **changed)


# How it gets into the book


def founding(size: Size, now: datetime) -> Iterator[Act]:
    """The house a year ago: its people, tables, limits and machines; tonight's duty."""
    at = now - timedelta(days=365)
    staff = [(one.number, one.office) for one in cast.EVERYBODY if one.number != HOUSE.staff]
    staff += [(pit_of(code), "fiscal_de_banca") for code in size.codes]
    for number, office in staff:
        yield from entered(at, HOUSE, number, office, f"Pessoa {number}")
    for code in size.codes:
        limits = Limits(1_000, 30_000)
        yield from table_entered(
            at, MANAGER, code, limits, MANAGER, "Despacho 1", MANAGER.staff, boxes=7
        )
        if is_machine(code):
            number = code[-2:]
            known = {"model": "Seis", "serial": f"EX-{number}"}
            yield machine_entered(at, MANAGER, f"CSM-{number}", code, **known)
        begun = DutyBegun(staff=pit_of(code), office="fiscal_de_banca", tables=(code,))
        yield Act(now - timedelta(hours=9), MANAGER, begun)


def record_events(acts: Iterable[Act]) -> int:
    """Through the one writer; how many."""
    return record_acts(acts, f"{uuid4()}/")


# The projections: every table with these columns.
_PROJECTIONS: Final = """
SELECT c.relname FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace
WHERE s.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND (SELECT count(*) FROM pg_attribute a WHERE a.attrelid = c.oid
         AND a.attname IN ('entry_id', 'stream', 'n', 'gaming_day', 'partida_id')) = 5
"""
_COLUMNS: Final = """
SELECT attname, format_type(atttypid, NULL) FROM pg_attribute
WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
ORDER BY attnum
"""
# The same id so many days earlier or later: its milliseconds, and another rest.
_ID: Final = """(lpad(to_hex(('x' || left(replace({0}::text, '-', ''), 12))::bit(48)::bigint
    - (1 + %(more)s - d) * 86400000::bigint), 12, '0') || '7' || left(md5({0}::text || d), 3) || '8'
    || substr(md5({0}::text || d), 4, 15))::uuid"""
_DAY: Final = "replace({0}, %(day)s::date::text, (%(day)s::date + d)::text)"
_LIKE: Final = {
    "timestamp with time zone": "{0} + d * interval '1 day'",
    "date": "{0} + d",
    "uuid": "md5({0}::text || d)::uuid",
    "bytea": f"convert_to({_DAY.format('convert_from({0}, $$UTF8$$)')}, 'UTF8')",
}
_NAMED: Final = {
    "id": _ID, "entry_id": _ID, "partida_id": _DAY, "n": "{0} + d * told.entries",
}  # fmt: skip
# How many entries of that day each stream has, so that a copy takes the numbers that follow.
_RECORDED: Final = """
CREATE TEMP TABLE told AS SELECT s.name, e.stream_id, count(*) AS entries FROM book_entry e
JOIN book_stream s ON s.id = e.stream_id
WHERE e.gaming_day = %(day)s AND e.partida_id <> '' AND s.name LIKE 'table/%%'
GROUP BY s.name, e.stream_id
"""
_HEADS: Final = """
UPDATE book_stream SET head_n = last.n, head_hash = last.leaf_hash FROM (
    SELECT DISTINCT ON (stream_id) stream_id, n, leaf_hash FROM book_entry
    ORDER BY stream_id, n DESC) AS last
WHERE last.stream_id = id AND name LIKE 'table/%%'
"""


def copy_days(book: psycopg.Connection, day: date, more: int) -> None:
    """That day's partidas once more on each of the `more` days after it, entries and
    projections.
    """
    values = {"day": day, "more": more}
    book.execute("SET session_replication_role = replica")
    book.execute(_RECORDED, values)
    for table in ("book_entry", "book_stream"):
        book.execute(sql.SQL("ALTER TABLE {} DISABLE TRIGGER USER").format(sql.Identifier(table)))
    book.execute(_copy(book, "book_entry", "stream_id"), values)
    book.execute(_HEADS)
    for d in range(1, more + 1):
        book.execute("SELECT ensure_round_partition(%s)", [day + timedelta(days=d)])
    for (projection,) in book.execute(_PROJECTIONS).fetchall():
        book.execute(_copy(book, projection, "stream"), values)
    for table in ("book_entry", "book_stream"):
        _enable(book, table)
    book.execute("RESET session_replication_role")


def _enable(book: psycopg.Connection, table: str) -> None:
    """Every trigger of ours on duty again, replica or not."""
    asked = "SELECT tgname FROM pg_trigger WHERE tgrelid = %s::regclass AND NOT tgisinternal"
    for (name,) in book.execute(asked, [table]).fetchall():
        said = sql.SQL("ALTER TABLE {} ENABLE ALWAYS TRIGGER {}")
        book.execute(said.format(sql.Identifier(table), sql.Identifier(name)))


def _copy(book: psycopg.Connection, table: str, stream: str) -> sql.Composed:
    """The statement that copies a table's rows of the day."""
    columns = book.execute(_COLUMNS, [table]).fetchall()
    names = [name for name, _ in columns]
    texts = [
        (_NAMED.get(name) or _LIKE.get(kind, "{0}")).format(f'of."{name}"')
        for name, kind in columns
    ]
    key = "stream_id" if stream == "stream_id" else "name"
    return sql.SQL(
        "INSERT INTO {0} ({1}) SELECT {2} FROM {0} AS of JOIN told ON told.{3} = of.{4},"
        " generate_series(1, %(more)s) AS d WHERE of.gaming_day = %(day)s AND of.partida_id <> ''"
        " ORDER BY d, of.n"
    ).format(
        sql.Identifier(table),
        sql.SQL(", ").join(map(sql.Identifier, names)),
        sql.SQL(", ".join(texts)),
        sql.Identifier(key),
        sql.Identifier(stream),
    )
