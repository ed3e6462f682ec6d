"""PT art. 59 and 60: the cards go back after each round, or with the next that allows it."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from casino.events.floor_life import RoundsDeferred
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import CardBurned
from casino.events.shufflers import ShufflerRegistered
from tests.factories.games import Game, evening, iso, shuffler_evening
from tests.factories.rounds_put_back import rounds
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import findings, said, the_finding

AFTER, BEFORE = "cards_put_back_after_the_round", "cards_put_back_before_the_next_round"
ALL, TOGETHER = "all_cards_put_back", "deferred_cards_go_with_the_next"


@upholds_case(AFTER, "lawful")
@upholds_case(BEFORE, "lawful")
@pytest.mark.parametrize("check", [AFTER, BEFORE])
def test_article_59_collected_then_put_back_then_the_next_round(check: str) -> None:
    assert said(check, rounds("20:13", "20:23", "20:33")) == LAWFUL
    assert said(check, evening()) == NOT_ASKED


@upholds_case(AFTER, "unlawful")
@pytest.mark.parametrize(("collected", "inserted"), [("20:12", "20:11:59"), ("20:15", "20:13")])
def test_article_59_cards_put_back_before_they_were_collected_are_found(
    collected: str, inserted: str
) -> None:
    found = the_finding(AFTER, rounds(inserted, collected=collected))
    assert (found.article, found.where) == ("59", {"shoe": 1, "number": 1})
    assert (found.observed, found.expected) == (
        {"moment": iso(inserted)},
        {"not_before": iso(collected)},
    )


@upholds_case(AFTER, "boundary")
def test_article_59_at_the_very_moment_is_lawful_and_untimed_cards_leave_it_open() -> None:
    assert said(AFTER, rounds("20:12", collected="20:12")) == LAWFUL
    assert said(AFTER, rounds("20:13", collected=None)) == UNDECIDED
    assert said(AFTER, rounds("20:13", None)) == UNDECIDED
    assert said(AFTER, rounds(None, None)) == NOT_ASKED  # attested, or nobody answers for it


@upholds_case(BEFORE, "unlawful")
@pytest.mark.parametrize("inserted", ["20:20:01", "20:25"])
def test_article_59_a_round_dealt_before_the_last_ones_cards_were_back_is_found(
    inserted: str,
) -> None:
    game = rounds(inserted, "20:23")
    found = the_finding(BEFORE, game)
    assert (found.article, found.where) == ("59", {"shoe": 1, "number": 1})
    assert found.expected == {"not_after": iso("20:20")}
    assert found.evidence == tuple(recorded.entry_id for recorded in game.entries[-2:])


@upholds_case(BEFORE, "boundary")
def test_article_59_put_back_as_the_next_is_dealt_or_told_that_they_wait() -> None:
    assert said(BEFORE, rounds("20:20", "20:23")) == LAWFUL
    assert findings(BEFORE, rounds("20:25", "20:25", waiting="1")) == []
    lone = rounds("20:13")
    lone.put_back(1, 3, "20:30", inserted="20:33")  # the second nobody recorded
    assert said(BEFORE, lone) == UNDECIDED


@upholds_case(TOGETHER, "lawful")
@pytest.mark.parametrize(
    ("put_back", "waiting"),
    [(("20:23", "20:23"), "1"), (("20:33", "20:33", "20:33"), "1 2")],
)
def test_article_60_cards_that_waited_go_in_with_the_next_that_can(
    put_back: tuple[str, ...], waiting: str
) -> None:
    assert said(TOGETHER, rounds(*put_back, waiting=waiting)) == LAWFUL


@upholds_case(TOGETHER, "unlawful")
@pytest.mark.parametrize(
    "own",
    [
        "20:16",  # alone, before the next
        "20:33",  # later than the next that could
    ],
)
def test_article_60_put_back_alone_or_too_late_they_are_found(own: str) -> None:
    found = the_finding(TOGETHER, rounds(own, "20:23", "20:33", waiting="1"))
    assert (found.article, found.where) == ("60", {"shoe": 1, "number": 1})
    assert (found.observed, found.expected) == (
        {"moment": iso(own)},
        {"with_the_round_at": iso("20:23")},
    )


@upholds_case(TOGETHER, "boundary")
@pytest.mark.parametrize(
    ("own", "answer"), [("20:22", LAWFUL), ("20:24", LAWFUL), ("20:24:01", BREACH)]
)
def test_article_60_within_a_minute_they_went_in_together(own: str, answer: str) -> None:
    assert said(TOGETHER, rounds(own, "20:23", waiting="1")) == answer


def test_article_60_what_nobody_timed_or_numbered_stays_open_until_the_game_ends() -> None:
    assert said(TOGETHER, rounds(None, "20:23", waiting="1")) == UNDECIDED
    assert said(TOGETHER, rounds("20:23", None, waiting="1")) == UNDECIDED
    last = rounds("20:13", None, waiting="2")
    assert said(TOGETHER, last) == UNDECIDED
    last.close()
    assert said(TOGETHER, last) == NOT_ASKED  # no round followed
    loose = rounds("20:33", "20:23", waiting="1")
    loose.round(1, None, "20:40")
    assert said(TOGETHER, loose) == UNDECIDED


@upholds_case(BEFORE, "unlawful")
def test_article_59_a_machine_filled_once_is_asked_too_unless_a_reading_says_otherwise() -> None:
    late = rounds("20:21", "20:23")
    late.outside(ShufflerRegistered, continuous=False)
    found = the_finding(BEFORE, late)
    assert (found.article, found.readings) == ("59", ("shuffler-of-58-to-60",))
    game = rounds("20:16", "20:23", waiting="1")
    game.outside(ShufflerRegistered, continuous=False)
    strict = {"shuffler-of-58-to-60": "continuous"}
    asked = {said(check, game, "pt", strict) for check in (AFTER, BEFORE, TOGETHER)}
    assert asked == {NOT_ASKED}
    assert said(TOGETHER, shuffler_evening()) == NOT_ASKED


# 59: all of them, where a record tells how many


def counted(*put_back: int | None, burnt: int = 0, waiting: str = "") -> Game:
    """Rounds of four cards each, and how many went into the machine after each."""
    game = rounds(*(f"20:{10 * n}:30" for n in range(1, len(put_back) + 1)), waiting=waiting)
    places = [
        n for n, recorded in enumerate(game.entries) if isinstance(recorded.event, RoundPlayed)
    ]
    for place, cards in zip(places, put_back, strict=True):
        recorded = game.entries[place]
        game.entries[place] = replace(recorded, event=replace(recorded.event, put_back=cards))
    if burnt:
        game.record(CardBurned, "19:58", shoe=1, cards=burnt, to_discard_corner=True)
    return game


@upholds_case(ALL, "lawful")
def test_article_59_as_many_cards_go_back_as_came_out() -> None:
    assert said(ALL, counted(4, 4)) == LAWFUL
    assert said(ALL, counted(5, 4, burnt=1)) == LAWFUL  # the burnt one lay in the discard corner
    assert said(ALL, counted(None, 8, waiting="1")) == LAWFUL
    assert said(ALL, rounds("20:13", "20:23")) == NOT_ASKED
    assert said(ALL, evening()) == NOT_ASKED


@upholds_case(ALL, "unlawful")
@pytest.mark.parametrize(
    ("game", "number", "went_in", "out"),
    [
        (lambda: counted(4, 3), 2, 3, 4),
        (lambda: counted(6, 4, burnt=1), 1, 6, 5),
        (lambda: counted(4, 5, burnt=0), 2, 5, 4),
        (lambda: counted(None, 4, waiting="1"), 2, 4, 8),  # those that waited stayed where they lay
    ],
)
def test_article_59_a_card_that_stays_out_or_comes_from_elsewhere_is_found(
    game: Callable[[], Game], number: int, went_in: int, out: int
) -> None:
    found = the_finding(ALL, game())
    assert (found.article, found.where) == ("59", {"shoe": 1, "number": number})
    assert (found.observed, found.expected) == ({"cards": went_in}, {"cards": out})
    batch = game()
    batch.outside(ShufflerRegistered, continuous=False)
    assert the_finding(ALL, batch).readings == ("shuffler-of-58-to-60",)
    assert findings(ALL, batch, "pt", {"shuffler-of-58-to-60": "continuous"}) == []


@upholds_case(ALL, "boundary")
def test_article_59_a_round_that_tells_no_number_leaves_it_open() -> None:
    assert said(ALL, counted(4, None)) == UNDECIDED
    assert (
        said(ALL, counted(4, 4, burnt=1)) == UNDECIDED
    )  # when the burnt card went in, nobody recorded
    unnamed = counted(4, 8, waiting="1")
    unnamed.change(RoundsDeferred, rounds=("00000000-0000-4000-8000-00000000abcd",))
    assert said(ALL, unnamed) == UNDECIDED
