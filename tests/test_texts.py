"""Whoever reads Portuguese reads all of it, and an inspector his pages in Spanish or French."""

import ast
import re
from io import BytesIO
from pathlib import Path
from typing import Final

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po

from audit.rounds_file.file_wording import OWED_TO
from casino.law.check_registry import ALL_CHECKS
from casino.law.wording import wording
from tests.inspectors_texts import PACKAGES, finding_texts, inspectors_texts, marked_in_python

ROOT = Path(__file__).resolve().parent.parent
LOCALES: Final = ("pt_PT", "es", "fr")
# Where the text stands among the arguments of what refuses something.
REFUSING = {"Malformed": 1, "Unusable": 0, "Phrase": 0}


def written(locale: str) -> Catalog:
    with (ROOT / "locale" / locale / "LC_MESSAGES" / "django.po").open("rb") as file:
        return read_po(file, locale=locale, abort_invalid=True)


@pytest.fixture(scope="module")
def catalogue() -> Catalog:
    return written("pt_PT")


def test_every_marked_text_has_its_portuguese(catalogue: Catalog) -> None:
    untranslated = []
    for place, message, context in marked_in_python():
        entry = catalogue.get(message, context)
        if entry is None or not entry.string or not all(entry.string) or entry.fuzzy:
            untranslated.append(f"{place} {message!r}")
    assert untranslated == []


@pytest.mark.parametrize("locale", LOCALES[1:])
def test_an_inspector_reads_all_of_his_pages_in_his_language(locale: str) -> None:
    found, read = written(locale), inspectors_texts()
    kept = {
        (one.id if isinstance(one.id, str) else one.id[0], one.context)
        for one in found
        if one.id and not one.fuzzy and one.string and all(one.string)
    }
    assert {key: read[key] for key in read.keys() - kept} == {}
    assert kept - read.keys() == set()  # nothing of pages there are no more


@pytest.mark.parametrize("locale", LOCALES[1:])
def test_the_gaps_of_a_finding_survive_translation(locale: str) -> None:
    found = written(locale)

    def gaps(text: str) -> list[str]:
        forms = re.findall(r"\{[oew]\.\w+(?:\|(?:[ns]:)?\w*)?|[\[\]]|^~", text)
        return sorted(re.sub(r"(\|[ns]:).*", r"\1", form) for form in forms)

    wrong = [
        text
        for text in sorted(finding_texts())
        if (entry := found.get(text)) and gaps(str(entry.string)) != gaps(text)
    ]
    assert wrong == []


def test_what_is_refused_is_said_where_it_is_refused() -> None:
    """A text that comes in a variable is not found by who looks for texts to be translated."""
    hidden = []
    modules = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    for path in modules:
        if path.name == "__init__.py":  # here stand the refusals themselves
            continue
        text = path.read_text("utf-8")
        if not any(f"{name}(" in text for name in REFUSING):
            continue  # most modules refuse nothing, and reading them whole takes seconds
        for call in ast.walk(ast.parse(text)):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
                place = REFUSING.get(call.func.id)
                if place is not None and not _written_there(call.args[place]):
                    hidden.append(f"{path.relative_to(ROOT)}:{call.lineno}")
    assert hidden == []


def _written_there(text: ast.expr) -> bool:
    """Whether a text stands in the call, or is that of another refusal handed on."""
    handed_on = isinstance(text, ast.Attribute) and text.attr == "template"
    return isinstance(text, ast.Constant) or handed_on


def test_what_every_check_states_has_its_portuguese(catalogue: Catalog) -> None:
    stated = {check.statement for check in ALL_CHECKS.values()}
    assert {text for text in stated if not _translated(catalogue, text)} == set()


def test_the_words_of_a_finding_have_their_portuguese(catalogue: Catalog) -> None:
    tables = (
        *(wording.WHY, wording.NOT_STATED, wording.NAMES, wording.VALUES),
        *(wording.KINDS, wording.ACTIONS, wording.SEVERITIES, OWED_TO),
    )
    texts = {text for table in tables for text in table.values()}
    assert {text for text in texts if not _translated(catalogue, text)} == set()


def _translated(catalogue: Catalog, text: str) -> bool:
    entry = catalogue.get(text)
    return entry is not None and bool(entry.string) and not entry.fuzzy


@pytest.mark.parametrize("locale", LOCALES)
def test_placeholders_survive_translation(locale: str) -> None:
    found = written(locale)
    wrong = {message.id: [str(e) for e in errors] for message, errors in found.check()}
    assert wrong == {}


@pytest.mark.parametrize("locale", LOCALES)
def test_the_compiled_catalogue_is_the_written_one(locale: str) -> None:
    compiled = BytesIO()
    write_mo(compiled, written(locale))
    compiled.seek(0)
    with (ROOT / "locale" / locale / "LC_MESSAGES" / "django.mo").open("rb") as file:
        kept = read_mo(file)
    anew = read_mo(compiled)
    assert {_said(m) for m in kept if m.id} == {_said(m) for m in anew if m.id}, (
        "run `make messages`"
    )


def _said(message: Message) -> str:
    """A text with its translation; one and many are lists."""
    return repr((message.context, message.id, message.string))
