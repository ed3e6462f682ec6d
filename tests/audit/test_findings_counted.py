"""What a finding counts as, and what stands beside its heading: table, round and hour."""

import csv
import io
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import override

from audit import audit_queries
from audit.models import Export, Finding
from audit.runs.run_records import BY
from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from casino.web.display.csv_answer import BOM
from casino.web.words import field_words, figure_words
from tests.factories.evenings import opened, played, record_all
from tests.factories.findings import DAY, client_of, finding, numbers, people, said, write

pytestmark = [pytest.mark.django_db, pytest.mark.share]
LIST = "/admin/audit/finding/"
GAME = "BJ-01/2025-11-20/1"


@pytest.fixture
def inspector() -> Client:
    people()
    return client_of("inspetor")


def of_house(number: int, **known: Any) -> Any:
    """A finding of the house's own: no article of a regulation asks for it."""
    values = {
        "rulebook": "house", "article": "book", "check": "book_whole", "severity": "breach",
        "where": {}, "observed": {"whole": "no"}, "expected": {"whole": "yes"}, "owed_cents": 0,
        "owed_to": None, "readings": (),
    }  # fmt: skip
    return finding(number, **values | known)


def rows(client: Client, query: str = "") -> list[dict[str, str]]:
    answer = client.get(f"{LIST}csv/?{query}")
    text = b"".join(answer.streaming_content).decode("utf-8")  # type: ignore[attr-defined]
    return list(csv.DictReader(io.StringIO(text.removeprefix(BOM))))


def listed(client: Client, query: str) -> set[int]:
    return set(numbers(client.get(f"{LIST}?{query}").context["cl"].result_list))


@pytest.fixture
def recorded(inspector: Client) -> Client:
    """Two of the law, one deviation of the house, and one as grave as any breach."""
    write(
        [
            finding(1),
            finding(2),
            of_house(3, severity="deviation", check="closed_once"),
            of_house(4),
            of_house(5, severity="warning", check="people_are_registered"),
        ]
    )
    return inspector


def test_a_breach_is_the_laws_alone_on_the_overview(recorded: Client) -> None:
    panel = recorded.get("/admin/").context["panels"][0].values
    assert [(one["word"], one["number"]) for one in panel["gravities"]] == [
        ("infrações", "2"),
        ("desvios", "2"),
        ("aviso", "1"),
        ("notas", "0"),
    ]
    by_day = {one.day: dict(one.by_gravity) for one in audit_queries.open_by_day(DAY)}
    assert by_day[DAY] == {"breach": 2, "deviation": 2, "warning": 1}


@pytest.mark.parametrize(
    ("gravity", "found"), [("breach", {1, 2}), ("deviation", {3, 4}), ("warning", {5})]
)
def test_list_and_csv_count_as_the_overview_does(
    recorded: Client, gravity: str, found: set[int]
) -> None:
    assert listed(recorded, f"severity={gravity}") == found
    of_csv = [row for row in rows(recorded) if row["severity"] == gravity]
    assert {int(row["key"], 16) for row in of_csv} == found


def test_no_page_calls_what_the_house_asks_an_infraction(recorded: Client) -> None:
    for number, word in ((1, "Infração"), (3, "Desvio"), (4, "Desvio grave")):
        row = next(one for one in Finding.objects.all() if numbers([one]) == [number])
        page = said(recorded, f"{LIST}{row.pk}/change/")
        assert word in page
        assert ("Infração" in page) == (number == 1)


@pytest.fixture
def evening(inspector: Client) -> Client:
    """A finding of one round, and one of two."""
    receipts = record_all(
        [
            opened(day="2025-11-20"),
            played("wrong", day="2025-11-20", place=7),
            played("other", day="2025-11-20", place=8),
        ]
    )
    entries = [str(receipt.entry_id) for receipt in receipts]
    write(
        [
            finding(1, evidence=(entries[1],), partida=GAME),
            finding(2, evidence=(entries[1], entries[2]), partida=GAME),
        ]
    )
    return inspector


def test_round_and_hour_stand_beside_the_heading(evening: Client) -> None:
    by_number = {numbers([one])[0]: one for one in Finding.objects.all()}
    beside = {}
    for row in rows(evening):
        beside[int(row["key"], 16)] = row["shoe"], row["round"], row["happened_at"]
    assert beside[1][:2] == ("1", "7")
    assert beside[2][:2] == ("", "")  # of two rounds none is its own
    hour = beside[1][2][11:19]
    page = said(evening, f"{LIST}{by_number[1].pk}/change/")
    assert f"BJ-01 · sabot 1, jogada 7 · {hour} · dia de jogo 20/11/2025" in page
    for address in (LIST, "/admin/", "/law/pt/21/?from=2025-11-20&to=2025-11-20"):
        assert f"sabot 1, jogada 7 · {hour}" in said(evening, address), address
    english = client_of("inspetor", "en")
    assert f"shoe 1, round 7 · {hour}" in said(english, LIST)


def test_what_rests_on_no_entry_has_neither(recorded: Client) -> None:
    assert {(row["shoe"], row["round"], row["happened_at"]) for row in rows(recorded)} == {
        ("", "", "")
    }
    assert "jogada" not in said(recorded, f"{LIST}{Finding.objects.first().pk}/change/")  # type: ignore[union-attr]


@pytest.mark.parametrize("book", rulebook_ids())
def test_a_finding_leads_to_its_article_with_the_figures_of_its_day(
    inspector: Client, book: str
) -> None:
    """Under whichever rulebook: the article, and each of its figures as it stood on that day."""
    law = load_law(book)
    held = [one for one in law.parameters.values() if one.on(DAY) is not None]
    parameter = next(one for one in held if law.articles[one.article].upheld_by)
    article = law.articles[parameter.article]
    write([finding(1, rulebook=book, article=article.number, check=article.upheld_by[0])])
    page = inspector.get(f"{LIST}{Finding.objects.get().pk}/change/").content.decode()
    address = f"/law/{book}/{article.number}/?day=2025-11-20"
    assert f'<a href="{address}">O artigo, com os valores desse dia</a>' in page
    shown = said(inspector, address)
    for one in held:
        if one.article == article.number:
            value = one.on(DAY)
            assert value is not None
            assert figure_words.name(one.name) in shown
            assert str(figure_words.said(law, one, value.value)) in shown


def test_codes_stand_in_words_on_a_page(inspector: Client) -> None:
    """A list taken out, a rulebook's title, the program that wrote, the door of a device."""
    write(
        [
            finding(
                1,
                check="round_names_its_games_rulebook",
                rulebook="house",
                article="house.register",
                where={},
                observed={"rulebook": "es", "rounds": 2},
                expected={"rulebook": "pt"},
            )
        ],
        by=BY,
    )
    row = Finding.objects.get()
    page = said(inspector, f"{LIST}{row.pk}/change/")
    assert "regulamento «Black Jack em Espanha»; a partida abriu com «Regras do blackjack" in page
    entry = said(inspector, f"/admin/casino/bookentry/{row.pk}/")
    assert "o programa de auditoria" in entry
    assert "/timelines/people/" not in inspector.get(f"/admin/casino/bookentry/{row.pk}/").text
    assert len(rows(inspector)) == 1
    taken = said(inspector, f"/admin/casino/bookentry/{Export.objects.get().pk}/")
    assert "Lista constatações" in taken
    with override("pt-pt"):
        assert field_words.word("api", "door") == "um dispositivo da mesa"
        assert field_words.word("owed", "of_list") == "Somas em dívida"
