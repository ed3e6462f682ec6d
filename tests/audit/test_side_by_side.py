"""The rulebooks side by side, and a round worked out by hand under each of them."""

import re
from datetime import date
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from audit.pages.law import side_by_side
from audit.pages.law.example_pages import came_of
from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from casino.law.rulebook.rulebook_rows import check_rows, figure_rows
from casino.law.worked_examples import examples, examples_of
from tests.factories.findings import client_of, people, said

pytestmark = [pytest.mark.django_db, pytest.mark.share]
DAY = date(2026, 11, 26)
BOOKS = rulebook_ids()
ROOT = Path(__file__).parents[2]


@pytest.fixture
def reader() -> Client:
    """Somebody of the house without an office of supervision."""
    people()
    return client_of("fiscal_de_banca")


def row(page: str, name: str) -> list[str]:
    """The cells of the row that begins with this, in words."""
    rows = re.findall(r"<tr[^>]*>.*?</tr>", page, re.DOTALL)
    texts = [
        [" ".join(re.sub(r"<[^>]+>", " ", cell).split()) for cell in cells_of(one)] for one in rows
    ]
    return next(one for one in texts if one and one[0].startswith(name))


def flat(text: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def cells_of(one: str) -> list[str]:
    return re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", one, re.DOTALL)


def shown(client: Client, address: str, language: str = "pt-pt") -> str:
    """A page whole, in a language."""
    answer = client.get(address, headers={"accept-language": language})
    assert answer.status_code == 200, address
    return answer.content.decode()


# -- The rows -------------------------------------------------------------------------------------


def test_each_figure_of_each_book_is_in_its_row() -> None:
    laws = [load_law(book) for book in BOOKS]
    rows = {one.name: one for one in figure_rows(laws, DAY)}
    for place, law in enumerate(laws):
        rules = law.on(DAY)
        stated = {name: one.stated[place] for name, one in rows.items()}
        assert {name for name, one in stated.items() if one is not None} == set(rules.values)
        for name, one in stated.items():
            assert one is None or one.value == rules[name]


@pytest.mark.parametrize(
    ("figure", "state"),
    [("target.points", "alike"), ("burn.cards", "differs"), ("special.pays", "partly")],
)
def test_a_row_says_whether_the_books_differ(figure: str, state: str) -> None:
    rows = figure_rows([load_law(book) for book in BOOKS], DAY)
    assert next(one for one in rows if one.name == figure).state == state


def test_a_figure_not_stated_yet_is_not_stated() -> None:
    """Before the first day of all, nothing is."""
    assert figure_rows([load_law("pt")], date(1899, 12, 31)) == []


def test_each_rule_is_under_the_article_of_each_book() -> None:
    laws = [load_law("pt"), load_law("fr")]
    rows = {one.name: one for one in check_rows(laws)}
    assert rows["double_is_twice"].articles == ("29", "doubling-down")
    assert rows["aces_split_once"].articles == ("", "splitting-pairs/aces")
    assert (rows["double_is_twice"].state, rows["aces_split_once"].state) == ("alike", "partly")


# -- The page -------------------------------------------------------------------------------------


def test_the_page_shows_every_figure_in_portuguese_with_its_article(reader: Client) -> None:
    page = shown(reader, "/rulebooks/")
    burnt = row(page, "Cartas queimadas no início do sabot")
    assert burnt[0].endswith("≠ difere")
    assert burnt[1].startswith("1 carta n.º 10")
    assert burnt[2] == "— não diz"
    assert all(cell.startswith("5 cartas secção") for cell in burnt[3:])
    assert row(page, "Pontos a atingir")[0] == "Pontos a atingir"
    assert row(page, "Leituras adotadas")[1:] == [str(len(load_law(b).readings)) for b in BOOKS]
    assert row(page, "Regras pedidas")[1:] == [str(len(load_law(b).checks)) for b in BOOKS]


def test_and_in_english(reader: Client) -> None:
    page = shown(reader, "/rulebooks/?book=pt&book=fr", "en")
    assert row(page, "Cards burnt")[0].endswith("≠ differs")
    assert row(page, "Cards burnt")[1:] == [
        "1 card n.º 10",
        "5 cards section “Shuffle, cut and burn”",
    ]


def test_only_what_differs_leaves_out_the_rest(reader: Client) -> None:
    page = shown(reader, "/rulebooks/?show=differs")
    assert "Cartas queimadas no início do sabot" in page
    assert "Pontos a atingir" not in page
    assert "O prémio especial paga" not in page
    partly = shown(reader, "/rulebooks/?show=partly")
    assert "O prémio especial paga" in partly
    assert "Cartas queimadas no início do sabot" not in partly


def test_two_books_alone_are_compared(reader: Client) -> None:
    page = shown(reader, "/rulebooks/?book=es&book=br&show=differs", "en")
    assert len(row(page, "Figure")) == 3
    # One of the two asks for a single book: all of them stand there.
    assert len(row(shown(reader, "/rulebooks/?book=es", "en"), "Figure")) == 6
    assert len(row(shown(reader, "/rulebooks/?book=none", "en"), "Figure")) == 6


def test_what_hangs_on_a_reading_says_so(reader: Client) -> None:
    page = shown(reader, "/rulebooks/?show=readings", "en")
    assert row(page, "The bank looks for a blackjack")[1].endswith("by a reading that was adopted")
    assert "Cards burnt at the start of a shoe" not in page
    chosen = row(shown(reader, "/rulebooks/", "en"), "The fiscal-chefe is called within")
    assert "by a reading" in chosen[1]
    by_house = row(shown(reader, "/rulebooks/", "en"), "What was staked after the bank looked")
    assert by_house[1].endswith("chosen by the house")


def test_the_rules_of_all_books_stand_beside_each_other(reader: Client) -> None:
    page = shown(reader, "/rulebooks/?part=rules")
    assert row(page, "Os ases só se desdobram uma vez")[1] == "— não diz"
    assert row(page, "A banca fica com dezassete ou mais")[1].startswith("n.º 19")


def test_it_is_linked_from_the_law_and_links_to_it(reader: Client) -> None:
    assert f'href="{reverse("rulebooks")}"' in shown(reader, "/law/es/")
    page = shown(reader, "/rulebooks/?day=2026-01-01")
    assert 'href="/law/pt/10/?day=2026-01-01"' in page
    assert 'href="/law/es/"' in page


def test_the_document_is_up_to_date() -> None:
    printed = StringIO()
    call_command("side_by_side", stdout=printed)
    written = (ROOT / "docs" / "side-by-side.md").read_text("utf-8")
    assert printed.getvalue() == written, "run `manage.py side_by_side --write`"
    call_command("side_by_side", "--check", stdout=StringIO())


def test_the_document_marks_what_differs() -> None:
    with override("en"):
        lines = side_by_side.page([load_law("pt"), load_law("fr")], DAY).splitlines()
    assert (
        "| Cards burnt at the start of a shoe | ≠ | 1 card (n.º 10) | 5 cards (section “Shuffle,"
        in (line.partition(" cut and burn")[0] for line in lines)
    )


# -- The examples ---------------------------------------------------------------------------------


def test_every_example_is_listed_once_and_opens(reader: Client) -> None:
    page = shown(reader, "/rulebooks/examples/")
    rounds = re.findall(r'href="/rulebooks/examples/([0-9a-f-]{36})/"', page)
    assert rounds == [one.round for one in examples()]


def test_those_of_a_book_and_of_an_article_alone(reader: Client) -> None:
    page = shown(reader, "/rulebooks/examples/?from=pt&article=32")
    assert "Ás e oito duplicados como 9 tiram um dois: 11, não 21" in page
    assert page.count('href="/rulebooks/examples/0') == examples_of("pt", "32") > 0
    assert "n.º 32" in page
    article = shown(reader, "/law/pt/32/")
    assert "/rulebooks/examples/?from=pt&amp;article=32" in article


@pytest.mark.parametrize("asked", ["parted", "money", "finding"])
def test_only_those_over_which_the_books_part(asked: str, reader: Client) -> None:
    """Over the money and over what is found apart, or over either."""
    page = shown(reader, f"/rulebooks/examples/?show={asked}")
    listed = set(re.findall(r'href="/rulebooks/examples/([0-9a-f-]{36})/"', page))
    came = {one.round: came_of(one.round, BOOKS) for one in examples()}
    money = {name for name, of in came.items() if len({due for due, _found in of}) > 1}
    finding = {name for name, of in came.items() if len({found for _due, found in of}) > 1}
    assert listed == {"money": money, "finding": finding, "parted": money | finding}[asked]
    assert "00000000-0000-4000-8000-000000600005" in money  # a surrender
    assert finding - money, "what is found alone parts them"
    assert money - finding, "the money alone parts them"
    assert len(money | finding) < len(examples())


def test_a_figure_leads_to_the_examples_of_its_article(reader: Client) -> None:
    page = shown(reader, "/rulebooks/")
    n = examples_of("pt", "33")
    none = [one for one in load_law("pt").articles if not examples_of("pt", one)]
    assert re.search(rf'\?from=pt&amp;article=33">\s*{n} exemplos resolvidos', page)
    assert not [one for one in none if f'from=pt&amp;article={one}"' in page], "no link to none"


def test_the_same_round_comes_out_otherwise_under_another_book(reader: Client) -> None:
    """A surrender: half is lost under the regulation, and no handbook knows of it."""
    page = shown(reader, "/rulebooks/examples/00000000-0000-4000-8000-000000600005/")
    stake = row(page, "Lugar 1, mão 1")
    assert stake[0].endswith("≠ difere")
    assert stake[1].startswith("5,00 € como devido n.º 36")
    assert all("indeterminável com este registo" in cell for cell in stake[2:])
    assert row(page, "Resolvida à mão")[1] == "o resultado foi o mesmo"
    assert "divergem nela" in page


def test_it_says_what_is_found_under_which_article(reader: Client) -> None:
    address = "/rulebooks/examples/00000000-0000-4000-8000-000000600001/?book=pt&book=fr"
    page = shown(reader, address, "en")
    found = row(page, "Findings")
    assert found[1].startswith(
        "Breach Box 1: hand 1 stood on 11; a hand stands only on more than 11"
    )
    assert found[1].endswith("n.º 18")
    assert found[2] == "nothing found"
    assert "the same under all of them" not in page
    assert page.count("Step by step under") == 2


def test_a_round_the_books_agree_on_says_so(reader: Client) -> None:
    """19 beats 18; of the box a lone player has, the French brochure alone asks for another."""
    address = "/rulebooks/examples/00000000-0000-4000-8000-000000002301/"
    page = shown(reader, f"{address}?book=pt&book=es")
    assert "igual em todos" in page
    assert "difere" not in page
    assert row(page, "Resolvida à mão")[2] == "por ninguém"
    assert "divergem nela" in shown(reader, address)


def test_a_round_that_is_no_example_is_not_found(reader: Client) -> None:
    answer = reader.get("/rulebooks/examples/00000000-0000-4000-8000-000000999999/")
    assert answer.status_code == 404


@pytest.mark.parametrize("language", ["pt-pt", "en", "es", "fr"])
def test_every_kind_of_page_opens_in_each_language(reader: Client, language: str) -> None:
    for address in (
        *("/rulebooks/", "/rulebooks/?part=rules&show=partly", "/rulebooks/examples/?from=br"),
        "/rulebooks/examples/00000000-0000-4000-8000-000000100001/",
    ):
        shown(reader, address, language)


def test_an_example_records_nothing(reader: Client) -> None:
    from casino.models import BookEntry

    before = BookEntry.objects.count()
    said(reader, "/rulebooks/examples/00000000-0000-4000-8000-000000600001/")
    assert BookEntry.objects.count() == before
