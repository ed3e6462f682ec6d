"""Whoever reads Portuguese reads all of a page: what templates say is in the catalogue too."""

from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_python
from babel.messages.pofile import read_po
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent.parent
CATALOGUE = ROOT / "locale" / "pt_PT" / "LC_MESSAGES" / "django.po"
MARKS = ["_", "gettext", "ngettext", "pgettext"]
TEMPLATES = sorted(
    path
    for package in ("casino", "jackpot", "audit")
    for path in (ROOT / package).rglob("templates/**/*.html")
)


def texts_of(path: Path) -> set[str]:
    """What a template says that is to be translated; of a plural its singular."""
    code = templatize(path.read_text("utf-8"), origin=str(path))
    code = "\n".join(line.lstrip() for line in code.split("\n"))  # no indentation is wrong there
    found = extract_python(BytesIO(code.encode()), MARKS, [], {"encoding": "utf-8"})
    texts = (text[0] if isinstance(text, tuple) else text for _, _, text, _ in found)
    return {text for text in texts if text}


def test_texts_of_a_template_are_seen(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(
        '{% load i18n %}{% translate "one" %}{% blocktranslate count n=n %}{{ n }} two{% plural %}'
        "{{ n }} twos{% endblocktranslate %}",
        "utf-8",
    )
    assert texts_of(page) == {"one", "%(n)s two"}


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_a_template_is_read_without_scrolling(path: Path) -> None:
    lines = path.read_text("utf-8").split("\n")
    assert [line[:60] for line in lines if len(line) > 160] == []


@pytest.fixture(scope="module")
def catalogue() -> Catalog:
    with CATALOGUE.open("rb") as file:
        return read_po(file, locale="pt_PT")


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_what_a_template_says_has_its_portuguese(path: Path, catalogue: Catalog) -> None:
    missing = []
    for text in sorted(texts_of(path)):
        entry = catalogue.get(text)
        if entry is None or not entry.string or not all(entry.string) or entry.fuzzy:
            missing.append(text)
    assert missing == []
