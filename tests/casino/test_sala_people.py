"""S13: a dealer changed, a table handed over, duty begun and ended: two taps each."""

from typing import Any

import pytest
from django.test import Client

from casino.events.floor_life import DealerTookTable, TableHandedOver
from casino.events.staff import DutyBegun, DutyEnded
from tests.casino.sala_forms import checks_warned, errors_on, form_on, over_it, send
from tests.factories.floor import MACHINE_TABLE, PIT, SHOE_TABLE, ago, game, house, opened
from tests.factories.people import CAST, appoint, somebody, write
from tests.factories.recorded import entries, events_of, the_event
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
DEALER, OVER = f"/sala/{SHOE_TABLE}/dealer/", f"/sala/{SHOE_TABLE}/hand-over/"
DUTY, TABLE = "/sala/duty/", f"/sala/{SHOE_TABLE}/"


@recorded_once
def pit() -> Client:
    house()
    for number in ("P-104", "P-118", "P-130"):
        appoint(number, "pagador")
    appoint("S-0190", "fiscal_de_banca")
    opened()
    return somebody("fiscal_de_banca")


@recorded_once
def head(pit: Client) -> Client:
    return somebody("fiscal_chefe")


def tiles(page: Any) -> list[str]:
    return [one.number for one in page.context["choices"]]


# A dealer


def test_one_tap_on_a_person_and_he_deals_and_stands_on_every_form(pit: Client) -> None:
    page = pit.get(DEALER)
    assert tiles(page) == ["P-118", "P-130"]
    answer = pit.post(DEALER, form_on(page) | {"tapped": "P-118"})
    assert (answer.status_code, answer["Location"].split("?")[0]) == (303, TABLE)
    value = the_event("dealer-took-table/1")
    assert (value.pagador, value.relieves) == ("P-118", "P-104")
    assert form_on(pit.get(f"/sala/{SHOE_TABLE}/cut/"))["shuffled_by"] == "P-118"
    assert form_on(pit.get(f"/sala/{SHOE_TABLE}/chips/"))["pagador"] == "P-118"


def test_the_table_leads_to_both_screens(pit: Client) -> None:
    page = pit.get(TABLE).content.decode()
    assert f'href="{DEALER}"' in page
    assert f'href="{OVER}"' in page
    assert f'href="{DUTY}"' in pit.get("/sala/").content.decode()


def test_who_deals_at_another_table_is_shown_so_and_comes_last(pit: Client) -> None:
    opened(MACHINE_TABLE)
    took = DealerTookTable(**game(MACHINE_TABLE), pagador="P-118", relieves="P-104")
    write(took, by=PIT, at=ago(20))
    choices = pit.get(DEALER).context["choices"]
    assert [(one.number, one.where) for one in choices] == [
        ("P-130", ""),
        ("P-118", f"deals at {MACHINE_TABLE}"),
    ]


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({}, "Say who comes."),
        ({"tapped": "P-104"}, "He is there already."),
        ({"person": "p 1"}, "p 1"),
    ],
)
def test_nobody_or_who_is_there_already_is_asked_again(
    pit: Client, sent: dict[str, str], words: str
) -> None:
    before = entries()
    answer = send(pit, DEALER, **sent)
    assert words in " ".join(errors_on(answer).values())
    assert entries() == before


def test_what_only_the_house_asks_for_is_not_called_outside_the_regulation(pit: Client) -> None:
    page = send(pit, DEALER, person="P-999").content.decode()
    assert "Outside the house&#x27;s rules" in page
    assert "Outside the regulation" not in page


def test_a_number_of_nobody_is_warned_of_and_recorded_over_it(pit: Client) -> None:
    answer = send(pit, DEALER, person=" p-999 ")
    assert checks_warned(answer) == ["people_are_registered"]
    assert "People at the tables" in answer.content.decode()
    assert events_of("dealer-took-table/1") == []
    assert over_it(pit, DEALER, answer).status_code == 303
    value = the_event("dealer-took-table/1")
    assert (value.pagador, value.despite[0].check) == ("P-999", "people_are_registered")


def test_the_fiscal_as_his_own_dealer_and_without_the_office_is_warned_of(pit: Client) -> None:
    warned = checks_warned(send(pit, DEALER, person="S-0187"))
    assert sorted(warned) == ["people_hold_their_office", "three_people_at_a_table"]


# The table


