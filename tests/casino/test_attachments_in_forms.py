"""Files sent with a record's form: they survive a question, and are kept with the record alone."""

import re
from datetime import timedelta
from hashlib import sha256
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from casino import clock
from casino.events.event import EntryRef
from casino.events.incidents import IncidentReported
from casino.models import Attachment, BookEntry, WaitingFile
from casino.recording import Actor, File, Receipt, Source, record
from casino.recording.attached_files import LARGEST_FILE
from casino.recording.attaching import digests_in
from tests.casino.admin_forms import filled, key_in
from tests.factories.erasures import erased
from tests.factories.events.every import FULL
from tests.factories.people import appoint, somebody, write
from tests.factories.recorded import last_entry
from tests.factories.records import EVENING, HEAD, PARTIDA, PIT, burnt, recorded
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.share]
PNG = b"\x89PNG\r\n\x1a\n" + b"a picture of a card"
PDF = b"%PDF-1.7 a report"
KIND = "incident-reported/1"
ADD = "/admin/casino/incident/add/"
# The first of no partida: nothing is warned of. Of the second it is (PT art. 51).
PLAIN = IncidentReported(
    table="BJ-06", incident="IN-2026-0001", category="conduct", reason="noise", people=()
)
WARNED = IncidentReported(
    table="BJ-06",
    partida=PARTIDA,
    incident="IN-2026-0002",
    category="jam",
    reason="torn",
    people=(),
    shuffler="CSM-04",
    opened_at=EVENING,
    opened_by="P-104",
    opened_by_office="pagador",
)


def upload(content: bytes, name: str = "photo.png") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content, "text/html")  # whatever a browser says it is


def sent(event: Any, *files: bytes, **more: Any) -> dict[str, Any]:
    uploads = [upload(content, f"file-{n}") for n, content in enumerate(files)]
    return {**filled(event), "files": uploads, **more}


def waiting_in(answer: Any) -> list[str]:
    return re.findall(r'name="waiting_file" value="([0-9a-f-]+)"', answer.content.decode())


def files_of_last(kind: str = KIND) -> list[str]:
    return digests_in(last_entry(kind))


def digest(content: bytes) -> str:
    return sha256(content).hexdigest()


@recorded_once
def pit() -> Client:
    return somebody("fiscal_de_banca")


# -- Sent and kept ---------------------------------------------------------------------------------


def test_files_go_into_the_book_with_their_record(pit: Client) -> None:
    assert pit.post(ADD, sent(PLAIN, PNG, PDF)).status_code == 302
    assert files_of_last() == [digest(PNG), digest(PDF)]
    kept = Attachment.objects.get(pk=digest(PDF))
    assert (bytes(kept.content), kept.media_type) == (PDF, "application/pdf")
    assert not WaitingFile.objects.exists()


def test_a_record_without_files_says_nothing_of_them(pit: Client) -> None:
    assert pit.post(ADD, sent(PLAIN)).status_code == 302
    assert b"attachments" not in bytes(last_entry(KIND).entry)


def test_the_form_asks_for_files_where_a_record_may_have_some(pit: Client) -> None:
    assert b'type="file"' in pit.get(ADD).content
    assert b'enctype="multipart/form-data"' in pit.get(ADD).content
    assert b'type="file"' in pit.get("/admin/casino/incidentclosure/add/").content
    assert b'type="file"' in pit.get("/admin/casino/deckinspection/add/").content
    assert b'type="file"' not in pit.get("/admin/casino/burn/add/").content


def test_a_file_sent_to_a_form_that_takes_none_is_not_kept(pit: Client) -> None:
    url = "/admin/casino/duty/add/?kind=duty-begun"
    assert somebody("chefia_da_sala").post(url, sent(FULL["duty-begun/1"], PNG)).status_code == 302
    assert not Attachment.objects.exists()
    assert not WaitingFile.objects.exists()


# -- A question in between -------------------------------------------------------------------------


