"""PT art. 43, 46, 49, 50: prizes won by the first cards, and paid as the law says."""

from datetime import timedelta
from typing import Any

import pytest

from casino.events.round.round_played import Times
from tests.factories.games import Game, moment
from tests.factories.pool_acts import (
    PAIR,
    SEVENS,
    START,
    TOP,
    collected,
    laid,
    paid,
    pool_game,
    winning,
    withdrawn,
    won,
)
from tests.factories.rounds import box, main, wager
from tests.law.asking import LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import findings, said, the_finding

PRIZES = "jackpot_prizes_as_approved"
AS_DEALT = "jackpot_won_by_first_cards"
OPEN = "jackpot_cards_stay_open_until_paid"
REMAINDER = "jackpot_remainder_to_the_top"
SMALLEST = "jackpot_smallest_prize_first"
ONCE = "jackpot_prize_is_paid_once"
BORNE = "jackpot_meter_bears_the_prizes"
A, B, C = f"1 J1 {PAIR}", f"2 J2 {SEVENS}", f"5 J5 {TOP}"
DUE = {A: 5_000, B: 250_000, C: START - 255_000}  # what each wins of the starting value


def paying(**otherwise: int) -> Game:
    """Three winners of one round, paid their due unless said otherwise (a=, b=, c=)."""
    due = dict(DUE)
    for name, winner in (("a", A), ("b", B), ("c", C)):
        due[winner] = otherwise.get(name, due[winner])
    return winning(A, B, C, pays=due)


@upholds_case(PRIZES, "lawful")
@upholds_case(REMAINDER, "lawful")
@upholds_case(SMALLEST, "lawful")
@upholds_case(ONCE, "lawful")
@upholds_case(BORNE, "lawful")
@pytest.mark.parametrize("check", [PRIZES, REMAINDER, SMALLEST, ONCE, BORNE])
def test_articles_43_and_50_prizes_paid_as_due_are_lawful(check: str) -> None:
    assert said(check, paying()) == LAWFUL


@upholds_case(PRIZES, "unlawful")
@pytest.mark.parametrize(
    ("otherwise", "owed", "whom"),
    [({"a": 4_999}, 1, "player"), ({"b": 0}, 250_000, "player"), ({"b": 250_001}, 1, "house")],
)
def test_article_43_a_prize_paid_wrongly_is_found(
    otherwise: dict[str, int], owed: int, whom: str
) -> None:
    found = the_finding(PRIZES, paying(**otherwise))
    assert (found.article, found.owed_cents, found.owed_to) == ("43", owed, whom)


@upholds_case(PRIZES, "boundary")
def test_article_43_what_is_not_paid_yet_is_no_breach_until_the_game_is_closed() -> None:
    game = winning(A, B, pays={A: 5_000})
    assert said(PRIZES, game) == NOT_ASKED
    game.close()
    assert the_finding(PRIZES, game).owed_cents == 250_000
    blind = pool_game()
    won(blind, A, of=laid(blind), running_microcents=None)
    assert said(PRIZES, blind) == UNDECIDED


@upholds_case(REMAINDER, "unlawful")
@pytest.mark.parametrize("cents", [0, START, DUE[C] - 1])
def test_article_50_a_remainder_that_is_not_all_that_is_left_is_found(cents: int) -> None:
    found = the_finding(REMAINDER, paying(c=cents))
    assert (found.article, found.where["owner"]) == ("50", "J5")
    assert found.expected == {"paid_cents": DUE[C]}


@upholds_case(REMAINDER, "boundary")
def test_article_50_several_top_combinations_share_equally_the_odd_cent_by_seat() -> None:
    two = f"4 J4 {TOP}"
    half = (START - 5_000) // 2
    game = winning(A, two, C, pays={A: 5_000, two: half, C: half})
    assert said(REMAINDER, game) == LAWFUL
    odd = winning(two, C, f"6 J6 {TOP}", pays={two: 833_334, C: 833_333, f"6 J6 {TOP}": 833_333})
    assert said(REMAINDER, odd) == LAWFUL
    assert said(REMAINDER, odd, "pt", {"odd-cent": "house"}) == "finding"


