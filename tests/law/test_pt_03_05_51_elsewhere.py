"""PT art. 3, 5, 51: what is recorded at one table of the deck or the machine of another."""

from dataclasses import replace
from typing import Any

import pytest

from casino.events.deck_life import DeckWithdrawn
from casino.events.incidents import IncidentClosed, IncidentReported, IncidentStep
from casino.events.partidas import PartidaClosed, PartidaOpened
from casino.events.shufflers import ShufflerLoaded
from casino.law.game_decks import decks_gone, decks_in_play
from casino.law.partida_context import PartidaContext
from casino.law.partida_judge import judge_partida
from casino.law.rulebook.rulebook_file import load_law
from tests.factories.games import CHEFE, DAY, DECKS, Game, evening, moment, shuffler_evening
from tests.factories.other_tables import OTHERS, beside
from tests.factories.previewed import preview
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import cited, findings, said, the_finding

THERE = "told_where_it_is_in_use"
USED, MEANWHILE = "withdrawn_deck_not_used", "no_round_during_trouble"
ORDERED = "decks_ordered_at_closing"
NEXT_TABLE = {"table": "BJ-02", "partida": f"BJ-02/{DAY.isoformat()}/1"}
JAM: dict[str, Any] = {"incident": "I-7", "category": "jam", "reason": "card", "people": ()}


# Whoever tells of another table's deck or machine


@upholds_case(THERE, "unlawful")
@pytest.mark.parametrize("at", ["18:00", "19:30", "23:00"])
def test_article_3_a_deck_that_lies_in_another_tables_game_is_withdrawn_there(at: str) -> None:
    game = beside("18:00", "23:30")
    game.record(DeckWithdrawn, at, deck="D-13", reason="worn")
    found = the_finding(THERE, game)
    assert (found.article, found.severity, found.where) == (
        "house.table",
        "warning",
        {"deck": "D-13"},
    )
    assert (found.observed, found.expected) == ({"table": "BJ-01"}, {"table": "BJ-02"})
    other = next(one for one in game.around if isinstance(one.event, PartidaOpened))
    assert found.evidence == (other.entry_id, game.entries[-1].entry_id)


@upholds_case(THERE, "unlawful")
@pytest.mark.parametrize("category", ["jam", "warning_light", "damaged_card"])
def test_article_51_trouble_of_the_machine_of_another_table_is_told_there(category: str) -> None:
    game = beside("18:00")  # from a shoe; the machine is the other's
    game.around += beside("18:30", table="BJ-03", dealing="shuffler").around[-1:]
    game.record(IncidentReported, "21:00", **{**JAM, "category": category}, shuffler="CSM-04")
    found = the_finding(THERE, game)
    assert (found.where, found.expected) == ({"incident": "I-7"}, {"table": "BJ-03"})


@upholds_case(THERE, "unlawful")
def test_article_3_each_of_them_is_told_by_itself() -> None:
    game = beside("18:00")
    for deck in ("D-13", "D-14", "D-1"):
        game.record(DeckWithdrawn, "21:00", deck=deck, reason="worn")
    assert [one.where for one in findings(THERE, game)] == [{"deck": "D-13"}, {"deck": "D-14"}]


@upholds_case(THERE, "lawful")
def test_article_3_of_its_own_decks_and_machine_and_of_what_is_in_use_nowhere() -> None:
    game = beside("18:00")
    game.record(IncidentReported, "20:00", **{**JAM, "category": "conduct"})
    assert said(THERE, game) == NOT_ASKED
    game.record(DeckWithdrawn, "21:00", deck="D-1", reason="worn")
    assert said(THERE, game) == LAWFUL
    game.record(DeckWithdrawn, "21:00", deck="D-99", reason="worn")
    assert said(THERE, game) == LAWFUL
    machine = shuffler_evening(closed=False)
    machine.record(IncidentReported, "21:00", **JAM, shuffler="CSM-04")
    assert said(THERE, machine) == LAWFUL
    machine.record(IncidentReported, "21:10", **{**JAM, "incident": "I-8"}, shuffler="CSM-09")
    assert said(THERE, machine) == LAWFUL


@upholds_case(THERE, "boundary")
@pytest.mark.parametrize(
    ("recorded", "answer"),
    [
        ({"closed": "21:00"}, LAWFUL),
        ({"closed": "21:00:01"}, BREACH),
        ({"opened": "21:00:59"}, BREACH),  # when it was written down, a minute later
        ({"opened": "21:01"}, LAWFUL),
        ({"table": "BJ-01"}, LAWFUL),  # the table's other game
        ({"yesterday": True}, UNDECIDED),  # nobody recorded its closing
        ({"yesterday": True, "closed": "22:00"}, BREACH),
        ({"decks": DECKS}, LAWFUL),
    ],
)
def test_article_3_the_game_in_which_it_is_open_then_or_when_it_is_written_down(
    recorded: dict[str, Any], answer: str
) -> None:
    game = beside(**{"opened": "14:00", **recorded})
    game.record(DeckWithdrawn, "21:00", deck="D-13", reason="worn")
    assert said(THERE, game) == answer


