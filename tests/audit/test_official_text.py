"""The official text of a rulebook: brought, kept as it is, shown article by article."""

import re
from datetime import date, timedelta
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any, Final

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import translation
from django.utils.formats import date_format

from audit.retention.held_values import Keeping, values_of
from casino.house_day import gaming_day_now
from casino.importing import regulation_texts
from casino.law.text import text_comparison
from casino.law.text.text_file import TextFile
from casino.models import Attachment, BookEntry, RegulationText, WaitingFile
from tests.factories.findings import PEOPLE, client_of, people

pytestmark = [pytest.mark.django_db, pytest.mark.share]
FILE: Final = Path(__file__).parent.parent / "factories" / "regulations" / "pt.txt"
SPANISH: Final = FILE.with_name("es.txt")
CONTENT: Final = FILE.read_bytes()
PAGE: Final = "/law/pt/text/"


@pytest.fixture
def head() -> Client:
    people()
    return client_of("chefia_da_sala", "en")


def read(client: Client, content: bytes = CONTENT, **more: str) -> Any:
    """What was read of a file: the page before anything is kept."""
    return client.post(PAGE, {"file": SimpleUploadedFile("law.txt", content), **more})


def carried(page: str) -> dict[str, str]:
    return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page))


def bring(client: Client, content: bytes = CONTENT, **more: str) -> Any:
    """Read, then kept; the answer of what it came to."""
    answer = read(client, content, **more)
    if answer.status_code != 200:
        return answer
    return client.post(PAGE, carried(answer.content.decode()))


