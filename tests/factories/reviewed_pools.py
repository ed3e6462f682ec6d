"""The breaches of n.º 38 to 50 a reading of the law made at a progressive prize (its run J).

Rows as in `reviewed_rounds`: games with a pool, or the whole story of a meter (`WholePool`).
"""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any, Final

from casino.events.round.round_played import Times
from casino.events.tables import TableRegistered
from jackpot.events import TermsLine
from jackpot.rules.whole import WholePool
from tests.factories.games import Game, moment
from tests.factories.meter_stories import START, At, chips, paid, read, start, timed, won
from tests.factories.pool_acts import (
    LINES,
    PAIR,
    SEVENS,
    TOP,
    collected,
    laid,
    played,
)
from tests.factories.pool_acts import paid as pay
from tests.factories.pool_acts import won as win
from tests.factories.pool_games import prepared
from tests.factories.reviewed_rounds import BUST, Row
from tests.factories.reviewed_stories import later
from tests.factories.rounds import box, main, special, wager

Story = Callable[[], Game]
Meter = Callable[[], WholePool]
A, B, C = f"1 J1 {PAIR}", f"2 J2 {SEVENS}", f"5 J5 {TOP}"
DUE: Final = {A: 5_000, B: 250_000, C: START - 255_000}
BOTH: Final = "1 J1 1, 2 J2 1"
COUNTED: Final = (TermsLine(code="pair", share_millionths=1_000_000),)


@later
def round_of(chips: str = "1 J1 1", **terms: Any) -> Game:
    """A round with these chips under these terms, entered as they were laid."""
    game = prepared("manual", **terms)
    laid(game, chips)
    return game


@later
def recorded(in_round: str, entered: str | None, **increment: Any) -> Game:
    """Chips as the round tells them and as the increment does, None for no increment."""
    game = prepared("manual")
    of_round = {name: value for name, value in increment.items() if name in ("mains", "times")}
    one = played(game, in_round, **of_round)
    if entered is not None:
        known = {name: value for name, value in increment.items() if name not in of_round}
        collected(game, entered, round=one.event.round, **known)
    return game


@later
def at_table(**registered: Any) -> Game:
    """The table registered otherwise."""
    game = round_of()()
    game.outside(TableRegistered, **registered)
    return game


def late(seconds: float) -> Times:
    """Stakes closed so many seconds after the first card."""
    first = moment("20:10")
    return Times(stakes_closed=first + timedelta(seconds=seconds), first_card=first)


@later
def dealt(cards: str, winner: str | None, cents: int = 0, **known: Any) -> Game:
    """Cards on box 1, told as won so and paid."""
    game = prepared("manual")
    one = laid(game, cards=cards, bank=BUST)
    if winner is not None:
        pay(game, win(game, winner, of=one, **known), winner, cents)
    game.close(rounds=1)
    return game


@later
def three(order: tuple[str, ...] = (A, B, C), **otherwise: int) -> Game:
    """Three winners of one round, paid in this order, their due unless said otherwise."""
    cards = {1: "8S 8S", 2: "7S 7D 7H", 5: "AS AS AS AS"}
    game = prepared("manual")
    places = [
        box(at, cards[at], main(1000, 2000), wager("jackpot", 250, 0, f"J{at}", chip=1), *more)
        for at, more in ((1, ()), (2, (special(3000),)), (5, ()))
    ]
    one = game.round(1, 1, boxes=places, bank=BUST)
    collected(game, "1 J1 1, 2 J2 1, 5 J5 1", round=one.event.round)
    hit = win(game, A, B, C, of=one)
    for minute, who in enumerate(order):
        pay(game, hit, who, otherwise.get(who[0], DUE[who]), f"20:{20 + minute}")
    return game


@later
def twice(again: bool) -> Game:
    """A prize paid, and handed out again."""
    game = prepared("manual")
    hit = win(game, A, of=laid(game, cards="8S 8S", bank=BUST))
    pay(game, hit, A, 5_000)
    if again:
        pay(game, hit, A, 5_000, "20:25", again=True)
    return game


@later
def collecting(**moments: str) -> Game:
    """A win paid at 20:20, its round's cards collected or put back at these moments."""
    game = prepared("manual")
    first = moment("20:10")
    known = {name: moment(at) for name, at in moments.items()}
    times = Times(stakes_closed=first - timedelta(seconds=4), first_card=first, **known)
    place = box(1, "8S 8S", main(1000, 2000), wager("jackpot", 250, 0, "J1", chip=1))
    one = game.round(1, 1, boxes=(place,), times=times, bank=BUST)
    collected(game, round=one.event.round)
    pay(game, win(game, A, of=one), A, 5_000)
    return game


@later
def unlaid(chips: str) -> Game:
    """J1 is recorded as winner."""
    game = prepared("manual")
    one = laid(game, chips, cards="8S 8S", bank=BUST) if "J1" in chips else None
    if one is None:
        places = [
            box(1, "8S 8S", main(1000, 2000)),
            box(2, "TS 9D", main(1000, 2000), wager("jackpot", 250, 0, "J2", chip=1)),
        ]
        one = game.round(1, 1, boxes=places, bank=BUST)
        collected(game, chips, round=one.event.round)
    pay(game, win(game, A, of=one), A, 5_000)
    return game


def meter(*story: At) -> Meter:
    """The whole story of a meter: seconds, and what was recorded then."""
    return lambda: timed(*story)


FULL: Final = ((0, start()), (60, won("5 four_aces_same_suit")), (120, paid("e2", "J5/5", START)))

