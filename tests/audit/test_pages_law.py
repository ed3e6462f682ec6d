"""The law on the pages: the grid of a rulebook, and each article whole."""

import csv
import re
from dataclasses import replace
from datetime import date, timedelta
from io import StringIO

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from audit.models import Finding, Reconciliation
from audit.pages.law import figures
from audit.reconcile.opening import Asked, open_run
from audit.runs.house_checks import OF_ITS_WORK
from casino.law.checks.table.house_controls import ARTICLES
from casino.law.rulebook.rulebook import Parameter
from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from casino.law.rulebook.vocabulary import CHOICES
from casino.law.wording.figure_names import NAMES
from casino.models import JobOutbox
from casino.web.words import figure_words
from tests.factories.evenings import an_evening
from tests.factories.findings import (
    DAY,
    client_of,
    finding,
    judged,
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

OTHER_RUN = "0193479e-7777-7c3e-9a54-0c6f2b1d7e10"


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
    judged({"bank_ace_counts_as_stated": (4, 0, 0), "card_within_decks": (9, 0, 2)})
    tiles = {tile.number: tile.state for tile in inspector.get("/law/pt/").context["tiles"]}
    assert (tiles["21"].tone, tiles["21"].word) == ("breach", "Com constatações (2)")
    assert (tiles["54"].tone, tiles["54"].word) == ("warning", "Com constatações (1)")
    assert (tiles["6"].tone, tiles["6"].word) == ("kept", "Conforme")
    # Nine lawful answers are not enough where two more could not be decided.
    assert (tiles["3"].kind, tiles["3"].word) == ("undecided", "Por decidir")
    assert (tiles["28"].kind, tiles["28"].word) == ("nothing", "Nada a julgar")


def test_where_no_game_was_judged_nothing_was_asked(inspector: Client) -> None:
    page = inspector.get("/law/pt/")
    silent = {tile.number: tile.state.kind for tile in page.context["tiles"]}
    assert silent.pop("56") == "nothing"  # which only spares the dealer an announcement
    assert set(silent.values()) == {"not_asked"}
    controls = page.context["controls"]
    assert [one.number for one in controls] == [*ARTICLES, *OF_ITS_WORK]
    assert {"house.afterwards", "house.people"} <= set(ARTICLES)
    assert {one.state.kind for one in controls[: len(ARTICLES)]} == {"not_asked"}
    assert {one.state.word for one in controls[len(ARTICLES) :]} == {"Nada a apontar"}


def test_a_control_of_the_house_stands_as_an_article_does(inspector: Client) -> None:
    late = {"check": "office_recorded_before_the_act", "article": "house.afterwards"}
    write(
        [
            finding(1, rulebook="house", severity="warning", **late),
            finding(2, rulebook="house", article="house.book", check="book_verified"),
        ]
    )
    kept = {"closed_once": (3, 0, 0), "people_are_registered": (2, 0, 1)}
    judged(kept, rulebook="house")
    page = inspector.get("/law/pt/?from=2025-11-01&to=2025-11-30")
    tiles = {one.number: one for one in page.context["controls"]}
    assert (tiles["house.afterwards"].state.tone, tiles["house.afterwards"].state.word) == (
        "warning",
        "Com constatações (1)",
    )
    # However grave it was told: a breach is the law's alone.
    assert (tiles["house.book"].state.tone, tiles["house.book"].state.kind) == (
        "deviation",
        "found",
    )
    assert tiles["house.table"].state.word == "Conforme"
    assert tiles["house.table"].figures.startswith("3 conformes")
    assert tiles["house.people"].state.word == "Por decidir"
    assert tiles["house.jackpot"].state.word == "Nada a julgar"
    listed = inspector.get(tiles["house.afterwards"].url)
    assert [row.article for row in listed.context["cl"].result_list] == ["house.afterwards"]
    text = page.content.decode()
    assert "3 conformes" in text
    assert "um aviso, nunca uma infração" in text


def test_what_is_found_by_a_book_that_is_no_act_is_a_deviation(inspector: Client) -> None:
    write([finding(1, rulebook="fr", article="the-outcome"), finding(2)])
    own, act = Finding.objects.order_by("n")
    listed = inspector.get("/admin/audit/finding/?severity=deviation")
    assert [row.pk for row in listed.context["cl"].result_list] == [own.pk]
    assert "Infração" not in listed.content.decode().split("<tbody", 1)[1]
    listed = inspector.get("/admin/audit/finding/?severity=breach")
    assert [row.pk for row in listed.context["cl"].result_list] == [act.pk]
    shown = inspector.get(f"/admin/audit/finding/{own.pk}/change/")
    assert shown.context["gravity"] == "desvio grave"
    first = inspector.get("/admin/").content.decode()
    tiles = first.split('class="figures room-figures"')[1].split("</ul>")[0]
    counts = " ".join(re.sub(r"<[^>]*>", " ", tiles).split())
    assert re.search(r"1 Infração .*1 Desvio .*0 Avisos", counts), counts
    sheet = inspector.get("/admin/audit/finding/csv/")
    text = b"".join(sheet.streaming_content).decode("utf-8-sig")
    rows = csv.DictReader(StringIO(text))
    assert {row["rulebook"]: row["severity"] for row in rows} == {
        "fr": "deviation",
        "pt": "breach",
    }
    assert {one.gravity for one in inspector.get("/law/fr/the-outcome/").context["checks"]} <= {
        "desvio grave",
        "desvio",
        "aviso",
        "nota",
    }


def test_a_deviation_stands_under_the_house_and_under_no_article(inspector: Client) -> None:
    write(
        [
            finding(
                1,
                rulebook="house",
                article="house.shuffler",
                severity="deviation",
                check="shuffler_loaded_soon_after_opening",
            )
        ]
    )
    page = inspector.get("/law/pt/")
    found = [one.number for one in page.context["controls"] if one.state.kind == "found"]
    assert found == ["house.shuffler"]
    assert not [one for one in page.context["tiles"] if one.state.kind == "found"]
    listed = inspector.get("/admin/audit/finding/?rulebook=house").content.decode()
    assert "Controlo da casa: O baralhador automático" in listed
    assert "Desvio" in listed or "desvio" in listed
    assert "Infração" not in listed.split("<tbody", 1)[1]
    row = Finding.objects.get()
    shown = inspector.get(f"/admin/audit/finding/{row.pk}/change/").content.decode()
    assert "nenhum artigo do regulamento o exige" in shown
    assert "figura da casa, confirmada em 21/11/2026" in shown
    sheet = inspector.get("/admin/audit/finding/csv/?rulebook=house")
    text = b"".join(sheet.streaming_content).decode() if sheet.streaming else sheet.content.decode()
    assert "figura da casa, confirmada em 21/11/2026" in text


def test_where_no_game_was_judged_no_check_of_an_article_answers(inspector: Client) -> None:
    page = inspector.get("/law/pt/")
    assert page.context["judged"] == (0, 0, 0)
    here = inspector.get("/law/pt/50/")
    assert {one.silence for one in here.context["checks"]} == {
        "não perguntada: nenhuma partida foi julgada"
    }


def test_counts_are_of_the_days_the_table_and_the_rulebook_asked(inspector: Client) -> None:
    judged({"bank_ace_counts_as_stated": (4, 0, 1)}, table="BJ-01", day=DAY)
    judged({"bank_ace_counts_as_stated": (7, 0, 0)}, table="BJ-02", day=DAY, run=OTHER_RUN)
    write([finding(1), finding(2, gaming_day=DAY - timedelta(days=1))])

    def sixth(address: str) -> tuple[str, tuple[int, int, int]]:
        page = inspector.get(address)
        return page.context["state"].kind, tuple(page.context["total"])

    assert sixth("/law/pt/6/") == ("undecided", (11, 0, 1))
    assert sixth("/law/pt/6/?table=BJ-02") == ("kept", (7, 0, 0))
    assert sixth(f"/law/pt/6/?to={DAY - timedelta(days=1)}") == ("not_asked", (0, 0, 0))
    before = f"from={DAY - timedelta(days=1)}&to={DAY - timedelta(days=1)}"
    for query, found in (("", 2), (before, 1), (f"{before}&table=BJ-02", 0)):
        tiles = inspector.get(f"/law/pt/?{query}").context["tiles"]
        word = next(tile.state.word for tile in tiles if tile.number == "21")
        assert (word == f"Com constatações ({found})") == bool(found), query


def test_games_nobody_judged_are_judged_by_a_button_once(inspector: Client) -> None:
    an_evening("BJ-07", rounds=1)
    asked = f"from={DAY}&to={DAY}"
    page = inspector.get(f"/law/pt/?{asked}").content.decode()
    assert "não têm aqui respostas" in page
    assert "Julgar agora este dia" in page
    address = f"{reverse('law-judge', args=['pt'])}?{asked}"
    assert f'action="{address.replace("&", "&amp;")}"' in page
    for _press in range(2):
        answer = inspector.post(address, follow=True)
        assert answer.redirect_chain == [(f"/law/pt/?{asked}", 302)]
    wanted = JobOutbox.objects.get(key__startswith="judging-asked/")
    assert (wanted.args["from_day"], wanted.args["to_day"]) == (str(DAY), str(DAY))
    run = open_run(wanted.key, Asked.of_args(**wanted.args)).run
    assert Reconciliation.objects.get(run=run).asked_by == "I-0021"
    shown = inspector.get(reverse("run", args=[run])).content.decode()
    assert re.search(r"<dt>Pedida por</dt>\s*<dd>I-0021</dd>", shown)
    seen = client_of("fiscal_chefe").get(f"/law/pt/?{asked}").content.decode()
    assert "não têm aqui respostas" in seen
    assert "Julgar agora" not in seen
    assert client_of("fiscal_chefe").post(address).status_code == 403
    elsewhere = inspector.get(f"/law/pt/?{asked}&table=BJ-08").content.decode()
    assert "Julgar agora" not in elsewhere


@pytest.mark.parametrize("asked", ["from=0001-01-01", "to=0001-01-01", "from=x&to=y", "table=%00"])
def test_days_that_are_none_are_as_if_not_asked(inspector: Client, asked: str) -> None:
    for page in ("/law/pt/", "/law/pt/6/", "/law/pt/undecided/"):
        assert inspector.get(f"{page}?{asked}").status_code == 200


def test_an_article_tells_of_each_check_what_it_answered(inspector: Client) -> None:
    judged({"holder_decides": (579, 0, 234), "sum_on_box_within_maximum": (30, 1, 0)})
    page = inspector.get("/law/pt/15/")
    shown = {one.name: (tuple(one.answers), one.silence) for one in page.context["checks"]}
    assert shown["holder_decides"] == ((579, 0, 234), "")
    assert shown["sum_on_box_within_maximum"] == ((30, 1, 0), "")
    assert shown["complementary_stake_lawful"] == ((0, 0, 0), "nada a julgar")
    assert page.context["state"].kind == "found"


def test_whoever_reads_his_own_findings_alone_sees_no_counts() -> None:
    people()
    judged({"holder_decides": (579, 0, 234)})
    own = client_of("fiscal_de_banca")
    assert "579" not in said(own, "/law/pt/15/")
    assert "Conforme" not in said(own, "/law/pt/")


def test_an_article_nothing_upholds_is_said_not_to_be_checked(
    inspector: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    law = load_law("pt")
    silent = replace(law.articles["38"], upheld_by=())
    without = replace(law, articles={**law.articles, "38": silent})
    monkeypatch.setattr("audit.pages.law.law_pages.load_law", lambda name: without)
    tiles = {tile.number: tile.state for tile in inspector.get("/law/pt/").context["tiles"]}
    assert tiles["38"].word == "Ainda não verificado"
    assert tiles["39"].word == "Não perguntado"


def test_an_article_tells_its_figures_readings_and_checks(inspector: Client) -> None:
    page = said(inspector, "/law/pt/21/")
    assert "O blackjack paga" in page
    assert "3:2" in page
    assert "o cêntimo que sobra é do jogador" in page
    assert "O blackjack ganha uma vez e meia a postura." in page
    assert "A blackjack is paid three to two" in page  # the other language stands beside


def test_grid_and_article_name_the_act_and_that_nobody_confirmed_it(inspector: Client) -> None:
    for address in ("/law/pt/", "/law/pt/21/"):
        page = said(inspector, address)
        assert "Portaria n.º 217/2007, de 26/02/2007 (a confirmar pelo jurista da casa)" in page
        assert "Regras de execução do jogo de fortuna ou azar blackjack/21" in page
        assert "Portarias n.º 1441/95" in page
    assert "Manual espanhol de Black Jack; não é um diploma" in said(inspector, "/law/es/")


def test_a_figure_stands_in_an_article_of_the_regulation(inspector: Client) -> None:
    assert "n.º 21 do regulamento" in said(inspector, "/law/pt/21/")
    assert "n.º 8 do regulamento, pela leitura adotada" in said(inspector, "/law/pt/8/")


def test_every_choice_a_rulebook_may_state_outright_is_said_in_words() -> None:
    """A book of another house states what none of the program's does."""
    book = replace(load_law("fr"), readings={})
    with override("pt-pt"):
        for name, choices in CHOICES.items():
            parameter = Parameter(name, "outcome", "choice", ())
            unsaid = [
                c for c in choices.split() if figure_words.said(book, parameter, c) == spelt(c)
            ]
            assert unsaid == [], name


def spelt(choice: str) -> str:
    """A choice nobody has words for."""
    return choice.replace("_", " ")


@pytest.mark.parametrize(
    ("figure", "words"),
    [
        ("bank.second_card", "de face para baixo"),
        ("peek.surrender", "perdida"),
        ("surrender.against_ace", "não permitida"),
    ],
)
def test_a_choice_without_a_reading_is_said_in_words(figure: str, words: str) -> None:
    law = load_law("pt")
    parameter = law.parameters[figure]
    with override("pt-pt"):
        assert figure_words.said(law, parameter, parameter.values[-1].value) == words


def test_an_article_tells_its_open_findings_alone(inspector: Client) -> None:
    write([finding(1), finding(2, observed={"returned_cents": 7700}), no_longer(2)])
    page = said(inspector, "/law/pt/21/")
    assert "Lugar 4, mão 1, J4 (blackjack): foram entregues 40,00 € e eram devidos 50,00 €" in page
    assert "77,00" not in page


def test_a_figure_is_the_one_of_the_day_asked(
    inspector: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fractions import Fraction

    from audit.pages.law import law_pages
    from casino.law.rulebook.rulebook import DatedValue

    real = load_law("pt")
    pays = real.parameters["blackjack.pays"]
    later = DatedValue(date(2027, 1, 1), Fraction(6, 5), "a law to come", date(2025, 11, 21))
    changed = replace(pays, values=(*pays.values, later))
    book = replace(real, parameters={**real.parameters, "blackjack.pays": changed})
    monkeypatch.setattr(law_pages, "load_law", lambda name: book)

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
    assert set(law.parameters) <= set(NAMES)
    for parameter in law.parameters.values():
        for dated in parameter.values:
            text = figure_words.said(law, parameter, dated.value)
            assert text
            assert "_" not in text, parameter.name


@pytest.mark.parametrize("book", rulebook_ids())
def test_where_a_figure_stands_is_said_in_the_words_of_the_page(book: str) -> None:
    for parameter in load_law(book).parameters.values():
        for held in parameter.values:
            said = figures.place_of_figure(load_law(book), held.source)
            assert said
            assert "seed" not in said
            assert "our " not in said
