"""PT art. 8: the cards are shuffled and cut, by the seat whose turn it is."""

from typing import Any

import pytest

from casino.events.shoes import CardsShuffled, CardsSpread, CutMade, DeckPasses, PlayInterrupted
from casino.law.checks.shoe.cuts import right_to_cut
from casino.law.cut_turns import LastCut, next_cutter
from casino.law.partida_context import PartidaContext
from casino.law.rulebook.rulebook_file import load_law
from tests.factories.games import (
    DAY,
    DECKS,
    LEFT_OUT,
    SEATS,
    Game,
    cut_by,
    evening,
    iso,
    moment,
    shuffler_evening,
)
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import cited, said, the_finding

SHUFFLED, CUT, CARD = "shoe_is_shuffled", "shoe_is_cut", "cut_with_a_special_card"
RIGHTFUL = "cut_by_rightful_seat"
PT = load_law("pt").on(DAY)


# The shuffle


@upholds_case(SHUFFLED, "lawful")
def test_article_8_every_shoe_is_shuffled() -> None:
    assert said(SHUFFLED, evening()) == LAWFUL


@upholds_case(SHUFFLED, "unlawful")
def test_article_8_a_shoe_that_was_dealt_unshuffled_is_found() -> None:
    game = evening()
    game.drop(CardsShuffled, shoe=2)
    found = the_finding(SHUFFLED, game)
    assert (found.article, found.severity, found.where) == ("8", "breach", {"shoe": 2})
    assert (found.observed, found.expected) == ({"shuffles": 0}, {"at_least": 1})
    cut = next(
        recorded
        for recorded in game.entries
        if isinstance(recorded.event, CutMade) and recorded.event.shoe == 2
    )
    assert found.evidence == (cut.entry_id,)


@upholds_case(SHUFFLED, "unlawful")
def test_article_8_a_deck_left_out_of_the_shuffle_is_found() -> None:
    game = Game()
    game.prepare(1, shuffle={"decks": tuple(DeckPasses(deck=deck, passes=3) for deck in DECKS[1:])})
    game.round(at="20:10")
    found = the_finding(SHUFFLED, game)
    assert (found.observed, found.expected) == ({"left_out": ["D-1"]}, {"left_out": []})


@upholds_case(SHUFFLED, "unlawful")
def test_article_8_a_shuffle_after_the_first_card_is_found() -> None:
    game = Game()
    game.prepare(1, shuffle={"at": "20:10:01"})
    game.round(at="20:10")
    found = the_finding(SHUFFLED, game)
    assert (found.observed, found.expected) == (
        {"moment": iso("20:10:01")},
        {"not_after": iso("20:10")},
    )


@upholds_case(SHUFFLED, "boundary")
def test_article_8_decks_may_be_shuffled_one_after_another() -> None:
    game = Game()
    game.prepare(1, shuffle={"decks": tuple(DeckPasses(deck=deck, passes=3) for deck in DECKS[1:])})
    game.record(CardsShuffled, "20:01", shoe=1, decks=(DeckPasses(deck="D-1", passes=3),))
    game.round(at="20:10")
    assert said(SHUFFLED, game) == LAWFUL


def test_article_8_with_a_shuffler_it_is_article_53_that_asks_for_the_passes() -> None:
    assert said(SHUFFLED, shuffler_evening()) == NOT_ASKED


# The cut


@upholds_case(CUT, "lawful")
def test_article_8_every_shoe_is_cut() -> None:
    assert said(CUT, evening()) == LAWFUL


@upholds_case(CUT, "unlawful")
@pytest.mark.parametrize("shoe", [1, 2])
def test_article_8_a_shoe_that_was_dealt_uncut_is_found(shoe: int) -> None:
    game = evening()
    game.drop(CutMade, shoe=shoe)
    found = the_finding(CUT, game)
    assert (found.article, found.where) == ("8", {"shoe": shoe})
    assert (found.observed, found.expected) == ({"cuts": 0}, {"at_least": 1})


@upholds_case(CUT, "unlawful")
def test_article_8_a_pack_that_nobody_cut_is_found() -> None:
    game = Game()
    game.prepare(1, cut=cut_by("nobody"))
    assert the_finding(CUT, game).observed == {"cut_by": "nobody"}
    assert said(RIGHTFUL, game) == NOT_ASKED


@upholds_case(CUT, "boundary")
def test_article_8_a_cut_not_told_yet_is_no_breach_before_play_goes_past_it() -> None:
    game = Game()
    game.prepare(1, cut=LEFT_OUT, warning=LEFT_OUT, burn=LEFT_OUT)
    assert said(CUT, game) == NOT_ASKED
    game.round(at="20:10")
    assert said(CUT, game) == BREACH


@upholds_case(CUT, "boundary")
def test_article_8_the_warning_card_shows_that_the_cut_was_due() -> None:
    game = Game()
    game.prepare(1, cut=LEFT_OUT, burn=LEFT_OUT)
    assert the_finding(CUT, game).evidence == tuple(
        recorded.entry_id for recorded in game.entries[-2:]
    )


