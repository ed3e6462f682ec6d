"""An inspector reads his pages in four languages; the floor speaks the house's two."""

from decimal import Decimal

import pytest
from babel.numbers import format_currency
from django.conf import settings
from django.test import Client
from django.utils import translation

from casino.web.display.money_and_time import money
from casino.web.forms.finding_words import words
from casino.web.words.languages import either, house_language, language
from tests.factories.findings import client_of, people

LOCALES = {"pt-pt": "pt_PT", "en": "en_GB", "es": "es_ES", "fr": "fr_FR"}


@pytest.mark.parametrize("code", LOCALES)
def test_amounts_are_written_as_babel_writes_them(code: str) -> None:
    cents = 1_234_567_89
    with translation.override(code):
        shown = money(cents)
    assert shown == format_currency(Decimal(cents) / 100, "EUR", locale=LOCALES[code])


def test_what_is_written_in_two_languages_is_read_in_four() -> None:
    pair = ("A ficha do acumulado", "Sums owed")  # the English is in every catalogue
    said = {}
    for code in LOCALES:
        with translation.override(code):
            said[code] = either(*pair)
    assert said["pt-pt"], said["en"] == pair
    assert len(set(said.values())) == len(LOCALES)


@pytest.mark.parametrize(
    ("code", "card"), [("pt-pt", "R♠"), ("en", "K♠"), ("es", "K♠"), ("fr", "R♠")]
)
def test_a_court_card_is_called_as_it_is_printed_there(code: str, card: str) -> None:
    with translation.override(code):
        assert words().card("KS") == card


@pytest.mark.parametrize(
    ("asked", "mine", "of_the_house"),
    [("es-ES", "es", "pt"), ("fr", "fr", "pt"), ("en-US", "en", "en"), ("de", "pt", "pt")],
)
def test_a_page_is_in_the_language_a_browser_asks_for(
    asked: str, mine: str, of_the_house: str, db: None
) -> None:
    page = Client(headers={"accept-language": asked}).get("/admin/login/")
    assert page.headers["Content-Language"][:2] == mine
    with translation.override(mine if mine != "pt" else "pt-pt"):
        assert (language(), house_language()) == (mine, of_the_house)


@pytest.mark.django_db
def test_the_floor_is_portuguese_to_who_reads_spanish_and_offers_none_but_its_own() -> None:
    people()
    client = client_of("inspetor")
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "es"
    admin, floor = client.get("/admin/"), client.get("/sala/")
    assert 'lang="es"' in admin.text
    assert 'value="fr"' in admin.text
    assert 'lang="pt-pt"' in floor.text
    assert 'value="en"' in floor.text
    assert 'value="fr"' not in floor.text
