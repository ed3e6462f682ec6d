"""Who may read and write which kind of record in the admin, by the offices held at this moment.

Which offices may is declared with each event (`policy` in `casino/events`): to change it, go there.
Writing is decided by `casino.recording` when something is recorded; here it is asked beforehand, so
that nobody is shown a door he cannot go through. Source: tests/permissions.toml.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, Literal

from django.db import connection
from django.db.models import Q
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from casino import clock, holding
from casino.access.decks_in_use import games_concerned
from casino.access.offices_held import offices_of
from casino.access.open_games import open_partidas, tables_known
from casino.access.registered_tables import no_such_table
from casino.events.deck_life import DeckWithdrawn
from casino.events.event import Event
from casino.events.event_policy import (
    ADMIN,
    AUDITOR,
    HEAD,
    HEADS,
    INSPECTOR,
    MANAGER,
    OVERSEERS,
    PERSONNEL,
    PIT,
)
from casino.events.incidents import IncidentClosed, IncidentReported
from casino.events.staff import DutyBegun
from casino.models import (
    BookEntry,
    Complaint,
    DeckWithdrawal,
    Incident,
    Partida,
)
from casino.queries import counting
from casino.recording import Actor
from casino.recording.authority import deciders_in, policy_of, withdrawers_of, writers_of
from casino.recording.withdrawing import RUN

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

Reads = Literal["all", "own", "none"]
DOOR: Final = "admin"
# In which order a person's offices are asked who writes: the one that stands highest writes.
_BY_RANK: Final = (MANAGER, HEAD, PIT, ADMIN, INSPECTOR, AUDITOR)

_OWN_PARTIDAS: Final = 500  # the newest are one's own; older ones are asked of a superior
# The partidas that name a person, the newest first, each with who took it over last.
_NAMED_IN: Final = f"""
SELECT opened.partida_id, (SELECT given.fiscal_de_banca FROM casino_hand_over AS given
    WHERE given.partida_id = opened.partida_id AND {counting("given")} ORDER BY given.n DESC LIMIT
    1)
FROM casino_partida AS opened
WHERE opened.fiscal_de_banca = %(me)s OR opened.staff = %(me)s OR opened.partida_id IN (
    SELECT taken.partida_id FROM casino_hand_over AS taken
    WHERE taken.fiscal_de_banca = %(me)s AND {counting("taken")})
ORDER BY opened.entry_id DESC LIMIT %(most)s
"""  # noqa: S608 - made of constants alone
# The tables of his last word that he is on duty, NULL where it is none; and whether any such word
# is held.
_LAST_DUTY: Final = f"""
SELECT (SELECT CASE WHEN begins THEN tables END FROM casino_duty AS said
    WHERE person = %s AND held = %s AND occurred_at <= %s AND {counting("said")}
    ORDER BY occurred_at DESC, entry_id DESC LIMIT 1),
    EXISTS (SELECT FROM casino_held_record
        WHERE table_code = '{holding.NO_TABLE}' AND failed_at IS NULL)
