"""PT art. 52 to 54, 56, 57: what a shuffler table does without, and what stays in the machine."""

from typing import Any

import pytest

from casino.events.incidents import IncidentReported
from casino.events.partidas import PartidaOpened
from casino.events.shoes import (
    CardsShuffled,
    CardsSpread,
    CartaAvisoPlaced,
    CutMade,
    DeckPasses,
    LastRoundAnnounced,
)
from casino.events.shufflers import ShufflerRegistered
from casino.law.rulebook.rulebook_file import load_law
from tests.factories.games import (
    CHEFE,
    DECKS,
    LEFT_OUT,
    PAGADOR,
    Game,
    cut_by,
    evening,
    iso,
    moment,
    shuffler_evening,
)
from tests.factories.shuffler_opened import lid_opened, shuffled, taken_out
from tests.law.asking import LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import cited, findings, said, the_finding

CUT, CARD = "no_cut_with_shuffler", "no_warning_card_with_shuffler"
BY_HAND, LOADED = "loaded_decks_shuffled_by_hand", "shuffler_loaded_before_the_deal"
SPREAD, INSIDE = (
    "no_spreading_with_shuffler",
    "cards_stay_in_shuffler",
)
CAUSE = "shuffler_opened_only_for_cause"
ALL = (CUT, CARD, BY_HAND, LOADED, SPREAD)


@upholds_case(CUT, "lawful")
@upholds_case(CARD, "lawful")
@upholds_case(BY_HAND, "lawful")
@upholds_case(LOADED, "lawful")
@upholds_case(SPREAD, "lawful")
@pytest.mark.parametrize("check", ALL)
def test_articles_52_to_57_a_lawful_table_with_a_shuffler(check: str) -> None:
    assert said(check, shuffler_evening()) == LAWFUL
    assert said(check, evening()) == NOT_ASKED


# Article 52


def also(kind: Any, at: str = "20:05", **values: Any) -> Game:
    game = shuffler_evening(closed=False)
    game.record(kind, at, **values)
    return game


def a_cut(who: int | str) -> Game:
    values = {"after": "start", "seats_occupied": (1, 2), "special_card": True, **cut_by(who)}
    return also(CutMade, shoe=1, **values)


@upholds_case(CUT, "unlawful")
@pytest.mark.parametrize("who", [1, "fiscal_de_banca", "pagador"])
def test_article_52_a_cut_at_a_shuffler_is_found_whoever_made_it(who: int | str) -> None:
    found = the_finding(CUT, a_cut(who))
    assert (found.article, found.severity) == ("52", "breach")
    assert (found.observed, found.expected) == ({"cuts": 1}, {"cuts": 0})


@upholds_case(CUT, "boundary")
def test_article_52_that_nobody_cut_is_no_cut_and_an_untold_opening_leaves_it_open() -> None:
    assert said(CUT, a_cut("nobody")) == LAWFUL
    game = Game(opened=False)
    assert said(CUT, game) == NOT_ASKED
    values = {"after": "start", "seats_occupied": (1, 2), **cut_by(1)}
    game.record(CutMade, "20:00", shoe=1, **values)
    assert said(CUT, game) == UNDECIDED


@upholds_case(CARD, "unlawful")
@pytest.mark.parametrize("from_end", [50, 156])
def test_article_52_a_warning_card_put_in_at_a_shuffler_is_found(from_end: int) -> None:
    game = also(CartaAvisoPlaced, shoe=1, cards_from_end=from_end, players=3)
    found = the_finding(CARD, game)
    assert (found.article, found.observed) == ("52", {"warnings": 1})
    assert found.evidence == (game.entries[0].entry_id, game.entries[-1].entry_id)


@upholds_case(CARD, "boundary")
def test_article_52_at_a_shoe_both_are_as_they_should_be() -> None:
    game = evening()
    game.change(PartidaOpened, cut_card=None, carta_aviso=None)
    assert (said(CUT, game), said(CARD, game)) == (NOT_ASKED, NOT_ASKED)


# Article 53


def passes(**by_deck: int) -> tuple[DeckPasses, ...]:
    counts = {**dict.fromkeys(DECKS, 1), **{f"D-{n[1:]}": many for n, many in by_deck.items()}}
    return tuple(DeckPasses(deck=deck, passes=many) for deck, many in counts.items())


