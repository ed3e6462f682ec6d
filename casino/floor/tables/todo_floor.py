"""What waits for somebody of the games of these evenings, and of corrections, complaints and duty.

What a game still lacks is what its closing would list (`still_missing`); of a game that goes on
only what cannot wait for that. A game is read only where the projections say that something may be
open. Law: PT art. 12, 51, 54, 55, 61.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.db import connection
from django.db.models import Exists, Min, OuterRef, Q, Subquery
from django.urls import reverse
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from casino.events.event import RECONCILER
from casino.events.event_policy import FLOOR, HEAD, MANAGER, PIT
from casino.floor import gathering
from casino.floor.closing.still_missing import Missing, What, missing_of
from casino.floor.closing.still_words import DO, WORDS, url_of
from casino.floor.table_state import interrupted_in, rules_of
from casino.floor.tables.todo_lists import Todo
from casino.house_day import house_day_at
from casino.law.partida_context import PartidaContext
from casino.law.rulebook.law_text import LawError
from casino.law.rulebook.rulebook import LawInForce
from casino.law.rulebook.rulebook_file import load_law
from casino.models import (
    Complaint,
    ComplaintDecision,
    Cut,
    DeckInspection,
    Duty,
    HeldRecord,
    Incident,
    Partida,
    ShufflerLoad,
    Supersession,
)
from casino.queries import counting, decisions_waiting, that_count
from casino.recording.authority import deciders_in
from casino.recording.withdrawing import RUN
from casino.web.forms.warnings import cited_in
from casino.web.second_person.withdrawal_page import requests_in
from casino.web.words.kind_words import kind_word

EVENINGS: Final = timedelta(days=2)  # a game that was closed before is not counted any more
YEAR: Final = timedelta(days=400)
MOST: Final = 200
# What of a game that goes on cannot wait for its closing.
_AT_ONCE: Final[frozenset[What]] = frozenset(
    {"load_witness", "unload_witness", "incident", "notice"}
)
_ABOVE: Final = frozenset({HEAD, MANAGER})
_THERE: Final = frozenset({PIT, HEAD})
_OFFICES: Final[dict[What, frozenset[str]]] = {
    "unloading": frozenset({PIT}),
    "load_witness": _THERE,
    "unload_witness": _THERE,
    "ordering": _THERE,
    "chips": _THERE,
    "incident": _THERE,
    "notice": _ABOVE,
}


# What the rulebook alone asks for: one that does not state it asks for nothing.
_BY_LAW: Final = frozenset({"load_witness", "unload_witness", "notice"})


def waiting(now: datetime, tables: Collection[str] | None = None) -> Iterator[Todo]:
    """Everything of the floor that waits for somebody, or of these tables alone."""
    games, some = _games(now, tables), _some(now, tables)
    if "not written" in some:
        yield from _not_written(tables)
    yield from _of_games(now, games)
    if "decision" in some:
        yield from _decisions(tables)
    if "complaint" in some:
        yield from _complaints(now, tables)
    if tables is None:  # duty is of no table
        yield from _duties(now, games.values())


def _at(tables: Collection[str] | None) -> Q:
    return Q() if tables is None else Q(table_code__in=tables)


# The same in a statement.
_THERE_OR_ALL: Final = "(%(everywhere)s OR table_code = ANY(%(tables)s))"


def _there(tables: Collection[str] | None) -> dict[str, Any]:
    return {"everywhere": tables is None, "tables": list(tables or ())}


# Of what else may wait, mostly none: one question in the place of several long ones.
_SOME: Final = f"""
SELECT 'not written' WHERE EXISTS (SELECT FROM casino_held_record
    WHERE failed_at IS NOT NULL AND {_THERE_OR_ALL})
UNION ALL SELECT 'decision' WHERE EXISTS (SELECT FROM casino_supersession AS asked
    WHERE {_THERE_OR_ALL} AND NOT EXISTS (SELECT FROM casino_correction AS act
        WHERE act.pending_stream = asked.stream AND act.pending_n = asked.n))
UNION ALL SELECT 'complaint' WHERE EXISTS (SELECT FROM casino_complaint AS one
    WHERE occurred_at BETWEEN %(since)s AND %(now)s AND {_THERE_OR_ALL}
    AND NOT EXISTS (SELECT FROM casino_complaint_decision AS act
        WHERE act.complaint = one.complaint AND {counting("act")}))
