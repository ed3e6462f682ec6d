"""S8: an incident in three taps, its course step by step, an exchange, the notice, its end."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from casino import clock
from casino.events.incidents import Category
from casino.events.inspection import LeaveAsked, LeaveDecided
from casino.house_day import house_zone
from casino.models import BookEntry, Incident
from casino.recording import Actor
from casino.web.words.incident_words import CATEGORIES, REASONS
from tests.casino.sala_forms import address, checks_warned, errors_on, fill, form_on, over_it, send
from tests.factories.people import somebody, write
from tests.factories.recorded import entries, events_of, the_event
from tests.factories.rounds import a_round, box, main
from tests.factories.tables import CHEFE, PIT, TABLE, a_load, a_table, chefe_on_duty
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]


@recorded_once
def pit() -> Client:
    chefe_on_duty()
    return somebody("fiscal_de_banca")


def report(client: Client, category: str, reason: str, **values: Any) -> str:
    """Tell of an incident; its number."""
    answer = send(client, f"{address('incident')}?category={category}", reason=reason, **values)
    assert answer.status_code == 303, errors_on(answer)
    last = Incident.objects.order_by("-pk").first()
    assert last is not None
    return last.incident


def steps(number: str) -> str:
    return address("incident_steps", TABLE, number)


def test_every_category_has_reasons_and_a_tile_is_one_of_the_facts() -> None:
    assert set(CATEGORIES) == set(REASONS)
    assert set(CATEGORIES) | {"lid_opened"} == set(Category.__args__)  # type: ignore[attr-defined]


def test_a_jam_is_told_with_its_moment_and_the_machine(pit: Client) -> None:
    a_load(a_table())
    number = report(pit, "jam", "carta_presa")
    jam = the_event("incident-reported/1")
    assert (jam.incident, jam.category, jam.reason) == (number, "jam", "carta_presa")
    assert jam.shuffler == "CSM-04"
    assert jam.noticed_at is not None
    assert clock.now() - jam.noticed_at < timedelta(minutes=1)
    entry = BookEntry.objects.get(kind="incident-reported/1")
    assert entry.occurred_at == jam.noticed_at


def test_five_minutes_ago_is_what_happened(pit: Client) -> None:
    a_table()
    report(pit, "warning_light", "tampa", when="ago5")
    noticed = the_event("incident-reported/1").noticed_at
    assert timedelta(minutes=5) <= clock.now() - noticed < timedelta(minutes=6)


@pytest.mark.parametrize("category", ["jam", "conduct"])
def test_a_watch_that_is_fast_tells_of_no_evening_before(pit: Client, category: str) -> None:
    """Three minutes ahead of the server is no jam of yesterday: the clock's time is said."""
    a_load(a_table())
    url = f"{address('incident')}?category={category}"
    soon = clock.now().astimezone(house_zone()) + timedelta(minutes=3)
    answer = send(
        pit, url, reason=next(iter(REASONS[category])), when="other", clock=f"{soon:%H:%M}"
    )
    assert "clock" in errors_on(answer)
    assert "is still to come" in answer.content.decode()
    assert events_of("incident-reported/1") == []
    lately = clock.now().astimezone(house_zone()) - timedelta(minutes=3)
    assert report(
        pit, category, next(iter(REASONS[category])), when="other", clock=f"{lately:%H:%M}"
    )


def test_article_51_nothing_is_solved_before_it_was_noticed(pit: Client) -> None:
    a_load(a_table())
    number = report(pit, "jam", "carta_presa")
    answer = send(pit, steps(number), step="resolved", by=CHEFE, when="ago5")
    assert "it was noticed at" in answer.content.decode()
    assert events_of("incident-step/1") == []
    assert send(pit, steps(number), step="resolved", by=CHEFE).status_code == 303


def test_another_time_asks_for_it(pit: Client) -> None:
    a_table()
    url = f"{address('incident')}?category=conduct"
    answer = send(pit, url, reason="ameaca", when="other")
    assert "clock" in errors_on(answer)
    answer = send(pit, url, reason="ameaca", when="other", clock="99:99")
    assert "clock" in errors_on(answer)
    assert events_of("incident-reported/1") == []


def test_a_table_with_a_shoe_has_no_jam_to_tell_of(pit: Client) -> None:
    a_table("shoe")
    page = pit.get(address("incident")).content.decode()
    assert "?category=damaged_card" in page
    assert "?category=jam" not in page


