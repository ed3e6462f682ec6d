"""Photographs taken on the floor: in the book with their act, and none is lost without a word."""

import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from casino.models import Attachment, BookEntry, WaitingFile
from casino.recording.attaching import digests_in
from casino.web.forms.uploads import NOT_KEPT
from tests.casino.sala_forms import address, checks_warned, errors_on, fill, form_on, over_it, send
from tests.factories.people import PASSWORD, somebody
from tests.factories.pictures import NOTED, jpeg, png
from tests.factories.recorded import last_entry
from tests.factories.tables import TABLE, a_load, a_table, chefe_on_duty
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
INCIDENT = "incident-reported/1"
PICTURE = jpeg(*NOTED)


@recorded_once
def pit() -> Client:
    chefe_on_duty()
    return somebody("fiscal_de_banca")


def shots(*contents: bytes, name: str = "card.jpg") -> list[SimpleUploadedFile]:
    return [SimpleUploadedFile(name, content, "image/jpeg") for content in contents]


def at(category: str = "conduct") -> str:
    return f"{address('incident')}?category={category}"


def waiting_on(answer: Any) -> list[str]:
    return re.findall(r'name="waiting_file" value="([0-9a-f-]+)"', answer.content.decode())


def kept_of(entry: BookEntry) -> list[bytes]:
    return [bytes(Attachment.objects.get(pk=one).content or b"") for one in digests_in(entry)]


def test_it_goes_into_the_book_with_its_incident_and_stands_on_its_page(pit: Client) -> None:
    a_table()
    answer = send(pit, at(), reason="ameaca", files=shots(PICTURE, png()))
    assert answer.status_code == 303, errors_on(answer)
    entry = last_entry(INCIDENT)
    assert kept_of(entry) == [jpeg(), png()]
    assert not WaitingFile.objects.exists()
    page = pit.get(reverse("sala:entry", args=[entry.pk])).content.decode()
    shown = re.findall(r'<img src="([^"]+)"', page)
    assert len(shown) == 2
    served = pit.get(shown[0])
    assert (served.content, served["Content-Type"]) == (jpeg(), "image/jpeg")
    assert served["X-Content-Type-Options"] == "nosniff"
    assert served["Content-Security-Policy"].startswith("sandbox; default-src 'none'")
    seen = somebody("inspetor").get(reverse("admin:casino_incident_change", args=[entry.pk]))
    assert len(re.findall(r'<img src="([^"]+files/[^"]+)"', seen.content.decode())) == 2


def test_a_colleague_reads_that_there_is_one_and_does_not_see_it(pit: Client) -> None:
    a_table()
    chefe = somebody("fiscal_chefe", "S-0021")
    assert send(chefe, at(), reason="ameaca", files=shots(PICTURE)).status_code == 303
    entry = last_entry(INCIDENT)
    page = pit.get(reverse("sala:entry", args=[entry.pk])).content.decode()
    assert "<img" not in page
    assert digests_in(entry)[0][:16] in page


def test_at_an_exhibition_it_shows_the_deck_that_was_not_as_it_should_be(pit: Client) -> None:
    a_table()
    url = address("exhibit")
    results = {f"result-{n}": "conform" for n in range(6)}
    results["result-1"] = "damaged"
    answer = send(pit, url, **results, files=shots(PICTURE))
    if answer.status_code == 200:
        answer = over_it(pit, url, answer)
    assert answer.status_code == 303, errors_on(answer)
    rows = BookEntry.objects.filter(kind="deck-inspected/1").order_by("n")
    assert [bool(digests_in(one)) for one in rows][-6:] == [n == 1 for n in range(6)]


