"""What the checks answered of each game: sealed, added up for any days, each game once."""

from datetime import date, timedelta

import pytest

from audit import answers
from audit.answers import Answers, Stretch
from audit.models import GameAnswers, ReconciliationResult, RunSheet
from casino.models import BookEntry
from tests.audit.reconciling import reconcile
from tests.factories.evenings import DAY, an_evening, correct, partida_of, played

pytestmark = pytest.mark.django_db
AMOUNT = "nearer_to_twenty_one_wins"
THE_DAY = date.fromisoformat(DAY)
NIGHT = Stretch(THE_DAY, THE_DAY)


def test_a_run_tells_of_each_game_what_its_checks_answered() -> None:
    an_evening(rounds=3, wrong=[2])
    told = reconcile("first")
    row = GameAnswers.objects.get()
    assert (row.partida_id, row.run, row.rounds) == (partida_of(), told.run, 3)
    assert row.answers["pt"][AMOUNT] == [2, 1, 0]
    assert row.answers == RunSheet.objects.get(run=told.run).answers
    assert BookEntry.objects.get(pk=row.pk).kind == "game-judged/1"
    summed = [sum(part) for part in zip(*row.answers["pt"].values(), strict=True)]
    house = [sum(part) for part in zip(*row.answers["house"].values(), strict=True)]
    assert told.undecided == summed[2] + house[2]
    assert told.lawful == summed[0] + house[0]


def test_a_game_judged_twice_counts_once_by_its_newest_run() -> None:
    receipts = an_evening(rounds=3, wrong=[2])
    reconcile("first")
    assert answers.of_checks("pt", NIGHT)[AMOUNT] == Answers(2, 1, 0)
    reconcile("again")
    assert answers.of_checks("pt", NIGHT)[AMOUNT] == Answers(2, 1, 0)
    correct(receipts[2], played("r2", place=2))
    reconcile("corrected")
    assert answers.of_checks("pt", NIGHT)[AMOUNT] == Answers(3, 0, 0)
    assert answers.judged("pt", NIGHT) == (1, 3, 0)


def test_a_run_under_another_rulebook_counts_nowhere() -> None:
    an_evening(rounds=2)
    reconcile("what if", rulebook="es")
    assert not GameAnswers.objects.exists()
    assert answers.judged("pt", NIGHT) == (0, 0, 1)


def test_only_the_days_the_table_and_the_rulebook_asked_are_counted() -> None:
    an_evening(rounds=2)
    reconcile("first")
    before = Stretch(THE_DAY - timedelta(days=9), THE_DAY - timedelta(days=1))
    assert answers.of_checks("pt", before) == {}
    assert answers.of_checks("es", NIGHT) == {}
    assert answers.of_checks("pt", NIGHT._replace(table="BJ-99")) == {}
    here = NIGHT._replace(table=partida_of().split("/")[0])
    assert answers.of_checks("pt", here) == answers.of_checks("pt", NIGHT)


def test_a_run_that_has_not_ended_counts_not_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    an_evening(rounds=2)
    reconcile("first")
    before = answers.of_checks("pt", NIGHT)
    monkeypatch.setattr("audit.reconcile.concluding._say_it_ended", lambda *_: None)
    with pytest.raises(ReconciliationResult.DoesNotExist):
        reconcile("second")
    assert GameAnswers.objects.count() == 2
    assert answers.of_checks("pt", NIGHT) == before
