"""The house keeps its own rules: few things at the top, small modules, one way for imports."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from graphlib import TopologicalSorter
from importlib.metadata import distributions
from pathlib import Path

import pytest
from grimp import build_graph
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from casino import __version__

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("casino", "jackpot", "audit")
TOP_LEVEL = {
    *PACKAGES,
    *("tests", "docs", "locale", "requirements", ".ci", ".git", ".gitignore"),
    *(".github", ".pre-commit-config.yaml"),
    *("manage.py", "requirements.txt", "pyproject.toml", "Makefile", "Dockerfile", "compose.yaml"),
    *("README.md", "CONTRIBUTING.md", "SECURITY.md"),
}
NO_TEXT = {".dump", ".jpg", ".mo", ".png", ".ttf", ".woff2"}
NAMELESS_ROOMS = {"utils", "util", "helpers", "helper", "common", "base", "misc"}
PURE_ROOMS = (
    *("casino/cards.py", "casino/events", "casino/reading", "casino/law"),
    *("jackpot/events.py", "jackpot/rules", "jackpot/progressive"),
)
MAX_LINES_IN_FILE = 600
MAX_LINES_IN_FUNCTION = 50

# Put together from halves so that this file does not hold what it looks for.
PRIVATE_PLACES = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        "/" + "work/",
        "/" + "root/",
        "/" + r"home/\w",
        "/" + "opt/",
        "--(extra-)?index" + "-url",
        "--find" + "-links",
        "pypi" + r"\.",
        "file:" + "//",
    )
]


def project_files() -> Iterator[Path]:
    """Every file git knows or would take in; in a tree without git, all but the made ones."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others"]
    git = subprocess.run([*command, "--exclude-standard"], capture_output=True, text=True)
    if git.returncode == 0 and git.stdout:
        found = [ROOT / name for name in git.stdout.split("\0") if name]
    else:
        found = [path for path in ROOT.rglob("*") if not made(path.relative_to(ROOT))]
    return (path for path in found if path.is_file())


def made(path: Path) -> bool:
    """Whether a path belongs to what targets and tools leave behind."""
    hidden = any(part.startswith(".") and part not in TOP_LEVEL for part in path.parts)
    return hidden or path.parts[0] == ".git" or "__pycache__" in path.parts


def python_files(*places: str) -> list[Path]:
    """The project's own modules below these places, migrations left out."""
    roots = [ROOT / place for place in places or (*PACKAGES, "tests", "manage.py")]
    return [
        path
        for path in project_files()
        if path.suffix == ".py"
        and "migrations" not in path.parts
        and any(path == root or root in path.parents for root in roots)
    ]


def where(path: Path, line: int | None = None) -> str:
    """A place as the reader of a failure wants it."""
    return str(path.relative_to(ROOT)) + (f":{line}" if line else "")


def test_the_top_level_holds_only_what_it_should() -> None:
    found = {path.relative_to(ROOT).parts[0] for path in project_files()}
    assert found <= TOP_LEVEL, f"no place at the top level: {sorted(found - TOP_LEVEL)}"


def test_the_version_is_the_same_wherever_it_is_asked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == __version__
    for words in ("manage.py --version", "manage.py version", "-m casino.local --version"):
        ran = subprocess.run(
            [sys.executable, *words.split()], cwd=ROOT, capture_output=True, text=True
        )
        assert (ran.returncode, ran.stdout) == (0, f"Livro da Sala {__version__}\n"), words


def test_no_module_is_too_long() -> None:
    lengths = {where(path): len(path.read_text("utf-8").splitlines()) for path in python_files()}
    assert {name: n for name, n in lengths.items() if n > MAX_LINES_IN_FILE} == {}


