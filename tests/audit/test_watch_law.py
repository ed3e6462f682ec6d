"""The age of the law's figures: after a year without a look at the text, a finding of the house."""

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from audit.runs import house_checks
from audit.runs.current_findings import standing
from audit.watch import watch_law as watched
from audit.watch.watch_law import oldest_confirmation, watch_law
from casino import clock
from casino.house_day import house_day_at
from casino.importing import regulation_texts
from casino.law.rulebook.rulebook import Law
from casino.law.rulebook.rulebook_file import load_law
from casino.recording import Actor
from tests.factories.findings import PEOPLE, people
from tests.factories.tonight import Table

pytestmark = [pytest.mark.django_db, pytest.mark.share]
YEAR = timedelta(days=365)
HEAD = Actor(PEOPLE["chefia_da_sala"], "chefia_da_sala", "admin")
# Nothing but the two figures the tests look at, as the rulebook has them.
TEXT = "Artigo 1.º\n\nNada.\n\nArtigo 2.º\n\nHá 6 ou 7 lugares.\n\nArtigo 3.º\n\nNada.\n"


@pytest.fixture
def old(settings: Any, monkeypatch: pytest.MonkeyPatch) -> date:
    """A rulebook whose figures were compared with the text a year ago today, to the day."""
    settings.HOUSE_DEADLINES = {**settings.HOUSE_DEADLINES, "figures": YEAR}
    day = house_day_at(clock.now()) - YEAR
    confirm(monkeypatch, day)
    return day


def confirm(monkeypatch: pytest.MonkeyPatch, day: date) -> None:
    """The rulebooks are those of files in which every figure was confirmed on a day."""
    monkeypatch.setattr(watched, "load_law", lambda name: aged(load_law(name), day))


def aged(law: Law, day: date) -> Law:
    """A rulebook with the same figures, all of them confirmed on one day."""
    parameters = {
        name: replace(one, values=tuple(replace(v, confirmed_on=day) for v in one.values))
        for name, one in law.parameters.items()
    }
    return replace(law, parameters=parameters)


def found() -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    rows = standing().filter(article=house_checks.LAW)
    return [(row.check_name, row.where, row.observed) for row in rows]


def test_figures_older_than_a_year_are_found_once_and_cured(
    old: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    Table("BJ-01")
    assert watch_law(clock.now()) == 0, "on the very day it is a year"
    older = old - timedelta(days=1)
    confirm(monkeypatch, older)
    assert watch_law(clock.now()) == 1
    named = {"rulebook": "pt"}, {"confirmed_on": older.isoformat()}
    assert found() == [(house_checks.FIGURES_CONFIRMED, *named)]
    assert watch_law(clock.now()) == 0, "it stands already"
    confirm(monkeypatch, old)  # a newer file
    watch_law(clock.now())
    assert found() == []


def test_a_rulebook_nobody_plays_by_is_not_asked(
    old: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    confirm(monkeypatch, old - timedelta(days=1))
    assert watch_law(clock.now()) == 0
    Table("BJ-01")
    assert watch_law(clock.now() + timedelta(days=40)) == 0, "no game of these 31 days"


@pytest.mark.parametrize(
    ("text", "confirmed"),
    [(TEXT, {"boxes.allowed"}), (TEXT.replace("7", "8"), set()), ("", set())],
    ids=["agrees", "differs", "none"],
)
def test_a_text_confirms_the_figures_that_agree(old: date, text: str, confirmed: set[str]) -> None:
    people()
    today = house_day_at(clock.now())
    if text:
        regulation_texts.receive(text.encode(), rulebook="pt", title="", in_force=None, by=HEAD)
    law = aged(load_law("pt"), old)
    for name in ("boxes.allowed", "blackjack.pays"):
        alone = replace(law, parameters={name: law.parameters[name]})
        asked = oldest_confirmation(alone, today, today)
        assert asked == (today if name in confirmed else old), name


def test_figures_of_the_house_stand_in_no_text(old: date) -> None:
    law = aged(load_law("pt"), old)
    own = {name: one for name, one in law.parameters.items() if one.values[-1].of_house}
    assert own
    today = house_day_at(clock.now())
    assert oldest_confirmation(replace(law, parameters=own), today, today) == today
