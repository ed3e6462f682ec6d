"""What is due at the tables, for whoever is at one or answers for all: read, never written.

An alert is a finding of the watch that stands, or something the watch will find unless somebody
acts first. A handful of queries answers, however many tables there are.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from hashlib import sha256
from typing import Any, Final
from urllib.parse import urlencode

from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet
from django.urls import reverse
from django.utils.translation import gettext

from audit.audit_queries import GRAVITIES, OPEN, standing_as
from audit.models import Finding
from audit.pools.pending import pending
from audit.pools.report_replay import OF_POOLS as OF_POOLS_WHOLE
from audit.runs import house_checks
from audit.watch import silent, soon
from audit.watch.alert_words import DUE, MANY, MISSING, OF_POOLS, OF_THE_HOUSE, PLACE
from audit.watch.floor_deadlines import allowed, owed
from audit.watch.floor_games import EVENINGS
from audit.watch.floor_overdue import WATCHED
from audit.watch.watch_owed import Owed
from casino.house_day import house_day_at
from casino.law.checks.table import house_controls
from casino.law.rulebook import controls
from casino.law.rulebook.law_text import LawError
from casino.law.rulebook.rulebook_file import load_law
from casino.models import Attestation, Partida, ShufflerLoad, ShufflerUnload
from casino.queries import that_count
from casino.tlog.canonical import canonical
from casino.web.forms.finding_words import words
from casino.web.forms.warnings import cited
from jackpot.queries.pool_queries import RULEBOOK

MOST: Final = 200  # alerts read at once: a house with more needs no list
AT_TABLES: Final = 1000  # the same for the floor's pages, each of which shows its own table's
NAMED: Final = 6  # of several that are shown as one, how many by their codes
_HOUSE: Final = house_checks.RULEBOOK
UNANSWERED: Final = "complaint_answered"  # which comes due weeks after its evening
_FOOTAGE: Final = frozenset({house_checks.FOOTAGE_DECIDED, house_checks.FOOTAGE_HELD})
SOON: Final = timedelta(hours=2)  # an open incident, a deck to be made known


@dataclass(frozen=True, slots=True)
class Alert:
    """One thing somebody has to see to.

    `table` and `partida` '' where it is of none. `cited` is the article as its rulebook counts, or
    the heading of the house's own deadlines; `words` one sentence in the language now active,
    `place` where at the table, '' for the whole of it. `since` is when it was found; where `due`,
    when its time runs out. `link` is the finding's page, '' while there is none; of several that
    say the same, their list. `day` is the gaming day it is of, None where it is of none. `key` is
    what names it whoever reads it again: of a finding its own.
    """

    table: str
    partida: str
    severity: str
    cited: str
    words: str
    place: str
    since: datetime
    due: bool
    link: str
    check: str
    day: date | None = None
    where: Mapping[str, object] = field(default_factory=dict)
    key: str = ""


def alerts(now: datetime, tables: Collection[str] | None = None) -> list[Alert]:
    """What is due on the floor of these days, the gravest first, then the oldest.

    `tables` None asks for all, and for what belongs to no table.
    """
    return in_order(alike(each(now, tables)))


def each(now: datetime, tables: Collection[str] | None = None) -> Iterator[Alert]:
    """The same one by one, in no order."""
    yield from _found(now, tables)
    yield from _waiting(now, tables)
    yield from _of_pools(now, tables)
    if tables is None:
        yield from _of_the_house(now)


def in_order(alerts: Iterable[Alert]) -> list[Alert]:
    """The gravest first, then the oldest; last what is only due."""
    return sorted(alerts, key=rank)


def rank(alert: Alert) -> tuple[bool, int, datetime]:
    """What alerts are ordered by."""
    return alert.due, GRAVITIES.index(alert.severity), alert.since


def of_tables(tables: Collection[str], now: datetime) -> dict[str, tuple[Alert, ...]]:
    """What is due at each of these tables: every one of them is a key.

    A pool's own room tells the floor of its wins, with the way to them.
    """
    found = [*_found(now, tables), *_waiting(now, tables)] if tables else []
    found = in_order(alike(found))
    return {name: tuple(one for one in found if one.table == name) for name in tables}


def alike(alerts: Iterable[Alert]) -> Iterator[Alert]:
    """Findings that say the same of several decks, shoes, loads of one game, recorded once."""
    groups: dict[tuple[object, ...], list[Alert]] = {}
    for one in alerts:
        if one.day is None:  # no finding
            yield one
            continue
        *rest, what = list(one.where) or [""]
        alone = (what, *(one.where[name] for name in rest)) if what in MANY else (one.link,)
        key = (one.table, one.partida, one.severity, one.cited, one.words, one.check, *alone)
        groups.setdefault(key, []).append(one)
    for of in groups.values():
        yield of[0] if len(of) == 1 else _together(of[::-1])  # they were read newest first


def _together(of: Sequence[Alert]) -> Alert:
    """One alert for several: how many, the first of them by their codes, and their list."""
    first = of[0]
    *rest, what = first.where
    codes = sorted((str(one.where[what]) for one in of), key=lambda code: (len(code), code))
    listed = ", ".join(codes[:NAMED]) + (", …" if len(codes) > NAMED else "")
    counted = gettext(MANY[what]) % {"n": len(of), "what": listed}
    around = _place({name: first.where[name] for name in rest})
    which = urlencode({"q": f"{first.partida or first.table} {first.check}", "state": OPEN})
    return replace(
        first,
        place=", ".join(filter(None, (around, counted))),
        since=min(one.since for one in of),
        link=f"{reverse('admin:audit_finding_changelist')}?{which}",
    )


# Written out, without the columns no alert is made of. What is of no table stands nowhere but in
# the whole house, where the tables are NULL; a law's own is asked for under its article, for which
# there is an index.
_STANDING: Final = f"""
SELECT entry_id, n, key, rulebook, article, check_name, severity, "where", observed, expected,
    gaming_day, table_code, partida_id, occurred_at