@pytest.mark.parametrize("reason", ["", "carta_a_mais", "x"])
def test_a_reason_of_another_category_is_refused(pit: Client, reason: str) -> None:
    a_table()
    before = entries()
    answer = send(pit, f"{address('incident')}?category=jam", reason=reason)
    assert "reason" in errors_on(answer)
    assert entries() == before


def test_a_note_is_kept_apart_and_comes_out_escaped(pit: Client) -> None:
    a_table()
    url = f"{address('incident')}?category=conduct"
    note = '<i x-init="alert(1)">João</i>'
    answer = send(pit, url, reason="", text=note)
    page = answer.content.decode()
    assert note not in page
    assert "&lt;i x-init=&quot;alert(1)&quot;&gt;João&lt;/i&gt;" in page
    report(pit, "conduct", "ameaca", text=note)
    entry = BookEntry.objects.get(kind="incident-reported/1")
    assert "João".encode() not in bytes(entry.entry)


def test_numbers_run_on_and_a_double_tap_takes_one(pit: Client) -> None:
    a_table()
    url = f"{address('incident')}?category=cash"
    sent = fill(pit, url, reason="outro")
    first, second = pit.post(url, sent), pit.post(url, sent)
    assert first["Location"].split("?")[0] == second["Location"].split("?")[0]
    number = report(pit, "other", "outro")
    assert [one.incident for one in events_of("incident-reported/1")] == [
        f"{number[:-1]}1",
        f"{number[:-1]}2",
    ]


# The course of a jam


def test_a_jam_is_put_right_step_by_step(pit: Client) -> None:
    a_load(a_table())
    number = report(pit, "jam", "carta_presa")
    for step in ("called", "arrived", "lid_opened", "lid_closed_emptied", "resolved"):
        answer = send(pit, steps(number), step=step)
        assert answer.status_code == 303, (step, checks_warned(answer))
    listed = [(one.step, one.by, one.emptied) for one in events_of("incident-step/1")]
    assert listed == [
        ("called", PIT.staff, None),
        ("arrived", CHEFE, None),
        ("lid_closed", CHEFE, True),
        ("resolved", CHEFE, None),
    ]
    lid = the_event("shuffler-opened/1")
    assert (lid.opened_by, lid.opened_by_office, lid.reason) == (CHEFE, "fiscal_chefe", "jam")
    assert lid.incident == number
    page = pit.get(steps(number)).content.decode()
    assert 'value="called"' not in page  # told already: a moment stands there
    assert "Load the shuffler again" in page
    assert 'value="technician_called"' not in page  # solved: nobody else is asked
    assert address("incident_close", TABLE, number) in page


def test_article_51_a_call_nobody_recorded_is_told_after_the_machine_was_put_right(
    pit: Client,
) -> None:
    a_load(a_table())
    number = report(pit, "jam", "carta_presa", when="ago5")
    assert send(pit, steps(number), step="resolved", by=CHEFE).status_code == 303
    page = pit.get(steps(number)).content.decode()
    assert [step in page for step in ('value="called"', 'value="arrived"')] == [True, True]
    assert 'value="lid_opened"' not in page  # what is solved asks for no more
    assert send(pit, steps(number), step="called", by=CHEFE, when="ago5").status_code == 303
    assert [one.step for one in events_of("incident-step/1")] == ["resolved", "called"]


@pytest.mark.parametrize(
    ("step", "check"),
    [
        ("lid_opened", "lid_opened_by_fiscal_chefe"),
        ("resolved", "shuffler_trouble_solved_by_fiscal_chefe"),
    ],
)
def test_a_lid_lifted_by_the_fiscal_de_banca_is_warned_of(
    pit: Client, step: str, check: str
) -> None:
    a_load(a_table())
    number = report(pit, "jam", "carta_presa")
    answer = send(pit, steps(number), step=step, by=PIT.staff)
    assert checks_warned(answer) == [check]
    assert "n.º 51" in answer.content.decode()
    assert over_it(pit, steps(number), answer, "emergency").status_code == 303
    kind = "shuffler-opened/1" if step == "lid_opened" else "incident-step/1"
    assert [one.reason for one in the_event(kind).despite] == ["emergency"]