"""  # noqa: S608 - made of constants alone


def _some(now: datetime, tables: Collection[str] | None) -> set[str]:
    """Of what there may be something that waits at these tables."""
    with connection.cursor() as cursor:
        cursor.execute(_SOME, _there(tables) | {"since": now - YEAR, "now": now})
        return {name for (name,) in cursor.fetchall()}


# What was sent and could not be written


def _not_written(tables: Collection[str] | None) -> Iterator[Todo]:
    rows = HeldRecord.objects.filter(_at(tables)).exclude(failed_at=None)
    for row in rows.order_by("made_at")[:MOST]:
        yield Todo(
            what="not written",
            words=_("Was not recorded: read why, and record it anew"),
            do=_("Read it"),
            # What is of no table stands on the floor's page of whoever sent it.
            url=reverse("sala:table", args=[row.table_code])
            if row.table_code
            else reverse("sala:floor"),
            key=str(row.key),
            since=row.made_at,
            table=row.table_code,
            partida=row.partida_id,
            offices=_THERE if row.table_code else FLOOR,
            only="" if row.table_code else row.staff,
        )


# Games


class Game(NamedTuple):
    """An opening of these evenings: whether its game goes on, and when it was closed last."""

    partida: str
    gaming_day: date
    goes_on: bool
    closed_at: datetime | None
    opened_at: datetime
    staff: str
    office: str
    fiscal_de_banca: str
    fiscal_chefe: str


_OF_EVENINGS: Final = f"""
SELECT partida_id, gaming_day, {counting("opened")} AND NOT EXISTS (
    SELECT FROM casino_closing AS act WHERE act.partida_id = opened.partida_id
    AND {counting("act")} AND NOT EXISTS (
        SELECT FROM casino_reopening AS undone WHERE undone.partida_id = act.partida_id
        AND undone.n > act.n AND {counting("undone")})),
    (SELECT act.occurred_at FROM casino_closing AS act
        WHERE act.partida_id = opened.partida_id ORDER BY act.n DESC LIMIT 1),
    occurred_at, staff, office, fiscal_de_banca, fiscal_chefe
FROM casino_partida AS opened WHERE gaming_day >= %(first)s AND {_THERE_OR_ALL}
"""  # noqa: S608 - made of constants alone


def _games(now: datetime, tables: Collection[str] | None) -> dict[str, Game]:
    first = house_day_at(now) - EVENINGS
    with connection.cursor() as cursor:
        cursor.execute(_OF_EVENINGS, _there(tables) | {"first": first})
        return {row[0]: Game(*row) for row in cursor.fetchall()}


def _of_games(now: datetime, games: Mapping[str, Game]) -> Iterator[Todo]:
    first = min((row.gaming_day for row in games.values()), default=None)
    if first is None:
        return
    over = [name for name, row in games.items() if not row.goes_on]
    asked = sorted(_may_lack_something(first, over) & set(games))
    if not asked:
        return
    for partida, (dossier, _rounds) in gathering.dossiers(asked, now, counted=False).items():
        row, rules = games[partida], rules_of(dossier)
        game = PartidaContext(dossier, rules)
        if row.goes_on:
            yield from _interrupted(game)
        for one in missing_of(game):
            now_due = one.what in _OFFICES and (not row.goes_on or one.what in _AT_ONCE)
            if now_due and (one.what not in _BY_LAW or cited_in(rules.rulebook, one.article)):
                yield _of_game(game, rules, one, None if row.goes_on else row.closed_at)


_NOBODYS_WORD: Final = """NOT EXISTS (SELECT 1 FROM casino_attestation AS word
    WHERE word.witnessed_stream = act.stream AND word.witnessed_n = act.n)"""
# The games of which something may be open: one too many rather than one too few. In one question,
# as every page waits for its answer.
_ASKED: Final = f"""
SELECT partida_id FROM casino_shuffler_load AS act
    WHERE gaming_day >= %(first)s AND {_NOBODYS_WORD}
UNION SELECT partida_id FROM casino_shuffler_load AS act
    WHERE gaming_day >= %(first)s AND partida_id = ANY(%(over)s)
    AND NOT EXISTS (SELECT 1 FROM casino_shuffler_unload AS emptied
        WHERE emptied.partida_id = act.partida_id AND emptied.occurred_at > act.occurred_at
        AND {counting("emptied")})
UNION SELECT partida_id FROM casino_shuffler_unload AS act
    WHERE gaming_day >= %(first)s AND reason = 'closing' AND {_NOBODYS_WORD}
UNION SELECT partida_id FROM casino_incident AS one
    WHERE gaming_day >= %(first)s AND (
        (level IN ('damaged_card', 'deck_defect') AND communicated_at IS NULL)
        OR NOT EXISTS (SELECT 1 FROM casino_incident_closure AS act
            WHERE act.incident = one.incident AND {counting("act")}))
