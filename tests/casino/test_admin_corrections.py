"""A record is corrected by another record, and a second person decides which of them counts."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse

from casino import clock
from casino.events.decks import DeckInspected
from casino.events.staff import OfficeGranted, StaffRegistered
from casino.models import Burn, Correction, PrivateValue, Supersession
from casino.recording import Actor, Receipt
from casino.web.entries.entry_page import url_of
from tests.casino.admin_forms import filled, over_warnings
from tests.factories.events.every import FULL
from tests.factories.people import somebody, write
from tests.factories.recorded import last_entry
from tests.factories.records import EVENING, HEAD, burnt, corrects, loaded, recorded
from tests.factories.second_persons import confirmation

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]


def correct_url(receipt: Receipt, model: str = "burn") -> str:
    return reverse(f"admin:casino_{model}_correct", args=[receipt.entry_id])


def asked_for() -> Receipt:
    """Two burnt cards were written down; the same supervisor says it was one."""
    original = recorded(burnt(2))
    client = somebody("fiscal_de_banca")
    sent = filled(burnt(1), correction_reason="wrong-count")
    answer = over_warnings(client, correct_url(original), sent)
    assert answer.status_code == 302, answer.context["form"].errors
    return original


def test_the_form_begins_with_what_was_recorded() -> None:
    original = recorded(burnt(2))
    page = somebody("fiscal_de_banca").get(correct_url(original)).content.decode()
    assert 'name="cards" value="2"' in page
    assert 'value="2026-11-20T21:15:00"' in page
    assert "Why it is corrected" in page


def test_a_correction_waits_and_both_are_shown() -> None:
    original = asked_for()
    asked = Supersession.objects.get()
    assert (asked.original_n, asked.reason) == (original.n, "wrong-count")
    client = somebody("auditor")
    page = client.get(url_of("card-burned/1", original.entry_id)).content.decode()
    assert "waits for its second person" in page
    listed = client.get(reverse("admin:casino_burn_changelist")).content.decode()
    assert "correction asked for" in listed
    waiting = client.get(reverse("admin:casino_supersession_changelist"), {"decided": "no"})
    assert str(asked.pk) in waiting.content.decode()
    assert "card-burned/1" not in waiting.content.decode().split("result_list")[1]
    assert Burn.objects.count() == 2


@pytest.mark.parametrize(("decision", "struck"), [("approved", "original"), ("refused", "asked")])
def test_a_second_person_decides_and_what_no_longer_counts_is_struck(
    decision: str, struck: str
) -> None:
    original = asked_for()
    asked = Supersession.objects.get()
    head = somebody("fiscal_chefe")
    url = reverse("admin:casino_supersession_change", args=[asked.pk])
    page = head.get(url)
    assert page.context["may_decide"]
    assert "<s>2</s>" in page.content.decode()
    form = page.context["form"]
    sent = {"key": str(form["key"].value()), "at": form["at"].value(), "reason": "checked"}
    answers = [head.post(url, sent | {"decision": decision}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert Correction.objects.get().decision == decision
    gone = original.entry_id if struck == "original" else asked.pk
    for entry_id in (original.entry_id, asked.pk):
        page = head.get(url_of("card-burned/1", entry_id))
        assert page.context["struck"] is (entry_id == gone)
    assert head.get(reverse("admin:casino_burn_changelist")).content.decode().count("<s>") == 1


@pytest.mark.parametrize("shown", ["2025-01-01T00:00:00+00:00", "2099-01-01T00:00:00Z", "soon", ""])
def test_a_decision_is_dated_between_the_correction_and_now(shown: str) -> None:
    asked_for()
    asked = Supersession.objects.get()
    url = reverse("admin:casino_supersession_change", args=[asked.pk])
    head = somebody("fiscal_chefe")
    key = str(head.get(url).context["form"]["key"].value())
    sent = {"key": key, "at": shown, "reason": "checked", "decision": "approved"}
    assert head.post(url, sent).status_code == (302 if shown else 200)
    for decided in Correction.objects.all():
        assert asked.recorded_at <= decided.occurred_at <= decided.recorded_at


def test_nobody_decides_on_his_own_correction() -> None:
    original = recorded(burnt(2), by=Actor("S-0021", "fiscal_chefe", "admin"))
    assert original.n == 1
    head = somebody("fiscal_chefe")
    over_warnings(head, correct_url(original), filled(burnt(1), correction_reason="wrong-count"))
    asked = Supersession.objects.get()
    url = reverse("admin:casino_supersession_change", args=[asked.pk])
    page = head.get(url)
    assert not page.context["may_decide"]
    form = page.context["form"]
    sent = {"key": str(form["key"].value()), "at": form["at"].value(), "reason": "checked"}
    refused = head.post(url, sent | {"decision": "approved"})
    assert "second person" in refused.content.decode()
    assert not Correction.objects.exists()


OTHER = Actor("S-0190", "fiscal_de_banca", "admin")


def decision_page(office: str) -> Any:
    """The page of the one correction that was asked for, as somebody opens it."""
    asked = Supersession.objects.get()
    url = reverse("admin:casino_supersession_change", args=[asked.pk])
    return somebody(office).get(url)


def test_whoever_recorded_the_original_is_shown_no_decision_on_its_correction() -> None:
    original = recorded(burnt(2), by=HEAD)
    recorded(burnt(1), by=OTHER, supersedes=corrects(original))
    page = decision_page("fiscal_chefe")
    assert not page.context["may_decide"]
    assert "A correction is decided by a second person." in page.content.decode()
    assert "You recorded what it corrects, or operated the machine then." in page.content.decode()
    assert 'name="decision"' not in page.content.decode()
    assert decision_page("chefia_da_sala").context["may_decide"]


def test_whose_own_office_it_is_is_told_so() -> None:
    manager = Actor("S-0003", "chefia_da_sala", "admin")
    given = OfficeGranted(
        staff="S-0500", office="fiscal_chefe", valid_from=clock.now(), granted_by=manager.staff
    )
    recorded(StaffRegistered(staff="S-0500"), by=manager)
    original = recorded(given, by=manager)
    earlier = replace(given, valid_from=given.valid_from - timedelta(days=1))
    recorded(earlier, by=Actor("S-0190", "chefia_da_sala", "admin"), supersedes=corrects(original))
    asked = Supersession.objects.get()
    url = reverse("admin:casino_supersession_change", args=[asked.pk])
    page = somebody("chefia_da_sala", "S-0500").get(url)
    assert not page.context["may_decide"]
    assert "The office it is about is your own." in page.content.decode()
    assert 'name="decision"' not in page.content.decode()


def test_whoever_confirmed_the_act_is_shown_no_decision_on_its_correction() -> None:
    original = recorded(loaded(2))
    recorded(loaded(3), supersedes=corrects(original))
    recorded(confirmation(original), by=HEAD)
    page = decision_page("fiscal_chefe")
    assert not page.context["may_decide"]
    assert "Whoever confirmed the act does not decide on its correction." in page.content.decode()
    assert 'name="decision"' not in page.content.decode()
    assert decision_page("chefia_da_sala").context["may_decide"]


def test_whoever_has_nothing_to_do_with_it_is_shown_the_decision() -> None:
    recorded(loaded(3), supersedes=corrects(recorded(loaded(2))))
    assert 'name="decision"' in decision_page("fiscal_chefe").content.decode()
    watching = decision_page("auditor")
    assert not watching.context["may_decide"]
    assert "It waits for a fiscal-chefe" in watching.content.decode()


def test_no_second_correction_while_one_waits() -> None:
    original = asked_for()
    client = somebody("fiscal_de_banca", "S-0300")
    write(FULL["partida-opened/1"], by=Actor("S-0300", "fiscal_de_banca", "admin"), at=EVENING)
    sent = filled(burnt(0), correction_reason="misread")
    answer = client.post(correct_url(original), sent)
    if answer.status_code == 200 and answer.context["warned"]:
        sent |= {one.name: "other" for one in answer.context["warned"]}
        answer = client.post(correct_url(original), sent)
    assert "already has a correction" in answer.content.decode()


def test_a_note_one_may_not_read_is_kept_by_the_correction() -> None:
    event = FULL["deck-inspected/1"]
    assert isinstance(event, DeckInspected)
    author = Actor("S-0500", "fiscal_de_banca", "admin")
    original = write(event, by=author, at=EVENING)
    write(FULL["partida-opened/1"], by=author, at=EVENING)  # S-0100 answers for this partida
    client = somebody("fiscal_de_banca", "S-0100")
    url = correct_url(original, "deckinspection")
    page = client.get(url).content.decode()
    assert "Visto duas vezes" not in page
    assert "kept as it is" in page
    sent = filled(event, correction_reason="left-out", cards="52")
    sent.pop("note")
    answer = over_warnings(client, url, sent)
    assert answer.status_code == 302
    pending = last_entry(event.kind)
    assert pending.pk != original.entry_id
    assert PrivateValue.objects.get(entry_id=pending.pk).value == event.note


def test_a_moment_keeps_its_microseconds_through_a_correction() -> None:
    original = recorded(burnt(2), occurred_at=EVENING.replace(microsecond=123_456))
    client = somebody("fiscal_de_banca")
    sent = filled(burnt(1), correction_reason="wrong-count")
    assert over_warnings(client, correct_url(original), sent).status_code == 302
    assert last_entry("card-burned/1").occurred_at.microsecond == 123_456


def test_the_pages_of_a_correction_ask_few_questions(django_assert_max_num_queries: Any) -> None:
    author = Actor("S-0500", "fiscal_de_banca", "admin")
    write(FULL["partida-opened/1"], by=author, at=EVENING)
    original = write(FULL["incident-reported/1"], by=author, at=EVENING)
    client = somebody("fiscal_de_banca", "S-0100")
    url = correct_url(original, "incident")
    with django_assert_max_num_queries(14):  # one lists the people to choose from
        assert client.get(url).status_code == 200
    sent = filled(FULL["incident-reported/1"], correction_reason="misread", shoe="2")
    assert over_warnings(client, url, sent).status_code == 302
    decide = reverse(
        "admin:casino_supersession_change", args=[last_entry("incident-reported/1").pk]
    )
    with django_assert_max_num_queries(14):  # what waits is asked anew after a correction
        assert client.get(decide).status_code == 200
    with django_assert_max_num_queries(15):  # whose table it is now, and what was found of it
        assert client.get(url_of("incident-reported/1", original.entry_id)).status_code == 200
    for name in ("supersession", "correction", "bookentry", "incident"):
        with django_assert_max_num_queries(14):  # two of them offer games and people to filter by
            client.get(reverse(f"admin:casino_{name}_changelist"))
