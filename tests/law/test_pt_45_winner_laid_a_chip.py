"""PT art. 45: whoever wins the progressive prize had laid a chip in that round."""

from typing import Any

import pytest

from jackpot.events import JackpotChip, JackpotIncremented, JackpotWon
from tests.factories.games import Game
from tests.factories.pool_acts import (
    PAIR,
    POOL,
    collected,
    laid,
    paid,
    played,
    pool_game,
    withdrawn,
    won,
)
from tests.factories.rounds import box, main, wager
from tests.law.asking import LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import findings, judged, said, the_finding

LAID = "jackpot_winner_laid_a_chip"
J1, J5 = f"1 J1 {PAIR}", f"5 J5 {PAIR}"


def at(number: int) -> dict[str, int]:
    """A round by its place."""
    return {"shoe": 1, "number": number}


def win_of(game: Game) -> Any:
    """The one win told beside the game."""
    return next(one for one in game.dossier().around_of(JackpotWon))


def recording(*chips: str, **where: Any) -> Game:
    """Increments of one round, of which nobody tells more."""
    game = pool_game()
    for one in chips:
        collected(game, one, **(where or at(15)))
    return game


@upholds_case(LAID, "lawful")
def test_article_45_a_winner_whose_chip_was_collected_is_lawful() -> None:
    game = recording("1 J1 1, 2 J2 1")
    won(game, J1, **at(15))
    assert said(LAID, game) == LAWFUL


@upholds_case(LAID, "lawful")
@pytest.mark.parametrize("marking", ["manual", "automatic"])
def test_article_45_a_winner_whose_chip_the_rounds_record_tells_is_lawful(marking: str) -> None:
    game = pool_game(marking=marking)
    won(game, J1, f"2 J2 {PAIR}", of=played(game, "1 J1 1, 2 J2 1"))
    assert said(LAID, game) == LAWFUL


@upholds_case(LAID, "unlawful")
@pytest.mark.parametrize("winner", [J5, f"1 J5 {PAIR}", f"5 J1 {PAIR}"])
def test_article_45_a_winner_without_a_chip_in_the_collection_is_found(winner: str) -> None:
    game = recording("1 J1 1", "2 J2 1")
    won(game, winner, **at(15))
    found = the_finding(LAID, game)
    box, owner, _ = winner.split()
    assert (found.article, found.severity) == ("45", "breach")
    assert found.where == {"owner": owner, "box": int(box), "jackpot": "JP-1"}
    assert (found.observed, found.expected) == ({"chips": 0}, {"at_least": 1})
    assert len(found.evidence) == 3  # the win and both increments


@upholds_case(LAID, "unlawful")
@pytest.mark.parametrize("marking", ["manual", "automatic"])
def test_article_45_a_winner_without_a_chip_in_the_rounds_record_is_found(marking: str) -> None:
    game = pool_game(marking=marking)
    won(game, J1, J5, of=played(game, "1 J1 1"))
    assert the_finding(LAID, game).where["owner"] == "J5"


@upholds_case(LAID, "unlawful")
def test_article_45_where_rounds_tell_chips_one_that_tells_none_had_none() -> None:
    game = pool_game(marking="automatic")
    played(game, "1 J1 1")
    bare = game.round(1, 2, "20:12")
    won(game, J1, of=bare)
    found = the_finding(LAID, game)
    assert found.observed == {"chips": 0}
    assert bare.entry_id in found.evidence


@upholds_case(LAID, "boundary")
def test_article_45_a_chip_in_the_round_before_is_none_in_this_one() -> None:
    game = recording("1 J1 1", **at(14))
    collected(game, "2 J2 1", **at(15))
    won(game, J1, **at(15))
    assert said(LAID, game) == "finding"
    right = recording("2 J2 1", **at(14))
    collected(right, "1 J1 1", **at(15))
    won(right, J1, **at(15))
    assert said(LAID, right) == LAWFUL


@upholds_case(LAID, "boundary")
def test_article_45_where_nobody_told_the_rounds_chips_it_is_not_decided() -> None:
    silent = pool_game()
    won(silent, J1, **at(15))
    assert said(LAID, silent) == UNDECIDED
    before = recording("2 J2 1", **at(14))
    won(before, J1, **at(15))
    assert said(LAID, before) == UNDECIDED
    of_cards = recording("2 J2 1", **at(14))  # its rounds tell of cards alone
    won(of_cards, J1, of=of_cards.round(1, 15))
    assert said(LAID, of_cards) == UNDECIDED


@upholds_case(LAID, "boundary")
def test_article_45_of_which_round_a_win_or_a_chip_is_has_to_be_told() -> None:
    nameless = recording("2 J2 1")
    collected(nameless, "1 J1 1", "20:08", **at(14))
    won(nameless, J1)
    assert said(LAID, nameless) == UNDECIDED  # it may be that of round 14
    loose = recording("2 J2 1")
    collected(loose, "1 J1 1")
    won(loose, J1, **at(15))
    assert said(LAID, loose) == UNDECIDED
    won(loose, f"2 J2 {PAIR}", at="20:13", **at(15))
    outcomes = [one for name, one in judged(loose).outcomes if name == LAID]
    assert outcomes == [UNDECIDED, LAWFUL]


