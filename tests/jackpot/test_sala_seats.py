"""Who may have laid a chip, and in which round: offered, never taken for granted. No database."""

from dataclasses import replace
from typing import Any

from casino.events.floor_life import SeatLeft, SeatTaken
from casino.law.dossier import Dossier
from jackpot.events import JackpotIncremented
from jackpot.floor.seats import next_round, rounds_recorded, seats_of
from tests.factories.games import Game, moment
from tests.factories.pool_acts import POOL, collected, pool_game
from tests.factories.rounds import box, main


def a_game() -> Game:
    """A table with a pool, its shoe made ready."""
    game = pool_game()
    game.prepare(1)
    return game


def a_round_of(game: Game, number: int, at: str, *boxes: Any, recorded: str = "") -> None:
    """A round of these boxes, told a minute later unless another time is said."""
    game.round(1, number, at, boxes=list(boxes) or [at_seat(2, 2, "J2")])
    if recorded:
        game.entries[-1] = replace(game.entries[-1], recorded_at=moment(recorded))


def at_seat(where: int, seat: int, owner: str) -> Any:
    """A main stake on a box by whoever sits at a seat."""
    return box(where, "TS 8D", main(1000, 2000, owner, seat=seat))


def seat(dossier: Dossier, number: int, occupied: tuple[int, ...] = ()) -> Any:
    return seats_of(dossier, POOL, 7, occupied)[number - 1]


def coming(game: Game, now: str, *, shoe: int = 1, dealt: bool = True) -> str | None:
    """The round that is offered as the next one at that moment."""
    found = next_round(game.dossier(), POOL, moment(now), shoe=shoe, dealt=dealt)
    return None if found is None else found.value


def test_a_seat_nobody_told_of_has_a_name_and_a_box_of_its_own() -> None:
    found = seat(a_game().dossier(), 3)
    assert (found.owner, found.box, found.taken, found.chip) == ("J3", 3, False, False)


def test_an_owner_plays_under_the_name_and_on_the_box_the_last_round_tells() -> None:
    game = a_game()
    a_round_of(game, 1, "20:10", at_seat(2, 2, "ANA"), at_seat(4, 5, "RUI"))
    dossier = game.dossier()
    assert (seat(dossier, 2).owner, seat(dossier, 2).box) == ("ANA", 2)
    assert (seat(dossier, 5).owner, seat(dossier, 5).box) == ("RUI", 4)


def test_of_two_boxes_of_one_player_his_own_is_meant() -> None:
    game = a_game()
    a_round_of(game, 1, "20:10", at_seat(2, 2, "ANA"), at_seat(3, 2, "ANA"), at_seat(1, 2, "ANA"))
    assert seat(game.dossier(), 2).box == 2


def test_whoever_sits_down_later_is_somebody_else() -> None:
    game = a_game()
    a_round_of(game, 1, "20:10", at_seat(4, 2, "ANA"))
    game.record(SeatLeft, "20:20", seat=2)
    assert (seat(game.dossier(), 2).owner, seat(game.dossier(), 2).box) == ("J2", 2)
    game.record(SeatTaken, "20:21", seat=2, player="EVA")
    assert seat(game.dossier(), 2).owner == "EVA"


def test_chips_of_another_pool_tell_nothing_of_this_one() -> None:
    game = a_game()
    collected(game, "2 ANA 1", jackpot="JP-9")
    assert game.dossier().of(JackpotIncremented)
    assert not seat(game.dossier(), 2).chip
    assert seat(game.dossier(), 2).owner == "J2"


def test_without_a_round_that_was_told_no_round_is_offered() -> None:
    game = a_game()
    collected(game, "2 J2 1")
    assert rounds_recorded(game.dossier(), POOL) == []
    assert coming(game, "20:12") is None


def test_the_next_round_is_offered_for_twenty_minutes_after_the_last_was_told() -> None:
    game = a_game()
    a_round_of(game, 7, "20:10")  # recorded at 20:11
    assert coming(game, "20:31") == "1/8"
    assert coming(game, "20:32") is None


def test_rounds_written_down_later_than_five_minutes_after_them_lead_to_no_next() -> None:
    game = a_game()
    a_round_of(game, 7, "20:10", recorded="20:15")
    assert coming(game, "20:16") == "1/8"
    game = a_game()
    a_round_of(game, 7, "20:10", recorded="20:16")
    assert coming(game, "20:17") is None


def test_an_increment_counts_on_from_the_one_before_it() -> None:
    game = a_game()
    a_round_of(game, 7, "20:10")
    collected(game, "2 J2 1", "20:12", shoe=1, number=8)
    assert coming(game, "20:13") == "1/9"
    assert [one.value for one in rounds_recorded(game.dossier(), POOL)] == ["1/8", "1/7"]
    assert coming(game, "21:30") == "1/9"


def test_a_new_shoe_begins_at_one_where_a_shoe_deals() -> None:
    game = a_game()
    a_round_of(game, 7, "20:10")
    assert coming(game, "20:12", shoe=2) == "2/1"
    assert coming(game, "20:12", shoe=2, dealt=False) == "1/8"


def test_a_round_on_record_is_named_by_what_the_record_calls_it() -> None:
    game = a_game()
    a_round_of(game, 7, "20:10")
    (found,) = rounds_recorded(game.dossier(), POOL)
    assert found.round is not None
    collected(game, "2 J2 1", "20:12", shoe=1, number=7)
    assert [one.round for one in rounds_recorded(game.dossier(), POOL)] == [found.round]
