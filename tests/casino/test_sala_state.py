"""How a table stands and what is due there, worked out from its record alone: no database."""

from typing import Any

import pytest
from hypothesis import given, settings

from casino.events.complaints import ComplaintDecided, ComplaintReceived
from casino.events.deck_life import DeckWithdrawn
from casino.events.floor_life import SeatLeft, SeatTaken
from casino.events.incidents import IncidentClosed, IncidentReported
from casino.events.partidas import PartidaOpened
from casino.events.shoes import (
    CardBurned,
    CardsSpread,
    CartaAvisoPlaced,
    CutMade,
    LastRoundAnnounced,
    PlayInterrupted,
    PlayResumed,
)
from casino.floor.shoe.cut_plan import FISCAL, cut_made, plan_of
from casino.floor.table_state import Alert, TableState, rules_of, state_of
from casino.law.rulebook.rulebook_file import load_law
from tests.factories.any_games import TIMES, games
from tests.factories.games import (
    DAY,
    DECKS,
    LEFT_OUT,
    SEATS,
    Game,
    cut_by,
    evening,
    moment,
    shuffler_evening,
)

RULES = load_law("pt").on(DAY)
ALWAYS_AT_A_SHOE = [
    "interrupt",
    "incident",
    "complaint",
    "round",
    "dealer",
    "hand_over",
    "chips",
    "close",
]


def state(game: Game, now: str = "22:00", **known: Any) -> TableState:
    return state_of(game.dossier(now), RULES, moment(now), **known)


def due(game: Game) -> list[tuple[str, str]]:
    """What comes next there, with the article it follows from; without what can always be done."""
    always = {*ALWAYS_AT_A_SHOE, "unload"}
    return [(step.name, step.article) for step in state(game).next_steps if step.name not in always]


# A table with a shoe


def test_articles_7_to_11_one_step_after_the_other() -> None:
    game = Game(shown=None)
    assert due(game) == [("exhibit", "7")]
    for deck in DECKS:
        assert due(game) == [("exhibit", "7")]
        game.show(deck, "19:30")
    assert due(game) == [("shuffle_cut", "8")]
    game.prepare(1, cut=LEFT_OUT, warning=LEFT_OUT, burn=LEFT_OUT)
    assert due(game) == [("cut", "8")]
    game.record(
        CutMade,
        "20:02",
        shoe=1,
        after="start",
        seats_occupied=SEATS,
        special_card=True,
        **cut_by(1, "1+"),
    )
    assert due(game) == [("prepare", "9")]
    game.record(CartaAvisoPlaced, "20:04", shoe=1, cards_from_end=50, players=3)
    assert due(game) == [("prepare", "9")]
    game.record(CardBurned, "20:06", shoe=1, cards=1)
    assert due(game) == [("last_round", "11")]
    game.record(LastRoundAnnounced, "20:50", shoe=1, came_out="during_round")
    assert due(game) == [("shuffle_cut", "8")]
    assert state(game).next_shoe == 2


def test_what_can_be_done_at_any_moment_follows_what_comes_next() -> None:
    names = [step.name for step in state(Game()).next_steps]
    assert names == ["shuffle_cut", *ALWAYS_AT_A_SHOE]


def test_a_step_left_out_is_not_asked_for_after_a_later_one() -> None:
    """A card was dealt: what was due before it is a finding, and nothing that is still to do."""
    game = Game()
    game.prepare(1, burn=LEFT_OUT, warning=LEFT_OUT)
    assert due(game) == [("prepare", "9")]
    game.round(1, 1, "20:10")
    assert due(game) == [("last_round", "11")]


def test_a_deck_nobody_showed_is_not_asked_for_once_the_shoe_is_shuffled() -> None:
    game = Game(shown=None)
    game.prepare(1)
    assert state(game).unshown == DECKS
    assert due(game) == [("last_round", "11")]


def test_article_12_an_interruption_comes_before_everything_else() -> None:
    game = Game()
    game.prepare(1)
    game.record(PlayInterrupted, "21:00", reason="no_players")
    assert due(game) == [("resume", "12")]
    assert state(game).interrupted is not None
    assert "interrupt" not in [step.name for step in state(game).next_steps]
    game.record(PlayResumed, "21:20")
    assert due(game) == [("last_round", "11")]
    assert state(game).interrupted is None


