"""Letters made from the record: asked for by who signs them, sealed, sent, acknowledged.

One lawful of each, what is refused, and what no letter shows.
"""

import io
import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Final
from uuid import UUID, uuid4

import pypdf
import pytest
from django.test import Client
from django.urls import reverse

from audit.letter_events import LetterReceived
from audit.letter_state import with_standing
from audit.models import Letter, ReportRequest
from audit.reports import check_report
from audit.reports.book_evidence import held_by_book
from audit.reports.check_document import examined, judge
from audit.reports.letters import letter_draft
from audit.reports.report_entries import Asked
from audit.watch import watch_letters
from casino import clock
from casino.demo.cast import INSPECTOR as DEMO_INSPECTOR
from casino.demo.cast import MANAGER as DEMO_MANAGER
from casino.events.complaints import ComplaintDecided, ComplaintReceived
from casino.events.deck_life import CardReplaced, DeckReceived
from casino.events.incidents import IncidentReported, IncidentStep
from casino.events.inspection import LeaveAsked, LeaveDecided, NoticeAcknowledged
from casino.events.notices import NoticeSent
from casino.events.shufflers import ShufflerRegistered
from casino.events.tables import TableRegistered
from casino.models import BookEntry, Notice, PrivateValue, Supersession
from casino.recording import Actor
from casino.recording.withdrawing import resting_on
from casino.recording.writing import add_job
from tests.casino.signer_house import SignerHouse
from tests.factories.evenings import EVENING, opened
from tests.factories.findings import PEOPLE, client_of, people
from tests.factories.people import LONG_AGO, appoint, write
from tests.factories.reported import Desk
from tests.jobs_inline import do_jobs
from tests.stages import recorded_once

pytestmark = pytest.mark.share
MANAGER: Final = Actor(PEOPLE["chefia_da_sala"], "chefia_da_sala", "admin")
CHEFE: Final = Actor(PEOPLE["fiscal_chefe"], "fiscal_chefe", "admin")
PIT: Final = Actor(PEOPLE["fiscal_de_banca"], "fiscal_de_banca", "admin")
INSPECTOR: Final = Actor(PEOPLE["inspetor"], "inspetor", "admin")
DAY_OF_LETTERS: Final = EVENING.date()
ABSURD: Final = "Maria " + "da Conceição " * 20 + "\u202eodaçnava"
CONTACT: Final = f"{ABSURD}\nRua das Flores, 12\n4000-001 Porto"


@recorded_once
def record() -> dict[str, UUID]:
    """A damaged card with what was done about it, a leave, a complaint and its decision."""
    people()
    write(TableRegistered(table="BJ-02", boxes=7, place="Sala Mista"), by=MANAGER, at=LONG_AGO)
    machine = {"maker": "Exemplo", "model": "Contínuo Seis", "serial": "EX-000417"}
    write(ShufflerRegistered(shuffler="CSM-02", **machine), by=MANAGER, at=LONG_AGO)
    deck = DeckReceived(deck="D-0213", maker="Exemplo", back_colour="red", serial="EX-9", cards=52)
    write(deck, by=MANAGER, at=LONG_AGO)
    now = clock.now() - timedelta(hours=3)
    of = {"table": "BJ-02", "incident": "IN-2026-0101"}
    damaged = IncidentReported(
        **of, category="damaged_card", reason="torn", people=(), deck="D-0213", replaced="card",
        shuffler="CSM-02", damaged_cards=("8S",), noticed_at=now, text="Segredo do relato.",
    )  # fmt: skip
    entries = {"notice": write(damaged, by=CHEFE, at=now).entry_id}
    step = IncidentStep(**of, step="called", by=PIT.staff, by_office="fiscal_de_banca")
    write(step, by=CHEFE, at=now + timedelta(minutes=1))
    exchanged = CardReplaced(
        **of, deck="D-0213", card="8S", reason="damaged", replaced_by=CHEFE.staff,
        replaced_by_office="fiscal_chefe",
    )  # fmt: skip
    write(exchanged, by=CHEFE, at=now + timedelta(minutes=2))
    leave = LeaveAsked(leave="AI-1", deck="D-0213", cards=("8S",), grounds="Canto gasto.")
    entries["leave"] = write(leave, by=MANAGER, at=now).entry_id
    complaint = ComplaintReceived(
        table="BJ-02", complaint="RC-2026-0007", subject="payment", amount_cents=12_50,
        contact=CONTACT, text="Não recebi o prémio.",
    )  # fmt: skip
    entries["complaint_receipt"] = write(complaint, by=PIT, at=now).entry_id
    decided = ComplaintDecided(
        table="BJ-02", complaint="RC-2026-0007", outcome="upheld", reason="footage",
        paid_cents=12_50, text="A gravação mostra a aposta paga em singelo.",
    )  # fmt: skip
    entries["complaint_answer"] = write(decided, by=MANAGER, at=now + timedelta(hours=1)).entry_id
    return entries


