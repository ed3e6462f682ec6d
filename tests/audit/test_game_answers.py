"""What the checks answered of each game: sealed, added up for any days, each game once."""

from datetime import date, datetime, timedelta

import pytest

from audit import answers
from audit.answers import Answers, Stretch
from audit.models import GameAnswers, ReconciliationResult, RunSheet
from audit.reconcile.opening import Asked
from audit.reconcile.request_run import ask_for_waiting
from casino import clock
from casino.models import BookEntry, JobOutbox
from casino.tasks import done
from tests.audit.reconciling import reconcile
from tests.factories.evenings import DAY, an_evening, correct, partida_of, played
from tests.factories.tonight import Table

pytestmark = pytest.mark.django_db
AMOUNT = "nearer_to_twenty_one_wins"
THE_DAY = date.fromisoformat(DAY)
NIGHT = Stretch(THE_DAY, THE_DAY)


def test_a_run_tells_of_each_game_what_its_checks_answered() -> None:
    an_evening(rounds=3, wrong=[2])
    result = reconcile("first")
    row = GameAnswers.objects.get()
    assert (row.partida_id, row.run, row.rounds) == (partida_of(), result.run, 3)
    assert row.answers["pt"][AMOUNT] == [2, 1, 0]
    assert row.answers == RunSheet.objects.get(run=result.run).answers
    assert BookEntry.objects.get(pk=row.pk).kind == "game-judged/1"
    summed = [sum(part) for part in zip(*row.answers["pt"].values(), strict=True)]
    house = [sum(part) for part in zip(*row.answers["house"].values(), strict=True)]
    assert result.undecided == summed[2] + house[2]
    assert result.lawful == summed[0] + house[0]


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


# Games of which nobody recorded what the checks answered: older than 0.7.0, or never reconciled


def nights_later(n: int) -> datetime:
    return clock.now() + timedelta(days=n)


def jobs() -> list[dict[str, str]]:
    rows = JobOutbox.objects.filter(key__startswith="judging").order_by("id")
    return list(rows.values_list("args", flat=True))


def test_days_with_games_nobody_judged_are_asked_for_once_a_night_the_newest_first() -> None:
    days = ["2025-11-18", "2025-11-19", "2025-11-20"]
    for day in days:
        an_evening(day=day, rounds=1)
    reconcile("one", partida=partida_of(day=days[1]))
    assert ask_for_waiting(clock.now()) == [date(2025, 11, 20), date(2025, 11, 18)]
    assert ask_for_waiting(clock.now()) == []
    assert jobs() == [
        {"reason": "nightly", "from_day": day, "to_day": day} for day in (days[2], days[0])
    ]
    assert ask_for_waiting(nights_later(1)) == []  # while they are still wanted
    for key in JobOutbox.objects.filter(key__startswith="judging").values_list("key", flat=True):
        done(key)  # and nothing came of it
    assert ask_for_waiting(nights_later(1)) == [date(2025, 11, 20), date(2025, 11, 18)]


def test_only_so_many_days_are_asked_for_in_one_night(monkeypatch: pytest.MonkeyPatch) -> None:
    for n in range(1, 5):
        an_evening(day=f"2025-11-0{n}", rounds=0)
    monkeypatch.setattr("audit.reconcile.request_run.A_NIGHT", 3)
    first = ask_for_waiting(clock.now())
    assert first == [date(2025, 11, 4), date(2025, 11, 3), date(2025, 11, 2)]
    for day in first:
        reconcile(f"run of {day}", partida="", from_day=day, to_day=day, reason="nightly")
    assert ask_for_waiting(nights_later(1)) == [date(2025, 11, 1)]


def test_the_grid_becomes_whole_by_what_is_asked_for_at_night() -> None:
    an_evening(rounds=2)
    assert answers.judged("pt", NIGHT) == (0, 0, 1)
    ask_for_waiting(clock.now())
    for args in jobs():
        asked = Asked.of_args(**args)
        reconcile(
            "of the night",
            partida="",
            reason=asked.reason,
            from_day=asked.from_day,
            to_day=asked.to_day,
        )
    assert answers.judged("pt", NIGHT) == (1, 2, 0)
    assert ask_for_waiting(nights_later(1)) == []


def test_the_game_under_way_waits_for_its_own_end() -> None:
    Table()
    assert ask_for_waiting(clock.now()) == []