def test_a_shoe_whose_cards_were_spread_is_over() -> None:
    game = Game()
    game.prepare(1)
    game.record(CardsSpread, "20:30", shoe=1, reason="no_players")
    assert (state(game).stage, state(game).next_shoe) == ("over", 2)
    assert due(game) == [("shuffle_cut", "8")]


@pytest.mark.parametrize(
    ("recorded", "shown"),
    [("nothing", "none"), ("placed", "placed"), ("came", "came_out"), ("announced", "announced")],
)
def test_the_warning_card_as_it_stands(recorded: str, shown: str) -> None:
    game = Game()
    game.prepare(1, **({"warning": LEFT_OUT} if recorded == "nothing" else {}))
    if recorded in ("came", "announced"):
        game.round(1, 1, "20:10", warning_card_at=2)
    if recorded == "announced":
        game.record(LastRoundAnnounced, "20:11", shoe=1, came_out="during_round")
    assert state(game).carta_aviso == shown


def test_who_sits_there_is_what_was_told_last() -> None:
    game = Game()
    game.prepare(1)
    assert (state(game).seats, state(game).players) == ((1, 2, 5), 3)
    game.record(SeatTaken, "20:10", seat=3)
    assert state(game).seats == (1, 2, 3, 5)
    game.record(SeatLeft, "20:12", seat=1)
    assert state(game).seats == (2, 3, 5)
    game.round(1, 1, "20:20", seats_occupied=(2, 7))
    assert (state(game).seats, state(game).players) == ((2, 7), 2)
    assert state(game, boxes=6).seats == (2,)  # the table has no seventh


# A table with a shuffler


def test_articles_53_and_54_mixed_by_hand_loaded_confirmed() -> None:
    game = Game("shuffler", shown=None)
    assert due(game) == [("exhibit", "53")]
    for deck in DECKS:
        game.show(deck, "19:30")
    assert due(game) == [("shuffle", "53")]
    game.prepare(1, "19:35", cut=LEFT_OUT, warning=LEFT_OUT, burn=LEFT_OUT)
    assert due(game) == [("load", "54")]
    load = game.load(shuffled=LEFT_OUT)
    assert due(game) == [("witness", "54"), ("prepare", "10")]
    assert state(game).unwitnessed == (load.entry_id,)
    game.witness(load)
    assert due(game) == [("prepare", "10")]  # a card is burnt with a shuffler too
    game.record(CardBurned, "19:58", shoe=1, cards=1)
    assert due(game) == []
    names = [step.name for step in state(game).next_steps]
    assert names == [
        "incident", "complaint", "round", "dealer", "hand_over", "chips",
        "unload", "close",
    ]  # fmt: skip


def test_article_52_nothing_is_cut_placed_or_interrupted_at_a_shuffler() -> None:
    game = Game("shuffler")
    game.witness(game.load())
    waived = {"cut", "shuffle_cut", "last_round", "interrupt"}
    assert not waived & {step.name for step in state(game).next_steps}


def test_after_the_cards_were_taken_out_the_machine_is_to_be_loaded_again() -> None:
    game = Game("shuffler")
    game.witness(game.load())
    game.witness(game.unload("21:30", reason="jam"))
    assert due(game) == [("shuffle", "53")]  # every load is of cards mixed by hand since the last
    game.prepare(2, "21:40", cut=LEFT_OUT, warning=LEFT_OUT, burn=LEFT_OUT)
    assert due(game) == [("load", "54")]
    game.witness(game.load("21:50", shuffled=LEFT_OUT))
    assert due(game) == [("prepare", "10")]
    game.put_back(2, 1, "22:00")
    assert due(game) == []  # what was left out before a round stays out


# A deck leaves the game


def withdrawn(game: Game, deck: str = "D-3", at: str = "20:36") -> Game:
    game.record(DeckWithdrawn, at, deck=deck, reason="damaged")
    return game