@pytest.fixture
def desk(
    record: dict[str, UUID],
    fresh_db: str,
    tmp_path: Path,
    database_environment: dict[str, str],
    connect_as: Any,
    settings: Any,
) -> "Letters":
    house = SignerHouse(tmp_path, database_environment, connect_as)
    return Letters(Desk(house, settings), record)


class Letters:
    """The chefia's desk beside the signer."""

    def __init__(self, desk: Desk, entries: dict[str, UUID]) -> None:
        self.desk, self.entries = desk, entries
        self.manager, self.inspector = client_of("chefia_da_sala"), desk.client

    def send(self, name: str, *, office: str = "chefia_da_sala", **more: str) -> Any:
        """What a browser gets that sends the form of a letter."""
        sent = {"request": str(uuid4()), "language": "pt", "reply_to": ""} | more
        address = f"/audit/letters/{name}/{self.entries[name]}/"
        return client_of(office).post(address, sent)

    def make(self, name: str, **more: str) -> tuple[Letter, bytes]:
        """A letter from its being asked for to its file."""
        answer = self.send(name, **more)
        assert answer.status_code == 302, answer.text
        row = ReportRequest.objects.get(request=UUID(answer["Location"].split("/")[-2]))
        row = self.desk.work(row)
        assert (row.state, row.refusal) == ("finished", "")
        file = self.inspector.get(f"/audit/reports/{row.request}/1/")
        return Letter.objects.get(request=row.request), bytes(file.content)


def pages(pdf: bytes) -> str:
    shown = (page.extract_text() for page in pypdf.PdfReader(io.BytesIO(pdf)).pages)
    return re.sub(r"\s+", " ", " ".join(shown).replace("\u200b", ""))


def test_the_notice_of_51_says_what_the_record_says(desk: Letters) -> None:
    letter, pdf = desk.make("notice", reply_to="SRIJ 2026/4471")
    assert (str(letter), letter.matter) == (f"CTA-{clock.now().year}-000001", "IN-2026-0101")
    text = pages(pdf)
    for said in (
        *("Serviço de Regulação e Inspeção de Jogos", "8 de espadas", "D-0213", "EX-000417"),
        *("Contínuo Seis", "SRIJ 2026/4471", str(letter), "Chefia da sala", MANAGER.staff),
    ):
        assert said in text, said
    assert "Segredo" not in text
    value, digest = check_report.report_of(pdf)
    assert letter.json_sha256 == digest
    proofs = check_report.prove(check_report.proofs_of(pdf))
    assert (proofs.proved, proofs.refused) == (len(value["entries"]), ())
    assert proofs.proved == 5, "incident, its step, the exchange, the deck, the machine"


@pytest.mark.parametrize(("rulebook", "cites"), [("pt", True), ("es", False), ("br", False)])
def test_a_letter_cites_the_articles_of_the_book_its_game_is_played_by(
    record: dict[str, UUID], fresh_db: str, rulebook: str, cites: bool
) -> None:
    game, number = opened("BJ-02", rulebook=rulebook), "IN-2026-0102"
    write(game, by=MANAGER, at=EVENING)
    damaged = IncidentReported(
        table="BJ-02", partida=game.partida, incident=number, category="damaged_card",
        reason="torn", people=(), deck=game.decks[0].deck, replaced="card", shuffler="CSM-02",
        damaged_cards=("8S",), noticed_at=EVENING,
    )  # fmt: skip
    notice = write(damaged, by=CHEFE, at=EVENING).entry_id
    asked = LeaveAsked(leave="AI-2", deck="D-9", cards=("8S",), grounds="?", incident=number)
    of_deck = LeaveAsked(leave="AI-3", deck=game.decks[0].deck, cards=("8S",), grounds="?")
    leaves = [write(leave, by=MANAGER, at=EVENING).entry_id for leave in (asked, of_deck)]
    for name, entry in (("notice", notice), ("leave", leaves[0]), ("leave", leaves[1])):
        draft = letter_draft(Asked(name, DAY_OF_LETTERS, DAY_OF_LETTERS, findings=(str(entry),)))
        said = " ".join([str(draft.letter["subject"]), *draft.sections[0]["texts"]])
        assert ("article 5" in said or "n.º 5" in said) is cites, said


