"""Where the text leaves a choice on the floor each choice gives another result; so do the figures.

A row is a partida, the book, and what is cited under each choice or figure, worked out by hand.
"""

import ast
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

import casino.law
import jackpot
from casino.events.partidas import SpecialCard
from casino.events.shoes import CutMade, PlayInterrupted
from casino.events.witnessing import Witnessed
from casino.law.check_registry import ALL_CHECKS
from casino.law.rulebook.rulebook import DatedValue, Law
from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from tests.factories.complaints import complaint
from tests.factories.game_readings import ALONE, PARTINGS, RIGHTFUL, shoes
from tests.factories.games import DAY, Game, cut_by, evening, shuffler_evening
from tests.factories.opened_tables import table, with_decks
from tests.factories.pool_games import (
    lawful_pool,
    two_chips,
)
from tests.factories.rounds_put_back import rounds
from tests.factories.shuffler import light_on, reloaded, unwitnessed
from tests.factories.shuffler_incidents import recorded_late
from tests.factories.shuffler_opened import shuffled
from tests.factories.shuffler_troubles import jam as called
from tests.law.asking import LAWFUL, UNDECIDED
from tests.law.floor_asking import cited, judged, undecided

GRAVER: Final = ("warning", "breach")


def cited_as(game: Game, *asked: Any) -> list[str]:
    """Everything found, and where a reading makes a breach of what is a warning otherwise, so."""
    return sorted(
        f"{one.article} {one.check}"
        + (", a breach" if (ALL_CHECKS[one.check].severity, one.severity) == GRAVER else "")
        for one in judged(game, *asked).findings
    )


@pytest.mark.parametrize(
    ("reading", "choice"),
    [(name, choice) for name, one in PARTINGS.items() for choice in one.cited],
)
def test_a_reading_of_the_floor_gives_what_was_worked_out(reading: str, choice: str | int) -> None:
    game, expected = PARTINGS[reading]
    assert cited_as(game(), "pt", {reading: choice}) == expected[choice]


@pytest.mark.parametrize("reading", PARTINGS)
def test_the_choices_part_and_the_adopted_one_is_what_the_book_does(reading: str) -> None:
    game, expected = PARTINGS[reading]
    held = load_law("pt").readings[reading]
    assert set(expected) == {choice.value for choice in held.choices}
    assert all(one != other for one, other in combinations(expected.values(), 2))
    assert held.waits_for is None
    assert isinstance(held.choice, str | int)
    assert cited_as(game()) == expected[held.choice]


@pytest.mark.parametrize("reading", PARTINGS)
def test_a_finding_names_the_reading_it_hangs_on(reading: str) -> None:
    game, expected = PARTINGS[reading]
    for choice in expected:
        for found in judged(game(), "pt", {reading: choice}).findings:
            assert reading in found.readings, (choice, found.check)


def test_a_finding_that_hangs_on_no_reading_names_none() -> None:
    game = shoes(cut_by(2))  # at the start it is the lowest seat's, however one reads
    assert [found.readings for found in judged(game).findings] == [()]


def test_54_and_55_that_nobody_said_he_was_there_is_a_warning_or_by_its_other_choice_a_breach() -> (
    None
):
    emptied = shuffler_evening()
    emptied.drop(Witnessed, act="shuffler-unloaded/1")
    strict = {"presence-shown": "breach"}
    for game, article in ((unwitnessed(), "54"), (emptied, "55")):
        for readings, severity in ((None, "warning"), (strict, "breach")):
            (found,) = judged(game, "pt", readings).findings
            assert (found.article, found.severity) == (article, severity)
            assert found.readings == ("presence-shown",)
    assert cited(shuffler_evening(), "pt", strict) == []


def test_with_dealer_changes_counted_an_untold_dealer_leaves_it_open() -> None:
    strict = {"interruption": "dealer_change_too"}
    game = shoes(cut_by(1), cut_by(2))
    assert cited(game, "pt", strict) == []
    game = Game()
    game.prepare(1, "20:00")
    game.prepare(2, "21:00", shuffle={"shuffled_by": None})
    assert undecided(game, "pt", strict) == {"cut_by_rightful_seat", "shoe_shuffled_by_a_dealer"}
    game.record(PlayInterrupted, "20:40", reason="dealer_change")
    assert cited(game, "pt", strict) == [RIGHTFUL]


def test_counted_from_the_due_seat_an_unknown_right_leaves_the_next_open() -> None:
    game = shoes(cut_by(1), cut_by(2), cut_by(5))
    game.drop(CutMade, shoe=1)
    for choice, answers in (
        ("from_cutter", [UNDECIDED, LAWFUL]),  # of the second shoe and of the third
        ("from_due", [UNDECIDED, UNDECIDED]),
    ):
        outcomes = judged(game, "pt", {"cut-after-refusal": choice}).outcomes
        assert [said for name, said in outcomes if name == "cut_by_rightful_seat"] == answers


