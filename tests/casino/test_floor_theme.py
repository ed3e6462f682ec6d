"""Light or dark on the floor: chosen with one tap, kept on the tablet, in the page as it comes."""

import pytest
from django.conf import settings
from django.test import Client

from casino.floor.floor_theme import COOKIE
from tests.factories.findings import client_of, people

pytestmark = pytest.mark.django_db
LIGHT, DARK = (f'<html lang="pt-pt" data-theme="{theme}">' for theme in ("light", "dark"))
AT = "/sala/theme/"


@pytest.fixture
def tablet() -> Client:
    people()
    return client_of("fiscal_de_banca")


def shown(tablet: Client) -> str:
    return tablet.get("/sala/").content.decode()


def test_the_floor_is_dark_until_it_is_made_light_and_stays_so_for_the_next_person(
    tablet: Client,
) -> None:
    assert DARK in shown(tablet)
    answer = tablet.post(AT, {"theme": "light", "next": "/sala/?mine=1"})
    assert (answer.status_code, answer["Location"]) == (302, "/sala/?mine=1")
    assert tablet.cookies[COOKIE]["httponly"]
    assert LIGHT in shown(tablet)
    tablet.cookies.pop(settings.SESSION_COOKIE_NAME)
    assert LIGHT in shown(tablet)  # the entrance, of nobody yet
    tablet.post(AT, {"theme": "dark"})
    assert DARK in shown(tablet)


@pytest.mark.parametrize("theme", ["", "auto", "LIGHT", "light\n"])
def test_what_is_no_theme_is_refused_and_changes_nothing(tablet: Client, theme: str) -> None:
    answer = tablet.post(AT, {"theme": theme})
    assert answer.status_code == 400
    assert "escolha um dos dois" in answer.content.decode()
    assert COOKIE not in tablet.cookies
    tablet.cookies[COOKIE] = "<b>"
    assert DARK in shown(tablet)


@pytest.mark.parametrize("onward", ["https://elsewhere.example/sala/", "//x/sala/", "/admin/", ""])
def test_it_leads_back_to_the_floor_alone(tablet: Client, onward: str) -> None:
    answer = tablet.post(AT, {"theme": "light", "next": onward})
    assert answer["Location"] == "/sala/"