def test_who_was_called_late_is_warned_of_at_the_boundary(pit: Client) -> None:
    a_load(a_table())
    number = report(pit, "jam", "carta_presa", when="ago5")  # five minutes are allowed
    answer = send(pit, steps(number), step="called")
    assert checks_warned(answer) == ["fiscal_chefe_called_at_once"]
    in_time = report(pit, "jam", "outro")
    assert send(pit, steps(in_time), step="called").status_code == 303


def test_a_step_that_is_none_is_refused(pit: Client) -> None:
    a_load(a_table())
    number = report(pit, "jam", "carta_presa")
    assert "step" in errors_on(send(pit, steps(number), step="danced"))
    assert "step" in errors_on(send(pit, steps(number)))
    assert events_of("incident-step/1") == []


def test_an_incident_of_another_table_is_not_found_here(pit: Client) -> None:
    a_table()
    number = report(pit, "cash", "outro")
    a_table("shoe", table="BJ-07")
    assert pit.get(address("incident_steps", "BJ-07", number)).status_code == 404
    assert pit.get(steps("IN-1999-0001")).status_code == 404


# A damaged card


def test_a_card_is_exchanged_at_a_shuffler_by_the_fiscal_chefe(pit: Client) -> None:
    a_load(a_table())
    number = report(pit, "damaged_card", "canto_dobrado", deck="D-3")
    url = address("incident_exchange", TABLE, number)
    answer = send(pit, url, what="card", card="8s", from_deck="D-400", shown="yes")
    assert answer.status_code == 303, checks_warned(answer)
    card = the_event("card-replaced/1")
    assert (card.deck, card.card, card.from_deck, card.shown) == ("D-3", "8S", "D-400", True)
    assert (card.replaced_by, card.replaced_by_office) == (CHEFE, "fiscal_chefe")
    assert (card.incident, card.shuffler) == (number, "CSM-04")


def test_a_single_card_elsewhere_needs_leave(pit: Client) -> None:
    a_table("shoe")
    number = report(pit, "damaged_card", "rasgada", deck="D-3")
    url = address("incident_exchange", TABLE, number)
    answer = send(pit, url, what="card", card="8S")
    assert checks_warned(answer) == ["single_card_replaced_with_leave"]
    assert "n.º 5" in answer.content.decode()
    assert over_it(pit, url, answer).status_code == 303
    made_up = send(pit, url, what="card", card="8S", authorisation="SRIJ 15/2026")
    assert checks_warned(made_up) == ["leave_is_on_record"]
    before = clock.now() - timedelta(minutes=1)
    asked = LeaveAsked(leave="AU-1", deck="D-3", cards=("8S",), grounds="No other deck")
    granted = LeaveDecided(leave="AU-1", decision="granted", document="SRIJ 15/2026")
    write(asked, by=Actor("S-0200", "fiscal_chefe", "sala"), at=before)
    write(granted, by=Actor("S-0900", "inspetor", "admin"), at=before)
    leave = send(pit, url, what="card", card="8S", authorisation="SRIJ 15/2026")
    assert leave.status_code == 303


def test_the_whole_deck_leaves_the_game(pit: Client) -> None:
    a_table("shoe")
    number = report(pit, "damaged_card", "rasgada", deck="D-3")
    url = address("incident_exchange", TABLE, number)
    assert send(pit, url, what="deck", held_apart="yes").status_code == 303
    gone = the_event("deck-withdrawn/1")
    assert (gone.deck, gone.reason, gone.incident, gone.held_apart) == (
        "D-3",
        "damaged",
        number,
        True,
    )


@pytest.mark.parametrize(
    ("recorded", "field"),
    [
        ({"what": "card"}, "card"),
        ({"what": "card", "card": "1S"}, "card"),
        ({"what": ""}, "what"),
        ({"what": "deck", "deck": ""}, "deck"),
    ],
)
def test_an_exchange_of_nothing_is_refused(
    pit: Client, recorded: dict[str, str], field: str
) -> None:
    a_table()
    number = report(pit, "damaged_card", "rasgada", deck="D-3")
    answer = send(pit, address("incident_exchange", TABLE, number), **recorded)
    assert field in errors_on(answer)
    assert events_of("card-replaced/1") == events_of("deck-withdrawn/1") == []


