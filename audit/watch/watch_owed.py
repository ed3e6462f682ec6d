"""What the house owes and until when, made of what the book tells: pure, rows come in.

A row is one of the projection it stands on, with the names its columns have.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from audit.runs import house_checks
from jackpot.progressive.identified import identified_from

LOOKED_BACK: Final = timedelta(days=400)  # what is older was found long ago


@dataclass(frozen=True, slots=True)
class Owed:
    """Something that has to be done by `until`: what it rests on, and where it belongs.

    `row` is the projection's row it began with, `where` its number, `observed` what was not done;
    `expected` what is asked, where that is not only to do it in time.
    """

    check: str
    row: Any
    where: dict[str, int | str]
    observed: dict[str, Any]
    until: datetime
    expected: dict[str, object] | None = None

    def is_late(self, now: datetime) -> bool:
        """Whether its time is over; at the very moment it is not."""
        return self.until < now


def unsettled(incidents: Iterable[object], within: timedelta) -> Iterator[Owed]:
    """Incidents nobody settled, each once however often it was recorded."""
    for row in _last_of_each(incidents, "incident"):
        yield Owed(
            house_checks.INCIDENT_SETTLED,
            row,
            {"incident": row.incident},
            {"settled": "no"},
            (row.noticed_at or row.occurred_at) + within,
        )


def not_made_known(defects: Iterable[object], within: timedelta) -> Iterator[Owed]:
    """Decks that are not whole, of which the inspection service was not told.

    Law: PT art. 55, which has the decks looked at and names no notice; 51 for a damaged card.
    """
    for row in _last_of_each(defects, "incident"):
        yield Owed(
            house_checks.DEFECT_MADE_KNOWN,
            row,
            {"incident": row.incident},
            {"communications": 0},
            (row.noticed_at or row.occurred_at) + within,
        )


def unanswered(complaints: Iterable[object], within: timedelta) -> Iterator[Owed]:
    """Complaints about no game nobody decided on; those of a game are its law's matter (61)."""
    for row in _last_of_each(complaints, "complaint"):
        if not row.partida_id:
            yield Owed(
                house_checks.COMPLAINT_ANSWERED,
                row,
                {"complaint": row.complaint},
                {"answers": 0},
                row.occurred_at + within,
            )


def undecided(
    holds: Iterable[Any], over: Collection[tuple[str, str]], within: timedelta
) -> Iterator[Owed]:
    """Recordings held for something that is not over, and not handed over.

    `holds` in the order in which they were recorded, `over` the incidents and complaints that are,
    as ``("incident", number)``. Their days count from what they show; held again, from then.

    Law: Lei do Jogo art. 52.
    """
    values: dict[str, list[Any]] = {}
    for row in holds:
        values.setdefault(row.hold, []).append(row)
    for records in values.values():
        last = records[-1]
        handed_over = any(row.handed_over_at is not None for row in records)
        if handed_over or {("incident", last.incident), ("complaint", last.complaint)} & set(over):
            continue
        since = last.recorded_from if len(records) == 1 else last.occurred_at
        where: dict[str, int | str] = {"hold": last.hold}
        nothing = {"handed_over": "no"}
        yield Owed(house_checks.FOOTAGE_DECIDED, last, where, nothing, since + within)


def unheld(
    matters: Iterable[object], about: str, holds: Iterable[object], within: timedelta
) -> Iterator[Owed]:
    """Open incidents or complaints whose recordings nobody held while there were any.

    `about` is ``"incident"`` or ``"complaint"``. Their days count from what happened: recordings
    held after those are over show nothing of it any more, nor do those of another time.

    Law: Lei do Jogo art. 52.
    """
    values: dict[str, list[Any]] = {}
    for hold in holds:
        values.setdefault(getattr(hold, about), []).append(hold)
    for row in _last_of_each(matters, about):
        code = getattr(row, about)
        happened = _happened(row, about)
        until = happened + within
        if not any(
            hold.occurred_at <= until and _shows(hold, happened) for hold in values.get(code, ())
        ):
            yield Owed(house_checks.FOOTAGE_HELD, row, {about: code}, {"holds": 0}, until)


def unidentified(payments: Iterable[Any], figures: Mapping[str, int]) -> Iterator[Owed]:
    """Large prizes of a jackpot paid to somebody nobody identified, found at once.

    `figures` are the sums from which somebody has to, by the day they hold from. Units: cents.

    Law: Lei 83/2017.
    """
    for row in payments:
        asked = identified_from(figures, row.gaming_day)
        if row.named or asked is None or row.paid_cents < asked:
            continue
        yield Owed(
            house_checks.IDENTIFIED,
            row,
            {"jackpot": row.jackpot},
            {"identified": "no", "paid_cents": row.paid_cents},
            row.occurred_at,
            {"identified": "yes", "identified_from_cents": asked},
        )


def _shows(hold: Any, happened: datetime) -> bool:
    """Whether what is held is of the moment it is held for; its end may be told to the minute."""
    minute = happened.replace(second=0, microsecond=0)
    return bool(hold.recorded_from <= happened and minute <= hold.recorded_until)


def _happened(row: Any, about: str) -> datetime:
    """When it was, as far as recorded."""
    known = row.noticed_at if about == "incident" else row.received_at
    moment: datetime = known or row.occurred_at
    return moment


def _last_of_each(rows: Iterable[Any], name: str) -> Iterable[Any]:
    """The last row told of each number; an incident's is its table's own."""
    own = name == "incident"
    return {(row.table_code if own else "", getattr(row, name)): row for row in rows}.values()