@upholds_case(THERE, "boundary")
def test_article_3_a_deck_both_games_were_opened_with_is_asked_about_otherwise() -> None:
    game = beside("18:00", decks=("D-3", *OTHERS[1:]))
    game.record(DeckWithdrawn, "21:00", deck="D-3", reason="worn")
    assert said(THERE, game) == LAWFUL
    assert said("cards_serve_one_game", game) == BREACH


def test_article_3_it_is_warned_of_before_it_is_recorded() -> None:
    game = beside("18:00")
    slip = game.record(DeckWithdrawn, "21:00", deck="D-13", reason="worn")
    game.entries.remove(slip)
    assert [one.check for one in preview(game.dossier(), slip, load_law("pt"))] == [THERE]


# The game in which the deck or the machine is


def withdrawn(at: str = "20:15", recorded: str | None = None, **values: Any) -> Game:
    """Two shoes from 20:00; D-3 is told to be withdrawn, at the next table unless said."""
    game = evening(closed=False)
    out = game.beside(
        DeckWithdrawn(**{"deck": "D-3", "reason": "worn", **NEXT_TABLE, **values}), at
    )
    if recorded is not None:
        game.around[-1] = replace(out, recorded_at=moment(recorded))
    game.close(rounds=6)
    return game


def jammed(at: str = "20:05", recorded: str | None = None, **values: Any) -> Game:
    """Three rounds from 20:10; the machine is told to be jammed, at the next table unless said."""
    game = shuffler_evening(closed=False)
    event = {**JAM, "shuffler": "CSM-04", "noticed_at": moment(at), **NEXT_TABLE, **values}
    out = game.beside(IncidentReported(**event), at)
    if recorded is not None:
        game.around[-1] = replace(out, recorded_at=moment(recorded))
    game.close(rounds=3)
    return game


@upholds_case(USED, "lawful")
@pytest.mark.parametrize(
    "recorded",
    [
        {},
        {"at": "18:50", "recorded": "20:15"},  # backwards, before the opening
        {"partida": None},
        {"incident": "I-9"},  # of that table
    ],
)
def test_article_5_a_slip_at_another_table_makes_no_finding_here(recorded: dict[str, Any]) -> None:
    game = withdrawn(**recorded)
    assert said(USED, game) == UNDECIDED
    assert cited(game) == []
    scene = PartidaContext(game.dossier(), load_law("pt").on(DAY))
    assert (decks_gone(game.dossier()), decks_in_play(scene)) == (frozenset(), DECKS)


@upholds_case(MEANWHILE, "lawful")
@pytest.mark.parametrize(
    "recorded",
    [
        {},
        {"at": "18:50", "recorded": "20:20"},
        {"at": "18:50", "recorded": "20:20", "category": "warning_light"},
        {"partida": None},
    ],
)
def test_article_51_a_slip_at_another_table_stops_no_round_here(recorded: dict[str, Any]) -> None:
    game = jammed(**recorded)
    assert said(MEANWHILE, game) == UNDECIDED
    assert cited(game) == []
    game.beside(IncidentClosed(incident="I-7", outcome="settled", reason="other"), "23:00")
    game.record(IncidentClosed, "23:00", incident="I-7", outcome="settled", reason="other")
    assert cited(game) == []  # whoever closes it does not say that it was here


@upholds_case(USED, "unlawful")
@pytest.mark.parametrize(
    "recorded",
    [
        {"table": None, "partida": None},  # in the store
        {"table": "BJ-01", "partida": None},
        {"table": "BJ-01", "partida": "BJ-01/2026-11-19/1"},
        {"at": "18:50"},  # before this game took it up, and told by then
        {"at": "18:50", "partida": None},
    ],
)
def test_article_5_what_is_no_slip_counts_wherever_it_was_told(recorded: dict[str, Any]) -> None:
    game = withdrawn(**recorded)
    assert the_finding(USED, game).where == {"deck": "D-3"}
    assert decks_gone(game.dossier()) == {"D-3"}


@upholds_case(MEANWHILE, "unlawful")
@pytest.mark.parametrize(
    "recorded",
    [
        {"table": None, "partida": None},  # a technician, at no table
        {"table": "BJ-01", "partida": None},
        {"table": "BJ-01", "partida": None, "shuffler": None},
        {"at": "18:50"},
    ],
)
def test_article_51_a_jam_that_is_no_slip_stops_the_play(recorded: dict[str, Any]) -> None:
    assert the_finding(MEANWHILE, jammed(**recorded)).observed == {"rounds": 3}


@upholds_case(MEANWHILE, "unlawful")
def test_article_51_a_device_knows_which_machine_it_is() -> None:
    game = jammed()
    place = next(n for n, one in enumerate(game.around) if one.event.kind == IncidentReported.kind)
    recorded = game.around[place]
    game.around[place] = replace(recorded, by=replace(recorded.by, office="dispositivo"))
    assert said(MEANWHILE, game) == BREACH