@upholds_case(BY_HAND, "unlawful")
@pytest.mark.parametrize(
    ("recorded", "left_out"),
    [
        ({}, list(DECKS)),
        ({"at": "19:45:01"}, list(DECKS)),  # after it was loaded
        ({"method": "machine"}, list(DECKS)),
        ({"decks": passes(D2=0)}, ["D-2"]),
        ({"decks": passes()[:4]}, ["D-5", "D-6"]),
    ],
)
def test_article_53_cards_not_shuffled_by_hand_before_the_loading_are_found(
    recorded: dict[str, Any], left_out: list[str]
) -> None:
    found = the_finding(BY_HAND, shuffled(**recorded))
    assert (found.article, found.where) == ("53", {"load": 1})
    assert (found.observed, found.expected) == ({"left_out": left_out}, {"passes": 1})


@upholds_case(BY_HAND, "boundary")
def test_article_53_one_pass_is_enough_and_a_way_nobody_told_leaves_it_open() -> None:
    assert said(BY_HAND, shuffled(decks=passes())) == LAWFUL
    assert said(BY_HAND, shuffled(at="19:45")) == LAWFUL
    assert said(BY_HAND, shuffled(method=None)) == UNDECIDED
    again = shuffled(decks=passes())
    again.load("21:30", shuffled=LEFT_OUT)  # what was shuffled for the first load is in it
    assert [found.where for found in findings(BY_HAND, again)] == [{"load": 2}]


def test_article_53_exhibited_first_as_at_any_table() -> None:
    game = Game("shuffler", shown="19:41")
    game.load("19:45")
    assert {found.article for found in findings("decks_exhibited_before_shuffle", game)} == {"7"}


# Article 54: no round before it


@upholds_case(LOADED, "unlawful")
@pytest.mark.parametrize("loaded", ["20:10:01", "20:25"])
def test_article_54_a_round_dealt_before_the_loading_is_found(loaded: str) -> None:
    game = Game("shuffler")
    game.put_back(1, 1, "20:10")
    game.put_back(1, 2, "20:20")
    game.load(loaded)
    found = the_finding(LOADED, game)
    assert (found.article, found.where) == ("54", {"load": 1})
    assert (found.observed, found.expected) == (
        {"moment": iso(loaded)},
        {"not_after": iso("20:10")},
    )


@upholds_case(LOADED, "boundary")
def test_article_54_loaded_as_the_first_card_came_or_before_untimed_rounds() -> None:
    game = Game("shuffler")
    game.put_back(1, 1, "20:10")
    game.load("20:10")
    assert said(LOADED, game) == LAWFUL
    untimed = Game("shuffler")
    untimed.load("20:00")
    untimed.round(1, 1, times=None)
    assert said(LOADED, untimed) == UNDECIDED


# Article 56


@pytest.mark.parametrize("shoe", [1, None])
def test_article_56_spares_an_announcement_and_forbids_none(shoe: int | None) -> None:
    game = also(LastRoundAnnounced, "20:35", shoe=shoe)
    assert not [one for one in cited(game) if one.startswith(("11 ", "56 "))]
    assert load_law("pt").articles["56"].upheld_by == ()


# Article 57


@upholds_case(SPREAD, "unlawful")
@pytest.mark.parametrize("reason", ["no_players", "no_stakes", "other"])
def test_article_57_cards_laid_out_during_the_game_are_found_whatever_the_reason(
    reason: str,
) -> None:
    found = the_finding(SPREAD, also(CardsSpread, "20:35", reason=reason))
    assert (found.article, found.observed, found.expected) == ("57", {"spread": 1}, {"spread": 0})


@upholds_case(SPREAD, "boundary")
def test_article_57_asks_continuous_machines_alone() -> None:
    game = also(CardsSpread, "20:35", reason="no_players")
    game.outside(ShufflerRegistered, continuous=False)
    assert said(SPREAD, game) == NOT_ASKED
    game.outside(ShufflerRegistered, continuous=None)
    assert said(SPREAD, game) == UNDECIDED


@upholds_case(INSIDE, "lawful")
@pytest.mark.parametrize(
    ("reason", "trouble"),
    [
        ("closing", ""),
        ("jam", "jam 20:38"),
        ("jam", "warning_light 20:40"),
        ("damaged_card", "damaged_card 20:38"),
    ],
)
def test_article_57_cards_come_out_at_the_closing_or_for_a_trouble_on_record(
    reason: str, trouble: str
) -> None:
    assert said(INSIDE, taken_out(reason, trouble=trouble)) == LAWFUL


@upholds_case(INSIDE, "unlawful")
@pytest.mark.parametrize("reason", ["maintenance", "other"])
def test_article_57_cards_taken_out_for_another_reason_are_found(reason: str) -> None:
    found = the_finding(INSIDE, taken_out(reason))
    assert (found.article, found.where, found.observed) == ("57", {"unload": 1}, {"reason": reason})


