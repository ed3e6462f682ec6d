"""The manual says what the product says: its buttons, articles and pictures are there."""

import io
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import pypdf
import pytest
from babel.messages.pofile import read_po

from audit.manual.manual_pdf import pdf_of
from audit.manual.manual_texts import (
    HERE,
    MANUALS,
    PICTURES,
    SCREENS,
    Block,
    Manual,
    blocks_of,
    chapter_about,
    markdown_of,
    parsed,
    pictures_named,
)
from casino.floor import floor_urls
from casino.law.rulebook.rulebook_file import load_law
from jackpot.floor import jackpot_floor_urls
from tests.factories.findings import PEOPLE, client_of, people
from tests.gate import ROOT, drawn

LARGEST, ALL = 60_000, 2_000_000  # bytes of a picture, of all of them
NAMED: Final = {"pt": re.compile(r"«([^»]+)»"), "en": re.compile(r"“([^”]+)”")}
ARTICLES: Final = re.compile(r"n\.º (\d+)")
GAP: Final = re.compile(r"%\(\w+\)s|\{\w+\}")
LETTERS: Final = 12  # at least, around a gap: else every word would be such a label
# What is no screen, or is shown before anybody is known.
NOT_IN_IT: Final = {
    *("sala:enter", "sala:leave", "sala:change", "sala:lock", "sala:components", "sala:theme"),
    "sala:board_now",
}
VALUE: Final = r"\S+(?: \S+)?"  # what a page shows in a gap


def plain(text: str) -> str:
    """Without what a page adds to a label or leaves out: capitals, a full stop, a colon."""
    return " ".join(text.split()).casefold().rstrip(".:")


class Labels:
    """What the product's pages say in a language, with a gap where they show a value."""

    def __init__(self, language: str) -> None:
        with (ROOT / "locale/pt_PT/LC_MESSAGES/django.po").open("rb") as file:
            said = {
                text for message in read_po(file) if message.id for text in texts(message, language)
            }
        self._exact = {plain(text) for text in said}
        self._gaps = [
            re.compile(VALUE.join(map(re.escape, pieces)))
            for text in said
            if len(pieces := GAP.split(plain(text))) > 1 and sum(map(len, pieces)) >= LETTERS
        ]

    def has(self, label: str) -> bool:
        text = plain(label)
        return text in self._exact or any(gap.fullmatch(text) for gap in self._gaps)


@cache
def labels_in(language: str) -> Labels:
    return Labels(language)


def texts(message: Any, language: str) -> Iterator[str]:
    """A message's texts, one and many, as they stand in code or in Portuguese."""
    found = message.id if language == "en" else message.string
    yield from [found] if isinstance(found, str) else found


@pytest.mark.parametrize("language", ["pt", "en"])
def test_every_label_it_names_stands_on_a_page(language: str) -> None:
    labels = labels_in(language)
    named = {
        (one.name, label)
        for one in MANUALS
        if one.language == language
        for label in NAMED[language].findall(markdown_of(one))
    }
    assert len(named) > 10
    assert {each for each in named if not labels.has(each[1])} == set()


def test_a_label_no_page_bears_is_noticed() -> None:
    labels = labels_in("pt")
    assert labels.has("Registar o carregamento")
    assert labels.has("O lugar 5 recusou")
    assert not labels.has("Registar o carregamento agora")
    assert not labels.has("O lugar 5 aceitou")


def test_every_article_it_cites_is_in_the_rulebook() -> None:
    text = "\n".join(markdown_of(one) for one in MANUALS)
    cited = set(ARTICLES.findall(text))
    assert len(cited) > 30
    assert cited <= set(load_law("pt").articles)


def test_every_picture_is_there_small_and_shown() -> None:
    files = {path.stem: path.stat().st_size for path in PICTURES.glob("*.jpg")}
    assert set(files) == set(pictures_named())
    assert {name: size for name, size in files.items() if size > LARGEST} == {}
    assert sum(files.values()) <= ALL


def test_every_office_has_one_and_every_chapter_a_reader() -> None:
    own = [office for one in MANUALS if not one.is_guide for office in one.offices]
    assert sorted(own) == sorted(PEOPLE)
    read = {Path(one.language) / f"{name}.md" for one in MANUALS for name in one.chapters}
    assert read == {path.relative_to(HERE) for path in HERE.rglob("*.md")}


@pytest.mark.parametrize("manual", MANUALS, ids=lambda one: one.name)
def test_its_headings_have_places_of_their_own(manual: Manual) -> None:
    headings = [block for block in blocks_of(manual.name) if block["kind"] == "heading"]
    named = [one["anchor"] for one in parsed(markdown_of(manual)) if one.get("level") == 2]
    assert [one["anchor"] for one in headings if one["level"] == 2] == named != []
    anchors = [block["anchor"] for block in headings]
    assert len(anchors) == len(set(anchors))
    assert headings[0]["level"] == 2


