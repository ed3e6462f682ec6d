"""Whatever one figure, one negation of an official text or one parameter changes to is named."""

import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final

import pytest

from casino.law.rulebook.rulebook import Law
from casino.law.rulebook.rulebook_file import load_law
from casino.law.text.legal_text import Text
from casino.law.text.number_bindings import bindings_of
from casino.law.text.read_text import read_text
from casino.law.text.text_comparison import compared
from tests.factories import text_mutations
from tests.factories.invented_rules import BOUND, DAY, LAW, RULES
from tests.gate import SEED, size

REGULATION: Final = "seeds/002_07ece81049b9d624.txt"
TIMES: Final = size(test=40, check=1000, soak=1000)
MOST_LEFT: Final = max(1, TIMES // 100)


def assert_named(survivors: list[str]) -> None:
    """At least 99 of 100 were named; the others are listed."""
    sys.stdout.write("\n".join([f"of {TIMES} not named:", *survivors, ""]))
    assert len(survivors) <= MOST_LEFT, survivors


def survivors_of_text(text: Text, law: Law, file: Path | None) -> list[str]:
    random, found = Random(SEED), []
    bindings = {eid: tuple(there) for eid, there in bindings_of(law.id, file).items()}
    for _ in range(TIMES):
        change = text_mutations.of_text(text, bindings, random)
        comparison = compared(read_text(change.source), law, DAY, file)
        if not text_mutations.named(change, comparison, law):
            found.append(f"{change.eid}: {change.what} ({change.parameter})")
    return found


def survivors_of_rulebook(text: Text, law: Law, file: Path | None) -> list[str]:
    random, found = Random(SEED), []
    for _ in range(TIMES):
        name, said, changed = text_mutations.of_rulebook(law, random)
        comparison = compared(text, changed, DAY, file)
        if not text_mutations.named_parameter(name, comparison, law):
            found.append(f"{name}: {said}")
    return found


def test_a_change_of_the_rules_is_named() -> None:
    assert_named(survivors_of_text(read_text(RULES), LAW, BOUND))


def test_a_change_of_their_rulebook_is_named() -> None:
    assert_named(survivors_of_rulebook(read_text(RULES), LAW, BOUND))


@pytest.mark.check
def test_a_change_of_the_regulation_is_named(shared_data: Callable[[str], Path]) -> None:
    text = read_text(shared_data(REGULATION).read_bytes())
    assert_named(survivors_of_text(text, load_law("pt"), None))


@pytest.mark.check
def test_a_change_of_its_rulebook_is_named(shared_data: Callable[[str], Path]) -> None:
    text = read_text(shared_data(REGULATION).read_bytes())
    assert_named(survivors_of_rulebook(text, load_law("pt"), None))
