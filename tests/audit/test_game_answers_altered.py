"""A number behind an article's state that somebody changed is found by the verification."""

from typing import Any

import pytest

from audit.models import GameAnswers
from tests.audit.attacks_on_book import after, attack, recorded_there
from tests.audit.reconciling import reconcile
from tests.factories.evenings import an_evening
from tests.factories.verified_books import vandal

pytestmark = pytest.mark.usefixtures("fresh_db")
ALL_LAWFUL = (
    "UPDATE audit_game_answers SET answers = jsonb_set(answers,"
    " '{pt,nearer_to_twenty_one_wins}', '[3, 0, 0]')"
)


@pytest.mark.parametrize(
    ("done", "code"),
    [(ALL_LAWFUL, "shelf-differs"), ("DELETE FROM audit_game_answers", "shelf-missing")],
)
def test_changed_answers_are_found(databases: Any, done: str, code: str) -> None:
    an_evening(rounds=3, wrong=[2])
    reconcile("first")
    n = GameAnswers.objects.get().n
    where = {"stream": "reconciler", "n": n, "shelf": "audit_game_answers"}
    with vandal(databases) as alias:
        verification = after(alias, attack("audit_game_answers", done, found=[(code, where)]))
    assert any(
        recorded_there(problem, code, where) for problem in verification.report.of("problem")
    )
