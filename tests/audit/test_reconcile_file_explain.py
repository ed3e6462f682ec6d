"""`reconcile_file --explain`: one round looked up by its id and put into words."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from casino.events.round.round_played import RoundPlayed
from casino.law.rulebook.rulebook import Law
from tests.audit.round_lines import a_round, reconcile, round_id, written

pytestmark = pytest.mark.share


@pytest.fixture(autouse=True)
def recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    """An explanation of which every word is known."""

    def explain(
        round_played: RoundPlayed, law: Law, translate: Callable[[str], str], language: str
    ) -> list[str]:
        return [f"{law.id} {round_played.round}", f"{translate('breach')} {language}"]

    stand_in = ModuleType("casino.law.wording.explain")
    stand_in.explain = explain  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "casino.law.wording.explain", stand_in)


@pytest.fixture
def rounds(tmp_path: Path) -> str:
    """Four rounds, of which the third is refused."""
    spoilt = a_round(3)
    del spoilt["bank"]
    return written(tmp_path / "r.jsonl", a_round(1), a_round(2, 0), spoilt, a_round(4))


@pytest.mark.parametrize("called", [round_id(2), round_id(2).upper(), round_id(2)[-12:]])
def test_a_round_is_found_by_its_id_or_the_end_of_it(rounds: str, called: str) -> None:
    ran = reconcile(rounds, "--explain", called, "--language", "en")

    assert ran == (0, f"pt {round_id(2)}\nbreach en\n", "")


def test_the_rulebook_of_the_command_line_explains(rounds: str) -> None:
    ran = reconcile(rounds, "--explain", round_id(1), "--rulebook", "fr")

    assert ran.out.startswith("fr ")


def test_a_refused_round_says_why(rounds: str) -> None:
    ran = reconcile(rounds, "--explain", round_id(3), "--language", "en")

    assert (ran.code, ran.out) == (2, "")
    assert "line 3, $.bank" in ran.err


@pytest.mark.parametrize("called", [round_id(9), "7", "", "ÿ" * 12])
def test_a_round_that_is_not_there_ends_with_2(rounds: str, called: str) -> None:
    ran = reconcile(rounds, "--explain", called)

    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
