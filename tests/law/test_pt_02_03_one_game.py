"""PT art. 2, 3: a deck, a machine, a table serve one game at a time."""

from typing import Any

import pytest

from casino.events.deck_life import DeckWithdrawn
from casino.events.floor_life import PartidaReopened
from casino.law.rulebook.rulebook_file import load_law
from tests.factories.games import DAY, DECKS, Game, shuffler_evening
from tests.factories.other_tables import OTHERS, beside
from tests.factories.previewed import preview
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import cited, said, the_finding

CARDS, TABLE = "cards_serve_one_game", "one_game_at_a_table"


@upholds_case(CARDS, "unlawful")
@pytest.mark.parametrize(
    ("recorded", "shared"),
    [
        ({"decks": DECKS}, {"decks": list(DECKS)}),
        ({"decks": ("D-3", *OTHERS[1:])}, {"decks": ["D-3"]}),
        ({"dealing": "shuffler"}, {"shuffler": "CSM-04"}),
        ({"decks": DECKS, "closed": "19:00:01"}, {"decks": list(DECKS)}),
    ],
)
def test_article_3_what_lies_in_an_open_game_is_taken_for_another(
    recorded: dict[str, Any], shared: dict[str, Any]
) -> None:
    game = beside(**recorded)
    found = the_finding(CARDS, game)
    assert (found.article, found.severity, found.where) == ("house.table", "deviation", {})
    assert found.observed == {"also_at": "BJ-02", **shared}
    opening = next(one for one in game.entries if one.event.kind == "partida-opened/1")
    assert found.evidence[-1] == opening.entry_id
    assert said(TABLE, game) == LAWFUL


@upholds_case(CARDS, "lawful")
@upholds_case(TABLE, "lawful")
@pytest.mark.parametrize("check", [CARDS, TABLE])
def test_article_3_games_with_their_own_cards_one_after_the_other(check: str) -> None:
    assert said(check, beside()) == LAWFUL
    assert said(check, beside("14:00", "18:00", decks=DECKS)) == LAWFUL
    assert said(check, beside("14:00", "18:00", decks=DECKS, table="BJ-01")) == LAWFUL
    assert said(check, shuffler_evening()) == LAWFUL
    assert said(check, Game(opened=False)) == NOT_ASKED


@upholds_case(CARDS, "boundary")
@pytest.mark.parametrize(
    ("recorded", "answer"),
    [
        ({"closed": "19:00"}, LAWFUL),
        ({"opened": "19:00"}, LAWFUL),  # at one moment: BJ-02 is asked, not BJ-01
        ({"opened": "19:00", "table": "BJ-00"}, BREACH),
        ({"opened": "19:00:01"}, LAWFUL),  # the later one is asked
        ({"yesterday": True}, UNDECIDED),  # nobody recorded its closing
        ({"yesterday": True, "closed": "20:00"}, BREACH),
        ({"table": "BJ-01"}, LAWFUL),  # the table's own games are asked about otherwise
    ],
)
def test_article_3_the_game_that_was_open_before_and_still_was(
    recorded: dict[str, Any], answer: str
) -> None:
    assert said(CARDS, beside(**{"decks": DECKS, **recorded})) == answer


@upholds_case(CARDS, "boundary")
def test_article_3_a_deck_that_was_withdrawn_there_lies_there_no_more() -> None:
    game = beside(decks=("D-3", *OTHERS[1:]))
    game.beside(DeckWithdrawn(deck="D-3", reason="worn"), "18:30")
    assert said(CARDS, game) == LAWFUL
    assert cited(game) == ["5 withdrawn_deck_not_used"]


def came_in_there(at: str = "18:30", *, left: str | None = "D-11", again: str = "") -> Game:
    """A game opened at 19:00 with D-3, and another table that shows D-3 in its own."""
    game = Game()
    other = Game(table="BJ-02", opened=False, decks=OTHERS)
    other.open("18:00", shown=None)
    if left is not None:
        other.record(DeckWithdrawn, "18:20", deck=left, reason="damaged")
    other.show("D-3", at)
    if again:
        other.record(DeckWithdrawn, again, deck="D-3", reason="worn")
    game.around += other.entries
    return game


