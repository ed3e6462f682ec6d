"""The search of findings: it finds what their pages show, word by word."""

from urllib.parse import urlencode

import pytest
from django.test import Client

from audit.models import CaseNumber, Finding
from audit.runs.keys import BOOK_WATCH
from audit.runs.numbering import number_the_rest
from casino.models import Account
from tests.factories.evenings import opened, played, record_all
from tests.factories.findings import client_of, finding, numbers, people, write

pytestmark = [pytest.mark.django_db, pytest.mark.share]
LIST = "/admin/audit/finding/"
NAME = "BJ-04/2025-11-20/1"


@pytest.fixture
def inspector() -> Client:
    people()
    return client_of("inspetor")


def listed(client: Client, query: str) -> list[int]:
    """The findings a page shows, by their numbers."""
    answer = client.get(f"{LIST}?{query}")
    assert answer.status_code == 200, query
    return numbers(answer.context["cl"].result_list)


@pytest.fixture
def said_in_words(inspector: Client) -> Client:
    """Three findings that differ in everything a page shows of them."""
    listed = record_all(
        [
            opened("BJ-04", "2025-11-20"),
            played("y", table="BJ-04", day="2025-11-20", dealer="P-126"),
        ]
    )
    write(
        [
            finding(
                1,
                table="BJ-04",
                partida=NAME,
                evidence=(str(listed[1].entry_id),),
                owed_cents=1050,
                where={"number": 17, "box": 6, "owner": "J4"},
            ),
            finding(
                2,
                article="8",
                check="cut_by_rightful_seat",
                owed_cents=0,
                owed_to=None,
                where={"shoe": 3},
                observed={"seat": 5},
                expected={"seat": 3},
            ),
            finding(
                3,
                article="17",
                check="two_cards_to_each_place",
                owed_cents=0,
                owed_to=None,
                where={"box": 2},
                observed={"cards": 1},
                expected={"cards": 2},
            ),
        ]
    )
    return inspector


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("17", {1, 3}),  # a round, an article
        ("n.º 17", {3}),
        ("art. 17", {3}),
        ("jogada 17", {1}),
        ("sabot 3", {2}),
        ("P-126", {1}),
        ("p-126 bj-04", {1}),
        ("P-127", set()),
        ("10,50", {1}),
        ("40,00", {1}),  # what was handed over
        ("11,50", set()),
        ("cortou", {2}),
        ("Cortou", {2}),
        ("entregues", {1}),
        ("handed", set()),  # of the other language
    ],
)
def test_a_search_finds_numbers_people_amounts_and_words_as_the_page_says_them(
    said_in_words: Client, asked: str, shown: set[int]
) -> None:
    assert set(listed(said_in_words, urlencode({"q": asked}))) == shown


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("J4", {1}),
        ("j4", {1}),
        ("J4 de BJ-04/2025-11-20/1", {1}),
        ("J7", set()),
        ("D-9", {4}),
        ("d-9 baralho", {4}),
        ("queimaram", {4}),  # a form of a noun in a gap of its sentence
        ("devolvido", {1}),  # what a value is called
        ("40,00 €", {1}),
        ("40,00\u00a0€", {1}),
        ("€40.00", {1}),
        ("40 €", {1}),
        ("40,01 €", set()),
        ("1.250,00 €", {5}),
        ("1 250 € A♥", {5}),
        ("A♥", {5}),
        ("a♥", {5}),
        ("10♦", {5}),
        ("A♠", set()),
        ("infração", {1, 2, 3}),
        ("INFRACAO", {1, 2, 3}),
        ("infrações sabot", {2}),
        ("desvio", {4, 5}),  # of the house, and of a book that is no legal act
        ("aviso", set()),
        ("carta a mais J4 € nada", set()),
    ],
)
def test_a_search_finds_players_cards_amounts_and_gravities(
    said_in_words: Client, asked: str, shown: set[int]
) -> None:
    write(
        [
            finding(
                4,
                article="12",
                rulebook="es",
                check="burnt_cards_exact",
                owed_cents=0,
                owed_to=None,
                where={"deck": "D-9"},
                observed={"cards": 2},
                expected={"cards": 1},
            ),
            finding(
                5,
                rulebook="house",
                article="house.table",
                severity="deviation",
                owed_cents=0,
                owed_to=None,
                check="told_where_it_is_in_use",
                where={"card": "AH"},
                observed={"cards": ["TD", "9C"], "stake_cents": 125_000},
                expected={},
            ),
        ]
    )
    assert set(listed(said_in_words, urlencode({"q": asked}))) == shown


def test_a_search_finds_a_finding_by_the_number_of_its_entry(said_in_words: Client) -> None:
    row = Finding.objects.get(check_name="cut_by_rightful_seat")
    assert numbers([row])[0] in listed(said_in_words, f"q={row.n}")


@pytest.mark.parametrize("hyphens", ["-", ""])
def test_a_search_finds_a_case_as_far_as_its_number_was_typed(
    said_in_words: Client, hyphens: str
) -> None:
    number_the_rest(BOOK_WATCH)
    year, number = CaseNumber.objects.get(finding=Finding.objects.get(article="17").key).case.split(
        "-"
    )[1:]
    assert set(listed(said_in_words, "q=CST")) == {1, 2, 3}
    assert set(listed(said_in_words, f"q=cst{hyphens}{year}")) == {1, 2, 3}
    assert set(listed(said_in_words, f"q=cst{hyphens}{year}{hyphens}{number}")) == {3}
    assert listed(said_in_words, f"q=cst{hyphens}{int(year) + 1}") == []
    assert set(listed(said_in_words, "q=BJ04")) == {1}


def test_a_search_finds_a_finding_in_english_where_the_page_is(said_in_words: Client) -> None:
    said_in_words.cookies["django_language"] = "en"
    Account.objects.update(language="en")
    assert listed(said_in_words, "q=handed") == [1]
    assert listed(said_in_words, "q=entregues") == []


def test_the_search_of_the_whole_house_finds_articles_and_findings(said_in_words: Client) -> None:
    number_the_rest(BOOK_WATCH)
    row = Finding.objects.get(article="17")
    case = CaseNumber.objects.get(finding=row.key).case
    of_it = f"/admin/audit/finding/{row.pk}/change/"
    groups = said_in_words.get("/admin/search/?q=17").context["groups"]
    assert [hit.url for hit in groups[0].hits] == ["/law/pt/17/"]
    assert of_it in [hit.url for group in groups for hit in group.hits]
    bare = case.replace("-", "")
    for asked, there in (("n.º 17", "/law/pt/17/"), (case.lower(), of_it), (bare, of_it)):
        answer = said_in_words.get("/admin/search/", {"q": asked})
        assert answer["Location"] == there
    for asked in ("CST", "cst-", case[:8]):
        groups = said_in_words.get("/admin/search/", {"q": asked}).context["groups"]
        assert of_it in [hit.url for group in groups for hit in group.hits], asked
    of_nobody = client_of("fiscal_de_banca").get("/admin/search/", {"q": case, "all": 1})
    assert of_it not in of_nobody.text
