"""What went wrong on a gaming day, and the four columns of each: read from the book.

Every incident of the day, and every entry that says that a deck was not whole. What was recorded of
one incident (a deck withdrawn, a card exchanged) is one case with it. Rounds in doubt are judged
one by one up to READ of a night; of what goes beyond it stands the upper bound.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Final
from uuid import UUID

from django.db.models import Max, Q

from audit.audit_queries import recorded_event
from audit.exposure.defects import CARDS, Defect, Recorded, defect_of
from audit.exposure.exposed_rounds import Seen, Totals, seen_in
from audit.exposure.read_rounds import NEAR, Trail, trail_of
from audit.night.four_columns import (
    Case,
    Refund,
    Stop,
    Touched,
    first_report,
    refunds_of,
    stopped,
)
from audit.night.what_counts import WhatCounts
from casino.events.incidents import IncidentReported
from casino.events.shoes import PlayInterrupted
from casino.models import (
    BookEntry,
    Closing,
    Complaint,
    ComplaintDecision,
    DeckInspection,
    DeckWithdrawal,
    Emptiness,
    Incident,
    IncidentClosure,
    Interruption,
    Notice,
    Partida,
    Replacement,
    Round,
    ShufflerLoad,
    ShufflerUnload,
)

READ: Final = 1_000  # rounds in doubt of a night that are judged one by one
FOLLOWED: Final = 100  # games a deck in doubt may have been in since it was last found whole
LISTED: Final = 40  # cases of a night, the first; the lists of the admin have them all
_STOPS: Final = PlayInterrupted.kind.partition("/")[0]
_INSPECTOR: Final = "inspection_service"
_REGULAR: Final = {
    "cards": CARDS, "order_complete": True, "faces": "regular", "backs": "regular",
    "result": "conform",
}  # fmt: skip


@dataclass(slots=True)
class Budget:
    """How many rounds may still be judged one by one."""

    left: int


@dataclass(frozen=True, slots=True)
class ComplaintSeen:
    """A complaint of the night; `decided` None while it is not; `paid` cents by its decision."""

    entry_id: str
    number: str
    subject: str
    table: str
    partida: str
    player: str
    received: datetime
    amount: int | None
    decided: datetime | None
    outcome: str
    paid: int | None


def cases_of(day: date, counting: WhatCounts) -> tuple[Sequence[Case], int]:
    """What went wrong, as it was noticed; and how many more there are than LISTED."""
    recorded = _recorded([*_incidents(day, counting), *_decks(day, counting)])
    reported = {one.event.incident for one in recorded if isinstance(one.event, IncidentReported)}
    mine = [one for one in recorded if _is_case(one, reported)]
    mine.sort(key=_noticed)
    around, budget = _Around(day, mine[:LISTED], counting), Budget(READ)
    cases = [around.case_of(one, budget) for one in mine[:LISTED]]
    return cases, max(len(mine) - LISTED, 0)


def complaints_of(day: date, counting: WhatCounts) -> list[ComplaintSeen]:
    """The complaints received on a gaming day, with what was decided on them whenever."""
    rows = counting.of(Complaint.objects.filter(gaming_day=day).order_by("occurred_at", "n"))
    decided = _decisions([row.complaint for row in rows], counting)
    seen = []
    for row in rows:
        decision = decided.get(row.complaint)
        seen.append(
            ComplaintSeen(
                str(row.pk),
                row.complaint,
                row.subject,
                row.table_code,
                row.partida_id,
                row.player,
                row.received_at or row.occurred_at,
                row.amount_cents,
                None if decision is None else decision.occurred_at,
                "" if decision is None else decision.outcome,
                None if decision is None else decision.paid_cents,
            )
        )
    return seen


# Which entries


def _incidents(day: date, counting: WhatCounts) -> list[UUID]:
    rows = counting.of(Incident.objects.filter(gaming_day=day))
    return [row.pk for row in rows]


def _decks(day: date, counting: WhatCounts) -> list[UUID]:
    """Entries that may say that a deck was not whole: all but the inspections that found it so."""
    looked = DeckInspection.objects.filter(gaming_day=day).exclude(
        **_REGULAR,
        missing_cards__isnull=True,
        extra_cards__isnull=True,
        damaged_cards__isnull=True,
    )
    taken_out = DeckWithdrawal.objects.filter(gaming_day=day)
    exchanged = Replacement.objects.filter(gaming_day=day)
    left = Emptiness.objects.filter(gaming_day=day, cards_found__gt=0)
    loads = ShufflerLoad.objects.filter(gaming_day=day, cards__isnull=False)
    unloads = ShufflerUnload.objects.filter(gaming_day=day, cards__isnull=False)
    counted: list[ShufflerLoad | ShufflerUnload] = [*counting.of(loads), *counting.of(unloads)]
    return [
        *(row.pk for row in counting.of(looked)),
        *(row.pk for row in counting.of(taken_out)),
        *(row.pk for row in counting.of(exchanged)),
        *(row.pk for row in counting.of(left)),
        *(row.pk for row in counted if row.cards != CARDS * len(row.decks)),
    ]


def _recorded(ids: Collection[UUID]) -> list[Recorded]:
    rows = BookEntry.objects.filter(pk__in=ids).select_related("stream") if ids else ()
    return [recorded_event(row) for row in rows]


def _is_case(recorded: Recorded, reported: Collection[str]) -> bool:
    """An incident is one; an entry about a deck is, unless it was recorded for an incident."""
    if isinstance(recorded.event, IncidentReported):
        return True
    answers = getattr(recorded.event, "incident", None)
    return answers not in reported and defect_of(recorded) is not None


def _noticed(recorded: Recorded) -> tuple[datetime, str, int]:
    defect = defect_of(recorded)
    at = recorded.occurred_at if defect is None else defect.noticed
    return getattr(recorded.event, "noticed_at", None) or at, recorded.stream, recorded.n


# What is known around them


class _Around:
    """What a day's cases are held against: interruptions, closings, reports, complaints."""

    def __init__(self, day: date, cases: Sequence[Recorded], counting: WhatCounts) -> None:
        self.counting = counting
        games = {one.event.partida_id for one in cases if one.event.partida_id}
        self.stops: dict[str, list[Stop]] = {}
        rows = Interruption.objects.filter(partida_id__in=games).exclude(act="cards-spread")
        for row in counting.of(rows):
            stop = Stop(row.occurred_at, row.act == _STOPS, row.reason)
            self.stops.setdefault(row.partida_id, []).append(stop)
        self.closed: dict[str, datetime] = {}
        closings = Closing.objects.filter(partida_id__in=games).order_by("n")
        self.closed.update({one.partida_id: one.occurred_at for one in counting.of(closings)})
        self.reports = _reports(day, cases, counting)
        self.paid = _paid(games, counting)
        self.rounds = _rounds_named(day, cases, counting)

    def case_of(self, recorded: Recorded, budget: Budget) -> Case:
        """One case with all its columns."""
        event, defect = recorded.event, defect_of(recorded)
        detected = _noticed(recorded)[0]
        number = getattr(event, "incident", None) or ""
        partida = event.partida_id or ""
        case = Case(
            str(recorded.entry_id),
            event.kind,
            getattr(event, "category", ""),
            number,
            getattr(event, "table", None) or "",
            partida,
            () if defect is None else defect.decks,
            detected,
            recorded.recorded_at,
            stopped(detected, self.stops.get(partida, ()), self.closed.get(partida)),
        )
        if defect is not None:
            case = self._in_doubt(case, defect, budget)
        elif getattr(event, "round", None):
            case = self._of_round(case, str(event.round))
        own = getattr(event, "communicated_at", None)
        reports = [own, *self.reports.get(("incident", number), ())]
        for deck in case.decks:
            reports += self.reports.get(("deck", deck), ())
        return replace(case, reported=first_report(detected, reports))

    def _in_doubt(self, case: Case, defect: Defect, budget: Budget) -> Case:
        case = replace(case, in_doubt=True)
        if _is_too_long(defect, self.counting):
            return replace(case, too_long=True)
        trail = trail_of(defect)
        case = replace(case, decks=trail.defect.decks)
        most = trail.at_most()
        if most.rounds > budget.left:
            touched = Touched(most.rounds, most.staked, after=None, exact=False)
            return replace(case, touched=touched)
        budget.left -= most.rounds
        return self._judged(case, trail)

    def _judged(self, case: Case, trail: Trail) -> Case:
        totals, refunds = Totals(), list[Refund]()
        for one in trail.rounds():
            totals.add(one)
            refunds += _of_voided(one.seen)
            refunds += self.paid.get(one.seen.round, ())
        whole, after = totals.whole, totals.noticed
        touched = Touched(
            whole.certain.rounds + whole.possible.rounds,
            whole.certain.staked + whole.possible.staked,
            whole.possible.rounds,
            after.certain.rounds + after.possible.rounds,
        )
        return replace(case, touched=touched, refunds=refunds_of(refunds))

    def _of_round(self, case: Case, round_id: str) -> Case:
        """Of what is no deck's: the one round it names."""
        seen = self.rounds.get(round_id)
        if seen is None:
            return replace(case, refunds=refunds_of(self.paid.get(round_id, ())))
        refunds = [*_of_voided(seen), *self.paid.get(round_id, ())]
        return replace(case, touched=Touched(1, seen.staked), refunds=refunds_of(refunds))


