"""What no hand on a tablet would send, at every address of the floor: never a crash, never a record
of what was not meant, always a page that says why.
"""

import re
from typing import Final
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from casino.floor.floor_urls import urlpatterns
from casino.models import BookEntry, LoginTry
from tests.bench import floor_book
from tests.casino.junk import JUNK, STRANGE, fields_of, post, raw, says_something, some, undone
from tests.casino.sala_forms import form_on
from tests.factories.open_house import MACHINE, SHOE, STAFF, Screens, a_house, everybody, names
from tests.factories.people import PASSWORD, somebody
from tests.gate import SOAK, STORIES, drawn, in_turn
from tests.stages import recorded_once

pytestmark = [pytest.mark.share, pytest.mark.django_db, pytest.mark.usefixtures("english")]
# Of these each field gets one alone, the others being as the page gives them.
WORST: Final = ("a number in disguise", "nul", "half a character", "huge")
READS: Final = frozenset(
    {"floor", "table", "entry", "todo", "summary", "complaint_read", "complaint_slip", "label"}
    | {"board", "board_now", "sheets", "articles", "components"}
)
POSTED: Final = (  # no screens
    "enter", "leave", "lock", "take_back", "take_back_duty", "factor", "theme",
)  # fmt: skip
ANSWERS: Final = [name for name in names() if name not in {*READS, *POSTED}]
OF_A_TABLE: Final = [
    str(pattern.name) for pattern in urlpatterns if "<code:table>" in str(pattern.pattern)
]
# A wrong secret is recorded as what it is.
TRIES: Final = {"witness": "witness-failed/1"}


def recorded_of(name: str) -> int:
    """How much the book holds, but for what a wrong secret leaves there."""
    return BookEntry.objects.exclude(kind=TRIES.get(name, "")).count()


@recorded_once
def screens() -> Screens:
    return a_house()


@recorded_once
def client() -> Client:
    """A browser of one who may open them all."""
    return everybody()


@pytest.mark.check
def test_junk_in_every_field_at_once_stores_nothing(screens: Screens, client: Client) -> None:
    for name, junk in some(ANSWERS, JUNK).items():
        page, before = client.get(screens[name]), recorded_of(name)
        own, fields = form_on(page), fields_of(page)
        for what in junk:
            with undone():
                answer = post(client, screens[name], own | dict.fromkeys(fields, JUNK[what]))
                assert answer.status_code < 500, (name, what)
                assert answer.status_code != 303, (name, what)
                assert recorded_of(name) == before, (name, what)
                assert says_something(answer), (name, what)
                assert "<script>alert" not in answer.content.decode(), (name, what)


@in_turn("junk", STORIES)
def test_junk_in_one_field_is_a_record_or_a_word_about_it(screens: Screens, client: Client) -> None:
    for name in ANSWERS:
        page, before = client.get(screens[name]), recorded_of(name)
        own = form_on(page)
        # `make soak` tries all in each field, `make check` one in each, `make test` one in five
        # fields of a page.
        for number, field in drawn(enumerate(fields_of(page)), 5):
            for what in WORST if SOAK else [WORST[number % len(WORST)]]:
                with undone():
                    sent = own | {"key": str(uuid4()), field: JUNK[what]}
                    answer = post(client, screens[name], sent)
                    assert answer.status_code < 500, (name, field, what)
                    if answer.status_code != 303:
                        assert recorded_of(name) == before, (name, field, what)
                        assert says_something(answer), (name, field, what)


def test_an_empty_form_and_what_is_no_form_store_nothing(screens: Screens, client: Client) -> None:
    before = recorded_of("")
    form = "application/x-www-form-urlencoded"
    tries: list[tuple[bytes, str]] = [
        (b"", form),
        (b"key=" + str(uuid4()).encode(), form),
        (b"key=%00", form),
        (b"=&=&&&%", form),
        (b"\xff\xfe\x00", form),
        (b'{"key": 1}', "application/json"),
        (b"--x\r\nContent-Disposition: nothing", "multipart/form-data; boundary=x"),
        (b"", "multipart/form-data"),
        (b"a=" + b"1" * 3_000_000, form),
        (b"&".join(b"f%d=1" % number for number in range(1_500)), form),
    ]
    numbers = [str(number) for number in range(len(tries))]
    for name, some_of in some([*ANSWERS, *POSTED], numbers).items():
        for body, kind in [tries[int(number)] for number in some_of]:
            answer = client.post(screens[name], body, content_type=kind)
            assert answer.status_code < 500, (name, body[:40])
        assert recorded_of("") == before, name


def test_the_fields_of_the_form_itself_are_believed_no_more(
    screens: Screens, client: Client
) -> None:
    url = screens["cut"]
    sent = form_on(client.get(url))
    before = recorded_of("")
    for own, junk in some(("key", "seen", "at", "who", "over", "despite-all"), JUNK).items():
        for what in junk:
            with undone():
                answer = post(client, url, sent | {own: JUNK[what]})
                assert answer.status_code < 500, (own, what)
                stored = recorded_of("") > before
                assert stored == (answer.status_code == 303), (own, what)
    with undone():
        assert post(client, url, sent | {"who": "S-0001"}).status_code == 200
        assert recorded_of("") == before