def test_files_survive_a_warning(pit: Client) -> None:
    write(FULL["partida-opened/1"], by=PIT, at=EVENING)
    first = pit.post(ADD, sent(WARNED, PNG, PDF))
    assert first.status_code == 200
    assert not Attachment.objects.exists()
    assert len(waiting_in(first)) == 2
    checks = re.findall(r'name="despite-([a-z0-9_]+)"', first.content.decode())
    assert checks
    again = sent(WARNED, waiting_file=waiting_in(first)) | {
        f"despite-{check}": "it-happened-so" for check in checks
    }
    assert pit.post(ADD, again | {"key": str(key_in(first))}).status_code == 302
    assert files_of_last() == [digest(PNG), digest(PDF)]
    assert not WaitingFile.objects.exists()


def test_files_survive_what_was_mistyped_and_more_rows(pit: Client) -> None:
    wrong = pit.post(ADD, sent(PLAIN, PNG, incident="no number at all"))
    assert wrong.status_code == 200
    rows = pit.post(ADD, sent(PLAIN, PDF, waiting_file=waiting_in(wrong), more_rows="people"))
    assert len(waiting_in(rows)) == 2
    assert pit.post(ADD, sent(PLAIN, waiting_file=waiting_in(rows))).status_code == 302
    assert files_of_last() == [digest(PNG), digest(PDF)]


def test_one_that_waits_can_be_left_out(pit: Client) -> None:
    wrong = pit.post(ADD, sent(PLAIN, PNG, PDF, incident="no number at all"))
    waiting = waiting_in(wrong)
    last = sent(PLAIN, waiting_file=waiting, dropped_file=[waiting[0]])
    assert pit.post(ADD, last).status_code == 302
    assert files_of_last() == [digest(PDF)]


def test_the_same_form_sent_twice_is_one_record(pit: Client) -> None:
    wrong = pit.post(ADD, sent(PLAIN, PNG, incident="no number at all"))
    form = sent(PLAIN, waiting_file=waiting_in(wrong))
    assert pit.post(ADD, form).status_code == 302
    answer = pit.post(ADD, form, follow=True)  # the other click of a double click
    assert BookEntry.objects.filter(kind=KIND).count() == 1
    assert "Already recorded" in answer.content.decode()


def test_nobody_takes_what_another_sent(pit: Client) -> None:
    wrong = pit.post(ADD, sent(PLAIN, PNG, incident="no number at all"))
    other = somebody("fiscal_chefe")
    answer = other.post(ADD, sent(PLAIN, waiting_file=waiting_in(wrong)))
    assert answer.status_code == 200
    assert "no longer there" in answer.content.decode()
    assert not BookEntry.objects.filter(kind=KIND).exists()
    assert other.post(ADD, sent(PLAIN, waiting_file=["nothing", "0"])).status_code == 302
    assert files_of_last() == []


def test_what_nobody_recorded_is_forgotten_within_a_day(
    pit: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    pit.post(ADD, sent(PLAIN, PNG, incident="no number at all"))
    sent_at = WaitingFile.objects.get().sent_at
    monkeypatch.setattr(clock, "now", lambda: sent_at + timedelta(hours=23))
    pit.post(ADD, sent(PLAIN, PDF, incident="no number at all"))
    assert WaitingFile.objects.count() == 2
    monkeypatch.setattr(clock, "now", lambda: sent_at + timedelta(hours=25))
    pit.post(ADD, sent(PLAIN, PDF + b"!", incident="no number at all"))
    assert WaitingFile.objects.count() == 2


def test_nobody_fills_the_waiting_room(pit: Client) -> None:
    for n in range(8):
        pit.post(ADD, sent(PLAIN, *(PNG + bytes([n, m]) for m in range(4)), incident="wrong !"))
    assert WaitingFile.objects.count() == 20


# -- What is not taken -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"MZ\x90\x00\x03", "asked is a PDF"),
        (b"<html><script>", "asked is a PDF"),
        (b"", "empty"),
        (b"%PDF-" + b"a" * LARGEST_FILE, "larger than 8 MB"),
    ],
    ids=["program", "page", "empty", "large"],
)
def test_what_is_not_taken_is_said_and_nothing_is_recorded(
    pit: Client, content: bytes, why: str
) -> None:
    answer = pit.post(ADD, sent(PLAIN, PNG, content))
    assert answer.status_code == 200
    page = answer.content.decode()
    assert f"file-1: {why}" in page or f"file-1: the file is {why}" in page
    assert not BookEntry.objects.filter(kind=KIND).exists()
    assert len(waiting_in(answer)) == 1  # the good one waits
    assert pit.post(ADD, sent(PLAIN, waiting_file=waiting_in(answer))).status_code == 302
    assert files_of_last() == [digest(PNG)]