def test_article_8_cards_laid_out_before_they_were_dealt_need_no_cut() -> None:
    game = Game()
    game.prepare(1, cut=LEFT_OUT, warning=LEFT_OUT, burn=LEFT_OUT)
    game.record(CardsSpread, "20:30", reason="no_players", shoe=1)
    game.prepare(2, "21:00", cut={"seat": 1, "after": "interruption"})
    game.round(2, at="21:10")
    game.close()
    assert cited(game) == []


def test_article_8_a_later_shoe_shows_that_the_one_before_was_dealt() -> None:
    game = Game()
    game.prepare(1, cut=LEFT_OUT, warning=LEFT_OUT, burn=LEFT_OUT)
    game.prepare(2, "21:00")
    found = the_finding(CUT, game)
    assert found.where == {"shoe": 1}
    assert len(found.evidence) == 2


def test_article_8_the_last_shoe_may_have_been_shuffled_for_nothing() -> None:
    game = evening(closed=False)
    game.prepare(3, "23:00", cut=LEFT_OUT, warning=LEFT_OUT, burn=LEFT_OUT)
    game.close()
    assert cited(game) == []  # the rounds are recorded, none is of this shoe


def test_article_8_without_any_round_on_record_the_last_shoe_is_not_decidable() -> None:
    game = Game()
    game.prepare(1, cut=LEFT_OUT, warning=LEFT_OUT, burn=LEFT_OUT)
    game.close()
    assert said(CUT, game) == UNDECIDED
    game.change(type(game.entries[-1].event), rounds=0)
    assert said(CUT, game) == NOT_ASKED


def test_article_8_a_record_without_its_opening_decides_no_absence() -> None:
    game = Game(opened=False)
    game.round(1, 1)
    assert said(CUT, game) == UNDECIDED


def test_article_8_no_cut_with_a_shuffler() -> None:
    game = shuffler_evening()
    assert {said(check, game) for check in (CUT, CARD, RIGHTFUL)} == {NOT_ASKED}


@upholds_case(CARD, "lawful")
def test_article_8_the_cut_is_made_with_a_special_card() -> None:
    assert said(CARD, evening()) == LAWFUL


@upholds_case(CARD, "unlawful")
@pytest.mark.parametrize("who", [1, "fiscal_de_banca"])
def test_article_8_and_not_by_hand(who: int | str) -> None:
    game = Game()
    game.prepare(1, cut=cut_by(who, "1- 2- 5-" if who != 1 else "", special_card=False))
    found = the_finding(CARD, game)
    assert (found.article, found.observed) == ("8", {"special_card": "no"})


@upholds_case(CARD, "boundary")
def test_article_8_where_nobody_told_with_what_it_is_not_decidable() -> None:
    game = Game()
    game.prepare(1, cut={"special_card": None})
    assert said(CARD, game) == UNDECIDED


# Whose turn it is: the rule by itself


TURNS = [
    ([2, 4, 6], None, (2, 4, 6)),  # at the start the lowest seat
    ([2, 4, 6], (2, 2), (4, 6, 2)),  # then the next
    ([2, 4, 6], (4, 4), (6, 2, 4)),
    ([2, 4, 6], (6, 6), (2, 4, 6)),  # after the highest the lowest
    ([1, 2, 4, 6], (2, 2), (4, 6, 1, 2)),  # somebody sat down at 1 meanwhile: the turn goes on
    ([1, 6], (2, 2), (6, 1)),  # who cut has left
    ([3], (3, 3), (3,)),
    ([2, 4], (2, None), (2, 4)),  # after the fiscal de banca as at the start
    ([], (2, 2), ()),  # nobody sits there: the fiscal de banca
]


@pytest.mark.parametrize(("seats", "last", "asked"), TURNS)
def test_article_8_the_right_moves_on_by_one_player(
    seats: list[int], last: tuple[int, int | None] | None, asked: tuple[int, ...]
) -> None:
    right = next_cutter(seats, LastCut(*last) if last else None, PT.values)
    assert right is not None
    assert right.seats == asked
    assert right.due == (asked[0] if asked else None)


# Whose turn it was: what was recorded


@upholds_case(RIGHTFUL, "lawful")
def test_article_8_the_lowest_seat_cuts_first_and_then_the_others_in_order() -> None:
    assert said(RIGHTFUL, evening(shoes=4)) == LAWFUL  # 1, 2, 5 and 1 again


UNLAWFUL: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    (cut_by(2), {"seat": 2}, {"seat": 1}),
    (cut_by(5, "1- 5+"), {"seat": 5, "declined": [1]}, {"seat": 2}),  # 2 was passed over
    (cut_by(4), {"seat": 4}, {"seat": 1}),  # nobody sits there
    (cut_by("fiscal_de_banca"), {"cut_by": "fiscal_de_banca"}, {"seat": 1}),
    (
        cut_by("fiscal_de_banca", "1- 2-"),
        {"cut_by": "fiscal_de_banca", "declined": [1, 2]},
        {"seat": 5},
    ),
    (
        cut_by("pagador", "1- 2- 5-"),
        {"cut_by": "pagador", "declined": [1, 2, 5]},
        {"cut_by": "fiscal_de_banca"},
    ),
    (cut_by(2, "1- 2- 5-"), {"seat": 2, "declined": [1, 2, 5]}, {"cut_by": "fiscal_de_banca"}),
]


