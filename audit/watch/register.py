"""The house's register: what two persons do together, machines the house may deal from, and who is
paid a large prize, and who was given or lost a high office by one person alone.

No numbered article asks for any. That decks come and go, that chips are counted and that a
machine is looked through before two persons is the house's own rule; that only machines the
inspection service approved are used stands in another order (Portaria 461/2001, n.º 3); that
winners are identified, in another law (Lei 83/2017).
"""

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Subquery, When

from audit.runs import house_checks
from audit.runs.house_days import day_ends_at
from audit.watch.watch_owed import LOOKED_BACK, Owed, unidentified
from casino.events.requests import BY_TWO
from casino.floor.tables.todo_acts import undecided
from casino.models import (
    Attestation,
    ChipTally,
    DeckReceipt,
    Destruction,
    DropTally,
    Duty,
    Emptiness,
    OfficeEnd,
    OfficeGrant,
    Partida,
    SchemaRecord,
    Shuffler,
    ShufflerLoad,
    Staff,
    StaffRequest,
    StaffRequestDecision,
)
from casino.queries import that_count
from casino.recording.office_rules import is_alone
from jackpot.models import JackpotAdjustment, JackpotPayment

# The migration this rule came with: which are applied stands in the book.
_RULE: Final = "casino.0033_by_two_persons"
_ALONE: Final = Q(second="") | Q(second__iexact=F("staff"))  # no second, or the author again
# Of chips the dealer is one of the two; where nobody named him, whoever recorded them is.
_COUNTED_ALONE: Final = (
    Q(second="") | Q(second__iexact=F("pagador")) | Q(pagador="", second__iexact=F("staff"))
)
_BOX_ALONE: Final = (
    Q(second="") | Q(second__iexact=F("counted_by")) | Q(counted_by="", second__iexact=F("staff"))
)
# What is done beside a second person, who that is not, and the column that says of what it was.
_BY_TWO: Final[tuple[tuple[type[Any], Q, str], ...]] = (
    (DeckReceipt, _ALONE, "deck"),
    (Destruction, _ALONE, "decks"),
    (Emptiness, _ALONE, "shuffler"),
    (ChipTally, _COUNTED_ALONE, ""),
    (DropTally, _BOX_ALONE, ""),
)


def irregular(now: datetime) -> Iterator[Owed]:
    """What was done alone, machines that may not be dealt from, who was paid; found at once."""
    since = Q(occurred_at__gte=now - LOOKED_BACK, occurred_at__lte=now)
    for projection, alone, name in _BY_TWO:
        rows = projection.objects.filter(since).annotate(
            alone=Case(When(alone, then=True), default=False), stranger=_is_nobodys()
        )
        found = list(that_count(rows.filter(Q(alone=True) | Q(stranger=True)).order_by("n")))
        yield from done_alone((row for row in found if row.alone), name)
        yield from beside_nobody((row for row in found if not row.alone), name)
    yield from done_alone(done_by_one(now - LOOKED_BACK, now), "jackpot")
    acts = (row for row in undecided(now) if day_ends_at(row.gaming_day) <= now)
    yield from done_alone(acts, "")
    yield from unfit(that_count(_loads(since)))
    yield from duty_of_strangers(that_count(_duty_without_office(since)))
    yield from registered_anew(that_count(_recorded_again(since)))
    yield from changed_by_one(now - LOOKED_BACK)
    paid = JackpotPayment.objects.filter(named=False, recorded_at__gte=now - LOOKED_BACK)
    yield from unidentified(that_count(paid).order_by("n"), settings.HOUSE_IDENTIFIES_FROM)


def done_alone(rows: Iterable[object], name: str) -> Iterator[Owed]:
    """Each of them as what two persons had to do; `name` is the column that says of what."""
    for row in rows:
        found, asked = {"persons": 1}, {"at_least": 2}
        yield _found(house_checks.TWO_PERSONS, row, _where(row, name), found, asked)


def done_by_one(since: datetime, now: datetime) -> Iterator[object]:
    """Rows of adjustments of a pool and of payments since then that nobody confirmed.

    The word is waited for until the gaming day is over; one that comes later cures what was raised.
    """
    word = Attestation.objects.filter(
        witnessed_stream=OuterRef("stream"), witnessed_n=OuterRef("n")
    ).exclude(witness__iexact=OuterRef("staff"))
    of_both: tuple[QuerySet[Any], ...] = (
        JackpotAdjustment.objects.all(),
        JackpotPayment.objects.all(),
    )
    for acts in of_both:
        alone = that_count(acts).filter(~Exists(word), recorded_at__gte=since).order_by(F("n"))
        yield from (row for row in alone if day_ends_at(row.gaming_day) <= now)


def beside_nobody(rows: Iterable[Any], name: str) -> Iterator[Owed]:
    """Each of them as what somebody did beside a number that is nobody's."""
    for row in rows:
        observed = {"staff": row.second, "registered": "no"}
        where = _where(row, name)
        yield _found(house_checks.TWO_PERSONS, row, where, observed, {"registered": "yes"})


def duty_of_strangers(rows: Iterable[Any]) -> Iterator[Owed]:
    """Each of them as duty of a number of nobody, or in an office that was another's then."""
    for row in rows:
        where = {"staff": row.person}
        if row.known:
            held, asked = {"holds_office": "no"}, {"office": row.held}
            yield _found("people_hold_their_office", row, where, held, asked)
        else:
            nobody, asked = {"registered": "no"}, {"registered": "yes"}
            yield _found("people_are_registered", row, where, nobody, asked)


def registered_anew(rows: Iterable[Any]) -> Iterator[Owed]:
    """Each of them as a number that stood in the register before, in this spelling or another."""
    for row in rows:
        found, asked = {"registered_as": row.before}, {"times": 1}
        yield _found("number_registered_once", row, {"staff": row.person}, found, asked)