def _is_too_long(defect: Defect, counting: WhatCounts) -> bool:
    """Whether a deck was in more games than FOLLOWED since it was last looked through whole.

    Counted without following it: a deck nobody ever found whole leads through every game of years.
    """
    decks = set(defect.decks)
    if not decks and defect.partida is not None:
        games = counting.of(Partida.objects.filter(partida_id=defect.partida))
        decks = {deck for game in games for deck in game.decks}
    for deck in decks:
        whole = DeckInspection.objects.filter(
            deck=deck, occurred_at__lt=defect.noticed, **_REGULAR
        ).aggregate(last=Max("gaming_day"))["last"]
        used = Partida.objects.filter(
            decks__contains=[deck], gaming_day__lte=defect.noticed.date() + NEAR
        )
        if whole is not None:
            used = used.filter(gaming_day__gte=whole - NEAR)
        if used[: FOLLOWED + 1].count() > FOLLOWED:
            return True
    return False


def _of_voided(seen: Seen) -> list[Refund]:
    """What a voided round gave back, player by player."""
    if not seen.voided:
        return []
    return [
        Refund(owner, seen.partida, back, "voided")
        for box in seen.boxes
        for owner, _, back in box.wagers
        if back
    ]


def _rounds_named(day: date, cases: Sequence[Recorded], counting: WhatCounts) -> dict[str, Seen]:
    """The rounds incidents name that are no deck's."""
    named = {
        str(one.event.round)
        for one in cases
        if isinstance(one.event, IncidentReported) and one.event.round and defect_of(one) is None
    }
    rows = Round.objects.filter(gaming_day=day, round__in=named)
    ids = [row.entry_id for row in counting.of(rows)] if named else []
    entries = BookEntry.objects.filter(pk__in=ids).select_related("stream") if ids else ()
    seen = {}
    for entry in entries:
        payload = json.loads(bytes(entry.entry))["payload"]
        seen[payload["round"]] = Seen(
            entry_id=str(entry.pk),
            stream=entry.stream.name,
            n=entry.n,
            gaming_day=entry.gaming_day,
            occurred_at=entry.occurred_at,
            **seen_in(payload),
        )
    return seen