@upholds_case(RIGHTFUL, "unlawful")
@pytest.mark.parametrize(("cut", "observed", "expected"), UNLAWFUL)
def test_article_8_a_cut_by_anybody_else_is_found(
    cut: dict[str, Any], observed: dict[str, Any], expected: dict[str, Any]
) -> None:
    game = Game()
    game.prepare(1, cut=dict(cut))
    found = the_finding(RIGHTFUL, game)
    assert (found.article, found.where, found.severity) == ("8", {"shoe": 1}, "breach")
    assert (found.observed, found.expected) == (observed, expected)


@upholds_case(RIGHTFUL, "boundary")
@pytest.mark.parametrize(
    "cut",
    [
        cut_by(1, "1+"),
        cut_by(2, "1- 2+"),
        cut_by(5, "1- 2- 5+"),
        cut_by("fiscal_de_banca", "1- 2- 5-"),
        cut_by("fiscal_de_banca", seats_occupied=()),
    ],
)
def test_article_8_a_right_that_was_declined_passes_on(cut: dict[str, Any]) -> None:
    game = Game()
    game.prepare(1, cut=dict(cut))
    assert said(RIGHTFUL, game) == LAWFUL


def three_shoes(second: dict[str, Any], third: dict[str, Any]) -> Game:
    game = Game()
    game.prepare(1, "20:00")
    game.prepare(2, "21:00", cut=second)
    game.prepare(3, "22:00", cut=third)
    return game


def test_article_8_after_the_fiscal_de_banca_it_begins_again() -> None:
    all_declined = cut_by("fiscal_de_banca", "2- 5- 1-")
    assert said(RIGHTFUL, three_shoes(all_declined, cut_by(1))) == LAWFUL
    again = three_shoes(cut_by("fiscal_de_banca", "2- 5- 1-"), cut_by(5))
    assert the_finding(RIGHTFUL, again).expected == {"seat": 1}


def test_article_8_a_finding_names_the_cut_before_as_evidence() -> None:
    game = three_shoes(cut_by(2), cut_by(2))
    cuts = [recorded.entry_id for recorded in game.entries if isinstance(recorded.event, CutMade)]
    assert the_finding(RIGHTFUL, game).evidence == tuple(cuts[1:])


@pytest.mark.parametrize("reason", ["no_players", "no_stakes"])
def test_article_8_after_a_stop_it_begins_again(reason: str) -> None:
    game = Game()
    game.prepare(1, "20:00")
    game.record(PlayInterrupted, "20:40", reason=reason)
    game.prepare(2, "21:00", cut=cut_by(1, after="interruption"))
    assert said(RIGHTFUL, game) == LAWFUL
    game.change(CutMade, seat=2)
    assert the_finding(RIGHTFUL, game).expected == {"seat": 1}


@pytest.mark.parametrize("at", ["20:01", "21:03"])
def test_article_8_a_stop_before_the_last_cut_or_after_this_one_does_not_count(at: str) -> None:
    game = Game()
    game.prepare(1, "20:00")
    game.record(PlayInterrupted, at, reason="no_players")
    game.prepare(2, "21:00")
    assert said(RIGHTFUL, game) == LAWFUL


def test_article_8_a_word_written_beside_the_cut_is_no_recorded_stop() -> None:
    game = Game()
    game.prepare(1, "20:00")
    game.prepare(2, "21:00", cut=cut_by(1, after="interruption"))
    assert the_finding(RIGHTFUL, game).expected == {"seat": 2}


def test_article_8_with_the_shoe_before_untold_nobody_knows_whose_turn_it_is() -> None:
    game = evening()
    game.drop(CutMade, shoe=1)
    assert said(RIGHTFUL, game) == UNDECIDED
    game.record(PlayInterrupted, "20:50", reason="no_players")
    assert the_finding(RIGHTFUL, game).expected == {"seat": 1}  # after a stop it is known again
    only = Game()
    only.prepare(3, "22:00")
    assert said(RIGHTFUL, only) == UNDECIDED


def test_article_8_a_door_learns_whose_turn_it_is_before_the_cut() -> None:
    game = evening(shoes=1, closed=False)
    game.prepare(2, "21:00", cut=LEFT_OUT, warning=LEFT_OUT, burn=LEFT_OUT)
    now = PartidaContext(game.dossier("21:05"), PT)
    shoe = now.shoe(2)
    assert shoe is not None
    right = right_to_cut(now, shoe, SEATS, moment("21:05"))
    assert right is not None
    assert (right.due, right.passes_to([2]), right.passes_to([2, 5, 1])) == (2, 5, None)