FROM audit_finding AS found
WHERE {standing_as("found")} AND (%(tables)s::text[] IS NULL OR table_code = ANY(%(tables)s)) AND (
    gaming_day >= %(first)s AND check_name = ANY(%(seen)s)
    OR rulebook = %(house)s AND article = ANY(%(late)s)
    OR rulebook = %(controls)s AND article = %(of_law)s AND check_name = %(unanswered)s
    OR %(tables)s::text[] IS NULL AND (check_name = ANY(%(of_pools)s) AND partida_id = ''
        OR rulebook = %(house)s AND article = ANY(%(whole)s)
        AND check_name = ANY(%(of_the_whole)s)))
ORDER BY n DESC LIMIT %(most)s
"""  # noqa: S608 - made of constants alone


def _found(now: datetime, tables: Collection[str] | None) -> Iterator[Alert]:
    """The findings of the watch that stand: of these evenings, and of deadlines whenever begun."""
    values: dict[str, object] = {
        "first": house_day_at(now) - EVENINGS,
        "seen": [*WATCHED, *house_checks.OF_THE_REGISTER],
        "house": _HOUSE,
        "late": [house_checks.FLOOR, house_checks.CASES],
        "controls": controls.RULEBOOK,
        "of_law": controls.ARTICLE_OF[UNANSWERED],
        "unanswered": UNANSWERED,
        "of_pools": list(OF_POOLS_WHOLE),
        "whole": [house_checks.BOOK, house_checks.ARTICLE],
        "of_the_whole": list(house_checks.OF_THE_WHOLE),
        "tables": None if tables is None else list(tables),
        "most": MOST if tables is None else AT_TABLES,
    }
    yield from map(of_finding, Finding.objects.raw(_STANDING, values))


def of_finding(finding: Finding) -> Alert:
    """A finding that stands, as an alert."""
    return Alert(
        table=finding.table_code,
        partida=finding.partida_id,
        severity=finding.severity,
        cited=_cited(finding.rulebook, finding.article),
        words=_words(finding),
        place=_place(finding.where),
        since=finding.occurred_at,
        due=False,
        link=reverse("admin:audit_finding_change", args=[finding.pk]),
        check=finding.check_name,
        day=finding.gaming_day,
        where=finding.where,
        key=finding.key,
    )


def _words(finding: Finding) -> str:
    """What is missing, as a glance takes it in; of what has no such words, the heading."""
    known = MISSING.get(finding.check_name)
    if known is not None:
        return gettext(known)
    say, day = words(), finding.gaming_day
    figures = (finding.where, finding.observed, finding.expected)
    return f"{say.heading(finding.check_name, *figures, day)}."


def _of_pools(now: datetime, tables: Collection[str] | None) -> Iterator[Alert]:
    """What of the pools waits for somebody: a win at its table, the rest nowhere."""
    for one in pending(now, tables):
        of_law = (RULEBOOK, one.article) if one.article else (_HOUSE, house_checks.BOOK)
        yield Alert(
            table=one.table,
            partida=one.partida,
            severity="warning",
            cited=_cited(*of_law),
            words=gettext(OF_POOLS[one.what]),
            place=_place({"jackpot": one.jackpot}),
            since=one.since,
            due=False,
            link=one.link,
            check=one.what,
            key=named(one.what, one.jackpot, one.partida, one.since),
        )


def _of_the_house(now: datetime) -> Iterator[Alert]:
    """What of the house's own work stands still, and draws nobody revealed."""
    for one in silent.silent(now):
        yield Alert(
            table="",
            partida="",
            severity="warning",
            cited=gettext("Draws") if one.draw else _cited(_HOUSE, house_checks.ARTICLE),
            words=gettext(OF_THE_HOUSE[one.what]),
            place=_place({"draw": one.draw} if one.draw else {}),
            since=one.since,
            due=False,
            link=reverse("draw", args=[one.draw]) if one.draw else "",
            check=one.what,
            key=named(one.what, one.draw, house_day_at(one.since)),
        )


