"""What falls with a record that is withdrawn and what stands in its way, kind by kind."""

from dataclasses import replace
from typing import Any

import pytest

from casino.models import BookEntry
from casino.recording import Actor
from casino.recording.authority import writers_of
from casino.recording.withdrawing import resting_on
from tests.factories.evenings import closed, opened, played, record_events
from tests.factories.events.every import FULL
from tests.factories.records import EVENING, HEAD, MANAGER, PIT
from tests.factories.withdrawals import withdraw

pytestmark = pytest.mark.django_db
DAY = "2026-11-20"
TABLE = "BJ-06"
OPENED, CLOSED = opened(TABLE, DAY), closed(TABLE, DAY)
ROUND = played("r1", table=TABLE, day=DAY, place=1)
SECOND_ROUND = played("r2", table=TABLE, day=DAY, place=2)


def full(kind: str, **otherwise: Any) -> Any:
    """The example of a kind, with something of it otherwise."""
    return replace(FULL[f"{kind}/1"], **otherwise)


def by_of(event: Any) -> Actor:
    """Somebody who may tell it."""
    return next(by for by in (PIT, HEAD, MANAGER) if by.office in writers_of(event.kind))


def resting(*events: Any, of: int = 0) -> tuple[list[int], list[int]]:
    """These told one after the other: which fall with one of them, which stand in its way."""
    receipts = [record_events(one, EVENING, by_of(one)) for one in events]
    places = {receipt.entry_id: place for place, receipt in enumerate(receipts)}
    entry = BookEntry.objects.select_related("stream").get(pk=receipts[of].entry_id)
    found = resting_on(entry)
    return [places[one.pk] for one in found.falls], [places[one.pk] for one in found.in_the_way]


COMPLAINT = full("complaint-received")
REVIEWED, DECIDED = full("dispute-reviewed"), full("complaint-decided")
INCIDENT = full("incident-reported")
STEP, SETTLED = full("incident-step"), full("incident-closed")
TOOK, LEFT = full("dealer-took-table"), full("dealer-left-table")
SAT, STOOD = full("seat-taken"), full("seat-left")
STOPPED, RESUMED = full("play-interrupted"), full("play-resumed")
SHUFFLED, CUT = full("cards-shuffled"), full("cut-made", shoe=1)
LOADED, EMPTIED = full("shuffler-loaded"), full("shuffler-unloaded")
RECEIVED, REOPENED = full("deck-received", deck="D06-1"), full("partida-reopened")


@pytest.mark.parametrize(
    ("events", "falls", "in_the_way"),
    [
        ([COMPLAINT, REVIEWED, DECIDED], [1, 2], []),
        ([COMPLAINT, replace(DECIDED, complaint="RC-2026-0009")], [], []),
        ([COMPLAINT, full("notice-sent"), full("footage-held")], [], []),  # they go on naming it
        ([COMPLAINT, COMPLAINT, DECIDED], [], []),  # recorded twice
        ([INCIDENT, STEP, SETTLED], [1, 2], []),
        ([INCIDENT, STEP, full("deck-withdrawn")], [1], [2]),
        ([INCIDENT, full("card-replaced")], [], [1]),
        ([INCIDENT, full("shuffler-opened")], [], [1]),
        ([INCIDENT, INCIDENT, STEP], [], []),
        ([RECEIVED], [], []),
        ([RECEIVED, OPENED], [], [1]),  # it is played with
        ([RECEIVED, full("deck-withdrawn", deck="D06-1")], [], [1]),
        ([RECEIVED, RECEIVED, OPENED], [], []),
        ([OPENED, SHUFFLED, CUT, TOOK, SAT, full("chips-counted")], [1, 2, 3, 4, 5], []),
        ([OPENED, full("table-handed-over"), CLOSED], [1, 2], []),
        ([OPENED, full("jackpot-read")], [1], []),
        ([OPENED, full("jackpot-incremented")], [], [1]),
        ([OPENED, SHUFFLED, INCIDENT], [1], [2]),
        ([OPENED, COMPLAINT], [], [1]),
        ([OPENED, ROUND, SECOND_ROUND], [], [1]),  # one is enough to refuse
        ([OPENED, OPENED, ROUND], [], []),
        ([CLOSED, REOPENED], [], [1]),
        ([CLOSED, opened(TABLE, DAY, 2)], [], [1]),
        ([CLOSED, opened("BJ-07", DAY)], [], []),
        ([REOPENED, CLOSED], [1], []),
        ([REOPENED, SHUFFLED], [], [1]),
        ([REOPENED, ROUND], [], [1]),
        ([SHUFFLED, CUT, full("card-burned", shoe=1)], [1, 2], []),
        ([SHUFFLED, full("cut-made", shoe=2)], [], []),
        ([SHUFFLED, CUT, ROUND], [1], [2]),
        ([SHUFFLED, SHUFFLED, CUT], [], []),
        ([LOADED, EMPTIED], [1], []),
        ([LOADED, ROUND, EMPTIED], [2], [1]),
        ([LOADED, EMPTIED, LOADED, ROUND], [1], []),
        ([TOOK, LEFT], [1], []),
        ([TOOK, replace(LEFT, pagador="P-099")], [], []),
        ([TOOK, TOOK, LEFT], [], []),
        ([SAT, STOOD], [1], []),
        ([SAT, replace(STOOD, seat=4)], [], []),
        ([STOPPED, RESUMED, STOPPED, RESUMED], [1], []),
        ([STOPPED, STOPPED, RESUMED], [], []),
        ([ROUND, full("last-round-announced", round=ROUND.round, shoe=None, number=None)], [], [1]),
        ([ROUND, full("rounds-deferred", rounds=(ROUND.round,))], [], [1]),
        ([ROUND, full("complaint-received", round=None, shoe=1, number=1)], [], [1]),
        ([ROUND, full("complaint-received", round=None, shoe=1, number=2)], [], []),
        ([full("table-handed-over"), TOOK], [], []),
    ],
)
def test_what_has_no_meaning_without_it_falls_and_what_happened_by_itself_stands_in_the_way(
    events: list[Any], falls: list[int], in_the_way: list[int]
) -> None:
    assert resting(*events) == (falls, in_the_way)


@pytest.mark.parametrize(
    ("events", "of"),
    [
        ([STOPPED, STOPPED, RESUMED], 1),
        ([TOOK, TOOK, LEFT], 1),
        ([LOADED, LOADED, EMPTIED], 1),
        ([OPENED, OPENED, SHUFFLED], 1),
        ([COMPLAINT, DECIDED], 1),
        ([TOOK, LEFT], 1),
    ],
)
def test_nothing_rests_on_what_was_told_again_or_on_an_end(events: list[Any], of: int) -> None:
    assert resting(*events, of=of) == ([], [])


def test_what_was_withdrawn_already_neither_falls_nor_stands_in_the_way() -> None:
    stop, go = (record_events(one, EVENING) for one in (STOPPED, RESUMED))
    withdraw(go)
    entry = BookEntry.objects.select_related("stream").get(pk=stop.entry_id)
    assert resting_on(entry) == ((), ())
