"""Pages of retention, erasure, requests and looks: who does what on them, and what they show."""

from dataclasses import replace
from datetime import date
from typing import Any, Final

import pytest
from django.test import Client
from django.urls import reverse

from audit.models import ErasureProposal, SubjectRequest
from audit.retention_events import SubjectRequested
from casino.events.complaints import ComplaintDecided, ComplaintReceived
from casino.events.notices import NoticeSent
from casino.models import PrivateLook, PrivateValue
from casino.recording import Actor, Receipt
from tests.casino.admin_forms import filled
from tests.factories.erasures import proposed
from tests.factories.events.every import FULL
from tests.factories.examples import in_the_book
from tests.factories.people import somebody
from tests.factories.records import HEAD, MANAGER, PIT, hired, recorded
from tests.factories.usual_events import ref

pytestmark = [pytest.mark.django_db, pytest.mark.share]
INSPECTOR: Final = Actor("I-0007", "inspetor", "admin")
NAME: Final = "Maria Exemplo da Silva"


@pytest.fixture
def complaint() -> Receipt:
    """A complaint of somebody, decided."""
    event = ComplaintReceived(complaint="RC-1", subject="conduct", contact=NAME, text="Foi assim.")
    receipt = recorded(event, by=HEAD)
    recorded(ComplaintDecided(complaint="RC-1", outcome="upheld", reason="seen"), by=MANAGER)
    return receipt


def requested(asks: Any = "erasure", about: Any = "player", subject: str = NAME) -> str:
    """The page of a request somebody of the direction recorded."""
    event = SubjectRequested(
        request="RGPD-1",
        asks=asks,
        about=about,
        received_on=date(2026, 11, 20),
        reference="Carta",
        subject=subject,
    )
    return reverse("subject", args=[recorded(event, by=MANAGER).entry_id])


def said(client: Client, url: str, **sent: Any) -> str:
    answer = client.post(url, sent, follow=True) if sent else client.get(url)
    assert answer.status_code == 200, url
    return str(answer.content.decode())


def test_a_request_becomes_a_proposal_and_another_person_erases(complaint: Receipt) -> None:
    page = requested(subject=f" {NAME.upper()} ")  # capitals and blanks do not matter
    admin, manager = somebody("administrador"), somebody("chefia_da_sala", "S-0088")
    shown = said(admin, page)
    assert shown.count("may be erased") == 2
    box = f"{complaint.entry_id}/contact"
    assert "tick what is to be erased" in said(admin, page, value="nonsense")
    said(admin, page, value=box)
    proposal = ErasureProposal.objects.get()
    assert (proposal.basis, proposal.request) == ("data_subject_request", "RGPD-1")
    erasure = reverse("erasure", args=[proposal.pk])
    assert "another person erases" in said(admin, erasure)
    assert admin.post(erasure, {"decision": "erase", "read": "1"}).status_code == 403
    assert "tick that you have read" in said(manager, erasure, decision="erase")
    assert PrivateValue.objects.filter(value=NAME).exists()
    assert NAME not in said(manager, erasure)
    said(manager, erasure, decision="erase", read="1")
    assert not PrivateValue.objects.filter(value=NAME).exists()
    assert "waits" not in said(manager, erasure)
    assert "erased" in said(somebody("inspetor"), reverse("retention"))


def test_a_manager_alone_gets_no_further_on_the_pages_either(complaint: Receipt) -> None:
    manager = somebody("chefia_da_sala")
    page = requested()
    said(manager, page, value=f"{complaint.entry_id}/contact")
    erasure = reverse("erasure", args=[ErasureProposal.objects.get().pk])
    assert "Two persons erase" in said(manager, erasure, decision="erase", read="1")
    assert "Now another has to" in said(manager, erasure, decision="approved")
    assert PrivateValue.objects.filter(value=NAME).exists()


def test_what_has_to_be_kept_is_said_beside_it_with_its_article() -> None:
    recorded(in_the_book(FULL["jackpot-paid/1"]), by=PIT)
    page = requested(subject=FULL["jackpot-paid/1"].name)
    shown = said(somebody("chefia_da_sala"), page)
    assert "83/2017" in shown
    assert "kept until" in shown
    assert 'name="value"' not in shown


def test_of_staff_it_says_where_the_number_stands_and_who_looked() -> None:
    person = recorded(hired("Inês Abrantes"), by=MANAGER)
    recorded(in_the_book(FULL["office-granted/1"]), by=MANAGER)
    somebody("auditor", "A-0044").get(f"/admin/casino/staff/{person.entry_id}/")
    page = requested("access", "staff", "s-0187")
    shown = said(somebody("chefia_da_sala"), page)
    assert "Records of the book that name the number" in shown
    assert "A-0044" in shown
    assert "Inês" not in shown
    assert 'name="value"' not in shown  # he asked for access