def test_the_key_of_anothers_form_stores_nothing_again(screens: Screens, client: Client) -> None:
    sent = form_on(client.get(screens["cut"]))
    answer = client.post(screens["cut"], sent)
    while answer.status_code == 200:
        answer = client.post(screens["cut"], form_on(answer) | {"despite-all": "it-happened-so"})
    other = somebody("fiscal_de_banca", floor_book.pit_of(MACHINE))
    before = recorded_of("")
    for name in ("load", "complaint", "order", "close"):
        page = form_on(other.get(screens[name]))
        answer = other.post(screens[name], page | {"key": sent["key"]})
        assert answer.status_code < 500, name
        assert recorded_of("") == before, name


@pytest.mark.parametrize("office", ["fiscal_de_banca", "fiscal_chefe"])
def test_tables_nobody_has_are_not_made_by_asking(office: str, screens: Screens) -> None:
    client = somebody(office, "S-0778")
    before = recorded_of("")
    for name, some_of in some(OF_A_TABLE, STRANGE).items():
        for strange in some_of:
            url = re.sub(f"/({SHOE}|{MACHINE}|BJ-03|BJ-04)/", f"/{strange}/", screens[name])
            sent = {"key": str(uuid4()), "reason": "x"}
            for answer in (client.get(url), post(client, url, sent)):
                assert answer.status_code in (200, 400, 403, 404, 405, 409), (name, strange)
        assert recorded_of("") == before, name


@pytest.mark.parametrize("screen", ["incident_steps", "incident_close", "witness", "correct"])
def test_incidents_and_entries_nobody_knows(screen: str, client: Client) -> None:
    numbers = (
        [uuid4()] if screen in ("witness", "correct") else ["IN-0", "%00", "%3Ci%3E", "1" * 99]
    )
    for number in numbers:
        args = [uuid4()] if screen in ("witness", "correct") else [MACHINE, "NUMBER"]
        url = reverse(f"sala:{screen}", args=args).replace("NUMBER", str(number))
        for answer in (client.get(url), client.post(url, {"key": str(uuid4())})):
            assert answer.status_code == 404, number


def test_a_strange_question_in_the_address_is_answered(screens: Screens, client: Client) -> None:
    asked = (
        "seats", "refused", "cut", "shoe", "players", "from_end", "category", "deck", "recorded",
        "again", "mine", "confirm", "anew", "letters", "round", "seat", "bad", "decks",
    )  # fmt: skip
    for name, some_of in some([*ANSWERS, *sorted(READS)], ("markup", *WORST), 1).items():
        address = screens[name].partition("?")[0]
        for what in some_of:
            query = raw(dict.fromkeys(asked, JUNK[what][:4_000])).decode()
            answer = client.get(f"{address}?{query}")
            assert answer.status_code in (200, 404), (name, what)
            assert "<script>alert" not in answer.content.decode(), (name, what)


def test_the_entrance_bears_junk_and_stores_no_try_without_end(screens: Screens) -> None:
    client = Client(headers={"accept-language": "en"})
    before = recorded_of("")
    for what, value in JUNK.items():
        sent = dict.fromkeys(("enter-number", "enter-secret", "enter-onward"), value)
        answer = post(client, screens["enter"], sent | {"key": value, "packets": value})
        assert answer.status_code in (403, 413, 429), what
        assert "<script>alert" not in answer.content.decode(), what
    for onward in ("//evil.example/", "https://evil.example/sala/", "javascript:1", "/admin/"):
        sent = {"enter-number": STAFF, "enter-secret": PASSWORD, "enter-onward": onward}
        answer = post(Client(REMOTE_ADDR="192.0.2.9"), screens["enter"], sent)
        assert answer.status_code in (302, 403, 429), onward
        assert answer.get("Location", "/sala/").startswith("/sala/"), onward
    assert recorded_of("") == before
    assert LoginTry.objects.count() < 4 * 40  # by four limits each


def test_markup_in_a_note_comes_back_as_text(screens: Screens, client: Client) -> None:
    url = screens["incident"]
    note = '<b onmouseover="alert(1)">ção</b> & \u201cx\u201d'
    sent = form_on(client.get(url)) | {"reason": "carta_presa", "text": note}
    answer = client.post(url, sent)
    while answer.status_code == 200:
        answer = client.post(url, form_on(answer) | {"despite-all": "it-happened-so"})
    assert answer.status_code == 303
    entry = BookEntry.objects.filter(kind="incident-reported/1").latest("pk")
    shown = client.get(reverse("sala:correct", args=[entry.pk])).content.decode()
    assert "&lt;b onmouseover=&quot;alert(1)&quot;&gt;ção&lt;/b&gt; &amp;" in shown
    for page in (answer["Location"], screens["floor"], reverse("sala:table", args=[MACHINE])):
        assert "<b onmouseover" not in client.get(page).content.decode(), page
    assert "<b onmouseover" not in shown
