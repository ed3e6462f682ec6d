"""The texts an inspector reads in Spanish or French: all but those of the floor and the console."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from babel.messages.extract import extract_from_dir

from audit.pages.law.sentences import AllWords
from audit.rounds_file.file_wording import OWED_TO
from audit.runs.house_checks import STATEMENTS
from audit.verifier.words import SOUND, WORDS
from casino.law.check_registry import ALL_CHECKS
from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from casino.law.wording import headings, wording

ROOT: Final = Path(__file__).resolve().parent.parent
PACKAGES: Final = ("casino", "jackpot", "audit")
# Texts that stand in these places alone are read by the house's people, in its two languages.
HOUSE_ALONE: Final = (
    *("casino/floor", "jackpot/floor", "casino/local", "casino/demo", "audit/demo"),
    "casino/training",
    *("casino/management", "audit/management", "casino/importing", "casino/converting"),
    *("casino/simulation", "casino/signer", "audit/rounds_file", "casino/witnessing"),
    *("casino/api", "casino/templates/api", "audit/pages/api"),
    *("casino/admin/imports", "casino/templates/imports", "jackpot/queries/first_day_pools.py"),
    *("casino/admin/host", "casino/templates/host", "audit/exporting/house_"),
    *("casino/admin/directory_page.py", "casino/templates/admin/casino/directory.html"),
)
# What Django and Babel call a text to be translated, as imported or under its usual short name;
# and what the rooms without a framework call one: said at once (`say`) or later (`marked`).
MARKS: Final[Mapping[str, Any]] = {
    "gettext": None,
    "gettext_lazy": None,
    "_lazy": None,
    "_": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "say": None,
    "marked": None,
    "Unusable": None,
    "Malformed": (2,),
    "Phrase": None,
}
_SINGLE: Final = re.compile(
    r"""\{%\s*trans(?:late)?\s+(?:"([^"]*)"|'([^']*)')(?:\s+context\s+"([^"]*)")?"""
)
_BLOCK: Final = re.compile(
    r"\{%\s*blocktrans(?:late)?\b(.*?)%\}(.*?)\{%\s*endblocktrans(?:late)?\s*%\}", re.DOTALL
)
_CONTEXT: Final = re.compile(r'context\s+"([^"]*)"')
_PLURAL: Final = re.compile(r"\{%\s*plural\s*%\}")
_VALUE: Final = re.compile(r"\{\{\s*(\w+)\s*\}\}")


@cache
def marked_in_python() -> tuple[tuple[str, Any, str | None], ...]:
    """Where a text is marked, the text (one and many are two), its context; looked for once."""
    return tuple(_marked_in_python())


def _marked_in_python() -> Iterator[tuple[str, Any, str | None]]:
    for package in PACKAGES:
        found = extract_from_dir(ROOT / package, [("**.py", "python")], keywords=dict(MARKS))
        for file, _line, message, _comments, context in found:
            yield f"{package}/{file}", message, context
        for path in (ROOT / package).rglob("*.py"):
            place = str(path.relative_to(ROOT))
            yield from ((place, message, None) for message in _in_f_strings(path))


def _in_f_strings(path: Path) -> Iterator[str]:
    """Texts marked within an f-string, where Babel looks for none."""
    source = path.read_text("utf-8")
    whole = ast.walk(ast.parse(source)) if "{_(" in source or "{gettext(" in source else ()
    for part in (
        one for each in whole if isinstance(each, ast.JoinedStr) for one in ast.walk(each)
    ):
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in MARKS:
            yield from (one.value for one in part.args[:1] if isinstance(one, ast.Constant))


def marked_in_templates() -> Iterator[tuple[str, str, str | None]]:
    """Where a text is marked, the text (of a block with a plural its first), its context."""
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.html"):
            page, place = path.read_text("utf-8"), str(path.relative_to(ROOT))
            for found in _SINGLE.finditer(page):
                yield place, found[1] or found[2], found[3]
            for found in _BLOCK.finditer(page):
                first = _PLURAL.split(found[2])[0].replace("%", "%%")
                text = _VALUE.sub(r"%(\1)s", first)
                lines = (line.strip() for line in text.strip().splitlines())
                context = _CONTEXT.search(found[1])
                said = " ".join(lines) if "trimmed" in found[1] else text
                yield place, said, context[1] if context else None


def law_texts() -> set[str]:
    """What the rulebooks say in English: headings, summaries, readings and why they are adopted.

    An act's own name is Portuguese everywhere.
    """
    found: set[str] = set()

    def gather(value: Any) -> None:
        if is_dataclass(value):
            for one in fields(value):
                held = getattr(value, one.name)
                if not one.name.endswith("_en"):
                    gather(held)
                elif held and one.name not in ("name_en", "line_en"):
                    found.add(held)
        elif isinstance(value, Mapping):
            for held in value.values():
                gather(held)
        elif isinstance(value, list | tuple):
            for held in value:
                gather(held)

    for book in rulebook_ids():
        gather(load_law(book))
    return found


def finding_texts() -> set[str]:
    """The sentences of findings, with their gaps, and the words they are put together from."""
    lines = {line.en for listed in AllWords.lines.values() for line in listed}
    lines |= {line.en for line in wording.MONEY_LINES}
    places = {en for _pt, en in headings.PLACES.values()} - {"{}"}
    subjects = {f"the {en}" for _pt, en in headings.PLACES.values()}
    pairs = (headings.JOINED, headings.WHO, headings.BY, headings.DESTINATIONS, headings.OTHER)
    words = {en for table in pairs for _pt, en in table.values()}
    tables = (
        *(wording.WHY, wording.NOT_STATED, wording.NAMES, wording.VALUES),
        *(wording.KINDS, wording.ACTIONS, wording.SEVERITIES, OWED_TO),
    )
    words |= {text for table in tables for text in table.values()}
    words |= {check.statement for check in ALL_CHECKS.values()}
    words |= {str(text) for text in STATEMENTS.values()} | set(headings.COLOURS)
    return lines | places | subjects | words


def verifier_texts() -> set[str]:
    """What the verifier says of a book, in English."""
    return {text[2] for text in WORDS.values()} | {english for _pt, english in SOUND.values()}


def inspectors_texts() -> dict[tuple[str, str | None], str]:
    """Every text an inspector may be shown, with its context; and a place where it stands."""
    places: dict[tuple[str, str | None], set[str]] = defaultdict(set)
    for place, message, context in marked_in_python():
        key = message if isinstance(message, str) else message[0]
        places[(key, context)].add(place)
    for place, text, context in marked_in_templates():
        places[(text, context)].add(place)
    read = {
        key: min(where)
        for key, where in places.items()
        if not all(one.startswith(HOUSE_ALONE) or "/sala/" in one for one in where)
    }
    for group, texts in (
        ("law", law_texts()),
        ("finding", finding_texts()),
        ("verifier", verifier_texts()),
    ):
        for text in texts:
            read.setdefault((text, None), group)
    return read
