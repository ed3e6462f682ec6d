"""On the day a figure of the law changes, rounds are judged otherwise than on the eve."""

import ast
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

import casino.law
from casino.events.round.round_played import RoundPlayed
from casino.law.rulebook.rulebook import DatedValue, Law
from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from tests.factories.changed_rounds import CHANGES, DIFFERS, Change
from tests.factories.round_readings import PARTINGS, one_box, result_of
from tests.factories.rounds import main

DAY = date(2026, 11, 20)
EVE = DAY - timedelta(days=1)
# The rooms that judge; `law` and its kin only hand the figures out.
JUDGING = [
    "play",
    "betting",
    "dealing",
    "decisions",
    "splitting",
    "options",
    "settlement",
    "bank_total",
    "lawful_deal",
    "side_bets",
    "readings_used",
    "taken_out",
    "round_judge",
    "shoe_rounds",
    "finding",
    "strays",
    "card_population",
]

# Figures the engine asks that no day can change by themselves.
NOT_BY_ITSELF = {
    "ace.values": "how an ace counts is the arithmetic of casino/cards.py: another value of it is"
    " another game and a change of the program, not of a date",
}


def changed(law: Law, figures: dict[str, Any]) -> Law:
    """The law with these figures changed from DAY on."""
    parameters = dict(law.parameters)
    for name, value in figures.items():
        later = DatedValue(DAY, value, "a change made up for this test", DAY)
        parameters[name] = replace(parameters[name], values=(*parameters[name].values, later))
    return replace(law, parameters=parameters)


def on(day: date, played: RoundPlayed) -> RoundPlayed:
    """The same round on another gaming day."""
    return replace(played, partida=f"{played.table}/{day.isoformat()}/1")


def asked_by_the_engine() -> set[str]:
    """Every figure of any rulebook whose name stands in a judging room."""
    stated = {name for book in rulebook_ids() for name in load_law(book).parameters}
    room = Path(casino.law.__file__).parent
    trees = [
        ast.parse(path.read_text(encoding="utf-8"))
        for path in room.rglob("*.py")
        if path.stem in JUDGING
    ]
    assert len(trees) == len(JUDGING)
    written = {
        node.value
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    return stated & written


@pytest.mark.parametrize("change", CHANGES, ids=["+".join(one.figures) for one in CHANGES])
def test_a_round_is_judged_by_the_figure_of_its_day(change: Change) -> None:
    law = changed(load_law(change.book), dict(change.figures))
    assert result_of(on(EVE, change.played), law) == change.eve
    today = result_of(on(DAY, change.played), law)
    if change.day is DIFFERS:
        assert today != change.eve
    else:
        assert today == change.day
    assert result_of(on(DAY + timedelta(days=400), change.played), law) == today


@pytest.mark.parametrize(
    ("reading", "choice"),
    [
        pytest.param(reading, choice, id=f"{reading}-{choice}")
        for reading, parting in PARTINGS.items()
        for choice in parting.results
        if choice != load_law("pt").readings[reading].choice
    ],
)
def test_a_reading_changes_on_its_day_too(reading: str, choice: Any) -> None:
    pt, (played, results) = load_law("pt"), PARTINGS[reading]
    adopted = pt.readings[reading]
    law = changed(pt, {adopted.parameter: choice})
    assert result_of(on(EVE, played), law) == results[adopted.choice]
    assert result_of(on(DAY, played), law) == results[choice]


def test_no_figure_the_engine_asks_is_left_out() -> None:
    readings = load_law("pt").readings
    shown = {name for change in CHANGES for name in change.figures}
    shown |= {readings[reading].parameter for reading in PARTINGS}
    assert sorted(asked_by_the_engine() - shown - NOT_BY_ITSELF.keys()) == []
    assert sorted(shown - asked_by_the_engine()) == [], "the engine does not ask for these"
    assert sorted(NOT_BY_ITSELF.keys() & shown) == []


def test_the_engine_asks_for_what_it_is_known_to_ask() -> None:
    """The list above is read off the program: were it empty, the test above would say nothing."""
    assert {"blackjack.pays", "bank.bust", "player.boxes_maximum"} <= asked_by_the_engine()
    assert len(asked_by_the_engine()) > 50


@pytest.mark.parametrize(
    ("name", "check"),
    [
        ("stand.above", "stand_above_eleven"),
        ("limits.maximum_over_minimum", "maximum_within_thirty_minimums"),
        ("boxes.maximum", "box_exists"),
    ],
)
def test_a_figure_not_yet_in_force_is_not_asked(name: str, check: str) -> None:
    pt = load_law("pt")
    dated = pt.parameters[name].values[0]
    late = replace(pt.parameters[name], values=(replace(dated, since=DAY),))
    law = replace(pt, parameters={**pt.parameters, name: late})
    played = next(change.played for change in CHANGES if name in change.figures)
    assert not law.on(EVE).states(name)
    assert law.on(DAY).states(name)
    found = result_of(on(EVE, played), law)
    assert check not in " ".join(found.cited)


def test_where_the_bank_looks_a_surrender_may_stay_at_half() -> None:
    looks: dict[str, Any] = {"bank.peeks": True, "peek.late_stakes": "lost"}
    played = one_box("TS 6D", main(1000, 500), does="surrender", bank="TH AC")
    half = changed(load_law("pt"), looks | {"peek.surrender": "half"})
    lost = changed(load_law("pt"), looks | {"peek.surrender": "lost"})
    assert (result_of(played, half).due, result_of(played, lost).due) == ((500,), (0,))
