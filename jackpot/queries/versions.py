"""The approved terms of a pool through time, as the book keeps them.

Terms count once a second person has confirmed them. They never reach back: what was recorded
before they were confirmed keeps the terms it had, and so does what was played before `valid_from`,
or before the second person's word. A correction has the terms of what it corrects.

Law: PT art. 40.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import cast

from casino import clock
from jackpot.models import JackpotTerms, JackpotTermsConfirmation
from jackpot.progressive.prizes import MatchRule, PrizeLine, PrizeList
from jackpot.progressive.terms import Marking, Terms


@dataclass(frozen=True, slots=True)
class Version:
    """One version that was confirmed: what the house calls it, and since when the book knows.

    `entry` is the number of its entry in the pool's stream; `tables` None for every table.
    `agreed_at` is when the second person says that he confirmed it, `confirmed_at` when the book
    took his word.
    """

    name: str
    entry: int
    terms: Terms
    confirmed_at: datetime
    agreed_at: datetime
    tables: tuple[str, ...] | None = None
    limit_cents: int | None = None

    @property
    def since(self) -> datetime:
        """What was played from then on is played by it. Law: PT art. 40."""
        return max(self.terms.since, self.agreed_at)

    def feeds(self, table: str, recorded_by: str) -> bool:
        """Whether chips recorded there in that way feed the meter. Law: PT art. 41."""
        source = "round" if self.terms.marking == "automatic" else "increment"
        return recorded_by == source and (self.tables is None or table in self.tables)


def versions(jackpot: str, until: int | None = None, using: str = "default") -> tuple[Version, ...]:
    """The confirmed terms of a pool, the first choice first: the latest `valid_from`, then entry.

    `until` is the last entry of the pool's stream that is read.
    """
    words = JackpotTermsConfirmation.objects.using(using).filter(jackpot=jackpot)
    rows = JackpotTerms.objects.using(using).filter(jackpot=jackpot)
    if until is not None:
        words, rows = words.filter(n__lte=until), rows.filter(n__lte=until)
    entries = words.order_by("-n").values_list("terms_n", "recorded_at", "occurred_at")
    confirmed = {n: (recorded_at, occurred_at) for n, recorded_at, occurred_at in entries}
    found = [
        Version(
            row.terms,
            row.n,
            read_terms(row),
            *confirmed[row.n],
            None if row.tables is None else tuple(row.tables),
            row.limit_cents,
        )
        for row in rows
        if row.n in confirmed
    ]
    return in_order(found)


def in_order(versions: list[Version]) -> tuple[Version, ...]:
    """The first choice first."""
    return tuple(
        sorted(versions, key=lambda version: (version.terms.since, version.entry), reverse=True)
    )


def version_at(
    found: tuple[Version, ...], occurred_at: datetime, recorded_at: datetime
) -> Version | None:
    """The terms of what happened and was recorded then; None before the first.

    Of a correction, `recorded_at` is when the first of what it corrects was. Law: PT art. 40.
    """
    for one in found:
        if one.since <= occurred_at and one.confirmed_at < recorded_at:
            return one
    return None


def terms_at(jackpot: str, at: datetime, using: str = "default") -> Version | None:
    """The terms in force at a moment, as far as the book knows by now. Law: PT art. 40."""
    return version_at(versions(jackpot, using=using), at, clock.now())


def read_terms(jackpot_terms: JackpotTerms) -> Terms:
    """Terms as the arithmetic takes them, off their row."""
    lines = tuple(PrizeLine(code, share, fixed) for code, share, fixed in jackpot_terms.lines)
    return Terms(
        since=jackpot_terms.valid_from,
        stake_cents=jackpot_terms.stake_cents,
        rate_millionths=jackpot_terms.rate_millionths,
        start_cents=jackpot_terms.start_cents,
        prizes=PrizeList(
            jackpot_terms.cards_counted, lines, cast("MatchRule", jackpot_terms.match)
        ),
        marking=cast("Marking", jackpot_terms.marking),
        recorded_at=jackpot_terms.recorded_at,
        option_reference=jackpot_terms.option_reference or None,
        communicated_on=jackpot_terms.communicated_on,
        approval_reference=jackpot_terms.approval_reference or None,
        approved_on=jackpot_terms.approved_on,
        conditions=jackpot_terms.conditions or None,
        proposal=jackpot_terms.proposal or None,
        proposed_on=jackpot_terms.proposed_on,
    )