def test_in_another_country_a_letter_names_its_service_and_no_complaints_book_of_portugal(
    record: dict[str, UUID], fresh_db: str, settings: Any
) -> None:
    entry = str(record["complaint_answer"])
    asked = Asked("complaint_answer", DAY_OF_LETTERS, DAY_OF_LETTERS, findings=(entry,))
    said = " ".join(letter_draft(asked).sections[1]["texts"])
    assert "Serviço de Regulação e Inspeção de Jogos" in said
    assert "livro de reclamações" in said
    settings.INSPECTION_SERVICE = "Dirección General de Ordenación del Juego"
    said = " ".join(letter_draft(asked).sections[1]["texts"])
    assert settings.INSPECTION_SERVICE in said
    assert "Serviço" not in said
    assert "livro" not in said


def test_a_letter_that_is_not_to_be_sent_is_withdrawn_before_it_went_out(desk: Letters) -> None:
    letter, _pdf = desk.make("notice")
    page = f"/audit/reports/{letter.request}/"
    away = reverse("admin:casino_bookentry_withdraw", args=[letter.pk])
    assert away in desk.manager.get(page).text
    assert away not in desk.inspector.get(page).text
    form = desk.manager.get(away).context["form"]
    asked = {"key": str(form["key"].value()), "reason": "tapped_by_mistake"}
    assert desk.manager.post(away, asked).status_code == 302
    pending = Supersession.objects.get()
    url = reverse("admin:casino_supersession_change", args=[pending.pk])
    second = client_of("fiscal_chefe")
    form = second.get(url).context["form"]
    word = {name: str(form[name].value()) for name in form.fields if name in ("key", "at")}
    word |= {"decision": "approved", "reason": "checked"}
    assert second.post(url, word).status_code == 302
    assert list(watch_letters.waiting(clock.now())) == []
    shown = desk.manager.get(page).text
    assert "esta carta não é enviada" in shown
    assert "casino/notice/add/?" not in shown
    code = f"{letter} {letter.json_sha256}"
    assert "withdrew this letter" in Client().post("/verify/?lang=en", {"code": code}).text
    anew, _pdf = desk.make("notice")
    assert str(anew)[-6:] == "000002", "its number stays taken"


def test_what_does_not_fit_of_a_letters_way_is_said_on_its_page(desk: Letters) -> None:
    letter, _pdf = desk.make("complaint_receipt")
    page = f"/audit/reports/{letter.request}/"
    early = {"sent_at": letter.occurred_at - timedelta(minutes=2)}
    sent = NoticeSent(
        table="BJ-02", notice="CM-9", to="other", about="complaint", means="letter",
        reference=str(letter), complaint="RC-2026-0007",
    )  # fmt: skip
    receipt = LetterReceived(document=str(letter), how="signed_copy")
    notice = write(sent, by=MANAGER, at=clock.now())
    write(receipt, by=MANAGER, at=clock.now())
    assert desk.manager.get(page).context["warnings"] == []
    write(replace(sent, **early), by=MANAGER, at=clock.now())
    write(receipt, by=MANAGER, at=clock.now())
    assert notice.n < Notice.objects.latest("n").n
    before, twice = desk.manager.get(page).context["warnings"]
    assert "antes de ser feita" in before
    assert "mais de uma receção" in twice.lower()


