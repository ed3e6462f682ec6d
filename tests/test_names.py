"""One name for one thing: words that are gone, and files a fuzzy finder tells apart.

What an event is, and what else stands in the place of these words, is in docs/glossary.md.
"""

import ast
import io
import re
import tokenize
from collections import Counter, defaultdict
from pathlib import Path
from typing import Final

from tests.gate import ROOT

PACKAGES: Final = ("casino", "jackpot", "audit")
# Private words that meant many things, each with what stands for it now: docs/decisions/0017.
GONE: Final = {
    *("told", "tell", "tells", "telling", "tellings", "untold"),  # named by what it is
    *("fact", "facts", "shelf", "shelves", "shelved", "shelving"),  # event, projection, projector
    *("scene", "bench", "permits", "foreseen", "foresee", "foresees", "gallery", "sala"),
}
# Names that are data: checks (finding keys hash them), columns and fields of events.
FROZEN: Final = {
    *("seats_at_the_cut_told_alike", "told_where_it_is_in_use", "table_layout_is_told"),
    *("rounds_tell_the_tables_limits", "special_cards_are_told", "closing_announcement_told"),
    *("told_at", "told_of_inspector", "told_by", "told", "shelf", "SALA_HOLD_SECONDS"),
    *("told_raised", "told_superseded", "rounds_untold"),  # of a sentence, of a CSV file
    "tell",  # where a file stands
}
# Django looks for these by name, Python for __init__ and __main__; events.py is what each package
# may record. What an inspector carries away is two programs by themselves.
BY_NAME: Final = {
    *("__init__.py", "__main__.py", "apps.py", "urls.py", "tasks.py", "records.py", "formats.py"),
    "events.py",
}
ALONE: Final = ("audit/verify/", "audit/verifier/", "audit/attested.py")
# How often the product says `Any`, imports aside: where JSON comes in, where a framework's
# signature has it, where an attribute is asked by its name. Lower this when there are fewer.
MOST_ANY: Final = 863
MOST_FILES: Final = 27  # of a folder; migrations and what stands alone aside


def product() -> list[Path]:
    """The product's modules, without migrations."""
    found = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    return [path for path in sorted(found) if "migrations" not in path.parts]


def words_of(name: str) -> set[str]:
    """The words an identifier is made of, in small letters."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


def test_private_words_are_gone_from_identifiers() -> None:
    left = Counter[str]()
    gone = re.compile("|".join(sorted(GONE)), re.IGNORECASE)
    for path in product():
        if not gone.search(path.read_text("utf-8")):
            continue  # taking a module apart takes its time
        with path.open("rb") as file:
            for token in tokenize.tokenize(file.readline):
                if token.type == tokenize.NAME and token.string not in FROZEN:
                    if words_of(token.string) & GONE:
                        left[f"{path.relative_to(ROOT)}: {token.string}"] += 1
    assert left == {}


def test_an_identifier_is_taken_apart_into_its_words() -> None:
    assert words_of("_RecordedEvent2") == {"recorded", "event"}
    assert words_of("ROUNDS_TOLD") == {"rounds", "told"}


def test_no_two_modules_have_one_name() -> None:
    names = Counter(
        path.name
        for path in product()
        if path.name not in BY_NAME
        and "commands" not in path.parts
        and not path.relative_to(ROOT).as_posix().startswith(ALONE)
    )
    assert {name: count for name, count in names.items() if count > 1} == {}


def test_a_folder_can_be_looked_through() -> None:
    folders = Counter(path.parent for path in product())
    large = {
        folder.relative_to(ROOT).as_posix(): count
        for folder, count in folders.items()
        if count > MOST_FILES and not f"{folder.relative_to(ROOT).as_posix()}/".startswith(ALONE)
    }
    assert large == {}


def test_words_are_looked_for_where_they_stand() -> None:
    source = b"told = 1\n"
    tokens = tokenize.tokenize(io.BytesIO(source).readline)
    assert [token.string for token in tokens if words_of(token.string) & GONE] == ["told"]


WRAPPED: Final = re.compile(
    r"(?:Sequence|Collection|Iterable|Iterator|list|tuple|set|frozenset|AbstractSet|type)"
    r"\[(.*?)(?:, \.\.\.)?\]"
)
# Each of one family: the classes of events, and what is raised.
OF_A_FAMILY: Final = {"event", "error"}


def of_what(annotation: ast.expr) -> str:
    """The type of a parameter: of one of it where it takes several, or none."""
    name = re.sub(r"\s*\|\s*None|None\s*\|\s*", "", ast.unparse(annotation).strip("'\""))
    while inner := WRAPPED.fullmatch(name):
        name = inner[1]
    name = re.sub(r"^(RecordedEvent|QuerySet|Mapping|dict)\[.*\]$", r"\1", name)
    return "Mapping" if name == "dict" else name


def test_a_parameters_name_says_what_it_is() -> None:
    types: dict[str, set[str]] = defaultdict(set)
    for path in product():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                given = node.args
                for one in (*given.posonlyargs, *given.args, *given.kwonlyargs):
                    if one.annotation is not None:
                        types[one.arg].add(of_what(one.annotation))
    assert len(types) > 1_000
    wide = {name: sorted(of) for name, of in types.items() if len(of) > 8}
    assert {name for name in wide if name not in OF_A_FAMILY} == set(), wide


def test_any_is_said_no_more_often() -> None:
    said = 0
    for path in product():
        text = path.read_text("utf-8")
        nodes = ast.walk(ast.parse(text)) if "Any" in text else ()
        said += sum(isinstance(node, ast.Name) and node.id == "Any" for node in nodes)
    assert said <= MOST_ANY
