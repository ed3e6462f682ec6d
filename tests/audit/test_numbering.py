"""One number for one cause, without gaps: with the raise, whoever raises, whatever is cut short."""

from datetime import UTC, date, datetime
from typing import Any, Final
from uuid import UUID

import pytest
from django.db import transaction

from audit.case_events import case_code, parts_of_case
from audit.models import CaseNumber, Finding
from audit.runs import keys
from audit.runs.current_findings import raise_findings, raise_once, settle, supersede
from audit.runs.house_findings import by_key, house_finding
from audit.runs.numbering import number, number_the_rest
from casino import clock
from tests.audit.reconciling import reconcile
from tests.factories.evenings import an_evening
from tests.factories.findings import DAY, finding, key_of, write

pytestmark = pytest.mark.django_db
YEAR: Final = clock.now().year
WATCH: Final = keys.BOOK_WATCH


def numbers() -> list[str]:
    """The numbers given, in their order."""
    return sorted(CaseNumber.objects.values_list("case", flat=True))


def case_of(key: str) -> str:
    """The number of one finding."""
    return CaseNumber.objects.get(finding=key).case


def seen(job: str) -> Any:
    """What a watch sees: a job that was not done."""
    return house_finding("job_done", date(2026, 11, 20), {"job": job}, {"tries": 3})


def raised(*jobs: str) -> tuple[str, ...]:
    """Findings raised and numbered."""
    with transaction.atomic():
        found = raise_findings(WATCH, clock.now(), by_key([seen(job) for job in jobs]))
        number(WATCH, found)
    return found


def test_every_finding_of_a_run_has_a_number_in_the_order_of_the_book() -> None:
    an_evening(rounds=3, wrong=[1, 2])
    reconcile("first")
    listed = list(Finding.objects.order_by("n").values_list("key", flat=True))
    assert len(listed) >= 2
    assert [case_of(key) for key in listed] == [
        case_code(YEAR, one) for one in range(1, len(listed) + 1)
    ]
    reconcile("second")  # finds the same again, and numbers nothing
    assert CaseNumber.objects.count() == len(listed)


def test_a_game_judged_in_pieces_is_numbered_when_its_run_ends(settings: Any) -> None:
    settings.ROUNDS_IN_PART = 1
    an_evening(rounds=3, wrong=[1, 2])
    reconcile("first")
    assert CaseNumber.objects.count() == Finding.objects.count() >= 2


def test_what_is_cited_anew_keeps_the_number_of_what_it_takes_the_place_of() -> None:
    write([finding(1, run=str(WATCH))])
    number(WATCH, [key_of(1)])
    write([finding(2, run=str(WATCH))])
    row = Finding.objects.get(key=key_of(1))
    supersede(WATCH, [row], lambda _row: {"reason": "cited_anew", "successor": key_of(2)})
    number(WATCH, [key_of(2)])
    assert case_of(key_of(2)) == case_of(key_of(1)) == case_code(YEAR, 1)


def test_what_comes_back_under_its_key_keeps_its_own() -> None:
    (key,) = raised("a")
    assert settle(
        WATCH, clock.now(), {}, [Finding.objects.get(key=key)], lambda _row: {"reason": "cured"}
    ).superseded == (key,)
    assert raise_once(seen("a"), clock.now()) == 1
    assert Finding.objects.filter(key=key).count() == 2
    assert case_of(key) == case_code(YEAR, 1)


def broken() -> None:
    """A raise whose transaction ends in a failure."""
    with transaction.atomic():
        raised("b")
        raise RuntimeError


def test_what_was_rolled_back_leaves_no_gap() -> None:
    raised("a")
    with pytest.raises(RuntimeError):
        broken()
    raised("c")
    assert numbers() == [case_code(YEAR, 1), case_code(YEAR, 2)]


def test_the_year_is_that_of_the_house_s_day_on_which_it_was_raised(live_at: Any) -> None:
    # Half an hour into the new year: the gaming day that began before midnight is still on.
    live_at(datetime(YEAR + 1, 1, 1, 0, 30, tzinfo=UTC))
    raised("a")
    live_at(datetime(YEAR + 1, 1, 1, 20, 0, tzinfo=UTC))
    raised("b", "c")
    assert numbers() == [case_code(YEAR, 1), case_code(YEAR + 1, 1), case_code(YEAR + 1, 2)]


def test_an_older_book_is_numbered_once_in_its_order() -> None:
    write([finding(each) for each in (3, 1, 2)])
    write([finding(4)])
    row = Finding.objects.get(key=key_of(1))
    supersede(WATCH, [row], lambda _row: {"reason": "cited_anew", "successor": key_of(4)})
    for _ in range(2):
        number_the_rest(UUID(int=1))
    assert [case_of(key_of(each)) for each in (3, 1, 2, 4)] == [
        case_code(YEAR, each) for each in (1, 2, 3, 2)
    ]


def test_a_number_has_six_digits_until_there_are_more() -> None:
    for count, said in ((1, "CST-2026-000001"), (10**6, "CST-2026-1000000")):
        assert case_code(2026, count) == said
        assert parts_of_case(said) == (2026, count)


@pytest.mark.parametrize(("reason", "numbered"), [("asked", 0), ("nightly", 1)])
def test_the_nightly_run_numbers_what_has_no_number(reason: str, numbered: int) -> None:
    write([finding(1)])  # as an older program left it
    day = {"partida": "", "from_day": DAY, "to_day": DAY}
    reconcile("a run", reason=reason, **day)
    assert CaseNumber.objects.filter(finding=key_of(1)).count() == numbered