def test_five_files_are_taken_and_six_are_not(pit: Client) -> None:
    many = [PNG + bytes([n]) for n in range(6)]
    six = pit.post(ADD, sent(PLAIN, *many))
    assert six.status_code == 200
    assert len(waiting_in(six)) == 5
    assert "at most 5 files" in six.content.decode()
    assert pit.post(ADD, sent(PLAIN, waiting_file=waiting_in(six))).status_code == 302
    assert len(files_of_last()) == 5


def test_a_files_name_cannot_break_the_page(pit: Client) -> None:
    form = filled(PLAIN, incident="no number at all")
    answer = pit.post(ADD, {**form, "files": [upload(PNG, "<b>\x07x</b>.png")]})
    page = answer.content.decode()
    assert "<b>" not in page
    assert "\x07" not in page
    assert len(waiting_in(answer)) == 1


def recorded_with(event: Any, *, by: Actor) -> Receipt:
    return record(
        event, key=uuid4(), by=by, occurred_at=EVENING, source=Source(), files=(File(PNG),)
    )


# -- On the entry's page ---------------------------------------------------------------------------


def with_file(client: Client) -> BookEntry:
    assert client.post(ADD, sent(PLAIN, PNG, PDF)).status_code == 302
    return last_entry(KIND)


def page_of(entry: BookEntry) -> str:
    return reverse("admin:casino_incident_change", args=[entry.pk])


def test_an_entry_shows_its_files_and_hands_them_out(pit: Client) -> None:
    entry = with_file(pit)
    page = pit.get(page_of(entry)).content.decode()
    for content in (PNG, PDF):
        assert digest(content) in page
        answer = pit.get(f"{page_of(entry)}files/{digest(content)}/")
        assert answer.status_code == 200
        assert answer.content == content
    assert answer["Content-Type"] == "application/pdf"
    assert answer["Content-Disposition"] == 'attachment; filename="table-BJ-06-1-2.pdf"'
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in answer["Content-Security-Policy"]
    assert "no-store" in answer["Cache-Control"]


SCRIPT = b"<html><script>alert(1)</script></html>"


@pytest.mark.parametrize(
    ("content", "kind", "end"),
    [
        (PNG + SCRIPT, "image/png", "png"),
        (b"\xff\xd8\xff\xe0" + SCRIPT, "image/jpeg", "jpg"),
        (b"%PDF-1.7\n1 0 obj <</S/JavaScript/JS(app.alert(1))>>", "application/pdf", "pdf"),
        (b"x " + SCRIPT, "text/plain", "txt"),
    ],
)
def test_what_is_two_kinds_of_file_at_once_is_run_nowhere(
    pit: Client, content: bytes, kind: str, end: str
) -> None:
    sends = sent(PLAIN) | {"files": [upload(content, "evil.html")]}
    assert pit.post(ADD, sends).status_code == 302
    entry = last_entry(KIND)
    answer = pit.get(f"{page_of(entry)}files/{digest(content)}/")
    assert (answer.content, answer["Content-Type"].partition(";")[0]) == (content, kind)
    assert re.fullmatch(rf'attachment; filename="[\w-]+\.{end}"', answer["Content-Disposition"])
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Security-Policy"].startswith("sandbox; default-src 'none'")
    assert "evil" not in pit.get(page_of(entry)).content.decode()


def test_an_inspector_gets_them_and_a_colleague_does_not(pit: Client) -> None:
    entry = with_file(pit)
    address = f"{page_of(entry)}files/{digest(PNG)}/"
    assert somebody("inspetor").get(address).status_code == 200
    assert somebody("fiscal_de_banca", "S-0188").get(address).status_code == 403
    assert somebody("administrador").get(address).status_code == 403
    assert Client().get(address).status_code == 302


