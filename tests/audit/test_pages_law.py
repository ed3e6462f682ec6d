"""The law on the pages: the grid of a rulebook, and each article whole."""

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from django.test import Client

from audit.pages import figures
from casino.regulation.law import load_law, rulebook_ids
from tests.factories.findings import (
    a_sheet,
    client_of,
    finding,
    no_longer,
    people,
    said,
    write,
)
from tests.gate import drawn

pytestmark = [pytest.mark.django_db, pytest.mark.share]
LAW_PAGES = [
    f"/law/{book}/{article}/" for book in rulebook_ids() for article in load_law(book).articles
]


@pytest.fixture
def inspector() -> Client:
    people()
    return client_of("inspetor")


def test_every_article_has_its_page_in_both_languages(inspector: Client) -> None:
    english = client_of("inspetor", "en")
    for address in drawn(LAW_PAGES, 12, kind=lambda page: page.split("/")[2]):
        _, book, number = address.strip("/").split("/", 2)
        article = load_law(book).articles[number]
        assert article.heading_pt in inspector.get(address).context["heading"]
        page = english.get(address)
        assert page.context["heading"] == article.heading_en
        assert len(page.context["checks"]) == len(article.upheld_by)
        stated = [p for p in load_law(book).parameters.values() if p.article == number]
        assert len(page.context["figures"]) == len(stated)


def test_every_rulebook_shows_all_its_articles(inspector: Client) -> None:
    for book in rulebook_ids():
        page = inspector.get(f"/law/{book}/")
        assert len(page.context["tiles"]) == len(load_law(book).articles)
    assert len(inspector.get("/law/pt/").context["tiles"]) == 61


@pytest.mark.parametrize("address", ["/law/xx/", "/law/pt/62/", "/law/pt/../", "/law/house/1/"])
def test_a_law_that_is_not_there_is_not_found(inspector: Client, address: str) -> None:
    assert inspector.get(address).status_code == 404


def test_the_grid_tells_what_stands_how(inspector: Client) -> None:
    write(
        [
            finding(1),
            finding(2),
            finding(3, article="54", severity="warning"),
            finding(4),
            no_longer(4),
        ]
    )
    sheet = a_sheet(state="finished")
    sheet.ended_at = datetime.now(UTC)
    sheet.answers = {"pt": {"bank_ace_counts_as_stated": [4, 0, 1], "card_within_decks": [0, 0, 2]}}
    sheet.save()
    tiles = {tile.number: tile.state for tile in inspector.get("/law/pt/").context["tiles"]}
    assert (tiles["21"].tone, tiles["21"].word) == ("breach", "Com constatações (2)")
    assert (tiles["54"].tone, tiles["54"].word) == ("warning", "Com constatações (1)")
    assert (tiles["6"].tone, tiles["6"].word) == ("kept", "Conforme")
    assert tiles["3"].word == "Não decidível"
    assert tiles["28"].word == "Não exercido"


def test_an_article_nothing_upholds_is_said_not_to_be_checked(
    inspector: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    law = load_law("pt")
    silent = replace(law.articles["38"], upheld_by=())
    without = replace(law, articles={**law.articles, "38": silent})
    monkeypatch.setattr("audit.pages.law.load_law", lambda name: without)
    tiles = {tile.number: tile.state for tile in inspector.get("/law/pt/").context["tiles"]}
    assert tiles["38"].word == "Ainda não verificado"
    assert tiles["39"].word == "Não exercido"


def test_an_article_tells_its_figures_readings_and_checks(inspector: Client) -> None:
    page = said(inspector, "/law/pt/21/")
    assert "O blackjack paga" in page
    assert "3:2" in page
    assert "o cêntimo que sobra é do jogador" in page
    assert "O blackjack ganha uma vez e meia a postura." in page
    assert "A blackjack is paid three to two" in page  # the other language stands beside


def test_an_article_tells_its_open_findings_alone(inspector: Client) -> None:
    write([finding(1), finding(2, observed={"returned_cents": 7700}), no_longer(2)])
    page = said(inspector, "/law/pt/21/")
    assert "devolvido 40,00 € em vez de 50,00 €" in page
    assert "77,00" not in page


def test_a_figure_is_the_one_of_the_day_asked(
    inspector: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fractions import Fraction

    from audit.pages import law as pages
    from casino.regulation.rulebook import DatedValue

    real = load_law("pt")
    pays = real.parameters["blackjack.pays"]
    later = DatedValue(date(2027, 1, 1), Fraction(6, 5), "a law to come", date(2025, 11, 21))
    changed = replace(pays, values=(*pays.values, later))
    book = replace(real, parameters={**real.parameters, "blackjack.pays": changed})
    monkeypatch.setattr(pages, "load_law", lambda name: book)

    before = said(inspector, "/law/pt/21/?day=2026-12-31")
    assert "3:2" in before
    assert "muda a 01/01/2027" in before
    after = said(inspector, "/law/pt/21/?day=2027-01-01")
    assert "6:5" in after
    assert "01/01/2027" in after
    assert "3:2" not in after.replace("23:2", "")


@pytest.mark.parametrize("day", ["", "yesterday", "2026-02-30", "0000-01-01", "'"])
def test_what_is_no_day_is_today(inspector: Client, day: str) -> None:
    page = inspector.get("/law/pt/21/", {"day": day})
    assert page.context["day"] == page.context["today"]


@pytest.mark.parametrize("book", rulebook_ids())
def test_every_figure_has_a_name_and_a_value_in_words(book: str) -> None:
    law = load_law(book)
    assert set(law.parameters) <= set(figures.NAMES)
    for parameter in law.parameters.values():
        for dated in parameter.values:
            told = figures.said(law, parameter, dated.value)
            assert told
            assert "_" not in told, parameter.name


@pytest.mark.parametrize("book", rulebook_ids())
def test_where_a_figure_stands_is_said_in_the_words_of_the_page(book: str) -> None:
    for parameter in load_law(book).parameters.values():
        for held in parameter.values:
            said = figures.told_in(held.source)
            assert said
            assert "seed" not in said
            assert "our " not in said