def emptied(cents: int) -> Game:
    """Two win 50 euros each of so much on the meter, and are paid in order until it is empty."""
    game = pool_game()
    both = f"1 J1 {PAIR}", f"2 J2 {PAIR}"
    recorded = laid(game, "1 J1 1, 2 J2 1", cards="8S 8S")
    hit = won(game, *both, of=recorded, running_microcents=cents * 1_000_000)
    paid(game, hit, both[0], min(cents, 5_000))
    paid(game, hit, both[1], max(0, min(cents - 5_000, 5_000)), "20:21")
    return game


@upholds_case(BORNE, "unlawful")
@pytest.mark.parametrize(("cents", "short"), [(9_999, [4_999]), (5_000, [0]), (4_000, [4_000, 0])])
def test_article_50_a_meter_too_small_for_the_smaller_prizes_is_found(
    cents: int, short: list[int]
) -> None:
    found = findings(BORNE, emptied(cents))
    assert {one.article for one in found} == {"50"}
    assert [one.observed for one in found] == [{"meter_cents": there} for there in short]
    assert {one.expected["prize_cents"] for one in found} == {5_000}
    assert {one.readings for one in found} == {("jackpot-remainder",)}
    assert said(PRIZES, emptied(cents)) == LAWFUL  # paid in order until there was nothing left


@upholds_case(BORNE, "boundary")
def test_article_50_a_meter_that_just_bears_the_prizes_is_lawful() -> None:
    assert said(BORNE, emptied(10_000)) == LAWFUL
    blind = pool_game()
    won(blind, A, of=laid(blind), running_microcents=None)
    assert said(BORNE, blind) == NOT_ASKED


@upholds_case(SMALLEST, "unlawful")
@pytest.mark.parametrize("order", [(B, A, C), (C, A, B), (A, C, B)])
def test_article_50_a_larger_prize_paid_before_a_smaller_one_is_found(order: Any) -> None:
    found = the_finding(SMALLEST, winning(A, B, C, pays={winner: DUE[winner] for winner in order}))
    assert (found.article, found.expected) == ("50", {"order": "smallest_first"})


@upholds_case(SMALLEST, "boundary")
def test_article_50_equal_prizes_may_be_paid_in_any_order() -> None:
    other = f"3 J3 {PAIR}"
    assert said(SMALLEST, winning(A, other, pays={other: 5_000, A: 5_000})) == LAWFUL
    assert said(SMALLEST, winning(A, pays={A: 5_000})) == NOT_ASKED


@upholds_case(ONCE, "unlawful")
@pytest.mark.parametrize("cents", [1, 5_000])
def test_article_50_a_prize_handed_out_twice_is_found(cents: int) -> None:
    game = pool_game()
    hit = won(game, A, of=laid(game))
    paid(game, hit, A, 5_000)
    paid(game, hit, A, cents, "20:25", again=True)
    found = the_finding(ONCE, game)
    assert (found.article, found.owed_cents, found.owed_to) == ("50", cents, "house")
    assert said(PRIZES, game) == LAWFUL  # the first payment was right


def in_parts(*cents: int, last_again: bool = False) -> Game:
    """A prize of 50 euros handed over so, ten minutes apart, and one of the sevens in between."""
    game = pool_game()
    hit = won(game, A, B, of=laid(game, "1 J1 1, 2 J2 1", cards="7S 7D 7H"))
    for place, each in enumerate(cents):
        again = last_again and place == len(cents) - 1
        paid(game, hit, A, each, f"20:{20 + 10 * place}", again=again)
    paid(game, hit, B, DUE[B], "20:25")
    return game


@upholds_case(PRIZES, "boundary")
@upholds_case(ONCE, "boundary")
@upholds_case(SMALLEST, "boundary")
@pytest.mark.parametrize("cents", [(4_000, 1_000), (4_999, 1), (1, 2_000, 2_999)])
def test_article_50_what_was_missing_of_a_prize_and_is_paid_later_is_no_second_prize(
    cents: tuple[int, ...],
) -> None:
    game = in_parts(*cents)
    assert [said(check, game) for check in (PRIZES, ONCE, SMALLEST)] == [LAWFUL] * 3


