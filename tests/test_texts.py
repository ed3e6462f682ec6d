"""Whoever reads Portuguese reads all of it: marked texts are translated and compiled."""

import ast
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po

from audit.rounds_file.file_wording import OWED_TO
from casino.law.check_registry import ALL_CHECKS
from casino.law.wording import wording

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("casino", "jackpot", "audit")
CATALOGUE = ROOT / "locale" / "pt_PT" / "LC_MESSAGES" / "django.po"
# What Django and Babel call a text to be translated, as imported or under its usual short name;
# and what the rooms without a framework call one: said at once (`say`) or later (`marked`).
MARKS = {
    "gettext": None,
    "gettext_lazy": None,
    "_": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "say": None,
    "marked": None,
    "Unusable": None,
    "Malformed": (2,),
    "Phrase": None,
}
# Where the text stands among the arguments of what refuses something.
REFUSING = {"Malformed": 1, "Unusable": 0, "Phrase": 0}


@pytest.fixture(scope="module")
def catalogue() -> Catalog:
    with CATALOGUE.open("rb") as file:
        return read_po(file, locale="pt_PT", abort_invalid=True)


def test_every_marked_text_has_its_portuguese(catalogue: Catalog) -> None:
    untranslated = []
    for package in PACKAGES:
        found = extract_from_dir(ROOT / package, [("**.py", "python")], keywords=MARKS)
        for file, line, message, _, context in found:
            entry = catalogue.get(message, context)
            if entry is None or not entry.string or not all(entry.string) or entry.fuzzy:
                untranslated.append(f"{package}/{file}:{line} {message!r}")
    assert untranslated == []


def test_what_is_refused_is_said_where_it_is_refused() -> None:
    """A text that comes in a variable is not found by who looks for texts to be translated."""
    hidden = []
    modules = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    for path in modules:
        if path.name == "__init__.py":  # here stand the refusals themselves
            continue
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
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


def test_placeholders_survive_translation(catalogue: Catalog) -> None:
    wrong = {message.id: [str(e) for e in errors] for message, errors in catalogue.check()}
    assert wrong == {}


def test_the_compiled_catalogue_is_the_written_one(catalogue: Catalog) -> None:
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    with CATALOGUE.with_suffix(".mo").open("rb") as file:
        kept = read_mo(file)
    written = read_mo(compiled)
    assert {_said(m) for m in kept if m.id} == {_said(m) for m in written if m.id}, (
        "run `make messages`"
    )


def _said(message: Message) -> str:
    """A text with its translation; one and many are lists."""
    return repr((message.context, message.id, message.string))
