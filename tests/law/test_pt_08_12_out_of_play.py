"""PT art. 7, 8, 11 and 12: no round at a closed table, in a stop, or of a shoe that is over."""

import pytest

from casino.events.floor_life import PartidaReopened
from casino.events.shoes import CardsShuffled, CardsSpread, PlayInterrupted, PlayResumed
from tests.factories.games import Game, cut_by, evening, shuffler_evening
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import cited, said, the_finding

CLOSED, STOPPED = "no_round_after_closing", "no_round_while_interrupted"
ONCE = "closed_once"
BEHIND, SPREAD = "no_round_of_a_shoe_left_behind", "no_round_after_the_spread"


# A closed table


@upholds_case(CLOSED, "lawful")
@pytest.mark.parametrize("game", [evening, shuffler_evening])
def test_article_7_what_was_dealt_before_the_closing_is_lawful(game: type[Game]) -> None:
    assert said(CLOSED, game()) == LAWFUL
    assert said(CLOSED, game(closed=False)) == NOT_ASKED


@upholds_case(CLOSED, "unlawful")
@pytest.mark.parametrize("shoe", [2, 3])
def test_article_7_a_round_dealt_at_a_closed_table_is_found(shoe: int) -> None:
    game = evening()
    closing, late = game.entries[-1], game.round(shoe, 4, "04:00")
    found = the_finding(CLOSED, game)
    assert (found.article, found.severity, found.where) == ("house.table", "deviation", {})
    assert (found.observed, found.expected) == ({"rounds": 1}, {"rounds": 0})
    assert found.evidence == (closing.entry_id, late.entry_id)


@upholds_case(CLOSED, "unlawful")
def test_article_7_a_shuffler_that_still_holds_cards_deals_none_either() -> None:
    game = shuffler_evening()
    game.put_back(1, 4, "03:00:01")
    assert the_finding(CLOSED, game).observed == {"rounds": 1}


@upholds_case(CLOSED, "boundary")
@pytest.mark.parametrize(("dealt", "answer"), [("03:00", LAWFUL), ("03:00:01", BREACH)])
def test_article_7_a_round_begun_at_the_closing_is_finished(dealt: str, answer: str) -> None:
    game = evening()
    game.round(2, 4, dealt)
    assert said(CLOSED, game) == answer


@upholds_case(CLOSED, "boundary")
@pytest.mark.parametrize(("why", "answer"), [("closed_by_mistake", UNDECIDED), ("more", BREACH)])
def test_article_7_a_closing_nobody_meant_leaves_open_whether_the_table_was_closed(
    why: str, answer: str
) -> None:
    game = evening(shoes=1, closed=False)
    game.close("20:30:30")
    game.record(PartidaReopened, "20:45", reason=why)
    game.round(1, 4, "20:40")
    assert said(CLOSED, game) == answer
    game.round(1, 5, "20:50")
    game.close("23:00")
    assert said(CLOSED, game) == answer
    game.round(1, 6, "23:01")
    assert said(CLOSED, game) == BREACH  # this one was meant


@pytest.mark.parametrize(
    ("why", "cut", "found"),
    [
        ("closed_by_mistake", 2, []),
        ("closed_by_mistake", 1, ["8 cut_by_rightful_seat"]),
        ("more", 1, []),
        ("more", 2, ["8 cut_by_rightful_seat"]),
    ],
)
def test_article_8_a_closing_nobody_meant_is_no_stop(why: str, cut: int, found: list[str]) -> None:
    game = evening(shoes=1, closed=False)
    game.close("20:35")
    game.record(PartidaReopened, "20:45", reason=why)
    game.prepare(2, "21:00", cut=cut_by(cut))
    game.round(2, 1, "21:10")
    game.close()
    assert cited(game) == found


