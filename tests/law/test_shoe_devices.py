"""What a shoe reports of the cards that left it, held against its rounds and its burn."""

from typing import Any

import pytest

from casino.events.shoes import CardBurned, CardOut
from casino.law.rounds.card_population import cards_of
from casino.law.rulebook.rulebook_file import rulebook_ids
from tests.factories.games import Game, evening, shuffler_evening
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import cited, findings, said, the_finding

COUNTED, READ = "shoe_cards_accounted_for", "shoe_read_the_cards_recorded"
OUT = 13  # of shoe 1: a burnt card, and three rounds of four


def counted(*positions: int, at: str = "20:31", closed: bool = True, **known: Any) -> Game:
    """An evening of one shoe, its last round at 20:30, and these positions reported of it."""
    game = evening(shoes=1, closed=closed)
    for position in positions:
        out(game, position, at, **known)
    return game


def out(game: Game, position: int, at: str = "20:31", **known: Any) -> None:
    game.record(CardOut, at, "D-0700", position=position, **{"shoe": 1, **known})


def reading(*otherwise: tuple[int, str | None], left_out: tuple[int, ...] = ()) -> Game:
    """The same shoe, which reads every card but the burnt; at some positions otherwise."""
    game = evening(shoes=1)
    dealt = [
        card
        for one in game.entries
        if one.event.kind == "round-played/1"
        for card in cards_of(one.event)
    ]
    read = dict(enumerate([None, *dealt], 1)) | dict(otherwise)
    for position, card in read.items():
        if position not in left_out:
            out(game, position, card=card)
    return game


def test_a_house_whose_shoes_report_nothing_is_asked_nothing() -> None:
    for game in (evening(), shuffler_evening()):
        assert {said(check, game) for check in (COUNTED, READ)} == {NOT_ASKED}
    at_a_shuffler = shuffler_evening()
    out(at_a_shuffler, 200)
    assert said(COUNTED, at_a_shuffler) == NOT_ASKED


@upholds_case(COUNTED, "lawful")
def test_the_highest_position_counts_whatever_got_lost_before_it() -> None:
    for positions in (range(1, OUT + 1), (OUT,), (OUT, 3)):
        assert said(COUNTED, counted(*positions)) == LAWFUL
    assert cited(counted(*range(1, OUT + 1))) == cited(evening(shoes=1))


@upholds_case(COUNTED, "unlawful")
@pytest.mark.parametrize("book", rulebook_ids())
@pytest.mark.parametrize("position", [OUT - 1, OUT + 1, OUT + 5])
def test_more_or_fewer_than_the_rounds_tell_are_found_in_every_rulebook(
    position: int, book: str
) -> None:
    found = the_finding(COUNTED, counted(position), book)
    assert (found.article, found.severity) == ("house.devices", "deviation")
    assert (found.observed, found.expected) == ({"cards": position}, {"cards": OUT})
    assert found.where == {"shoe": 1}
    assert len(found.evidence) == 3  # the report, the burn, the last round


def test_a_round_nobody_recorded_is_found_by_the_cards_it_took() -> None:
    game = counted(OUT + 4)
    assert said(COUNTED, game) == BREACH
    game.round(1, 4, "20:40")
    assert said(COUNTED, game) == LAWFUL


@upholds_case(COUNTED, "boundary")
@pytest.mark.parametrize(("at", "expected"), [("20:29:59", UNDECIDED), ("20:30", BREACH)])
def test_fewer_are_found_only_of_a_shoe_heard_in_its_last_round(at: str, expected: str) -> None:
    assert said(COUNTED, counted(OUT - 4, at=at)) == expected
    assert said(COUNTED, counted(OUT + 1, at=at)) == BREACH  # of more that is no matter


def test_while_a_shoe_is_dealt_it_stays_open_until_the_next_or_the_closing() -> None:
    game = counted(OUT + 1, closed=False)
    assert said(COUNTED, game) == UNDECIDED
    game.prepare(2, "21:00")
    assert said(COUNTED, game) == UNDECIDED  # made ready while the first is dealt
    game.round(2, 1, "21:10")
    assert said(COUNTED, game) == BREACH


def test_what_cannot_be_counted_stays_open() -> None:
    unburnt = counted(OUT + 1)
    unburnt.drop(CardBurned)
    assert said(COUNTED, unburnt) == UNDECIDED
    burnt_again = counted(OUT + 1)
    burnt_again.record(CardBurned, "20:35", shoe=1, cards=1)
    assert said(COUNTED, burnt_again) == UNDECIDED
    unplaced = counted(OUT + 1)
    unplaced.round(None, None, "20:40")
    assert said(COUNTED, unplaced) == UNDECIDED


@upholds_case(READ, "lawful")
def test_the_cards_it_read_are_those_recorded_in_whatever_order() -> None:
    assert said(READ, reading()) == LAWFUL
    moved = reading((2, "8D"), (5, "TH"), (14, "2C"))  # one more is a matter of their number
    assert said(READ, moved) == LAWFUL
    assert said(READ, counted(OUT)) == NOT_ASKED  # of a shoe that reads none


@upholds_case(READ, "unlawful")
@pytest.mark.parametrize("position", [2, OUT])
def test_a_card_that_was_dealt_as_another_is_found(position: int) -> None:
    game = reading((position, "2C"))
    found = the_finding(READ, game)
    assert (found.article, found.severity) == ("house.devices", "deviation")
    assert (found.observed["times"], found.expected) == (2, {"at_least": 3})
    assert found.where == {"shoe": 1}
    assert len(found.evidence) == 4  # three rounds that tell it, the last report
    assert len(findings(READ, reading((2, "2C"), (3, "2C")))) == 2


@upholds_case(READ, "boundary")
def test_cards_it_did_not_read_may_be_those_recorded() -> None:
    assert said(READ, reading((5, None))) == UNDECIDED
    assert said(READ, reading(left_out=(5,))) == UNDECIDED
    assert said(READ, reading(left_out=(12, 13))) == UNDECIDED  # silent at the end
    assert said(READ, reading((2, "2C"), left_out=(5,))) == BREACH
    unburnt = reading((2, "2C"))
    unburnt.drop(CardBurned)
    assert said(READ, unburnt) == UNDECIDED