UNION SELECT partida_id FROM casino_interruption AS stop
    WHERE gaming_day >= %(first)s AND act = 'play-interrupted'
    AND NOT EXISTS (SELECT 1 FROM casino_interruption AS act WHERE act.act = 'play-resumed'
        AND act.partida_id = stop.partida_id AND act.occurred_at > stop.occurred_at
        AND {counting("act")})
UNION SELECT game FROM unnest(%(over)s::text[]) AS game
    WHERE NOT EXISTS (SELECT 1 FROM casino_chip_tally AS act
        WHERE act.partida_id = game AND moment = 'closing' AND {counting("act")})
UNION SELECT partida_id FROM casino_partida AS opened
    WHERE partida_id = ANY(%(over)s) AND jsonb_array_length(decks) > (
        SELECT count(DISTINCT deck) FROM casino_deck_inspection AS act
        WHERE act.partida_id = opened.partida_id AND moment = 'close'
        AND {counting("act")})
"""  # noqa: S608 - made of the constants above alone


def _may_lack_something(first: date, over: list[str]) -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute(_ASKED, {"first": first, "over": over})
        return {name for (name,) in cursor.fetchall()}


def _interrupted(game: PartidaContext) -> Iterator[Todo]:
    """Play that stopped and has not gone on. Law: PT art. 12."""
    stop = interrupted_in(game.dossier)
    if stop is not None:
        table = game.dossier.table
        yield Todo(
            what="interrupted",
            words=_("Play is interrupted"),
            do=_("Play goes on"),
            url=reverse("sala:interrupt", args=[table]),
            table=table,
            partida=game.dossier.partida,
            since=stop.occurred_at,
            offices=_THERE,
        )


def _of_game(
    game: PartidaContext, rules: LawInForce, missing: Missing, closed_at: datetime | None
) -> Todo:
    """What a game lacks; of one that was closed since then."""
    dossier = game.dossier
    since, until = _span(game, rules, missing)
    return Todo(
        what=missing.what,
        words=WORDS[missing.what],
        do=DO[missing.what],
        url=url_of(missing, dossier.table, "" if closed_at is None else dossier.partida),
        of="" if missing.what.endswith("_witness") else missing.of,
        key=missing.of,
        since=since or closed_at or dossier.as_of,
        until=until,
        article=cited_in(rules.rulebook, missing.article) if missing.article else "",
        table=dossier.table,
        partida=dossier.partida,
        offices=_OFFICES[missing.what],
        over=closed_at is not None,
    )


def _span(
    game: PartidaContext, rules: LawInForce, missing: Missing
) -> tuple[datetime | None, datetime | None]:
    """Since when it waits and until when it may, as far as anybody says."""
    if missing.what in ("load_witness", "unload_witness"):
        acts = {recorded.entry_id: recorded for recorded in (*game.loads, *game.unloads)}
        act = acts[missing.of]
        if not rules.states("witness.within"):
            return act.occurred_at, None
        return act.occurred_at, act.recorded_at + timedelta(minutes=rules["witness.within"])
    if missing.what in ("incident", "notice"):
        noticed = {incident.event.incident: incident for incident in game.incidents}[missing.of]
        since = noticed.event.noticed_at or noticed.occurred_at
        return since, since + settings.HOUSE_DEADLINES[missing.what]
    return None, None


# Corrections, complaints


def _decisions(tables: Collection[str] | None) -> Iterator[Todo]:
    """Corrections and withdrawals nobody decided yet: by a second person."""
    rows = list(decisions_waiting().filter(_at(tables)).order_by("pk")[:MOST])
    for row in rows:
        if not row.withdraws:
            yield _to_decide(
                row,
                "correction",
                _("Correction to approve or refuse"),
                _what_falls(row.kind, 0),
            )
    for asked in requests_in([row for row in rows if row.withdraws]):
        yield _to_decide(
            asked.row,
            "withdrawal",
            _("Withdrawal of a run: to approve or refuse")
            if asked.event.act == RUN
            else _("“This did not happen”: to approve or refuse"),
            _what_falls(asked.event.act, asked.fall),
        )


def _to_decide(supersession: Supersession, what: str, words: object, of: object) -> Todo:
    on_the_floor = (
        supersession.withdraws and supersession.table_code and supersession.stream != RECONCILER
    )
    return Todo(
        what=what,
        words=words,
        do=_("Decide") if on_the_floor else _("Decide in the administration"),
        url=reverse("sala:withdraw", args=[supersession.pk])
        if on_the_floor
        else reverse("admin:casino_supersession_change", args=[supersession.pk]),
        of=of,
        key=str(supersession.pk),
        since=supersession.recorded_at,
        table=supersession.table_code,
        partida=supersession.partida_id,
        offices=deciders_in(supersession.stream),
        never=frozenset({supersession.staff}),
    )


def _falling(act: str, fall: int) -> str:
    if not fall:
        return str(kind_word(act))
    text = ngettext(
        "%(what)s, and %(n)s record that falls with it",
        "%(what)s, and %(n)s records that fall with it",
        fall,
    )
    return text % {"what": kind_word(act), "n": fall}


_what_falls: Final = lazy(_falling, str)  # in the language of whoever asks


def _complaints(now: datetime, tables: Collection[str] | None) -> Iterator[Todo]:
    """Complaints nobody decided on. Law: PT art. 61."""
    decided = that_count(ComplaintDecision.objects.filter(complaint=OuterRef("complaint")))
    book = Partida.objects.filter(partida_id=OuterRef("partida_id")).values("rulebook")[:1]
    rows = Complaint.objects.filter(
        _at(tables), ~Exists(decided), occurred_at__range=(now - YEAR, now)
    )
    values = {row.complaint: row for row in that_count(rows).annotate(book=Subquery(book))}
    for row in list(values.values())[:MOST]:
        rules = _rules(row.book, row.gaming_day)
        within = settings.HOUSE_DEADLINES["complaint"]
        if rules is not None and rules.states("complaint.answered_within"):
            within = timedelta(minutes=rules["complaint.answered_within"])
        yield Todo(
            what="complaint",
            words=_("Complaint to read and decide"),
            do=_("Read and decide"),
            url=complaint_url(row),
            of=row.complaint,
            since=row.received_at or row.occurred_at,
            until=row.occurred_at + within,
            article="" if rules is None else cited_in(row.book, "61"),
            table=row.table_code,
            partida=row.partida_id,
            offices=_ABOVE,
        )


def complaint_url(complaint: Complaint) -> str:
    """Where a complaint is decided: on the floor's page, where it is of a game."""
    if complaint.partida_id:
        return reverse("sala:complaint_read", args=[complaint.table_code, complaint.complaint])
    return f"{reverse('admin:casino_complaintdecision_add')}?complaint={complaint.complaint}"