def test_a_warning_keeps_it(pit: Client) -> None:
    a_load(a_table())
    answer = send(pit, at("jam"), reason="carta_presa")
    assert answer.status_code == 303
    number = re.search(r"incident/([^/]+)/", answer["Location"])  # closed unsolved: PT art. 51
    assert number is not None
    close = address("incident_close", TABLE, number[1])
    warned = send(pit, close, reason="resolvido", files=shots(PICTURE))
    assert checks_warned(warned)
    assert not Attachment.objects.exists()
    assert "Photograph" in warned.content.decode()
    answer = over_it(pit, close, warned)
    assert answer.status_code == 303, errors_on(answer)
    assert kept_of(last_entry("incident-closed/1")) == [jpeg()]


def test_a_refused_form_keeps_it_and_it_can_be_left_out(pit: Client) -> None:
    a_table()
    wrong = send(pit, at(), files=shots(PICTURE, png()))  # no reason
    assert "reason" in errors_on(wrong)
    first, second = waiting_on(wrong)
    again = form_on(wrong) | {"waiting_file": [first, second], "dropped_file": first}
    assert pit.post(at(), again | {"reason": "ameaca"}).status_code == 303
    assert kept_of(last_entry(INCIDENT)) == [png()]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"a text", "this is no photograph"),
        (PICTURE[:-30], "take it again"),
        (PICTURE + bytes(9 * 2**20), "larger than 8 MB"),
    ],
)
def test_what_is_none_is_refused_and_the_good_one_waits(
    pit: Client, content: bytes, words: str
) -> None:
    a_table()
    answer = send(pit, at(), reason="ameaca", files=shots(content, png()))
    assert words in answer.content.decode()
    assert not BookEntry.objects.filter(kind=INCIDENT).exists()
    assert len(waiting_on(answer)) == 1
    assert pit.post(at(), form_on(answer) | {"reason": "ameaca"}).status_code == 303
    assert kept_of(last_entry(INCIDENT)) == [png()]


def test_five_are_taken_and_of_six_one_is_said_to_be_left_out(pit: Client) -> None:
    a_table()
    many = [jpeg(scan=bytes([n, n])) for n in range(1, 7)]
    six = send(pit, at(), reason="ameaca", files=shots(*many))
    assert "at most 5 files" in six.content.decode()
    assert len(waiting_on(six)) == 5
    assert 'type="file"' not in six.content.decode()
    again = form_on(six) | {"waiting_file": waiting_on(six), "reason": "ameaca"}
    assert pit.post(at(), again).status_code == 303
    assert kept_of(last_entry(INCIDENT)) == many[:5]


def test_sent_twice_it_is_one_record(pit: Client) -> None:
    a_table()
    form = fill(pit, at(), reason="ameaca")
    for _ in range(2):
        assert pit.post(at(), form | {"files": shots(PICTURE)}).status_code == 303
    assert BookEntry.objects.filter(kind=INCIDENT).count() == 1
    assert not WaitingFile.objects.exists()


def test_after_the_session_ended_the_page_says_that_it_is_taken_again(pit: Client) -> None:
    a_table()
    late = somebody("fiscal_chefe", "S-0021", with_password=True)
    form = fill(late, at(), reason="ameaca")
    late.logout()
    asked = late.post(at(), form | {"files": shots(PICTURE)})
    assert asked.status_code == 403
    assert "did not come along" in asked.content.decode()
    sent = re.findall(
        r'<input type="hidden" name="([^"]+)" value="([^"]*)"', asked.content.decode()
    )
    assert ("waiting_file", NOT_KEPT) in sent
    fields = {name: value for name, value in sent if name != "csrfmiddlewaretoken"}
    entered = late.post(
        reverse("sala:enter"), fields | {"enter-number": "S-0021", "enter-secret": PASSWORD}
    )
    assert "take them again, or record without" in entered.content.decode()
    assert not BookEntry.objects.filter(kind=INCIDENT).exists()
    again = form_on(entered) | {"reason": "ameaca", "files": shots(PICTURE)}
    assert late.post(at(), again).status_code == 303
    assert kept_of(last_entry(INCIDENT)) == [jpeg()]
