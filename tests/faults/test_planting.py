"""How bugs are planted: what is noticed, what survives, and what merely breaks down."""

import ast
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from tests.faults.changes import NoSuchPlace, changed, names, scope, usual
from tests.faults.planting import Bug, Nursery, nursery, verdict

SOUND = dedent(
    '''
    """A small program."""

    LEAST = 3
    PARTS = 12 // LEAST


    class Till:
        def pays(self, stake, total):
            """What is due."""
            if total > 21 and stake:
                return 0
            self.paid = 2 * stake
            return self.paid


    def untested(a, b):
        return a <= b


    def waits(n):
        while n:
            n -= 1
        return n
    '''
)
TESTS = dedent(
    """
    import pytest
    from till import Till, waits


    @pytest.fixture
    def till():
        assert Till
        return Till()


    @pytest.mark.parametrize("total", [20, 21])
    def test_pays(till, total):
        assert till.pays(5, total) == 10


    def test_over(till):
        assert till.pays(5, 22) == 0


    def test_waits():
        assert waits(3) == 0


    def test_skipped():
        pytest.skip("not today")
    """
)
# The test, the name, the change, and what is to be said of it.
CASES = [
    ("test_pays", "Till.pays", "> 1 to >=", "noticed"),
    ("test_pays", "Till.pays", "* 1 without left", "noticed"),
    ("test_over", "Till.pays", "and 1 without 1", "survived"),
    ("test_pays", "untested", "<= 1 to <", "survived"),
    ("test_skipped", "untested", "<= 1 to <", "broke down: it was left out"),
    ("test_nobody_wrote", "untested", "<= 1 to <", "broke down"),
    ("test_pays", "Till.pays", "statement 1 left out", "broke down: AttributeError"),
    ("test_pays", "LEAST", "number 1 to 0", "broke down"),  # division by zero at the import
    ("test_pays", "Till.pays", "> 2 to >=", "broke down: NoSuchPlace"),
    ("test_pays", "Till.owes", "> 1 to >=", "broke down: NoSuchPlace"),
    ("test_waits", "waits", "-= 1 to +=", "broke down: the process ended"),
]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    """A nursery for the small program."""
    root: Path = tmp_path_factory.mktemp("small")
    (root / "till.py").write_text(SOUND)
    (root / "test_till.py").write_text(TESTS)
    (root / "test_broken.py").write_text("import nothing_of_that_name\n")
    with nursery(tmp_path_factory.mktemp("work"), root) as found:
        yield found


@pytest.mark.parametrize(("test", "name", "change", "said"), CASES)
def test_what_is_said_of_a_bug(
    small: Nursery, test: str, name: str, change: str, said: str
) -> None:
    named = f"test_till.py::{test}"
    values = small.ask(
        file="till.py",
        name=name,
        change=change,
        tests=[named],
        seconds=1 if name == "waits" else 60,
    )
    found = verdict(values, [named])[named]
    assert found.startswith(said) if said.startswith("broke") else found == said


def test_tests_that_cannot_be_read_have_noticed_nothing(small: Nursery) -> None:
    one = Bug("x", "till.py", "untested", "<= 1 to <", "", ("test_broken.py",))
    assert verdict(small.plant(one), one.tests)["test_broken.py"].startswith("broke down")


def test_a_module_no_test_asks_for_has_survived_nothing(small: Nursery, tmp_path: Path) -> None:
    values = small.ask(
        file="test_broken.py",
        name="nobody",
        change="> 1 to <",
        tests=["test_till.py::test_over"],
    )
    assert verdict(values, ["test_till.py::test_over"])["test_till.py::test_over"] != "survived"


def test_a_bug_leaves_nothing_behind(small: Nursery) -> None:
    named = ["test_till.py::test_pays"]
    small.ask(file="till.py", name="Till.pays", change="> 1 to >=", tests=named)
    assert verdict(small.ask(tests=named), named) == {named[0]: "survived"}


CHANGES = [
    ("f(a > b)", "> 1 to >=", "f(a >= b)"),
    ("a < b <= c", "<= 1 to <", "a < b < c"),
    ("a is b", "is 1 to is not", "a is not b"),
    ("a and b and c", "and 1 to or", "a or b or c"),
    ("a and b and c", "and 1 without 2", "a and c"),
    ("a or b", "or 1 without 1", "b"),
    ("not a", "not 1 left out", "a"),
    ("a if b else c", "if 1 always", "a if True else c"),
    ("[a for a in b if a]", "if 1 never", "[a for a in b if False]"),
    ("f(2, 3)", "number 2 plus 1", "f(2, 4)"),
    ("f(True)", "True 1 to False", "f(False)"),
    ("a + b + c", "+ 2 to -", "a + b - c"),
    ("a * b", "* 1 without right", "a"),
    ("f(g(a), b)", "call 2 to argument 1", "f(a, b)"),
    ("f(a, b, c=d)", "call 1 without argument 3", "f(a, b)"),
    ("min(a)", "min 1 to max", "max(a)"),
    ("(a, b, c)", "row 1 without 2", "(a, c)"),
    ("{a: b, c: d}", "row 1 without 1", "{c: d}"),
    ("a[1:]", "slice 1 to all", "a"),
    ("'a'", "text 1 altered", "'a?'"),
]


@pytest.mark.parametrize(("sound", "change", "wrong"), CHANGES)
def test_a_change_changes_what_it_says(sound: str, change: str, wrong: str) -> None:
    tree = changed(f"def f():\n    return {sound}\n", "f", change)
    assert ast.unparse(tree) == ast.unparse(ast.parse(f"def f():\n    return {wrong}\n"))


def test_other_names_and_lines_move_no_bug() -> None:
    before = "def f(a, b):\n    c = a + 1\n    return c if a > b else b\n"
    after = "def f(x,\n y):\n    z = (x +\n    1)\n    return (z if x > y\n    else y)\n"
    for change in usual(scope(ast.parse(before), "f")):
        wrong = ast.unparse(changed(before, "f", change))
        text = ast.unparse(changed(after, "f", change))
        assert wrong == text.replace("x", "a").replace("y", "b").replace("z", "c"), change


def test_every_change_offered_can_be_made() -> None:
    tree = ast.parse(SOUND)
    for name in names(tree):
        for change in usual(scope(tree, name)):
            assert ast.dump(changed(SOUND, name, change)) != ast.dump(tree), change


@pytest.mark.parametrize("change", ["", ">", "> to >=", "> 1", "> 1 sideways"])
def test_what_nobody_can_do_is_refused(change: str) -> None:
    with pytest.raises(NoSuchPlace):
        changed("def f(a):\n    return a > 1\n", "f", change)