# fmt: off
BREACHES: Final[tuple[Row, ...]] = (
    # 38, 39: the option is communicated, and there is a place for the chip.
    Row("38-not-communicated", "38 jackpot_option_is_communicated",
        round_of(option_reference=None), round_of()),
    Row("38-communicated-the-day-after", "38 jackpot_option_is_communicated",
        round_of(communicated_on=date(2026, 11, 21)), round_of(communicated_on=date(2026, 11, 20))),
    Row("39-no-place-for-the-chip", "39 jackpot_place_is_marked", at_table(jackpot_place=False),
        at_table(jackpot_place=True)),
    # 40: set by the inspectorate on the concession holder's proposal.
    Row("40-no-terms", "40 jackpot_terms_are_in_force", round_of(valid_from=moment("20:11")),
        round_of(valid_from=moment("20:09"))),
    Row("40-not-set-by-the-inspectorate", "40 jackpot_terms_are_approved",
        round_of(approval_reference=None), round_of()),
    Row("40-proposed-after-it-was-set", "40 jackpot_terms_were_proposed",
        round_of(proposed_on=date(2026, 11, 3)), round_of(proposed_on=date(2026, 11, 2))),
    Row("40-no-second-person", "house.jackpot jackpot_terms_are_confirmed",
        round_of(confirmed=None), round_of(confirmed="20:09")),
    # 41: how it is marked, and what the display shows.
    Row("41-chip-not-entered", "41 jackpot_sources_agree", recorded(BOTH, "1 J1 1"),
        recorded(BOTH, BOTH)),
    Row("41-chip-without-a-marker", "41 jackpot_markers_are_laid",
        recorded("1 J1 1", "1 J1 1", marked=False), recorded("1 J1 1", "1 J1 1")),
    Row("41-display-shows-more", "41 jackpot_display_shows_the_meter",
        meter((0, start()), (60, read(START + 7))), meter((0, start()), (60, read(START)))),
    Row("41-display-shows-less", "41 jackpot_display_shows_the_meter",
        meter((0, start()), (60, read(START - 7))), meter((0, start()), (60, read(START)))),
    # 42, 43: which cards count, and what they win.
    Row("42-five-cards", "42 jackpot_counted_cards_are_lawful",
        round_of(cards_counted=5, lines=COUNTED), round_of(cards_counted=4, lines=COUNTED)),
    Row("43-paid-short", "43 jackpot_prizes_as_approved", dealt("8S 8S", A, 4_999),
        dealt("8S 8S", A, 5_000)),
    Row("43-paid-too-much", "43 jackpot_prizes_as_approved", dealt("8S 8S", A, 5_001),
        dealt("8S 8S", A, 5_000)),
    Row("43-win-not-told", "43 jackpot_winning_cards_are_told", dealt("8S 8S", None),
        dealt("8S 9D", None)),
    # 44: the starting value.
    Row("44-started-a-cent-too-low", "44 jackpot_start_is_high_enough",
        round_of(started=START - 1), round_of(started=START)),
    Row("44-not-started-again", "44 jackpot_is_started_when_due",
        meter(*FULL, (3_600, chips())), meter(*FULL, (180, start()), (3_600, chips()))),
    # 45 to 47: who may lay a chip, what decides it, and how many.
    Row("45-chip-without-a-main-stake", "45 jackpot_chip_has_a_main_stake",
        recorded("1 J1 1", "1 J1 1", mains={1: "J9"}), recorded("1 J1 1", "1 J1 1")),
    Row("45-winner-without-a-chip", "45 jackpot_winner_laid_a_chip", unlaid("2 J2 1"),
        unlaid("1 J1 1")),
    Row("46-cards-of-two-suits", "46 jackpot_won_by_first_cards", dealt("8S 8D", A, 5_000),
        dealt("8S 8S", A, 5_000)),
    Row("46-by-a-fifth-card", "46 jackpot_won_by_first_cards",
        dealt("2S 3D 4H 5C 2S", A, 5_000), dealt("2S 2S 4H 5C 3D", A, 5_000)),
    Row("47-two-chips", "47 one_chip_per_player", round_of("1 J1 2"), round_of("1 J1 1")),
    Row("47-chip-of-another-amount", "47 jackpot_chip_is_of_the_set_amount",
        recorded("1 J1 1", "1 J1 1", chip_cents=500), recorded("1 J1 1", "1 J1 1", chip_cents=250)),
    # 48, 49: before the deal, and open until paid.
    Row("48-laid-after-the-first-card", "48 jackpot_chips_precede_the_deal",
        recorded("1 J1 1", "1 J1 1", times=late(1)), recorded("1 J1 1", "1 J1 1", times=late(-4)),
        ("13 stakes_before_the_deal",)),
    Row("48-collected-during-the-deal", "48 jackpot_chips_precede_the_deal",
        recorded("1 J1 1", "1 J1 1", collected_before_deal=False), recorded("1 J1 1", "1 J1 1")),
    Row("48-closing-not-called", "48 jackpot_chips_precede_the_deal",
        recorded("1 J1 1", "1 J1 1", closing_called=False), recorded("1 J1 1", "1 J1 1")),
    Row("49-collected-before-the-payment", "49 jackpot_cards_stay_open_until_paid",
        collecting(collected="20:19"), collecting(collected="20:21")),
    # 50: several winners of one round.
    Row("50-larger-prize-first", "50 jackpot_smallest_prize_first", three((B, A, C)), three()),
    Row("50-remainder-withheld", "50 jackpot_remainder_to_the_top", three(**{"5": DUE[C] - 1}),
        three()),
    Row("50-paid-twice", "50 jackpot_prize_is_paid_once", twice(True), twice(False)),
    Row("50-top-takes-80-percent", "house.jackpot jackpot_has_a_top_combination",
        round_of(lines=(TermsLine(code=TOP, share_millionths=800_000), *LINES[1:])), round_of()),
)
# fmt: on
