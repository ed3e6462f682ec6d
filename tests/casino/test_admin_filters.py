"""Every list of the floor is narrowed by what an inspector asks for, and by nothing else."""

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from casino.admin.record_admin import RecordAdmin
from casino.events.kinds import KINDS as FLOOR
from casino.web.display.list_filters import ChoiceFilter, FormFilter
from tests.casino.admin_projections import by_anybody, projections
from tests.factories.events.every import FULL
from tests.factories.examples import example
from tests.factories.people import somebody, write
from tests.factories.records import EVENING
from tests.gate import drawn

pytestmark = [pytest.mark.django_db, pytest.mark.share]
REFERRING = {
    "erased/1",
    "corrected/1",
    "withdrawal-asked/1",
    "witnessed/1",
}  # of another entry, lists of their own
KINDS = sorted(set(FLOOR) & set(FULL) - REFERRING)


def projection_of(kind: str) -> RecordAdmin | None:
    return next((one for one in projections() if kind in {event.kind for event in one.kinds}), None)


def counted(client: Client, one: RecordAdmin, **asked: str) -> int:
    """How many a list shows."""
    url = reverse(f"admin:{one.opts.app_label}_{one.opts.model_name}_changelist")
    answer = client.get(url, asked)
    assert answer.status_code == 200, (url, asked)
    return len(answer.context["cl"].result_list)


def values_of(one: RecordAdmin, row: Any) -> dict[str, str]:
    """What finds this row, by each filter that has one field and no fixed words."""
    found = {}
    for each in one.list_filter:
        assert isinstance(each, type)
        assert issubclass(each, FormFilter)
        if not issubclass(each, ChoiceFilter) and len(each.parameters) == 1 and each.field:
            found[each.parameters[0]] = str(getattr(row, each.field) or "")
    return found


@pytest.mark.parametrize("kind", drawn(KINDS, 14))
def test_what_a_record_says_finds_it_and_anything_else_does_not(kind: str) -> None:
    one = projection_of(kind)
    assert one is not None, f"{kind} has no list"
    receipt = write(example(kind, "S-0600"), by=by_anybody(kind), at=EVENING)
    row = one.model._default_manager.get(pk=receipt.entry_id)
    client = somebody("inspetor")
    day = row.gaming_day.isoformat()
    assert counted(client, one, **{"from": day, "to": day}) == 1
    assert counted(client, one, to="2001-01-01") == 0
    assert counted(client, one, **{"from": "not a day"}) == 0
    values = values_of(one, row)
    assert "staff" in values
    for name, value in values.items():
        if value:
            assert counted(client, one, **{name: value}) == 1, (name, value)
        assert counted(client, one, **{name: "NONE-99"}) == 0, name
    if row.table_code and kind not in ("table-registered/1", "limits-set/1"):
        assert values["table"] == row.table_code


def test_a_record_of_a_table_can_be_asked_for_by_table_and_game() -> None:
    for kind in KINDS:
        one, event = projection_of(kind), FULL[kind]
        assert one is not None
        if event.stream.startswith("table/") and getattr(event, "partida", None):
            names = {name for each in one.list_filter for name in each.parameters}  # type: ignore[union-attr]
            assert {"from", "to", "table", "staff"} <= names, kind


def test_incidents_are_asked_for_by_category_and_whether_they_are_settled() -> None:
    reported = FULL["incident-reported/1"]
    by = by_anybody("incident-closed/1")
    for number, category in (("I-1", "jam"), ("I-2", "damaged_card"), ("I-3", "jam")):
        write(replace(reported, incident=number, category=category), by=by, at=EVENING)
    write(replace(FULL["incident-closed/1"], incident="I-3"), by=by, at=EVENING)
    one, client = projection_of("incident-reported/1"), somebody("fiscal_chefe")
    assert one is not None
    assert counted(client, one, category="jam") == 2
    assert counted(client, one, settled="no") == 2
    assert counted(client, one, settled="yes") == 1
    assert counted(client, one, settled="no", category="jam") == 1
    assert counted(client, one, category="nonsense") == 0


def test_complaints_are_asked_for_by_whether_they_are_decided() -> None:
    received, decided = FULL["complaint-received/1"], FULL["complaint-decided/1"]
    by = by_anybody(received.kind)
    for number in ("R-1", "R-2"):
        write(replace(received, complaint=number), by=by, at=EVENING)
    write(replace(decided, complaint="R-2"), by=by_anybody(decided.kind), at=EVENING)
    one, client = projection_of(received.kind), somebody("fiscal_chefe")
    assert one is not None
    assert counted(client, one, decided="no") == 1
    assert counted(client, one, decided="yes") == 1
    assert counted(client, one) == 2


def test_a_kind_is_found_in_every_version_of_it() -> None:
    kinds = {"finding-raised/1", "finding-raised/2"}
    for kind in kinds:
        write(FULL[kind], by=by_anybody(kind), at=EVENING)
    address = reverse("admin:casino_bookentry_changelist")
    page = somebody("inspetor").get(address, {"kind": "finding-raised/1"})
    assert {row.kind for row in page.context["cl"].result_list} == kinds


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"from": "2025-11-21", "to": "2025-11-20"}, "The first day comes after the last."),
        ({"from": "today"}, "Say from which gaming day to which."),
        ({"from": "2025-11-20", "to": "2025-11-20"}, ""),
    ],
)
def test_days_that_are_none_are_refused_in_words(asked: dict[str, str], said: str) -> None:
    answer = somebody("inspetor").get(reverse("admin:casino_partida_changelist"), asked)
    assert ('role="alert"' in answer.text) == bool(said)
    assert said in answer.text
