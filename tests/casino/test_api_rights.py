"""Every noun of the API as every role: who reads and who records what was typed beforehand.

A body that says nothing is refused as malformed to whoever may record, so nothing need be lawful.
"""

from typing import Any, Final
from uuid import uuid4

import pytest
from django.test import Client

from audit.case_events import CaseEvent
from casino.api.api_nouns import NOT_OFFERED, NOUNS
from casino.api.api_resources import resources
from casino.events.kinds import KINDS
from casino.extensions import event_kinds
from casino.models import Account, BookEntry
from jackpot.events import KINDS as OF_POOLS
from tests.casino.addresses import (
    ANONYMOUS,
    NO_OFFICE,
    PIT,
    House,
    matrix,
    number_of,
    roles,
)
from tests.gate import drawn
from tests.stages import recorded_once

pytestmark = pytest.mark.share


@recorded_once
def house() -> House:
    return House()


NOUNS_TYPED: Final[dict[str, str]] = matrix()["nouns"]
ROWS: Final = {kind: row for row in matrix()["row"] for kind in row["kinds"]}
SHELVES: Final = {
    kind: row
    for kind, name in (
        ("witnessed/1", "casino_attestation"),
        ("corrected/1", "casino_correction"),
    )
    for row in matrix()["shelf"]
    if name in row["names"]
}
API: Final = "/api/v1"


def rights(noun: str) -> tuple[set[str], set[str]]:
    """Who records and who reads records of this noun."""
    kind = NOUNS_TYPED[noun]
    if kind == "withdrawal-asked/1":
        return {"fiscal_de_banca", "fiscal_chefe", "chefia_da_sala"}, set()
    if kind not in ROWS:
        return set(), {*SHELVES[kind]["reads"], *SHELVES[kind]["reads_own"]}
    row = ROWS[kind]
    records = set() if noun in matrix()["only_read"] else {*row["create"]}
    return records, {*row["read"], *row["read_own"]}


def test_every_kind_is_offered_or_it_is_said_why_not() -> None:
    assert set(NOUNS) | set(NOT_OFFERED) == set(KINDS)
    assert not set(NOUNS) & set(NOT_OFFERED)
    offered = {one.kind for one in resources()}
    assert set(OF_POOLS) <= offered
    of_cases = {kind for kind, event in event_kinds().items() if issubclass(event, CaseEvent)}
    assert of_cases <= offered
    assert {one.noun: one.kind for one in resources()} == NOUNS_TYPED
    assert [one.noun for one in resources() if not one.posts] == matrix()["only_read"]


def of_rights(noun: str) -> str:
    return repr([sorted(of) for of in rights(noun)])


@pytest.mark.parametrize("noun", drawn(sorted(NOUNS_TYPED), 2, kind=of_rights))
def test_a_noun_opens_to_whom_the_matrix_says(noun: str, house: House) -> None:
    records, reads = rights(noun)
    before = BookEntry.objects.count()
    for role in roles():
        client: Client = house.clients[role]
        closed = 401 if role == ANONYMOUS else 403
        listed = client.get(f"{API}/{noun}")
        sent = client.post(
            f"{API}/{noun}",
            "{}",
            content_type="application/json",
            headers={"Idempotency-Key": str(uuid4())},
        )
        if not reads:
            assert listed.status_code == (401 if role == ANONYMOUS else 405), role
        else:
            assert listed.status_code == (200 if role in reads else closed), (role, listed.content)
        if noun in matrix()["only_read"]:
            assert sent.status_code == (401 if role == ANONYMOUS else 405), role
            continue
        assert sent.status_code == (400 if role in records else closed), (role, sent.content)
        asked = client.post(f"{API}/{noun}/preview", "{}", content_type="application/json")
        assert asked.status_code == sent.status_code, (role, asked.content)
    assert BookEntry.objects.count() == before


@pytest.mark.parametrize("mine", [True, False])
def test_one_record_opens_as_its_page_does(mine: bool, house: House) -> None:
    entry = house.entry("card-burned/1", mine)
    assert entry is not None
    row: dict[str, Any] = ROWS["card-burned/1"]
    for role in roles():
        answer = house.clients[role].get(f"{API}/card-burns/{entry.pk}")
        opens = role in row["read"] or (mine and role in row["read_own"])
        assert answer.status_code == (200 if opens else 401 if role == ANONYMOUS else 403), role
        if opens:
            assert answer.json()["entry"] == str(entry.pk)
            assert house.clients[role].get(f"{API}/cuts/{entry.pk}").status_code in (403, 404)


def test_whoever_may_record_does_so_at_his_own_table_alone(house: House) -> None:
    client = house.clients[PIT]
    body = {
        "occurred_at": "2026-11-20T21:00:00Z",
        "event": {"table": "BJ-07", "partida": "BJ-07/2026-11-20/1", "shoe": 1, "cards": 1},
    }
    key = str(uuid4())
    answer = client.post(
        f"{API}/card-burns", body, content_type="application/json", headers={"Idempotency-Key": key}
    )
    assert answer.status_code == 403
    assert answer.json()["type"].endswith("not-at-this-table")
    assert not BookEntry.objects.filter(key=key).exists()


def test_a_form_of_another_site_records_nothing(house: House) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(Account.objects.get(staff=number_of(PIT)))
    answer = client.post(f"{API}/card-burns", "{}", content_type="application/json")
    assert (answer.status_code, answer["Content-Type"]) == (403, "application/problem+json")


def test_nothing_is_changed_or_deleted(house: House) -> None:
    entry = house.entry("card-burned/1", mine=True)
    assert entry is not None
    for role in (PIT, "administrador", NO_OFFICE):
        client = house.clients[role]
        for how in ("put", "patch", "delete"):
            for place in ("card-burns", f"card-burns/{entry.pk}", "rounds/batch"):
                answer = getattr(client, how)(f"{API}/{place}", "{}", "application/json")
                assert answer.status_code == 405
                assert answer["Content-Type"] == "application/problem+json"
