"""An article is one tap behind its citation: its heading and the house's own summary of it."""

from html import escape
from urllib.parse import urlencode

import pytest
from django.test import Client

from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from casino.web.forms.warnings import cited
from tests.factories.people import somebody

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
URL = "/sala/articles/"


def page(client: Client, **asked: str) -> str:
    answer = client.get(f"{URL}?{urlencode(asked)}")
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("book", rulebook_ids())
def test_every_article_is_found_by_what_a_page_cites_it_as(book: str) -> None:
    client = somebody("fiscal_de_banca")
    for number, article in list(load_law(book).articles.items())[::7]:
        text = page(client, cited=cited(book, number))
        assert escape(article.summary_en) in text
        assert text.count("<article>") >= 1
        assert "All articles" not in text


def test_an_article_of_the_regulation_is_one_alone() -> None:
    text = page(somebody("fiscal_chefe"), cited="n.º 8")
    assert text.count("<article>") == 1
    assert escape(load_law("pt").articles["8"].summary_en) in text


@pytest.mark.parametrize("asked", ["n.º 62", "n.º 0", "<b>", "x" * 5_000])
def test_what_no_rulebook_cites_so_is_said_to_be_none(asked: str) -> None:
    text = page(somebody("inspetor"), cited=asked)
    assert "<article>" not in text
    assert "is not how any rulebook of the house cites an article" in text
    assert asked == "n.º 62" or "<b>" not in text


@pytest.mark.parametrize("book", [*rulebook_ids(), "no-such"])
def test_without_a_citation_the_whole_rulebook_stands_there(book: str) -> None:
    law = load_law(book if book in rulebook_ids() else "pt")
    assert page(somebody("auditor"), rulebook=book).count("<article>") == len(law.articles)


def test_every_page_of_the_floor_says_where_articles_are_asked() -> None:
    text = somebody("fiscal_chefe").get("/sala/").content.decode()
    assert f'data-articles="{URL}"' in text
    assert URL in text.split("<main")[1]