def test_article_5_a_shoe_of_which_a_deck_was_withdrawn_is_over() -> None:
    game = withdrawn(evening(shoes=1, closed=False))
    table_state = state(game)
    assert (table_state.stage, table_state.next_shoe, table_state.gone, table_state.wanting) == (
        "over",
        2,
        ("D-3",),
        1,
    )
    assert due(game) == [("exhibit", "7"), ("shuffle_cut", "8")]
    game.show("D-7", "20:50")
    assert due(game) == [("shuffle_cut", "8")]
    assert state(game).decks == ("D-1", "D-2", "D-4", "D-5", "D-6", "D-7")
    game.decks = state(game).decks
    game.prepare(2, "21:00")
    assert (state(game).stage, state(game).gone) == ("ready", ())


def test_article_5_cards_not_dealt_yet_are_shuffled_again_for_the_same_shoe() -> None:
    game = Game()
    game.prepare(1, "20:00", warning=LEFT_OUT, burn=LEFT_OUT)
    table_state = state(withdrawn(game))
    assert (table_state.stage, table_state.next_shoe) == ("begun", 1)


def test_article_5_in_a_shuffler_a_withdrawn_deck_lies_until_it_is_emptied() -> None:
    game = withdrawn(shuffler_evening(closed=False))
    assert (state(game).gone, state(game).wanting) == (("D-3",), 1)
    game.witness(game.unload("20:40", reason="damaged_card"))
    assert (state(game).gone, state(game).wanting) == ((), 1)
    assert [name for name, _ in due(game)][:2] == ["exhibit", "shuffle"]


def test_once_emptied_for_the_closing_no_deck_has_to_come_in() -> None:
    game = shuffler_evening(closed=False)
    game.unload("02:40")
    table_state = state(withdrawn(game, at="02:45"), "03:00")
    assert (table_state.wanting, table_state.gone) == (0, ())


# Whatever the table


def test_incidents_and_complaints_stand_until_they_are_dealt_with() -> None:
    game = Game()
    trouble = {"incident": "IN-1", "category": "jam", "reason": "x", "people": ()}
    game.record(IncidentReported, "20:10", **trouble)
    game.record(ComplaintReceived, "20:12", complaint="RC-1", subject="other")
    assert (state(game).incidents, state(game).complaints) == (("IN-1",), ("RC-1",))
    game.beside(IncidentClosed(incident="IN-1", outcome="done", reason="x"), "20:20")
    decided = ComplaintDecided(complaint="RC-1", outcome="upheld", reason="seen")
    game.beside(decided, "20:20")
    assert (state(game).incidents, state(game).complaints) == ((), ())


def test_article_51_a_jam_of_another_game_is_told_where_its_shuffler_stands_now() -> None:
    game = Game("shuffler")
    jam = {"incident": "IN-9", "category": "jam", "reason": "x", "people": (), "table": "BJ-02"}
    game.beside(IncidentReported(**jam, shuffler="CSM-OTHER"), "18:00")
    assert state(game).standing_still == ()
    game.beside(IncidentReported(**{**jam, "incident": "IN-8"}, shuffler="CSM-04"), "18:05")
    assert [one.incident for one in state(game).standing_still] == ["IN-8"]
    game.beside(IncidentClosed(incident="IN-8", outcome="done", reason="x"), "18:20")
    assert state(game).standing_still == ()
    here = jam | {"table": game.dossier("22:00").table, "incident": "IN-7"}
    game.beside(IncidentReported(**here), "18:30")  # of this table's machine, without its name
    assert [one.incident for one in state(game).standing_still] == ["IN-7"]


@pytest.mark.parametrize(
    ("severities", "gravity"),
    [((), 4), (("note",), 3), (("note", "breach"), 0), (("warning", "note"), 2)],
)
def test_the_gravest_alert_counts(severities: tuple[str, ...], gravity: int) -> None:
    alerts = [Alert(severity, "words") for severity in severities]
    assert state(Game(), alerts=alerts).gravity == gravity


def test_minutes_are_counted_from_what_was_recorded_last() -> None:
    game = Game()
    game.round(1, 1, "20:10")  # recorded a minute later
    assert state(game, "20:45").minutes_quiet == 34
    assert state(game, "20:10").minutes_quiet == 0  # never negative


def test_a_table_of_which_only_the_last_round_was_read_says_how_many_there_are() -> None:
    game = Game()
    game.round(1, 40, "20:10")
    assert state(game).rounds == 1
    assert state(game, rounds=40).rounds == 40


