"""Blank sheets of each register: what they ask for, by which articles, in whose language."""

import re

import pytest
from django.test import Client

from casino.events.shape import fields_of
from casino.extensions import event_kinds
from casino.floor.away.blank_sheets import Sheet, sheets
from casino.law.rulebook.rulebook_file import rulebook_ids
from tests.factories.people import somebody

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
URL = "/sala/sheets/"


def page(client: Client, address: str = URL) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def named(sheet: Sheet) -> str:
    return sheet.kind


@pytest.mark.parametrize("sheet", sheets(), ids=named)
def test_a_sheet_asks_for_what_its_record_holds(sheet: Sheet) -> None:
    if not sheet.fields:  # a round, whose own record is no event's fields
        assert (sheet.kind, len(sheet.more)) == ("round-played/1", 7)
        return
    there = {field.name for field in fields_of(event_kinds()[sheet.kind])}
    beside = {"decks", "shuffled_by"} if sheet.kind == "cut-made/1" else set()  # of the shuffle
    assert set(sheet.fields.split()) - there == beside


def test_there_is_a_page_of_each_in_the_order_of_an_evening() -> None:
    kinds = [sheet.kind for sheet in sheets()]
    assert kinds[0] == "partida-opened/1"
    assert kinds[-1] == "partida-closed/1"
    assert {"jackpot-incremented/1", "jackpot-paid/1"} <= set(kinds)
    assert {"round-played/1", "dealer-took-table/1", "table-handed-over/1"} <= set(kinds)
    assert page(somebody("fiscal_de_banca")).count('class="paper sheet"') == len(kinds)


def test_the_columns_that_hold_several_cards_are_wide() -> None:
    text = page(somebody("fiscal_de_banca"))
    wide = re.findall(r'class="wide">([^<]+)<', text)
    assert wide == ["Cards, in the order they came", "The bank&#x27;s cards"]
    assert {one for sheet in sheets() for one in map(str, sheet.wide)} <= {
        one for sheet in sheets() for one in map(str, sheet.more)
    }


def test_whoever_leaves_and_whoever_comes_in_are_called_so() -> None:
    text = " ".join(page(somebody("fiscal_de_banca")).split())
    for who in ("Dealer", "Fiscal de banca"):
        there = f'<th scope="col">{who} who leaves</th><th scope="col">{who} who comes in</th>'
        assert there in text


@pytest.mark.parametrize("book", ["", "no-such", *rulebook_ids()])
def test_articles_are_those_of_the_rulebook_asked_for(book: str) -> None:
    text = page(somebody("inspetor"), f"{URL}?rulebook={book}")
    assert ("n.º 54" in text) is (book in ("", "no-such", "pt"))
    assert "Loading of a shuffler" in text


def test_it_is_printed_in_the_language_of_whoever_asks() -> None:
    client = somebody("fiscal_chefe")
    answer = client.get(URL, headers={"accept-language": "pt"})
    assert "Carregamento do baralhador" in answer.content.decode()
    assert answer.content.decode().count("Escrita por") == len(sheets())