def test_nothing_is_found_under_half_a_name(complaint: Receipt) -> None:
    page = requested(subject="Maria Exemplo")
    shown = said(somebody("chefia_da_sala"), page)
    assert str(complaint.entry_id) not in shown
    assert "Request of a data subject" in shown  # the request itself is held of him
    page_of_request = PrivateLook.objects.get()
    assert (page_of_request.kind, page_of_request.field) == ("subject-requested/1", "subject")


@pytest.mark.parametrize("office", ["inspetor", "auditor", "fiscal_chefe", "fiscal_de_banca"])
def test_nobody_else_searches(complaint: Receipt, office: str) -> None:
    page = requested()
    client = somebody(office)
    assert client.get(page).status_code == 403
    assert client.post(page, {"value": f"{complaint.entry_id}/contact"}).status_code == 403
    assert not PrivateLook.objects.exists()
    assert not ErasureProposal.objects.exists()


def test_what_was_written_by_mistake_is_proposed_from_its_record() -> None:
    noted = recorded(replace(FULL["deck-inspected/1"], note="O Zé Maria"), by=HEAD)
    manager = somebody("chefia_da_sala")
    url = reverse("erasure-new", args=[noted.entry_id])
    assert url in said(manager, f"/admin/casino/deckinspection/{noted.entry_id}/")
    assert "Zé Maria" not in said(manager, url)
    said(manager, url, value=f"{noted.entry_id}/note")
    assert ErasureProposal.objects.get().basis == "recorded_in_error"


def test_who_looked_is_listed_but_not_at_what_one_may_not_read(complaint: Receipt) -> None:
    note = in_the_book(FULL["finding-noted/1"])
    noted = recorded(note, by=INSPECTOR)
    inspector = somebody("inspetor")
    inspector.get(f"/admin/audit/casenote/{noted.entry_id}/")
    inspector.get(f"/admin/casino/complaint/{complaint.entry_id}/")
    kinds = set(PrivateLook.objects.values_list("kind", flat=True))
    assert kinds == {"finding-noted/1", "complaint-received/1"}
    assert "inspector" in said(inspector, reverse("looks")).lower()
    manager = somebody("chefia_da_sala")
    shown = said(manager, reverse("looks"))
    assert f"/admin/casino/complaint/{complaint.entry_id}/" in shown
    assert str(noted.entry_id) not in shown
    of_it = reverse("looks") + f"?entry={complaint.entry_id}"
    assert of_it in said(manager, f"/admin/casino/complaint/{complaint.entry_id}/")
    assert "Nobody has looked" in said(manager, reverse("looks") + "?staff=S-9999")
    assert said(manager, reverse("looks") + "?entry=%00&staff=%00")


def test_the_page_of_retention_counts_and_shows_no_value(complaint: Receipt) -> None:
    proposed((ref(complaint), "contact"))
    shown = said(somebody("chefia_da_sala"), reverse("retention"))
    assert "waits for a second person" in shown
    assert "Never erased" in shown
    assert NAME not in shown


def test_a_request_is_typed_into_the_usual_form_and_leads_to_its_search() -> None:
    event = in_the_book(FULL["subject-requested/1"])
    client = somebody("chefia_da_sala")
    url = "/admin/audit/subjectrequest/add/"
    answer = client.post(url, filled(event, occurred_at="2026-11-20T21:15:00"))
    asked = SubjectRequest.objects.get()
    assert answer["Location"] == reverse("subject", args=[asked.pk])


def test_what_cannot_be_erased_is_not_offered_and_the_answer_is_recorded_from_the_page() -> None:
    page = requested(asks="erasure", subject="Ninguém Conhecido")
    shown = said(somebody("chefia_da_sala", "S-0088"), page)
    assert "Propor apagamento</button>" not in shown, "its own request is kept for three years"
    begun = "notice/add/?reference=RGPD-1&amp;to=other"
    assert begun in shown
    form = said(
        somebody("chefia_da_sala", "S-0090"), f"/admin/casino/{begun.replace('&amp;', '&')}"
    )
    assert form.count('<option value="other" selected>') == 2, "to whom, and about what"
    assert "notice/add/" not in said(somebody("administrador"), page), "he sends no notices"
    told = NoticeSent(notice="CM-9", to="other", about="other", means="letter", reference="RGPD-1")
    recorded(told, by=MANAGER)
    shown = said(somebody("chefia_da_sala", "S-0089"), page)
    assert "CM-9" in shown
    assert "notice/add/" not in shown.split("<main")[-1]