def test_markup_in_a_text_is_text_and_what_no_page_shows_is_refused() -> None:
    (block,) = parsed("<script>alert(1)</script>")
    assert block["runs"][0]["text"].startswith("<script>")
    with pytest.raises(ValueError, match="fence"):
        parsed("```\ncode\n```")
    with pytest.raises(ValueError, match="link"):
        parsed("a [link](https://evil.example/)")


# -- On the floor ----------------------------------------------------------------------------------


@pytest.mark.parametrize("office", drawn(sorted(PEOPLE), 2))
def test_each_finds_his_own_first_and_reads_it(fresh_db: str, office: str) -> None:
    people()
    client = client_of(office)
    listed = client.get("/sala/manual/")
    own = listed.context["for_him"]
    assert [one.name for one in own if not one.is_guide] == [
        one.name for one in MANUALS if office in one.offices and not one.is_guide
    ]
    page = client.get(f"/sala/manual/{own[0].name}/")
    assert page.status_code == 200
    assert 'id="entrar-mudar-de-pessoa-entrar-ao-servico"' in page.text
    assert "<script>" not in page.text.partition("<article")[2]
    assert client.get("/sala/manual/pagador/").status_code == 404
    assert client.get("/sala/manual/pagador.pdf").status_code == 404
    assert client.post("/sala/manual/").status_code == 405


def test_who_reads_english_is_told_that_it_is_in_portuguese(fresh_db: str) -> None:
    people()
    client = client_of("inspetor", "en")
    assert "This manual is in Portuguese." in client.get("/sala/manual/inspetor/").text
    assert "This manual is" not in client.get("/sala/manual/first-hour-inspector/").text
    assert 'href="/sala/manual/"' in client.get("/sala/").text
    assert 'href="/sala/manual/"' in client.get("/admin/").text


@pytest.mark.parametrize(
    ("office", "screen", "leads_to"),
    [
        ("fiscal_de_banca", "sala:order", "fiscal-de-banca/#encerrar"),
        ("fiscal_chefe", "sala:witness", "fiscal-chefe/#confirmar-como-segunda-pessoa"),
        # The inspector's own has no such chapter: the fiscal de banca's.
        ("inspetor", "sala:order", "fiscal-de-banca/#encerrar"),
    ],
)
def test_a_screen_leads_to_the_chapter_about_it(office: str, screen: str, leads_to: str) -> None:
    name, anchor = chapter_about(screen, frozenset({office})) or ("", "")
    assert f"{name}/#{anchor}" == leads_to


def test_its_link_leads_there_and_the_articles_it_cites_open_for_the_same_people(
    fresh_db: str,
) -> None:
    people()
    client = client_of("administrador")
    led = client.get("/sala/manual/?screen=sala:articles")
    assert led["Location"] == "/sala/manual/auditor-e-administrador/#o-regulamento"
    assert client.get("/sala/manual/?screen=nothing").status_code == 200  # all manuals
    assert client.get("/sala/articles/?cited=n.º 8").status_code == 200


def test_every_screen_of_the_floor_has_its_chapter() -> None:
    named = {screen for screens in SCREENS.values() for screen in screens}
    screens = {f"sala:{one.name}" for one in floor_urls.urlpatterns}
    screens |= {f"jackpot_sala:{one.name}" for one in jackpot_floor_urls.urlpatterns}
    assert screens - named == NOT_IN_IT
    assert named - screens == {"training"}
    assert set(SCREENS) <= {chapter for one in MANUALS for chapter in one.chapters}


# -- On paper --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "manual", drawn(MANUALS, 1, kind=lambda one: one.is_guide), ids=lambda one: one.name
)
def test_its_pdf_has_pages_a_hand_can_hold_and_says_whose_it_is(manual: Manual) -> None:
    pdf = pdf_of(manual.name)
    read = pypdf.PdfReader(io.BytesIO(pdf))
    least, most = (2, 3) if manual.is_guide else (10, 16)
    assert least <= len(read.pages) <= most
    assert read.metadata is not None
    assert read.metadata.title == manual.title
    assert str(read.root_object["/Lang"]) == manual.language
    assert read.root_object["/MarkInfo"]["/Marked"]
    text = " ".join(page.extract_text() for page in read.pages)
    assert all(
        shown_in(block, text) for block in blocks_of(manual.name) if block["kind"] == "heading"
    )


def shown_in(block: Block, text: str) -> bool:
    heading = "".join(run["text"] for run in block["runs"])
    return "".join(heading.split()) in "".join(text.split())


def test_a_pdf_is_the_same_twice() -> None:
    name = "first-hour-head"
    first = pdf_of(name)
    pdf_of.cache_clear()
    assert pdf_of(name) == first


def test_every_character_has_a_glyph() -> None:
    spans = [
        range(int(low, 16), int(high, 16) + 1)
        for low, _, high in (
            one.partition("-")
            for one in (ROOT / "audit/reports/fonts/coverage.txt").read_text("utf-8").split()
        )
    ]
    for one in MANUALS:
        missing = {
            c for c in markdown_of(one) if c != "\n" and not any(ord(c) in span for span in spans)
        }
        assert missing == set(), one.name
