"""`manage.py reconcile` and `look_around`, as they are typed."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from audit.models import Reconciliation, ReconciliationResult, RunSheet
from audit.reconcile import working
from casino.models import JobOutbox
from tests.factories.evenings import DAY, an_evening, partida_of

pytestmark = pytest.mark.django_db


def typed(*words: str) -> tuple[str, int]:
    """What the command says and with which number it ends."""
    said = StringIO()
    try:
        call_command("reconcile", *words, "--language", "en", stdout=said, stderr=said)
    except SystemExit as end:
        return said.getvalue(), int(end.code or 0)
    return said.getvalue(), 0


def test_a_day_with_a_mistake() -> None:
    an_evening(rounds=3, wrong=[2])
    said, code = typed("--from", DAY)
    result = ReconciliationResult.objects.get()
    assert code == 1
    assert f"Run {result.run}: 5 records read, 3 rounds among them judged." in said
    assert result.digest in said
    assert Reconciliation.objects.get().reason == "asked"
    own = JobOutbox.objects.get(topic="reconciliation", key__startswith="reconciliation/")
    assert own.done_at is not None


def test_nothing_in_the_way_ends_with_zero() -> None:
    said, code = typed("--from", "2024-01-01", "--to", "2024-01-03")
    assert (code, Reconciliation.objects.get().reason) == (0, "range")
    assert "0 rounds" in said


def test_one_partida_under_another_rulebook() -> None:
    an_evening("BJ-01", rounds=1, wrong=[1])
    an_evening("BJ-02", rounds=1, wrong=[1])
    typed("--partida", partida_of("BJ-02"), "--rulebook", "es")
    sheet = RunSheet.objects.get()
    assert (sheet.partida_id, sheet.rulebook) == (partida_of("BJ-02"), "es")
    assert ReconciliationResult.objects.get().rounds == 1


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([], "--partida"),
        (["--from", DAY, "--partida", partida_of()], "--partida"),
        (["--from", "2025-11-21", "--to", "2025-11-20"], "before"),
        (["--partida", "BJ-01"], "BJ-01"),
        (["--from", DAY, "--rulebook", "xx"], "xx"),
        (["--from", "yesterday"], "yesterday"),
    ],
)
def test_what_cannot_be_asked_is_refused(words: list[str], why: str) -> None:
    with pytest.raises(CommandError, match=why):
        typed(*words)
    assert not Reconciliation.objects.exists()


def test_a_run_that_cannot_end_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    an_evening(rounds=1)

    def breaks(*_: Any, **__: Any) -> None:
        raise RuntimeError("no more paper")

    monkeypatch.setattr(working, "compare", breaks)
    with pytest.raises(CommandError, match="no more paper") as refusal:
        typed("--from", DAY)
    assert refusal.value.returncode == 2


def test_looking_around_says_how_much_it_found() -> None:
    said = StringIO()
    call_command("look_around", stdout=said)
    assert "0" in said.getvalue()