def _rules(book: str | None, day: Any) -> LawInForce | None:
    try:
        return load_law(book).on(day) if book else None
    except LawError:
        return None


# Duty


def _duties(now: datetime, games: Iterable[Game]) -> Iterator[Todo]:
    """Who records at a table tonight, or answers for one, and is not on duty as far as recorded."""
    at_work = _at_work(now, games)
    there = _on_duty(now) if at_work else set()
    for (staff, office), since in at_work.items():
        if (staff.casefold(), office) not in there:
            yield Todo(
                what="duty",
                words=_("At work tonight, and not on duty as far as the record tells"),
                do=_("Record the beginning of duty"),
                url=reverse("sala:duty"),
                of=staff,
                key=f"{staff} {office}",
                since=since,
                offices=frozenset({office}),
                only=staff,
            )


def _on_duty(now: datetime) -> set[tuple[str, str]]:
    """Who is on duty in which office: who last went on, and not off again."""
    rows = Duty.objects.filter(occurred_at__range=(now - EVENINGS, now))
    entries = that_count(rows).order_by("occurred_at", "n")
    last = {(row.person.casefold(), row.held): row.begins for row in entries}
    return {who for who, begins in last.items() if begins}


def _at_work(now: datetime, games: Iterable[Game]) -> dict[tuple[str, str], datetime]:
    """Who recorded something at a table this day, or is named at an opening; since when."""
    day = house_day_at(now)
    found: dict[tuple[str, str], datetime] = {}
    listed: list[tuple[str, str, datetime]] = []
    for row in games:
        if row.goes_on and row.gaming_day == day:
            listed.append((row.staff, row.office, row.opened_at))
            listed.append((row.fiscal_de_banca, PIT, row.opened_at))
            listed.append((row.fiscal_chefe, HEAD, row.opened_at))
    projections: Collection[Any] = (DeckInspection, Cut, ShufflerLoad, Incident)
    first, *others = (
        projection.objects.filter(gaming_day=day, office__in=(PIT, HEAD))
        .order_by()
        .values_list("staff", "office")
        .annotate(Min("occurred_at"))
        for projection in projections
    )
    for staff, office, at in [*listed, *first.union(*others)]:
        if staff and office in (PIT, HEAD):
            found[staff, office] = min(at, found.get((staff, office), at))
    return found