def named(*parts: object) -> str:
    """A key of what is no finding: 64 hex digits."""
    return sha256(canonical([str(part) for part in parts])).hexdigest()


def _waiting(now: datetime, tables: Collection[str] | None) -> Iterator[Alert]:
    """What will be found unless somebody acts first."""
    ask = soon.EVERYTHING if tables is None else _worth_asking(now, tables)
    yield from _waiting_for_witness(now, tables, ask)
    for one in owed(now, tables) if ask & soon.DEADLINES else ():
        if not one.is_late(now) and one.until - now <= _warned(one.check):
            if tables is None or one.row.table_code in tables:
                yield _due(one)


def _worth_asking(now: datetime, tables: Collection[str]) -> frozenset[str]:
    """Which projections may hold something that waits at these tables."""
    first = house_day_at(now) - EVENINGS
    warned = dict.fromkeys(("incident", "notice", "complaint"), SOON)
    return soon.may_come_due(
        now, tables, first, settings.HOUSE_DEADLINES, warned | {"footage": allowed("warned")}
    )


def _warned(check: str) -> timedelta:
    """How long before its time is over somebody is told."""
    return allowed("warned") if check in _FOOTAGE else SOON


def _due(owed: Owed) -> Alert:
    row = owed.row
    return Alert(
        table=row.table_code,
        partida=row.partida_id,
        severity="warning",
        cited=_cited(house_checks.RULEBOOK, house_checks.FLOOR),
        words=gettext(DUE.get(owed.check, MISSING[owed.check])),
        place=_place(owed.where),
        since=owed.until,
        due=True,
        link="",
        check=owed.check,
        key=named(owed.check, row.table_code, *owed.where.values(), owed.until),
    )


def _waiting_for_witness(
    now: datetime, tables: Collection[str] | None, ask: Collection[str]
) -> Iterator[Alert]:
    """Loads and last unloads nobody has put his word to while there is time to."""
    word = Attestation.objects.filter(
        witnessed_stream=OuterRef("stream"), witnessed_n=OuterRef("n")
    )
    last: Iterable[tuple[str, str, QuerySet[Any]]] = (
        (soon.LOADS, "loading_witnessed", ShufflerLoad.objects.all()),
        (soon.UNLOADS, "unloading_witnessed", ShufflerUnload.objects.filter(reason="closing")),
    )
    day = house_day_at(now)
    book = Partida.objects.filter(partida_id=OuterRef("partida_id")).values("rulebook")[:1]
    for projection, check, acts in last:
        if projection not in ask:
            continue
        alone = acts.filter(~Exists(word), gaming_day__gte=day - EVENINGS).annotate(book=book)
        alone = that_count(alone)
        for act in alone.filter(table_code__in=tables) if tables is not None else alone:
            until = _word_until(act, check)
            if until is not None and now < until[1]:
                yield Alert(
                    table=act.table_code,
                    partida=act.partida_id,
                    severity="warning",
                    cited=until[0],
                    words=gettext(DUE[check]),
                    place="",
                    since=until[1],
                    due=True,
                    link="",
                    check=check,
                    key=named(check, act.stream, act.n),
                )


def _word_until(act: Any, check: str) -> tuple[str, datetime] | None:
    """Under which article, and until when, somebody has to put his word to an act."""
    try:
        law = load_law(act.book or "")
    except LawError:
        return None
    rules = law.on(act.gaming_day)
    article = rules.article_of(check)
    if article is None or not rules.states("witness.within"):
        return None
    within = timedelta(minutes=rules["witness.within"])
    return _cited(law.id, article), act.recorded_at + within


def _cited(rulebook: str, article: str) -> str:
    if rulebook == house_checks.RULEBOOK and article not in house_controls.ARTICLES:
        return gettext(house_checks.heading_of(article))
    return cited(rulebook, article)


def _place(where: Mapping[str, object]) -> str:
    """Where at the table, as far as there are words for it."""
    texts = [gettext(PLACE[name]) % {"what": what} for name, what in where.items() if name in PLACE]
    return ", ".join(texts)