def test_a_table_is_handed_over_and_the_other_answers_for_it(pit: Client) -> None:
    page = pit.get(OVER)
    assert tiles(page) == ["S-0190"]
    assert pit.post(OVER, form_on(page) | {"tapped": "S-0190"}).status_code == 303
    value = the_event("table-handed-over/1")
    assert (value.fiscal_de_banca, value.relieves) == ("S-0190", CAST["fiscal_de_banca"])
    assert pit.get(OVER).status_code == 403  # no longer his
    assert pit.get(TABLE).status_code == 403
    other = somebody("fiscal_de_banca", "S-0190")
    assert tiles(other.get(OVER)) == [CAST["fiscal_de_banca"]]
    assert "S-0190" in other.get(f"/sala/{SHOE_TABLE}/close/").content.decode()


def test_whoever_handed_it_over_and_is_on_duty_there_still_may(pit: Client) -> None:
    write(TableHandedOver(**game(), fiscal_de_banca="S-0190"), by=PIT, at=ago(3))
    assert pit.get(OVER).status_code == 403
    begun = DutyBegun(staff=PIT.staff, office="fiscal_de_banca", tables=(SHOE_TABLE,))
    write(begun, by=PIT, at=ago(2))
    assert pit.get(OVER).status_code == 200


# Duty


def test_on_duty_at_one_table_with_one_tap_and_off_with_one(pit: Client) -> None:
    page = pit.get(DUTY)
    assert page.context["before"] == [SHOE_TABLE]  # his open game
    answer = pit.post(DUTY, form_on(page))
    assert (answer.status_code, answer["Location"].split("?")[0]) == (303, "/sala/")
    value = the_event("duty-begun/1")
    assert (value.staff, value.office, value.tables) == (
        CAST["fiscal_de_banca"],
        "fiscal_de_banca",
        (SHOE_TABLE,),
    )
    page = pit.get(DUTY)
    assert page.context["since"] is not None
    assert pit.post(DUTY, form_on(page) | {"do": "end"}).status_code == 303
    assert the_event("duty-ended/1") == DutyEnded(staff=value.staff, office="fiscal_de_banca")


def test_another_table_is_one_tap_and_several_are_ticked(pit: Client) -> None:
    assert send(pit, DUTY, one=MACHINE_TABLE).status_code == 303
    assert the_event("duty-begun/1").tables == (MACHINE_TABLE,)
    both = {"do": "begin", "tables": [SHOE_TABLE, MACHINE_TABLE]}
    assert send(pit, DUTY, **both).status_code == 303
    assert events_of("duty-begun/1")[-1].tables == (SHOE_TABLE, MACHINE_TABLE)
    assert "tables" in errors_on(send(pit, DUTY, do="begin", tables=[]))


def test_a_fiscal_chefe_is_on_duty_in_the_whole_room_and_tells_of_others(head: Client) -> None:
    assert send(head, DUTY).status_code == 303
    assert the_event("duty-begun/1").tables == ()
    dealer = {"do": "begin", "staff": "p-118", "office": "pagador", "tables": [SHOE_TABLE]}
    assert send(head, DUTY, **dealer).status_code == 303
    assert events_of("duty-begun/1")[-1] == DutyBegun(
        staff="P-118", office="pagador", tables=(SHOE_TABLE,)
    )
    assert "office" in errors_on(send(head, DUTY, do="begin", staff="P-118"))


def test_of_a_fiscal_de_banca_the_words_and_the_refusal_both_ask_for_a_table(head: Client) -> None:
    words = head.get(DUTY).content.decode()
    assert "of a fiscal de banca at least one; of another office, none ticked is the whole" in words
    values = {"do": "begin", "staff": PIT.staff, "office": "fiscal_de_banca", "tables": []}
    answer = send(head, DUTY, **values)
    said = "Say at which tables: a fiscal de banca is not on duty in the whole room."
    assert errors_on(answer) == {"tables": said}
    page = answer.content.decode()
    assert page.count('id="id_tables"') == 1  # where the refusal leads
    assert page.count(said) == 2
    other = {"do": "begin", "staff": "P-118", "office": "pagador", "tables": []}
    assert send(head, DUTY, **other).status_code == 303


@pytest.mark.parametrize(
    ("staff", "check"),
    [("S-9999", "people_are_registered"), ("P-118", "people_hold_their_office")],
)
def test_duty_of_nobody_or_in_anothers_office_is_warned_of(
    head: Client, staff: str, check: str
) -> None:
    sent = {"do": "begin", "staff": staff, "office": "fiscal_chefe"}
    assert checks_warned(send(head, DUTY, **sent)) == [check]
