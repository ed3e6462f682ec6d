"""A verdict carries its sentence: finding, check, parameter, article, place in the text of the day.

On its page, in its report, and offline beside a copy of the book.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.utils.html import strip_tags

from audit import offline_programs
from audit.exporting import Scope, export_bundle
from audit.models import Finding, ReportRequest
from casino.importing import regulation_texts
from tests.audit.reconciling import reconcile
from tests.casino.signer_house import SignerHouse
from tests.factories.findings import DAY, client_of, finding, people, write
from tests.factories.official_texts import HEAD, TEXT, received
from tests.factories.reported import Desk, a_night
from tests.patience import PATIENCE
from tests.stages import recorded_once

pytestmark = pytest.mark.share
SAME, OTHER, MISSING, BAD = 0, 1, 2, 3


# On the page


def page_of(number: int) -> str:
    row = Finding.objects.get(key=f"{number:064x}")
    answer = client_of("inspetor", "en").get(f"/admin/audit/finding/{row.pk}/change/")
    return " ".join(answer.text.split())


@pytest.mark.django_db
def test_a_finding_shows_the_words_its_check_rests_on() -> None:
    people()
    digest = received()
    write([finding(1)])
    page = page_of(1)
    words = strip_tags(page)
    assert "Words of the official text" in words
    before, _summary, rest = page.partition("The rest of the article")
    assert "recebe três fichas por cada duas" in before, "its check reads what a blackjack pays"
    assert "Recebe-as logo" in rest
    assert "outro tanto" not in page, "another article"
    assert "«três»" not in words, "three is a side of the ratio, written in another order"
    assert digest in page
    assert f"#{'art_21__para_1'}" in page


@pytest.mark.django_db
def test_a_figure_is_shown_beside_what_the_house_has() -> None:
    people()
    received(TEXT.replace("três fichas por cada duas", "uma vez e meia"))
    write([finding(1)])
    assert "«uma vez e meia»: A blackjack pays, 3:2" in strip_tags(page_of(1))


@pytest.mark.django_db
def test_a_check_bound_to_no_place_rests_on_the_whole_article() -> None:
    people()
    received()
    write([finding(1, check="settled_as_the_hands_stand", article="21")])
    assert "The rest of the article" not in page_of(1)
    assert "Recebe-as logo" in page_of(1)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("begins", "there"), [(timedelta(0), True), (timedelta(days=1), False)], ids=["on", "after"]
)
def test_the_text_is_that_of_its_gaming_day(begins: timedelta, there: bool) -> None:
    people()
    received(day=DAY + begins)
    write([finding(1)])
    assert ("Words of the official text" in page_of(1)) is there


@pytest.mark.django_db
def test_without_a_text_or_the_article_nothing_is_said() -> None:
    people()
    write([finding(1), finding(2, rulebook="house", article="house.table", check="closed_once")])
    for number in (1, 2):
        assert "Words of the official text" not in page_of(number)
    received(TEXT.replace("Artigo 21.º", "Artigo 99.º"))
    assert "Words of the official text" not in page_of(1)


# In the report and offline


@recorded_once
def night() -> None:
    a_night()
    received()
    reconcile("night")


@pytest.fixture
def desk(
    night: None,
    fresh_db: str,
    tmp_path: Path,
    database_environment: dict[str, str],
    connect_as: Callable[..., Any],
    settings: Any,
) -> Desk:
    return Desk(SignerHouse(tmp_path, database_environment, connect_as), settings)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """The one file an inspector takes with him."""
    place = tmp_path / "carried" / "livro-law.pyz"
    place.parent.mkdir()
    place.write_bytes(offline_programs.programs()[place.name])
    return place


def said(program: Path, place: Path, *asked: str) -> tuple[int, str]:
    """How it ends where there is neither database nor house, and what it says."""
    run = [sys.executable, "-I", str(program), str(place), *(asked or ("--language", "en"))]
    done = subprocess.run(
        run, cwd=program.parent, env={}, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.stderr == ""
    return done.returncode, " ".join(done.stdout.split())


def copied(place: Path, *, openings: bool) -> Path:
    export_bundle(place, Scope(), HEAD, openings=openings)
    return place


def test_a_report_has_the_words_and_proves_which_text(desk: Desk) -> None:
    row = desk.make("nonconformity", finding=str(Finding.objects.order_by("n")[0].pk))
    assert row.state == "finished"
    row = ReportRequest.objects.get(pk=row.pk)
    document = json.loads(bytes(row.document or b""))
    (section,) = [
        one for one in document["sections"] if one["heading"] == "Palavras do texto oficial"
    ]
    pairs = {one["name"]: one["value"]["text"] for one in section["pairs"]}
    assert pairs["Ficheiro, SHA-256"] == sha256(TEXT.encode()).hexdigest()
    eid, _, span = pairs["Lugar no texto"].partition(" ")
    start, end = map(int, span.strip("[]").split(":"))
    article = Finding.objects.order_by("n")[0].article
    assert eid.startswith(f"art_{article}__")
    (words,) = section["texts"]
    assert words.endswith(" ".join(TEXT[start:end].split())), "where it says it stands"
    text = regulation_texts.texts_of("pt").get()
    assert {"stream": text.stream, "n": text.n} in [
        {name: one[name] for name in ("stream", "n")} for one in document["entries"]
    ]


def test_beside_a_copy_each_finding_has_its_words(
    desk: Desk, program: Path, tmp_path: Path
) -> None:
    code, lines = said(program, copied(tmp_path / "copy", openings=True))
    assert code == SAME, lines
    row = Finding.objects.order_by("n")[0]
    assert f"reconciler {row.n}: pt · n.º {row.article}" in lines
    assert f"SHA-256 {sha256(TEXT.encode()).hexdigest()}" in lines
    assert f"art_{row.article}__para_1 [" in lines
    assert "Every finding has its words." in lines
    code, pt = said(program, tmp_path / "copy", "--finding", "999999")
    assert (code, "Não há constatações de artigos" in pt) == (SAME, True)


def test_without_the_file_it_is_asked_for_and_another_is_refused(
    desk: Desk, program: Path, tmp_path: Path
) -> None:
    place = copied(tmp_path / "copy", openings=False)
    code, lines = said(program, place)
    assert (code, "MISSING: the file of the text" in lines) == (MISSING, True)
    right, wrong = tmp_path / "right.txt", tmp_path / "wrong.txt"
    right.write_text(TEXT)
    wrong.write_text(TEXT.replace("duas", "três"))
    assert said(program, place, "--text", str(wrong))[0] == MISSING
    assert said(program, place, "--text", str(right))[0] == SAME
    shown = copied(tmp_path / "shown", openings=True)
    (shown / "private" / "attachments" / sha256(TEXT.encode()).hexdigest()).write_bytes(b"x")
    code, lines = said(program, shown)
    assert (code, "ANOTHER FILE" in lines) == (OTHER, True)
    code, lines = said(program, tmp_path)
    assert (code, "BAD INPUT" in lines) == (BAD, True)