@upholds_case(CLOSED, "boundary")
@pytest.mark.parametrize(
    ("dealt", "answer"), [("22:59", LAWFUL), ("23:10", BREACH), ("23:30", LAWFUL)]
)
def test_article_7_a_table_opened_again_deals_again(dealt: str, answer: str) -> None:
    game = evening(closed=False)
    game.close("23:00")
    game.record(PartidaReopened, "23:30", reason="mistake")
    game.round(2, 4, dealt)
    game.close()
    assert said(CLOSED, game) == answer


def test_article_7_a_round_nobody_timed_may_have_begun_before() -> None:
    game = evening()
    game.round(2, 4, "03:10", times=None)
    assert said(CLOSED, game) == UNDECIDED


# Closed, and closed again


@upholds_case(ONCE, "lawful")
@pytest.mark.parametrize("game", [evening, shuffler_evening])
def test_article_7_a_game_is_closed_once(game: type[Game]) -> None:
    assert said(ONCE, game()) == LAWFUL
    assert said(ONCE, game(closed=False)) == NOT_ASKED


@upholds_case(ONCE, "unlawful")
@pytest.mark.parametrize("at", ["03:00", "03:00:01", "05:00"])
def test_article_7_a_game_closed_twice_is_a_warning(at: str) -> None:
    game = evening()
    first, then = game.entries[-1], game.close(at)
    found = the_finding(ONCE, game)
    assert (found.article, found.severity) == ("house.table", "warning")
    assert found.evidence == (first.entry_id, then.entry_id)


@upholds_case(ONCE, "boundary")
@pytest.mark.parametrize(("again", "answer"), [("03:10", LAWFUL), ("02:59", BREACH)])
def test_article_7_opened_again_between_it_may_be_closed_again(again: str, answer: str) -> None:
    game = evening()
    game.record(PartidaReopened, again, reason="more")
    game.close("04:00")
    assert said(ONCE, game) == answer


# A stop


def stopped(at: str = "20:12", until: str | None = "20:18", why: str = "no_players") -> Game:
    """Rounds at 20:10, 20:20 and 20:30 of one shoe, and play stopped meanwhile."""
    game = evening(shoes=1, closed=False)
    game.record(PlayInterrupted, at, reason=why)
    if until is not None:
        game.record(PlayResumed, until)
    return game


@upholds_case(STOPPED, "lawful")
def test_article_8_play_that_was_told_to_go_on_goes_on() -> None:
    assert said(STOPPED, stopped()) == LAWFUL
    assert said(STOPPED, evening()) == NOT_ASKED


@upholds_case(STOPPED, "unlawful")
@pytest.mark.parametrize(("until", "rounds"), [(None, 2), ("20:25", 1), ("20:40", 2)])
def test_article_8_a_round_in_a_stop_is_a_warning(until: str | None, rounds: int) -> None:
    game = stopped(until=until)
    found = the_finding(STOPPED, game)
    assert (found.article, found.severity) == ("house.table", "warning")
    assert (found.observed, found.expected) == ({"rounds": rounds}, {"rounds": 0})


@upholds_case(STOPPED, "boundary")
@pytest.mark.parametrize(
    ("at", "until", "answer"),
    [
        ("20:20", "20:29", LAWFUL),
        ("20:19:59", "20:29", BREACH),
        ("20:12", "20:20", LAWFUL),
        ("20:12", "20:20:01", BREACH),
    ],
)
def test_article_8_a_round_begun_at_either_end_is_not_in_the_stop(
    at: str, until: str, answer: str
) -> None:
    assert said(STOPPED, stopped(at, until)) == answer


@upholds_case(STOPPED, "boundary")
def test_article_8_cards_made_ready_again_show_that_play_went_on() -> None:
    game = stopped("20:35", None, "no_players")
    game.record(CardsSpread, "20:36", shoe=1, reason="no_players", face_up=True)
    game.prepare(2, "21:00", cut={**cut_by(1), "after": "interruption"})
    game.round(2, 1, "21:10")
    assert said(STOPPED, game) == LAWFUL
    assert cited(game) == []