"""  # noqa: S608 - made of constants alone
# Which projections hold what an event's field names.
_SUBJECTS: Final[dict[str, tuple[tuple[Any, str], ...]]] = {
    "incident": ((Incident, "incident"),),
    "complaint": ((Complaint, "complaint"),),
    "dispute": ((Complaint, "complaint"), (Incident, "incident")),
}
# What is of the table of the incident or the complaint it names, wherever it was written down.
_OF_THEIR_SUBJECT: Final = frozenset({"incident-step/1", "incident-closed/1", "dispute-reviewed/1"})
_NAMES_CARDS: Final[dict[str, Any]] = {
    DeckWithdrawn.kind: DeckWithdrawal,
    IncidentReported.kind: Incident,
}
_KEPT_AS: Final = "_own_partidas"
_GIVEN_AS: Final = "_partidas_handed_over"
_DUTY_AS: Final = "_tables_of_duty"
NOT_HIS_TABLE: Final = _(
    "Another answers for this game, and you are not on duty at its table. Record first that you"
    " went on duty there, or ask him or the fiscal-chefe to record it."
)
NO_TABLE: Final = _(
    "Say at which table it was. What is of no table is recorded by the fiscal-chefe or by the"
    " chefia da sala."
)


def reads(request: HttpRequest, kind: str) -> Reads:
    """What of a kind whoever asks may read."""
    held, policy = offices_of(request), policy_of(kind)
    if held & policy.whole_readers:
        return "all"
    return "own" if held & policy.own_readers else "none"


def reads_private(request: HttpRequest, kind: str, author: str) -> bool:
    """Whether he may read what the book itself only commits to: names, notes."""
    if reads(request, kind) == "none":
        return False
    held = offices_of(request)
    return author == request.user.get_username() or bool(held & policy_of(kind).private_readers)


def sees_names(request: HttpRequest) -> bool:
    """Whether he sees what the people of the floor are called where he chooses one of them.

    Whoever works on the floor knows his colleagues by name; their contacts are not shown to him.
    """
    return bool(offices_of(request) & (PERSONNEL | {PIT, HEAD}))


def takes_lists(request: HttpRequest) -> bool:
    """Whether he may take lists of what he reads out of the house, as files."""
    return bool(offices_of(request) & OVERSEERS)


def actor(request: HttpRequest, kind: str) -> Actor | None:
    """As whom he would write this kind; None where he may not."""
    return _as_one_of(request, writers_of(kind))


def withdraws(request: HttpRequest, kind: str) -> Actor | None:
    """As whom he would ask that a record of this kind be withdrawn; None where he may not."""
    if kind != RUN:  # why he may not is said on the page then
        return actor(request, kind)
    return _as_one_of(request, withdrawers_of(kind))


def decides(request: HttpRequest, stream: str) -> Actor | None:
    """As whom he would decide on a correction or a withdrawal in a stream; None likewise."""
    return _as_one_of(request, deciders_in(stream))


def _as_one_of(request: HttpRequest, offices: frozenset[str]) -> Actor | None:
    held = offices_of(request) & offices
    office = next((office for office in _BY_RANK if office in held), None)
    return None if office is None else Actor(request.user.get_username(), office, DOOR)


def own_partidas(request: HttpRequest) -> list[str]:
    """The partidas he answered for, opened or took over, and those open where he is on duty.

    The newest first of those he was named for; asked once a request.
    """
    kept: list[str] | None = getattr(request, _KEPT_AS, None)
    if kept is None:
        me = request.user.get_username()
        with connection.cursor() as cursor:
            cursor.execute(_NAMED_IN, {"me": me, "most": _OWN_PARTIDAS})
            whose = dict(cursor.fetchall())
        kept = list(whose)
        given = {partida for partida, fiscal in whose.items() if fiscal not in (None, me)}
        setattr(request, _GIVEN_AS, given)
        tables = duty_tables(request)
        if tables is not None:
            there = open_partidas(tables or tables_known())
            kept += [partida for partida in there.values() if partida not in whose]
        setattr(request, _KEPT_AS, kept)
    return kept


def _acts_in(request: HttpRequest) -> set[str]:
    """Of his own partidas those he did not hand over since: he reads the others, and no more."""
    mine = set(own_partidas(request))
    given: set[str] = getattr(request, _GIVEN_AS)
    return mine - given


def duty_tables(request: HttpRequest) -> tuple[str, ...] | None:
    """The tables his duty as fiscal de banca names, () for the whole room; None when off duty."""
    if not hasattr(request, _DUTY_AS):
        me = request.user.get_username()
        with connection.cursor() as cursor:
            cursor.execute(_LAST_DUTY, [me, PIT, clock.now()])
            tables, some_held = cursor.fetchone()
        listed = None if tables is None else tuple(json.loads(tables))
        # Said by now, and in the book before he records there.
        held = holding.held_duty(me, PIT) if some_held else None
        if held is not None:
            listed = held.tables if held.kind == DutyBegun.kind else None
        setattr(request, _DUTY_AS, listed)
    found: tuple[str, ...] | None = getattr(request, _DUTY_AS)
    return found


def forget(request: HttpRequest) -> None:
    """Ask the book once more in this request: something was written meanwhile."""
    for name in (_KEPT_AS, _GIVEN_AS, _DUTY_AS):
        if hasattr(request, name):
            delattr(request, name)


def tables_acted_at(
    request: HttpRequest,
    held: frozenset[str],
    tables: Iterable[str],
    games: Mapping[str, str] | None = None,
) -> frozenset[str]:
    """Of these tables those at which a holder of these offices may record.

    A fiscal de banca records at those his duty names, at those of an open game that is his, and at
    any where no game is open. `games` are the games open at these tables, where they are known.
    """
    asked = frozenset(tables)
    if held & HEADS:
        return asked
    if PIT not in held:
        return frozenset()
    on_duty = duty_tables(request)
    if on_duty == ():
        return asked
    by_duty = asked & set(on_duty or ())
    others = asked - by_duty
    if games is None:
        games = open_partidas(others)
    mine = _acts_in(request) if games else set()
    return by_duty | {table for table in others if table not in games or games[table] in mine}


def why_not_there(
    request: HttpRequest, by: Actor, event: Any, corrects: BookEntry | None = None
) -> "StrPromise | str":
    """Why he may not record this event where it says it was; "" where he may.

    A fiscal de banca records in the games and at the tables that are his, and of an incident or a
    complaint that is of such a one: what an event leaves blank opens no other's. A game that is not
    on record is nobody's yet; its table says who may. A table nobody registered is nobody's.
    What another table tells of his deck or his machine he may put right, where it stands.
    """
    unregistered = no_such_table(event)
    if unregistered:
        return unregistered
    if by.office != PIT or not hasattr(event, "table") or offices_of(request) & HEADS:
        return ""
    if corrects is not None and _stays(event, corrects) and his_table_for(request, corrects):
        return ""
    places = list(_places_of_subject(event))
    if event.table:
        places.append([(event.table, event.partida or "")])
    elif not places or event.kind not in _OF_THEIR_SUBJECT:
        return NO_TABLE
    his = (any(_is_his_place(request, *place) for place in either) for either in places)
    return "" if all(his) else NOT_HIS_TABLE


def his_table_for(request: HttpRequest, entry: BookEntry) -> str:
    """Where a deck or a machine is in use of which this entry tells as if it were elsewhere.

    Only a table of his, and "" for any other entry. Whoever may read it may put it right.
    """
    projection = _NAMES_CARDS.get(entry.kind)
    row = projection.objects.filter(pk=entry.pk).first() if projection is not None else None
    if row is None or PIT not in offices_of(request):
        return ""
    there = games_concerned(entry.kind, row)
    return next((place[0] for place in there if _is_his_place(request, *place)), "")


def _stays(event: Any, corrects: BookEntry) -> bool:
    """Whether a correction tells of the place its original tells of."""
    listed = (event.table or "", event.partida or "")
    return listed == (corrects.table_code, corrects.partida_id)


def _places_of_subject(event: Event) -> Iterator[list[tuple[str, str]]]:
    """Table and partida of the incident, the complaint or the dispute an event names, '' for none.

    An incident of a machine that is in use at another table may be closed from there too.
    """
    for field, projections in _SUBJECTS.items():
        code = getattr(event, field, None)
        for projection, column in projections if code else ():
            for row in projection.objects.filter(**{column: code}):
                closes = event.kind == IncidentClosed.kind and projection is Incident
                others = games_concerned(IncidentReported.kind, row) if closes else []
                yield [(row.table_code, row.partida_id), *others]


def _is_his_place(request: HttpRequest, table: str, partida: str) -> bool:
    if partida and Partida.objects.filter(partida_id=partida).exists():
        on_duty = duty_tables(request)
        there = on_duty is not None and (not on_duty or table in on_duty)
        return there or partida in _acts_in(request)
    return bool(table) and table in tables_acted_at(request, offices_of(request), [table])


def own(request: HttpRequest, *, by_author: bool = True) -> Q:
    """Of a projection's rows, those of his partidas and those he wrote.

    Without `by_author` the former alone: of a million rounds an index finds those.
    """
    of_his = Q(partida_id__in=own_partidas(request))
    return of_his | Q(staff=request.user.get_username()) if by_author else of_his


def may_read_entry(request: HttpRequest, kind: str, partida: str, author: str) -> bool:
    """Whether he may read one entry."""
    how = reads(request, kind)
    if how == "own":
        mine = author == request.user.get_username()
        return mine or (bool(partida) and partida in own_partidas(request))
    return how == "all"


def readable_kinds(request: HttpRequest, kinds: Any) -> dict[str, Reads]:
    """Of these kinds, those he may read, and how far."""
    how = {kind: reads(request, kind) for kind in kinds}
    return {kind: each for kind, each in how.items() if each != "none"}