def test_the_inspection_service_is_a_task_until_a_notice_names_the_incident(pit: Client) -> None:
    a_load(a_table())
    number = report(pit, "damaged_card", "rasgada", deck="D-3")
    task = "Tell the inspection service"
    url = address("notice", TABLE, number)
    assert task in pit.get(steps(number)).content.decode()
    assert url not in pit.get(steps(number)).content.decode()
    assert url in somebody("fiscal_chefe").get(steps(number)).content.decode()
    assert pit.get(url).status_code == 403  # the management tells it
    manager = somebody("chefia_da_sala")
    answer = send(manager, url, means="email", reference="E-mail 44/2026")
    assert answer.status_code == 303, errors_on(answer)
    notice = the_event("notice-sent/1")
    assert (notice.to, notice.about, notice.incident) == (
        "inspection_service",
        "damaged_card",
        number,
    )
    assert (notice.sent_by, notice.sent_by_office) == ("S-0003", "chefia_da_sala")
    assert task not in pit.get(steps(number)).content.decode()


def test_a_notice_by_another_than_the_management_is_warned_of(pit: Client) -> None:
    a_load(a_table())
    number = report(pit, "damaged_card", "rasgada", deck="D-3")
    head = somebody("fiscal_chefe")
    answer = send(head, address("notice", TABLE, number), means="email", reference="x")
    assert checks_warned(answer) == ["damaged_card_communicated"]


# Its end


def test_an_incident_is_closed_with_a_reason(pit: Client) -> None:
    a_table()
    number = report(pit, "cash", "ficha_suspeita")
    url = address("incident_close", TABLE, number)
    assert "reason" in errors_on(send(pit, url))
    assert send(pit, url, reason="entregue_a_chefia").status_code == 303
    over = the_event("incident-closed/1")
    assert (over.incident, over.outcome, over.reason) == (number, "settled", "entregue_a_chefia")
    assert "Handed to the chefia da sala" in pit.get(steps(number)).content.decode()


def test_closing_a_jam_that_nobody_solved_is_warned_of(pit: Client) -> None:
    a_load(a_table())
    number = report(pit, "jam", "carta_presa")
    url = address("incident_close", TABLE, number)
    warning = "Neither solved nor left to a technician"
    assert warning in pit.get(url).content.decode()
    assert send(pit, steps(number), step="called").status_code == 303
    assert send(pit, steps(number), step="technician_called").status_code == 303
    assert warning not in pit.get(url).content.decode()
    assert send(pit, url, reason="maquina_substituida").status_code == 303


def test_closing_a_damage_the_inspection_service_was_not_told_of_is_warned_of(pit: Client) -> None:
    a_load(a_table())
    number = report(pit, "damaged_card", "rasgada", deck="D-3")
    url = address("incident_close", TABLE, number)
    answer = send(pit, url, reason="carta_substituida")
    assert checks_warned(answer) == ["damaged_card_communicated"]
    text = address("notice", TABLE, number)
    assert send(somebody("chefia_da_sala"), text, means="email", reference="x").status_code == 303
    assert send(pit, url, reason="carta_substituida").status_code == 303


@pytest.mark.parametrize("category", ["payment_error", "dealing_error", "jam"])
def test_article_61_what_is_about_a_round_may_name_one_of_the_last_three(
    pit: Client, category: str
) -> None:
    """None is chosen for anybody, and without it the three taps stay three."""
    partida = a_table()
    rounds = [a_late_round(partida, number) for number in (1, 2, 3, 4)]
    url = f"{address('incident')}?category={category}"
    page = pit.get(url)
    offered = [] if category == "jam" else list(reversed(rounds[1:]))
    assert [one.round for one in page.context["rounds"]] == offered
    assert "round" not in form_on(page)
    if offered:
        reason = next(iter(REASONS[category]))
        assert send(pit, url, reason=reason, round=offered[1]).status_code == 303
        assert the_event("incident-reported/1").round == offered[1]


def a_late_round(partida: str, number: int) -> str:
    """A round of the last minutes; its name."""
    at = clock.now() - timedelta(minutes=10 - number)
    name = str(uuid4())
    played = a_round(box(1, "TS 8D", main(1000, 2000)), shoe=1, number=number, bank="TH 7C")
    write(replace(played, round=name, table=TABLE, partida=partida), by=PIT, at=at)
    return name