def test_by_box_the_warning_card_waits_for_the_first_round() -> None:
    game = Game()
    game.prepare(1, warning={"cards_from_end": 156, "players": 1})
    by_box = {"one-player": "one_box"}
    assert undecided(game, "pt", by_box) == {
        "warning_card_at_its_place",
        "warning_card_near_its_place",
    }
    two_on_one_box = Game()
    two_on_one_box.prepare(1, warning={"cards_from_end": 156, "players": 2})
    two_on_one_box.round(1, 1)
    assert cited(two_on_one_box, "pt", by_box) == []
    assert cited(two_on_one_box) == ["9 warning_card_at_its_place"]


# The figures


class Change(NamedTuple):
    """A partida, a figure of a book, and what is cited with it and with another value."""

    book: str
    game: Callable[[], Game]
    value: Any
    cited: list[str]
    otherwise: list[str]


def warned(from_end: int, players: int = 3) -> Game:
    game = Game()
    cut = {**ALONE} if players == 1 else {}
    game.prepare(1, cut=cut, warning={"cards_from_end": from_end, "players": players})
    return game


def cut_twice() -> Game:
    """A shoe cut by a player with the red card and by the dealer with the blue one."""
    red = SpecialCard(front="red", back="red")
    game = Game()
    game.prepare(1, cut={"card_colour": "red"}, warning={"colours": red})
    known = {"seats_occupied": (1, 2, 5), "offers": (), "card_colour": "blue"}
    game.record(CutMade, "20:03", shoe=1, after="start", cut_by="pagador", **known)
    return game


# One card is burnt and all its decks are of one colour.
IN_FRANCE = [
    "the-setting/packs decks_of_two_colours_alike",
    "the-setting/shuffle-and-cut burnt_cards_exact",
]
CARD_FR = "the-setting/shuffle-and-cut cut_with_the_card_of_its_colour"
LAST_FR = "the-setting/last-hand players_card_announces_the_last_hand"
PLACE, NEAR = "9 warning_card_at_its_place", "9 warning_card_near_its_place"
BURN_ES = "inicio/separador-y-quemadas burnt_cards_exact"
ALIKE = "tipo-de-baraja decks_of_two_colours_alike"  # its six decks are all of one colour
UNWITNESSED, BURNT = ["54 loading_witnessed"], "10 shoe_is_burnt"
CHANGES: Final[dict[str, Change]] = {
    "decks.cards": Change("pt", evening, 51, [], ["3 exhibited_deck_has_its_cards"] * 6),
    "warning_card.from_end": Change("pt", lambda: warned(50), 70, [], [PLACE]),
    "warning_card.tolerance_warning": Change("pt", lambda: warned(44), 6, [NEAR], []),
    "warning_card.tolerance_breach": Change("pt", lambda: warned(66), 16, [PLACE], [NEAR]),
    "warning_card.one_player": Change("pt", lambda: warned(156, 1), Fraction(1, 3), [], [PLACE]),
    "burn.cards": Change("pt", evening, 2, [], ["10 burnt_cards_exact"] * 2),
    "shuffle.passes_minimum": Change(
        "es",
        evening,
        4,
        [*[BURN_ES] * 2, ALIKE],
        [*["inicio/mezcla-y-corte shuffle_passes_enough"] * 12, *[BURN_ES] * 2, ALIKE],
    ),
    "decks.of_each_colour": Change(  # of four and four nothing can be asked of six decks
        "es", evening, 4, [*[BURN_ES] * 2, ALIKE], [BURN_ES] * 2
    ),
    "cut.players_card": Change(
        "fr", cut_twice, "blue", IN_FRANCE, sorted([*IN_FRANCE, CARD_FR, LAST_FR])
    ),
    "cut.dealers_card": Change("fr", cut_twice, "yellow", IN_FRANCE, sorted([*IN_FRANCE, CARD_FR])),
    "csm.packets_minimum": Change("pt", shuffler_evening, 4, [], ["54 shuffler_loaded_in_packets"]),
    "csm.loads": Change("pt", reloaded, 2, ["54 shuffler_loaded_once"], []),
    "csm.light_rounds": Change(
        "pt",
        light_on,
        2,
        ["51 warning_light_answered"],
        ["house.devices warning_light_on_record"],
    ),
    "csm.called_within": Change(
        "pt", lambda: called(called_at="21:06"), 6, ["51 fiscal_chefe_called_at_once"], []
    ),
    "boxes.allowed": Change("pt", lambda: table(boxes=8), (6, 8), ["2 table_has_lawful_boxes"], []),
    "decks.allowed": Change("pt", lambda: with_decks(5), (5,), ["3 number_of_decks_allowed"], []),
    "csm.passes_minimum": Change(
        "pt",
        lambda: shuffled(shuffled_by="P-1"),
        4,
        UNWITNESSED,
        ["53 loaded_decks_shuffled_by_hand", *UNWITNESSED],
    ),
    "csm.communicated_within": Change(
        "pt", lambda: recorded_late(1500), 1500, ["51 damaged_card_communicated_in_time"], []
    ),
    "csm.deferred_within": Change(
        "pt",
        lambda: rounds("20:18", "20:23", waiting="1"),
        5,
        [BURNT, "60 deferred_cards_go_with_the_next"],
        [BURNT],
    ),
    "limits.maximum_over_minimum": Change(
        "pt", evening, 29, [], ["37 opened_within_thirty_minimums"]
    ),
    "jackpot.chips_per_player": Change(
        "pt", lambda: two_chips("1 J1 2"), 2, ["47 one_chip_per_player"], []
    ),
    "jackpot.cards_counted": Change(
        "pt", lawful_pool, (2, 3), [], ["42 jackpot_counted_cards_are_lawful"]
    ),
    "jackpot.start_times": Change(
        "pt", lawful_pool, 10_001, [], ["44 jackpot_start_is_high_enough"]
    ),
}
# Figures that only say that a check is asked, and one that a moment tells: shown elsewhere.
GRACES: Final = "test_the_times_are_the_laws_own_and_a_book_without_them_allows_none"
NOT_HERE: Final = {
    "decks.colours": "test_in_france_no_other_backs: what the choice names is its word",
    "shoe.special_cards": "cut_with_a_special_card is asked where special cards are stated",
    "stake.within_limits": "opened_with_the_limits_set is asked where stakes have limits",
    "witness.within": "test_the_time_for_a_witness_changes_on_its_day",
    "csm.loaded_within": "test_the_time_for_the_loading_changes_on_its_day",
    "complaint.answered_within": "test_the_time_for_an_answer_changes_on_its_day",
    "jackpot.restart_within": GRACES,
    "jackpot.chips_under_way": GRACES,
    "jackpot.display_follows_within": GRACES,
    "money.odd_cent": "test_article_50_several_top_combinations_share_equally_the_odd_cent_by_seat",
}