@upholds_case(CARDS, "unlawful")
def test_article_3_a_deck_that_came_into_another_game_lies_there() -> None:
    game = came_in_there()
    found = the_finding(CARDS, game)
    assert (found.article, found.where) == ("house.table", {})
    assert found.observed == {"also_at": "BJ-02", "decks": ["D-3"]}
    assert cited(game) == ["house.table cards_serve_one_game"]


@upholds_case(CARDS, "boundary")
@pytest.mark.parametrize(
    "recorded",
    [
        {"at": "19:00:01"},  # the other table is asked, not this one
        {"left": None},  # a number typed wrongly: none of that game's decks had left it
        {"again": "18:59"},
    ],
)
def test_article_3_a_deck_that_was_in_no_other_game_when_this_one_began(recorded: Any) -> None:
    assert said(CARDS, came_in_there(**recorded)) == LAWFUL


@upholds_case(CARDS, "unlawful")
def test_article_3_a_deck_comes_in_that_lies_in_another_game() -> None:
    game = beside("18:00")
    game.record(DeckWithdrawn, "21:00", deck="D-1", reason="worn")
    shown = game.show("D-13", "21:10")
    again = game.show("D-13", "21:20")
    found = the_finding(CARDS, game)
    assert (found.where, found.observed["also_at"]) == ({"deck": "D-13"}, "BJ-02")
    assert found.evidence[-1] == shown.entry_id
    game.entries.remove(again)
    game.entries.remove(shown)
    warned = preview(game.dossier(), shown, load_law("pt"))
    assert [one.check for one in warned if one.article == "house.table"] == [CARDS]


@upholds_case(CARDS, "boundary")
@pytest.mark.parametrize(
    ("other", "answer"),
    [
        ({"closed": "21:10"}, LAWFUL),
        ({"closed": "21:10:01"}, BREACH),
        ({"opened": "21:11"}, LAWFUL),
        ({"yesterday": True}, UNDECIDED),
    ],
)
def test_article_3_the_other_game_was_open_when_the_deck_came_in(other: Any, answer: str) -> None:
    game = beside(**{"opened": "18:00", **other})
    game.record(DeckWithdrawn, "21:00", deck="D-1", reason="worn")
    game.show("D-13", "21:10")
    assert said(CARDS, game) == answer


@upholds_case(TABLE, "unlawful")
@pytest.mark.parametrize("closed", [None, "20:00"])
def test_article_2_a_second_game_of_the_table_while_the_first_is_open_is_a_warning(
    closed: str | None,
) -> None:
    game = beside("18:00", closed, table="BJ-01")
    found = the_finding(TABLE, game)
    assert (found.article, found.severity) == ("house.table", "warning")
    assert found.observed == {"game": f"BJ-01/{DAY.isoformat()}/2"}


@upholds_case(TABLE, "unlawful")
def test_article_2_a_game_reopened_while_the_next_is_open_is_a_warning() -> None:
    game = beside("21:00", table="BJ-01")
    game.close("20:30")
    assert said(TABLE, game) == LAWFUL
    game.record(PartidaReopened, "22:00", reason="more")
    assert the_finding(TABLE, game).evidence[-1] == game.entries[-1].entry_id


@upholds_case(CARDS, "boundary")
def test_article_3_who_was_there_first_may_open_again() -> None:
    taken = beside("21:00", decks=DECKS)  # the other took them from an open game
    taken.close("22:00")
    taken.record(PartidaReopened, "22:30", reason="more")
    assert said(CARDS, taken) == LAWFUL
    given_up = beside("21:00", decks=DECKS)
    given_up.close("20:30")
    given_up.record(PartidaReopened, "22:30", reason="more")
    assert said(CARDS, given_up) == BREACH


@upholds_case(TABLE, "boundary")
@pytest.mark.parametrize(("closed", "answer"), [("19:00", LAWFUL), ("19:00:01", BREACH)])
def test_article_2_closed_as_the_next_is_opened(closed: str, answer: str) -> None:
    assert said(TABLE, beside("18:00", closed, table="BJ-01")) == answer
    yesterdays = beside("18:00", None, table="BJ-01", yesterday=True)
    assert said(TABLE, yesterdays) == UNDECIDED


def test_an_opening_in_hand_with_the_cards_of_another_table_is_warned_of() -> None:
    game = beside(decks=DECKS)
    opening = game.entries.pop(0)
    warned = preview(game.dossier(), opening, load_law("pt"))
    assert [one.check for one in warned if one.article == "house.table"] == [CARDS]