@upholds_case(PRIZES, "unlawful")
@pytest.mark.parametrize(
    ("cents", "owed", "whom"), [((4_000, 999), 1, "player"), ((4_000, 1_001), 1, "house")]
)
def test_article_43_a_rest_that_is_not_what_was_missing_is_found(
    cents: tuple[int, ...], owed: int, whom: str
) -> None:
    found = the_finding(PRIZES, in_parts(*cents))
    assert (found.observed, found.owed_cents, found.owed_to) == (
        {"paid_cents": sum(cents)},
        owed,
        whom,
    )


@upholds_case(ONCE, "unlawful")
def test_article_50_what_is_called_a_second_time_is_no_rest() -> None:
    game = in_parts(4_000, 1_000, last_again=True)
    assert the_finding(ONCE, game).owed_cents == 1_000
    assert the_finding(PRIZES, game).owed_cents == 1_000  # to the player


@upholds_case(ONCE, "boundary")
def test_article_50_two_wins_of_one_player_are_two_prizes() -> None:
    game = winning(A, pays={A: 5_000})
    again = won(game, A, of=laid(game, at="20:30"), at="20:32")
    paid(game, again, A, 5_000, "20:40")
    assert said(ONCE, game) == LAWFUL


def test_article_50_a_win_withdrawn_is_not_judged() -> None:
    game = pool_game()
    hit = won(game, A, of=laid(game))
    withdrawn(game, hit)
    game.close()
    assert said(PRIZES, game) == NOT_ASKED
    assert said(AS_DEALT, game) == NOT_ASKED


# The cards.


def dealt(cards: str, *winners: str, hands: Any = None, **terms: Any) -> Game:
    """A round on box 1 with these cards, or hands, told as won by these."""
    game = pool_game(**terms)
    place = box(1, hands or cards, main(1000, 2000, "J1"), wager("jackpot", 250, 0, "J1", chip=1))
    recorded = game.round(1, 1, boxes=(place,))
    collected(game, round=recorded.event.round)
    won(game, *winners, of=recorded)
    return game


@upholds_case(AS_DEALT, "lawful")
@pytest.mark.parametrize(
    ("cards", "code"), [("8S 8S", PAIR), ("7S 7D 7H", SEVENS), ("7S 7S 7H", SEVENS)]
)
def test_article_46_a_combination_the_first_cards_make_is_lawful(cards: str, code: str) -> None:
    assert said(AS_DEALT, dealt(cards, f"1 J1 {code}")) == LAWFUL


@upholds_case(AS_DEALT, "unlawful")
@pytest.mark.parametrize(
    ("cards", "code", "made"),
    [
        ("8S 8D", PAIR, "none"),
        ("7S 7S 7H", PAIR, SEVENS),  # the larger prize is won
        ("8S 9D", TOP, "none"),
    ],
)
def test_article_46_another_combination_than_was_dealt_is_found(
    cards: str, code: str, made: str
) -> None:
    found = the_finding(AS_DEALT, dealt(cards, f"1 J1 {code}"))
    assert (found.article, found.observed) == ("46", {"combination": code})
    assert found.expected == {"combination": made}


@upholds_case(AS_DEALT, "boundary")
def test_article_46_cards_beyond_those_that_count_win_nothing_and_unknown_ones_decide_nothing() -> (
    None
):
    assert said(AS_DEALT, dealt("2S 3D 7H 7S", f"1 J1 {SEVENS}", cards_counted=4)) == "finding"
    assert said(AS_DEALT, dealt("8? 8S", f"1 J1 {PAIR}")) == UNDECIDED
    nobody = pool_game()
    won(nobody, f"1 J1 {PAIR}")
    assert said(AS_DEALT, nobody) == UNDECIDED


# The cards lie open.