def test_only_a_file_of_that_entry_is_handed_out_there(pit: Client) -> None:
    entry = with_file(pit)
    bare = recorded(burnt())
    for wrong in (
        f"{page_of(entry)}files/{'ab' * 32}/",
        f"{page_of(entry)}files/x/",
        f"/admin/casino/burn/{bare.entry_id}/files/{digest(PNG)}/",
    ):
        assert pit.get(wrong).status_code == 404


def test_erased_it_says_so_and_hands_out_nothing(pit: Client) -> None:
    entry = with_file(pit)
    ref = EntryRef(stream=entry.stream.name, n=entry.n, leaf=bytes(entry.leaf_hash).hex())
    erased(ref, "attachments")
    page = pit.get(page_of(entry)).content.decode()
    assert page.count("erased") >= 2
    assert digest(PNG) in page
    assert pit.get(f"{page_of(entry)}files/{digest(PNG)}/").status_code == 404


def test_erased_of_one_entry_it_is_handed_out_of_the_other_alone(pit: Client) -> None:
    first, second = with_file(pit), with_file(pit)
    ref = EntryRef(stream=first.stream.name, n=first.n, leaf=bytes(first.leaf_hash).hex())
    erased(ref, "attachments")
    assert pit.get(f"{page_of(first)}files/{digest(PNG)}/").status_code == 404
    assert "files/" not in pit.get(page_of(first)).content.decode()
    assert pit.get(f"{page_of(second)}files/{digest(PNG)}/").status_code == 200


def test_of_a_colleagues_record_in_ones_own_game_the_files_are_not_shown(pit: Client) -> None:
    write(FULL["partida-opened/1"], by=PIT, at=EVENING)  # S-0187 answers for it
    about = IncidentReported(
        table="BJ-06",
        partida=PARTIDA,
        incident="IN-7",
        category="conduct",
        reason="noise",
        people=(),
    )
    receipt = recorded_with(about, by=HEAD)
    entry = BookEntry.objects.get(pk=receipt.entry_id)
    page = pit.get(page_of(entry))
    assert page.status_code == 200
    assert digest(PNG) in page.content.decode()
    assert "not shown" in page.content.decode()
    assert pit.get(f"{page_of(entry)}files/{digest(PNG)}/").status_code == 403
    assert somebody("fiscal_chefe").get(f"{page_of(entry)}files/{digest(PNG)}/").status_code == 200


def test_a_correction_takes_the_files_over_and_more_may_come(pit: Client) -> None:
    entry = with_file(pit)
    url = reverse("admin:casino_incident_correct", args=[entry.pk])
    assert b"2 files of the original" in pit.get(url).content
    corrected = sent(PLAIN, PNG + b"2", reason="other", correction_reason="typing-error")
    answer = pit.post(url, corrected)
    assert answer.status_code == 302, answer.context["form"].errors
    assert files_of_last() == [digest(PNG), digest(PDF), digest(PNG + b"2")]


def test_a_correction_takes_over_no_file_that_was_erased(pit: Client) -> None:
    entry = with_file(pit)
    ref = EntryRef(stream=entry.stream.name, n=entry.n, leaf=bytes(entry.leaf_hash).hex())
    erased(ref, "attachments")
    url = reverse("admin:casino_incident_correct", args=[entry.pk])
    corrected = sent(PLAIN, reason="other", correction_reason="typing-error")
    assert pit.post(url, corrected).status_code == 302
    assert files_of_last() == []


def test_pages_with_files_ask_few_questions(
    pit: Client, django_assert_max_num_queries: Any
) -> None:
    entry = with_file(pit)
    appoint("S-0999", "fiscal_chefe")
    with django_assert_max_num_queries(14):  # whose table it is now, and what was found of it
        pit.get(page_of(entry))
    with django_assert_max_num_queries(12):
        pit.get(f"{page_of(entry)}files/{digest(PNG)}/")