def test_a_letter_that_was_sent_is_not_withdrawn(desk: Letters) -> None:
    letter, _pdf = desk.make("notice")
    sent = NoticeSent(
        table="BJ-02", notice="CM-1", to="inspection_service", about="damaged_card",
        means="portal", reference=str(letter), incident="IN-2026-0101",
    )  # fmt: skip
    notice = write(sent, by=MANAGER, at=clock.now())
    resting = resting_on(BookEntry.objects.get(pk=letter.pk))
    assert [one.pk for one in resting.in_the_way] == [notice.entry_id]


def test_who_signs_a_letter(desk: Letters) -> None:
    assert desk.send("notice", office="fiscal_chefe").status_code == 403, "51: the chefia's own"
    assert desk.send("leave", office="fiscal_chefe").status_code == 302
    for office in ("fiscal_de_banca", "inspetor", "auditor", "administrador"):
        assert desk.send("complaint_receipt", office=office).status_code == 403, office


@pytest.mark.parametrize("language", ["pt", "en"])
def test_a_players_name_stands_on_the_page_alone(desk: Letters, language: str) -> None:
    letter, pdf = desk.make("complaint_answer", language=language)
    text = pages(pdf)
    for said in ("Rua das Flores, 12", "A gravação mostra", "RC-2026-0007", "12,50", "2026"):
        assert said in text or (language == "en" and said == "12,50" and "12.50" in text), said
    for name, data in check_report.embedded(pdf).items():
        assert b"Flores" not in data, name
        assert b"singelo" not in data, name
    file = examined(pdf)
    verdict, _parts = judge(file, held_by_book(file))
    assert verdict in ("valid", "unknown"), "a test certificate is known to nobody outside"
    typed = f"{letter} {letter.json_sha256} {letter.size} {letter.root}"
    said = desk.manager.post("/verify/?lang=en", {"code": typed}).text
    assert f"{letter}, Answer to a complaint" in said, "anybody who holds it is told what it is"


def test_what_was_erased_is_not_shown_again(desk: Letters) -> None:
    letter, _pdf = desk.make("complaint_receipt")
    PrivateValue.objects.filter(field="contact").update(value=None, salt=None)
    ReportRequest.objects.update(expires_at=clock.now() - timedelta(seconds=1))
    desk.manager.post(f"/audit/reports/{letter.request}/again/")
    row = desk.desk.work(ReportRequest.objects.get(request=letter.request))
    assert row.state == "finished"
    text = pages(bytes(row.files.get().content or b""))
    assert "Flores" not in text
    assert "apagado" in text


def test_its_data_are_taken_out_by_who_takes_copies_and_offered_to_nobody_else(
    desk: Letters,
) -> None:
    letter, _pdf = desk.make("notice")
    page = f"/audit/reports/{letter.request}/"
    for client, shown, status in ((desk.manager, False, 403), (client_of("inspetor"), True, 200)):
        assert (f"{page}report.json" in client.get(page).text) == shown
        assert client.get(f"{page}report.json").status_code == status


def test_a_letter_is_sent_and_acknowledged_by_the_inspector(desk: Letters) -> None:
    letter, _pdf = desk.make("notice")
    page = f"/audit/reports/{letter.request}/"
    (todo,) = watch_letters.waiting(clock.now())
    assert (todo.of, todo.url) == (str(letter), page)
    shown = desk.manager.get(page).text
    (form,) = re.findall(r'href="([^"]*casino/notice/add/\?[^"]*)"', shown)
    begun = desk.manager.get(form.replace("&amp;", "&")).text
    for value in (str(letter), "IN-2026-0101"):
        assert f'value="{value}"' in begun, value
    assert "noticereceipt/add/?" not in desk.inspector.get(page).text, "nothing was sent yet"
    sent = NoticeSent(
        table="BJ-02", notice="CM-1", to="inspection_service", about="damaged_card",
        means="portal", reference=str(letter), incident="IN-2026-0101",
    )  # fmt: skip
    write(sent, by=MANAGER, at=clock.now())
    assert list(watch_letters.waiting(clock.now())) == []
    late = clock.now() + timedelta(days=11)
    assert [one.of for one in watch_letters.waiting(late)] == [str(letter)]
    (form,) = re.findall(r'href="([^"]*noticereceipt/add/\?[^"]*)"', desk.inspector.get(page).text)
    assert form.endswith("notice=CM-1")
    assert "noticereceipt/add/?" not in desk.manager.get(page).text, "the service's own word"
    write(NoticeAcknowledged(notice="CM-1", reference="Registo 51"), by=INSPECTOR, at=clock.now())
    assert list(watch_letters.waiting(late)) == []
    row = with_standing(Letter.objects.all()).get()
    assert row.sent is not None
    assert row.arrived is not None
    listed = desk.inspector.get("/admin/audit/letter/?standing=arrived").text
    assert str(letter) in listed
    assert "Registo 51" in desk.manager.get(page).text
    file = desk.inspector.get("/admin/audit/letter/csv/").getvalue().decode()
    assert all(one in file for one in (str(letter), "IN-2026-0101", "notice")), file