def functions_in(block: Iterable[ast.AST]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function below some statements; none stands in an expression, which is skipped."""
    for node in block:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            yield from functions_in(getattr(node, name, ()))


def test_functions_are_seen_wherever_they_stand() -> None:
    source = """
class A:
    def a(self): ...
    async def b(self):
        def c(): ...
try:
    def d(): ...
except E:
    def e(): ...
else:
    def f(): ...
finally:
    def g(): ...
for x in y:
    with z:
        match w:
            case 1:
                def h(): ...
while v:
    if u: ...
    else:
        def i(): ...
"""
    assert sorted(node.name for node in functions_in([ast.parse(source)])) == list("abcdefghi")


@pytest.mark.check  # seconds, for what is seen by whoever writes it
def test_no_function_is_too_long() -> None:
    too_long = []
    for path in python_files():
        for node in functions_in([ast.parse(path.read_text("utf-8"))]):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > MAX_LINES_IN_FUNCTION:
                too_long.append(f"{where(path, node.lineno)} {node.name}: {lines} lines")
    assert too_long == []


def test_every_room_has_a_name() -> None:
    nameless = [
        where(path)
        for path in python_files()
        if NAMELESS_ROOMS & {part.removesuffix(".py") for part in path.relative_to(ROOT).parts}
    ]
    assert nameless == []


def imported_tests(source: str, package: str) -> Iterator[tuple[int, str]]:
    """Lines that import a test module or something out of one, with its name."""
    if not re.search(
        r"^\s*(from|import)\b.*\btest_|^\s+test_\w+( as \w+)?,?$", source, re.MULTILINE
    ):
        return  # most modules, read whole, would take seconds
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            named = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            start = ".".join([*(above if node.level else []), *filter(None, [node.module])])
            named = [f"{start}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in named:
            if name.startswith("tests.") and ".test_" in name:
                yield node.lineno, name


def test_no_test_module_is_imported() -> None:
    """What several tests build lies in tests/factories, what a folder shares beside its tests."""
    found = []
    for path in python_files("tests"):
        source, package = path.read_text("utf-8"), ".".join(path.parent.relative_to(ROOT).parts)
        found += [f"{where(path, line)} {name}" for line, name in imported_tests(source, package)]
    assert found == []


@pytest.mark.parametrize(
    "source",
    [
        "from tests.law.test_law import asked",
        "from tests.law import test_law as law",
        "import tests.law.test_law",
        "from .test_law import asked",
        "from . import asking, test_law",
        "from tests.law import (\n    asking,\n    test_law as law,\n)",
        "def local() -> None:\n    from ..tlog.test_notes import a_note",
    ],
)
def test_an_imported_test_module_is_seen(source: str) -> None:
    assert list(imported_tests(source, "tests.law"))
    assert not list(imported_tests(source.replace("test_", ""), "tests.law"))


def floats_in(source: str) -> Iterator[int]:
    """Lines that write a float or name the type; asking `isinstance`, to refuse one, is fine."""
    tree = ast.parse(source)
    refusing = {
        name
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "isinstance"
        for name in ast.walk(call)
    }
    for node in ast.walk(tree):
        written = isinstance(node, ast.Constant) and isinstance(node.value, float)
        named = isinstance(node, ast.Name) and node.id == "float" and node not in refusing
        if written or named:
            yield node.lineno


def test_the_pure_rooms_use_no_floats() -> None:
    found = [
        where(path, line)
        for path in python_files(*PURE_ROOMS)
        for line in floats_in(path.read_text("utf-8"))
    ]
    assert found == [], "money is whole cents and ratios are Fractions"


def test_floats_are_seen() -> None:
    assert list(floats_in("x = 0.5\ny: float = float(1)\nisinstance(x, float)")) == [1, 2, 2]


def test_nothing_names_a_private_place() -> None:
    named = []
    for path in project_files():
        if path.suffix in NO_TEXT:
            continue
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
            named += [where(path, number) for place in PRIVATE_PLACES if place.search(line)]
    assert named == []


@pytest.mark.check  # `make lint` asks it too
def test_the_import_contracts_are_kept() -> None:
    lint_imports = Path(sys.executable).with_name("lint-imports")
    run = subprocess.run(
        [lint_imports, "--no-logo", "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert run.returncode == 0, run.stdout + run.stderr


_PIN = r"([\w.-]+)(\[[\w, -]+\])?==(\S+)"


def test_no_module_is_reached_from_itself() -> None:
    """Imports within functions count; those for the types alone do not."""
    graph = build_graph(*PACKAGES, exclude_type_checking_imports=True, cache_dir=None)
    imports = {one: graph.find_modules_directly_imported_by(one) for one in graph.modules}
    assert len(imports) > 800
    TopologicalSorter(imports).prepare()  # raises CycleError, with the circle


def test_every_pinned_requirement_is_hashed() -> None:
    for lock in [ROOT / "requirements.txt", *(ROOT / "requirements").glob("*.txt")]:
        stanzas = re.split(r"\n(?=\S)", lock.read_text("utf-8").strip())
        loose = [s for s in stanzas if not re.match(rf"{_PIN} \\\n +--hash=", s)]
        assert loose == [], where(lock)


def test_the_locks_agree_with_each_other() -> None:
    pins: dict[str, set[str]] = {}
    for lock in [ROOT / "requirements.txt", *(ROOT / "requirements").glob("*.txt")]:
        for name, _extras, version in re.findall(f"^{_PIN}", lock.read_text("utf-8"), re.MULTILINE):
            pins.setdefault(name, set()).add(version)
    assert {name: versions for name, versions in pins.items() if len(versions) > 1} == {}


def test_a_pin_names_the_extras_another_package_asks_for() -> None:
    """Or pip looks for a newer release of `name[extra]`, finds it without a hash, and gives up."""
    pinned: dict[str, set[str]] = {}
    for lock in [ROOT / "requirements.txt", *(ROOT / "requirements").glob("*.txt")]:
        for name, extras, _ in re.findall(f"^{_PIN}", lock.read_text("utf-8"), re.MULTILINE):
            pinned.setdefault(canonicalize_name(name), set()).update(re.findall(r"[\w-]+", extras))
    missing = set()
    for installed in distributions():
        for line in installed.requires or ():
            asked = Requirement(line)
            name = canonicalize_name(asked.name)
            if name in pinned and (asked.marker is None or asked.marker.evaluate({"extra": ""})):
                missing |= {(name, extra) for extra in asked.extras - pinned[name]}
    assert missing == set()


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_the_pages_name_targets_that_exist(page: str) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = set(re.findall(r"`make ([a-z]+)`", (ROOT / page).read_text("utf-8")))
    assert named
    assert named <= targets


PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]


@pytest.mark.parametrize("source", PAGES, ids=lambda page: page.name)
def test_the_pages_link_to_files_that_exist(source: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", source.read_text("utf-8"))
    assert [link for link in links if not (source.parent / link).exists()] == []