@upholds_case(USED, "boundary")
@upholds_case(MEANWHILE, "boundary")
@pytest.mark.parametrize(
    ("recorded", "answer"), [("19:01", BREACH), ("19:01:01", UNDECIDED), ("19:00", BREACH)]
)
def test_article_5_51_told_by_the_time_the_book_learns_that_it_is_here(
    recorded: str, answer: str
) -> None:
    """The opening of 19:00 was written down at 19:01."""
    assert said(USED, withdrawn("18:50", recorded)) == answer
    assert said(MEANWHILE, jammed("18:50", recorded)) == answer


@upholds_case(USED, "boundary")
@upholds_case(MEANWHILE, "boundary")
@pytest.mark.parametrize(("opened", "answer"), [("18:59:59", BREACH), ("19:00", UNDECIDED)])
def test_article_5_51_the_game_that_had_it_before_tells_of_it_late(
    opened: str, answer: str
) -> None:
    for game, check in ((withdrawn(), USED), (jammed(), MEANWHILE)):
        other = Game(game.dealing, table="BJ-02", opened=False)
        other.open(opened, shown=None)
        other.record(PartidaClosed, "19:00", rounds=0)
        game.around += other.entries
        assert said(check, game) == answer


def test_article_5_that_game_had_other_decks() -> None:
    game = withdrawn()
    other = Game(table="BJ-02", opened=False, decks=OTHERS)
    other.open("18:00", shown=None)
    game.around += other.entries
    assert said(USED, game) == UNDECIDED


@upholds_case(USED, "boundary")
def test_article_5_withdrawn_for_an_incident_of_this_game() -> None:
    game = withdrawn(incident="I-1")
    assert said(USED, game) == UNDECIDED
    report: dict[str, Any] = {
        "incident": "I-1",
        "category": "deck_defect",
        "reason": "torn",
        "people": (),
    }
    game.record(IncidentReported, "20:14", **report, deck="D-3")
    assert said(USED, game) == BREACH


@upholds_case(MEANWHILE, "boundary")
def test_article_51_once_this_game_speaks_of_it_too_it_stops_the_play() -> None:
    game = jammed()
    game.record(IncidentStep, "20:25", incident="I-7", step="resolved", by=CHEFE)
    assert the_finding(MEANWHILE, game).observed == {"rounds": 2}


@upholds_case(USED, "boundary")
def test_article_5_withdrawn_here_too_is_withdrawn_from_then_on() -> None:
    game = withdrawn()
    game.record(DeckWithdrawn, "20:40", deck="D-3", reason="worn")
    found = the_finding(USED, game)
    assert found.expected == {"not_after": moment("20:40").isoformat()}
    kept = withdrawn("21:40")
    kept.record(DeckWithdrawn, "21:50", deck="D-3", reason="worn")
    assert said(USED, kept) == LAWFUL


def test_article_5_a_deck_that_came_in_later_was_withdrawn_before_that() -> None:
    game = withdrawn("20:40", deck="D-9")
    assert said(USED, game) == NOT_ASKED
    game.show("D-9", "20:45")
    assert said(USED, game) == BREACH


def test_article_51_a_corrected_opening_had_the_machine_from_the_first() -> None:
    game = jammed()
    opening, *others = game.entries
    others = [one for one in others if not isinstance(one.event, ShufflerLoaded)]
    again = replace(opening, recorded_at=moment("22:00"))
    late, law = replace(game.dossier(), entries=(again, *others)), load_law("pt")
    assert (MEANWHILE, BREACH) in judge_partida(late, law).outcomes
    corrected = replace(late, replaced=(opening,))
    assert (MEANWHILE, UNDECIDED) in judge_partida(corrected, law).outcomes


# Put in order at the closing


@upholds_case(ORDERED, "boundary")
@pytest.mark.parametrize(
    ("recorded", "answer"), [({}, UNDECIDED), ({"table": None, "partida": None}, NOT_ASKED)]
)
def test_article_55_a_deck_another_table_withdrew_may_have_to_be_put_in_order(
    recorded: dict[str, Any], answer: str
) -> None:
    """As it was loaded, from the machine that was open then."""
    game = shuffler_evening(closed=False)
    game.unload("02:40")
    for deck in DECKS:
        if deck != "D-3":
            game.order(deck)
    gone = {"deck": "D-3", "reason": "damaged", **NEXT_TABLE, **recorded}
    game.beside(DeckWithdrawn(**gone), "02:39")
    game.close(packed=False, closing_announced_at=moment("02:30"))
    of_the_deck = [one for one in findings(ORDERED, game) if one.where == {"deck": "D-3"}]
    assert of_the_deck == []
    assert (said(ORDERED, game) == UNDECIDED) == (answer == UNDECIDED)