def test_a_letter_made_anew_leaves_no_other_waiting(desk: Letters) -> None:
    first, _pdf = desk.make("notice")
    second, _pdf = desk.make("notice", reply_to="SRIJ 2026/4471")
    assert [one.of for one in watch_letters.waiting(clock.now())] == [str(second)]
    went = clock.now() - timedelta(days=11)
    sent = NoticeSent(
        table="BJ-02", notice="CM-1", to="inspection_service", about="damaged_card",
        means="portal", reference=str(first), sent_at=went,
    )  # fmt: skip
    write(sent, by=MANAGER, at=clock.now())
    waits = {one.of: one.since for one in watch_letters.waiting(clock.now())}
    assert set(waits) == {str(first), str(second)}, (
        "what went out asks for its receipt all the same"
    )
    assert waits[str(first)] == went, "when it is said to have gone, not when that was typed"


def test_a_leave_is_decided_by_the_inspector(desk: Letters) -> None:
    letter, pdf = desk.make("leave")
    assert "Canto gasto." in pages(pdf)
    page = f"/audit/reports/{letter.request}/"
    assert "leavedecision/add/?leave=AI-1" in desk.inspector.get(page).text
    decided = LeaveDecided(leave="AI-1", decision="granted", document="Autorização 88/2026")
    write(decided, by=INSPECTOR, at=clock.now())
    assert "leavedecision/add/?" not in desk.inspector.get(page).text


def test_numbers_have_no_gap_and_are_not_those_of_reports(desk: Letters) -> None:
    first, _pdf = desk.make("complaint_receipt")
    assert desk.send("notice", language="la").status_code == 400
    assert desk.send("notice", reply_to="x" * 81).status_code == 400
    assert desk.send("notice", reply_to="a\x00b").status_code == 400
    assert "sem caracteres invisíveis" in desk.send("notice", reply_to="\u202e1").text
    assert desk.send("notice", request="none").status_code == 400
    second, _pdf = desk.make("leave", language="en")
    assert [str(one)[-6:] for one in (first, second)] == ["000001", "000002"]
    shown = desk.manager.get(f"/admin/casino/complaint/{desk.entries['complaint_receipt']}/").text
    assert f"/audit/letters/complaint_receipt/{desk.entries['complaint_receipt']}/" in shown


def test_a_record_that_no_longer_counts_makes_no_letter(desk: Letters) -> None:
    address = f"/audit/letters/notice/{desk.entries['leave']}/"
    assert desk.manager.get(address).status_code == 404, "no incident"
    assert desk.manager.get(f"/audit/letters/notice/{uuid4()}/").status_code == 404
    assert desk.manager.get(f"/audit/letters/praise/{uuid4()}/").status_code == 403


def test_the_demos_letters_are_made_sent_and_received(desk: Letters) -> None:
    day = BookEntry.objects.get(kind=ComplaintDecided.kind).gaming_day
    for staff, office in ((DEMO_MANAGER, "chefia_da_sala"), (DEMO_INSPECTOR, "inspetor")):
        appoint(staff.number, office)
    add_job("demo-letters", f"demo-letters/{day}", {"day": day.isoformat()})
    do_jobs(topic="demo-letters")
    assert not Letter.objects.exists(), "they are being made"
    do_jobs(topic="report")
    desk.desk.sign()
    do_jobs(topic="report")
    do_jobs(topic="demo-letters")
    known = with_standing(Letter.objects.all()).order_by("letter")
    assert [(one.letter, one.arrived is not None) for one in known] == [
        ("complaint_answer", False),
        ("notice", True),
    ]
    assert set(ReportRequest.objects.values_list("state", flat=True)) == {"finished"}