def _reports(
    day: date, cases: Sequence[Recorded], counting: WhatCounts
) -> Mapping[tuple[str, str], list[datetime | None]]:
    """When the inspection service was informed: by an incident's number, by a deck's."""
    numbers = {one.event.incident for one in cases if getattr(one.event, "incident", None)}
    about = Q(incident__in=numbers) | Q(gaming_day__range=(day, day + NEAR)) & ~Q(deck="")
    found: dict[tuple[str, str], list[datetime | None]] = {}
    for row in counting.of(Notice.objects.filter(about, addressee=_INSPECTOR)):
        sent = row.sent_at or row.occurred_at
        if row.incident:
            found.setdefault(("incident", row.incident), []).append(sent)
        if row.deck:
            found.setdefault(("deck", row.deck), []).append(sent)
    for closure in counting.of(IncidentClosure.objects.filter(incident__in=numbers)):
        found.setdefault(("incident", closure.incident), []).append(closure.communicated_at)
    return found


def _paid(games: Collection[str], counting: WhatCounts) -> dict[str, list[Refund]]:
    """What complaints of these games brought back, by the round they are about."""
    rows = Complaint.objects.filter(partida_id__in=games, round__isnull=False)
    complaints = counting.of(rows) if games else []
    decided = _decisions([row.complaint for row in complaints], counting)
    found: dict[str, list[Refund]] = {}
    for row in complaints:
        decision = decided.get(row.complaint)
        if decision is not None and decision.paid_cents:
            refund = Refund(
                row.player, row.partida_id, decision.paid_cents, "complaint", row.complaint
            )
            found.setdefault(str(row.round), []).append(refund)
    return found


def _decisions(numbers: Collection[str], counting: WhatCounts) -> Mapping[str, ComplaintDecision]:
    """The last decision on each of these complaints."""
    rows = ComplaintDecision.objects.filter(complaint__in=numbers).order_by("occurred_at", "n")
    return {row.complaint: row for row in (counting.of(rows) if numbers else ())}
