"""Two supervisors at one table: whoever comes second is told what the first recorded."""

from typing import Any

import pytest
from django.test import Client

from casino.events.complaints import ComplaintReceived
from casino.events.staff import DutyBegun
from casino.recording import Actor
from tests.casino.sala_forms import form_on, over_it
from tests.factories.floor import (
    PIT,
    SHOE_TABLE,
    game,
    house,
    opened,
    was_cut,
)
from tests.factories.people import CAST, somebody, write
from tests.factories.recorded import entries, events_of
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
CUT = f"/sala/{SHOE_TABLE}/cut/"
SEATED = f"{CUT}?seats=1+2+5"


@recorded_once
def pit() -> Client:
    """The fiscal de banca, at his open table."""
    house()
    opened()
    return somebody("fiscal_de_banca")


def cut_form(client: Client, address: str = SEATED) -> dict[str, Any]:
    """The screen's form as it stands: shuffle, and cut by the seat whose turn it is."""
    return form_on(client.get(address))


def write_all_but_cut() -> None:
    """The evening goes on elsewhere at the table."""
    received = ComplaintReceived(**game(), complaint="RC-9", subject="other")
    write(received, by=PIT)


def colleague() -> Client:
    """A second fiscal de banca, on duty at the same table."""
    client = somebody("fiscal_de_banca", "S-0190")
    begun = DutyBegun(staff="S-0190", office="fiscal_de_banca", tables=(SHOE_TABLE,))
    write(begun, by=Actor(CAST["chefia_da_sala"], "chefia_da_sala", "admin"))
    return client


def test_whoever_comes_second_is_told_what_was_recorded_and_records_nothing(pit: Client) -> None:
    other = colleague()
    mine, his = cut_form(pit), cut_form(other)
    assert other.post(CUT, his).status_code == 303
    before = entries()
    answer = pit.post(CUT, mine)
    assert answer.status_code == 200
    assert entries() == before
    listed = [(one.what, one.who) for one in answer.context["meanwhile"]]
    assert [who for _, who in listed] == ["S-0190", "S-0190"]
    assert "Meanwhile somebody else recorded this here." in answer.content.decode()
    fresh = form_on(answer)
    assert fresh["key"] != mine["key"]
    assert fresh["seen"] != mine["seen"]


def test_he_may_record_it_after_having_seen_that(pit: Client) -> None:
    other = colleague()
    mine = cut_form(pit)
    other.post(CUT, cut_form(other))
    fresh = form_on(pit.post(CUT, mine))
    answer = pit.post(CUT, fresh)
    if answer.status_code == 200:  # a second cut of one shoe may be warned of
        answer = over_it(pit, CUT, answer)
    assert answer.status_code == 303
    assert len(events_of("cut-made/1")) == 2


def test_what_is_of_another_kind_disturbs_nobody(pit: Client) -> None:
    form = cut_form(pit)
    write_all_but_cut()
    assert pit.post(CUT, form).status_code == 303


def test_an_act_of_another_shoe_counts_as_the_same_kind_and_is_shown(pit: Client) -> None:
    form = cut_form(pit)
    was_cut(1, (1, 2), 1)
    assert len(pit.post(CUT, form).context["meanwhile"]) == 1
