"""In the admin too: a record is said not to have happened, and a second person decides."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from casino.models import BookEntry, Correction, Supersession
from casino.recording import Receipt
from casino.web.entries.entry_page import url_of
from jackpot.events import JackpotRead
from tests.factories.people import somebody
from tests.factories.pools import POOL, at_two_tables
from tests.factories.recorded import entries, last_entry
from tests.factories.records import HEAD, burnt, loaded, recorded
from tests.factories.second_persons import confirmation
from tests.factories.tables import a_load, a_table
from tests.factories.withdrawals import ask_to_withdraw

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]


def withdraw_url(receipt: Receipt) -> str:
    return reverse("admin:casino_bookentry_withdraw", args=[receipt.entry_id])


def ask(client: Client, receipt: Receipt, reason: str = "told_twice") -> Any:
    page = client.get(withdraw_url(receipt))
    key = str(page.context["form"]["key"].value())
    return client.post(withdraw_url(receipt), {"key": key, "reason": reason})


def decide(client: Client, decision: str) -> Any:
    url = reverse("admin:casino_supersession_change", args=[Supersession.objects.get().pk])
    form = client.get(url).context["form"]
    sent = {"key": str(form["key"].value()), "at": form["at"].value(), "reason": "checked"}
    return client.post(url, sent | {"decision": decision})


def test_a_reading_of_the_display_is_withdrawn_from_its_page() -> None:
    at_two_tables()
    receipt = recorded(JackpotRead(jackpot=POOL, table="BJ-06", display_cents=2_501_000), by=HEAD)
    head = somebody("fiscal_chefe")
    page = head.get(url_of("jackpot-read/1", receipt.entry_id)).content.decode()
    assert withdraw_url(receipt) in page  # it is never corrected: this is its way
    assert ask(head, receipt).status_code == 302
    assert "You asked for this withdrawal" in decision_page(head)
    manager = somebody("chefia_da_sala")
    assert decide(manager, "approved").status_code == 302
    page = manager.get(url_of("jackpot-read/1", receipt.entry_id)).content.decode()
    assert "Withdrawn, it did not happen: asked for by S-0021 (recorded twice)" in page
    assert withdraw_url(receipt) not in page
    asked = Supersession.objects.get()
    page = manager.get(url_of("withdrawal-asked/1", asked.pk)).content.decode()
    assert f"This is the withdrawal of entry {receipt.n}." in page
    listed = manager.get(reverse("admin:jackpot_jackpotreading_changelist")).content.decode()
    assert "<s>" in listed


def decision_page(client: Client) -> str:
    url = reverse("admin:casino_supersession_change", args=[Supersession.objects.get().pk])
    return client.get(url).content.decode()


def test_refused_it_counts_and_is_told() -> None:
    receipt = recorded(burnt(1))
    ask_to_withdraw(receipt)
    decide(somebody("fiscal_chefe"), "refused")
    assert Correction.objects.get().decision == "refused"
    page = somebody("auditor").get(url_of("card-burned/1", receipt.entry_id)).content.decode()
    assert "refused by S-0021" in page
    assert not somebody("inspetor").get(url_of("card-burned/1", receipt.entry_id)).context["struck"]


def test_who_confirmed_the_act_and_who_asked_are_shown_no_decision() -> None:
    receipt = recorded(loaded(2))
    recorded(confirmation(receipt), by=HEAD)
    ask_to_withdraw(receipt)
    page = decision_page(somebody("fiscal_chefe"))
    assert "Whoever confirmed the act does not decide on its correction." in page
    assert 'name="decision"' not in page
    assert 'name="decision"' in decision_page(somebody("chefia_da_sala"))


def test_what_is_never_withdrawn_says_why_and_records_nothing() -> None:
    asked = ask_to_withdraw(recorded(burnt(1)))
    entry = BookEntry.objects.get(pk=asked.entry_id)
    manager = somebody("chefia_da_sala")
    before = entries()
    page = manager.get(reverse("admin:casino_bookentry_withdraw", args=[entry.pk]))
    assert "what was done with the book" in page.content.decode()
    assert 'name="reason"' not in page.content.decode()
    answer = manager.post(withdraw_url(asked), {"reason": "told_twice"})
    assert answer.status_code == 403
    assert entries() == before


@pytest.mark.parametrize("office", ["inspetor", "auditor", "chefia_da_sala"])
def test_who_may_not_record_it_withdraws_nothing(office: str) -> None:
    receipt = recorded(burnt(1))
    client = somebody(office)
    assert client.get(withdraw_url(receipt)).status_code == 403
    assert client.post(withdraw_url(receipt), {"reason": "told_twice"}).status_code == 403
    assert not Supersession.objects.exists()


def test_whoever_may_not_withdraw_what_falls_with_it_is_told_so_before_he_asks() -> None:
    a_table("shuffler")
    a_load(last_entry("partida-opened/1").partida_id)
    url = reverse("admin:casino_bookentry_withdraw", args=[last_entry("partida-opened/1").pk])
    for office in ("chefia_da_sala", "fiscal_chefe"):
        client = somebody(office)
        before = entries()
        page = unescape(client.get(url).content.decode())
        assert re.search(r"falls with it, and is withdrawn by: fiscal de banca[,.]", page)
        assert 'name="reason"' not in page
        assert client.post(url, {"reason": "never_happened"}).status_code == 403
        assert entries() == before
    pit = somebody("fiscal_de_banca")
    key = str(pit.get(url).context["form"]["key"].value())
    assert pit.post(url, {"key": key, "reason": "never_happened"}).status_code == 302


def test_sent_twice_it_is_asked_once() -> None:
    receipt = recorded(burnt(1))
    pit = somebody("fiscal_de_banca")
    key = str(pit.get(withdraw_url(receipt)).context["form"]["key"].value())
    sent = {"key": key, "reason": "tapped_by_mistake"}
    assert [pit.post(withdraw_url(receipt), sent).status_code for _ in range(2)] == [302, 302]
    assert Supersession.objects.count() == 1