def collecting(paid_at: str | None, after: float | None, **known: Any) -> Game:
    """A win paid then, its round's cards collected so many minutes after 20:20."""
    game = pool_game()
    first = moment("20:10")
    when = None if after is None else moment("20:20") + timedelta(minutes=after)
    inserted = known.get("inserted")
    back = None if inserted is None else moment("20:20") + timedelta(minutes=inserted)
    shut = first - timedelta(seconds=4)
    times = Times(stakes_closed=shut, first_card=first, collected=when, inserted=back)
    place = box(
        1,
        known.get("cards", "8S 8S"),
        main(1000, 2000, "J1", at_once=known.get("at_once")),
        wager("jackpot", 250, 0, "J1", chip=1),
    )
    recorded = game.round(1, 1, boxes=(place,), times=times)
    hit = won(game, A, of=recorded)
    if paid_at is not None:
        paid(game, hit, A, 5_000, paid_at)
    return game


@upholds_case(OPEN, "lawful")
def test_article_49_cards_collected_after_the_payment_are_lawful() -> None:
    assert said(OPEN, collecting("20:20", 5)) == LAWFUL


@upholds_case(OPEN, "unlawful")
@pytest.mark.parametrize(("paid_at", "after"), [("20:20", -1), (None, 5), ("20:30", 9)])
def test_article_49_cards_collected_before_the_payment_are_found(
    paid_at: str | None, after: float
) -> None:
    found = the_finding(OPEN, collecting(paid_at, after))
    assert (found.article, found.where["owner"], found.readings) == ("49", "J1", ())


@upholds_case(OPEN, "boundary")
def test_article_49_at_the_very_moment_is_lawful_and_untold_is_not_a_breach() -> None:
    assert said(OPEN, collecting("20:20", 0)) == LAWFUL
    assert said(OPEN, collecting("20:20", None)) == UNDECIDED
    waiting = collecting(None, None)
    assert said(OPEN, waiting) == NOT_ASKED
    waiting.close()
    assert said(OPEN, waiting) == UNDECIDED


@upholds_case(OPEN, "unlawful")
@pytest.mark.parametrize(("paid_at", "after"), [("20:20", -0.5), (None, 5)])
def test_article_49_cards_in_the_shuffler_before_the_payment_are_found(
    paid_at: str | None, after: float
) -> None:
    found = the_finding(OPEN, collecting(paid_at, None, inserted=after))
    assert (found.article, found.where["owner"]) == ("49", "J1")


@upholds_case(OPEN, "boundary")
def test_article_49_cards_in_the_shuffler_afterwards_may_have_been_collected_before() -> None:
    assert said(OPEN, collecting("20:20", None, inserted=0)) == UNDECIDED
    assert said(OPEN, collecting("20:20", None, inserted=5)) == UNDECIDED
    assert said(OPEN, collecting("20:20", 0, inserted=5)) == LAWFUL


@pytest.mark.parametrize(
    ("reading", "answer"), [("before_collection", "finding"), ("collected_at_once", LAWFUL)]
)
def test_article_49_a_blackjack_paid_at_once_hangs_on_the_reading(
    reading: str, answer: str
) -> None:
    game = natural()
    assert said(OPEN, game, "pt", {"jackpot-before-collect": reading}) == answer
    assert the_finding(OPEN, game).readings == ("jackpot-before-collect",)


def test_article_49_a_blackjack_that_waited_for_the_bank_is_any_other_hand() -> None:
    game = collecting("20:20", -5, cards="AS JS", at_once=False)
    assert the_finding(OPEN, game).readings == ()


def natural() -> Game:
    """A blackjack paid and collected at once; its jackpot prize came later."""
    return collecting("20:20", -5, cards="AS JS", at_once=True)


def test_each_finding_names_the_win_and_the_terms() -> None:
    found = the_finding(PRIZES, paying(a=1))
    assert len(found.evidence) == 5  # the win, three payments, the terms
    assert findings(PRIZES, paying()) == []


def test_article_49_the_round_that_says_when_they_were_collected_is_among_the_evidence() -> None:
    game = collecting("20:20", -5)
    (recorded,) = (
        one for one in game.dossier("22:00").entries if one.event.kind == "round-played/1"
    )
    assert recorded.entry_id in the_finding(OPEN, game).evidence