def test_article_8_each_stop_is_asked_by_itself() -> None:
    game = stopped()
    game.record(PlayInterrupted, "20:25", reason="other")
    found = the_finding(STOPPED, game)
    assert found.evidence[1:] == (game.entries[-4].entry_id,)
    assert found.observed == {"rounds": 1}


@upholds_case(STOPPED, "boundary")
@pytest.mark.parametrize(
    ("why", "answer"), [("dealer_change", NOT_ASKED), ("no_stakes", BREACH), ("other", BREACH)]
)
def test_article_8_play_goes_on_with_another_dealer_and_nobody_has_to_tell(
    why: str, answer: str
) -> None:
    assert said(STOPPED, stopped(until=None, why=why)) == answer


@upholds_case(STOPPED, "unlawful")
def test_article_8_rounds_in_several_stops_are_told_once() -> None:
    game = stopped(until="20:21")
    again = game.record(PlayInterrupted, "20:25", reason="no_stakes")
    found = the_finding(STOPPED, game)
    assert found.observed == {"rounds": 2}
    assert again.entry_id in found.evidence
    assert len(found.evidence) == 4


def test_article_8_a_round_of_a_stop_that_nobody_timed_stays_open() -> None:
    game = stopped(until=None)
    game.drop(type(game.entries[-2].event))
    game.round(1, 2, "20:20", times=None)
    assert said(STOPPED, game) == UNDECIDED


# A shoe that is over


@upholds_case(BEHIND, "lawful")
def test_article_11_a_shoe_is_dealt_before_the_next_is_shuffled() -> None:
    assert said(BEHIND, evening()) == LAWFUL
    assert said(BEHIND, evening(shoes=1)) == NOT_ASKED
    assert said(BEHIND, shuffler_evening()) == NOT_ASKED


@upholds_case(BEHIND, "unlawful")
@pytest.mark.parametrize("dealt", ["21:00:01", "21:15", "23:00"])
def test_article_11_a_round_of_the_shoe_before_is_found(dealt: str) -> None:
    game = evening(closed=False)
    (shuffle,) = [
        recorded
        for recorded in game.entries
        if isinstance(recorded.event, CardsShuffled) and recorded.event.shoe == 2
    ]
    late = game.round(1, 4, dealt)
    found = the_finding(BEHIND, game)
    assert (found.article, found.where) == ("11", {"shoe": 1})
    assert (found.observed, found.expected) == ({"rounds": 1}, {"rounds": 0})
    assert found.evidence == (shuffle.entry_id, late.entry_id)


@upholds_case(BEHIND, "boundary")
def test_article_11_a_round_that_began_when_they_were_shuffled_is_not_after_it() -> None:
    game = evening(closed=False)
    game.round(1, 4, "21:00")
    assert said(BEHIND, game) == LAWFUL
    game.round(1, 5, "21:05", times=None)
    assert said(BEHIND, game) == UNDECIDED


# Cards laid out of which nobody recorded the shoe


@upholds_case(SPREAD, "unlawful")
@pytest.mark.parametrize("shoe", [None, 1])
def test_article_12_a_round_after_cards_were_laid_out_is_found_whichever_shoe_was_told(
    shoe: int | None,
) -> None:
    game = evening(shoes=1, closed=False)
    game.record(CardsSpread, "20:25", shoe=shoe, reason="no_players", face_up=True)
    assert the_finding(SPREAD, game).observed == {"rounds": 1}


@upholds_case(SPREAD, "boundary")
def test_article_12_cards_laid_out_before_any_shoe_was_begun_are_of_none() -> None:
    game = Game()
    game.record(CardsSpread, "19:50", shoe=None, reason="no_players", face_up=True)
    game.prepare(1)
    game.round(1, 1, "20:10")
    assert said(SPREAD, game) == UNDECIDED