@upholds_case(INSIDE, "unlawful")
@pytest.mark.parametrize("trouble", ["", "jam 19:30", "conduct 20:38", "jam 20:41"])
def test_article_57_a_jam_nobody_reported_is_no_reason(trouble: str) -> None:
    game = taken_out("jam", trouble=trouble)
    assert said(INSIDE, game) == UNDECIDED  # it may still be recorded
    game.close()
    assert findings(INSIDE, game)[0].observed == {"reason": "jam", "reported": "no"}


@upholds_case(INSIDE, "boundary")
def test_article_57_play_after_the_closing_needs_a_reopening() -> None:
    game = taken_out("closing", "20:40")
    game.put_back(1, 4, "20:40")  # begun as they came out
    assert said(INSIDE, game) == LAWFUL
    game.put_back(1, 5, "20:50")
    assert the_finding(INSIDE, game).observed == {"rounds": 1}
    assert said(INSIDE, taken_out(None)) == UNDECIDED
    game.outside(ShufflerRegistered, continuous=False)
    assert said(INSIDE, game) == NOT_ASKED


# The lid


def closed(game: Game) -> Game:
    game.close()
    return game


@upholds_case(CAUSE, "lawful")
@pytest.mark.parametrize(
    ("reason", "at", "trouble"),
    [
        ("loading", "19:44", ""),  # loaded at 19:45
        ("loading", "19:46", ""),
        ("unloading", "02:39", ""),  # unloaded at 02:40
        ("unloading", "02:55", ""),
        ("jam", "20:35", "jam 20:33"),
        ("damaged_card", "20:35", "damaged_card 20:40"),  # told a little later
        ("maintenance", "19:20", ""),  # nothing in it yet
    ],
)
def test_article_57_the_lid_is_opened_for_a_cause_on_record(
    reason: str, at: str, trouble: str
) -> None:
    assert said(CAUSE, closed(lid_opened(reason, at, trouble=trouble))) == LAWFUL


@upholds_case(CAUSE, "unlawful")
@pytest.mark.parametrize("reason", ["maintenance", "other"])
def test_article_57_a_loaded_machine_opened_for_anything_else_is_found(reason: str) -> None:
    found = the_finding(CAUSE, lid_opened(reason))
    assert (found.article, found.where) == ("house.shuffler", {"shuffler": "CSM-04"})
    assert (found.severity, found.observed) == ("deviation", {"reason": reason})


@upholds_case(CAUSE, "unlawful")
@pytest.mark.parametrize(
    ("reason", "trouble"),
    [("loading", ""), ("unloading", ""), ("jam", ""), ("jam", "jam 21:10"), ("jam", "cash 20:33")],
)
def test_article_57_a_cause_the_record_does_not_know_is_found_at_the_closing(
    reason: str, trouble: str
) -> None:
    game = lid_opened(reason, trouble=trouble)
    assert said(CAUSE, game) == UNDECIDED
    found = the_finding(CAUSE, closed(game))
    assert found.observed == {"reason": reason, "reported": "no"}


@upholds_case(CAUSE, "boundary")
def test_article_57_an_incident_named_is_the_cause_whenever_it_was_told() -> None:
    game = lid_opened("jam", trouble="jam 21:30", incident="I-1")
    assert said(CAUSE, closed(game)) == LAWFUL
    untimed = lid_opened("jam", trouble="jam 20:33")
    untimed.round(1, 5, times=None, at="20:34")
    assert said(CAUSE, closed(untimed)) == UNDECIDED


def test_the_whole_of_a_reloaded_evening_is_lawful_but_for_its_note() -> None:
    game = taken_out("jam", "20:45", trouble="jam 20:38")
    values = {"opened_at": moment("20:40"), "opened_by": CHEFE, "opened_by_office": "fiscal_chefe"}
    times = {"noticed_at": "20:38", "called_at": "20:38", "resolved_at": "20:44"}
    values |= {name: moment(at) for name, at in times.items()}
    game.change(IncidentReported, **values, emptied=True, resolved_by=CHEFE)
    game.witness(game.load("20:55"))
    passes_recorded = [one for one in game.entries if isinstance(one.event, CardsShuffled)]
    assert [one.event.shuffled_by for one in passes_recorded] == [PAGADOR, PAGADOR]
    game.close()
    assert cited(game) == ["54 shuffler_reloaded_after_opening"]