@given(games(), TIMES)
@settings(max_examples=150, deadline=None)
def test_whatever_was_told_every_table_has_a_state(game: Game, now: str) -> None:
    """Nothing told in any order keeps a page from being shown, and a close is always possible."""
    found = state(game, now)
    assert found.next_steps[-1].name == "close"
    assert {"incident", "complaint"} < {step.name for step in found.next_steps}
    assert found.next_shoe >= 1
    assert found.minutes_quiet is None or found.minutes_quiet >= 0


@pytest.mark.parametrize(("recorded", "asked"), [("es", "es"), ("none-such", "pt")])
def test_the_rules_are_those_of_the_book_it_was_opened_with(recorded: str, asked: str) -> None:
    game = Game()
    game.entries = game.entries[:1]
    game.change(PartidaOpened, rulebook=recorded)
    assert rules_of(game.dossier()).rulebook == asked


# The cut that is to be made: article 8


def plan(game: Game, **asked: Any) -> Any:
    now = "22:00"
    return plan_of(state(game, now), game.dossier(now), RULES, moment(now), asked)


def test_article_8_at_the_start_the_lowest_seat_is_due() -> None:
    found = plan(Game(), seats="5 2 7")
    assert (found.due, found.cut, found.seats) == (2, 2, (2, 5, 7))
    assert [(one.seat, one.accepted) for one in found.offers] == [(2, True)]


def test_article_8_at_the_next_shoe_it_is_the_seat_after_the_last_cutter() -> None:
    game = Game()
    game.prepare(1)  # seat 1 cut
    game.record(LastRoundAnnounced, "20:50", shoe=1, came_out="during_round")
    assert plan(game).due == 2
    assert plan(game, seats="1 5").due == 5
    assert plan(game, seats="1").due == 1  # round the table to himself


def test_article_8_whoever_declines_is_passed_over_in_order() -> None:
    found = plan(Game(), seats="1 2 5", refused="1 2")
    assert (found.due, found.asked, found.cut) == (1, 5, 5)
    assert [(one.seat, one.accepted) for one in found.offers] == [(1, False), (2, False), (5, True)]


@pytest.mark.parametrize(("seats", "refused"), [("", ""), ("1 2", "1 2")])
def test_article_8_nobody_there_or_nobody_willing_the_fiscal_cuts(seats: str, refused: str) -> None:
    game = Game()
    found = plan(game, seats=seats, refused=refused)
    assert found.cut == FISCAL
    event = cut_made(found, game.dossier(), special_card=True)
    assert (event.cut_by, event.seat) == (FISCAL, None)


def test_article_8_the_fiscal_is_not_asked_while_somebody_is_left() -> None:
    assert plan(Game(), seats="1 2", refused="1").cut == 2


def test_somebody_else_may_be_named_and_what_was_due_is_kept() -> None:
    game = Game()
    found = plan(game, seats="1 2 5", cut="5")
    assert (found.due, found.cut) == (1, 5)
    event = cut_made(found, game.dossier(), special_card=True)
    assert (event.due_seat, event.seat, event.seats_occupied) == (1, 5, (1, 2, 5))


def test_article_12_after_an_interruption_it_begins_anew() -> None:
    game = Game()
    game.prepare(1)
    game.record(CardsSpread, "20:30", shoe=1, reason="no_players")
    found = plan(game, seats="1 2 5")
    assert found.due == 1
    assert cut_made(found, game.dossier(), True).after == "interruption"


@pytest.mark.parametrize(
    "asked",
    [
        {"seats": "x"},
        {"seats": "99999999999999999999"},
        {"seats": "-1 0 8 ²"},
        {"seats": "1", "refused": "2 1 1"},
        {"cut": "<script>"},
        {"cut": "0"},
        {"shoe": "0"},
        {"shoe": "9" * 40},
        {"seats": "1 1 1"},
    ],
)
def test_an_address_that_makes_no_sense_still_makes_a_plan(asked: dict[str, str]) -> None:
    found = plan(Game(), **asked)
    assert all(1 <= seat <= 20 for seat in found.seats)
    assert found.shoe >= 1
    assert found.query().startswith("?seats=")