def plain(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def imported(file: Path, *options: str) -> str:
    out = StringIO()
    with translation.override("en"):
        call_command("import_regulation", str(file), "--rulebook", "pt", *options, stdout=out)
    return out.getvalue()


def test_a_text_is_kept_with_its_digest_and_shown_by_article(head: Client) -> None:
    assert bring(head, title="Portaria 7/2020", in_force="2020-01-01").status_code == 302
    row = RegulationText.objects.get()
    assert (row.rulebook, row.title, row.in_force) == ("pt", "Portaria 7/2020", date(2020, 1, 1))
    assert row.file_sha256 == sha256(CONTENT).hexdigest()
    assert bytes(Attachment.objects.get(pk=row.file_sha256).content or b"") == CONTENT
    for client in (head, client_of("inspetor", "en"), client_of("fiscal_de_banca", "en")):
        page = client.get(PAGE).content.decode()
        assert 'id="art_7__para_1__item_b"' in page
        assert "Pago a três por um;" in page
        assert "26 articles" in page
        assert "Every word of the file has its place." in page


def test_what_could_not_be_placed_stands_at_the_head(head: Client) -> None:
    doubled = CONTENT + "\nArtigo 3.º\n\nOutra vez baralhos.\n".encode()
    bring(head, doubled.replace("Artigo 12.º".encode(), b"Nada"))
    page = head.get(PAGE).content.decode()
    assert page.index("Outra vez baralhos.") < page.index('id="art_1"')
    assert "this number is missing: 12." in " ".join(page.split())


def test_an_article_shows_its_own_words_by_the_text_of_the_day(head: Client) -> None:
    bring(head, in_force="2020-01-01")
    changed = CONTENT.replace(b"40 vezes", b"25 vezes")
    bring(head, changed, in_force="2026-03-01")
    before = head.get("/law/pt/5/?day=2026-02-28").content.decode()
    assert "40 vezes o mínimo" in before
    after = head.get("/law/pt/5/?day=2026-03-01").content.decode()
    assert "25 vezes o mínimo" in after
    assert "vezes o mínimo" not in head.get("/law/pt/5/?day=2019-12-31").content.decode()


def test_the_same_text_again_changes_nothing(head: Client) -> None:
    bring(head)
    assert bring(head, title="Outro título").status_code == 302
    assert RegulationText.objects.count() == 1


def test_what_was_read_is_shown_before_it_is_kept(head: Client) -> None:
    page = plain(read(head, title="Portaria 7/2020", in_force="2020-01-01"))
    assert "<dd>Portuguese</dd>" in page
    assert "Nothing was stored yet." in page
    assert "25 of 61" in page
    assert "These articles of the rulebook are not in the text: 26–61." in page
    assert not BookEntry.objects.filter(kind=regulation_texts.KIND).exists()
    fields = carried(page)
    assert head.post(PAGE, fields).status_code == 302
    assert not WaitingFile.objects.exists()
    assert RegulationText.objects.get().title == "Portaria 7/2020"
    assert head.post(PAGE, fields).status_code == 302  # sent twice
    assert RegulationText.objects.count() == 1


def test_a_text_in_another_language_is_doubted(head: Client) -> None:
    doubt = "The text was read as Spanish, which is not this rulebook&#x27;s language."
    assert doubt in plain(read(head, SPANISH.read_bytes()))
    assert "not this rulebook" not in plain(read(head))
    spanish = {"file": SimpleUploadedFile("law.txt", SPANISH.read_bytes())}
    assert "not this rulebook" not in plain(head.post("/law/es/text/", spanish))


def test_a_file_that_waits_no_longer_is_asked_for_again(head: Client) -> None:
    fields = carried(plain(read(head, title="Acto")))
    WaitingFile.objects.all().delete()
    answer = head.post(PAGE, fields)
    assert answer.status_code == 400
    assert "The file sent before is no longer there: choose it again." in plain(answer)
    assert 'value="Acto"' in plain(answer)
    assert not RegulationText.objects.exists()


def test_numbers_where_the_house_has_another_are_named(head: Client) -> None:
    content = (
        "1 - Nada.\n\n2 - Joga-se a 6 ou 9 lugares.\n\n3 - Com 4 ou 8 baralhos de 52 cartas.\n"
    )
    assert "n.º 3: the text says 8; the house has 4 or 6" in plain(read(head, content.encode()))
    bring(head, content.encode())
    page = plain(head.get(PAGE))
    assert 'href="#art_3__para_1">n.º 3</a>: the text says 8; the house has 4 or 6' in page
    assert "the text says 9; the house has 6 or 7" in page
    assert "the text says 6" not in page
    article = plain(head.get("/law/pt/3/"))
    assert "The text says 8; the house has 4 or 6" in article
    assert "says 9" not in article


def test_each_text_says_whether_it_is_in_force(head: Client) -> None:
    today = gaming_day_now()
    tomorrow, before = today + timedelta(days=1), today - timedelta(days=9)
    bring(head)
    bring(head, CONTENT.replace(b"40 vezes", b"39 vezes"), in_force=str(before))
    bring(head, CONTENT.replace(b"40 vezes", b"38 vezes"), in_force=str(before))
    bring(head, CONTENT.replace(b"40 vezes", b"37 vezes"), in_force=str(today))
    bring(head, CONTENT.replace(b"40 vezes", b"36 vezes"), in_force=str(tomorrow))
    rows = list(regulation_texts.texts_of("pt"))
    states = [(one.state, one.day) for one in regulation_texts.standings(rows, today).values()]
    assert states == [
        ("later", tomorrow),
        ("in_force", None),
        ("replaced", today),
        ("replaced", today),
        ("replaced", before),
    ]
    with translation.override("en"):
        shown = {day: date_format(day, "SHORT_DATE_FORMAT") for day in (before, tomorrow)}
    page = plain(head.get(f"{PAGE}?text={rows[-1].pk}"))
    assert f"texto {rows[-1].file_sha256[:12]}: was replaced on {shown[before]}" in page
    page = plain(head.get(f"{PAGE}?text={rows[0].pk}"))
    title = f"Regras do blackjack/21, texto de {tomorrow:%d/%m/%Y}"
    assert f"{title}: will be in force from {shown[tomorrow]}" in page
    assert f"texto de {today:%d/%m/%Y}: is in force</p>" in plain(head.get(PAGE))


def test_what_changed_since_the_text_before_is_shown(head: Client) -> None:
    bring(head)
    nothing = plain(head.get(f"{PAGE}changes/"))
    assert "There are no two texts of this rulebook to compare" in nothing
    assert "What changed since" not in plain(head.get(PAGE))
    bring(head, CONTENT.replace(b"40 vezes", b"25 vezes"), title="Nova", in_force="2026-03-01")
    (before, after) = regulation_texts.texts_of("pt").reverse()
    assert f"changes/?text={after.pk}" in plain(head.get(PAGE))
    page = plain(head.get(f"{PAGE}changes/?text={after.pk}"))
    assert "1 article or section is not as it was" in page
    assert "<del>40</del> <ins>25</ins> vezes" in page
    assert "To be looked at" in page
    assert "checks</p>" in page
    back = plain(head.get(f"{PAGE}changes/?text={before.pk}&since={after.pk}"))
    assert "<del>25</del> <ins>40</ins> vezes" in back
    same = plain(head.get(f"{PAGE}changes/?text={after.pk}&since={after.pk}"))
    assert "Every article says what it said." in same
    assert head.get(f"{PAGE}changes/?text=no-such").status_code == 404


def test_a_change_still_to_come_is_shown_where_there_was_none_before(head: Client) -> None:
    bring(head)
    tomorrow = gaming_day_now() + timedelta(days=1)
    bring(head, CONTENT.replace(b"40 vezes", b"25 vezes"), in_force=str(tomorrow))
    later = bring(head, CONTENT.replace(b"40 vezes", b"24 vezes"), in_force="2099-01-01")
    assert later.status_code < 400
    assert "<del>40</del> <ins>25</ins> vezes" in plain(head.get(f"{PAGE}changes/"))
    bring(head, CONTENT.replace(b"40 vezes", b"41 vezes"), in_force="2026-03-01")
    assert "<del>40</del> <ins>41</ins> vezes" in plain(head.get(f"{PAGE}changes/"))


def test_a_text_that_was_replaced_in_error_is_put_back(head: Client, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.txt"
    wrong.write_bytes(CONTENT.replace(b"40 vezes", b"25 vezes"))
    day = date(2020, 1, 1)
    bring(head, in_force=str(day))
    imported(wrong, "--by", PEOPLE["chefia_da_sala"], "--in-force", str(day))
    bring(head, in_force=str(day))  # the page again
    assert _in_force(day) == sha256(CONTENT).hexdigest()
    assert "stored: entry" in imported(
        wrong, "--by", PEOPLE["chefia_da_sala"], "--in-force", str(day)
    )
    assert "stored: entry" in imported(
        FILE, "--by", PEOPLE["chefia_da_sala"], "--in-force", str(day)
    )
    assert _in_force(day) == sha256(CONTENT).hexdigest()
    bring(head, in_force=str(day))  # it is the last: nothing more
    assert RegulationText.objects.count() == 5


def _in_force(day: date) -> str:
    row = regulation_texts.in_force_on("pt", day)
    assert row is not None
    return row.file_sha256


@pytest.mark.parametrize(
    ("content", "more", "said"),
    [
        (b"Uma frase.\n", {}, "Nothing was stored. No article and no heading is recognised"),
        (b" \n", {}, "Nothing was stored. The file is empty."),
        (CONTENT + b" " * 2**20, {}, "The file is larger than 1 MB."),
        (
            b"%PDF-1.7\n",
            {"title": "Acto", "in_force": "2026-12-01"},
            "no plain text but a document",
        ),
        (b"Artigo 1\xba\n", {}, "is no UTF-8"),
        (CONTENT, {"in_force": "ontem"}, "asked is a day such as 2026-03-01"),
        (CONTENT, {"title": "x" * 81}, "asked is a text of 1 to 80 characters"),
    ],
)
def test_what_is_no_text_is_refused_and_nothing_stored(
    head: Client, content: bytes, more: dict[str, str], said: str
) -> None:
    answer = bring(head, content, **more)
    assert answer.status_code == 400
    assert said in plain(answer)
    assert f'name="title" maxlength="80" value="{more.get("title", "")}"' in plain(answer)
    assert f'name="in_force" value="{more.get("in_force", "")}"' in plain(answer)
    assert "at most 1 MB" in plain(answer)
    assert not BookEntry.objects.filter(kind=regulation_texts.KIND).exists()
    assert not Attachment.objects.filter(media_type="text/plain").exists()


@pytest.mark.parametrize("office", ["fiscal_de_banca", "fiscal_chefe", "auditor", "administrador"])
def test_who_reads_it_does_not_bring_it(office: str) -> None:
    people()
    client = client_of(office)
    assert "id_file" not in client.get(PAGE).content.decode()
    assert bring(client).status_code == 403
    assert not RegulationText.objects.exists()


def test_a_text_of_another_rulebook_is_not_found(head: Client) -> None:
    bring(head)
    row = RegulationText.objects.get()
    assert head.get(f"{PAGE}?text={row.pk}").status_code == 200
    assert head.get(f"/law/es/text/?text={row.pk}").status_code == 404
    assert head.get(f"{PAGE}?text=no-such").status_code == 404
    assert head.get("/law/xx/text/").status_code == 404


@pytest.mark.usefixtures("head")
def test_the_command_stores_it_and_says_what_it_has() -> None:
    staff = PEOPLE["chefia_da_sala"]
    first = imported(FILE, "--by", staff, "--in-force", "2020-01-01")
    assert "stored: entry" in first
    assert "26 articles" in first
    assert "stored already" in imported(FILE, "--by", staff, "--in-force", "2020-01-01")
    assert RegulationText.objects.get().staff == staff


@pytest.mark.usefixtures("head")
def test_the_command_checks_a_file_and_stores_nothing() -> None:
    checked = imported(SPANISH, "--check")
    assert "language: Spanish\nWARNING: that is not the language of this rulebook" in checked
    assert "5 articles\n3 sections\nWARNING: articles of the rulebook that are not in" in checked
    assert "language: Portuguese\n26 articles" in imported(FILE, "--check")
    assert not RegulationText.objects.exists()
    with pytest.raises(CommandError, match="--by is missing"):
        imported(FILE)
    with pytest.raises(CommandError, match="asked is a day as YYYY-MM-DD"):
        imported(FILE, "--check", "--in-force", "01/12/2026")


@pytest.mark.usefixtures("head")
@pytest.mark.parametrize(
    ("staff", "said"), [("S-9999", "holds no office"), (PEOPLE["auditor"], "is written by")]
)
def test_the_command_refuses_who_may_not(staff: str, said: str) -> None:
    with pytest.raises(CommandError, match=said):
        imported(FILE, "--by", staff)
    assert not RegulationText.objects.exists()


def test_nobody_erases_an_official_text(head: Client) -> None:
    bring(head)
    (value,) = values_of([RegulationText.objects.get().pk])
    kept = Keeping([value]).why(value, "recorded_in_error")
    assert kept is not None
    assert kept.why == "for_good"


def test_the_page_says_what_each_word_of_duty_is_bound_to(head: Client) -> None:
    content = (
        "1 - Nada.\n\n"
        "54 - O baralhador deve ser carregado com cuidado e deverá levar dois maços.\n\n"
        "58 - As cartas não devem ficar na mesa.\n"
    )
    assert "3 articles in which something disagrees" in plain(read(head, content.encode()))
    bring(head, content.encode())
    page = plain(head.get(PAGE))
    assert "<dt>Words that oblige, permit or forbid</dt><dd>3</dd>" in page
    assert 'check looks at</dt><dd>1: <a href="#art_54">n.º 54</a></dd>' in page
    assert (
        '<b lang="pt">deverá</b> obliges</dt>'
        "<dd>The shuffler is loaded in at least as many packets as the law asks.</dd>" in page
    )
    assert "No check looks at it: no record says with what care it was done" in page
    assert "2 words of duty (no check looks at 1) · 5 parameters" in page
    assert "«não devem» forbids; expected is a word that obliges. Somebody attests" in page
    assert "«não» is there 1 time; expected is 0" in page
    assert "A word that obliges is in the text no more" in page
    assert "18 parameters the text does not have" in page
    assert "By when something is done" in page


def test_the_page_says_what_nobody_bound_for_a_rulebook(
    head: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_comparison, "text_file", lambda *_asked: TextFile("es.toml"))
    spanish = {"file": SimpleUploadedFile("law.txt", SPANISH.read_bytes())}
    page = plain(head.post("/law/es/text/", spanish))
    assert "nobody bound them yet for this rulebook: numbers, words of duty, negations" in page
    assert "The numbers of this rulebook have not been bound to parameters yet." in page
    assert "the text says" not in page