@upholds_case(LAID, "unlawful")
def test_article_45_a_chip_of_no_told_round_that_is_anothers_saves_nobody() -> None:
    game = recording("2 J2 1")
    collected(game, "3 J3 1")
    won(game, J1, **at(15))
    assert the_finding(LAID, game).observed == {"chips": 0}


def of_no_round(*chips: str, when: str = "20:10", win: str = J1) -> Game:
    """Chips and a win of which nobody tells the round, as where rounds come by file later."""
    game = pool_game()
    for one in chips:
        collected(game, one, when)
    won(game, win)
    return game


@upholds_case(LAID, "unlawful")
@pytest.mark.parametrize("win", [J5, f"2 J2 {PAIR}"])
def test_article_45_who_laid_no_chip_in_the_whole_game_laid_none_in_his_round(win: str) -> None:
    game = of_no_round("1 J1 1, 4 J4 1", "4 J4 1", win=win)
    found = the_finding(LAID, game)
    assert (found.article, found.severity) == ("45", "breach")
    assert (found.observed, found.expected) == ({"chips_in_game": 0}, {"at_least": 1})
    assert len(found.evidence) == 3  # the win and both increments
    payment = paid(game, win_of(game), win, 10_000)
    assert payment.entry_id in the_finding(LAID, game).evidence  # said before he is paid


@upholds_case(LAID, "boundary")
def test_article_45_where_a_chip_of_the_game_may_be_his_it_is_not_decided() -> None:
    assert said(LAID, of_no_round("1 J1 1", "4 J4 1")) == UNDECIDED
    assert said(LAID, of_no_round("1 RUI 1")) == UNDECIDED  # on his box
    assert said(LAID, of_no_round("2 J1 1")) == UNDECIDED  # of his name
    assert said(LAID, of_no_round("4 J4 1", when="20:12")) == "finding"
    assert said(LAID, of_no_round("4 J4 1", when="20:13")) == UNDECIDED  # after the win
    assert said(LAID, of_no_round()) == UNDECIDED


@upholds_case(LAID, "boundary")
def test_article_45_a_round_is_one_by_its_name_and_by_its_place() -> None:
    game = pool_game()
    one = played(game, "2 J2 1")
    collected(game, "1 J1 1", **at(one.event.number))
    won(game, J1, of=one)
    assert said(LAID, game) == LAWFUL  # that the two sources differ stands under 41
    by_place = pool_game()
    collected(by_place, "2 J2 1", round=one.event.round, **at(1))
    won(by_place, J1, **at(1))
    assert said(LAID, by_place) == "finding"
    other = pool_game()
    collected(other, "1 J1 1", round=one.event.round, **at(1))
    won(other, J1, of=played(other, "2 J2 1"), **at(1))
    assert said(LAID, other) == "finding"  # another name is another round, whatever its place


def from_seat(seat: int | None) -> JackpotChip:
    """A chip on box 1 by somebody called RUI there."""
    return JackpotChip(box=1, owner="RUI", n=1, seat=seat)


@upholds_case(LAID, "boundary")
def test_article_45_a_seat_is_one_player_in_a_round_whatever_he_is_called() -> None:
    for seat, answer in ((1, LAWFUL), (3, "finding"), (None, "finding")):
        game = pool_game()
        game.record(JackpotIncremented, "20:10", jackpot=POOL, chips=(from_seat(seat),), **at(15))
        won(game, J1, **at(15))  # from seat 1
        assert said(LAID, game) == answer, seat
    staked = pool_game(marking="automatic")
    chip = wager("jackpot", 250, 0, "RUI", chip=1, seat=1)
    one = staked.round(1, 1, boxes=[box(1, "TS 8D", main(1000, 2000, "RUI", seat=1), chip)])
    won(staked, J1, of=one)
    assert said(LAID, staked) == LAWFUL


@pytest.mark.parametrize("rounds_record", [True, False])
def test_article_45_of_several_pools_a_rounds_record_names_none(rounds_record: bool) -> None:
    game = Game(jackpots=("JP-1", "JP-2"))
    one = played(game, "1 J1 1") if rounds_record else game.round(1, 1)
    won(game, J5, of=one)
    assert said(LAID, game) == UNDECIDED
    collected(game, "2 J2 1", round=one.event.round, jackpot="JP-2")
    assert said(LAID, game) == UNDECIDED
    collected(game, "5 J5 1", round=one.event.round)
    assert said(LAID, game) == LAWFUL


def test_article_45_a_win_that_was_withdrawn_is_nobodys() -> None:
    game = recording("2 J2 1")
    hit = won(game, J1, **at(15))
    assert len(findings(LAID, game)) == 1
    withdrawn(game, hit)
    assert said(LAID, game) == NOT_ASKED


@pytest.mark.parametrize("book", ["es", "br", "fr", "pt-summary"])
def test_article_45_is_asked_in_portugal_only(book: str) -> None:
    game = pool_game()
    won(game, J5, of=laid(game))
    assert said(LAID, game, book) == NOT_ASKED
    assert said(LAID, game) == "finding"
