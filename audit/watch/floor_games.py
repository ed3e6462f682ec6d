"""Which games a look at the floor has to see: those under way, and those something is owed of.

A game that was closed was judged then; it is looked at again only where something may have come to
be due since, or was recorded about it from outside.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Exists, OuterRef, QuerySet

from audit.models import Finding, ids_of
from audit.runs.current_findings import standing
from casino.house_day import house_day_at
from casino.law.rulebook.law_text import LawError
from casino.law.rulebook.rulebook_file import load_law
from casino.models import (
    Attestation,
    Closing,
    Complaint,
    ComplaintDecision,
    Incident,
    IncidentClosure,
    IncidentStepRow,
    Notice,
    Partida,
    Reopening,
    ShufflerLoad,
    ShufflerUnload,
)
from casino.queries import that_count

EVENINGS: Final = timedelta(days=2)  # a game that was never closed is looked at so long
LATELY: Final = timedelta(hours=1)  # and one that was closed
OUTAGE: Final = timedelta(days=3)  # what was recorded from outside is looked for so far back
YEAR: Final = timedelta(days=366)
WITNESSED: Final = ("loading_witnessed", "unloading_witnessed")


def games_to_see(now: datetime) -> list[str]:
    """The games to be looked at, those under way first."""
    first = house_day_at(now) - EVENINGS
    there = Partida.objects.filter(gaming_day__gte=first).order_by("partida_id")
    evenings = dict.fromkeys(there.values_list("partida_id", flat=True))
    closed = _closed(evenings)
    under_way = [name for name in evenings if name not in closed]
    lately = [name for name, at in closed.items() if at > now - LATELY]
    owed = [*_unwitnessed(closed, now), *_unanswered(now), *_recorded_outside(now)]
    return list(dict.fromkeys([*under_way, *lately, *owed]))


def _closed(partidas: Iterable[str]) -> dict[str, datetime]:
    """When the book was told that they were closed; a closing that was undone is none."""
    names = list(partidas)
    undone: dict[str, int] = {}
    reopened = that_count(Reopening.objects.filter(partida_id__in=names))
    for name, n in reopened.values_list("partida_id", "n"):
        undone[name] = max(n, undone.get(name, 0))
    closings = that_count(Closing.objects.filter(partida_id__in=names)).order_by("n")
    return {
        name: at
        for name, n, at in closings.values_list("partida_id", "n", "recorded_at")
        if n > undone.get(name, 0)
    }


def _unwitnessed(closed: Iterable[str], now: datetime) -> Iterator[str]:
    """Closed games of these evenings with a load, or a last unload, nobody put his word to."""
    names = list(closed)
    said: set[str] = set()
    held = standing().filter(partida_id__in=names, check_name__in=WITNESSED)
    for entries in ids_of(list(held)).values():
        said |= entries
    word = Attestation.objects.filter(
        witnessed_stream=OuterRef("stream"), witnessed_n=OuterRef("n")
    )
    acts: list[QuerySet[Any]] = [
        ShufflerLoad.objects.filter(partida_id__in=names),
        ShufflerUnload.objects.filter(partida_id__in=names, reason="closing"),
    ]
    for kind in acts:
        alone = that_count(kind.filter(~Exists(word))).values_list("partida_id", "entry_id")
        yield from (partida for partida, entry in alone if str(entry) not in said)


def _unanswered(now: datetime) -> Iterator[str]:
    """The games with a complaint that should have been decided on, where nobody said so yet."""
    decided = that_count(ComplaintDecision.objects.filter(complaint=OuterRef("complaint")))
    rulebook = Partida.objects.filter(partida_id=OuterRef("partida_id")).values("rulebook")[:1]
    waiting = that_count(
        Complaint.objects.filter(~Exists(decided), occurred_at__range=(now - YEAR, now))
    ).exclude(partida_id="")
    rows = waiting.annotate(book=rulebook)
    late = [row for row in rows if row.occurred_at + _answered_within(row) < now]
    known = _standing_by(row.partida_id for row in late)
    yield from (row.partida_id for row in late if row.complaint not in known)


def _answered_within(complaint: Any) -> timedelta:
    """How long the answer may take under the rulebook of the game."""
    try:
        rules = load_law(complaint.book or "").on(complaint.gaming_day)
    except LawError:
        return timedelta.max / 2
    if not rules.states("complaint.answered_within"):
        return timedelta.max / 2
    return timedelta(minutes=rules["complaint.answered_within"])


def _standing_by(partidas: Iterable[str]) -> set[object]:
    """The complaints of these games of which it stands that nobody answered them."""
    held = standing().filter(partida_id__in=list(partidas), check_name="complaint_answered")
    return {where.get("complaint") for where in held.values_list("where", flat=True)}


def _recorded_outside(now: datetime) -> Iterator[str]:
    """The games of which something stands, and of which something was recorded outside them
    since.
    """
    since = now - OUTAGE
    codes: set[str] = set()
    for kind, name in (
        (ComplaintDecision, "complaint"),
        (Notice, "incident"),
        (IncidentClosure, "incident"),
        (IncidentStepRow, "incident"),
    ):
        rows: QuerySet[Any] = kind.objects.filter(partida_id="", recorded_at__gte=since)
        codes |= set(rows.values_list(name, flat=True))
    if not codes - {""}:
        return
    about = (
        Complaint.objects.filter(complaint__in=codes)
        .values("partida_id")
        .union(Incident.objects.filter(incident__in=codes).values("partida_id"))
    )
    names = {row["partida_id"] for row in about} - {""}
    held: QuerySet[Finding] = standing().filter(partida_id__in=names)
    yield from sorted(set(held.values_list("partida_id", flat=True)))