def changed_by_one(since: datetime) -> Iterator[Owed]:
    """High offices that were given or ended and nobody had asked for, or nobody else decided on.

    Not what opened the book, before its first game, nor what stood there before the house asked
    for two: `_RULE`. A file and a correction have their own second person.
    """
    begins = _two_since()
    if begins is None:
        return
    changes = ((OfficeGrant, "office_given"), (OfficeEnd, "office_ended"))
    for projection, change in changes:
        asked = StaffRequest.objects.filter(
            n=OuterRef("asked_n"),
            change=change,
            person=OuterRef(OuterRef("person")),
            held=OuterRef(OuterRef("held")),
        ).exclude(staff__iexact=OuterRef("staff"))
        # A decision and what it is about are recorded in one act, one after the other.
        decided = StaffRequestDecision.objects.filter(
            Exists(asked),
            n=OuterRef("n") - 1,
            decision="approved",
            staff__iexact=OuterRef("staff"),
        )
        rows = projection.objects.filter(
            ~Exists(decided),
            held__in=BY_TWO,
            recorded_at__gte=max(begins, since),
            supersedes_leaf="",
        ).select_related("entry")
        for row in that_count(rows.order_by("n")):
            by_file = json.loads(bytes(row.entry.entry))["who"]["door"] == "import"
            first = projection is OfficeGrant and is_alone(row.recorded_at, row.staff, row.person)
            if not (by_file or first):
                where = {"staff": row.person, "office": row.held}
                found, asked_for = {"persons": 1, "change": change}, {"at_least": 2}
                yield _found(house_checks.OFFICE_BY_TWO, row, where, found, asked_for)


def _two_since() -> datetime | None:
    """Since when the house asks for two: this program is in the book, and games have begun."""
    known = SchemaRecord.objects.filter(migrations__contains=[_RULE]).order_by("n").first()
    game = Partida.objects.order_by("pk").first()
    if known is None or game is None:
        return None
    return max(known.recorded_at, game.recorded_at)


def _recorded_again(since: Q) -> QuerySet[Any]:
    before = that_count(
        Staff.objects.filter(person__iexact=OuterRef("person"), n__lt=OuterRef("n"))
    )
    rows = Staff.objects.filter(since).annotate(
        before=Subquery(before.order_by("n").values("person")[:1])
    )
    return rows.exclude(before=None).order_by("n")


def _duty_without_office(since: Q) -> QuerySet[Any]:
    """Duty begun in an office nobody had granted him for that moment, where the house keeps any.

    As the book knew it when the duty was recorded: what is recorded late cures nothing.
    """
    his = {"person": OuterRef("person"), "held": OuterRef("held")}
    ended = OfficeEnd.objects.filter(
        person=OuterRef("person"),
        held=OuterRef("held"),
        ended_at__gt=OuterRef("valid_from"),
        ended_at__lte=OuterRef(OuterRef("occurred_at")),
    )
    granted = that_count(
        OfficeGrant.objects.filter(
            Q(valid_until=None) | Q(valid_until__gt=OuterRef("occurred_at")),
            ~Exists(that_count(ended)),
            valid_from__lte=OuterRef("occurred_at"),
            recorded_at__lte=OuterRef("recorded_at"),
            **his,
        )
    )
    kept = OfficeGrant.objects.filter(held=OuterRef("held"))
    known = [
        Exists(
            projection.objects.filter(
                person__iexact=OuterRef("person"), recorded_at__lte=OuterRef("recorded_at")
            )
        )
        for projection in (Staff, OfficeGrant)
    ]
    rows = Duty.objects.filter(since, Exists(kept), ~Exists(granted), begins=True)
    return rows.annotate(known=Case(When(known[0] | known[1], then=True), default=False)).order_by(
        "n"
    )


def _where(row: object, name: str) -> dict[str, object]:
    what = getattr(row, name) if name else None
    return {} if what is None else {name: len(what) if isinstance(what, list) else what}


def _is_nobodys() -> object:
    """Whether a second person is in neither register; not where no staff are registered yet."""
    his = {"person__iexact": OuterRef("second")}
    known = [Exists(projection.objects.filter(**his)) for projection in (Staff, OfficeGrant)]
    return Case(When(Exists(Staff.objects.all()) & ~known[0] & ~known[1], then=True), default=False)


def unfit(loads: Iterable[Any]) -> Iterator[Owed]:
    """Loads of a machine that was not registered then, not in service, or not approved."""
    for row in loads:
        lacks = "registered" if row.known is None else ""
        if not lacks:
            lacks = "in_service" if row.serving is False else "approved"
        yield _found(
            house_checks.SHUFFLER_FIT,
            row,
            {"shuffler": row.shuffler},
            {lacks: "no"},
            {lacks: "yes"},
        )


def _loads(since: Q) -> QuerySet[Any]:
    """Loads with what the register said of their machine then, where that is not enough."""
    register = that_count(
        Shuffler.objects.filter(
            shuffler=OuterRef("shuffler"), occurred_at__lte=OuterRef("occurred_at")
        )
    ).order_by("-occurred_at", "-n")
    rows = ShufflerLoad.objects.filter(since).annotate(
        known=Subquery(register.values("entry_id")[:1]),
        serving=Subquery(register.values("in_service")[:1]),
        approved=Subquery(register.values("approval")[:1]),
    )
    return rows.filter(Q(known=None) | Q(serving=False) | Q(approved="")).order_by("n")


def _found(
    check: str, row: Any, where: dict[str, Any], observed: dict[str, Any], expected: dict[str, Any]
) -> Owed:
    return Owed(check, row, where, observed, row.occurred_at, expected)
