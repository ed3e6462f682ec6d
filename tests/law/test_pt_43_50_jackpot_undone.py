"""PT art. 43, 46, 50: a win that was withdrawn, and money handed out for it all the same."""

import pytest

from casino.events.round.round_played import RoundPlayed
from casino.law.dossier import RecordedEvent
from tests.factories.games import Game
from tests.factories.pool_acts import (
    NOTHING,
    PAIR,
    START,
    TOP,
    laid,
    paid,
    pool_game,
    withdrawn,
    won,
)
from tests.law.asking import LAWFUL, NOT_ASKED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import findings, said, the_finding

PRIZES = "jackpot_prizes_as_approved"
AS_DEALT = "jackpot_won_by_first_cards"
ONCE = "jackpot_prize_is_paid_once"
ALL_OF_IT = f"1 J1 {TOP}"
SMALL = f"1 J1 {PAIR}"


def begun(cards: str = "AS AS AS AS") -> tuple[Game, RecordedEvent[RoundPlayed]]:
    """A pool and a round with a chip on box 1 that got these cards."""
    game = pool_game()
    return game, laid(game, cards=cards)


@upholds_case(PRIZES, "unlawful")
@pytest.mark.parametrize("paid_at", ["20:20", "20:40"])
def test_article_43_a_prize_paid_before_or_after_its_win_was_withdrawn_is_found(
    paid_at: str,
) -> None:
    game, recorded = begun()
    hit = won(game, ALL_OF_IT, of=recorded)
    if paid_at < "20:30":
        paid(game, hit, ALL_OF_IT, START, paid_at)
    withdrawn(game, hit)
    if paid_at > "20:30":
        paid(game, hit, ALL_OF_IT, START, paid_at)
    found = the_finding(PRIZES, game)
    assert (found.article, found.owed_cents, found.owed_to) == ("43", START, "house")
    assert (found.observed, found.expected) == ({"paid_cents": START}, {"paid_cents": 0})
    assert found.where == {"jackpot": "JP-1", "owner": "J1", "box": 1}
    assert len(found.evidence) == 4  # the win, its withdrawal, the payment, the terms


@upholds_case(PRIZES, "unlawful")
def test_article_43_a_round_told_anew_does_not_cover_what_was_paid_before() -> None:
    game, recorded = begun()
    first = won(game, ALL_OF_IT, of=recorded)
    paid(game, first, ALL_OF_IT, START)
    withdrawn(game, first)
    anew = won(game, ALL_OF_IT, of=recorded, at="20:32")
    paid(game, anew, ALL_OF_IT, START, "20:40")
    assert the_finding(PRIZES, game).owed_cents == START  # of the first; the second is right


@upholds_case(PRIZES, "unlawful")
def test_article_43_a_stranger_paid_of_a_win_that_was_withdrawn_is_found() -> None:
    game, recorded = begun()
    hit = won(game, ALL_OF_IT, of=recorded)
    paid(game, hit, ALL_OF_IT, START)
    withdrawn(game, hit)
    paid(game, hit, f"7 J9 {TOP}", START, "20:40")
    assert [one.where["owner"] for one in findings(PRIZES, game)] == ["J1", "J9"]


@upholds_case(AS_DEALT, "unlawful")
def test_article_46_withdrawing_a_win_that_was_paid_heals_nothing() -> None:
    game, recorded = begun(NOTHING)
    hit = won(game, ALL_OF_IT, of=recorded)
    paid(game, hit, ALL_OF_IT, START)
    withdrawn(game, hit)
    assert the_finding(AS_DEALT, game).expected == {"combination": "none"}


@upholds_case(ONCE, "unlawful")
def test_article_50_a_second_payment_of_a_withdrawn_win_is_told_once() -> None:
    game, recorded = begun("8S 8S")
    hit = won(game, SMALL, of=recorded)
    paid(game, hit, SMALL, 5_000)
    paid(game, hit, SMALL, 4_000, "20:25", again=True)
    withdrawn(game, hit)
    assert the_finding(ONCE, game).owed_cents == 4_000
    assert the_finding(PRIZES, game).owed_cents == 5_000


@upholds_case(PRIZES, "boundary")
@pytest.mark.parametrize("cents", [None, 0])
def test_article_43_a_win_withdrawn_before_money_was_handed_out_is_no_breach(
    cents: int | None,
) -> None:
    game, recorded = begun("8S 8S")
    hit = won(game, SMALL, of=recorded)
    if cents is not None:
        paid(game, hit, SMALL, cents)
    withdrawn(game, hit)
    anew = won(game, SMALL, of=recorded, at="20:32")
    paid(game, anew, SMALL, 5_000, "20:40")
    game.close()
    assert (said(PRIZES, game), said(AS_DEALT, game)) == (LAWFUL, LAWFUL)


def test_article_43_a_withdrawn_win_asks_for_no_prize() -> None:
    game, recorded = begun()
    withdrawn(game, won(game, ALL_OF_IT, of=recorded))
    game.close()
    assert said(PRIZES, game) == NOT_ASKED
