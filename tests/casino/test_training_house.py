"""A house to train in: every page says so, and no book becomes one or stops being one."""

import re
import subprocess
import sys
from typing import Any

import pytest
from django.conf import settings as house_settings
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connections
from django.test import Client
from django.urls import reverse

from casino.demo import cast
from casino.demo.training_book import OtherBook, refuse_other_book, training_pin, why_not_this_book
from casino.local.local_places import CHECKOUT
from casino.witnessing.proving import how_proved
from tests.factories.people import somebody
from tests.factories.training_house import browser_of, founded, switched_on
from tests.stages import recorded_once

pytestmark = pytest.mark.share

BAND = "TREINO — nada disto é a sério · TRAINING — none of this is real"
# A page of each sort of template: floor, admin, board, error, log-in, display, whom it belongs to.
PAGES = (
    "/sala/",
    "/admin/",
    "/sala/board/",
    "/nothing/",
    "/sala/nothing/",
    "/admin/login/",
    "/acumulado/",
)


@recorded_once
def house() -> None:
    founded()


@pytest.fixture
def training(settings: Any) -> None:
    switched_on(settings)


# The mark of the book


@pytest.mark.django_db
def test_a_training_book_is_refused_by_a_house_in_earnest_and_by_its_check(house: None) -> None:
    assert "Found a training book, and TRAINING is not 1" in why_not_this_book(
        connections["default"]
    )
    with pytest.raises(OtherBook):
        refuse_other_book(connections["default"])
    with pytest.raises(SystemCheckError, match=r"casino\.E003"):
        call_command("check", "--database=default")


@pytest.mark.django_db
def test_a_training_house_opens_its_own_book(house: None, training: None) -> None:
    assert why_not_this_book(connections["default"]) == ""


@pytest.mark.django_db
def test_a_book_of_the_house_never_becomes_one_for_training(settings: Any) -> None:
    somebody("fiscal_de_banca")
    assert why_not_this_book(connections["default"]) == ""
    switched_on(settings)
    assert "Found TRAINING=1 and a book that was not begun" in why_not_this_book(
        connections["default"]
    )


@pytest.mark.django_db
def test_an_empty_book_is_anybodys(settings: Any) -> None:
    assert why_not_this_book(connections["default"]) == ""
    switched_on(settings)
    assert why_not_this_book(connections["default"]) == ""


@pytest.mark.django_db
def test_its_people_have_the_code_the_pages_show(house: None) -> None:
    assert len(training_pin()) == 6
    assert how_proved(cast.CHEFE.number, training_pin()) == "pin"
    assert how_proved(cast.MANAGER.number, training_pin()) is None  # his own is another
    another = f"{(int(training_pin()) + 1) % 10**6:06d}"
    assert how_proved(cast.CHEFE.number, another) is None


# Every page, every answer


@pytest.mark.django_db
@pytest.mark.parametrize("path", PAGES)
def test_every_page_says_so(house: None, training: None, path: str) -> None:
    client = Client() if "login" in path else browser_of(cast.MANAGER.number)
    answer = client.get(path, follow=True)
    page = answer.content.decode()
    assert page.count(BAND) == 1
    assert re.search(r"<body[^>]*><aside class=\"training-band\"", page)
    assert "<title>TREINO · " in page
    assert '<meta name="theme-color" content="#ffd400">' in page
    assert answer["X-Livro-Training"] == "1"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("reads", "said"),
    [("pt-pt", "TRAINING — none"), ("es", "ENTRENAMIENTO — nada"), ("fr", "FORMATION — rien")],
)
def test_an_inspector_reads_it_in_his_language_too(
    house: None, training: None, reads: str, said: str
) -> None:
    page = browser_of(cast.INSPECTOR.number, reads).get("/admin/").content.decode()
    assert f"TREINO — nada disto é a sério · {said}" in page


@pytest.mark.django_db
def test_files_and_the_api_say_so(house: None, training: None) -> None:
    client = browser_of(cast.INSPECTOR.number)
    answer = client.get(reverse("admin:casino_table_csv"))
    assert 'filename="TREINO-' in answer.get("Content-Disposition", "")
    assert client.get("/api/v1/")["X-Livro-Training"] == "1"


@pytest.mark.django_db
def test_a_house_in_earnest_has_none_of_it() -> None:
    client = somebody("fiscal_de_banca")
    assert "casino.training.every_page.every_page" not in house_settings.MIDDLEWARE
    answer = client.get("/sala/training/")
    assert answer.status_code in (403, 404)
    page = client.get("/sala/")
    assert "TREINO" not in page.content.decode()
    assert "X-Livro-Training" not in page


def test_nothing_of_the_training_is_loaded_in_a_house_in_earnest() -> None:
    asked = (
        "import django, sys; django.setup(); from django.urls import get_resolver;"
        " get_resolver().url_patterns;"
        " print([name for name in sys.modules if name.startswith('casino.training')])"
    )
    values = {"DJANGO_SETTINGS_MODULE": "casino.settings", "DEBUG": "1"}
    done = subprocess.run(
        [sys.executable, "-c", asked], cwd=CHECKOUT, env=values, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert done.stdout.strip() == "[]"


@pytest.mark.django_db
def test_the_entrance_leads_there_where_the_house_has_one(settings: Any) -> None:
    assert (
        "To the training room"
        not in Client().get("/sala/", headers={"accept-language": "en"}).content.decode()
    )
    settings.HOUSE_TRAINING = "https://treino.casino.example/sala/"
    page = Client().get("/sala/", headers={"accept-language": "en"}).content.decode()
    assert 'href="https://treino.casino.example/sala/"' in page