def changed(book: str, name: str, value: Any, since: date) -> Law:
    """The book with another value of a figure from a day on."""
    law = load_law(book)
    later = DatedValue(since, value, "a change made up for this test", since)
    parameter = law.parameters[name]
    dated = replace(parameter, values=(*parameter.values, later))
    return replace(law, parameters={**law.parameters, name: dated})


@pytest.mark.parametrize("name", CHANGES)
def test_a_partida_is_judged_by_the_figure_of_its_day(name: str) -> None:
    book, game, value, before, after = CHANGES[name]
    assert cited(game(), book) == before
    assert cited(game(), changed(book, name, value, DAY + timedelta(days=1))) == before
    assert cited(game(), changed(book, name, value, DAY)) == after


def test_the_time_for_a_witness_changes_on_its_day() -> None:
    at = "19:56"  # ten minutes after it was recorded
    assert cited(unwitnessed(), as_of=at) == ["54 loading_witnessed"]
    assert cited(unwitnessed(), changed("pt", "witness.within", 11, DAY), as_of=at) == []


def test_the_time_for_the_loading_changes_on_its_day() -> None:
    empty = Game("shuffler")  # opened at seven
    soon = "house.shuffler shuffler_loaded_soon_after_opening"
    assert cited(empty, as_of="20:10") == [soon]
    assert cited(empty, changed("pt", "csm.loaded_within", 70, DAY), as_of="20:10") == []
    later = changed("pt", "csm.loaded_within", 70, DAY + timedelta(days=1))
    assert cited(empty, later, as_of="20:10") == [soon]


def test_the_time_for_an_answer_changes_on_its_day() -> None:
    unanswered = complaint("20:11", None)  # five hours and some minutes before it is looked at
    assert cited(unanswered, as_of="01:20") == []
    sooner = changed("pt", "complaint.answered_within", 300, DAY)
    assert cited(unanswered, sooner, as_of="01:20") == ["house.complaints complaint_answered"]
    later = changed("pt", "complaint.answered_within", 300, DAY + timedelta(days=1))
    assert cited(unanswered, later, as_of="01:20") == []


def test_no_figure_the_floor_asks_is_left_out() -> None:
    stated = {name for book in rulebook_ids() for name in load_law(book).parameters}
    room = Path(casino.law.__file__).parent
    assert jackpot.__file__
    own = Path(jackpot.__file__).parent / "rules"
    of_the_floor = ("shoe", "shuffler", "table")
    files = [file for name in of_the_floor for file in (room / "checks" / name).glob("*.py")]
    files += [room / "partida_context.py", room / "cut_turns.py", room / "rulebook" / "controls.py"]
    files += own.glob("*.py")
    asked = {
        node.value
        for file in files
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in stated
    }
    readings = load_law("pt").readings
    shown = {*CHANGES, *NOT_HERE, *(readings[name].parameter for name in PARTINGS)}
    assert len(files) >= 8
    assert sorted(asked - shown) == []
    assert sorted(shown - asked) == []
