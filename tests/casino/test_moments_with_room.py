"""A moment the book has no room for is refused on the page, before anybody reckons with it."""

from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from typing import Any

import pytest
from django.test import Client

from casino import clock
from casino.events import Malformed
from casino.events.complaints import ComplaintReceived
from casino.events.partidas import Attested, PartidaClosed
from casino.events.staff import OfficeGranted
from casino.models import BookEntry
from casino.previewing import Draft, preview, rightful_seats
from casino.recording.authority import writers_of
from casino.recording.preparing import AHEAD, check_moments
from tests.casino.admin_forms import filled
from tests.casino.permission_matrix import address, rows
from tests.factories.events.every import FULL
from tests.factories.people import somebody
from tests.factories.records import EVENING, MANAGER, PARTIDA, PIT, recorded
from tests.gate import drawn

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
THE_LAST = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
THE_FIRST = datetime(1, 1, 1, tzinfo=UTC)
SECOND = ("epoch-approved/1", "house-act-decided/1")
TYPED = sorted(kind for kind, row in rows() if row["create"] and kind not in SECOND)


def browser(kind: str) -> Client:
    order = ("fiscal_de_banca", "fiscal_chefe", "chefia_da_sala", "administrador", "inspetor")
    return somebody(next(one for one in order if one in writers_of(kind)))


def posted(client: Client, event: Any, **changed: str) -> Any:
    url = f"{address(event.kind, 'add')}?kind={event.kind.split('/', maxsplit=1)[0]}"
    return client.post(url, filled(event, **changed))


ENDS = ("9999-12-31T23:59:59", "0001-01-01T00:00:00")


@pytest.mark.parametrize(
    ("kind", "at"), drawn([(kind, at) for kind in TYPED for at in ENDS], 15, kind=itemgetter(1))
)
def test_no_form_falls_over_a_moment_at_the_end_of_time(kind: str, at: str) -> None:
    client = browser(kind)
    before = BookEntry.objects.filter(kind=kind).count()
    answer = posted(client, FULL[kind], occurred_at=at)
    assert answer.status_code == 200
    assert answer.context["form"].errors
    assert BookEntry.objects.filter(kind=kind).count() == before


MOMENTS = [
    pytest.param(kind, field.name, id=f"{kind}-{field.name}")
    for kind in TYPED
    for field in fields(FULL[kind])
    if isinstance(getattr(FULL[kind], field.name), datetime)
]


@pytest.mark.parametrize(("kind", "name"), MOMENTS)
@pytest.mark.parametrize("moment", [THE_LAST, THE_FIRST])
def test_a_fact_with_such_a_moment_inside_is_neither_judged_nor_stored(
    kind: str, name: str, moment: datetime
) -> None:
    try:
        event = replace(FULL[kind], **{name: moment})
    except Malformed:  # it contradicts another of its moments
        return
    by = replace(PIT, office=max(writers_of(kind) - {"sistema", "dispositivo"}))
    assert preview([Draft(event, EVENING, by)]) == [[]]
    with pytest.raises(Malformed, match="the book keeps the days"):
        recorded(event, by=by)


def test_a_moment_within_a_part_is_asked_too() -> None:
    said = Attested(article="55", staff="S-0021", at=THE_LAST)
    event = PartidaClosed(table="BJ-06", partida=PARTIDA, reason="end_of_day", attested=(said,))
    with pytest.raises(Malformed, match=r"9999") as refused:
        recorded(event)
    assert refused.value.path == "$.attested[0].at"
    round_ = FULL["round-played/1"]
    late = replace(round_, times=replace(round_.times, inserted=THE_LAST))
    with pytest.raises(Malformed) as refused:
        check_moments(late, EVENING)
    assert refused.value.path == "$.times.inserted"


def test_whose_turn_it_is_is_not_told_of_such_a_moment() -> None:
    cut = FULL["cut-made/1"]
    assert rightful_seats(cut, occurred_at=THE_LAST, by=PIT) is None


@pytest.mark.parametrize(
    ("until", "has_room"),
    [
        (datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC), True),
        (datetime(2200, 1, 1, tzinfo=UTC), False),
    ],
)
def test_an_office_may_last_as_long_as_the_book_has_room(until: datetime, has_room: bool) -> None:
    """Moments still to come may be recorded inside an event; only when it happened may not."""
    granted = OfficeGranted(
        staff="S-0021",
        office="fiscal_chefe",
        valid_from=EVENING,
        granted_by="S-0003",
        valid_until=until,
    )
    if has_room:
        recorded(granted, by=replace(MANAGER, door="local"))
    else:
        with pytest.raises(Malformed):
            recorded(granted, by=replace(MANAGER, door="local"))


def test_a_clock_may_run_a_minute_ahead_and_no_more() -> None:
    event = ComplaintReceived(complaint="RC-1", subject="other")
    now = clock.now()
    check_moments(event, now + AHEAD - timedelta(seconds=1))
    with pytest.raises(Malformed, match="still to come"):
        check_moments(event, clock.now() + AHEAD + timedelta(seconds=5))
    check_moments(event, now + timedelta(days=1), ahead=True)
