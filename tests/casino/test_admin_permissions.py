"""The matrix of permissions: forms sent past the page, decisions, duties, offices that ended.

Who may open which page is tried by test_every_address.py. `make test` sends the form of one kind,
drawn by the commit, of each set of who may create it, as every role; `make check` of every kind.
"""

from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from casino import clock
from casino.events.staff import DutyBegun, DutyEnded
from casino.models import BookEntry, Correction, Supersession
from casino.recording import Actor
from casino.recording.authority import writers_of
from tests.casino.admin_forms import filled, over_warnings, with_what_is_asked
from tests.casino.permission_matrix import address, matrix, rows
from tests.factories.events.every import FULL
from tests.factories.examples import example
from tests.factories.people import somebody, write
from tests.factories.records import EVENING, burnt, corrects, recorded
from tests.gate import drawn
from tests.stages import recorded_once

pytestmark = pytest.mark.django_db
AUTHOR = "S-0777"  # wrote what the roles look at; none of them


def creating(case: tuple[str, tuple[str, dict[str, Any]]]) -> tuple[Any, ...]:
    """A role, and who may create what he sends."""
    role, (_, row) = case
    return role, tuple(row["create"]), tuple(row.get("own_duty", ()))


CASES = [
    pytest.param(role, kind, row, id=f"{role}-{kind}")
    for role, (kind, row) in drawn(product(matrix()["roles"], rows()), 1, kind=creating)
    if kind != "signing-key-named/1"  # its form records /2: nobody records one any more
]


@recorded_once
def browsers() -> dict[str, Client]:
    """One of each role, who has been at nothing yet."""
    return {role: somebody(role, f"S-06{at:02d}") for at, role in enumerate(matrix()["roles"])}


@pytest.mark.parametrize(("role", "kind", "row"), CASES)
def test_a_form_sent_past_the_page_is_refused_too(
    role: str, kind: str, row: dict[str, Any], browsers: dict[str, Client]
) -> None:
    client = browsers[role]
    event = with_what_is_asked(example(kind))
    if role in row.get("own_duty", ()):
        number = f"S-06{matrix()['roles'].index(role):02d}"
        event = replace(event, staff=number, office=role)
    sent = filled(event)
    before = BookEntry.objects.filter(kind=kind).count()
    url = f"{address(kind, 'add')}?kind={kind.split('/', maxsplit=1)[0]}"
    creates = role in row["create"]
    if creates:
        assert over_warnings(client, url, sent).status_code == 302
    else:
        assert client.post(url, sent).status_code == 403
    assert BookEntry.objects.filter(kind=kind).count() == before + creates


@pytest.mark.parametrize("role", matrix()["roles"])
def test_who_decides_on_a_correction(role: str) -> None:
    original = recorded(burnt(2))
    from tests.factories.records import recorded as told_as

    told_as(burnt(1), supersedes=corrects(original))
    asked = Supersession.objects.get()
    client = somebody(role, "S-0600")
    url = reverse("admin:casino_supersession_change", args=[asked.pk])
    sent = {
        "key": "0193479e-1111-4c3e-9a54-0c6f2b1d7e10",
        "at": EVENING.isoformat(),
        "reason": "checked",
        "decision": "approved",
    }
    answer = client.post(url, sent)
    assert (answer.status_code == 302) is (role in matrix()["approve"])
    assert Correction.objects.exists() is (role in matrix()["approve"])


def test_an_office_that_has_ended_opens_nothing() -> None:
    from casino.events.staff import OfficeEnded

    client = somebody("fiscal_chefe", "S-0600")
    assert allowed(client, address("card-burned/1", "changelist"))
    ended = OfficeEnded(staff="S-0600", office="fiscal_chefe", ended_at=EVENING, ended_by="S-0003")
    write(ended, by=Actor("S-0003", "chefia_da_sala", "job"), at=EVENING)
    assert not allowed(client, address("card-burned/1", "changelist"))


@pytest.mark.parametrize("kind", sorted(FULL))
def test_the_writer_lets_those_write_whom_the_matrix_names(kind: str) -> None:
    """One place decides for the admin's forms, the tablets and whatever else writes."""
    every = [*matrix()["row"], *matrix()["written"]]
    (row,) = [row for row in every if kind in row["kinds"]]
    assert writers_of(kind) == {*row.get("create", ()), *row.get("otherwise", ())}


@pytest.mark.parametrize("role", matrix()["create_own"])
@pytest.mark.parametrize("kind", ["card-burned/1", "complaint-received/1", "seat-taken/1"])
def test_at_another_s_table_he_records_once_he_is_on_duty_there(role: str, kind: str) -> None:
    write(FULL["partida-opened/1"], by=Actor(AUTHOR, role, "job"), at=EVENING)
    client = somebody(role, "S-0600")
    sent = filled(example(kind))
    url = f"{address(kind, 'add')}?kind={kind.split('/', maxsplit=1)[0]}"
    refused = client.post(url, sent)
    assert refused.status_code == 200
    assert "Another answers for this game" in refused.content.decode()
    assert not BookEntry.objects.filter(kind=kind).exists()

    duty = DutyBegun(staff="S-0600", office=role, tables=("BJ-06",))
    write(duty, by=Actor("S-0600", role, "job"))
    assert over_warnings(client, url, sent).status_code == 302
    write(DutyEnded(staff="S-0600", office=role), by=Actor("S-0600", role, "job"), at=clock.now())
    refused = client.post(url, filled(example(kind)))
    assert "Another answers for this game" in refused.content.decode()


def test_his_superiors_record_at_any_table() -> None:
    write(FULL["partida-opened/1"], by=Actor(AUTHOR, "fiscal_de_banca", "job"), at=EVENING)
    client = somebody("fiscal_chefe", "S-0600")
    sent = filled(example("card-burned/1"))
    assert over_warnings(client, address("card-burned/1", "add"), sent).status_code == 302


def test_every_kind_that_is_typed_stands_in_the_matrix() -> None:
    from tests.factories.events.every import TYPED

    assert {kind for kind, row in rows() if row["create"]} == {
        *TYPED,
        "epoch-approved/1",
        "house-act-decided/1",
    }


def allowed(client: Client, url: str) -> bool:
    """Whether the page is shown."""
    status = client.get(url).status_code
    assert status in (200, 403), (url, status)
    return status == 200


def test_a_wrong_password_is_told_in_plain_words() -> None:
    sent = {"username": "S-0000", "password": "wrong"}
    page = Client().post(reverse("admin:login"), sent).content.decode()
    assert "O número ou a palavra-passe não está certo." in page


def test_everybody_is_led_to_his_personal_code() -> None:
    client = somebody("fiscal_chefe")
    address = reverse("admin:casino_witness_code")
    assert f'href="{address}"' in client.get(reverse("admin:index")).content.decode()
    assert client.get(address).status_code == 200


def test_who_cannot_confirm_an_act_is_offered_no_code_for_it() -> None:
    page = somebody("inspetor").get(reverse("admin:index")).content.decode()
    assert reverse("admin:casino_witness_code") not in page
    assert reverse("admin:casino_quick_code") not in page


def test_the_title_of_a_list_says_what_it_lists() -> None:
    page = somebody("inspetor").get("/admin/casino/shufflerload/").content.decode()
    assert "<title>Shuffler loadings ·" in page


def test_no_address_leads_to_a_page_of_a_model_of_its_own() -> None:
    assert somebody("fiscal_chefe").get(f"{reverse('admin:index')}r/1/1/").status_code == 404
